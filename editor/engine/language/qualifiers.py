"""Finds the words that describe a thing but that the engine cannot check, so that the plan can name them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from editor.engine.kinds import plural_of
from editor.engine.language.chart import Edge
from editor.engine.language.sentence_parts import SentencePart
from editor.engine.language.tokens import Token
from editor.engine.plan import Step, Target

QUALIFYING = frozenset({"relation", "lain", "modifier", "trait", "aged_or_sized"})
"""Roles of words that distinguish a thing from others of its kind, but that no target contains."""
LONGEST = 60  # Maximum length of the words that are named.


def with_unchecked_words(
    parts: Sequence[SentencePart], steps: Sequence[Step], text: str, found: Sequence[Token]
) -> list[Step]:
    """Return the steps, whose targets name the words that the engine cannot check.

    `text` is the instruction, and `found` are its tokens. A noun stands for the thing that the part of the
    step names or, if that part does not name it, for the thing that another part names.
    """
    unchecked = [(part, dict(_unchecked(part.edge, text, found))) for part in parts]
    everywhere = _merged(named for _, named in unchecked)
    if not any(words for _, named in unchecked for words in named.values()):
        return list(steps)
    kept = _merged(named for part, named in unchecked if part.role == "spared")
    told = list[Step]()
    for step in steps:
        own = everywhere | _merged(named for part, named in unchecked if part.words == step.words)
        told.append(_with_words(step, own, own | kept))
    return told


def _merged(several: Iterable[Mapping[str, str]]) -> dict[str, str]:
    return {noun: words for named in several for noun, words in named.items()}


def _with_words(step: Step, own: Mapping[str, str], kept: Mapping[str, str]) -> Step:
    """Return a step whose targets contain the words that belong to their nouns."""

    def target(one: Target, words: Mapping[str, str]) -> Target:
        is_named = one.what in ("thing", "background") and one.noun
        return replace(one, unchecked=words.get(one.noun or "") or None) if is_named else one

    values = {
        name: target(value, own) if isinstance(value, Target) else value
        for name, value in step.values.items()
    }
    keep = tuple(target(one, kept) for one in step.keep)
    return replace(step, target=target(step.target, own), values=values, keep=keep)


def _unchecked(edge: Edge, text: str, found: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Yield the noun of each thing in an edge, in both numbers, with the words that cannot be checked."""
    value = edge.value if edge.role == "thing" else None
    noun = value.get("noun") if isinstance(value, Mapping) else None
    if not noun:
        for part in edge.parts:
            yield from _unchecked(part, text, found)
        return
    words = [one for one in edge.parts if one.role in QUALIFYING]
    told = ", ".join(text[found[one.start].start : found[one.end - 1].end] for one in words).strip(" ()")
    for name in (str(noun), plural_of(str(noun))):
        yield name, told if len(told) <= LONGEST else told[: LONGEST - 1].rstrip() + "…"
