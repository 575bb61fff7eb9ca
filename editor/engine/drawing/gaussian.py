"""A Gaussian blur whose computing time does not grow with its width."""

import cv2

from editor.engine.colors import Floats

# Standard deviation of wide blurs, in pixels of the smaller copy on which they are computed.
_COPY_SIGMA = 4.0


def blurred(values: Floats, sigma: float) -> Floats:
    """Return an array (height x width, or height x width x channels) blurred by `sigma` pixels.

    Wide blurs are computed on a smaller copy and are accurate to about 1%.
    """
    soft, size = blur_downscaled(values, sigma), (values.shape[1], values.shape[0])
    if soft.shape[:2] == values.shape[:2]:
        return soft
    return cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR)


def blur_downscaled(values: Floats, sigma: float) -> Floats:
    """Return the result of `blurred`, but if the blur is wide, at the size of the smaller copy."""
    height, width = values.shape[:2]
    scale = min(1.0, _COPY_SIGMA / max(sigma, 1e-3))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if scale > 0.5 or min(size) < 2:
        return cv2.GaussianBlur(values, (0, 0), max(0.3, sigma))
    small = cv2.resize(values, size, interpolation=cv2.INTER_AREA)
    return cv2.GaussianBlur(small, (0, 0), sigma * size[0] / width, sigmaY=sigma * size[1] / height)
