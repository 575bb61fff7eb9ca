"""The few colors that something is of."""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats

_ENDS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 20, 1e-4)


def shades_of(
    lab: Floats, inside: NDArray[np.bool_], *, count: int, light: float
) -> tuple[NDArray[np.intp], Floats]:
    """The number of a color for each pixel inside, and the colors (n x 3), at most `count`: OKLab with its
    lightness counted `light` times, for things have light and shade."""
    samples = np.ascontiguousarray(lab[inside] * np.array((light, 1, 1), np.float32))
    cv2.setRNGSeed(0)  # k-means starts from random samples
    none = cast(NDArray[np.int32], None)
    count = min(count, len(samples))
    _, labels, centers = cv2.kmeans(samples, count, none, _ENDS, 1, cv2.KMEANS_PP_CENTERS)
    return np.asarray(labels, np.intp).ravel(), cast(Floats, centers)
