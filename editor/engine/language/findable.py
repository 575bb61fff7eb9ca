"""Look up in `findable.toml` whether a target can be found without a box, only with a box, or never."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from editor.engine.kinds import CLASSES_OF_NOUN, PARTS, PLURALS, is_plural, is_someone, kinds_of, rank_in
from editor.engine.plan import Reason, Target
from editor.sentences import Sentence

_TABLE = Path(__file__).with_suffix(".toml")
_MARKED = Sentence("I can't find this by its name. Say “this” to mean what is in your box.")
_ONE_MARKED = Sentence("I can do this to only one thing. Say “this” to mean the one in your box.")
_ONE_NAMED = Sentence(
    "I can do this to only one thing. Say which one you mean, or draw one box around all of them."
)
# Values of `finds` for operations that move or reshape a thing.
RESHAPING_FINDS = frozenset({"moved", "shifted"})
# Classes of words for what no photo shows.
_SHAPELESS = frozenset({"abstract", "manner"})


class StepProblem(NamedTuple):
    """The reason why a step cannot be carried out, and what would help."""

    reason: Reason
    hint: Sentence


class _Row(NamedTuple):
    found: frozenset[str]
    hint: Sentence
    never: Mapping[str, Sentence]
    is_one: bool
    is_sure: bool


@cache
def _table() -> tuple[dict[str, _Row], dict[str, str]]:
    data = tomllib.loads(_TABLE.read_text("utf-8"))
    classes = {noun.strip(): name for name, nouns in data.pop("classes").items() for noun in nouns.split(",")}
    common = data.pop("never")
    likened = {name: data.get(row.get("like"), {}) | row for name, row in data.items()}
    rows = {
        name: _Row(
            frozenset(row["found"].split()),
            Sentence(row["hint"]),
            {kind: Sentence(hint) for kind, hint in (common | row.get("never", {})).items()},
            row.get("is_one", False),
            row.get("is_sure", False),
        )
        for name, row in likened.items()
    }
    return rows, classes


def class_of(target: Target) -> str:
    """Return the class of a target, which states how the target can be found.

    "whole", "subject", "background", "face", "text", "region", and "place" are classes of their own. The
    other classes are "color" (found by its color), "seen" (found by the detector), "green" (plants),
    "surface", "ground" (and walls), and "part" (of a person). Other nouns have the class that the table
    lists, or "other". If a color is given, the class is "colored", "toned" for a nearly neutral color, or
    "worn" for clothes of a person.
    """
    if target.what != "thing":
        return target.what
    if target.noun is None or target.noun == "parts":
        return "color"
    if kinds_of(target.noun):
        return "seen"
    noun_class = _table()[1].get(target.noun) or ("part" if target.noun in PARTS else "other")
    last_word_class = _table()[1].get(target.noun.split()[-1])
    if noun_class == "other" and last_word_class in _SHAPELESS:  # as in "gps data"
        noun_class = last_word_class
    if not target.color or noun_class == "green":
        return "other" if noun_class == "worn" else noun_class
    return "worn" if noun_class in ("part", "worn") else _table()[1].get(target.color, "colored")


@cache
def findable_nouns() -> frozenset[str]:
    """Return the nouns for things that can be found by their names or in a box, singular and plural."""
    listed = {noun for noun, name in _table()[1].items() if name not in ("air", "toned", *_SHAPELESS)}
    return frozenset(listed.union(CLASSES_OF_NOUN, PLURALS, PARTS, ("face", "faces")))


def find_target_problem(target: Target, finds: str, *, has_boxes: bool = False) -> StepProblem | None:
    """Return the reason why an operation cannot act on a target, or None if it can.

    `finds` is the operation's row of the table. If boxes are drawn, the hint does not ask for another box.
    """
    row, target_class = _table()[0][finds or "change"], class_of(target)
    if rank_in(target.place) and target_class != "seen":
        return StepProblem(Reason.NO_SUCH_TARGET, row.hint)
    if target_class in row.never:
        return find_permanent_problem(target_class, finds)
    are_several = row.is_one and (is_plural(target.noun or "") or (target.count or 0) > 1)
    is_only_described = row.is_sure and target.count == 1
    if target_class != "region" and (are_several or is_only_described):
        return StepProblem(Reason.AMBIGUOUS, _ONE_MARKED if has_boxes else _ONE_NAMED)
    is_someone_seen = target_class == "seen" and is_someone(target.noun) and "people" in row.found
    if target_class in row.found or target_class == "region" or is_someone_seen:
        return None
    return StepProblem(Reason.NO_SUCH_TARGET, _MARKED if has_boxes else row.hint)


def find_permanent_problem(target_class: str, finds: str) -> StepProblem | None:
    """Return why even a box would not help with a target of this class, or None if a box may help."""
    hint = _table()[0][finds or "change"].never.get(target_class)
    return StepProblem(Reason.NEEDS_REGION, hint) if hint else None
