"""Landscapes that are drawn, to be seen out of focus: the light (height x width x 3) of each."""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats, Stops, between
from editor.engine.drawing.clouding import clouding
from editor.engine.drawing.gaussian import blurred
from editor.engine.operations.background.lens import light_behind
from editor.engine.operations.background.skies import clouded, graded

type _Rgb = tuple[int, int, int]
type _Shade = tuple[float, ...]
type _Random = np.random.Generator

_HAZY: Stops = ((0.0, (104, 156, 212)), (0.6, (176, 206, 232)), (1.0, (226, 233, 238)))
_WHITE: Stops = ((0.0, (170, 188, 208)), (0.6, (212, 221, 230)), (1.0, (236, 238, 240)))
_HOT: Stops = ((0.0, (78, 138, 200)), (0.6, (152, 192, 224)), (1.0, (226, 222, 206)))
_SHALLOWS: Stops = (
    *((0.0, (34, 96, 138)), (0.25, (40, 124, 158)), (0.6, (66, 164, 180)), (0.85, (136, 205, 203))),
    (1.0, (186, 222, 214)),
)
_DEEP: Stops = ((0.0, (118, 162, 186)), (0.12, (72, 128, 162)), (0.5, (38, 100, 138)), (1.0, (22, 74, 108)))
_SAND: Stops = (
    *((0.0, (168, 146, 118)), (0.1, (188, 164, 130)), (0.25, (222, 200, 162)), (1.0, (232, 208, 168))),
)
_ICE: Stops = ((0.0, (84, 140, 186)), (0.35, (150, 198, 224)), (0.7, (206, 230, 242)), (1.0, (240, 247, 252)))
_COLD: Stops = ((0.0, (150, 184, 202)), (0.2, (84, 132, 158)), (1.0, (34, 76, 104)))
_PETALS: tuple[_Rgb, ...] = (
    *((236, 92, 130), (250, 240, 236), (246, 206, 74), (206, 60, 66), (166, 110, 200), (250, 160, 186)),
)


def beach(width: int, height: int, random: _Random) -> Floats:
    """Sand, a shore that comes nearer to one side, a turquoise sea under a light sky."""
    x, y = _places(width, height)
    horizon, side = random.uniform(0.38, 0.45), random.choice((-1.0, 1.0))
    shore = (
        horizon + 0.22 + side * random.uniform(0.08, 0.16) * (x - 0.5) + 0.025 * _crest(width, random, 0.5)
    )
    ground = _on_the_ground(width, height, horizon, random)
    depth = np.clip((y - horizon) / (shore - horizon), 0, 1)
    sea = between(depth, _SHALLOWS) * (1 + 0.5 * depth[..., None] * (ground - 0.5)[..., None])
    foam = np.exp(-(((depth - 0.97) / 0.025) ** 2)) + 0.7 * np.exp(-(((depth - 0.84) / 0.02) ** 2)) * (
        ground > 0.5
    )
    sea += np.clip(foam, 0, 1)[..., None] * (0.97 - sea)
    far = np.clip((y - shore) / (1 - shore), 0, 1)
    sand = between(far, _SAND) * (1 + 0.4 * (ground - 0.5)[..., None])
    land = np.where((y < shore)[..., None], sea, sand)
    return _glittering(_under(_sky(width, height, horizon, _HAZY, random), land, horizon), depth, random, 0.4)


def palm_beach(width: int, height: int, random: _Random) -> Floats:
    """A beach with palm trees that lean in from both sides."""
    light, unit = beach(width, height, random), max(width, height)
    for side, inward, near in ((0.0, 0.15, 0.75), (1.0, 0.2, 0.8), (0.0, 0.03, 1.0), (1.0, 0.04, 1.1)):
        x = abs(side - inward * random.uniform(0.7, 1.3))
        foot = x * width, (0.62 + 0.14 * near) * height
        _palm(light, random, foot, random.uniform(0.5, 0.58) * near * height, 1 - 2 * side, near * unit)
    return light


def ocean(width: int, height: int, random: _Random) -> Floats:
    """Open water to the horizon."""
    _, y = _places(width, height)
    horizon = random.uniform(0.4, 0.5)
    depth = np.clip((y - horizon) / (1 - horizon), 0, 1) + np.zeros((1, width))
    waves = _on_the_ground(width, height, horizon, random, wide=5)
    water = between(depth, _DEEP) * (1 + 1.3 * (waves - 0.5)[..., None])
    return _glittering(
        _under(_sky(width, height, horizon, _HAZY, random), water, horizon), depth, random, 1.0
    )


