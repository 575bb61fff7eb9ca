"""Find the cheapest path through the edges of a sentence.

Words that no edge of this path covers are not understood.
"""

from collections.abc import Iterator, Sequence, Set

from editor.engine.language.chart import LINKING_VERBS, QUOTES, STOP_COST, STOPS, UNREAD_COST, Chart, Edge
from editor.engine.language.grammar import Grammar
from editor.engine.language.roles import REFUSAL_ROLES, TOP_LEVEL_ROLES

# The cost of a request, in addition to the cost of its words.
_WISH_COST = 0.6
# Roles of parts that begin after a joining word or punctuation, or with a verb.
_OPENING = REFUSAL_ROLES | {"wish"}
# Roles of a verb that must follow a joining word, because the same word may also be a noun or an adjective.
_NOMINAL = frozenset({"quality", "look", "style", "noun"})
# Roles of edges after which a wish may begin only if it could also have begun before the edge. After an
# aside or something to keep, a wish must begin with a verb: "until it looks dull" does not say that the photo
# is dull, and "keep the boat bright" does not ask to brighten.
_TRANSPARENT_ROLES = frozenset({"filler", "moderate", "refined", "opener", "aim"})
# A part of a path: its first word, the word after its last one, and its edge. The edge is None for a stop and
# for a word that no construction claims.
type PathPart = tuple[int, int, Edge | None]
# The parts of a path through a sentence, in the order of the words.
type ParsePath = list[PathPart]
# The number of words read, and whether a wish may begin here.
type _Place = tuple[int, bool]
# The cheapest way to each place: its cost, the place before it, and the edge between both.
type _Arrivals = dict[_Place, tuple[float, _Place | None, Edge | None]]


def cheapest_path(chart: Chart, grammar: Grammar, joined: Set[int]) -> ParsePath:
    """Return the path through the sentence that claims the most words with the fewest wishes.

    Two wishes must be separated by a joining word or punctuation, unless the second one begins with a verb. A
    participle is no such verb, because it may describe what the wish before it names: "the flower blurred".
    Neither is a verb that says what something does: "the crop removes the dog".
    No wish begins or ends at the places in `joined`, which are inside a word with a hyphen, as "tilt-shift".
    """
    best: _Arrivals = {(0, True): (0.0, None, None)}
    for at in range(len(chart.words)):
        edges = _starting_edges(chart, at, joined)
        is_wish_allowed = chart.words[at] in STOPS or _is_clear_verb(chart, at, grammar)
        for is_open in (True, False):
            if (at, is_open) not in best:
                continue
            spent = best[at, is_open][0]
            for to, cost, edge in _continuations(chart, (at, is_open), edges, is_wish_allowed, grammar):
                if to not in best or spent + cost < best[to][0]:
                    best[to] = (spent + cost, (at, is_open), edge)
    return _path_to_end(best, len(chart.words))


def _starting_edges(chart: Chart, at: int, joined: Set[int]) -> list[Edge]:
    """Return the edges of parts of a sentence that begin at a place."""
    edges = [edge for (_, role), edge in chart.at[at].items() if role in TOP_LEVEL_ROLES]
    if chart.words[at][0] in QUOTES:  # a quoted value alone requests nothing
        edges = [edge for edge in edges if edge.end > at + 1]
    if joined:
        edges = [one for one in edges if one.role not in _OPENING or joined.isdisjoint((at, one.end))]
    return edges


def _is_clear_verb(chart: Chart, at: int, grammar: Grammar) -> bool:
    """Return whether a word is a verb that cannot be about the words before it.

    It is neither a noun nor an adjective. It is also no participle, and no form that says what something does
    or did, as in "the vignette makes it dark" and "the light made her pale". After a thing, "cutting" is a
    participle, as in "remove the man cutting the cake".
    """
    if chart.words[at].endswith("ing") and at > 0:
        is_after_thing = any((at, "named") in chart.at[start] for start in range(max(0, at - 3), at))
        if is_after_thing or chart.words[at - 1] in LINKING_VERBS:
            return False
    lexicon, word, roles = grammar.lexicon, chart.words[at], chart.roles(at)
    is_third_person = word in lexicon.third_persons and "colors" not in roles  # "so the colors are richer"
    may_describe = is_third_person or word in lexicon.participles or "lapsed" in roles
    return not may_describe and roles.isdisjoint(_NOMINAL) and _is_verb(chart, at, lexicon.inflected)


def _continuations(
    chart: Chart, place: _Place, edges: Sequence[Edge], is_wish_allowed: bool, grammar: Grammar
) -> Iterator[tuple[_Place, float, Edge | None]]:
    """Yield the places that can be reached from a place with one edge, or by skipping one word.

    Each comes with its additional cost and the edge. If `is_wish_allowed` is true, a wish of several words
    may begin even where no joining word or punctuation precedes it.
    """
    at, is_open = place
    is_stop = chart.words[at] in STOPS
    yield (at + 1, is_open or is_stop), STOP_COST if is_stop else UNREAD_COST, None
    for edge in edges:
        if edge.role in _OPENING:
            if is_open or (is_wish_allowed and edge.end > at + 1):
                yield (edge.end, False), edge.cost + _WISH_COST, edge
        elif edge.role == "opener" and not (
            is_open and (at == 0 or _is_verb(chart, edge.end, grammar.lexicon.inflected))
        ):
            continue
        elif edge.role != "remark" or is_open:
            is_next_open = edge.role == "joint" or (is_open and edge.role in _TRANSPARENT_ROLES)
            yield (edge.end, is_next_open), edge.cost, edge


def _is_verb(chart: Chart, at: int, verbs: Set[str]) -> bool:
    return at < len(chart.words) and not chart.roles(at).isdisjoint(verbs)


def _path_to_end(best: _Arrivals, size: int) -> ParsePath:
    """Return the cheapest path to the end of a sentence with `size` words."""
    ends = [place for place in ((size, True), (size, False)) if place in best]
    place: _Place | None = min(ends, key=lambda end: best[end][0])
    parts: ParsePath = []
    while place is not None:
        _, before, edge = best[place]
        if before is not None:
            parts.append((before[0], place[0], edge))
        place = before
    return parts[::-1]
