"""Wishes for a new color in other words: "the car should be green", "let it shine in green".

Each becomes "make the car green", or "add a green tint to the car", which the rules read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from editor.engine.language.atoms import Atom, is_packing, roles_of
from editor.engine.language.lexicon import senses_of
from editor.engine.language.lexicon.roles import Role
from editor.engine.language.lexicon.seen import HAIR_COLORS


def colored(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, each wish for a color as a command."""
    told = list(found)
    texts = {atom.text for atom in told}
    if not texts.isdisjoint(_INFUSING):
        told = [atom for part in parts(told) for atom in _as_a_tint(part)]
    names_a_hue = "for" in texts and any(map(_is_hue, told))
    if names_a_hue or not texts.isdisjoint(_LEADING) or Role.PURPOSE in roles_of(told):
        told = [atom for part in parts(told) for atom in _as_a_command(part)]
    return told


def parts(found: Sequence[Atom]) -> Iterator[Sequence[Atom]]:
    start = 0
    for at, atom in enumerate(found):
        if atom.kind in ("stop", "comma"):
            yield found[start : at + 1]
            start = at + 1
    yield found[start:]


def _as_a_command(part: Sequence[Atom]) -> Sequence[Atom]:
    first = next((at for at, atom in enumerate(part) if not is_packing(atom)), len(part))
    last = max((at + 1 for at, atom in enumerate(part) if not is_packing(atom)), default=0)
    told = _without_its_hue(part[first:last])
    thing, color = next((wish for wish in (read(told) for read in _WISHES) if wish), ((), None))
    thing = _without_its_color(thing)
    if color is None or not _is_a_thing(thing):
        return part
    make = Atom("make", part[first].start, part[first].start, {Role.MAKE: "make"})
    return [*part[:first], make, *thing, replace(color, end=part[last - 1].end), *part[last:]]


type Wish = tuple[Sequence[Atom], Atom] | None


def _without_its_hue(told: Sequence[Atom]) -> Sequence[Atom]:
    """ "A red hue" and "red in color" as "red"."""
    left = list(told)
    if len(left) > 2 and left[-1].has(Role.COLORS) and left[-2].text == "in" and left[-3].has(Role.COLOR):
        return left[:-2]
    if len(left) > 2 and left[-1].text in _HUES | {"appearance"} and left[-2].has(Role.COLOR):
        return left[:-1]
    if left and left[-1].text in ("white hue", "whiter hue"):  # elsewhere it is light
        return [*left[:-1], replace(left[-1], text="white", senses={Role.COLOR: "white"})]
    return left


def _without_its_color(thing: Sequence[Atom]) -> Sequence[Atom]:
    """ "The cat" of "the cat's color"."""
    if len(thing) < 2 or not _is_hue(thing[-1]):
        return thing
    owner = thing[-2]
    if owner.text == "'s":
        return thing[:-2]
    name = owner.text.removesuffix(" 's")  # the lexicon knows "cat's" as one word
    senses = senses_of((name,)) if name != owner.text else None
    return [*thing[:-2], replace(owner, text=name, senses=senses)] if senses else thing


def _is_hue(atom: Atom) -> bool:
    return atom.has(Role.COLORS) or atom.text in _HUES


def _hoped(told: Sequence[Atom]) -> Wish:
    """ "The car should be green", "ought to be painted in green", "should turn green", "shall adopt a green
    hue"."""
    at = next((i for i, atom in enumerate(told) if atom.text in _HOPING | _SHOULD), 0)
    between = told[at + 1 : -1]
    is_plain = all(atom.text in _BEFORE_A_COLOR or atom.has(Role.DETERMINER) for atom in between)
    is_told = bool(between) or (at > 0 and told[at].text in _HOPING)
    is_hope = at > 0 and is_told and is_plain and told[-1].has(Role.COLOR)
    return (told[:at], told[-1]) if is_hope else None


