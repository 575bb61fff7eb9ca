"""Find the main colors of a thing."""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.masks import BoolMask

# K-means stops after 20 iterations, or earlier if the centers move less than 1e-4.
_TERMINATION = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 20, 1e-4)


def shades_of(lab: Floats, inside: BoolMask, *, count: int, light: float) -> tuple[NDArray[np.intp], Floats]:
    """Find at most `count` main colors of the pixels in the mask `inside`.

    Return the number of the main color of each pixel inside the mask, and the main colors (n x 3). The colors
    are OKLab values whose lightness is weighted by `light`, because things have light and shade.
    """
    return few_colors(lab[inside] * np.array((light, 1, 1), np.float32), count)


def few_colors(colors: Floats, count: int) -> tuple[NDArray[np.intp], Floats]:
    """Cluster colors (n x 3) into at most `count` main colors.

    Return the number of each color's main color, and the main colors.
    """
    samples, none = np.ascontiguousarray(colors, np.float32), cast(NDArray[np.int32], None)
    cv2.setRNGSeed(0)  # K-means starts from random samples, so a fixed seed makes the result repeatable.
    count = min(count, len(samples))
    _, labels, centers = cv2.kmeans(samples, count, none, _TERMINATION, 1, cv2.KMEANS_PP_CENTERS)
    return np.asarray(labels, np.intp).ravel(), centers
