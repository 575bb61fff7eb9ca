"""A border."""

from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation, top_value
from editor.engine.colors import Color, color_of
from editor.engine.operations.composition.crop import crop_to_ratio
from editor.engine.plan import Reason, Step
from editor.engine.refused import Unable
from editor.imaging.codecs import Picture, Pixels


@operation
def border(canvas: Canvas, step: Step) -> Canvas:
    """A frame of one color around the photo, which stays whole; only where a shape was asked for is so
    much cropped that photo and frame together have it."""
    picture = canvas.picture
    thickness = _thickness(canvas, step, min(picture.width, picture.height))
    if canvas.ratio:
        canvas = crop_to_ratio(canvas, _inner_ratio(picture, canvas.ratio, thickness))
    matrix = np.array([[1, 0, thickness], [0, 1, thickness]], np.float32)
    pixels = framed(canvas.picture.pixels, color_of(step.color or "white"), thickness)
    return replace(canvas.moved(pixels, matrix), frame=canvas.frame + thickness)


def _inner_ratio(picture: Picture, ratio: float, thickness: int) -> float:
    """The shape of the photo inside a frame that has the ratio outside, as large as the picture allows."""
    width = ratio * (picture.height + 2 * thickness) - 2 * thickness
    if 0 < width <= picture.width:
        return width / picture.height
    height = (picture.width + 2 * thickness) / ratio - 2 * thickness
    return picture.width / max(1.0, height)


def _thickness(canvas: Canvas, step: Step, shorter: int) -> int:
    if step.exact and step.exact[1] == "percent":
        thickness = round(step.exact[0] / 100 * shorter)
    elif step.exact:
        thickness = round(step.exact[0])
    else:
        thickness = max(1, round(0.12 * abs(canvas.amount(step)) * shorter))
    if not 0 < thickness * 2 < shorter:
        raise Unable(Reason.TOO_LARGE, "This border would cover the photo.", "Choose a thinner one.")
    return thickness


def framed(pixels: Pixels, color: Color, thickness: int) -> Pixels:
    """The pixels with a frame of that many pixels around them, opaque."""
    full = [channel * (top_value(pixels) // 255) for channel in (*color, 255)[: pixels.shape[2]]]
    sides = (thickness,) * 4
    return cast(Pixels, cv2.copyMakeBorder(pixels, *sides, cv2.BORDER_CONSTANT, value=full))
