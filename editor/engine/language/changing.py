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
_NO_WORD = frozenset(
    {"to", "in", "on", "at", "of", "from", "color", "colour", "size", "font", "style", "below"}
)
_NO_WORD |= {"above", "so", "there", "it", "that", "more", "bold", "tag", "effect", "position", "and", "art"}
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
    if says and len(says["new"].split()) <= _MOST_WORDS and not _JOINT.search(says["new"]):
        yield says.span("new")
    elif instruction.count('"') % 2 and (unclosed := _UNCLOSED.search(instruction)):
        yield unclosed.span("new")
