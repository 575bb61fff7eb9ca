"""From characters to clauses: tokens with their spans, words with their meanings, clauses with their order.

`atoms` never changes an order or drops a letter: whatever a clause holds can be shown in the person's
own words. Quoted text is one atom and is never searched for commands.
"""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from editor.engine.language import lexicon
from editor.engine.language.lexicon import Role, Senses
from editor.engine.language.wording import unquoted

_TOKEN = re.compile(
    r"""
    (?P<tag>\A(?:[\s*]*[\[({]\s*[A-Za-z]+\s*[\])}][\s*]*)+)
  | (?P<quoted>"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»
    |(?<!\w)['\u2018](?:[^'\u2019\n]|(?<=\w)['\u2019](?=\w))+['\u2019](?!\w))
  | (?P<link>https?://\S+|/?\br/\w+)
  | (?P<emoji>(?:[\u2600-\u27BF\u2B05-\u2B55\U0001F1E6-\U0001FAFF][\uFE0F\u200D]*)+)
  | (?P<hex>\#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b)
  | (?P<ratio>\b\d{1,2}\s?:\s?\d{1,2}\b
    |\b(?:16\s?[xX\u00d7]\s?9|9\s?[xX\u00d7]\s?16|4\s?[xX\u00d7]\s?3|3\s?[xX\u00d7]\s?4)\b)
  | (?P<size>\b\d{1,2},\d{3}\s?[xX\u00d7]\s?\d{1,2},\d{3}\b|\b\d{2,5}\s?[xX\u00d7]\s?\d{2,5}\b)
  | (?P<fraction>\b1/[24]\b)
  | (?P<number>(?<![\w-])[-+]?\d{1,9}(?:[.]\d{1,6})?)
  | (?P<stop>[.!?;…]+(?=\s|$|["”)])|[.]{2,}|…|[\n;])
  | (?P<comma>(?:&lt;|<)3+(?!\w)|[:;=]'?-?[()DP](?!\w)|[,:()\[\]{}|]|\s[-\u2013\u2014]+\s|\u2014|->)
  | (?P<word>\b[Aa][3-6]\b|[^\W\d_]+(?:['\u2019](?!s\b)[^\W\d_]+)*|['\u2019]s\b)
  | (?P<symbol>&amp;|[&+/%°])
  | (?P<other>\d+|[^\W_])
    """,
    re.VERBOSE,
)
_JOINING_SYMBOLS = {"&": "&", "&amp;": "&", "+": "plus", "/": "/"}
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
        """Whether the atom can be one of these."""
        return not self.senses.keys().isdisjoint(roles)

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


def clauses(found: Sequence[Atom]) -> list[Clause]:
    """The wishes that the atoms of an instruction hold, in the order of the text."""
    return [clause for clause in _split(_with_exceptions_last(found)) if clause.atoms]


def _with_exceptions_last(found: Sequence[Atom]) -> list[Atom]:
    """ "Make everything but the car gray" as "make everything gray, but the car"."""
    told = list(found)
    for at in range(1, len(told)):
        is_verb = told[at - 1].has(Role.MAKE, Role.CHANGE) and told[at].text.startswith(
            ("everything ", "all ")
        )
        after = _after_names(told, at + 1) if is_verb and told[at].has(Role.EXCEPT) else at + 1
        end = next((i for i in range(after, len(told)) if told[i].kind in ("stop", "comma")), len(told))
        is_change = after > at + 1 and after < end and told[after].has(Role.LOOK, Role.ADJECTIVE, Role.COLOR)
        if is_change and not any(atom.has(Role.AND, *_COMMANDS) for atom in told[after + 1 : end]):
            everything = replace(told[at], senses={Role.PHOTO: "everything"})
            told[at:end] = [everything, *told[after:end], told[at], *told[at + 1 : after]]
    return told


def _after_names(found: Sequence[Atom], at: int) -> int:
    while at < len(found) and (found[at].has(*_NAMES) or _colors_a_name(found, at)):
        at += 1
    return at


def _colors_a_name(found: Sequence[Atom], at: int) -> bool:
    return found[at].has(Role.COLOR) and at + 1 < len(found) and found[at + 1].has(Role.NOUN)


