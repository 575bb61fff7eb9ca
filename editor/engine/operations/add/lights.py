"""Added light: rays, a lens flare, sparkles, and out-of-focus lights."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, color_of
from editor.engine.drawing.discs import disc, stamp
from editor.engine.drawing.gaussian import blurred
from editor.engine.masks import map_strips_with
from editor.engine.operations.add.places import within_place, within_target
from editor.engine.pixels import copy_size
from editor.engine.plan import Step
from editor.imaging.picture import Pixels

type Rgb = tuple[float, float, float]

_DRAWN_PIXELS = 2000  # longer side, in pixels, of the working copy on which light is drawn
_SUNLIGHT: Rgb = (1.0, 0.9, 0.68)
_CORNERS = ("top left", "top right")
_LAMPS: tuple[Rgb, ...] = ((1.0, 0.82, 0.5), (1.0, 0.66, 0.36), (1.0, 0.93, 0.78), (0.72, 0.84, 1.0))


@operation
def light_rays(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add sunbeams from the requested place or from an upper corner; the amount sets the strength."""
    light = empty_light_map(canvas)
    random = np.random.default_rng(canvas.seed)
    source = _source(light, place or _CORNERS[canvas.seed % 2], outside=0.12)
    angle, far = polar(light, source)
    beams = np.zeros_like(far)
    for count, strength in ((29, 0.6), (71, 0.3), (190, 0.14)):
        table = random.random(count).astype(np.float32)
        beams += np.float32(strength) * np.interp(angle, np.linspace(-np.pi, np.pi, count), table)
    beams = np.clip((beams - 0.42) / 0.34, 0, 1) ** 1.2
    reach = np.exp(-far / (1.1 * max(light.shape)))
    share = (0.95 * beams + 0.2) * reach * (0.55 + 0.9 * abs(amount))
    light += blurred(share.astype(np.float32), 0.003 * max(share.shape))[:, :, None] * light_color(
        color, _SUNLIGHT
    )
    return within_target(canvas, step, add_light(canvas, light))


