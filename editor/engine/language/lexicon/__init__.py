"""What the language knows: words and phrases, what each of them means, and how a misspelt one is found.

Each table maps a meaning to the words for it, separated by commas. A word may stand in several tables:
"light" is a quality, an adjective and the shade of a color.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache

from editor.engine.kinds import plural_of
from editor.engine.language.lexicon import (
    amounts,
    commands,
    connectives,
    formats,
    grounds,
    pictures,
    qualities,
    seen,
    styles,
    things,
)
from editor.engine.language.lexicon.props import PRAISE
from editor.engine.language.lexicon.qualities import cast_of as cast_of
from editor.engine.language.lexicon.qualities import is_natural as is_natural
from editor.engine.language.lexicon.roles import Role as Role
from editor.engine.language.lexicon.roles import Tone as Tone
from editor.engine.language.lexicon.roles import Unavailable as Unavailable
from editor.engine.props import WORDS as PROP_WORDS

# A word ends before the "'s" of an owner, and a hyphen parts two words; a paper size is one.
WORD = re.compile(r"\ba[3-6]\b|[^\W\d_]+(?:'(?!s\b)[^\W\d_]+)*|'s\b|\d+(?:[.]\d+)?|[^\w\s'-]")

Senses = Mapping[Role, object]


def _inflected(verb: str) -> Iterator[str]:
    head, _, tail = verb.partition(" ")
    stem = head[:-1] if head.endswith("e") else head
    doubled = head + head[-1] if head in commands.DOUBLING else stem
    for form in (head, head + "s", doubled + "ing", doubled + "ed"):
        yield f"{form} {tail}".rstrip()


def senses_of(words: tuple[str, ...]) -> Senses | None:
    """What a word or a phrase, in lower case, can mean; None when it is not known."""
    return _LEXICON.get(words)


def is_known(word: str) -> bool:
    """Whether a single word, in lower case, stands in the lexicon, alone or inside a phrase, or is a form of
    an ordinary one: "passed" is no misspelt "pasted"."""
    return word in _KNOWN or any(stem in _ORDINARY for stem in _stems(word))


def _stems(word: str) -> Iterator[str]:
    for ending in ("s", "es", "ed", "d", "ing", "ly", "er", "est"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word.removesuffix(ending)
            yield from (stem, stem + "e", stem[:-1]) if ending in ("ing", "ed", "er", "est") else (stem,)


def longest_phrase(first: str) -> int:
    """How many words the longest phrase that begins with this word has; 0 when none does."""
    return _LONGEST.get(first, 0)


@lru_cache(maxsize=16_384)
def spelled(word: str) -> str | None:
    """The known word that an unknown one most likely is; None when there is none or there are several."""
    allowed = 2 if len(word) >= 8 else 1 if len(word) >= 4 else 0
    if word in _SLIPS or not allowed or not word.isascii():
        return _SLIPS.get(word)
    near = [
        (distance(word, known, allowed), known)
        for known in _near(word, allowed)
        if len(word) >= _SHORT or _is_slip(word, known)
    ]
    close = sorted(
        (far, -len(known), known)
        for far, known in near
        if far <= allowed and (far < 2 or word[:2] == known[:2])
    )
    return close[0][2] if close else None


_SHORT = 7


def _is_slip(word: str, known: str) -> bool:
    """Whether a short word can be a slip of another: a letter lost or doubled, two letters swapped, one vowel
    for another, or the key beside it. Any other letter makes another word of it: "laser", "layer"."""
    if len(word) != len(known):
        return len(word) < len(known) or bool(_DOUBLE.search(word))
    other = [(left, right) for left, right in zip(word, known, strict=True) if left != right]
    return len(other) == 2 or (len(word) > 4 and all(_is_near_key(left, right) for left, right in other))


def _is_near_key(left: str, right: str) -> bool:
    return {left, right} <= set("aeiouy") or any(pair in _KEYS for pair in (left + right, right + left))


_KEYS = "qwertyuiop asdfghjkl zxcvbnm"


_DOUBLE = re.compile(r"(.)\1")


def _near(word: str, allowed: int) -> Iterator[str]:
    letters = set(word)
    for known in _BY_INITIAL.get(word[0], ()):
        if abs(len(known) - len(word)) <= allowed and len(letters.symmetric_difference(known)) <= 2 * allowed:
            yield known


def distance(left: str, right: str, limit: int) -> int:
    """Damerau-Levenshtein (optimal string alignment) distance; more than `limit` means only "further"."""
    before: list[int] = []
    above = list(range(len(right) + 1))
    for row, letter in enumerate(left, 1):
        here = [row]
        for column, other in enumerate(right, 1):
            best = min(above[column] + 1, here[-1] + 1, above[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == right[column - 2] and left[row - 2] == other:
                best = min(best, before[column - 2] + 1)
            here.append(best)
        if min(here) > limit:
            return limit + 1
        before, above = above, here
    return above[-1]


def is_foreign(word: str) -> bool:
    """Whether a word, in lower case, is a frequent one of another language."""
    is_latin = word.isascii() or not any(letter.isalpha() and ord(letter) > 0x24F for letter in word)
    return word in connectives.FOREIGN or not is_latin


def is_flaw(words: str) -> bool:
    """Whether an adjective tells what is wrong with a photo: "blurry"."""
    return words in qualities.FLAWS


def _listed(text: str) -> list[str]:
    return [word.strip() for word in text.replace("\n", " ").split(",") if word.strip()]


def _entries() -> Iterator[tuple[str, Role, object]]:
    yield from _command_entries()
    yield from _tone_entries()
    yield from _amount_entries()
    yield from _thing_entries()
    for role, words in connectives.CONNECTIVES.items():
        yield from ((word, role, word) for word in _listed(words))
    yield from ((word, Role.FILLER, True) for word in _listed(connectives.FILLER))
    yield from ((word, Role.COMMON, True) for word in connectives.COMMON.split())


def _command_entries() -> Iterator[tuple[str, Role, object]]:
    for role, words in commands.COMMANDS.items():
        yield from ((form, role, word) for word in _listed(words) for form in _inflected(word))
    for nearer, words in commands.ZOOMING.items():
        yield from ((form, Role.ZOOM, nearer) for word in _listed(words) for form in _inflected(word))
    for way, words in commands.STRETCHING.items():
        yield from ((form, Role.STRETCH, way) for word in _listed(words) for form in _inflected(word))
    for how, words in commands.HIDING.items():
        yield from ((form, Role.HIDE, how) for word in _listed(words) for form in _inflected(word))
    for role, words in commands.IRREGULAR.items():
        yield from ((word, role, word) for word in _listed(words))
    yield from ((phrase, Role.REMOVE, "remove") for phrase in commands.RIDDING)
    for meaning, words in commands.UNAVAILABLE.items():
        yield from ((word, Role.UNAVAILABLE, meaning) for word in _listed(words))


def _tone_entries() -> Iterator[tuple[str, Role, object]]:
    for (operation, sign), words in qualities.TONE_VERBS.items():
        yield from (
            (form, Role.TONE, Tone(operation, sign)) for word in _listed(words) for form in _inflected(word)
        )
    for table, role in ((qualities.QUALITIES, Role.QUALITY), (qualities.ADJECTIVES, Role.ADJECTIVE)):
        for (operation, sign), words in table.items():
            yield from ((word, role, Tone(operation, sign)) for word in _listed(words))
    for (operation, sign), words in qualities.COMPARATIVES.items():
        yield from (
            (word, Role.ADJECTIVE, Tone(operation, sign, comparative=True)) for word in _listed(words)
        )
    for color, words in qualities.TINTED.items():
        meaning = Tone("tint", 1, comparative=True, color=color)
        yield from ((word, Role.ADJECTIVE, meaning) for word in _listed(words))
    yield from ((word, Role.NIGHT, word) for word in _listed(qualities.NIGHT))
    yield from ((word, Role.BALANCE, word) for word in _listed(qualities.WHITE_BALANCE))
    yield from _table(qualities.LOOKS, Role.LOOK)
    yield from _table(styles.STYLES, Role.STYLE)
    yield from ((word, Role.LOOK, "invert") for word in _listed(qualities.INVERT))
    yield from ((word, Role.VAGUE, word) for word in _listed(qualities.VAGUE))


def _amount_entries() -> Iterator[tuple[str, Role, object]]:
    yield from _table(amounts.AMOUNTS, Role.AMOUNT)
    yield from _table(amounts.FRACTIONS, Role.FRACTION)
    yield from _table(amounts.UNITS, Role.UNIT)
    yield from _table(amounts.NUMBERS, Role.NUMBER)
    yield from _table(amounts.RATIOS, Role.RATIO)
    yield from _table(formats.PRINTS, Role.PRINT)
    yield from _table(formats.FORMATS, Role.FORMAT)
    yield from _table(amounts.THICKNESSES, Role.THICKNESS)


def _thing_entries() -> Iterator[tuple[str, Role, object]]:
    for role, words in things.THINGS.items():
        yield from ((word, role, word) for word in _listed(words))
    for role, table in things.MEANINGS.items():
        yield from _table(table, role)
    yield from _table(things.LARGER, Role.LARGER)
    yield from _table(things.FILES, Role.FILE)
    yield from ((word, Role.COLOR, word) for word in _listed(things.COLORS))
    yield from _table(things.COLOR_SPELLINGS, Role.COLOR)
    yield from _table(things.SHADES, Role.SHADE)
    yield from _table(things.PLACES, Role.PLACE)
    yield from _table(things.TURNS, Role.TURN)
    yield from _table(things.AXES, Role.AXIS)
    yield from _table(things.ORDINALS, Role.ORDINAL)
    several = [f"{each} {name}" for each in things.EACH for name in things.PHOTO_NAMES] + list(
        things.ALL_OF_THEM
    )
    yield from ((word, role, word) for word in several for role in (Role.PHOTO, Role.SEVERAL))
    yield from ((word, Role.CAST, word) for word in _listed(qualities.CASTS))
    yield from ((word, Role.DEFECT, word) for word in _listed(things.DEFECTS))
    yield from ((word, Role.SCENE, word) for word in _listed(grounds.SCENES))
    yield from ((word, Role.NOUN, word) for word in things.NOUNS.split())
    yield from ((word, Role.NOUN, word) for words in grounds.DRAWN_PLACES.values() for word in _listed(words))
    for noun, words in qualities.FINDABLE.items():
        for word in _listed(words):
            yield from ((word, Role.FINDABLE, noun), (word, Role.NOUN, word))
    for noun, words in seen.SEEN.items():
        for word in _listed(words):
            for number, form in ((noun, word), (plural_of(noun), plural_of(word))):
                yield from ((form, Role.SEEN, number), (form, Role.NOUN, form))
    for noun, words in seen.PARTS.items():
        for word in _listed(words):
            yield from ((word, Role.PART, noun), (word, Role.NOUN, word))
    for word in seen.ALL_PEOPLE:
        yield from ((word, Role.SEEN, "people"), (word, Role.NOUN, word))
    yield from ((word, Role.OCCASION, word) for word in connectives.OCCASIONS.replace("\n", " ").split())


def _built() -> dict[tuple[str, ...], dict[Role, object]]:
    lexicon: defaultdict[tuple[str, ...], dict[Role, object]] = defaultdict(dict)
    for phrase, role, meaning in _entries():
        words = (phrase,) if phrase.isalpha() else tuple(WORD.findall(phrase))
        lexicon[words].setdefault(role, meaning)
    return dict(lexicon)


def _table[Meaning](table: Mapping[Meaning, str], role: Role) -> Iterator[tuple[str, Role, Meaning]]:
    for meaning, words in table.items():
        yield from ((word, role, meaning) for word in _listed(words))


_SLIPS = {slip: word for word, slips in connectives.SLIPS.items() for slip in slips.split()}
_LEXICON = _built()
_COURTESIES = {"please", "someone", "somebody", "anyone", "could", "thanks"}
_ORDINARY = frozenset(connectives.COMMON.split()) | frozenset(things.NOUNS.split())
_KNOWN = frozenset(word for phrases in (_LEXICON, pictures.PICTURES) for phrase in phrases for word in phrase)
_KNOWN |= PROP_WORDS | PRAISE
_UNGUESSED = frozenset({Role.COMMON, Role.NOUN, Role.SCENE, Role.FILLER, Role.SEEN, Role.PART})
_LONGEST: dict[str, int] = {}
_BY_INITIAL: defaultdict[str, set[str]] = defaultdict(set)
for _phrase, _senses in _LEXICON.items():
    _LONGEST[_phrase[0]] = max(len(_phrase), _LONGEST.get(_phrase[0], 0))
    if not _senses.keys() <= _UNGUESSED or _phrase[0] in _COURTESIES:
        for _word in _phrase:
            if len(_word) >= 4:
                _BY_INITIAL[_word[0]].add(_word)
