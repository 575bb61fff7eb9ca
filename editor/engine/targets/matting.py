"""Estimate how much of each pixel along an outline belongs to the subject, for hair and fur.

A pixel at the outline is a mix of a color from inside and a color from outside. The candidates on each side
are the nearest known color and local mean colors. The pair of colors that explains the pixel best determines
the pixel's share.
"""

from collections.abc import Iterator
from itertools import chain, product
from typing import NamedTuple, cast

import cv2
import numpy as np

from editor.engine.colors import Floats, ramp
from editor.engine.masks import BoolMask, dilate, local_mean, touching
from editor.engine.pixels import copy_size
from editor.engine.threads import in_threads
from editor.imaging.picture import Bytes

_WORKING_PIXELS = 600  # longer side, in pixels, of the working copy that is searched for pairs of colors
_INNER_BAND = 0.012  # width of the uncertain band inside the outline, as a share of the photo's longer side
_OUTER_BAND = 0.022  # width of the uncertain band outside the outline, as a share of the photo's longer side
# Sigma of the outline where the colors do not help, as a share of the photo's longer side.
_SMOOTH_SIGMA = 0.006
_SMOOTH_STEEPNESS = 1.7  # steepness of the smooth outline where the colors do not help
# Widths of the areas of candidate mean colors, as shares of the photo's longer side.
_SURROUNDINGS_SIZES = (0.02, 0.06)
_MISFIT_COST = 400.0  # cost per squared color distance between a pixel and the mix of a pair of colors
_DEPTH_COST = 1.0  # cost per squared difference between a pixel's share and the usual share at its depth
_MISFIT_DOUBT = 300.0  # decrease in confidence per squared color distance between a pixel and a pair's mix
# Minimum difference between the two colors of a pair at the outline, as a share of white.
_MIN_PAIR_DIFFERENCE = 0.05
_MIN_DIFFERENCE_AT_END = 0.15
"""Additional minimum difference between a pair's colors at the band's end, as a share of white."""
_VARIATION_FACTOR = 1.5
"""Factor of the standard deviation of the background's colors in the minimum difference outside the outline.

In front of a varied background, such as a patterned wall, a pixel may look like the subject by chance.
"""
# Range of color differences over which confidence grows from none to full, as a share of white.
_CONFIDENCE_RANGE = 0.15

# Shares below which a pixel shows nothing of the subject, and above which nothing else.
_ALPHA_RANGE = (0.1, 0.95)
# Minimum share of the subject's color at which a pixel connects others to the subject.
_MIN_VISIBLE_ALPHA = 0.25
# Distance from such pixels at which fainter pixels remain, as a share of the photo's longer side.
_MAX_FAINT_DISTANCE = 0.002


class _Pairs(NamedTuple):
    """The two colors that mix in each pixel (height x width x 3), and the confidence in them from 0 to 1."""

    front: Floats
    behind: Floats
    trust: Floats


def estimate_alpha(mask: Floats, guide: Bytes) -> Floats:
    """Return the mask (0 to 1) with fractional values in a band along its outline, which show single hairs.

    Where the colors on both sides are similar, the outline stays smooth. `guide` is the 8-bit RGB picture at
    the size of the mask.
    """
    size = copy_size(_WORKING_PIXELS, *mask.shape[::-1])
    small = cv2.resize(guide, size, interpolation=cv2.INTER_AREA).astype(np.float32) * np.float32(1 / 255)
    depth = _depth(cv2.resize(mask, size, interpolation=cv2.INTER_AREA))
    if not ((depth >= 1).any() and (depth <= -1).any() and (np.abs(depth) < 1).any()):
        return mask
    pairs = _best_pairs(small, depth)
    larger = (cv2.resize(part, mask.shape[::-1], interpolation=cv2.INTER_LINEAR) for part in pairs)
    return _alpha_from_pairs(mask, guide, _Pairs(*larger))


def _depth(mask: Floats) -> Floats:
    """Return the depth of each pixel inside the outline.

    The depth is -1 at the outer end of the uncertain band, 0 at the outline, and 1 at the inner end.
    """
    solid = (mask > 0.5).astype(np.uint8)
    inside, outside = (cv2.distanceTransform(part, cv2.DIST_L2, 5) for part in (solid, 1 - solid))
    side = max(mask.shape)
    near, far = (
        np.clip(inside / max(2.0, _INNER_BAND * side), 0, 1),
        np.clip(outside / max(3.0, _OUTER_BAND * side), 0, 1),
    )
    return cast(Floats, near - far)


def _alpha_from_pairs(mask: Floats, guide: Bytes, pairs: _Pairs) -> Floats:
    depth = _depth(mask)
    wide = cv2.GaussianBlur(
        (mask > 0.5).astype(np.float32), (0, 0), max(0.8, _SMOOTH_SIGMA * max(mask.shape))
    )
    rough = np.clip((wide - 0.5) * _SMOOTH_STEEPNESS + 0.5, 0, 1)
    trusted = pairs.trust > 0
    colors = guide[trusted].astype(np.float32) * np.float32(1 / 255)
    share, _ = mixing_fraction(colors, pairs.front[trusted], pairs.behind[trusted])
    rough[trusted] += pairs.trust[trusted] * (share - rough[trusted])
    soft = cv2.ximgproc.guidedFilter(guide, rough, 4, 1e-4 * 255**2)
    share = np.where(depth >= 1, 1, np.where(depth <= -1, 0, ramp(soft, *_ALPHA_RANGE))).astype(np.float32)
    return _remove_specks(share, depth)


