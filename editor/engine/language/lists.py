"""Lists of parts of the photo, of which a step may only cover one."""

from collections.abc import Sequence

from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Phrase
from editor.engine.language.scopes import is_strange
from editor.engine.plan import Step

ONE_BY_ONE = "Say each wish on its own, one for the box and one for the rest."

_PARTS = (Role.PERSON, Role.FACE, Role.SUBJECT, Role.WRITTEN, Role.FLAW, Role.BACKGROUND, Role.NOUN)
_NO_PARTS = (Role.QUALITY, Role.ADJECTIVE, Role.TONE, Role.COLORS, Role.MARKED, Role.SHAPE, Role.ARROW)


def leaves_out(phrase: Phrase, steps: Sequence[Step]) -> bool:
    """Whether "the person in the box and the dog" became the box alone."""
    halves = _halves(phrase.clause.atoms)
    if len(halves) < 2 or not phrase.scene.boxes:
        return False
    boxed = [half for half in halves if any(atom.has(Role.MARKED) for atom in half)]
    others = [half for half in halves if half not in boxed and _names_a_part(half)]
    covered = len({(step.operation, step.target) for step in steps})
    is_mixed = bool(boxed and others) or _is_flaw_beside_a_person(halves)
    return is_mixed and covered < len(boxed) + len(others)


def _halves(atoms: Sequence[Atom]) -> list[list[Atom]]:
    halves: list[list[Atom]] = [[]]
    for atom in atoms:
        if atom.kind == "comma" or (atom.has(Role.AND) and not atom.has(Role.LOOK)):
            halves.append([])
        else:
            halves[-1].append(atom)
    return [half for half in halves if half]


def _names_a_part(half: Sequence[Atom]) -> bool:
    return any((atom.has(*_PARTS) and not atom.has(*_NO_PARTS)) or is_strange(atom) for atom in half)


def _is_flaw_beside_a_person(halves: Sequence[Sequence[Atom]]) -> bool:
    """ "The spots and the person": what is corrected, and what is taken out."""
    flaws = [half for half in halves if any(atom.has(Role.FLAW) for atom in half)]
    return bool(flaws) and any(
        any(atom.has(Role.PERSON) for atom in half) for half in halves if half not in flaws
    )
