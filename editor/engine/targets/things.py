"""Finds detected things that are named in words: "the car on the left", "the people in the background".

A place, a color, or a number decides between several things. If they do not decide, the target is refused.
"""

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError
from editor.engine.kinds import DEPTHS, LIVING, is_plural, kinds_of, plural_of
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason, Target
from editor.engine.targets.color import likeness
from editor.engine.targets.detector import things_of, things_seen
from editor.engine.targets.exact import exact_outline, has_masks
from editor.engine.targets.masks import boxes_to_mask, closed, mask_of
from editor.engine.targets.outlines import (
    AROUND,
    Outline,
    combine_outlines,
    outline_of,
    part_of,
    refine_hair,
    view_of,
)
from editor.engine.targets.places import distance_to, is_at
from editor.engine.targets.subject import ENOUGH, find_subject
from editor.engine.vision.things import SURE, Thing
from editor.imaging.picture import Picture

_FAR = 0.5  # share of the largest one's area; smaller things are in the background
_NEAR = 0.6  # share of the largest one's area; larger things are in the foreground
_RIVAL = 0.35  # share of the largest one's area from which a thing with a low score counts
_LIKELY = 0.4
_SMALL = 0.12  # share of the photo; a single thing that is smaller may be in the background
_COLORED = 0.08  # the smallest share of a box that has the color
# Things show the color if their share of it is at least the largest share divided by this.
_MORE_COLORED = 1.7
_LIKE = 0.5
_BEYOND = 0.03  # share of a thing's sides; how far it may extend beyond its box
_MUCH = 0.3  # share of a thing's box under another one; above it, no outline is used
_LITTLE = 0.1  # share of a thing's box under another one; above it, the box itself is not used
_LARGER = 3.0  # times the area; the box of a thing this much larger says little about what it covers
_PART = 0.8  # share of a box inside that of another thing; above it, the first is a part of the second
_GROUND = frozenset({"dining table", "bed", "couch", "bench"})  # other things are on it or in front of it
_MOST = 0.25  # share of the photo; larger boxes are not used as a whole
_FULL = 0.88  # share of a box; no person or animal fills more of it
_WHOLE = 0.8  # share of a box's sides; the outline must reach this far to be used as a mask
_REACHES = 0.85  # share of a box's sides; a shorter outline is only a part of the thing
_LIVING_REACHES = 0.7  # likewise for people and animals
_GAPS = 0.15  # share of the larger side of a box; the width of gaps between things behind each other
_COMPARED = 200  # pixels; the sides of the copies on which outlines are compared
_FEET = 0.12  # share of a person's box; an outline often lacks the shoes


def target_things(canvas: Canvas, target: Target) -> list[Thing]:
    """Return the things in the photo that match a target's words, from left to right.

    Raises OperationError if there are none, or if the number of matches differs from the number meant.
    """
    noun = target.noun or ""
    seen = things_of(canvas, kinds_of(noun), things_seen(canvas))
    fitting = _of_a_color(canvas, _in_place(canvas, seen, target), target.color)
    # A lower score is enough for a single match.
    is_likely = len(fitting) == 1 and fitting[0].score >= _LIKELY
    if not is_likely and not any(thing.score >= SURE for thing in fitting):
        raise _not_found(target)
    meant = _as_many_as_meant(_worth_counting(fitting, target), target, canvas.picture)
    return sorted(meant, key=lambda thing: thing.box)


def _worth_counting(fitting: Sequence[Thing], target: Target) -> list[Thing]:
    """Remove small things with low scores: parts of others, and distant crowds.

    If all are meant, one that is partly behind another counts.
    """
    largest = max(thing.box.area for thing in fitting)
    sure = [thing for thing in fitting if thing.score >= SURE or thing.box.area >= _RIVAL * largest]
    if not is_plural(target.noun or "") or target.count:
        return sure
    likely = [thing for thing in fitting if thing.score >= _LIKELY]
    behind = [thing for thing in likely if any(thing.box.overlap(other.box) for other in sure)]
    return [thing for thing in fitting if thing in sure or thing in behind]


