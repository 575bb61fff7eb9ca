"""Find detected things by their descriptions: "the car on the left", "the people in the background".

If several things match, a place, a color, or a number selects among them. If the choice remains ambiguous,
the target is refused.
"""

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError, mark, name_or_it
from editor.engine.kinds import ANIMALS, DEPTHS, LIVING, is_plural, kinds_of, plural_of, rank_in
from editor.engine.masks import ALPHA_SIDE, box_of, boxes_to_mask, closed, mask_of
from editor.engine.pixels import Box, copy_size, working_copy
from editor.engine.plan import Reason, Target
from editor.engine.targets.color import likeness
from editor.engine.targets.decoded_masks import exact_outline, has_masks, prominent_mask
from editor.engine.targets.detector import things_of, things_seen
from editor.engine.targets.faces import faces_seen
from editor.engine.targets.outlines import (
    VIEW_MARGIN,
    Outline,
    combine_on_copy,
    combine_outlines,
    copy_of_view,
    outline_of,
    part_of,
    refine_hair,
    view_of,
)
from editor.engine.targets.places import distance_to, is_at
from editor.engine.targets.subject import MIN_CONFIDENCE, find_subject
from editor.engine.vision.things import SURE, Thing
from editor.imaging.picture import Picture
from editor.sentences import Sentence

# Maximum area of a thing in the background, as a share of the largest thing's area.
_MAX_BACKGROUND_RATIO = 0.5
# Minimum area of a thing in the foreground, as a share of the largest thing's area.
_MIN_FOREGROUND_RATIO = 0.6
# Minimum area at which a thing with a low score counts, as a share of the largest thing's area.
_MIN_COUNTED_RATIO = 0.35
MIN_SINGLE_SCORE = 0.4
"""Minimum detection score of a thing that is the only match."""
# Maximum area of a background thing that is the only match, as a share of the photo.
_MAX_BACKGROUND_SHARE = 0.12
_MIN_COLOR_SHARE = 0.1  # minimum share of a thing's outline or bounding box that must show the named color
# A match counts if its share of the named color is at least the largest share divided by this number.
_MAX_COLOR_RATIO = 1.7
_COLOR_PIXELS = 200  # longer side, in pixels, of the copies on which the colors of things are measured
_MIN_LIKENESS = 0.5  # minimum likeness, from 0 to 1, at which a pixel has the named color
# Margin by which a thing may extend beyond its bounding box, as a share of the box's sides.
_MAX_BEYOND_BOX = 0.03
_MAX_COVERED_SHARE = 0.3
"""Maximum share of a thing's bounding box that another thing may cover if the thing's own outline is inexact.

It is also the maximum share of another thing that an outline may contain.
"""
# Maximum share of a thing that something in front of it may hide without being noticed.
_MAX_HIDDEN_SHARE = 0.04
# Maximum share of a thing's bounding box that another thing may cover if the whole box is removed.
_MAX_COVERED_BOX_SHARE = 0.1
# Maximum area of another thing that may cover a thing, as a multiple of the thing's area. The bounding box of
# a larger thing says little about the area that the thing itself covers.
_MAX_AREA_RATIO = 3.0
_MIN_PROMINENT_CERTAINTY = 0.8  # minimum certainty of the prominent part of a photo that may be an animal
# Minimum share of an animal's exact outline that the prominent part of the photo contains.
_MIN_CONTAINED_SHARE = 0.9
_MIN_SAME_OVERLAP = 0.7  # minimum overlap ratio of two boxes that show one thing
# Minimum share of a thing's bounding box that must be inside another box for the thing to be a part of the
# other thing.
_MIN_PART_SHARE = 0.8
FURNITURE = frozenset({"dining table", "bed", "couch", "bench"})
"""Kinds of furniture that other things are often on or in front of."""
_SEE_THROUGH_KINDS = frozenset({"bicycle"})
"""Kinds of things that consist of thin parts."""
_MAX_BOX_SHARE = 0.25  # maximum area of a bounding box that is removed as a whole, as a share of the photo
_MAX_FILLED_SHARE = 0.88  # maximum share of a bounding box that a person or animal can fill
# Minimum width and height of an outline that is used as a mask, as a share of its box's sides.
_MIN_MASK_SPAN = 0.8
_MIN_SPAN = 0.85  # minimum width and height of the complete outline of a thing, as a share of its box's sides
_MIN_SPAN_OF_PERSON_OR_ANIMAL = 0.7
"""Minimum width and height of the complete outline of a person or animal, as a share of its box's sides."""
# Maximum width at which a gap between overlapping things is closed, as a share of the longest side of a box.
_MAX_GAP_WIDTH = 0.15
_COMPARED_PIXELS = 200  # width and height, in pixels, of the copies on which outlines are compared
# Maximum height of the shoes missing from an outline, as a share of the person's box's height.
_MAX_FEET_HEIGHT = 0.12


