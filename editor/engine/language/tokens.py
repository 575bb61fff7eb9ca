"""From characters to words: tokens with their spans, misspelt and joined words put right."""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editor.engine.language import lexicon
from editor.engine.language.changing import changed_words
from editor.engine.language.lexicon.roles import VERBS, Role
from editor.engine.language.wording import unquoted

_TOKEN = re.compile(
    r"""
    \ (?P<plain>[a-z]+)(?=[\ ,.])  # most words: none of the others can begin at them, or at the space before
  | (?P<tag>\A(?:[\s*]*[\[({]\s*[A-Za-z]+\s*[\])}][\s*]*)+)
  | (?P<quoted>"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»
    |(?<!\w)['\u2018](?:[^'\u2019\n]|(?<=\w)['\u2019](?=\w))+['\u2019](?!\w))
  | (?P<wording>(?<=\s["“])(?=[^\W\d_])(?!.*\b(?:at|in|on|onto|to|under|above|below|over)\s)[^"”\n]{1,60}\Z)
  | (?P<link>https?://\S+|/?\b[ru]/\w+|[$€£]\s?\d[\d.,]*\b
    |\b\d+(?:[.]\d+)?\s?(?:[$€£]|(?:usd|dollars?|bucks|euros?)\b))
  | (?P<emoji>(?:[\u2600-\u27BF\u2B05-\u2B55\U0001F1E6-\U0001FAFF][\uFE0F\u200D]*)+)
  | (?P<hex>\#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b)
  | (?P<print>\b\d{1,2}(?:[.]\d{1,2})?\s?(?:"|''|\u2033|in|inch|inches|cm)?\s?(?:[xX\u00d7]|by)\s?
      \d{1,2}(?:[.]\d{1,2})?\s?(?:"|''|\u2033|(?:inch|inches|in|cm)\b)
    |\b\d{1,2}[.]\d{1,2}\s?[xX\u00d7]\s?(?!1(?![\d.]))\d{1,2}(?:[.]\d{1,2})?(?![\w:.]\d|\s?(?:cm|mm)\b))
  | (?P<ratio>\b\d{1,2}\s?:\s?\d{1,2}\b
    |\b(?:16\s?[xX\u00d7]\s?9|9\s?[xX\u00d7]\s?16|4\s?[xX\u00d7]\s?3|3\s?[xX\u00d7]\s?4)\b)
  | (?P<size>\b\d{1,2},\d{3}\s?[xX\u00d7]\s?\d{1,2},\d{3}\b
    |\b\d{2,5}\s?(?:px)?\s?(?:[xX\u00d7]|by)\s?\d{2,5}(?:px)?\b
      (?!(?<=\D\d\d)\s?(?:cm|centimeters?|inch|inches|prints?)\b))
  | (?P<fraction>\b1/[2-5]\b)
  | (?P<number>(?<![\w-])[-+]?(?:\d{1,9}(?:[.]\d{1,6})?|(?<!\d)[.]\d{1,6}))
  | (?P<stop>[.!?;…]+(?=\s|$|["”)])|[.]{2,}|…|[\n;])
  | (?P<comma>(?:&lt;|<)3+(?!\w)|[:;=]'?-?(?:[()]|[DP](?!\w))|[,:()\[\]{}|]|\s[-\u2013\u2014]+\s|\u2014|->)
  | (?P<word>\b[Aa][3-6]\b|[^\W\d_]+(?:['\u2019](?!s\b)[^\W\d_]+)*|['\u2019]s\b)
  | (?P<symbol>&amp;|[&+/%°])
  | (?P<other>\d+|[^\W_])
    """,
    re.VERBOSE,
)
_TAGS = frozenset({"specific", "request", "free", "paid", "discussion", "easy", "urgent", "meta", "random"})


class Token(NamedTuple):
    text: str
    start: int
    end: int
    kind: str
    is_capital: bool = False


