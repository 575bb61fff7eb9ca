"""Sharper and softer. What was never in focus stays so."""

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.operations.color.base_light import light_of
from editor.engine.operations.color.selective import longest_side, within_target
from editor.engine.operations.color.softness import blurred
from editor.engine.pixels import in_strips
from editor.engine.plan import Step
from editor.imaging.codecs import Pixels

_WIDEST = 0.02  # a blur's sigma, as a share of the longest side
_HALO = 64  # rows beyond a strip, more than any sharpening reaches


@operation
def sharpness(canvas: Canvas, step: Step, *, amount: float) -> Canvas:
    """Positive amounts sharpen, negative ones blur."""
    side = longest_side(canvas)

    def change(pixels: Pixels) -> Pixels:
        if amount < 0:
            return blurred(pixels, sigma=max(0.6, -amount * _WIDEST * side))
        return sharpened(pixels, amount=amount, radius=0.8 + side / 3500)

    return within_target(canvas, step, change)


def sharpened(pixels: Pixels, *, amount: float, radius: float) -> Pixels:
    """Unsharp mask on brightness alone, so that no color fringes appear; differences as small as noise are
    left alone. The radius should grow with the photo: an edge of twelve megapixels is wider than one of the
    web's size."""

    def change(colors: Floats, rows: slice) -> Floats:
        return colors + 2.2 * amount * _detail(colors, radius)[:, :, None]

    return in_strips(pixels, change, halo=_HALO)


def _detail(colors: Floats, radius: float) -> Floats:
    light = light_of(colors)
    detail = light - cv2.GaussianBlur(light, (0, 0), radius)
    noise = 0.006
    return np.sign(detail) * np.maximum(np.abs(detail) - noise, 0)
