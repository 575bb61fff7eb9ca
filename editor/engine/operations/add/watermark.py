"""Draw a watermark: translucent text at one place or all over the photo."""

from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Color, color_of, contrasting
from editor.engine.drawing.paint import contrasting_at, paint_over
from editor.engine.operations.add.places import drawable_area, target_boxes, within_target
from editor.engine.operations.add.text import (
    fitting_beside,
    fitting_block,
    font_size,
    paint_block,
    step_text,
    to_fraction,
)
from editor.engine.pixels import Box, strips
from editor.engine.plan import DEFAULT_AMOUNT, Amount, Step
from editor.imaging.picture import Bytes, Picture, Pixels

# Font size of a watermark near an edge, as a share of the square root of the photo's area.
_CORNER_FONT = 0.042
# Font size of a watermark in the center, as a share of the square root of the photo's area.
_CENTER_FONT = 0.1
# Font size of a watermark that covers the photo, as a share of the square root of the photo's area.
_TILED_FONT = 0.05
_MIN_OPACITY = 0.08  # minimum opacity of a watermark, 0 to 1; a fainter one would be invisible
_SINGLE_OPACITY = 0.6  # default opacity of a single watermark, 0 to 1
_TURN = 30.0  # slant of the lines of a tiled watermark, in degrees
_STEPS = (1.15, 0.28)  # horizontal and vertical spacing of the repeated words, as multiples of their width


@operation
def watermark(canvas: Canvas, step: Step, *, color: str | None, tiled: bool, amount: Amount | None) -> Canvas:
    """Draw the requested text at the requested place, or all over the photo if `tiled` is true.

    The default place is the lower right. The amount sets the opacity. Raises OperationError if the text does
    not fit.
    """
    words = step_text(step)
    if tiled:
        opacity = max(_MIN_OPACITY, abs(canvas.amount(amount or Amount(DEFAULT_AMOUNT))))
        pixels = _tiled(canvas.picture, words, color_of(color or "white"), opacity)
        return within_target(canvas, step, pixels)
    opacity = max(_MIN_OPACITY, abs(canvas.amount(amount or Amount(_SINGLE_OPACITY))))
    result = canvas.picture.pixels.copy()
    size = font_size(canvas.picture, _CENTER_FONT if step.place == "center" else _CORNER_FONT)
    for target in target_boxes(canvas, step):
        free, place = target or drawable_area(canvas), step.place or "bottom right"
        block, at = fitting_beside(canvas, words, free, size, place)
        paint = color_of(color) if color else contrasting_at(canvas.picture, at)
        paint_block(result, block, paint, (at.left, at.top), opacity)
        canvas = replace(canvas, occupied=(*canvas.occupied, at))
    return canvas.with_pixels(result)


def _tiled(picture: Picture, words: str, color: Color, opacity: float) -> Pixels:
    widest = Box(0, 0, round(0.6 * picture.width), round(0.4 * picture.height))
    block = fitting_block(words, widest, font_size(picture, _TILED_FONT))
    result = picture.pixels.copy()
    for coverage, paint, strength in (
        (cast(Bytes, cv2.subtract(block.outlined, block.letters)), contrasting(color), 0.45 * opacity),
        (block.letters, color, opacity),
    ):
        sheet = _all_over(coverage, picture.width, picture.height)
        for rows in strips(picture.height):
            paint_over(result[rows], to_fraction(sheet[rows]) * np.float32(strength), paint, (0, 0))
    return result


def _all_over(words: Bytes, width: int, height: int) -> Bytes:
    """Return the coverage (height x width) of words that are repeated along slanted lines.

    Every second line is shifted by half of the horizontal spacing.
    """
    high, wide = words.shape
    across, down = round(_STEPS[0] * wide), round(max(1.6 * high, _STEPS[1] * wide))
    sheet = np.zeros((2 * down, across), np.uint8)
    sheet[:high, :wide] = words
    sheet = np.maximum(sheet, np.roll(sheet, (down, across // 2), (0, 1)))
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), _TURN, 1.0)
    return cast(Bytes, cv2.warpAffine(sheet, turn, (width, height), borderMode=cv2.BORDER_WRAP))
