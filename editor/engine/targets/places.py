"""Places in a photo: "left", "top right", "center"."""

import numpy as np

from editor.engine.colors import Floats, eased
from editor.engine.pixels import Box
from editor.imaging.codecs import Picture

_BEYOND = 0.1  # of a side: as far over the middle the left half still counts as left


def in_place(height: int, width: int, place: str) -> Floats:
    """1 in the half (or quarter, or middle) of a height x width picture that the place names, else 0."""
    half = np.ones((height, width), np.float32)
    if "left" in place:
        half[:, width // 2 :] = 0
    if "right" in place:
        half[:, : width // 2] = 0
    if _is_top(place):
        half[height // 2 :] = 0
    if _is_bottom(place):
        half[: height // 2] = 0
    if _is_center(place):
        half[: height // 5] = half[height - height // 5 :] = 0
        half[:, : width // 5] = half[:, width - width // 5 :] = 0
    return half


def place_mask(height: int, width: int, place: str) -> Floats:
    """How much of a change a part of a height x width picture gets, 0 to 1: all of it in the place, less and
    less towards the rest, so that no line is seen. The place is a side, a corner, the "center", the "edges",
    the "corners" or the "sides"."""
    across, down = np.linspace(0, 1, width, dtype=np.float32), np.linspace(0, 1, height, dtype=np.float32)
    beside, along = np.abs(2 * across - 1), np.abs(2 * down - 1)
    if place == "edges":
        return np.maximum(_risen(beside, _RIM), _risen(along, _RIM)[:, None])
    if place == "corners":
        return _risen(np.hypot(beside, along[:, None]), _CORNERS)
    if place == "sides":
        return np.repeat(_risen(beside, _RIM)[None], height, axis=0)
    if _is_center(place):
        return 1 - _risen(np.hypot(beside, along[:, None]), _CENTER)
    mask = np.ones((height, width), np.float32)
    for is_named, way in (
        ("left" in place, 1 - across),
        ("right" in place, across),
        (_is_top(place), (1 - down)[:, None]),
        (_is_bottom(place), down[:, None]),
    ):
        if is_named:
            mask *= _risen(way, _HALF)
    return mask


_HALF = (0.15, 0.85)  # of the way to the named side: where a change begins, and where it is all there
_RIM = (0.45, 0.9)  # of the way from the middle to the rim
_CORNERS = (1.0, 1.3)  # the same; a corner is at 1.41, the middle of a side at 1
_CENTER = (0.35, 0.85)


def _risen(way: Floats, ends: tuple[float, float]) -> Floats:
    """A smooth step from 0 to 1 between the two ends."""
    return eased(np.clip((way - ends[0]) / (ends[1] - ends[0]), 0, 1, dtype=np.float32))


def chosen_by_place(boxes: list[Box], place: str, picture: Picture) -> list[Box]:
    """Of several things the one that is farthest towards the place; none when all are elsewhere."""
    there = [box for box in boxes if is_at(box, place, picture)]
    return [min(there, key=lambda box: _apart(box, place, picture))] if there else []


def is_at(box: Box, place: str, picture: Picture) -> bool:
    """Whether a box lies in that half, quarter or middle of the picture, or not far beyond."""
    x, y = box.center[0] / picture.width - 0.5, box.center[1] / picture.height - 0.5
    wrong = (
        "left" in place and x > _BEYOND,
        "right" in place and x < -_BEYOND,
        _is_top(place) and y > _BEYOND,
        _is_bottom(place) and y < -_BEYOND,
        _is_center(place) and max(abs(x), abs(y)) > 0.5 - _BEYOND,
    )
    return not any(wrong)


def _apart(box: Box, place: str, picture: Picture) -> float:
    """How far a box is from the end, corner or middle that the place names."""
    x, y = box.center[0] / picture.width, box.center[1] / picture.height
    across = x * ("left" in place) + (1 - x) * ("right" in place)
    down = y * _is_top(place) + (1 - y) * _is_bottom(place)
    return across + down + _is_center(place) * float(np.hypot(x - 0.5, y - 0.5))


def _is_top(place: str) -> bool:
    return "top" in place or "upper" in place


def _is_bottom(place: str) -> bool:
    return "bottom" in place or "lower" in place


def _is_center(place: str) -> bool:
    return place in ("center", "middle")
