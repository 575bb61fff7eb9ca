"""Messages that are stored or sent to another process before someone reads them: in English, with separate
values."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Self

type Kept = str | dict[str, Any]
_PLACE = re.compile(r"%\((\w+)\)s")


class Sentence(str):
    """An English message that keeps its template and values, so that `models.wording` can translate it for
    the reader.

    A placeholder in the template is %(name)s. Values are strings, integers, and other sentences.
    """

    words: str
    values: Mapping[str, Any]

    def __new__(cls, words: str, **values: object) -> Self:
        made = super().__new__(cls, format_sentence(words, values, lambda value: f"{value:,}"))
        made.words, made.values = words, values
        return made


def format_sentence(words: str, values: Mapping[str, object], number: Callable[[int], str]) -> str:
    """Return the template with its values inserted, using `number` to format integers. A placeholder without
    a value becomes empty."""

    def said(found: re.Match[str]) -> str:
        value = values.get(found[1], "")
        return number(value) if isinstance(value, int) else str(value)

    return _PLACE.sub(said, words) if values else words


def kept(text: str) -> Kept:
    """Return the text as JSON data: the template and values of a sentence that has values, or else a
    string."""
    if not isinstance(text, Sentence) or not text.values:
        return str(text)
    values = {name: kept(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return {"words": text.words, "values": values}


def read(text: Kept) -> str:
    """Return the English text from the data of `kept`, as a `Sentence` if it has values."""
    if isinstance(text, str):
        return text
    values = {
        name: read(value) if isinstance(value, str | dict) else value
        for name, value in dict(text["values"]).items()
    }
    return Sentence(str(text["words"]), **values)
