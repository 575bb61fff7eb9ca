"""Compile patterns such as `({make}|turn) {parts} [to] {color}` into automata that combine many patterns.

A word matches itself, `{role}` matches anything with that role, `[x]` is optional, `(a|b)` is a choice, `x*`
and `x+` repeat, and `<name>` inserts a shared piece of pattern text.

An automaton creates its states on demand. Threads share the states without a lock: a state never changes once
another thread can see it, and two threads that create the same state simultaneously get the same object.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

_PIECE = re.compile(r"\s*(\{[a-z_]+\}|[()\[\]|*+]|[^\s()\[\]|*+{}]+)")
_SHARED = re.compile(r"<([a-z_]+)>")


class PatternError(ValueError):
    """Raised when a pattern cannot be parsed; the message contains the pattern."""


class Pattern(NamedTuple):
    """A pattern and the number of its rule."""

    text: str
    rule: int  # the number of the rule, which is also the index of its cost


class _Part(NamedTuple):
    """A piece of a pattern.

    `is_empty` is true if the piece can match zero words. `first` and `last` are the places in the pattern at
    which the piece can begin and end.
    """

    is_empty: bool
    first: frozenset[int]
    last: frozenset[int]


class State:
    """A state of an automaton: the set of pattern places that are reached by reading the same labels."""

    def __init__(self, automaton: "Automaton", places: frozenset[int]):
        self._automaton, self._places = automaton, places
        self.rule = automaton.rule_at(places)  # the rule of the cheapest pattern that ends here, or None

    @cached_property
    def transitions(self) -> Mapping[str, "State"]:
        """The next state for each label."""
        return self._automaton.transitions_from(self._places)

    @property
    def patterns(self) -> list[tuple[str, int]]:
        """The patterns that continue from this state, each with "^" at the current place and with its rule.

        These are shown to authors of patterns.
        """
        return [self._automaton.pattern_at(place) for place in sorted(self._places)]


class Automaton:
    """A set of patterns as one graph of states. A place is one word or one role in one pattern."""

    def __init__(self, patterns: Iterable[Pattern], costs: Sequence[float], shared: Mapping[str, str]):
        self._costs, self._shared = costs, shared
        self._places: list[str] = []  # the label (word or role) of each place
        self._following: list[set[int]] = []
        # For each place, the pattern that contains it, and the offset in the pattern's text at which the
        # place ends.
        self._origins: list[tuple[Pattern, int]] = []
        self._rules: dict[int, int] = {}
        self._begin: set[int] = set()
        self._states: dict[frozenset[int], State] = {}
        for pattern in patterns:
            self._add_pattern(pattern)
        self.begin = State(self, frozenset())

    def transitions_from(self, places: frozenset[int]) -> Mapping[str, State]:
        """Return the next state for each label.

        An empty set of places stands for the beginning of all patterns.
        """
        following = {after for place in places for after in self._following[place]} if places else self._begin
        by_label: defaultdict[str, set[int]] = defaultdict(set)
        for place in following:
            by_label[self._places[place]].add(place)
        return {label: self._state(frozenset(reached)) for label, reached in by_label.items()}

    def rule_at(self, places: Iterable[int]) -> int | None:
        """Return the rule of the cheapest pattern that ends at one of these places, or None."""
        rules = {self._rules[place] for place in places if place in self._rules}
        return min(rules, key=lambda rule: (self._costs[rule], rule), default=None)

    def pattern_at(self, place: int) -> tuple[str, int]:
        """Return the pattern that contains a place, with "^" after that place, along with its rule."""
        pattern, end = self._origins[place]
        return f"{pattern.text[:end].rstrip()} ^ {pattern.text[end:].lstrip()}", pattern.rule

    def _state(self, places: frozenset[int]) -> State:
        return self._states.get(places) or self._states.setdefault(places, State(self, places))

    def _expand(self, text: str) -> str:
        while _SHARED.search(text):
            text = _SHARED.sub(lambda match: f"({self._shared[match[1]]})", text)
        return text

    def _add_pattern(self, pattern: Pattern) -> None:
        part = _Parser(self, pattern._replace(text=self._expand(pattern.text))).part()
        if part.is_empty:
            raise PatternError(f"This pattern can match zero words: {pattern.text}")
        self._begin |= part.first
        for place in part.last:
            self._rules.setdefault(place, pattern.rule)

    def place(self, label: str, pattern: Pattern, end: int) -> frozenset[int]:
        """Add a place to the graph and return a set that contains only this place."""
        self._places.append(label)
        self._following.append(set())
        self._origins.append((pattern, end))
        return frozenset([len(self._places) - 1])

    def join(self, ends: Iterable[int], begins: Iterable[int]) -> None:
        """Let each place in `begins` follow each place in `ends`."""
        for place in ends:
            self._following[place].update(begins)


class _Parser:
    """A recursive-descent parser for one pattern."""

    def __init__(self, automaton: Automaton, pattern: Pattern):
        self.automaton, self.pattern = automaton, pattern
        self.pieces = [(match[1], match.end()) for match in _PIECE.finditer(pattern.text)]
        if "".join(piece for piece, _ in self.pieces) != re.sub(r"\s", "", pattern.text):
            raise PatternError(f"This pattern cannot be read: {pattern.text}")
        self.at = 0

    def part(self) -> _Part:
        part = self._choice()
        if self._next():
            raise PatternError(f"A bracket is wrong in: {self.pattern.text}")
        return part

    def _next(self) -> str:
        return self.pieces[self.at][0] if self.at < len(self.pieces) else ""

    def _choice(self) -> _Part:
        part = self._sequence()
        while self._next() == "|":
            self.at += 1
            other = self._sequence()
            part = _Part(part.is_empty or other.is_empty, part.first | other.first, part.last | other.last)
        return part

    def _sequence(self) -> _Part:
        sequence = _Part(True, frozenset(), frozenset())
        while self._next() not in ("", "|", ")", "]"):
            part = self._repetition()
            self.automaton.join(sequence.last, part.first)
            sequence = _Part(
                sequence.is_empty and part.is_empty,
                sequence.first | part.first if sequence.is_empty else sequence.first,
                part.last | sequence.last if part.is_empty else part.last,
            )
        return sequence

    def _repetition(self) -> _Part:
        opening, end = self.pieces[self.at]
        self.at += 1
        if opening in ("(", "["):
            part = self._choice()
            if self._next() != {"(": ")", "[": "]"}[opening]:
                raise PatternError(f"A bracket is wrong in: {self.pattern.text}")
            self.at += 1
            part = part._replace(is_empty=part.is_empty or opening == "[")
        else:
            place = self.automaton.place(opening, self.pattern, end)
            part = _Part(False, place, place)
        if self._next() in ("*", "+"):
            self.automaton.join(part.last, part.first)
            part = part._replace(is_empty=part.is_empty or self._next() == "*")
            self.at += 1
        return part
