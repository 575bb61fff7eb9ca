"""The words and what each may be, from `en/words/*.toml` and the `[en.words]` of the operations.

    inflected = ["raise"]                    the roles whose words are verbs: "crop, crops, cropping, cropped"
    raise = "increase, boost"                words of a role, each meaning itself
    [amount]                                 words of a role by what they mean: a number, or a word; "=" is
    itself "0.2" = "slightly, a bit"

In an operation's file a word means the operation: `look = "sepia"` is `{operation = "sepia"}`, and under "+"
and "-" it says which way: `[en.words.quality]` "+" = "warmth" is `{operation = "warmth", sign = 1}`.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from editor.engine.catalog import catalog
from editor.engine.kinds import plural_of
from editor.engine.props import NOUNS, PLURALS, PROPS
from editor.engine.worn import WORN

_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgmnprt]")  # "crop, cropped"
_SPELLED = str.maketrans({"-": " ", "\u2019": "'"})
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_SIGNS = {"+": 1, "-": -1}
_SEVERAL = 3  # "apples"


class Lexicon:
    """`senses` are the roles of a word, or of several with one space between them, with what each means."""

    def __init__(self, folder: Path):
        self.senses: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        self.inflected: set[str] = set()
        tables = [tomllib.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.toml"))]
        for table in tables:
            self.inflected |= set(table.pop("inflected", ()))
        for table in tables:
            self._add_pictures(table.pop("pictogram", ""))
            for role, words in table.items():
                self._add(role, words, _as_told)
        self._add_props()
        for declaration in catalog().values():
            for role, words in declaration.english.get("words", {}).items():
                self._add(role, words, lambda key, word, name=declaration.name: _of_operation(name, key))
        self.longest: defaultdict[str, int] = defaultdict(int)
        for phrase in self.senses:
            first, _, rest = phrase.partition(" ")
            self.longest[first] = max(self.longest[first], 1 + (rest.count(" ") + 1 if rest else 0))

    def roles(self) -> set[str]:
        return {role for senses in self.senses.values() for role in senses}

    def words(self) -> set[str]:
        return {word for phrase in self.senses for word in phrase.split(" ")}

    def _add_props(self) -> None:
        """A prop's nouns, also behind words that are true of its picture, by how it sits ("flies", "head");
        what is not worn is a "prop", "some_prop" where it is not counted, "paintable" in other colors; the
        noun alone is "pictured"."""
        for nouns, several in ((NOUNS, {}), (PLURALS, {"count": _SEVERAL})):
            for noun, name in nouns.items():
                prop = PROPS[name]
                roles = [prop.sits, *([] if prop.is_worn else ["some_prop" if prop.is_one else "prop"])]
                roles += ["paintable"] if prop.is_recolorable and not prop.is_worn else []
                meant = {"prop": name, "place": prop.sits} | ({} if prop.is_one else several)
                self.senses[noun.translate(_SPELLED)].setdefault("pictured", noun)
                for word in ("", *prop.fits.split(), *prop.colors.split()):
                    phrase = f"{word} {noun}".strip().translate(_SPELLED)
                    for role in roles:
                        self.senses[phrase].setdefault(role, meant)

    def _add_pictures(self, table: str) -> None:
        """A "pictogram" is an emoji by its name, once to three times; what is worn is a "worn_pictogram", and
        a "worn_emoji" itself, with its place."""
        for entry in filter(None, table.strip().replace("\n", "|").split("|")):
            emoji, names = entry.strip().split(maxsplit=1)
            meant = {"one": emoji, "two": emoji * 2, "three": emoji * 3, "place": WORN.get(emoji)}
            for name in _listed(names):
                for form in (name, plural_of(name)):
                    self.senses[form].setdefault("pictogram", meant)
                    if meant["place"]:
                        self.senses[form].setdefault("worn_pictogram", meant)
                        self.senses[emoji].setdefault("worn_emoji", meant)

    def _add(self, role: str, table: str | Mapping[str, str], meaning: Any) -> None:
        for key, words in {"": table}.items() if isinstance(table, str) else table.items():
            for word in _listed(words):
                for form in _forms(word) if role in self.inflected else (word,):
                    self.senses[form].setdefault(role, meaning(key, word))


def _listed(words: str) -> Iterator[str]:
    for word in words.translate(_SPELLED).replace("'s", " 's").replace("&", " and ").split(","):
        if phrase := " ".join(word.split()):
            yield phrase


def _as_told(key: str, word: str) -> Any:
    return word if key in ("", "=") else float(key) if _NUMBER.fullmatch(key) else key


def _of_operation(name: str, key: str) -> Any:
    if key and key not in _SIGNS:
        return float(key) if _NUMBER.fullmatch(key) else key
    return {"operation": name} | ({"sign": _SIGNS[key]} if key else {})


def _forms(verb: str) -> Iterable[str]:
    head, _, tail = verb.partition(" ")
    stem = head.removesuffix("e") + head[-1] * bool(_DOUBLED.fullmatch(head))
    third, past = head + "s", stem + "ed"
    if head.endswith(("s", "sh", "ch", "x", "z")):
        third = head + "es"
    elif head.endswith("y") and head[-2:-1] not in "aeiou":
        third, past = head[:-1] + "ies", head[:-1] + "ied"
    return (f"{form} {tail}".rstrip() for form in (head, third, stem + "ing", past))
