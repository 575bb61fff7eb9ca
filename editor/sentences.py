"""Messages that are stored or sent to another process before someone reads them.

They are in English, and their values are kept separately.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

type SentenceData = str | dict[str, Any]
_PLACE = re.compile(r"%\((\w+)\)s")


class Sentence(str):
    """An English message that keeps its template and values, so that `models.wording` can translate it.

    A placeholder in the template has the form %(name)s. Values are strings, integers, and other sentences.
    """

    template: str
    values: Mapping[str, Any]

    def __new__(cls, words: str = "", /, **values: object) -> Self:
        sentence = super().__new__(cls, format_sentence(words, values, lambda value: f"{value:,}"))
        sentence.template, sentence.values = words, values
        return sentence

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the text as a sentence, unchanged if it is one."""
        return text if isinstance(text, cls) else cls(text)


def has_words(template: str) -> bool:
    """Return whether a template contains anything to translate besides its placeholders."""
    return any(map(str.isalpha, _PLACE.sub("", template)))


def format_sentence(template: str, values: Mapping[str, object], number: Callable[[int], str]) -> str:
    """Return the template with its values inserted, using `number` to format integers.

    A placeholder that has no value is replaced by an empty string.
    """

    def value_text(found: re.Match[str]) -> str:
        value = values.get(found[1], "")
        return number(value) if isinstance(value, int) else str(value)

    return _PLACE.sub(value_text, template) if values else template


EMPTY = Sentence()


def join_sentences(*sentences: Sentence, separator: str = " ") -> Sentence:
    """Return one sentence that consists of these, without the empty ones."""
    parts = list(filter(None, sentences))
    if len(parts) < 2:
        return parts[0] if parts else EMPTY
    values = {f"part{number}": one for number, one in enumerate(parts, 1)}
    return Sentence(separator.join(f"%({name})s" for name in values), **values)


def join_names(names: Sequence[Sentence]) -> Sentence:
    """Return the names as a list with commas and a final "and"."""
    if len(names) < 2:
        return join_sentences(*names)
    return Sentence(
        "%(first)s and %(last)s", first=join_sentences(*names[:-1], separator=", "), last=names[-1]
    )


def to_json_data(text: str) -> SentenceData:
    """Return the text as JSON data.

    A sentence that has values becomes its template and values, and any other text becomes a string.
    """
    return _as_value(text) if isinstance(text, Sentence) and text.values else str(text)


def _as_value(value: object) -> Any:
    """Return a value of a sentence as JSON data.

    Even a sentence without values becomes an object, because strings, such as words of the prompt, are not
    translated.
    """
    if not isinstance(value, Sentence):
        return value
    return {"words": value.template, "values": {name: _as_value(one) for name, one in value.values.items()}}


def from_json_data(data: SentenceData) -> Sentence:
    """Return the sentence for data that `to_json_data` returned. Its values remain strings if they were."""
    if isinstance(data, str):
        return Sentence.of(data)
    values = {
        name: from_json_data(value) if isinstance(value, dict) else value
        for name, value in dict(data["values"]).items()
    }
    return Sentence(str(data["words"]), **values)
