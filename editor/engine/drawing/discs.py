"""Discs of light, and a function that stamps them onto an image."""

from typing import cast

import numpy as np

from editor.engine.colors import Floats
from editor.engine.pixels import Box


def disc(radius: float, *, rim: float) -> Floats:
    """Return the brightness of a disc as a square array, from 0 outside to 1 inside.

    Toward the edge, the brightness changes to `rim`, because the out-of-focus discs of some lenses have a
    bright rim. `radius` is in pixels.
    """
    reach = int(radius * 1.12) + 2
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    far = np.hypot(x, y) / np.float32(max(radius, 0.5))
    inside = np.clip((1.03 - far) * max(radius, 0.5) / max(1.0, 0.05 * radius), 0, 1)
    return cast(Floats, inside * (1 + (rim - 1) * np.clip(far, 0, 1) ** 7))


def stamp(light: Floats, sprite: Floats, place: tuple[float, ...], color: Floats) -> None:
    """Add a small colored image to a larger image, which is changed in place.

    `place` is the position (x, y) of the small image's center. Parts of the small image outside the larger
    image are cut off.
    """
    top, left = (round(place[axis] - sprite.shape[1 - axis] / 2) for axis in (1, 0))
    box = Box(left, top, left + sprite.shape[1], top + sprite.shape[0]).within(light.shape[1], light.shape[0])
    if box.width > 0 and box.height > 0:
        light[box.slices] += sprite[box.moved(-left, -top).slices][:, :, None] * np.asarray(color, np.float32)