def _not_found(target: Target) -> OperationError:
    what = f"the {target.noun}" if target.noun else "it"
    where = "" if target.place is None else " there"
    return OperationError(
        Reason.NO_SUCH_TARGET, f"I can't find {what}{where}.", f"Draw a box around the {target.noun}."
    )


def _in_place(canvas: Canvas, seen: Sequence[Thing], target: Target) -> list[Thing]:
    """Return the things at a side, and in the background or the foreground.

    Things in the background are much smaller than the largest one; things in the foreground are not.
    """
    least, most = 0.0, float(canvas.picture.width * canvas.picture.height)
    largest = max((thing.box.area for thing in seen), default=0)
    if "background" in (target.place or ""):
        most = _FAR * largest if len(seen) > 1 else _SMALL * most
    elif "foreground" in (target.place or ""):
        least = _NEAR * largest
    there = [thing for thing in seen if least <= thing.box.area <= most]
    return [thing for thing in there if is_at(thing.box, _side(target.place), canvas.picture)]


def _side(place: str | None) -> str:
    """Return the side in a place: "left" for "left background"; empty if there is none."""
    return " ".join(word for word in (place or "").split() if word not in DEPTHS)


def _of_a_color(canvas: Canvas, things: list[Thing], color: str | None) -> list[Thing]:
    """Return the things that show the color clearly more than others do; clothes are only a part of a box."""
    if color is None or not things:
        return things
    shares = [_share_of_color(canvas, thing, color) for thing in things]
    least = max(_COLORED, max(shares) / _MORE_COLORED)
    return [thing for share, thing in zip(shares, things, strict=True) if share >= least]


def _share_of_color(canvas: Canvas, thing: Thing, color: str) -> float:
    part = part_of(canvas.picture, thing.box)
    return float((likeness(working_copy(part, 200), color) > _LIKE).mean())


def _as_many_as_meant(fitting: list[Thing], target: Target, picture: Picture) -> list[Thing]:
    """Return as many things as the words say: the ones nearest to the place, or all for a plural.

    Raises OperationError if the number does not fit.
    """
    side = _side(target.place)
    count = target.count or (len(fitting) if is_plural(target.noun or "") else 1)
    if len(fitting) < count or (len(fitting) > count and not side):
        raise _another_number(fitting, target)
    return sorted(fitting, key=lambda thing: distance_to(side, thing.box, picture))[:count]


def _another_number(fitting: Sequence[Thing], target: Target) -> OperationError:
    noun = target.noun or "thing"
    name = noun if is_plural(noun) else plural_of(noun)
    hint = f"Say where the {noun} is, for example “on the left”, or draw a box around it."
    if is_plural(noun):
        hint = f"Draw a box around each of the {noun}."
    found = f"{len(fitting)} {name}" if len(fitting) > 1 else f"only one of the {name}"
    return OperationError(Reason.AMBIGUOUS, f"I found {found}, so I can't tell which you mean.", hint)


def thing_mask(canvas: Canvas, target: Target) -> Floats:
    """Return the mask of the things meant at the picture's size, from 0 to 1.

    Raises OperationError if an outline is not certain enough.
    """
    return combine_outlines(
        canvas.picture, (_trusted(canvas, thing, target) for thing in target_things(canvas, target))
    )


def _trusted(canvas: Canvas, thing: Thing, target: Target) -> Outline:
    cut = cut_out(canvas, thing)
    is_doubtful = exact_cut(canvas, thing) is None and cut is not None and _is_its_box(cut, thing)
    if cut is None or not cut.reaches(thing.box, _WHOLE) or is_doubtful:
        raise indistinct_error(target)
    return refine_hair(canvas.picture, cut) if thing.kind in LIVING else cut


def indistinct_error(target: Target, beside: str = "around") -> OperationError:
    """Return the error for a target that cannot be distinguished from its surroundings."""
    them = "them" if is_plural(target.noun or "") else "it"
    sentence = f"I can't tell the {target.noun} from what is {beside} {them}."
    return OperationError(Reason.LOW_CONFIDENCE, sentence, f"Draw a box around the {target.noun}.")