def target_things(canvas: Canvas, target: Target) -> list[Thing]:
    """Return the things in the photo that match a target's words, from left to right.

    Raises OperationError if no things match or if the number of matches differs from the intended number.
    """
    noun = target.noun or ""
    seen = _confirm_by_faces(canvas, things_of(canvas, kinds_of(noun), things_seen(canvas)))
    matches = _things_of_color(canvas, _things_at_place(canvas, seen, target), target.color)
    # If only one thing matches, a lower detection score is enough.
    is_likely = len(matches) == 1 and matches[0].score >= MIN_SINGLE_SCORE
    if not is_likely and not any(thing.score >= SURE for thing in matches):
        raise not_found_error(target)
    meant = _select_count(_countable_things(matches, target), target, canvas.picture)
    return sorted(meant, key=lambda thing: thing.box)


def _confirm_by_faces(canvas: Canvas, seen: Sequence[Thing]) -> list[Thing]:
    """Return the things. An uncertain person is certain if the person has a face that nobody else has."""
    sure = [thing for thing in seen if thing.score >= SURE]
    faces = faces_seen(canvas) if any(_is_uncertain_person(thing) for thing in seen) else []
    unclaimed = [face for face in faces if not any(thing.box.holds_center_of(face) for thing in sure)]
    return [
        thing._replace(score=SURE)
        if _is_uncertain_person(thing) and any(thing.box.holds_center_of(face) for face in unclaimed)
        else thing
        for thing in seen
    ]


def _is_uncertain_person(thing: Thing) -> bool:
    return thing.kind == "person" and thing.score < SURE


def _countable_things(matches: Sequence[Thing], target: Target) -> list[Thing]:
    """Remove small things with low scores, which are parts of other things or distant crowds.

    If the noun is plural without a number, a likely thing that is partly behind another one also counts. If
    the user names a number above one, a selection with exactly that many things is used if there is one.
    """
    largest = max(thing.box.area for thing in matches)
    large = [thing for thing in matches if thing.box.area >= _MIN_COUNTED_RATIO * largest]
    sure = [thing for thing in matches if thing.score >= SURE or thing in large]
    likely = [thing for thing in matches if thing.score >= MIN_SINGLE_SCORE]
    if target.count and target.count > 1:
        certain = [thing for thing in sure if thing.score >= SURE]
        choices = (sure, certain, [thing for thing in certain if thing in large], likely)
        return next((choice for choice in choices if len(choice) == target.count), sure)
    if not is_plural(target.noun or "") or target.count:
        return sure
    behind = [thing for thing in likely if any(thing.box.overlap(other.box) for other in sure)]
    return [thing for thing in matches if thing in sure or thing in behind]


def not_found_error(target: Target) -> OperationError:
    """Return the error for a target that is not in the photo."""
    what = name_or_it(target.noun)
    sentence = Sentence("I can't find %(what)s.", what=what)
    if target.place is not None:
        sentence = Sentence("I can't find %(what)s there.", what=what)
    return OperationError(Reason.NO_SUCH_TARGET, sentence, mark(target.noun))


