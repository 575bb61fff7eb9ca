"""Read texts with the grammar and a speller, within the budget of one prompt."""

import gc
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from editor.engine.language.budget import MAX_EDGES, Budget
from editor.engine.language.chart import Chart
from editor.engine.language.cheapest_path import ParsePath
from editor.engine.language.grammar import Grammar
from editor.engine.language.parsing import read
from editor.engine.language.spelling import REPAIR_EDGES, Speller
from editor.engine.language.tokens import Token, tokenize

ENGLISH = Path(__file__).parent / "en"
# The maximum number of edges in a reading that is repeated with boxes. The repeated reading may use several
# times as many edges.
_MAX_CHEAP_EDGES = MAX_EDGES // 8


class Reader:
    """A grammar, along with a speller for its words."""

    def __init__(self, folder: Path = ENGLISH):
        self.grammar = Grammar(folder)
        known = self.grammar.lexicon.words() | self.grammar.literals()
        self.speller = Speller(known, folder / "words" / "english.txt")

    def read(
        self, tokens: Sequence[Token], budget: Budget, *, has_boxes: bool = False
    ) -> tuple[Chart, ParsePath]:
        """Read tokens after repairing their spelling. Raises TooLong if the budget is used up."""
        misspelled = {
            one.text for one in tokens if one.kind == "word" and self.speller.is_misspelled(one.text)
        }
        budget.spend(len(tokens) + len(misspelled) * REPAIR_EDGES)
        words = [self.speller(one.text, one.name) if one.kind == "word" else one.text for one in tokens]
        return read(tokens, words, self.grammar, self.speller.is_english, budget=budget, has_boxes=has_boxes)

    def is_english(self, word: str) -> bool:
        """Return whether the word is in the English word list or has a role in the grammar."""
        roles = self.grammar.lexicon.senses.get(word, {}).keys() - {"foreign"}
        return bool(roles) or self.speller.is_english(word)


@cache
def reader() -> Reader:
    """Return the reader of prompts, which is loaded once in each process.

    Its many objects are frozen. Otherwise, the garbage collector would examine them repeatedly, and a
    collection in the middle of a prompt could use up the CPU time of the prompt's budget.
    """
    loaded = Reader()
    gc.freeze()
    return loaded


class Readings:
    """The readings that one call to `explain` makes within one budget.

    Each text is read at most once without boxes and once with boxes.
    """

    def __init__(self) -> None:
        self._budget = Budget()
        self._known: dict[tuple[str, bool], tuple[list[Token], Chart, ParsePath]] = {}

    @property
    def are_cheap(self) -> bool:
        """Whether the budget is certain to be enough to read the text again with boxes."""
        return self._budget.used < _MAX_CHEAP_EDGES

    def of(self, text: str, *, has_boxes: bool) -> tuple[list[Token], Chart, ParsePath]:
        """Return the reading of a text. Raises TooLong if the budget is used up."""
        key = (text, has_boxes)
        if key not in self._known:
            tokens = tokenize(text)
            self._known[key] = (tokens, *reader().read(tokens, self._budget, has_boxes=has_boxes))
        return self._known[key]
