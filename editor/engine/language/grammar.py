"""From characters to clauses: tokens with their spans, words with their meanings, clauses with their order.

`atoms` never changes an order or drops a letter: whatever a clause holds can be shown in the person's
own words. Quoted text is one atom and is never searched for commands.
"""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from editor.engine.language import lexicon
from editor.engine.language.lexicon import Role, Senses

_TOKEN = re.compile(
    r"""
    (?P<tag>\A(?:[\s*]*[\[({]\s*[A-Za-z]+\s*[\])}][\s*]*)+)
  | (?P<quoted>"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»
    |(?<!\w)['\u2018](?:[^'\u2019\n]|(?<=\w)['\u2019](?=\w))+['\u2019](?!\w))
  | (?P<hex>\#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b)
  | (?P<ratio>\b\d{1,2}\s?:\s?\d{1,2}\b)
  | (?P<size>\b\d{2,5}\s?[xX\u00d7]\s?\d{2,5}\b)
  | (?P<fraction>\b1/[24]\b)
  | (?P<number>(?<![\w-])[-+]?\d{1,9}(?:[.]\d{1,6})?)
  | (?P<stop>[.!?;…]+(?=\s|$|["”)])|[\n;])
  | (?P<comma>[,:()\[\]{}|]|\s[-\u2013\u2014]+\s|\u2014|->)
  | (?P<word>[^\W\d_]+(?:['\u2019](?!s\b)[^\W\d_]+)*|['\u2019]s\b)
  | (?P<symbol>[&+/%°])
  | (?P<other>\d+|[^\W_])
    """,
    re.VERBOSE,
)
_JOINING_SYMBOLS = {"&": "&", "+": "plus", "/": "/"}
_TAGS = frozenset({"specific", "request", "free", "paid", "discussion", "easy", "urgent", "meta", "random"})


class Measure(NamedTuple):
    """A number with its unit, as the person gave it."""

    value: float
    unit: str


class Token(NamedTuple):
    text: str
    start: int
    end: int
    kind: str
    is_capital: bool = False


@dataclass(frozen=True, slots=True)
class Atom:
    """The smallest part that means something: a word, a phrase, a number, a quoted text or a stop."""

    text: str
    start: int
    end: int
    senses: Senses
    kind: str = "word"
    is_capital: bool = False

    def has(self, *roles: Role) -> bool:
        return any(role in self.senses for role in roles)

    @property
    def is_unknown(self) -> bool:
        return self.senses.keys() <= {Role.COMMON, Role.SEVERAL}


@dataclass(slots=True)
class Clause:
    """One wish. `joint` is how it hangs on the one before: a new sentence is "stop"."""

    joint: str
    atoms: list[Atom] = field(default_factory=list)

    @property
    def span(self) -> tuple[int, int]:
        """From the first word that carries meaning to the last."""
        telling = [atom for atom in self.atoms if not is_packing(atom)] or self.atoms
        return telling[0].start, telling[-1].end


def clauses(instruction: str) -> list[Clause]:
    """The wishes of an instruction, in the order of the text."""
    return [clause for clause in _split(atoms(instruction)) if clause.atoms]


def atoms(instruction: str) -> list[Atom]:
    """Everything in an instruction that can carry meaning, in the order of the text."""
    return list(_shaded(_measured(_phrases(_tokens(instruction)))))


def _tokens(instruction: str) -> list[Token]:
    found = []
    for match in _TOKEN.finditer(instruction):
        kind = match.lastgroup or "other"
        if kind == "tag":
            found += [token for token in _tokens_inside(match) if token.text.lower() not in _TAGS]
        else:
            found.append(Token(match.group(), match.start(), match.end(), kind))
    return _spelled(found)


def _tokens_inside(match: re.Match[str]) -> Iterator[Token]:
    for word in re.finditer(r"[A-Za-z]+", match.group()):
        yield Token(word.group(), match.start() + word.start(), match.start() + word.end(), "word")


def _spelled(tokens: Sequence[Token]) -> list[Token]:
    """Words in lower case, the misspelt ones corrected; a name inside a sentence is left alone."""
    spelled, before = [], "stop"
    for token in tokens:
        if token.kind == "word":
            text = _normal(token.text, before)
            token = token._replace(text=text, is_capital=before == "word" and token.text.istitle())
        spelled.append(token)
        before = token.kind
    return spelled


def _normal(word: str, before: str) -> str:
    lowered = word.lower().replace("\u2019", "'")
    if lexicon.is_known(lowered) or (before == "word" and word.istitle()):
        return lowered
    return lexicon.spelled(lowered) or lowered


def _phrases(tokens: Sequence[Token]) -> Iterator[Atom]:
    at = 0
    while at < len(tokens):
        token = tokens[at]
        length, senses = _longest(tokens, at)
        if length:
            text = " ".join(token.text for token in tokens[at : at + length])
            yield Atom(text, token.start, tokens[at + length - 1].end, senses, is_capital=token.is_capital)
        elif token.kind != "symbol" or token.text in "%°":
            yield _single(token)
        at += max(length, 1)


