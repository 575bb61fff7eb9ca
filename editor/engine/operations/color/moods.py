"""Moods, hours and seasons: noir, moody, dreamy, neon, films that were developed wrongly, golden hour, night,
autumn, winter."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.operations.color.looks import to_grey
from editor.engine.operations.color.selective import depth_of, look, partly, share_of, within_target
from editor.engine.operations.color.softness import blurred
from editor.engine.operations.color.tone import LUMA, colored, levels_of, looked_up, steepened, warmth
from editor.engine.pixels import in_strips, top_value, working_copy
from editor.engine.plan import Amount, Reason, Step
from editor.engine.refused import Unable
from editor.imaging.codecs import Pixels

type _Rgb = tuple[float, float, float]

_SIDE = 256
_FEWEST_LEAVES = 0.01  # of the photo
_UNLIT = 0.3
_PEACH = np.array((1.12, 0.96, 0.98), np.float32)  # as bright as white
_FROST, _COLD = np.array((0.95, 0.98, 1.02), np.float32), np.array((0.94, 0.99, 1.07), np.float32)


@look
def dreamy(pixels: Pixels, depth: float, side: int) -> Pixels:
    """A soft glow over a photo that stays sharp (Michael Orton's slides, laid on each other)."""
    return glowing(pixels, 0.012 * side, 0.55 * depth)


@look
def bleach_bypass(pixels: Pixels, depth: float, _side: int) -> Pixels:
    """Silver left in the film: hard contrast, pale colors."""
    return _curved(colored(pixels, 1 - 0.6 * depth), 0.75 * depth)


@look
def infrared(pixels: Pixels, depth: float, side: int) -> Pixels:
    """Leaves and grass white, blue sky dark."""
    grey = to_grey(in_strips(pixels, lambda colors, _: _infrared(colors, depth)))
    return glowing(grey, 0.006 * side, 0.3)


@look
def winter(pixels: Pixels, depth: float, _side: int) -> Pixels:
    """Cold and pale, greens under frost."""
    return in_strips(pixels, lambda colors, _: _winter(colors, depth))


@operation
def autumn(canvas: Canvas, step: Step, *, amount: Amount | None) -> Canvas:
    """Green leaves and grass turned gold, orange and red. Raises Unable when hardly anything is green."""
    small = working_copy(canvas.picture, _SIDE) * np.float32(1 / 255)
    if float(_greenness(cv2.cvtColor(small, cv2.COLOR_RGB2HSV)).mean()) < _FEWEST_LEAVES:
        sentence = "No green leaves or grass that could turn were found in this photo."
        raise Unable(Reason.NO_SUCH_TARGET, sentence)
    share, depth = share_of(canvas, amount), depth_of(canvas, amount)

    def change(pixels: Pixels) -> Pixels:
        return partly(pixels, in_strips(pixels, lambda colors, _: _autumn(colors, depth)), share)

    return within_target(canvas, step, change)


@look
def noir(pixels: Pixels, depth: float, _side: int) -> Pixels:
    """Black and white of hard contrast: deep shadows, bright lights. A dark photo is not made darker: it
    would be black."""
    light = float(to_grey(pixels[::8, ::8]).mean()) / top_value(pixels)
    return _curved(to_grey(pixels), depth, dark=float(np.clip(0.9 * light - 0.26, -0.2, 0.1)))


def _curved(pixels: Pixels, depth: float, dark: float = 0.0) -> Pixels:
    """An S around the middle; `dark` moves it down."""
    levels = levels_of(pixels)
    curve = levels + min(1.0, depth) * (steepened(levels, 9, 0.5 + dark) - levels)
    return looked_up(pixels, np.stack([curve] * 3, 1))


def _toned(pixels: Pixels, curve: Floats, tint: float, low: _Rgb, high: _Rgb) -> Pixels:
    """The levels on a curve, with as much of what is added to red, green and blue in shadows and in lights as
    the tint says."""
    levels = levels_of(pixels)
    shadow, light = tint * levels * (1 - levels) ** 2, tint * levels**2 * (1 - levels)
    table = [curve + down * shadow + up * light for down, up in zip(low, high, strict=True)]
    return looked_up(pixels, np.stack(table, 1).astype(np.float32))


@look
def moody(pixels: Pixels, depth: float, _side: int) -> Pixels:
    """Darker and paler, with cool, lifted shadows."""
    levels = levels_of(pixels)
    curve = levels + depth * (0.035 + 0.8 * levels ** np.float32(1.35) - levels)
    paler = colored(pixels, 1 - min(0.8, 0.38 * depth))
    return _toned(paler, curve, 0.5 * depth, (-0.3, 0.02, 0.22), (0.2, 0.04, -0.14))


def glowing(pixels: Pixels, radius: float, share: float) -> Pixels:
    """A blurred copy laid over the photo like a second slide, where it is bright."""
    top = top_value(pixels)
    soft = blurred(pixels, sigma=radius)

    def change(colors: Floats, rows: slice) -> Floats:
        glow = soft[rows, :, :3] * np.float32(1 / top)
        screened = 1 - (1 - colors) * (1 - np.float32(0.75) * glow * glow)
        return cast(Floats, colors + np.float32(min(1.0, share * 1.4)) * (screened - colors))

    return in_strips(pixels, change)


@look
def neon(pixels: Pixels, depth: float, side: int) -> Pixels:
    """Violet shadows, pink and cyan lights that glow."""
    levels = levels_of(pixels)
    curve = levels + depth * 0.8 * (steepened(levels, 7, 0.56) - levels)
    strong = colored(pixels, 1 + 0.35 * depth)
    tinted = _toned(strong, curve, depth, (-0.15, 0.0, 1.1), (0.3, -0.2, 0.5))
    tubes = in_strips(tinted, lambda colors, _: _cyan_and_pink(colors, depth))
    return glowing(tubes, 0.012 * side, 0.6 * depth)


def _cyan_and_pink(colors: Floats, depth: float) -> Floats:
    """Hues drawn to the two of neon tubes: what is cooler than magenta to cyan, what is warmer to pink, and
    to violet in the dark."""
    hsv = cv2.cvtColor(np.clip(colors, 0, 1), cv2.COLOR_RGB2HSV)
    hue = hsv[:, :, 0]
    is_cool = (hue > 75) & (hue < 262)
    wanted = np.where(is_cool, 188, 250 + 68 * np.clip(2 * hsv[:, :, 2], 0, 1)).astype(np.float32)
    turn = (wanted - hue + 180) % 360 - 180
    hsv[:, :, 0] = (hue + np.float32(min(0.7, 0.45 * depth)) * turn) % 360
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)


