"""Correct cutouts by what is behind the thing: a plain backdrop, or what shows through a hole."""

from collections.abc import Callable
from typing import NamedTuple, cast

import cv2
import numpy as np

from editor.engine.colors import Floats, cielab, ramp
from editor.engine.masks import (
    BoolMask,
    connected_components,
    dilate,
    local_mean,
    opened,
    surface_terms,
    touching,
)
from editor.engine.pixels import Box, copy_size
from editor.imaging.picture import Bytes

_FIT_PIXELS = 120  # longer side, in pixels, of the copy on which the color of a backdrop is measured
_FIT_ROUNDS = 3  # number of times that the surface is fitted; each time, pixels of other things are left out
# Minimum distance of the measured pixels from the thing, as a share of the photo's longer side.
_MIN_DISTANCE = 0.03
_MIN_BACKDROP_SHARE = 0.05  # minimum share of the photo that a backdrop covers
_MIN_PLAIN_SHARE = 0.85  # minimum share of the surroundings that have the backdrop's color
# Maximum median CIE 1976 color difference between a plain backdrop and its smooth gradient.
_MAX_EVEN_DIFFERENCE = 1.5
_MIN_GAP_PIXELS = 3  # minimum width of a gap, in pixels of the working copy
_MIN_SHARE_LIKE_SURROUNDINGS = 0.2  # minimum share of a gap that must look like the nearest even surroundings
_GAP_EDGE_SIGMA = 1.0  # sigma of the blur of a gap's edge, in pixels of the working copy
# Values of the saliency network's mask below which it does not see the subject, and above which it certainly
# does.
_MAX_UNSEEN_SALIENCY, _MIN_SEEN_SALIENCY = 0.5, 0.75
# Maximum mean color difference between a gap that the network overlooks and the backdrop.
_MAX_EXACT_DIFFERENCE = 0.5
_MAX_BACKDROP_DIFFERENCE = 5.0  # color difference up to which a pixel shows the backdrop
# Width of the seam between a cutout and a part that it lacks, as a share of the longer side.
_SEAM_WIDTH = 0.03
_NEARBY_PIXELS = 400  # longer side, in pixels, of the copy on which the surroundings are measured
# Distance of the measured surroundings from the thing, as a share of the photo's longer side.
_RIM_WIDTH = 0.01
_SURROUNDINGS_SIZE = 0.04  # size of the surroundings that must be even, as a share of the photo's longer side
_MIN_CERTAIN_DIFFERENCE = 20.0  # color difference at which a pixel certainly shows something else
# Minimum color difference, right outside an area, of what does not belong to the area.
_MIN_EDGE_DIFFERENCE = 8.0
_EDGE_PERCENTILE = 25  # percentage of the pixels around an area that may be below that difference
# Minimum color difference at the edge of a part, as a share of that inside it; shadows have less.
_MIN_SHARPNESS = 0.6
_THIN_PIXELS = 9  # width, in pixels of the working copy, below which a part need not differ as much
_MIN_THIN_LENGTH = 0.02  # minimum length of such a part, as a share of the photo's longer side
_EDGE_PIXELS = 4  # distance, in pixels of the working copy, at which the surroundings of an area are compared
_MIN_GAP_AREA = 0.0005  # minimum area of a gap in a thing, as a share of the area of the thing
_MAX_ADDED_AREA = 0.3  # maximum area of the parts that a cutout lacks, as a share of its area


def refine_by_backdrop(mask: Floats, guide: Bytes, saliency: Floats) -> Floats:
    """Return the subject's mask with its gaps and its thin and missing parts corrected by what is behind it.

    A part that differs from a plain backdrop, has a sharp edge, and touches the subject belongs to it. An
    area with a sharp edge that looks like the surroundings is a gap. `saliency` is the saliency network's
    mask.
    """
    solid = (mask > 0.5).astype(np.uint8)
    lab = cielab(guide)
    backdrop = _backdrop(solid, guide)
    if backdrop is not None:
        difference = _color_difference(lab, backdrop)
        mask, solid = _add_parts(mask, solid, difference, _missing_parts(solid == 1, difference))
    nearby = _nearby_colors(solid, guide)
    if nearby is None:
        return mask
    near = _color_difference(lab, nearby)
    gaps = _find_gaps(solid == 1, lab, near, saliency)
    if backdrop is not None:
        gaps |= opened(
            ((solid == 1) & (near < _MAX_BACKDROP_DIFFERENCE) & (saliency < _MIN_SEEN_SALIENCY)).astype(
                np.uint8
            ),
            _MIN_GAP_PIXELS,
        )
    gaps |= dilate(gaps, _EDGE_PIXELS) & (1 - solid)
    return mask * (1 - cv2.GaussianBlur(gaps.astype(np.float32), (0, 0), _GAP_EDGE_SIGMA))