def _things_at_place(canvas: Canvas, seen: Sequence[Thing], target: Target) -> list[Thing]:
    """Return the things at the place that the target names: a side, the background, or the foreground.

    Things in the background are much smaller than the largest thing. Things in the foreground are not.
    """
    min_area, max_area = 0.0, float(canvas.picture.width * canvas.picture.height)
    largest = max((thing.box.area for thing in seen), default=0)
    if "background" in (target.place or ""):
        max_area = _MAX_BACKGROUND_RATIO * largest if len(seen) > 1 else _MAX_BACKGROUND_SHARE * max_area
    elif "foreground" in (target.place or ""):
        min_area = _MIN_FOREGROUND_RATIO * largest
    of_size = [thing for thing in seen if min_area <= thing.box.area <= max_area]
    if rank_in(target.place):
        return of_size
    return [thing for thing in of_size if is_at(thing.box, _side(target.place), canvas.picture)]


def _side(place: str | None) -> str:
    """Return the side that a place names, such as "left" for "left background", or ""."""
    return " ".join(word for word in (place or "").split() if word not in DEPTHS)


def _things_of_color(canvas: Canvas, things: list[Thing], color: str | None) -> list[Thing]:
    """Return the things that clearly show more of the color than the others do.

    A small share of the color is enough, because clothes fill only a part of a bounding box.
    """
    if color is None or not things:
        return things
    shares = [_share_of_color(canvas, thing, color) for thing in things]
    min_share = max(_MIN_COLOR_SHARE, max(shares) / _MAX_COLOR_RATIO)
    return [thing for share, thing in zip(shares, things, strict=True) if share >= min_share]


def _share_of_color(canvas: Canvas, thing: Thing, color: str) -> float:
    """Return the share of a thing, or of its box if its exact outline is unknown, that has a color."""
    cut = exact_outline(canvas, thing.box)
    if cut is None or cut.confidence < MIN_CONFIDENCE:
        small = working_copy(part_of(canvas.picture, thing.box), _COLOR_PIXELS)
        return float((likeness(small, color) > _MIN_LIKENESS).mean())
    small = working_copy(part_of(canvas.picture, cut.view), _COLOR_PIXELS)
    own = cv2.resize(cut.mask, small.shape[1::-1], interpolation=cv2.INTER_AREA) > _MIN_LIKENESS
    return float((likeness(small, color) > _MIN_LIKENESS)[own].mean()) if own.any() else 0.0


def _select_count(matches: list[Thing], target: Target, picture: Picture) -> list[Thing]:
    """Return as many things as the target asks for.

    The things nearest to the named side come first. A plural without a number means all of them. Raises
    OperationError if the number of matches does not fit.
    """
    side, rank = _side(target.place), rank_in(target.place)
    count = rank or target.count or (len(matches) if is_plural(target.noun or "") else 1)
    if len(matches) < count or (len(matches) > count and not side):
        raise wrong_number_error(matches, target)
    nearest = sorted(matches, key=lambda thing: distance_to(side, thing.box, picture))[:count]
    return nearest[rank - 1 :] if rank else nearest


def wrong_number_error(matches: Sequence[Thing], target: Target) -> OperationError:
    """Return the error for things that match a target but are more or fewer than it refers to."""
    noun = target.noun or "thing"
    name = noun if is_plural(noun) else plural_of(noun)
    hint = Sentence(
        "Say where the %(noun)s is, for example “on the left”, or draw a box around it.", noun=noun
    )
    if is_plural(noun):
        hint = Sentence("Draw a box around each of the %(noun)s.", noun=noun)
    sentence = Sentence("I found only one of the %(noun)s, so I can't tell which you mean.", noun=name)
    if len(matches) > 1:
        sentence = Sentence(
            "I found %(n)s %(noun)s, so I can't tell which you mean.", n=len(matches), noun=name
        )
    return OperationError(Reason.AMBIGUOUS, sentence, hint)


def thing_mask(canvas: Canvas, target: Target) -> Floats:
    """Return a mask, from 0 to 1 and at the picture's size, of the things that the target refers to.

    Raises OperationError if an outline is not certain enough.
    """
    return combine_outlines(canvas.picture, _trusted_outlines(canvas, target))


