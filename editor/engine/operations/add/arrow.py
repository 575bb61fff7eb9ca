"""Draw arrows that point in a direction or at a target."""

from functools import partial

import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, color_of
from editor.engine.drawing.paint import paint_shadowed
from editor.engine.errors import OperationError
from editor.engine.operations.add.outlines import fill_outline
from editor.engine.operations.add.places import place_item, rooms_beside, target_boxes
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Step
from editor.sentences import Sentence

# Default length of an arrow, as a share of the photo's shorter side.
_USUAL = 0.42
# Length of an arrow divided by its width.
_ASPECT = 1.75
# Minimum free length beside the target, as a share of the arrow's length. If less is free, the arrow's tip is
# at the center of the target instead of at its edge.
_ENOUGH = 0.6
# For each direction of an arrow, the side of the target on which the arrow is drawn.
_SIDES = {"right": "left of", "left": "right of", "down": "above", "up": "below"}
# For each direction, the number of counterclockwise quarter turns that rotate an arrow from pointing right.
_TURNS = {"right": 0, "up": 1, "left": 2, "down": 3}
_OUTLINE = np.array(
    [(-1, -0.26), (-0.02, -0.34), (-0.06, -1), (1, 0), (-0.06, 1), (-0.02, 0.34), (-1, 0.26)], np.float32
)


@operation
def arrow(canvas: Canvas, step: Step, *, direction: str | None, color: str) -> Canvas:
    """Draw an arrow at the requested place in the given direction, or with its tip at the target.

    Raises OperationError if there is no room for the arrow.
    """
    result = canvas.picture.pixels.copy()
    for target in target_boxes(canvas, step):
        points = direction or "right"
        box = _free(canvas, step, points)
        if target is not None:
            points, box = _aimed(canvas, step, target, direction)
        if min(box.width, box.height) < 1:
            raise OperationError(
                Reason.TOO_LARGE,
                Sentence("There isn't enough room for an arrow there."),
                Sentence("Choose another direction."),
            )
        reach = 0.03 * max(box.width, box.height)
        paint_shadowed(result, box, partial(_coverage, points), color_of(color), reach=reach)
    return canvas.with_pixels(result)


def _free(canvas: Canvas, step: Step, direction: str) -> Box:
    """Return the box for an arrow at the requested place."""
    aspect = _ASPECT if direction in ("left", "right") else 1 / _ASPECT
    return place_item(canvas, step, None, aspect=aspect, share=_USUAL / _ASPECT, place="center")


def _aimed(canvas: Canvas, step: Step, target: Box, wanted: str | None) -> tuple[str, Box]:
    """Return the direction of an arrow that points at the target, and the arrow's box beside the target.

    If `wanted` is None, the arrow is drawn on the side of the target that has the most room.
    """
    rooms = rooms_beside(canvas, target, 0.0)
    direction = wanted or max(_SIDES, key=lambda points: _length(rooms[_SIDES[points]], points))
    box = _free(canvas, step, direction)
    if _length(rooms[_SIDES[direction]], direction) < _ENOUGH * _length(box, direction):
        rooms = rooms_beside(canvas, Box.centered(target.center, 0, 0), 0.0)
    free = rooms[_SIDES[direction]]
    beside = Box.centered(target.center, box.width, box.height).moved_into(free)
    # Shorten the arrow if it would extend beyond the free area.
    return direction, beside.seen_from(free).within(free.width, free.height).moved(free.left, free.top)


def _length(box: Box, direction: str) -> int:
    return box.width if direction in ("left", "right") else box.height


def _coverage(direction: str, width: int, height: int) -> Floats:
    turns = _TURNS[direction]
    size = (width, height) if turns % 2 == 0 else (height, width)
    return np.ascontiguousarray(np.rot90(fill_outline(_OUTLINE, *size), turns))
