"""Finds clothes below the chin, inside the person's outline, by the colors at the chest."""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.masks import closed, keep_large_components, opened
from editor.engine.targets.cutout_quality import outline_contrast
from editor.engine.targets.hair import hair_of
from editor.engine.targets.people import Figure, Mask, area_below_chin, oval
from editor.engine.targets.shades import shades_of
from editor.imaging.picture import Bytes

_LIGHT = 0.45  # weight of lightness relative to hue and chroma, which is low because fabric has folds
_COLORS = 7  # number of colors that are distinguished in a person's clothes
_ALIKE = 0.035  # maximum difference in the OKLab components a and b between shades of one fabric
_VIVID = 0.03  # minimum OKLab chroma of a fabric that is recognized in shade by its hue
_ONE_HUE = 15.0  # maximum difference in hue between light and shade on one vivid fabric, in degrees
_ONE_RATIO = 1.6  # maximum quotient of the ratios of chroma to lightness of light and shade on one fabric
_SHADED = 0.3  # maximum difference in OKLab lightness between shades of one fabric
_WHERE = {
    "top": (0.25, 1.7, 3.9),
    "over": (0.25, 1.9, 4.4),
    "all": (0.25, 4.8, 99.0),
    "clothes": (0.25, 4.8, 99.0),
}
"""Three distances below the chin for each kind of garment, as multiples of the face's height.

The first two are the start and the end of the area that the garment certainly covers. The third is the lowest
point that the garment may reach.
"""
_HALF = 0.7  # half the width of the chest, as a share of the face's width
_LEAST = 0.2  # minimum area of visible clothing, as a share of the face's area
_MOST = 0.7  # minimum share of the chest that the main color of a shirt covers
_TOUCHING = 0.15  # minimum share of the chest that a color of a garment covers; a button or a tie covers less
_THROAT = 0.22  # maximum share of other colors in the fabric below the chin if no shirt is under a jacket
_CUT = 0.8  # maximum width of a garment at its lowest allowed point, as a multiple of the face's width
_SEAM = 9  # maximum width of a seam, in pixels of the working copy
_SOLID = 0.82  # minimum area of a garment, as a share of its filled outline; gaps make it uncertain
_CLEAR = 0.55  # minimum share of a garment's outline at which the colors on both sides differ
_PIECE = 0.08  # minimum area of a separate piece of a garment, as a share of the area of its largest piece


def clothes_of(figure: Figure, garment_name: str) -> Bytes | None:
    """Return a 0/1 mask of a garment on the working copy. `garment_name` is a key of _WHERE.

    Return None if the colors do not clearly show where the garment is.
    """
    start, end, last = _WHERE[garment_name]
    cloth = _cloth(figure)
    core = area_below_chin(figure.face, cloth.shape, start, end, _HALF) & cloth
    if np.count_nonzero(core) < _LEAST * figure.face.area:
        return None
    reach = area_below_chin(figure.face, cloth.shape, -0.2, last, 99.0)
    own = _garment(figure, core, cloth, garment_name)
    if own is None or _goes_on(own, reach, figure):
        return None
    solid = opened((own & reach).astype(np.uint8), 3)
    if np.count_nonzero(solid) < _SOLID * np.count_nonzero(_closed(solid, cloth, figure.face.width // 4)):
        return None
    garment = keep_large_components(_closed(solid, cloth, _SEAM), _PIECE)
    return garment if outline_contrast(figure.small, garment) > _CLEAR else None


def _cloth(figure: Figure) -> Mask:
    """Return a mask of the parts of a person that are not skin, hair, or face."""
    face, shape = figure.face, figure.skin.shape
    bare = oval(face, shape, -0.5, 0.5, 0.62) | area_below_chin(face, shape, -99, -0.1, 99)
    bare |= opened((figure.skin > 0.5).astype(np.uint8), 3) == 1
    hair = hair_of(figure)
    if hair is not None:
        bare |= hair == 1
    return (figure.outline > 0.5) & ~bare


def _garment(figure: Figure, core: Mask, cloth: Mask, worn: str) -> Mask | None:
    """Return a mask of the fabric in the main color of the chest.

    The main color is the color of the chest that covers most of the person. For "clothes", all colors of the
    chest are used. Return None for a shirt if something may be worn over it.
    """
    families = _families(figure, cloth)
    shares = np.bincount(families[core], minlength=_COLORS) / np.count_nonzero(core)
    if worn == "clothes":
        return np.isin(families, np.flatnonzero(shares > _TOUCHING))
    areas = np.bincount(families[cloth], minlength=_COLORS)
    main = int(np.argmax(np.where(shares > _TOUCHING, areas, 0)))
    if worn == "top":
        throat = area_below_chin(figure.face, cloth.shape, 0.05, 1.0, 0.3) & cloth
        others = np.count_nonzero(throat & (families != main))
        if shares[main] < _MOST or others > _THROAT * np.count_nonzero(throat):
            return None
    return cast(Mask, families == main)


def _families(figure: Figure, cloth: Mask) -> NDArray[np.intp]:
    """Return a map that contains the number of a color at each pixel of fabric and -1 elsewhere.

    Shades of one fabric have the same number.
    """
    labels, centers = shades_of(figure.lab, cloth, count=_COLORS, light=_LIGHT)
    family = np.arange(len(centers))
    order = np.argsort(-np.bincount(labels, minlength=len(centers)))
    for at, one in enumerate(order):
        larger = (other for other in order[:at] if _are_shades(centers[one], centers[other]))
        family[one] = family[next(larger, one)]
    spread = np.full(cloth.shape, -1, np.intp)
    spread[cloth] = family[labels]
    return spread


def _are_shades(one: Floats, other: Floats) -> bool:
    """Return whether two colors may be the same fabric in light and shade.

    Shade makes a vivid fabric less colorful, but keeps its hue.
    """
    apart = np.abs(one - other)
    is_alike = np.hypot(apart[1], apart[2]) < _ALIKE or _are_of_one_hue(one, other)
    return bool(is_alike and apart[0] < _SHADED * _LIGHT)


def _are_of_one_hue(one: Floats, other: Floats) -> bool:
    """Return whether two vivid colors have the same hue and about the same ratio of chroma to lightness."""
    chroma = np.hypot(*np.transpose([one[1:], other[1:]]))
    ratio = chroma / np.maximum([one[0], other[0]], 1e-3)
    hues = np.arctan2([one[2], other[2]], [one[1], other[1]])
    turn = np.degrees(np.abs((hues[0] - hues[1] + np.pi) % (2 * np.pi) - np.pi))
    return bool(chroma.min() > _VIVID and turn < _ONE_HUE and ratio.max() < _ONE_RATIO * ratio.min())


def _goes_on(own: Mask, reach: Mask, figure: Figure) -> bool:
    """Return whether a garment continues below its lowest allowed point.

    If it does, the garment cannot be separated from the clothes below it, as with a black jacket above black
    pants.
    """
    last = int(np.flatnonzero(reach.any(1))[-1])
    if last >= own.shape[0] - 2:
        return False
    return bool(np.count_nonzero(own[last] & own[last + 1]) > _CUT * figure.face.width)


def _closed(solid: Bytes, cloth: Mask, side: int) -> Bytes:
    """Close gaps of up to `side` pixels in a garment, such as seams and letters, but not over skin."""
    return cast(Bytes, solid | ((closed(solid, max(1, side)) == 1) & cloth))
