"""Flowers by their color: the one that stands amid green."""

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, oklab_of
from editor.engine.pixels import working_copy
from editor.engine.plan import Reason, Target
from editor.engine.refused import Unable
from editor.engine.targets.detector import SURE, things_seen
from editor.engine.targets.figures import Mask
from editor.engine.targets.masks import (
    ALPHA_SIDE,
    brought_up,
    closed,
    held_by,
    largest,
    opened,
    refined,
    touching,
)
from editor.engine.targets.signs import outline_contrast
from editor.imaging.picture import Bytes

_WORKING_PIXELS = 400  # the longer side of the copy that flowers are looked for on
_SMALLEST = 24  # pixels a side: on less there is nothing to tell
_COLORED = 0.085  # OKLab's chroma: a petal has more
_PETAL = 30.0  # degrees of hue to each side of the usual one
_DARKEST = 0.25  # lightness: below that a hue is noise
_ALONE = 0.75  # of what is colored
_SKYLINE = 0.3  # of the top edge
_GREEN = (100.0, 178.0)  # degrees of hue
_SKY = (205.0, 275.0)
_LEAST = 0.004  # of the photo: fewer petals are no flower
_MOST = 0.65  # of the photo: more of a color is a ground
_CLEAR = 0.62  # of their outline: so much of it has other colors on its other side
_VIVID = 0.1  # chroma: bricks and earth have less
_AMID = 0.12  # of what is around the flowers: the least share of green
_GRASSY = 0.04  # OKLab's chroma: such green has more
_OTHERS = 0.4  # of what was found: so much lies in things that are no plant
_PLANTS = frozenset({"potted plant", "vase"})


def flowers_mask(canvas: Canvas, target: Target) -> Floats:
    """The mask of the flowers at the picture's size; Unable when they are not sure."""
    small = working_copy(canvas.picture, _WORKING_PIXELS)
    found = find_flowers(small) if min(small.shape[:2]) >= _SMALLEST else None
    if found is None or _is_of_things(canvas, found):
        hint = f"Name the color, as in “the red {target.noun}”, or mark the {target.noun} with a box."
        raise Unable(Reason.LOW_CONFIDENCE, f"The {target.noun} could not be told for sure.", hint)
    soft = cv2.GaussianBlur(found.astype(np.float32), (0, 0), 0.8)
    return brought_up(refined(soft, working_copy(canvas.picture, ALPHA_SIDE), radius=6), canvas.picture)


def find_flowers(small: Bytes) -> Bytes | None:
    """The one color that stands amid green (0/1); None where there are others as well."""
    lab = oklab_of(small)
    chroma = np.hypot(lab[:, :, 1], lab[:, :, 2])
    hue = np.degrees(np.arctan2(lab[:, :, 2], lab[:, :, 1])) % 360
    colored = (chroma > _COLORED) & (lab[:, :, 0] > _DARKEST) & ~_is_between(hue, _GREEN)
    if not _LEAST < colored.mean() < _MOST:
        return None
    usual = _usual_hue(hue[colored], chroma[colored])
    off = np.abs((hue - usual + 180) % 360 - 180)
    petals = colored & (off < _PETAL)
    is_sky = _SKY[0] < usual < _SKY[1] and petals[:3].mean() > _SKYLINE
    if np.count_nonzero(petals) < _ALONE * np.count_nonzero(colored) or is_sky:
        return None
    solid = _joined(petals, (off < 1.4 * _PETAL) & (chroma > 0.5 * _COLORED))
    if not _LEAST < solid.mean() < _MOST or outline_contrast(small, solid) < _CLEAR:
        return None
    is_vivid = bool(np.median(chroma[solid == 1]) > _VIVID)
    return solid if is_vivid and _is_amid_green(solid, hue, chroma) else None


def _is_between(hue: Floats, bounds: tuple[float, float]) -> Mask:
    return (hue > bounds[0]) & (hue < bounds[1])


def _usual_hue(hue: Floats, chroma: Floats) -> int:
    """The middle, in degrees, of the 30 that hold most color."""
    counts = np.bincount(hue.astype(np.intp) // 10, chroma, minlength=36)
    return 10 * int(np.argmax(counts + np.roll(counts, 1) + np.roll(counts, -1))) + 5


def _joined(petals: Mask, wide: Mask) -> Bytes:
    """The petals with the paler and darker parts that touch them, without specks."""
    core = opened(petals.astype(np.uint8), 3)
    near = cv2.dilate(core, np.ones((9, 9), np.uint8)) == 1
    joined = touching(core | (wide & near).astype(np.uint8), core == 1)
    return largest(closed(joined, 5), 0.02)


def _is_amid_green(solid: Bytes, hue: Floats, chroma: Floats) -> bool:
    green = (chroma > _GRASSY) & _is_between(hue, _GREEN)
    return bool(green[solid == 0].mean() > _AMID)


def _is_of_things(canvas: Canvas, found: Bytes) -> bool:
    """Whether much of it lies in people, cars, fruit: then its color is of them."""
    things = [t.box for t in things_seen(canvas) if t.score >= SURE and t.kind not in _PLANTS]
    inside = held_by(things, found.shape, found.shape[1] / canvas.picture.width)
    return bool(inside[found == 1].mean() > _OTHERS)
