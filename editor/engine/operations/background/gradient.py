"""Draw a background that changes from one color to another."""

from collections.abc import Callable
from typing import cast

import numpy as np

from editor.engine.colors import Color, Floats, color_at, color_of, lab_of, rgb
from editor.engine.plan import Step

_ENTRIES = 4097  # number of colors in the lookup table of a gradient
_USUAL = "sky blue"


def gradient(width: int, height: int, step: Step, end: str | None) -> Callable[[slice], Floats]:
    """Return a function that returns rows of a gradient (count x width x 3, 0 to 1).

    The gradient runs from the requested color to `end` or, without `end`, to a lighter color of the same hue.
    It starts at the requested place, such as "left", "bottom right", or "center" (by default, at the top).
    """
    first = color_of(step.color or _USUAL)
    last = color_of(end) if end else _lighter(first)
    table = _between(first, last)
    place = step.place or "top"
    across, down = (np.linspace(0, 1, side, dtype=np.float32) for side in (width, height))

    def rows_of(rows: slice) -> Floats:
        way = _way(across[None], down[rows, None], place)
        return table[(way * (_ENTRIES - 1) + np.float32(0.5)).astype(np.int32)]

    return rows_of


def _way(x: Floats, y: Floats, place: str) -> Floats:
    """Return the position of each pixel in the gradient, from 0 (first color) to 1 (last color)."""
    if place == "center":
        return cast(Floats, np.hypot(x * 2 - 1, y * 2 - 1) / np.float32(2**0.5))
    beside = x if "left" in place else 1 - x if "right" in place else None
    below = y if "top" in place else 1 - y if "bottom" in place else None
    if beside is None:
        return cast(Floats, (y if below is None else below) + 0 * x)
    return beside + 0 * y if below is None else (beside + below) / 2


def _between(first: Color, last: Color) -> Floats:
    """Return the colors of the gradient (count x 3, 0 to 1), evenly spaced in OKLab.

    The first and last colors are exact.
    """
    share = np.linspace(0, 1, _ENTRIES, dtype=np.float32)[:, None]
    start, end = lab_of(first), lab_of(last)
    table = rgb((start + share * (end - start))[None])[0]
    table[0], table[-1] = np.array(first) / 255, np.array(last) / 255
    return cast(Floats, table)


def _lighter(color: Color) -> Color:
    lab = lab_of(color)
    lab[0] = lab[0] + 0.65 * (1 - lab[0]) if lab[0] < 0.9 else lab[0] - 0.25
    lab[1:] *= 0.5
    return color_at(lab)
