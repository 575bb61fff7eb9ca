"""The working copy on which a hole is filled, and its filling at full size."""

from dataclasses import dataclass

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.drawing.gaussian import blur_downscaled, blurred
from editor.engine.operations.remove.patches import Filling
from editor.engine.pixels import Box, copy_size, top_value
from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits

# Sigma, in working-copy pixels, below which detail comes from one patch instead of the mean of several.
SOFT = 2.5


@dataclass(frozen=True, eq=False)
class HoleCopy:
    """A part of the photo that has a hole, along with a working copy of that part.

    `part` contains the full-size pixels, and `missing` is the full-size mask of the hole (0/1). `small` and
    `hole` are the pixels and the mask on the working copy. `inner` is the box that gets filled, in full-size
    pixels. `lost` is the full-size mask of the photo's other holes, whose pixels are not used.
    """

    part: Pixels
    missing: Bytes
    small: Floats
    hole: Bytes
    inner: Box
    lost: Bytes

    @property
    def scales(self) -> tuple[float, float]:
        """Return the width and height of one pixel of the working copy, in full-size pixels."""
        (height, width), (down, across) = self.missing.shape, self.hole.shape
        return width / across, height / down


def copied(part: Pixels, missing: Bytes, side: int, lost: Bytes | None = None) -> HoleCopy:
    """Return a working copy of a part of the photo and its hole (0/1). Its longer side is `side` pixels."""
    size = copy_size(side, *missing.shape[::-1])
    small = cv2.resize(_colors(part), size, interpolation=cv2.INTER_AREA).astype(np.float32)
    hole = (cv2.resize(missing.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0).astype(np.uint8)
    inner = box_around(missing, round(5 * max(missing.shape) / max(size)))
    lost = np.zeros_like(missing) if lost is None else lost
    return HoleCopy(part, missing, small, hole, inner, lost)


def _colors(part: Pixels) -> Bytes:
    """Return the red, green, and blue of a part of a photo, in 8 bits."""
    return eight_bits(Picture(part))[:, :, :3]


def box_around(missing: Bytes, reach: int) -> Box:
    """Return the bounding box of the hole, padded by `reach` pixels.

    Full-size floats are needed only inside this box.
    """
    return Box.around(missing).padded(reach, *missing.shape[::-1])


def full_size_filling(copy: HoleCopy, filling: Filling) -> Floats:
    """Return the patch filling at full size.

    The fine detail comes from the sources of the patches, and the low frequencies come from the mean of the
    patches.
    """
    sigma = SOFT * max(copy.scales)
    agreed = enlarged(filling.colors, copy.inner, copy.scales)
    return blurred(agreed, sigma) + detail_from_sources(copy, filling, agreed, sigma)


def detail_from_sources(copy: HoleCopy, filling: Filling, colors: Floats, sigma: float) -> Floats:
    """Return the detail finer than `sigma` pixels from the patches' source areas.

    `colors` are the colors that are put into the hole before the detail is measured.
    """
    whole, inner = _colors(copy.part).copy(), copy.inner
    inside = copy.missing[inner.slices][:, :, None] == 1
    np.copyto(whole[inner.slices], np.clip(colors, 0, 255), where=inside, casting="unsafe")
    x, y = _source_places(copy, filling)
    # Subtract the low frequencies at the source. If they were computed from the copied pixels, the seams
    # between the patches would remain in the detail.
    soft = blur_downscaled(whole, sigma)
    down, across = (soft.shape[axis] / whole.shape[axis] for axis in (0, 1))
    there = (x + 0.5) * np.float32(across) - 0.5, (y + 0.5) * np.float32(down) - 0.5
    low = cv2.remap(soft, *there, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    fetched = cv2.remap(whole, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REFLECT)
    return cv2.subtract(fetched, low, dtype=cv2.CV_32F)


def enlarged(
    small: Floats,
    inner: Box,
    scales: tuple[float, float],
    how: int = cv2.INTER_CUBIC,
    origin: tuple[float, float] = (0, 0),
) -> Floats:
    """Return the part of a small array that corresponds to the box `inner`, enlarged by `scales`.

    The top left corner of the array is at `origin` (x, y), in enlarged pixels.
    """
    matrix = np.array([[1 / scales[0], 0, 0], [0, 1 / scales[1], 0]])
    matrix[:, 2] = (np.array(inner[:2]) + 0.5 - origin) / scales - 0.5
    size, flags = (inner.width, inner.height), how | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(small, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def _source_places(copy: HoleCopy, filling: Filling) -> tuple[Floats, Floats]:
    """Return the x and y of each full-size pixel's source pixel, for the copy's `inner` box."""
    offset = np.zeros((*copy.hole.shape, 2), np.float32)
    offset[tuple(filling.holes.T)] = filling.sources - filling.holes
    # Round offsets to whole pixels, because interpolation between pixels would blur the grain.
    offset = np.rint(offset * np.array(copy.scales[::-1], np.float32))
    full = enlarged(offset, copy.inner, copy.scales, cv2.INTER_NEAREST)
    rows, columns = np.indices((copy.inner.height, copy.inner.width), np.float32)
    return columns + (copy.inner.left + full[:, :, 1]), rows + (copy.inner.top + full[:, :, 0])


def put_into(part: Pixels, copy: HoleCopy, new: Floats) -> None:
    """Fill the hole, in place, with new colors, which cover the inner box (RGB, 0 to 255).

    The new colors are blurred just inside the hole's edge. Pixels outside the hole do not change.
    """
    place = copy.inner.slices
    hole = np.ascontiguousarray(copy.missing[place])
    reach = max(1, round(max(hole.shape) / 400))
    share = np.clip(cv2.distanceTransform(hole, cv2.DIST_L2, 3) / reach, 0, 1)[:, :, None]
    mixed = share * new + (1 - share) * blurred(new, reach)
    full = np.clip(mixed, 0, 255) * np.float32(top_value(part) / 255) + np.float32(0.5)
    np.copyto(part[place][:, :, :3], full, where=hole[:, :, None] > 0, casting="unsafe")