def thing_mask_on_copy(canvas: Canvas, target: Target) -> Floats:
    """Return a mask as `thing_mask` does, but at the size of a working copy."""
    return combine_on_copy(canvas.picture, _trusted_outlines(canvas, target))


def _trusted_outlines(canvas: Canvas, target: Target) -> list[Outline]:
    meant = target_things(canvas, target)
    return [_trusted_outline(canvas, thing, target, meant) for thing in meant]


def _trusted_outline(canvas: Canvas, thing: Thing, target: Target, meant: Sequence[Thing]) -> Outline:
    exact = exact_cut(canvas, thing, meant)
    cut = exact or cut_out(canvas, thing)
    is_doubtful = exact is None and cut is not None and _is_its_box(cut, thing)
    if cut is None or not cut.reaches(thing.box, _MIN_MASK_SPAN) or is_doubtful:
        cut = _prominent_animal(canvas, thing)
    if cut is None:
        raise indistinct_error(target)
    return refine_hair(cut, copy_of_view(canvas, cut.view)) if thing.kind in LIVING else cut


def _prominent_animal(canvas: Canvas, thing: Thing) -> Outline | None:
    """Return the outline of the prominent part of the photo if it is an animal whose box shows only a part.

    An example is the head and the front legs of a stretched-out cat. Return None if the prominent part is
    uncertain, much larger than the box, or next to another thing.
    """
    prominent = prominent_mask(canvas)
    if thing.kind not in ANIMALS or prominent is None or prominent.certainty < _MIN_PROMINENT_CERTAINTY:
        return None
    box = box_of(prominent.mask, canvas.picture)
    others = [other for other in things_seen(canvas) if is_standing(other) and not _is_same(thing, other)]
    whole = exact_outline(canvas, box)
    if (
        whole is None
        or box.area > _MAX_AREA_RATIO * thing.box.area
        or any(box.overlap(one.box) for one in others)
    ):
        return None
    is_certain = (
        whole.confidence >= MIN_CONFIDENCE and _share_taken(canvas, whole, thing) > _MIN_CONTAINED_SHARE
    )
    return whole if is_certain else None


_INDISTINCT_AROUND = (
    Sentence("I can't tell the %(noun)s from what is around it."),
    Sentence("I can't tell the %(noun)s from what is around them."),
)
_INDISTINCT_NEXT_TO = (
    Sentence("I can't tell the %(noun)s from what is next to it."),
    Sentence("I can't tell the %(noun)s from what is next to them."),
)


def indistinct_error(target: Target, *, is_touching: bool = False) -> OperationError:
    """Return the error for a target that cannot be distinguished from its surroundings.

    `is_touching` is true if it cannot be distinguished from a thing that touches it.
    """
    one, several = _INDISTINCT_NEXT_TO if is_touching else _INDISTINCT_AROUND
    template = (several if is_plural(target.noun or "") else one).template
    return OperationError(Reason.LOW_CONFIDENCE, Sentence(template, noun=target.noun), mark(target.noun))


def thing_hole(canvas: Canvas, target: Target, *, keep: Sequence[Target] = ()) -> Floats:
    """Return a mask of the area to remove for a target, without the things in `keep`.

    The area is the outline of each thing, or the whole bounding box of a small thing without an outline.
    Raises OperationError if another thing would be removed too.
    """
    meant = _things_to_remove(canvas, target, keep)
    cuts = (hole_outline(canvas, thing, meant, target) for thing in meant)
    hole = mask_of(canvas.picture.pixels.shape, ((cut.view, cut.mask) for cut in cuts))
    return _close_gaps(hole, meant) if has_masks(canvas) else hole


def hole_outline(canvas: Canvas, thing: Thing, meant: Sequence[Thing], target: Target) -> Outline:
    """Return the outline of one of the things to remove, or the whole bounding box of a small thing.

    A bicycle is removed with what shows between its parts, because its outline lacks spokes and handlebars.
    Raises OperationError if another thing would be removed too.
    """
    if thing.kind in _SEE_THROUGH_KINDS and has_masks(canvas):
        return _box_without_others(canvas, thing, meant)
    exact = complete_outline(canvas, thing, meant)
    return exact or _box_outline(canvas, thing, occluded_share(canvas, thing, meant), target)


