"""Measure saliency with robust background detection over superpixels.

A region that touches much of the frame for its size is background, and anything that differs from all
background is salient. Zhu, Liang, Wei, and Sun, "Saliency optimization from robust background detection",
2014.
"""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats, cielab, normalize
from editor.engine.masks import means_of
from editor.imaging.picture import Bytes

_SUPERPIXELS = 260  # approximate number of superpixels
_BLUR_SIGMA = 1.5  # sigma, in pixels of the working copy, of the blur before a place is chosen
_MIN_SIDE_PIXELS = 12  # minimum width and height of a picture, in pixels; OpenCV crashes on smaller ones


def saliency_map_for_places(small: Bytes) -> Floats:
    """Return how much each pixel of a working copy stands out, from 0 to 1, for the choice of a place.

    The copy is blurred first, because fine details depend on the size and the format of the photo. A preview
    must find the same place as the edit.
    """
    return saliency_map(cast(Bytes, cv2.GaussianBlur(small, (0, 0), _BLUR_SIGMA)))


def saliency_map(small: Bytes) -> Floats:
    """Return how much each pixel of a working copy (RGB, about 480 pixels a side) stands out, from 0 to 1."""
    if min(small.shape[:2]) < _MIN_SIDE_PIXELS:
        return np.ones(small.shape[:2], np.float32)
    labels, count = _superpixels(small)
    if count < 8:
        return np.ones(small.shape[:2], np.float32)
    places = np.moveaxis(np.indices(labels.shape), 0, 2) / max(labels.shape)
    colors, middles = (means_of(values, labels, count) for values in (cielab(small), places))
    color_distance = np.linalg.norm(colors[:, None] - colors[None], axis=2)
    frame = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    adjacent = _adjacency(labels, count)
    # Join the superpixels at the frame, so that an object in the center does not divide the background.
    adjacent[np.ix_(frame, frame)] = True
    background = _background_weight(frame, np.where(adjacent, color_distance, np.inf))
    contrast = _contrast(color_distance, middles, background)
    salient = _optimize(contrast, background, color_distance, adjacent)
    return salient.astype(np.float32)[labels]


def _superpixels(small: Bytes) -> tuple[NDArray[np.int32], int]:
    lab = cv2.cvtColor(small, cv2.COLOR_RGB2LAB)
    side = max(4, round((small.shape[0] * small.shape[1] / _SUPERPIXELS) ** 0.5))
    slic = cv2.ximgproc.createSuperpixelSLIC(lab, cv2.ximgproc.SLICO, side)
    slic.iterate(6)
    slic.enforceLabelConnectivity(25)
    return cast(NDArray[np.int32], slic.getLabels()), int(slic.getNumberOfSuperpixels())


def _adjacency(labels: NDArray[np.int32], count: int) -> NDArray[np.bool_]:
    adjacent = np.zeros((count, count), bool)
    for one, other in ((labels[:, 1:], labels[:, :-1]), (labels[1:], labels[:-1])):
        adjacent[one, other] = adjacent[other, one] = True
    return adjacent


def _background_weight(frame: NDArray[np.int32], steps: Floats) -> Floats:
    """Return the background weight of each superpixel (sections 3.1 and 3.2 of the paper).

    The weight is larger if the region connected to the superpixel touches more of the frame.
    """
    near = np.exp(-(_shortest_paths(steps) ** 2) / (2 * 10.0**2))
    area = near.sum(1)
    border = near[:, frame].sum(1)
    return 1 - np.exp(-((border / np.sqrt(area)) ** 2) / 2)


def _shortest_paths(steps: Floats) -> Floats:
    """Return the lengths of the shortest paths between all superpixels (Floyd-Warshall)."""
    paths = steps.copy()
    np.fill_diagonal(paths, 0)
    for via in range(len(paths)):
        np.minimum(paths, paths[:, via, None] + paths[None, via], out=paths)
    return paths


def _contrast(color_distance: Floats, places: Floats, background: Floats) -> Floats:
    distance = np.linalg.norm(places[:, None] - places[None], axis=2)
    contrast = (color_distance * np.exp(-(distance**2) / (2 * 0.4**2)) * background[None]).sum(1)
    middle = (places.max(0) + places.min(0)) / 2
    off_center = np.linalg.norm(places - middle, axis=1)
    return normalize(contrast * np.exp(-(off_center**2) / (2 * 0.4**2)))


def _optimize(
    contrast: Floats, background: Floats, color_distance: Floats, adjacent: NDArray[np.bool_]
) -> Floats:
    """Return the saliency of each superpixel as a least-squares solution (section 4 of the paper).

    The minimized cost has terms for the background, the foreground, and smoothness.
    """
    smooth = np.where(adjacent, np.exp(-(color_distance**2) / (2 * 10.0**2)) + 0.1, 0)
    np.fill_diagonal(smooth, 0)
    system = np.diag(background + contrast + smooth.sum(1)) - smooth
    return normalize(np.linalg.solve(system + np.eye(len(system)) * 1e-6, contrast))
