"""Masks: cleaned, measured, and brought from a working copy up to the photo."""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.pixels import strips, working_copy
from editor.imaging.codecs import Bytes, Picture, eight_bits

ALPHA_SIDE = 1200


def refined(mask: Floats, guide: Bytes, radius: int = 6, epsilon: float = 1e-4) -> Floats:
    """The mask (any size) with its edges drawn to those of `guide`, at the guide's size.

    He, Sun and Tang, "Guided image filtering", 2010.
    """
    size = (guide.shape[1], guide.shape[0])
    rough = cv2.resize(mask, size, interpolation=cv2.INTER_LINEAR)
    soft = cv2.ximgproc.guidedFilter(guide, rough, radius, epsilon * 255**2)
    return cast(Floats, np.clip(soft, 0, 1))


def brought_up(mask: Floats, picture: Picture) -> Floats:
    """The mask at the picture's size, its edges at those of the full pixels; ends are exactly 0 and 1.

    He and Sun, "Fast guided filter", 2015: the local linear model is found on the small copy and applied
    to the large one.
    """
    small = working_copy(picture, max(mask.shape))
    grey = cast(Floats, cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32) * np.float32(1 / 255))
    mask = cast(Floats, cv2.resize(mask, (grey.shape[1], grey.shape[0])))
    if small.shape[:2] == (picture.height, picture.width):
        return settled(mask)
    slope, offset = _linear_model(grey, mask, radius=2, epsilon=1e-3)
    full = np.empty((picture.height, picture.width), np.float32)
    for rows in strips(picture.height):
        guide = _grey_rows(picture, rows)
        full[rows] = settled(_rows_of(slope, rows, full.shape) * guide + _rows_of(offset, rows, full.shape))
    return full


def settled(mask: Floats) -> Floats:
    """The mask with its last traces made exact: below 4% is nothing, above 96% is all."""
    return cast(Floats, np.clip((mask - 0.04) / 0.92, 0, 1))


def _linear_model(guide: Floats, mask: Floats, radius: int, epsilon: float) -> tuple[Floats, Floats]:
    def mean(values: Floats) -> Floats:
        return cast(Floats, cv2.blur(values, (2 * radius + 1, 2 * radius + 1)))

    mean_guide, mean_mask = mean(guide), mean(mask)
    variance = mean(guide * guide) - mean_guide**2
    slope = (mean(guide * mask) - mean_guide * mean_mask) / (variance + epsilon)
    return mean(cast(Floats, slope)), mean(cast(Floats, mean_mask - slope * mean_guide))


def _grey_rows(picture: Picture, rows: slice) -> Floats:
    colors = eight_bits(Picture(picture.pixels[rows, :, :3]))
    return cast(Floats, cv2.cvtColor(colors, cv2.COLOR_RGB2GRAY).astype(np.float32) * np.float32(1 / 255))


def _rows_of(small: Floats, rows: slice, shape: tuple[int, ...]) -> Floats:
    """The rows that a small map would have if it were enlarged to `shape`."""
    return enlarged_rows(small, rows, shape[0], shape[1])


def enlarged_rows(small: Floats, rows: slice, height: int, width: int) -> Floats:
    """Rows of a small map (height x width, or x channels) enlarged to height x width, without the rest."""
    scale_x, scale_y = small.shape[1] / width, small.shape[0] / height
    matrix = np.array(
        [[scale_x, 0, 0.5 * scale_x - 0.5], [0, scale_y, (rows.start + 0.5) * scale_y - 0.5]], np.float32
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (width, rows.stop - rows.start)
    return cast(Floats, cv2.warpAffine(small, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))


def without_crumbs(mask: Bytes, share: float = 0.08) -> Bytes:
    """A 0/1 mask without the pieces smaller than a share of the largest, and without small holes."""
    solid = largest(mask, share)
    holes = largest(1 - solid, 0.02)
    return 1 - holes


def pieces(mask: Bytes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """What of a 0/1 mask hangs together: the number of its piece for each pixel (0 outside), and per piece
    left, top, width, height and area."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return cast(NDArray[np.int32], labels), cast(NDArray[np.int32], stats)


def largest(mask: Bytes, share: float) -> Bytes:
    """A 0/1 mask without the pieces smaller than a share of the largest."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    if count < 2:
        return mask
    areas = stats[:, cv2.CC_STAT_AREA].copy()
    areas[0] = 0
    return cast(Bytes, (areas >= share * areas.max()).astype(np.uint8)[labels] * (labels > 0))


def overlap(one: Bytes, other: Bytes) -> float:
    """Intersection over union of two 0/1 masks."""
    union = np.count_nonzero(one | other)
    return float(np.count_nonzero(one & other) / union) if union else 0.0
