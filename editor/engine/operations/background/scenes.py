"""Grounds that no supplied photo shows: studios, skies, and places out of pictures and panoramas.

Places lie far behind the subject and are out of focus, as a portrait lens shows them.
"""

from collections.abc import Callable

import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, color_of, lab_of, rgb
from editor.engine.drawing.clouding import clouding
from editor.engine.drawing.discs import disc, stamp
from editor.engine.drawing.gaussian import blurred
from editor.engine.operations.background import skies
from editor.engine.operations.background.lens import out_of_focus, shown
from editor.engine.operations.background.panoramas import DRAWN_PLACES, view, window
from editor.engine.pixels import copy_size
from editor.engine.plan import Step
from editor.engine.sights import SIGHTS, Sights

type _Scene = Callable[[int, int, np.random.Generator], Floats]

_SIDE = 1400
_FAR_SIDE = 1000  # a place out of focus has nothing finer
_FAR = 0.02  # the radius of a point out of focus, in longest sides
_LAMPS = ((255, 206, 120), (255, 168, 90), (255, 232, 190), (150, 190, 255), (255, 140, 120))


def drawn_scene(canvas: Canvas, step: Step, choice: str) -> Floats:
    """The ground of that name, on a small copy: height x width x 3, 0 to 1."""
    random = np.random.default_rng(canvas.seed)
    if choice in PLACES:
        light = PLACES[choice](*_size(canvas, _FAR_SIDE), random)
        return shown(out_of_focus(light, _SHARPER.get(choice, _FAR) * max(light.shape)))
    width, height = _size(canvas, _SIDE)
    return (
        _studio(width, height, step, random) if choice == "studio" else DRAWN[choice](width, height, random)
    )


def _size(canvas: Canvas, longest: int) -> tuple[int, int]:
    return copy_size(longest, canvas.picture.width, canvas.picture.height, least=2)


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


def _bokeh(width: int, height: int, random: np.random.Generator) -> Floats:
    ground = skies.graded(width, height, ((0.0, (18, 18, 34)), (1.0, (52, 36, 40))))
    for x, y, size, shade in random.random((60, 4)):
        color = np.array(_LAMPS[int(shade * len(_LAMPS))], np.float32) / np.float32(255)
        sprite = disc((0.018 + 0.05 * size) * max(width, height), rim=1.35)
        stamp(ground, sprite, (x * width, (0.1 + 0.75 * y) * height), color * np.float32(0.12 + 0.3 * shade))
    return blurred(np.clip(ground, 0, 1), 0.0025 * max(width, height))


def _seen(sights: Sights) -> _Scene:
    """One of the views, turned a little, and perhaps mirrored."""

    def look(width: int, height: int, random: np.random.Generator) -> Floats:
        name, heading = sights.views[int(random.integers(len(sights.views)))]
        light = view(name, heading + random.uniform(-6, 6), width, height, rise=sights.rise)
        return light if random.random() < 0.5 else np.ascontiguousarray(light[:, ::-1])

    return look


def _window(name: str) -> _Scene:
    """A part of the wide picture of a place, and perhaps mirrored."""

    def look(width: int, height: int, random: np.random.Generator) -> Floats:
        light = window(name, width, height, random.random())
        return light if random.random() < 0.5 else np.ascontiguousarray(light[:, ::-1])

    return look


DRAWN: dict[str, _Scene] = {
    "sky": skies.day,
    "clear sky": skies.clear,
    "sunset": skies.sunset,
    "night sky": skies.night,
    "bokeh": _bokeh,
}
PLACES: dict[str, _Scene] = {name: _window(name) for name in DRAWN_PLACES} | {
    name: _seen(sights) for name, sights in SIGHTS.items()
}
_SHARPER = {"space": 0.0012, "brick wall": 0.004, "city at night": 0.024}
