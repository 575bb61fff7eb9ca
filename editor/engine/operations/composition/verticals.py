"""Make vertical lines parallel if they lean because the camera pointed up or down."""

from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.errors import OperationError
from editor.engine.operations.composition.straighten import LEVEL, WORKING_PIXELS, find_uprights
from editor.engine.operations.composition.turn import turned
from editor.engine.pixels import working_copy
from editor.engine.plan import Reason, Step
from editor.imaging.picture import Pixels
from editor.sentences import Sentence


@operation
def verticals(canvas: Canvas, step: Step) -> Canvas:
    """Turn the photo upright, make its vertical lines parallel, and crop it so that no corner is empty.

    Raises OperationError if the lines are not certain.
    """
    uprights = find_uprights(working_copy(canvas.picture, WORKING_PIXELS))
    if uprights is None:
        raise OperationError(
            Reason.LOW_CONFIDENCE,
            Sentence("I can't find enough clear vertical lines."),
            Sentence("Say how far to turn the photo instead, for example “rotate it by 2 degrees”."),
        )
    tilt, lean = uprights
    if max(abs(tilt), abs(lean)) < LEVEL:
        return canvas.with_notice(Sentence("The vertical lines in this photo are already upright."))
    side = max(canvas.picture.width, canvas.picture.height)
    upright = turned(canvas, -tilt) if abs(tilt) >= LEVEL else canvas
    return _parallel(upright, 2 * np.radians(lean) / side)


def _parallel(canvas: Canvas, bend: float) -> Canvas:
    """Return the canvas with its vertical lines made parallel.

    The lines meet `1 / bend` pixels below the middle of the photo. The matrix maps x to x / (1 - bend * y)
    and y to y / (1 - bend * y), both measured from the middle of the photo.
    """
    width, height = canvas.picture.width, canvas.picture.height
    above, below = 1 + bend * height / 2, 1 - bend * height / 2
    size = max(1, int(width / max(above, below))), max(1, int(height / 2 / above + height / 2 / below))
    middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    bent = np.array([[1, 0, 0], [0, 1, 0], [0, -bend, 1]])
    back = np.array([[1, 0, size[0] / 2], [0, 1, height / 2 / above], [0, 0, 1]])
    matrix = back @ bent @ middle
    pixels = cv2.warpPerspective(
        canvas.picture.pixels, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    # Move boxes in the same way as the middle of the photo. Drop the analysis, because it no longer fits.
    near = (back @ middle)[:2].astype(np.float32)
    moved = replace(canvas.moved(cast(Pixels, pixels), near), analysis=None, replaced=None)
    return moved.with_view_scale(canvas.picture.view_scale * min(above, below) ** 2)
