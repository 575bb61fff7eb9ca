"""People without a box: one is found by the face, at the place that is named or where nobody else is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.things import ALL_PEOPLE, ONE_PERSON
from editor.engine.language.scopes import Scope, is_name
from editor.engine.plan import Target

if TYPE_CHECKING:
    from editor.engine.language.phrases import Phrase

_LINKS = frozenset({"of", "in", "on", "from", "at", "to", "side", "corner", "hand", "part"})


def one_person(phrase: "Phrase", rest: Sequence[Atom]) -> Target | None:
    """ "The man", "the girl on the far left"; None where more is said of the person than a place, or where
    several are meant. `rest` are the words of the clause beside its verb and the scopes."""
    head = _head(phrase, rest)
    if head is None:
        return None
    others = [atom for atom in rest if atom is not head]
    places = [str(atom.senses[Role.PLACE]) for atom in others if atom.has(Role.PLACE)]
    place = places[0] if len(places) == 1 else None
    if len(places) > 1 or place == "all" or not all(_is_of_a_place(atom, place) for atom in others):
        return None
    is_elsewhere = any(scope.what != "person" for scope in phrase.named)
    if is_elsewhere and (place is None or not all(_is_around(scope) for scope in phrase.named)):
        return None
    return Target("thing", noun=ONE_PERSON[head.text], place=place)


def all_people(phrase: "Phrase", rest: Sequence[Atom]) -> Target | None:
    """ "The people", "all the people", of the whole photo: a part of them cannot be told apart."""
    scopes = phrase.named
    is_one = len(scopes) == 1 and scopes[0].what == "person" and not scopes[0].preposition
    if not is_one or not all(atom.has(Role.WHOLE) for atom in rest):
        return None
    head = phrase.clause.atoms[scopes[0].after - 1]
    return Target("thing", noun="people") if head.text in ALL_PEOPLE else None


def _head(phrase: "Phrase", rest: Sequence[Atom]) -> Atom | None:
    """The one word for the person: of a scope without a preposition, or a name like "bystander"."""
    scopes = [scope for scope in phrase.named if scope.what == "person"]
    named = [atom for atom in rest if is_name(atom)]
    if len(scopes) + len(named) != 1 or any(scope.preposition for scope in scopes):
        return None
    head = named[0] if named else phrase.clause.atoms[scopes[0].after - 1]
    return head if head.text in ONE_PERSON else None


def _is_of_a_place(atom: Atom, place: str | None) -> bool:
    if atom.has(Role.PLACE):
        return True
    is_first = atom.senses.get(Role.ORDINAL) == 1  # "the first person on the left"
    return place is not None and (atom.text in _LINKS or atom.text == "far" or is_first)


def _is_around(scope: Scope) -> bool:
    """Where a person with a place is: "in the background on the right"."""
    is_background = scope.what == "background" and scope.preposition in ("in", "from", "on", "at")
    return is_background or (scope.what == "person" and not scope.preposition)
