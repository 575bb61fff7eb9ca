"""What people built, drawn to be seen out of focus: the light (height x width x 3) of each place."""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats, Stops
from editor.engine.drawing.clouding import clouding
from editor.engine.operations.background.lens import light_behind
from editor.engine.operations.background.skies import graded

type _Random = np.random.Generator
type _Light = tuple[float, float, float]

_DUSK: Stops = ((0.0, (10, 14, 34)), (0.6, (30, 36, 68)), (1.0, (78, 62, 74)))
_LAMPS: tuple[_Light, ...] = ((1.0, 0.66, 0.3), (1.0, 0.8, 0.5), (1.0, 0.92, 0.78), (0.7, 0.85, 1.0))
_SIGNS: tuple[_Light, ...] = ((1.0, 0.2, 0.25), (0.2, 0.75, 1.0), (1.0, 0.35, 0.75), (0.35, 1.0, 0.6))
_SPINES = (
    *((112, 44, 38), (58, 70, 48), (40, 54, 84), (148, 112, 66), (92, 58, 40), (176, 160, 130)),
    *((70, 40, 52), (36, 40, 46), (130, 84, 48), (200, 190, 170)),
)
_BRICKS = ((156, 74, 54), (172, 88, 64), (138, 62, 48), (164, 96, 74), (124, 60, 50))
_FRAMES: tuple[_Light, ...] = ((0.3, 0.2, 0.1), (0.68, 0.54, 0.28), (0.1, 0.1, 0.1))
_CORNERS = np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32)


def city_at_night(width: int, height: int, random: _Random) -> Floats:
    """Towers with lit windows, lamps along a street, the lights of cars."""
    light = light_behind(graded(width, height, _DUSK))
    unit, foot = max(width, height), random.uniform(0.62, 0.7) * height
    for depth in (0.2, 0.55, 1.0):
        x = -0.05 * width
        while x < width:
            broad, tall = random.uniform(0.05, 0.13) * unit, random.uniform(0.18, 0.55) * height
            tall *= 1.15 - 0.45 * depth
            _tower(light, (x, foot - tall, x + broad, foot), depth, random)
            x += broad * random.uniform(0.9, 1.5)
    light[round(foot) :] = light_behind(
        graded(width, height - round(foot), ((0, (34, 30, 38)), (1, (14, 14, 20))))
    )
    for x, y, size in random.random((46, 3)):
        color = _LAMPS[int(size * 3)] if size < 0.8 else _SIGNS[int(random.integers(4))]
        _lamp(
            light, (x * width, foot - (0.01 + 0.1 * y * y) * height), (0.002 + 0.004 * size) * unit, color, 14
        )
    for x, y, size in random.random((26, 3)):
        color = (1.0, 0.12, 0.08) if size < 0.5 else (1.0, 0.95, 0.85)
        _lamp(light, (x * width, foot + (0.01 + 0.1 * y) * height), (0.0025 + 0.003 * y) * unit, color, 16)
    return light


def library(width: int, height: int, random: _Random) -> Floats:
    """Shelves of books in warm light, in two walls that meet behind the subject."""
    middle = random.uniform(0.3, 0.7)
    left, right = (_shelves(random) for _ in range(2))
    ground = np.zeros((height, width, 3), np.float32)
    near, far = 0.35, 0.08
    _hang(ground, left, ((-0.1, -near), (middle, far), (middle, 0.86), (-0.1, 1 + near)))
    _hang(ground, right, ((middle, far), (1.1, -near), (1.1, 1 + near), (middle, 0.86)))
    floor = ((-0.1, 1 + near), (middle, 0.86), (1.1, 1 + near), (0.5, 1.6))
    _fill(ground, floor, (0.34, 0.24, 0.16))
    ceiling = ((-0.1, -near), (middle, far), (1.1, -near), (0.5, -0.6))
    _fill(ground, ceiling, (0.78, 0.7, 0.58))
    light = light_behind(_warmly_lit(ground, random))
    for number in range(5):
        share = number / 4
        _lamp(
            light,
            ((0.08 + 0.84 * share) * width, random.uniform(0.03, 0.16) * height),
            0.008 * width,
            _LAMPS[1],
            9,
        )
    return light


