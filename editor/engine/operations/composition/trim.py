"""Trim: the plain bars and borders around a photo, found line by line and cut off."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Color, Floats, color_of
from editor.engine.drawing.windows import cropped
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Step
from editor.engine.refused import Unable
from editor.imaging.codecs import Bytes, Picture, Pixels, eight_bits

_SIDES = ("top", "bottom", "left", "right")
_LIKE = (22, 7)  # levels of 255 that a bar may differ from its outermost line: JPEG and paper are not quite
# even; but around a dark photo only the finer one tells a black bar
_MOST_OTHERS = 0.02  # of a line: what may lie on a bar without ending it
_LEAST = 3  # lines: fewer are no bar
_EDGE = 3  # lines in which a bar goes over into the photo
_SHARP = 0.5  # of the line that ends a bar differs from it; a plain sky or wall fades out instead
_LEFT = 0.1  # of each side: of less, it is not the photo that would be left
_NAMED = 40.0  # CIE 1976 color difference from the color that a bar is called by
_NEUTRAL = 14.0  # CIELAB chroma: what has less is white, gray or black by its light alone


@operation
def trim(canvas: Canvas, step: Step, *, color: str | None) -> Canvas:
    """Without the plain bars along its edges: those of the step's color and at its place ("bottom",
    "left right"), else all there are. Unable when there are none."""
    wanted = tuple(side for side in _SIDES if side in (step.place or "")) or _SIDES
    paint = color_of(color) if color else None
    box = _inside_bars(canvas.picture, wanted, paint)
    if box == Box(0, 0, canvas.picture.width, canvas.picture.height):
        named = f"{color} " if color else ""
        where = f" at the {' and '.join(wanted)}" if step.place in _SIDES else ""
        sentence = f"No plain {named}border was found{where}."
        raise Unable(Reason.LOW_CONFIDENCE, sentence, "Say how much: “crop 10% off the bottom”.")
    return cropped(canvas, box)


def _inside_bars(picture: Picture, sides: tuple[str, ...], color: Color | None) -> Box:
    """What the bars leave: side after side, until none has one any more, so corners are in no one's way."""
    left, top, right, bottom = 0, 0, picture.width, picture.height
    while True:
        before = (left, top, right, bottom)
        for side in sides:
            lines = _lines(picture.pixels[top:bottom, left:right], side)
            depth = _depth(lines, color)
            left, right = left + depth * (side == "left"), right - depth * (side == "right")
            top, bottom = top + depth * (side == "top"), bottom - depth * (side == "bottom")
        if (left, top, right, bottom) == before:
            break
    is_left = right - left >= _LEFT * picture.width and bottom - top >= _LEFT * picture.height
    return Box(left, top, right, bottom) if is_left else Box(0, 0, picture.width, picture.height)


def _lines(pixels: Pixels, side: str) -> Pixels:
    """The lines along a side, the outermost first."""
    lying = pixels if side in ("top", "bottom") else pixels.transpose(1, 0, 2)
    return lying if side in ("top", "left") else lying[::-1]


def _depth(lines: Pixels, color: Color | None) -> int:
    """How many lines the bar is wide, with those in which it goes over into the photo; 0 for no bar."""
    paint = np.median(_line(lines, 0), axis=0)
    if color is not None and not _is_called(paint, color):
        return 0
    return next((depth for like in _LIKE if (depth := _depth_of_paint(lines, paint, like))), 0)


def _depth_of_paint(lines: Pixels, paint: Floats, like: int) -> int:
    others = (_others(_line(lines, at), paint, like) for at in range(len(lines)))
    depth = next((at for at, share in enumerate(others) if share > _MOST_OTHERS), len(lines))
    if depth < _LEAST or depth == len(lines):
        return 0
    last = min(len(lines), depth + _EDGE)
    ends = [_others(_line(lines, at), paint, like) for at in range(depth, last)]
    return depth + _faded(ends) if max(ends) > _SHARP else 0


def _faded(ends: list[float]) -> int:
    """How many of the first lines of the photo still have something of the bar."""
    full = 0.8 * max(ends)
    return next(at for at, others in enumerate(ends) if others >= full)


def _line(lines: Pixels, at: int) -> Bytes:
    return eight_bits(Picture(np.ascontiguousarray(lines[at][None])))[0, :, :3]


def _others(line: Bytes, paint: Floats, like: int) -> float:
    """The share of a line that has another color than the bar."""
    return float((np.abs(line - paint).max(1) > like).mean())


def _is_called(paint: Floats, color: Color) -> bool:
    """Whether a bar of that paint is what people call it: any light paper is white."""
    own, named = (_lab(np.asarray(one, np.float32)) for one in (paint, color))
    if np.hypot(*named[1:]) < _NEUTRAL:
        return bool(np.hypot(*own[1:]) < _NEUTRAL and abs(own[0] - named[0]) < _NAMED)
    return float(np.linalg.norm(own - named)) < _NAMED


def _lab(color: Floats) -> Floats:
    """CIELAB of a color, 0 to 255."""
    return cast(Floats, cv2.cvtColor(color[None, None] / np.float32(255), cv2.COLOR_RGB2LAB)[0, 0])