def thing_hole(canvas: Canvas, target: Target, *, keep: Sequence[Target] = ()) -> Floats:
    """Return what must be removed to remove the things meant, except those to keep.

    For each thing this is its outline, or a small box as a whole. Raises OperationError if another thing
    would be removed with it.
    """
    meant = _without_kept(canvas, target, keep)
    cuts = (
        complete_outline(canvas, thing, meant)
        or _boxed(canvas, thing, occluded_share(canvas, thing, meant), target)
        for thing in meant
    )
    hole = mask_of(canvas.picture, ((cut.view, cut.mask) for cut in cuts))
    return _without_gaps(hole, meant) if has_masks(canvas) else hole


def _without_gaps(hole: Floats, meant: Sequence[Thing]) -> Floats:
    """Close the gaps between things behind each other, which show more of those behind."""
    behind = [one.box for one in meant if any(one.box.overlap(two.box) for two in meant if two != one)]
    if not behind:
        return hole
    side = round(_GAPS * max(max(box.width, box.height) for box in behind)) | 1
    whole, view = hole.copy(), Box.holding(behind).within(*hole.shape[::-1])
    whole[view.slices] = np.maximum(
        hole[view.slices], closed((hole[view.slices] > 0.5).astype(np.uint8), side)
    )
    return whole


def complete_outline(canvas: Canvas, thing: Thing, meant: Sequence[Thing]) -> Outline | None:
    """Return the complete outline of a thing, including feet.

    Return None if it is not certain, or if another thing that is not meant covers much of its box.
    """
    exact = exact_cut(canvas, thing)  # it leaves out what is in front of the thing
    cut = exact or (cut_out(canvas, thing) if occluded_share(canvas, thing, meant) <= _MUCH else None)
    if cut is None or not cut.reaches(thing.box, _LIVING_REACHES if thing.kind in LIVING else _REACHES):
        return None
    return _with_feet(cut, thing) if thing.kind == "person" and exact is None else cut


def occluded_share(canvas: Canvas, thing: Thing, meant: Sequence[Thing]) -> float:
    """Return the largest share of a thing's box that another thing, which is not meant, covers.

    Parts of the thing, such as a person's tie or bag, and things under it, such as a bed, do not count.
    """
    others = [other for other in things_seen(canvas) if other not in meant and is_beside(other, thing)]
    return max((_covered_by(canvas, thing, other) for other in others), default=0.0)


def _covered_by(canvas: Canvas, thing: Thing, other: Thing) -> float:
    """Return the share of a thing that another one covers: of its box, or of its exact shape if known.

    A thing behind it covers none of its shape, and one in front leaves a dent in it.
    """
    share = covered_share(thing.box, other.box)
    own, theirs = (exact_cut(canvas, one) for one in (thing, other)) if share > 0 else (None, None)
    place = _common_view(own, theirs) if own and theirs else None
    if own is None or theirs is None or place is None:
        return share
    points = cv2.findNonZero(own.solid)
    hull = cv2.fillConvexPoly(np.zeros_like(own.solid), cv2.convexHull(points), 1).astype(np.float32)
    there = np.minimum(_shown_in(own._replace(mask=hull), place), _shown_in(theirs, place))
    dent = np.clip(there - _shown_in(own, place), 0, 1)
    return float(dent.mean()) * place.area / max(1.0, float(hull.mean()) * own.view.area)


def is_beside(other: Thing, thing: Thing) -> bool:
    """Return whether another thing is certain, is not a part of this one, and is not too large to matter."""
    is_part = covered_share(other.box, thing.box) > _PART and other.kind != thing.kind
    return is_standing(other) and not is_part and other.box.area < _LARGER * thing.box.area


def is_standing(thing: Thing) -> bool:
    """Return whether a thing is certain and is not a base for others, such as a table."""
    return thing.score >= SURE and thing.kind not in _GROUND


def _without_kept(canvas: Canvas, target: Target, keep: Sequence[Target]) -> list[Thing]:
    kept = [thing for one in keep for thing in target_things(canvas, one)]
    meant = [thing for thing in target_things(canvas, target) if thing not in kept]
    if not meant:
        sentence = f"I can't find any {target.noun} other than the ones to keep."
        raise OperationError(Reason.AMBIGUOUS, sentence, "Draw a box around what to remove.")
    return meant


