"""Clean masks, measure them, and enlarge them from a working copy to the photo."""

from collections.abc import Callable, Iterable
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.pixels import Box, for_each_strip, in_strips, working_copy
from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits

type BoolMask = NDArray[np.bool_]

# The longest side, in pixels, of the working copy on which masks are refined.
ALPHA_SIDE = 1200
_CRUMB = 0.005  # minimum area of a piece in a group, as a share of the largest piece's area
_GRAIN = 50.0  # minimum variance of the colors around a pixel, in squared 8-bit levels


def refine_mask(mask: Floats, guide: Bytes, radius: int = 6, epsilon: float = 1e-4) -> Floats:
    """Resize a mask to the size of `guide`, and align its edges with the edges in `guide`.

    He, Sun, and Tang, "Guided image filtering", 2010.
    """
    size = (guide.shape[1], guide.shape[0])
    rough = cv2.resize(mask, size, interpolation=cv2.INTER_LINEAR)
    soft = cv2.ximgproc.guidedFilter(guide, rough, radius, epsilon * 255**2)
    return np.clip(soft, 0, 1)


def upsample_mask(mask: Floats, picture: Picture) -> Floats:
    """Enlarge a mask to the picture's size, and align its edges with those in the full-size picture.

    Values near 0 and 1 become exactly 0 and 1. The method is from He and Sun, "Fast guided filter", 2015: the
    local linear model is computed on the small copy and applied to the large one.
    """
    small = working_copy(picture, max(mask.shape))
    gray = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32) * np.float32(1 / 255)
    mask = cv2.resize(mask, (gray.shape[1], gray.shape[0]))
    if small.shape[:2] == (picture.height, picture.width):
        return snap_extremes(mask)
    slope, offset = linear_model(gray, mask, radius=2, epsilon=1e-3)
    full = np.empty((picture.height, picture.width), np.float32)

    def fill_strip(rows: slice) -> None:
        guide = _gray_rows(picture, rows)
        steep, base = (enlarged_rows(part, rows, *full.shape) for part in (slope, offset))
        full[rows] = snap_extremes(steep * guide + base)

    for_each_strip(picture.height, fill_strip)
    return full


def snap_extremes(mask: Floats) -> Floats:
    """Return the mask with values below 4% set to 0 and values above 96% set to 1."""
    return np.clip((mask - 0.04) / 0.92, 0, 1)


def linear_model(guide: Floats, mask: Floats, radius: int, epsilon: float) -> tuple[Floats, Floats]:
    """Return maps of the slope and the offset that express the mask as a linear function of the guide.

    See He and Sun, "Fast guided filter", 2015.
    """

    def mean(values: Floats) -> Floats:
        return cv2.blur(values, (2 * radius + 1, 2 * radius + 1))

    mean_guide, mean_mask = mean(guide), mean(mask)
    variance = mean(guide * guide) - mean_guide**2
    slope = (mean(guide * mask) - mean_guide * mean_mask) / (variance + epsilon)
    return mean(slope), mean(mean_mask - slope * mean_guide)


def _gray_rows(picture: Picture, rows: slice) -> Floats:
    colors = eight_bits(Picture(picture.pixels[rows, :, :3]))
    return cv2.cvtColor(colors, cv2.COLOR_RGB2GRAY).astype(np.float32) * np.float32(1 / 255)


def enlarged_rows(small: Floats, rows: slice, height: int, width: int) -> Floats:
    """Return only the given rows of a small map after enlarging it to height x width.

    The map may have channels as a third axis.
    """
    scale_x, scale_y = small.shape[1] / width, small.shape[0] / height
    matrix = np.array(
        [[scale_x, 0, 0.5 * scale_x - 0.5], [0, scale_y, (rows.start + 0.5) * scale_y - 0.5]], np.float32
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (width, rows.stop - rows.start)
    return cv2.warpAffine(small, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def map_strips_with(pixels: Pixels, change: Callable[..., Floats], *maps: Floats) -> Pixels:
    """Return the pixels with `change` applied to their colors, strip by strip.

    `change` receives the colors of a strip (rows x width x 3, from 0 to 1) and the same rows of each of the
    small `maps`, enlarged to the size of the picture.
    """

    def changed(colors: Floats, rows: slice) -> Floats:
        return change(colors, *(enlarged_rows(one, rows, *pixels.shape[:2]) for one in maps))

    return in_strips(pixels, changed)


def opened(mask: Bytes, side: int) -> Bytes:
    """Remove parts of a 0/1 mask that are narrower than `side` pixels."""
    return cast(Bytes, cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)))


def closed(mask: Bytes, side: int) -> Bytes:
    """Fill gaps in a 0/1 mask that are narrower than `side` pixels."""
    return cast(Bytes, cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)))


def dilate(mask: Bytes, reach: float) -> Bytes:
    """Extend a 0/1 mask by `reach` pixels, with a minimum of one pixel."""
    side = 2 * max(1, round(reach)) + 1
    return cast(Bytes, cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))))


def dilate_square(mask: Bytes, reach: int) -> Bytes:
    """Extend a 0/1 mask by `reach` pixels along rows and columns, and as far along both."""
    return cast(Bytes, cv2.dilate(mask, np.ones((2 * reach + 1,) * 2, np.uint8)))


