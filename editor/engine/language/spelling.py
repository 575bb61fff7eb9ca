"""Replace misspelled words with the most similar words in the lexicon.

An English word is never replaced, however similar it is to a word in the lexicon: "striped" is not
"stripped".
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property, lru_cache
from pathlib import Path

# Cost of repairing one word, in edges of the budget. The search takes about as long as adding that many
# edges.
REPAIR_EDGES = 300
_REMEMBERED = 10_000  # maximum number of words whose repair is cached
_SHORT, _MEDIUM, _LONG = 3, 7, 8
"""Length of a short, a medium, and a long word, in letters.

A word of 3 letters is repaired only if letters are swapped or doubled. A longer word may have one slip of any
kind, and a word of 8 or more letters may have two.
"""
_SHORT_WORDS = frozenset({"in", "it", "to", "of", "on", "at", "by"})
_MAX_SUGGESTIONS = 2


class Speller:
    """Repairs misspelled words with the words of the lexicon and a list of English words."""

    def __init__(self, known: Iterable[str], english: Path):
        self.known = frozenset(known)
        self._english = english
        self._repaired = lru_cache(_REMEMBERED)(self._nearest)

    def __call__(self, word: str, name: str = "") -> str:
        """Return the word in the lexicon that was meant.

        A correct word is returned unchanged, and so is a word that resembles no word in the lexicon. A
        misspelled word that may be a `name` is returned as the name.
        """
        return (name or self._repaired(word)) if self.is_misspelled(word) else word

    def is_misspelled(self, word: str) -> bool:
        """Return whether the word is in neither the lexicon nor the English word list."""
        is_plain = len(word) >= _SHORT and word.isascii() and word.isalpha()
        return is_plain and word not in self.known and word not in self._words

    def is_english(self, word: str) -> bool:
        """Return whether the word is in the English word list or begins with a digit."""
        return word in self._words or word[0].isdigit()  # a decade, as in "the 1950s"

    def is_word(self, word: str) -> bool:
        """Return whether the word is in the lexicon, in a pattern, or in the English word list."""
        return word in self.known or self.is_english(word)

    def knows(self, word: str) -> bool:
        """Return whether the word is quoted, is in the lexicon or a pattern, or is similar to one that is."""
        return word[0] == '"' or self(word) in self.known

    def suggestions(self, word: str) -> list[str]:
        """Return the possible meanings of a word that cannot be repaired, most likely first.

        These are pairs of words in the lexicon that were written as one, and words that are less similar than
        a repair requires.
        """
        parts = ((word[:at], word[at:]) for at in range(_SHORT - 1, len(word) - 1))
        pairs = [f"{left} {right}" for left, right in parts if {left, right} <= self._in_pairs]
        slips, letters = 2 if len(word) >= _MEDIUM else 1, frozenset(word)
        near = [
            (far, known)
            for known, others in self._all
            if abs(len(known) - len(word)) <= slips
            and len(letters ^ others) <= 2 * slips
            and (far := _slips(word, known, slips)) <= (slips if known[0] == word[0] else 1)
        ]
        return [*pairs, *(known for _, known in sorted(near))][:_MAX_SUGGESTIONS]

    @cached_property
    def _in_pairs(self) -> frozenset[str]:
        """The words that a user may have run together with another word by omitting the space."""
        return frozenset(word for word in self.known if len(word) >= _SHORT or word in _SHORT_WORDS)

    @cached_property
    def _all(self) -> list[tuple[str, frozenset[str]]]:
        return [entry for words in self._by_initial.values() for entry in words if len(entry[0]) > _SHORT]

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(self._english.read_text("utf-8").split())

    @cached_property
    def _by_initial(self) -> dict[str, list[tuple[str, frozenset[str]]]]:
        by_initial: defaultdict[str, list[tuple[str, frozenset[str]]]] = defaultdict(list)
        for word in sorted(self.known):
            if len(word) >= _SHORT and word.isalpha():
                by_initial[word[0]].append((word, frozenset(word)))
        return by_initial

    def _nearest(self, word: str) -> str:
        """Return the most similar word with the same first letter, or the word itself if there is none.

        If several words are equally distant, the one that shares the most letters is chosen. The alphabetical
        order breaks remaining ties.
        """
        slips, letters = 2 if len(word) >= _LONG else 1, frozenset(word)
        best: list[tuple[int, int, str]] = []
        for known, others in self._by_initial.get(word[0], ()):
            if abs(len(known) - len(word)) > slips or len(letters ^ others) > 2 * slips:
                continue
            far = _slips(word, known, slips)
            if far <= slips and len(letters ^ others) <= len(word) - _SHORT:
                best.append((far, len(letters ^ others), known))
        return min(best)[2] if best else word


def _slips(left: str, right: str, limit: int) -> int:
    """Return the edit distance, counting a swap of neighboring letters as one edit.

    If it is above `limit`, return `limit` + 1.
    """
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
