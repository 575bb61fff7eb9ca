"""One thing of the photo moved or copied, and what is tried on a wish about one thing.

Each wish is a verb, the name of a thing, and a way: where to, how large, which way round. Every word belongs
to one of the three, or the wish is another one.
"""

from collections.abc import Callable, Sequence

from editor.engine.kinds import is_plural
from editor.engine.language.forms.named import (
    Way,
    Wish,
    by_vivid_color,
    is_a_mere_name,
    is_one_name,
    numbered_box,
    target_of,
)
from editor.engine.language.forms.reshapes import doubling, flipping, making, sizing, sizing_of, turning
from editor.engine.language.grammar import Atom, Measure, is_packing
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.connectives import ABOVE, BELOW, BESIDE
from editor.engine.language.lexicon.things import MATERIALS, ONESELF
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.scopes import is_name
from editor.engine.language.seen import seen_thing
from editor.engine.plan import Kind, Reason, Refusal, Target

_BOTH = "Mark both with boxes: the thing with the first, and what it goes beside with the second."
_NOT_BEHIND = (
    "Nothing can be put behind another thing. With a box around its new place, say: move it to box 2."
)
_WHERE = "Say where to, for example: move the dog to the left."


def moved(phrase: Phrase) -> Answer | None:
    """The step that a wish about one thing of the photo comes to; None where it is of something else."""
    if phrase.clause.roles.isdisjoint(_OPENING):
        return None
    atoms = [atom for atom in phrase.clause.atoms if not atom.has(Role.FILLER) or _is_someone(atom)]
    while atoms and is_packing(atoms[0]):
        atoms = atoms[1:]
    while atoms and is_packing(atoms[-1]):
        atoms = atoms[:-1]
    atoms = _without_two_colors(atoms)
    if len(atoms) < 2 or any(atom.kind in ("stop", "comma", "quoted") for atom in atoms):
        return None
    for role, read in _VERBS:
        wish = read(phrase, atoms) if role in atoms[0].senses else None
        if wish is not None:
            return wish if isinstance(wish, Refusal) else _step(phrase, wish)
    return None


def _without_two_colors(atoms: list[Atom]) -> list[Atom]:
    """ "The brown and white dog" without its colors: no eye tells it by two of them, nor from another dog.
    "The metal and glass lamp" is a lamp."""
    seen = [atom.senses[Role.SEEN] for atom in atoms if atom.has(Role.SEEN)]
    if len(set(seen)) < len(seen):
        return atoms
    joined = (at for at in range(1, len(atoms) - 1) if atoms[at].has(Role.AND))
    pairs = [at for at in joined if _are_alike(atoms[at - 1], atoms[at + 1])]
    gone = {at + step for at in pairs for step in (-1, 0, 1)}
    return [atom for at, atom in enumerate(atoms) if at not in gone]


def _are_alike(left: Atom, right: Atom) -> bool:
    are_colors = left.has(Role.COLOR) and right.has(Role.COLOR)
    return are_colors or (left.text in MATERIALS and right.text in MATERIALS)


def _is_someone(atom: Atom) -> bool:
    return atom.has(Role.SEEN) or atom.text in ONESELF


def _step(phrase: Phrase, wish: Wish) -> Answer | None:
    target = target_of(phrase, wish.named, wish)
    if target is None or isinstance(target, Refusal):
        return target
    beside = wish.way.get("beside")
    if beside == target:
        return None
    return [phrase.step(Kind.COMPOSITION, wish.operation, target=target, photo=None, **wish.way)]


def _moving(phrase: Phrase, atoms: Sequence[Atom]) -> Wish | Refusal | None:
    """ "Move the dog to the left", "change the position of the cup to below the lamp"."""
    named = _after_position(atoms) if atoms[0].has(Role.CHANGE) else atoms[1:]
    return _led(phrase, "move_thing", named) or _into_the_second_box(phrase, named) or _nowhere(phrase, named)


def _after_position(atoms: Sequence[Atom]) -> Sequence[Atom]:
    """What stands behind "change the position of"; the rest of "change the lamp's position"."""
    texts = [atom.text for atom in atoms[1:4] if not atom.has(Role.DETERMINER)]
    if texts[:1] and texts[0] in _POSITION and texts[1:2] == ["of"]:
        return atoms[4 - (len(texts) == 3) :]
    at = next((at for at, atom in enumerate(atoms[:-1]) if atom.text in _POSITION), 0)
    is_its = at > 1 and atoms[at + 1].text == "to" and is_name(atoms[at - 1])
    named = [atom for atom in atoms[1:at] if atom.text != "'s"]
    return [*named, *atoms[at + 1 :]] if is_its else ()


_POSITION = frozenset({"position", "location"})