def _let(told: Sequence[Atom]) -> Wish:
    """ "Let the car turn green", "let the car shine in green", "ensure the car is green"."""
    left = list(told[1:-1] if told[:1] and told[0].text == "make" else told[:-1])
    while left and (left[-1].text in ("in", "to", "into") or left[-1].has(Role.DETERMINER)):
        left.pop()
    is_led = len(left) > 2 and left[0].text in _LETTING and told[-1].has(Role.COLOR)
    becomes = is_led and left[-1].text in _BECOMING | {"is", "are"}
    return (left[1:-1], told[-1]) if becomes else None


_LETTING = frozenset({"let", "ensure", "ensure that", "sure"})
_BECOMING = frozenset(
    {"turn", "become", "turn into", "turn to", "be", "to", "shine", "gleam", "adopt", "take", "on", "take on"}
    | {"assume", "have", "to be"}
)
_SHOULD = frozenset({"should", "shall", "must", "ought", "ought to"})
_COVERED = frozenset({"painted", "dyed", "colored", "coloured", "recolored", "recoloured", "adorned", "in"})
_BEFORE_A_COLOR = (
    _BECOMING | _COVERED | {"look", "appear"} | {"vibrant", "nice", "beautiful", "lovely", "rich"}
)
_HOPING = frozenset({"should be", "shall be", "must be", "has to be", "have to be", "is to be", "are to be"})
_HOPING |= {"ought to be"}


def _chosen(told: Sequence[Atom]) -> Wish:
    """ "Opt for a green color for the car", "choose green for the car's color", "green for the car's hue"."""
    after = [atom for atom in told if not atom.has(Role.DETERMINER)]
    is_named = bool(told) and told[0].text in _CHOOSING
    after = after[1:] if is_named else after
    if len(after) > 3 and is_named and after[0].has(Role.COLOR) and after[1].has(Role.COLORS):
        return (after[3:], after[0]) if after[2].text == "for" else None
    is_short = len(after) > 2 and after[0].has(Role.COLOR) and after[1].text == "for"
    is_hue = is_short and len(after) > 3 and after[-2].text.endswith("'s") and _is_hue(after[-1])
    is_chosen = is_short and told[0].text in _CHOOSING - {"use", "opt for", "go for"}
    return (after[2:], after[0]) if is_hue or is_chosen else None


_CHOOSING = frozenset({"opt for", "go for", "choose", "pick", "select", "use"})


def _coated(told: Sequence[Atom]) -> Wish:
    """ "Coat the car in green", "in shades of green", "cover it in green paint"; what is covered in black may
    be to be hidden."""
    is_painted = bool(told) and told[-1].text in _PAINTS
    left = list(told[:-1] if is_painted else told)
    color = left.pop() if left else None
    while left and (left[-1].text in ("of", "shades", "shade") or left[-1].has(Role.DETERMINER)):
        left.pop()
    coats = len(left) > 2 and (left[0].text in _COATING or (left[0].text == "cover" and is_painted))
    is_told = coats and color is not None and color.has(Role.COLOR) and left[-1].text in ("in", "with")
    return (left[1:-1], color) if is_told and color else None


_COATING = frozenset({"coat", "render", "adorn"})


def _covering(told: Sequence[Atom]) -> Wish:
    """ "Green shall cover the car"."""
    is_told = len(told) > 3 and told[0].has(Role.COLOR) and told[1].text in _SHOULD
    return (told[3:], told[0]) if is_told and told[2].text in ("cover", "adorn", "coat") else None


def _resulting(told: Sequence[Atom]) -> Wish:
    """ "Photoshop her hair so that it is back to black"."""
    if not told:
        return None
    so = next((at for at, atom in enumerate(told) if atom.has(Role.PURPOSE)), 0)
    between = told[so + 1 : -1]
    is_color = told[-1].has(Role.COLOR) or told[-1].text in HAIR_COLORS
    is_led = so > 1 and told[0].has(Role.ADJUST, Role.CHANGE) and is_color
    is_plain = all(
        is_packing(atom) or atom.has(Role.IT, Role.BE, Role.DETERMINER, Role.VAGUE) or atom.text in _BACK
        for atom in between
    )
    return (told[1:so], told[-1]) if is_led and is_plain else None


