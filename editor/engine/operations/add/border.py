"""A border."""

import numpy as np

from editor.engine.canvas import Canvas, operation, top_value
from editor.engine.colors import Color, color_of
from editor.engine.plan import Reason, Step
from editor.engine.refused import Unable
from editor.imaging.codecs import Pixels


@operation
def border(canvas: Canvas, step: Step) -> Canvas:
    """A frame of one color along the edges, inside the photo: its size and shape stay."""
    color = color_of(step.color or "white")
    shorter = min(canvas.picture.width, canvas.picture.height)
    return canvas.with_pixels(framed(canvas.picture.pixels, color, _thickness(canvas, step, shorter)))


def _thickness(canvas: Canvas, step: Step, shorter: int) -> int:
    if step.exact and step.exact[1] == "percent":
        thickness = round(step.exact[0] / 100 * shorter)
    elif step.exact:
        thickness = round(step.exact[0])
    else:
        thickness = max(1, round(0.12 * abs(canvas.amount(step)) * shorter))
    if not 0 < thickness * 2 < shorter:
        raise Unable(Reason.TOO_LARGE, "This border would cover the photo.", "Choose a thinner one.")
    return thickness


def framed(pixels: Pixels, color: Color, thickness: int) -> Pixels:
    """The outer `thickness` pixels in that color, opaque; all others as they were."""
    result = pixels.copy()
    full = np.array([*color, 255][: pixels.shape[2]]) * (top_value(pixels) // 255)
    result[:thickness] = result[-thickness:] = full
    result[:, :thickness] = result[:, -thickness:] = full
    return result
