"""Remove lettering from a photo without changing the pixels between its strokes."""

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import cielab
from editor.engine.errors import MARK_IT, OperationError
from editor.engine.operations.remove.holes import fill_hole
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason, Step, Target
from editor.engine.targets.find import target_mask
from editor.engine.targets.lettering import LETTERING_SIDE, LIKELY, Line, find_lines, sure_lines
from editor.engine.targets.marked import marked_boxes
from editor.engine.targets.masks import dilate
from editor.imaging.picture import Bytes

_SAME = 24.0  # Maximum difference of a stroke from the usual color of its line, in CIE 1976 units.
_MARKED_CONTRAST = 14  # Minimum difference, in 8-bit levels, between strokes and ground in a marked box.
_MOSTLY_STROKES = 0.55  # Share of strokes in a marked box above which the whole box is removed.
_HALF = 0.5  # Threshold above which a mask value, 0 to 1, counts as background.
_LARGE = 0.03  # Maximum share of the photo for a marked box that is removed whole because of its letters.


@operation
def erase_text(canvas: Canvas, step: Step, *, sort: str | None = None) -> Canvas:
    """Remove a date, a text, or a watermark (`sort`).

    The lettering is searched for in the marked boxes or at the requested place. A date is searched for in the
    corners. Raises OperationError if it is not certain what is lettering.
    """
    small = working_copy(canvas.picture, LETTERING_SIDE)
    strokes = (
        _marked_strokes(canvas, step, small)
        if _is_marked(step)
        else _found_strokes(canvas, step, small, sort)
    )
    size = (canvas.picture.width, canvas.picture.height)
    hole = (cv2.resize(strokes * np.uint8(255), size, interpolation=cv2.INTER_LINEAR) > 60).astype(np.uint8)
    return canvas.with_pixels(fill_hole(canvas.picture, hole, canvas.seed))


def _is_marked(step: Step) -> bool:
    return step.target.what == "region" or bool(step.target.boxes)


def _found_strokes(canvas: Canvas, step: Step, small: Bytes, sort: str | None) -> Bytes:
    strokes = np.zeros(small.shape[:2], np.uint8)
    for line in sure_lines(small, place=step.place or step.target.place, choice=sort):
        strokes |= _strokes_of(line, small)
    return _behind_the_subject(canvas, strokes) if step.target.what == "background" else strokes


def _behind_the_subject(canvas: Canvas, strokes: Bytes) -> Bytes:
    """Return the strokes of lettering that are in the background.

    Raises OperationError if there are none.
    """
    height, width = strokes.shape
    mask = cv2.resize(target_mask(canvas, Target("background")), (width, height))
    left = strokes * (mask > _HALF).astype(np.uint8)
    if not left.any():
        raise OperationError(Reason.NO_SUCH_TARGET, "I can't find any text in the background.", MARK_IT)
    return left


def _strokes_of(line: Line, small: Bytes) -> Bytes:
    """Return a mask of all strokes in the color of a line of text, in the line's box and beside it.

    The mask includes strokes whose shape was not recognized.
    """
    tall = line.box.height
    height, width = small.shape[:2]
    left, top, right, bottom = line.box
    beside = Box(left - 2 * tall, top - tall // 3, right + 2 * tall, bottom + tall // 3)
    part = beside.within(width, height).slices
    lab, glyphs = cielab(small[part]), line.glyphs[part]
    core = cv2.erode(glyphs, np.ones((2, 2), np.uint8))
    usual = np.median(lab[(core if core.any() else glyphs) == 1], 0)
    alike = (np.linalg.norm(lab - usual, axis=2) < _SAME).astype(np.uint8) | glyphs
    strokes = np.zeros((height, width), np.uint8)
    strokes[part] = alike
    return _grown(strokes, tall)


def _grown(strokes: Bytes, tall: int) -> Bytes:
    """Return the mask of lettering strokes, enlarged to include their soft edges and shadows."""
    return dilate(strokes, max(2, 0.09 * tall))


def _marked_strokes(canvas: Canvas, step: Step, small: Bytes) -> Bytes:
    scale = small.shape[1] / canvas.picture.width
    strokes = np.zeros(small.shape[:2], np.uint8)
    for box in marked_boxes(canvas, step.target):
        strokes |= _strokes_in_box(small, box.sized(scale))
    return strokes


def _strokes_in_box(small: Bytes, box: Box) -> Bytes:
    """Return a mask of the lettering in a marked box.

    If no lines of text are found, the mask shows the strokes that stand out from the ground of the box.
    """
    inside = np.zeros(small.shape[:2], np.uint8)
    inside[box.slices] = 1
    lines = [line for line in find_lines(small, inside) if line.confidence >= LIKELY]
    if not lines:
        part = _strokes_in(small[box.slices])
        if part.all() and inside.mean() > _LARGE:
            raise OperationError(
                Reason.LOW_CONFIDENCE,
                "I can't tell the letters from the photo behind them.",
                "Draw a separate box close around each word.",
            )
        inside[box.slices] = part
        return inside
    strokes = np.zeros_like(inside)
    for line in lines:
        strokes |= _strokes_of(line, small)
    return strokes & inside


def _strokes_in(part: Bytes) -> Bytes:
    """Return a mask of the strokes in a marked box that differ from the ground of the box.

    Strokes must be thinner than about half of the box. If they fill most of the box, the mask is the whole
    box.
    """
    light = cv2.cvtColor(part, cv2.COLOR_RGB2GRAY)
    side = max(9, round(0.6 * min(light.shape)) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    padded = cv2.copyMakeBorder(light, side, side, side, side, cv2.BORDER_REFLECT)
    bright = cv2.morphologyEx(padded, cv2.MORPH_TOPHAT, kernel)[side:-side, side:-side]
    dark = cv2.morphologyEx(padded, cv2.MORPH_BLACKHAT, kernel)[side:-side, side:-side]
    plane = max((bright, dark), key=lambda plane: float(np.percentile(plane, 90)))
    split, _ = cv2.threshold(plane, 0, 1, cv2.THRESH_OTSU)
    strokes = (plane > max(_MARKED_CONTRAST, 0.6 * split)).astype(np.uint8)
    grown = _grown(strokes, min(light.shape) // 4)
    return grown if grown.mean() < _MOSTLY_STROKES else np.ones_like(grown)
