"""Divide a hole into holes that are far enough apart to be filled one by one."""

from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.masks import boxes_of, connected_components, dilate
from editor.engine.pixels import Box, copy_size
from editor.imaging.picture import Bytes

_WORKING_PIXELS = 600  # longer side, in pixels, of the working copy on which holes are separated
# Half the minimum distance between two holes, as a share of a hole's longer side and of the photo's.
_APART, _MIN_APART = 0.2, 0.02
# Maximum number of separate holes. If there are more, those that are nearest to each other are joined.
_MAX_HOLES = 8


class HolePart(NamedTuple):
    """A part of a hole: its bounding box, and its mask (0/1) in this box."""

    box: Box
    mask: Bytes

    def share(self, shape: tuple[int, ...]) -> float:
        """Return the part's share of a picture of the given height and width."""
        return int(self.mask.sum()) / (shape[0] * shape[1])

    def seen_from(self, view: Box) -> Bytes:
        """Return the mask in a view of the picture that contains the whole part."""
        mask = np.zeros((view.height, view.width), np.uint8)
        mask[self.box.seen_from(view).slices] = self.mask
        return mask


def separate_holes(hole: Bytes) -> Iterator[HolePart]:
    """Yield the parts of a hole (0/1) that are far from each other.

    Each part can be filled from its own surroundings, for example if several people are removed.
    """
    # Examine a small copy, because numbers for all pixels of a large photo take much memory.
    size = copy_size(_WORKING_PIXELS, *hole.shape[::-1])
    small = (cv2.resize(255 * hole, size, interpolation=cv2.INTER_AREA) > 0).astype(np.uint8)
    groups = _groups(small)
    for number in range(1, int(groups.max()) + 1):
        yield _part_near(hole, dilate(small & (groups == number), 2))


def _part_near(hole: Bytes, near: Bytes) -> HolePart:
    """Return the part of a hole (0/1) that is inside a mask (0/1) on the small copy."""
    (height, width), (down, across) = hole.shape, near.shape
    left, top, right, bottom = Box.around(near)
    rows = np.arange(top * height // down, -(-bottom * height // down))
    columns = np.arange(left * width // across, -(-right * width // across))
    mask = hole[np.ix_(rows, columns)] & near[np.ix_(rows * down // height, columns * across // width)]
    inside = Box.around(mask)
    return HolePart(inside.moved(int(columns[0]), int(rows[0])), mask[inside.slices])


def _groups(small: Bytes) -> NDArray[np.int32]:
    """Return for each pixel of a hole (0/1) the number of its group of pieces that are near each other.

    The size of a group does not matter, or else all people in a street would become one hole.
    """
    boxes = boxes_of(connected_components(small)[1])[1:]
    reach = _MIN_APART * max(small.shape)
    while True:
        groups, stats = connected_components(_surroundings(boxes, reach, small.shape))
        if len(stats) - 1 <= _MAX_HOLES:
            return groups
        reach *= 2


def _surroundings(boxes: list[Box], reach: float, shape: tuple[int, ...]) -> Bytes:
    near = np.zeros(shape, np.uint8)
    for box in boxes:
        pad = round(max(reach, _APART * max(box.width, box.height)))
        near[box.padded(pad, shape[1], shape[0]).slices] = 1
    return near
