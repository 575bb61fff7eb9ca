"""Divide a hole into holes that are far enough apart to be filled one by one."""

from collections.abc import Iterator
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.masks import boxes_of, connected_components, dilate
from editor.engine.pixels import Box, copy_size
from editor.imaging.picture import Bytes

_WORKING_PIXELS = 600  # Longer side, in pixels, of the working copy on which holes are separated.
# Half the minimum distance between two holes, as a share of a hole's longer side and of the photo's.
_APART, _LEAST_APART = 0.2, 0.02
# Maximum number of separate holes. If there are more, those that are nearest to each other are joined.
_MOST = 8


def separate_holes(hole: Bytes) -> Iterator[Bytes]:
    """Yield the parts of a hole (0/1) that are far from each other, each as a mask of the photo's size.

    Each part can be filled from its own surroundings, for example if several people are removed.
    """
    # Examine a small copy, because numbers for all pixels of a large photo take much memory.
    size = copy_size(_WORKING_PIXELS, *hole.shape[::-1])
    small = (cv2.resize(255 * hole, size, interpolation=cv2.INTER_AREA) > 0).astype(np.uint8)
    groups = _groups(small)
    count = int(groups.max())
    if count == 1:
        yield hole
        return
    for number in range(1, count + 1):
        near = dilate(small & (groups == number), 2)
        yield hole & cast(Bytes, cv2.resize(near, hole.shape[::-1], interpolation=cv2.INTER_NEAREST))


def _groups(small: Bytes) -> NDArray[np.int32]:
    """Return for each pixel of a hole (0/1) the number of its group of pieces that are near each other.

    The size of a group does not matter, or else all people in a street would become one hole.
    """
    boxes = boxes_of(connected_components(small)[1])[1:]
    reach = _LEAST_APART * max(small.shape)
    while True:
        groups, stats = connected_components(_surroundings(boxes, reach, small.shape))
        if len(stats) - 1 <= _MOST:
            return groups
        reach *= 2


def _surroundings(boxes: list[Box], reach: float, shape: tuple[int, ...]) -> Bytes:
    near = np.zeros(shape, np.uint8)
    for box in boxes:
        pad = round(max(reach, _APART * max(box.width, box.height)))
        near[box.padded(pad, shape[1], shape[0]).slices] = 1
    return near
