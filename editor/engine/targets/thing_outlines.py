"""Outline detected things, as masks over the photo and as holes to fill."""

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError, mark
from editor.engine.kinds import ANIMALS, LIVING, is_plural
from editor.engine.masks import ALPHA_SIDE, box_of, boxes_to_mask, closed, mask_of
from editor.engine.pixels import Box, copy_size
from editor.engine.plan import Reason, Target
from editor.engine.targets.decoded_masks import exact_outline, has_masks, prominent_mask
from editor.engine.targets.detector import things_seen
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
from editor.engine.targets.subject import MIN_CONFIDENCE, find_subject
from editor.engine.targets.things import target_things
from editor.engine.vision.things import SURE, Thing
from editor.sentences import Sentence

# Margin by which a thing may extend beyond its bounding box, as a share of the box's sides.
_MAX_BEYOND_BOX = 0.03
# Maximum share of a thing's bounding box that another thing may cover if the thing's own outline is
# inexact. It is also the maximum share of another thing that an outline may contain.
_MAX_COVERED_SHARE = 0.3
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
# Kinds of furniture that other things are often on or in front of.
FURNITURE = frozenset({"dining table", "bed", "couch", "bench"})
# Kinds of things that consist of thin parts.
_SEE_THROUGH_KINDS = frozenset({"bicycle"})
_MAX_BOX_SHARE = 0.25  # maximum area of a bounding box that is removed as a whole, as a share of the photo
_MAX_FILLED_SHARE = 0.88  # maximum share of a bounding box that a person or animal can fill
# Minimum width and height of an outline that is used as a mask, as a share of its box's sides.
_MIN_MASK_SPAN = 0.8
_MIN_SPAN = 0.85  # minimum width and height of the complete outline of a thing, as a share of its box's sides
# Minimum width and height of the complete outline of a person or animal, as a share of its box's sides.
_MIN_SPAN_OF_PERSON_OR_ANIMAL = 0.7
# Maximum width at which a gap between overlapping things is closed, as a share of the longest side of a box.
_MAX_GAP_WIDTH = 0.15
_COMPARED_PIXELS = 200  # width and height, in pixels, of the copies on which outlines are compared
# Maximum height of the shoes missing from an outline, as a share of the person's box's height.
_MAX_FEET_HEIGHT = 0.12

_INDISTINCT_AROUND = (
    Sentence("I can't tell the %(noun)s from what is around it."),
    Sentence("I can't tell the %(noun)s from what is around them."),
)
_INDISTINCT_NEXT_TO = (
    Sentence("I can't tell the %(noun)s from what is next to it."),
    Sentence("I can't tell the %(noun)s from what is next to them."),
)


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
