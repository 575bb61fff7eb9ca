"""Add the edges of what the patterns of a section match to a chart."""

from collections.abc import Iterator
from typing import Any

from editor.engine.language.automaton import State
from editor.engine.language.chart import MAX_EDGE_WORDS, Chart, Edge
from editor.engine.language.grammar import Section

# Roles whose patterns may not contain courteous words.
_VERBATIM = frozenset({"lettering", "unquoted", "shout"})
# For each state, its cost and a linked list of its edges.
type _Threads = dict[State, tuple[float, Any]]
_NO_THREADS: _Threads = {}


def add_matches(chart: Chart, section: Section) -> None:
    """Add an edge for each stretch of words that a pattern of the section matches."""
    for edge in list(_matches(section, chart)):
        chart.add(edge)


def _matches(section: Section, chart: Chart) -> Iterator[Edge]:
    """Yield an edge, built from the cheapest match, for each stretch of words that a pattern matches."""
    for start in chart.starts_of(section.automaton.begin.transitions.keys()):
        for end, (cost, rule, thread) in _pattern_ends(section, chart, start).items():
            yield Edge(start, end, section.role, cost, None, section.rules[rule], thread)


def _pattern_ends(section: Section, chart: Chart, start: int) -> dict[int, tuple[float, int, Any]]:
    """Return the ends of the patterns that match at a place.

    Each end comes with the cost, the rule, and the matched edges. Most of the reading time is spent here, so
    this function relies on lookups and calls almost no other functions.
    """
    costs, ahead, rank, last = section.costs, chart.ahead, chart.rank.__getitem__, start + MAX_EDGE_WORDS
    courtesy = chart.no_courtesy if section.role in _VERBATIM else chart.courtesy
    threads: dict[int, _Threads] = {start: {section.automaton.begin: (0.0, None)}}
    ends: dict[int, tuple[float, int, Any]] = {}
    at, tried = start, 0
    while threads:
        for state, (cost, before) in threads.pop(at, _NO_THREADS).items():
            tried += 1
            transitions, edges_here = state.transitions, ahead[at]
            labels = transitions.keys() & edges_here.keys()
            for label in sorted(labels, key=rank) if len(labels) > 1 else labels:
                after, edges = transitions[label], edges_here[label]
                rule, following = after.rule, after.transitions.keys()
                for end, (edge_cost, edge) in edges.items():
                    spent, thread = cost + edge_cost, (before, edge)
                    if rule is not None and (end not in ends or spent + costs[rule] < ends[end][0]):
                        ends[end] = (spent + costs[rule], rule, thread)
                    tried += len(courtesy[end])
                    if not following:
                        continue
                    for to, skipped in courtesy[end]:
                        if to < last and not following.isdisjoint(ahead[to].keys()):
                            states = threads.setdefault(to, {})
                            if after not in states or spent + skipped < states[after][0]:
                                states[after] = (spent + skipped, thread)
        chart.budget.spend(tried)
        at, tried = at + 1, 0
    return ends
