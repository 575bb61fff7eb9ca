"""Provide measures that distinguish a good cutout from a bad one."""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import cielab, ramp
from editor.engine.masks import frame_coverage, local_mean
from editor.imaging.picture import Bytes

# Minimum share of both the left edge and the right edge that an area must cover to extend across the photo.
_MIN_SHARE_OF_SIDES = 0.05
# Number of the coarse colors that `color_bins` distinguishes.
COLOR_BINS = 11 * 22 * 22
_MIN_COLOR_DIFFERENCE = 10.0  # minimum CIE 1976 color difference at which two colors count as different


def plausibility(solid: Bytes, *, has_person: bool = False) -> float:
    """Return how likely a cutout is to be a subject, from 0 to 1, judged by its size and position.

    A person who was detected with certainty may fill the photo. The bounds were chosen by eye on 19 photos.
    """
    area, frame = float(solid.mean()), frame_coverage(solid)
    if has_person:
        return min(ramp(area, 0.003, 0.015), ramp(area, 0.95, 0.8), ramp(frame, 0.92, 0.72))
    # Hills and tables extend from the left edge to the right edge, but subjects do not.
    is_wide = min(float(solid[:, 0].mean()), float(solid[:, -1].mean())) > _MIN_SHARE_OF_SIDES
    return 0.0 if is_wide else min(ramp(area, 0.003, 0.015), ramp(area, 0.85, 0.6), ramp(frame, 0.6, 0.3))


def color_overlap(small: Bytes, solid: Bytes) -> float:
    """Return the Bhattacharyya coefficient, from 0 to 1, of the colors on both sides of the outline."""
    side = max(5, round(0.06 * max(solid.shape)))
    near = np.ones((side, side), np.uint8)
    band = cv2.morphologyEx(solid, cv2.MORPH_GRADIENT, near) == 1
    inside = solid[band] == 1
    if not inside.any() or inside.all():
        return 1.0
    bins = color_bins(small)[band]
    return bhattacharyya_coefficient(bins[inside], bins[~inside])


def color_bins(small: Bytes) -> NDArray[np.intp]:
    """Return, for each pixel, the number of its coarse CIELAB color."""
    lab = cv2.cvtColor(small, cv2.COLOR_RGB2LAB) // np.array([24, 12, 12], np.uint8)
    return cast(NDArray[np.intp], lab.astype(np.intp) @ np.array([22 * 22, 22, 1]))


def bhattacharyya_coefficient(one: NDArray[np.intp], other: NDArray[np.intp]) -> float:
    """Return the Bhattacharyya coefficient, from 0 to 1, of two sets of coarse colors."""
    if not one.size or not other.size:
        return 0.0
    first, second = (np.bincount(bins, minlength=COLOR_BINS) / bins.size for bins in (one, other))
    return float(np.sqrt(first * second).sum())


def outline_contrast(small: Bytes, solid: Bytes) -> float:
    """Return the share of the outline at which the colors on both sides differ.

    The frame of the photo does not count.
    """
    lab = cielab(small)
    inside, outside = local_mean(lab, solid, 9), local_mean(lab, 1 - solid, 9)
    outline = cv2.morphologyEx(solid, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    outline[[0, -1]] = outline[:, [0, -1]] = False
    difference = np.linalg.norm(inside - outside, axis=2)[outline]
    return float((difference > _MIN_COLOR_DIFFERENCE).mean()) if difference.size else 0.0