_NAMES = (Role.DETERMINER, Role.NOUN, Role.PERSON, Role.SUBJECT, Role.FACE, Role.BACKGROUND)


def atoms(instruction: str) -> list[Atom]:
    """Everything in an instruction that can carry meaning, in the order of the text."""
    found = _with_particles(_with_owners(list(_shaded(_measured(_phrases(_tokens(instruction)))))))
    is_list = [atom.text for atom in found[:1]] == ["1"] and _is_numbering(found, 0)
    return [_in_place(found, at, is_list=is_list) for at in range(len(found))]


def _in_place(found: Sequence[Atom], at: int, *, is_list: bool) -> Atom:
    """An atom that only its neighbors tell: the "to" of "it is to dark", the "2." of a list."""
    atom = found[at]
    before, after = found[at - 1] if at else None, found[at + 1] if at + 1 < len(found) else None
    if atom.text == "to" and before and before.has(Role.BE) and after and _is_excessive(after):
        return replace(atom, senses={Role.TOO: "too"})
    if atom.text == "form" and before and not before.has(Role.DETERMINER) and after and _is_a_part(after):
        return replace(atom, text="from", senses={Role.PREPOSITION: "from"})
    if atom.text == "ad" and before and after and after.has(*_COMMANDS) and not after.has(Role.ADJECTIVE):
        return replace(atom, text="and", senses={Role.AND: "and"})
    if atom.text == "not" and before and before.kind == "comma" and after and after.has(*_PARTED):
        return replace(atom, senses={Role.EXCEPT: "not"})  # "blur the background, not the person"
    if atom.kind == "quoted" and not any(other.has(Role.TEXT, Role.WRITTEN) for other in found):
        return _emphasized(atom, found, after)
    if atom.text in ("first", "firstly") and _leads_a_wish(before, after):
        return replace(atom, senses={Role.FILLER: True})
    if atom.text == "leaves" and not (before and before.has(Role.IT, Role.THIS)):
        return replace(atom, senses={Role.NOUN: "leaves"})
    return replace(atom, senses={}, kind="stop") if is_list and _is_numbering(found, at) else atom


def _emphasized(atom: Atom, found: Sequence[Atom], after: Atom | None) -> Atom:
    """ "Make it look "washed"", "a "little bit" pink": nothing to be written."""
    text = atom.text[1:-1].strip().lower()
    senses = lexicon.senses_of(tuple(lexicon.WORD.findall(text))) or {}
    is_tone = Role.AMOUNT in senses or Role.ADJECTIVE in senses
    is_led = after is not None and after.has(Role.COLOR, Role.CAST, Role.EFFECT, Role.ADJECTIVE, Role.TONE)
    is_free = not any(other.has(Role.ADD, Role.REMOVE, Role.REPLACE, Role.CHANGE) for other in found)
    return replace(atom, text=text, senses=senses, kind="word") if is_tone and (is_led or is_free) else atom


def _is_a_part(atom: Atom) -> bool:
    return atom.has(Role.DETERMINER, Role.THIS, Role.PHOTO, Role.BACKGROUND)


_PARTED = (Role.DETERMINER, Role.THIS, Role.BACKGROUND, Role.PERSON, Role.SUBJECT, Role.FACE)


def _leads_a_wish(before: Atom | None, after: Atom | None) -> bool:
    """ "First rotate it"."""
    opens = before is None or before.kind in ("stop", "comma")
    return opens and after is not None and (after.has(*_COMMANDS) or after.kind == "comma")


def _is_numbering(found: Sequence[Atom], at: int) -> bool:
    is_short = found[at].kind == "number" and found[at].text.isdigit() and len(found[at].text) < 3
    after = found[at + 1] if at + 2 < len(found) else None
    return is_short and after is not None and after.text in (".", ")", ":")


def _is_excessive(atom: Atom) -> bool:
    return atom.has(Role.ADJECTIVE) and not atom.has(Role.COLOR) and not atom.text.endswith("er")


def _tokens(instruction: str) -> list[Token]:
    found, at = [], 0
    for start, end in unquoted(instruction):
        wording = Token(instruction[start:end], start, end, "wording")
        found += [*_tokens_between(instruction, at, start), wording]
        at = end
    return _spelled([*found, *_tokens_between(instruction, at, len(instruction))])


