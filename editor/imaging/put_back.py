"""Putting back what an edit must not change: everything outside its boxes becomes the photo's again.

Call `put_back` through the sandbox, since the result of an engine may be hostile.
"""

from collections.abc import Sequence
from math import ceil, floor
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.imaging import alignment
from editor.imaging.codecs import load, save
from editor.imaging.limits import STORED
from editor.imaging.picture import Picture, Pixels, strips

SHAPE_TOLERANCE = 0.01
"""The largest relative difference of two aspect ratios at which two pictures have the same shape."""
EDGE_SHARE = 0.02
"""The width of a box's soft edge, as a share of the photo's shorter side. The edge is inside the box."""
type Box = Sequence[float]
type Weights = NDArray[np.float32]


def put_back(photo: str, result: str, target: str, boxes: Sequence[Box]) -> dict[str, Any]:
    """Write the result as a PNG file to `target`, with everything outside the boxes taken from the photo.

    `boxes` are [x, y, width, height] as fractions of the photo. The file has the size of the result. Returns
    {outcome, scale}, where `scale` is the size of the file relative to the photo, along a side. `outcome` is
    "done", "aligned" if the result first had to be moved or scaled to fit the photo, and, without a file,
    "other_shape" or "misaligned". Raises PhotoError if the result is not a photo.
    """
    before, after = load(photo, STORED), load(result, STORED)
    if not have_same_shape((before.width, before.height), (after.width, after.height)):
        return {"outcome": "other_shape", "scale": 1.0}
    scale = after.width / before.width
    kept, changed = _alike(_resized(before.pixels, after.width, after.height), after.pixels)
    regions = [region_of(box, after.width, after.height) for box in boxes]
    fit = alignment.find(kept, changed, regions)
    if fit is not None:
        if not fit.covers(regions, after.width, after.height):
            return {"outcome": "misaligned", "scale": scale}
        changed = fit.apply(changed)
    save(Picture(_blended(kept, changed, regions)), target, "png")
    return {"outcome": "done" if fit is None else "aligned", "scale": scale}


def have_same_shape(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two sizes (width, height) differ in shape by at most SHAPE_TOLERANCE."""
    ratio = (one[0] * other[1]) / (one[1] * other[0])
    return abs(ratio - 1) <= SHAPE_TOLERANCE


def region_of(box: Box, width: int, height: int) -> tuple[int, int, int, int]:
    """Return the pixels (left, top, right, bottom) of a box in fractions; right and bottom are exclusive."""
    x, y, w, h = box
    left, right = _span(x, w, width)
    top, bottom = _span(y, h, height)
    return left, top, right, bottom


def _span(start: float, length: float, side: int) -> tuple[int, int]:
    first = min(side - 1, floor(round(start * side, 6)))
    return first, min(side, max(first + 1, ceil(round((start + length) * side, 6))))


def _resized(pixels: Pixels, width: int, height: int) -> Pixels:
    if pixels.shape[1] == width and pixels.shape[0] == height:
        return pixels
    how = cv2.INTER_AREA if width < pixels.shape[1] else cv2.INTER_CUBIC
    return cast(Pixels, cv2.resize(pixels, (width, height), interpolation=how))


def _alike(kept: Pixels, changed: Pixels) -> tuple[Pixels, Pixels]:
    """Return both with the same channels and with the depth of the first."""
    if changed.dtype != kept.dtype:
        is_deep = kept.dtype == np.uint16
        changed = changed.astype(np.uint16) * 257 if is_deep else (changed // 257).astype(np.uint8)
    if kept.shape[2] == changed.shape[2]:
        return kept, changed
    return _with_alpha(kept), _with_alpha(changed)


def _with_alpha(pixels: Pixels) -> Pixels:
    return pixels if pixels.shape[2] == 4 else cast(Pixels, cv2.cvtColor(pixels, cv2.COLOR_RGB2RGBA))


def _blended(kept: Pixels, changed: Pixels, regions: Sequence[tuple[int, int, int, int]]) -> Pixels:
    """Return `kept` outside the regions and `changed` inside, with a soft edge inside each region."""
    height, width = kept.shape[:2]
    edge = max(1.0, EDGE_SHARE * min(width, height))
    weights = [
        (_ramp(height, top, bottom, edge), _ramp(width, left, right, edge))
        for left, top, right, bottom in regions
    ]
    blended = kept.copy()
    for rows in strips(height):
        share = _share(weights, rows, width)
        if share.any():
            old, new = kept[rows].astype(np.float32), changed[rows].astype(np.float32)
            blended[rows] = np.rint(old + (new - old) * share[..., None])
    return blended


def _share(weights: Sequence[tuple[Weights, Weights]], rows: slice, width: int) -> Weights:
    share = np.zeros((rows.stop - rows.start, width), np.float32)
    for down, across in weights:
        np.maximum(share, np.outer(down[rows], across), out=share)
    return share


def _ramp(side: int, start: int, end: int, edge: float) -> Weights:
    """Return the weight of each pixel along a side: 0 outside the box, rising to 1 inside it.

    There is no soft edge where the box ends at the border of the photo.
    """
    at = np.arange(side, dtype=np.float32) + 0.5
    inward = np.full(side, np.inf, np.float32)
    if start > 0:
        inward = np.minimum(inward, at - start)
    if end < side:
        inward = np.minimum(inward, end - at)
    part = np.clip(inward / min(edge, (end - start) / 4), 0, 1)
    weights = part * part * (3 - 2 * part)
    weights[:start] = weights[end:] = 0
    return cast(Weights, weights)
