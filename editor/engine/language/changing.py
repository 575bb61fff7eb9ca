"""Text in a photo that is to be another, without its quotation marks: "change the word Lunch to Dinner".

Only where it is sure which letters are meant; elsewhere the person is asked for the quotes.
"""

import re
from collections.abc import Iterator

_CHANGING = r"\b(?i:change|replace|swap|switch|correct|edit|fix|alter|update|modify|rewrite|make|have)\b"
_WORD = r"[\w'\u2019&.:/-]*\w"
_WORDS = re.compile(
    rf"{_CHANGING}(?: out)? (?:the )?(?:(?i:words?|name|phrase|spelling of) (?P<old>{_WORD})|"
    rf"(?i:text|lettering|title) (?P<capital>[A-Z0-9]{_WORD})|"
    r"(?i:number|date|year|price|time|score) (?P<figure>[$€£#]?\d[\w:.,/-]*)) (?:to|with|into|for|by) "
    rf"(?:the (?:word|name) )?(?P<new>[$€£#]?{_WORD})(?=\s*(?:[.!?,;]|$)| (?:on|in|at|and) )"
)
_SAYS = re.compile(
    rf"{_CHANGING}[^.!?\n\"“]*? (?:to say|to read|so (?:that )?it (?:says|reads)|say):? "
    r"(?P<new>[^\"“”'\u2018\s][^\"“”\n.,;!?]*?)(?=\s*[.,;!?]|\s*$| (?:on|in|at) the )",
    re.IGNORECASE,
)
_UNCLOSED = re.compile(
    r"\b(?:to|with|into|by|says?|reads?) [\"“](?P<new>[^\"“”\n]{1,60}?)\s*\Z", re.IGNORECASE
)
_NOT_WORDS = """
to in on at of from color colour size font style below above so there it that more bold tag effect
position and art uppercase lowercase caps capitals capital italic italics underlined bigger larger smaller
white black red green blue yellow orange pink purple gold silver gray grey brown english french german
spanish italian chinese japanese his her my their your our its something nothing anything another other
new different one mine hers yours
"""
_NO_WORD = frozenset(_NOT_WORDS.split())
"""What a word is turned into that is not another word."""
_NO_SAYING = re.compile(
    r"(?:nothing|something|anything|whatever|what|who|the same|it|this|that|so|my|his|her|our|your|their|"
    r"a|an|another|other|else)\b",
    re.IGNORECASE,
)
_JOINT = re.compile(r"\b(?:and|then|but|or|with|instead|not|rather|in|on|at|for|as|like)\b", re.IGNORECASE)
_TELLING = (
    *("word", "name", "phrase", "spelling", "text", "letter", "title", "number", "date", "year", "price"),
    *("time", "score", "say", "read"),
)
_MOST_WORDS = 6


NO_LETTERS = "No font here has these letters: Latin, Greek and Cyrillic ones can be written."


def is_writable(text: str) -> bool:
    """Whether none of the letters is of a script that no font here has, as Chinese ones are."""
    return all(letter < _FIRST_OF_ASIA or letter > _LAST_OF_ASIA for letter in text)


_FIRST_OF_ASIA, _LAST_OF_ASIA = "\u2e80", "\ud7ff"


def changed_words(instruction: str) -> Iterator[tuple[int, int]]:
    """From where to where the letters of an old or a new text stand, in order."""
    lowered = instruction.lower()
    if not any(word in lowered for word in _TELLING) and '"' not in lowered:
        return
    words = None if instruction.isupper() else _WORDS.search(instruction)
    if words:
        old = next(name for name in ("old", "capital", "figure") if words[name])
        if not {words[old].lower(), words["new"].lower()} & _NO_WORD:
            yield words.span(old)
            yield words.span("new")
        return
    says = _SAYS.search(instruction)
    if says and _is_text(says["new"]):
        yield says.span("new")
    elif instruction.count('"') % 2 and (unclosed := _UNCLOSED.search(instruction)):
        yield unclosed.span("new")


def _is_text(new: str) -> bool:
    """Whether it is what is to be read, and not told in other words: "nothing", "what the sign says"."""
    is_short = len(new.split()) <= _MOST_WORDS
    return is_short and not _JOINT.search(new) and not (new.islower() and _NO_SAYING.match(new))
