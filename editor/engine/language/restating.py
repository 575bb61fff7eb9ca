"""Wishes for the color of a thing that do not begin with a change, told as one: "make the car green"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from editor.engine.language.atoms import Atom, is_packing
from editor.engine.language.lexicon.roles import Role


def restated(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, each part that wishes for the color of a thing in the order of a command."""
    if not any(atom.text in _LEADING for atom in found):
        return list(found)
    return [atom for part in _parts(found) for atom in _as_a_command(part)]


def _parts(found: Sequence[Atom]) -> Iterator[Sequence[Atom]]:
    start = 0
    for at, atom in enumerate(found):
        if atom.kind in ("stop", "comma"):
            yield found[start : at + 1]
            start = at + 1
    yield found[start:]


def _as_a_command(part: Sequence[Atom]) -> Sequence[Atom]:
    first = next((at for at, atom in enumerate(part) if not is_packing(atom)), len(part))
    last = max((at + 1 for at, atom in enumerate(part) if not is_packing(atom)), default=0)
    told = part[first:last]
    thing, color = _hoped(told) or _chosen(told) or _coated(told) or ((), None)
    if color is None or not _is_a_thing(thing):
        return part
    make = Atom("make", told[0].start, told[0].start, {Role.MAKE: "make"})
    return [*part[:first], make, *thing, replace(color, end=told[-1].end), *part[last:]]


type Wish = tuple[Sequence[Atom], Atom] | None


def _hoped(told: Sequence[Atom]) -> Wish:
    """ "The car should be green"."""
    is_hope = len(told) > 2 and told[-1].has(Role.COLOR) and told[-2].text in _HOPING
    return (told[:-2], told[-1]) if is_hope else None


_HOPING = frozenset({"should be", "must be", "has to be", "have to be", "is to be", "are to be"})


def _chosen(told: Sequence[Atom]) -> Wish:
    """ "Opt for a green color for the car"."""
    after = [atom for atom in told[1:] if not atom.has(Role.DETERMINER)] if told else []
    is_choice = len(after) > 3 and told[0].text in _CHOOSING and after[0].has(Role.COLOR)
    if not is_choice or not after[1].has(Role.COLORS) or after[2].text != "for":
        return None
    return after[3:], after[0]


_CHOOSING = frozenset({"opt for", "go for", "choose", "pick", "select", "use"})


def _coated(told: Sequence[Atom]) -> Wish:
    """ "Coat the car in green", "cover it in green paint"; what is covered in black may be to be hidden."""
    is_painted = bool(told) and told[-1].text in _PAINTS
    left = told[:-1] if is_painted else told
    coats = len(left) > 3 and (left[0].text == "coat" or (left[0].text == "cover" and is_painted))
    is_told = coats and left[-1].has(Role.COLOR) and left[-2].text in ("in", "with")
    return (left[1:-2], left[-1]) if is_told else None


_PAINTS = frozenset({"paint", "pigment", "dye", "lacquer"})


_LEADING = _HOPING | _CHOOSING | {"coat", "cover"}


def _is_a_thing(named: Sequence[Atom]) -> bool:
    """A thing, or what somebody wears; never the photo, its background or a person."""
    owners = [left for left, right in pairwise(named) if right.text == "'s"]
    names = [atom for atom in named if atom not in owners and atom.text != "'s"]
    is_plain = all(atom.is_unknown or atom.has(*_NAMING) for atom in names)
    is_other = any(atom.has(*_OTHER) for atom in names)
    return is_plain and not is_other and any(not atom.has(Role.DETERMINER, Role.COLOR) for atom in names)


_NAMING = (Role.NOUN, Role.DETERMINER, Role.COLOR)
_OTHER = (Role.PHOTO, Role.BACKGROUND, Role.PERSON, Role.FACE, Role.IT)
