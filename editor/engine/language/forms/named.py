"""The one thing that a wish moves, copies or reshapes: what its words or a box name."""

from collections.abc import Sequence
from itertools import takewhile, zip_longest
from typing import Any, NamedTuple

from editor.engine.kinds import PARTS, is_plural
from editor.engine.language.erasing import color_and_noun
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.seen import WORN
from editor.engine.language.lexicon.things import BODY, ONESELF
from editor.engine.language.phrases import COPIED, NEW_BACKGROUND, REMOVED, Phrase
from editor.engine.language.placing import is_noun_phrase
from editor.engine.language.scopes import is_name
from editor.engine.language.seen import seen_thing
from editor.engine.plan import Reason, Refusal, Target

type Way = dict[str, Any]
"""What a step is told by the words behind the name."""

_WHOLE_THINGS = "Only a whole thing can be moved or reshaped, no part of a body and nothing that is worn."
HOW_FAR = "Say how far, for example: rotate the bag 90 degrees clockwise."
_WHICH = "Say “the photo”, or “this” with a box around the thing, instead of “it”."
_ONE_OF_TWO = "A copy cannot be told from the first one. Change the thing first, and copy it then."
_HOW_MUCH = {
    "move_thing": "Say how far in pixels or percent, for example: move the dog 20% to the left.",
    "copy_thing": "One copy is made at a time, for example: copy the dog to the left.",
    "resize_thing": "Say how large, from 10% to 400% of its size, for example: make the dog 50% bigger.",
    "flip_thing": "Say only which way round, for example: flip the dog horizontally.",
    "rotate_thing": HOW_FAR,
}


class Wish(NamedTuple):
    """An operation, the words that name its thing, and the rest of what it is told."""

    operation: str
    named: Sequence[Atom]
    way: Way


def target_of(phrase: Phrase, named: Sequence[Atom], wish: Wish) -> Target | Refusal | None:
    """The thing of a wish: by its box, by its name, or by its color."""
    if any(map(is_of_a_body, _head(named)[-1:] if phrase.scene.boxes else named)):
        return phrase.refused(Reason.NEEDS_GENERATION, _WHOLE_THINGS)
    numbered = numbered_box(phrase, named)
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
    if not is_one_name(phrase, name):
        return None
    if len(name) < len(named):
        return phrase.refused(Reason.AMBIGUOUS, _HOW_MUCH[wish.operation])
    boxes = _free_boxes(phrase, wish)
    if boxes:
        if len(boxes) > 1:
            return phrase.refused(Reason.AMBIGUOUS, "Say which box is meant, for example: move box 1.")
        return Target("region", boxes=boxes)
    return _by_name(phrase, named, wish)


def _head(named: Sequence[Atom]) -> list[Atom]:
    """ "The fur rug", "the woman" of "the woman with the long hair": its last word tells what a box marks."""
    return list(takewhile(lambda atom: not atom.has(Role.PREPOSITION), named))


def _may_be_the_photo(phrase: Phrase, named: Sequence[Atom], wish: Wish) -> bool:
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


def _free_boxes(phrase: Phrase, wish: Wish) -> tuple[int, ...]:
    """The boxes that do not mark where it goes to."""
    beside = wish.way.get("beside")
    taken = beside.boxes if beside else ()
    return tuple(box for box in phrase.scene.boxes if box not in taken)


def numbered_box(phrase: Phrase, named: Sequence[Atom]) -> Target | Refusal | None:
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


def is_of_a_body(atom: Atom) -> bool:
    """Arms and faces, and what somebody wears; flowers are no such part."""
    is_worn = atom.has(Role.PART) and PARTS.get(str(atom.senses[Role.PART])) != "flowers"
    return is_worn or atom.has(Role.FACE) or atom.text.removesuffix("s") in BODY or atom.text in BODY


def is_one_name(phrase: Phrase, named: Sequence[Atom]) -> bool:
    """Whether the words are a name of one thing: no list, no verb, and neither the photo nor a part of it."""
    if phrase.scene.boxes:
        named = _without_sizes(named)
    telling = [atom for atom in named if not atom.has(Role.DETERMINER)]
    is_plain = not any(atom.has_any(_NEVER) or atom.kind not in ("word", "number") for atom in named)
    is_plain = is_plain and not any(is_plural(str(atom.senses.get(Role.SEEN))) for atom in named)
    is_led = bool(telling) and not telling[0].has(Role.PREPOSITION, Role.MEASURE, Role.AMOUNT, Role.TURN)
    return is_led and is_plain and is_noun_phrase(telling, phrase)


