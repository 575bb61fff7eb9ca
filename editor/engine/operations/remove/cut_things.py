"""Find out whether a hole cuts another object, whose missing part would have to be invented."""

import cv2
import numpy as np

from editor.engine.masks import connected_components, dilate
from editor.engine.operations.remove.shadows import on_the_copy
from editor.engine.pixels import Box, copy_size
from editor.engine.targets.outlines import Outline
from editor.imaging.picture import Bytes

_WORKING_PIXELS = 200  # longer side, in pixels, of the working copy on which the hole's edge is examined
_AROUND = 0.1  # width of the examined area around the hole, as a share of its longer side
# Maximum distance from the hole at which an object touches it, in pixels of the working copy.
_NEAR = 4
_MIN_EDGE_SHARE = 0.05  # minimum share of the hole's edge that a cut object touches
# Maximum length of the mean direction in which an object touches a hole, as seen from the hole's center in
# units of the hole's width and height. It is 1 at one point of the edge, and 0 on opposite sides.
_ONE_SIDE = 0.7


def may_be_cut(hole: Bytes, other: Box) -> bool:
    """Return whether an object in a box may touch a hole (0/1), without decoding its outline."""
    box = Box.around(hole)
    near = other.padded(_AROUND * max(box.width, box.height), *hole.shape[::-1])
    return bool(hole[near.slices].any())


def is_cut(hole: Bytes, other: Outline) -> bool:
    """Return whether an object touches any piece of a hole (0/1) on opposite sides, and is cut by it."""
    box = Box.around(hole)
    view = box.padded(_AROUND * max(box.width, box.height) + _NEAR, *hole.shape[::-1])
    if not view.overlap(other.view):
        return False
    size = copy_size(_WORKING_PIXELS, view.width, view.height)
    small = (cv2.resize(hole[view.slices], size, interpolation=cv2.INTER_AREA) > 0).astype(np.uint8)
    thing = on_the_copy(other.full_mask, other.view, view, small.shape)
    labels, stats = connected_components(small)
    return any(
        _touches_opposite_sides(thing & (1 - small), (labels == number).astype(np.uint8))
        for number in range(1, len(stats))
    )


def _touches_opposite_sides(thing: Bytes, piece: Bytes) -> bool:
    edge = (dilate(piece, _NEAR) - piece) == 1
    touched = edge & (thing == 1)
    if touched.sum() <= _MIN_EDGE_SHARE * edge.sum():
        return False
    inside = np.argwhere(piece == 1)
    ways = (np.argwhere(touched) - inside.mean(0)) / np.maximum(inside.std(0), 1)
    ways /= np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-6)
    return float(np.linalg.norm(ways.mean(0))) < _ONE_SIDE
