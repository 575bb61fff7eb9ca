"""Cover small flaws with the most similar clean area nearby, which preserves grain and texture."""

from collections.abc import Iterator
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.masks import connected_components
from editor.engine.pixels import Box
from editor.imaging.picture import Bytes, Pixels

# Minimum side, in pixels, of the pieces into which long scratches are cut.
_MIN_PIECE_PIXELS = 24
# Unit vectors from a flaw to the clean areas that are tried as its cover.
_DIRECTIONS = tuple((np.cos(angle), np.sin(angle)) for angle in np.arange(8) * np.pi / 4)
# Distances from a flaw to the clean areas that are tried as its cover, as multiples of the size of the flaw
# including its margin.
_DISTANCES = (1.1, 1.7)
# Maximum RMS difference between the surroundings of a flaw and those of the area that covers it, as a
# multiple of the grain. If no area fits that well, the flaw is smoothed over.
_RISKY = 4.0


def healed(pixels: Pixels, flaws: Bytes) -> Pixels:
    """Return the pixels with the flaws (0/1) covered.

    Pixels outside the flaws do not change.
    """
    result = pixels.copy()
    for box in _short_pieces(flaws):
        _heal(result, flaws, box)
    return result


def _short_pieces(flaws: Bytes) -> Iterator[Box]:
    """Yield boxes that together contain all flaws. Long flaws are divided into short pieces."""
    _, stats = connected_components(flaws)
    for left, top, width, height, area in stats[1:].tolist():
        side = max(8, _MIN_PIECE_PIXELS, round(3 * area / max(width, height)))
        for y in range(top, top + height, side):
            for x in range(left, left + width, side):
                yield Box(x, y, min(x + side, left + width), min(y + side, top + height))


def _heal(pixels: Pixels, flaws: Bytes, box: Box) -> None:
    margin = max(3, round(0.4 * max(box.width, box.height)))
    wide = box.padded(margin, *flaws.shape[::-1])
    rows, columns = wide.slices
    hole = flaws[rows, columns]
    inner = np.zeros_like(hole)
    inner[box.seen_from(wide).slices] = 1
    part = pixels[rows, columns, :3].astype(np.float32)
    best = _best_cover(pixels, flaws, wide, part, hole)
    if best is None:
        best = _smoothed(pixels[rows, columns, :3], hole)
    chosen = (hole & inner) == 1
    limit = np.iinfo(pixels.dtype).max
    pixels[rows, columns, :3][chosen] = (np.clip(best[chosen], 0, limit) + 0.5).astype(pixels.dtype)


def _best_cover(pixels: Pixels, flaws: Bytes, wide: Box, part: Floats, hole: Bytes) -> Floats | None:
    """Return the pixels of the clean area whose surroundings are most similar to those of the flaw.

    The area's colors are adjusted to the surroundings of the flaw. Returns None if no area fits well enough.
    """
    ring = hole == 0
    if ring.sum() < 8:
        return None
    best, least = None, np.inf
    for place in _candidates(flaws, wide):
        source = pixels[place.slices][:, :, :3].astype(np.float32)
        cover = source + _slope_of_difference(part - source, ring)
        apart = float(np.square((cover - part)[ring]).mean())
        if apart < least:
            best, least = cover, apart
    grain = np.abs(np.diff(part, axis=1))[ring[:, 1:] & ring[:, :-1]].mean() + 1
    return best if least < (_RISKY * grain) ** 2 else None


def _candidates(flaws: Bytes, wide: Box) -> Iterator[Box]:
    for distance in _DISTANCES:
        for x, y in _DIRECTIONS:
            across, down = round(x * distance * wide.width), round(y * distance * wide.height)
            place = Box(wide.left + across, wide.top + down, wide.right + across, wide.bottom + down)
            if place == place.within(*flaws.shape[::-1]) and not flaws[place.slices].any():
                yield place


def _slope_of_difference(apart: Floats, ring: NDArray[np.bool_]) -> Floats:
    """Return the values, at all pixels, of a plane fitted to the color differences around a flaw.

    The plane is fitted by least squares.
    """
    rows, columns = np.indices(ring.shape, np.float32)
    terms = np.stack([np.ones_like(rows), rows, columns], 2)
    factors = np.linalg.lstsq(terms[ring], apart[ring], rcond=None)[0]
    return cast(Floats, (terms @ factors).astype(np.float32))


def _smoothed(part: Pixels, hole: Bytes) -> Floats:
    """Return the pixels with the hole filled one channel at a time, which also works for 16-bit images.

    The method is that of Telea, "An image inpainting technique based on the fast marching method", 2004.
    """
    channels = [
        cv2.inpaint(np.ascontiguousarray(part[:, :, channel]), hole, 3, cv2.INPAINT_TELEA)
        for channel in range(3)
    ]
    return np.dstack(channels).astype(np.float32)