def office(width: int, height: int, random: _Random) -> Floats:
    """A bright floor with a wall of windows, desks, screens and panels of light in the ceiling."""
    middle, side = random.uniform(0.42, 0.58), random.integers(2)
    ground = np.zeros((height, width, 3), np.float32)
    top, foot, reach = 0.28, 0.6, 0.16
    far_left, far_right = middle - reach, middle + reach
    panels = _sheet((214, 216, 216))
    for row in range(12):
        for column in (80, 240, 400):
            cv2.rectangle(
                panels, (column - 36, row * 42 + 6), (column + 36, row * 42 + 24), (1.0, 1.0, 1.0), -1
            )
    _hang(ground, panels, ((far_left, top), (far_right, top), (1.5, -0.5), (-0.5, -0.5)))
    _hang(
        ground,
        _sheet((128, 130, 134), random, 0.1),
        ((far_left, foot), (far_right, foot), (1.5, 1.3), (-0.5, 1.3)),
    )
    windows, wall = _windows(random), _partition(random)
    walls = (windows, wall) if side else (wall, windows)
    _hang(ground, walls[0], ((-0.5, -0.5), (far_left, top), (far_left, foot), (-0.5, 1.3)))
    _hang(ground, walls[1], ((far_right, top), (1.5, -0.5), (1.5, 1.3), (far_right, foot)))
    _hang(ground, _windows(random), ((far_left, top), (far_right, top), (far_right, foot), (far_left, foot)))
    light = light_behind(ground)
    light *= 1 + 3.0 * (ground.min(2, keepdims=True) > 0.985)
    return _furnished(light, random, middle)


def cafe(width: int, height: int, random: _Random) -> Floats:
    """A dim warm room: a bright window, shelves, lamps that hang."""
    ground = graded(width, height, ((0.0, (58, 42, 32)), (0.5, (92, 64, 44)), (1.0, (44, 30, 22))))
    ground *= (0.8 + 0.4 * clouding(width, height, random, scale=0.3))[..., None]
    unit, side = max(width, height), random.choice((-1.0, 1.0))
    at = 0.5 - 0.42 * side
    _hang(ground, _windows(random), ((at - 0.2, 0.12), (at + 0.2, 0.16), (at + 0.2, 0.58), (at - 0.2, 0.62)))
    for row in range(3):
        y = 0.26 + 0.12 * row
        for _ in range(22):
            x, tall = 0.5 + 0.45 * side * random.random(), random.uniform(0.03, 0.08)
            shade = np.array(_SPINES[int(random.integers(len(_SPINES)))]) / 255 * random.uniform(0.7, 1.6)
            color = tuple(shade.tolist())
            _fill(ground, ((x, y - tall), (x + 0.018, y - tall), (x + 0.018, y), (x, y)), color)
    for _ in range(7):
        x, y, broad = random.random(), random.uniform(0.68, 0.95), random.uniform(0.08, 0.16)
        _fill(
            ground,
            ((x - broad, y), (x + broad, y), (x + broad, y + 0.035), (x - broad, y + 0.035)),
            (0.4, 0.26, 0.16),
        )
    light = light_behind(np.clip(ground, 0, 1))
    for x, y, size in random.random((16, 3)):
        _lamp(
            light,
            (x * width, (0.06 + 0.3 * y) * height),
            (0.003 + 0.006 * size) * unit,
            _LAMPS[int(size * 2)],
            12,
        )
    return light


def gallery(width: int, height: int, random: _Random) -> Floats:
    """White walls with framed paintings under spots, a floor of wood."""
    middle, ground = random.uniform(0.42, 0.58), np.zeros((height, width, 3), np.float32)
    top, foot, left, right = 0.16, 0.66, middle - 0.24, middle + 0.24
    ceiling, floor = _sheet((196, 196, 198)), _sheet((150, 112, 78), random, 0.18)
    _hang(ground, ceiling, ((left, top), (right, top), (1.4, -0.4), (-0.4, -0.4)))
    _hang(ground, floor, ((left, foot), (right, foot), (1.4, 1.3), (-0.4, 1.3)))
    _hang(ground, _paintings(random, 3), ((-0.4, -0.4), (left, top), (left, foot), (-0.4, 1.3)))
    _hang(ground, _paintings(random, 3), ((right, top), (1.4, -0.4), (1.4, 1.3), (right, foot)))
    _hang(ground, _paintings(random, 2), ((left, top), (right, top), (right, foot), (left, foot)))
    light = light_behind(ground)
    for number in range(9):
        x, y = 0.06 + 0.11 * number, 0.03 + 0.1 * (1 - abs(number - 4) / 4)
        _lamp(light, (x * width, y * height), 0.005 * max(width, height), _LAMPS[2], 10)
    return light


