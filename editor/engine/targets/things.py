"""Find detected things by their descriptions: "the car on the left", "the people in the background".

If several things match, a place, a color, or a number selects among them. If the choice remains ambiguous,
the target is refused.
"""

from collections.abc import Sequence

import cv2

from editor.engine.canvas import Canvas
from editor.engine.errors import OperationError, mark, name_or_it
from editor.engine.kinds import DEPTHS, is_plural, kinds_of, plural_of, rank_in
from editor.engine.pixels import working_copy
from editor.engine.plan import Reason, Target
from editor.engine.targets.color import likeness
from editor.engine.targets.decoded_masks import exact_outline
from editor.engine.targets.detector import things_of, things_seen
from editor.engine.targets.faces import faces_seen
from editor.engine.targets.outlines import part_of
from editor.engine.targets.places import distance_to, is_at
from editor.engine.targets.subject import MIN_CONFIDENCE
from editor.engine.vision.things import SURE, Thing
from editor.imaging.picture import Picture
from editor.sentences import Sentence

# Maximum area of a thing in the background, as a share of the largest thing's area.
_MAX_BACKGROUND_RATIO = 0.5
# Minimum area of a thing in the foreground, as a share of the largest thing's area.
_MIN_FOREGROUND_RATIO = 0.6
# Minimum area at which a thing with a low score counts, as a share of the largest thing's area.
_MIN_COUNTED_RATIO = 0.35
# Minimum detection score of a thing that is the only match.
MIN_SINGLE_SCORE = 0.4
# Maximum area of a background thing that is the only match, as a share of the photo.
_MAX_BACKGROUND_SHARE = 0.12
_MIN_COLOR_SHARE = 0.1  # minimum share of a thing's outline or bounding box that must show the named color
# A match counts if its share of the named color is at least the largest share divided by this number.
_MAX_COLOR_RATIO = 1.7
_COLOR_PIXELS = 200  # longer side, in pixels, of the copies on which the colors of things are measured
_MIN_LIKENESS = 0.5  # minimum likeness, from 0 to 1, at which a pixel has the named color


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