def _add_parts(mask: Floats, solid: Bytes, difference: Floats, missing: Bytes) -> tuple[Floats, Bytes]:
    """Return a mask and its 0/1 mask with the missing parts `missing`, and without a seam between both."""
    if not missing.any():
        return mask, solid
    solid = solid | missing
    is_near = cv2.distanceTransform(1 - missing, cv2.DIST_L2, 3) < _SEAM_WIDTH * max(solid.shape)
    is_seam = is_near & (dilate(solid, 2) == 1)
    return np.where(
        is_seam, np.maximum(mask, ramp(difference, _MAX_BACKDROP_DIFFERENCE, _MIN_CERTAIN_DIFFERENCE)), mask
    ), solid


def _backdrop(solid: Bytes, guide: Bytes) -> Floats | None:
    """Return the colors of a plain backdrop as a quadratic surface, or None if it is not plain."""
    size = copy_size(_FIT_PIXELS, guide.shape[1], guide.shape[0])
    lab = cielab(cast(Bytes, cv2.resize(guide, size, interpolation=cv2.INTER_AREA)))
    near = dilate(
        cast(Bytes, cv2.resize(solid, size, interpolation=cv2.INTER_LINEAR)), _MIN_DISTANCE * max(size)
    )
    free = near == 0
    if free.mean() < _MIN_BACKDROP_SHARE:
        return None
    terms, kept = surface_terms(*free.shape), free
    for _ in range(_FIT_ROUNDS):
        surface = terms @ np.linalg.lstsq(terms[kept], lab[kept], rcond=None)[0]
        difference = _color_difference(lab, surface.astype(np.float32))
        kept = free & (difference < max(_MAX_BACKDROP_DIFFERENCE, 2 * float(np.median(difference[kept]))))
    if kept.sum() < _MIN_PLAIN_SHARE * free.sum() or np.median(difference[kept]) > _MAX_EVEN_DIFFERENCE:
        return None
    large = cv2.resize(surface.astype(np.float32), guide.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return cast(Floats, large)


def _nearby_colors(solid: Bytes, guide: Bytes) -> Floats | None:
    """Return the color of the nearest even surroundings of each pixel, or None if none are even."""
    size = copy_size(_NEARBY_PIXELS, guide.shape[1], guide.shape[0])
    lab = cielab(cast(Bytes, cv2.resize(guide, size, interpolation=cv2.INTER_AREA)))
    free = 1 - dilate(
        cast(Bytes, cv2.resize(solid, size, interpolation=cv2.INTER_LINEAR)), _RIM_WIDTH * max(size)
    )
    side = round(_SURROUNDINGS_SIZE * max(size)) | 1
    mean, square = (local_mean(values, free, side) for values in (lab, lab * lab))
    is_even = (free == 1) & (np.maximum(square - mean * mean, 0).sum(2) < (2 * _MAX_EVEN_DIFFERENCE) ** 2)
    if not is_even.any():
        return None
    _, labels = cv2.distanceTransformWithLabels(
        (~is_even).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    of_label = np.zeros((int(labels.max()) + 1, 3), np.float32)
    of_label[labels[is_even]] = mean[is_even]
    return cv2.resize(of_label[labels], guide.shape[1::-1], interpolation=cv2.INTER_NEAREST)


def _color_difference(lab: Floats, other: Floats) -> Floats:
    """Return the CIE 1976 color difference of each pixel."""
    delta = lab - other
    return cast(
        Floats, np.sqrt(cv2.transform(delta * delta, np.ones((1, 3), np.float32))).reshape(lab.shape[:2])
    )


def _find_gaps(solid: BoolMask, lab: Floats, difference: Floats, saliency: Floats) -> Bytes:
    """Return a 0/1 mask of the areas of the subject that show what is behind it.

    If the saliency network does not see the subject in an even area, the area only has to look like the
    surroundings in part. Otherwise, all of it must have exactly their color and end at a sharp edge: a white
    shirt in front of a white wall is not a gap.
    """
    min_area = _MIN_GAP_AREA * float(solid.sum())
    is_alike, is_unseen = (
        solid & (difference < _MAX_BACKDROP_DIFFERENCE),
        solid & (saliency < _MAX_UNSEEN_SALIENCY),
    )

    def is_unseen_gap(area: _Area) -> bool:
        colors = lab[area.where][area.own]
        return bool(
            is_alike[area.where][area.own].mean() > _MIN_SHARE_LIKE_SURROUNDINGS
            and colors.std(0).max() < 2 * _MAX_EVEN_DIFFERENCE
        )

    def is_exact_gap(area: _Area) -> bool:
        around = difference[area.where][area.ring & solid[area.where]]
        is_sharp = around.size > 0 and np.percentile(around, _EDGE_PERCENTILE) > _MIN_EDGE_DIFFERENCE
        return bool(is_sharp and difference[area.where][area.own].mean() < _MAX_EXACT_DIFFERENCE)

    return _select_areas(is_unseen, min_area, is_unseen_gap) | _select_areas(is_alike, min_area, is_exact_gap)


def _missing_parts(solid: BoolMask, difference: Floats) -> Bytes:
    """Return a 0/1 mask of sharp parts outside a thing that touch it and differ from the backdrop.

    The rim of the thing is not a part, because it is a mix of the thing and the backdrop.
    """
    rim = dilate(solid.astype(np.uint8), _EDGE_PIXELS)
    other, thin = (
        (difference > _MIN_CERTAIN_DIFFERENCE).astype(np.uint8),
        (difference > _MIN_EDGE_DIFFERENCE).astype(np.uint8),
    )
    thin -= opened(thin, _THIN_PIXELS)
    is_away = cv2.distanceTransform(1 - rim, cv2.DIST_L2, 3) > _MIN_THIN_LENGTH * max(rim.shape)
    touched = [touching(parts & (1 - rim), dilate(rim, 1) == 1) for parts in (other, thin)]
    touched[1] = touching(touched[1], touched[1] * is_away == 1)

    def is_part(area: _Area) -> bool:
        different, own = difference[area.where], area.own.astype(np.uint8)
        around = different[area.ring & (rim[area.where] == 0)]
        inner, core = (cv2.erode(own, np.ones((side, side), np.uint8)) for side in (3, 2 * _EDGE_PIXELS + 1))
        edge = different[inner > core] if (inner > core).any() else different[area.own]
        is_sharp = np.median(edge) > _MIN_SHARPNESS * np.percentile(
            different[area.own], 100 - _EDGE_PERCENTILE
        )
        return bool(
            is_sharp
            and around.size > 0
            and np.percentile(around, 100 - _EDGE_PERCENTILE) < _MIN_EDGE_DIFFERENCE
        )

    min_area = _MIN_GAP_AREA * float(solid.sum())
    selected = [
        dilate(_select_areas(area == 1, min_area, is_part, side=1), _EDGE_PIXELS + 1) for area in touched
    ]
    parts = cast(Bytes, ((selected[0] & other) | (selected[1] & thin)) & (~solid).astype(np.uint8))
    return parts if parts.sum() < _MAX_ADDED_AREA * solid.sum() else np.zeros_like(parts)


class _Area(NamedTuple):
    """A connected area: the part of the photo around it, and masks there of the area and a ring around it."""

    where: tuple[slice, slice]
    own: BoolMask
    ring: BoolMask


def _select_areas(
    mask: BoolMask, min_area: float, is_wanted: Callable[[_Area], bool], *, side: int = _MIN_GAP_PIXELS
) -> Bytes:
    """Return a 0/1 mask of the connected areas of a mask for which `is_wanted` returns true.

    Areas that are narrower than `side` pixels or have at most `min_area` pixels are left out.
    """
    labels, stats = connected_components(opened(mask.astype(np.uint8), side))
    is_selected = np.zeros(len(stats), np.uint8)
    for number in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] > min_area) + 1:
        left, top, width, height, _ = stats[number].tolist()
        reach = _EDGE_PIXELS + 2
        view = Box(left - reach, top - reach, left + width + reach, top + height + reach)
        where = view.within(labels.shape[1], labels.shape[0]).slices
        own = labels[where] == number
        near, far = (dilate(own.astype(np.uint8), pixels) for pixels in (_EDGE_PIXELS - 1, reach))
        is_selected[number] = is_wanted(_Area(where, own, far > near))
    return is_selected[labels]
