"""Places in a photo: "left", "top right", "center"."""

import numpy as np

from editor.engine.canvas import Box
from editor.engine.colors import Floats
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
