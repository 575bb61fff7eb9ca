"""Offers to draw an emoji if there is no picture of a requested thing."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from editor.engine.kinds import is_plural, takes_an, takes_them
from editor.engine.plan import Plan, Reason, Way, WayKind
from editor.sentences import Sentence

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_LONGEST = 4  # maximum number of words in the name of an emoji
_AS_EMOJI = (
    Sentence("I don't have a photo of %(name)s. I can add it as an emoji."),
    Sentence("I don't have a photo of %(name)s. I can add them as an emoji."),
)
_IN_A_BOX = (
    Sentence(
        "I don't have a photo of %(name)s. Draw a box where it should go, and I can add it as an emoji."
    ),
    Sentence(
        "I don't have a photo of %(name)s. Draw a box where they should go, and I can add them as an emoji."
    ),
)
# Whether a hint asks for a box, and the hints for one thing and for several.
_ADVICE = ((False, _AS_EMOJI), (True, _IN_A_BOX))


def with_offer(
    plan: Plan, senses: Mapping[str, Mapping[str, object]], read: Callable[[str, bool], Plan]
) -> Plan:
    """Return a refused plan, adding an offer: what could be done if the requested things were drawn as emoji.

    If the offer would be refused too, or if only a box is missing, the plan is returned unchanged. `read`
    returns the plan for an instruction, with or without an added box.
    """
    new = [refusal for refusal in plan.not_understood if refusal.reason is Reason.NEEDS_GENERATION]
    if len(new) != 1 or plan.instruction.count(new[0].words) != 1:
        return plan
    if read(plan.instruction, True).accepted:  # A box around the thing is enough.
        return plan
    # If the plan has other refusals, only an offer that needs a box can be made.
    advices = _ADVICE if len(plan.not_understood) == 1 else _ADVICE[1:]
    for words, name in _drawn(new[0].words, senses):
        instead = plan.instruction.replace(new[0].words, words).strip()
        for is_marked, (one_thing, several) in advices:
            if read(instead, is_marked).accepted:
                template = (several if takes_them(name) else one_thing).template
                hint = Sentence(template, name=name)
                way = Way(WayKind.BOX if is_marked else WayKind.SENTENCE, instead)
                told = tuple(
                    replace(one, hint=hint, ways=(way,)) if one in new else one for one in plan.not_understood
                )
                return replace(plan, not_understood=told)
    return plan


def _drawn(words: str, senses: Mapping[str, Mapping[str, object]]) -> Iterator[tuple[str, Sentence]]:
    """Yield the words with "emoji" inserted after the first emoji name that they contain.

    The second value is that name with its article.
    """
    found = list(_WORD.finditer(words))
    for at in range(len(found)):
        for length in range(_LONGEST, 0, -1):
            if name := _name(words, found[at : at + length], senses):
                end = found[min(at + length, len(found)) - 1].end()
                yield f"{words[:end]} emoji{'s' * is_plural(name)}{words[end:]}", _with_article(name)
                return


def _with_article(name: str) -> Sentence:
    if takes_them(name):
        return Sentence("%(noun)s", noun=name)
    if takes_an(name):
        return Sentence("an %(noun)s", noun=name)
    return Sentence("a %(noun)s", noun=name)


def _name(words: str, found: Sequence[re.Match[str]], senses: Mapping[str, Mapping[str, object]]) -> str:
    name = words[found[0].start() : found[-1].end()] if found else ""
    return name if "pictogram" in senses.get(name.lower().replace("-", " "), {}) else ""
