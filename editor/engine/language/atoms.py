"""From tokens to atoms: words, phrases and measures, each with what it can mean.

Reading never changes an order or drops a letter: whatever a clause holds can be shown in the person's
own words. Quoted text is one atom and is never searched for commands.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from editor.engine.language import lexicon
from editor.engine.language.lexicon import Senses, pictures
from editor.engine.language.lexicon.roles import TONAL, VERBS, Role
from editor.engine.language.tokens import Token, tokens

_JOINING_SYMBOLS = {"&": "&", "&amp;": "&", "+": "plus", "/": "/"}


class Measure(NamedTuple):
    """A number with its unit, as the person gave it."""

    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Atom:
    """The smallest part that means something: a word, a phrase, a number, a quoted text or a stop."""

    text: str
    start: int
    end: int
    senses: Senses
    kind: str = "word"
    is_capital: bool = False

    def has(self, role: Role, *others: Role) -> bool:
        """Whether the atom can be one of these."""
        return role in self.senses or (others != () and not self.senses.keys().isdisjoint(others))

    def has_any(self, roles: Collection[Role]) -> bool:
        """`has` for a group with a name; a large one is a set, of which not every role is looked up."""
        return not self.senses.keys().isdisjoint(roles)

    @property
    def is_unknown(self) -> bool:
        return self.senses.keys() <= _UNTELLING


_UNTELLING = frozenset({Role.COMMON, Role.SEVERAL})


def roles_of(found: Iterable[Atom]) -> frozenset[Role]:
    """All that the atoms can be: a rule whose words are not among them need not be tried."""
    return frozenset[Role]().union(*[atom.senses for atom in found])


def loose_atoms(instruction: str) -> list[Atom]:
    """Everything in an instruction that can carry meaning, each read by itself, in the order of the text."""
    found = list(_phrases(tokens(instruction)))
    roles = roles_of(found)
    if Role.UNIT in roles:
        found = list(_measured(found))
    if Role.SHADE in roles:
        found = list(_shaded(found))
    return _with_particles(found if _OWNED.isdisjoint(roles) else _with_owners(found))


def _phrases(tokens: Sequence[Token]) -> Iterator[Atom]:
    keys = [_JOINING_SYMBOLS.get(token.text, token.text) for token in tokens]
    draws = not _DRAWN.isdisjoint(keys)
    at = 0
    while at < len(tokens):
        token = tokens[at]
        length, senses = _longest(tokens, keys, at)
        drawn = _picture(keys, at) if draws else None
        if drawn and drawn[0] > length:
            length, senses = drawn
        if length:
            text = token.text if length == 1 else " ".join(word.text for word in tokens[at : at + length])
            yield Atom(text, token.start, tokens[at + length - 1].end, senses, is_capital=token.is_capital)
        elif token.kind != "symbol" or token.text in "%°":
            yield _single(token)
        at += max(length, 1)


def _picture(keys: Sequence[str], first: int) -> tuple[int, Senses] | None:
    """ "Butterfly sticker", "cartoon of a dog": how many words, and the picture that they ask for."""
    at = first
    if keys[at] in pictures.DRAWN_BEFORE or keys[at : at + 2] == ["clip", "art"]:
        at += 1 if keys[at] != "clip" else 2
        at += keys[at : at + 1] == ["of"]
        at += keys[at : at + 1] in (["a"], ["an"], ["the"])
    is_asked = at > first
    name = picture_named(keys[at : at + pictures.LONGEST_NAME])
    if name is None:
        return None
    length, picture = name
    is_several = picture.is_several
    at += length
    for kind in (keys[at : at + 1], keys[at : at + 2]):
        if kind and (kind == ["clip", "art"] or set(kind) <= pictures.DRAWN_KINDS):
            is_several |= kind[0].endswith("s")
            is_asked, at = True, at + len(kind)
            break
    senses: dict[Role, object] = dict.fromkeys((Role.EMOJI, Role.NOUN), picture.emoji)
    if is_several:
        senses[Role.PLURAL] = picture.emoji
    return (at - first, senses) if is_asked else None


_DRAWN = pictures.DRAWN_BEFORE | {"clip"}


def picture_named(words: Sequence[str]) -> tuple[int, pictures.Picture] | None:
    """How many of the words, in lower case, are the name of a picture of the emoji font, and of which."""
    for length in range(min(pictures.LONGEST_NAME, len(words)), 0, -1):
        found = pictures.PICTURES.get(tuple(words[:length]))
        if found:
            return length, found
    return None


def _longest(tokens: Sequence[Token], keys: Sequence[str], at: int) -> tuple[int, Senses]:
    if tokens[at].kind not in _SPELLING:
        return 0, {}
    most = lexicon.longest_phrase(keys[at])
    most = 1 if most > 1 and _names_the_sky(tokens, at) else most
    for length in range(min(most, len(tokens) - at), 0, -1):
        senses = lexicon.senses_of(tuple(keys[at : at + length]))
        if senses is not None and all(token.kind in _SPELLING for token in tokens[at + 1 : at + length]):
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


def _print(token: Token) -> Senses:
    """ "24.5" x 14.5"", "20 x 30 cm"; a fraction of a pixel there is none, so "2.5x2.5" are inches."""
    is_metric = token.text.lower().endswith("cm")
    sides = [float(side) * (10 if is_metric else 1) for side in re.findall(r"[\d.]+", token.text)]
    if not all(sides):
        return {}
    return {Role.PRINT: f"{sides[0]:g} x {sides[1]:g} {'mm' if is_metric else 'inches'}"}


def _number(token: Token) -> Senses:
    return {Role.NUMBER: float(token.text)}


def _fraction(token: Token) -> Senses:
    return {Role.FRACTION: 100 / int(token.text[2:])}


def _hex(token: Token) -> Senses:
    digits = token.text[1:].lower()
    return {Role.COLOR: "#" + (digits if len(digits) == 6 else "".join(digit * 2 for digit in digits))}


_SINGLE = {
    "quoted": _quoted,
    "wording": _wording,
    "emoji": _emoji,
    "link": _link,
    "print": _print,
    "ratio": _ratio,
    "size": _size,
    "number": _number,
    "fraction": _fraction,
    "hex": _hex,
}


def _measured(found: Iterable[Atom]) -> Iterator[Atom]:
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
        if not found[at].has(Role.FACE) and found[at].senses.get(Role.FINDABLE) != "skin":
            continue
        owner = found[at - 1].text.removesuffix("'s").strip()
        first = at - 1 if owner else at - 2
        if _is_a_plural_owner(found[at - 1]):
            found[at - 1] = replace(found[at - 1], senses={Role.DETERMINER: found[at - 1].text})
        elif found[at - 1].text.endswith("'s") and first >= 0 and _is_person(found[first]):
            for place in range(first, at):
                found[place] = replace(found[place], senses={Role.DETERMINER: found[place].text})
    return found


_OWNED = frozenset({Role.FACE, Role.FINDABLE})


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
        verb = _verb_of(found, at) if atom.text in _PARTICLES else None
        if verb is not None:
            text = f"{found[verb].text} {atom.text}"
            senses = lexicon.senses_of(tuple(text.split())) or {}
            found[verb] = replace(found[verb], text=text, senses=senses)
            found[at] = replace(atom, senses={Role.FILLER: True})
    return found


_PARTICLES = frozenset({"up", "down", "back", "higher", "lower"})
_FARTHEST_PARTICLE = 7


def _verb_of(found: Sequence[Atom], at: int) -> int | None:
    """Where the verb stands that a particle belongs to: only names between them, and nothing more after."""
    after = found[at + 1] if at + 1 < len(found) else None
    ends = after is None or after.kind in ("stop", "comma") or is_packing(after) or after.has(Role.AMOUNT)
    if after and not (ends or after.text == "to"):
        return None
    for verb in range(at - 2, max(at - _FARTHEST_PARTICLE, -1), -1):
        senses = lexicon.senses_of((found[verb].text, found[at].text)) or {}
        if not VERBS.isdisjoint(senses):
            return verb
        ends = found[verb].has(*VERBS, *TONAL, Role.UPRIGHT)
        if ends or found[verb].kind in ("stop", "comma"):
            return None
    return None


def _shaded(found: Iterable[Atom]) -> Iterator[Atom]:
    """A shade and the color after it become one color: "dark blue"."""
    return _joined(found, Role.SHADE, Role.COLOR, _shade)


def _shade(shade: Atom, color: Atom) -> Senses:
    return {Role.COLOR: f"{shade.senses[Role.SHADE]} {color.senses[Role.COLOR]}"}


def _joined(
    found: Iterable[Atom], first: Role, second: Role, senses: Callable[[Atom, Atom], Senses]
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
    return not _PACKING.isdisjoint(atom.senses) or atom.kind in ("stop", "comma")


_PACKING = frozenset({Role.FILLER, Role.AND, Role.THEN, Role.BUT})


def ends_a_wish(atom: Atom) -> bool:
    """Whether another wish, or its purpose, begins behind it."""
    return atom.kind in ("stop", "comma") or atom.has(Role.THEN, Role.BUT, Role.PURPOSE)


def passed_over(atom: Atom) -> Atom:
    """The atom as courtesy, which no rule looks at."""
    return replace(atom, senses={Role.FILLER: True}, kind="word")
