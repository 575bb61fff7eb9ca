"""Find the sky by its colors, and give it edges that follow those in the photo."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, cielab, oklab_from_8_bit, ramp
from editor.engine.masks import (
    ALPHA_SIDE,
    BoolMask,
    boxes_to_mask,
    closed,
    connected_components,
    dilate,
    dilate_square,
    intersection_over_union,
    local_mean,
    means_of,
    opened,
    refine_mask,
    surface_terms,
    touching,
)
from editor.engine.pixels import Box, working_copy
from editor.engine.targets.cutout_quality import outline_contrast
from editor.engine.targets.faces import faces_seen
from editor.engine.targets.grounds import ground_likelihood, ground_mask
from editor.engine.vision.grounds import CELLS
from editor.imaging.picture import Bytes

WORKING_PIXELS = 400  # longer side, in pixels, of the working copy that is searched for scenery
MIN_COPY_PIXELS = 24  # minimum width and height, in pixels, of a working copy that is searched
_MAX_CALM_CHANGE = 5.0  # maximum change in a sky's colors, as CIE 1976 color difference per pixel
_SHORE_EDGE_PIXELS = 4  # width, in pixels, of the edge of a shore in haze
_MIN_SHORE_DROP = 1.5  # minimum decrease in CIELAB lightness across the edge of a shore in haze
# Minimum share of a row that the level lower edge of a sky covers; edges of clouds are uneven.
_MIN_LEVEL_SHARE = 0.8
MIN_HORIZON_WIDTH = 0.15  # minimum width of a row that can show a horizon, as a share of the photo's width
_MAX_GAP_DISTANCE = 0.05  # maximum distance of a gap from the open sky, as a share of the photo's longer side
# Maximum width of a separate gap that shows the sky, as a share of the photo's longer side.
_MAX_GAP_WIDTH = 0.009
# Maximum ratio of a pixel's color difference from the sky to its difference from the land. It applies to
# areas that touch the sky, such as clouds.
_MAX_RATIO_BESIDE_SKY = 0.71
# Maximum ratio of a pixel's color difference from the sky to its difference from the land. This maximum
# applies to gaps that do not touch the sky.
_MAX_RATIO_IN_GAP = 0.5
_MAX_PIECE_DIFFERENCE = 20.0  # maximum CIE 1976 color difference between pieces of the same sky
_MEDIAN_PIXELS = 5  # width and height, in pixels, of the median filter that removes stars
_MIN_OUTLINE_CONTRAST = 0.93  # minimum share of the sky's outline at which the colors on both sides differ
# Minimum share of the sky's outline at which the colors differ if the sky is replaced.
_MIN_DISTINCT_CONTRAST = 0.35
_MAX_GRADIENT_DISTANCE = 4.0  # maximum CIE 1976 color difference between a plain sky and its smooth gradient
# Minimum change in color, as CIE 1976 color difference per pixel, at the edge of a thing in front of a sky.
_MIN_EDGE_CHANGE = 3.0
_MIN_SOFT_PIXELS = 5  # minimum width of haze or a cloud, in pixels; the edges of things are narrower
# Minimum width of a cloud, as a share of the photo's longer side; ropes are narrower.
_MIN_CLOUD_WIDTH = 0.015
_MIN_CLOUD_DISTANCE = 2.0  # minimum distance of a cloud from the land, in cells of the analysis
# Maximum width of a thing in front of the sky, as a share of the photo's longer side.
_MAX_NARROW_WIDTH = 0.03
_MIN_BRIGHT_LIGHTNESS = 0.8  # minimum OKLab lightness of a sky in front of which darker things are not clouds
# Lightness of a pixel, as a share of the lightness of the open sky next to it. A pixel at the first value
# is not sky, and a pixel at the second value is.
_LIGHTNESS_RANGE = (0.75, 0.9)
_MIXED_PIXELS = 2  # distance from a sky, in pixels, up to which pixels at the edges of things show both
_MIN_TOP_SHARE = 0.7  # minimum share of the top edge of the photo that a plain sky covers
_MIN_SKY_SHARE = 0.2  # minimum share of the photo that a plain sky covers
_MIN_FITTED_PIXELS = 200  # minimum number of pixels to which a gradient is fitted
_MAX_PLAIN_DISTANCE = 2.0  # maximum median CIE 1976 color difference between a plain sky and its gradient
# Maximum CIELAB lightness of a dark sky, in front of which objects may be equally dark.
_MAX_DARK_LIGHTNESS = 35.0

_MIN_SAME_IOU = 0.85  # minimum intersection over union at which two masks show the same sky
MIN_POSSIBLE_CERTAINTY = 0.5  # minimum certainty of a kind of ground that the colors confirm
_MIN_DAY_LIGHTNESS = 50.0  # minimum CIELAB lightness of a blue sky by day
_MIN_CONTAINED_SHARE = 0.9  # minimum share of a possible sky that the sky found by colors contains
MIN_MAJORITY_SHARE = 0.5  # minimum share of an area that counts as most of it


def is_distinct(canvas: Canvas, sky: Floats) -> bool:
    """Return whether the colors differ along enough of a sky's outline to replace the sky.

    They do not if haze makes a mountain as blue as the sky, or if the background is blurred.
    """
    small = working_copy(canvas.picture, WORKING_PIXELS)
    solid = (cv2.resize(sky, small.shape[1::-1], interpolation=cv2.INTER_AREA) > 0.5).astype(np.uint8)
    return outline_contrast(small, solid) > _MIN_DISTINCT_CONTRAST


def sky_by_both(canvas: Canvas, small: Bytes) -> Floats | None:
    """Return the blue sky that the colors show if it contains a possible sky of the analysis, or None."""
    possible = ground_mask(canvas, "sky", least=MIN_POSSIBLE_CERTAINTY)
    sky = find_sky(small) if possible is not None and min(small.shape[:2]) >= MIN_COPY_PIXELS else None
    if sky is None or possible is None or not _is_blue_day(cielab(small)[sky == 1]):
        return None
    if cv2.resize(sky, possible.shape[::-1])[possible > 0.5].mean() < _MIN_CONTAINED_SHARE:
        return None
    return sky_with_edges(canvas, add_gaps(sky, working_copy(canvas.picture, ALPHA_SIDE)))


def _is_blue_day(colors: Floats) -> bool:
    """Return whether the colors are those of a blue sky by day, which no wall or dark water has."""
    light, green_red, blue_yellow = (float(value) for value in np.median(colors, 0))
    return light > _MIN_DAY_LIGHTNESS and green_red < 5 and blue_yellow < -4


def refine_sky(canvas: Canvas, likely: Floats, small: Bytes) -> Floats:
    """Return a sky whose edges follow the colors in the photo.

    It is the sky that the search by colors finds if that is the same sky, because its edges are finer.
    Otherwise, gaps between the sky from the analysis and the land are filled.
    """
    guide, sky = working_copy(canvas.picture, ALPHA_SIDE), (likely > 0.5).astype(np.uint8)
    colored = find_sky(small) if min(small.shape[:2]) >= MIN_COPY_PIXELS else None
    refined = None if colored is None else add_gaps(colored, guide)
    if refined is None or intersection_over_union(refined, sky) <= _MIN_SAME_IOU:
        refined = add_gaps(sky, guide)
    return sky_with_edges(canvas, refined)


def sky_with_edges(canvas: Canvas, sky: Bytes) -> Floats:
    """Return the mask of a sky without the things in front of it that are too narrow for the search."""
    guide = working_copy(canvas.picture, ALPHA_SIDE)
    lab = cielab(guide)
    difference, spread = _difference_from_gradient(sky, lab)
    if spread < _MAX_PLAIN_DISTANCE:
        sky |= _sky_in_openings(canvas, np.linalg.norm(difference, axis=2))
        return _plain_sky(sky, lab, difference)
    return _sky_behind_leaves(canvas, sky, guide)


def _sky_in_openings(canvas: Canvas, distance: Floats) -> Bytes:
    """Return a 0/1 mask of the pieces of a plain sky that are seen through something, such as an arch.

    Their pixels follow the gradient of the sky, and the analysis takes most of each piece for the sky.
    Windows, which reflect the sky, are no sky to the analysis. `distance` is the difference from the
    gradient.
    """
    likely = ground_likelihood(canvas, "sky")
    if likely is None:
        return np.zeros(distance.shape, np.uint8)
    labels, stats = connected_components(
        opened((distance < _MAX_GRADIENT_DISTANCE).astype(np.uint8), _MEDIAN_PIXELS)
    )
    likely_pixels = np.bincount(labels[likely > MIN_POSSIBLE_CERTAINTY], minlength=len(stats))
    is_sky = likely_pixels > MIN_MAJORITY_SHARE * stats[:, cv2.CC_STAT_AREA]
    is_sky[0] = False
    return is_sky.astype(np.uint8)[labels]


def _plain_sky(open_sky: Bytes, lab: Floats, difference: Floats) -> Floats:
    """Return the mask of a plain sky, whose pixels follow its smooth gradient.

    `difference` is the difference between each pixel and the gradient, in CIELAB. Clouds are part of the sky:
    they do not follow the gradient, but they have soft edges or are bright.
    """
    distance, change = np.linalg.norm(difference, axis=2), _gradient_magnitude(lab)
    alike = _clear_below(
        (distance < _MAX_GRADIENT_DISTANCE).astype(np.uint8), open_sky, max(open_sky.shape) // CELLS
    )
    sky = open_sky | touching(
        alike & dilate(open_sky, _MAX_GAP_DISTANCE * max(open_sky.shape)), open_sky == 1
    )
    if _is_blue_day(lab[open_sky == 1]):
        cloudy = _clear_below(
            ((distance < 3 * _MAX_GRADIENT_DISTANCE) & (change < _MAX_CALM_CHANGE)).astype(np.uint8), open_sky
        )
        sky |= _sky_at_frame(opened(cloudy, _MEDIAN_PIXELS), alike)
    things = _things_in_sky(sky, distance, change, difference[:, :, 0] > 0) | (1 - sky)
    is_alike = np.maximum(
        ramp(distance, 3 * _MAX_GRADIENT_DISTANCE, _MAX_GRADIENT_DISTANCE),
        ramp(
            _difference_from_nearby(1 - things, lab, change),
            1.5 * _MAX_GRADIENT_DISTANCE,
            0.5 * _MAX_GRADIENT_DISTANCE,
        ),
    )
    share = np.where(dilate(things, 2) == 1, is_alike, 1)
    return np.maximum(dilate(sky, 1) * share, _mixed_edge(1 - things, distance)).astype(np.float32)


def _difference_from_nearby(sky: Bytes, lab: Floats, change: Floats) -> Floats:
    """Return the difference of each pixel from the mean color of the sky nearby, such as that of a cloud.

    It is infinite where there is no sky nearby. `change` is the gradient of `lab`; pixels at edges do not
    count.
    """
    calm = sky & (change < _MAX_CALM_CHANGE).astype(np.uint8)
    inner = cast(Bytes, cv2.erode(calm, np.ones((2 * _MIXED_PIXELS + 1,) * 2, np.uint8)))
    reach = 2 * _MIXED_PIXELS + 1
    difference = np.linalg.norm(lab - local_mean(lab, inner, 2 * reach + 1), axis=2)
    return np.where(dilate_square(inner, reach) == 1, difference, np.inf)


def _mixed_edge(sky: Bytes, distance: Floats) -> Floats:
    """Return the share of the sky in the pixels right beside it, which also show a thing in front of it.

    `distance` is the difference between each pixel and the plain sky. The thing differs from it about as much
    as the pixel beside the edge that differs most.
    """
    side = 2 * _MIXED_PIXELS + 1
    most = np.maximum(cv2.dilate(distance, np.ones((side, side), np.uint8)), 3 * _MAX_GRADIENT_DISTANCE)
    return dilate(sky, _MIXED_PIXELS) * np.clip(1 - distance / most, 0, 1)


def _things_in_sky(sky: Bytes, distance: Floats, change: Floats, bright: BoolMask) -> Bytes:
    """Return a 0/1 mask of the things in front of a plain sky, which differ from it and have sharp edges.

    Haze at the horizon has soft edges. Stars and specks are too small to be things, unless they touch the
    land. What is brighter than the sky, wide, and away from the land is a cloud, the sun, or the moon. Other
    clouds may touch the edge of a tower, which is sharp but narrow.
    """
    differs = sky & (distance > 1.5 * _MAX_GRADIENT_DISTANCE).astype(np.uint8)
    cell, wide = max(sky.shape) / CELLS, round(_MIN_CLOUD_WIDTH * max(sky.shape)) | 1
    clouds = opened(differs & bright.astype(np.uint8), wide) & (
        1 - dilate(1 - sky, _MIN_CLOUD_DISTANCE * cell)
    )
    differs &= 1 - dilate(clouds, wide)
    labels, stats = connected_components(differs)
    is_large = stats[:, cv2.CC_STAT_AREA] > (_MAX_GAP_WIDTH * max(sky.shape)) ** 2
    is_large[np.unique(labels[dilate(1 - sky, 1) == 1])] = True
    rim = differs & dilate(sky & (1 - differs), 1)
    large = differs & is_large.astype(np.uint8)[labels]
    things = _changing_pieces(large, rim, change, _MIN_EDGE_CHANGE)
    wide_parts = opened(things, _MIN_SOFT_PIXELS)
    return cast(
        Bytes,
        _changing_pieces(wide_parts, rim, change, _MIN_EDGE_CHANGE)
        | _changing_pieces(wide_parts, wide_parts, change, _MAX_CALM_CHANGE)
        | _changing_pieces(things & (1 - wide_parts), rim, change, _MIN_EDGE_CHANGE),
    )


def _changing_pieces(mask: Bytes, where: Bytes, change: Floats, least: float) -> Bytes:
    """Return the pieces of a 0/1 mask whose mean change in color in the area `where` is above `least`."""
    labels, stats = connected_components(mask)
    there = labels[where == 1]
    total = np.bincount(there, change[where == 1], len(stats))
    is_changing = total > least * np.maximum(np.bincount(there, minlength=len(stats)), 1)
    return mask & is_changing.astype(np.uint8)[labels]


def _clear_below(mask: Bytes, sky: Bytes, reach: int = 0) -> Bytes:
    """Return a 0/1 mask without what is more than `reach` pixels below the lowest row of the sky."""
    mask[np.flatnonzero(sky.any(1))[-1] + 1 + reach :] = 0
    return mask


def _sky_at_frame(calm: Bytes, alike: Bytes) -> Bytes:
    """Return the pieces of a smooth 0/1 mask that touch the frame and mostly have the color of the sky.

    An example is the sky between a tree and the side of the photo.
    """
    frame = np.zeros(calm.shape, np.bool_)
    frame[0] = frame[:, 0] = frame[:, -1] = True
    pieces = touching(calm, frame)
    labels, stats = connected_components(pieces)
    is_sky = (
        np.bincount(labels.ravel(), alike.ravel(), len(stats))
        > MIN_MAJORITY_SHARE * stats[:, cv2.CC_STAT_AREA]
    )
    return pieces & is_sky.astype(np.uint8)[labels]


def _sky_behind_leaves(canvas: Canvas, sky: Bytes, guide: Bytes) -> Floats:
    """Return the mask of a bright sky without narrow, darker things in front of it, such as leaves."""
    light = oklab_from_8_bit(guide)[:, :, 0]
    side = round(_MAX_NARROW_WIDTH * max(sky.shape)) | 1
    open_sky = cv2.morphologyEx(light, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    is_sky = ramp(light / np.maximum(open_sky, 0.05), *_LIGHTNESS_RANGE)
    return soften(canvas, sky) * np.where(open_sky > _MIN_BRIGHT_LIGHTNESS, is_sky, 1)


def soften(canvas: Canvas, solid: Bytes) -> Floats:
    """Return a 0/1 mask with soft edges that follow the colors in the photo."""
    soft = cv2.GaussianBlur(solid.astype(np.float32), (0, 0), 1.0)
    return refine_mask(soft, working_copy(canvas.picture, ALPHA_SIDE), radius=8)


def sky_or_marked_sky(canvas: Canvas, small: Bytes) -> Bytes | None:
    """Find the sky in the whole photo, or else the sky that the marked boxes show."""
    scale = small.shape[1] / canvas.picture.width
    boxes = [box.sized(scale) for box in canvas.boxes if box is not None]
    sky = find_sky(small)
    if sky is not None or not boxes:
        return sky
    marked_sky = _sky_in_boxes(small, boxes)
    faces = [face.sized(scale) for face in faces_seen(canvas)]
    return (
        None if marked_sky is None or any(_is_face_in_sky(face, marked_sky) for face in faces) else marked_sky
    )


def _is_face_in_sky(face: Box, sky: Bytes) -> bool:
    """Return whether a face is in the sky, which means that skin was mistaken for an evening sky."""
    left, top, right, bottom = face.grown(-0.25, sky.shape[1], sky.shape[0])
    return bool(sky[top : bottom + 1, left : right + 1].mean() > 0.1)


def find_sky(small: Bytes) -> Bytes | None:
    """Return a 0/1 mask of the smooth area that starts at the top of the photo.

    Return None if the area is not certain to be the sky.
    """
    lab = _lab_without_stars(small)
    calm = (_gradient_magnitude(lab) < _MAX_CALM_CHANGE).astype(np.uint8)
    sky = _pieces_from_top(calm)
    sky = closed(sky, 7)
    share, at_top, at_bottom = float(sky.mean()), float(sky[:3].mean()), float(sky[-3:].mean())
    if not (0.05 < share < 0.9 and at_top > 0.95 and at_bottom < 0.55):
        return None
    if not _is_sky_colored(lab[sky == 1]):
        return None
    is_sure = outline_contrast(small, sky) > _MIN_OUTLINE_CONTRAST
    return _cut_at_horizon(sky, lab) if is_sure else _dusk_sky(sky, lab)


def _dusk_sky(sky: Bytes, lab: Floats) -> Bytes | None:
    """Return the part of a mask that follows the smooth gradient of a blue sky, or None if no part does.

    This separates the sky from equally dark and smooth objects in front of it.
    """
    difference, spread = _difference_from_gradient(sky, lab)
    distance = np.linalg.norm(difference, axis=2)
    plain = _pieces_from_top(sky * (distance < 1.5 * _MAX_GRADIENT_DISTANCE).astype(np.uint8))
    _, green_red, blue_yellow = np.median(lab[plain == 1], 0) if plain.any() else (0, 0, 0)
    is_blue = blue_yellow < -4 and green_red < 14
    is_sure = (
        spread < _MAX_PLAIN_DISTANCE and plain[:3].mean() > _MIN_TOP_SHARE and plain.mean() > _MIN_SKY_SHARE
    )
    return plain if is_sure and is_blue else None


def _difference_from_gradient(sky: Bytes, lab: Floats) -> tuple[Floats, float]:
    """Return the difference of each pixel from the gradient of a sky, and the sky's median color distance.

    The gradient is a quadratic surface. The least-squares fit of this surface, on a small copy, starts at the
    top, where a sky is plain, and is extended downward. Distances are CIE 1976 color differences.
    """
    every = max(1, max(sky.shape) // WORKING_PIXELS)
    terms, is_sky, colors = surface_terms(*sky.shape), sky[::every, ::every] == 1, lab[::every, ::every]
    few, kept = terms[::every, ::every], is_sky
    factors, spread = np.zeros((6, 3), np.float32), 100.0
    for reach in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        used = kept.copy()
        used[round(reach * len(used)) :] = False
        if np.count_nonzero(used) >= _MIN_FITTED_PIXELS:
            factors = np.linalg.lstsq(few[used], colors[used], rcond=None)[0]
            distance = np.linalg.norm(colors - few @ factors, axis=2)
            spread = float(np.median(distance[used]))
            kept = is_sky & (distance < max(_MAX_GRADIENT_DISTANCE, 2 * spread))
    return lab - terms @ factors, spread


def _sky_in_boxes(small: Bytes, boxes: list[Box]) -> Bytes | None:
    """Return a 0/1 mask of the boxes' largest smooth area and of other pieces there with a similar color.

    Return None if the mask is not certain to be the sky.
    """
    lab = _lab_without_stars(small)
    calm = (_gradient_magnitude(lab) < _MAX_CALM_CHANGE).astype(np.uint8)
    labels, stats = connected_components(opened(calm, 5))
    marked, colors = boxes_to_mask(boxes, calm.shape) == 1, means_of(lab, labels, len(stats))
    inside = np.bincount(labels[marked], minlength=len(stats))
    inside[0] = 0
    is_alike = (inside > 0) & (
        np.linalg.norm(colors - colors[inside.argmax()], axis=1) < _MAX_PIECE_DIFFERENCE
    )
    alike = is_alike.astype(np.uint8)[labels]
    sky = cast(Bytes, cv2.dilate(alike, np.ones((3, 3), np.uint8)))
    is_sure = sky[marked].sum() > 0.3 * marked.sum() and outline_contrast(small, sky) > _MIN_OUTLINE_CONTRAST
    return sky if is_sure and _is_sky_colored(lab[sky == 1]) else None


def _lab_without_stars(small: Bytes) -> Floats:
    """Return the colors in CIELAB after a median filter that removes stars."""
    return cielab(cast(Bytes, cv2.medianBlur(small, _MEDIAN_PIXELS)))


def _cut_at_horizon(sky: Bytes, lab: Floats) -> Bytes:
    """Remove everything below a level edge at which the photo becomes darker.

    Below such an edge are lakes and far shores, which haze makes as smooth as the sky.
    """
    light = lab[:, :, 0]
    drop = np.zeros_like(light)
    drop[_SHORE_EDGE_PIXELS // 2 : -_SHORE_EDGE_PIXELS // 2] = (
        light[:-_SHORE_EDGE_PIXELS] - light[_SHORE_EDGE_PIXELS:]
    )
    before = np.zeros_like(drop)
    before[2 * _SHORE_EDGE_PIXELS :] = drop[
        : -2 * _SHORE_EDGE_PIXELS
    ]  # a gradual change in the sky is not an edge
    inner = cv2.erode(sky, np.ones((7, 7), np.uint8))
    inner[: 2 * _SHORE_EDGE_PIXELS + _SHORE_EDGE_PIXELS // 2] = 0
    width = inner.sum(1)
    is_level = (inner * (drop - before > _MIN_SHORE_DROP)).sum(1) > _MIN_LEVEL_SHARE * np.maximum(
        width, MIN_HORIZON_WIDTH * sky.shape[1]
    )
    if not is_level.any():
        return sky
    above = sky.copy()
    above[int(is_level.argmax()) :] = 0
    return above


def add_gaps(sky: Bytes, guide: Bytes, width: float = _MAX_GAP_DISTANCE) -> Bytes:
    """Return the sky at the guide's size, including nearby areas that look more like sky than like land.

    Such areas are clouds at the horizon and gaps between leaves. A separate area as large as a window is left
    out, because it may only reflect the sky. `width` is the maximum width of an area, as a share of the
    guide's longer side.
    """
    large = cast(Bytes, cv2.resize(sky, (guide.shape[1], guide.shape[0]), interpolation=cv2.INTER_NEAREST))
    lab = cielab(guide)
    side = round(width * max(guide.shape)) | 1
    around = np.ones((side, side), np.uint8)
    near = cast(Bytes, cv2.dilate(large, around))
    rim = cast(Bytes, large - cv2.erode(large, around))
    from_sky, from_land = (
        np.linalg.norm(lab - local_mean(lab, part, 4 * side), axis=2) for part in (rim, 1 - near)
    )
    near = _clear_below(near, large)
    cloudy = large | near * (from_sky < _MAX_RATIO_BESIDE_SKY * from_land).astype(np.uint8)
    labels, stats = connected_components(near * (from_sky < _MAX_RATIO_IN_GAP * from_land).astype(np.uint8))
    is_small = stats[:, cv2.CC_STAT_AREA] < (_MAX_GAP_WIDTH * max(guide.shape)) ** 2
    is_small[0] = False
    whole = touching(cloudy, large == 1) | is_small[labels].astype(np.uint8)
    return cast(Bytes, whole | _sky_between_bars(large, lab))


def _sky_between_bars(sky: Bytes, lab: Floats) -> Bytes:
    """Return a 0/1 mask of pixels that follow the gradient of a dark, plain sky, such as gaps in a tower.

    Pixels below the sky are not included. For other skies, the mask is empty.
    """
    if np.median(lab[sky == 1, 0]) > _MAX_DARK_LIGHTNESS:
        return np.zeros_like(sky)
    difference, spread = _difference_from_gradient(sky, lab)
    distance = np.linalg.norm(difference, axis=2)
    alike = ((distance < _MAX_GRADIENT_DISTANCE) & (spread < _MAX_PLAIN_DISTANCE)).astype(np.uint8)
    return _clear_below(alike, sky)


def _gradient_magnitude(lab: Floats) -> Floats:
    """Return the gradient magnitude of the colors, as CIE 1976 color difference per pixel."""
    across = cv2.Scharr(lab, cv2.CV_32F, 1, 0, scale=1 / 32)
    down = cv2.Scharr(lab, cv2.CV_32F, 0, 1, scale=1 / 32)
    return np.sqrt((across**2 + down**2).sum(2))


def _pieces_from_top(calm: Bytes) -> Bytes:
    """Return the smooth pieces that touch the top of the photo and are wider than gaps between leaves."""
    _, labels = cv2.connectedComponents(opened(calm, 5), connectivity=4)
    top = np.unique(labels[:3])
    return cast(Bytes, cv2.dilate(np.isin(labels, top[top > 0]).astype(np.uint8), np.ones((3, 3), np.uint8)))


def _is_sky_colored(colors: Floats) -> bool:
    """Return whether the colors are blue, are bright, or are the pink and orange of an evening sky.

    Brown, green, and black are not sky colors.
    """
    light, green_red, blue_yellow = (float(value) for value in np.median(colors, 0))
    is_blue = blue_yellow < -4 and green_red < 14
    is_bright = light > 68 and blue_yellow < 22 and green_red > -14
    is_evening = light > 40 and green_red > 4 and blue_yellow > -20
    return is_blue or is_bright or is_evening
