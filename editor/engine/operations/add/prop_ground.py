"""Where a photo shows ground that a prop may stand on: not on walls, leaves, or what is too dark to see."""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.imaging.codecs import Bytes

SIDE = 240
"""Pixels of the longer side of the copy that ground is looked for on."""
_AROUND = 5.0  # pixels: the standard deviation of the window that texture is measured in
_ROUGH = 82.0  # of Sobel's sum across and down, mostly: leaves and bricks have more
_UPRIGHT = 0.6  # of it across: walls and windows have more, ground in perspective less
_FAINT = 20.0  # so little of it tells no direction
_DARK = 26.0  # of 255
_DOWN = 0.85  # of the way from a foot to the lower edge: so much of it is ground


def find_ground(small: Bytes) -> Bytes:
    """Where something may stand, as far as texture tells (0/1): even, lit, and so down to the lower edge."""
    light = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32)
    across, down = (_mostly(np.abs(cv2.Sobel(light, cv2.CV_32F, *way))) for way in ((1, 0), (0, 1)))
    is_even = (across + down < _ROUGH) & (across < _UPRIGHT * (across + down + _FAINT))
    even = (is_even & (_mostly(light) > _DARK)).astype(np.float32)
    counted = np.arange(len(even), 0, -1, dtype=np.float32)[:, None]
    share = np.cumsum(even[::-1], 0)[::-1] / counted
    return cast(Bytes, ((even > 0) & (share > _DOWN)).astype(np.uint8))


def _mostly(values: Floats) -> Floats:
    return cv2.GaussianBlur(values, (0, 0), _AROUND)
