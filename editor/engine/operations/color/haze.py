"""Remove or add haze, which is light that the air scatters in front of distant objects.

The method is that of He, Sun and Tang, "Single image haze removal using dark channel prior", 2011.
"""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats, ramp, scale_saturation
from editor.engine.masks import map_strips_with, refine_mask
from editor.engine.operations.color.selective import tone
from editor.engine.pixels import working_copy
from editor.imaging.picture import Bytes, Picture, Pixels

_WORKING_PIXELS = 600  # longer side, in pixels, of the copy on which haze is measured
_PATCH = 0.016  # Patch size, as a share of the longest side. In clear air, each patch has a dark pixel.
# Minimum share of light that is assumed to pass through the haze; assuming less would leave only noise.
_THINNEST = 0.42
# Exponent for the transmission in the saturation factor, which keeps skin from turning orange.
_CALMER = 0.45
_PALE = (0.2, 0.45)  # range of saturation, 0 to 1, over which the estimated haze is reduced
_COLORED = np.float32(0.6)  # how much the estimated haze is reduced in saturated areas, from 0 to 1
_KEPT = 0.6  # how much of the lost brightness is restored after haze is removed, from 0 to 1


@tone
def dehaze(pixels: Pixels, amount: float) -> Pixels:
    """Remove haze, or add it if the amount is negative."""
    guide = working_copy(Picture(pixels), _WORKING_PIXELS)
    small = guide * np.float32(1 / 255)
    air = _air(small)
    through = _transmission(small, guide, air, amount)
    lift = _lift(small, through, air) if amount > 0 else 1.0

    def change(colors: Floats, share: Floats) -> Floats:
        share = share[:, :, None]
        if amount < 0:
            return cast(Floats, air + (colors - air) * share)
        clear = np.clip(air + (colors - air) / share, 0, 1)
        return scale_saturation(clear, share**_CALMER) ** np.float32(lift)

    return map_strips_with(pixels, change, through)


def _air(small: Floats) -> Floats:
    """Return the color of the haze.

    This is the typical color of the areas with the fewest dark pixels, moved toward gray. These areas may be
    blue sky, but haze is rarely blue.
    """
    dark = _darkest(small)
    farthest = dark >= np.quantile(dark, 0.995)
    color = np.median(small[farthest], axis=0)
    gray = float(color.max())
    return cast(Floats, np.clip(0.5 * color + 0.5 * gray, 0.55, 1).astype(np.float32))


def _darkest(colors: Floats) -> Floats:
    side = 2 * max(1, round(_PATCH * max(colors.shape) / 2)) + 1
    # Use a morphological opening, because erosion would spread a dark roof into the sky around it as a halo.
    return cv2.morphologyEx(colors.min(2), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))


def _transmission(small: Floats, guide: Bytes, air: Floats, amount: float) -> Floats:
    """Return the share of each object's light that passes through the air (the transmission), up to 1."""
    if amount < 0:
        return np.full(small.shape[:2], 1 + 0.6 * amount, np.float32)
    taken = 1 - (1 - amount) ** 1.35
    hazy = np.clip(_darkest(small / air), 0, 1) * _grayness(small)
    radius = max(2, round(0.03 * max(small.shape)))
    soft = refine_mask(hazy, guide, radius, 1e-3)
    return cast(Floats, np.clip(1 - 0.92 * taken * soft, _THINNEST, 1).astype(np.float32))


def _grayness(small: Floats) -> Floats:
    """Return how likely it is, from 0 to 1, that the measured haze is real haze.

    Haze makes colors pale, so saturated areas such as faces have little haze. The method follows Zhu, Mai and
    Shao, "A fast single image haze removal algorithm using color attenuation prior", 2015.
    """
    most = small.max(2)
    saturation = (most - small.min(2)) / np.maximum(most, 0.02)
    # Average the saturation over a wide area. Otherwise, the pale highlights of a face would become darker
    # than the rest of the face.
    wide = cv2.GaussianBlur(saturation, (0, 0), 2 * _PATCH * max(small.shape))
    return cast(Floats, 1 - _COLORED * ramp(wide, *_PALE))


def _lift(small: Floats, through: Floats, air: Floats) -> float:
    """Return the exponent that restores part of the brightness that is lost when haze is removed."""
    clear = np.clip(air + (small - air) / through[:, :, None], 0.004, 1)
    before, after = (float(np.clip(np.mean(values), 0.05, 0.95)) for values in (small, clear))
    wanted = after + _KEPT * max(0.0, before - after)
    return float(np.clip(np.log(wanted) / np.log(after), 0.6, 1))
