"""Simulate a portrait lens: the background is out of focus, and bright points become discs."""

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.drawing.gaussian import blurred

_GAMMA = 2.2
_GRAIN = 0.011  # standard deviation of film grain, as a share of white
_LARGE = 1280  # minimum width, in pixels, of a photo with full-strength grain; smaller photos get less grain
_BRIGHTEST = 0.985  # level at which white is rendered, as a share of the film's maximum response


def film_to_light(shown: Floats) -> Floats:
    """Return the light (0 to about 4) that film renders as the given values (0 to 1).

    Because film compresses bright light, the brightest values represent much more light than slightly darker
    ones.
    """
    return -np.log1p(-(np.clip(shown, 0, 1) ** _GAMMA) * _BRIGHTEST).astype(np.float32)


def light_to_film(light: Floats) -> Floats:
    """Return the values (0 to 1) that film shows for the given light.

    This is the inverse of `film_to_light`.
    """
    return np.clip(-np.expm1(-light) / _BRIGHTEST, 0, 1) ** np.float32(1 / _GAMMA)


def out_of_focus(light: Floats, radius: float) -> Floats:
    """Return the light with each point spread over a slightly soft disc; `radius` is in pixels."""
    reach = int(radius) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    spread = cv2.filter2D(light, -1, disc / disc.sum(), borderType=cv2.BORDER_REFLECT_101)
    return blurred(np.maximum(spread, 0), radius / 6)


def film_grain(height: int, width: int, random: np.random.Generator) -> Floats:
    """Return film grain (height x width x 1), without which a smooth background would look like plastic."""
    strength = _GRAIN * max(0.5, min(1.0, width / _LARGE))
    return random.standard_normal((height, width, 1), np.float32) * np.float32(strength)