def covered_share(box: Box, other: Box) -> float:
    """Return the share of a box that another box covers."""
    return box.overlap(other) / box.area


def _with_feet(cut: Outline, thing: Thing) -> Outline:
    """Extend the outline to the bottom of the person's box, as wide as its lower end."""
    own, low = cut.place_of(thing.box), Box.around(cut.solid).bottom
    tall = _FEET * own.height
    if not 0 < own.bottom - low <= tall:
        return cut
    ends = np.flatnonzero(cut.solid[round(low - tall) : low].any(0))
    mask = cut.mask.copy()
    mask[round(low - tall / 2) : own.bottom, ends[0] : ends[-1] + 1] = 1
    return cut._replace(mask=mask)


def _is_its_box(cut: Outline, thing: Thing) -> bool:
    """Return whether a person's outline covers almost all of the box, and so includes the surroundings."""
    area = float(cut.solid.mean()) * cut.view.area
    return thing.kind in LIVING and area > _FULL * thing.box.area


def _boxed(canvas: Canvas, thing: Thing, hidden: float, target: Target) -> Outline:
    whole = canvas.picture.width * canvas.picture.height
    if hidden > _LITTLE or thing.box.area > _MOST * whole:
        raise indistinct_error(target, "next to")
    box = thing.box.grown(0.04, canvas.picture.width, canvas.picture.height)
    return Outline(box, np.ones((1, 1), np.float32), 1.0)


def cut_out(canvas: Canvas, thing: Thing) -> Outline | None:
    """Return the outline of a thing, computed once; None if it is not certain."""
    return canvas.get_or_compute(("cut", thing), lambda: _cut_out(canvas, thing))


def _cut_out(canvas: Canvas, thing: Thing) -> Outline | None:
    exact = exact_cut(canvas, thing)
    if exact is not None:
        return exact
    living = thing.kind in LIVING
    cut = (
        _living_outline(canvas, thing.box)
        if living
        else outline_in_box(canvas, thing.box, _BEYOND, softly=True)
    )
    return None if cut is None or cut.confidence < ENOUGH else _without_neighbours(canvas, cut, thing)


def exact_cut(canvas: Canvas, thing: Thing) -> Outline | None:
    """Return the exact outline of a thing, or None if there is none or if it is not the thing's alone."""
    if not has_masks(canvas):
        return None
    return canvas.get_or_compute(("exact", thing), lambda: _exact_cut(canvas, thing))


def _exact_cut(canvas: Canvas, thing: Thing) -> Outline | None:
    cut = exact_outline(canvas, thing.box)
    taken = [
        other for other in _living_beside(canvas, thing) if cut is not None and _takes(canvas, cut, other)
    ]
    if taken:
        alone = exact_outline(canvas, thing.box, is_alone=False)
        is_better = alone is not None and alone.confidence >= ENOUGH
        cut = _without_the_living(canvas, alone if is_better else cut, taken, must=not is_better)
    if cut is None or cut.confidence < ENOUGH:
        return None
    others = [other for other in things_seen(canvas) if _may_be_confused(thing, other)]
    return None if any(_takes(canvas, cut, other) for other in others) else cut


def _without_the_living(
    canvas: Canvas, cut: Outline | None, taken: Sequence[Thing], *, must: bool
) -> Outline | None:
    """Remove people and animals who are in front of a thing from its outline, such as a rider.

    If they `must` be removed, return None if their own outlines are not certain.
    """
    for other in taken:
        rival = exact_outline(canvas, other.box)
        if rival is not None and rival.confidence >= ENOUGH and cut is not None:
            cut = cut._replace(mask=cut.mask * (1 - _seen_from(cut, rival)))
        elif must:
            return None
    return cut


def _living_beside(canvas: Canvas, thing: Thing) -> list[Thing]:
    """Return the people and animals of another kind whose boxes overlap that of a thing."""
    others = [other for other in things_seen(canvas) if other.kind in LIVING and other.score >= SURE]
    return [other for other in others if other.kind != thing.kind and other.box.overlap(thing.box)]


