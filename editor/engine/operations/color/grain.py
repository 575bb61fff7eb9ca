"""Film grain: rough in the middle tones, gone in black and white."""

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.operations.color.selective import longest_side, within_target
from editor.engine.pixels import in_strips
from editor.engine.plan import Step
from editor.imaging.codecs import Pixels

_FULL = 1500  # the longest side on which a grain is one pixel
_STRONGEST = 0.16  # standard deviation at full amount, of white


@operation
def grain(canvas: Canvas, step: Step, *, amount: float) -> Canvas:
    """Grain like that of film; which one where, the seed tells."""
    amount, size = abs(amount), longest_side(canvas) / _FULL
    seed = canvas.seed
    return within_target(canvas, step, lambda pixels: grained(pixels, amount=amount, size=size, seed=seed))


def grained(pixels: Pixels, *, amount: float, size: float, seed: int) -> Pixels:
    """`amount` 0 to 1; `size` of a grain in pixels, at least one. Colors stay, only light is rough."""
    height, width = pixels.shape[:2]
    cells = max(1, round(height / max(1.0, size))), max(1, round(width / max(1.0, size)))
    grains = np.random.default_rng(seed).standard_normal(cells, np.float32)
    rough = cv2.resize(grains, (width, height), interpolation=cv2.INTER_CUBIC)
    strength = np.float32(_STRONGEST * amount)

    def change(colors: Floats, rows: slice) -> Floats:
        light = colors.mean(2)
        share = np.float32(4) * light * (1 - light)
        return colors + (strength * share * rough[rows])[:, :, None]

    return in_strips(pixels, change)
