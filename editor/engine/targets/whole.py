"""Things cut out whole, for what shows each wrong edge: refused where a part of one may be missing."""

from itertools import pairwise

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Target
from editor.engine.refused import Unable
from editor.engine.targets.detector import SURE, Thing, things_seen
from editor.engine.targets.masks import overlap
from editor.engine.targets.outlines import Outline
from editor.engine.targets.things import covered, cut_in, cut_out, things_meant, whole_cut

_MARKED = 0.6  # of a marked box and of a thing's: so much they have in common
_HIDDEN = 0.12  # of a thing's box under that of another one: it may stand behind it
_PART = 0.8  # of a box inside that of a thing: it is a part of it, a person's tie or bag
_GROUND = frozenset({"dining table", "bed", "couch", "bench"})  # others stand on it, or before it
_LARGER = 3.0  # times the area: such a thing is what others lie on
_REACHES = 0.8  # of a box's sides: what reaches less far is a part of the thing
_REACHES_A_DRAWN_BOX = 0.7  # which is not as close
_INEXACT = 0.04  # of a box's sides: nobody draws one as exactly
_SAME = 0.95  # overlap of two cuts that show the same


def thing_outline(canvas: Canvas, target: Target) -> Outline:
    """The one thing meant. Unable where it is not whole, or something else may stand before it."""
    return outline_of_one(canvas, things_meant(canvas, target)[0], target)


def outline_of_one(canvas: Canvas, thing: Thing, target: Target) -> Outline:
    """One of the things meant. Unable as above."""
    cut = cut_out(canvas, thing) if _is_free(canvas, thing.box) else None
    if cut is None or not cut.reaches(thing.box, _REACHES):
        name = f"The {target.noun}"
        hint = f"Mark the {target.noun} with a box, close around it."
        raise Unable(Reason.LOW_CONFIDENCE, f"{name} could not be told from what is around it.", hint)
    return cut


def marked_outline(canvas: Canvas, box: Box) -> Outline:
    """What a box is drawn around: a thing that is seen there, or what stands out in it. Unable as above."""
    things = [thing for thing in things_seen(canvas) if _is_seen(thing) and _is_around(box, thing.box)]
    seen = things[0] if things else None
    least = _REACHES if seen else _REACHES_A_DRAWN_BOX
    if _is_free(canvas, seen.box if seen else box):
        for cut in (seen and cut_out(canvas, seen), _standing_out(canvas, box)):
            if cut is not None and cut.reaches(seen.box if seen else box, least):
                return cut
    raise Unable(
        Reason.LOW_CONFIDENCE,
        "What is in the box could not be told from what is around it.",
        "Draw the box close around one whole thing.",
    )


def boxed_outline(canvas: Canvas, box: Box) -> Outline | None:
    """All of the one thing that is seen in a box and fills it, and what stands out with it; None where none
    is, or it is not sure."""
    inside = [thing for thing in things_seen(canvas) if _is_seen(thing) and box.holds_center_of(thing.box)]
    thing = next((thing for thing in inside if _is_around(box, thing.box)), None)
    if thing is None or any(covered(other.box, thing.box) < _PART for other in inside):
        return None
    cut = whole_cut(canvas, thing, [thing])
    standing_out = cut and cut_in(canvas, thing.box)
    if cut is None or standing_out is None:
        return None
    more = cv2.resize(standing_out.mask, cut.mask.shape[::-1])
    return cut._replace(mask=np.maximum(cut.mask, more))


def _standing_out(canvas: Canvas, box: Box) -> Outline | None:
    """What the box shows when it is a little larger or smaller, too: else ground comes with the thing."""
    cuts = (cut_in(canvas, box, larger) for larger in (_INEXACT, 0, -_INEXACT))
    for cut, again in pairwise(cuts):
        if cut and again and overlap(cut.solid, again.solid) > _SAME:
            return cut
    return None


def _is_seen(thing: Thing) -> bool:
    return thing.score >= SURE and thing.kind not in _GROUND


def _is_around(box: Box, thing: Box) -> bool:
    """Whether a box marks a thing: they are about the same."""
    return box.shared(thing) > _MARKED


def _is_free(canvas: Canvas, box: Box) -> bool:
    """Whether nothing else of about its size stands before it, as far as can be seen."""
    return not any(_may_hide(thing, box) for thing in things_seen(canvas))


def _may_hide(thing: Thing, box: Box) -> bool:
    is_other = _is_seen(thing) and not _is_around(box, thing.box) and covered(thing.box, box) < _PART
    return is_other and thing.box.area < _LARGER * box.area and covered(box, thing.box) > _HIDDEN
