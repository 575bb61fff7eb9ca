"""Find clothes below the chin, inside the person's outline, by the colors at the chest."""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.masks import BoolMask, closed, keep_large_components, opened
from editor.engine.targets.cutout_quality import outline_contrast
from editor.engine.targets.hair import hair_of
from editor.engine.targets.people import Person, area_below_chin, face_ellipse
from editor.engine.targets.shades import shades_of
from editor.imaging.picture import Bytes

# Weight of lightness relative to hue and chroma, which is low because fabric has folds.
_LIGHTNESS_WEIGHT = 0.45
_COLOR_COUNT = 7  # number of colors that are distinguished in a person's clothes
# Maximum difference in the OKLab components a and b between shades of one fabric.
_MAX_FABRIC_DIFFERENCE = 0.035
_MIN_VIVID_CHROMA = 0.03  # minimum OKLab chroma of a fabric that is recognized in shade by its hue
_MAX_HUE_DEGREES = 15.0  # maximum difference in hue between light and shade on one vivid fabric, in degrees
# Maximum quotient of the ratios of chroma to lightness of light and shade on one fabric.
_MAX_CHROMA_RATIO = 1.6
_MAX_SHADE_DIFFERENCE = 0.3  # maximum difference in OKLab lightness between shades of one fabric
# Three distances below the chin for each kind of garment, as multiples of the face's height. The first two
# are the start and the end of the area that the garment certainly covers. The third is the lowest point
# that the garment may reach.
_EXTENT_BELOW_CHIN = {
    "top": (0.25, 1.7, 3.9),
    "over": (0.25, 1.9, 4.4),
    "all": (0.25, 4.8, 99.0),
    "clothes": (0.25, 4.8, 99.0),
}
_CHEST_HALF_WIDTH = 0.7  # half the width of the chest, as a share of the face's width
_MIN_VISIBLE_AREA = 0.2  # minimum area of visible clothing, as a share of the face's area
_MIN_SHIRT_SHARE = 0.7  # minimum share of the chest that the main color of a shirt covers
# Minimum share of the chest that a color of a garment covers; a button or a tie covers less.
_MIN_CHEST_SHARE = 0.15
# Maximum share of other colors in the fabric below the chin if no shirt is under a jacket.
_MAX_OTHER_AT_THROAT = 0.22
# Maximum width of a garment at its lowest allowed point, as a multiple of the face's width.
_MAX_WIDTH_AT_END = 0.8
_MAX_SEAM_PIXELS = 9  # maximum width of a seam, in pixels of the working copy
# Minimum area of a garment, as a share of its filled outline; gaps make it uncertain.
_MIN_FILLED_SHARE = 0.82
_MIN_OUTLINE_CONTRAST = 0.55  # minimum share of a garment's outline at which the colors on both sides differ
# Minimum area of a separate piece of a garment, as a share of the area of its largest piece.
_MIN_PIECE_AREA = 0.08