def tokens(instruction: str) -> list[Token]:
    found, at = [], 0
    for start, end in [*changed_words(instruction)] or unquoted(instruction):
        wording = Token(instruction[start:end], start, end, "wording")
        found += [*_tokens_between(instruction, at, start), wording]
        at = end
    return _spelled([*found, *_tokens_between(instruction, at, len(instruction))])


def _tokens_between(instruction: str, start: int, end: int) -> list[Token]:
    found = []
    for match in _TOKEN.finditer(instruction, start, end):
        kind = match.lastgroup or "other"
        if kind == "plain":
            found.append(Token(match[kind], *match.span(kind), "word"))
        elif kind == "tag":
            found += [token for token in _tokens_inside(match) if token.text.lower() not in _TAGS]
        else:
            found.append(Token(match.group(), *match.span(), kind))
    return found


def _tokens_inside(match: re.Match[str]) -> Iterator[Token]:
    for word in re.finditer(r"[A-Za-z]+", match.group()):
        yield Token(word.group(), match.start() + word.start(), match.start() + word.end(), "word")


def _spelled(tokens: Sequence[Token]) -> list[Token]:
    """Words in lower case, the misspelt ones corrected; a name inside a sentence is left alone."""
    spelled: list[Token] = []
    for token in itertools.chain.from_iterable(map(_parted, tokens)):
        before = spelled[-1].kind if spelled else "stop"
        if token.kind == "word":
            text = _normal(token.text, before)
            is_capital = before == "word" and token.text.istitle()
            token = Token(text, token.start, token.end, "word", is_capital)
        spelled.append(token)
        if token.text in [said.text for said in spelled[-3:-1]]:
            spelled = _without_an_echo(spelled)
    return spelled


def _parted(token: Token) -> tuple[Token, ...]:
    """The two words of "removethe"."""
    word = token.text.lower()
    if token.kind != "word" or not word.endswith(_RUN_INTO) or lexicon.is_known(word):
        return (token,)
    first = word.removesuffix(next(second for second in _RUN_INTO if word.endswith(second)))
    if {*VERBS, Role.PREPOSITION}.isdisjoint(lexicon.senses_of((first,)) or {}):
        return (token,)
    middle = token.start + len(first)
    return (
        Token(token.text[: len(first)], token.start, middle, "word"),
        Token(token.text[len(first) :], middle, token.end, "word"),
    )


_RUN_INTO = ("the", "this", "my", "background", "image", "photo", "picture")


def _without_an_echo(tokens: list[Token]) -> list[Token]:
    """ "Remove the the car", "on the on the left": the words that stand twice said once."""
    for length in (1, 2):
        if len(tokens) <= length or tokens[-1 - length].text != tokens[-1].text:
            continue
        said, again = tokens[-2 * length : -length], tokens[-length:]
        is_echo = len(said) == length and all(
            first.kind == "word" and first.text == second.text
            for first, second in zip(said, again, strict=True)
        )
        if is_echo and not any(_may_stand_twice(token.text) for token in said):
            return tokens[:-length]
    return [*tokens[:-3], tokens[-1]] if _begins_again(tokens[-3:]) else tokens


def _begins_again(tokens: Sequence[Token]) -> bool:
    """ "Make the make it brighter": a verb, an article, and the same verb again."""
    if len(tokens) < 3 or tokens[0].text != tokens[2].text:
        return False
    verb, article = (lexicon.senses_of((token.text,)) or {} for token in tokens[:2])
    return Role.DETERMINER in article and not verb.keys().isdisjoint(VERBS) and Role.NOUN not in verb


def _may_stand_twice(word: str) -> bool:
    """ "Very very bright"."""
    senses = lexicon.senses_of((word,))
    return senses is None or not senses.keys().isdisjoint((Role.AMOUNT, Role.MORE, Role.TOO, Role.SHADE))


def _normal(word: str, before: str) -> str:
    lowered = word.lower().replace("\u2019", "'")
    if lexicon.is_known(lowered) or (before == "word" and word.istitle()):
        return lowered
    return lexicon.spelled(lowered) or lowered
