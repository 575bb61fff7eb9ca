"""The edges of a mask, by the colors on both sides: which pixel belongs to which, and how mixed ones are."""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats, oklab_of, ramp
from editor.engine.targets.masks import local_mean, spread
from editor.engine.targets.matting import mixed
from editor.imaging.picture import Bytes

_LIGHT = 0.6  # what a difference in lightness counts beside one in color: things have shade and shine
_GREY = 0.03  # chroma in OKLab
_BAND = 0.006  # half the width of an edge, as a share of the longest side
_TOLD_APART = (0.06, 0.16)  # distances of two colors: below the first nothing is told from them


def nearer_to(small: Bytes, inside: Bytes, outside: Bytes, reach: int) -> NDArray[np.bool_]:
    """Which pixels are in hue more like what is near of `inside` than like what is near of `outside` (both
    0/1). Lightness is not asked, for a thing has shade; beside grey all of a hue is like the thing."""
    colors = _colors(small)
    own, other = (local_mean(colors, part, 2 * reach + 1)[:, :, 1:] for part in (inside, outside))
    hues = colors[:, :, 1:]
    likeness = _alike(hues, own) > _alike(hues, other)
    return likeness | (np.hypot(other[:, :, 0], other[:, :, 1]) < _GREY)


def _alike(one: Floats, other: Floats) -> Floats:
    """The cosine of the angle between two hues, times the length of the first, which is the same for all."""
    length = np.hypot(other[:, :, 0], other[:, :, 1]) + np.float32(1e-6)
    return cast(Floats, (one[:, :, 0] * other[:, :, 0] + one[:, :, 1] * other[:, :, 1]) / length)


def unmixed(mask: Floats, small: Bytes) -> Floats:
    """The mask with the pixels along its edge shared out: each is a mix of the colors on both sides, and
    where these can be told apart its place between them says how much of it belongs to the thing."""
    radius = max(1, round(_BAND * max(mask.shape)))
    solid = (mask > 0.5).astype(np.uint8)
    inside, outside = 1 - spread(1 - solid, radius), 1 - spread(solid, radius)
    colors = _colors(small)
    own, other = (local_mean(colors, part, 6 * radius + 1) for part in (inside, outside))
    share, _ = mixed(colors, own, other)
    trust = ramp(np.linalg.norm(own - other, axis=2), *_TOLD_APART) * ((inside == 0) & (outside == 0))
    trust *= own.any(2) & other.any(2)
    return cast(Floats, (mask + trust * (share - mask)).astype(np.float32))


def _colors(small: Bytes) -> Floats:
    lab = oklab_of(small)
    lab[:, :, 0] *= np.float32(_LIGHT)
    return lab
