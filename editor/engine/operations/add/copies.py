"""Copy objects in the photo until there are as many as requested."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.canvas import Canvas, operation
from editor.engine.errors import OperationError
from editor.engine.kinds import LIVING, ON_POLES, kinds_of, plural_of, singular_of, takes_them
from editor.engine.operations.composition.free_places import FreePlaces
from editor.engine.operations.composition.pieces import Piece, cut_out, each_cut_out, paint_piece
from editor.engine.operations.composition.placement import cut_off_error
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Step, Target
from editor.engine.targets.detector import things_seen
from editor.engine.targets.drawn_boxes import marked_boxes
from editor.engine.targets.thing_outlines import covered_share
from editor.engine.targets.things import target_things
from editor.engine.vision.things import SURE, Thing
from editor.sentences import Sentence

# Minimum overlap between an object and a marked box for the object to count as marked, as a share of the
# object or of the box.
_MIN_MARKED_OVERLAP = 0.6
# Share of an object's box inside a person's box above which the person is assumed to be holding or wearing
# the object.
_MIN_HELD_SHARE = 0.7
# Size factors for the copies, because real objects are never exactly alike.
_SIZE_FACTORS = (1.0, 0.97, 1.02, 0.98, 1.01)
# Kinds of objects held up by a pole or a handle, which is rarely detected as part of the object.
_HELD_UP = ON_POLES | {"umbrella"}
# Kinds of objects whose copies may be mirrored: they show no writing and look alike from both sides.
_TURNABLE = LIVING | {"apple", "orange", "banana", "donut", "sports ball", "potted plant", "teddy bear"}


@operation
def count_thing(canvas: Canvas, step: Step, *, count: int | None, more: int | None) -> Canvas:
    """Copy the target until there are `count` objects in all, or add `more` copies.

    If objects are marked, those are copied; otherwise, the detected objects are. The copies are placed on
    similar ground. Raises OperationError if the objects cannot be counted, are cut off, or leave no room for
    copies.
    """
    target, is_marked = step.target, step.target.what == "region"
    things = _unmarked_things(canvas, target) if is_marked else _things(canvas, target)
    present = len(things) + len(target.boxes) or 1
    if more is None:
        _require_sure(target, things)
    missing = (count or 2) - present if more is None else more
    if missing <= 0:
        raise _already_enough(target, present)
    sources = _sources(canvas, target, things)
    for copy in _copies(canvas, sources, missing, target):
        canvas = paint_piece(canvas, copy, instead_of=None, target=target)
    return canvas.with_notice(_sentence(target, present, missing))


def _sentence(target: Target, present: int, missing: int) -> Sentence:
    objects = _counted(target, present)
    copies = Sentence("1 copy") if missing == 1 else Sentence("%(n)s copies", n=missing)
    if present == len(target.boxes):
        return Sentence("You marked %(found)s, and I added %(copies)s.", found=objects, copies=copies)
    return Sentence("I found %(found)s, and I added %(copies)s.", found=objects, copies=copies)


def _counted(target: Target, count: int) -> Sentence:
    one = singular_of(target.noun or "thing")
    if count == 1:
        return Sentence("one %(noun)s", noun=one)
    return Sentence("%(n)s %(noun)s", n=count, noun=_plural(one))


def _plural(noun: str) -> str:
    """Return the plural of a noun.

    The user can name a marked object with any word, so the noun may already be a plural.
    """
    return noun if takes_them(noun) else plural_of(noun)


def _things(canvas: Canvas, target: Target) -> list[Thing]:
    """Return the detected objects that the target refers to.

    The list is empty if the detector does not know this kind of object.
    """
    if not kinds_of(target.noun):
        return []
    things = target_things(canvas, target)
    _require_ground(canvas, target, [thing.box for thing in things], {thing.kind for thing in things})
    return things


def _unmarked_things(canvas: Canvas, target: Target) -> list[Thing]:
    """Return the detected objects that match the target but that the user did not mark.

    Raises OperationError if one marked box contains several objects.
    """
    boxes, kinds = marked_boxes(canvas, target), kinds_of(target.noun)
    _require_ground(canvas, target, boxes, set(kinds))
    named = Target("thing", noun=plural_of(target.noun or ""), color=target.color)
    try:
        things = target_things(canvas, named) if kinds else []
    except OperationError:
        things = []  # The detector does not have to recognize objects that the user marked.
    inside = [
        [thing for thing in things if covered_share(thing.box, box) > _MIN_MARKED_OVERLAP] for box in boxes
    ]
    if any(len(objects) > 1 for objects in inside):
        hint = Sentence("Draw a separate box around each %(noun)s.", noun=singular_of(target.noun or "thing"))
        raise OperationError(
            Reason.AMBIGUOUS,
            Sentence("One box contains several %(noun)s.", noun=_plural(target.noun or "")),
            hint,
        )
    return [
        t
        for t in things
        if not any(
            covered_share(t.box, box) > _MIN_MARKED_OVERLAP or covered_share(box, t.box) > _MIN_MARKED_OVERLAP
            for box in boxes
        )
    ]


def _require_ground(canvas: Canvas, target: Target, boxes: Sequence[Box], kinds: set[str]) -> None:
    """Raise OperationError if something holds the objects up, because copies would hang in the air."""
    name = singular_of(target.noun or "thing")
    if kinds & _HELD_UP:
        sentence = Sentence("Copies of the %(name)s wouldn't include what holds it up.", name=name)
        raise OperationError(
            Reason.LOW_CONFIDENCE, sentence, Sentence("Choose something that stands on its own.")
        )
    people = [thing.box for thing in things_seen(canvas) if thing.kind == "person" and thing.score >= SURE]
    if all(any(_is_held(box, person) for person in people) for box in boxes):
        raise OperationError(
            Reason.LOW_CONFIDENCE,
            Sentence("A person holds or wears the %(name)s, so copies would hang in the air.", name=name),
            Sentence("Choose something that stands on its own."),
        )


def _is_held(box: Box, person: Box) -> bool:
    """Return whether an object's box is mostly inside the box of a person who is holding the object.

    The two boxes must differ clearly, because the detected object may be the person.
    """
    return covered_share(box, person) > _MIN_HELD_SHARE and covered_share(person, box) < _MIN_HELD_SHARE


def _require_sure(target: Target, things: list[Thing]) -> None:
    sure = [thing for thing in things if thing.score >= SURE]
    if sure and len(sure) < len(things):
        raise OperationError(
            Reason.LOW_CONFIDENCE,
            Sentence(
                "I can't tell whether there are %(least)s or %(most)s %(noun)s.",
                least=len(sure),
                most=len(things),
                noun=target.noun,
            ),
            Sentence("Say how many to add, for example “add two more %(noun)s”.", noun=target.noun),
        )


def _already_enough(target: Target, present: int) -> OperationError:
    one = singular_of(target.noun or "thing")
    return OperationError(
        Reason.AMBIGUOUS,
        Sentence("The photo already shows %(found)s.", found=_counted(target, present)),
        Sentence("Say which one to remove, for example “remove the %(noun)s on the left”.", noun=one),
    )


def _sources(canvas: Canvas, target: Target, things: list[Thing]) -> list[Piece]:
    """Return the cut-out objects to copy, largest first.

    Objects that are cut off by the left, right, or upper edge of the photo are left out.
    """
    if target.boxes:
        pieces = [cut_out(canvas, replace(target, boxes=(number,))) for number in target.boxes]
    else:
        pieces = each_cut_out(canvas, target, things) if things else [cut_out(canvas, target)]
    whole = [piece for piece in pieces if piece.cut <= {"bottom"}]
    if not whole:
        raise cut_off_error(replace(target, noun=singular_of(target.noun or "thing")), "copy")
    return sorted(whole, key=lambda piece: (len(piece.cut), -piece.box.area, piece.box))


def _copies(canvas: Canvas, sources: list[Piece], missing: int, target: Target) -> list[Piece]:
    """Return the copies as cut-out objects.

    They are sorted from far to near, so that no copy covers a nearer one.
    """
    free_places, copies = FreePlaces(canvas, sources), list[Piece]()
    is_turned = not _TURNABLE.isdisjoint(kinds_of(target.noun))
    for number in range(missing):
        source = sources[number % len(sources)]
        wanted = source.mirrored("horizontal") if is_turned and number % 2 == 0 else source
        share = _SIZE_FACTORS[number % len(_SIZE_FACTORS)] if not source.cut else 1.0
        copy = free_places.placed(source, wanted, share)
        if copy is None:
            raise _no_room(target, len(copies))
        copies.append(copy)
    return sorted(copies, key=lambda piece: (piece.box.bottom, piece.box))


def _no_room(target: Target, possible: int) -> OperationError:
    one = singular_of(target.noun or "thing")
    noun = one if possible == 1 else _plural(one)
    sentence = Sentence("There is no room for more %(noun)s on similar ground.", noun=noun)
    if possible:
        sentence = Sentence(
            "There is room for only %(n)s more %(noun)s on similar ground.", n=possible, noun=noun
        )
    return OperationError(Reason.TOO_LARGE, sentence, Sentence("Ask for fewer, or extend the photo."))