def boxes_to_mask(boxes: Iterable[Box], shape: tuple[int, ...], scale: float = 1.0) -> Bytes:
    """Return a mask of the given shape that is 1 inside the boxes and 0 elsewhere.

    The mask is for a copy that is `scale` times as large as the picture that the boxes belong to.
    """
    held = np.zeros(shape[:2], np.uint8)
    for box in boxes:
        held[box.sized(scale).slices] = 1
    return held


def mask_of(shape: tuple[int, ...], parts: Iterable[tuple[Box, Floats]]) -> Floats:
    """Combine masks of parts of a picture into one mask of the given shape (height, width, ...).

    Each mask may have any size. The result is 0 outside the parts.
    """
    mask = np.zeros(shape[:2], np.float32)
    for view, part in parts:
        there = mask[view.slices]
        fitting = part if part.shape == there.shape else cv2.resize(part, there.shape[::-1])
        np.maximum(there, fitting, out=there)
    return mask


def box_of(mask: Floats, picture: Picture) -> Box:
    """Return the bounding box, in pixels of the picture, of a mask on a copy of any size."""
    left, top, right, bottom = Box.around((mask > 0.5).astype(np.uint8))
    x, y = picture.width / mask.shape[1], picture.height / mask.shape[0]
    return Box(round(left * x), round(top * y), round(right * x), round(bottom * y))


def frame_coverage(mask: Bytes | BoolMask) -> float:
    """Return the share of the photo's frame that a 0/1 mask covers."""
    return float(np.concatenate([mask[0], mask[-1], mask[:, 0], mask[:, -1]]).mean())


def local_mean(values: Floats, part: Bytes, side: int) -> Floats:
    """Return the mean of values (height x width x n) around each pixel, using only pixels in a 0/1 mask.

    The window is `side` pixels wide and high. The result is 0 where the window contains no pixel of the mask.
    """
    weight = part.astype(np.float32)
    total = cv2.blur(values * weight[:, :, None], (side, side))
    return total / np.maximum(cv2.blur(weight, (side, side)), np.float32(1e-6))[:, :, None]


def off_surroundings(colors: Floats, part: Bytes, side: int) -> tuple[Floats, Floats]:
    """Return how colors differ from those of a part of the photo around each pixel.

    `colors` has 8-bit levels, and `part` and `side` are those of `local_mean`. The first array is the
    difference from the mean. The second one is its square, in units of the part's variance.
    """
    off = colors - local_mean(colors, part, side)
    variance = local_mean(off**2, part, side).sum(2) + _GRAIN
    return off, (off**2).sum(2) / variance


def touching(mask: Bytes, core: BoolMask) -> Bytes:
    """Return the pieces of a 0/1 mask that overlap the mask `core`."""
    labels, _ = connected_components(mask)
    reached = np.unique(labels[core])
    return np.isin(labels, reached[reached > 0]).astype(np.uint8)


def surface_terms(height: int, width: int) -> Floats:
    """Return the terms of a quadratic surface, height x width x 6: 1, x, y, x², xy, and y².

    x and y are from -1/2 to 1/2. The first three terms alone make a plane.
    """
    rows, columns = np.indices((height, width), np.float32)
    y, x = rows / height - np.float32(0.5), columns / width - np.float32(0.5)
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], 2)


def remove_small_components(mask: Bytes) -> Bytes:
    """Remove the pieces of a 0/1 mask that are much smaller than the largest, and fill small holes."""
    return 1 - keep_large_components(1 - keep_large_components(mask, 0.08), 0.02)


def connected_components(mask: Bytes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the connected pieces of a 0/1 mask.

    The first array contains, for each pixel, the number of its piece, or 0 outside the mask. The second array
    contains the left, top, width, height, and area of each piece.
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return cast(NDArray[np.int32], labels), cast(NDArray[np.int32], stats)


def boxes_of(stats: NDArray[np.int32]) -> list[Box]:
    """Return the bounding boxes of pieces, from the second array of `connected_components`."""
    return [Box(left, top, left + width, top + height) for left, top, width, height, _ in stats.tolist()]


def means_of(values: Floats, labels: NDArray[np.int32], count: int) -> Floats:
    """Return the mean of values (height x width x n) in each numbered piece, as a count x n array."""
    flat = labels.ravel()
    sums = [np.bincount(flat, values[:, :, at].ravel(), count) for at in range(values.shape[2])]
    return np.stack(sums, 1) / np.maximum(np.bincount(flat, minlength=count), 1)[:, None]


def keep_large_components(mask: Bytes, share: float) -> Bytes:
    """Remove the pieces of a 0/1 mask whose areas are less than `share` of the largest piece's area."""
    labels, stats = connected_components(mask)
    areas = stats[:, cv2.CC_STAT_AREA]
    return mask & (areas >= share * areas[1:].max(initial=0)).astype(np.uint8)[labels]


def keep_large_groups(mask: Bytes, share: float, gap: float) -> Bytes:
    """Remove the groups of pieces of a 0/1 mask that are smaller than `share` of the largest group's area.

    Pieces belong to one group if the gap between them is at most `gap` pixels wide. Crumbs are removed first.
    """
    pieces = keep_large_components(mask, _CRUMB)
    labels, _ = connected_components(dilate(pieces, gap / 2))
    areas = np.bincount(labels.ravel(), pieces.ravel())
    return pieces & (areas >= share * areas[1:].max(initial=0)).astype(np.uint8)[labels]


def intersection_over_union(one: Bytes, other: Bytes) -> float:
    """Return the intersection over union of two 0/1 masks."""
    union = np.count_nonzero(one | other)
    return float(np.count_nonzero(one & other) / union) if union else 0.0
