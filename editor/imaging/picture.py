"""The pixels of an image, and functions that all operations need."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

type Bytes = NDArray[np.uint8]
type Pixels = Bytes | NDArray[np.uint16]

_STRIP = 256  # number of rows that are processed at a time


@dataclass(frozen=True, eq=False)
class Picture:
    """An image: its pixels, upright and in sRGB.

    `pixels` has the shape height x width x 3 (RGB) or 4 (RGBA, not premultiplied) and the type uint8 or
    uint16. `notices` tell users what was changed when the file was read. `view_scale` is the scale, along a
    side, at which people may see the picture while its original is withheld (1: every pixel). An operation
    that enlarges any part of a photo divides `view_scale` by the same factor. `dots_per_inch` is the print
    resolution that the file states, or 0 if it does not state one.
    """

    pixels: Pixels
    notices: tuple[str, ...] = ()
    view_scale: float = 1.0
    dots_per_inch: int = 0

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def has_alpha(self) -> bool:
        return bool(self.pixels.shape[2] == 4)

    @property
    def is_deep(self) -> bool:
        """Whether the picture has more than 8 bits per color channel."""
        return bool(self.pixels.dtype == np.uint16)


def eight_bits(picture: Picture) -> Bytes:
    """Return the pixels as uint8, rounded."""
    if picture.is_deep:
        return cast(Bytes, cv2.convertScaleAbs(picture.pixels, alpha=1 / 257))
    return cast(Bytes, picture.pixels)


def flatten(pixels: Bytes) -> Bytes:
    """Blend RGBA pixels onto white, and return RGB pixels. RGB pixels are returned unchanged."""
    if pixels.shape[2] == 3:
        return pixels
    flat = np.empty((*pixels.shape[:2], 3), np.uint8)
    for rows in strips(pixels.shape[0]):
        opacity = pixels[rows, :, 3:].astype(np.float32) / 255
        flat[rows] = (pixels[rows, :, :3] * opacity + 255 * (1 - opacity)).round()
    return flat


def strips(height: int, rows: int = _STRIP) -> Iterator[slice]:
    """Yield slices that each contain a few rows.

    This way, an operation does not hold several copies of a large photo in memory.
    """
    for top in range(0, height, rows):
        yield slice(top, min(top + rows, height))


def smoothstep[F: np.floating[Any]](share: NDArray[F]) -> NDArray[F]:
    """Apply the smoothstep function to values from 0 to 1, so that a transition starts and ends gently."""
    return cast("NDArray[F]", share * share * (3 - 2 * share))