@look
def golden_hour(pixels: Pixels, depth: float, side: int) -> Pixels:
    """The light before sunset: warm, low and a little hazy."""
    peach = in_strips(pixels, lambda colors, _: _peach_for_blue(colors, depth))
    warmed = warmth(peach, min(1.0, 0.5 * depth))
    golden = _toned(warmed, levels_of(pixels), 0.6 * depth, (0.12, -0.03, 0.0), (0.45, 0.16, -0.25))
    return glowing(golden, 0.02 * side, 0.4 * depth)


def _peach_for_blue(colors: Floats, depth: float) -> Floats:
    """Blue light turned toward peach, as bright as it was: yellow laid over blue would be green."""
    light = (colors @ np.array(LUMA, np.float32))[:, :, None]
    blueness = np.clip(6 * (colors[:, :, 2] - colors[:, :, 0]), 0, 1)
    share = blueness[:, :, None] * np.float32(min(0.9, 0.75 * depth))
    return cast(Floats, colors + share * (light * _PEACH - colors))


@look
def nightfall(pixels: Pixels, depth: float, _side: int) -> Pixels:
    """Day made into night, as films do it: dark, blue and pale, the brightest lights still lit."""
    share = np.float32(min(1.0, 0.94 * depth))
    light = float(to_grey(pixels[::8, ::8]).mean()) / top_value(pixels)
    gain = np.float32(np.clip(0.16 / max(0.05, light), 0.3, 0.6))  # a dark photo has less to lose

    def change(colors: Floats, rows: slice) -> Floats:
        light = colors @ np.array(LUMA, np.float32)
        pale = light[:, :, None] + np.float32(0.45) * (colors - light[:, :, None])
        # The eye sees no red in the dark: what is left of the light is blue.
        dark = gain * pale ** np.float32(1.35) * np.array((0.62, 0.82, 1.28), np.float32)
        # Lamps are bright and yellow; a sky as bright is white or blue.
        warmth = np.clip((colors[:, :, 0] - colors[:, :, 2] - np.float32(0.12)) * 3, 0, 1)
        lamp = (np.clip((colors.max(2) - np.float32(0.86)) * 8, 0, 1) * warmth)[:, :, None]
        return cast(Floats, colors + share * (dark + lamp * np.float32(0.85) * (colors - dark) - colors))

    return in_strips(pixels, change)


