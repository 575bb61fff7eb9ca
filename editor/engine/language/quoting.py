"""Keep a text to write whole, even if it is not in quotation marks.

A text such as “come and go” may contain words that otherwise join wishes or request nothing. If the words
after a text may belong to it, the wish is refused, and the sentence with quotation marks is offered instead.
"""

from collections.abc import Sequence, Set
from itertools import takewhile

from editor.engine.language.chart import STOPS, Chart, Edge
from editor.engine.language.cheapest_path import ParsePath, PathPart
from editor.engine.language.tokens import Token
from editor.sentences import Sentence

# Roles of the words of a text that is not in quotation marks.
_UNQUOTED_ROLES = frozenset({"lettering", "unquoted"})
# Roles of words that request nothing, and that a text may therefore contain.
_IDLE_ROLES = frozenset({"filler", "aside", "impossible"})
_HINT = Sentence("Put the text in quotation marks, for example: add the text “Summer” at the bottom.")

# The role of words after a text that say in which font it is written. They never belong to the text.
_TYPEFACE_ROLES = frozenset({"typeface"})
# Roles of words after a text that say where, in which color, or in which font it is written.
_TAIL_ROLES = _TYPEFACE_ROLES | {"whereabouts", "inked"}


def with_whole_texts(
    path: ParsePath, chart: Chart, tokens: Sequence[Token], instruction: str, verbs: Set[str]
) -> ParsePath:
    """Return the path with a refusal for each part of the sentence that may cut a text short.

    `tokens` are the tokens of the instruction, and `verbs` are the roles of verbs.
    """
    parts: ParsePath = []
    for at, (start, end, edge) in enumerate(path):
        if parts and parts[-1][1] > start:  # These words already belong to a text.
            continue
        text = edge and _unquoted(edge)
        if edge is None or text is None:
            parts.append((start, end, edge))
            continue
        text_end = (
            max(_text_end_within(text, edge, chart), _capitalized_end(text, tokens))
            if text.end < end
            else _text_end(path[at + 1 :], end, chart, verbs)
        )
        if text_end == text.end and edge.role == "wish":
            parts.append((start, end, edge))
            continue
        part_end = max(end, text_end)
        first, last = tokens[start].start, tokens[part_end - 1].end
        nearest = [
            _quoted(instruction, first, last, tokens[text.start].start, tokens[to - 1].end)
            for to in dict.fromkeys(
                (
                    _without_tails(text, text_end, chart, _TAIL_ROLES),
                    _without_tails(text, text.end, chart, _TYPEFACE_ROLES),
                )
            )
        ]
        refusal = {"reason": "ambiguous", "hint": _HINT, "nearest": nearest}
        parts.append((start, part_end, Edge(start, part_end, "refusal", edge.cost, refusal)))
    return parts


def _unquoted(edge: Edge) -> Edge | None:
    """Return the last text in an edge that is not in quotation marks, if any."""
    if edge.role in _UNQUOTED_ROLES:
        return edge
    return next(filter(None, map(_unquoted, reversed(edge.parts))), None)


def _text_end_within(text: Edge, edge: Edge, chart: Chart) -> int:
    """Return where a text ends if the courteous words after it, within the same wish, belong to it."""
    used = {at for part in edge.parts for at in range(part.start, part.end)}
    return max(
        (end for end in _courtesy_ends(text.end, chart) if used.isdisjoint(range(text.end, end))),
        default=text.end,
    )


def _capitalized_end(text: Edge, tokens: Sequence[Token]) -> int:
    """Return where a text in capitalized words ends, as in "add the words Meet Me At The Top"."""

    def is_capitalized(at: int) -> bool:
        return tokens[at].kind == "word" and str(tokens[at].value)[:1].isupper()

    is_title = all(map(is_capitalized, range(text.start, text.end))) and not is_capitalized(text.start - 1)
    following = range(text.end, len(tokens) if is_title else text.end)
    return text.end + sum(1 for _ in takewhile(is_capitalized, following))


def _text_end(following: Sequence[PathPart], end: int, chart: Chart, verbs: Set[str]) -> int:
    """Return where a text ends if all words after it belong to it.

    A stop or a wish that begins with a verb ends the text, but not a comma before words that are not
    understood. Courteous words directly before that wish belong to the wish, and "please" directly after the
    text does not belong to the text.
    """
    text_end, pending = end, end
    unread = {start for start, _, edge in following if edge is None and chart.words[start] not in STOPS}
    for start, after, edge in following:
        is_request = edge is not None and edge.role == "filler" and "asking" in chart.roles(start)
        if chart.words[start] == "," and after in unread:
            continue
        if chart.words[start] in STOPS or (is_request and start == end):
            return pending
        is_verb = not chart.roles(start).isdisjoint(verbs) and "adjective" not in chart.roles(start)
        if edge is None or edge.role in _IDLE_ROLES or (edge.role == "wish" and not is_verb):
            pending = after
        elif edge.role == "joint":
            inside = (to for at in range(start, after) for to in _courtesy_ends(at, chart) if to < after)
            text_end = pending = max((pending, *inside))
        else:
            return text_end
    return pending


def _courtesy_ends(at: int, chart: Chart) -> list[int]:
    """Return the ends of the courteous words that begin at a place, except articles."""
    if "article" in chart.roles(at):
        return []
    return [end for end, role in chart.at[at] if role == "filler"]


def _without_tails(text: Edge, end: int, chart: Chart, tails: Set[str]) -> int:
    """Return where a text ends without the words with these roles at its end."""
    for start in range(text.start + 1, end):
        if any((end, role) in chart.at[start] for role in tails):
            return _without_tails(text, start, chart, tails)
    return end


def _quoted(instruction: str, first: int, last: int, start: int, end: int) -> str:
    """Return the words between two offsets, with quotation marks around the text within them."""
    return f"{instruction[first:start]}“{instruction[start:end]}”{instruction[end:last]}"
