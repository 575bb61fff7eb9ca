"""Convert pixel values from other color spaces to sRGB, by way of linear light.

Linear light is relative: 1 is a screen's white, which has 203 cd/m² in HDR (ITU-R BT.2408-8, section 2.2).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.imaging.picture import Pixels, strips

type Floats = NDArray[np.float32]
type Doubles = NDArray[np.float64]
# The x and y of red, green, blue, and white (CIE 1931).
type Chromaticities = tuple[float, float, float, float, float, float, float, float]

# Luminance of a screen's white, in cd/m².
_WHITE = 203.0
# Peak luminance of the HLG reference display, in cd/m² (ITU-R BT.2100-3, table 5, note 5e).
_HLG_PEAK = 1000.0
# Assumed peak luminance, in cd/m², for HDR files that do not declare one, as in Chromium.
_DEFAULT_PEAK = 1000.0
# Maximum light that is converted, as a multiple of white. The maximum of PQ, 10,000 cd/m², is 49 times white.
_MAX_LIGHT = 64.0
_D65 = (0.3127, 0.329)
_C = (0.31, 0.316)
_SRGB: Chromaticities = (0.64, 0.33, 0.3, 0.6, 0.15, 0.06, *_D65)
_REC2020: Chromaticities = (0.708, 0.292, 0.17, 0.797, 0.131, 0.046, *_D65)
_NTSC: Chromaticities = (0.63, 0.34, 0.31, 0.595, 0.155, 0.07, *_D65)
# The primaries for each value of ColourPrimaries (ITU-T H.273 (V4), table 2).
PRIMARIES: dict[int, Chromaticities] = {
    1: _SRGB,
    4: (0.67, 0.33, 0.21, 0.71, 0.14, 0.08, *_C),
    5: (0.64, 0.33, 0.29, 0.6, 0.15, 0.06, *_D65),
    6: _NTSC,
    7: _NTSC,
    8: (0.681, 0.319, 0.243, 0.692, 0.145, 0.049, *_C),
    9: _REC2020,
    10: (1, 0, 0, 1, 0, 0, 1 / 3, 1 / 3),
    11: (0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.314, 0.351),
    12: (0.68, 0.32, 0.265, 0.69, 0.15, 0.06, *_D65),
    22: (0.63, 0.34, 0.295, 0.605, 0.155, 0.077, *_D65),
}
_BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
_LUMA_2020 = np.array([[0.2627, 0.6780, 0.0593]], np.float32)
_PQ, _HLG = 16, 18
# The number of rows that are converted at a time. It is small to save memory: linear light takes four times
# as much memory as 8-bit pixels, and several copies are needed.
_STRIP = 64


def gamma_curve(exponent: float) -> Callable[[Doubles], Doubles]:
    """Return a function that raises signal levels to the power of `exponent`."""
    return lambda levels: levels**exponent


def _smpte240(levels: Doubles) -> Doubles:
    return np.where(levels < 4 * 0.0228, levels / 4, ((levels + 0.1115) / 1.1115) ** (1 / 0.45))


def _srgb(levels: Doubles) -> Doubles:
    return np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)


def _pq(levels: Doubles) -> Doubles:
    """Convert perceptual quantizer (PQ) signal levels to linear light (ITU-R BT.2100-3, table 4)."""
    root = levels ** (4096 / (2523 * 128))
    light = np.maximum(root - 3424 / 4096, 0) / (2413 / 128 - 2392 / 128 * root)
    return light ** (16384 / 2610) * 10_000 / _WHITE


def _hlg(levels: Doubles) -> Doubles:
    """Convert hybrid log-gamma (HLG) signal levels to linear scene light (ITU-R BT.2100-3, table 5)."""
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    return np.where(levels <= 0.5, levels**2 / 3, (np.exp((levels - c) / a) + b) / 12)


# The curve that a video screen applies (ITU-R BT.1886, annex 1). A camera's curve is different.
_BT1886 = gamma_curve(2.4)
# Maps each value of TransferCharacteristics to the function that converts signal levels to linear light
# (ITU-T H.273 (V4), table 3).
TRANSFERS: dict[int, Callable[[Doubles], Doubles]] = {
    1: _BT1886,
    4: gamma_curve(2.2),
    5: gamma_curve(2.8),
    6: _BT1886,
    7: _smpte240,
    8: gamma_curve(1.0),
    11: _BT1886,
    13: _srgb,
    14: _BT1886,
    15: _BT1886,
    _PQ: _pq,
    17: lambda levels: levels**2.6 * 52.37 / 48,
    _HLG: _hlg,
}


@dataclass(frozen=True)
class Coding:
    """A file's color encoding: its primaries, and the function that converts signal levels to linear light.

    Levels and light range from 0 to 1. `peak` is the luminance of an HDR photo's brightest part, in cd/m², or
    None if the photo is not HDR.
    """

    primaries: Chromaticities = _SRGB
    transfer: Callable[[Doubles], Doubles] = _srgb
    peak: float | None = None

    @property
    def is_srgb(self) -> bool:
        return self == Coding()


def coding(primaries: int, transfer: int, *, peak: float | None = None) -> Coding:
    """Return the color encoding that has these ITU-T H.273 code points.

    Unknown code points are treated as sRGB. `peak` is the maximum luminance that an HDR file declares, in
    cd/m².
    """
    is_hdr = transfer in (_PQ, _HLG)
    return Coding(
        PRIMARIES.get(primaries, _SRGB),
        TRANSFERS.get(transfer, _srgb),
        (peak or _DEFAULT_PEAK) if is_hdr else None,
    )


def to_srgb(pixels: Pixels, coding: Coding) -> Pixels:
    """Convert RGB or RGBA pixels to sRGB in place, and return them. HDR is tone-mapped."""
    most = np.iinfo(pixels.dtype).max
    light_of = coding.transfer(np.arange(most + 1) / most).astype(np.float32)
    level_of = _levels_of_roots(most).astype(pixels.dtype)
    for rows in strips(pixels.shape[0], _STRIP):
        light = light_of[pixels[rows, :, :3]]
        if coding.peak is None:
            light = _transformed(light, coding.primaries, _SRGB)
        else:
            light = _transformed(_tone_mapped(light, coding), _REC2020, _SRGB)
        pixels[rows, :, :3] = level_of[_steps(np.sqrt(np.maximum(light, 0)), 1)]
    return pixels


def _levels_of_roots(most: int) -> Doubles:
    """Return a table that maps the square root of light to sRGB levels from 0 to `most`.

    The square root ranges from 0 to 1 in 65,536 equal steps. In shadows, these steps are about as fine as
    sRGB levels (IEC 61966-2-1).
    """
    light = np.linspace(0, 1, 65_536) ** 2
    return np.rint(np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055) * most)


def _steps(values: Floats, most: float) -> NDArray[np.uint16]:
    """Scale values from the range 0 to `most` to integers from 0 to 65,535. Larger values are clipped."""
    scaled = values * np.float32(65_535 / most) + np.float32(0.5)
    steps: NDArray[np.uint16] = np.minimum(scaled, 65_535).astype(np.uint16)
    return steps


def _transformed(light: Floats, source: Chromaticities, target: Chromaticities) -> Floats:
    return light if source == target else cast(Floats, cv2.transform(light, _matrix(source, target)))


@lru_cache(4)
def _matrix(source: Chromaticities, target: Chromaticities) -> Doubles:
    """Return the matrix that converts linear colors between two sets of primaries.

    The matrix also adapts the white point (SMPTE RP 177; ICC.1, annex E).
    """
    white_of = [_BRADFORD @ _xyz(*primaries[6:]) for primaries in (source, target)]
    adapted = np.linalg.inv(_BRADFORD) @ np.diag(white_of[1] / white_of[0]) @ _BRADFORD
    return cast(Doubles, np.linalg.inv(_to_xyz(target)) @ adapted @ _to_xyz(source))


def _to_xyz(primaries: Chromaticities) -> Doubles:
    colors = np.array([(x, y, 1 - x - y) for x, y in zip(primaries[:6:2], primaries[1:6:2], strict=True)]).T
    return cast(Doubles, colors * np.linalg.solve(colors, _xyz(*primaries[6:])))


def _xyz(x: float, y: float) -> Doubles:
    return np.array([x / y, 1, (1 - x - y) / y])


def _tone_mapped(light: Floats, coding: Coding) -> Floats:
    """Convert HDR light to Rec. 2020, and scale it so that a screen can show the brightest color channel."""
    light = np.maximum(_transformed(light, coding.primaries, _REC2020), 0)
    if coding.transfer is _hlg:
        # The reference OOTF converts scene light to display light (BT.2100-3, table 5).
        light *= cv2.transform(light, _LUMA_2020)[..., None] ** 0.2 * np.float32(_HLG_PEAK / _WHITE)
    brightest = np.maximum(np.maximum(light[..., 0], light[..., 1]), light[..., 2])
    gains = _gains(max(coding.peak or 0, _WHITE) / _WHITE)[_steps(brightest, _MAX_LIGHT)]
    return light * gains[..., None]


@lru_cache(4)
def _gains(peak: float) -> Floats:
    """Return the factors that map light to a screen without HDR.

    They are given for light from 0 to _MAX_LIGHT in 65,536 steps. `peak` is the maximum light, as a multiple
    of white.

    The factors follow the default of SMPTE ST 2094-50 (annex D, "reference white tone mapping operator",
    formulas D.2 to D.5), as in Chromium. Above white, they follow a quadratic Bézier curve whose logarithm is
    interpolated between eight points. Above the peak, the brightest channel stays at 1.
    """
    light = np.linspace(0, _MAX_LIGHT, 65_536)
    if peak <= 1:
        return np.ones(len(light), np.float32)
    darkest = 1 - 0.5 * min(np.log2(peak) / np.log2(_DEFAULT_PEAK / _WHITE), 1)
    gains = np.where(light <= 1, darkest, 1 / np.maximum(light, 1))
    curved = (light > 1) & (light < peak)
    gains[curved] = np.exp2(_gain_curve(light[curved], darkest, peak))
    return gains.astype(np.float32)


def _gain_curve(light: Doubles, darkest: float, peak: float) -> Doubles:
    """Return the base-2 logarithm of the gains for light between white and the peak."""
    kappa, t = 0.65, np.linspace(0, 1, 8)
    x, x_slope = _bezier(1, 1 - kappa + kappa / darkest, peak, t)
    y, y_slope = _bezier(darkest, (1 - kappa) * darkest + kappa, 1, t)
    return _hermite(light, x, np.log2(y / x), (x * y_slope / x_slope - y) / (np.log(2) * x * y))


def _bezier(first: float, middle: float, last: float, t: Doubles) -> tuple[Doubles, Doubles]:
    """Return a quadratic Bézier curve's points and derivatives."""
    a, b = first - 2 * middle + last, 2 * (middle - first)
    return first + t * (b + t * a), 2 * a * t + b


def _hermite(at: Doubles, x: Doubles, y: Doubles, slopes: Doubles) -> Doubles:
    """Return the piecewise cubic function through the points (x, y) that has these slopes."""
    left = np.clip(np.searchsorted(x, at) - 1, 0, len(x) - 2)
    width = x[left + 1] - x[left]
    t = (at - x[left]) / width
    from_left = (1 + 2 * t) * (1 - t) ** 2 * y[left] + t * (1 - t) ** 2 * width * slopes[left]
    from_right = t**2 * (3 - 2 * t) * y[left + 1] + t**2 * (t - 1) * width * slopes[left + 1]
    return from_left + from_right
