"""How a plan names what a step changes, and by how much."""

from collections.abc import Iterable

from editor.engine.kinds import DEPTHS, PARTS, is_plural, is_someone, kinds_of
from editor.engine.plan import WHOLE, Step, Target

FACES = "the faces"  # all that are found
_DEGREES = (
    (0.15, "a touch"),
    (0.3, "a little"),
    (0.5, ""),
    (0.7, "much"),
    (0.9, "dramatically"),
    (2.0, "as far as possible:"),
)


def degree(step: Step, direction: str) -> str:
    """ "Much brighter", "brighter by 20%": the direction with the amount before it or the number behind."""
    wanted = step.how_much
    if wanted.number is not None:
        measure = {"percent": "%", "stops": " stop" if abs(wanted.number) == 1 else " stops"}[wanted.unit]
        return f"{direction} by {figure(abs(wanted.number))}{measure}"
    word = next(word for limit, word in _DEGREES if abs(step.amount or 0.0) < limit)
    return f"{word} {direction}".strip()


def where_words(step: Step) -> str:
    """ "The sky of photo 2": what a step changes, and of which photo where that was said."""
    if step.photo and step.target == WHOLE:
        return f"photo {step.photo}"
    where = target_words(step.target)
    return f"{where} of photo {step.photo}" if step.photo else where


def target_words(target: Target) -> str:
    """ "The whole photo", "the faces", "the marked sky"."""
    if target.what == "region":
        return _marked_words(target)
    if target == WHOLE:
        return "the whole photo"
    if target.what == "face":
        name = "the face" if target.count == 1 or target.place else FACES
        return f"{name} {at_place(target.place)}".rstrip()
    if target.what == "place":
        return f"the {target.place} of the photo, blended softly"
    return f"the {target.what}" if target.what != "thing" else thing_words(target)


def _marked_words(target: Target) -> str:
    """ "The marked sky" is all of it, "the marked place" the box itself."""
    name = " ".join(word for word in (target.color, target.noun) if word)
    if not name:
        return box_words(target.boxes)
    return f"the marked {name}" if target.boxes in ((), (1,)) else f"the {name} in {box_words(target.boxes)}"


def box_words(boxes: tuple[int, ...]) -> str:
    """The first box is mostly the only one; of others the number tells which is meant."""
    if boxes in ((), (1,)):
        return "the marked place"
    return f"{'box' if len(boxes) == 1 else 'boxes'} {and_words(map(str, boxes))}"


def around_words(target: Target) -> str:
    """What the background is of, where it is not the subject."""
    return f", all but {thing_words(target)}" if target.noun else ""


def thing_words(target: Target) -> str:
    """ "The red car on the left", "the man's hat"."""
    color, noun = target.color, target.noun or "parts"
    worn = f"in {color}" if color and is_someone(noun) else None
    owner = f"{_which(Target('thing', noun=target.of))} {target.of}'s" if target.of else None
    which = None if owner else _which(target)
    parts = (owner, which, None if worn else color, noun, worn, at_place(target.place))
    return " ".join(part for part in parts if part)


def _which(target: Target) -> str | None:
    """ "The two", "the only", or "all" where nothing tells which; color alone is of no thing."""
    if target.count:
        return "the only" if target.count == 1 else f"the {target.count}"
    if target.boxes or not (kinds_of(target.noun) or (target.noun in PARTS and not target.color)):
        return None
    return "all" if is_plural(target.noun or "") and not (target.place or target.color) else "the"


def at_place(place: str | None) -> str:
    """ "On the left", "on the right in the background"."""
    if place is None:
        return ""
    depth = next((depth for depth in DEPTHS if depth in place.split()), None)
    side = place.replace(depth or "", "").strip()
    is_inside, is_beside = side == "center", side in ("left", "right")
    where = f"{'in' if is_inside else 'on' if is_beside else 'at'} the {side}" if side else ""
    return " ".join(part for part in (where, f"in the {depth}" if depth else "") if part)


def whose(target: Target) -> str:
    """Who a face is of."""
    where = f"in {box_words(target.boxes)}" if target.boxes else at_place(target.place)
    return f"the {target.of or 'person'} {where}".rstrip()


def thing_named(target: Target) -> str:
    """ "The dog", "what box 2 marks": the thing, and not the place where it is."""
    if target.what == "region":
        return "what the box marks" if target.boxes in ((), (1,)) else f"what box {target.boxes[0]} marks"
    words = target_words(target)
    return words if words.startswith("the ") else f"the {words}"


def figure(value: float) -> str:
    """ "90", "2.5", and "33.33" of a third: without needless zeros."""
    return f"{round(value, 2):g}"


def and_words(parts: Iterable[str]) -> str:
    """ "Left, right and top"."""
    listed = list(parts)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"
