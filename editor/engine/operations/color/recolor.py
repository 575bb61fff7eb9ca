"""A thing in another color: its hue turns, its light and shade stay."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import NEUTRALS, Color, Floats, base_name, color_of, lab_of, oklab, oklab_of, rgb
from editor.engine.operations.color.selective import changed_within, partly, share_and_depth
from editor.engine.pixels import in_strips, working_copy
from editor.engine.plan import Reason, Step
from editor.engine.refused import Unable
from editor.engine.targets.boxed import boxed_mask
from editor.engine.targets.color import GROUNDS
from editor.engine.targets.find import step_mask
from editor.imaging.picture import Picture, Pixels

_COLORED = 0.04  # OKLab's chroma: below that a thing is grey
_DULLEST = 0.75  # of the new color: what is dull takes it duller, but so that it is still that color
_GROUND = 0.95  # a sky that is grey at the horizon is one sky all the same, and no band of it stays grey
_PAPER = 0.88  # lightness that a lit white thing has of its own
_DARKEST_FOLD = 0.12  # of the typical lightness: darker folds count as this dark
_FOLD_DEPTH = 0.4  # the power that folds keep in a light color: less makes them shallower
_FOLLOWS = 0.45  # of the way to the new color's lightness goes a thing whose light and shade should stay


@operation
def recolor(canvas: Canvas, step: Step, *, color: str | None) -> Canvas:
    """The target takes the step's color; of several results, some keep more of their own lightness."""
    if not color:
        raise Unable(Reason.AMBIGUOUS, "The new color is missing.", "Name the color, for example: blue.")
    (share, depth), before = share_and_depth(canvas, step), canvas.picture.pixels
    paint, follows = color_of(color), min(1.0, _follows(color) * depth)
    least = _GROUND if step.target.noun in GROUNDS else 0.0
    mask = step_mask(canvas, step, boxed_mask)

    def change(part: Pixels, where: Floats) -> Pixels:
        return partly(part, recolored(part, paint, follows=follows, mask=where, least=least), share)

    where = np.ones(before.shape[:2], np.float32) if mask is None else mask
    return canvas.with_pixels(changed_within(before, where, change))


def _follows(name: str) -> float:
    """1 for black, white and shades such as "dark blue": there the lightness is what is asked for."""
    if name in _OF_HAIR:
        return _OF_HAIR[name]
    is_firm = base_name(name) in NEUTRALS or base_name(name) != name.strip().lower()
    return 1.0 if is_firm else _FOLLOWS


_OF_HAIR = {"blonde": 0.8}
"""Hair is dyed to a lightness; blonde that keeps the dark of brown hair is orange."""


def recolored(
    pixels: Pixels, color: Color, *, mask: Floats, follows: float = _FOLLOWS, least: float = 0.0
) -> Pixels:
    """All pixels in tones of `color`; what is typical for those in the mask becomes that color, and
    `follows` says how far (0 to 1) in its lightness as well. What is grey among them takes at `least` that
    share of the new chroma."""
    light, chroma = _typical(pixels, mask)
    target = lab_of(color)
    end = float(np.clip(target[0], 0.18, 0.94))  # black and white things have light and shade as well
    wanted = light + follows * (end - light)

    def change(colors: Floats, rows: slice) -> Floats:
        if not mask[rows].any():
            return colors
        return rgb(_turned(oklab(colors), light, chroma, wanted, target, least))

    return in_strips(pixels, change)


def _typical(pixels: Pixels, mask: Floats) -> tuple[float, float]:
    """Median lightness and chroma of what the mask holds."""
    small = working_copy(Picture(pixels), 400)
    lab = oklab_of(small).reshape(-1, 3)
    inside = cv2.resize(mask, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_AREA).ravel() > 0.5
    lab = lab[inside] if inside.any() else lab
    return float(np.median(lab[:, 0])), float(np.median(np.hypot(lab[:, 1], lab[:, 2])))


def _turned(lab: Floats, light: float, chroma: float, wanted: float, target: Floats, least: float) -> Floats:
    """Lightness from `light` to `wanted` with black and white fixed; chroma in proportion to the old one,
    or, where the old color was grey, following the shape of light."""
    new = np.empty_like(lab)
    new[:, :, 0] = (_lowered if wanted <= light else _raised)(lab[:, :, 0], light, wanted)
    full = float(np.hypot(target[1], target[2]))
    strength = min(full, max(_DULLEST * full, chroma)) if chroma > _COLORED else full
    if chroma > _COLORED:
        old = cv2.magnitude(np.ascontiguousarray(lab[:, :, 1]), np.ascontiguousarray(lab[:, :, 2]))
        ratio = np.minimum(old * np.float32(1 / chroma), np.float32(1.15))
        # Clouds stay pale: the nearer to white, the less.
        ratio = np.maximum(ratio, np.float32(least) * np.clip(5 * (1 - new[:, :, 0]), 0, 1))
    else:
        ratio = np.clip(np.float32(4.2) * new[:, :, 0] * (1 - new[:, :, 0]), 0, 1)
    direction = target[1:] * np.float32(strength / max(full, 1e-6))
    new[:, :, 1], new[:, :, 2] = ratio * direction[0], ratio * direction[1]
    return new


def _lowered(light: Floats, typical: float, wanted: float) -> Floats:
    """With black and white fixed, but not the white of paper: in the dark that is no light of its own."""
    far = float(np.clip((typical - wanted) / 0.3, 0, 1))
    paper = 1 - far * max(0.0, 1 - _PAPER / max(typical, 1e-6))
    light, typical = light * np.float32(paper), float(np.clip(typical * paper, 0.05, 0.95))
    power = np.minimum((1 - light) * np.float32(1 / (1 - typical)), 1)
    return light * np.exp(np.float32(np.log(min(wanted, typical) / typical)) * power)


def _raised(light: Floats, typical: float, wanted: float) -> Floats:
    """With black and white fixed; far up, where that would leave no folds, these are deepened in
    proportion."""
    typical = float(np.clip(typical, 0.05, 0.95))
    share = np.clip(light * np.float32(1 / typical), 0, 1)
    even = 1 - (1 - light) * np.exp(np.float32(np.log((1 - wanted) / (1 - typical))) * share)
    folded = np.float32(wanted) * np.maximum(share, np.float32(_DARKEST_FOLD)) ** np.float32(_FOLD_DEPTH)
    far = np.float32(np.clip((wanted - typical - 0.15) / 0.3, 0, 1)) * (light < typical)
    return cast(Floats, even + far * (folded - even))
