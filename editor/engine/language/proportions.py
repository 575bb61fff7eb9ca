"""Clauses that only say that a new size bends nothing: "without stretching it", "keep the proportions"."""

from editor.engine.language.grammar import Clause, is_packing
from editor.engine.language.lexicon import Role
from editor.engine.language.readings import Reading
from editor.engine.plan import Step

_SMALL = (
    Role.DETERMINER,
    Role.IT,
    Role.THIS,
    Role.PHOTO,
    Role.WHOLE,
    Role.SEVERAL,
    Role.BE,
    Role.PREPOSITION,
)
_UNBENDING = frozenset({"resize", "crop", "print_size", "extend", "zoom", "trim"})
_BENT = ("stretch", "distort", "squash", "squish", "squeez", "skew", "warp", "deform")
_PROPORTIONS = frozenset({"proportions", "proportion", "ratio", "aspect", "original", "same"})


def keeps_proportions(clause: Clause, before: Reading) -> bool:
    """Whether a clause asks for nothing but what the steps before it do anyway."""
    telling = [atom for atom in clause.atoms if not (is_packing(atom) or atom.has(*_SMALL))]
    if len(telling) < 2 or not before.steps or not all(map(_bends_nothing, before.steps)):
        return False
    opening, *rest = telling
    if opening.has(Role.KEEP) or opening.text.endswith("keep"):
        is_fixed = any("x" in (step.choice or "") or step.operation == "print_size" for step in before.steps)
        return not is_fixed and all(atom.text in _PROPORTIONS for atom in rest)
    return opening.has(Role.NOT, Role.WITHOUT, Role.NO) and all(atom.text.startswith(_BENT) for atom in rest)


def _bends_nothing(step: Step) -> bool:
    return step.operation in _UNBENDING
