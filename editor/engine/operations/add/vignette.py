"""Darken or lighten the corners of a photo, an effect called a vignette."""

import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Color, Floats, color_of
from editor.engine.operations.color.selective import within_target
from editor.engine.pixels import in_strips
from editor.engine.plan import Step
from editor.imaging.picture import Pixels, smoothstep


@operation
def vignette(canvas: Canvas, step: Step, *, color: str | None, amount: float) -> Canvas:
    """Darken the corners of the photo or of a marked box.

    A negative amount lightens the corners instead. If a color is requested, the corners get that color
    instead of black.
    """
    paint = color_of(color) if color else (255, 255, 255) if amount < 0 else (0, 0, 0)
    return within_target(canvas, step, lambda pixels: shaded(pixels, paint, amount=abs(amount)))


def shaded(pixels: Pixels, color: Color, *, amount: float) -> Pixels:
    """Return the pixels with their corners blended into the color; the middle third does not change.

    The share of the color in the corners is 27% at amount 0 and up to 90% at the maximum amount.
    """
    height, width = pixels.shape[:2]
    across = ((np.arange(width, dtype=np.float32) + 0.5) / width * 2 - 1) ** 2
    down = ((np.arange(height, dtype=np.float32) + 0.5) / height * 2 - 1) ** 2
    depth = np.float32(0.9 * min(1.0, 0.3 + amount))
    full = np.array(color, np.float32) / np.float32(255)

    def change(colors: Floats, rows: slice) -> Floats:
        radius = np.sqrt((down[rows, None] + across[None]) / 2)
        fall = smoothstep(np.clip((radius - 0.35) / 0.65, 0, 1))[:, :, None] * depth
        return colors + fall * (full - colors)

    return in_strips(pixels, change)