def _putting(phrase: Phrase, atoms: Sequence[Atom]) -> Wish | Refusal | None:
    """ "Put the cup on the left": "the" cup is one that the photo shows, "a" cup would be a new one."""
    # "Add my dad next to me" and "put my late dad next to me" are of somebody who is not there.
    is_put = atoms[0].text in _PUTTING and not any(atom.text in _GONE for atom in atoms)
    is_known = any(atom.has(Role.SEEN) for atom in atoms[2:]) or len(phrase.scene.boxes) == 2
    is_definite = is_put and atoms[1].text in _DEFINITE and is_known
    return _led(phrase, "move_thing", atoms[1:]) if is_definite and not _is_once_more(atoms) else None


_PUTTING = frozenset({"put", "place", "set"})
_GONE = frozenset({"late", "deceased", "dead"})
_DEFINITE = frozenset({"the", "my", "our", "this", "that", "his", "her", "their"})


def _is_once_more(atoms: Sequence[Atom]) -> bool:
    return any(atom.text in _MORE or atom.has(Role.COPY) for atom in atoms[:4])


def _copying(phrase: Phrase, atoms: Sequence[Atom]) -> Wish | Refusal | None:
    """ "Duplicate the ball", "copy the bird to the left"."""
    named = atoms[1:]
    wish = _led(phrase, "copy_thing", named) or _into_the_second_box(phrase, named, "copy_thing")
    return wish or (None if _is_elsewhere(named) else Wish("copy_thing", named, {}))


def _is_elsewhere(named: Sequence[Atom]) -> bool:
    """ "The bird onto the roof": where to, in words that are not understood."""
    return any(atom.has(Role.PREPOSITION) and atom.text not in _DESCRIBING for atom in named)


_DESCRIBING = frozenset({"in", "of", "with", "from"})


def _making_a_copy(phrase: Phrase, atoms: Sequence[Atom]) -> Wish | Refusal | None:
    """ "Make a copy of the bird", "add a duplicate of the ball on the left"."""
    told = [atom for atom in atoms[1:4] if not atom.has(Role.DETERMINER)]
    is_copy = len(told) > 1 and told[0].has(Role.COPY) and told[1].text == "of"
    return _copying(phrase, atoms[atoms.index(told[1]) :]) if is_copy else None


def _adding_another(phrase: Phrase, atoms: Sequence[Atom]) -> Wish | Refusal | None:
    """ "Add another dog on the left", "put a second cup next to it": there is one already. A box marks the
    place of what is added."""
    at = next((at for at, atom in enumerate(atoms[1:4], 1) if atom.text in _MORE), None)
    if at is None or any(not atom.has(Role.DETERMINER) for atom in atoms[1:at]):
        return None
    boxes, named = phrase.scene.boxes, atoms[at + 1 :]
    wish = _led(phrase, "copy_thing", named)
    if isinstance(wish, Refusal) or (wish is None and _is_elsewhere(named)):
        return wish
    wish = wish or Wish("copy_thing", named, _inside(boxes) if len(boxes) == 1 else {})
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


def _led(phrase: Phrase, operation: str, atoms: Sequence[Atom]) -> Wish | Refusal | None:
    """A name and the words that lead to its new place."""
    for at in range(1, len(atoms)):
        way = _way(phrase, atoms[at:])
        if isinstance(way, Refusal):
            return way
        if way is not None:
            return Wish(operation, atoms[:at], way)
    return None


def _into_the_second_box(
    phrase: Phrase, named: Sequence[Atom], operation: str = "move_thing"
) -> Wish | Refusal | None:
    """ "Move it", with two boxes: from the first into the second."""
    if len(phrase.scene.boxes) != 2 or not named:
        return None
    left = [atom for atom in named if atom.text not in ("there", "here")]
    left = left[:-1] if left and left[-1].text == "over" else left  # "move it over"
    if any(atom.text in ("behind", "between") for atom in left):
        return phrase.refused(Reason.AMBIGUOUS, _NOT_BEHIND)
    if any(atom.has(Role.PLACE) or atom.text in _RELATIONS for atom in left):
        return None  # beside what box 2 marks, in words that are not understood
    return Wish(operation, left, _inside(phrase.scene.boxes[1:])) if left else None


def _inside(boxes: Sequence[int]) -> Way:
    return {"place": "inside", "beside": Target("region", boxes=tuple(boxes))}


def _nowhere(phrase: Phrase, named: Sequence[Atom]) -> Refusal | None:
    is_told = any(atom.has(Role.PLACE) for atom in named)  # the center is a matter of the crop
    is_open = not is_told and is_a_mere_name(phrase, named)
    return phrase.refused(Reason.AMBIGUOUS, _WHERE) if is_open else None


