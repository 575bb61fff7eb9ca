"""Text without quotation marks: "a caption saying Happy Birthday at the top".

Only where it is sure which letters are meant; elsewhere the person is asked for the quotes.
"""

import re
from collections.abc import Iterator

_ADDING = (
    r"\b(?:add|adding|write|put|insert|include|type|overlay|place|print|give|make|create|caption|stamp)\b"
)
_LETTERS = r"(?:texts?|words?|caption|title|headline|phrase|message|slogan|watermark|name|letters?|label)"
_SAYING = re.compile(
    rf"{_ADDING}[^.!?\n\"“]{{0,200}}?"
    rf"(?:\b(?:that|which) (?:says|reads)|\bsaying|\breading|\bwith the {_LETTERS})\s*:?\s+",
    re.IGNORECASE,
)
_NAMING = re.compile(
    rf"{_ADDING} (?:in )?(?:(?:the|a|an|my|some) )?(?:\w+ )?{_LETTERS}\s*:?\s+"
    r"(?!saying|reading|that|which|with|at|in|on)",
    re.IGNORECASE,
)
_SIGNING = re.compile(rf"{_ADDING} (?=©)", re.IGNORECASE)
_THE_WORD = re.compile(r"\bthe (?:words?|phrase)\s*:?\s+\Z", re.IGNORECASE)
_QUOTES = "\"\u201c\u201d\u201e\u00ab'\u2018"
_END = re.compile(r"[.!?]*\s*$|[.!?;]+\s|\n|,\s")
_PLACES = "top|bottom|left|right|center|centre|middle|upper|lower|corner|image|photo|picture|photograph"
_COLORED = "letters|text|font|writing|white|black|red|blue|green|yellow|gold|pink|orange|purple|gray"
_TAIL = re.compile(
    r"\s+(?:(?:at|in|on|to|onto|across|over)\s+(?:the|this|my|both)?\s*(?:very\s+|entire\s+|whole\s+)?"
    rf"(?:{_PLACES})\b|in\s+(?:\w+\s+)?(?:{_COLORED})\b)",
    re.IGNORECASE,
)
_JOINT = re.compile(r"\b(?:and|then|but|or|with)\b", re.IGNORECASE)
_PLACING = re.compile(r"\b(?:at|in|on|to|under|above|below|over|near|across|into|onto|for)\b", re.IGNORECASE)
_SMALL = frozenset({"of", "the", "and", "in", "to", "a", "for", "with", "at", "on", "is", "my", "&", "by"})
_MOST_WORDS = 8


def unquoted(instruction: str) -> Iterator[tuple[int, int]]:
    """From where to where text stands that is to be added letter for letter."""
    at = len(instruction) if instruction.isupper() else 0
    leads = [lead.search(instruction, at) for lead in (_SAYING, _NAMING, _SIGNING)]
    while lead := min(filter(None, leads), key=lambda lead: lead.end(), default=None):
        at = lead.end()
        end = _end(instruction, at)
        is_changed = lead.group().lower().startswith("make")  # "make the words bigger"
        names = lead.re is _NAMING and (is_changed or not _THE_WORD.search(lead.group()))
        if _is_sure(instruction[at:end], names=names):
            yield at, end
            at = end
        leads = [lead and (lead if lead.start() >= at else lead.re.search(instruction, at)) for lead in leads]


def _end(instruction: str, start: int) -> int:
    """Where the clause ends, or a place begins: "... at the top"."""
    stop = _END.search(instruction, start)
    end = stop.start() if stop else len(instruction)
    tail = _TAIL.search(instruction, start, end)
    return tail.start() if tail else end


def _is_sure(text: str, *, names: bool) -> bool:
    """Whether nothing but the text can be meant; after "text" or "a title" only capitals are."""
    words = text.split()
    if not words or text[0] in _QUOTES or any(quote in text for quote in '"“”') or len(words) > _MOST_WORDS:
        return False
    if _is_titled(words):
        return not names or len(words) > 1 or text.isupper()
    return not names and not _JOINT.search(text) and not _PLACING.search(text)


def _is_titled(words: list[str]) -> bool:
    capitals = [word[0].isupper() or word[0].isdigit() for word in words]
    small = [word in _SMALL for word in words]
    return capitals[0] and capitals[-1] and all(a or b for a, b in zip(capitals, small, strict=True))
