"""Find ways to continue after a refusal.

Each way is a box, a similar instruction that is accepted, or the rest of the plan.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from editor.engine.language.spelling import Speller
from editor.engine.plan import MAX_WAYS, Plan, Refusal, Way, WayKind

_MAX_SENTENCES_READ = 4  # for one plan, because reading a similar instruction takes time
_STOP = re.compile(r"[.,!?;:]\s*")
_WORD = re.compile(r"[^\W\d_]+")
# Words that join a name to what is before it. They are left out before a wish.
_JOINING_WORDS = re.compile(r"(,?\s+with)?((?:^|\s+)(?:a|an|the|some))*\s*$", re.IGNORECASE)
_GAP = re.compile(r"\s+([.,!?;])")  # what a left-out part leaves before a stop
_PAIR = re.compile(r"(?<![\w-])([a-z]{2,}) ([a-z]{2,})(?![\w-])", re.IGNORECASE)


def with_ways(
    plan: Plan, speller: Speller, accepts: Callable[[str, bool], bool], is_courtesy: Callable[[str], bool]
) -> Plan:
    """Return a refused plan whose refusals list ways to continue, best first.

    `accepts` returns whether an instruction is accepted as a whole for the same photos, either with the same
    boxes or with an added one. Only accepted sentences are offered. `is_courtesy` returns whether words only
    introduce a wish: "I need".
    """
    sentences = list(_sentences(plan, speller, accepts, is_courtesy))
    first = plan.not_understood[0]
    refusals = (
        replace(one, ways=_ways(plan, one, sentences if one is first else []), nearest=())
        for one in plan.not_understood
    )
    return replace(plan, not_understood=tuple(refusals))


def _ways(plan: Plan, refusal: Refusal, sentences: list[Way]) -> tuple[Way, ...]:
    boxes = [Way(WayKind.BOX, plan.instruction)] if refusal.box_helps else []
    ways = [*(refusal.ways or boxes), *sentences]
    rest = [Way(WayKind.REST, plan.instruction)] if plan.steps else []
    return (*list(dict.fromkeys(ways))[: MAX_WAYS - len(rest)], *rest)


def _sentences(
    plan: Plan, speller: Speller, accepts: Callable[[str, bool], bool], is_courtesy: Callable[[str], bool]
) -> Iterator[Way]:
    """Yield instructions that are accepted and differ from the refused one only in the refused words.

    The first one is also offered if it is accepted only with a box.
    """
    replacements = [(one, list(_nearest(one, speller))) for one in plan.not_understood if not one.ways]
    if any(not nearest or plan.instruction.count(one.words) != 1 for one, nearest in replacements):
        return
    limit = _MAX_SENTENCES_READ if len(replacements) == 1 else 1
    for number in range(limit):
        text = plan.instruction
        for one, nearest in replacements:
            if number >= len(nearest):
                return
            is_wish = _is_other_wish(nearest[number], one, accepts)
            text = _replace_words(text, one.words, nearest[number], is_courtesy, is_wish=is_wish)
        text = _GAP.sub(r"\1", text).strip()
        if text == plan.instruction.strip():
            continue
        if accepts(text, False):
            yield Way(WayKind.SENTENCE, text)
        elif number == 0 and accepts(text, True):
            yield Way(WayKind.BOX, text)


def _is_other_wish(nearest: str, refusal: Refusal, accepts: Callable[[str, bool], bool]) -> bool:
    """Return whether a wish is offered instead of words that begin differently, such as a name."""
    is_other = nearest in refusal.nearest and nearest.split()[:1] != refusal.words.split()[:1]
    return is_other and (accepts(nearest, False) or accepts(nearest, True))


def _replace_words(
    text: str, words: str, nearest: str, is_courtesy: Callable[[str], bool], *, is_wish: bool
) -> str:
    """Return the text with words replaced, along with the courteous words that introduce them.

    A wish instead of a name also replaces the words that join the name to what is before it, as in "with a".
    """
    before, _, after = text.partition(words)
    if is_wish and (joining := _JOINING_WORDS.search(before)) and joining[0].strip():
        link = ", " if joining[1] else " "
        before = before[: joining.start()] + (link if joining.start() else "")
    start = max((stop.end() for stop in _STOP.finditer(before)), default=0)
    lead = before[start:].strip()
    return f"{before[:start] if is_courtesy(lead) and nearest else before}{nearest}{after}"


def _nearest(refusal: Refusal, speller: Speller) -> Iterator[str]:
    """Yield words that may be accepted instead of the refused words."""
    yield from refusal.nearest
    yield from _respelled(refusal.words, speller)


def _respelled(words: str, speller: Speller) -> Iterator[str]:
    """Yield the words with each misspelled one replaced by a suggestion, and with split words joined."""
    unknown = [match for match in _WORD.finditer(words) if _is_unknown(match[0], speller)]
    suggested = [speller.suggestions(match[0].lower()) for match in unknown]
    for choice in range(min(map(len, suggested), default=0)):
        text = words
        for match, options in zip(reversed(unknown), reversed(suggested), strict=True):
            text = text[: match.start()] + options[choice] + text[match.end() :]
        yield text
    for pair in _PAIR.finditer(words):
        parts = {pair[1].lower(), pair[2].lower()}
        if (joined := pair[1].lower() + pair[2].lower()) in speller.known and not parts <= speller.known:
            yield words[: pair.start()] + joined + words[pair.end() :]


def _is_unknown(word: str, speller: Speller) -> bool:
    is_name = word[1:] != word[1:].lower() or not word.isascii()
    return not is_name and speller.is_misspelled(word.lower()) and not speller.knows(word.lower())
