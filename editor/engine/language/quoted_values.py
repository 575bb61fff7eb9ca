"""Read quoted strings, which are literal text or have a meaning."""

from collections.abc import Callable, Iterator
from typing import Any

from editor.engine.language.budget import Budget
from editor.engine.language.chart import (
    MAX_EDGE_WORDS,
    QUOTES,
    STOPS,
    UNKNOWN_COST,
    VALUE_MARK,
    WORD_COST,
    Chart,
    Edge,
)
from editor.engine.language.grammar import Grammar
from editor.engine.language.lexical_edges import add_lexical, add_shown
from editor.engine.language.matching import add_matches
from editor.engine.language.roles import ABSORBING_ROLES, TOP_LEVEL_ROLES
from editor.engine.language.tokens import Token, tokenize

# Roles of words that may begin another wish, so a quoted value contains none of them.
_JOINING = frozenset({"and", "then", "but", "except", "not", "without"})
# Roles that a quoted value cannot have, because they stand for whole parts of a sentence or for any words.
_NO_VALUE = TOP_LEVEL_ROLES | ABSORBING_ROLES | {"any", "non_request", "comment"}


def add_quoted(
    chart: Chart,
    at: int,
    token: Token,
    grammar: Grammar,
    is_english: Callable[[str], bool],
    *,
    has_boxes: bool,
) -> None:
    """Add edges for a quoted string as literal text and for its meaning.

    Quotation marks may add emphasis, as in “a “little bit” brighter”. The marks ‹› enclose a value that was
    inserted into a recipe. The value is literal text if the words before it announce a text. Otherwise, the
    value is a word or phrase of the language.
    """
    text, is_value = str(token.value), token.text[0] == VALUE_MARK
    if is_value and not _is_announced(chart, at):
        for edge in _edges_of_value(text, grammar, is_english, chart.budget, has_boxes=has_boxes):
            chart.add(_edge_at_place(edge, at))
        return
    chart.add(Edge(at, at + 1, "quoted", WORD_COST, token.value))
    for role, value in () if is_value else grammar.lexicon.senses.get(text.lower(), {}).items():
        if role != "filler":
            chart.add(Edge(at, at + 1, role, UNKNOWN_COST, value))


def _is_announced(chart: Chart, at: int) -> bool:
    """Return whether a word before this place announces literal text, as in “add the text”."""
    for before in range(at - 1, -1, -1):
        word = chart.words[before]
        if word in STOPS or word[0] in QUOTES or chart.roles(before) & {"and", "then"}:
            return False
        if "lettered" in chart.roles(before):
            return True
    return False


def _edges_of_value(
    text: str, grammar: Grammar, is_english: Callable[[str], bool], budget: Budget, *, has_boxes: bool
) -> Iterator[Edge]:
    """Yield the edges that span a quoted value, such as “dark red”.

    A value may be part of a wish, but it is not a wish itself and contains no word that joins wishes.
    """
    tokens = tokenize(text)
    if not 0 < len(tokens) <= MAX_EDGE_WORDS:
        return
    chart = Chart([token.text for token in tokens], budget)
    add_lexical(chart, tokens, grammar, is_english)
    if has_boxes:
        add_shown(chart, tokens, grammar)
    joins = (chart.words[at] in STOPS or chart.roles(at) & _JOINING for at in range(len(tokens)))
    if not any(joins):
        for section in grammar.sections:
            if section.role == "filler" or section.role not in TOP_LEVEL_ROLES:
                add_matches(chart, section)
            if section.role == "filler":
                chart.note_courtesy()
    for start, _ in chart.courtesy[0]:
        for (end, role), edge in chart.at[start].items() if start < len(tokens) else ():
            if end == len(tokens) and role not in _NO_VALUE:
                yield edge


def _edge_at_place(edge: Edge, at: int) -> Edge:
    """Convert an edge of a quoted value to an edge of the sentence that has the value at this place."""
    thread: Any = None
    for part in edge.parts:
        thread = (thread, _edge_at_place(part, at))
    value, cost = (None if edge.rule else edge.value), edge.cost + UNKNOWN_COST - WORD_COST
    return Edge(at, at + 1, edge.role, cost, value, edge.rule, thread)
