"""Parts of somebody by their name: "her shirt", "the hair of the man on the left", "the horse's coat"."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from editor.engine.kinds import PARTS, is_plural, is_someone
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, senses_of
from editor.engine.language.lexicon.things import MATERIALS
from editor.engine.language.seen import seen_thing, told_in
from editor.engine.plan import Target

if TYPE_CHECKING:
    from editor.engine.language.phrases import Phrase


def part_in(phrase: "Phrase", rest: Sequence[Atom]) -> Target | None:
    """The part that a clause is about: `rest` are its words beside the verb and the scopes."""
    return part_named(told_in(phrase, rest)) if not phrase.scene.boxes else None


def part_named(atoms: Sequence[Atom]) -> Target | None:
    """What the words name, with who it belongs to; None where they name nothing that its place and colors
    tell, or describe it by what no eye can check."""
    told = [atom for atom in atoms if not atom.has(Role.COLORS)]
    at = next((at for at, atom in enumerate(told) if _is_a_part(told, at)), None)
    if at is None or any(atom.has(Role.QUOTED, Role.AND, Role.NOT, Role.EXCEPT, Role.BUT) for atom in told):
        return None
    noun = str(told[at].senses.get(Role.PART, told[at].text))
    split = next((i + 1 for i in range(at - 1, -1, -1) if told[i].text.endswith("'s")), 0)
    named_before, described = told[:split], told[split:at]
    place, after = _placed(told[at + 1 :])
    named = named_before or _after_link(after)
    if not all(_describes(atom) for atom in described) or (named_before and after) or named is None:
        return None
    colors = [str(atom.senses[Role.COLOR]) for atom in described if atom.has(Role.COLOR)]
    owner = seen_thing([_without_the_s(atom) for atom in named if atom.text != "'s"]) if named else None
    if (named and owner is None) or len(colors) > 1:
        return None
    if place:
        owner = replace(owner or Target("thing", noun="person"), place=place)
    return _target(noun, owner, colors[0] if colors else None)


def _is_a_part(told: Sequence[Atom], at: int) -> bool:
    """A top is one only where it is somebody's."""
    return told[at].has(Role.PART) or (told[at].text == "top" and at > 0 and _is_an_owner(told[at - 1]))


def _is_an_owner(atom: Atom) -> bool:
    return atom.text.endswith("'s") or atom.text in ("her", "his", "my")


def _placed(words: Sequence[Atom]) -> tuple[str | None, list[Atom]]:
    """The place of "on the right" that is all that follows, and what follows else; "in the photo" is none."""
    told = [atom for atom in words if not _is_packing(atom)]
    if len(told) == 2 and told[0].has(Role.PREPOSITION) and told[1].has(Role.PLACE):
        return str(told[1].senses[Role.PLACE]), []
    if len(told) == 2 and told[0].text == "in" and told[1].has(Role.PHOTO):
        return None, []
    return None, list(words)


def _is_packing(atom: Atom) -> bool:
    return atom.has(Role.DETERMINER, Role.FILLER, Role.THIS)


def _after_link(words: Sequence[Atom]) -> list[Atom] | None:
    """The "man on the left" of "of the man on the left"; nothing is no owner, and anything else is None."""
    if not words:
        return []
    return list(words[1:]) if words[0].text in _LINKS and len(words) > 1 else None


_LINKS = frozenset({"of", "on", "worn by"})


def _describes(atom: Atom) -> bool:
    return _is_packing(atom) or atom.text in _PLAIN | MATERIALS or atom.has(Role.COLOR, Role.WHOLE)


_PLAIN = frozenset({"own", "long", "short", "curly", "straight", "whole", "entire", "of"})


def _without_the_s(atom: Atom) -> Atom:
    """ "Man's" as "man"."""
    word = atom.text.removesuffix("'s").strip()
    return atom if word == atom.text else replace(atom, text=word, senses=senses_of((word,)) or {})


def _target(noun: str, owner: Target | None, color: str | None) -> Target | None:
    """An animal's fur is all of the animal."""
    is_of_several = owner is not None and (bool(owner.count) or is_plural(owner.noun or ""))
    if is_of_several or (owner is not None and owner.color):
        return None
    if owner is not None and not is_someone(owner.noun):
        return replace(owner, color=color) if noun in _OF_ANIMALS and owner.noun in FURRED else None
    if noun == "fur":
        return Target("thing", noun="animal") if owner is None and not color else None
    if owner is None:
        return Target("thing", noun=noun, color=color)
    if PARTS[noun] == "flowers":
        return None
    return Target("thing", noun=noun, color=color, place=owner.place, of=owner.noun)


_OF_ANIMALS = frozenset({"fur", "hair", "coat"})
FURRED = frozenset({"dog", "cat", "horse", "sheep", "cow", "bear", "animal", "pet"})
