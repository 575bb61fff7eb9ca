"""A watermark: text that the photo shines through, once or all over."""

from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import USUAL, Canvas, operation
from editor.engine.colors import Color, color_of
from editor.engine.drawing.paint import contrary, ground_at, lay, readable
from editor.engine.operations.add.places import room, target_boxes, within_target
from editor.engine.operations.add.text import (
    fitting_beside,
    fitting_block,
    font_size,
    lay_block,
    share,
    written,
)
from editor.engine.pixels import Box, strips
from editor.engine.plan import Amount, Step
from editor.imaging.picture import Bytes, Picture, Pixels

_CORNER_FONT = 0.042  # font size, as a share of the side of a square photo
_CENTER_FONT = 0.1  # the same, for a watermark in the middle
_TILED_FONT = 0.05  # the same, for one all over the photo
_LEAST_OPACITY = 0.08  # of 1: a fainter watermark is not seen
_SINGLE_OPACITY = 0.6  # of 1: the usual opacity of a single watermark
_TURN = 30.0  # degrees
_STEPS = (1.15, 0.28)  # of the words' width: from one to the next, and to the line below


@operation
def watermark(canvas: Canvas, step: Step, *, color: str | None, tiled: bool, amount: Amount | None) -> Canvas:
    """The step's text at its place (lower right), or `tiled` slanted all over the photo.

    The amount is its opacity.
    """
    words = written(step)
    if tiled:
        opacity = max(_LEAST_OPACITY, abs(canvas.amount(amount or Amount(USUAL))))
        pixels = _tiled(canvas.picture, words, color_of(color or "white"), opacity)
        return within_target(canvas, step, pixels)
    opacity = max(_LEAST_OPACITY, abs(canvas.amount(amount or Amount(_SINGLE_OPACITY))))
    result = canvas.picture.pixels.copy()
    size = font_size(canvas.picture, _CENTER_FONT if step.place == "center" else _CORNER_FONT)
    for target in target_boxes(canvas, step):
        free, place = target or room(canvas), step.place or "bottom right"
        block, at = fitting_beside(canvas, words, free, size, place)
        paint = color_of(color) if color else readable(ground_at(canvas.picture, at))
        lay_block(result, block, paint, (at.left, at.top), opacity)
        canvas = replace(canvas, taken=(*canvas.taken, at))
    return canvas.with_pixels(result)


def _tiled(picture: Picture, words: str, color: Color, opacity: float) -> Pixels:
    widest = Box(0, 0, round(0.6 * picture.width), round(0.4 * picture.height))
    block = fitting_block(words, widest, font_size(picture, _TILED_FONT))
    result = picture.pixels.copy()
    for coverage, paint, strength in (
        (cast(Bytes, cv2.subtract(block.outlined, block.letters)), contrary(color), 0.45 * opacity),
        (block.letters, color, opacity),
    ):
        sheet = _all_over(coverage, picture.width, picture.height)
        for rows in strips(picture.height):
            lay(result[rows], share(sheet[rows]) * np.float32(strength), paint, (0, 0))
    return result


def _all_over(words: Bytes, width: int, height: int) -> Bytes:
    """The words again and again over height x width, in slanted lines, every other one shifted by half a
    step."""
    high, wide = words.shape
    across, down = round(_STEPS[0] * wide), round(max(1.6 * high, _STEPS[1] * wide))
    sheet = np.zeros((2 * down, across), np.uint8)
    sheet[:high, :wide] = words
    sheet = np.maximum(sheet, np.roll(sheet, (down, across // 2), (0, 1)))
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), _TURN, 1.0)
    return cast(Bytes, cv2.warpAffine(sheet, turn, (width, height), borderMode=cv2.BORDER_WRAP))