def clothes_of(person: Person, garment_name: str) -> Bytes | None:
    """Return a 0/1 mask of a garment on the working copy. `garment_name` is a key of _EXTENT_BELOW_CHIN.

    Return None if the colors do not clearly show where the garment is.
    """
    start, end, last = _EXTENT_BELOW_CHIN[garment_name]
    fabric = _fabric_mask(person)
    core = area_below_chin(person.face, fabric.shape, start, end, _CHEST_HALF_WIDTH) & fabric
    if np.count_nonzero(core) < _MIN_VISIBLE_AREA * person.face.area:
        return None
    reach = area_below_chin(person.face, fabric.shape, -0.2, last, 99.0)
    own = _garment_mask(person, core, fabric, garment_name)
    if own is None or _is_continued_below(own, reach, person):
        return None
    solid = opened((own & reach).astype(np.uint8), 3)
    if np.count_nonzero(solid) < _MIN_FILLED_SHARE * np.count_nonzero(
        _close_gaps(solid, fabric, person.face.width // 4)
    ):
        return None
    garment = keep_large_components(_close_gaps(solid, fabric, _MAX_SEAM_PIXELS), _MIN_PIECE_AREA)
    return garment if outline_contrast(person.small, garment) > _MIN_OUTLINE_CONTRAST else None


def _fabric_mask(person: Person) -> BoolMask:
    """Return a mask of the parts of a person that are not skin, hair, or face."""
    face, shape = person.face, person.skin.shape
    bare = face_ellipse(face, shape, -0.5, 0.5, 0.62) | area_below_chin(face, shape, -99, -0.1, 99)
    bare |= opened((person.skin > 0.5).astype(np.uint8), 3) == 1
    hair = hair_of(person)
    if hair is not None:
        bare |= hair == 1
    return (person.outline > 0.5) & ~bare


def _garment_mask(person: Person, core: BoolMask, fabric: BoolMask, garment_name: str) -> BoolMask | None:
    """Return a mask of the fabric in the main color of the chest.

    The main color is the color of the chest that covers most of the person. For "clothes", all colors of the
    chest are used. Return None for a shirt if something may be worn over it.
    """
    fabrics = _fabric_labels(person, fabric)
    shares = np.bincount(fabrics[core], minlength=_COLOR_COUNT) / np.count_nonzero(core)
    if garment_name == "clothes":
        return np.isin(fabrics, np.flatnonzero(shares > _MIN_CHEST_SHARE))
    areas = np.bincount(fabrics[fabric], minlength=_COLOR_COUNT)
    main = int(np.argmax(np.where(shares > _MIN_CHEST_SHARE, areas, 0)))
    if garment_name == "top":
        throat = area_below_chin(person.face, fabric.shape, 0.05, 1.0, 0.3) & fabric
        others = np.count_nonzero(throat & (fabrics != main))
        if shares[main] < _MIN_SHIRT_SHARE or others > _MAX_OTHER_AT_THROAT * np.count_nonzero(throat):
            return None
    return cast(BoolMask, fabrics == main)


def _fabric_labels(person: Person, fabric: BoolMask) -> NDArray[np.intp]:
    """Return a map that contains the number of a color at each pixel of fabric and -1 elsewhere.

    Shades of one fabric have the same number.
    """
    labels, centers = shades_of(person.lab, fabric, count=_COLOR_COUNT, light=_LIGHTNESS_WEIGHT)
    family = np.arange(len(centers))
    order = np.argsort(-np.bincount(labels, minlength=len(centers)))
    for at, one in enumerate(order):
        larger = (other for other in order[:at] if _is_same_fabric(centers[one], centers[other]))
        family[one] = family[next(larger, one)]
    numbers = np.full(fabric.shape, -1, np.intp)
    numbers[fabric] = family[labels]
    return numbers


def _is_same_fabric(one: Floats, other: Floats) -> bool:
    """Return whether two colors may be the same fabric in light and shade.

    Shade makes a vivid fabric less colorful, but keeps its hue.
    """
    difference = np.abs(one - other)
    is_alike = np.hypot(difference[1], difference[2]) < _MAX_FABRIC_DIFFERENCE or _has_same_hue(one, other)
    return bool(is_alike and difference[0] < _MAX_SHADE_DIFFERENCE * _LIGHTNESS_WEIGHT)


def _has_same_hue(one: Floats, other: Floats) -> bool:
    """Return whether two vivid colors have the same hue and about the same ratio of chroma to lightness."""
    chroma = np.hypot(*np.transpose([one[1:], other[1:]]))
    ratio = chroma / np.maximum([one[0], other[0]], 1e-3)
    hues = np.arctan2([one[2], other[2]], [one[1], other[1]])
    turn = np.degrees(np.abs((hues[0] - hues[1] + np.pi) % (2 * np.pi) - np.pi))
    return bool(
        chroma.min() > _MIN_VIVID_CHROMA
        and turn < _MAX_HUE_DEGREES
        and ratio.max() < _MAX_CHROMA_RATIO * ratio.min()
    )


def _is_continued_below(own: BoolMask, reach: BoolMask, person: Person) -> bool:
    """Return whether a garment continues below its lowest allowed point.

    If it does, the garment cannot be separated from the clothes below it, as with a black jacket above black
    pants.
    """
    last = int(np.flatnonzero(reach.any(1))[-1])
    if last >= own.shape[0] - 2:
        return False
    return bool(np.count_nonzero(own[last] & own[last + 1]) > _MAX_WIDTH_AT_END * person.face.width)


def _close_gaps(solid: Bytes, fabric: BoolMask, side: int) -> Bytes:
    """Close gaps of up to `side` pixels in a garment, such as seams and letters, but not over skin."""
    return cast(Bytes, solid | ((closed(solid, max(1, side)) == 1) & fabric))
