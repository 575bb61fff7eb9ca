"""Describe what an analyzed photo shows, for users whose prompt names something else."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from editor.engine.nouns import counted
from editor.engine.vision.things import SURE
from editor.sentences import EMPTY, Sentence, join_names

if TYPE_CHECKING:
    from editor.engine.vision.analysis import Analysis

_MOST = 4  # maximum number of different things that are named in the sentence
# Grounds with names that people use.
_GROUNDS = {"sky": Sentence("the sky"), "water": Sentence("water")}
_SURE_GROUND = 0.7  # minimum certainty of a ground that is named


def say_seen(analysis: "Analysis | None", without: Iterable[str] = ()) -> Sentence:
    """Return a sentence such as "I see two dogs and the sky.", or "" if nothing is certain.

    `without` lists kinds of things to leave out.
    """
    if analysis is None:
        return EMPTY
    left_out = set(without)
    sure = [thing for thing in analysis.things if thing.score >= SURE and thing.kind not in left_out]
    most = Counter[str]()
    for thing in sure:
        most[thing.kind] += thing.box.area
    counts = Counter(thing.kind for thing in sure)
    names = [counted(kind, counts[kind]) for kind, _ in most.most_common(_MOST)]
    grounds = {ground.kind for ground in analysis.grounds or () if ground.confidence >= _SURE_GROUND}
    names += [name for kind, name in _GROUNDS.items() if kind in grounds - left_out]
    if not names:
        return EMPTY
    return Sentence("I see %(things)s.", things=join_names(names[:_MOST]))
