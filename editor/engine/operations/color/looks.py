"""Looks for photos: black and white, old or wrongly developed film, moods, times of day, and seasons."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import (
    LUMA,
    Floats,
    color_of,
    lab_of,
    light_of,
    ramp,
    rgb,
    scale_saturation,
)
from editor.engine.errors import OperationError
from editor.engine.operations.color.focus import blurred
from editor.engine.operations.color.selective import in_colors, longest_side, look
from editor.engine.operations.color.tone import apply_curves, levels_of, mix_channels, scale_chroma, warmth
from editor.engine.pixels import in_strips, top_value, working_copy
from editor.engine.plan import Reason
from editor.imaging.picture import Bytes, Picture, Pixels, smoothstep
from editor.sentences import Sentence

type _Rgb = tuple[float, float, float]

# Exponents for red, green, and blue that turn gray tones brown but leave black and white unchanged.
_SEPIA_GAINS = (0.76, 1.05, 1.6)

_RED_FILTER = (0.62, 0.33, 0.05)
# Shares of red, green, and blue in the gray of black-and-white film behind a red or a blue filter. The red
# filter darkens skies. The blue filter makes skies pale and lips dark.
_BLUE_FILTER = (0.12, 0.5, 0.38)

_DARK = "navy"
_LIGHT = "cream"
# Values that black and white become in red, green, and blue: bluish shadows and yellowish highlights.
_FADED = ((0.115, 0.965), (0.105, 0.945), (0.125, 0.875))

# Direction from teal to orange in Cr and Cb. Skin colors are on this line.
_TEAL_TO_ORANGE = (0.72, -0.69)

_WORKING_PIXELS = 256  # longer side, in pixels, of the copy on which leaves are searched for
_MIN_LEAVES = 0.01  # minimum share of leaf-colored pixels that a photo needs for the autumn look
_UNLIT = 0.3  # brightness (0 to 1) below which frost and shining leaves fade out
_PEACH = np.array((1.12, 0.96, 0.98), np.float32)  # color gains that turn white into an equally bright peach
_FROST = np.array((0.95, 0.98, 1.02), np.float32)
_COLD = np.array((0.94, 0.99, 1.07), np.float32)
# Color gains at night. They reduce red, because eyes see no red in the dark.
_NIGHT = np.array((0.62, 0.82, 1.28), np.float32)
_DUSK = np.array((0.78, 0.85, 1.15), np.float32)  # color gains at dusk, after the sun has set


@look
def black_and_white(pixels: Pixels, depth: float) -> Pixels:
    """Turn the photo gray without changing its brightness.

    Variations simulate a colored filter: a blue filter at depth 0.5, no filter at 1, and a red filter at
    1.35.
    """
    none, other = np.array(LUMA), np.array(_RED_FILTER if depth > 1 else _BLUE_FILTER)
    share = min(1.0, (depth - 1) / 0.35 if depth > 1 else (1 - depth) / 0.5)
    return to_gray(pixels, (none + share * (other - none)).astype(np.float32) if share else None)


def to_gray(pixels: Pixels, weights: Floats | None = None) -> Pixels:
    """Return the pixels in gray.

    `weights` are the shares of red, green, and blue in the gray, which add up to 1. Alpha does not change.
    """
    if weights is None and pixels.shape[2] == 3 and pixels.dtype == np.uint8:
        # Use OpenCV for most photos, because it is faster and the result differs only by rounding.
        gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
        return cast(Bytes, cv2.cvtColor(gray, cv2.COLOR_GRAY2RGB))
    return mix_channels(pixels, np.tile(np.array(LUMA, np.float32) if weights is None else weights, (3, 1)))


@look
def duotone(pixels: Pixels, depth: float, *, color: str | None, light: str | None) -> Pixels:
    """Render the photo in two colors: `color` for the dark parts and `light` for the light parts.

    The tones lie on a straight line between the two colors in OKLab. A greater depth gives the midtones more
    contrast.
    """
    dark, bright = _ends(color, light)
    levels = levels_of(pixels)
    steep = np.clip(0.5 + (levels - 0.5) * (1 + 0.35 * depth), 0, 1)
    way = (smoothstep(steep) * 0.4 + 0.6 * steep)[:, None]
    tones = rgb(np.ascontiguousarray((dark + way * (bright - dark))[None].astype(np.float32)))[0]
    return apply_curves(to_gray(pixels), *tones.T)


def _ends(dark: str | None, light: str | None) -> tuple[Floats, Floats]:
    """Return the two colors of a duotone in OKLab, the darker one first.

    If only one color is given, it is combined with cream or, if it is pale, with near-black.
    """
    if dark and not light and lab_of(color_of(dark))[0] > 0.72:
        dark, light = "#10131c", dark
    ends = [lab_of(color_of(name)) for name in (dark or _DARK, light or _LIGHT)]
    first, second = sorted(ends, key=lambda lab: float(lab[0]))
    return first, second


@look
def sepia(pixels: Pixels, depth: float) -> Pixels:
    """Turn the photo brown, like an old print."""
    levels = levels_of(pixels)
    return apply_curves(to_gray(pixels), *(levels ** (1 + depth * (gain - 1)) for gain in _SEPIA_GAINS))


@look
def negative(pixels: Pixels, _depth: float) -> Pixels:
    """Invert each color.

    Unlike other looks, this one is the same in all variations.
    """
    return apply_curves(pixels, 1 - levels_of(pixels))


@look
def faded(pixels: Pixels, depth: float) -> Pixels:
    """Make the photo matte, with lifted blacks, lowered whites, and paler colors.

    It then looks like a print that light has faded.
    """
    levels = levels_of(pixels)
    curves = (levels + depth * (low + (high - low) * levels - levels) for low, high in _FADED)
    return apply_curves(scale_chroma(pixels, 1 - 0.28 * depth), *curves)


@look
def cinematic(pixels: Pixels, depth: float) -> Pixels:
    """Tint shadows teal and highlights orange, and move all colors toward teal and orange."""
    levels = levels_of(pixels)
    curve = levels + 0.16 * depth * levels * (1 - levels) * (2 * levels - 1) * 2
    shadow, light = levels * (1 - levels) ** 3, levels**2 * (1 - levels)
    shifts = ((-0.34, 0.22), (0.06, 0.05), (0.30, -0.30))
    curves = (curve + depth * (low * shadow + high * light) for low, high in shifts)
    return apply_curves(mix_channels(pixels, _drawn_to_axis(depth)), *curves)


def _drawn_to_axis(depth: float) -> Floats:
    """Return a color matrix (3 x 3) that weakens chroma perpendicular to the axis from teal to orange."""
    to_parts = np.array([LUMA, (0.5, -0.418688, -0.081312), (-0.168736, -0.331264, 0.5)])
    along = np.array(_TEAL_TO_ORANGE) / np.hypot(*_TEAL_TO_ORANGE)
    drawn = np.eye(3)
    drawn[1:, 1:] = (1 - 0.32 * depth) * np.eye(2) + 0.4 * depth * np.outer(along, along)
    return cast(Floats, (np.linalg.inv(to_parts) @ drawn @ to_parts).astype(np.float32))


@look
def dreamy(pixels: Pixels, depth: float, *, canvas: Canvas) -> Pixels:
    """Lay a soft glow over the sharp photo.

    This is the Orton effect, which was originally made by stacking two slides.
    """
    return _glowing(pixels, canvas, 0.012, 0.55 * depth)


@look
def bleach_bypass(pixels: Pixels, depth: float) -> Pixels:
    """Simulate film that still contains its silver, with hard contrast and pale colors."""
    return apply_curves(scale_chroma(pixels, 1 - 0.6 * depth), _s_curve(pixels, 9, 0.75 * depth))


@look
def noir(pixels: Pixels, depth: float) -> Pixels:
    """Turn the photo black and white with hard contrast.

    A dark photo is not darkened further, because it would turn black.
    """
    middle = 0.5 + float(np.clip(0.9 * _brightness(pixels) - 0.26, -0.2, 0.1))
    return apply_curves(to_gray(pixels), _s_curve(pixels, 9, depth, middle))


@look
def cross_process(pixels: Pixels, depth: float) -> Pixels:
    """Simulate film developed in the wrong chemicals: yellow-green highlights and blue shadows."""
    levels, steep, share = levels_of(pixels), _s_curve(pixels, 7.5), min(1.0, 0.85 * depth)
    ends = (steep, 0.9 * steep + 0.1 * levels, 0.14 + 0.68 * levels)
    return apply_curves(pixels, *(levels + share * (end - levels) for end in ends))


@look
def moody(pixels: Pixels, depth: float) -> Pixels:
    """Make the photo darker and paler, with cool, lifted shadows."""
    levels = levels_of(pixels)
    curve = levels + depth * (0.035 + 0.8 * levels ** np.float32(1.35) - levels)
    paler = scale_chroma(pixels, 1 - min(0.8, 0.38 * depth))
    return _toned(paler, curve, 0.5 * depth, (-0.3, 0.02, 0.22), (0.2, 0.04, -0.14))


@look
def neon(pixels: Pixels, depth: float, *, canvas: Canvas) -> Pixels:
    """Tint shadows violet, turn highlights pink and cyan, and make the highlights glow."""
    curve = _s_curve(pixels, 7, 0.8 * depth, 0.56)
    strong = scale_chroma(pixels, 1 + 0.35 * depth)
    tinted = _toned(strong, curve, depth, (-0.15, 0.0, 1.1), (0.3, -0.2, 0.5))
    return _glowing(_cyan_and_pink(tinted, depth), canvas, 0.012, 0.6 * depth)


@in_colors
def _cyan_and_pink(colors: Floats, depth: float) -> Floats:
    """Move hues toward the colors of neon tubes.

    Greens and blues move toward cyan. All other hues move toward pink, or toward violet in dark areas.
    """
    hsv = _hsv(colors)
    hue = hsv[:, :, 0]
    is_cool = (hue > 75) & (hue < 262)
    wanted = np.where(is_cool, 188, 250 + 68 * np.clip(2 * hsv[:, :, 2], 0, 1)).astype(np.float32)
    turn = (wanted - hue + 180) % 360 - 180
    hsv[:, :, 0] = (hue + np.float32(min(0.7, 0.45 * depth)) * turn) % 360
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)


@look
def golden_hour(pixels: Pixels, depth: float, *, canvas: Canvas) -> Pixels:
    """Simulate the warm, low-angle, and slightly hazy light before sunset."""
    warmed = warmth(_peach_for_blue(pixels, depth), min(1.0, 0.5 * depth))
    golden = _toned(warmed, levels_of(pixels), 0.6 * depth, (0.12, -0.03, 0.0), (0.45, 0.16, -0.25))
    return _glowing(golden, canvas, 0.02, 0.4 * depth)


@in_colors
def _peach_for_blue(colors: Floats, depth: float) -> Floats:
    """Turn blue toward peach at the same brightness, because blue with a yellow tint would look green."""
    blueness = np.clip(6 * (colors[:, :, 2] - colors[:, :, 0]), 0, 1)
    share = blueness[:, :, None] * np.float32(min(0.9, 0.75 * depth))
    return cast(Floats, colors + share * (light_of(colors)[:, :, None] * _PEACH - colors))


@look
def nightfall(pixels: Pixels, depth: float) -> Pixels:
    """Turn day into night, as movies do.

    The photo becomes dark, blue, and pale, but bright lamps stay lit. A photo that is already dark is
    darkened less.
    """
    return _at_night(pixels, min(1.0, 0.94 * depth), np.clip(0.16 / max(0.05, _brightness(pixels)), 0.3, 0.6))


@in_colors
def _at_night(colors: Floats, share: float, gain: float) -> Floats:
    dark = np.float32(gain) * scale_saturation(colors, 0.45) ** np.float32(1.35) * _NIGHT
    return cast(Floats, colors + np.float32(share) * (dark + _lamps(colors) * (colors - dark) - colors))


@look
def dusk(pixels: Pixels, depth: float) -> Pixels:
    """Turn day into dusk.

    The photo becomes dim, with blue shadows and a violet tone, but lamps stay bright and warm. A photo that
    is already dark is dimmed less.
    """
    gain = float(np.clip(0.3 / max(0.05, _brightness(pixels)), 0.5, 0.8))
    return _at_dusk(pixels, min(1.0, 0.94 * depth), gain)


@in_colors
def _at_dusk(colors: Floats, share: float, gain: float) -> Floats:
    dim = np.float32(gain) * scale_saturation(colors, 0.75) ** np.float32(1.15) * _DUSK
    return cast(Floats, colors + np.float32(share) * (dim + _lamps(colors) * (colors - dim) - colors))


def _lamps(colors: Floats) -> Floats:
    """Return how much each pixel looks like a lamp.

    Lamps are bright and yellow, whereas a bright sky is white or blue.
    """
    warmth = np.clip((colors[:, :, 0] - colors[:, :, 2] - np.float32(0.12)) * 3, 0, 1)
    lamp = np.clip((colors.max(2) - np.float32(0.86)) * 8, 0, 1) * warmth * np.float32(0.85)
    return cast(Floats, lamp[:, :, None])


@look
def autumn(pixels: Pixels, depth: float) -> Pixels:
    """Turn green leaves and grass gold, orange, and red.

    Raises OperationError if hardly anything in the photo is green.
    """
    small = working_copy(Picture(pixels), _WORKING_PIXELS) * np.float32(1 / 255)
    if float(_leaves(_hsv(small)).mean()) < _MIN_LEAVES:
        sentence = Sentence("I can't find green leaves or grass to recolor in this photo.")
        raise OperationError(Reason.NO_SUCH_TARGET, sentence, Sentence("Choose another look."))
    return _turned(pixels, min(1.0, depth))


@in_colors
def _turned(colors: Floats, share: float) -> Floats:
    """Turn yellowish greens gold, and deep greens orange and red.

    Dark pixels become red instead of gold, because their hue is only noise.
    """
    hsv = _hsv(colors)
    hue, strength, light = cv2.split(hsv)
    reddest = 14 + 14 * ramp(light, 0.4, 0.1)
    gold = np.clip(np.float32(47) - (hue - 55) * np.float32(0.36), reddest, 47)
    rich = np.clip(strength * np.float32(1.2) + np.float32(0.05), 0, 1)
    leaves = cv2.merge([gold, rich, np.clip(light * np.float32(1.12), 0, 1)])
    where = (_leaves(hsv) * np.float32(share))[:, :, None]
    return cast(Floats, colors + where * (cv2.cvtColor(leaves, cv2.COLOR_HSV2RGB) - colors))


@look
@in_colors
def winter(colors: Floats, depth: float) -> Floats:
    """Make the photo cold and pale, with frost on plants.

    Dark areas get no frost, because their hues are only noise.
    """
    light, pale = light_of(colors)[:, :, None], scale_saturation(colors, 0.55)
    lit = np.clip(light / np.float32(_UNLIT), 0, 1)
    frost = (0.28 * lit + 0.8 * np.sqrt(np.clip(light, 0, 1)) * (0.5 + 0.5 * lit)).astype(np.float32) * _FROST
    cold = (pale + np.float32(0.85) * _leaves(_hsv(colors))[:, :, None] * (frost - pale)) * _COLD
    return cast(Floats, colors + np.float32(min(1.0, depth)) * (cold - colors))


@look
def infrared(pixels: Pixels, depth: float, *, canvas: Canvas) -> Pixels:
    """Simulate infrared film: white leaves and grass, and a dark blue sky."""
    return _glowing(to_gray(_leaves_shining(pixels, min(1.0, depth))), canvas, 0.006, 0.3)


@in_colors
def _leaves_shining(colors: Floats, share: float) -> Floats:
    hsv, (red, _, blue) = _hsv(colors), cv2.split(colors)
    light = np.clip(np.float32(1.15) * red - np.float32(0.2) * blue + np.float32(0.05), 0, 1)
    lit = np.clip(hsv[:, :, 2] / np.float32(_UNLIT), 0, 1)
    shone = np.clip(np.float32(0.35) * lit + np.float32(1.1) * hsv[:, :, 2], 0, 1)
    gray = light + _leaves(hsv) * np.float32(share) * (shone - light)
    return np.repeat(gray[:, :, None], 3, 2)


def _leaves(hsv: Floats) -> Floats:
    """Return how likely each pixel is to be a leaf, from 0 to 1.

    Leaves are yellow-green to green, and neither gray nor black. In blue light, leaves are both teal and
    dark, unlike a daytime sky.
    """
    hue, strength, light = cv2.split(hsv)
    green = ramp(hue, 48, 62) * ramp(hue, 175, 155) * ramp(strength, 0.1, 0.26) * ramp(light, 0.06, 0.16)
    shaded = ramp(hue, 140, 160) * ramp(hue, 198, 190) * ramp(strength, 0.65, 0.8) * ramp(light, 0.55, 0.45)
    return cast(Floats, np.maximum(green, shaded))


def _hsv(colors: Floats) -> Floats:
    return cv2.cvtColor(np.clip(colors, 0, 1), cv2.COLOR_RGB2HSV)


def _brightness(pixels: Pixels) -> float:
    """Return the mean brightness of the photo, from 0 to 1."""
    return float(to_gray(pixels[::8, ::8]).mean()) / top_value(pixels)


def _s_curve(pixels: Pixels, steepness: float, share: float = 1.0, middle: float = 0.5) -> Floats:
    """Return the levels moved toward a logistic curve by `share` (0 to 1).

    Black and white do not change.
    """
    levels = levels_of(pixels)
    steep = 1 / (1 + np.exp(-steepness * (levels - middle)))
    return cast(Floats, levels + min(1.0, share) * ((steep - steep[0]) / (steep[-1] - steep[0]) - levels))


def _toned(pixels: Pixels, curve: Floats, tint: float, low: _Rgb, high: _Rgb) -> Pixels:
    """Return the pixels with a curve and a tint applied.

    `low` is added to red, green, and blue in the shadows, and `high` is added in the highlights, both
    multiplied by `tint`.
    """
    levels = levels_of(pixels)
    shadow, light = tint * levels * (1 - levels) ** 2, tint * levels**2 * (1 - levels)
    ends = zip(low, high, strict=True)
    return apply_curves(pixels, *(curve + down * shadow + up * light for down, up in ends))


def _glowing(pixels: Pixels, canvas: Canvas, reach: float, share: float) -> Pixels:
    """Lay a blurred copy of the photo over the photo where the copy is bright.

    `reach` is the standard deviation of the blur, as a share of the longest side. `share` is the strength of
    the glow.
    """
    top, share = top_value(pixels), min(1.0, share * 1.4)
    soft = blurred(pixels, sigma=reach * longest_side(canvas))

    def change(colors: Floats, rows: slice) -> Floats:
        glow = soft[rows, :, :3] * np.float32(1 / top)
        screened = 1 - (1 - colors) * (1 - np.float32(0.75) * glow * glow)
        return cast(Floats, colors + np.float32(share) * (screened - colors))

    return in_strips(pixels, change)
