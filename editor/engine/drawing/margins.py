"""Add margins around a photo."""

from collections.abc import Collection
from typing import NamedTuple, cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Color
from editor.engine.pixels import top_value
from editor.imaging.picture import Picture, Pixels


class Sides(NamedTuple):
    """The number of pixels to add on each side of the photo."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def all(cls, pixels: int) -> "Sides":
        return cls(pixels, pixels, pixels, pixels)

    @classmethod
    def of(cls, picture: Picture, number: float, unit: str, named: Collection[str]) -> "Sides":
        """Return margins on the named sides.

        The margins are `number` pixels wide, or `number` percent of the photo's width or height.
        """
        whole = picture.width, picture.height, picture.width, picture.height
        wide = (round(length * number / 100 if unit == "percent" else number) for length in whole)
        return cls(*(pixels * (side in named) for side, pixels in zip(cls._fields, wide, strict=True)))

    @property
    def across(self) -> int:
        return self.left + self.right

    @property
    def down(self) -> int:
        return self.top + self.bottom


def add_margins(canvas: Canvas, sides: Sides, color: Color, *, opaque: bool = True) -> Canvas:
    """Return the canvas with margins of a color around the photo.

    If `opaque` is false and the photo has alpha, the margins are transparent.
    """
    pixels, level = canvas.picture.pixels, top_value(canvas.picture.pixels) // 255
    full = [channel * level for channel in (*color, 255 if opaque else 0)[: pixels.shape[2]]]
    order = (sides.top, sides.bottom, sides.left, sides.right)
    wider = cv2.copyMakeBorder(pixels, *order, cv2.BORDER_CONSTANT, value=full)
    return canvas.moved(cast(Pixels, wider), np.array([[1, 0, sides.left], [0, 1, sides.top]], np.float32))
