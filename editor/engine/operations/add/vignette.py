"""A vignette."""

from typing import cast

import numpy as np

from editor.engine.canvas import Canvas, in_strips, operation
from editor.engine.colors import Floats
from editor.engine.plan import Step
from editor.imaging.codecs import Pixels


@operation
def vignette(canvas: Canvas, step: Step) -> Canvas:
    """Darker towards the corners (lighter for a negative amount or the color white)."""
    amount = canvas.amount(step)
    if step.color == "white":
        amount = -abs(amount)
    return canvas.with_pixels(shaded(canvas.picture.pixels, amount=amount))


def shaded(pixels: Pixels, *, amount: float) -> Pixels:
    """The middle third stays; corners lose 27% of their light, up to 90% at full amount."""
    height, width = pixels.shape[:2]
    across = ((np.arange(width, dtype=np.float32) + 0.5) / width * 2 - 1) ** 2
    down = ((np.arange(height, dtype=np.float32) + 0.5) / height * 2 - 1) ** 2
    depth = 0.9 * min(1.0, 0.3 + abs(amount))

    def change(colors: Floats, rows: slice) -> Floats:
        radius = np.sqrt((down[rows, None] + across[None]) / 2)
        fall = _smooth(np.clip((radius - 0.35) / 0.65, 0, 1))[:, :, None] * depth
        return cast(Floats, colors * (1 - fall) if amount >= 0 else colors + fall * (1 - colors))

    return in_strips(pixels, change)


def _smooth(share: Floats) -> Floats:
    return cast(Floats, share * share * (3 - 2 * share))
