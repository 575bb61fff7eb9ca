"""Taking something out: its place is filled from around it."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Box, Canvas, operation
from editor.engine.colors import Floats
from editor.engine.operations.remove.erase_text import erase_text
from editor.engine.operations.remove.holes import filled
from editor.engine.plan import Reason, Step
from editor.engine.refused import MARK_IT, Unable
from editor.engine.targets.detector import things_seen
from editor.engine.targets.find import step_hole
from editor.engine.targets.outlines import Outline
from editor.engine.targets.things import cut_out
from editor.imaging.codecs import Bytes, Pixels

_LARGE = 0.003  # of the photo: in a smaller hole no thing comes again
_GOES_ON = 0.5  # of the hole
_SLIVER = 0.022  # of a side: a box that ends this near to the frame is meant to reach it


@operation
def erase(canvas: Canvas, step: Step) -> Canvas:
    """The step's target is gone. Unable when it is the whole photo or more than a quarter of it, or when its
    place cannot be filled well."""
    if step.target.what == "text":
        return erase_text(canvas, step)
    return canvas.with_pixels(without(canvas, _hole(canvas, step), is_marked=step.target.what == "region"))


def without(canvas: Canvas, hole: Bytes, *, is_marked: bool) -> Pixels:
    """The pixels with a hole (0/1) filled by the operator's model or the engine. Unable as `erase`."""
    pixels = canvas.models.filled(canvas.picture, hole) if canvas.models else None
    return _filled(canvas, hole, is_marked=is_marked) if pixels is None else pixels


def _filled(canvas: Canvas, hole: Bytes, *, is_marked: bool) -> Pixels:
    try:
        others = _others(canvas, hole) if hole.mean() > _LARGE else None
        return filled(canvas.picture, hole, canvas.seed, is_marked=is_marked, barred=others)
    except Unable as unable:
        if is_marked or unable.reason is not Reason.LOW_CONFIDENCE:
            raise
        raise Unable(unable.reason, unable.sentence, MARK_IT) from None


def _others(canvas: Canvas, hole: Bytes) -> Bytes:
    """Where other things are seen (0/1): what is removed must not come again as one of them, nor as the rest
    of one that the hole cuts. A thing that most of the hole lies in is none of them: it goes on there."""
    others = np.zeros_like(hole)
    for thing in things_seen(canvas):
        cover = Outline(thing.box, np.ones((thing.box.height, thing.box.width), np.float32), thing.score)
        if _goes_on(cover, hole):  # outlines take time: only there one may say otherwise
            cover = cut_out(canvas, thing) or cover
        if not _goes_on(cover, hole):
            others[_part(cover.view)] |= _solid(_in_full(cover))
    return others & (1 - hole)


def _goes_on(cover: Outline, hole: Bytes) -> bool:
    """Whether most of the hole lies in what a thing covers."""
    return float((_in_full(cover) * hole[_part(cover.view)]).sum()) > _GOES_ON * float(hole.sum())


def _in_full(cover: Outline) -> Floats:
    return cast(Floats, cv2.resize(cover.mask, (cover.view.width, cover.view.height)))


def _part(box: Box) -> tuple[slice, slice]:
    return slice(box.top, box.bottom), slice(box.left, box.right)


def _hole(canvas: Canvas, step: Step) -> Bytes:
    """A box is taken as it was drawn, but to the frame where it nearly touches it."""
    mask = step_hole(canvas, step)
    if mask is None:
        raise Unable(Reason.NEEDS_REGION, "It is not clear what to remove.", MARK_IT)
    return _to_the_frame(_solid(mask)) if step.target.what == "region" else grown_hole(mask)


def _solid(mask: Floats) -> Bytes:
    return (mask > 0.2).astype(np.uint8)


def grown_hole(mask: Floats) -> Bytes:
    """The hole (0/1) of what was found by itself: larger than its mask, for its soft edge and its halo."""
    hole = _solid(mask)
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