def _box_without_others(canvas: Canvas, thing: Thing, meant: Sequence[Thing]) -> Outline:
    """Return the bounding box of a thing as an outline without the other things that are in front of it."""
    size = copy_size(ALPHA_SIDE, thing.box.width, thing.box.height)
    whole = Outline(thing.box, np.ones(size[::-1], np.float32), thing.score)
    for other in things_seen(canvas):
        stays = other not in meant and is_standing(other) and other.box.overlap(thing.box)
        cut = exact_cut(canvas, other) if stays else None
        if cut is not None:
            whole = whole._replace(mask=whole.mask * (1 - _mask_in_view_of(whole, cut)))
    return whole


def _close_gaps(hole: Floats, meant: Sequence[Thing]) -> Floats:
    """Close the gaps in a mask between overlapping things, because the rear thing shows in the gaps."""
    behind = [one.box for one in meant if any(one.box.overlap(two.box) for two in meant if two != one)]
    if not behind:
        return hole
    side = round(_MAX_GAP_WIDTH * max(max(box.width, box.height) for box in behind)) | 1
    whole, view = hole.copy(), Box.holding(behind).within(*hole.shape[::-1])
    whole[view.slices] = np.maximum(
        hole[view.slices], closed((hole[view.slices] > 0.5).astype(np.uint8), side)
    )
    return whole


def complete_outline(canvas: Canvas, thing: Thing, meant: Sequence[Thing]) -> Outline | None:
    """Return the complete outline of a thing, including feet.

    Return None if the outline is uncertain, or if the outline is not exact and a thing outside `meant` covers
    much of the bounding box.
    """
    exact = exact_cut(canvas, thing, meant)  # an exact outline excludes objects in front of the thing
    cut = exact or (
        cut_out(canvas, thing) if occluded_share(canvas, thing, meant) <= _MAX_COVERED_SHARE else None
    )
    if cut is None or not cut.reaches(
        thing.box, _MIN_SPAN_OF_PERSON_OR_ANIMAL if thing.kind in LIVING else _MIN_SPAN
    ):
        return None
    return _add_feet(cut, thing) if thing.kind == "person" and exact is None else cut


def occluded_share(canvas: Canvas, thing: Thing, meant: Sequence[Thing]) -> float:
    """Return the largest share of a thing's bounding box that any one thing outside `meant` covers.

    Parts of the thing, such as a person's tie or bag, and things under it, such as a bed, do not count.
    """
    others = _others_beside(canvas, thing, meant)
    return max((_share_covered_by(canvas, thing, other) for other in others), default=0.0)


def things_in_front(canvas: Canvas, meant: Sequence[Thing]) -> list[Thing]:
    """Return the other things that certainly hide more than a small part of one of the things `meant`.

    Only exact outlines show this: the boxes of two people side by side overlap, too.
    """
    pairs = ((thing, other) for thing in meant for other in _others_beside(canvas, thing, meant))
    return [other for thing, other in pairs if (_dent_share(canvas, thing, other) or 0.0) > _MAX_HIDDEN_SHARE]


def _others_beside(canvas: Canvas, thing: Thing, meant: Sequence[Thing]) -> list[Thing]:
    return [other for other in things_seen(canvas) if other not in meant and is_beside(other, thing)]


def _share_covered_by(canvas: Canvas, thing: Thing, other: Thing) -> float:
    """Return the share of a thing that another thing covers.

    Without exact outlines, it is a share of the first thing's box.
    """
    dent = _dent_share(canvas, thing, other)
    return covered_share(thing.box, other.box) if dent is None else dent