@look
def cross_process(pixels: Pixels, depth: float, _side: int) -> Pixels:
    """Film in the wrong bath: green-yellow lights, blue shadows, hard contrast."""
    levels = levels_of(pixels)
    steep = steepened(levels, 7.5)
    ends = (steep, 0.9 * steep + 0.1 * levels, 0.14 + 0.68 * levels)
    table = [levels + min(1.0, 0.85 * depth) * (end - levels) for end in ends]
    return looked_up(pixels, np.stack(table, 1).astype(np.float32))


def _greenness(hsv: Floats) -> Floats:
    """How surely it is a leaf: yellow-green to green, and neither grey nor black."""
    hue, strength, light = cv2.split(hsv)
    near = np.clip((hue - 48) / 14, 0, 1) * np.clip((175 - hue) / 20, 0, 1)
    return cast(Floats, near * np.clip((strength - 0.1) / 0.16, 0, 1) * np.clip((light - 0.06) / 0.1, 0, 1))


def _shaded(hsv: Floats) -> Floats:
    """How surely it is a leaf in blue light: teal and dark, as no sky is by day."""
    hue, strength, light = cv2.split(hsv)
    near = np.clip((hue - 140) / 20, 0, 1) * np.clip((198 - hue) / 8, 0, 1)
    is_strong = np.clip((strength - 0.65) / 0.15, 0, 1)
    return cast(Floats, near * is_strong * np.clip((0.55 - light) / 0.1, 0, 1))


def _leaf(hsv: Floats) -> Floats:
    return np.maximum(_greenness(hsv), _shaded(hsv))


def _autumn(colors: Floats, depth: float) -> Floats:
    hsv = cv2.cvtColor(np.clip(colors, 0, 1), cv2.COLOR_RGB2HSV)
    leaf = _leaf(hsv)
    # Yellow greens become gold, deep greens orange and red; the hue of what is dark is noise.
    reddest = 14 + 14 * np.clip((0.4 - hsv[:, :, 2]) / 0.3, 0, 1)
    hue = np.clip(np.float32(47) - (hsv[:, :, 0] - 55) * np.float32(0.36), reddest, 47)
    turned = hsv.copy()
    turned[:, :, 0] = hue
    turned[:, :, 1] = np.clip(hsv[:, :, 1] * np.float32(1.2) + np.float32(0.05), 0, 1)
    turned[:, :, 2] = np.clip(hsv[:, :, 2] * np.float32(1.12), 0, 1)
    share = (leaf * np.float32(min(1.0, depth)))[:, :, None]
    return cast(Floats, colors + share * (cv2.cvtColor(turned, cv2.COLOR_HSV2RGB) - colors))


def _winter(colors: Floats, depth: float) -> Floats:
    hsv = cv2.cvtColor(np.clip(colors, 0, 1), cv2.COLOR_RGB2HSV)
    light = (colors @ np.array(LUMA, np.float32))[:, :, None]
    leaf = _leaf(hsv)[:, :, None]
    pale = light + np.float32(0.55) * (colors - light)
    lit = np.clip(light / np.float32(_UNLIT), 0, 1)  # no frost lies in the dark, where hues are noise
    frost = (0.28 * lit + 0.8 * np.sqrt(np.clip(light, 0, 1)) * (0.5 + 0.5 * lit)).astype(np.float32) * _FROST
    cold = (pale + np.float32(0.85) * leaf * (frost - pale)) * _COLD
    return cast(Floats, colors + np.float32(min(1.0, depth)) * (cold - colors))


def _infrared(colors: Floats, depth: float) -> Floats:
    hsv = cv2.cvtColor(np.clip(colors, 0, 1), cv2.COLOR_RGB2HSV)
    leaf = _leaf(hsv)
    red, _, blue = cv2.split(colors)
    light = np.clip(np.float32(1.15) * red - np.float32(0.2) * blue + np.float32(0.05), 0, 1)
    lit = np.clip(hsv[:, :, 2] / np.float32(_UNLIT), 0, 1)
    shone = np.clip(np.float32(0.35) * lit + np.float32(1.1) * hsv[:, :, 2], 0, 1)
    grey = light + leaf * np.float32(min(1.0, depth)) * (shone - light)
    return np.repeat(grey[:, :, None], 3, 2)
