"""Find the words of a sentence that may be text to write."""

from collections.abc import Sequence, Set
from itertools import groupby

from editor.engine.language.chart import WORD_COST, Chart, Edge
from editor.engine.language.roles import NAME_ROLES
from editor.engine.language.tokens import Token

# More roles of words for what a photo shows, which are not read as a text because of a capital letter.
_VISIBLE = frozenset(
    {"color", "background", "photo", "subject", "findable", "ground", "look", "style", "pictured"}
)
# The cost of a word that may be part of text to write.
_LETTER_COST = 0.35
# Roles of words in text to write that may also say what to keep.
_SPARING = frozenset({"but", "without", "except"})
# The cost of a word in text to write that may also say what to keep.
_SPARING_COST = 3.0
# The cost of a courteous word at the beginning of text to write.
_LEADING_COST = 0.1
# For each kind of text, the role of the word before it, the roles of its words and of a word with which it
# may begin, and the roles of words with which it does not begin, as in "add a caption top left".
_TEXTS = (
    ("announcing", "letter", "initial", frozenset({"linking"})),
    ("lettered", "wording", "opening", frozenset({"linking", "letters", "place", "color"})),
)


def add_letters(chart: Chart, tokens: Sequence[Token]) -> None:
    """Add edges for words that may be text to write, as in "saying happy birthday".

    These words follow a word that announces a text ("letter" and "initial"), or a word for writing ("wording"
    and "opening"). The text may begin with a word that has the role "initial" or "opening", or with a
    courteous word, as in "saying thank you".
    """
    for announcing, role, first, not_first in _TEXTS:
        _add_words_after(chart, tokens, announcing=announcing, role=role, first=first, not_first=not_first)


def _add_words_after(
    chart: Chart, tokens: Sequence[Token], *, announcing: str, role: str, first: str, not_first: Set[str]
) -> None:
    is_announced = is_leading = False
    for at, token in enumerate(tokens):
        roles = chart.roles(at)
        if is_announced and _is_textual(tokens, at) and roles.isdisjoint({"and", "then"}):
            is_courtesy = "filler" in roles and "article" not in roles
            is_leading = is_leading and "filler" in roles
            cost = WORD_COST if is_courtesy or "linking" in roles else _LETTER_COST
            cost = _LEADING_COST if is_leading else cost
            cost += 0.0 if roles.isdisjoint(_SPARING) else _SPARING_COST
            text = token.value if token.kind == "word" else token.text
            chart.add(Edge(at, at + 1, role, cost, text))
            if roles.isdisjoint(not_first) or (is_leading and is_courtesy):
                chart.add(Edge(at, at + 1, first, cost, text))
        is_announced = is_announced or announcing in roles
        is_leading = is_leading or announcing in roles


def _is_textual(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a token may be part of text to write.

    A measure may be an amount of a change, except in a discount, such as "10% off".
    """
    is_discount = "percent" in tokens[at].text or "%" in tokens[at].text
    is_off = [token.text for token in tokens[at + 1 : at + 2]] == ["off"]
    return tokens[at].kind in ("word", "number") or (is_discount and is_off)


def add_titled(chart: Chart, tokens: Sequence[Token]) -> None:
    """Add edges for words with capital letters that may be texts.

    A word with a capital letter within a sentence is "titled" if it names nothing else, as in "change Open to
    Closed". Words in capital letters are "shouted" if other words are not, as in "add SOLD" and "THE END". A
    discount before "OFF" belongs to it, as in "20% OFF".
    """
    words = [token for token in tokens if token.kind == "word"]
    is_loud = all(str(token.value).isupper() for token in words)
    for is_upper, run in groupby(range(len(tokens)), lambda at: _is_upper(tokens[at])):
        places = list(run)
        if is_upper and not is_loud and any(len(tokens[at].text) > 2 for at in places):
            for at in places:
                chart.add(Edge(at, at + 1, "shouted", _LETTER_COST, tokens[at].value))
                if at and tokens[at].text == "off" and _is_textual(tokens, at - 1):
                    chart.add(Edge(at - 1, at, "shouted", _LETTER_COST, tokens[at - 1].text))
    for at, token in enumerate(tokens):
        if token.name and chart.roles(at).isdisjoint(NAME_ROLES | _VISIBLE):
            chart.add(Edge(at, at + 1, "titled", WORD_COST, token.value))


def _is_upper(token: Token) -> bool:
    return token.kind == "word" and str(token.value).isupper()
