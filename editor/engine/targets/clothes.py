"""What somebody wears, below the chin: the colors of the chest within the outline."""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.targets.figures import Figure, Mask, below, oval
from editor.engine.targets.hair import hair_of
from editor.engine.targets.masks import closed, largest, opened
from editor.engine.targets.shades import shades_of
from editor.engine.targets.signs import outline_contrast
from editor.imaging.picture import Bytes

_LIGHT = 0.45  # what a difference in lightness counts beside one in color: cloth has folds
_COLORS = 7
_ALIKE = 0.035  # the largest color difference between shades of one cloth
_SHADED = 0.3  # the largest difference in lightness between them
_WHERE = {
    "top": (0.25, 1.7, 3.9),
    "over": (0.25, 1.9, 4.4),
    "all": (0.25, 4.8, 99.0),
    "clothes": (0.25, 4.8, 99.0),
}
"""Heights of a face below the chin: from where to where a garment is for sure, and how far down it may go."""
_HALF = 0.7  # of a face's width: half the chest
_LEAST = 0.2  # of a face's area: with less of it in sight nothing is told
_MOST = 0.7  # of the chest: a shirt in two colors may be two shirts
_TOUCHING = 0.15  # of the chest: a color with less of it is a button, a hand's shadow, a tie
_THROAT = 0.22  # of the cloth right below the chin: what has another color is a shirt under a jacket
_CUT = 0.8  # of a face's width: a garment that is so wide where it should end has no end
_SEAM = 9  # pixels of the working copy
_SOLID = 0.82  # of what a garment closes around: with more gaps it is none, or of many colors
_CLEAR = 0.55  # of its outline that is told from what is beside it
_PIECE = 0.08  # of its largest piece: what is smaller and apart belongs to something else


def clothes_of(figure: Figure, worn: str) -> Bytes | None:
    """What is worn on "top", "over" it or "all" over, or all "clothes" (0/1) on the working copy; None where
    the colors do not tell it."""
    start, end, last = _WHERE[worn]
    cloth = _cloth(figure)
    core = below(figure.face, cloth.shape, start, end, _HALF) & cloth
    if np.count_nonzero(core) < _LEAST * figure.face.area:
        return None
    reach = below(figure.face, cloth.shape, -0.2, last, 99.0)
    own = _garment(figure, core, cloth, worn)
    if own is None or _goes_on(own, reach, figure):
        return None
    solid = opened((own & reach).astype(np.uint8), 3)
    if np.count_nonzero(solid) < _SOLID * np.count_nonzero(_closed(solid, cloth, figure.face.width // 4)):
        return None
    garment = largest(_closed(solid, cloth, _SEAM), _PIECE)
    return garment if outline_contrast(figure.small, garment) > _CLEAR else None


def _cloth(figure: Figure) -> Mask:
    """What of somebody is no skin, no hair and no face."""
    face, shape = figure.face, figure.skin.shape
    bare = oval(face, shape, -0.5, 0.5, 0.62) | below(face, shape, -99, -0.1, 99)
    bare |= opened((figure.skin > 0.5).astype(np.uint8), 3) == 1
    hair = hair_of(figure)
    if hair is not None:
        bare |= hair == 1
    return (figure.outline > 0.5) & ~bare


def _garment(figure: Figure, core: Mask, cloth: Mask, worn: str) -> Mask | None:
    """The cloth in the color of the core, of a jacket in the one that there is most of around it, of all
    clothes in each of its colors; None where something is worn over a shirt."""
    families = _families(figure, cloth)
    shares = np.bincount(families[core], minlength=_COLORS) / np.count_nonzero(core)
    if worn == "clothes":
        return np.isin(families, np.flatnonzero(shares > _TOUCHING))
    areas = np.bincount(families[cloth], minlength=_COLORS)
    main = int(np.argmax(np.where(shares > _TOUCHING, areas, 0)))
    if worn == "top":
        throat = below(figure.face, cloth.shape, 0.05, 1.0, 0.3) & cloth
        others = np.count_nonzero(throat & (families != main))
        if shares[main] < _MOST or others > _THROAT * np.count_nonzero(throat):
            return None
    return cast(Mask, families == main)


def _families(figure: Figure, cloth: Mask) -> NDArray[np.intp]:
    """The number of a color for each pixel of cloth, -1 elsewhere: shades of a cloth have the same."""
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
    """Whether two colors can be one cloth in light and shade."""
    apart = np.abs(one - other)
    return bool(np.hypot(apart[1], apart[2]) < _ALIKE and apart[0] < _SHADED * _LIGHT)


def _goes_on(own: Mask, reach: Mask, figure: Figure) -> bool:
    """Whether a garment has no end of its own: a black jacket above black trousers."""
    last = int(np.flatnonzero(reach.any(1))[-1])
    if last >= own.shape[0] - 2:
        return False
    return bool(np.count_nonzero(own[last] & own[last + 1]) > _CUT * figure.face.width)


def _closed(solid: Bytes, cloth: Mask, side: int) -> Bytes:
    """With the gaps in it that are no wider: seams, letters, deep folds; but no skin."""
    return cast(Bytes, solid | ((closed(solid, max(1, side)) == 1) & cloth))
