"""A misspelt word, and the word of the lexicon that it most likely is.

A word of English is never repaired, however near it is to one of the lexicon: "striped" is not "stripped".
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property, lru_cache
from pathlib import Path

REPAIR_EDGES = 300  # of a budget, for one word: about the time that the search takes
_REMEMBERED = 10_000  # repaired words
_SHORT, _LONG = 3, 8  # from so many letters swapped ones are mended, from one more a slip, and two from here


class Speller:
    def __init__(self, known: Iterable[str], english: Path):
        self.known = frozenset(known)
        self._english = english
        self._repaired = lru_cache(_REMEMBERED)(self._nearest)

    def __call__(self, word: str, name: str = "") -> str:
        """The word as it stands in the lexicon; as it is where it is right or nothing near, or a `name`."""
        return (name or self._repaired(word)) if self.is_misspelled(word) else word

    def is_misspelled(self, word: str) -> bool:
        """Whether the word is none of the lexicon and none of English."""
        is_plain = len(word) >= _SHORT and word.isascii() and word.isalpha()
        return is_plain and word not in self.known and word not in self._words

    def is_english(self, word: str) -> bool:
        return word in self._words or word[0].isdigit()  # "the 1950s"

    def knows(self, word: str) -> bool:
        """Whether it stands in quotes, in the lexicon, in a pattern, or is near to one that does."""
        return word[0] == '"' or self(word) in self.known

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(self._english.read_text("utf-8").split())

    @cached_property
    def _by_initial(self) -> dict[str, list[tuple[str, frozenset[str]]]]:
        found: defaultdict[str, list[tuple[str, frozenset[str]]]] = defaultdict(list)
        for word in sorted(self.known):
            if len(word) >= _SHORT and word.isalpha():
                found[word[0]].append((word, frozenset(word)))
        return found

    def _nearest(self, word: str) -> str:
        """The nearest word with the same first letter; of several at that distance none, unless one of them
        has all the letters."""
        slips, letters = 2 if len(word) >= _LONG else 1, frozenset(word)
        best: list[tuple[int, int, str]] = []
        for known, others in self._by_initial.get(word[0], ()):
            if abs(len(known) - len(word)) > slips or len(letters ^ others) > 2 * slips:
                continue
            far = _slips(word, known, slips)
            if far <= slips and len(letters ^ others) <= len(word) - _SHORT:
                best.append((far, len(letters ^ others), known))
        return min(best)[2] if best else word


def _slips(left: str, right: str, most: int) -> int:
    """Edit distance with swaps of neighbors; past `most` it only says "further"."""
    before: list[int] = []
    above = list(range(len(right) + 1))
    for row, letter in enumerate(left, 1):
        here = [row]
        for column, other in enumerate(right, 1):
            best = min(above[column] + 1, here[-1] + 1, above[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == right[column - 2] and left[row - 2] == other:
                best = min(best, before[column - 2] + 1)
            here.append(best)
        if min(here) > most:
            return most + 1
        before, above = above, here
    return above[-1]
