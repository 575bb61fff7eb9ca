"""More of what the photo shows: copies of it until there are so many."""

from dataclasses import replace

from editor.engine.canvas import Canvas, operation
from editor.engine.kinds import LIVING, ON_POLES, kinds_of, singular_of
from editor.engine.operations.composition.ground import Ground
from editor.engine.operations.composition.pieces import Piece, cut_out, each_cut_out, laid
from editor.engine.operations.composition.standing import uncut
from editor.engine.plan import Reason, Step, Target
from editor.engine.refused import Unable
from editor.engine.targets.detector import SURE, Thing, things_seen
from editor.engine.targets.things import covered, things_meant

_HELD = 0.7  # of a thing's box in that of a person: somebody holds it, or has it on
_VARIED = (1.0, 0.97, 1.02, 0.98, 1.01)  # times its size: no two of a kind are quite alike
_HELD_UP = ON_POLES | {"umbrella"}
"""What its pole or handle holds up, which is hardly ever found with it."""
_TURNABLE = LIVING | {"apple", "orange", "banana", "donut", "sports ball", "potted plant", "teddy bear"}
"""What shows no writing, and has no side that it always turns to one."""


@operation
def count_thing(canvas: Canvas, step: Step) -> Canvas:
    """As many of the target as the exact number says ("in all"), or so many "more": copies of what is seen,
    on ground like its own. Unable where it cannot be counted, is not whole, or has no room."""
    number, counting = step.exact or (2.0, "in all")
    target, things = step.target, _things(canvas, step.target)
    seen = len(things) or 1
    if counting == "in all":
        _require_sure(target, things)
    missing = round(number) - (seen if counting == "in all" else 0)
    if missing <= 0:
        raise _enough(target, seen)
    sources = _sources(canvas, target, things)
    for copy in _copies(canvas, sources, missing, target):
        canvas = laid(canvas, copy, instead_of=None, target=target)
    one = seen == 1
    found = f"{'One' if one else seen} {target.noun if not one else singular_of(target.noun or 'thing')}"
    return canvas.noticing(f"{found} {'was' if one else 'were'} seen, and {missing} copied.")


def _things(canvas: Canvas, target: Target) -> list[Thing]:
    """What is seen of it; none where only its color tells it."""
    if not kinds_of(target.noun):
        return []
    things = things_meant(canvas, target)
    if any(thing.kind in _HELD_UP for thing in things):
        sentence = f"What holds the {singular_of(target.noun or 'thing')} up would be missing on copies."
        raise Unable(Reason.LOW_CONFIDENCE, sentence)
    people = [thing for thing in things_seen(canvas) if thing.kind == "person" and thing.score >= SURE]
    if all(any(covered(thing.box, other.box) > _HELD for other in people) for thing in things):
        name = singular_of(target.noun or "thing")
        raise Unable(
            Reason.LOW_CONFIDENCE, f"Somebody holds the {name} or has it on: copies would hang in the air."
        )
    return things


def _require_sure(target: Target, things: list[Thing]) -> None:
    sure = [thing for thing in things if thing.score >= SURE]
    if sure and len(sure) < len(things):
        raise Unable(
            Reason.LOW_CONFIDENCE,
            f"It is not sure how many {target.noun} there are: {len(sure)} or {len(things)}.",
            f"Say how many more there are to be, for example: add two more {target.noun}.",
        )


def _enough(target: Target, seen: int) -> Unable:
    one = singular_of(target.noun or "thing")
    there = f"is one {one}" if seen == 1 else f"are {seen} {target.noun}"
    return Unable(
        Reason.AMBIGUOUS,
        f"There {there} in the photo already.",
        f"Say which is to go: remove the {one} on the left.",
    )


def _sources(canvas: Canvas, target: Target, things: list[Thing]) -> list[Piece]:
    """What copies are made of: the pieces that the frame does not cut, the largest first."""
    pieces = each_cut_out(canvas, target, things) if things else [cut_out(canvas, target)]
    whole = [piece for piece in pieces if piece.cut <= {"bottom"}]
    if not whole:
        raise uncut(replace(target, noun=singular_of(target.noun or "thing")), "copied")
    return sorted(whole, key=lambda piece: (len(piece.cut), -piece.box.area, piece.box))


def _copies(canvas: Canvas, sources: list[Piece], missing: int, target: Target) -> list[Piece]:
    """A piece for each copy at its place, the farthest first, so that none covers a nearer one."""
    ground, copies = Ground(canvas, sources), list[Piece]()
    is_turned = not _TURNABLE.isdisjoint(kinds_of(target.noun))
    for number in range(missing):
        source = sources[number % len(sources)]
        wanted = source.mirrored("horizontal") if is_turned and number % 2 == 0 else source
        share = _VARIED[number % len(_VARIED)] if not source.cut else 1.0
        copy = ground.placed(source, wanted, share)
        if copy is None:
            raise _no_room(target, len(copies))
        copies.append(copy)
    return sorted(copies, key=lambda piece: (piece.box.bottom, piece.box))


def _no_room(target: Target, possible: int) -> Unable:
    noun = singular_of(target.noun or "thing") if possible == 1 else target.noun
    room = f"room for only {possible} more {noun}" if possible else f"no room for more {noun}"
    return Unable(
        Reason.TOO_LARGE, f"There is {room} on ground like theirs.", "Ask for fewer, or extend the photo."
    )
