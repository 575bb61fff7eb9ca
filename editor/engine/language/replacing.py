"""One thing for another: "replace the cat with a bench", "turn the ball into a pumpkin". What is there goes,
and a prop stands in its place."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from editor.engine.kinds import ON_POLES, is_plural, kinds_of
from editor.engine.language.grammar import Atom, is_packing
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase, taken_apart
from editor.engine.language.placing import MARK_IT, boxed
from editor.engine.language.props import prop_alone, prop_step
from editor.engine.language.removal import removed
from editor.engine.language.wishes import Wish
from editor.engine.plan import Kind, Reason, Refusal, Target

_REPLACING = frozenset({"replace", "swap", "swap out", "switch", "switch out", "exchange", "trade"})
_REPLACING |= {"supplant", "substitute", "sub out", "replacing", "swapping"}
_TURNING = frozenset({"change", "turn", "transform", "convert", "morph"})
_LINKS = frozenset({"with", "by", "for", "to", "into"})
_IN = frozenset({"in", "of", "from"})
_BECOMING = frozenset({"to", "into", "for"})
_INDEFINITE = frozenset({"a", "an", "some", "one", "another"})
_ATTRIBUTES = frozenset({"count", "number", "material", "position", "location", "style", "design", "type"})
_ATTRIBUTES |= {"size", "shape", "colour", "color", "texture", "pattern"}
_OF_THE_PHOTO = (Role.PHOTO, Role.BACKGROUND, Role.COLORS, Role.QUALITY, Role.WRITTEN, Role.QUOTED)


class _Exchange(NamedTuple):
    """The words for what is there, and those for what is wished for."""

    old: Sequence[Atom]
    new: Sequence[Atom]


def replaced_by_prop(phrase: Phrase) -> Answer | None:
    """The step that puts a prop in the place of something; None where the words ask for no such thing."""
    atoms = [atom for atom in phrase.clause.atoms if atom.kind != "stop"]
    verb = next((at for at, atom in enumerate(atoms) if not is_packing(atom)), len(atoms))
    if verb >= len(atoms):
        return None
    for told, new in _exchanges(atoms[verb], atoms[verb + 1 :]):
        old = _without_the_photo(told)
        named = prop_alone(phrase, new)
        if named is None or not _is_another(old, new, is_replaced=atoms[verb].text in _REPLACING):
            continue
        place = _emptied(phrase, atoms[verb], old)
        made = prop_step(phrase, named, place.target) if isinstance(place, Wish) else place
        if isinstance(made, Wish) and isinstance(place, Wish):
            return _in_its_place(phrase, made, place)
        return made if isinstance(made, Refusal) else None
    return None


def _without_the_photo(old: Sequence[Atom]) -> Sequence[Atom]:
    """ "The dog" of "the dog in the image"."""
    at = next((at for at, atom in enumerate(old) if at and atom.text in _IN), len(old))
    is_all = len(old) > at + 1 and old[-1].has(Role.PHOTO)
    return old[:at] if is_all and all(a.has(Role.DETERMINER, Role.THIS) for a in old[at + 1 : -1]) else old


def _exchanges(verb: Atom, atoms: Sequence[Atom]) -> Iterator[_Exchange]:
    """The ways to read what goes and what comes."""
    is_turning = verb.text in _TURNING
    if is_turning or verb.text in _REPLACING:
        at = _link(atoms, _BECOMING if is_turning else _LINKS)
        # "Change the apple to orange" colors it.
        if at is not None and (not is_turning or atoms[at + 1].text in _INDEFINITE):
            yield _Exchange(atoms[:at], atoms[at + 1 :])
    elif verb.has(Role.ADD):
        for at in range(1, len(atoms) - 1):
            after = _behind_instead(atoms, at)
            if after:
                yield _Exchange(atoms[after:], atoms[:at])
    elif verb.has(Role.MAKE):
        for at in range(1, len(atoms) - 1):
            is_named = atoms[at - 1].has(Role.NOUN, Role.IT, Role.THIS) and not atoms[-1].has(Role.COLOR)
            if is_named and atoms[at].text in ("a", "an"):
                yield _Exchange(atoms[:at], atoms[at:])


def _link(atoms: Sequence[Atom], links: Set[str]) -> int | None:
    """The first one behind which something new may be named: not that of "the man with the hat"."""
    for at in range(1, len(atoms) - 1):
        following = atoms[at + 1]
        is_known = following.has(Role.DETERMINER, Role.THIS) and following.text not in _INDEFINITE
        if atoms[at].text in links and not is_known:
            return at
    return None


def _behind_instead(atoms: Sequence[Atom], at: int) -> int | None:
    """The atom behind the "instead of" or "in place of" that begins there."""
    if atoms[at].text == "instead of":
        return at + 1
    words = [atom.text for atom in atoms[at : at + 4]]
    length = next((len(said) for said in _IN_PLACE_OF if words[: len(said)] == list(said)), 0)
    return at + length if length else None


_IN_PLACE_OF = (("in", "place", "of"), ("in", "the", "place", "of"))


def _is_another(old: Sequence[Atom], new: Sequence[Atom], *, is_replaced: bool) -> bool:
    """Whether the words name a thing, and another one: "change the cup to a blue cup" colors it."""
    if any(atom.has_any(_OF_THE_PHOTO) or atom.text in _ATTRIBUTES for atom in old):
        return False
    if new[-1].has(Role.COLOR) and new[0].text not in _INDEFINITE:
        return False  # "replace the red with orange"
    telling = [atom.text for atom in old if not is_packing(atom)]
    is_colored = any(atom.has(Role.COLOR) for atom in new[:-1])
    return bool(telling) and (telling[-1] != new[-1].text or (is_replaced and not is_colored))


def _emptied(phrase: Phrase, verb: Atom, old: Sequence[Atom]) -> Wish | Refusal | None:
    """The step that would erase what is there, as removal by its name does."""
    if all(atom.has(Role.IT, Role.THIS, Role.MARKED, Role.DETERMINER, Role.FILLER) for atom in old):
        return phrase.step(Kind.REMOVE, "erase", target=boxed(phrase)) if phrase.scene.boxes else None
    removing = replace(verb, senses={Role.REMOVE: verb.text})
    clause = replace(phrase.clause, atoms=[removing, *_with_fruit(old)])
    answer = removed(taken_apart(clause, phrase.scene, phrase.antecedent))
    if isinstance(answer, Refusal):
        hint = MARK_IT if answer.reason is Reason.NEEDS_REGION else answer.hint
        return phrase.refused(answer.reason, hint)
    step = answer[0] if answer and len(answer) == 1 else None
    return step if step and step.operation == "erase" and step.target.of is None else None


def _with_fruit(old: Sequence[Atom]) -> list[Atom]:
    """ "The orange" that goes is no color."""
    last = old[-1]
    is_fruit = last.text in ("orange", "oranges") and not any(atom.has(Role.NOUN) for atom in old[:-1])
    senses: dict[Role, object] = {Role.NOUN: last.text, Role.SEEN: last.text}
    return [*old[:-1], replace(last, senses=senses)] if is_fruit else list(old)


def _in_its_place(phrase: Phrase, prop: Wish, place: Wish) -> Answer | None:
    """One of several things for each: as many come as go."""
    target = place.target
    if set(kinds_of(target.noun)) & ON_POLES and not target.boxes:
        return phrase.refused(Reason.NEEDS_REGION, "Mark it with a box, with its pole.")
    if target.what != "region" and prop.place in ("head", "eyes"):
        return None
    if is_plural(target.noun or ""):
        if not kinds_of(target.noun) or prop.exact is None or not _are_as_many(prop, target):
            return phrase.refused(Reason.AMBIGUOUS, _EACH)
        prop = replace(prop, exact=None)
    return [replace(prop, operation="prop_instead", target=target, keep=place.keep, place=None, text=None)]


_EACH = "Say it of one thing, as in: replace the left chair with a bench."


def _are_as_many(prop: Wish, target: Target) -> bool:
    return target.count is None or prop.exact is None or prop.exact[0] == target.count
