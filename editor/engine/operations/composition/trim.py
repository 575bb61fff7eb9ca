"""Find plain bars and borders around a photo, line by line, and cut them off."""

import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Color, Floats, cielab, color_of
from editor.engine.drawing.crop_windows import cropped
from editor.engine.errors import OperationError, name_of_place
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Step
from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits
from editor.sentences import Sentence

_SIDES = ("top", "right", "bottom", "left")
# Maximum differences, in 8-bit levels, between the pixels of a bar and the outermost line of the bar. Both
# values are tried, because only the smaller one finds a black bar around a dark photo.
_LIKE = (22, 7)
# Maximum share of differently colored pixels in a line that still belongs to a bar.
_MAX_OTHER_SHARE = 0.02
_MIN_BAR_LINES = 3  # minimum width of a bar, in lines of pixels
_EDGE = 3  # number of lines of pixels over which a bar may blend into the photo
# Minimum share of differently colored pixels right after a bar; a plain sky or wall changes more gradually.
_SHARP = 0.5
_LEFT = 0.1  # minimum share of each side of the photo that must remain after bars are cut off
_NAMED = 40.0  # maximum difference between the color of a bar and the named color, in CIE 1976 units
# CIELAB chroma below which a color is white, gray, or black, so that only its lightness counts.
_NEUTRAL = 14.0


@operation
def trim(canvas: Canvas, step: Step, *, color: str | None) -> Canvas:
    """Cut off the plain bars along the edges of the photo.

    If the step has a color or a place, such as "bottom" or "left right", only bars that have that color or
    are at that place are cut off. Raises OperationError if there are no bars.
    """
    wanted = tuple(side for side in _SIDES if side in (step.place or "")) or _SIDES
    paint = color_of(color) if color else None
    box = _inside_bars(canvas.picture, wanted, paint)
    if box == Box(0, 0, canvas.picture.width, canvas.picture.height):
        border = Sentence("plain %(color)s border", color=color) if color else Sentence("plain border")
        sentence = Sentence("I can't find a %(border)s.", border=border)
        if step.place in _SIDES:
            side = name_of_place(step.place)
            sentence = Sentence("I can't find a %(border)s at the %(side)s.", border=border, side=side)
        raise OperationError(
            Reason.LOW_CONFIDENCE,
            sentence,
            Sentence("Say how much to crop, for example “crop 10% off the bottom”."),
        )
    return cropped(canvas, box)


def _inside_bars(picture: Picture, sides: tuple[str, ...], color: Color | None) -> Box:
    """Return the box inside the bars, or the whole photo if that box would be too small.

    Because a bar can hide another one at a corner, the sides are trimmed in turn until none has a bar.
    """
    whole = box = Box(0, 0, picture.width, picture.height)
    while True:
        before = box
        for turn, side in enumerate(_SIDES):
            if side in sides:
                # Rotate the pixels by `turn` quarter turns so that the side is at the top.
                depth = _depth(np.rot90(picture.pixels[box.slices], turn), color)
                inwards = depth if side in ("top", "left") else -depth
                box = box._replace(**{side: getattr(box, side) + inwards})
        if box == before:
            break
    is_left = box.width >= _LEFT * picture.width and box.height >= _LEFT * picture.height
    return box if is_left else whole


def _depth(lines: Pixels, color: Color | None) -> int:
    """Return the width of the bar at the top, in lines of pixels, or 0 if there is no bar.

    The width includes the lines in which the bar blends into the photo.
    """
    paint = np.median(_line(lines, 0), axis=0)
    if color is not None and not _is_called(paint, color):
        return 0
    return next((depth for like in _LIKE if (depth := _depth_of_paint(lines, paint, like))), 0)


def _depth_of_paint(lines: Pixels, paint: Floats, like: int) -> int:
    others = (_others(_line(lines, at), paint, like) for at in range(len(lines)))
    depth = next((at for at, share in enumerate(others) if share > _MAX_OTHER_SHARE), len(lines))
    if depth < _MIN_BAR_LINES or depth == len(lines):
        return 0
    last = min(len(lines), depth + _EDGE)
    ends = [_others(_line(lines, at), paint, like) for at in range(depth, last)]
    return depth + _faded(ends) if max(ends) > _SHARP else 0


def _faded(ends: list[float]) -> int:
    """Return the number of lines of pixels beyond a bar in which the bar still blends into the photo."""
    full = 0.8 * max(ends)
    return next(at for at, others in enumerate(ends) if others >= full)


def _line(lines: Pixels, at: int) -> Bytes:
    return eight_bits(Picture(np.ascontiguousarray(lines[at][None])))[0, :, :3]


def _others(line: Bytes, paint: Floats, like: int) -> float:
    """Return the share of the pixels in a line whose color differs from the bar's color."""
    return float((np.abs(line - paint).max(1) > like).mean())


def _is_called(paint: Floats, color: Color) -> bool:
    """Return whether people would call a bar's color by the name of `color`.

    Any light paper counts as white.
    """
    own, named = (cielab(np.array([[one]], np.uint8))[0, 0] for one in (paint, color))
    if np.hypot(*named[1:]) < _NEUTRAL:
        return bool(np.hypot(*own[1:]) < _NEUTRAL and abs(own[0] - named[0]) < _NAMED)
    return float(np.linalg.norm(own - named)) < _NAMED
