"""Finds detected things that are named in words: "the car on the left", "the people in the background".

A place, a color, or a number decides between several things. If they do not decide, the target is refused.
"""

from collections.abc import Sequence
from typing import cast

import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError
from editor.engine.kinds import DEPTHS, LIVING, is_plural, kinds_of, plural_of
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason, Target
from editor.engine.targets.color import likeness
from editor.engine.targets.detector import things_seen
from editor.engine.targets.masks import boxes_to_mask, mask_of
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
_FEET = 0.12  # share of a person's box; an outline often lacks the shoes


def target_things(canvas: Canvas, target: Target) -> list[Thing]:
    """Return the things in the photo that match a target's words, from left to right.

    Raises Unable if there are none, or if the number of matches differs from the number meant.
    """
    noun = target.noun or ""
    seen = [thing for thing in things_seen(canvas) if thing.kind in kinds_of(noun)]
    fitting = _of_a_color(canvas, _in_place(canvas, seen, target), target.color)
    # A lower score is enough for a single match.
    is_likely = len(fitting) == 1 and fitting[0].score >= _LIKELY
    if not is_likely and not any(thing.score >= SURE for thing in fitting):
        raise _not_found(target)
    meant = _as_many_as_meant(_worth_counting(fitting), target, canvas.picture)
    return sorted(meant, key=lambda thing: thing.box)


def _worth_counting(fitting: Sequence[Thing]) -> list[Thing]:
    """Remove small things with low scores: parts of others, and distant crowds."""
    largest = max(thing.box.area for thing in fitting)
    return [thing for thing in fitting if thing.score >= SURE or thing.box.area >= _RIVAL * largest]


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

    Raises Unable if the number does not fit.
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

    Raises Unable if an outline is not certain enough.
    """
    return combine_outlines(
        canvas.picture, (_trusted(canvas, thing, target) for thing in target_things(canvas, target))
    )


def _trusted(canvas: Canvas, thing: Thing, target: Target) -> Outline:
    cut = cut_out(canvas, thing)
    if cut is None or not cut.reaches(thing.box, _WHOLE) or _is_its_box(cut, thing):
        raise indistinct_error(target)
    return refine_hair(canvas.picture, cut) if thing.kind in LIVING else cut


def indistinct_error(target: Target, beside: str = "around") -> OperationError:
    """Return the error for a target that cannot be distinguished from its surroundings."""
    them = "them" if is_plural(target.noun or "") else "it"
    sentence = f"I can't tell the {target.noun} from what is {beside} {them}."
    return OperationError(Reason.LOW_CONFIDENCE, sentence, f"Draw a box around the {target.noun}.")


def thing_hole(canvas: Canvas, target: Target, *, keep: Sequence[Target] = ()) -> Floats:
    """Return what must be removed to remove the things meant, except those to keep.

    For each thing this is its outline, or a small box as a whole. Raises Unable if another thing would be
    removed with it.
    """
    meant = _without_kept(canvas, target, keep)
    cuts = (
        complete_outline(canvas, thing, meant)
        or _boxed(canvas, thing, occluded_share(canvas, thing, meant), target)
        for thing in meant
    )
    return mask_of(canvas.picture, ((cut.view, cut.mask) for cut in cuts))


def complete_outline(canvas: Canvas, thing: Thing, meant: Sequence[Thing]) -> Outline | None:
    """Return the complete outline of a thing, including feet.

    Return None if it is not certain, or if another thing that is not meant covers much of its box.
    """
    cut = cut_out(canvas, thing) if occluded_share(canvas, thing, meant) <= _MUCH else None
    if cut is None or not cut.reaches(thing.box, _LIVING_REACHES if thing.kind in LIVING else _REACHES):
        return None
    return _with_feet(cut, thing) if thing.kind == "person" else cut


def occluded_share(canvas: Canvas, thing: Thing, meant: Sequence[Thing]) -> float:
    """Return the largest share of a thing's box that another thing, which is not meant, covers.

    Parts of the thing, such as a person's tie or bag, and things under it, such as a bed, do not count.
    """
    others = [other for other in things_seen(canvas) if other not in meant and is_beside(other, thing)]
    return max((covered_share(thing.box, other.box) for other in others), default=0.0)


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
    living = thing.kind in LIVING
    cut = (
        _living_outline(canvas, thing.box)
        if living
        else outline_in_box(canvas, thing.box, _BEYOND, softly=True)
    )
    return None if cut is None or cut.confidence < ENOUGH else _without_neighbours(canvas, cut, thing)


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