def lake(width: int, height: int, random: _Random) -> Floats:
    """Still water before wooded hills, which are reflected in it."""
    horizon = random.uniform(0.5, 0.58)
    above = _sky(width, height, 1.0, _HAZY, random)
    for number, color in enumerate(((146, 170, 190), (98, 130, 132), (56, 88, 66))):
        crest = horizon - (0.2 - 0.06 * number) - (0.1 - 0.022 * number) * _crest(width, random, 0.4)
        _hill(above, crest, color, random, rough=0.2 + 0.15 * number)
    _wood(above, horizon, random, (0.05, 0.1), (36, 62, 40), 240)
    row = round(horizon * height)
    mirrored = above[np.clip(2 * row - np.arange(height), 0, height - 1)]
    ripples = _on_the_ground(width, height, horizon, random, wide=7)
    water = cv2.blur(mirrored, (max(1, width // 40), 3)) * 0.82 + (ripples - 0.5)[..., None] * 0.22
    return light_behind(_under(above, water + np.array((-0.02, 0.0, 0.02), np.float32), horizon))


def mountains(width: int, height: int, random: _Random) -> Floats:
    """Ridge behind ridge in blue haze, snow on the farthest, a green slope in front."""
    sky = _sky(width, height, 0.75, _HAZY, random)
    _hill(sky, 0.34 - 0.2 * _peaks(width, random), (118, 132, 150), random, rough=0.6, snow=0.62)
    for number, color in enumerate(((132, 156, 176), (96, 126, 138), (72, 104, 90), (74, 104, 54))):
        crest = 0.47 + 0.11 * number - (0.1 - 0.015 * number) * _crest(width, random, 0.45)
        _hill(sky, crest, color, random, rough=0.15 + 0.1 * number)
    return light_behind(sky)


def snowy_mountains(width: int, height: int, random: _Random) -> Floats:
    """Peaks all in snow, firs in snow before them."""
    sky = _sky(width, height, 0.75, _HAZY, random)
    _hill(sky, 0.4 - 0.26 * _peaks(width, random), (136, 150, 172), random, rough=0.7, snow=0.25)
    _hill(sky, 0.52 - 0.12 * _peaks(width, random), (150, 164, 186), random, rough=0.5, snow=0.2)
    _hill(sky, 0.66 - 0.05 * _crest(width, random, 0.5), (226, 232, 240), random, rough=0.12)
    _wood(sky, 0.72, random, (0.06, 0.16), (66, 84, 92), 60)
    return light_behind(_snowed_in(sky, 0.72, random))


def snow(width: int, height: int, random: _Random) -> Floats:
    """A field under snow, firs at its end, a white sky."""
    sky = _sky(width, height, 0.6, _WHITE, random)
    horizon = random.uniform(0.5, 0.58)
    for size, color, count in (((0.04, 0.2), (180, 192, 204), 130), ((0.03, 0.2), (98, 114, 122), 60)):
        _wood(sky, horizon, random, size, color, count)
    _leaves(sky, random, 260, (horizon - 0.15, horizon), (0.006, 0.014), ((196, 206, 218), (246, 248, 252)))
    return light_behind(_snowed_in(sky, horizon, random))


def glacier(width: int, height: int, random: _Random) -> Floats:
    """A wall of blue ice that ends in cold water, peaks in snow above it, ice that floats."""
    sky = _sky(width, height, 0.7, _WHITE, random)
    _hill(sky, 0.34 - 0.2 * _peaks(width, random), (148, 162, 186), random, rough=0.6, snow=0.2)
    _hill(sky, 0.42 - 0.05 * _crest(width, random, 0.5), (226, 236, 246), random, rough=0.3)
    x, y = _places(width, height)
    edge, foot = 0.46 - 0.025 * _crest(width, random, 0.2, finest=0.01), random.uniform(0.6, 0.66)
    cracks = np.interp(x, np.linspace(0, 1, 90), random.random(90)) + 0.5 * (
        clouding(width, height, random, scale=0.06) - 0.5
    )
    _lay(sky, between(cracks, _ICE), np.clip((y - edge) * height, 0, 1))
    waves = _on_the_ground(width, height, foot, random, wide=6)
    depth = np.clip((y - foot) / (1 - foot), 0, 1) + 0 * x
    water = between(depth, _COLD) * (1 + 0.7 * (waves - 0.5)[..., None])
    ground = _under(sky, water, foot)
    for near in np.sort(random.random(26)):
        place = random.random() * width, (foot + 0.02 + (0.94 - foot) * near) * height
        size = (0.008 + 0.045 * near) * random.uniform(0.5, 1.0) * max(width, height)
        _blob(ground, place, size, size * 0.24, 0, _varied((158, 200, 222), random))
        _blob(
            ground,
            (place[0], place[1] - 0.12 * size),
            size * 0.9,
            size * 0.2,
            0,
            _varied((236, 244, 250), random),
        )
    return light_behind(ground)


def desert(width: int, height: int, random: _Random) -> Floats:
    """Dune behind dune in a low sun."""
    sky = _sky(width, height, 0.6, _HOT, random, cover=0.62)
    side = random.choice((-1.0, 1.0))
    _, y = _places(width, height)
    for number in range(5):
        crest = 0.46 + 0.1 * number - (0.045 + 0.02 * number) * _crest(width, random, 0.7, finest=0.2)
        lit = np.clip(0.5 + side * np.gradient(crest[0]) * width * 1.6, 0, 1)
        lit = np.clip(lit[None] + np.clip((y - crest) / 0.22, 0, 1) * 0.5 - 0.1, 0, 1)
        dune = between(lit, ((0.0, (150, 98, 62)), (0.5, (204, 148, 92)), (1.0, (236, 188, 128))))
        haze = 0.45 * (1 - number / 4) ** 2
        dune = dune * (1 - haze) + haze * np.array((0.88, 0.83, 0.76), np.float32)
        dune *= 1 + 0.25 * (_on_the_ground(width, height, 0.3, random, wide=3) - 0.5)[..., None]
        _lay(sky, dune, np.clip((y - crest) * height, 0, 1))
    return light_behind(sky)


def jungle(width: int, height: int, random: _Random) -> Floats:
    """Large leaves behind leaves, and light that falls through them."""
    ground = graded(width, height, ((0.0, (96, 128, 70)), (0.5, (40, 68, 36)), (1.0, (16, 30, 18))))
    for share, length, count in ((0.0, 0.1, 500), (0.4, 0.16, 240), (0.8, 0.22, 110)):
        for _ in range(count):
            _frond(ground, random, length * random.uniform(0.6, 1.2), share)
    return _dappled(light_behind(ground), random, 130, (1.0, 1.0, 0.72), until=0.55)


def garden(width: int, height: int, random: _Random) -> Floats:
    """Bushes, flower beds and a lawn."""
    ground = graded(width, height, ((0.0, (170, 198, 190)), (0.35, (96, 134, 76)), (1.0, (72, 112, 50))))
    horizon = random.uniform(0.52, 0.6)
    _leaves(ground, random, 2200, (0.0, horizon + 0.03), (0.008, 0.02), ((56, 92, 44), (142, 172, 92)))
    lawn = (
        np.array((112, 158, 66), np.float32)
        / 255
        * (0.75 + 0.5 * _on_the_ground(width, height, horizon, random)[..., None])
    )
    ground = _under(ground, lawn, horizon)
    _leaves(
        ground, random, 700, (horizon - 0.08, horizon + 0.1), (0.008, 0.016), ((46, 82, 36), (110, 150, 64))
    )
    for _ in range(5):
        _bed(ground, random, horizon)
    return _dappled(light_behind(ground), random, 60, (1.0, 1.0, 0.8), until=0.4)


def flower_field(width: int, height: int, random: _Random) -> Floats:
    """Flowers to the horizon, a row of trees, a light sky."""
    horizon = random.uniform(0.36, 0.44)
    sky = _sky(width, height, horizon, _HAZY, random)
    _leaves(sky, random, 420, (horizon - 0.07, horizon + 0.02), (0.012, 0.03), ((62, 94, 56), (112, 142, 84)))
    blades = _on_the_ground(width, height, horizon, random)
    grass = np.array((98, 142, 58), np.float32) / 255 * (0.6 + 0.8 * blades[..., None])
    ground = _under(sky, grass, horizon)
    petals = [_PETALS[number] for number in random.choice(len(_PETALS), 3, replace=False)]
    for depth in np.sort(random.random(1500) ** 1.6):
        place = random.random() * width, (horizon + 0.01 + depth * (1.02 - horizon)) * height
        size = (0.0018 + 0.013 * depth) * max(width, height)
        _blob(ground, place, size, size * 0.8, 0, _varied(petals[int(random.integers(3))], random))
    return light_behind(ground)


def under_water(width: int, height: int, random: _Random) -> Floats:
    """Blue depth, light that falls in beams from the surface, bubbles."""
    depth = graded(
        width,
        height,
        ((0.0, (130, 214, 222)), (0.3, (46, 150, 184)), (0.7, (16, 82, 128)), (1.0, (6, 40, 76))),
    )
    x, y = _places(width, height)
    source = random.uniform(0.3, 0.7), -0.35
    angle, far = np.arctan2(x - source[0], y - source[1]), np.hypot(x - source[0], y - source[1])
    beams = sum(
        strength * np.interp(angle, np.linspace(-2, 2, count), random.random(count))
        for count, strength in ((40, 0.6), (110, 0.4))
    )
    light = light_behind(depth)
    light += (0.9 * np.clip((beams - 0.45) / 0.4, 0, 1) * np.exp(-far / 0.38))[..., None].astype(
        np.float32
    ) * np.array((0.75, 1.0, 0.95), np.float32)
    for across, down, strength in random.random((110, 3)):
        column, row = int(across * width), int(down * height)
        bubble = np.array((0.45, 0.9, 1.0), np.float32) * np.float32(12 * strength**4)
        light[row : row + 2, column : column + 2] += bubble
    return light


def space(width: int, height: int, random: _Random) -> Floats:
    """Stars, and clouds of gas between them."""
    light = np.zeros((height, width, 3), np.float32) + np.array((0.004, 0.005, 0.012), np.float32)
    for color in ((0.34, 0.08, 0.3), (0.06, 0.16, 0.42), (0.1, 0.28, 0.3)):
        gas = np.clip((clouding(width, height, random, scale=0.35) - 0.5) / 0.35, 0, 1) ** 2
        light += gas[..., None] * np.array(color, np.float32)
    dust = np.clip((clouding(width, height, random, scale=0.2) - 0.45) / 0.3, 0, 1)
    light *= 1 - 0.75 * dust[..., None]
    for across, down, size, warm in random.random((1000, 4)):
        column, row, bright = int(across * width), int(down * height), np.float32(0.15 + 40 * size**40)
        star = np.array((1.0, 0.9, 0.75 + 0.5 * warm), np.float32) * bright
        light[row : row + 2, column : column + 2] += star
    return light


def _places(width: int, height: int) -> tuple[Floats, Floats]:
    """Across (1 x width) and down (height x 1), 0 to 1."""
    across, down = (np.linspace(0, 1, side, dtype=np.float32) for side in (width, height))
    return across[None], down[:, None]


def _sky(
    width: int, height: int, horizon: float, stops: Stops, random: _Random, cover: float = 0.55
) -> Floats:
    """Down to the horizon; below it the last color goes on."""
    _, y = _places(width, height)
    sky = np.repeat(between(y / horizon, stops), width, axis=1)
    return clouded(sky, random, lit=(250, 250, 255), share=0.7, cover=cover)


def _under(above: Floats, below: Floats, horizon: float) -> Floats:
    row = round(horizon * above.shape[0])
    return np.concatenate([above[:row], below[row:]]).astype(np.float32)


def _lay(ground: Floats, color: Floats, share: Floats) -> None:
    """Over the ground in place."""
    ground += share[..., None].astype(np.float32) * (color - ground)


def _crest(width: int, random: _Random, scale: float, finest: float = 0.004) -> Floats:
    """A line of hills, 1 x width, about -1 to 1; the longest are `scale` of the width."""
    line, strength, x = np.zeros(width), 1.0, np.linspace(0, 1, width)
    while scale > finest:
        knots = np.arange(-1, 1 / scale + 3) * scale - scale * random.random()
        bent = np.interp(x, knots, random.uniform(-1, 1, len(knots)))
        line += strength * cv2.blur(bent[None], (max(1, round(scale * width / 2)), 1))[0]
        scale, strength = scale / 2, strength * 0.48
    return line[None].astype(np.float32)


def _peaks(width: int, random: _Random) -> Floats:
    """A line of steep mountains, 1 x width, about 0 to 1."""
    line, x = np.zeros(width), np.linspace(0, 1, width)
    for _ in range(7):
        middle, reach, top = random.uniform(-0.1, 1.1), random.uniform(0.14, 0.34), random.uniform(0.4, 1.0)
        line = np.maximum(line, top * (1 - np.abs(x - middle) / reach))
    return (line[None] + 0.12 * _crest(width, random, 0.12)).astype(np.float32)


def _hill(
    ground: Floats, crest: Floats, color: _Rgb, random: _Random, *, rough: float, snow: float | None = None
) -> None:
    """All below the crest; `rough` is how much lit and dark slopes differ, and above `snow`, a share of the
    height of the highest peak, it is white."""
    height, width = ground.shape[:2]
    _, y = _places(width, height)
    swells = clouding(width, height, random, scale=0.16)
    slopes = np.clip(0.5 + _slant(swells), 0, 1)
    plain = np.array(color, np.float32) / 255 * (1 + rough * (slopes - 0.5))[..., None]
    if snow is not None:
        top, foot = float(crest.min()), float(crest.max())
        line = top + (foot - top) * (1 - snow) + 0.35 * (swells - 0.5)
        share = np.clip((line - y) / 0.03, 0, 1)
        white = between(slopes, ((0.0, (150, 172, 206)), (0.5, (214, 224, 238)), (1.0, (250, 250, 252))))
        plain = plain + share[..., None] * (white - plain)
    haze = 0.25 * np.clip((y - crest) / 0.3, 0, 1)[..., None]
    plain = plain + haze * (0.86 - plain) * (rough < 0.5)
    _lay(ground, plain, np.clip((y - crest) * height, 0, 1))


def _slant(swells: Floats) -> Floats:
    """How much each place leans towards the light at the left, about -0.5 to 0.5."""
    soft = blurred(swells, 2)
    lean = np.gradient(soft, axis=1) + 0.5 * np.gradient(soft, axis=0)
    return cast(Floats, lean / (3.5 * float(lean.std()) + 1e-6))


def _on_the_ground(width: int, height: int, horizon: float, random: _Random, *, wide: float = 1.6) -> Floats:
    """Noise that lies on a plane: small at the horizon, where it fades to 0.5, and large in front."""
    flat = clouding(1024, 1024, random, scale=0.09, wide=wide)
    x, y = _places(width, height)
    near = np.maximum((y - horizon) / (1 - horizon), 0.02)
    columns = (512 + (x - 0.5) * 420 / near) % 2046
    rows = (180 / near) % 2046 + 0 * x
    there = cv2.remap(
        flat, _folded(columns), _folded(rows), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    )
    return cast(Floats, (0.5 + (there - 0.5) * np.clip(near * 3, 0, 1)).astype(np.float32))


def _folded(places: Floats) -> Floats:
    """Places in 0 to 2046 on a sheet of 1024 that is laid back and forth."""
    return (1023 - np.abs(1023 - places)).astype(np.float32)


def _glittering(colors: Floats, depth: Floats, random: _Random, strength: float) -> Floats:
    """Light with sparks of the sun on the water, where `depth` is between 0 and 1."""
    light = light_behind(colors)
    wet = (depth > 0.02) & (depth < 0.8)
    sparks = (random.random(depth.shape) < 0.0015) & wet
    bright = strength * random.exponential(14.0, (int(sparks.sum()), 1))
    light[sparks] += (bright * (0.72, 0.92, 1.0)).astype(np.float32)
    return light


def _dappled(
    light: Floats, random: _Random, count: int, color: tuple[float, float, float], *, until: float
) -> Floats:
    """With bright gaps between leaves, most of them high."""
    height, width = light.shape[:2]
    for x, y, strength in random.random((count, 3)):
        column, row = int(x * width), int(y**1.5 * until * height)
        light[row : row + 3, column : column + 3] += np.array(color, np.float32) * np.float32(
            26 * strength**2
        )
    return light


def _snowed_in(above: Floats, horizon: float, random: _Random) -> Floats:
    """Snow on the ground: bluish in its hollows."""
    height, width = above.shape[:2]
    hollows = _on_the_ground(width, height, horizon, random, wide=3)
    snow = between(hollows, ((0.2, (176, 194, 222)), (0.5, (222, 230, 242)), (0.75, (246, 248, 252))))
    return _under(above, snow, horizon)


def _wood(
    ground: Floats, foot: float, random: _Random, size: tuple[float, float], color: _Rgb, count: int
) -> None:
    """Firs that stand at the foot, low to high of the longer side."""
    height, width = ground.shape[:2]
    for _ in range(count):
        tall = random.uniform(*size) * max(width, height)
        x, y, broad = random.random() * width, (foot + 0.008) * height, 0.2 * tall
        corners = np.array(((x - broad, y), (x + broad, y), (x, y - tall)), np.int32)
        cv2.fillConvexPoly(ground, corners, _varied(color, random), cv2.LINE_AA)


def _leaves(
    ground: Floats,
    random: _Random,
    count: int,
    rows: tuple[float, float],
    sizes: tuple[float, float],
    colors: tuple[_Rgb, _Rgb],
) -> None:
    """Foliage between two heights: dark first, light over it."""
    height, width = ground.shape[:2]
    dark, bright = (np.array(color, np.float32) for color in colors)
    for number in range(count):
        color = dark + (bright - dark) * number / count
        place = random.random() * width, random.uniform(*rows) * height
        size = random.uniform(*sizes) * max(width, height)
        _blob(ground, place, size, size * 0.6, random.uniform(0, 180), _varied(tuple(color), random))


def _bed(ground: Floats, random: _Random, horizon: float) -> None:
    """A patch of flowers of one color."""
    height, width = ground.shape[:2]
    middle, color = random.random(2), _PETALS[int(random.integers(len(_PETALS)))]
    for x, y in random.normal(0, 1, (70, 2)):
        place = (middle[0] + 0.09 * x) * width, (horizon + 0.12 * middle[1] - 0.03 + 0.02 * y) * height
        size = random.uniform(0.005, 0.011) * max(width, height)
        _blob(ground, place, size, size, 0, _varied(color, random))


def _frond(ground: Floats, random: _Random, length: float, share: float) -> None:
    """A long leaf, the darker the nearer."""
    height, width = ground.shape[:2]
    long = length * max(width, height)
    place = random.random() * width, random.random() * height
    near = np.array((22, 50, 24)) * share + np.array((104, 150, 62)) * (1 - share)
    lit = near * random.uniform(0.6, 1.5) * (1.25 - 0.7 * place[1] / height)
    _blob(ground, place, long / 2, long / 9, random.uniform(0, 180), _varied(tuple(lit), random))


def _palm(
    light: Floats, random: _Random, foot: tuple[float, float], tall: float, lean: float, unit: float
) -> None:
    """A trunk that leans, and leaves that hang from its top, dark against the light."""
    up = np.linspace(0, 1, 12)
    trunk = np.stack([foot[0] + lean * 0.35 * tall * up**2, foot[1] - tall * up], 1)
    _line(light, trunk, (0.12, 0.08, 0.05), 0.012 * unit)
    for turned in np.linspace(-0.3, np.pi + 0.3, 12) + random.normal(0, 0.1, 12):
        long = 0.44 * tall * random.uniform(0.85, 1.15)
        leaf = trunk[-1] + np.stack(
            [np.cos(turned) * long * up, long * (0.55 * up**2 - np.sin(turned) * up)], 1
        )
        green = tuple((np.array((0.04, 0.13, 0.03)) * random.uniform(0.6, 1.7)).tolist())
        _line(light, leaf, green, 0.014 * unit)


def _line(light: Floats, places: NDArray[np.floating], color: _Shade, thick: float) -> None:
    cv2.polylines(light, [places.round().astype(np.int32)], False, color, max(1, round(thick)), cv2.LINE_AA)


def _blob(
    ground: Floats, place: tuple[float, float], long: float, short: float, turned: float, color: _Shade
) -> None:
    middle, axes = (round(place[0]), round(place[1])), (max(1, round(long)), max(1, round(short)))
    cv2.ellipse(ground, middle, axes, turned, 0, 360, color, -1, cv2.LINE_AA)


def _varied(color: _Shade, random: _Random) -> _Shade:
    """The color (to 255) as 0 to 1, a little lighter or darker."""
    factor = random.uniform(0.82, 1.18) / 255
    return tuple(float(np.clip(value * factor, 0, 1)) for value in color)
