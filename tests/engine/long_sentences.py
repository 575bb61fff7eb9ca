"""Generate long prompts of every kind that is expensive to parse. The same seed gives the same prompts."""

import random
import string
from collections.abc import Callable, Iterator, Sequence

from editor.engine.language.reader import reader
from tests.benchmarks.explain import INSTRUCTIONS

MAX_CHARACTERS = 2_000
MAX_BOXES = 20
_UNITS = (
    *("q ", "very ", "very very ", "please ", "the ", "not ", "red ", "a, ", "1 ", "20% ", "4 x 6 in "),
    *('"q" ', "'q ", '"', "(", "..", "blur, ", "zorble ", "saying happy ", "a little more ", "too much "),
    *("it was dark, could you ", "but keep the sky ", "without the cat ", "except the dog "),
    *("add a dog and a cat, ", "make it brighter ", "the dog on the left of the cat ", "to the right of "),
    *("the hat of the man of the dog ", "1. crop it 2. brighten it ", "\U0001f600 ", "\U0001f600"),
)
_JOINTS = (" ", " ", ", ", " and ", " and the ", " and then ", " but not ", ". ", " of the ")
_GERMAN = ("mach", "das Bild", "bitte", "etwas heller", "und", "entferne", "den Hund", "links", "größten")


def long_sentences(number: int, seed: int) -> Iterator[tuple[str, int]]:
    """Yield prompts of 2,000 characters, each along with the number of boxes to use."""
    chance = random.Random(seed)
    lexicon = sorted(reader().grammar.lexicon.senses)
    for _ in range(number):
        text = chance.choice(_SHAPES)(chance, lexicon)
        yield text[:MAX_CHARACTERS], chance.choice((0, 1, 2, MAX_BOXES))


def _repeated(chance: random.Random, lexicon: Sequence[str]) -> str:
    return (chance.choice(_UNITS) + chance.choice(("", "", chance.choice(_UNITS)))) * MAX_CHARACTERS


def _joined(chance: random.Random, words: Sequence[str]) -> str:
    joints = chance.choices(_JOINTS, k=2)
    return "".join(chance.choice(words) + chance.choice(joints) for _ in range(MAX_CHARACTERS))


def _few_words(chance: random.Random, lexicon: Sequence[str]) -> str:
    return _joined(chance, chance.choices(lexicon, k=chance.randint(1, 6)))


def _many_words(chance: random.Random, lexicon: Sequence[str]) -> str:
    return _joined(chance, lexicon)


def _typos(chance: random.Random, lexicon: Sequence[str]) -> str:
    return _joined(chance, [_with_typo(word, chance) for word in chance.choices(lexicon, k=400)])


def _with_typo(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word))
    return word[:at] + chance.choice(string.ascii_lowercase) + word[at + chance.randint(0, 1) :]


def _unknown_words(chance: random.Random, lexicon: Sequence[str]) -> str:
    lengths = range(1, chance.choice((4, 12, 400)))
    words = ["".join(chance.choices(string.ascii_lowercase, k=chance.choice(lengths))) for _ in range(300)]
    return _joined(chance, words)


def _writing(chance: random.Random, lexicon: Sequence[str]) -> str:
    return _joined(chance, INSTRUCTIONS)


def _german(chance: random.Random, lexicon: Sequence[str]) -> str:
    return _joined(chance, _GERMAN)


def _mixed(chance: random.Random, lexicon: Sequence[str]) -> str:
    parts = [shape(chance, lexicon)[: chance.randint(1, 400)] for shape in chance.choices(_SHAPES[:-1], k=20)]
    return (" ".join(parts) * MAX_CHARACTERS)[:MAX_CHARACTERS]


_SHAPES: tuple[Callable[[random.Random, Sequence[str]], str], ...] = (
    *(_repeated, _repeated, _few_words, _few_words, _many_words, _typos, _unknown_words),
    *(_writing, _german, _mixed),
)
