"""Add the sun, clouds, a rainbow, fireworks, and more to the sky.

Everything that is in front of the sky stays in front of what is added.
"""

from dataclasses import replace
from itertools import pairwise
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, Stops, color_of, interpolate_gradient, light_of
from editor.engine.drawing.cloud_noise import cloud_noise, clouds_in_perspective
from editor.engine.drawing.discs import disc, stamp
from editor.engine.drawing.gaussian import blurred
from editor.engine.drawing.paint import paint_over
from editor.engine.errors import OperationError
from editor.engine.masks import map_strips_with
from editor.engine.operations.add.lights import (
    Rgb,
    add_light,
    empty_light_map,
    light_color,
    polar,
    scatter_points,
)
from editor.engine.operations.add.moon_face import MARIA, moon_face
from editor.engine.operations.add.outlines import fill_outline
from editor.engine.operations.add.places import within_place, within_target
from editor.engine.pixels import copy_size, working_copy
from editor.engine.plan import DEFAULT_AMOUNT, WHOLE, Reason, Step, Target
from editor.engine.targets.target_masks import target_mask
from editor.imaging.picture import Pixels, smoothstep
from editor.sentences import Sentence

_SKY = Target("thing", noun="sky")
# Maximum mean brightness of the sky, from 0 to 1, at which stars and fireworks are visible.
_DARK = 0.45
_GRAY = 0.75  # maximum mean brightness of the sky, from 0 to 1, at which lightning is visible
_BOLTS = 6  # number of additional lightning bolts per unit of the amount
_MASK_PIXELS = 400  # longer side, in pixels, of the copy on which the brightness of the sky is measured
_CLOUD_PIXELS = 1000  # longer side, in pixels, of the copy on which clouds are drawn
_PARTY: tuple[Rgb, ...] = (
    (1.0, 0.35, 0.3),
    (1.0, 0.8, 0.35),
    (0.45, 0.75, 1.0),
    (0.75, 1.0, 0.55),
    (1.0, 0.55, 0.95),
)
# Colors of a rainbow from its inner to its outer edge.
_BOW: Stops = (
    (0.0, (115, 0, 217)),
    (0.2, (26, 64, 255)),
    (0.4, (0, 204, 191)),
    (0.52, (51, 242, 26)),
    (0.68, (255, 242, 0)),
    (0.84, (255, 128, 0)),
    (1.0, (255, 13, 26)),
)


@operation
def rainbow(canvas: Canvas, step: Step, *, amount: float, place: str | None) -> Canvas:
    """Add a primary rainbow, red on the outside.

    The rainbow's center is near the photo's lower edge or below it. The amount sets the brightness.
    """
    light = empty_light_map(canvas)
    height, width = light.shape[:2]
    random = np.random.default_rng(canvas.seed)
    middle = width * random.uniform(0.3, 0.7), height * random.uniform(0.95, 1.15)
    radius = 0.82 * middle[1] if width < 1.5 * height else 0.86 * middle[1]
    far = polar(light, middle)[1]
    across = (far - radius) / (0.085 * radius) + 0.5
    edge = np.clip(np.minimum(across + 0.25, 1.25 - across) / 0.4, 0, 1)
    strength = (0.3 + 0.55 * abs(amount)) * edge * edge
    within = 0.06 * np.clip(1 - np.maximum(radius - far, 0) / (0.4 * radius), 0, 1) * (far < radius)
    light = (strength[:, :, None] * interpolate_gradient(across, _BOW) + within[:, :, None]).astype(
        np.float32
    )
    return _all_over_the_sky(canvas, step, _tinted(canvas, light))


def _tinted(canvas: Canvas, light: Floats) -> Pixels:
    """Return the photo with colored light over the sky.

    Added light alone would be invisible in a bright sky, so the sky's other colors are also reduced.
    """

    def change(colors: Floats, shown: Floats) -> Floats:
        share = np.float32(0.75) * shown.max(2, keepdims=True)
        hue = shown / np.maximum(shown.max(2, keepdims=True), 1e-3)
        mixed = colors + share * (colors * (np.float32(0.35) + np.float32(0.65) * hue) - colors)
        return 1 - (1 - mixed) * (1 - np.float32(0.55) * shown)

    return map_strips_with(canvas.picture.pixels, change, light)


