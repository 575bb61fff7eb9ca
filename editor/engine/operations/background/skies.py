"""Drawn skies: cloudy, clear, at sunset, at night, and before a storm."""

import numpy as np

from editor.engine.colors import Color, Floats, Stops, interpolate_gradient, ramp
from editor.engine.drawing.cloud_noise import cloud_noise, clouds_in_perspective
from editor.engine.drawing.discs import disc, stamp
from editor.engine.drawing.gaussian import blurred
from editor.imaging.picture import smoothstep

_DAY: Stops = ((0.0, (58, 120, 196)), (0.55, (138, 186, 230)), (1.0, (214, 230, 240)))
_SUNSET: Stops = (
    (0.0, (52, 58, 112)),
    (0.35, (140, 88, 140)),
    (0.6, (226, 122, 108)),
    (0.8, (250, 172, 100)),
    (1.0, (255, 214, 142)),
)
# Colors of storm clouds, from the darkest to the brightest.
_STORM: Stops = (
    (0.0, (24, 28, 38)),
    (0.3, (66, 74, 90)),
    (0.6, (132, 142, 158)),
    (0.85, (206, 208, 212)),
    (1.0, (240, 236, 228)),
)
_NIGHT: Stops = ((0.0, (6, 9, 24)), (0.6, (16, 26, 58)), (1.0, (40, 56, 96)))


def day(width: int, height: int, random: np.random.Generator) -> Floats:
    return clouded(graded(width, height, _DAY), random, lit=(255, 255, 255), share=0.85)


def clear(width: int, height: int, random: np.random.Generator) -> Floats:
    """Return a cloudless daytime sky, with a random depth of blue at the top."""
    deep = random.uniform(0, 0.4)
    return graded(
        width, height, tuple((max(0.0, (place - deep) / (1 - deep)), color) for place, color in _DAY)
    )


def sunset(width: int, height: int, random: np.random.Generator) -> Floats:
    return clouded(graded(width, height, _SUNSET), random, lit=(255, 168, 128), share=0.5)


def night(width: int, height: int, random: np.random.Generator) -> Floats:
    sky = graded(width, height, _NIGHT)
    for x, y, size in random.random((900, 3)):
        brightness = size**7
        sprite = disc((0.0005 + 0.0012 * brightness) * max(width, height), rim=1.0)
        stamp(sky, sprite, (x * width, y * height), np.full(3, 0.16 + 0.84 * brightness, np.float32))
    return np.clip(sky, 0, 1)


def stormy(width: int, height: int, random: np.random.Generator) -> Floats:
    """Return a sky full of clouds, which are dark where they are thick and brighter toward the horizon."""
    swells = cloud_noise(2 * width, 2 * height, random, scale=0.2, wide=1.7)
    swells = clouds_in_perspective(swells, width, height)
    lower = max(1, round(0.025 * height))
    above = np.pad(swells, ((lower, 0), (0, 0)), "edge")[:height]
    relief = blurred(swells - above, 0.004 * width)  # The lower sides of clouds reflect light from below.
    thick = smoothstep(ramp(swells, 0.3, 0.72))
    down = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None]
    return interpolate_gradient(np.clip(0.78 - 0.62 * thick + 2.2 * relief + 0.22 * down, 0, 1), _STORM)


def graded(width: int, height: int, stops: Stops) -> Floats:
    """Return a vertical gradient (height x width x 3, 0 to 1) through color stops.

    Stop 0 is at the top.
    """
    return np.repeat(interpolate_gradient(np.linspace(0, 1, height)[:, None], stops), width, axis=1)


def clouded(
    sky: Floats, random: np.random.Generator, *, lit: Color, share: float, cover: float = 0.5
) -> Floats:
    height, width = sky.shape[:2]
    swells = cloud_noise(width, height, random, scale=0.24, wide=2.4)
    veil = share * smoothstep(ramp(swells, cover, cover + 0.3))[:, :, None]
    return (sky + veil * (np.array(lit) / 255 - sky)).astype(np.float32)
