"""Putting back what an edit must not change: everything outside an area becomes the photo's again.

Call `put_back` through the sandbox, because an engine's result may be hostile.
"""

from collections.abc import Sequence
from math import ceil, floor
from typing import Any, Protocol, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.imaging import alignment
from editor.imaging.codecs import load, save
from editor.imaging.limits import STORED
from editor.imaging.picture import Bytes, Picture, Pixels, smoothstep, strips
from editor.options import have_same_shape

# The width of the soft edge, as a share of the photo's shorter side. The edge is inside the box or mask.
EDGE_SHARE = 0.02
type Box = Sequence[float]
type Weights = NDArray[np.float32]


def put_back(
    photo: str, result: str, target: str, boxes: Sequence[Box] = (), mask: str | None = None
) -> dict[str, Any]:
    """Write the result as a PNG file to `target`, with everything outside the changed area from the photo.

    The area is that of the `boxes`, [x, y, width, height] as fractions of the photo, or, with `mask`, the
    pixels of this gray picture of the photo that are not black. The file has the size of the result. Returns
    {outcome, scale}, where `scale` is the size of the file relative to the photo, along a side. `outcome` is
    "done", or "aligned" if the result first had to be moved or scaled to fit the photo. If `outcome` is
    "other_shape" or "misaligned", no file is written. Raises PhotoError if the result is not a photo.
    """
    before, after = load(photo, STORED), load(result, STORED)
    if not have_same_shape((before.width, before.height), (after.width, after.height)):
        return {"outcome": "other_shape", "scale": 1.0}
    width, height = after.width, after.height
    scale = width / before.width
    kept, changed = _alike(_resized(before.pixels, width, height), after.pixels)
    area = _Mask(mask, width, height) if mask else _Boxes(boxes, width, height)
    fit = alignment.find(kept, changed, area.outside())
    if fit is not None:
        if not fit.covers(area.bounds, width, height):
            return {"outcome": "misaligned", "scale": scale}
        changed = fit.apply(changed)
    save(Picture(_blended(kept, changed, area)), target, "png")
    return {"outcome": "done" if fit is None else "aligned", "scale": scale}


def region_of(box: Box, width: int, height: int) -> tuple[int, int, int, int]:
    """Return a fractional box in pixels (left, top, right, bottom); right and bottom are exclusive."""
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
    """Return both images with the same channels and the first image's bit depth."""
    if changed.dtype != kept.dtype:
        is_deep = kept.dtype == np.uint16
        changed = changed.astype(np.uint16) * 257 if is_deep else (changed // 257).astype(np.uint8)
    if kept.shape[2] == changed.shape[2]:
        return kept, changed
    return _with_alpha(kept), _with_alpha(changed)


def _with_alpha(pixels: Pixels) -> Pixels:
    return pixels if pixels.shape[2] == 4 else cast(Pixels, cv2.cvtColor(pixels, cv2.COLOR_RGB2RGBA))


class _Area(Protocol):
    """The area that may change. `bounds` are rectangles that contain it."""

    bounds: list[alignment.Region]

    def outside(self) -> Bytes:
        """Return a mask that is 255 outside the area and 0 inside."""

    def share(self, rows: slice) -> Weights:
        """Return the share of the result in these rows: 0 outside the area, rising to 1 inside it."""


class _Boxes:
    """The area of boxes."""

    def __init__(self, boxes: Sequence[Box], width: int, height: int) -> None:
        self.bounds = [region_of(box, width, height) for box in boxes]
        self._size = height, width
        edge = max(1.0, EDGE_SHARE * min(width, height))
        self._weights = [
            (_ramp(height, top, bottom, edge), _ramp(width, left, right, edge))
            for left, top, right, bottom in self.bounds
        ]

    def outside(self) -> Bytes:
        outside = np.full(self._size, 255, np.uint8)
        for left, top, right, bottom in self.bounds:
            outside[top:bottom, left:right] = 0
        return outside

    def share(self, rows: slice) -> Weights:
        share = np.zeros((rows.stop - rows.start, self._size[1]), np.float32)
        for down, across in self._weights:
            np.maximum(share, np.outer(down[rows], across), out=share)
        return share


class _Mask:
    """The area of a mask. Its soft edge is computed at the size of the mask, which may be small."""

    def __init__(self, path: str, width: int, height: int) -> None:
        is_inside = (load(path, STORED).pixels[:, :, 0] > 0).astype(np.uint8)
        edge = max(1.0, EDGE_SHARE * min(is_inside.shape))
        # The outermost pixels inside have the distance 1. There is no soft edge at the border of the photo.
        part = np.clip(cv2.distanceTransform(is_inside, cv2.DIST_L2, 5) / (edge + 1), 0, 1)
        share = np.rint(255 * smoothstep(part)).astype(np.uint8)
        self._share = cast(Bytes, cv2.resize(share, (width, height), interpolation=cv2.INTER_LINEAR))
        around = cv2.boundingRect(self._share)
        self.bounds = [(around[0], around[1], around[0] + around[2], around[1] + around[3])]

    def outside(self) -> Bytes:
        return np.where(self._share == 0, np.uint8(255), np.uint8(0))

    def share(self, rows: slice) -> Weights:
        return self._share[rows] * np.float32(1 / 255)


def _blended(kept: Pixels, changed: Pixels, area: _Area) -> Pixels:
    """Return `kept` outside the area and `changed` inside, with a soft edge inside it."""
    blended = kept.copy()
    for rows in strips(kept.shape[0]):
        share = area.share(rows)
        if share.any():
            old, new = kept[rows].astype(np.float32), changed[rows].astype(np.float32)
            blended[rows] = np.rint(old + (new - old) * share[..., None])
    return blended


def _ramp(side: int, start: int, end: int, edge: float) -> Weights:
    """Return the weight of each pixel along a side: 0 outside the box, rising to 1 inside it.

    If the box ends at the photo's border, there is no soft edge at that end.
    """
    at = np.arange(side, dtype=np.float32) + 0.5
    inward = np.full(side, np.inf, np.float32)
    if start > 0:
        inward = np.minimum(inward, at - start)
    if end < side:
        inward = np.minimum(inward, end - at)
    part = np.clip(inward / min(edge, (end - start) / 4), 0, 1)
    weights = smoothstep(part)
    weights[:start] = weights[end:] = 0
    return weights
