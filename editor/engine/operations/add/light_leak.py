"""A light leak: warm light that enters at the edge of the film, as in an old camera."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Color, Floats, Stops, color_of, interpolate_gradient
from editor.engine.masks import map_strips_with
from editor.engine.operations.add.places import within_target
from editor.engine.pixels import copy_size
from editor.engine.plan import Step

_DRAWN_PIXELS = 320  # longer side, in pixels, of the working copy on which the light is drawn
_PLACES = ("left", "right", "top left", "bottom right")
_FOG = np.float32(0.6)
# Colors of a light leak, from weak to strong. Weak light fogs only the red layer of a color film, and
# strong light makes the film nearly white.
_WARM = (
    (0.0, (0, 0, 0)),
    (0.22, (96, 10, 26)),
    (0.5, (232, 74, 14)),
    (0.78, (255, 158, 46)),
    (1.0, (255, 236, 176)),
)


@operation
def light_leak(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add light that enters at the requested place or at a random place.

    The light is brightest at the photo's edge. It ranges from red through orange to nearly white, or consists
    of shades of the given color. The amount sets the strength of the light.
    """
    random = np.random.default_rng(canvas.seed)
    place = place or _PLACES[canvas.seed % len(_PLACES)]
    picture = canvas.picture
    light = _light(picture.width, picture.height, place, random)
    light *= np.float32(min(1.0, 0.6 + 0.6 * abs(amount)))
    stops = _shades(color_of(color)) if color else _WARM
    glow = np.dstack([interpolate_gradient(light, stops), _FOG * light * light])

    def change(colors: Floats, leak: Floats) -> Floats:
        # Besides adding the light, blend toward its color, because added light would not show in a bright
        # sky.
        added = 1 - (1 - colors) * (1 - leak[:, :, :3])
        return cast(Floats, added + leak[:, :, 3:] * (leak[:, :, :3] - added))

    return within_target(canvas, step, map_strips_with(picture.pixels, change, glow))


def _light(width: int, height: int, place: str, random: np.random.Generator) -> Floats:
    """Return the brightness of the light, from 0 to 1, on a small copy.

    The light is a ragged band along the edge, with two flares.
    """
    size = copy_size(_DRAWN_PIXELS, width, height)
    far, along = _from_edge(size, place)
    clouds = cv2.resize(random.random((4, 3), np.float32), size, interpolation=cv2.INTER_CUBIC)
    light = 0.85 * np.exp(-((far / (0.07 + 0.2 * np.clip(clouds, 0, 1))) ** 2))
    for _ in range(2):
        off = along - random.uniform(0.15, 0.85) - random.uniform(-0.6, 0.6) * far
        reach, breadth = random.uniform(0.25, 0.5), random.uniform(0.08, 0.2)
        light += random.uniform(0.3, 0.6) * np.exp(-((far / reach) ** 2) - (off / breadth) ** 2)
    return cast(Floats, np.clip(light, 0, 1).astype(np.float32))


def _from_edge(size: tuple[int, int], place: str) -> tuple[Floats, Floats]:
    """Return each pixel's distance from an edge or corner, and its position along that edge, from 0 to 1."""
    x = ((np.arange(size[0], dtype=np.float32) + 0.5) / size[0])[None]
    y = ((np.arange(size[1], dtype=np.float32) + 0.5) / size[1])[:, None]
    beside = x if "left" in place else 1 - x if "right" in place else None
    below = y if "top" in place else 1 - y if "bottom" in place else None
    if beside is not None and below is not None:
        far, along = 0.75 * np.hypot(beside, below), (1 + beside - below) / 2
    elif below is not None:
        far, along = below + 0 * x, x + 0 * y
    elif beside is not None:
        far, along = beside + 0 * y, y + 0 * x
    else:
        far, along = np.hypot(x - 0.5, y - 0.5), x + 0 * y
    return far, along


def _shades(color: Color) -> Stops:
    """Return the gradient stops from black through the color to a pale form of the color."""
    red, green, blue = (round(part + 0.7 * (255 - part)) for part in color)
    return (0.0, (0, 0, 0)), (0.5, color), (1.0, (red, green, blue))
