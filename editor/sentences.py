"""Sentences that are kept, or cross a process, before somebody reads them: in English, values apart."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Self

type Kept = str | dict[str, Any]
_PLACE = re.compile(r"%\((\w+)\)s")


class Sentence(str):
    """An English sentence that remembers its words and values: `models.wording` says it in the language of
    who reads it. A place in the words is %(name)s; values are texts, whole numbers, and other sentences."""

    words: str
    values: Mapping[str, Any]

    def __new__(cls, words: str, **values: object) -> Self:
        made = super().__new__(cls, format_sentence(words, values, lambda value: f"{value:,}"))
        made.words, made.values = words, values
        return made


def format_sentence(words: str, values: Mapping[str, object], number: Callable[[int], str]) -> str:
    """The words with their values; numbers as `number` writes them. A place without a value stays empty."""

    def said(found: re.Match[str]) -> str:
        value = values.get(found[1], "")
        return number(value) if isinstance(value, int) else str(value)

    return _PLACE.sub(said, words) if values else words


def kept(text: str) -> Kept:
    """The text as JSON holds it: a sentence with values as both, another as itself."""
    if not isinstance(text, Sentence) or not text.values:
        return str(text)
    values = {name: kept(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return {"words": text.words, "values": values}


def read(text: Kept) -> str:
    """The English text that was kept, as a `Sentence` where it has values."""
    if isinstance(text, str):
        return text
    values = {
        name: read(value) if isinstance(value, str | dict) else value
        for name, value in dict(text["values"]).items()
    }
    return Sentence(str(text["words"]), **values)
