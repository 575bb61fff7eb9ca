"""Replace the sky and match the light on the rest of the photo to the new sky."""

from dataclasses import replace

import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.drawing.layers import alpha_sized, layers
from editor.engine.errors import OperationError
from editor.engine.operations.background.light import pictured, relit
from editor.engine.operations.background.scenes import DRAWN
from editor.engine.pixels import copy_size, in_strips
from editor.engine.plan import Reason, Step, Target
from editor.engine.targets.sky_mask import is_distinct
from editor.engine.targets.target_masks import target_mask
from editor.imaging.picture import Picture
from editor.sentences import Sentence

_SKY = Target("thing", noun="sky")
# Longer side, in pixels, of a drawn sky.
_DRAWN_PIXELS = 1400
# Share of the old sky's pixels that are above the lowest row of the drawn sky.
_LOWEST = 0.995
# Factors for the red, green, and blue values of the land under a dim sky.
_DIM = {"sunset": (0.93, 0.76, 0.68), "night sky": (0.42, 0.47, 0.62)}


@operation
def drawn_sky(canvas: Canvas, step: Step, *, scene: str) -> Canvas:
    """Replace the photo's sky with the drawn sky named `scene`, which ends where the old sky ends.

    Unless the step names objects to keep, the light on the rest of the photo is matched to the new sky.
    Raises OperationError if the sky is not found with enough confidence, or if it looks too much like what is
    in front of it.
    """
    free = alpha_sized(target_mask(canvas, _SKY))
    if not is_distinct(canvas, free):
        sentence = Sentence("I can't tell the sky from what is in front of it.")
        raise OperationError(Reason.LOW_CONFIDENCE, sentence)
    sky = _drawn(canvas, scene, free)
    photo = canvas.picture if step.keep else _in_its_light(canvas.picture, sky, scene)
    return canvas.with_pixels(layers(photo, 1 - free).over_small(sky, fills=False))


def _drawn(canvas: Canvas, scene: str, free: Floats) -> Floats:
    """Return the new sky on a small copy.

    Its last row fills the area below the end of the old sky.
    """
    picture = canvas.picture
    width, height = copy_size(_DRAWN_PIXELS, picture.width, picture.height, least=2)
    above = np.cumsum(free.sum(1))
    end = int(np.searchsorted(above, _LOWEST * above[-1])) + 1
    rows = max(2, round(end / free.shape[0] * height))
    sky = DRAWN[scene](width, rows, np.random.default_rng(canvas.seed))
    below = np.repeat(sky[-1:], max(0, height - rows), axis=0)
    return np.concatenate([sky, below])[:height]


def _in_its_light(photo: Picture, sky: Floats, choice: str) -> Picture:
    """Return the photo with its light matched to the new sky.

    If the new sky is dim, the photo is also darkened.
    """
    if choice not in _DIM:
        return relit(photo, pictured(sky))
    share = np.array(_DIM[choice], np.float32)
    return replace(photo, pixels=in_strips(photo.pixels, lambda colors, rows: colors * share))
