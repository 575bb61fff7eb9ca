"""Patterns as data, many of them one automaton: `({make}|turn) {parts} [to] {color}`.

A word stands for itself, `{role}` for anything of that role, `[x]` may be left out, `(a|b)` is a choice, `x*`
and `x+` repeat, `<name>` is a shared piece of pattern text. The states of an automaton are worked out when
they are first met, and a pattern is taken in when a sentence first holds all that the pattern must have.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

_PIECE = re.compile(r"\s*(\{[a-z_]+\}|[()\[\]|*+]|[^\s()\[\]|*+{}]+)")
_INNER = re.compile(r"\[[^\[\]]*\][*+]?|\([^()]*\)[*+]?|[^\s()\[\]|*+]+\*")
_SHARED = re.compile(r"<([a-z_]+)>")


class PatternError(ValueError):
    """A pattern that cannot be read; the message holds it."""


class Pattern(NamedTuple):
    text: str
    rule: int  # its number, by which its cost is known


class _Part(NamedTuple):
    """A piece of a pattern: whether it may be empty, and the places that begin and end it."""

    is_empty: bool
    first: frozenset[int]
    last: frozenset[int]


class Automaton:
    """A state is a set of places in the patterns; a place is one word or one role of one pattern."""

    def __init__(self, patterns: Iterable[Pattern], costs: Sequence[float], shared: Mapping[str, str]):
        self._costs, self._shared = costs, shared
        self._waiting = [(_needs(self._expanded(pattern.text)), pattern) for pattern in patterns]
        self._places: list[str] = []  # the label of each
        self._following: list[set[int]] = []
        self._whose: list[tuple[Pattern, int]] = []  # the pattern of each, and how far it is read there
        self._rules: dict[int, int] = {}
        self._begin: set[int] = set()
        self.labels: set[str] = set()
        self.beginning: set[str] = set()
        self._forget()

    def prepare(self, available: Set[str]) -> None:
        """Takes in the patterns that a sentence with these words and roles may match."""
        ready = [pattern for needs, pattern in self._waiting if needs <= available]
        if ready:
            self._waiting = [(needs, pattern) for needs, pattern in self._waiting if not needs <= available]
            for pattern in ready:
                self._take_in(pattern)
            self.labels = set(self._places)
            self.beginning = {self._places[place] for place in self._begin}
            self._forget()

    def move(self, state: int, label: str) -> int:
        """The state after a label; -1 where no pattern goes on with it."""
        moves = self.moves[state]
        if label not in moves:
            moves[label] = self._worked_out(state, label)
        return moves[label]

    def ahead(self, state: int) -> list[tuple[str, int]]:
        """The patterns that may go on from a state, with "^" where they stand, and their rules; for
        people."""
        whose = (self._whose[place] for place in sorted(self._states[state]))
        return [(f"{p.text[:at].rstrip()} ^ {p.text[at:].lstrip()}", p.rule) for p, at in whose]

    def _forget(self) -> None:
        self._states: list[frozenset[int]] = [frozenset()]
        self._numbers: dict[frozenset[int], int] = {}
        self.moves: list[dict[str, int]] = [{}]
        self.ends: list[int | None] = [None]  # the rule of which a pattern ends in each state

    def _worked_out(self, state: int, label: str) -> int:
        ahead: Iterable[int] = self._begin
        if state:
            ahead = {after for place in self._states[state] for after in self._following[place]}
        places = frozenset(place for place in ahead if self._places[place] == label)
        if not places:
            return -1
        if places not in self._numbers:
            self._numbers[places] = len(self._states)
            self._states.append(places)
            self.moves.append({})
            rules = {self._rules[place] for place in places if place in self._rules}
            self.ends.append(min(rules, key=lambda rule: (self._costs[rule], rule), default=None))
        return self._numbers[places]

    def _expanded(self, text: str) -> str:
        while _SHARED.search(text):
            text = _SHARED.sub(lambda match: f"({self._shared[match[1]]})", text)
        return text

    def _take_in(self, pattern: Pattern) -> None:
        part = _Parser(self, pattern._replace(text=self._expanded(pattern.text))).part()
        if part.is_empty:
            raise PatternError(f"This pattern holds nothing that must be said: {pattern.text}")
        self._begin |= part.first
        for place in part.last:
            self._rules.setdefault(place, pattern.rule)

    def place(self, label: str, pattern: Pattern, end: int) -> frozenset[int]:
        self._places.append(label)
        self._following.append(set())
        self._whose.append((pattern, end))
        return frozenset([len(self._places) - 1])

    def join(self, ends: Iterable[int], begins: Iterable[int]) -> None:
        for place in ends:
            self._following[place].update(begins)


class _Parser:
    """One pattern, piece by piece."""

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
        done = _Part(True, frozenset(), frozenset())
        while self._next() not in ("", "|", ")", "]"):
            part = self._repeated()
            self.automaton.join(done.last, part.first)
            done = _Part(
                done.is_empty and part.is_empty,
                done.first | part.first if done.is_empty else done.first,
                part.last | done.last if part.is_empty else part.last,
            )
        return done

    def _repeated(self) -> _Part:
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


def _needs(text: str) -> frozenset[str]:
    """What every sentence of a pattern has: all outside of brackets."""
    shorter = ""
    while shorter != text:
        shorter, text = text, _INNER.sub(" ", text)
    return frozenset(piece.rstrip("+") for piece in text.split()) if "|" not in text else frozenset()
