"""Auto-enhance a photo: partial white balance, full tonal range, gamma, and local contrast."""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.operations.color.selective import tone
from editor.engine.operations.color.tone import apply_curves, levels_of, scale_chroma
from editor.engine.pixels import in_strips, working_copy
from editor.engine.plan import DEFAULT_AMOUNT
from editor.imaging.picture import Picture, Pixels, eight_bits

_WORKING_PIXELS = 1000  # longer side, in pixels, of the copy on which the photo's light is measured
_STRONGEST = 1.3  # maximum strength of the enhancement, as a multiple of the default strength


@tone
def enhance(pixels: Pixels, amount: float, *, only: str | None) -> Pixels:
    """Improve a photo according to its own statistics.

    If `only` is "light", colors are not changed. If `only` is "color", brightness and contrast are not
    changed.
    """
    strength = min(_STRONGEST, max(0.2, abs(amount) / DEFAULT_AMOUNT))
    small = working_copy(Picture(pixels), _WORKING_PIXELS).astype(np.float32) * np.float32(1 / 255)
    levels = levels_of(pixels)[:, None]
    gains = np.ones(3, np.float32) if only == "light" else _white_balance(small)
    table = np.clip(levels * gains, 0, 1) if only == "color" else _toned(levels, small, gains)
    toned = apply_curves(pixels, *(levels + strength * (table - levels)).T)
    livelier = toned if only == "light" else scale_chroma(toned, 1 + 0.12 * strength)
    return livelier if only == "color" else _local_contrast(livelier, 0.3 * strength)


def _toned(levels: Floats, small: Floats, gains: Floats) -> Floats:
    light = (small * gains).max(axis=2)
    low, high = np.percentile(light, (0.4, 99.6))
    low, high = min(float(low), 0.12), max(float(high), 0.75)
    stretched = np.clip((levels * gains - low) / (high - low), 0, 1)
    return stretched ** _gamma(np.clip((light - low) / (high - low), 0, 1))


def _white_balance(small: Floats) -> Floats:
    """Return gains for red, green, and blue that correct half of the white balance error.

    The method is shades of gray (Finlayson and Trezzi, 2004) with p = 6.
    """
    means = np.mean(small.reshape(-1, 3) ** 6, axis=0) ** (1 / 6) + 1e-6
    gains = np.clip(np.sqrt(means.mean() / means), 0.85, 1.18)
    return (gains / gains.mean()).astype(np.float32)


def _gamma(light: Floats) -> float:
    """Return the gamma that brings the median brightness to 0.46.

    If much of the photo is already bright, as in a backlit photo, the gamma is closer to 1.
    """
    middle = float(np.clip(np.median(light), 0.02, 0.98))
    gamma = float(np.clip(np.log(0.46) / np.log(middle), 0.62, 1.2))
    highlights = float((light > 0.85).mean())
    return 1 + (gamma - 1) * (1 - min(1.0, highlights * 3))


def _local_contrast(pixels: Pixels, share: float) -> Pixels:
    """Return the pixels with stronger local contrast.

    The method is CLAHE (contrast-limited adaptive histogram equalization), applied to the brightness. The new
    brightness is computed in 8 bits, and the change is added to the photo at the full bit depth.
    """
    light = cv2.cvtColor(np.ascontiguousarray(eight_bits(Picture(pixels))[:, :, :3]), cv2.COLOR_RGB2GRAY)
    even = cv2.createCLAHE(clipLimit=2.0, tileGridSize=(8, 8)).apply(light)

    def change(colors: Floats, rows: slice) -> Floats:
        more = cv2.subtract(even[rows], light[rows], dtype=cv2.CV_32F)
        return cast(Floats, colors + np.float32(share / 255) * more[:, :, None])

    return in_strips(pixels, change)