def _dent_share(canvas: Canvas, thing: Thing, other: Thing) -> float | None:
    """Return the share of a thing's convex hull in which another thing leaves a dent, as things in front do.

    Return None unless both exact outlines are known.
    """
    is_near = covered_share(thing.box, other.box) > 0
    own, theirs = (exact_cut(canvas, one) for one in (thing, other)) if is_near else (None, None)
    place = _common_view(own, theirs) if own and theirs else None
    if own is None or theirs is None or place is None:
        return None
    hull = own.hull
    there = np.minimum(_mask_part_in(hull, place), _mask_part_in(theirs, place))
    dent = np.clip(there - _mask_part_in(own, place), 0, 1)
    return float(dent.mean()) * place.area / max(1.0, float(hull.mask.mean()) * own.view.area)


def is_beside(other: Thing, thing: Thing) -> bool:
    """Return whether another thing is certainly detected, not a part of this one, and not much larger."""
    is_part = covered_share(other.box, thing.box) > _MIN_PART_SHARE and other.kind != thing.kind
    return is_standing(other) and not is_part and other.box.area < _MAX_AREA_RATIO * thing.box.area


def is_standing(thing: Thing) -> bool:
    """Return whether a thing is certainly detected and, unlike a table, does not hold other things."""
    return thing.score >= SURE and thing.kind not in FURNITURE


def _things_to_remove(canvas: Canvas, target: Target, keep: Sequence[Target]) -> list[Thing]:
    kept = [thing for one in keep for thing in target_things(canvas, one)]
    meant = [thing for thing in target_things(canvas, target) if thing not in kept]
    if not meant:
        sentence = Sentence("I can't find any %(noun)s other than the ones to keep.", noun=target.noun)
        raise OperationError(Reason.AMBIGUOUS, sentence, Sentence("Draw a box around what to remove."))
    return meant


def covered_share(box: Box, other: Box) -> float:
    """Return the share of a box that another box covers."""
    return box.overlap(other) / box.area


def _add_feet(cut: Outline, thing: Thing) -> Outline:
    """Extend a person's outline to the bottom of the bounding box, at the width of its lower end.

    Do nothing if the outline already reaches the bottom or ends far above it.
    """
    own, low = cut.place_of(thing.box), Box.around(cut.solid).bottom
    tall = _MAX_FEET_HEIGHT * own.height
    if not 0 < own.bottom - low <= tall:
        return cut
    ends = np.flatnonzero(cut.solid[round(low - tall) : low].any(0))
    mask = cut.mask.copy()
    mask[round(low - tall / 2) : own.bottom, ends[0] : ends[-1] + 1] = 1
    return cut._replace(mask=mask)


def _is_its_box(cut: Outline, thing: Thing) -> bool:
    """Return whether an outline of a person or animal fills almost all of the box.

    Such an outline includes the surroundings.
    """
    area = float(cut.solid.mean()) * cut.view.area
    return thing.kind in LIVING and area > _MAX_FILLED_SHARE * thing.box.area


def _box_outline(canvas: Canvas, thing: Thing, hidden: float, target: Target) -> Outline:
    whole = canvas.picture.width * canvas.picture.height
    if hidden > _MAX_COVERED_BOX_SHARE or thing.box.area > _MAX_BOX_SHARE * whole:
        raise indistinct_error(target, is_touching=True)
    box = thing.box.grown(0.04, canvas.picture.width, canvas.picture.height)
    return Outline(box, np.ones((1, 1), np.float32), 1.0)


def cut_out(canvas: Canvas, thing: Thing) -> Outline | None:
    """Return the outline of a thing, or None if the outline is uncertain.

    The outline is computed only once.
    """
    return canvas.get_or_compute(("cut", thing), lambda: _cut_out(canvas, thing))


def _cut_out(canvas: Canvas, thing: Thing) -> Outline | None:
    exact = exact_cut(canvas, thing)
    if exact is not None:
        return exact
    is_person_or_animal = thing.kind in LIVING
    cut = (
        _person_or_animal_outline(canvas, thing.box)
        if is_person_or_animal
        else outline_in_box(canvas, thing.box, _MAX_BEYOND_BOX, is_rough=True)
    )
    return None if cut is None or cut.confidence < MIN_CONFIDENCE else _remove_neighbors(canvas, cut, thing)


