"""Auto-enhance: half a white balance, stretched ends, a gamma towards the middle, some local contrast."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import USUAL, Canvas, operation
from editor.engine.colors import Floats
from editor.engine.operations.color.selective import within_target
from editor.engine.operations.color.tone import colored, levels_of, looked_up
from editor.engine.pixels import top_value, working_copy
from editor.engine.plan import Step
from editor.imaging.codecs import Bytes, Picture, Pixels, eight_bits

_SIDE = 1000
_STRONGEST = 1.3


@operation
def enhance(canvas: Canvas, step: Step, *, amount: float, only: str | None) -> Canvas:
    """A better picture, by its own statistics. `only`: its "light", or only its "color"."""
    strength = min(_STRONGEST, max(0.2, abs(amount) / USUAL))
    return within_target(canvas, step, lambda pixels: enhanced(pixels, strength=strength, only=only))


def enhanced(pixels: Pixels, *, strength: float = 1.0, only: str | None = None) -> Pixels:
    """`strength`: 1 is the usual. `only`: "light" leaves the colors as they are, "color" the light."""
    small = working_copy(Picture(pixels), _SIDE).astype(np.float32) * np.float32(1 / 255)
    levels = levels_of(pixels)
    gains = np.ones(3, np.float32) if only == "light" else _white_balance(small)
    table = np.clip(levels[:, None] * gains, 0, 1) if only == "color" else _toned(levels, small, gains)
    toned = looked_up(pixels, levels[:, None] + strength * (table - levels[:, None]))
    livelier = toned if only == "light" else colored(toned, 1 + 0.12 * strength)
    return livelier if only == "color" else _local_contrast(livelier, 0.3 * strength)


def _toned(levels: Floats, small: Floats, gains: Floats) -> Floats:
    light = (small * gains).max(axis=2)
    low, high = np.percentile(light, (0.4, 99.6))
    low, high = min(float(low), 0.12), max(float(high), 0.75)
    stretched = np.clip((levels[:, None] * gains - low) / (high - low), 0, 1)
    return stretched ** _gamma(np.clip((light - low) / (high - low), 0, 1))


def _white_balance(small: Floats) -> Floats:
    """Shades of grey (Finlayson and Trezzi, 2004) with p = 6, at half strength."""
    means = np.mean(small.reshape(-1, 3) ** 6, axis=0) ** (1 / 6) + 1e-6
    gains = np.clip(np.sqrt(means.mean() / means), 0.85, 1.18)
    return (gains / gains.mean()).astype(np.float32)


def _gamma(light: Floats) -> float:
    """What brings the middle to 0.46; held back where much is bright already, as against the light."""
    middle = float(np.clip(np.median(light), 0.02, 0.98))
    gamma = float(np.clip(np.log(0.46) / np.log(middle), 0.62, 1.2))
    highlights = float((light > 0.85).mean())
    return 1 + (gamma - 1) * (1 - min(1.0, highlights * 3))


def _local_contrast(pixels: Pixels, share: float) -> Pixels:
    """CLAHE on brightness, mixed in."""
    if pixels.dtype != np.uint8:
        return _deep_local_contrast(pixels, share)
    lab = cv2.cvtColor(pixels[:, :, :3], cv2.COLOR_RGB2LAB)
    light = cast(Bytes, lab[:, :, 0].copy())
    lab[:, :, 0] = cv2.addWeighted(light, 1 - share, _clahe(light), share, 0)
    colors = cv2.cvtColor(lab, cv2.COLOR_LAB2RGB)
    return cast(Bytes, np.dstack([colors, pixels[:, :, 3:]]) if pixels.shape[2] == 4 else colors)


def _clahe(light: Bytes) -> Bytes:
    return cast(Bytes, cv2.createCLAHE(clipLimit=2.0, tileGridSize=(8, 8)).apply(light))


def _deep_local_contrast(pixels: Pixels, share: float) -> Pixels:
    """The gain is found on 8 bits and smoothed, then given to all 16: no level is lost."""
    light = cv2.cvtColor(eight_bits(Picture(pixels))[:, :, :3].copy(), cv2.COLOR_RGB2GRAY)
    gain = (_clahe(cast(Bytes, light)).astype(np.float32) + 8) / (light.astype(np.float32) + 8)
    smooth = 1 + share * (cv2.GaussianBlur(gain, (0, 0), max(pixels.shape[:2]) / 100) - 1)
    result = pixels.copy()
    result[:, :, :3] = np.clip(pixels[:, :, :3] * smooth[:, :, None] + 0.5, 0, top_value(pixels))
    return result
