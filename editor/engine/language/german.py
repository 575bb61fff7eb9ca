"""Recognize prompts in German and translate simple ones with the glossary in `german.toml`."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

_QUOTED = re.compile(r"""[„“”"«»][^„“”"«»]+[„“”"«»]""")
_TOKEN = re.compile(rf"""{_QUOTED.pattern}|\#[0-9a-f]{{6}}\b|[^\W\d_]+|[\d.,:]*\d|[,.!?;]|\S""", re.I)
_WORD = re.compile(r"[^\W\d_]+")
_SPECIAL = re.compile("[äöüß]")
_STOPS = frozenset(",.!?;")
_ENDINGS = ("", "e", "er", "es", "en", "em")
_MAX_ENTRY_WORDS = 3  # maximum number of words in an entry of the glossary


class _Glossary(NamedTuple):
    """A German-to-English dictionary.

    `words` can be anywhere in a clause, and `final` are verbs at the end of a clause. `split` are verbs whose
    second part is at the end of the clause, as in "füge ... hinzu". `known` are all German words.
    """

    words: Mapping[str, str]
    final: Mapping[str, str]
    split: Mapping[tuple[str, str], str]
    known: frozenset[str]


@cache
def _glossary() -> _Glossary:
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    adjectives = _entries(data["adjectives"])
    words = {stem + ending: english for stem, english in adjectives for ending in _ENDINGS}
    words |= dict(_entries(data["words"]))
    split = {(one.split()[0], one.split()[-1]): english for one, english in _entries(data["split"])}
    final, other = dict(_entries(data["final"])), data["other"].replace(",", " ").split()
    known = " ".join([*words, *final, *(part for pair in split for part in pair), *other]).split()
    return _Glossary(words, final, split, frozenset(known))


def _entries(table: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for english, german in table.items():
        yield from ((one.strip(), english.strip("-")) for one in german.split(","))


def is_german(text: str, is_english: Callable[[str], bool]) -> bool:
    """Return whether the text is in German.

    Most of its words must be German, and only a few may be exclusively English.
    """
    words = _WORD.findall(_QUOTED.sub("", text.lower()))
    known = [word for word in words if word in _glossary().known or _SPECIAL.search(word)]
    only_german = sum(not is_english(word) for word in known)
    only_english = sum(is_english(word) for word in words if word not in known)
    return 2 * len(known) >= len(words) and only_german > only_english


def translations(text: str) -> Iterator[str]:
    """Yield possible translations of a simple prompt.

    There are none if a word is not in the glossary, because the other words may then mean something else.
    """
    words = [word if word[0] in '„“”"«»' else word.lower() for word in _TOKEN.findall(text)]
    for joints in (frozenset({"und"}), frozenset[str]()):
        clauses = list(map(_translate, _clauses(words, joints)))
        if all(clauses):
            yield " and ".join(filter(None, clauses))


def _clauses(words: list[str], joints: frozenset[str]) -> Iterator[list[str]]:
    clause: list[str] = []
    for word in [*words, "."]:
        if word not in _STOPS and word not in joints:
            clause.append(word)
        elif clause:
            yield clause
            clause = []


def _translate(clause: list[str]) -> str:
    """Return the translation of a clause, with its verb in front, or "" if a word is unknown."""
    glossary, verb = _glossary(), ""
    clause = [word for word in clause if glossary.words.get(word) != ""]
    if clause and (english := glossary.split.get((clause[0], clause[-1]))):
        verb, clause = english, clause[1:-1]
    elif clause and (english := glossary.final.get(clause[-1])):
        verb, clause = english, clause[:-1]
    words, at = [verb] if verb else [], 0
    while at < len(clause):
        length, english = _entry(clause[at:])
        if not length:
            return ""
        words.append(english)
        at += length
    return " ".join(filter(None, words))


def _entry(words: list[str]) -> tuple[int, str]:
    """Return the length, in words, of the glossary entry that the words begin with, and its translation."""
    if not _WORD.fullmatch(words[0]):
        return 1, words[0]
    for length in range(min(_MAX_ENTRY_WORDS, len(words)), 0, -1):
        if (english := _glossary().words.get(" ".join(words[:length]))) is not None:
            return length, english
    return 0, ""
