"""Find everyday things in the photo that is being edited."""

import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.kinds import ANIMALS, siblings_of
from editor.engine.pixels import Box
from editor.engine.targets.analyzed import THINGS
from editor.engine.targets.decoded_masks import prominent_mask
from editor.engine.targets.outlines import VIEW_MARGIN, part_of
from editor.engine.vision.things import SURE, Thing, candidates, detect

_MIN_SAME_OVERLAP = 0.5  # minimum overlap of two boxes that show the same thing
_MAX_EXAMINED_BOXES = 4  # maximum number of boxes that are examined again, highest scores first
_MIN_LIKELY_SCORE = 0.4  # minimum score of a thing that needs no explanation by another kind
_MIN_PROMINENT_CERTAINTY = 0.8  # minimum certainty of the prominent part of a photo that may be an animal
_MIN_BEST_SCORE = 0.35  # minimum score of the likeliest thing in a second examination
_MIN_FAINT_SCORE = 0.3  # minimum score of a faint thing that a view of its surroundings can confirm
# Margin around a thing in a view of its surroundings, as a share of its box's sides.
_SURROUNDINGS_MARGIN = 2.0
# Maximum area of such a view, as a share of the photo. A larger one shows nothing new.
_MAX_SURROUNDINGS_SHARE = 0.5
# Minimum scores of the requested kind, as shares of the likeliest kind's score. The first applies to a
# single similar thing if nothing is certain, and the second in all other cases.
_MIN_SCORE_RATIO_OF_SINGLE, _MIN_SCORE_RATIO = 0.5, 0.85


def things_seen(canvas: Canvas) -> list[Thing]:
    """Return the things in the picture. The things are detected only once for the same pixels."""
    return canvas.get_or_compute(THINGS, lambda: detect(canvas.picture))


def things_of(canvas: Canvas, kinds: tuple[str, ...], things: list[Thing]) -> list[Thing]:
    """Return the things of these kinds among the detected things, `things`.

    Things of similar kinds are examined again, because a cat may have been mistaken for a dog, and a jeep for
    an airplane. If nothing is certain, uncertain things of these kinds are also examined and included.
    """
    seen = [thing for thing in things if thing.kind in kinds]
    siblings = siblings_of(kinds)
    similar = [thing for thing in things if thing.kind in siblings]
    is_sure = any(thing.score >= SURE for thing in seen)
    if not kinds or (is_sure and not similar):
        return seen
    matches = _things_of_kinds(canvas, kinds, seen, similar)
    is_likely = any(thing.score >= _MIN_LIKELY_SCORE for thing in matches)
    return matches if is_likely else _things_by_other_name(canvas, kinds, things) or matches


def _things_of_kinds(
    canvas: Canvas, kinds: tuple[str, ...], seen: list[Thing], similar: list[Thing]
) -> list[Thing]:
    """Return the things of these kinds after a second examination of uncertain and similar things."""
    is_sure = any(thing.score >= SURE for thing in seen)
    closer = canvas.get_or_compute(
        ("closer", kinds), lambda: _examine_closer(canvas, kinds, similar, is_sure)
    )
    sure_boxes = [thing.box for thing in seen if thing.score >= SURE]
    new = [
        thing
        for thing in closer
        if not any(thing.box.overlap_ratio(box) > _MIN_SAME_OVERLAP for box in sure_boxes)
    ]
    boxes = [thing.box for thing in new]
    return [
        *new,
        *(
            thing
            for thing in seen
            if not any(thing.box.overlap_ratio(box) > _MIN_SAME_OVERLAP for box in boxes)
        ),
    ]