def _without_sizes(named: Sequence[Atom]) -> Sequence[Atom]:
    """The "lamp" of "the big lamp", which is marked whatever its size."""
    pairs = zip_longest(named, named[1:])
    return [atom for atom, after in pairs if not (atom.has(Role.LARGER) and after and is_name(after))]


_NEVER = (
    *(Role.PHOTO, Role.BACKGROUND, Role.AND, Role.NOT, Role.EXCEPT, Role.BUT, Role.WITHOUT, Role.KEEP),
    *(Role.QUALITY, Role.COLORS, Role.BORDER, Role.FRAME, Role.HORIZON, Role.LARGER, Role.STRETCH),
    *(Role.EDGES, Role.FINDABLE, Role.ROOM, Role.RATIO, Role.SIZE, Role.UNAVAILABLE),
)


def _by_name(phrase: Phrase, named: Sequence[Atom], wish: Wish) -> Target | Refusal | None:
    if all(atom.has(Role.DETERMINER) or atom.text in ONESELF or atom.has(Role.SUBJECT) for atom in named):
        return Target("subject")
    seen = seen_thing(named)
    if seen is not None and not _names_another(named):
        return None if is_plural(seen.noun or "") or seen.count else seen
    telling = [atom for atom in named if not atom.has(Role.DETERMINER, Role.THIS)]
    colored = by_color(telling)
    if colored is not None and telling[-1].text not in WORN:
        return colored
    if not telling or telling[0].has(Role.IT):
        return phrase.refused(Reason.AMBIGUOUS, "Name the thing, or mark it with a box.")
    name = " ".join(atom.text for atom in telling).removesuffix(" 's")
    return phrase.refused(
        Reason.NEEDS_REGION, f"Mark the {name} with a box and it can be {_DONE[wish.operation]}."
    )


def by_color(telling: Sequence[Atom]) -> Target | None:
    """ "Red sign", "plastic orange cone": one thing that only its color tells from the rest of the photo."""
    color, noun = color_and_noun(telling)
    is_one = noun is not None and (not noun.endswith("s") or noun.endswith("ss"))
    return Target("thing", color=color, noun=noun) if is_one else None


def by_vivid_color(telling: Sequence[Atom]) -> Target | None:
    """As `by_color`, without greys and browns, of which every photo has much."""
    target = by_color(telling)
    return target if target and _PALE.isdisjoint(str(target.color).split()) else None


_PALE = frozenset(
    {"white", "black", "gray", "silver", "beige", "tan", "brown", "gold", "cream", "ivory", "charcoal"}
)


def _names_another(named: Sequence[Atom]) -> bool:
    """ "The man with the dog": which of the men that is, and whether the dog comes along, only a box says."""
    first = next(at for at, atom in enumerate(named) if atom.has(Role.SEEN))
    links = [at for at, atom in enumerate(named) if at > first and _joins(atom)]
    return bool(links) and any(atom.has(Role.SEEN) for atom in named[links[0] :])


def _joins(atom: Atom) -> bool:
    return atom.has(Role.PREPOSITION) or atom.text.endswith("ing")


_DONE = {
    "move_thing": "moved",
    "copy_thing": "copied",
    "resize_thing": "made larger or smaller",
    "flip_thing": "mirrored",
    "rotate_thing": "turned",
}


def is_a_mere_name(phrase: Phrase, named: Sequence[Atom]) -> bool:
    """Whether the words are a mere name."""
    are_names = all(is_name(atom) or atom.has(Role.DETERMINER, Role.COLOR) for atom in named)
    return are_names and any(is_name(atom) for atom in named) and is_one_name(phrase, named)


def within_the_photo(atoms: Sequence[Atom]) -> Sequence[Atom]:
    """Without a closing "in the photo", which says nothing."""
    end = len(atoms)
    if end and atoms[-1].has(Role.PHOTO):
        end -= 1
        end -= end > 0 and atoms[end - 1].has(Role.DETERMINER, Role.THIS)
        return atoms[: end - 1] if end > 0 and atoms[end - 1].text in ("in", "within", "from") else atoms
    return atoms
