"""Small photos of a person, a cat, and a cup, for tests. The folder tests/photos lists their sources."""

from pathlib import Path
from typing import cast

import cv2
import numpy as np

from editor.imaging.picture import Bytes, Picture

_FOLDER = Path(__file__).resolve().parents[1] / "photos"
GROUND = (150, 160, 170)


def photo(name: str) -> Picture:
    """Return the photo with this name: "astronaut", "cat", or "cup"."""
    pixels = cv2.imread(str(_FOLDER / f"{name}.jpg"))
    assert pixels is not None, f"There is no photo of a {name}."
    return Picture(cast(Bytes, cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)))


def stacked(*names: str, width: int = 320) -> Picture:
    """Stack photos on a plain background.

    They are scaled to the same width, and the background is visible between and around them.
    """
    parts: list[Bytes] = [np.full((40, width, 3), GROUND, np.uint8)]
    for name in names:
        pixels = photo(name).pixels
        size = (width, round(pixels.shape[0] * width / pixels.shape[1]))
        parts += [cast(Bytes, cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)), parts[0]]
    middle = np.concatenate(parts)
    beside = np.full((middle.shape[0], 60, 3), GROUND, np.uint8)
    return Picture(np.concatenate([beside, middle, beside], axis=1))


def placed(name: str, *spots: tuple[int, int, int], width: int = 900, height: int = 600) -> Picture:
    """Place copies of the photo on a plain background.

    Each position is given as (left, top, height of the copy).
    """
    pixels = np.full((height, width, 3), GROUND, np.uint8)
    source = photo(name).pixels
    for left, top, tall in spots:
        wide = round(source.shape[1] * tall / source.shape[0])
        copy = cv2.resize(source, (wide, tall), interpolation=cv2.INTER_AREA)
        pixels[top : top + tall, left : left + wide] = copy[: height - top, : width - left]
    return Picture(pixels)