@operation
def lens_flare(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add a bright light source at the requested place or in an upper corner, with lens reflections.

    The reflections are discs on the line from the source through the middle of the photo. The amount sets the
    strength of the source and of its reflections.
    """
    light = empty_light_map(canvas)
    source = _source(light, place or _CORNERS[canvas.seed % 2], outside=-0.12)
    height, width = light.shape[:2]
    unit, middle = max(height, width), np.array((width / 2, height / 2))
    angle, far = polar(light, source)
    far /= unit
    strength = 0.55 + 0.7 * abs(amount)
    rays = np.abs(np.cos(angle * 4 + 0.6)) ** 60 * 0.5 + np.abs(np.cos(angle * 3 - 0.4)) ** 24 * 0.2
    glow = np.exp(-((far / 0.022) ** 2)) * 1.2 + 0.65 * np.exp(-far / 0.09) + rays * np.exp(-far / 0.16)
    light += (glow * strength).astype(np.float32)[:, :, None] * light_color(color, _SUNLIGHT)
    way = middle - np.array(source)
    for along, radius, opacity, tone in _GHOSTS:
        at = np.array(source) + along * way
        ghost = np.array(tone, np.float32) * np.float32(1.7 * opacity * strength)
        stamp(light, disc(radius * unit, rim=1.6), tuple(at), ghost)
    return within_target(canvas, step, add_light(canvas, light))


# The reflections of a lens flare: position, radius, opacity, and color. The position is a point on the line
# from the light source (0) through the middle of the photo (1). The radius is a share of the photo's longer
# side.
_GHOSTS: tuple[tuple[float, float, float, Rgb], ...] = (
    (0.45, 0.018, 0.16, (1.0, 0.8, 0.4)),
    (0.75, 0.034, 0.08, (0.6, 1.0, 0.6)),
    (1.15, 0.014, 0.2, (0.5, 0.75, 1.0)),
    (1.4, 0.05, 0.07, (1.0, 0.6, 0.35)),
    (1.62, 0.026, 0.13, (0.55, 0.8, 1.0)),
    (1.95, 0.085, 0.06, (0.7, 0.55, 1.0)),
)


@operation
def sparkles(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add glittering points with four rays, a few large and many small; the amount sets their number."""
    light, random, star = empty_light_map(canvas), np.random.default_rng(canvas.seed), _four_pointed(301)
    for count, low, high in ((60, 0.012, 0.03), (22, 0.04, 0.08), (6, 0.1, 0.17)):
        for at, size in scatter_points(light, random, round(count * (0.4 + 1.5 * abs(amount))), low, high):
            glint = light_color(color, (1.0, 0.95, 0.82)) * random.uniform(0.5, 1.0)
            side = max(3, round(size) | 1)
            stamp(light, cv2.resize(star, (side, side), interpolation=cv2.INTER_AREA), at, glint)
    return within_place(canvas, step, add_light(canvas, light))


@operation
def bokeh_lights(canvas: Canvas, step: Step, *, color: str | None, amount: float) -> Canvas:
    """Add soft discs of warm light, like out-of-focus lamps; the amount sets their number."""
    light, random = empty_light_map(canvas), np.random.default_rng(canvas.seed)
    for at, size in scatter_points(light, random, round(14 + 46 * abs(amount)), 0.035, 0.13):
        lamp = light_color(color, _LAMPS[int(random.integers(len(_LAMPS)))])
        stamp(light, disc(size / 2, rim=1.5), at, lamp * random.uniform(0.1, 0.34))
    return within_place(canvas, step, add_light(canvas, light))


def empty_light_map(canvas: Canvas) -> Floats:
    """Return an empty light map, height x width x 3, with the shape of the photo."""
    width, height = copy_size(_DRAWN_PIXELS, canvas.picture.width, canvas.picture.height)
    return np.zeros((height, width, 3), np.float32)


def add_light(canvas: Canvas, light: Floats) -> Pixels:
    """Return the photo with a light map of any size added by screen blending.

    Screen blending keeps colors from exceeding white.
    """
    held = np.clip(light, 0, 1).astype(np.float32)
    return map_strips_with(canvas.picture.pixels, lambda colors, more: 1 - (1 - colors) * (1 - more), held)


def light_color(color: str | None, usual: Rgb) -> Floats:
    return np.array(color_of(color), np.float32) / np.float32(255) if color else np.array(usual, np.float32)


def _source(light: Floats, place: str, *, outside: float) -> tuple[float, float]:
    """Return the position of a light source, in pixels.

    The light source is at the named edge or corner, moved out of the photo by `outside` times the longer
    side. If `outside` is negative, the source is moved into the photo.
    """
    height, width = light.shape[:2]
    beyond = outside * max(height, width)
    x = -beyond if "left" in place else width + beyond if "right" in place else width / 2
    y = -beyond if "top" in place else height + beyond if "bottom" in place else height / 2
    return float(x), float(y)


def polar(light: Floats, source: tuple[float, float]) -> tuple[Floats, Floats]:
    """Return each pixel's direction from the source, in radians, and its distance, in pixels."""
    x = np.arange(light.shape[1], dtype=np.float32)[None] - np.float32(source[0])
    y = np.arange(light.shape[0], dtype=np.float32)[:, None] - np.float32(source[1])
    return np.arctan2(y, x), np.hypot(x, y)


def scatter_points(
    light: Floats, random: np.random.Generator, count: int, low: float, high: float
) -> list[tuple[tuple[float, float], float]]:
    """Return random points (x, y), each with a size in pixels.

    Sizes range from `low` to `high` times the photo's longer side.
    """
    height, width = light.shape[:2]
    return [
        ((x * width, y * height), (low + (high - low) * size) * max(height, width))
        for x, y, size in random.random((count, 3))
    ]


def _four_pointed(size: int) -> Floats:
    half = size // 2
    y, x = np.mgrid[-half : half + 1, -half : half + 1].astype(np.float32) / np.float32(half)
    far = np.hypot(x, y)
    rays = np.exp(-np.abs(x) / 0.018 - np.abs(y) / 0.2) + np.exp(-np.abs(y) / 0.018 - np.abs(x) / 0.2)
    star = rays + np.exp(-((far / 0.05) ** 2)) + 0.3 * np.exp(-far / 0.09)
    return cast(Floats, np.clip(star - 0.02, 0, 1) * np.clip(1.15 - far, 0, 1))
