"""Things cut out whole, for what shows each wrong edge: refused where a part of one may be missing."""

from itertools import pairwise

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Target
from editor.engine.refused import Unable
from editor.engine.targets.detector import Thing, things_seen
from editor.engine.targets.masks import overlap
from editor.engine.targets.outlines import Outline
from editor.engine.targets.things import cut_in, cut_out, hidden, is_beside, is_standing, not_told, whole_cut

_MARKED = 0.6  # of a marked box and of a thing's: so much they have in common
_HIDDEN = 0.12  # of a thing's box under that of another one: it may stand behind it
_REACHES = 0.8  # of a box's sides: what reaches less far is a part of the thing
_REACHES_A_DRAWN_BOX = 0.7  # which is not as close
_INEXACT = 0.04  # of a box's sides: nobody draws one as exactly
_SAME = 0.95  # overlap of two cuts that show the same


def thing_outline(canvas: Canvas, thing: Thing, target: Target) -> Outline:
    """One of the things meant. Unable where it is not whole, or something else may stand before it."""
    cut = cut_out(canvas, thing) if _is_free(canvas, thing) else None
    if cut is None or not cut.reaches(thing.box, _REACHES):
        raise not_told(target)
    return cut


def marked_outline(canvas: Canvas, box: Box) -> Outline:
    """What a box is drawn around: a thing that is seen there, or what stands out in it. Unable as above."""
    seen, drawn = _thing_in(canvas, box), Thing("", 1.0, box)
    marked, least = (seen, _REACHES) if seen else (drawn, _REACHES_A_DRAWN_BOX)
    if _is_free(canvas, marked):
        for cut in (seen and cut_out(canvas, seen), _standing_out(canvas, box)):
            if cut is not None and cut.reaches(marked.box, least):
                return cut
    sentence = "What is in the box could not be told from what is around it."
    raise Unable(Reason.LOW_CONFIDENCE, sentence, "Draw the box close around one whole thing.")


def boxed_outline(canvas: Canvas, box: Box) -> Outline | None:
    """All of the one thing that is seen in a box and fills it, and what stands out with it; None where none
    is, or it is not sure."""
    thing = _thing_in(canvas, box)
    inside = [other for other in things_seen(canvas) if other != thing and box.holds_center_of(other.box)]
    if thing is None or any(is_beside(other, thing) for other in inside):
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


def _thing_in(canvas: Canvas, box: Box) -> Thing | None:
    """The thing that a box is drawn around: they are about the same."""
    near = (thing for thing in things_seen(canvas) if box.shared(thing.box) > _MARKED)
    return next(filter(is_standing, near), None)


def _is_free(canvas: Canvas, thing: Thing) -> bool:
    """Whether nothing else of about its size stands before it, as far as can be seen."""
    same = [other for other in things_seen(canvas) if thing.box.shared(other.box) > _MARKED]
    return hidden(canvas, thing, same) <= _HIDDEN
