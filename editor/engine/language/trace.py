"""Show authors of patterns how a sentence was read."""

from collections.abc import Iterator, Sequence

from editor.engine.language.automaton import State
from editor.engine.language.budget import Budget
from editor.engine.language.chart import STOPS, Chart, Edge
from editor.engine.language.grammar import Section
from editor.engine.language.reader import reader
from editor.engine.language.tokens import Token, tokenize


def format_trace(instruction: str) -> str:
    """Return one line for each piece of the sentence: its words, role, cost, and file.

    If a word was not read, further lines show the patterns that came closest.
    """
    tokens = tokenize(instruction)
    chart, path = reader().read(tokens, Budget())
    lines = [line for start, end, edge in path for line in _lines(tokens, chart, start, end, edge, 0)]
    unread = [start for start, _, edge in path if edge is None and chart.words[start] not in STOPS]
    wishes = next(section for section in reader().grammar.sections if section.role == "wish")
    return "\n".join([*lines, *(_nearest(wishes, chart, unread[0]) if unread else ())])


def _lines(
    tokens: Sequence[Token], chart: Chart, start: int, end: int, edge: Edge | None, depth: int
) -> Iterator[str]:
    words = " ".join(chart.words[start:end])
    if edge is None:
        yield "" if words in STOPS else f"{words:<32} UNREAD"
        return
    where = edge.rule.file if edge.rule else "words"
    yield f"{'  ' * depth + words:<32} {edge.role:<14} {edge.cost:5.1f}  {where}"
    for part in edge.parts:
        yield from _lines(tokens, chart, part.start, part.end, part, depth + 1)


def _nearest(section: Section, chart: Chart, unread: int) -> Iterator[str]:
    """Yield the wish patterns that match farthest into the sentence.

    The match begins at or before the first unread word.
    """
    automaton = section.automaton
    starts = [
        at
        for at in range(unread + 1)
        if at == 0 or chart.words[at - 1] in STOPS or "joint" in chart.roles(at - 1)
    ]
    best, states = 0, list[State]()
    pending = [(start, automaton.begin) for start in starts]
    while pending:
        at, state = pending.pop()
        if state is not automaton.begin and at >= best:
            states = [state, *(states if at == best else ())]
            best = at
        if state is not automaton.begin and at < len(chart.words):
            pending += [(end, state) for end, _ in chart.courtesy[at] if end > at]
        for label in sorted(state.transitions.keys() & chart.ahead[at].keys()):
            pending += [(end, state.transitions[label]) for end in chart.ahead[at][label]]
    stop = f"before “{chart.words[best]}”" if best < len(chart.words) else "at the end"
    for state in states[:3]:
        for pattern, rule in state.patterns[:3]:
            yield f"nearest  {section.rules[rule].file}  {pattern}  stops {stop}"
