"""Additions told in the usual order: "on the table, put a cup" as "put a cup on the table", and each sort of
them with its own verb."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom, is_packing
from editor.engine.language.lexicon.roles import VERBS, Role
from editor.engine.props import prop_named

_WHERE = frozenset(
    {
        *("on", "in", "at", "to", "atop", "above", "below", "beside", "next to", "near", "behind", "between"),
        *("over", "under", "underneath", "in front of", "on top of", "inside", "within", "close to"),
    }
)
_NO_PLACE = (Role.PURPOSE, Role.NIGHT, Role.KEEP, Role.WITHOUT, Role.EXCEPT, Role.NOT, Role.BE)


def placed_last(found: Sequence[Atom]) -> list[Atom]:
    """The atoms; in each sentence that asks for an addition the place is behind what is added."""
    told = list(found)
    for start, atom in enumerate(found):
        if atom.text in _WHERE and (start == 0 or found[start - 1].kind == "stop"):
            end = next((at for at in range(start, len(told)) if told[at].kind == "stop"), len(told))
            told[start:end] = _placed_last(told[start:end])
    return told


def _placed_last(sentence: list[Atom]) -> list[Atom]:
    verb = next((at for at, atom in enumerate(sentence) if atom.has_any(VERBS)), 0)
    place = [atom for atom in sentence[:verb] if atom.kind != "comma"]
    if len(place) < 2 or not sentence[verb].has(Role.ADD) or any(atom.has(*_NO_PLACE) for atom in place):
        return sentence
    wish = sentence[verb:]
    after = next((at for at in range(1, len(wish) - 1) if _begins_another(wish, at)), len(wish))
    while is_packing(wish[after - 1]) and after > 1:
        after -= 1
    return [*wish[:after], *place, *wish[after:]]


def _begins_another(wish: Sequence[Atom], at: int) -> bool:
    joins = wish[at].kind == "comma" or wish[at].has(Role.AND, Role.THEN, Role.BUT)
    return joins and any(atom.has_any(VERBS) for atom in wish[at + 1 : at + 3])


def sorted_apart(found: Sequence[Atom]) -> list[Atom]:
    """ "Add balloons and a cake" as "add balloons, then add a cake": the ones are drawn over the photo, of
    the other there is a picture."""
    told = list(found)
    for at in range(len(told) - 2, 1, -1):
        joins = told[at].kind == "comma" or told[at].has(Role.AND)
        if not joins or told[at + 1].kind == "comma":
            continue
        verb = next((i for i in range(at - 1, -1, -1) if told[i].kind == "stop" or told[i].has_any(VERBS)), 0)
        if told[verb].has(Role.ADD) and _are_two_sorts(_sort(told[verb + 1 : at]), _sort(told[at + 1 :])):
            joint = replace(told[at], senses={Role.THEN: "then"}, kind="word")
            told[at : at + 1] = [joint, told[verb]]
    return told


def _are_two_sorts(one: str, other: str) -> bool:
    return bool(one and other) and one != other


_SHAPES = (Role.SHAPE, Role.ARROW, Role.EMOJI, Role.BORDER, Role.FRAME, Role.QUOTED)


def _sort(atoms: Sequence[Atom]) -> str:
    """Of what the first one is that they name, "" where it is nothing that can be added; each of those that
    are drawn over the photo is a sort of its own."""
    for at, atom in enumerate(atoms):
        if atom.has(Role.OVERLAID):
            return str(atom.senses[Role.OVERLAID])
        if atom.has(*_SHAPES):
            return "shape"
        if prop_named(" ".join(other.text for other in atoms[at : at + 4]).replace("-", " ").split()):
            return "prop"
        if atom.kind in ("stop", "comma") or atom.has(Role.PREPOSITION, Role.AND) or atom.has_any(VERBS):
            return ""
    return ""
