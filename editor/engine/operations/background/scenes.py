"""Scenes to put behind a subject: studios, drawn skies, drawn scenery, and views of panoramas.

The drawn scenery is in assets/places. The panoramas in assets/scenery are CC0 photographs. All scenes are out
of focus, like a distant background in a portrait photo.
"""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, color_of, lab_of, rgb
from editor.engine.drawing.cloud_noise import cloud_noise
from editor.engine.drawing.crop_windows import largest_of_ratio
from editor.engine.drawing.discs import disc, stamp
from editor.engine.drawing.gaussian import blurred
from editor.engine.operations.background import skies
from editor.engine.operations.background.lens import film_to_light, light_to_film, out_of_focus
from editor.engine.panorama_views import PANORAMA_VIEWS, PanoramaViews
from editor.engine.pixels import copy_size
from editor.engine.plan import Step

type _Scene = Callable[[int, int, np.random.Generator], Floats]

_ASSETS = Path(__file__).resolve().parents[2] / "assets"
DRAWN_PLACES = tuple(sorted(path.stem.replace("_", " ") for path in (_ASSETS / "places").glob("*.jpg")))
# Factor by which the stored pictures of drawn backgrounds are brightened. They are stored darker so that
# bright lamps do not clip.
LAMPLIGHT = 4.0
_VIEW = 64.0  # angle of view of a panorama along the photo's longer side, in degrees
_BAND = 80.0  # vertical angle that a panorama covers, in degrees; the horizon is in the middle
_DRAWN_PIXELS = 1400  # longer side, in pixels, of a drawn studio or sky
_FAR_PIXELS = 1000  # longer side, in pixels, of blurred background scenery, which has no fine details
_FAR = 0.02  # default blur radius of background scenery, as a share of the background's longest side
_LAMPS = ((255, 206, 120), (255, 168, 90), (255, 232, 190), (150, 190, 255), (255, 140, 120))


def drawn_scene(canvas: Canvas, step: Step, choice: str) -> Floats:
    """Return the scene named `choice` on a small copy (height x width x 3, 0 to 1)."""
    random = np.random.default_rng(canvas.seed)
    if choice in PLACES:
        light = PLACES[choice](*_size(canvas, _FAR_PIXELS), random)
        # Mirror the scene half of the time.
        light = light if random.random() < 0.5 else np.ascontiguousarray(light[:, ::-1])
        return light_to_film(out_of_focus(light, _SHARPER.get(choice, _FAR) * max(light.shape)))
    if choice == "studio":
        return _studio(*_size(canvas, _DRAWN_PIXELS), step, random)
    return DRAWN[choice](*_size(canvas, _DRAWN_PIXELS), random)


def _size(canvas: Canvas, longest: int) -> tuple[int, int]:
    return copy_size(longest, canvas.picture.width, canvas.picture.height, least=2)


def _studio(width: int, height: int, step: Step, random: np.random.Generator) -> Floats:
    """Return a studio backdrop: bright in the middle, darker toward the corners, and slightly mottled."""
    lab = lab_of(color_of(step.color or "gray"))
    x, y = np.linspace(-1, 1, width)[None], np.linspace(-1, 1, height)[:, None]
    far = np.hypot(x * 0.9, (y + 0.15) * 0.85)
    mottled = cloud_noise(width, height, random, scale=0.3) - 0.5
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


def _seen(sights: PanoramaViews) -> _Scene:
    """Return a scene that shows a randomly chosen view, turned slightly to the left or right."""

    def look(width: int, height: int, random: np.random.Generator) -> Floats:
        name, heading = sights.views[int(random.integers(len(sights.views)))]
        return view(name, heading + random.uniform(-6, 6), width, height, rise=sights.rise)

    return look


def _window(name: str) -> _Scene:
    """Return a scene that shows a random part of the wide picture of drawn scenery."""
    return lambda width, height, random: window(name, width, height, random.random())


def view(name: str, heading: float, width: int, height: int, *, rise: float = 0.0) -> Floats:
    """Return a rectilinear view of a panorama, as an array of light values (height x width x 3).

    `heading` is the horizontal direction of the view, and `rise` is its angle above the horizon, both in
    degrees.
    """
    panorama = _light(_ASSETS / "scenery" / f"{name}.jpg")
    across, down = panorama.shape[1] / 360, panorama.shape[0] / _BAND
    distance = max(width, height) / 2 / np.tan(np.radians(_VIEW / 2))
    x = (np.arange(width, dtype=np.float32)[None] - (width - 1) / 2) / distance
    y = ((height - 1) / 2 - np.arange(height, dtype=np.float32)[:, None]) / distance
    tilt = np.radians(rise)
    forth, up = np.cos(tilt) - y * np.sin(tilt), np.sin(tilt) + y * np.cos(tilt)
    azimuth, elevation = np.degrees(np.arctan2(x, forth)), np.degrees(np.arctan2(up, np.hypot(x, forth)))
    columns = ((azimuth + heading) % 360 * across).astype(np.float32)
    rows = ((_BAND / 2 - elevation) * down).astype(np.float32)
    ringed = np.concatenate([panorama, panorama[:, :2]], 1)
    return cv2.remap(ringed, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def window(name: str, width: int, height: int, across: float) -> Floats:
    """Return a part of a drawn background, scaled to this size.

    The result is an array of light values (height x width x 3). The part is as large as the aspect ratio
    allows. `across` is the horizontal position of the part, from 0 (left) to 1 (right).
    """
    wide = _light(_ASSETS / "places" / f"{name.replace(' ', '_')}.jpg") * np.float32(LAMPLIGHT)
    columns, rows = largest_of_ratio(wide.shape[1], wide.shape[0], width / height)
    left, top = round(across * (wide.shape[1] - columns)), (wide.shape[0] - rows) // 2
    part = wide[top : top + rows, left : left + columns]
    how = cv2.INTER_AREA if width < columns else cv2.INTER_CUBIC
    return np.maximum(cv2.resize(part, (width, height), interpolation=how), 0)


def _light(path: Path) -> Floats:
    with Image.open(path) as image:
        return film_to_light(np.asarray(image, np.float32) / np.float32(255))


SKIES: dict[str, _Scene] = {
    "sky": skies.day,
    "clear sky": skies.clear,
    "sunset": skies.sunset,
    "night sky": skies.night,
    "stormy sky": skies.stormy,
}
DRAWN: dict[str, _Scene] = SKIES | {"bokeh": _bokeh}
PLACES: dict[str, _Scene] = {name: _window(name) for name in DRAWN_PLACES} | {
    name: _seen(sights) for name, sights in PANORAMA_VIEWS.items()
}
_SHARPER = {"space": 0.0012, "brick wall": 0.004, "city at night": 0.024}
