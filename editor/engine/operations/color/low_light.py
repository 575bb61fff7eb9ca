"""Brighten photos that are too dark, and then reduce their noise.

Guo, Li and Ling, "LIME: low-light image enhancement via illumination map estimation", 2017, in its simplest
form: the brightest of the three colors, smoothed up to the edges of things, is the illumination.
"""

import numpy as np

from editor.engine.colors import Floats, scale_saturation
from editor.engine.operations.color.noise import denoise, noise_of
from editor.engine.operations.color.selective import tone
from editor.engine.pixels import working_copy
from editor.engine.targets.masks import map_strips_with, refine_mask
from editor.imaging.picture import Picture, Pixels

_WORKING_PIXELS = 800  # Longer side, in pixels, of the copy on which the light is measured.
_MOST = 4.0  # Maximum gain: beyond it there is nothing but noise.
_WANTED = 0.56  # Illumination in the middle range of a photo taken by day.
# Saturation lost as the gain rises. Otherwise, brightened dark colors would look stronger than in reality.
_PALER = 0.09
_REACH = 0.03  # Radius of the guided filter, as a share of the longest side.
_EDGE_VARIANCE = 0.004  # Variance from which a step in light is an edge.


@tone
def low_light(pixels: Pixels, amount: float) -> Pixels:
    """Brighten a dark photo and remove its noise.

    At amount 1, the middle of the photo is as bright as by day, if the noise allows it.
    """
    illumination = _illumination(pixels)
    power = 1 - abs(amount) ** 0.6 * (1 - _full_power(illumination))
    gains = np.minimum(np.maximum(illumination, 1e-3) ** (power - 1), _MOST).astype(np.float32)
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
    """Return the exponent that brings the middle to the wanted illumination.

    A photo that is bright enough changes only slightly.
    """
    middle = float(np.clip(np.percentile(illumination, 60), 0.02, 0.98))
    return float(np.clip(np.log(_WANTED) / np.log(middle), 0.35, 0.85))


def _without_clipping(colors: Floats, gain: Floats) -> Floats:
    """Return the colors times the gain; the brightest channel rolls off at white, and the hue is kept."""
    brightest = colors.max(2)
    reached = gain * brightest
    over = np.maximum(reached - np.float32(0.8), 0)
    bent = np.minimum(reached, 0.8) + 0.2 * over / (over + np.float32(0.2))
    bent = np.maximum(bent, brightest).astype(np.float32)
    lighter = colors * (bent / np.maximum(brightest, np.float32(1e-4)))[:, :, None]
    return scale_saturation(lighter, 1 - np.float32(_PALER) * np.clip(gain - 1, 0, 2)[:, :, None])
