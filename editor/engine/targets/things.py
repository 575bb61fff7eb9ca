"""Things named in words and seen by the detector: "the car on the left", "the people in the background".

What the words say beside the name, a place, a color, a number, decides between several; where it does not
decide, nothing is done.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.kinds import DEPTHS, LIVING, is_plural, kinds_of, plural_of
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason, Target
from editor.engine.refused import Unable
from editor.engine.targets.color import likeness
from editor.engine.targets.detector import SURE, Thing, things_seen
from editor.engine.targets.masks import held_by, mask_of
from editor.engine.targets.outlines import AROUND, Outline, in_strands, outline_of, part_of, shown
from editor.engine.targets.places import chosen_by_place, is_at
from editor.engine.targets.subject import ENOUGH, find_subject
from editor.imaging.codecs import Picture

_FAR, _NEAR = 0.5, 0.6  # of the largest one's area: less is in the background, more in the foreground
_RIVAL = 0.35  # of the largest one's area: what is hardly seen counts from that size
_LIKELY = 0.4
_SMALL = 0.12  # of the photo: who stands alone in it and is smaller may be in the background
_COLORED, _MORE_COLORED = 0.08, 1.7  # the share of a box that has the color, and how far before the next one
_LIKE = 0.5
_BEYOND = 0.03  # of a thing's sides: as far it may stand out of its box
_MUCH, _LITTLE = 0.3, 0.1  # of a thing's box under that of another one
_LARGER = 3.0  # times the area: the box of so much larger a thing says little of what it covers
_MOST = 0.25  # of the photo: a box that may be taken whole
_FULL = 0.88  # of a box: no person or animal fills more of theirs
_WHOLE = 0.8  # of a box's sides: an outline that reaches as far is shown by itself
_REACHES, _LIVING_REACHES = 0.85, 0.7  # of a box's sides: what reaches less far is a part of the thing
_FEET = 0.12  # of a person's box: shoes are what an outline loses most easily


def things_meant(canvas: Canvas, target: Target) -> list[Thing]:
    """The things of a photo that a target's words fit, from left to right.

    Unable when there are none, or when the words fit more or fewer than are meant.
    """
    noun = target.noun or ""
    seen = [thing for thing in things_seen(canvas) if thing.kind in kinds_of(noun)]
    fitting = _of_a_color(canvas, _in_place(canvas, seen, target), target.color)
    if not any(thing.score >= SURE for thing in fitting) and not _is_likely(fitting):
        raise _not_found(target)
    fitting = _worth_counting(fitting)
    if target.count:
        fitting = _counted(fitting, target, canvas.picture)
    elif not is_plural(noun):
        fitting = [_only_one(fitting, target, canvas.picture)]
    return sorted(fitting, key=lambda thing: thing.box)


def _is_likely(fitting: Sequence[Thing]) -> bool:
    """Where only one is looked for and one is seen, a little less will do."""
    return len(fitting) == 1 and fitting[0].score >= _LIKELY


def _worth_counting(fitting: Sequence[Thing]) -> list[Thing]:
    """Without what is hardly seen and small: parts of others, and far-away crowds."""
    largest = max(thing.box.area for thing in fitting)
    return [thing for thing in fitting if thing.score >= SURE or thing.box.area >= _RIVAL * largest]


def _not_found(target: Target) -> Unable:
    what = f"The {target.noun}" if target.noun else "It"
    where = "" if target.place is None else " there"
    is_are = "were" if is_plural(target.noun or "") else "was"
    return Unable(
        Reason.NO_SUCH_TARGET, f"{what} {is_are} not found{where}.", f"Mark the {target.noun} with a box."
    )


def _in_place(canvas: Canvas, seen: Sequence[Thing], target: Target) -> list[Thing]:
    there = list(seen)
    if "background" in (target.place or ""):
        there = _far(canvas, seen)
    elif "foreground" in (target.place or ""):
        largest = max((thing.box.area for thing in seen), default=0)
        there = [thing for thing in seen if thing.box.area >= _NEAR * largest]
    side = _side(target.place)
    return [thing for thing in there if is_at(thing.box, side, canvas.picture)] if side else there


def _side(place: str | None) -> str | None:
    """ "left" of "left background"; None where no side is named."""
    return " ".join(word for word in (place or "").split() if word not in DEPTHS) or None


def _far(canvas: Canvas, seen: Sequence[Thing]) -> list[Thing]:
    """What is much smaller than the largest of its kind; who is alone, by their size in the photo."""
    if len(seen) == 1:
        whole = canvas.picture.width * canvas.picture.height
        return [thing for thing in seen if thing.box.area < _SMALL * whole]
    largest = max((thing.box.area for thing in seen), default=0)
    return [thing for thing in seen if thing.box.area < _FAR * largest]


def _of_a_color(canvas: Canvas, things: list[Thing], color: str | None) -> list[Thing]:
    """Those that show the color clearly more than the others do: what somebody wears is a part of a box."""
    if color is None or not things:
        return things
    shares = sorted(((_share_of_color(canvas, thing, color), thing) for thing in things), reverse=True)
    best = [shares[0]] if shares[0][0] >= _COLORED else []
    for (more, _), following in pairwise(shares):
        if not best or following[0] < _COLORED or more > _MORE_COLORED * following[0]:
            break
        best.append(following)
    return [thing for _, thing in best]


def _share_of_color(canvas: Canvas, thing: Thing, color: str) -> float:
    part = part_of(canvas.picture, thing.box)
    return float((likeness(working_copy(part, 200), color) > _LIKE).mean())


def _counted(fitting: list[Thing], target: Target, picture: Picture) -> list[Thing]:
    """As many as the words say: the nearest to the place, or all."""
    count = cast(int, target.count)
    if len(fitting) < count or (len(fitting) > count and not _side(target.place)):
        raise _another_number(fitting, target)
    left = list(fitting)
    chosen: list[Thing] = []
    while len(chosen) < count:
        chosen.append(_nearest(left, target, picture))
        left.remove(chosen[-1])
    return chosen


def _only_one(fitting: list[Thing], target: Target, picture: Picture) -> Thing:
    if len(fitting) == 1:
        return fitting[0]
    if not _side(target.place):
        raise _another_number(fitting, target)
    return _nearest(fitting, target, picture)


def _nearest(things: Sequence[Thing], target: Target, picture: Picture) -> Thing:
    """The one that is farthest towards the place."""
    boxes = [thing.box for thing in things]
    side = _side(target.place)
    return things[boxes.index(chosen_by_place(boxes, side, picture)[0])] if side else things[0]


def _another_number(fitting: Sequence[Thing], target: Target) -> Unable:
    noun = target.noun or "thing"
    name = noun if is_plural(noun) else plural_of(noun)
    hint = f"Say where the {noun} is, for example on the left, or mark it with a box."
    if is_plural(noun):
        hint = f"Mark the {noun} with boxes."
    found = f"{len(fitting)} {name} were" if len(fitting) > 1 else f"Only one of the {name} was"
    return Unable(Reason.AMBIGUOUS, f"{found} found, so it is not clear which is meant.", hint)


def thing_mask(canvas: Canvas, target: Target) -> Floats:
    """The mask of the things meant at the picture's size, 0 to 1; Unable when an outline is not to be
    trusted."""
    return shown(canvas.picture, (_trusted(canvas, thing, target) for thing in things_meant(canvas, target)))


def _trusted(canvas: Canvas, thing: Thing, target: Target) -> Outline:
    cut = cut_out(canvas, thing)
    if cut is None or not cut.reaches(thing.box, _WHOLE) or _is_its_box(cut, thing):
        raise not_told(target)
    return in_strands(canvas.picture, cut) if thing.kind in LIVING else cut


def not_told(target: Target, beside: str = "around") -> Unable:
    """Why what cannot be told from what is around it is refused."""
    sentence = f"The {target.noun} could not be told from what is {beside} it."
    return Unable(Reason.LOW_CONFIDENCE, sentence, f"Mark the {target.noun} with a box.")


def thing_hole(canvas: Canvas, target: Target, *, keep: Sequence[Target] = ()) -> Floats:
    """What has to go when the things meant are removed, without those that stay: their outline, or a small
    box as a whole. Unable where another thing would go with them."""
    meant = _without_kept(canvas, target, keep)
    cuts = (
        whole_cut(canvas, thing, meant) or _boxed(canvas, thing, _hidden(canvas, thing, meant), target)
        for thing in meant
    )
    return mask_of(canvas.picture, ((cut.view, cut.mask) for cut in cuts))


def whole_cut(canvas: Canvas, thing: Thing, meant: Sequence[Thing]) -> Outline | None:
    """The outline of all of a thing, with its feet; None where it is not sure, or much of its box lies under
    that of another one that is not meant."""
    cut = cut_out(canvas, thing) if _hidden(canvas, thing, meant) <= _MUCH else None
    if cut is None or not cut.reaches(thing.box, _LIVING_REACHES if thing.kind in LIVING else _REACHES):
        return None
    return _with_feet(cut, thing) if thing.kind == "person" else cut


def _hidden(canvas: Canvas, thing: Thing, meant: Sequence[Thing]) -> float:
    """How much of a thing's box lies under that of something that is not meant."""
    others = [other for other in things_seen(canvas) if other not in meant and _is_beside(other, thing)]
    return max((covered(thing.box, other.box) for other in others), default=0.0)


