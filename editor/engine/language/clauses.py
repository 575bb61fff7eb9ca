"""Divide the path through a sentence into clauses, and find the words that make a clause unreadable."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from editor.engine.language.chart import STOPS, Chart, Edge
from editor.engine.language.cheapest_path import ParsePath
from editor.engine.language.reader import reader
from editor.engine.language.roles import REFUSAL_ROLES
from editor.engine.language.sentence_parts import Clause, SentencePart
from editor.engine.language.tokens import Token

# Roles of the parts that a clause consists of.
_PART_ROLES = REFUSAL_ROLES | {"wish", "spared", "moderate", "refined", "aim"}
# Roles of unread words that may forbid something.
_RESTRICTING_ROLES = frozenset({"except", "not", "no", "without", "keep", "but", "moderate"})
# Roles of the first word of a clause that tells something, as in "their parents didn't sign the form".
_STORY_OPENING_ROLES = frozenset({"narrating", "determiner", "someone"})
# Words after a name that show what a wish before it is about, as in "brighten it. The sky not."
_LIMITING = frozenset({",", "not", "only", "mainly", "mostly", "excluded", "alone"})


def clauses_of(path: ParsePath, tokens: Sequence[Token], chart: Chart) -> Iterator[Clause]:
    """Yield the clauses of a sentence. Stops and joining words separate them."""
    clause, has_wish = Clause(), False
    for first, after, edge in path:
        start, end = tokens[first].start, tokens[after - 1].end
        if edge is not None and edge.role in ("aside", "remark"):
            clause.told.append((start, end))
        if (edge is None and chart.words[first] in STOPS) or (edge is not None and edge.role == "joint"):
            yield replace(clause, tokens=(clause.tokens[0], first))
            clause = Clause(link=_link(edge, tokens[first]), tokens=(after, after))
        elif unreadable := _unreadable_word(edge, tokens[first:after], chart, first):
            clause.add_unread(unreadable, tokens)
            clause.is_restricting |= _may_forbid(chart, first, clause.tokens[0]) or is_limit_refusal(edge)
            clause.extend(start, end)
        elif has_wish and _is_afterthought(edge, chart, first):
            clause.add_unread(tokens[first + (chart.words[first] == "/")], tokens)
            clause.extend(start, end)
        elif edge and edge.role in _PART_ROLES:
            has_wish = has_wish or edge.role == "wish"
            clause.parts.append(SentencePart(edge.role, edge.value, (start, end), edge))
            clause.extend(start, end)
        elif edge and edge.role == "remark":
            is_story = (after, "aside") in chart.at[first]
            remark = {"target": edge.value, "is_story": is_story}
            clause.parts.append(SentencePart("remark", remark, (start, end), edge))
            clause.story = (start, end)
            if not is_story:
                clause.extend(start, end)
        elif edge and edge.role == "aside" and edge.value:
            clause.parts.append(SentencePart("aside", edge.value, (start, end), edge))
        elif edge and edge.role == "aside" and edge.rule is None:
            is_of_photo = any(chart.roles(at) & {"photo", "telling"} for at in range(first, after))
            clause.story = (0, 0) if is_of_photo else (start, end)
        clause.has_aside |= edge is not None and edge.role in ("aside", "remark")
    yield replace(clause, tokens=(clause.tokens[0], len(tokens)))


def _is_afterthought(edge: Edge | None, chart: Chart, first: int) -> bool:
    """Return whether words that would only tell something name what the wish before them is about.

    This is the case in "make it red. The car." and "brighten it (in the face)". Other words in brackets
    may be a title or describe a marked thing: "restore this (my grandma)".
    """
    if edge is None or edge.role not in ("aside", "filler") or (edge.role == "aside" and edge.rule):
        return False
    start, end = first + (chart.words[first] == "/"), edge.end - (chart.words[edge.end - 1] == "/")
    is_bracketed = chart.words[max(0, start - 1)] == "/" == (*chart.words, "/")[end]
    is_bare = is_bracketed and (end == start + 1 or chart.words[start] in ("of", "in", "on"))
    if chart.words[start] not in ("the", "not") and not is_bare:
        return False
    places = [at for at, _ in chart.courtesy[start] if at < end]
    ends = [to for at in places for to, role in chart.at[at] if role in ("parts", "where") and to <= end]
    return any(to == end or chart.words[to] in _LIMITING for to in ends)


def _may_forbid(chart: Chart, at: int, first: int) -> bool:
    """Return whether an unread word may forbid something, or may be a part of what is forbidden.

    `first` is the first word of its clause. "I have no idea about colors" only tells something, unless it
    says that the user wants something.
    """
    is_negated = any("not" in chart.roles(word) for word in range(first, at))
    if not is_negated and _RESTRICTING_ROLES.isdisjoint(chart.roles(at)):
        return False
    following = takewhile(lambda word: chart.words[word] not in STOPS, range(first, len(chart.words)))
    is_wish = any("wanting" in chart.roles(word) for word in following)
    return is_wish or first == at or chart.roles(first).isdisjoint(_STORY_OPENING_ROLES)


def is_limit_refusal(edge: Edge | None) -> bool:
    """Return whether an edge names something that cannot be kept as it is."""
    return edge is not None and edge.role in REFUSAL_ROLES and bool(edge.value.get("limits"))


def _link(joint: Edge | None, token: Token) -> str:
    """Return how a stop or a joining word links the clause after it to the clause before it."""
    if joint is None:
        is_bracket = token.text == "/" and str(token.value).strip()[:1] in ("(", "[")
        return "," if token.text == "," else "(" if is_bracket else ""
    if joint.value == "reason":
        return "because"
    return "with" if joint.value == "describing" else token.text if token.text in ("and", "but") else ""


def _unreadable_word(edge: Edge | None, tokens: Sequence[Token], chart: Chart, first: int) -> Token | None:
    """Return the first word that makes a part of the sentence unreadable, or None if the part is readable.

    In a part that a pattern reads as a refusal, only unknown words that are not English count, except proper
    names, such as "Eiffel".
    """
    if edge is None:
        return tokens[0]
    if edge.rule is None:
        return None
    unknown = (token for at, token in enumerate(tokens, first) if "unknown" in chart.roles(at))
    named = (token for token in unknown if not (str(token.value).istitle() and token.start > 0))
    not_english = (token for token in named if not reader().speller.is_word(token.text))
    return next(not_english, None) if edge.role in REFUSAL_ROLES else None
