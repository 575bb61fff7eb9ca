"""A watermark: text that the photo shines through, once or all over."""

from dataclasses import replace
from math import sqrt
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import USUAL, Canvas, operation
from editor.engine.colors import Color, color_of
from editor.engine.drawing.paint import contrary, ground_at, lay, readable, turned_on_a_sheet
from editor.engine.operations.add.places import room, target_boxes, within_target
from editor.engine.operations.add.text import fitting_beside, fitting_block, lay_block, share, written
from editor.engine.pixels import Box, strips
from editor.engine.plan import Amount, Step
from editor.imaging.codecs import Bytes, Picture, Pixels

_SINGLE, _CENTER, _TILED = 0.042, 0.1, 0.05  # font sizes, as shares of the side of a square photo
_SMALLEST = 9
_FAINTEST, _OPAQUE = 0.08, 0.6
_TURN = 30.0  # degrees


@operation
def watermark(canvas: Canvas, step: Step, *, color: str | None, tiled: bool, amount: Amount | None) -> Canvas:
    """The step's text at its place (lower right), or `tiled` slanted all over the photo.

    The amount is its opacity.
    """
    words = written(step)
    if tiled:
        opacity = max(_FAINTEST, abs(canvas.amount(amount or Amount(USUAL))))
        pixels = _tiled(canvas.picture, words, color_of(color or "white"), opacity)
        return within_target(canvas, step, pixels)
    opacity = max(_FAINTEST, abs(canvas.amount(amount or Amount(_OPAQUE))))
    result = canvas.picture.pixels.copy()
    for target in target_boxes(canvas, step):
        at = _lay_single(result, canvas, step, words, target or room(canvas), opacity)
        canvas = replace(canvas, taken=(*canvas.taken, at))
    return canvas.with_pixels(result)


def _lay_single(pixels: Pixels, canvas: Canvas, step: Step, words: str, free: Box, opacity: float) -> Box:
    """Paints it in place; answers where."""
    picture = canvas.picture
    size = _font_size(picture, _CENTER if step.place == "center" else _SINGLE)
    block, at = fitting_beside(canvas, words, free, size, step.place or "bottom right")
    color = color_of(step.color) if step.color else readable(ground_at(picture, at))
    lay_block(pixels, block, color, (at.left, at.top), opacity)
    return at


def _font_size(picture: Picture, part: float) -> int:
    return max(_SMALLEST, round(part * sqrt(picture.width * picture.height)))


def _tiled(picture: Picture, words: str, color: Color, opacity: float) -> Pixels:
    widest = Box(0, 0, round(0.6 * picture.width), round(0.4 * picture.height))
    block = fitting_block(words, widest, _font_size(picture, _TILED))
    result = picture.pixels.copy()
    for coverage, paint, strength in (
        (cast(Bytes, cv2.subtract(block.outlined, block.letters)), contrary(color), 0.45 * opacity),
        (block.letters, color, opacity),
    ):
        sheet = tiles(turned(coverage), picture.width, picture.height)
        for rows in strips(picture.height):
            lay(result[rows], share(sheet[rows]) * np.float32(strength), paint, (0, 0))
    return result


def turned(coverage: Bytes) -> Bytes:
    """Slanted upwards, with all of it and nothing around it."""
    whole = turned_on_a_sheet(coverage, -_TURN)
    return whole[Box.around(whole).part]


def tiles(tile: Bytes, width: int, height: int) -> Bytes:
    """The tile again and again over height x width, every other row shifted by half a step."""
    across, down = tile_steps(tile)
    sheet = np.zeros((2 * down, across), np.uint8)
    for row, start in ((0, 0), (1, across // 2)):
        rows = (np.arange(tile.shape[0]) + row * down) % (2 * down)
        columns = (np.arange(tile.shape[1]) + start) % across
        sheet[np.ix_(rows, columns)] = np.maximum(sheet[np.ix_(rows, columns)], tile)
    repeats = (-(-height // sheet.shape[0]), -(-width // sheet.shape[1]))
    return np.tile(sheet, repeats)[:height, :width]


def tile_steps(tile: Bytes) -> tuple[int, int]:
    """From one tile to the next: across, and down to the row that is shifted."""
    return round(1.12 * tile.shape[1]), round(0.85 * tile.shape[0])
