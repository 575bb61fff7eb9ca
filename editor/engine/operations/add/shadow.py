"""Add a drop shadow of the photo on a margin around it, or of the subject on its background."""

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, color_of
from editor.engine.drawing.gaussian import blurred
from editor.engine.drawing.margins import Sides
from editor.engine.drawing.paint import paint_over
from editor.engine.operations.add.frame_margins import add_frame_margins, crop_for_margins, inner_box
from editor.engine.pixels import copy_size, strips, top_value
from editor.engine.plan import Step
from editor.engine.targets.masks import enlarged_rows, upsample_mask
from editor.engine.targets.subject import subject_mask

# Width of the margin on which the photo's shadow falls, as a share of the photo's shorter side.
_MARGIN = 0.085
_REACH = 0.02  # Offset and blur of the shadow, as a share of the photo's shorter side.
_CUT = 0.02  # Minimum share of fully transparent pixels in a photo that counts as a cutout.
_MASK_PIXELS = 600  # Longer side, in pixels, of the working copy on which the shadow is drawn.


@operation
def shadow(canvas: Canvas, step: Step, *, color: str, amount: float) -> Canvas:
    """Add a margin with the photo's shadow; it is transparent if the photo has alpha, otherwise white.

    If the target is the subject, add the subject's shadow on the background. The amount sets the strength.
    """
    canvas, own = _told_apart(canvas, step)
    thrown = _thrown(own) * np.float32(min(0.95, 0.3 + 0.7 * abs(amount)))
    result = canvas.picture.pixels.copy()
    for rows in strips(canvas.picture.height):
        share = enlarged_rows(thrown, rows, *own.shape) * (1 - own[rows])
        paint_over(result[rows], share, color_of(color), (0, 0))
    return canvas.with_pixels(result)


def _told_apart(canvas: Canvas, step: Step) -> tuple[Canvas, Floats]:
    """Return the canvas, with a margin if needed, and a mask (0 to 1) of what casts the shadow."""
    picture = canvas.picture
    if picture.has_alpha and (picture.pixels[:, :, 3] == 0).mean() > _CUT:
        return canvas, picture.pixels[:, :, 3] * np.float32(1 / top_value(picture.pixels))
    if step.target.what != "whole":
        return canvas, upsample_mask(subject_mask(canvas), picture)
    sides = Sides.all(max(2, round(_MARGIN * min(picture.width, picture.height))))
    made = add_frame_margins(crop_for_margins(canvas, sides), sides, (255, 255, 255), opaque=False)
    photo = np.zeros((made.picture.height, made.picture.width), np.float32)
    photo[inner_box(made, sides).slices] = 1
    return made, photo


def _thrown(own: Floats) -> Floats:
    """Return the soft shadow of a mask on a small copy, moved down and to the right."""
    size = copy_size(_MASK_PIXELS, *own.shape[::-1])
    small = cv2.resize(own, size, interpolation=cv2.INTER_AREA)
    reach = _REACH * min(size)
    matrix = np.array([[1, 0, 0.7 * reach], [0, 1, reach]], np.float32)
    return blurred(cv2.warpAffine(small, matrix, size), reach)
