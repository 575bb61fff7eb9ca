"""Cuts out whole things for operations that make wrong edges visible.

A thing is refused if a part of it may be missing.
"""

from itertools import pairwise

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.errors import OperationError
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Target
from editor.engine.targets.detector import things_seen
from editor.engine.targets.exact import exact_outline, is_lettered, selected_outline
from editor.engine.targets.masks import intersection_over_union
from editor.engine.targets.outlines import Outline
from editor.engine.targets.subject import ENOUGH
from editor.engine.targets.things import (
    complete_outline,
    cut_out,
    exact_cut,
    indistinct_error,
    is_beside,
    is_standing,
    occluded_share,
    outline_in_box,
)
from editor.engine.vision.things import Thing
from editor.sentences import Sentence

_MARKED = 0.6  # minimum overlap of a marked box and a detected thing at which the box marks the thing
_HIDDEN = 0.12  # maximum share of a thing's bounding box that another thing may cover without hiding it
# minimum width and height of a complete outline, as shares of the width and height of its bounding box
_REACHES = 0.8
_REACHES_A_DRAWN_BOX = 0.7
"""Minimum width and height of a complete outline, as a share of a drawn box's sides."""
# typical error of a box that a user draws, as a share of the box's width or height
_INEXACT = 0.04
_SAME = 0.95  # minimum intersection over union of two cutouts that show the same thing


def thing_outline(canvas: Canvas, thing: Thing, target: Target) -> Outline:
    """Return the outline of one of the things that a target refers to.

    Raises OperationError if the outline is not complete or if something else may be in front of the thing.
    """
    cut = cut_out(canvas, thing) if _is_free(canvas, thing) else None
    if cut is None or not cut.reaches(thing.box, _REACHES):
        raise indistinct_error(target)
    return cut


def marked_outline(canvas: Canvas, box: Box) -> Outline:
    """Return the outline of the detected or prominent thing that a box marks.

    Raises OperationError if the outline is not complete or if something else may be in front of the thing.
    """
    if selected := selected_outline(canvas, box):
        return selected
    seen, drawn = thing_in(canvas, box), Thing("", 1.0, box)
    marked, least = (seen, _REACHES) if seen else (drawn, _REACHES_A_DRAWN_BOX)
    if _is_free(canvas, marked):
        for cut in (seen and cut_out(canvas, seen), exact_in(canvas, box), _standing_out(canvas, box)):
            if cut is not None and cut.reaches(marked.box, least):
                return cut
    sentence = Sentence("I can't tell what is in the box from what is around it.")
    raise OperationError(
        Reason.LOW_CONFIDENCE, sentence, Sentence("Draw a slightly wider box around one whole thing.")
    )


def exact_in(canvas: Canvas, box: Box) -> Outline | None:
    """Return the exact outline of the thing in a drawn box, or None if the box shows no single thing.

    Lettering does not count as a thing, because its outline lacks parts of letters.
    """
    if selected := selected_outline(canvas, box):
        return selected
    thing = thing_in(canvas, box)
    cut = thing and exact_cut(canvas, thing)
    if cut is None and not is_lettered(canvas, box):
        cut = exact_outline(canvas, box)
    return cut if cut is not None and cut.confidence >= ENOUGH else None


def boxed_outline(canvas: Canvas, box: Box) -> Outline | None:
    """Return the outline of the only thing that is in a box and fills it.

    The outline includes other prominent pixels in the bounding box of the thing. Return None if no single
    thing fills the box or if the outline is uncertain.
    """
    if selected := selected_outline(canvas, box):
        return selected
    thing = thing_in(canvas, box)
    inside = [other for other in things_seen(canvas) if other != thing and box.holds_center_of(other.box)]
    if thing is None:
        return None if any(map(is_standing, inside)) else exact_in(canvas, box)
    if any(is_beside(other, thing) for other in inside):
        return None
    exact = exact_cut(canvas, thing)
    if exact is not None:
        return exact
    cut = complete_outline(canvas, thing, [thing])
    standing_out = cut and outline_in_box(canvas, thing.box)
    if cut is None or standing_out is None:
        return None
    more = cv2.resize(standing_out.mask, cut.mask.shape[::-1])
    return cut._replace(mask=np.maximum(cut.mask, more))


def _standing_out(canvas: Canvas, box: Box) -> Outline | None:
    """Return the outline of the prominent thing in a box, or None if the outline is not stable.

    The outline is stable if a slightly larger or smaller box gives the same result. An unstable outline
    includes some of the surroundings.
    """
    cuts = (outline_in_box(canvas, box, larger) for larger in (_INEXACT, 0, -_INEXACT))
    for cut, again in pairwise(cuts):
        if cut and again and intersection_over_union(cut.solid, again.solid) > _SAME:
            return cut
    return None


def thing_in(canvas: Canvas, box: Box) -> Thing | None:
    """Return the detected thing whose bounding box nearly matches a marked box, or None."""
    near = (thing for thing in things_seen(canvas) if box.overlap_ratio(thing.box) > _MARKED)
    return next(filter(is_standing, near), None)


def _is_free(canvas: Canvas, thing: Thing) -> bool:
    """Return whether no detected thing of similar size could be in front of this thing."""
    same = [other for other in things_seen(canvas) if thing.box.overlap_ratio(other.box) > _MARKED]
    return occluded_share(canvas, thing, same) <= _HIDDEN
