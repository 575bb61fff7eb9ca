"""Return the boxes that a user has drawn and make masks from them.

The box around a part that points select is also one of these boxes, but its mask shows only that part.
"""

from collections.abc import Iterator

import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError
from editor.engine.masks import boxes_to_mask
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Target
from editor.engine.targets.decoded_masks import selected_outline
from editor.engine.targets.outlines import combine_outlines
from editor.imaging.picture import smoothstep
from editor.sentences import Sentence

_EDGE_WIDTH = 0.08  # width of the soft edge of a box, as a share of the box's shorter side


def marked_boxes(canvas: Canvas, target: Target) -> list[Box]:
    """Return the boxes that the target names, or all boxes if it names none.

    Raises OperationError if there are no boxes or if a named box is no longer in the photo.
    """
    numbered = dict(enumerate(canvas.boxes, 1))
    named = [numbered.get(number) for number in target.boxes or numbered]
    boxes = [box for box in named if box is not None]
    if not boxes or (target.boxes and len(boxes) < len(named)):
        raise OperationError(
            Reason.NEEDS_REGION,
            Sentence("There is no box on this photo."),
            Sentence("Draw one around what you mean."),
        )
    return boxes


def marked_mask(canvas: Canvas, boxes: list[Box]) -> Floats:
    """Return a mask at the picture's size that is 1 inside the boxes and exactly 0 outside."""
    shape = (canvas.picture.height, canvas.picture.width)
    drawn = boxes_to_mask(_drawn_boxes(canvas, boxes), shape).astype(np.float32)
    return np.maximum(drawn, _selected_mask(canvas, boxes))


def feathered_box_mask(canvas: Canvas, boxes: list[Box], *, rim: float = _EDGE_WIDTH) -> Floats:
    """Return a mask as `marked_mask` does, but with soft edges inside the boxes.

    `rim` is the width of the soft edge, as a share of a box's shorter side. A side on the frame of the photo
    has no soft edge.
    """
    mask = _selected_mask(canvas, boxes)
    for box in _drawn_boxes(canvas, boxes):
        soft = max(1.0, rim * min(box.width, box.height))
        columns = _soft_profile(box.left, box.right, canvas.picture.width, soft)
        rows = _soft_profile(box.top, box.bottom, canvas.picture.height, soft)
        part = mask[box.slices]
        np.maximum(part, np.minimum(rows[:, None], columns[None]), out=part)
    return mask


def _drawn_boxes(canvas: Canvas, boxes: list[Box]) -> Iterator[Box]:
    return (box for box in boxes if selected_outline(canvas, box) is None)


def _selected_mask(canvas: Canvas, boxes: list[Box]) -> Floats:
    """Return a mask, at the picture's size, of the selected part if one of the boxes is around that part.

    Otherwise, the mask is empty.
    """
    outlines = [outline for box in boxes if (outline := selected_outline(canvas, box))]
    return combine_outlines(canvas.picture, outlines)


def _soft_profile(start: int, end: int, length: int, soft: float) -> Floats:
    """Return values along a side, from `start` to `end`, that rise from 0 to 1 and fall back to 0.

    The values stay at 1 where `start` or `end` is an end of the side.
    """
    at = np.arange(start, end, dtype=np.float32) + np.float32(0.5)
    first = (at - start) / soft if start > 0 else np.ones_like(at)
    last = (end - at) / soft if end < length else np.ones_like(at)
    return smoothstep(np.clip(np.minimum(first, last), 0, 1))
