"""Scatter drops of water on the lens.

Each drop shows the photo upside down, as a real drop does.
"""

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.drawing.paint import paint_over
from editor.engine.operations.add.lights import light_color
from editor.engine.operations.add.places import within_place
from editor.engine.pixels import top_value
from editor.engine.plan import Step
from editor.engine.targets.target_masks import step_mask
from editor.imaging.picture import Pixels

# Radius of the part of the photo that can be seen in a water drop, as a multiple of the drop's radius.
_SEEN = 3.2
_MIN_INSIDE = 0.9  # minimum value of a thing's mask at which a drop on the thing shows a pixel
_CLEAR = (1.0, 1.0, 1.0)
_DYED = np.float32(0.5)  # share of the requested color in a drop of colored water
# Pairs of the number of drops and their radius, as a share of the photo's longer side.
_SIZES = ((70, 0.004), (34, 0.009), (14, 0.018), (5, 0.03))


@operation
def water_drops(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Scatter drops of water over the photo; the amount sets the number of drops."""
    random = np.random.default_rng(canvas.seed)
    amount = abs(amount)
    before, inside = canvas.picture.pixels, step_mask(canvas, step)
    pixels: Pixels = before.copy()
    height, width = pixels.shape[:2]
    for count, share in _SIZES:
        for _ in range(round(count * (0.4 + 1.5 * amount))):
            radius = share * max(width, height) * random.uniform(0.7, 1.3)
            x, y = random.uniform(0, width), random.uniform(0, height)
            coverage, colors = _drop(before, x, y, max(3.0, radius), random, inside)
            if color:
                colors += _DYED * (light_color(color, _CLEAR) - colors)
            paint_over(
                pixels, coverage, colors, (round(x - coverage.shape[1] / 2), round(y - coverage.shape[0] / 2))
            )
    return within_place(canvas, step, pixels)


def _drop(
    pixels: Pixels,
    x: float,
    y: float,
    radius: float,
    random: np.random.Generator,
    inside: Floats | None,
) -> tuple[Floats, Floats]:
    """Return the coverage and the colors of one drop.

    The drop is a small lens with a glint. It is dark on the side that the light comes from and bright on the
    other side. On a thing, which `inside` is the mask of, no drop shows what is behind the thing.
    """
    side = 2 * round(1.25 * radius) + 1
    axis = np.linspace(-1.25, 1.25, side, dtype=np.float32)
    across, down = axis[None], axis[:, None]
    angle = np.arctan2(down, across)
    form = (
        1 + 0.07 * np.sin(2 * angle + random.uniform(0, 6)) + 0.05 * np.sin(3 * angle + random.uniform(0, 6))
    )
    far = np.hypot(across, down) / form
    coverage = np.clip((1 - far) * radius / 1.2, 0, 1).astype(np.float32)
    bend = -_SEEN * radius * (0.55 + 0.45 * far**2)
    columns, rows = (x + across * bend).astype(np.float32), (y + down * bend).astype(np.float32)
    if inside is not None:
        is_behind = cv2.remap(inside, columns, rows, cv2.INTER_LINEAR) < _MIN_INSIDE
        columns = np.where(is_behind, x + across * radius, columns).astype(np.float32)
        rows = np.where(is_behind, y + down * radius, rows).astype(np.float32)
    seen = cv2.remap(pixels, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    colors = seen[:, :, :3].astype(np.float32) / np.float32(top_value(pixels))
    rim = np.clip(far, 0, 1) ** 4
    shade = 1 - 0.5 * rim * np.clip(0.75 - down, 0, 1) + 0.35 * rim * np.clip(down, 0, 1)
    glint = 0.9 * np.exp(-(((across + 0.36) / 0.16) ** 2 + ((down + 0.42) / 0.12) ** 2))
    lit = colors * shade[:, :, None]
    lit = lit + glint[:, :, None] * (1 - lit)
    return coverage, np.clip(lit, 0, 1).astype(np.float32)
