"""Find the words that describe a thing but that the engine cannot check, so that the plan can name them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from editor.engine.kinds import plural_of
from editor.engine.language.chart import Edge
from editor.engine.language.sentence_parts import SentencePart
from editor.engine.language.tokens import Token
from editor.engine.plan import Step, Target

# Roles of words that distinguish a thing from others of its kind, but that no target contains.
_QUALIFYING_ROLES = frozenset({"relation", "lain", "modifier", "trait", "aged_or_sized", "two_colors"})
# Maximum length of the words that are named.
_MAX_LENGTH = 60


def with_unchecked_words(
    parts: Sequence[SentencePart], steps: Sequence[Step], text: str, tokens: Sequence[Token]
) -> list[Step]:
    """Return the steps, whose targets name the words that the engine cannot check.

    `text` is the instruction, and `tokens` are its tokens. A noun stands for the thing that the part of the
    step names or, if that part does not name it, for the thing that another part names.
    """
    unchecked = [(part, dict(_unchecked_words(part.edge, text, tokens))) for part in parts]
    everywhere = _merge(named for _, named in unchecked)
    if not any(words for _, named in unchecked for words in named.values()):
        return list(steps)
    kept_words = _merge(named for part, named in unchecked if part.role == "spared")
    described_steps = list[Step]()
    for step in steps:
        own = everywhere | _merge(named for part, named in unchecked if part.words == step.words)
        described_steps.append(_with_unchecked(step, own, own | kept_words))
    return described_steps


def _merge(several: Iterable[Mapping[str, str]]) -> dict[str, str]:
    return {noun: words for named in several for noun, words in named.items()}


def _with_unchecked(step: Step, own: Mapping[str, str], kept_words: Mapping[str, str]) -> Step:
    """Return a step whose targets contain the words that belong to their nouns."""

    def target(one: Target, words: Mapping[str, str]) -> Target:
        is_named = one.what in ("thing", "background") and one.noun
        return replace(one, unchecked=words.get(one.noun or "") or None) if is_named else one

    values = {
        name: target(value, own) if isinstance(value, Target) else value
        for name, value in step.values.items()
    }
    keep = tuple(target(one, kept_words) for one in step.keep)
    return replace(step, target=target(step.target, own), values=values, keep=keep)


def _unchecked_words(edge: Edge, text: str, tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Yield the noun of each thing in an edge, in both numbers, with the words that cannot be checked."""
    value = edge.value if edge.role == "thing" else None
    noun = value.get("noun") if isinstance(value, Mapping) else None
    if not noun:
        for part in edge.parts:
            yield from _unchecked_words(part, text, tokens)
        return
    words = [one for one in edge.parts if one.role in _QUALIFYING_ROLES]
    phrases = (text[tokens[one.start].start : tokens[one.end - 1].end] for one in words)
    qualifiers = ", ".join(phrases).strip(" ()")
    if len(qualifiers) > _MAX_LENGTH:
        qualifiers = qualifiers[: _MAX_LENGTH - 1].rstrip() + "…"
    for name in (str(noun), plural_of(str(noun))):
        yield name, qualifiers