def _tokens_between(instruction: str, start: int, end: int) -> list[Token]:
    found = []
    for match in _TOKEN.finditer(instruction, start, end):
        kind = match.lastgroup or "other"
        if kind == "tag":
            found += [token for token in _tokens_inside(match) if token.text.lower() not in _TAGS]
        else:
            found.append(Token(match.group(), match.start(), match.end(), kind))
    return found


def _tokens_inside(match: re.Match[str]) -> Iterator[Token]:
    for word in re.finditer(r"[A-Za-z]+", match.group()):
        yield Token(word.group(), match.start() + word.start(), match.start() + word.end(), "word")


def _spelled(tokens: Sequence[Token]) -> list[Token]:
    """Words in lower case, the misspelt ones corrected; a name inside a sentence is left alone."""
    spelled: list[Token] = []
    for token in itertools.chain.from_iterable(_parted(token) for token in tokens):
        before = spelled[-1].kind if spelled else "stop"
        if token.kind == "word":
            text = _normal(token.text, before)
            token = token._replace(text=text, is_capital=before == "word" and token.text.istitle())
        spelled.append(token)
        spelled = _without_an_echo(spelled)
    return spelled


def _parted(token: Token) -> Iterator[Token]:
    """The two words of "removethe"."""
    word = token.text.lower()
    second = next((second for second in _RUN_INTO if token.kind == "word" and word.endswith(second)), "")
    first = word.removesuffix(second) if second and not lexicon.is_known(word) else ""
    if {*_COMMANDS, Role.PREPOSITION} & set(lexicon.senses_of((first,)) or {}):
        middle = token.start + len(first)
        yield Token(token.text[: len(first)], token.start, middle, "word")
        yield Token(token.text[len(first) :], middle, token.end, "word")
    else:
        yield token


_RUN_INTO = ("the", "this", "my", "background", "image", "photo", "picture")


def _without_an_echo(tokens: list[Token]) -> list[Token]:
    """ "Remove the the car", "on the on the left": the words that stand twice said once."""
    for length in (1, 2):
        said, again = tokens[-2 * length : -length], tokens[-length:]
        is_echo = len(said) == length and all(
            first.kind == "word" and first.text == second.text
            for first, second in zip(said, again, strict=True)
        )
        if is_echo and not any(_may_stand_twice(token.text) for token in said):
            return tokens[:-length]
    return tokens


def _may_stand_twice(word: str) -> bool:
    """ "Very very bright"."""
    senses = lexicon.senses_of((word,))
    return senses is None or not senses.keys().isdisjoint((Role.AMOUNT, Role.MORE, Role.TOO, Role.SHADE))


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
    if tokens[at].kind not in _SPELLING:
        return 0, {}
    most = 1 if _names_the_sky(tokens, at) else lexicon.longest_phrase(_key(tokens[at]))
    for length in range(min(most, len(tokens) - at), 0, -1):
        part = tokens[at : at + length]
        senses = lexicon.senses_of(tuple(_key(token) for token in part))
        if senses is not None and all(t.kind in _SPELLING for t in part):
            return length, senses
    return 0, {}


_SPELLING = frozenset({"word", "symbol", "number", "fraction", "other"})  # "any1" is a word and a figure


def _names_the_sky(tokens: Sequence[Token], at: int) -> bool:
    """ "Make the sky blue" is about the sky, "make the car sky blue" is not."""
    return (
        tokens[at].text in ("sky", "grass")
        and at > 0
        and tokens[at - 1].text in ("the", "make", "turn", "paint")
    )


def _key(token: Token) -> str:
    return _JOINING_SYMBOLS.get(token.text, token.text)


def _single(token: Token) -> Atom:
    senses, kind = _SINGLE.get(token.kind, _unknown)(token), token.kind
    return Atom(token.text, token.start, token.end, senses, kind, token.is_capital)


def _unknown(token: Token) -> Senses:
    return {}


def _quoted(token: Token) -> Senses:
    return {Role.QUOTED: token.text[1:-1].strip()}


def _wording(token: Token) -> Senses:
    return {Role.QUOTED: token.text.strip()}


def _emoji(token: Token) -> Senses:
    """Beside a wish it is a mere decoration."""
    return {Role.EMOJI: token.text, Role.FILLER: True}


