"""Find a material by its hue, in light and shade."""

from typing import NamedTuple

import cv2
import numpy as np

from editor.engine.colors import Floats, chroma_of, hue_of, hues_apart
from editor.engine.masks import BoolMask, opened
from editor.imaging.picture import Bytes

# Maximum difference from the main hue, in degrees, at which a pixel fully belongs to the material.
MAX_SAME_HUE_DEGREES = 14.0
# Difference from the main hue, in degrees, beyond which a pixel is a different material.
MIN_OTHER_HUE_DEGREES = 24.0
# Ratio of chroma to lightness, as a share of the material's usual ratio. A pixel at the first value is not
# the material, and a pixel at the second value is.
_SATURATION_RANGE = (0.35, 0.55)
# Maximum difference from the main hue, in degrees, and minimum relative ratio of chroma to lightness. Both
# apply to pixels at the edge of a material, which are mixed with other colors.
_MAX_MIXED_DEGREES, _MIN_MIXED_SATURATION = 32.0, 0.15

# Sigma of the blur that removes grain before edges are searched, as a share of the longer side.
_GRAIN_SIGMA = 1 / 1200


class Material(NamedTuple):
    """A `mask` of how much each pixel of a copy belongs to a material, from 0 to 1.

    `possible` marks all pixels that may be the material. `sure` marks the pixels that certainly are the
    material; it is None for a material without a hue.
    """

    mask: Floats
    possible: BoolMask
    sure: BoolMask | None = None


def material_of_hue(lab: Floats, main: float, seeds: BoolMask, *, spread: float = 0.0) -> Material:
    """Return the pixels of the material that has a hue, in light and shade.

    The chroma of a material is roughly proportional to its lightness, so the ratio of chroma to lightness is
    compared. `spread` is how much further than usual the hues of the material may differ, in degrees.
    """
    ratio = saturation_of(lab)
    usual = max(float(np.median(ratio[seeds])), 1e-3)
    difference = np.maximum(hues_apart(hue_of(lab), main) - np.float32(spread), 0)
    near = np.clip(
        (MIN_OTHER_HUE_DEGREES - difference) / (MIN_OTHER_HUE_DEGREES - MAX_SAME_HUE_DEGREES), 0, 1
    )
    low, high = (share * usual for share in _SATURATION_RANGE)
    likely = near * np.clip((ratio - low) / (high - low), 0, 1)
    # Pixels at an edge are mixed with other colors. These pixels are included, so that no rim of the old
    # color remains.
    core = opened((likely > 0.5).astype(np.uint8), 3)
    edge = cv2.dilate(core, np.ones((5, 5), np.uint8)) == 1
    is_mixed = (difference < _MAX_MIXED_DEGREES) & (ratio > _MIN_MIXED_SATURATION * usual)
    mask = cv2.GaussianBlur(np.maximum(likely, edge & is_mixed).astype(np.float32), (0, 0), 0.7)
    is_sure = (difference < MAX_SAME_HUE_DEGREES) & (ratio > high)
    return Material(mask, near.astype(bool) & (ratio > high), is_sure)


def watershed_masks(small: Bytes, sure: BoolMask, other: BoolMask) -> tuple[BoolMask, BoolMask]:
    """Extend the masks of two materials until they meet at edges in the photo (the watershed transform).

    Return the mask of the first material and the mask of the lines between the materials.
    """
    markers = np.where(sure, 1, np.where(other, 2, 0)).astype(np.int32)
    cv2.watershed(cv2.GaussianBlur(small, (0, 0), _GRAIN_SIGMA * max(small.shape)), markers)
    return markers == 1, markers == -1


def saturation_of(lab: Floats) -> Floats:
    """Return the ratio of chroma to lightness of OKLab colors, which is about the same in light and shade."""
    return chroma_of(lab) / np.maximum(lab[:, :, 0], np.float32(0.08))


def mean_hue(lab: Floats, where: BoolMask) -> float:
    """Return the hue of the mean color of an area, in degrees."""
    a, b = (float(lab[:, :, channel][where].mean()) for channel in (1, 2))
    return float(np.degrees(np.arctan2(b, a))) % 360
