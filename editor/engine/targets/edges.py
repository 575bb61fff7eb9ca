"""Refine the edges of a mask by the colors on both sides.

The functions decide to which side a pixel belongs, or what share of the pixel belongs to the thing.
"""

from typing import cast

import numpy as np

from editor.engine.colors import Floats, oklab_from_8_bit, ramp
from editor.engine.masks import BoolMask, dilate, local_mean
from editor.engine.targets.matting import mixing_fraction
from editor.imaging.picture import Bytes

# Weight of lightness relative to hue and chroma, which is low because things have shading and highlights.
_LIGHTNESS_WEIGHT = 0.6
_MAX_GRAY_CHROMA = 0.03  # maximum OKLab chroma of a color that counts as gray
_EDGE_HALF_WIDTH = 0.006  # half the width of an edge, as a share of the photo's longer side
# OKLab distances at which two colors start to differ and at which they fully differ.
_DIFFERENCE_RANGE = (0.06, 0.16)


def closer_in_hue(small: Bytes, inside: Bytes, outside: Bytes, reach: int) -> BoolMask:
    """Return a mask of pixels whose hue is closer to nearby pixels of `inside` than to those of `outside`.

    `inside` and `outside` are 0/1 masks. Lightness is ignored, because a thing has light and shade. Next to
    gray, any hue counts as similar to the thing.
    """
    colors = _weighted_colors(small)
    own, other = (local_mean(colors, part, 2 * reach + 1)[:, :, 1:] for part in (inside, outside))
    hues = colors[:, :, 1:]
    likeness = _hue_similarity(hues, own) > _hue_similarity(hues, other)
    return likeness | (np.hypot(other[:, :, 0], other[:, :, 1]) < _MAX_GRAY_CHROMA)


def _hue_similarity(one: Floats, other: Floats) -> Floats:
    """Return the cosine of the angle between two hues, multiplied by the chroma of the first color.

    The factor does not matter, because only results for the same first color are compared.
    """
    length = np.hypot(other[:, :, 0], other[:, :, 1]) + np.float32(1e-6)
    return cast(Floats, (one[:, :, 0] * other[:, :, 0] + one[:, :, 1] * other[:, :, 1]) / length)


def unmix_edge(mask: Floats, small: Bytes) -> Floats:
    """Return the mask with fractional values along its edge.

    A pixel at the edge is a mix of the colors on both sides. If these colors can be distinguished, the mask's
    value depends on where the pixel's color is between them.
    """
    radius = max(1, round(_EDGE_HALF_WIDTH * max(mask.shape)))
    solid = (mask > 0.5).astype(np.uint8)
    inside, outside = 1 - dilate(1 - solid, radius), 1 - dilate(solid, radius)
    colors = _weighted_colors(small)
    own, other = (local_mean(colors, part, 6 * radius + 1) for part in (inside, outside))
    share, _ = mixing_fraction(colors, own, other)
    trust = ramp(np.linalg.norm(own - other, axis=2), *_DIFFERENCE_RANGE) * ((inside == 0) & (outside == 0))
    trust *= own.any(2) & other.any(2)
    return cast(Floats, (mask + trust * (share - mask)).astype(np.float32))


def _weighted_colors(small: Bytes) -> Floats:
    lab = oklab_from_8_bit(small)
    lab[:, :, 0] *= np.float32(_LIGHTNESS_WEIGHT)
    return lab
