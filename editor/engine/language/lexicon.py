"""The words and their possible roles, from `en/words/*.toml` and the `[en.words]` tables of the operations.

- `inflected = ["raise"]` lists the roles whose words are verbs: "crop, crops, cropping, cropped".
- `raise = "increase, boost"` lists the words that have a role; each word is its own value.
- `[amount]` with `"0.2" = "slightly, a bit"` lists the words that have a role by their value, which is a
  number, a word, or "=" for the word itself.

In an operation's file, a word refers to the operation: `look = "sepia"` has the value `{operation =
"sepia"}`. The keys "+" and "-" add a direction: `[en.words.quality]` with "+" = "warmth" has the value
`{operation = "warmth", sign = 1}`.
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
from editor.engine.wearable_emoji import WEARABLE_EMOJI

_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgmnprt]")  # verbs that double their last letter: "crop, cropped"
_SPELLINGS = str.maketrans({"-": " ", "\u2019": "'"})
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_SIGNS = {"+": 1, "-": -1}
_SEVERAL = 3  # number of things that a plural without a number, such as "apples", stands for


class Lexicon:
    """The words of the language.

    `senses` maps a word, or several words with single spaces between them, to its roles and the value for
    each role.
    """

    def __init__(self, folder: Path):
        self.senses: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        self.inflected: set[str] = set()
        self.participles: set[str] = set()  # verb forms such as "blurred", which may also describe a thing
        self.third_persons: set[str] = set()  # verb forms such as "blurs", which may say what a thing does
        tables = [tomllib.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.toml"))]
        for table in tables:
            self.inflected |= set(table.pop("inflected", ()))
        for table in tables:
            self._add_pictures(table.pop("pictogram", ""))
            for role, words in table.items():
                self._add(role, words, _word_value)
        self._add_props()
        for declaration in catalog().values():
            for role, words in declaration.english.get("words", {}).items():
                self._add(role, words, lambda key, word, name=declaration.name: _operation_value(name, key))
        self.longest: defaultdict[str, int] = defaultdict(int)
        for phrase in self.senses:
            first, _, rest = phrase.partition(" ")
            self.longest[first] = max(self.longest[first], 1 + (rest.count(" ") + 1 if rest else 0))

    def roles(self) -> set[str]:
        """Return all roles that words have."""
        return {role for senses in self.senses.values() for role in senses}

    def words(self) -> set[str]:
        """Return all single words that occur in the lexicon."""
        return {word for phrase in self.senses for word in phrase.split(" ")}

    def _add_props(self) -> None:
        """Register the nouns of the props, with and without adjectives that fit their pictures.

        One role of a noun is the position of the prop, such as "flies" or "head". Another role is "prop" if
        the prop is not worn, or "some_prop" if it is not worn and cannot be counted. If the prop can have
        other colors, the noun also has the role "paintable". The noun without adjectives also has the role
        "pictured".
        """
        for nouns, several in ((NOUNS, {}), (PLURALS, {"count": _SEVERAL})):
            for noun, name in nouns.items():
                prop = PROPS[name]
                roles = [prop.sits, *([] if prop.is_worn else ["some_prop" if prop.is_one else "prop"])]
                roles += ["paintable"] if prop.is_recolorable and not prop.is_worn else []
                value = {"prop": name, "place": prop.sits} | ({} if prop.is_one else several)
                self.senses[noun.translate(_SPELLINGS)].setdefault("pictured", noun)
                for word in ("", *prop.fits.split(), *prop.colors.split()):
                    phrase = f"{word} {noun}".strip().translate(_SPELLINGS)
                    for role in roles:
                        self.senses[phrase].setdefault(role, value)

    def _add_pictures(self, table: str) -> None:
        """Register the names of emoji.

        A name has the role "pictogram", and its value holds the emoji once, twice, and three times. If people
        can wear the emoji, its name also has the role "worn_pictogram", and the emoji itself has the role
        "worn_emoji". Both values then hold the place where the emoji is worn.
        """
        for entry in filter(None, table.strip().replace("\n", "|").split("|")):
            emoji, names = entry.strip().split(maxsplit=1)
            value = {"one": emoji, "two": emoji * 2, "three": emoji * 3, "place": WEARABLE_EMOJI.get(emoji)}
            for name in _split_list(names):
                for form in (name, plural_of(name)):
                    self.senses[form].setdefault("pictogram", value)
                    if value["place"]:
                        self.senses[form].setdefault("worn_pictogram", value)
                        self.senses[emoji].setdefault("worn_emoji", value)

    def _add(self, role: str, table: str | Mapping[str, str], meaning: Any) -> None:
        for key, words in {"": table}.items() if isinstance(table, str) else table.items():
            for word in _split_list(words):
                forms = tuple(_forms(word)) if role in self.inflected else (word,)
                self.participles |= {forms[-1]} - {forms[0]}
                self.third_persons |= set(forms[1:2])
                for form in forms:
                    self.senses[form].setdefault(role, meaning(key, word))


def _split_list(words: str) -> Iterator[str]:
    for word in words.translate(_SPELLINGS).replace("'s", " 's").replace("&", " and ").split(","):
        if phrase := " ".join(word.split()):
            yield phrase


def _word_value(key: str, word: str) -> Any:
    return word if key in ("", "=") else float(key) if _NUMBER.fullmatch(key) else key


def _operation_value(name: str, key: str) -> Any:
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
