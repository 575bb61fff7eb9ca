"""Separate the inside of a thing from the outside with grabCut, starting from a guess."""

import cv2
import numpy as np

from editor.imaging.picture import Bytes


def run_grabcut(small: Bytes, hints: Bytes, rounds: int) -> Bytes:
    """Return a 0/1 mask of the inside of a thing after the given number of grabCut iterations.

    `hints` is the starting point, a map of cv2.GC_* values. GrabCut is from Rother, Kolmogorov, and Blake,
    2004.
    """
    labels = hints.copy()
    if not np.isin(labels, (cv2.GC_FGD, cv2.GC_PR_FGD)).any() or (labels == cv2.GC_FGD).all():
        return np.zeros(small.shape[:2], np.uint8)
    if not np.isin(labels, (cv2.GC_BGD, cv2.GC_PR_BGD)).any():
        return np.ones(small.shape[:2], np.uint8)
    cv2.setRNGSeed(0)  # GrabCut starts from random samples, so a fixed seed makes the result repeatable.
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(small, labels, None, *models, rounds, cv2.GC_INIT_WITH_MASK)  # type: ignore[call-overload]
    return np.isin(labels, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
