"""Taking something out: its place is filled from around it."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.operations.remove.erase_text import erase_text
from editor.engine.operations.remove.holes import filled
from editor.engine.plan import Reason, Step
from editor.engine.refused import MARK_IT, Unable
from editor.engine.targets.find import step_hole
from editor.imaging.codecs import Bytes, Pixels

_SLIVER = 0.022  # of a side: a box that ends this near to the frame is meant to reach it


@operation
def erase(canvas: Canvas, step: Step) -> Canvas:
    """The step's target is gone. Unable when it is the whole photo or more than a quarter of it, or when its
    place cannot be filled well."""
    if step.target.what == "text":
        return erase_text(canvas, step)
    hole = _hole(canvas, step)
    pixels = canvas.models.filled(canvas.picture, hole) if canvas.models else None
    return canvas.with_pixels(_filled(canvas, hole, step) if pixels is None else pixels)


def _filled(canvas: Canvas, hole: Bytes, step: Step) -> Pixels:
    is_marked = step.target.what == "region"
    try:
        return filled(canvas.picture, hole, canvas.seed, is_marked=is_marked)
    except Unable as unable:
        if is_marked or unable.reason is not Reason.LOW_CONFIDENCE:
            raise
        raise Unable(unable.reason, unable.sentence, MARK_IT) from None


def _hole(canvas: Canvas, step: Step) -> Bytes:
    mask = step_hole(canvas, step)
    if mask is None:
        raise Unable(Reason.NEEDS_REGION, "It is not clear what to remove.", MARK_IT)
    return _grown_hole(mask, step)


def _grown_hole(mask: Floats, step: Step) -> Bytes:
    """A box is taken as it was drawn, but to the frame where it nearly touches it; what was found by itself
    grows, for its soft edge and its halo."""
    hole = (mask > 0.2).astype(np.uint8)
    if step.target.what == "region":
        return _to_the_frame(hole)
    side = 2 * max(2, round(0.006 * max(hole.shape))) + 1
    return cast(Bytes, cv2.dilate(hole, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))))


def _to_the_frame(hole: Bytes) -> Bytes:
    """No sliver of what is removed stays between a box and the frame."""
    height, width = hole.shape
    across, down = round(_SLIVER * width), round(_SLIVER * height)
    longer = hole.copy()
    longer[:down] |= longer[down]
    longer[height - down :] |= longer[height - down - 1]
    longer[:, :across] |= longer[:, across, None]
    longer[:, width - across :] |= longer[:, width - across - 1, None]
    return longer