def brick_wall(width: int, height: int, random: _Random) -> Floats:
    """Red bricks in courses, from the front, lit a little unevenly."""
    unit = max(width, height)
    tall, broad, joint = 0.026 * unit, 0.082 * unit, max(1, round(0.0035 * unit))
    ground = np.full((height, width, 3), (0.66, 0.62, 0.57), np.float32)
    for row in range(round(height / tall) + 1):
        for column in range(-1, round(width / broad) + 1):
            x, y = (column + 0.5 * (row % 2)) * broad, row * tall
            shade = np.array(_BRICKS[int(random.integers(len(_BRICKS)))]) / 255 * random.uniform(0.85, 1.12)
            corners = (round(x) + joint, round(y) + joint), (round(x + broad), round(y + tall))
            cv2.rectangle(ground, *corners, shade.tolist(), -1)
    ground *= (0.72 + 0.5 * clouding(width, height, random, scale=0.5))[..., None]
    ground *= (0.93 + 0.14 * clouding(width, height, random, scale=0.02))[..., None]
    return light_behind(np.clip(ground, 0, 1))


def _tower(light: Floats, box: tuple[float, float, float, float], depth: float, random: _Random) -> None:
    """A dark block; some of its windows are lit. The nearer, the darker it is itself."""
    left, top, right, bottom = (round(side) for side in box)
    wall = np.array((0.035, 0.04, 0.065)) * (1.5 - depth)
    cv2.rectangle(light, (left, top), (right, bottom), wall.tolist(), -1)
    pitch, usual = max(5, round((8 + 10 * depth) * light.shape[1] / 1000)), _LAMPS[int(random.integers(4))]
    for y in range(top + pitch, bottom - pitch, pitch):
        for x in range(left + pitch // 2, right - pitch, pitch):
            if random.random() < 0.24:
                color = np.array(usual) * random.exponential(1.3) * (0.4 + 0.6 * depth)
                cv2.rectangle(light, (x, y), (x + pitch // 2, y + pitch // 3), color.tolist(), -1)


def _lamp(light: Floats, place: tuple[float, float], radius: float, color: _Light, strength: float) -> None:
    middle = round(place[0]), round(place[1])
    shade = tuple(float(strength * channel) for channel in color)
    cv2.circle(light, middle, max(1, round(radius)), shade, -1, cv2.LINE_AA)


def _shelves(random: _Random) -> Floats:
    """A bookcase from the front, 480 x 480."""
    sheet = _sheet((66, 42, 28), random, 0.15)
    for bay in range(3):
        for row in range(6):
            x, foot = bay * 160 + 8, row * 80 + 76
            while x < bay * 160 + 148:
                thick, tall = int(random.integers(6, 16)), int(random.integers(46, 66))
                if random.random() < 0.94:
                    shade = (
                        np.array(_SPINES[int(random.integers(len(_SPINES)))])
                        / 255
                        * random.uniform(0.7, 1.25)
                    )
                    cv2.rectangle(sheet, (x, foot - tall), (x + thick - 1, foot), shade.tolist(), -1)
                x += thick
            cv2.rectangle(sheet, (bay * 160, foot), (bay * 160 + 160, foot + 5), (0.46, 0.31, 0.2), -1)
        cv2.rectangle(sheet, (bay * 160, 0), (bay * 160 + 7, 480), (0.46, 0.31, 0.2), -1)
    return sheet


def _windows(random: _Random) -> Floats:
    """A wall of glass, bright with the day outside."""
    sheet = _sheet((246, 250, 253))
    sheet[300:] = np.array((0.78, 0.84, 0.82))
    for x in range(0, 480, 24):
        tall = int(random.integers(90, 250))
        shade = random.uniform(0.62, 0.86)
        cv2.rectangle(sheet, (x, 330 - tall), (x + 24, 330), (shade * 0.97, shade, shade * 1.03), -1)
    for x in range(0, 481, 80):
        cv2.rectangle(sheet, (x - 4, 0), (x + 4, 480), (0.34, 0.35, 0.37), -1)
    cv2.rectangle(sheet, (0, 380), (480, 480), (0.74, 0.74, 0.73), -1)
    return sheet


def _partition(random: _Random) -> Floats:
    """A pale inner wall with doors and things that hang on it."""
    sheet = _sheet((206, 203, 197))
    for x in range(40, 480, 130):
        if random.random() < 0.5:
            cv2.rectangle(sheet, (x, 170), (x + 60, 480), (0.46, 0.35, 0.25), -1)
        else:
            shade = random.uniform(0.25, 0.75, 3).tolist()
            cv2.rectangle(sheet, (x, 150), (x + 80, 250), shade, -1)
    return sheet


def _furnished(light: Floats, random: _Random, middle: float) -> Floats:
    """With rows of desks and screens, the nearer the larger."""
    for near in np.sort(random.uniform(0.15, 0.8, 16)):
        side = random.choice((-1.0, 1.0))
        x, y = middle + side * (0.12 + 0.75 * near), 0.6 + 0.3 * near
        broad, tall = 0.05 + 0.16 * near, 0.02 + 0.06 * near
        _fill(light, _upright(x, y, broad, tall * 1.4), (0.13, 0.11, 0.1))
        _fill(light, _upright(x, y - tall * 1.3, broad * 1.1, tall * 0.25), (0.62, 0.55, 0.46))
        _fill(
            light, _upright(x + 0.2 * broad, y - tall * 2.6, broad * 0.42, tall * 1.1), (0.025, 0.028, 0.034)
        )
        if random.random() < 0.35:
            _fill(
                light, _upright(x - 0.3 * broad, y - tall * 2.8, broad * 0.25, tall * 1.4), (0.05, 0.14, 0.05)
            )
    return light


def _paintings(random: _Random, count: int) -> Floats:
    """A white wall with paintings in frames, 480 x 480."""
    sheet, pitch = _sheet((232, 230, 226)), 480 // count
    for number in range(count):
        broad, tall = pitch * random.uniform(0.5, 0.68), random.uniform(110, 200)
        x, y = round((number + 0.5) * pitch - broad / 2), round(225 - tall / 2)
        frame = _FRAMES[int(random.integers(len(_FRAMES)))]
        cv2.rectangle(sheet, (x - 8, y - 8), (round(x + broad) + 8, round(y + tall) + 8), frame, -1)
        picture = clouding(round(broad), round(tall), random, scale=0.4)[..., None]
        first, second = random.uniform(0.1, 0.9, (2, 3))
        sheet[y : y + picture.shape[0], x : x + picture.shape[1]] = first + (second - first) * picture
    return sheet


def _upright(x: float, y: float, broad: float, tall: float) -> tuple[tuple[float, float], ...]:
    """The corners of what stands around x, its middle at y."""
    left, right, top, foot = x - broad / 2, x + broad / 2, y - tall / 2, y + tall / 2
    return (left, top), (right, top), (right, foot), (left, foot)


def _warmly_lit(ground: Floats, random: _Random) -> Floats:
    height, width = ground.shape[:2]
    pools = 0.75 + 0.6 * clouding(width, height, random, scale=0.35)
    return cast(Floats, np.clip(ground * pools[..., None] * np.array((1.12, 1.0, 0.84), np.float32), 0, 1))


def _sheet(color: tuple[int, int, int], random: _Random | None = None, mottled: float = 0.0) -> Floats:
    sheet = np.empty((480, 480, 3), np.float32)
    sheet[:] = np.array(color, np.float32) / 255
    if random is not None:
        sheet *= (1 + mottled * (clouding(480, 480, random) - 0.5) * 2)[..., None]
    return sheet


def _hang(ground: Floats, sheet: Floats, corners: tuple[tuple[float, float], ...]) -> None:
    """A flat sheet in perspective, in place: its corners clockwise from the upper left, as shares."""
    height, width = ground.shape[:2]
    there = np.array(corners, np.float32) * (width, height)
    matrix = cv2.getPerspectiveTransform(_CORNERS * 480, there.astype(np.float32))
    cv2.warpPerspective(sheet, matrix, (width, height), ground, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)


def _fill(ground: Floats, corners: tuple[tuple[float, float], ...], color: tuple[float, ...]) -> None:
    height, width = ground.shape[:2]
    there = (np.array(corners) * (width, height)).round().astype(np.int32)
    cv2.fillConvexPoly(ground, there, color, cv2.LINE_AA)
