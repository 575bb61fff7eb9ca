"""A thing in another color: its hue turns, its light and shade stay."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, blended, in_strips, operation, working_copy
from editor.engine.colors import NEUTRALS, Color, Floats, base_name, color_of, lab_of, oklab, rgb
from editor.engine.operations.color.selective import within_target
from editor.engine.plan import Reason, Step
from editor.engine.refused import Unable
from editor.engine.targets.find import step_mask
from editor.imaging.codecs import Picture, Pixels

_COLORED = 0.04  # OKLab's chroma: below that a thing is grey
_DULLEST = 0.75  # of the new color: what is dull takes it duller, but so that it is still that color


@operation
def recolor(canvas: Canvas, step: Step) -> Canvas:
    """The target takes the step's color."""
    if not step.color:
        raise Unable(Reason.AMBIGUOUS, "The new color is missing.", "Name the color, for example: blue.")
    color = color_of(step.color)
    firmly = base_name(step.color) in NEUTRALS or base_name(step.color) != step.color.lower()
    mask = step_mask(canvas, step)
    if mask is None:
        return within_target(canvas, step, lambda pixels: recolored(pixels, color, firmly=firmly))
    before = canvas.picture.pixels
    return canvas.with_pixels(blended(before, recolored(before, color, firmly=firmly, mask=mask), mask))


def recolored(pixels: Pixels, color: Color, *, firmly: bool = False, mask: Floats | None = None) -> Pixels:
    """All pixels in tones of `color`; what is typical for those in the mask becomes that color.

    `firmly`: the lightness follows the color as well, as for black, white and "dark blue".
    """
    light, chroma = _typical(pixels, mask)
    target = lab_of(color)
    end = float(np.clip(target[0], 0.18, 0.94))  # black and white things have light and shade as well
    wanted = light + (1.0 if firmly else 0.45) * (end - light)

    def change(colors: Floats, rows: slice) -> Floats:
        if mask is not None and not mask[rows].any():
            return colors
        return rgb(_turned(oklab(colors), light, chroma, wanted, target))

    return in_strips(pixels, change)


def _typical(pixels: Pixels, mask: Floats | None) -> tuple[float, float]:
    """Median lightness and chroma of what the mask holds."""
    small = working_copy(Picture(pixels), 400)
    lab = oklab(small.astype(np.float32) * np.float32(1 / 255)).reshape(-1, 3)
    if mask is not None:
        lab = lab[_shrunk(mask, small.shape).ravel() > 0.5] if (mask > 0.5).any() else lab
    if not len(lab):
        return 0.5, 0.0
    return float(np.median(lab[:, 0])), float(np.median(np.hypot(lab[:, 1], lab[:, 2])))


def _shrunk(mask: Floats, shape: tuple[int, ...]) -> Floats:
    return cast(Floats, cv2.resize(mask, (shape[1], shape[0]), interpolation=cv2.INTER_AREA))


def _turned(lab: Floats, light: float, chroma: float, wanted: float, target: Floats) -> Floats:
    """Lightness from `light` to `wanted` with black and white fixed; chroma in proportion to the old one,
    or, where the old color was grey, following the shape of light."""
    new = np.empty_like(lab)
    new[:, :, 0] = _moved_light(lab[:, :, 0], light, wanted)
    full = float(np.hypot(target[1], target[2]))
    strength = min(full, max(_DULLEST * full, chroma)) if chroma > _COLORED else full
    old = np.hypot(lab[:, :, 1], lab[:, :, 2])
    if chroma > _COLORED:
        ratio = np.clip(old / chroma, 0, 1.15)
    else:
        ratio = np.clip(4 * new[:, :, 0] * (1 - new[:, :, 0]) * 1.05, 0, 1)
    direction = target[1:] / max(full, 1e-6)
    new[:, :, 1:] = (ratio * strength)[:, :, None] * direction
    return new


def _moved_light(light: Floats, typical: float, wanted: float) -> Floats:
    typical = float(np.clip(typical, 0.05, 0.95))
    if wanted <= typical:
        return cast(Floats, light * (wanted / typical) ** np.clip((1 - light) / (1 - typical), 0, 1))
    return cast(Floats, 1 - (1 - light) * ((1 - wanted) / (1 - typical)) ** np.clip(light / typical, 0, 1))