def _without_kept(canvas: Canvas, target: Target, keep: Sequence[Target]) -> list[Thing]:
    kept = [thing for one in keep for thing in things_meant(canvas, one)]
    meant = [thing for thing in things_meant(canvas, target) if thing not in kept]
    if not meant:
        raise Unable(
            Reason.AMBIGUOUS, f"No {target.noun} beside those that stay were found.", "Mark what is to go."
        )
    return meant


def _is_beside(other: Thing, thing: Thing) -> bool:
    """Whether it is something else, and not a part of the thing, a person's tie or bag."""
    is_part = covered(other.box, thing.box) > 0.8 and other.kind != thing.kind
    return other.score >= SURE and not is_part and other.box.area < _LARGER * thing.box.area


def covered(box: Box, other: Box) -> float:
    """The share of a box that lies under another one."""
    return box.overlap(other) / box.area


def _with_feet(cut: Outline, thing: Thing) -> Outline:
    """With what is below the outline to the end of the person's box, as wide as the outline ends."""
    own, low = cut.place_of(thing.box), Box.around(cut.solid).bottom
    tall = _FEET * own.height
    if not 0 < own.bottom - low <= tall:
        return cut
    ends = np.flatnonzero(cut.solid[round(low - tall) : low].any(0))
    mask = cut.mask.copy()
    mask[round(low - tall / 2) : own.bottom, ends[0] : ends[-1] + 1] = 1
    return cut._replace(mask=mask)


