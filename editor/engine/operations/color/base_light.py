"""The broad light of a photo: smooth within things, sharp at their edges, so that lifting it draws no halos.

He and Sun, "Fast guided filter", 2015: found on a small copy, applied to the rows of the photo.
"""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.operations.color.tone import LUMA
from editor.engine.pixels import working_copy
from editor.engine.targets.masks import enlarged_rows
from editor.imaging.codecs import Picture, Pixels

_SIDE = 800


@dataclass(frozen=True, eq=False)
class BaseLight:
    """`slope` and `offset` (small maps) make the broad light out of the light of each pixel."""

    slope: Floats
    offset: Floats
    height: int
    width: int

    def of(self, light: Floats, rows: slice) -> Floats:
        """The broad light, rows x width, of these rows with this light."""
        slope = enlarged_rows(self.slope, rows, self.height, self.width)
        offset = enlarged_rows(self.offset, rows, self.height, self.width)
        return cast(Floats, np.clip(slope * light + offset, 0, 1))


def base_light(pixels: Pixels, *, reach: float = 0.035, edges: float = 0.012) -> BaseLight:
    """`reach`: how broad, as a share of the longest side; `edges`: the variance from which on a step in
    light counts as an edge."""
    small = working_copy(Picture(pixels), _SIDE)
    light = light_of(small * np.float32(1 / 255))
    side = 2 * max(1, round(reach * max(light.shape))) + 1
    mean = _mean(light, side)
    variance = np.maximum(_mean(light * light, side) - mean * mean, 0)
    slope = variance / (variance + np.float32(edges))
    offset = mean * (1 - slope)
    return BaseLight(_mean(slope, side), _mean(offset, side), *pixels.shape[:2])


def light_of(colors: Floats) -> Floats:
    """Rows x width, of colors 0 to 1."""
    return cv2.transform(colors, np.array([LUMA], np.float32)).reshape(colors.shape[:2])


def _mean(values: Floats, side: int) -> Floats:
    return cv2.blur(values, (side, side), borderType=cv2.BORDER_REFLECT)
