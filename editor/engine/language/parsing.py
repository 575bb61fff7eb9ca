"""Find the cheapest reading of a sentence.

The lexicon provides the first edges. Each section of the grammar then adds edges with the section's role,
which are built from earlier edges. Courteous words may occur anywhere inside a pattern.
"""

from collections.abc import Callable, Sequence

from editor.engine.language.budget import Budget
from editor.engine.language.chart import STOPS, Chart
from editor.engine.language.cheapest_path import ParsePath, cheapest_path
from editor.engine.language.grammar import Grammar
from editor.engine.language.lexical_edges import add_lexical, add_shown
from editor.engine.language.matching import add_matches
from editor.engine.language.quoted_values import add_quoted
from editor.engine.language.tokens import Token


def read(
    tokens: Sequence[Token],
    words: Sequence[str],
    grammar: Grammar,
    is_english: Callable[[str], bool],
    *,
    budget: Budget,
    has_boxes: bool = False,
) -> tuple[Chart, ParsePath]:
    """Read a sentence and return its chart and the cheapest path.

    `words` are the texts of the tokens with their spelling repaired. If boxes are drawn, a marked thing may
    have any name. Patterns of what is impossible are tried only if a word is otherwise not understood. Raises
    TooLong if the budget is used up.
    """
    chart = Chart(words, budget)
    add_lexical(chart, tokens, grammar, is_english)
    for at, token in enumerate(tokens):
        if token.kind == "quoted":
            add_quoted(chart, at, token, grammar, is_english, has_boxes=has_boxes)
    if has_boxes:
        add_shown(chart, tokens, grammar)
    for section in grammar.sections:
        if section.role != "impossible" and not (has_boxes and section.role == "unmarked"):
            add_matches(chart, section)
        if section.role == "filler":
            chart.note_courtesy()
    joined = {at for at, token in enumerate(tokens) if token.is_joined}
    path = cheapest_path(chart, grammar, joined)
    if all(edge or chart.words[start] in STOPS for start, _, edge in path):
        return chart, path
    for section in grammar.sections:
        if section.role == "impossible":
            add_matches(chart, section)
    return chart, cheapest_path(chart, grammar, joined)