def _is_its_box(cut: Outline, thing: Thing) -> bool:
    """Whether somebody's outline holds about all of their box: then it is of what lies around as well."""
    area = float(cut.solid.mean()) * cut.view.area
    return thing.kind in LIVING and area > _FULL * thing.box.area


def _boxed(canvas: Canvas, thing: Thing, hidden: float, target: Target) -> Outline:
    whole = canvas.picture.width * canvas.picture.height
    if hidden > _LITTLE or thing.box.area > _MOST * whole:
        raise not_told(target, "beside")
    box = thing.box.grown(0.04, canvas.picture.width, canvas.picture.height)
    return Outline(box, np.ones((1, 1), np.float32), 1.0)


def cut_out(canvas: Canvas, thing: Thing) -> Outline | None:
    """The thing's outline, looked for around its box, once; None when it is not sure."""
    return canvas.remembered(("cut", thing), lambda: _cut_out(canvas, thing))


def _cut_out(canvas: Canvas, thing: Thing) -> Outline | None:
    living = thing.kind in LIVING
    cut = _living_outline(canvas, thing.box) if living else cut_in(canvas, thing.box, _BEYOND, softly=True)
    return None if cut is None or cut.confidence < ENOUGH else _without_neighbours(canvas, cut, thing)


def _living_outline(canvas: Canvas, box: Box) -> Outline:
    width, height = canvas.picture.width, canvas.picture.height
    view, drawn = box.grown(AROUND, width, height), box.grown(_BEYOND, width, height)
    part, inner = part_of(canvas.picture, view), drawn.seen_from(view)
    found = canvas.models.subject(part, [inner]) if canvas.models else None
    return Outline(view, found.mask, found.confidence) if found else outline_of(canvas.picture, box)


def cut_in(canvas: Canvas, box: Box, larger: float = 0.0, *, softly: bool = False) -> Outline | None:
    """What stands out in a box that is larger by that share of its sides; None where its outline is not sure,
    or `softly` not sure enough for a blur."""
    width, height = canvas.picture.width, canvas.picture.height
    view, drawn = box.grown(AROUND, width, height), box.grown(larger, width, height)
    found = find_subject(part_of(canvas.picture, view), [drawn.seen_from(view)], canvas.models)
    sure = found.softly if softly else found.confidence
    return Outline(view, found.mask, sure) if sure >= ENOUGH else None


def _without_neighbours(canvas: Canvas, cut: Outline, thing: Thing) -> Outline:
    """What is nearer to the middle of another one of its kind belongs to that one."""
    size = cut.mask.shape[::-1]
    own = thing.box.grown(_BEYOND, canvas.picture.width, canvas.picture.height)
    mask = cut.mask * held_by([cut.place_of(own)], cut.mask.shape)
    for other in things_seen(canvas):
        if other.kind == thing.kind and other != thing and own.overlap(other.box):
            there = cut.place_of(other.box).within(*size).part
            mask[there][(_distance(cut, other.box) < _distance(cut, thing.box))[there]] = 0
    return cut._replace(mask=mask)


def _distance(cut: Outline, box: Box) -> Floats:
    """Of each place on a mask from the middle of a box, in its sides."""
    place = cut.place_of(box)
    x, y = place.center
    rows, columns = np.indices(cut.mask.shape, np.float32) + np.float32(0.5)
    return cast(Floats, np.hypot((columns - x) / place.width, (rows - y) / place.height))