def exact_cut(canvas: Canvas, thing: Thing, meant: Sequence[Thing] = ()) -> Outline | None:
    """Return the exact outline of a thing.

    Return None if there is no exact outline, or if the outline includes another thing that is not in `meant`,
    which are the things that the same step changes.
    """
    if not has_masks(canvas):
        return None
    return canvas.get_or_compute(("exact", thing, *meant), lambda: _exact_cut(canvas, thing, meant))


def _exact_cut(canvas: Canvas, thing: Thing, meant: Sequence[Thing]) -> Outline | None:
    cut = exact_outline(canvas, thing.box)
    covered = [
        other
        for other in _people_and_animals_beside(canvas, thing)
        if cut is not None and _is_covering(canvas, cut, other)
    ]
    if covered:
        alone = exact_outline(canvas, thing.box, is_alone=False)
        is_better = alone is not None and alone.confidence >= MIN_CONFIDENCE
        cut = _remove_people_and_animals(
            canvas, alone if is_better else cut, covered, is_required=not is_better
        )
    if cut is None or cut.confidence < MIN_CONFIDENCE or not cut.solid.any():
        return None
    others = [other for other in things_seen(canvas) if other not in meant and _is_confusable(thing, other)]
    return None if any(_is_covering(canvas, cut, other) for other in others) else cut


def _remove_people_and_animals(
    canvas: Canvas, cut: Outline | None, covered: Sequence[Thing], *, is_required: bool
) -> Outline | None:
    """Remove people and animals in front of a thing, such as a rider, from the outline of the thing.

    If the outline of a person or animal is uncertain, return None if `is_required` is true. Otherwise, do not
    remove the person or animal.
    """
    for other in covered:
        rival = exact_outline(canvas, other.box)
        if rival is not None and rival.confidence >= MIN_CONFIDENCE and cut is not None:
            cut = cut._replace(mask=cut.mask * (1 - _mask_in_view_of(cut, rival)))
        elif is_required:
            return None
    return cut


def _people_and_animals_beside(canvas: Canvas, thing: Thing) -> list[Thing]:
    """Return the people and animals of a different kind whose boxes overlap the box of a thing.

    Someone who wears or holds the thing, such as a tie, does not count, and neither does the thing itself if
    the detector took it for another animal.
    """
    others = [other for other in things_seen(canvas) if other.kind in LIVING and other.score >= SURE]
    near = [other for other in others if other.kind != thing.kind and other.box.overlap(thing.box)]
    return [other for other in near if not (_is_on(thing, other) or _is_same_animal(thing, other))]


def _is_same_animal(thing: Thing, other: Thing) -> bool:
    """Return whether two detected animals of different kinds are one animal, because their boxes agree."""
    return {thing.kind, other.kind} <= ANIMALS and _is_same(thing, other)


def _is_same(thing: Thing, other: Thing) -> bool:
    """Return whether two boxes show one thing, for example because the thing was examined again."""
    return thing.box.overlap_ratio(other.box) > _MIN_SAME_OVERLAP


def _is_on(thing: Thing, other: Thing) -> bool:
    """Return whether a thing is in front of a much larger one, because its box is inside the other box."""
    return (
        covered_share(thing.box, other.box) > _MIN_PART_SHARE
        and other.box.area > _MAX_AREA_RATIO * thing.box.area
    )


def _mask_in_view_of(cut: Outline, other: Outline) -> Floats:
    """Return the mask of another outline, resampled to the view and size of this outline's mask."""
    mask = np.zeros_like(cut.mask)
    place = _common_view(cut, other)
    if place is not None:
        inner = cut.place_of(place).within(*mask.shape[::-1])
        source = other.place_of(place).within(*other.mask.shape[::-1])
        mask[inner.slices] = cv2.resize(other.mask[source.slices], (inner.width, inner.height))
    return mask


def _is_confusable(thing: Thing, other: Thing) -> bool:
    """Return whether another thing of the same kind is so close that one outline could cover both."""
    is_near = other.kind == thing.kind and thing.box.overlap(other.box) > 0
    return is_near and not _is_same(thing, other)


