"""Fill the place of a removed object with the colors and the grain of the calm background around it."""

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.drawing.gaussian import blurred
from editor.engine.masks import enlarged_rows
from editor.engine.operations.color.noise import noise_of
from editor.engine.pixels import copy_size, strips, top_value
from editor.imaging.picture import Bytes, Pixels

# Longer side, in pixels, of the working copy on which surrounding colors fill the hole.
_WORKING_PIXELS = 800
# Sigmas of the blurs that fill the hole, in pixels of the working copy.
_REACHES = (48.0, 24.0, 12.0, 6.0, 3.0, 1.5)
_KNOWN = 0.3  # minimum share of known pixels nearby at which their mean color is fully trusted


def fill_smooth_ground(pixels: Pixels, hole: Bytes, seed: int) -> Pixels:
    """Return the pixels with the hole (0/1) filled with the surrounding colors and the photo's grain.

    Pixels outside the hole do not change.
    """
    top = top_value(pixels)
    course = _course(pixels, hole)
    noise = np.float32(noise_of(pixels))
    random = np.random.default_rng(seed)
    result = pixels.copy()
    for rows in strips(hole.shape[0]):
        inside = hole[rows] == 1
        colors = enlarged_rows(course, rows, *hole.shape)[inside]
        grain = random.standard_normal(len(colors), np.float32)[:, None] * noise
        result[rows, :, :3][inside] = (np.clip(colors + grain, 0, 1) * top + 0.5).astype(pixels.dtype)
    return result


def _course(pixels: Pixels, hole: Bytes) -> Floats:
    """Return the smoothed colors of a working copy (0 to 1), with the hole filled from known nearby colors.

    The method is that of Knutsson and Westin, "Normalized and differential convolution", 1993.
    """
    size = copy_size(_WORKING_PIXELS, *hole.shape[::-1])
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)[:, :, :3] * np.float32(
        1 / top_value(pixels)
    )
    lost = cv2.resize(hole.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0
    known = (~lost).astype(np.float32)[:, :, None]
    usual = np.median(small[~lost], 0) if known.any() else np.full(3, 0.5)
    return spread_known(small, known[:, :, 0], np.broadcast_to(usual, small.shape).astype(np.float32))


def spread_known(colors: Floats, known: Floats, elsewhere: Floats) -> Floats:
    """Return the smoothed known colors, which continue where nothing is known.

    `known` is a mask (0/1), and `elsewhere` are the colors far from all known pixels.
    """
    course, seen = elsewhere, colors * known[:, :, None]
    for reach in _REACHES:
        weight = blurred(known, reach)[:, :, None]
        near = blurred(seen, reach) / np.maximum(weight, 1e-4)
        trust = np.clip(weight / _KNOWN, 0, 1)
        course = trust * near + (1 - trust) * course
    return course
