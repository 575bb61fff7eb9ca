"""Brighten photos that are too dark and reduce their noise.

The method is that of Guo, Li and Ling, "LIME: low-light image enhancement via illumination map estimation",
2017, in its simplest form. The illumination of a pixel is the value of its brightest color channel, smoothed
but kept sharp at edges.
"""

import numpy as np

from editor.engine.colors import Floats, scale_saturation
from editor.engine.masks import map_strips_with, refine_mask
from editor.engine.operations.color.noise import denoise, noise_of
from editor.engine.operations.color.selective import tone
from editor.engine.pixels import working_copy
from editor.imaging.picture import Picture, Pixels

_WORKING_PIXELS = 800  # longer side, in pixels, of the copy on which illumination is measured
_MAX_GAIN = 4.0  # maximum gain for dark areas; a higher gain would show nothing but noise
_WANTED = 0.56  # desired illumination (0 to 1) of the midtones of a photo, which is typical of daylight
_PALER = 0.09  # saturation removed per unit of gain above 1, because brightened colors look too strong
_REACH = 0.03  # radius of the guided filter, as a share of the photo's longest side
# Variance of brightness from which an area counts as containing an edge.
_EDGE_VARIANCE = 0.004


@tone
def low_light(pixels: Pixels, amount: float) -> Pixels:
    """Brighten a dark photo and remove its noise.

    At amount 1, the midtones become about as bright as in daylight, unless that would exceed the maximum
    gain.
    """
    illumination = _illumination(pixels)
    power = 1 - abs(amount) ** 0.6 * (1 - _full_power(illumination))
    gains = np.minimum(np.maximum(illumination, 1e-3) ** (power - 1), _MAX_GAIN).astype(np.float32)
    lighter = map_strips_with(pixels, _without_clipping, gains)
    lifted = float(np.log2(np.median(gains)))
    strength = min(1.0, 0.35 * lifted) if noise_of(lighter) > 0.008 else 0.0
    return denoise(lighter, strength) if strength > 0.05 else lighter


def _illumination(pixels: Pixels) -> Floats:
    small = working_copy(Picture(pixels), _WORKING_PIXELS)
    brightest = small.max(2) * np.float32(1 / 255)
    radius = max(2, round(_REACH * max(brightest.shape)))
    smooth = refine_mask(brightest, small, radius, _EDGE_VARIANCE)
    return np.clip(smooth, 0.01, 1)


def _full_power(illumination: Floats) -> float:
    """Return the exponent that brings the midtones to the desired illumination.

    A photo that is already bright changes only slightly.
    """
    middle = float(np.clip(np.percentile(illumination, 60), 0.02, 0.98))
    return float(np.clip(np.log(_WANTED) / np.log(middle), 0.35, 0.85))


def _without_clipping(colors: Floats, gain: Floats) -> Floats:
    """Return the colors multiplied by the gain.

    Bright values roll off below white, and hues do not change.
    """
    brightest = colors.max(2)
    reached = gain * brightest
    over = np.maximum(reached - np.float32(0.8), 0)
    bent = np.minimum(reached, 0.8) + 0.2 * over / (over + np.float32(0.2))
    bent = np.maximum(bent, brightest).astype(np.float32)
    lighter = colors * (bent / np.maximum(brightest, np.float32(1e-4)))[:, :, None]
    return scale_saturation(lighter, 1 - np.float32(_PALER) * np.clip(gain - 1, 0, 2)[:, :, None])
