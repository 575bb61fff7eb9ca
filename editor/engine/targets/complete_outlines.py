"""Cut out whole things for operations that make wrong edges visible.

A thing is refused if a part of it may be missing.
"""

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.errors import OperationError
from editor.engine.kinds import is_plural, kinds_of
from editor.engine.masks import intersection_over_union
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Target
from editor.engine.targets.decoded_masks import exact_outline, has_masks, has_text, selected_outline
from editor.engine.targets.detector import things_seen
from editor.engine.targets.outlines import VIEW_MARGIN, Outline, part_of
from editor.engine.targets.subject import MIN_CONFIDENCE
from editor.engine.targets.thing_outlines import (
    complete_outline,
    covered_share,
    cut_out,
    exact_cut,
    hole_outline,
    indistinct_error,
    is_beside,
    is_standing,
    occluded_share,
    outline_in_box,
)
from editor.engine.targets.things import MIN_SINGLE_SCORE
from editor.engine.vision.things import Thing, candidates
from editor.sentences import Sentence

# Minimum overlap of a marked box and a detected thing at which the box marks the thing.
_MIN_BOX_OVERLAP = 0.6
_MIN_SHARE_IN_BOX = 0.6  # minimum share of a named thing's bounding box in a marked box that means the thing
# Maximum share of a thing's bounding box that another thing may cover without hiding it.
_MAX_HIDDEN_SHARE = 0.12
# minimum width and height of a complete outline, as shares of the width and height of its bounding box
_MIN_SPAN = 0.8
# Minimum width and height of a complete outline, as a share of a drawn box's sides.
_MIN_SPAN_OF_DRAWN_BOX = 0.7
# typical error of a box that a user draws, as a share of the box's width or height
_DRAWING_ERROR = 0.04
_MIN_SAME_IOU = 0.95  # minimum intersection over union of two cutouts that show the same thing


def thing_outline(canvas: Canvas, thing: Thing, target: Target) -> Outline:
    """Return the outline of one of the things that a target refers to.

    Raises OperationError if the outline is not complete or if something else may be in front of the thing.
    """
    cut = cut_out(canvas, thing) if _is_unobstructed(canvas, thing) else None
    if cut is None or not cut.reaches(thing.box, _MIN_SPAN):
        raise indistinct_error(target)
    return cut


def marked_outline(canvas: Canvas, box: Box) -> Outline:
    """Return the outline of the detected or prominent thing that a box marks.

    Raises OperationError if the outline is not complete or if something else may be in front of the thing.
    """
    if selected := selected_outline(canvas, box):
        return selected
    seen, drawn = thing_in_box(canvas, box), Thing("", 1.0, box)
    marked, least = (seen, _MIN_SPAN) if seen else (drawn, _MIN_SPAN_OF_DRAWN_BOX)
    if _is_unobstructed(canvas, marked):
        for cut in (
            seen and cut_out(canvas, seen),
            exact_outline_in(canvas, box),
            _prominent_outline(canvas, box),
        ):
            if cut is not None and cut.reaches(marked.box, least):
                return cut
    sentence = Sentence("I can't tell what is in the box from what is around it.")
    raise OperationError(
        Reason.LOW_CONFIDENCE, sentence, Sentence("Draw a slightly wider box around one whole thing.")
    )


def exact_outline_in(canvas: Canvas, box: Box) -> Outline | None:
    """Return the exact outline of the thing in a drawn box, or None if the box shows no single thing.

    Lettering does not count as a thing, because its outline lacks parts of letters.
    """
    if selected := selected_outline(canvas, box):
        return selected
    thing = thing_in_box(canvas, box)
    cut = thing and exact_cut(canvas, thing)
    if cut is None and not has_text(canvas, box):
        cut = exact_outline(canvas, box)
    return cut if cut is not None and cut.confidence >= MIN_CONFIDENCE else None


