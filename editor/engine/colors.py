"""Named colors, and conversions between color spaces such as sRGB and OKLab."""

import re
from functools import cache
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.errors import OperationError
from editor.engine.plan import Reason
from editor.imaging.picture import Bytes
from editor.sentences import Sentence

# An array of floats, mostly 32-bit; neither numpy nor OpenCV declares the exact type of what it returns.
type Floats = NDArray[Any]
# Red, green, and blue, from 0 to 255.
type Color = tuple[int, int, int]

NAMED_COLORS: dict[str, Color] = {
    "white": (255, 255, 255),
    "black": (0, 0, 0),
    "gray": (128, 128, 128),
    "silver": (192, 192, 192),
    "red": (214, 30, 36),
    "crimson": (180, 16, 48),
    "maroon": (112, 14, 30),
    "orange": (245, 130, 20),
    "brown": (115, 70, 36),
    "tan": (205, 170, 125),
    "beige": (225, 210, 180),
    "cream": (250, 240, 210),
    "ivory": (252, 250, 236),
    "gold": (212, 170, 45),
    "blonde": (222, 188, 128),
    "ginger": (192, 100, 48),
    "auburn": (124, 56, 36),
    "yellow": (250, 215, 30),
    "lime": (150, 215, 40),
    "lime green": (110, 205, 50),
    "olive": (120, 120, 40),
    "green": (40, 150, 60),
    "forest green": (34, 100, 44),
    "teal": (10, 125, 125),
    "turquoise": (55, 200, 190),
    "cyan": (20, 190, 220),
    "sky blue": (125, 190, 235),
    "blue": (30, 80, 200),
    "royal blue": (50, 85, 215),
    "navy": (20, 32, 95),
    "indigo": (70, 30, 140),
    "violet": (130, 60, 200),
    "purple": (118, 40, 150),
    "lavender": (190, 170, 225),
    "magenta": (215, 30, 160),
    "pink": (245, 150, 180),
    "hot pink": (245, 70, 150),
}
NEUTRALS = frozenset({"white", "black", "gray", "silver"})
_SPELLINGS = {"grey": "gray", "golden": "gold", "navy blue": "navy"}
# For each shade, the OKLab lightness toward which it moves a color, the share of that way, and a factor.
# The factor is for the chroma. A fixed step would make light blue too dark, because blue is dark.
_SHADES = {"dark": (0.0, 0.3, 0.75), "light": (1.0, 0.55, 0.6), "bright": (1.0, 0.15, 1.2)}
# OKLab lightness up to which white has a contrast of 3:1, the minimum for large letters (WCAG 2.2, 1.4.3).
_LIGHT = 0.67
_HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})")

# Bjorn Ottosson, "A perceptual color space for image processing", 2020.
_TO_CONE = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    np.float32,
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ],
    np.float32,
)
_FROM_CONE = np.linalg.inv(_TO_CONE).astype(np.float32)
_FROM_LAB = np.linalg.inv(_TO_LAB).astype(np.float32)


def color_of(name: str) -> Color:
    """Return the color that a name such as "dark blue", "#f80", or "teal" stands for.

    Raises OperationError if the name is not known.
    """
    words = name.strip().lower()
    if _HEX.fullmatch(words):
        return _hex_color(words[1:])
    base = base_name(words)
    shade = "" if base == _SPELLINGS.get(words, words) else words.partition(" ")[0]
    if base not in NAMED_COLORS or shade not in ("", *_SHADES):
        raise OperationError(
            Reason.UNKNOWN_WORD,
            Sentence("I don't know the color “%(name)s”.", name=name),
            Sentence("Use a color code such as #3366cc."),
        )
    return _shaded(NAMED_COLORS[base], *_SHADES[shade]) if shade else NAMED_COLORS[base]


def base_name(name: str) -> str:
    """Return a color name without its shade: "blue" for "dark blue"."""
    words = name.strip().lower()
    words = _SPELLINGS.get(words, words)
    rest = words.partition(" ")[2]
    return words if words in NAMED_COLORS or not rest else _SPELLINGS.get(rest, rest)


def _hex_color(digits: str) -> Color:
    full = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    return int(full[:2], 16), int(full[2:4], 16), int(full[4:], 16)


def _shaded(color: Color, end: float, share: float, stronger: float) -> Color:
    lab = lab_of(color)
    lab[0] = np.clip(lab[0] + share * (end - lab[0]), 0.12, 0.97)
    lab[1:] *= stronger
    return color_at(lab)


def color_at(lab: Floats) -> Color:
    """Return the color that has these OKLab values."""
    red, green, blue = (rgb(lab[None, None])[0, 0] * 255).round().astype(int).tolist()
    return red, green, blue


def oklab(pixels: Floats) -> Floats:
    """Convert sRGB (height x width x 3, from 0 to 1) to OKLab (L from 0 to 1, a, b)."""
    return _lab_of_light(linear(pixels))


