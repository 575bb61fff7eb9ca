"""Create cloud-like random noise."""

import cv2
import numpy as np

from editor.engine.colors import Floats

_OCTAVES = 6  # maximum number of layers of noise, from coarse to fine


def cloud_noise(
    width: int, height: int, random: np.random.Generator, *, scale: float = 0.4, wide: float = 1.0
) -> Floats:
    """Return cloud-like noise, height x width, with a mean of about 0.5 and most values from 0.2 to 0.8.

    The height of the largest blobs is `scale` times the longer side, and their width is `wide` times their
    height. The noise is a sum of layers. Each layer is twice as fine and half as strong as the one before, as
    in Perlin, "An image synthesizer", 1985.
    """
    cell = scale * max(width, height)
    total, strength = np.zeros((height, width), np.float32), 1.0
    for _ in range(_OCTAVES):
        columns, rows = int(width / (cell * wide)) + 4, int(height / cell) + 4
        grid = random.random((rows, columns), np.float32)
        size = (round(columns * cell * wide), round(rows * cell))
        if min(size) < max(rows, columns) or cell < 2:
            break
        left, top = (int(random.integers(0, max(1, int(extent)))) for extent in (cell * wide, cell))
        swells = cv2.resize(grid, size, interpolation=cv2.INTER_CUBIC)[
            top : top + height, left : left + width
        ]
        total[: swells.shape[0], : swells.shape[1]] += np.float32(strength) * (swells - np.float32(0.5))
        cell, strength = cell / 2, strength / 2
    return np.float32(0.5) + total * np.float32(0.62)


def clouds_in_perspective(swells: Floats, width: int, height: int) -> Floats:
    """Return a layer of clouds seen from below, which become flatter and smaller toward the horizon.

    `swells` is the layer as noise, about twice as wide and as high as the result (height x width).
    """
    down = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    across = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None]
    depth = np.float32(0.45) + np.float32(0.75) * down
    columns = (np.float32(0.5) + across * depth * np.float32(0.8)) * (swells.shape[1] - 1)
    rows = (down * (np.float32(0.45) + np.float32(0.5) * down)) * (swells.shape[0] - 1) + 0 * across
    return cv2.remap(swells, columns.astype(np.float32), rows.astype(np.float32), cv2.INTER_LINEAR)