def _seen_from(cut: Outline, other: Outline) -> Floats:
    """Return another outline on the mask of this one."""
    mask = np.zeros_like(cut.mask)
    place = _common_view(cut, other)
    if place is not None:
        inner = cut.place_of(place).within(*mask.shape[::-1])
        source = other.place_of(place).within(*other.mask.shape[::-1])
        mask[inner.slices] = cv2.resize(other.mask[source.slices], (inner.width, inner.height))
    return mask


def _may_be_confused(thing: Thing, other: Thing) -> bool:
    """Return whether another thing of the same kind is so close that one outline could cover both."""
    return other != thing and other.kind == thing.kind and thing.box.overlap(other.box) > 0


def _takes(canvas: Canvas, cut: Outline, other: Thing) -> bool:
    """Return whether an outline covers most of another thing."""
    rival = exact_outline(canvas, other.box)
    if rival is None:
        return False
    place = _common_view(cut, rival)
    if place is None:
        return False
    own, theirs = (_shown_in(one, place) for one in (cut, rival))
    return float(np.minimum(own, theirs).sum()) > _MUCH * float(theirs.sum())


def _common_view(cut: Outline, other: Outline) -> Box | None:
    """Return the part of the photo that two outlines have in common, or None."""
    place = Box(*map(max, cut.view[:2], other.view[:2]), *map(min, cut.view[2:], other.view[2:]))
    return place if min(place.width, place.height) > 0 else None


def _shown_in(cut: Outline, place: Box) -> Floats:
    """Return the part of an outline in a place, on a copy of a fixed size."""
    inner = cut.place_of(place).within(*cut.mask.shape[::-1])
    return cv2.resize(cut.mask[inner.slices], (_COMPARED, _COMPARED), interpolation=cv2.INTER_AREA)


def _living_outline(canvas: Canvas, box: Box) -> Outline:
    view = view_of(box, canvas.picture)
    inner = box.grown(_BEYOND, canvas.picture.width, canvas.picture.height).seen_from(view)
    found = canvas.models.subject(part_of(canvas.picture, view), [inner]) if canvas.models else None
    return Outline(view, found.mask, found.confidence) if found else outline_of(canvas.picture, box)


def outline_in_box(canvas: Canvas, box: Box, larger: float = 0.0, *, softly: bool = False) -> Outline | None:
    """Return the outline of what stands out in a box, enlarged by a share of its sides.

    Return None if the outline is not certain; with `softly`, one that is good enough for a blur is accepted.
    """
    width, height = canvas.picture.width, canvas.picture.height
    view, drawn = box.grown(AROUND, width, height), box.grown(larger, width, height)
    found = find_subject(part_of(canvas.picture, view), [drawn.seen_from(view)], canvas.models)
    sure = found.soft_confidence if softly else found.confidence
    return Outline(view, found.mask, sure) if sure >= ENOUGH else None


def _without_neighbours(canvas: Canvas, cut: Outline, thing: Thing) -> Outline:
    """Remove what is closer to the center of another thing of the same kind."""
    size = cut.mask.shape[::-1]
    own = thing.box.grown(_BEYOND, canvas.picture.width, canvas.picture.height)
    mask = cut.mask * boxes_to_mask([cut.place_of(own)], cut.mask.shape)
    for other in things_seen(canvas):
        if other.kind == thing.kind and other != thing and own.overlap(other.box):
            there = cut.place_of(other.box).within(*size).slices
            mask[there][(_distance(cut, other.box) < _distance(cut, thing.box))[there]] = 0
    return cut._replace(mask=mask)


def _distance(cut: Outline, box: Box) -> Floats:
    """Return the distance of each place on a mask from the center of a box, in sides of the box."""
    place = cut.place_of(box)
    x, y = place.center
    rows, columns = np.indices(cut.mask.shape, np.float32) + np.float32(0.5)
    return cast(Floats, np.hypot((columns - x) / place.width, (rows - y) / place.height))
