"""Join the name of a thing to the wish after it, as in "the bus: remove it" and "sky - brighter"."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from editor.engine.catalog import Scope, find_declaration
from editor.engine.kinds import is_someone
from editor.engine.language.antecedents import gives_color
from editor.engine.language.chart import Chart, Edge
from editor.engine.language.sentence_parts import Clause, SentencePart, as_list, changes_of
from editor.engine.language.tokens import Token

_STRONG_MARKS = frozenset(":-\u2013\u2014")
"""Punctuation after which even a wish that names nothing is about the name before it."""
_WEAK_MARKS = frozenset({*_STRONG_MARKS, ","})
"""Punctuation after which a wish about "it" is about the name before it."""


def with_topics(clauses: Sequence[Clause], chart: Chart, tokens: Sequence[Token]) -> list[Clause]:
    """Return the clauses, in which each name that only introduces the wish after it belongs to that wish."""
    joined_clauses = list(clauses)
    for at, (before, after) in enumerate(pairwise(clauses)):
        wish = after.parts[0] if after.parts and not after.unread else None
        topic = _topic_of(before, wish, chart, tokens) if wish is not None and wish.role == "wish" else None
        if wish is None or topic is None:
            continue
        joined_clauses[at] = Clause(link=before.link)
        joined_wish = _join_topic(topic, wish, tokens)
        parts = [joined_wish, *after.parts[1:]]
        joined_clauses[at + 1] = replace(after, parts=parts, start=joined_wish.words[0], link=before.link)
    return joined_clauses


def _topic_of(before: Clause, wish: SentencePart, chart: Chart, tokens: Sequence[Token]) -> Edge | None:
    """Return the name in the clause before a wish that the wish is about, if any.

    "This is my dog, make it brighter" is about the photo, so a thing that is only introduced takes a color.
    """
    introduced = _name_in(before, "introduced", chart)
    named = as_list(wish.value.get("target"))[0] or {}
    if introduced is not None and gives_color(wish) and _is_pronoun(named, wish, introduced):
        return introduced
    topic = _name_in(before, "topic", chart)
    if topic is None or not _is_about(wish, topic, tokens[before.tokens[1]]):
        return None
    is_unclear = gives_color(wish) and any(leaf.role == "any" for leaf in topic.leaves)
    return None if is_unclear else topic  # as in "only a photo of my car, make it red"


def _name_in(clause: Clause, role: str, chart: Chart) -> Edge | None:
    """Return the name of which a clause consists, or None if the clause says something else."""
    first, after = clause.tokens
    if any(part.role == "wish" for part in clause.parts) or first == after:
        return None
    edges = (chart.at[to].get((after, role)) for to, _ in chart.courtesy[first] if to < after)
    return next(filter(None, edges), None)


def _is_about(wish: SentencePart, topic: Edge, stop: Token) -> bool:
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


def _is_pronoun(target: Mapping[str, Any], wish: SentencePart, topic: Edge) -> bool:
    """Return whether the target of a wish is a pronoun that may stand for the topic."""
    nouns = [str(one.get("noun", "")) for one in as_list(topic.value)]
    if target.get("what") == "it" and target.get("several"):
        return True
    is_person = target.get("what") == "subject" and any(one.role == "pronoun" for one in wish.edge.leaves)
    return len(nouns) == 1 and is_someone(nouns[0]) == is_person and (is_person or target.get("what") == "it")


def _join_topic(topic: Edge, wish: SentencePart, tokens: Sequence[Token]) -> SentencePart:
    """Return a wish whose target is the topic."""
    thread: Any = (None, topic)
    for part in wish.edge.parts:
        thread = (thread, part)
    own = wish.edge
    edge = Edge(topic.start, own.end, own.role, topic.cost + own.cost, None, own.rule, thread)
    value = dict(wish.value) | {"target": topic.value}
    return SentencePart(wish.role, value, (tokens[topic.start].start, wish.words[1]), edge)