_BACK = frozenset({"back", "to", "again"})
_PAINTS = frozenset({"paint", "pigment", "dye", "lacquer"})


def _having(told: Sequence[Atom]) -> Wish:
    """ "Let the cat have blue eyes", "give the woman red hair": "make the cat's eyes blue"."""
    is_led = len(told) > 3 and told[0].text in _GIVING and told[-1].text in _OWNED
    color = told[-2] if is_led and (told[-2].has(Role.COLOR) or told[-2].text in HAIR_COLORS) else None
    owner = [atom for atom in told[1:-2] if atom.text not in ("have", "with", "has")]
    if color is None or not owner or not owner[-1].has(Role.SEEN, Role.NOUN, Role.DETERMINER):
        return None
    is_named = not owner[-1].has(Role.DETERMINER)  # unlike "her"
    s = [Atom("'s", owner[-1].end, owner[-1].end, {Role.FILLER: True})] if is_named else []
    return ([*owner, *s, told[-1]], color)


_GIVING = frozenset({"let", "give"})
_OWNED = frozenset(
    {"eyes", "hair", "fur", "lips", "nails", "skin", "ears", "wings", "feathers", "mane", "beard"}
)


_LEADING = _HOPING | _SHOULD | _CHOOSING | _LETTING | _COATING | _GIVING | {"cover"}
_WISHES = (_hoped, _let, _having, _chosen, _coated, _covering, _resulting)


def _is_a_thing(named: Sequence[Atom]) -> bool:
    """A thing, or what somebody wears; never the photo, its background or a person."""
    owners = [left for left, right in pairwise(named) if right.text == "'s"]
    names = [atom for atom in named if atom not in owners and atom.text != "'s"]
    is_plain = all(atom.is_unknown or atom.has_any(_NAMING) for atom in names)
    is_other = any(atom.has_any(_OTHER) and not atom.has(Role.DETERMINER) for atom in names)
    return is_plain and not is_other and any(not atom.has(Role.DETERMINER, Role.COLOR) for atom in names)


_NAMING = (Role.NOUN, Role.DETERMINER, Role.COLOR)
_OTHER = (Role.PHOTO, Role.BACKGROUND, Role.PERSON, Role.FACE, Role.IT)


def _as_a_tint(part: Sequence[Atom]) -> Sequence[Atom]:
    """ "Give the car a red tint", "infuse the car with a red tint" as "add a red tint to the car"."""
    first = next((at for at, atom in enumerate(part) if not is_packing(atom)), len(part))
    last = max((at + 1 for at, atom in enumerate(part) if not is_packing(atom)), default=0)
    told = part[first:last]
    if len(told) < 5 or told[0].text not in _INFUSING or not _ends_a_tint(told[-1]):
        return part
    start = len(told) - 1
    while start > 1 and told[start - 1].has(Role.COLOR, Role.AMOUNT, Role.SHADE):
        start -= 1
    is_article = told[start - 1].text in ("a", "an", "some")
    goal = told[start - 1 :] if is_article else told[start:]
    named = told[1 : start - is_article]
    is_led = told[0].text != "give"
    thing = named[:-1] if is_led else named
    is_with = not is_led or (bool(named) and named[-1].text == "with")
    if not is_with or not any(atom.has(Role.COLOR) for atom in goal) or not _is_a_thing(thing):
        return part
    if not told[-1].has(Role.CAST):
        make = replace(told[0], text="make", senses={Role.MAKE: "make"})
        return [*part[:first], make, *thing, told[-2], *part[last:]] if told[-2].has(Role.COLOR) else part
    add = replace(told[0], text="add", senses={Role.ADD: "add"})
    to = Atom("to", goal[-1].end, goal[-1].end, {Role.PREPOSITION: "to"})
    return [*part[:first], add, *goal, to, *thing, *part[last:]]


def _ends_a_tint(atom: Atom) -> bool:
    return atom.has(Role.CAST, Role.COLORS) or atom.text == "appearance"


_INFUSING = frozenset({"give", "infuse", "imbue"})


_HUES = frozenset({"hue", "hues"})
