"""One wish for several parts of a photo: "darken the sky and the trees", each found in its own way."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from editor.engine.kinds import is_someone
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase, taken_apart
from editor.engine.language.wishes import Wish

_NAMES = (Role.NOUN, Role.FINDABLE, Role.SEEN, Role.PERSON, Role.FACE, Role.BACKGROUND, Role.SUBJECT)
_LED = (Role.DETERMINER, Role.THIS, Role.PREPOSITION)


def one_by_one(phrase: Phrase, read: Callable[[Phrase], Answer | None]) -> list[Wish] | None:
    """The steps for each part of a list in the clause; None without one, or where a part is refused."""
    chunks = _listed(phrase.clause.atoms)
    if len(chunks) < 2 or phrase.scene.boxes or sum(_names_somebody(phrase, chunk) for chunk in chunks) > 1:
        return None
    steps = list[Wish]()
    for chunk in chunks:
        atoms = phrase.clause.atoms
        alone = [*atoms[: chunks[0].start], *atoms[chunk.start : chunk.stop], *atoms[chunks[-1].stop :]]
        clause = replace(phrase.clause, atoms=alone)
        answer = read(taken_apart(clause, phrase.scene, phrase.antecedent, phrase.meant))
        if not isinstance(answer, list):
            return None
        steps += answer
    return [replace(step, words=phrase.span) for step in steps]


def _listed(atoms: Sequence[Atom]) -> list[range]:
    """Where the parts of the first list of names stand, without what joins them."""
    chunks = list[range]()
    for start, stop in _runs(atoms):
        is_next = bool(chunks) and start == chunks[-1].stop + 1 and _joins(atoms[chunks[-1].stop])
        if chunks and not is_next and len(chunks) > 1:
            break
        chunks = [*chunks, range(start, stop)] if is_next else [range(start, stop)]
    return chunks


def _runs(atoms: Sequence[Atom]) -> Iterator[tuple[int, int]]:
    """Each name with its article."""
    at = 0
    while at < len(atoms):
        start = at
        while at < len(atoms) and atoms[at].has(*_LED):
            at += 1
        name = at
        while at < len(atoms) and _is_a_name(atoms[at]):
            at += 1
        if at > name:
            yield start, at
        at = max(at, start + 1)


def _is_a_name(atom: Atom) -> bool:
    return atom.has(*_NAMES) and not atom.has(Role.QUALITY, Role.PHOTO, Role.ADJECTIVE)


def _joins(atom: Atom) -> bool:
    return atom.has(Role.AND) or atom.kind == "comma"


def _names_somebody(phrase: Phrase, chunk: range) -> bool:
    named = [phrase.clause.atoms[at] for at in chunk]
    return any(atom.has(Role.PERSON) or is_someone(str(atom.senses.get(Role.SEEN))) for atom in named)