def _link(token: Token) -> Senses:
    return {Role.FILLER: True}


def _ratio(token: Token) -> Senses:
    return {Role.RATIO: ":".join(re.findall(r"\d+", token.text))}


def _size(token: Token) -> Senses:
    """ "11x14" may be the inches of a print, too."""
    width, height = re.findall(r"\d+", token.text.replace(",", ""))
    printed = lexicon.senses_of((width, "x", height)) or {}
    return {Role.SIZE: f"{int(width)}x{int(height)}", **printed}


def _number(token: Token) -> Senses:
    return {Role.NUMBER: float(token.text)}


def _fraction(token: Token) -> Senses:
    return {Role.FRACTION: 50 if token.text == "1/2" else 25}


def _hex(token: Token) -> Senses:
    digits = token.text[1:].lower()
    return {Role.COLOR: "#" + (digits if len(digits) == 6 else "".join(digit * 2 for digit in digits))}


_SINGLE = {
    "quoted": _quoted,
    "wording": _wording,
    "emoji": _emoji,
    "link": _link,
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


def _with_owners(found: list[Atom]) -> list[Atom]:
    """ "The woman's face" is a face: its owner says no more than an article."""
    for at in range(1, len(found)):
        is_part = found[at].has(Role.FACE) or found[at].senses.get(Role.FINDABLE) == "skin"
        owner = found[at - 1].text.removesuffix("'s").strip()
        first = at - 1 if owner else at - 2
        if is_part and _is_a_plural_owner(found[at - 1]):
            found[at - 1] = replace(found[at - 1], senses={Role.DETERMINER: found[at - 1].text})
        elif is_part and found[at - 1].text.endswith("'s") and first >= 0 and _is_person(found[first]):
            for place in range(first, at):
                found[place] = replace(found[place], senses={Role.DETERMINER: found[place].text})
    return found


def _is_a_plural_owner(atom: Atom) -> bool:
    """The "womans" of "the womans face"."""
    senses = lexicon.senses_of((atom.text.removesuffix("s"),)) or {}
    return atom.text.endswith("s") and (Role.PERSON in senses or Role.SUBJECT in senses)


def _is_person(atom: Atom) -> bool:
    senses = lexicon.senses_of((atom.text.split()[0],)) or {}
    return Role.PERSON in senses or Role.SUBJECT in senses


def _with_particles(found: list[Atom]) -> list[Atom]:
    """ "Touch this photo up" as "touch up this photo"."""
    for at, atom in enumerate(found):
        verb = _verb_of(found, at) if atom.text in ("up", "down") else None
        if verb is not None:
            text = f"{found[verb].text} {atom.text}"
            senses = lexicon.senses_of(tuple(text.split())) or {}
            found[verb] = replace(found[verb], text=text, senses=senses)
            found[at] = replace(atom, senses={Role.FILLER: True})
    return found


_FARTHEST_PARTICLE = 7


def _verb_of(found: Sequence[Atom], at: int) -> int | None:
    """Where the verb stands that a particle belongs to: only names between them, and nothing more after."""
    after = found[at + 1] if at + 1 < len(found) else None
    if after and not (after.kind in ("stop", "comma") or is_packing(after) or after.text == "to"):
        return None
    for verb in range(at - 2, max(at - _FARTHEST_PARTICLE, -1), -1):
        senses = lexicon.senses_of((found[verb].text, found[at].text)) or {}
        if not senses.keys().isdisjoint(_COMMANDS):
            return verb
        ends = found[verb].has(*_COMMANDS, *_QUALITATIVE, Role.UPRIGHT)
        if ends or found[verb].kind in ("stop", "comma"):
            return None
    return None


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
    Role.RESTORE,
    Role.SMOOTH,
    Role.STRAIGHTEN,
    Role.ZOOM,
    Role.CENTER,
    Role.MOVE,
    Role.EXTEND,
    Role.HIDE,
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
        if joint in ("", "break", "purpose") and atom.kind not in ("stop",):
            clause.atoms.append(atom)
    yield clause


def _joint(found: Sequence[Atom], at: int, clause: Clause) -> str:
    """How the clause ends before this atom; empty when it goes on."""
    atom = found[at]
    if atom.kind == "stop":
        return "stop"
    if atom.has(Role.THEN, Role.BUT) and not atom.has(Role.QUALITY, Role.ADJECTIVE):
        return "then"
    if atom.text == "or" and _chooses(found, at, clause):
        return "or"
    if _asks_again(found, at, clause):
        return "break"
    if atom.has(*_BREAKING) and _telling(clause) and not _empties(atom, clause):
        return "break"
    if _tells_why(found, at, clause):
        return "purpose"
    if atom.text == "by" and at + 1 < len(found) and _is_gerund(found[at + 1]) and len(_telling(clause)) > 1:
        return "then"
    if _runs_on(found, at, clause):
        return "break"
    if atom.is_capital and atom.has(*_COMMANDS) and _is_sentence_start(found, at, clause):
        return "break"
    if atom.kind == "comma" or (atom.has(Role.AND) and not atom.has(Role.LOOK)):
        return _soft_joint(found, at, clause)
    return ""


def _chooses(found: Sequence[Atom], at: int, clause: Clause) -> bool:
    """ "Brighten it or make it sharper": two wishes, of which one will do."""
    rest = [atom for atom in found[at + 1 : at + 4] if not atom.has(Role.FILLER)]
    return bool(rest) and rest[0].has(*_COMMANDS) and not rest[0].has(Role.NOUN) and bool(_telling(clause))


def _asks_again(found: Sequence[Atom], at: int, clause: Clause) -> bool:
    """ "It is too dark please lighten it": the full stop is missing."""
    asks = found[at].has(Role.FILLER) and set(found[at].text.split()) & _ASKING
    told = _telling(clause)
    complains = any(atom.has(Role.BE, Role.TOO, Role.LACKING) for atom in told)
    is_told = len(told) > 1 and (told[0].has(*_COMMANDS) or complains)
    return bool(asks) and is_told and at + 1 < len(found) and found[at + 1].has(*_COMMANDS)


_ASKING = frozenset({"please", "pls", "plz", "can", "could"})


_WISHES = (Role.RAISE, Role.LOWER, Role.TONE, Role.ENHANCE, Role.MAKE, Role.ADD, Role.REMOVE, Role.ADJUST)
_SHOWING = frozenset({"see", "show", "reveal", "match", "allow", "help", "be"})
_LETTING = frozenset({"allowing", "giving", "showing", "letting", "revealing", "causing", "leaving"})
_SO = frozenset({"so", "till", "until", "til", "thus"})


def _tells_why(found: Sequence[Atom], at: int, clause: Clause) -> bool:
    """ "... to bring out the details", "until the faces can be seen", "making it pop", after a wish."""
    atom = found[at]
    leads = atom.text == "to" or atom.text in _SO or atom.text in _LETTING or _is_gerund(atom)
    if not leads or at + 1 >= len(found):
        return False
    following, told = found[at + 1], _telling(clause)
    if not told or not told[0].has(*_COMMANDS, *_QUALITATIVE):
        return False
    if atom.text in _LETTING:  # "the guy showing his teeth" is what is removed, and not why
        return len(told) > 1 and not (told[0].has(Role.REMOVE) and found[at - 1].has(Role.PERSON, Role.NOUN))
    if atom.text in _SO:
        return not following.has(Role.ADJECTIVE, Role.AMOUNT) and atom.text not in told[-1].text
    if atom.text == "to":
        is_wish = following.has(*_WISHES) and not following.has(Role.QUALITY, Role.ADJECTIVE)
        is_done = len(told) > 1 or told[0].has(Role.TONE, Role.ENHANCE)
        return is_done and (is_wish or following.text in _SHOWING)
    return len(told) > 1 and not found[at - 1].has(Role.AND, Role.PREPOSITION, Role.DETERMINER)


def _is_gerund(atom: Atom) -> bool:
    return (
        "ing" in atom.text
        and atom.text.split()[0].endswith("ing")
        and atom.has(*_WISHES)
        and not atom.has(Role.QUALITY)
    )


def _runs_on(found: Sequence[Atom], at: int, clause: Clause) -> bool:
    """ "Lighten the image increase the contrast": the person left the comma out."""
    atom = found[at]
    is_verb = atom.has(*_RUNNING) and not atom.has(Role.QUALITY, Role.ADJECTIVE, Role.AMOUNT, Role.NOUN)
    told = _telling(clause) if is_verb else []
    if not told or atom.text == "up" or not told[0].has(*_COMMANDS) or atom.text.endswith(("ed", "ing")):
        return False
    after = found[at + 1 : at + 2]
    has_object = _has_object(found, at) or any(
        other.has(Role.MORE, Role.AMOUNT)
        or other.text == "look"
        or (atom.has(Role.REMOVE) and _is_a_thing(other))
        for other in after
    )
    is_finished = (
        (found[at - 1].has(*_FINISHING) or (atom.has(Role.REMOVE) and _is_a_thing(found[at - 1])))
        and len(told) > 1
        and (found[at - 1].has(Role.COLORS) or not found[at - 1].has(*_COMMANDS))
    )
    is_tone = found[at - 1].has(Role.TONE, Role.QUALITY, Role.AMOUNT, Role.ADJECTIVE) and atom.has(
        Role.ADD, Role.REMOVE, Role.MAKE, Role.ENHANCE
    )
    return has_object and (is_finished or is_tone)


def _is_a_thing(atom: Atom) -> bool:
    return atom.has(Role.NOUN, Role.WRITTEN, Role.FLAW) or (atom.is_unknown and atom.kind == "word")


_FINISHING = (
    *(Role.PHOTO, Role.IT, Role.COLORS, Role.BACKGROUND, Role.SUBJECT, Role.PERSON, Role.FACE, Role.MARKED),
    *(Role.COLOR, Role.NOUN, Role.TRANSPARENT, Role.QUOTED),
)
_RUNNING = (
    *(Role.RAISE, Role.LOWER, Role.TONE, Role.ADD, Role.REMOVE, Role.MAKE, Role.ENHANCE),
    *(Role.CHANGE, Role.REPLACE, Role.CROP, Role.ZOOM),
)


def _empties(atom: Atom, clause: Clause) -> bool:
    """ "Remove everything but the dog" is one wish."""
    return atom.text.startswith(("everything ", "all ")) and all(
        before.has(Role.REMOVE) for before in _telling(clause)
    )


def _is_sentence_start(found: Sequence[Atom], at: int, clause: Clause) -> bool:
    """A capital verb that follows a finished wish: the person left the full stop out."""
    told = _telling(clause)
    after_article = found[at - 1].has(Role.DETERMINER, Role.ORDINAL, Role.WHOLE, Role.AND)
    is_told = len(told) > 1 or (told[:1] and told[0].has(Role.ZOOM, Role.FLIP, Role.STRAIGHTEN))
    capitals = [atom for atom in told[1:] if atom.is_capital and not _is_a_thing(atom)]
    return bool(is_told) and not after_article and not capitals


def _soft_joint(found: Sequence[Atom], at: int, clause: Clause) -> str:
    opening = next((i for i in range(at + 1, len(found)) if not _is_lead(found[i])), None)
    if opening is None or not _telling(clause):
        return ""
    if _needs_too(found[at + 1 : opening], clause):
        return "then"
    return "and" if _opens(found, opening, clause) else ""


def _needs_too(leads: Sequence[Atom], clause: Clause) -> bool:
    """ "It is dark and needs some light": the first half is a complaint."""
    needs = any(atom.has(Role.FILLER) and atom.text.split()[0] in ("need", "needs") for atom in leads)
    return needs and any(atom.has(Role.BE) for atom in clause.atoms)


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
    if _leaves_the_verb_out(found, at, told) or _tells_again(found, at, told):
        return True
    if atom.has(Role.DETERMINER):
        return False
    if atom.has(Role.NO):
        return True
    if atom.has(Role.QUOTED):
        return any(before.has(Role.QUOTED) for before in told)
    if atom.has(Role.TONE) and all(before.has(Role.TONE) for before in told):
        return False
    if _closes_a_list(found, at, told):
        return False
    if atom.has(*_QUALITATIVE):
        return (
            not _is_tonal(told)
            or _is_placed_itself(found, at, told)
            or told[-1].text in ("up", "down")
            or (atom.has(*_COMMANDS) and _has_object(found, at))
        )
    is_free = all(before.has(Role.TONE) or not before.has(*_COMMANDS) for before in told) or told[0].has(
        Role.CROP, Role.FLIP, Role.RESIZE
    )
    return atom.has(*_COMMANDS) or (atom.has(Role.LOOK) and is_free)


def _closes_a_list(found: Sequence[Atom], at: int, told: Sequence[Atom]) -> bool:
    """ "Brighten the photo and colors", "brighten the hue and contrast": one verb for both."""
    after = found[at + 1] if at + 1 < len(found) else None
    is_last = after is None or after.kind in ("stop", "comma") or after.has(Role.AND, Role.THEN, Role.BUT)
    is_led = len(told) > 1 and told[0].has(Role.TONE, Role.ADJUST)
    is_led = is_led and told[-1].has(Role.PHOTO, Role.CAST, Role.COLORS)
    return is_last and is_led and found[at].has(Role.COLORS, Role.QUALITY)


def _leaves_the_verb_out(found: Sequence[Atom], at: int, told: Sequence[Atom]) -> bool:
    """ "Make the sky darker and the grass greener": a second part with a quality of its own."""
    is_done = told[0].has(Role.MAKE) and told[-1].has(Role.ADJECTIVE) and len(told) > 2
    if not is_done or not found[at].has(Role.DETERMINER, Role.WHOLE, Role.THIS) or at + 1 >= len(found):
        return False
    ends = (
        i for i in range(at + 1, len(found)) if found[i].kind in ("stop", "comma") or found[i].has(Role.AND)
    )
    part = found[at + 1 : next(ends, len(found))]
    names = [atom for atom in part if not atom.has(*_QUALITATIVE, Role.AMOUNT, Role.FILLER)]
    is_named = bool(names) and part[0] is names[0] and all(atom.has(*_NAMED) for atom in names)
    return is_named and bool(part) and part[-1].has(Role.ADJECTIVE) and not part[-1].has(Role.COLORS)


def _is_placed_itself(found: Sequence[Atom], at: int, told: Sequence[Atom]) -> bool:
    """ "More contrast in the background and less saturation on the face": each half names its place."""
    following = list(
        itertools.takewhile(
            lambda atom: atom.kind not in ("stop", "comma") and not atom.has(Role.AND), found[at:]
        )
    )
    return _closes_with_a_place(told) and _closes_with_a_place(following) and following[0].has(*_MARKING)


_MARKING = (Role.MORE, Role.LESS)


def _closes_with_a_place(atoms: Sequence[Atom]) -> bool:
    named = [atom for atom in atoms if not atom.has(Role.DETERMINER, Role.FILLER)]
    return len(named) > 2 and named[-1].has(*_FINISHING) and named[-2].has(Role.PREPOSITION)


def _tells_again(found: Sequence[Atom], at: int, told: Sequence[Atom]) -> bool:
    """ "The photo was brightened and the colors are richer"."""
    following = itertools.takewhile(lambda atom: atom.kind not in ("stop", "comma"), found[at : at + 4])
    return any(atom.has(Role.BE) for atom in told) and any(atom.has(Role.BE) for atom in following)


_NAMED = (*_FINISHING, Role.DETERMINER, Role.WHOLE, Role.COLORS, Role.FINDABLE, Role.PHOTO)


_TAKING = (Role.REMOVE, Role.LOWER, Role.NO, Role.KEEP, Role.WITHOUT, Role.EXCEPT, Role.NOT)
_AWAY = frozenset({"out", "off", "away"})
_OF_AN_ADDITION = (Role.DETERMINER, Role.COLOR, Role.SHADE, Role.THICKNESS, Role.MEASURE, Role.AMOUNT)


_ADDITIONS = (Role.BORDER, Role.FRAME, Role.VIGNETTE, Role.ARROW, Role.EMOJI)


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
    if _draws_another(found[at], named, told):
        return True
    added = next((role for role in _ADDITIONS if named.has(role)), None)
    return added is not None and not any(atom.has(added) for atom in told)


def _draws_another(opening: Atom, named: Atom, told: Sequence[Atom]) -> bool:
    """ "Draw a circle and a rectangle"."""
    draws = told[0].has(Role.ADD, Role.PAINT) and any(atom.has(*_DRAWN) for atom in told)
    return draws and opening.text in ("a", "an", "another") and named.has(Role.SHAPE, Role.ARROW)


_DRAWN = (Role.SHAPE, Role.ARROW, Role.EMOJI)


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
