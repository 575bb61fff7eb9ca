"""A Gaussian blur whose cost does not grow with its width."""

from typing import cast

import cv2

from editor.engine.colors import Floats
from editor.imaging.codecs import Bytes

_SIGMA = 4.0  # in pixels of the small copy that wider blurs are made on


def blurred[Values: (Floats, Bytes)](values: Values, sigma: float) -> Values:
    """The values, height x width (x channels), blurred by `sigma` pixels; wide blurs are good to about 1%."""
    soft, size = softly_small(values, sigma), (values.shape[1], values.shape[0])
    if soft.shape[:2] == values.shape[:2]:
        return soft
    return cast(Values, cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR))


def softly_small[Values: (Floats, Bytes)](values: Values, sigma: float) -> Values:
    """As `blurred`, but on a smaller copy where the blur is wide."""
    height, width = values.shape[:2]
    scale = min(1.0, _SIGMA / max(sigma, 1e-3))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if scale > 0.5 or min(size) < 2:
        return cast(Values, cv2.GaussianBlur(values, (0, 0), max(0.3, sigma)))
    small = cv2.resize(values, size, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), sigma * size[0] / width, sigmaY=sigma * size[1] / height)
    return cast(Values, soft)