def _longest(tokens: Sequence[Token], at: int) -> tuple[int, Senses]:
    if tokens[at].kind not in ("word", "symbol", "number", "fraction"):
        return 0, {}
    for length in range(min(lexicon.longest_phrase(_key(tokens[at])), len(tokens) - at), 0, -1):
        part = tokens[at : at + length]
        senses = lexicon.senses_of(tuple(_key(token) for token in part))
        if senses is not None and all(t.kind in ("word", "symbol", "number") for t in part):
            return length, senses
    return 0, {}


def _key(token: Token) -> str:
    return _JOINING_SYMBOLS.get(token.text, token.text)


def _single(token: Token) -> Atom:
    senses, kind = _SINGLE.get(token.kind, _unknown)(token), token.kind
    return Atom(token.text, token.start, token.end, senses, kind)


def _unknown(token: Token) -> Senses:
    return {}


def _quoted(token: Token) -> Senses:
    return {Role.QUOTED: token.text[1:-1].strip()}


def _ratio(token: Token) -> Senses:
    return {Role.RATIO: re.sub(r"\s", "", token.text)}


def _size(token: Token) -> Senses:
    width, height = re.findall(r"\d+", token.text)
    return {Role.SIZE: f"{int(width)}x{int(height)}"}


def _number(token: Token) -> Senses:
    return {Role.NUMBER: float(token.text)}


def _fraction(token: Token) -> Senses:
    return {Role.FRACTION: 50 if token.text == "1/2" else 25}


def _hex(token: Token) -> Senses:
    digits = token.text[1:].lower()
    return {Role.COLOR: "#" + (digits if len(digits) == 6 else "".join(digit * 2 for digit in digits))}


_SINGLE = {
    "quoted": _quoted,
    "ratio": _ratio,
    "size": _size,
    "number": _number,
    "fraction": _fraction,
    "hex": _hex,
}


def _measured(found: Iterator[Atom]) -> Iterator[Atom]:
    """A number and the unit after it become one measure."""
    return _joined(found, Role.NUMBER, Role.UNIT, _measure)


def _measure(number: Atom, unit: Atom) -> Senses:
    return {Role.MEASURE: Measure(_as_number(number), str(unit.senses[Role.UNIT]))}


def _as_number(atom: Atom) -> float:
    value = atom.senses[Role.NUMBER]
    return float(value) if isinstance(value, int | float) else 0.0


def _shaded(found: Iterator[Atom]) -> Iterator[Atom]:
    """A shade and the color after it become one color: "dark blue"."""
    return _joined(found, Role.SHADE, Role.COLOR, _shade)


def _shade(shade: Atom, color: Atom) -> Senses:
    return {Role.COLOR: f"{shade.senses[Role.SHADE]} {color.senses[Role.COLOR]}"}


def _joined(
    found: Iterator[Atom], first: Role, second: Role, senses: Callable[[Atom, Atom], Senses]
) -> Iterator[Atom]:
    """The atoms, each pair of neighbors with these roles made one."""
    waiting: Atom | None = None
    for atom in found:
        if waiting and second in atom.senses:
            yield Atom(f"{waiting.text} {atom.text}", waiting.start, atom.end, senses(waiting, atom))
            waiting = None
            continue
        if waiting:
            yield waiting
        waiting = atom if first in atom.senses else None
        if waiting is None:
            yield atom
    if waiting:
        yield waiting


def is_packing(atom: Atom) -> bool:
    """Whether an atom is courtesy, an article or a joint, which no step needs."""
    return atom.kind in ("stop", "comma") or atom.has(Role.FILLER, Role.AND, Role.THEN, Role.BUT)


_COMMANDS = (
    Role.RAISE,
    Role.LOWER,
    Role.ADJUST,
    Role.ENHANCE,
    Role.MAKE,
    Role.CHANGE,
    Role.REPLACE,
    Role.PAINT,
    Role.REMOVE,
    Role.OUTWARD,
    Role.ADD,
    Role.USE,
    Role.EXTRACT,
    Role.CROP,
    Role.ROTATE,
    Role.FLIP,
    Role.RESIZE,
    Role.TONE,
    Role.UNAVAILABLE,
)
_QUALITATIVE = (
    Role.QUALITY,
    Role.ADJECTIVE,
    Role.COLORS,
    Role.MORE,
    Role.LESS,
    Role.LACKING,
    Role.TOO,
    Role.VAGUE,
)
_BREAKING = (Role.KEEP, Role.WITHOUT, Role.EXCEPT, Role.PURPOSE)


def _split(found: Sequence[Atom]) -> Iterator[Clause]:
    clause = Clause("stop")
    for at, atom in enumerate(found):
        joint = _joint(found, at, clause)
        if joint:
            yield clause
            clause = Clause(joint)
        if joint in ("", "break", "soft") and atom.kind not in ("stop",):
            clause.atoms.append(atom)
    yield clause


