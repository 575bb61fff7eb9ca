"""Things named in words and seen by the detector: "the car on the left", "the people in the background".

What the words say beside the name, a place, a color, a number, decides between several; where it does not
decide, nothing is done.
"""

from collections.abc import Sequence
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
from editor.engine.targets.outlines import AROUND, Outline, in_strands, outline_of, part_of, shown, view_of
from editor.engine.targets.places import distance_to, is_at
from editor.engine.targets.subject import ENOUGH, find_subject
from editor.imaging.picture import Picture

_FAR = 0.5  # of the largest one's area: less is in the background
_NEAR = 0.6  # of the largest one's area: more is in the foreground
_RIVAL = 0.35  # of the largest one's area: what is hardly seen counts from that size
_LIKELY = 0.4
_SMALL = 0.12  # of the photo: who stands alone in it and is smaller may be in the background
_COLORED = 0.08  # of a box: the least share of the color
_MORE_COLORED = 1.7  # times: how far the share of the most colored box may be ahead
_LIKE = 0.5
_BEYOND = 0.03  # of a thing's sides: as far it may stand out of its box
_MUCH = 0.3  # of a thing's box under another one's: with more no outline is taken
_LITTLE = 0.1  # of a thing's box under another one's: with more the box itself is not taken
_LARGER = 3.0  # times the area: the box of so much larger a thing says little of what it covers
_PART = 0.8  # of a box inside that of a thing: it is a part of it
_GROUND = frozenset({"dining table", "bed", "couch", "bench"})  # others stand on it, or before it
_MOST = 0.25  # of the photo: a box that may be taken whole
_FULL = 0.88  # of a box: no person or animal fills more of theirs
_WHOLE = 0.8  # of a box's sides: an outline that reaches as far is shown by itself
_REACHES = 0.85  # of a box's sides: what reaches less far is a part of the thing
_LIVING_REACHES = 0.7  # the same for people and animals
_FEET = 0.12  # of a person's box: shoes are what an outline loses most easily


def things_meant(canvas: Canvas, target: Target) -> list[Thing]:
    """The things of a photo that a target's words fit, from left to right.

    Unable when there are none, or when the words fit more or fewer than are meant.
    """
    noun = target.noun or ""
    seen = [thing for thing in things_seen(canvas) if thing.kind in kinds_of(noun)]
    fitting = _of_a_color(canvas, _in_place(canvas, seen, target), target.color)
    is_likely = len(fitting) == 1 and fitting[0].score >= _LIKELY  # alone, a little less will do
    if not is_likely and not any(thing.score >= SURE for thing in fitting):
        raise _not_found(target)
    meant = _as_many_as_meant(_worth_counting(fitting), target, canvas.picture)
    return sorted(meant, key=lambda thing: thing.box)


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
    """Those at a side, and far away, much smaller than the largest of their kind, or near."""
    least, most = 0.0, float(canvas.picture.width * canvas.picture.height)
    largest = max((thing.box.area for thing in seen), default=0)
    if "background" in (target.place or ""):
        most = _FAR * largest if len(seen) > 1 else _SMALL * most
    elif "foreground" in (target.place or ""):
        least = _NEAR * largest
    there = [thing for thing in seen if least <= thing.box.area <= most]
    return [thing for thing in there if is_at(thing.box, _side(target.place), canvas.picture)]


def _side(place: str | None) -> str:
    """ "left" of "left background"; nothing where no side is named."""
    return " ".join(word for word in (place or "").split() if word not in DEPTHS)


def _of_a_color(canvas: Canvas, things: list[Thing], color: str | None) -> list[Thing]:
    """Those that show the color clearly more than the others do: what somebody wears is a part of a box."""
    if color is None or not things:
        return things
    shares = [_share_of_color(canvas, thing, color) for thing in things]
    least = max(_COLORED, max(shares) / _MORE_COLORED)
    return [thing for share, thing in zip(shares, things, strict=True) if share >= least]


def _share_of_color(canvas: Canvas, thing: Thing, color: str) -> float:
    part = part_of(canvas.picture, thing.box)
    return float((likeness(working_copy(part, 200), color) > _LIKE).mean())


def _as_many_as_meant(fitting: list[Thing], target: Target, picture: Picture) -> list[Thing]:
    """As many as the words say, of several those that are farthest towards the place; of a plural all."""
    side = _side(target.place)
    count = target.count or (len(fitting) if is_plural(target.noun or "") else 1)
    if len(fitting) < count or (len(fitting) > count and not side):
        raise _another_number(fitting, target)
    return sorted(fitting, key=lambda thing: distance_to(side, thing.box, picture))[:count]


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
        whole_cut(canvas, thing, meant) or _boxed(canvas, thing, hidden(canvas, thing, meant), target)
        for thing in meant
    )
    return mask_of(canvas.picture, ((cut.view, cut.mask) for cut in cuts))


def whole_cut(canvas: Canvas, thing: Thing, meant: Sequence[Thing]) -> Outline | None:
    """The outline of all of a thing, with its feet; None where it is not sure, or much of its box lies under
    that of another one that is not meant."""
    cut = cut_out(canvas, thing) if hidden(canvas, thing, meant) <= _MUCH else None
    if cut is None or not cut.reaches(thing.box, _LIVING_REACHES if thing.kind in LIVING else _REACHES):
        return None
    return _with_feet(cut, thing) if thing.kind == "person" else cut


def hidden(canvas: Canvas, thing: Thing, meant: Sequence[Thing]) -> float:
    """How much of a thing's box lies under that of something else that is not meant, and that is no part of
    it, as a person's tie or bag, and nothing that it stands on or before."""
    others = [other for other in things_seen(canvas) if other not in meant and is_beside(other, thing)]
    return max((covered(thing.box, other.box) for other in others), default=0.0)


def is_beside(other: Thing, thing: Thing) -> bool:
    """Whether it is surely there, no part of the thing, and not so large that its box says little."""
    is_part = covered(other.box, thing.box) > _PART and other.kind != thing.kind
    return is_standing(other) and not is_part and other.box.area < _LARGER * thing.box.area


def is_standing(thing: Thing) -> bool:
    """Whether a thing is surely there, and nothing that others stand on."""
    return thing.score >= SURE and thing.kind not in _GROUND


def _without_kept(canvas: Canvas, target: Target, keep: Sequence[Target]) -> list[Thing]:
    kept = [thing for one in keep for thing in things_meant(canvas, one)]
    meant = [thing for thing in things_meant(canvas, target) if thing not in kept]
    if not meant:
        sentence = f"No {target.noun} beside those that stay were found."
        raise Unable(Reason.AMBIGUOUS, sentence, "Mark what is to go.")
    return meant


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
    view = view_of(box, canvas.picture)
    inner = box.grown(_BEYOND, canvas.picture.width, canvas.picture.height).seen_from(view)
    found = canvas.models.subject(part_of(canvas.picture, view), [inner]) if canvas.models else None
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
