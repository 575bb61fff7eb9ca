"""Divide a hole into holes that are far enough apart to be filled one by one."""

from collections.abc import Iterator
from typing import cast

import cv2
import numpy as np

from editor.engine.masks import boxes_of, connected_components, dilate
from editor.engine.pixels import Box, copy_size
from editor.imaging.picture import Bytes

_WORKING_PIXELS = 600  # Longer side, in pixels, of the working copy on which holes are separated.
# Minimum distance from a hole to another one, as a share of the hole's longer side and of the photo's.
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
    labels, stats = connected_components(small)
    groups = _groups(boxes_of(stats)[1:], max(size))
    if len(groups) == 1:
        yield hole
        return
    for group in groups:
        near = dilate(np.isin(labels, np.array(group) + 1).astype(np.uint8), 2)
        yield hole & cast(Bytes, cv2.resize(near, hole.shape[::-1], interpolation=cv2.INTER_NEAREST))


def _groups(boxes: list[Box], longest: int) -> list[list[int]]:
    """Return the indexes of the boxes, grouped so that the groups are far from each other."""
    groups, reach = [[number] for number in range(len(boxes))], _LEAST_APART * longest
    while True:
        joined = _joined(groups, boxes, reach)
        if len(joined) == len(groups):
            if len(groups) <= _MOST:
                return groups
            reach *= 2
        groups = joined


def _joined(groups: list[list[int]], boxes: list[Box], reach: float) -> list[list[int]]:
    """Return the groups, with those joined that are near each other."""
    joined: list[tuple[list[int], Box]] = []
    for group in groups:
        near, around = group, _surroundings(group, boxes, reach)
        for other in [other for other in joined if other[1].overlap(around)]:
            joined.remove(other)
            near = near + other[0]
        joined.append((near, _surroundings(near, boxes, reach)))
    return [group for group, _ in joined]


def _surroundings(group: list[int], boxes: list[Box], reach: float) -> Box:
    box = Box.holding(boxes[number] for number in group)
    pad = round(max(reach, _APART * max(box.width, box.height)))
    return Box(box.left - pad, box.top - pad, box.right + pad, box.bottom + pad)