def _things_by_other_name(canvas: Canvas, kinds: tuple[str, ...], things: list[Thing]) -> list[Thing]:
    """Return the only thing that people may mean by these kinds although it is not of these kinds.

    People call a jeep or a pickup a car, and the detector calls it a truck. An animal may be the only animal
    that the detector is uncertain about, or the prominent part of a photo in which the detector recognizes
    nothing.
    """
    if "car" in kinds:
        trucks = [thing for thing in things if thing.kind == "truck" and thing.score >= SURE]
        return trucks if len(trucks) == 1 else []
    if not set(kinds) <= ANIMALS or any(thing.score >= SURE for thing in things):
        return []
    animals = [thing for thing in things if thing.kind in ANIMALS]
    if animals:
        return animals if len(animals) == 1 else []
    prominent = prominent_mask(canvas)
    if prominent is None or prominent.certainty < _MIN_PROMINENT_CERTAINTY:
        return []
    scale = canvas.picture.width / prominent.mask.shape[1]
    solid = (prominent.mask > 0.5).astype(np.uint8)
    return [Thing(kinds[0], SURE, Box.around(solid).sized(scale))] if solid.any() else []


def _examine_closer(
    canvas: Canvas, kinds: tuple[str, ...], similar: list[Thing], is_sure: bool
) -> list[Thing]:
    """Examine things of similar kinds again and, if nothing is certain, also things with low scores.

    A single thing may be of the requested kind even if a similar kind has a somewhat higher score.
    """
    share = _MIN_SCORE_RATIO_OF_SINGLE if len(similar) == 1 and not is_sure else _MIN_SCORE_RATIO
    faint = [] if is_sure else [thing for thing in candidates(canvas.picture) if thing.kind in kinds]
    confirmed: list[Thing] = []
    for thing in sorted([*similar, *faint], key=lambda thing: -thing.score)[:_MAX_EXAMINED_BOXES]:
        closer = _detect_again(canvas, thing.box, kinds, share)
        if closer is None and thing in faint:
            closer = _confirm_faint(canvas, thing)
        if closer and not any(closer.box.overlap_ratio(other.box) > _MIN_SAME_OVERLAP for other in confirmed):
            confirmed.append(closer)
    return confirmed


def _confirm_faint(canvas: Canvas, thing: Thing) -> Thing | None:
    """Return a small faint thing as a likely one if it is the likeliest thing in a view of its surroundings.

    Two views that agree are better evidence than one. A tight view does not show what a thing stands on.
    """
    width, height = canvas.picture.width, canvas.picture.height
    view = thing.box.grown(_SURROUNDINGS_MARGIN, width, height)
    if thing.score < _MIN_FAINT_SCORE or view.area > _MAX_SURROUNDINGS_SHARE * width * height:
        return None
    best = max(_things_in_view(canvas, thing.box, view), key=lambda other: other.score, default=None)
    if best is None or best.kind != thing.kind or best.score < _MIN_BEST_SCORE:
        return None
    return thing._replace(score=max(best.score, _MIN_LIKELY_SCORE))


def _things_in_view(canvas: Canvas, box: Box, view: Box) -> list[Thing]:
    """Return the things that a view of the photo shows in a box, in coordinates of the view."""
    near = box.seen_from(view)
    seen = candidates(part_of(canvas.picture, view))
    return [thing for thing in seen if thing.box.overlap_ratio(near) > _MIN_SAME_OVERLAP]


def _detect_again(canvas: Canvas, box: Box, kinds: tuple[str, ...], share: float) -> Thing | None:
    """Detect the thing in a box again in an enlarged view.

    Return the thing if it is likely enough to be of one of the given kinds. The likeliest kind must be one of
    these or a similar kind. The score for the given kinds must be at least `share` times the highest score.
    """
    view = box.grown(VIEW_MARGIN, canvas.picture.width, canvas.picture.height)
    in_box = _things_in_view(canvas, box, view)
    own = max((thing for thing in in_box if thing.kind in kinds), key=lambda thing: thing.score, default=None)
    best = max(in_box, key=lambda thing: thing.score, default=None)
    if own is None or best is None or best.score < _MIN_BEST_SCORE or own.score < share * best.score:
        return None
    if best.kind not in kinds and best.kind not in siblings_of(kinds):
        return None
    return Thing(own.kind, best.score, own.box.moved(view.left, view.top))
