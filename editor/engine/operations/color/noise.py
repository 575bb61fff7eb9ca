"""Measure noise, smooth noise without blurring edges, or add film grain."""

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, light_of
from editor.engine.operations.color.selective import longest_side, tone
from editor.engine.pixels import in_strips, top_value
from editor.imaging.picture import Pixels

_HALO = 24  # number of rows added above and below a strip of pixels to cover the reach of the filters
_MIDDLE = 1200  # longest side, in pixels, of the central part in which noise is measured
_BLOCK = 24  # side, in pixels, of the blocks in which noise is measured
# Noise level, as a share of white, that is assumed when noise is removed, even if less was measured.
_MIN_NOISE = 0.008
_FULL = 1500  # longest side, in pixels, of a photo in which each film grain is one pixel
_ROUGHEST = 0.16  # maximum standard deviation of film grain, as a share of white


@tone
def denoise(pixels: Pixels, amount: float) -> Pixels:
    """Reduce noise and colored specks in proportion to the measured noise.

    A bilateral filter (Tomasi and Manduchi, 1998) smooths the brightness, and a guided filter smooths the
    colors.
    """
    noise = float(np.clip(noise_of(pixels), _MIN_NOISE, 0.12))
    amount = abs(amount) ** 0.75
    return in_strips(pixels, lambda colors, _: _smoothed(colors, noise, amount), halo=_HALO)


def noise_of(pixels: Pixels) -> float:
    """Return the standard deviation of the brightness noise, as a share of white.

    The noise is measured in the smoothest quarter of the blocks so that fur and leaves are not mistaken for
    noise. The method is from Immerkaer, "Fast noise variance estimation", 1996.
    """
    top, left = (max(0, (side - _MIDDLE) // 2) for side in pixels.shape[:2])
    part = pixels[top : top + _MIDDLE, left : left + _MIDDLE, :3] * np.float32(1 / top_value(pixels))
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32) / 6
    light = light_of(part)
    rough = cv2.resize(
        np.abs(cv2.filter2D(light, -1, kernel)), _blocks(light.shape), interpolation=cv2.INTER_AREA
    )
    mean = cv2.resize(light, _blocks(light.shape), interpolation=cv2.INTER_AREA)
    # Leave out blocks near black or white, because clipping hides their noise.
    lit = rough[(mean > 0.06) & (mean < 0.94)]
    return float(np.quantile(lit, 0.25) * np.sqrt(np.pi / 2)) if lit.size else 0.0


def _blocks(shape: tuple[int, ...]) -> tuple[int, int]:
    return max(1, shape[1] // _BLOCK), max(1, shape[0] // _BLOCK)


def _smoothed(colors: Floats, noise: float, amount: float) -> Floats:
    parts = cv2.cvtColor(colors, cv2.COLOR_RGB2YCrCb)
    light = np.ascontiguousarray(parts[:, :, 0])
    reach = 7 if amount > 0.3 else 5
    soft = cv2.bilateralFilter(light, reach, noise * (0.8 + 3.4 * amount), 0.8 + 2.2 * amount)
    parts[:, :, 0] = light + np.float32(min(1.0, 0.5 + amount)) * (soft - light)
    for channel in (1, 2):
        # Use each channel as its own guide, because the edge of a colored object may not show in the
        # brightness.
        own = np.ascontiguousarray(parts[:, :, channel])
        calm = cv2.ximgproc.guidedFilter(own, own, 5, (noise * (0.5 + 1.2 * amount)) ** 2)
        parts[:, :, channel] = own + np.float32(min(1.0, 2 * amount)) * (calm - own)
    return cv2.cvtColor(parts, cv2.COLOR_YCrCb2RGB)


@tone
def grain(pixels: Pixels, amount: float, *, canvas: Canvas) -> Pixels:
    """Add film grain to the brightness.

    The grain is strongest in the midtones and absent in black and white. The canvas's seed determines its
    pattern.
    """
    height, width = pixels.shape[:2]
    size = max(1.0, longest_side(canvas) / _FULL)
    cells = max(1, round(height / size)), max(1, round(width / size))
    grains = np.random.default_rng(canvas.seed).standard_normal(cells, np.float32)
    rough = cv2.resize(grains, (width, height), interpolation=cv2.INTER_CUBIC)

    def change(colors: Floats, rows: slice) -> Floats:
        light = colors.mean(2)
        share = np.float32(4 * _ROUGHEST * abs(amount)) * light * (1 - light)
        return colors + (share * rough[rows])[:, :, None]

    return in_strips(pixels, change)