def _joint(found: Sequence[Atom], at: int, clause: Clause) -> str:
    """How the clause ends before this atom; empty when it goes on."""
    atom = found[at]
    if atom.kind == "stop":
        return "stop"
    if atom.has(Role.THEN, Role.BUT) and not atom.has(Role.QUALITY, Role.ADJECTIVE):
        return "then"
    if atom.has(*_BREAKING) and _telling(clause):
        return "break"
    if atom.is_capital and atom.has(*_COMMANDS) and _is_sentence_start(found, at, clause):
        return "break"
    if atom.kind == "comma" or (atom.has(Role.AND) and not atom.has(Role.LOOK)):
        return _soft_joint(found, at, clause)
    return ""


def _is_sentence_start(found: Sequence[Atom], at: int, clause: Clause) -> bool:
    """A capital verb that follows a finished wish: the person left the full stop out."""
    told = _telling(clause)
    after_article = found[at - 1].has(Role.DETERMINER, Role.ORDINAL, Role.WHOLE, Role.AND)
    return len(told) > 1 and not after_article and not any(atom.is_capital for atom in told)


def _soft_joint(found: Sequence[Atom], at: int, clause: Clause) -> str:
    opening = next((i for i in range(at + 1, len(found)) if not _is_lead(found[i])), None)
    if opening is None or not _telling(clause):
        return ""
    return "and" if _opens(found, opening, clause) else ""


def _is_lead(atom: Atom) -> bool:
    return atom.has(Role.FILLER, Role.AMOUNT, Role.AND) or atom.kind == "comma"


def _telling(clause: Clause) -> list[Atom]:
    return [
        atom for atom in clause.atoms if not is_packing(atom) and not atom.has(Role.DETERMINER, Role.AMOUNT)
    ]


def _opens(found: Sequence[Atom], at: int, clause: Clause) -> bool:
    """Whether a new wish begins at this atom, after a comma or an "and"."""
    atom, told = found[at], _telling(clause)
    if _opens_an_addition(found, at, told):
        return True
    if atom.has(Role.DETERMINER):
        return False
    if atom.has(Role.NO):
        return True
    if atom.has(Role.QUOTED):
        return any(before.has(Role.QUOTED) for before in told)
    if atom.has(Role.TONE) and all(before.has(Role.TONE) for before in told):
        return False
    if atom.has(*_QUALITATIVE):
        return not _is_tonal(told) or (atom.has(*_COMMANDS) and _has_object(found, at))
    is_free = not told[0].has(*_COMMANDS) or told[0].has(Role.CROP, Role.FLIP, Role.RESIZE)
    return atom.has(*_COMMANDS) or (atom.has(Role.LOOK) and is_free)


_TAKING = (Role.REMOVE, Role.LOWER, Role.NO, Role.KEEP, Role.WITHOUT, Role.EXCEPT, Role.NOT)
_AWAY = frozenset({"out", "off", "away"})
_OF_AN_ADDITION = (Role.DETERMINER, Role.COLOR, Role.SHADE, Role.THICKNESS, Role.MEASURE, Role.AMOUNT)


def _opens_an_addition(found: Sequence[Atom], at: int, told: Sequence[Atom]) -> bool:
    """ "Crop to 4:5, text "Summer", a white border": an addition needs no verb."""
    following = iter(found[at:])
    named = next((atom for atom in following if not atom.has(*_OF_AN_ADDITION)), None)
    takes = any(atom.has(*_TAKING) or atom.text in _AWAY for atom in told)
    if named is None or takes or _lists_colors(told, found[at]):
        return False
    if named.has(Role.TEXT):
        is_named = any(atom.has(Role.TEXT) for atom in told) and not any(a.has(Role.QUOTED) for a in told)
        return not is_named and any(atom.has(Role.QUOTED) for atom in itertools.islice(following, 1))
    added = next((role for role in (Role.BORDER, Role.VIGNETTE) if named.has(role)), None)
    return added is not None and not any(atom.has(added) for atom in told)


def _lists_colors(told: Sequence[Atom], atom: Atom) -> bool:
    """ "Add a red and blue border" is one border, and not to be had."""
    is_begun = told[0].has(Role.ADD) or len(told) == 1
    return is_begun and told[-1].has(Role.COLOR) and atom.has(Role.COLOR)


def _is_tonal(told: Sequence[Atom]) -> bool:
    """Whether qualities may follow in the same clause: "make it brighter, sharper"."""
    return any(atom.has(*_QUALITATIVE, Role.RAISE, Role.LOWER) for atom in told)


def _has_object(found: Sequence[Atom], at: int) -> bool:
    following = found[at + 1 : at + 2]
    return any(
        atom.has(Role.DETERMINER, Role.QUALITY, Role.COLORS, *OBJECTS) and not atom.has(Role.AND)
        for atom in following
    )


OBJECTS = (
    Role.PHOTO,
    Role.BACKGROUND,
    Role.SUBJECT,
    Role.PERSON,
    Role.FACE,
    Role.MARKED,
    Role.IT,
    Role.THIS,
)
