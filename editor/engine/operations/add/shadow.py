"""A drop shadow: of the photo, on a margin around it, or of its subject."""

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, color_of
from editor.engine.drawing.gaussian import blurred
from editor.engine.drawing.paint import lay
from editor.engine.drawing.room import Sides
from editor.engine.operations.add.around import inside, shaped_for, widened
from editor.engine.pixels import copy_size, strips, top_value
from editor.engine.plan import Step
from editor.engine.targets.masks import brought_up, enlarged_rows
from editor.engine.targets.subject import subject_mask

_MARGIN = 0.085  # of the photo's shorter side: the room that the shadow gets
_REACH = 0.02  # of the photo's shorter side: how far the shadow falls
_CUT = 0.02  # the share of transparent pixels that makes a photo a cut-out
_MASK_PIXELS = 600  # the longer side of the copy that the shadow is drawn on


@operation
def shadow(canvas: Canvas, step: Step, *, color: str, amount: float) -> Canvas:
    """The photo's shadow on a white (transparent, where the photo can be) margin; with the subject as its
    target, the shadow of the subject on what is behind it. The amount is its strength."""
    canvas, own = _told_apart(canvas, step)
    thrown = _thrown(own) * np.float32(min(0.95, 0.3 + 0.7 * abs(amount)))
    result = canvas.picture.pixels.copy()
    for rows in strips(canvas.picture.height):
        share = enlarged_rows(thrown, rows, *own.shape) * (1 - own[rows])
        lay(result[rows], share, color_of(color), (0, 0))
    return canvas.with_pixels(result)


def _told_apart(canvas: Canvas, step: Step) -> tuple[Canvas, Floats]:
    """The picture, with a margin around it where that needs one, and what throws the shadow, 0 to 1."""
    picture = canvas.picture
    if picture.has_alpha and (picture.pixels[:, :, 3] == 0).mean() > _CUT:
        return canvas, picture.pixels[:, :, 3] * np.float32(1 / top_value(picture.pixels))
    if step.target.what != "whole":
        return canvas, brought_up(subject_mask(canvas), picture)
    sides = Sides.all(max(2, round(_MARGIN * min(picture.width, picture.height))))
    made = widened(shaped_for(canvas, sides), sides, (255, 255, 255), opaque=False)
    photo = np.zeros((made.picture.height, made.picture.width), np.float32)
    photo[inside(made, sides).part] = 1
    return made, photo


def _thrown(own: Floats) -> Floats:
    """The shadow on a small copy: lower, to the right, and soft."""
    size = copy_size(_MASK_PIXELS, *own.shape[::-1])
    small = cv2.resize(own, size, interpolation=cv2.INTER_AREA)
    reach = _REACH * min(size)
    matrix = np.array([[1, 0, 0.7 * reach], [0, 1, reach]], np.float32)
    return blurred(cv2.warpAffine(small, matrix, size), reach)
