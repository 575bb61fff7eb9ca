"""Looks: black and white, sepia, negative."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation, top_value
from editor.engine.operations.color.selective import within_target
from editor.engine.operations.color.tone import LUMA, looked_up, mixed
from editor.engine.plan import Step
from editor.imaging.codecs import Bytes, Pixels

_SEPIA_GAINS = (0.76, 1.05, 1.6)
"""Exponents for red, green and blue over grey: black and white stay, the tones between turn brown."""


@operation
def black_and_white(canvas: Canvas, step: Step) -> Canvas:
    """Grey of the same brightness."""
    return within_target(canvas, step, to_grey)


@operation
def sepia(canvas: Canvas, step: Step) -> Canvas:
    """The brown of old prints."""
    return within_target(canvas, step, to_sepia)


@operation
def negative(canvas: Canvas, step: Step) -> Canvas:
    """Each color to its opposite."""
    return within_target(canvas, step, inverted)


def to_grey(pixels: Pixels) -> Pixels:
    """All three colors the same; alpha stays."""
    if pixels.shape[2] == 3 and pixels.dtype == np.uint8:
        # The quick way for most photos; the mix below gives the same within rounding.
        grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
        return cast(Bytes, cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB))
    return mixed(pixels, np.tile(np.array(LUMA, np.float32), (3, 1)))


def to_sepia(pixels: Pixels) -> Pixels:
    levels = np.linspace(0, 1, top_value(pixels) + 1, dtype=np.float32)
    table = np.stack([levels**gain for gain in _SEPIA_GAINS], 1)
    return looked_up(to_grey(pixels), table)


def inverted(pixels: Pixels) -> Pixels:
    levels = np.linspace(1, 0, top_value(pixels) + 1, dtype=np.float32)
    return looked_up(pixels, np.stack([levels] * 3, 1))
