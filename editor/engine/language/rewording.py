"""Wishes for light and color as people tell them, each as the plain wish that the rules read."""

from collections.abc import Sequence

from editor.engine.language import sliders
from editor.engine.language.atoms import Atom
from editor.engine.language.lexicon.roles import Role
from editor.engine.language.ranges import with_ranges
from editor.engine.language.running import run_apart
from editor.engine.language.sparing import as_care
from editor.engine.language.ways import (
    ASIDES,
    FORETELLING,
    LEANING,
    SHADOWS,
    as_too_much,
    looks_apart,
    shadows_lifted,
    told_by_doing,
    without_asides,
    without_praise,
)


def reworded(found: Sequence[Atom]) -> list[Atom]:
    """The atoms; what none of the words can begin is not looked for."""
    roles = {role for atom in found for role in atom.senses}
    told = with_ranges(found) if Role.NUMBER in roles else list(found)
    texts = {atom.text for atom in told}
    if not texts.isdisjoint(ASIDES):
        told = without_asides(told)
    if not texts.isdisjoint(LEANING):
        told = as_too_much(told)
    told = run_apart(told)
    if not texts.isdisjoint(sliders.WORDS):
        told = sliders.as_wishes(told)
    if not roles.isdisjoint(_SPARING):
        told = as_care(told)
    if "by" in texts:
        told = told_by_doing(told)
    if Role.LOOK in roles:
        told = looks_apart(told)
    if not texts.isdisjoint(FORETELLING):
        told = without_praise(told)
    return shadows_lifted(told) if not texts.isdisjoint(SHADOWS) else told


_SPARING = frozenset({Role.KEEP, Role.WITHOUT, Role.NOT, Role.NO, Role.MODERATE, Role.EXCEPT})
