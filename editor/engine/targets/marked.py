"""Places that a person marked with a box."""

import numpy as np

from editor.engine.canvas import Box, Canvas
from editor.engine.colors import Floats
from editor.engine.plan import Reason, Target
from editor.engine.refused import MARK_IT, Unable


def marked_boxes(canvas: Canvas, target: Target) -> list[Box]:
    """The boxes that the target names, or all; Unable when there is none (left)."""
    numbers = target.boxes or tuple(range(1, len(canvas.boxes) + 1))
    found = [_box(canvas, number) for number in numbers]
    boxes = [box for box in found if box is not None]
    if not boxes or (target.boxes and len(boxes) < len(found)):
        raise Unable(Reason.NEEDS_REGION, "No place is marked on this photo.", MARK_IT)
    return boxes


def _box(canvas: Canvas, number: int) -> Box | None:
    return canvas.boxes[number - 1] if 1 <= number <= len(canvas.boxes) else None


def marked_mask(canvas: Canvas, boxes: list[Box]) -> Floats:
    """1 inside the boxes, exactly 0 outside, at the picture's size."""
    mask = np.zeros((canvas.picture.height, canvas.picture.width), np.float32)
    for left, top, right, bottom in boxes:
        mask[top:bottom, left:right] = 1
    return mask
