"""Convert names of places in a photo, such as "left", "top right", and "center", to masks and positions."""

from typing import cast

import numpy as np

from editor.engine.colors import Floats, ramp
from editor.engine.pixels import Box
from editor.imaging.picture import Picture, smoothstep

# Distance beyond the center up to which a box counts as in a half, as a share of the picture's width or
# height.
_MAX_BEYOND_CENTER = 0.1
_MIDDLE_SIZE = 0.6  # size of the middle of a picture, as a share of the picture's width or height
# Range over which a change at a side rises to full strength, as shares of the distance to that side.
_SIDE_RANGE = (0.15, 0.85)
# Range over which a change at the edges rises to full strength, as shares of the distance from the center to
# the edge.
_EDGE_RANGE = (0.45, 0.9)
# Distances from the center between which a change in the corners rises to full strength. The unit is half a
# side, so that a corner is at 1.41.
_CORNER_RANGE = (1.0, 1.3)
# Distances from the center between which a change in the center fades out. The unit is half a side.
_CENTER_RANGE = (0.35, 0.85)

type Anchor = tuple[float | None, float | None]


def anchor_of(place: str | None) -> Anchor:
    """Return the horizontal and vertical position of a place, from 0 (left or top) to 1 (right or bottom).

    The center is at 0.5. A coordinate that the place does not specify is None.
    """
    words = (place or "").split()
    if words in (["center"], ["middle"]):
        return 0.5, 0.5
    ends = {"left": 0.0, "right": 1.0}, {"top": 0.0, "upper": 0.0, "bottom": 1.0, "lower": 1.0}
    across, down = (next((end[word] for word in words if word in end), None) for end in ends)
    return across, down


def in_place(height: int, width: int, place: str) -> Floats:
    """Return a 0/1 mask of the half, quarter, or center of a height x width picture that a place names."""
    across, down = anchor_of(place)
    return np.outer(_half_profile(height, down), _half_profile(width, across))


def _half_profile(length: int, end: float | None) -> Floats:
    """Return a 0/1 profile along a side that is 1 near the position `end`, or everywhere if `end` is None."""
    if end is None:
        return np.ones(length, np.float32)
    distance = np.abs((np.arange(length) + 0.5) / length - end)
    return cast(Floats, distance <= (_MIDDLE_SIZE / 2 if end == 0.5 else 0.5)).astype(np.float32)


def place_mask(height: int, width: int, place: str) -> Floats:
    """Return a mask of how strongly a change applies in a height x width picture, from 0 to 1.

    The change applies fully in the place and fades toward the rest, so that no boundary is visible. The place
    is a side, a corner, the "center", the "edges", the "corners", or the "sides".
    """
    across, down = np.linspace(0, 1, width, dtype=np.float32), np.linspace(0, 1, height, dtype=np.float32)
    beside, along = np.abs(2 * across - 1), np.abs(2 * down - 1)[:, None]
    match place:
        case "edges":
            return np.maximum(_rise(beside, _EDGE_RANGE), _rise(along, _EDGE_RANGE))
        case "corners":
            return _rise(np.hypot(beside, along), _CORNER_RANGE)
        case "sides":
            return np.repeat(_rise(beside, _EDGE_RANGE)[None], height, axis=0)
        case "center" | "middle":
            return 1 - _rise(np.hypot(beside, along), _CENTER_RANGE)
    mask = np.ones((height, width), np.float32)
    for positions, end in zip((across, down[:, None]), anchor_of(place), strict=True):
        if end is not None:
            mask *= _rise(1 - np.abs(positions - np.float32(end)), _SIDE_RANGE)
    return mask


def _rise(positions: Floats, ends: tuple[float, float]) -> Floats:
    """Return values that rise smoothly from 0 to 1 between the two ends."""
    return smoothstep(ramp(positions, *ends))


def is_at(box: Box, place: str, picture: Picture) -> bool:
    """Return whether a box is in the named half, quarter, or center of the picture, or close to it."""
    distances = zip(_distances_to_place(box, place, picture), anchor_of(place), strict=True)
    return all(
        distance <= (0.5 - _MAX_BEYOND_CENTER if end == 0.5 else 0.5 + _MAX_BEYOND_CENTER)
        for distance, end in distances
    )


def distance_to(place: str, box: Box, picture: Picture) -> float:
    """Return the distance of a box from a place, which is a side, a corner, or the center.

    Horizontal distances are shares of the picture's width, and vertical ones are shares of its height.
    """
    return float(np.hypot(*_distances_to_place(box, place, picture)))


def _distances_to_place(box: Box, place: str, picture: Picture) -> tuple[float, float]:
    x, y = box.center[0] / picture.width, box.center[1] / picture.height
    across, down = anchor_of(place)
    return abs(x - across) if across is not None else 0.0, abs(y - down) if down is not None else 0.0
