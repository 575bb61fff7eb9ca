"""Clauses that only say that a new size bends nothing: "without stretching it", "keep the proportions"."""

from editor.engine.language.grammar import Clause
from editor.engine.language.lexicon import Role
from editor.engine.language.readings import Reading
from editor.engine.language.wishes import Wish

SMALL = frozenset(
    {
        *(Role.DETERMINER, Role.IT, Role.THIS, Role.PHOTO, Role.WHOLE, Role.SEVERAL, Role.BE),
        Role.PREPOSITION,
    }
)
"""What a clause about the frame says beside what it asks for."""
_UNBENDING = frozenset({"resize", "crop", "print_size", "extend", "zoom", "trim"})
_BENT = ("stretch", "distort", "squash", "squish", "squeez", "skew", "warp", "deform")
_PROPORTIONS = frozenset({"proportions", "proportion", "ratio", "aspect", "original", "same"})


def keeps_proportions(clause: Clause, before: Reading) -> bool:
    """Whether a clause asks for nothing but what the steps before it do anyway."""
    if not before.steps or not all(map(_bends_nothing, before.steps)):
        return False
    telling = [atom for atom in clause.telling if not atom.has_any(SMALL)]
    if len(telling) < 2:
        return False
    opening, *rest = telling
    if opening.has(Role.KEEP) or opening.text.endswith("keep"):
        is_fixed = any("x" in (step.choice or "") or step.operation == "print_size" for step in before.steps)
        return not is_fixed and all(atom.text in _PROPORTIONS for atom in rest)
    return opening.has(Role.NOT, Role.WITHOUT, Role.NO) and all(atom.text.startswith(_BENT) for atom in rest)


def _bends_nothing(step: Wish) -> bool:
    return step.operation in _UNBENDING
