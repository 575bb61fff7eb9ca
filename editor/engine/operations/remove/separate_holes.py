"""Divide a hole into holes that are far enough apart to be filled one by one."""

from collections.abc import Iterator

import numpy as np

from editor.engine.pixels import Box
from editor.engine.targets.masks import boxes_of, connected_components
from editor.imaging.picture import Bytes

# Minimum distance from a hole to another one, as a share of the hole's longer side and of the photo's.
_APART, _LEAST_APART = 0.2, 0.02
# Maximum number of separate holes. If there are more, those that are nearest to each other are joined.
_MOST = 8


def separate_holes(hole: Bytes) -> Iterator[Bytes]:
    """Yield the parts of a hole (0/1) that are far from each other, each as a mask of the photo's size.

    Each part can be filled from its own surroundings, for example if several people are removed.
    """
    labels, stats = connected_components(hole)
    groups = _groups(boxes_of(stats)[1:], max(hole.shape))
    if len(groups) == 1:
        yield hole
        return
    for group in groups:
        chosen = np.zeros(len(stats), np.uint8)
        chosen[np.array(group) + 1] = 1
        yield chosen[labels]


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
