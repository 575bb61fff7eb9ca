"""The outlines of shapes and arrows, drawn as coverage."""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats

_FINE = 4  # number of fractional bits of a coordinate in OpenCV's drawing functions

# An array of points, count x 2 (x, y), in a box from -1 to 1.
type Corners = Floats


def _points(*pairs: tuple[float, float]) -> Corners:
    return np.array(pairs, np.float32)


def _around(count: int) -> Corners:
    """Return points on a circle, clockwise from the top."""
    angles = np.arange(count) * (2 * np.pi / count)
    return np.stack([np.sin(angles), -np.cos(angles)], axis=1).astype(np.float32)


def _star() -> Corners:
    corners = _around(10)
    corners[1::2] *= 0.42
    return _stretched(corners)


def _heart() -> Corners:
    t = np.linspace(0, 2 * np.pi, 180, endpoint=False)
    down = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    return _stretched(np.stack([np.sin(t) ** 3, down], axis=1).astype(np.float32))


def _stretched(corners: Corners) -> Corners:
    """Return the corners of a shape, scaled so that they touch all four sides of a box from -1 to 1."""
    low, high = corners.min(0), corners.max(0)
    return cast(Corners, (corners - low) / (high - low) * 2 - 1)


CLOSED: dict[str, Corners] = {
    "circle": _around(180),
    "ellipse": _around(180),
    "rectangle": _points((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "square": _points((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "star": _star(),
    "heart": _heart(),
    "triangle": _points((0, -1), (1, 1), (-1, 1)),
}
OPEN: dict[str, tuple[Corners, ...]] = {
    "line": (_points((-1, 0), (1, 0)),),
    "cross": (_points((-1, -1), (1, 1)), _points((1, -1), (-1, 1))),
    "check": (_points((-1, 0.2), (-0.35, 1), (1, -1)),),
}


def fill_outline(corners: Corners, width: int, height: int) -> Floats:
    """Return the coverage (height x width, 0 to 1) of the area inside an outline."""
    sheet = np.zeros((height, width), np.uint8)
    cv2.fillPoly(sheet, [_scaled(corners, width, height, 0)], 255, cv2.LINE_AA, _FINE)
    return sheet * np.float32(1 / 255)


def stroked(lines: tuple[Corners, ...], width: int, height: int, stroke: int, *, closed: bool) -> Floats:
    """Return the coverage (height x width, 0 to 1) of lines that are `stroke` pixels thick.

    The lines are scaled so that no part of a stroke is cut off.
    """
    sheet = np.zeros((height, width), np.uint8)
    scaled = [_scaled(line, width, height, stroke / 2) for line in lines]
    cv2.polylines(sheet, scaled, closed, 255, stroke, cv2.LINE_AA, _FINE)
    return sheet * np.float32(1 / 255)


def _scaled(corners: Corners, width: int, height: int, inset: float) -> np.typing.NDArray[np.int32]:
    """Return a shape's corners in OpenCV's fixed-point coordinates, where integers are pixel centers."""
    middle = np.array([width - 1, height - 1], np.float32) / 2
    reach = np.maximum(middle - inset, 0)
    return cast(
        np.typing.NDArray[np.int32], ((middle + corners * reach) * (1 << _FINE)).round().astype(np.int32)
    )