def _is_covering(canvas: Canvas, cut: Outline, other: Thing) -> bool:
    """Return whether an outline covers much of another thing."""
    return _share_taken(canvas, cut, other) > _MAX_COVERED_SHARE


def _share_taken(canvas: Canvas, cut: Outline, other: Thing) -> float:
    """Return the share of a thing's exact outline, in the view of another outline, that the latter covers."""
    rival = exact_outline(canvas, other.box, is_rough=True)
    place = rival and _common_view(cut, rival)
    if rival is None or place is None:
        return 0.0
    own, theirs = (_mask_part_in(one, place) for one in (cut, rival))
    return float(np.minimum(own, theirs).sum()) / max(1e-6, float(theirs.sum()))


def _common_view(cut: Outline, other: Outline) -> Box | None:
    """Return the part of the photo that the views of both outlines show, or None."""
    place = Box(*map(max, cut.view[:2], other.view[:2]), *map(min, cut.view[2:], other.view[2:]))
    return place if min(place.width, place.height) > 0 else None


def _mask_part_in(cut: Outline, place: Box) -> Floats:
    """Return the part of an outline's mask inside a box of the photo, at a fixed size."""
    inner = cut.place_of(place).within(*cut.mask.shape[::-1])
    return cv2.resize(
        cut.mask[inner.slices], (_COMPARED_PIXELS, _COMPARED_PIXELS), interpolation=cv2.INTER_AREA
    )


def _person_or_animal_outline(canvas: Canvas, box: Box) -> Outline:
    view = view_of(box, canvas.picture)
    inner = box.grown(_MAX_BEYOND_BOX, canvas.picture.width, canvas.picture.height).seen_from(view)
    model_cut = canvas.models.subject(part_of(canvas.picture, view), [inner]) if canvas.models else None
    return (
        Outline(view, model_cut.mask, model_cut.confidence) if model_cut else outline_of(canvas.picture, box)
    )


def outline_in_box(
    canvas: Canvas, box: Box, larger: float = 0.0, *, is_rough: bool = False
) -> Outline | None:
    """Return the outline of the prominent thing in a box, or None if the outline is uncertain.

    The box is enlarged by `larger`, as a share of the box's sides. If `is_rough` is true, an outline that is
    good enough for a blur is accepted.
    """
    width, height = canvas.picture.width, canvas.picture.height
    view, drawn = box.grown(VIEW_MARGIN, width, height), box.grown(larger, width, height)
    cut = find_subject(part_of(canvas.picture, view), [drawn.seen_from(view)], canvas.models)
    sure = cut.soft_confidence if is_rough else cut.confidence
    return Outline(view, cut.mask, sure) if sure >= MIN_CONFIDENCE else None


def _remove_neighbors(canvas: Canvas, cut: Outline, thing: Thing) -> Outline:
    """Remove the pixels of an outline that are closer to another thing of the same kind.

    Pixels outside the bounding box of the thing are removed, too.
    """
    size = cut.mask.shape[::-1]
    own = thing.box.grown(_MAX_BEYOND_BOX, canvas.picture.width, canvas.picture.height)
    mask = cut.mask * boxes_to_mask([cut.place_of(own)], cut.mask.shape)
    for other in things_seen(canvas):
        if other.kind == thing.kind and other != thing and own.overlap(other.box):
            other_area = cut.place_of(other.box).within(*size).slices
            mask[other_area][
                (_distance_from_center(cut, other.box) < _distance_from_center(cut, thing.box))[other_area]
            ] = 0
    return cut._replace(mask=mask)


def _distance_from_center(cut: Outline, box: Box) -> Floats:
    """Return the distance of each pixel of a mask from the center of a box.

    The unit is the width of the box horizontally, and the height of the box vertically.
    """
    place = cut.place_of(box)
    x, y = place.center
    rows, columns = np.indices(cut.mask.shape, np.float32) + np.float32(0.5)
    return cast(Floats, np.hypot((columns - x) / place.width, (rows - y) / place.height))
