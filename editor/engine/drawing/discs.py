"""Discs of light, and how they are put down."""

from typing import cast

import numpy as np

from editor.engine.colors import Floats


def disc(radius: float, *, rim: float) -> Floats:
    """Height x width, 0 to 1 (to `rim` at its edge, where a lens draws it brighter)."""
    reach = int(radius * 1.12) + 2
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    far = np.hypot(x, y) / np.float32(max(radius, 0.5))
    inside = np.clip((1.03 - far) * max(radius, 0.5) / max(1.0, 0.05 * radius), 0, 1)
    return cast(Floats, inside * (1 + (rim - 1) * np.clip(far, 0, 1) ** 7))


def stamp(light: Floats, sprite: Floats, place: tuple[float, ...], color: Floats) -> None:
    """Adds, in place, what of the sprite lies inside."""
    top, left = (round(place[axis] - sprite.shape[1 - axis] / 2) for axis in (1, 0))
    rows = slice(max(0, top), min(light.shape[0], top + sprite.shape[0]))
    columns = slice(max(0, left), min(light.shape[1], left + sprite.shape[1]))
    if rows.start < rows.stop and columns.start < columns.stop:
        part = sprite[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
        light[rows, columns] += part[:, :, None] * np.asarray(color, np.float32)
