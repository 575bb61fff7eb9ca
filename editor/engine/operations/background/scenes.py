"""Grounds that are drawn: the paper of a studio, a sky by day, at sunset and at night, lamps out of focus."""

from collections.abc import Callable
from typing import cast

import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, color_of, lab_of, rgb
from editor.engine.operations.add.clouding import clouding
from editor.engine.operations.add.lights import disc, stamp
from editor.engine.operations.gaussian import blurred
from editor.engine.plan import Step

type _Stops = tuple[tuple[float, tuple[int, int, int]], ...]

_SIDE = 1400
_DAY: _Stops = ((0.0, (58, 120, 196)), (0.55, (138, 186, 230)), (1.0, (214, 230, 240)))
_SUNSET: _Stops = (
    *((0.0, (52, 58, 112)), (0.35, (140, 88, 140)), (0.6, (226, 122, 108)), (0.8, (250, 172, 100))),
    (1.0, (255, 214, 142)),
)
_NIGHT: _Stops = ((0.0, (6, 9, 24)), (0.6, (16, 26, 58)), (1.0, (40, 56, 96)))
_LAMPS = ((255, 206, 120), (255, 168, 90), (255, 232, 190), (150, 190, 255), (255, 140, 120))


def scene(canvas: Canvas, step: Step) -> Floats:
    """The ground that the step's choice names, on a small copy: height x width x 3, 0 to 1."""
    picture = canvas.picture
    scale = min(1.0, _SIDE / max(picture.width, picture.height))
    size = max(2, round(picture.width * scale)), max(2, round(picture.height * scale))
    return SCENES[step.choice or "studio"](*size, step, np.random.default_rng(canvas.seed))


def _studio(width: int, height: int, step: Step, random: np.random.Generator) -> Floats:
    """Painted canvas: light behind the subject, darker towards the corners, a little mottled."""
    lab = lab_of(color_of(step.color or "gray"))
    x, y = np.linspace(-1, 1, width)[None], np.linspace(-1, 1, height)[:, None]
    far = np.hypot(x * 0.9, (y + 0.15) * 0.85)
    mottled = clouding(width, height, random, scale=0.3) - 0.5
    light = lab[0] + 0.12 - 0.2 * np.clip(far, 0, 1.5) ** 1.6 + 0.05 * mottled
    ground = np.empty((height, width, 3), np.float32)
    ground[:] = lab
    ground[:, :, 0] = np.clip(light, 0.03, 0.98)
    return rgb(ground)


def _day(width: int, height: int, step: Step, random: np.random.Generator) -> Floats:
    return _clouded(_graded(width, height, _DAY), random, lit=(1.0, 1.0, 1.0), share=0.85, cover=0.5)


def _sunset(width: int, height: int, step: Step, random: np.random.Generator) -> Floats:
    return _clouded(_graded(width, height, _SUNSET), random, lit=(1.0, 0.66, 0.5), share=0.5, cover=0.5)


def _night(width: int, height: int, step: Step, random: np.random.Generator) -> Floats:
    sky = _graded(width, height, _NIGHT)
    for x, y, size in random.random((900, 3)):
        brightness = size**7
        sprite = disc((0.0005 + 0.0012 * brightness) * max(width, height), rim=1.0)
        stamp(sky, sprite, (x * width, y * height), np.full(3, 0.16 + 0.84 * brightness, np.float32))
    return np.clip(sky, 0, 1)


def _bokeh(width: int, height: int, step: Step, random: np.random.Generator) -> Floats:
    ground = _graded(width, height, ((0.0, (18, 18, 34)), (1.0, (52, 36, 40))))
    for x, y, size, shade in random.random((60, 4)):
        color = np.array(_LAMPS[int(shade * len(_LAMPS))], np.float32) / np.float32(255)
        sprite = disc((0.018 + 0.05 * size) * max(width, height), rim=1.35)
        stamp(ground, sprite, (x * width, (0.1 + 0.75 * y) * height), color * np.float32(0.12 + 0.3 * shade))
    return blurred(np.clip(ground, 0, 1), 0.0025 * max(width, height))


def _graded(width: int, height: int, stops: _Stops) -> Floats:
    """From top to bottom through the colors."""
    down = np.linspace(0, 1, height)
    levels = [level for level, _ in stops]
    column = np.stack(
        [np.interp(down, levels, [color[channel] for _, color in stops]) for channel in range(3)], 1
    )
    return np.repeat(column[:, None] / 255, width, axis=1).astype(np.float32)


def _clouded(
    sky: Floats,
    random: np.random.Generator,
    *,
    lit: tuple[float, float, float],
    share: float,
    cover: float,
) -> Floats:
    height, width = sky.shape[:2]
    swells = clouding(width, height, random, scale=0.24, wide=2.4)
    thick = np.clip((swells - cover) / 0.3, 0, 1)
    veil = (share * thick * thick * (3 - 2 * thick))[:, :, None]
    return cast(Floats, (sky + veil * (np.array(lit) - sky)).astype(np.float32))


SCENES: dict[str, Callable[[int, int, Step, np.random.Generator], Floats]] = {
    "studio": _studio,
    "sky": _day,
    "sunset": _sunset,
    "night sky": _night,
    "bokeh": _bokeh,
}