def _remove_specks(alpha: Floats, depth: Floats) -> Floats:
    """Remove the specks outside the outline that no hair connects to the inside.

    They are pixels of the background, such as blades of grass, that happen to have the subject's color.
    """
    attached = touching((alpha > _MIN_VISIBLE_ALPHA).astype(np.uint8), depth > 0)
    return alpha * dilate(attached, _MAX_FAINT_DISTANCE * max(alpha.shape))


def mixing_fraction(colors: Floats, front: Floats, behind: Floats) -> tuple[Floats, Floats]:
    """Return the share of the front color in a mix of two colors, and the squared distance to such a mix."""
    axis, own = front - behind, colors - behind
    share = np.clip((own * axis).sum(-1) / ((axis * axis).sum(-1) + np.float32(1e-4)), 0, 1)
    return share, ((own - share[..., None] * axis) ** 2).sum(-1)


def _best_pairs(small: Floats, depth: Floats) -> _Pairs:
    """Return the best pair of colors for each pixel of the band, slightly smoothed to remove outliers.

    The farther a pixel is from the outline, the more its two colors must differ to be trusted.
    """
    band, colors = np.abs(depth) < 1, cv2.blur(small, (3, 3))
    own, distance = small[band], np.abs(depth[band])
    expected_share = (1 + np.sign(depth[band]) * (1 - (1 - distance) ** 3)) / 2
    least, best = np.full(len(own), np.inf, np.float32), np.zeros((len(own), 7), np.float32)

    def candidates(part: BoolMask) -> tuple[list[Floats], list[Floats]]:
        maps = _color_candidates(colors, part), _half_means(colors, part)
        return [color[band] for color in maps[0]], [color[band] for color in maps[1]]

    (fronts, front_halves), (backgrounds, background_halves) = in_threads(
        candidates, (depth >= 1, depth <= -1)
    )
    pairs = (
        product(fronts, backgrounds),
        product(fronts[:1], background_halves),
        product(front_halves, backgrounds[:1]),
    )
    for front, behind in chain(*pairs):
        share, misfit = mixing_fraction(own, front, behind)
        cost = _MISFIT_COST * misfit + _DEPTH_COST * (share - expected_share) ** 2
        better = cost < least
        least[better] = cost[better]
        best[better] = np.column_stack([front, behind, misfit])[better]
    varied = _VARIATION_FACTOR * _color_deviation(colors, depth <= -1)[band] * (depth[band] < 0)
    contrast = (
        np.linalg.norm(best[:, :3] - best[:, 3:6], axis=1)
        - _MIN_PAIR_DIFFERENCE
        - _MIN_DIFFERENCE_AT_END * distance
        - varied
    )
    trust = np.clip(contrast / _CONFIDENCE_RANGE, 0, 1) * np.exp(-_MISFIT_DOUBT * best[:, 6])
    weight = np.maximum(trust, 1e-4)[:, None]
    maps = np.zeros((*depth.shape, 8), np.float32)
    maps[band] = np.column_stack([best[:, :6] * weight, weight, trust])
    maps = cv2.blur(maps, (3, 3))
    pair = maps[:, :, :6] / np.maximum(maps[:, :, 6:7], np.float32(1e-6))
    return _Pairs(pair[:, :, :3], pair[:, :, 3:], maps[:, :, 7])


def _color_candidates(colors: Floats, part: BoolMask) -> Iterator[Floats]:
    """Yield maps of candidates for the color of each pixel on one side of the outline.

    The first map contains the nearest known color of that side. The other maps contain the mean colors of
    increasingly large surroundings.
    """
    _, labels = cv2.distanceTransformWithLabels(
        (~part).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    of_label = np.zeros((int(labels.max()) + 1, 3), np.float32)
    of_label[labels[part]] = colors[part]
    nearest = of_label[labels]
    yield nearest
    for share in _SURROUNDINGS_SIZES:
        mean = local_mean(colors, part.astype(np.uint8), round(share * max(part.shape)) | 1)
        yield np.where(mean.any(2, keepdims=True), mean, nearest)


def _color_deviation(colors: Floats, part: BoolMask) -> Floats:
    """Return the standard deviation of the colors of a part around each pixel, as a share of white."""
    side, known = round(_SURROUNDINGS_SIZES[-1] * max(part.shape)) | 1, part.astype(np.uint8)
    mean, square = (local_mean(values, known, side) for values in (colors, colors * colors))
    return cast(Floats, np.sqrt(np.maximum(square - mean * mean, 0).sum(2)))


def _half_means(colors: Floats, part: BoolMask) -> Iterator[Floats]:
    """Yield maps of the mean colors of the darker and of the lighter half of the surroundings of each pixel.

    With them, a dark spot on a bright background is not mistaken for dark hair, and shiny hair is not
    mistaken for a mix of dark hair and a bright background.
    """
    side = round(_SURROUNDINGS_SIZES[-1] * max(part.shape)) | 1
    light, usual = colors.mean(2), local_mean(colors, part.astype(np.uint8), side).mean(2)
    for half in (part & (light < usual), part & (light >= usual)):
        yield local_mean(colors, half.astype(np.uint8), side)
