"""Color for a photo that has some; one without is for a generative engine."""

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.operations.color.selective import within_target
from editor.engine.operations.color.vibrance import vibrance
from editor.engine.pixels import working_copy
from editor.engine.plan import Reason, Step
from editor.engine.refused import Unable
from editor.imaging.codecs import Bytes

_SIDE = 256
_LEAST = 3.0  # levels of 255 by which the colors of one brightness differ; a brown print stays below


@operation
def colorize(canvas: Canvas, step: Step, *, amount: float) -> Canvas:
    """The colors that a photo has, made stronger. Raises Unable when it is gray, or brown throughout."""
    if not has_colors(working_copy(canvas.picture, _SIDE)):
        sentence = "This photo has no colors that could be made stronger."
        raise Unable(Reason.NEEDS_GENERATION, sentence, "Coloring it needs a generative engine.")
    return within_target(canvas, step, lambda pixels: vibrance(pixels, amount))


def has_colors(pixels: Bytes) -> bool:
    """Whether color tells more than light does: in gray and in toned prints it follows from the light."""
    parts = cv2.cvtColor(pixels, cv2.COLOR_RGB2YCrCb).reshape(-1, 3).astype(np.float64)
    light, tones = parts[:, 0] / 255, parts[:, 1:]
    curve = np.stack([np.ones_like(light), light, light**2, light**3], 1)
    rest = tones - curve @ np.linalg.lstsq(curve, tones, rcond=None)[0]
    return float(np.hypot(*rest.std(0))) > _LEAST
