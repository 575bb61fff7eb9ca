"""One thing of the photo moved, copied, made larger or smaller, mirrored or turned.

Each wish is a verb, the name of a thing, and a way: where to, how large, which way round. Every word belongs
to one of the three, or the wish is another one.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from editor.engine.kinds import LIVING, PARTS, is_plural, kinds_of
from editor.engine.language.grammar import Atom, Measure, is_packing
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.connectives import ABOVE, BELOW, BESIDE
from editor.engine.language.lexicon.things import BODY
from editor.engine.language.phrases import COPIED, NEW_BACKGROUND, REMOVED, Answer, Phrase
from editor.engine.language.placing import is_noun_phrase
from editor.engine.language.scopes import is_name
from editor.engine.language.seen import seen_thing
from editor.engine.plan import Kind, Reason, Refusal, Target

type Way = dict[str, Any]
"""What a step is told by the words behind the name."""

_WHOLE_THINGS = "Only a whole thing can be moved or reshaped, no part of a body and nothing that is worn."
_BOTH = "Mark both with boxes: the thing with the first, and what it goes beside with the second."
_WHERE = "Say where to, for example: move the dog to the left."
_HOW_FAR = "Say how far, for example: rotate the bag 90 degrees clockwise."
_WHICH = "Say “the photo”, or “this” with a box around the thing, instead of “it”."
_ONE_OF_TWO = "A copy cannot be told from the first one. Change the thing first, and copy it then."
_HOW_MUCH = {
    "move_thing": "Say how far in pixels or percent, for example: move the dog 20% to the left.",
    "copy_thing": "One copy is made at a time, for example: copy the dog to the left.",
    "resize_thing": "Say how large, from 10% to 400% of its size, for example: make the dog 50% bigger.",
    "flip_thing": "Say only which way round, for example: flip the dog horizontally.",
    "rotate_thing": _HOW_FAR,
}
_LEAST, _MOST = 10.0, 400.0  # percent of a thing's size


class _Wish(NamedTuple):
    """An operation, the words that name its thing, and the rest of what it is told."""

    operation: str
    named: Sequence[Atom]
    way: Way


def moved(phrase: Phrase) -> Answer | None:
    """The step that a wish about one thing of the photo comes to; None where it is of something else."""
    atoms = [atom for atom in phrase.clause.atoms if not atom.has(Role.FILLER) or _is_someone(atom)]
    while atoms and is_packing(atoms[0]):
        atoms = atoms[1:]
    while atoms and is_packing(atoms[-1]):
        atoms = atoms[:-1]
    if len(atoms) < 2 or any(atom.kind in ("stop", "comma", "quoted") for atom in atoms):
        return None
    for role, read in _VERBS:
        wish = read(phrase, atoms) if atoms[0].has(role) else None
        if wish is not None:
            return wish if isinstance(wish, Refusal) else _step(phrase, wish)
    return None


def _is_someone(atom: Atom) -> bool:
    return atom.has(Role.SEEN) or atom.text in _ONESELF


def _step(phrase: Phrase, wish: _Wish) -> Answer | None:
    target = _target(phrase, wish.named, wish)
    if target is None or isinstance(target, Refusal):
        return target
    beside = wish.way.get("beside")
    if beside == target:
        return None
    return [phrase.step(Kind.COMPOSITION, wish.operation, target=target, photo=None, **wish.way)]


# --- names -------------------------------------------------------------------------------------------------


def _target(phrase: Phrase, named: Sequence[Atom], wish: _Wish) -> Target | Refusal | None:
    """The thing of a wish: by its box, by its name, or by its color."""
    if any(_is_of_a_body(atom) for atom in named):
        return phrase.refused(Reason.NEEDS_GENERATION, _WHOLE_THINGS)
    numbered = _numbered(phrase, named)
    if numbered is not None:
        return numbered
    is_it = any(atom.has(Role.IT) for atom in named)
    if any(atom.has(Role.COPY) for atom in named) or (is_it and phrase.antecedent == COPIED):
        return phrase.refused(Reason.AMBIGUOUS, _ONE_OF_TWO)
    if is_it and phrase.antecedent == "addition":
        return None
    if _may_be_the_photo(phrase, named, wish):
        is_open = is_it and _may_be_a_thing(phrase)
        return phrase.refused(Reason.AMBIGUOUS, _WHICH) if is_open else None
    name = [atom for atom in named if not _tells_how_much(atom)]
    if not _is_one_name(phrase, name):
        return None
    if len(name) < len(named):
        return phrase.refused(Reason.AMBIGUOUS, _HOW_MUCH[wish.operation])
    boxes = _free_boxes(phrase, wish)
    if boxes:
        if len(boxes) > 1:
            return phrase.refused(Reason.AMBIGUOUS, "Say which box is meant, for example: move box 1.")
        return Target("region", boxes=boxes)
    return _by_name(phrase, named, wish)


def _may_be_the_photo(phrase: Phrase, named: Sequence[Atom], wish: _Wish) -> bool:
    """ "Flip it", "make it larger": but a photo is not moved, and a box is there for "this"."""
    is_of_the_box = bool(phrase.scene.boxes) and phrase.antecedent in ("", "region")
    is_pointed_at = phrase.core[0].has(Role.MAKE) or any(atom.has(Role.THIS) for atom in named)
    is_open = wish.operation not in ("move_thing", "copy_thing") and not (is_of_the_box and is_pointed_at)
    is_its_size = bool(named) and all(atom.has(Role.DETERMINER) or atom.text == "size" for atom in named)
    return is_open and (is_its_size or any(atom.has(Role.IT, Role.THIS) for atom in named))


def _may_be_a_thing(phrase: Phrase) -> bool:
    """Whether "it" may be what a box marks, or the thing that was spoken of."""
    return phrase.antecedent not in _OF_THE_PHOTO or (bool(phrase.scene.boxes) and not phrase.antecedent)


_OF_THE_PHOTO = frozenset({"", "whole", "background", NEW_BACKGROUND, REMOVED})


def _tells_how_much(atom: Atom) -> bool:
    """The "twice" of "copy the dog twice", the "3 cm" of "move the dog 3 cm to the left"."""
    is_number = atom.has(Role.MEASURE, Role.FRACTION, Role.NUMBER) and atom.text != "one"  # "the one here"
    return is_number or atom.text in _UNITS


_UNITS = frozenset({"times", "x", "cm", "mm", "inch", "inches", "centimeters", "halfway", "feet", "meters"})


def _free_boxes(phrase: Phrase, wish: _Wish) -> tuple[int, ...]:
    """The boxes that do not mark where it goes to."""
    beside = wish.way.get("beside")
    taken = beside.boxes if beside else ()
    return tuple(box for box in phrase.scene.boxes if box not in taken)


def _numbered(phrase: Phrase, named: Sequence[Atom]) -> Target | Refusal | None:
    """ "Box 2", "the marked place"."""
    if not any(atom.has(Role.MARKED) for atom in named):
        return None
    numbers = [int(float(str(atom.senses[Role.NUMBER]))) for atom in named if atom.has(Role.NUMBER)]
    numbers += [int(str(atom.senses[Role.ORDINAL])) for atom in named if atom.has(Role.ORDINAL)]
    boxes = tuple(numbers) or phrase.scene.boxes
    missing = [box for box in boxes if box not in phrase.scene.boxes]
    if missing:
        return phrase.refused(Reason.NEEDS_REGION, f"There is no box {missing[0]}. Mark it first.")
    if len(boxes) != 1:
        return phrase.refused(Reason.NEEDS_REGION, "Mark the thing with a box.")
    return Target("region", boxes=boxes)


def _is_of_a_body(atom: Atom) -> bool:
    """Arms and faces, and what somebody wears; flowers are no such part."""
    is_worn = atom.has(Role.PART) and PARTS.get(str(atom.senses[Role.PART])) != "flowers"
    return is_worn or atom.has(Role.FACE) or atom.text.removesuffix("s") in BODY or atom.text in BODY


def _is_one_name(phrase: Phrase, named: Sequence[Atom]) -> bool:
    """Whether the words are a name of one thing: no list, no verb, and neither the photo nor a part of it."""
    telling = [atom for atom in named if not atom.has(Role.DETERMINER)]
    is_plain = not any(atom.has(*_NEVER) or atom.kind not in ("word", "number") for atom in named)
    is_plain = is_plain and not any(is_plural(str(atom.senses.get(Role.SEEN))) for atom in named)
    is_led = bool(telling) and not telling[0].has(Role.PREPOSITION, Role.MEASURE, Role.AMOUNT, Role.TURN)
    return is_led and is_plain and is_noun_phrase(telling, phrase)


_NEVER = (
    *(Role.PHOTO, Role.BACKGROUND, Role.AND, Role.NOT, Role.EXCEPT, Role.BUT, Role.WITHOUT, Role.KEEP),
    *(Role.QUALITY, Role.COLORS, Role.BORDER, Role.FRAME, Role.HORIZON, Role.LARGER, Role.STRETCH),
    *(Role.EDGES, Role.FINDABLE, Role.ROOM, Role.RATIO, Role.SIZE, Role.UNAVAILABLE),
)


def _by_name(phrase: Phrase, named: Sequence[Atom], wish: _Wish) -> Target | Refusal | None:
    if all(atom.has(Role.DETERMINER) or atom.text in _ONESELF or atom.has(Role.SUBJECT) for atom in named):
        return Target("subject")
    seen = seen_thing(named)
    if seen is not None and not _names_another(named):
        return None if is_plural(seen.noun or "") or seen.count else seen
    telling = [atom for atom in named if not atom.has(Role.DETERMINER, Role.THIS)]
    if telling and telling[0].has(Role.COLOR) and len(telling) == 2 and is_name(telling[1]):
        return Target("thing", color=str(telling[0].senses[Role.COLOR]), noun=telling[1].text)
    if not telling or telling[0].has(Role.IT):
        return phrase.refused(Reason.AMBIGUOUS, "Name the thing, or mark it with a box.")
    name = " ".join(atom.text for atom in telling)
    return phrase.refused(
        Reason.NEEDS_REGION, f"Mark the {name} with a box and it can be {_DONE[wish.operation]}."
    )


def _names_another(named: Sequence[Atom]) -> bool:
    """ "The man with the dog": which of the men that is, and whether the dog comes along, only a box says."""
    first = next(at for at, atom in enumerate(named) if atom.has(Role.SEEN))
    links = [at for at, atom in enumerate(named) if at > first and _joins(atom)]
    return bool(links) and any(atom.has(Role.SEEN) for atom in named[links[0] :])


def _joins(atom: Atom) -> bool:
    return atom.has(Role.PREPOSITION) or atom.text.endswith("ing")


_ONESELF = frozenset({"me", "him", "her", "myself"})
_DONE = {
    "move_thing": "moved",
    "copy_thing": "copied",
    "resize_thing": "made larger or smaller",
    "flip_thing": "mirrored",
    "rotate_thing": "turned",
}


# --- moving and copying ------------------------------------------------------------------------------------


def _moving(phrase: Phrase, atoms: Sequence[Atom]) -> _Wish | Refusal | None:
    """ "Move the dog to the left", "change the position of the cup to below the lamp"."""
    named = _after_position(atoms) if atoms[0].has(Role.CHANGE) else atoms[1:]
    return _led(phrase, "move_thing", named) or _into_the_second_box(phrase, named) or _nowhere(phrase, named)


def _after_position(atoms: Sequence[Atom]) -> Sequence[Atom]:
    """What stands behind "change the position of"."""
    texts = [atom.text for atom in atoms[1:4] if not atom.has(Role.DETERMINER)]
    return atoms[4 - (len(texts) == 3) :] if texts[:2] in (["position", "of"], ["location", "of"]) else ()


def _putting(phrase: Phrase, atoms: Sequence[Atom]) -> _Wish | Refusal | None:
    """ "Put the cup on the left": "the" cup is one that the photo shows, "a" cup would be a new one."""
    # "Add my dad next to me" and "put my late dad next to me" are of somebody who is not there.
    is_put = atoms[0].text in _PUTTING and not any(atom.text in _GONE for atom in atoms)
    is_definite = is_put and atoms[1].text in _DEFINITE and any(a.has(Role.SEEN) for a in atoms[2:])
    return _led(phrase, "move_thing", atoms[1:]) if is_definite and not _is_once_more(atoms) else None


_PUTTING = frozenset({"put", "place", "set"})
_GONE = frozenset({"late", "deceased", "dead"})
_DEFINITE = frozenset({"the", "my", "our", "this", "that", "his", "her", "their"})


def _is_once_more(atoms: Sequence[Atom]) -> bool:
    return any(atom.text in _MORE or atom.has(Role.COPY) for atom in atoms[:4])


def _copying(phrase: Phrase, atoms: Sequence[Atom]) -> _Wish | Refusal | None:
    """ "Duplicate the ball", "copy the bird to the left"."""
    named = atoms[1:]
    wish = _led(phrase, "copy_thing", named) or _into_the_second_box(phrase, named, "copy_thing")
    return wish or (None if _is_elsewhere(named) else _Wish("copy_thing", named, {}))


def _is_elsewhere(named: Sequence[Atom]) -> bool:
    """ "The bird onto the roof": where to, in words that are not understood."""
    return any(atom.has(Role.PREPOSITION) and atom.text not in _DESCRIBING for atom in named)


_DESCRIBING = frozenset({"in", "of", "with", "from"})


def _making_a_copy(phrase: Phrase, atoms: Sequence[Atom]) -> _Wish | Refusal | None:
    """ "Make a copy of the bird", "add a duplicate of the ball on the left"."""
    told = [atom for atom in atoms[1:4] if not atom.has(Role.DETERMINER)]
    is_copy = len(told) > 1 and told[0].has(Role.COPY) and told[1].text == "of"
    return _copying(phrase, atoms[atoms.index(told[1]) :]) if is_copy else None


def _adding_another(phrase: Phrase, atoms: Sequence[Atom]) -> _Wish | Refusal | None:
    """ "Add another dog on the left", "put a second cup next to it": there is one already. A box marks the
    place of what is added."""
    at = next((at for at, atom in enumerate(atoms[1:4], 1) if atom.text in _MORE), None)
    if at is None or any(not atom.has(Role.DETERMINER) for atom in atoms[1:at]):
        return None
    boxes, named = phrase.scene.boxes, atoms[at + 1 :]
    wish = _led(phrase, "copy_thing", named)
    if isinstance(wish, Refusal) or (wish is None and _is_elsewhere(named)):
        return wish
    wish = wish or _Wish("copy_thing", named, _inside(boxes) if len(boxes) == 1 else {})
    if not _is_seen(wish.named):
        return None
    is_placed_twice = boxes and wish.way.get("place") != "inside"
    return phrase.refused(Reason.AMBIGUOUS, _COPY_IT) if is_placed_twice else wish


_MORE = frozenset({"another", "second"})
_COPY_IT = "Say: copy it, and where to, with a box around the thing."


def _is_seen(named: Sequence[Atom]) -> bool:
    """Whether the photo is looked through for it: what is not known may be meant to be drawn."""
    target = seen_thing(named)
    return target is not None and not is_plural(target.noun or "")


def _led(phrase: Phrase, operation: str, atoms: Sequence[Atom]) -> _Wish | Refusal | None:
    """A name and the words that lead to its new place."""
    for at in range(1, len(atoms)):
        way = _way(phrase, atoms[at:])
        if isinstance(way, Refusal):
            return way
        if way is not None:
            return _Wish(operation, atoms[:at], way)
    return None


def _into_the_second_box(
    phrase: Phrase, named: Sequence[Atom], operation: str = "move_thing"
) -> _Wish | None:
    """ "Move it", with two boxes: from the first into the second."""
    if len(phrase.scene.boxes) != 2 or not named:
        return None
    left = [atom for atom in named if atom.text not in ("there", "here")]
    return _Wish(operation, left, _inside(phrase.scene.boxes[1:])) if left else None


def _inside(boxes: Sequence[int]) -> Way:
    return {"place": "inside", "beside": Target("region", boxes=tuple(boxes))}


def _nowhere(phrase: Phrase, named: Sequence[Atom]) -> Refusal | None:
    is_told = any(atom.has(Role.PLACE) for atom in named)  # the center is a matter of the crop
    is_open = not is_told and _is_a_thing(phrase, named)
    return phrase.refused(Reason.AMBIGUOUS, _WHERE) if is_open else None


def _way(phrase: Phrase, atoms: Sequence[Atom]) -> Way | Refusal | None:
    """Where to: a direction, a part of the photo, a side of something else. None where words are left."""
    told, far = _with_distance(atoms)
    words = [atom for atom in told if not atom.has(Role.DETERMINER)]
    lead, words = (words[0].text, words[1:]) if words and words[0].text in _LEADING else ("", words)
    if not words or any(atom.has(Role.AND) for atom in words):
        return None
    direction = _direction(lead, words)
    if direction:
        return {"choice": direction, **far}
    if far:
        return None
    return _part_of_the_photo(lead, words) or _side_of_something(phrase, words, told)


_LEADING = frozenset({"to", "towards", "toward", "on", "in", "at", "into", "onto"})
_TOWARDS = frozenset({"", "to", "towards", "toward"})
_FURTHER = frozenset({"further", "farther", "more", "over", "slightly"})


def _with_distance(atoms: Sequence[Atom]) -> tuple[list[Atom], Way]:
    """The words without how far, and that: "a bit", "by 100 pixels", "20%"."""
    far: Way = {}
    left: list[Atom] = []
    for atom in atoms:
        measure = atom.senses.get(Role.MEASURE)
        if isinstance(measure, Measure) and _is_a_way(measure) and not far:
            far = {"exact": (measure.value, measure.unit)}
            left = left[:-1] if left and left[-1].text == "by" else left
        elif atom.has(Role.AMOUNT) and not atom.has(Role.NOUN) and not far:
            far = {"amount": float(str(atom.senses[Role.AMOUNT]))}
        elif atom.text not in _FURTHER:
            left.append(atom)
    return left, far


def _is_a_way(measure: Measure) -> bool:
    """Forwards, and no farther than the photo is wide."""
    is_inside = measure.unit == "pixels" or measure.value <= 100
    return measure.unit in ("pixels", "percent") and measure.value > 0 and is_inside


def _direction(lead: str, words: Sequence[Atom]) -> str | None:
    """ "To the left", "up"; "to the left side" and "on the left" are parts of the photo."""
    if len(words) != 1 or lead not in _TOWARDS:
        return None
    return _DIRECTIONS.get(words[0].text)


_DIRECTIONS = {
    **dict.fromkeys(("left", "leftwards", "leftward"), "left"),
    **dict.fromkeys(("right", "rightwards", "rightward"), "right"),
    **dict.fromkeys(("up", "upwards", "upward", "higher", "higher up"), "up"),
    **dict.fromkeys(("down", "downwards", "downward", "lower", "lower down"), "down"),
}


def _part_of_the_photo(lead: str, words: Sequence[Atom]) -> Way | None:
    """ "In the bottom right corner of the photo"; the center is a matter of the crop."""
    place = str(words[0].senses.get(Role.PLACE, ""))
    others = [atom.text for atom in words[1:] if not atom.has(Role.PHOTO)]
    is_of_the_photo = len(words) == 1 or words[-1].has(Role.PHOTO)
    if (
        not lead
        or place not in _PARTS_OF_A_PHOTO
        or not is_of_the_photo
        or others not in ([], ["of"], ["in"])
    ):
        return None
    return {"place": place}


_PARTS_OF_A_PHOTO = frozenset(
    f"{down} {across}".strip() for down in ("top", "bottom", "") for across in ("left", "right", "")
) - {""}


def _side_of_something(phrase: Phrase, words: Sequence[Atom], told: Sequence[Atom]) -> Way | Refusal | None:
    """ "To the left of the chair", "above the lamp", "next to the man", "to box 2"."""
    if words[0].has(Role.MARKED) or (words[0].has(Role.ORDINAL) and words[1:2] and words[1].has(Role.MARKED)):
        box = _numbered(phrase, words)
        return _inside(box.boxes) if isinstance(box, Target) else box
    side = str(words[0].senses.get(Role.PLACE, "")) if words[1:2] and words[1].text == "of" else None
    place = side if side in ("left", "right") else _RELATIONS.get(words[0].text)
    if place is None:
        return None
    of = 1 + (words[1:2] != [] and words[1].text == "of")
    name = words[of:]
    if not name or (len(name) == 1 and name[0].has(Role.IT, Role.THIS)):
        return {} if name and place == "beside" and not phrase.scene.boxes else None
    anchor = _anchor(phrase, told[told.index(name[0]) :])
    if anchor is None or isinstance(anchor, Refusal):
        return anchor
    return {"place": place if place != "beside" else None, "beside": anchor}


_RELATIONS = {
    **dict.fromkeys(ABOVE | {"over"}, "top"),
    **dict.fromkeys(BELOW, "bottom"),
    **dict.fromkeys(BESIDE, "beside"),
}


def _anchor(phrase: Phrase, named: Sequence[Atom]) -> Target | Refusal | None:
    """What a thing goes beside: by its name, else by the second of two boxes."""
    numbered = _numbered(phrase, named)
    if numbered is not None:
        return numbered
    if not _is_one_name(phrase, named):
        return None
    if len(phrase.scene.boxes) == 2:
        return Target("region", boxes=phrase.scene.boxes[1:])
    seen = seen_thing(named)
    if seen is not None and not is_plural(seen.noun or "") and not seen.count:
        return seen
    if all(atom.has(Role.DETERMINER, Role.SUBJECT) or atom.text in _ONESELF for atom in named):
        return Target("subject")
    return phrase.refused(Reason.NEEDS_REGION, _BOTH)


# --- sizes -------------------------------------------------------------------------------------------------


def _sizing(phrase: Phrase, atoms: Sequence[Atom]) -> _Wish | Refusal | None:
    """ "Enlarge the dog", "shrink the car by 30%", "resize the dog to 50%"."""
    sign = 1 if atoms[0].text in _GROWING else -1 if atoms[0].text in _SHRINKING else 0
    named = _within_the_photo(atoms[1:])
    for at in range(1, len(named) + 1):
        size = _size(named[at:], sign) if at < len(named) or sign else None
        if size is not None:
            return _Wish("resize_thing", named[:at], size)
    return None


_GROWING = frozenset({"enlarge", "enlarging", "upscale", "scale up", "magnify", "grow"})
_SHRINKING = frozenset({"shrink", "shrinking", "downscale", "scale down", "downsize"})


def _making(phrase: Phrase, atoms: Sequence[Atom]) -> _Wish | Refusal | None:
    """ "Make the dog a bit bigger", "make the size of the cup smaller"; brighter by 20% is no size."""
    named = _within_the_photo(atoms[1:])
    if not any(atom.has(Role.LARGER) or atom.text in ("size", "scale") for atom in named):
        return None
    for at in range(1, len(named)):
        size = _size(named[at:], 0)
        if size is not None:
            name = named[:at]
            return _Wish("resize_thing", _after_size(name) or name, size)
    return None


def _sizing_of(phrase: Phrase, atoms: Sequence[Atom]) -> _Wish | Refusal | None:
    """ "Increase the size of the ball by 20%"."""
    named = _after_size(_within_the_photo(atoms[1:]))
    sign = 1 if atoms[0].has(Role.RAISE) else -1
    for at in range(1, len(named) + 1):
        size = _size(named[at:], sign)
        if size is not None:
            return _Wish("resize_thing", named[:at], size)
    return None


def _doubling(phrase: Phrase, atoms: Sequence[Atom]) -> _Wish | None:
    """ "Double the size of the apple"."""
    named = _after_size(_within_the_photo(atoms[1:]))
    is_twice = atoms[0].senses[Role.FRACTION] == 100
    return _Wish("resize_thing", named, {"exact": (200.0, "percent")}) if named and is_twice else None


def _after_size(named: Sequence[Atom]) -> Sequence[Atom]:
    """What stands behind "the size of"."""
    at = next((at for at, atom in enumerate(named[:2]) if atom.text in ("size", "scale")), None)
    return named[at + 2 :] if at is not None and named[at + 1 : at + 2] and named[at + 1].text == "of" else ()


def _within_the_photo(atoms: Sequence[Atom]) -> Sequence[Atom]:
    """Without a closing "in the photo", which says nothing."""
    end = len(atoms)
    if end and atoms[-1].has(Role.PHOTO):
        end -= 1
        end -= end > 0 and atoms[end - 1].has(Role.DETERMINER, Role.THIS)
        return atoms[: end - 1] if end > 0 and atoms[end - 1].text in ("in", "within", "from") else atoms
    return atoms


def _size(atoms: Sequence[Atom], sign: int) -> Way | None:
    """How large: an amount with its sign, or a percentage. None where other words are left."""
    larger = next((atom for atom in atoms if atom.has(Role.LARGER)), None)
    if larger is not None:
        way = int(str(larger.senses[Role.LARGER]))
        sign = way if sign in (0, way) else 0
    told = [atom for atom in atoms if atom is not larger and atom.text not in _ABOUT_SIZE]
    if any(not atom.has(Role.AMOUNT, Role.MEASURE, Role.FRACTION, Role.NUMBER, Role.MORE) for atom in told):
        return None
    numbers = [atom for atom in told if not atom.has(Role.AMOUNT, Role.MORE)]
    percent = _percent(atoms, numbers, sign) if numbers else None
    if numbers:
        is_right = percent is not None and _LEAST <= percent <= _MOST and percent != 100
        return {"exact": (percent, "percent")} if is_right else None
    if not sign or (larger is not None and not larger.text.endswith("er")):
        return None
    amount = next((float(str(a.senses[Role.AMOUNT])) for a in told if a.has(Role.AMOUNT)), _USUAL)
    return {"amount": sign * amount}


_USUAL = 0.35
_ABOUT_SIZE = frozenset(
    {"by", "to", "of", "as", "the", "its", "in", "size", "scale", "times", "x", "original"}
)


def _percent(atoms: Sequence[Atom], numbers: Sequence[Atom], sign: int) -> float | None:
    """ "20% larger" is 120, "to 50%" is 50, "twice as big" 200, "half the size" 50, "3 times bigger" 300."""
    texts = {atom.text for atom in atoms}
    if len(numbers) != 1:
        return None
    atom = numbers[0]
    measure = atom.senses.get(Role.MEASURE)
    if isinstance(measure, Measure):
        if measure.unit != "percent":
            return None
        is_whole = "to" in texts or not sign or "as" in texts
        return measure.value if is_whole else 100 + sign * measure.value
    if atom.has(Role.FRACTION):
        fraction = float(str(atom.senses[Role.FRACTION]))
        if fraction == 100:  # "twice"
            return 50.0 if sign < 0 else 200.0
        return fraction if texts & {"size", "as"} or sign <= 0 else None
    times = float(str(atom.senses[Role.NUMBER]))
    return times * 100 if sign > 0 and texts & {"times", "x"} else None


# --- mirroring and turning ---------------------------------------------------------------------------------


def _flipping(phrase: Phrase, atoms: Sequence[Atom]) -> _Wish | Refusal | None:
    """ "Flip the dog horizontally", "mirror the car"."""
    named = _within_the_photo(atoms[1:])
    axes = [str(atom.senses[Role.AXIS]) for atom in named if atom.has(Role.AXIS)]
    if len(axes) > 1 or (axes and not named[-1].has(Role.AXIS)):
        return None
    name = named[:-1] if axes else named
    return _Wish("flip_thing", name, {"choice": axes[0] if axes else "horizontal"}) if name else None


def _turning(phrase: Phrase, atoms: Sequence[Atom]) -> _Wish | Refusal | None:
    """ "Rotate the bag counterclockwise", "turn the cup upside down"; where somebody looks is no turn."""
    named = _within_the_photo(atoms[1:])
    for at in range(1, len(named)):
        degrees = _degrees(named[at:])
        if degrees is not None:
            if _is_a_thing(phrase, named[:at]) and _may_be_a_pose(atoms[0], named[:at], named[at:]):
                return phrase.refused(Reason.AMBIGUOUS, _HOW_FAR)
            return _Wish("rotate_thing", named[:at], {"exact": (degrees, "degrees")})
    is_left_open = atoms[0].text == "rotate" and _is_a_thing(phrase, named)
    return phrase.refused(Reason.AMBIGUOUS, _HOW_FAR) if is_left_open else None


def _may_be_a_pose(verb: Atom, named: Sequence[Atom], way: Sequence[Atom]) -> bool:
    """ "Turn the car to the right" asks for another side of it, and a tilt is no quarter of a turn."""
    is_told = any(atom.has(Role.MEASURE, Role.AXIS) for atom in way)
    is_sideways = any(atom.has(Role.PLACE) for atom in way)
    is_open = not is_told and (verb.text == "tilt" or (is_sideways and verb.text != "rotate"))
    return is_open or (is_sideways and _is_alive(named))


def _is_a_thing(phrase: Phrase, named: Sequence[Atom]) -> bool:
    """Whether the words are a mere name."""
    are_names = all(is_name(atom) or atom.has(Role.DETERMINER, Role.COLOR) for atom in named)
    return are_names and any(is_name(atom) for atom in named) and _is_one_name(phrase, named)


def _is_alive(named: Sequence[Atom]) -> bool:
    seen = seen_thing(named)
    return seen is None or not LIVING.isdisjoint(kinds_of(seen.noun))


def _degrees(atoms: Sequence[Atom]) -> float | None:
    """Clockwise positive; None where other words are left."""
    told = [atom for atom in atoms if atom.text not in ("by", "to", "the", "around")]
    measures = [m for atom in told if isinstance(m := atom.senses.get(Role.MEASURE), Measure)]
    ways = [_turn(atom) for atom in told if not atom.has(Role.MEASURE)]
    if not told or len(measures) > 1 or len(ways) > 1 or any(way is None for way in ways):
        return None
    if ways == [180.0]:
        return 180.0 if not measures else None
    if measures and measures[0].unit != "degrees":
        return None
    degrees = (measures[0].value if measures else 90.0) * (ways[0] or 1 if ways else 1)
    return degrees if 0 < abs(degrees) < 360 else None


def _turn(atom: Atom) -> float | None:
    if atom.has(Role.AXIS):
        return 180.0 if atom.text.startswith("upside") else None
    if atom.has(Role.TURN):
        return float(str(atom.senses[Role.TURN]))
    return {"right": 1.0, "left": -1.0}.get(str(atom.senses.get(Role.PLACE)))


type _Reader = Callable[[Phrase, Sequence[Atom]], _Wish | Refusal | None]
_VERBS: tuple[tuple[Role, _Reader], ...] = (
    (Role.MOVE, _moving),
    (Role.CHANGE, _moving),
    (Role.COPY, _copying),
    (Role.MAKE, _making_a_copy),
    (Role.ADD, _making_a_copy),
    (Role.ADD, _adding_another),
    (Role.ADD, _putting),
    (Role.RESIZE, _sizing),
    (Role.MAKE, _making),
    (Role.RAISE, _sizing_of),
    (Role.LOWER, _sizing_of),
    (Role.FRACTION, _doubling),
    (Role.FLIP, _flipping),
    (Role.ROTATE, _turning),
)
"""What is tried on a clause that opens with such a verb, in turn."""
