"""Wishes for light and color as people tell them, each as the plain wish that the rules read."""

from collections.abc import Sequence

from editor.engine.language.atoms import Atom, roles_of
from editor.engine.language.lexicon.roles import Role
from editor.engine.language.restating import cropping, loosely, sliders
from editor.engine.language.restating.idioms import plainly_put
from editor.engine.language.restating.ranges import with_ranges
from editor.engine.language.restating.running import run_apart
from editor.engine.language.restating.sparing import as_care
from editor.engine.language.restating.ways import (
    ASIDES,
    FORETELLING,
    LEANING,
    as_too_much,
    looks_apart,
    told_by_doing,
    without_asides,
    without_praise,
)


def reworded(found: Sequence[Atom]) -> list[Atom]:
    """The atoms; what none of the words can begin is not looked for."""
    roles = roles_of(found)
    told = with_ranges(found) if Role.NUMBER in roles else list(found)
    told = plainly_put(told, {atom.text for atom in told})
    texts = {atom.text for atom in told}
    if Role.QUOTED in roles:
        told = loosely.said_in_quotes(told)
    if not texts.isdisjoint(loosely.WORDS):
        told = loosely.tightened(told, loosely.RULES)
    if not texts.isdisjoint(cropping.WORDS):
        told = loosely.tightened(told, cropping.RULES)
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
    return told


_SPARING = frozenset({Role.KEEP, Role.WITHOUT, Role.NOT, Role.NO, Role.MODERATE, Role.EXCEPT})
