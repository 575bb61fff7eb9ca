"""Draw shapes: outlines that mark a place, or filled shapes."""

from functools import partial
from math import sqrt

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, color_of
from editor.engine.drawing.paint import paint_shadowed
from editor.engine.operations.add.outlines import CLOSED, OPEN, fill_outline, stroked
from editor.engine.operations.add.places import BESIDE, place_item, target_boxes
from editor.engine.pixels import Box
from editor.engine.plan import Step
from editor.imaging.picture import Picture

_USUAL = 0.36  # default height of a shape, as a share of the photo's shorter side
_STROKE = 0.011  # stroke width of a shape, as a share of the square root of the photo's area
_LINE = 16.0  # aspect ratio (width divided by height) of the box in which a line is drawn
_ASPECTS = {"ellipse": 1.5, "rectangle": 1.5, "star": 1.05, "heart": 1.1, "triangle": 1.15, "check": 1.15}
_ENCLOSING = {"circle", "ellipse", "rectangle", "square"}


@operation
def shape(canvas: Canvas, step: Step, *, shape: str, color: str, filled: bool) -> Canvas:
    """Draw the shape at the requested place or around the target; a filled shape is inside the target."""
    result = canvas.picture.pixels.copy()
    for target in target_boxes(canvas, step):
        box, stroke = _box(canvas, step, shape, target, filled=filled), _stroke(canvas.picture)
        draw = partial(_coverage, shape, stroke, filled)
        paint_shadowed(result, box, draw, color_of(color), reach=stroke)
    return canvas.with_pixels(result)


def _box(canvas: Canvas, step: Step, name: str, target: Box | None, *, filled: bool) -> Box:
    """Return the box of the shape, including its shadow."""
    is_free = target is None or step.place in (*BESIDE, "between")
    if target is not None and not is_free:
        if name == "line":
            return _through(target, _stroke(canvas.picture))
        if name in _ENCLOSING and not filled:
            return _enclosing(target, canvas.picture, is_regular=name in ("circle", "square"))
        if name in ("ellipse", "rectangle"):
            return target
    aspect, share = (_LINE, 0.7 / _LINE) if name == "line" else (_ASPECTS.get(name, 1.0), _USUAL)
    return place_item(canvas, step, target, aspect=aspect, share=share, place="center")


def _through(target: Box, stroke: int) -> Box:
    """Return a box across the middle of the target, along its longer side."""
    x, y = (round(middle) for middle in target.center)
    reach = 3 * stroke
    if target.width >= target.height:
        return target._replace(top=max(target.top, y - reach), bottom=min(target.bottom, y + reach))
    return target._replace(left=max(target.left, x - reach), right=min(target.right, x + reach))


def _enclosing(target: Box, picture: Picture, *, is_regular: bool) -> Box:
    """Return a box around the target, inside the photo.

    If `is_regular` is true, the box is a square unless a square does not fit into the photo.
    """
    longer = max(target.width, target.height)
    if not is_regular or longer > min(picture.width, picture.height):
        return target
    return Box.centered(target.center, longer, longer).moved_into(Box(0, 0, picture.width, picture.height))


def _stroke(picture: Picture) -> int:
    return max(1, round(_STROKE * sqrt(picture.width * picture.height)))


def _coverage(name: str, stroke: int, is_filled: bool, width: int, height: int) -> Floats:
    if name in OPEN:
        stroke = 2 * stroke if name in ("cross", "check") else round(1.3 * stroke)
    stroke = max(1, min(stroke, min(width, height) // 3))
    if name in OPEN:
        lines = OPEN[name] if width >= height else tuple(line[:, ::-1] for line in OPEN[name])
        return stroked(lines, width, height, stroke, closed=False)
    if is_filled:
        return fill_outline(CLOSED[name], width, height)
    return stroked((CLOSED[name],), width, height, stroke, closed=True)
