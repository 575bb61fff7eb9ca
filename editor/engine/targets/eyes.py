"""Find irises in a box.

Irises are round, contain a dark pupil, and differ from fur or skin in hue.
"""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, oklab_from_8_bit
from editor.engine.pixels import Box
from editor.engine.targets.outlines import part_of
from editor.imaging.picture import Bytes

EYE_NOUNS = frozenset({"eye", "eyes", "iris", "irises"})
_WORKING_PIXELS = 320  # longer side, in pixels, of the working copy of an examined box
_MIN_IRIS_DIFFERENCE = 0.014  # minimum OKLab distance between an iris and the hue of its surroundings
# Minimum distance between a pixel in an eye and the surrounding hue, as a share of an iris's minimum.
_MIN_PIXEL_DIFFERENCE_SHARE = 0.5
_MIN_IRIS_LIGHTNESS = 0.2  # minimum OKLab lightness of an iris
_MAX_PUPIL_LIGHTNESS = 0.34  # maximum OKLab lightness of a pupil
_MIN_EYE_SHARE = 0.012  # minimum share of a box that one eye covers
_MAX_EYE_SHARE = 0.7  # maximum share of a box that one eye covers
_MIN_ROUNDNESS = 0.55  # minimum area of an iris, as a share of the circle around it
_MIN_PUPIL_SHARE = 0.04  # minimum share of an eye that its pupil covers
_MAX_PUPIL_SHARE = 0.6  # maximum share of an eye that its pupil covers
_MIN_SECOND_EYE_AREA = 0.3  # minimum area of the second eye, as a share of the larger eye's area
# Maximum distance of a pupil from the center of its eye, as a share of the eye's radius.
_MAX_PUPIL_OFFSET = 0.6


def eyes_mask(canvas: Canvas, box: Box, *, both: bool) -> Floats | None:
    """Return a mask, at the size of the box, of the one or two irises in the box.

    If `both` is true, two irises are required. Return None if the irises are uncertain.
    """
    part = part_of(canvas.picture, box)
    scale = _WORKING_PIXELS / max(box.width, box.height)
    size = max(1, round(box.width * scale)), max(1, round(box.height * scale))
    small = cast(Bytes, cv2.resize(part.pixels[:, :, :3], size, interpolation=cv2.INTER_AREA))
    lab = cv2.GaussianBlur(oklab_from_8_bit(small), (0, 0), 2.0)
    difference = _difference_from_rim(lab)
    iris = (difference > max(_MIN_IRIS_DIFFERENCE, _otsu_threshold(difference))) & (
        lab[:, :, 0] > _MIN_IRIS_LIGHTNESS
    )
    eyes = _iris_circles(iris.astype(np.uint8), lab[:, :, 0])
    if len(eyes) < 1 + both:
        return None
    own = (
        (np.maximum.reduce(eyes) == 1)
        & (difference > _MIN_PIXEL_DIFFERENCE_SHARE * _MIN_IRIS_DIFFERENCE)
        & (lab[:, :, 0] > _MIN_IRIS_LIGHTNESS)
    )
    soft = cv2.GaussianBlur(own.astype(np.float32), (0, 0), 1.5)
    return cast(Floats, cv2.resize(soft, (box.width, box.height), interpolation=cv2.INTER_LINEAR))


def _difference_from_rim(lab: Floats) -> Floats:
    """Return the distance of each color, in OKLab a and b, from the hue at the sides of the box."""
    rim = np.concatenate([lab[:3].reshape(-1, 3), lab[-3:].reshape(-1, 3), lab[:, :3].reshape(-1, 3)])
    a, b = (float(np.median(rim[:, at])) for at in (1, 2))
    return np.abs(lab[:, :, 1] * b - lab[:, :, 2] * a) / max(float(np.hypot(a, b)), 1e-3)


def _otsu_threshold(difference: Floats) -> float:
    """Return Otsu's threshold between the color distances of the eyes and those of the rest of the box."""
    top = max(float(difference.max()), 1e-6)
    level, _ = cv2.threshold((difference * (255 / top)).astype(np.uint8), 0, 255, cv2.THRESH_OTSU)
    return level * top / 255


def _iris_circles(iris: Bytes, light: Floats) -> list[Bytes]:
    """Return 0/1 masks of circles around the largest round piece that has a pupil and around a second one.

    The second piece is included only if it has a similar size.
    """
    outlines, _ = cv2.findContours(iris, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    eyes = []
    for outline in outlines:
        hull = cv2.fillConvexPoly(np.zeros_like(iris), cv2.convexHull(outline), 1)
        (x, y), radius = cv2.minEnclosingCircle(outline)
        is_round = hull.sum() > _MIN_ROUNDNESS * np.pi * radius**2
        rows, columns = np.nonzero((hull == 1) & (light < _MAX_PUPIL_LIGHTNESS))
        has_pupil = _MIN_PUPIL_SHARE < len(rows) / hull.sum() < _MAX_PUPIL_SHARE
        has_pupil = has_pupil and np.hypot(rows.mean() - y, columns.mean() - x) < _MAX_PUPIL_OFFSET * radius
        if _MIN_EYE_SHARE < hull.mean() < _MAX_EYE_SHARE and is_round and has_pupil:
            circle = cv2.circle(np.zeros_like(iris), (round(x), round(y)), round(radius), 1, -1)
            eyes.append((cv2.contourArea(outline), cast(Bytes, circle)))
    eyes.sort(key=lambda eye: -eye[0])
    return [circle for area, circle in eyes[:2] if area > _MIN_SECOND_EYE_AREA * eyes[0][0]]
