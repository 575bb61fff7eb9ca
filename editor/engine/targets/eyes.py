"""Finds irises in a box. Irises are round, contain a dark pupil, and differ from fur or skin in hue."""

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
_OTHER = 0.014  # minimum OKLab distance between an iris and the hue of its surroundings
_RATHER = 0.5
"""Minimum distance between a pixel in an eye and the surrounding hue, as a share of an iris's minimum."""
_LEAST_IRIS_LIGHT = 0.2  # minimum OKLab lightness of an iris
_MOST_PUPIL_LIGHT = 0.34  # maximum OKLab lightness of a pupil
_LEAST_EYE = 0.012  # minimum share of a box that one eye covers
_MOST_EYE = 0.7  # maximum share of a box that one eye covers
_ROUND = 0.55  # minimum area of an iris, as a share of the circle around it
_LEAST_PUPIL = 0.04  # minimum share of an eye that its pupil covers
_MOST_PUPIL = 0.6  # maximum share of an eye that its pupil covers
_ALIKE = 0.3  # minimum area of the second eye, as a share of the larger eye's area
_CENTRAL = 0.6  # maximum distance of a pupil from the center of its eye, as a share of the eye's radius


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
    iris = (difference > max(_OTHER, _otsu_threshold(difference))) & (lab[:, :, 0] > _LEAST_IRIS_LIGHT)
    eyes = _iris_circles(iris.astype(np.uint8), lab[:, :, 0])
    if len(eyes) < 1 + both:
        return None
    own = (
        (np.maximum.reduce(eyes) == 1) & (difference > _RATHER * _OTHER) & (lab[:, :, 0] > _LEAST_IRIS_LIGHT)
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
        is_round = hull.sum() > _ROUND * np.pi * radius**2
        rows, columns = np.nonzero((hull == 1) & (light < _MOST_PUPIL_LIGHT))
        has_pupil = _LEAST_PUPIL < len(rows) / hull.sum() < _MOST_PUPIL
        has_pupil = has_pupil and np.hypot(rows.mean() - y, columns.mean() - x) < _CENTRAL * radius
        if _LEAST_EYE < hull.mean() < _MOST_EYE and is_round and has_pupil:
            circle = cv2.circle(np.zeros_like(iris), (round(x), round(y)), round(radius), 1, -1)
            eyes.append((cv2.contourArea(outline), cast(Bytes, circle)))
    eyes.sort(key=lambda eye: -eye[0])
    return [circle for area, circle in eyes[:2] if area > _ALIKE * eyes[0][0]]