@operation
def stars(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add stars of varying brightness to a dark sky; the amount sets their number.

    Raises OperationError if the sky is too bright.
    """
    _require_dark(canvas, step, Sentence("Stars wouldn't be visible in a sky this bright."))
    light, random = empty_light_map(canvas), np.random.default_rng(canvas.seed)
    for at, size in scatter_points(light, random, round(500 + 2200 * abs(amount)), 0.0004, 0.0012):
        bright = random.random() ** 5
        tone = light_color(color, (1.0, 0.94 + 0.06 * random.random(), random.uniform(0.82, 1.0)))
        stamp(light, disc(size * (0.7 + 1.4 * bright), rim=1.0), at, tone * (0.2 + 0.8 * bright))
    glow = blurred(light, 0.0016 * max(light.shape))
    return _all_over_the_sky(canvas, step, add_light(canvas, light + glow))


@operation
def birds(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add a flock of distant birds, dark against the sky; the amount sets their number."""
    amount = abs(amount)
    picture = canvas.picture
    random = np.random.default_rng(canvas.seed)
    small = empty_light_map(canvas)
    unit = 0.02 * max(small.shape[:2])
    x, y = _spot_in_the_sky(canvas, step, small, 3 * unit)
    scale = picture.width / small.shape[1]
    pixels = picture.pixels.copy()
    paint = color_of(color) if color else _FEATHERS
    for _ in range(round(5 + 22 * amount)):
        along, across = random.normal(0, 1), random.normal(0, 1)
        at = (x + (7 * along + 1.5 * across) * unit, y + (1.4 * across - 1.1 * along) * unit)
        wings = _wings(max(6.0, random.uniform(0.7, 1.5) * unit * scale), random)
        paint_over(pixels, wings, paint, (round(at[0] * scale), round(at[1] * scale)))
    return _in_the_sky(canvas, step, pixels)


_FEATHERS = (38, 40, 46)  # default color of a bird
_BIRD_SHEET = 1.5  # side of the square sheet on which a bird is drawn, as a multiple of the bird's wingspan


def _wings(span: float, random: np.random.Generator) -> Floats:
    """Return the coverage of a distant bird: two raised, level, or lowered wings that meet in a body."""
    lift, lean = random.uniform(-0.15, 0.42), random.uniform(-0.2, 0.2)
    across = np.linspace(-1, 1, 25)
    upper = -0.9 * lift * np.sin(np.abs(across) * np.pi / 1.5) - 0.03
    lower = upper + 0.11 * (1 - np.abs(across)) ** 0.7
    outline = np.stack([np.append(across, across[::-1]) / 2, np.append(upper, lower[::-1])], axis=1)
    turn = np.array([[np.cos(lean), np.sin(lean)], [-np.sin(lean), np.cos(lean)]])
    side = round(_BIRD_SHEET * span)
    return fill_outline(outline @ turn / (_BIRD_SHEET / 2), side, side)


@operation
def moon(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add a full moon, with its dark maria and a glow, at the requested place in the sky.

    The amount sets the moon's size. The brighter the sky, the less its maria stand out.
    """
    light = empty_light_map(canvas)
    radius = 0.055 * min(light.shape[:2]) * 4 ** (abs(amount) - DEFAULT_AMOUNT)
    at = _spot_in_the_sky(canvas, step, light, radius)
    stamp(light, moon_face(radius), at, np.ones(3, np.float32))
    glow = _halo(light, at, radius, 5.0, 0.22) * light_color(color, (0.9, 0.94, 1.0))
    surface = light_color(color, (1.0, 0.99, 0.94))

    def change(colors: Floats, near: Floats, face: Floats) -> Floats:
        lit = 1 - (1 - colors) * (1 - near)
        sky = np.float32(MARIA) * light_of(lit)
        share = np.clip((face[:, :, 0] - sky) / (1 - sky), 0, 1)
        return cast(Floats, lit + share[:, :, None] * np.maximum(surface - lit, 0))  # It only adds light.

    return _in_the_sky(canvas, step, map_strips_with(canvas.picture.pixels, change, glow, light))


@operation
def sun(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add the sun at the requested place in the sky.

    The sun is so bright that it has no visible edge. The amount sets the sun's size.
    """
    size = empty_light_map(canvas)
    radius = 0.05 * min(size.shape[:2]) * 4 ** (abs(amount) - DEFAULT_AMOUNT)
    at = _spot_in_the_sky(canvas, step, size, radius)
    rays = light_color(color, (1.0, 0.84, 0.5))
    core, glow = _halo(size, at, radius, 2.2, 1.0), _halo(size, at, radius, 8.0, 0.7)

    def change(colors: Floats, near: Floats, far: Floats) -> Floats:
        # Also darken some channels of a white sky to make the sky warmer.
        warm = colors + far[:, :, None] * (np.maximum(rays, colors * rays) - colors)
        return cast(Floats, 1 - (1 - warm) * (1 - near[:, :, None]))

    return _in_the_sky(canvas, step, map_strips_with(canvas.picture.pixels, change, core, glow))


def _halo(light: Floats, place: tuple[float, float], radius: float, reach: float, strength: float) -> Floats:
    """Return the glow around a position, as an array of height x width x 1."""
    far = polar(light, place)[1] / np.float32(radius)
    return cast(Floats, (strength * np.exp(-((far / reach) ** 1.2) * 2)).astype(np.float32)[:, :, None])


@operation
def clouds(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add clouds that are lit from above and smaller toward the horizon; the amount sets their number."""
    amount = abs(amount)
    picture = canvas.picture
    width, height = copy_size(_CLOUD_PIXELS, picture.width, picture.height, least=8)
    random = np.random.default_rng(canvas.seed)
    swells = clouds_in_perspective(
        cloud_noise(2 * width, 2 * height, random, scale=0.22, wide=1.6), width, height
    )
    cover = smoothstep(np.clip((swells - (0.62 - 0.32 * amount)) / 0.24, 0, 1)).astype(np.float32)
    lower = round(0.035 * height)  # Clouds above the photo are assumed to look like those in its first row.
    below = np.pad(blurred(cover, 0.02 * height), ((lower, 0), (0, 0)), "edge")[:height]
    bright = np.clip(1.04 - 0.15 * below * cover - 0.45 * (swells - 0.6), 0.5, 1.0).astype(np.float32)
    lit = np.percentile(working_copy(picture, 200).max(2), 90) / 255
    gray = color in ("black", "gray") or (color or "").startswith("dark")
    bright *= np.float32(np.clip(0.3 + 0.75 * lit, 0.35, 1.0) * (0.5 if gray else 1.0))
    paint = light_color(None if gray else color, (0.985, 0.99, 1.0))

    def change(colors: Floats, share: Floats, white: Floats) -> Floats:
        veil = white[:, :, None] * paint
        return cast(Floats, colors + np.float32(0.92 * 0.88) * share[:, :, None] * (veil - colors))

    return _all_over_the_sky(canvas, step, map_strips_with(picture.pixels, change, cover, bright))


@operation
def lightning(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add bolts of lightning with branches, and the light they cast on the sky; the amount sets their number.

    Raises OperationError if the sky is too bright.
    """
    _require_dark(canvas, step, Sentence("Lightning wouldn't be visible in a sky this bright."), limit=_GRAY)
    light = empty_light_map(canvas)
    height, width = light.shape[:2]
    random = np.random.default_rng(canvas.seed)
    place = place or ""
    sides = {"left": (0.1, 0.34), "right": (0.66, 0.9), "center": (0.4, 0.6)}
    side = next((ends for name, ends in sides.items() if name in place), None)
    thickness = max(1.5, 0.0028 * max(light.shape)) * (1 + abs(amount) - DEFAULT_AMOUNT)
    for bolt in range(max(1, round(1 + _BOLTS * (abs(amount) - DEFAULT_AMOUNT)))):
        low, high = side or ((0.1, 0.9) if bolt else (0.3, 0.7))
        start = np.array((random.uniform(low, high) * width, -0.02 * height))
        _strike(light, start, 0.75 * height, thickness, random, branches=6)
    near, around, far = (blurred(light, reach * width) for reach in (0.006, 0.03, 0.12))
    flash = light_color(color, (0.72, 0.78, 1.0))
    return _in_the_sky(
        canvas, step, add_light(canvas, light + (1.2 * near + 1.6 * around + 2.4 * far) * flash)
    )


def _strike(
    light: Floats, start: Floats, length: float, thick: float, random: np.random.Generator, *, branches: int
) -> None:
    """Draw a bolt of lightning into a light map, in place.

    The bolt is a downward line whose midpoints are displaced repeatedly. The method is from Reed and Wyvill,
    "Visual simulation of lightning", 1994.
    """
    lean = random.uniform(-0.25, 0.25)
    path = np.stack([start, start + np.array((lean * length, length))])
    for spread in (0.11, 0.075, 0.05, 0.03, 0.018, 0.01):
        middles = (path[1:] + path[:-1]) / 2
        middles += random.normal(0, spread * length, middles.shape) * np.array((1.0, 0.45))
        path = np.insert(path, range(1, len(path)), middles, axis=0)
    for one, other in pairwise(path):
        ends = [tuple(int(value * 16) for value in end) for end in (one, other)]
        cv2.line(light, ends[0], ends[1], (1.0, 1.0, 1.0), max(1, round(thick)), cv2.LINE_AA, 4)
    for _ in range(branches):
        at = path[int(random.integers(len(path) // 6, 5 * len(path) // 6))]
        reach = length * random.uniform(0.12, 0.32)
        _strike(light, at, reach, thick * 0.5, random, branches=0)


@operation
def fireworks(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add rockets that have burst in a dark sky; the amount sets their number.

    Raises OperationError if the sky is too bright.
    """
    _require_dark(canvas, step, Sentence("Fireworks wouldn't be visible in a sky this bright."))
    light, random = empty_light_map(canvas), np.random.default_rng(canvas.seed)
    height, width = light.shape[:2]
    count = round(2 + 6 * abs(amount))
    for number in range(count):
        spark = light_color(color, _PARTY[(number + canvas.seed) % len(_PARTY)])
        at = (number + random.uniform(0.2, 0.8)) / count * width, random.uniform(0.1, 0.42) * height
        _burst(light, at, random.uniform(0.12, 0.22) * min(height, width) * 1.3, spark, random)
    glow = blurred(light, 0.006 * max(light.shape)) + 0.5 * blurred(light, 0.03 * max(light.shape))
    return _all_over_the_sky(canvas, step, add_light(canvas, light + glow))


def _burst(
    light: Floats, place: tuple[float, float], radius: float, color: Floats, random: np.random.Generator
) -> None:
    """Draw sparks that fly apart and fall.

    The light map `light` is changed in place. The trails of the sparks are brightest at their ends.
    """
    thickness = max(1.0, radius / 160)
    for _ in range(int(random.integers(120, 170))):
        height, turn = random.uniform(-1, 1), random.uniform(0, 2 * np.pi)
        way = np.array((np.cos(turn), np.sin(turn))) * (1 - height**2) ** 0.5 * random.uniform(0.85, 1.05)
        times = np.linspace(0.35, 1, 14)
        trail = np.array(place) + radius * (times[:, None] * way + np.array((0, 0.22)) * times[:, None] ** 2)
        for at in range(len(trail) - 1):
            share = float(times[at]) ** 2.2
            ends = [tuple(int(value * 16) for value in trail[at + step]) for step in (0, 1)]
            paint = [float(value) for value in color * share]
            cv2.line(light, ends[0], ends[1], paint, max(1, round(thickness)), cv2.LINE_AA, 4)
        stamp(light, disc(1.5 * thickness, rim=1.0), tuple(trail[-1]), color * 0.9 + 0.1)


def _in_the_sky(canvas: Canvas, step: Step, pixels: Pixels) -> Canvas:
    """Return the canvas with the new pixels only in the sky or in the step's target.

    Raises OperationError if no sky is found.
    """
    return within_target(canvas, replace(step, target=_where(step)), pixels)


def _all_over_the_sky(canvas: Canvas, step: Step, pixels: Pixels) -> Canvas:
    """Return the canvas with the new pixels only at the requested place in the sky.

    Raises OperationError if no sky is found.
    """
    return within_place(canvas, replace(step, target=_where(step)), pixels)


def _where(step: Step) -> Target:
    return _SKY if step.target == WHOLE else step.target


def _require_dark(canvas: Canvas, step: Step, sentence: Sentence, limit: float = _DARK) -> None:
    small, mask = working_copy(canvas.picture, _MASK_PIXELS), target_mask(canvas, _where(step))
    share = cv2.resize(mask, small.shape[1::-1], interpolation=cv2.INTER_AREA)
    if np.average(small.mean(2), weights=share + 1e-6) > 255 * limit:
        raise OperationError(Reason.LOW_CONFIDENCE, sentence, Sentence("Darken the sky first."))


def _spot_in_the_sky(canvas: Canvas, step: Step, light: Floats, radius: float) -> tuple[float, float]:
    """Return the center (x, y) of a disc that fits into the sky near the requested place.

    If no place is requested, the disc is in the more even half of the sky, because clouds would hide it.
    """
    mask = target_mask(canvas, _where(step))
    height, width = light.shape[:2]
    free = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA) > 0.5
    room = cv2.distanceTransform(np.pad(free, 1).astype(np.uint8), cv2.DIST_L2, 3)[1:-1, 1:-1]
    fits = room >= min(1.4 * radius, 0.9 * float(room.max()))
    if not step.place:
        uneven = _unevenness(canvas, (width, height), radius)
        fits &= uneven <= np.median(uneven[fits])
    rows, columns = np.nonzero(fits)
    place = step.place or ("top right" if canvas.seed % 2 else "top left")
    x = 0.24 if "left" in place else 0.76 if "right" in place else 0.5
    y = 0.2 if "top" in place else 0.75 if "bottom" in place else 0.35
    nearest = int(np.argmin(((columns / width - x) * width) ** 2 + ((rows / height - y) * height) ** 2))
    return float(columns[nearest]), float(rows[nearest])


def _unevenness(canvas: Canvas, size: tuple[int, int], radius: float) -> Floats:
    """Return the variance of the brightness around each pixel of a copy with the given width and height."""
    light = cv2.resize(light_of(working_copy(canvas.picture, _MASK_PIXELS) / np.float32(255)), size)
    side = round(2 * radius) | 1
    return cast(Floats, cv2.blur(light * light, (side, side)) - cv2.blur(light, (side, side)) ** 2)
