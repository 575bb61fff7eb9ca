"""Add snow and rain at several distances, blurred and lit according to the distance."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.drawing.discs import stamp
from editor.engine.masks import map_strips_with
from editor.engine.operations.add.lights import Rgb, empty_light_map, light_color
from editor.engine.operations.add.places import within_place
from editor.engine.plan import Step
from editor.imaging.picture import Pixels, smoothstep

# Side, in pixels, of the square reference photo for which the sizes of flakes and drops are given.
_FULL = 1000
# Background brightness, from 0 to 1, above which the air is made denser to show flakes and drops.
_WHITE = np.float32(0.7)
_WHITEST = 0.9  # minimum red, green, and blue, from 0 to 1, for flakes or drops to count as white
# Density of the air in front of a white background, as a multiple of its usual density.
_DULLER = np.float32(2.0)


@dataclass(frozen=True)
class _Depth:
    """The flakes or drops at one distance.

    `count` is the number of flakes or drops. `length` and `thickness` are ranges of half their length and
    half their thickness, in pixels of the reference photo. `opacity` is the range of their opacity.
    """

    count: int
    length: tuple[float, float]
    thickness: tuple[float, float]
    opacity: tuple[float, float]
    softness: float  # Share of the radius over which the edge of a flake or drop fades out.


_SNOW = (
    _Depth(2000, (0.9, 1.7), (0.8, 1.5), (0.35, 0.75), 1.0),
    _Depth(620, (2.2, 4.4), (2.0, 3.9), (0.6, 0.95), 0.7),
    _Depth(170, (5.0, 9.5), (4.4, 7.5), (0.6, 0.9), 0.75),
    _Depth(26, (15.0, 32.0), (12.0, 22.0), (0.2, 0.42), 0.9),
)
_RAIN = (
    _Depth(1900, (7.0, 16.0), (0.4, 0.65), (0.25, 0.5), 1.0),
    _Depth(520, (22.0, 48.0), (0.7, 1.15), (0.3, 0.55), 1.0),
    _Depth(90, (60.0, 120.0), (1.3, 2.4), (0.22, 0.4), 1.0),
)
_SNOW_AIR = (0.74, 0.79, 0.86)  # color of the air between snowflakes, which absorbs some light from behind
_RAIN_AIR = (0.5, 0.54, 0.58)  # color of the air between raindrops
_SNOW_LIGHT = (1.0, 1.0, 1.0)  # color of snowflakes
_RAIN_LIGHT = (0.93, 0.96, 1.0)  # color of raindrops


@operation
def snow(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add falling snow; the amount sets its density, and the seed determines the flakes."""
    amount = abs(amount)
    cover = falling(canvas, _SNOW, amount, slant=(-0.3, 0.3), spread=0.35)
    light = light_color(color, _SNOW_LIGHT)
    pixels = _through(canvas.picture.pixels, cover, _SNOW_AIR, light, 0.5 * amount**1.5)
    return within_place(canvas, step, pixels)


@operation
def rain(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add falling rain; the amount sets its density, and the seed determines the drops."""
    amount = abs(amount)
    cover = falling(canvas, _RAIN, amount, slant=(0.1, 0.28), spread=0.03)
    light = light_color(color, _RAIN_LIGHT)
    pixels = _through(canvas.picture.pixels, cover, _RAIN_AIR, light, 0.5 * amount)
    return within_place(canvas, step, pixels)


def _through(pixels: Pixels, cover: Floats, air: Rgb, light: Floats, thickness: float) -> Pixels:
    """Return the photo with air and falling flakes or drops in front of it.

    `thickness` is the share of light that the air absorbs. In front of a white sky, the air is denser,
    because flakes and drops would otherwise be invisible. White flakes and drops only lighten the photo.
    """
    veil, is_colored = np.array(air, np.float32), float(light.min()) < _WHITEST

    def change(colors: Floats, share: Floats) -> Floats:
        white = np.clip((colors.min(2, keepdims=True) - _WHITE) / (1 - _WHITE), 0, 1)
        taken = np.minimum(np.float32(thickness) * (1 + (_DULLER - 1) * white), 1)
        hazy = colors + taken * (veil - colors)
        gap = light - hazy
        return cast(Floats, hazy + share[:, :, None] * (gap if is_colored else np.maximum(gap, 0)))

    return map_strips_with(pixels, change, cover)


def falling(
    canvas: Canvas, depths: tuple[_Depth, ...], amount: float, *, slant: tuple[float, float], spread: float
) -> Floats:
    """Return the coverage, from 0 to 1, of flakes or drops on a copy of the photo (height x width).

    Their common direction differs from straight down by an angle in the range `slant`, in radians. The
    individual directions vary around the common direction over a range of `spread` radians.
    """
    random, cover = np.random.default_rng(canvas.seed), empty_light_map(canvas)[:, :, :1]
    height, width = cover.shape[:2]
    unit = (width * height) ** 0.5 / _FULL
    common = random.uniform(*slant) * random.choice((-1, 1))
    for depth in depths:
        count = round(depth.count * (0.15 + 0.2 * amount + 4.7 * amount**2))
        for *shares, x, y, turn in random.random((count, 6)):
            ranges = zip((depth.length, depth.thickness, depth.opacity), shares, strict=True)
            length, thickness, opacity = (low + (high - low) * share for (low, high), share in ranges)
            at = (x * 1.1 - 0.05) * width, (y * 1.1 - 0.05) * height
            sprite = _drop(
                length * unit, thickness * unit, common + spread * (turn - 0.5), depth.softness, at
            )
            stamp(cover, sprite * np.float32(opacity), (int(at[0]), int(at[1])), np.ones(1))
    return np.clip(cover[:, :, 0], 0, 1)


def _drop(long: float, thick: float, angle: float, softness: float, at: tuple[float, float]) -> Floats:
    """Return a flake or a drop: an ellipse with an edge that fades out.

    `long` and `thick` are half its length and half its thickness, in pixels. The shape is offset by the
    fractional part of the position `at`. Shapes that are too small for the pixel grid are drawn larger but
    fainter.
    """
    length, thickness = max(0.7, long), max(0.7, thick)
    sine, cosine = np.sin(angle), np.cos(angle)
    right = int(np.hypot(length * sine, thickness * cosine)) + 2
    down = int(np.hypot(length * cosine, thickness * sine)) + 2
    y, x = np.ogrid[-down : down + 1, -right : right + 1]
    x, y = (x - at[0] % 1).astype(np.float32), (y - at[1] % 1).astype(np.float32)
    along, across = (y * cosine + x * sine) / length, (x * cosine - y * sine) / thickness
    share = smoothstep(np.clip((1 - np.hypot(along, across)) / softness, 0, 1))
    return share * np.float32(long / length * thick / thickness)