def boxed_outline(canvas: Canvas, box: Box) -> Outline | None:
    """Return the outline of the only thing that is in a box and fills it.

    The outline includes other prominent pixels in the bounding box of the thing. Return None if no single
    thing fills the box or if the outline is uncertain.
    """
    if selected := selected_outline(canvas, box):
        return selected
    thing = thing_in_box(canvas, box)
    inside = [other for other in things_seen(canvas) if other != thing and box.holds_center_of(other.box)]
    if thing is None:
        return None if any(map(is_standing, inside)) else exact_outline_in(canvas, box)
    if any(is_beside(other, thing) for other in inside):
        return None
    exact = exact_cut(canvas, thing)
    if exact is not None:
        return exact
    cut = complete_outline(canvas, thing, [thing])
    prominent = cut and outline_in_box(canvas, thing.box)
    if cut is None or prominent is None:
        return None
    more = cv2.resize(prominent.mask, cut.mask.shape[::-1])
    return cut._replace(mask=np.maximum(cut.mask, more))


def named_outlines(canvas: Canvas, target: Target, box: Box) -> list[Outline]:
    """Return the outlines of the things that a target names and a box marks, also beyond the box.

    A thing counts if most of it is in the box. Among several things, those with low scores count as well,
    because the user says what is in the box. Return an empty list if the number of things does not fit the
    noun, or if an outline is uncertain.
    """
    noun = target.noun or ""
    if not has_masks(canvas):
        return []
    seen = [
        thing
        for thing in things_seen(canvas)
        if thing.kind in kinds_of(noun) and thing.score >= MIN_SINGLE_SCORE
    ]
    closer = _detect_closer(canvas, seen, kinds_of(noun), box) if is_plural(noun) else []
    inside = [thing for thing in (*seen, *closer) if covered_share(thing.box, box) > _MIN_SHARE_IN_BOX]
    sure = [thing for thing in inside if thing in seen or is_standing(thing)]
    if not sure or is_plural(noun) != (len(sure) > 1):
        return []
    try:
        return [hole_outline(canvas, thing, inside, target) for thing in inside]
    except OperationError:
        return []


def _detect_closer(canvas: Canvas, seen: Sequence[Thing], kinds: tuple[str, ...], box: Box) -> list[Thing]:
    """Return more things of these kinds that only an enlarged view of a box shows, also with low scores."""
    view = box.grown(VIEW_MARGIN, canvas.picture.width, canvas.picture.height)
    close = candidates(part_of(canvas.picture, view)) if kinds else []
    new: list[Thing] = []
    for thing in sorted(close, key=lambda thing: -thing.score):
        in_photo = thing._replace(box=thing.box.moved(view.left, view.top))
        is_new = not any(covered_share(in_photo.box, one.box) > _MIN_BOX_OVERLAP for one in (*seen, *new))
        if thing.kind in kinds and is_new:
            new.append(in_photo)
    return new


def _prominent_outline(canvas: Canvas, box: Box) -> Outline | None:
    """Return the outline of the prominent thing in a box, or None if the outline is not stable.

    The outline is stable if a slightly larger or smaller box gives the same result. An unstable outline
    includes some of the surroundings.
    """
    cuts = (outline_in_box(canvas, box, larger) for larger in (_DRAWING_ERROR, 0, -_DRAWING_ERROR))
    for cut, again in pairwise(cuts):
        if cut and again and intersection_over_union(cut.solid, again.solid) > _MIN_SAME_IOU:
            return cut
    return None


def thing_in_box(canvas: Canvas, box: Box) -> Thing | None:
    """Return the detected thing whose bounding box nearly matches a marked box, or None."""
    near = (thing for thing in things_seen(canvas) if box.overlap_ratio(thing.box) > _MIN_BOX_OVERLAP)
    return next(filter(is_standing, near), None)


def _is_unobstructed(canvas: Canvas, thing: Thing) -> bool:
    """Return whether no detected thing of similar size could be in front of this thing."""
    same = [other for other in things_seen(canvas) if thing.box.overlap_ratio(other.box) > _MIN_BOX_OVERLAP]
    return occluded_share(canvas, thing, same) <= _MAX_HIDDEN_SHARE
