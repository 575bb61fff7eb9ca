"""Add a drop shadow to the photo or the subject, or a contact shadow under an object."""

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, color_of
from editor.engine.drawing.gaussian import blurred
from editor.engine.drawing.margins import Sides
from editor.engine.drawing.paint import paint_over
from editor.engine.errors import MARK_IT, OperationError
from editor.engine.masks import enlarged_rows, upsample_mask
from editor.engine.operations.add.frame_margins import add_frame_margins, crop_for_margins, inner_box
from editor.engine.pixels import copy_size, strips, top_value
from editor.engine.plan import Reason, Step
from editor.engine.targets.subject import subject_mask
from editor.engine.targets.target_masks import target_mask
from editor.sentences import Sentence

# Width of the margin on which the photo's shadow falls, as a share of the photo's shorter side.
_MARGIN = 0.085
_REACH = 0.02  # offset and blur of the shadow, as shares of the photo's shorter side
_FOOT = 0.35  # share of an object's height, measured from below, that casts a contact shadow
_DEPTH = 0.14  # depth of a contact shadow on the ground, as a share of the object's width
_FLATTEST = 0.15  # maximum depth of a contact shadow, as a share of the object's height
_CUT = 0.02  # minimum share of fully transparent pixels for a photo to count as a cutout
_MASK_PIXELS = 600  # longer side, in pixels, of the working copy on which the shadow is drawn


@operation
def shadow(canvas: Canvas, step: Step, *, contact: bool, color: str, amount: float) -> Canvas:
    """Add a margin on which the photo's shadow falls.

    The margin is transparent if the photo has alpha, and white otherwise. If the target is the subject, add
    the subject's shadow to the background instead. A contact shadow is added on the ground at the base of the
    target. The amount sets the strength of the shadow. Raises OperationError if there is no room for a
    contact shadow.
    """
    canvas, own = _canvas_and_caster(canvas, step)
    thrown = (_at_foot(own) if contact else _thrown(own)) * np.float32(min(0.95, 0.3 + 0.7 * abs(amount)))
    result = canvas.picture.pixels.copy()
    for rows in strips(canvas.picture.height):
        share = enlarged_rows(thrown, rows, *own.shape) * (1 - own[rows])
        paint_over(result[rows], share, color_of(color), (0, 0))
    return canvas.with_pixels(result)


def _canvas_and_caster(canvas: Canvas, step: Step) -> tuple[Canvas, Floats]:
    """Return the canvas, with a margin if needed, and a mask (0 to 1) of what casts the shadow.

    Either the subject or the whole photo casts the shadow.
    """
    picture = canvas.picture
    if picture.has_alpha and (picture.pixels[:, :, 3] == 0).mean() > _CUT:
        return canvas, picture.pixels[:, :, 3] * np.float32(1 / top_value(picture.pixels))
    if step.target.what in ("thing", "region"):
        return canvas, target_mask(canvas, step.target)
    if step.target.what != "whole":
        return canvas, upsample_mask(subject_mask(canvas), picture)
    sides = Sides.all(max(2, round(_MARGIN * min(picture.width, picture.height))))
    with_margin = add_frame_margins(crop_for_margins(canvas, sides), sides, (255, 255, 255), opaque=False)
    photo = np.zeros((with_margin.picture.height, with_margin.picture.width), np.float32)
    photo[inner_box(with_margin, sides).slices] = 1
    return with_margin, photo


def _thrown(own: Floats) -> Floats:
    """Return the soft shadow of a mask, moved down and to the right, on a small copy."""
    size = copy_size(_MASK_PIXELS, *own.shape[::-1])
    small = cv2.resize(own, size, interpolation=cv2.INTER_AREA)
    reach = _REACH * min(size)
    matrix = np.array([[1, 0, 0.7 * reach], [0, 1, reach]], np.float32)
    return blurred(cv2.warpAffine(small, matrix, size), reach)


def _at_foot(own: Floats) -> Floats:
    """Return the soft shadow on the ground under a mask.

    The shadow is the lowest part of the mask, flattened and blurred.
    """
    size = copy_size(_MASK_PIXELS, *own.shape[::-1])
    small = cv2.resize(own, size, interpolation=cv2.INTER_AREA)
    rows, columns = (np.flatnonzero(small.max(axis) > 0.5) for axis in (1, 0))
    if not rows.size:
        raise OperationError(
            Reason.NO_SUCH_TARGET,
            Sentence("I can't find what the shadow is of."),
            MARK_IT,
        )
    top, bottom = float(rows[0]), float(rows[-1] + 1)
    depth = min(_DEPTH * columns.size, _FLATTEST * (bottom - top))
    if bottom + depth > size[1]:
        hint = Sentence("Add room first, for example “extend the canvas by 10% at the bottom”.")
        raise OperationError(Reason.TOO_LARGE, Sentence("There is no room for a shadow under it."), hint)
    small[: round(bottom - _FOOT * (bottom - top))] = 0
    flat = depth / (_FOOT * (bottom - top))
    matrix = np.array([[1, 0, 0], [0, flat, bottom - flat * bottom + 0.4 * depth]], np.float32)
    return blurred(cv2.warpAffine(small, matrix, size, flags=cv2.INTER_AREA), max(0.6, 0.3 * depth))