def oklab_from_8_bit(pixels: Bytes) -> Floats:
    """Convert 8-bit sRGB (height x width x 3) to OKLab, in a third of the time that `oklab` takes."""
    return _lab_of_light(cv2.LUT(pixels, _light_of_levels()))


def cielab(pixels: Bytes) -> Floats:
    """Convert 8-bit sRGB (height x width x 3) to CIELAB, with lightness from 0 to 100."""
    return cv2.cvtColor(pixels.astype(np.float32) / np.float32(255), cv2.COLOR_RGB2LAB)


@cache
def _light_of_levels() -> Floats:
    return linear(np.arange(256, dtype=np.float32) * np.float32(1 / 255))


def _lab_of_light(light: Floats) -> Floats:
    cones = np.cbrt(cv2.transform(light, _TO_CONE))
    return cv2.transform(cones, _TO_LAB)


def rgb(lab: Floats) -> Floats:
    """Convert OKLab to sRGB from 0 to 1; colors outside the sRGB gamut are clipped."""
    cones = cv2.transform(lab, _FROM_LAB)
    return gamma(np.clip(cv2.transform(cones * cones * cones, _FROM_CONE), 0, 1))


def linear(levels: Floats) -> Floats:
    """Convert sRGB levels to linear light, both from 0 to 1 (IEC 61966-2-1)."""
    light = ((levels + np.float32(0.055)) * np.float32(1 / 1.055)) ** np.float32(2.4)
    np.multiply(levels, np.float32(1 / 12.92), out=light, where=levels <= 0.04045)
    return light


def gamma(light: Floats) -> Floats:
    """Convert linear light to sRGB levels, both from 0 to 1."""
    levels = np.float32(1.055) * light ** np.float32(1 / 2.4) - np.float32(0.055)
    np.multiply(light, np.float32(12.92), out=levels, where=light <= 0.0031308)
    return levels


def ramp[Numbers: (float, Floats)](values: Numbers, low: float, high: float) -> Numbers:
    """Map values linearly so that `low` becomes 0 and `high` becomes 1, and clip the rest.

    `low` may be greater than `high`.
    """
    return cast(Numbers, np.clip((values - np.float32(low)) * np.float32(1 / (high - low)), 0, 1))


def normalize(values: Floats) -> Floats:
    """Scale the values so that the lowest is 0 and the highest is 1."""
    least = values.min()
    return cast(Floats, (values - least) / max(values.max() - least, 1e-9))


def lab_of(color: Color) -> Floats:
    """Return the OKLab values of one color."""
    return cast(Floats, oklab(np.array([[color]], np.float32) * np.float32(1 / 255))[0, 0])


def chroma_of(lab: Floats) -> Floats:
    """Return the chroma of OKLab colors (the last axis has length 3)."""
    return np.hypot(lab[..., 1], lab[..., 2])


def hue_of(lab: Floats) -> Floats:
    """Return the hues of OKLab colors (the last axis has length 3), in degrees from 0 to 360."""
    return np.degrees(np.arctan2(lab[..., 2], lab[..., 1])) % 360


def hues_apart(hues: Floats, other: float) -> Floats:
    """Return the differences between hues and another one, in degrees from 0 to 180."""
    return np.abs((hues - other + 180) % 360 - 180)


# The weights of red, green, and blue in the brightness of a color (ITU-R BT.601).
LUMA = (0.299, 0.587, 0.114)


def light_of(colors: Floats) -> Floats:
    """Return the brightness (height x width) of colors from 0 to 1."""
    return cv2.transform(colors, np.array([LUMA], np.float32)).reshape(colors.shape[:2])


def scale_saturation(colors: Floats, factor: Floats | float) -> Floats:
    """Multiply the saturation of colors (height x width x 3) by a factor; 0 gives gray.

    The brightness of each color is kept.
    """
    light = light_of(colors)[:, :, None]
    return cast(Floats, light + np.asarray(factor, np.float32) * (colors - light))


# The stops of a gradient: levels with their colors.
type Stops = tuple[tuple[float, Color], ...]


def interpolate_gradient(levels: Floats, stops: Stops) -> Floats:
    """Interpolate a color gradient at an array of levels.

    The result has the shape of `levels` plus one axis of length 3, and it contains colors from 0 to 1.
    """
    places = [place for place, _ in stops]
    channels = [np.interp(levels, places, [color[channel] for _, color in stops]) for channel in range(3)]
    return (np.stack(channels, -1) / 255).astype(np.float32)


def contrasting(color: Color) -> Color:
    """Return the color of letters and lines on this color: nearly black on a light color, otherwise white."""
    return (20, 20, 20) if lab_of(color)[0] > _LIGHT else (255, 255, 255)