def _way(phrase: Phrase, atoms: Sequence[Atom]) -> Way | Refusal | None:
    """Where to: a direction, a part of the photo, a side of something else. None where words are left."""
    told, far = _with_distance(atoms)
    words = [atom for atom in told if not atom.has(Role.DETERMINER)]
    if len(words) > 2 and words[0].text in _DIRECTIONS and words[1].text in _TOWARDS:
        words = words[1:]  # "down to the lower half"
    lead, words = (words[0].text, words[1:]) if words and words[0].text in _LEADING else ("", words)
    if not words or any(atom.has(Role.AND) for atom in words):
        return None
    direction = _direction(lead, words)
    if direction:
        return {"choice": direction, **far}
    if far:
        return None
    return _part_of_the_photo(lead, words) or _side_of_something(phrase, lead, words, told)


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
        elif atom.has(Role.AMOUNT) and not atom.has(Role.NOUN, Role.LARGER) and not far:
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
    words = [words[0], *(atom for atom in words[1:] if not atom.has(Role.FRACTION))]  # "the lower half"
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


def _side_of_something(
    phrase: Phrase, lead: str, words: Sequence[Atom], told: Sequence[Atom]
) -> Way | Refusal | None:
    """ "To the left of the chair", "above the lamp", "next to the man", "to box 2"."""
    if words[0].has(Role.MARKED) or (words[0].has(Role.ORDINAL) and words[1:2] and words[1].has(Role.MARKED)):
        box = numbered_box(phrase, words)
        return _inside(box.boxes) if isinstance(box, Target) else box
    place, of = _side(phrase, lead, words)
    name = words[of:]
    if place is None or not name:
        return None
    is_it = len(name) == 1 and name[0].has(Role.IT, Role.THIS)
    if is_it and len(phrase.scene.boxes) != 2:
        return {} if place == "beside" and not phrase.scene.boxes else None
    anchor = _second_box(phrase) if is_it else _anchor(phrase, told[told.index(name[0]) :])
    if anchor is None or isinstance(anchor, Refusal):
        return anchor
    return {"place": place if place != "beside" else None, "beside": anchor}


def _side(phrase: Phrase, lead: str, words: Sequence[Atom]) -> tuple[str | None, int]:
    """The side that is told, and after how many words the name begins."""
    following = words[1].text if words[1:] else ""
    if following == "of":
        side = str(words[0].senses.get(Role.PLACE, ""))
        is_on_it = side == "top" and lead == "on" and len(phrase.scene.boxes) == 2
        return "on" if is_on_it else side if side in ("left", "right") else _RELATIONS.get(words[0].text), 2
    if words[0].text == "closer" and following in _TOWARDS:
        return "beside", 2
    return _RELATIONS.get(words[0].text), 1


def _second_box(phrase: Phrase) -> Target:
    return Target("region", boxes=phrase.scene.boxes[1:])


_RELATIONS = {
    **dict.fromkeys(ABOVE | {"over"}, "top"),
    **dict.fromkeys(BELOW, "bottom"),
    **dict.fromkeys(BESIDE, "beside"),
    "in front of": "front",
}


def _anchor(phrase: Phrase, named: Sequence[Atom]) -> Target | Refusal | None:
    """What a thing goes beside: by its name, else by the second of two boxes."""
    numbered = numbered_box(phrase, named)
    if numbered is not None:
        return numbered
    if any(atom.text in _TOWARDS for atom in named):  # "the man under the umbrella to the left"
        return phrase.refused(Reason.AMBIGUOUS, _WHERE)
    if not is_one_name(phrase, named):
        return None
    if len(phrase.scene.boxes) == 2:
        return _second_box(phrase)
    seen = seen_thing(named)
    if seen is not None and not is_plural(seen.noun or "") and not seen.count:
        return seen
    if all(atom.has(Role.DETERMINER, Role.SUBJECT) or atom.text in ONESELF for atom in named):
        return Target("subject")
    telling = [atom for atom in named if not atom.has(Role.DETERMINER, Role.THIS)]
    return by_vivid_color(telling) or phrase.refused(Reason.NEEDS_REGION, _BOTH)


type _Reader = Callable[[Phrase, Sequence[Atom]], Wish | Refusal | None]
_VERBS: tuple[tuple[Role, _Reader], ...] = (
    (Role.MOVE, _moving),
    (Role.CHANGE, _moving),
    (Role.COPY, _copying),
    (Role.MAKE, _making_a_copy),
    (Role.ADD, _making_a_copy),
    (Role.ADD, _adding_another),
    (Role.ADD, _putting),
    (Role.RESIZE, sizing),
    (Role.MAKE, making),
    (Role.RAISE, sizing_of),
    (Role.LOWER, sizing_of),
    (Role.FRACTION, doubling),
    (Role.FLIP, flipping),
    (Role.ROTATE, turning),
)
"""What is tried on a clause that opens with such a verb, in turn."""
_OPENING = frozenset(role for role, _ in _VERBS)
