"""Give an object another color but keep its light and shade."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import (
    NEUTRALS,
    Color,
    Floats,
    base_name,
    chroma_of,
    color_of,
    lab_of,
    oklab,
    oklab_from_8_bit,
    rgb,
)
from editor.engine.errors import OperationError
from editor.engine.operations.color.selective import changed_within, mix, share_and_depth
from editor.engine.pixels import in_strips, working_copy
from editor.engine.plan import Reason, Step
from editor.engine.targets.box_contents import box_contents_mask
from editor.engine.targets.color import SURFACE_NOUNS
from editor.engine.targets.paint import paint_mask, with_noun
from editor.engine.targets.target_masks import step_mask
from editor.imaging.picture import Picture, Pixels
from editor.sentences import Sentence

_BLUE_OF_THE_SKY = "sky blue"  # the color of a blue sky; the blue of paint would look garish there
# Maximum OKLab chroma at which an object counts as gray.
_COLORED = 0.04
# Minimum chroma of a recolored dull object, as a share of the requested color's chroma. With less chroma, the
# object would seem to have a different color.
_DULLEST = 0.75
_VIVID = 0.13  # minimum OKLab chroma of an object that gets the full chroma of the requested color
# Lightness of colors that are neither dark nor pale by definition, as navy and cream are.
_MEDIUM = (0.38, 0.86)
# Minimum chroma of a recolored sky or other surface, as a share of the requested color's chroma. This minimum
# keeps a sky from staying gray at the horizon.
_GROUND = 0.95
# Maximum difference between the lightness of a recolored object and that of the requested color. Red as
# light as white paint would be pink, and yellow as dark as green paint would be olive.
_RECOGNIZED = 0.06
_TYPICAL_PIXELS = 400  # longer side, in pixels, of the copies on which typical colors are measured
_LIGHT_PERCENTILE = 90  # percentile of the lightness in a photo that is about the lightness of white objects
_MIN_SURROUNDINGS = 0.1  # minimum share of a photo around an object that shows the light in the photo
_LIGHTER = 0.2  # rise in lightness that is plausible in any light
_DIMMEST = 0.85  # minimum lightness of a recolored object in dim light, as a share of the color's lightness
_BLACK = 0.08  # OKLab lightness below which chroma is unreliable
# OKLab lightness of lit white paper. Lighter objects are scaled to this lightness before they are darkened.
_PAPER = 0.88
_DARKEST_FOLD = 0.12  # minimum lightness of a fold in cloth, as a share of the object's typical lightness
_FOLD_DEPTH = 0.4  # exponent for the depth of folds in a light color; smaller values make folds shallower
# How much of the lightness difference is removed if the new color implies no lightness, from 0 to 1.
_FOLLOWS = 0.45


@operation
def recolor(canvas: Canvas, step: Step, *, color: str | None) -> Canvas:
    """Give the target the requested color.

    Some variations keep more of the old lightness. Raises OperationError if the step names no color or the
    target is not found.
    """
    if not color:
        raise OperationError(
            Reason.AMBIGUOUS,
            Sentence("The new color is missing."),
            Sentence("Name the color, for example “blue”."),
        )
    color = _BLUE_OF_THE_SKY if color == "blue" and step.target.noun == "sky" else color
    (share, depth), before = share_and_depth(canvas, step), canvas.picture.pixels
    paint, follows = color_of(color), min(1.0, _follows(color) * depth)
    least = _GROUND if step.target.noun in SURFACE_NOUNS else 0.0
    mask = step_mask(canvas, step, box_contents_mask)
    if mask is not None and not step.target.color:
        mask = paint_mask(canvas, with_noun(canvas, step.target), mask)
    where = np.ones(before.shape[:2], np.float32) if mask is None else mask
    lightest = _lightness_of_white(canvas.picture, where)

    def change(part: Pixels, where: Floats) -> Pixels:
        new = recolored(part, paint, follows=follows, mask=where, least=least, lightest=lightest)
        return mix(part, new, share)

    return canvas.with_pixels(changed_within(before, where, change))


def _lightness_of_white(picture: Picture, mask: Floats) -> float:
    """Return about how light (OKLab) a white object would be in the light around a mask, or 1 if unknown."""
    small = working_copy(picture, _TYPICAL_PIXELS)
    around = cv2.resize(mask, small.shape[1::-1], interpolation=cv2.INTER_AREA) < 0.5
    if around.mean() < _MIN_SURROUNDINGS:
        return 1.0
    return float(np.percentile(oklab_from_8_bit(small)[around, 0], _LIGHT_PERCENTILE))


def _follows(name: str) -> float:
    """Return how much of the requested color's lightness the target takes on, from 0 to 1.

    The value is 1 for black, white, gray, shades such as "dark blue", and dark or pale colors such as navy
    and cream, because those names imply a lightness.
    """
    if name in _OF_NAMES:
        return _OF_NAMES[name]
    is_shade = base_name(name) in NEUTRALS or base_name(name) != name.strip().lower()
    is_medium = _MEDIUM[0] < float(lab_of(color_of(name))[0]) < _MEDIUM[1]
    return 1.0 if is_shade or not is_medium else _FOLLOWS


# How far the lightness follows a color, from 0 to 1. Blonde as dark as brown hair would look orange.
_OF_NAMES = {"blonde": 0.8, _BLUE_OF_THE_SKY: 1.0}


def recolored(
    pixels: Pixels,
    color: Color,
    *,
    mask: Floats,
    follows: float = _FOLLOWS,
    least: float = 0.0,
    lightest: float = 1.0,
) -> Pixels:
    """Return the pixels in tones of `color`.

    The typical color inside the mask becomes `color`. `follows` (0 to 1) is how much the lightness changes
    along with the color. `least` is the minimum chroma of a pixel, as a share of the new chroma. `lightest`
    is the lightness of white objects in the photo, because a yellow helmet must not glow in a dim room.
    """
    light, chroma = _typical(pixels, mask)
    target = lab_of(color)
    end = float(np.clip(target[0], 0.18, 0.94))  # Leave room for light and shade in black and white objects.
    end = max(_DIMMEST * end, min(end, max(lightest, light + _LIGHTER)))
    wanted = float(np.clip(light + follows * (end - light), end - _RECOGNIZED, end + _RECOGNIZED))

    def change(colors: Floats, rows: slice) -> Floats:
        if not mask[rows].any():
            return colors
        return rgb(_turned(oklab(colors), light, chroma, wanted, target, least))

    return in_strips(pixels, change)


def _typical(pixels: Pixels, mask: Floats) -> tuple[float, float]:
    """Return the median OKLab lightness and chroma inside the mask."""
    small = working_copy(Picture(pixels), _TYPICAL_PIXELS)
    lab = oklab_from_8_bit(small).reshape(-1, 3)
    inside = cv2.resize(mask, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_AREA).ravel() > 0.5
    lab = lab[inside] if inside.any() else lab
    return float(np.median(lab[:, 0])), float(np.median(chroma_of(lab)))


def _turned(lab: Floats, light: float, chroma: float, wanted: float, target: Floats, least: float) -> Floats:
    """Return OKLab colors with the hue of `target` and the lightness moved from `light` to `wanted`.

    The new chroma is proportional to the old chroma. If the object was gray, the new chroma depends on the
    lightness instead.
    """
    new = np.empty_like(lab)
    new[:, :, 0] = (_lowered if wanted <= light else _raised)(lab[:, :, 0], light, wanted)
    full = float(np.hypot(target[1], target[2]))
    strength = full * (float(np.clip(chroma / _VIVID, _DULLEST, 1)) if chroma > _COLORED else 1.0)
    if chroma > _COLORED:
        old = cv2.magnitude(np.ascontiguousarray(lab[:, :, 1]), np.ascontiguousarray(lab[:, :, 2]))
        # In shade, chroma falls with lightness, so a pixel that gets lighter gets more chroma, too.
        lit = new[:, :, 0] / np.maximum(lab[:, :, 0], np.float32(_BLACK)) * np.float32(light / wanted)
        ratio = np.minimum(old * np.maximum(lit, 1) * np.float32(1 / chroma), np.float32(1.15))
        # Clouds stay pale: the closer a pixel is to white, the less color it gets.
        ratio = np.maximum(ratio, np.float32(least) * np.clip(5 * (1 - new[:, :, 0]), 0, 1))
    else:
        ratio = np.clip(np.float32(4.2) * new[:, :, 0] * (1 - new[:, :, 0]), 0, 1)
    direction = target[1:] * np.float32(strength / max(full, 1e-6))
    new[:, :, 1], new[:, :, 2] = ratio * direction[0], ratio * direction[1]
    return new


def _lowered(light: Floats, typical: float, wanted: float) -> Floats:
    """Return the lightness lowered so that `typical` becomes `wanted`.

    Black does not change. White changes only if the object itself is white, because darkened white paper must
    not seem to glow.
    """
    far = float(np.clip((typical - wanted) / 0.3, 0, 1))
    paper = 1 - far * max(0.0, 1 - _PAPER / max(typical, 1e-6))
    light, typical = light * np.float32(paper), float(np.clip(typical * paper, 0.05, 0.95))
    power = np.minimum((1 - light) * np.float32(1 / (1 - typical)), 1)
    return light * np.exp(np.float32(np.log(min(wanted, typical) / typical)) * power)


def _raised(light: Floats, typical: float, wanted: float) -> Floats:
    """Return the lightness raised so that `typical` becomes `wanted`.

    Black and white do not change. A large rise would flatten the folds of cloth, so the folds are made deeper
    again.
    """
    typical = float(np.clip(typical, 0.05, 0.95))
    share = np.clip(light * np.float32(1 / typical), 0, 1)
    even = 1 - (1 - light) * np.exp(np.float32(np.log((1 - wanted) / (1 - typical))) * share)
    folded = np.float32(wanted) * np.maximum(share, np.float32(_DARKEST_FOLD)) ** np.float32(_FOLD_DEPTH)
    far = np.float32(np.clip((wanted - typical - 0.15) / 0.3, 0, 1)) * (light < typical)
    return cast(Floats, even + far * (folded - even))
