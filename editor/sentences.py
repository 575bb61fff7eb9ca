"""Messages that are stored or sent to another process before someone reads them.

They are in English, and their values are kept separately.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Self

type SentenceData = str | dict[str, Any]
_PLACE = re.compile(r"%\((\w+)\)s")


class Sentence(str):
    """An English message that keeps its template and values, so that `models.wording` can translate it.

    A placeholder in the template has the form %(name)s. Values are strings, integers, and other sentences.
    """

    template: str
    values: Mapping[str, Any]

    def __new__(cls, words: str, **values: object) -> Self:
        made = super().__new__(cls, format_sentence(words, values, lambda value: f"{value:,}"))
        made.template, made.values = words, values
        return made


def format_sentence(template: str, values: Mapping[str, object], number: Callable[[int], str]) -> str:
    """Return the template with its values inserted, using `number` to format integers.

    A placeholder that has no value is replaced by an empty string.
    """

    def said(found: re.Match[str]) -> str:
        value = values.get(found[1], "")
        return number(value) if isinstance(value, int) else str(value)

    return _PLACE.sub(said, template) if values else template


def to_json_data(text: str) -> SentenceData:
    """Return the text as JSON data.

    A sentence that has values becomes its template and values, and any other text becomes a string.
    """
    if not isinstance(text, Sentence) or not text.values:
        return str(text)
    values = {
        name: to_json_data(value) if isinstance(value, str) else value for name, value in text.values.items()
    }
    return {"words": text.template, "values": values}


def from_json_data(data: SentenceData) -> str:
    """Return the English text for data that `to_json_data` returned.

    If the data has values, the text is a `Sentence`.
    """
    if isinstance(data, str):
        return data
    values = {
        name: from_json_data(value) if isinstance(value, str | dict) else value
        for name, value in dict(data["values"]).items()
    }
    return Sentence(str(data["words"]), **values)
