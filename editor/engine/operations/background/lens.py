"""A portrait lens: what lies far behind is out of focus, and bright points become discs."""

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.drawing.gaussian import blurred

_GAMMA = 2.2
_GRAIN = 0.011  # of white
_LARGE = 1280  # pixels along the width: a smaller photo was scaled down, and its grain with it
_BRIGHTEST = 0.985  # of the light that film shows: what is brighter is taken for 4 times white


def light_behind(shown: Floats) -> Floats:
    """The light, 0 to about 4, that is shown as these values (0 to 1): film holds back the brightest."""
    return -np.log1p(-(np.clip(shown, 0, 1) ** _GAMMA) * _BRIGHTEST).astype(np.float32)


def shown(light: Floats) -> Floats:
    """The inverse of `light_behind`; light of any brightness stays below white."""
    return np.clip(-np.expm1(-light) / _BRIGHTEST, 0, 1) ** np.float32(1 / _GAMMA)


def out_of_focus(light: Floats, radius: float) -> Floats:
    """Each point of light as a disc of that radius (in pixels), a little soft at its edge."""
    reach = int(radius) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    spread = cv2.filter2D(light, -1, disc / disc.sum(), borderType=cv2.BORDER_REFLECT_101)
    return blurred(np.maximum(spread, 0), radius / 6)


def film_grain(height: int, width: int, random: np.random.Generator) -> Floats:
    """What is added to a smooth ground, so that it does not look like plastic: height x width x 1."""
    strength = _GRAIN * max(0.5, min(1.0, width / _LARGE))
    return random.standard_normal((height, width, 1), np.float32) * np.float32(strength)
