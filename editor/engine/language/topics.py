"""Join the name of a thing to the wish after it, as in "the bus: remove it" and "sky - brighter"."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from editor.engine.catalog import Scope, find_declaration
from editor.engine.kinds import is_someone
from editor.engine.language.antecedents import gives_color
from editor.engine.language.chart import Chart, Edge
from editor.engine.language.lexicon import Lexicon
from editor.engine.language.sentence_parts import Clause, Description, SentencePart, as_list, changes_of
from editor.engine.language.tokens import Token
from editor.engine.plan import Reason
from editor.sentences import Sentence

# Punctuation after which even a wish that names nothing is about the name before it.
_STRONG_MARKS = frozenset(":-\u2013\u2014")
# Punctuation after which a wish about "it" is about the name before it.
_WEAK_MARKS = frozenset({*_STRONG_MARKS, ","})

_UNSURE_CAPTION = Sentence(
    "If the photo is like this, leave these words out. If it should be, say “make it” first."
).template


def with_topics(
    clauses: Sequence[Clause], chart: Chart, tokens: Sequence[Token], lexicon: Lexicon
) -> list[Clause]:
    """Return the clauses, in which each name that only introduces the wish after it belongs to that wish.

    A caption that is read as a wish becomes such a name, or is left out, or is refused if it may be a wish.
    """
    joined_clauses = list(clauses)
    for at, (before, after) in enumerate(pairwise(clauses)):
        wish = after.parts[0] if after.parts and not after.unread else None
        if wish is None or wish.role != "wish":
            continue
        is_first = not any(part.role == "wish" for clause in clauses[:at] for part in clause.parts)
        caption = _caption(before, wish, chart, lexicon) if is_first else None
        stop = tokens[before.tokens[1]]
        if caption is not None:
            joined_clauses[at] = _without_caption(before, caption)
            named = _name_in(caption)
            topic = caption if named and _is_about(wish, named, stop) else None
        else:
            topic = _topic_of(before, wish, chart, stop)
        if topic is None:
            continue
        joined_clauses[at] = Clause(link=before.link)
        joined_wish = _join_topic(topic, _name_in(topic), wish, tokens)
        parts = [joined_wish, *after.parts[1:]]
        joined_clauses[at + 1] = replace(after, parts=parts, start=joined_wish.words[0], link=before.link)
    return joined_clauses


def _caption(clause: Clause, next_wish: SentencePart, chart: Chart, lexicon: Lexicon) -> Edge | None:
    """Return the caption of which a clause consists, or None if the clause is a wish.

    The clause is a wish if it complains, and may be one if the next wish has no verb, as in "vintage photo,
    white border".
    """
    first, after = clause.tokens
    wishes = [part for part in clause.parts if part.role == "wish"]
    is_complaint = any(part.value.get("turn") == -1 for part in wishes)
    if (
        not wishes or is_complaint or first == after or chart.words[after].isalpha()
    ):  # as in "... and blur it"
        return None
    edges = (chart.at[to].get((after, "caption")) for to, _ in chart.courtesy[first] if to < after)
    caption = next(filter(None, edges), None)
    if caption is None or caption.value.get("is_certain"):
        return caption
    if caption.value.get("is_unsure"):
        return caption if _has_verb(next_wish, chart, lexicon) else None
    named = as_list(next_wish.value.get("target"))
    is_of_it = len(named) == 1 and _is_pronoun(named[0] or {}, next_wish, caption.value["thing"])
    is_of_him = any(one.role == "pronoun" for one in next_wish.edge.leaves)
    return caption if is_of_it or is_of_him else None


def _has_verb(wish: SentencePart, chart: Chart, lexicon: Lexicon) -> bool:
    """Return whether a wish begins with a verb, unlike "blurred edges"."""
    first = wish.edge.start
    return chart.words[first] not in lexicon.participles and bool(chart.roles(first) & lexicon.inflected)


def _name_in(topic: Edge) -> Any:
    """Return what a topic or a caption names, or None if it only names the photo."""
    return topic.value.get("thing") if topic.role == "caption" else topic.value


def _without_caption(clause: Clause, caption: Edge) -> Clause:
    """Return a clause without its caption, which is refused if it may be a wish."""
    if not caption.value.get("is_unsure"):
        return Clause(link=clause.link, tokens=clause.tokens)
    refusal = {"reason": Reason.AMBIGUOUS.value, "hint": _UNSURE_CAPTION, "nearest": ()}
    return replace(clause, parts=[replace(clause.parts[0], role="refusal", value=refusal)])


def _topic_of(before: Clause, wish: SentencePart, chart: Chart, stop: Token) -> Edge | None:
    """Return the name in the clause before a wish that the wish is about, if any.

    "This is my dog, make it brighter" is about the photo, so a thing that is only introduced takes a color.
    """
    introduced = _name_edge(before, "introduced", chart)
    named = as_list(wish.value.get("target"))[0] or {}
    if introduced is not None and gives_color(wish) and _is_pronoun(named, wish, introduced.value):
        return introduced
    topic = _name_edge(before, "topic", chart)
    if topic is None or not _is_about(wish, topic.value, stop):
        return None
    is_unclear = gives_color(wish) and any(leaf.role == "any" for leaf in topic.leaves)
    return None if is_unclear else topic  # as in "only a photo of my car, make it red"


def _name_edge(clause: Clause, role: str, chart: Chart) -> Edge | None:
    """Return the name of which a clause consists, or None if the clause says something else."""
    first, after = clause.tokens
    if any(part.role == "wish" for part in clause.parts) or first == after:
        return None
    edges = (chart.at[to].get((after, role)) for to, _ in chart.courtesy[first] if to < after)
    return next(filter(None, edges), None)


def _is_about(wish: SentencePart, topic: Any, stop: Token) -> bool:
    """Return whether a wish is about the name before the punctuation."""
    changes = changes_of(wish.value)
    if any(change.get("target") for change in changes):
        return False
    mark = str(stop.value).strip()
    named = as_list(wish.value.get("target"))
    operations = [find_declaration((dict(wish.value) | dict(one)).get("operation", "")) for one in changes]
    scopes = {one.scope for one in operations if one is not None}
    needs_name = scopes == {Scope.TARGET}
    if Scope.WHOLE in scopes:
        return False
    if named == [None]:
        return mark in _STRONG_MARKS or needs_name
    return len(named) == 1 and _is_pronoun(named[0], wish, topic) and (mark in _WEAK_MARKS or needs_name)


def _is_pronoun(target: Description, wish: SentencePart, topic: Any) -> bool:
    """Return whether the target of a wish is a pronoun that may stand for the topic."""
    nouns = [str(one.get("noun", "")) for one in as_list(topic)]
    if target.get("what") == "it" and target.get("several"):
        return True
    is_person = target.get("what") == "subject" and any(one.role == "pronoun" for one in wish.edge.leaves)
    return len(nouns) == 1 and is_someone(nouns[0]) == is_person and (is_person or target.get("what") == "it")


def _join_topic(topic: Edge, named: Any, wish: SentencePart, tokens: Sequence[Token]) -> SentencePart:
    """Return a wish whose target is what the topic names."""
    thread: Any = (None, topic)
    for part in wish.edge.parts:
        thread = (thread, part)
    own = wish.edge
    edge = Edge(topic.start, own.end, own.role, topic.cost + own.cost, None, own.rule, thread)
    value = dict(wish.value) | {"target": named}
    return SentencePart(wish.role, value, (tokens[topic.start].start, wish.words[1]), edge)
