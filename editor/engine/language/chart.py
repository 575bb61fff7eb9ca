"""The edges of a sentence.

An edge says that the words from `start` to `end` have a role.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from typing import Any

from editor.engine.language.budget import Budget
from editor.engine.language.grammar import Construction
from editor.engine.language.template import fill_template

# The cost of a word. The cheapest reading of a sentence wins.
WORD_COST = 1.0
# The cost of a courteous word, such as "please".
COURTESY_COST = 0.4
# The cost of a word that is not in the lexicon.
UNKNOWN_COST = 3.0
# The cost of any word that is read as part of a description.
ANY_COST = 1.5
# The cost of a stop, such as a comma.
STOP_COST = 0.1
# The cost of a word that no construction claims.
UNREAD_COST = 100.0
# The endings of verb forms that describe what a person does: "holding", "dressed".
PARTICIPLES = ("ing", "ed")
# Words after which a participle describes something, as in "the man is cutting".
LINKING_VERBS = frozenset({"is", "are", "was", "were"})
# The maximum length of an edge, in words. Longer texts are not wishes and take too long to read.
MAX_EDGE_WORDS = 40
# The mark before a value that was inserted into the instruction of a recipe.
VALUE_MARK = "‹"
# The first characters of quoted texts.
QUOTES = frozenset("\"'“„«" + VALUE_MARK)
# The texts of stops. tokens.py turns brackets into “/”.
STOPS = frozenset(",./")


class Edge:
    """A stretch of words with a role, a cost, and a value, which is the meaning of the words."""

    __slots__ = ("_value", "cost", "end", "is_known", "matched", "role", "rule", "start")

    def __init__(
        self,
        start: int,
        end: int,
        role: str,
        cost: float,
        value: Any = None,
        rule: Construction | None = None,
        matched: Any = None,
    ):
        self.start, self.end, self.role, self.cost = start, end, role, cost
        self._value, self.rule, self.matched, self.is_known = value, rule, matched, False

    @property
    def value(self) -> Any:
        """The meaning of the words, which is computed on first use."""
        if self.rule is not None and not self.is_known:
            bound: defaultdict[str, list[Any]] = defaultdict(list)
            for edge in self.parts:
                bound[edge.role].append(edge.value)
            self._value, self.is_known = fill_template(self.rule.gives, bound), True
        return self._value

    @property
    def leaves(self) -> Iterator["Edge"]:
        """The edges without parts from which this edge is built, or the edge itself if it has no parts."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves

    @property
    def parts(self) -> list["Edge"]:
        """The edges from which this edge is built, in the order of the words."""
        edges, thread = list[Edge](), self.matched
        while thread:
            thread, edge = thread
            if edge is not None:
                edges.append(edge)
        return edges[::-1]


# Maps each label (a word or "{role}"), and each place at which an edge with that label ends, to the cost and
# the edge.
type _Ahead = dict[str, dict[int, tuple[float, Edge | None]]]


class Chart:
    """The edges of a sentence, grouped by the word at which they start.

    Only the cheapest edge for each stretch and role is kept. `budget` counts the edges that are added.
    """

    def __init__(self, words: Sequence[str], budget: Budget):
        self.words, self.budget = words, budget
        self.at: list[dict[tuple[int, str], Edge]] = [{} for _ in words]
        self.ahead: list[_Ahead] = [
            {word: {at + 1: (STOP_COST if word in STOPS else WORD_COST, None)}}
            for at, word in enumerate(words)
        ]
        self.starts: defaultdict[str, set[int]] = defaultdict(set)  # the places at which each label starts
        self.rank: dict[str, int] = {}  # the order in which labels were added, to break ties between readings
        for at, word in enumerate(words):
            self._index_label(word, at)
        self.ahead.append({})
        # For each place, the places at which a pattern may continue, with the costs of the skipped words.
        # `no_courtesy` skips no words, and `courtesy` may also skip courteous words.
        self.no_courtesy = [[(at, 0.0)] for at in range(len(words) + 1)]
        self.courtesy = self.no_courtesy

    def add(self, edge: Edge) -> None:
        """Add an edge, unless there is a cheaper edge for the same words and role.

        Raises TooLong if the budget is used up.
        """
        self.budget.spend(1)
        here, key = self.at[edge.start], (edge.end, edge.role)
        known = here.get(key)
        if known is None or edge.cost < known.cost:
            here[key] = edge
            label, ahead = "{" + edge.role + "}", self.ahead[edge.start]
            if label not in ahead:
                ahead[label] = {}
                self._index_label(label, edge.start)
            ahead[label][edge.end] = (edge.cost, edge)

    def _index_label(self, label: str, start: int) -> None:
        self.starts[label].add(start)
        self.rank.setdefault(label, len(self.rank))

    def roles(self, at: int) -> set[str]:
        """Return the roles of the edges that begin at a place."""
        return {role for _, role in self.at[at]}

    def starts_of(self, labels: Set[str]) -> list[int]:
        """Return, in order, the places at which any of these labels begins."""
        return sorted(set().union(*(self.starts[label] for label in labels & self.starts.keys())))

    def note_courtesy(self) -> None:
        """Compute, for each place, the places that can be reached by skipping only courteous words.

        The cost of reaching each place is computed too. Call this after the edges of courteous words have
        been added. No distance exceeds the maximum length of an edge.
        """
        reachable: list[dict[int, float]] = [{} for _ in range(len(self.words) + 1)]
        for at in range(len(self.words) - 1, -1, -1):
            for (end, role), edge in self.at[at].items():
                if role == "filler":
                    self.budget.spend(1 + len(reachable[end]))
                    for to, cost in ((end, 0.0), *reachable[end].items()):
                        total = edge.cost + cost
                        if to <= at + MAX_EDGE_WORDS and total < reachable[at].get(to, UNREAD_COST):
                            reachable[at][to] = total
        self.courtesy = [[(at, 0.0), *ends.items()] for at, ends in enumerate(reachable)]
