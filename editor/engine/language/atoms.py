"""From tokens to atoms: words, phrases and measures, each with what it can mean.

`atoms` never changes an order or drops a letter: whatever a clause holds can be shown in the person's
own words. Quoted text is one atom and is never searched for commands.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from editor.engine.language import lexicon
from editor.engine.language.lexicon import Senses, pictures
from editor.engine.language.lexicon.roles import TONAL, VERBS, Role, Tone
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
        return role in self.senses or (bool(others) and not self.senses.keys().isdisjoint(others))

    def has_any(self, roles: Collection[Role]) -> bool:
        """`has` for a group with a name; a large one is a set, of which not every role is looked up."""
        return not self.senses.keys().isdisjoint(roles)

    @property
    def is_unknown(self) -> bool:
        return self.senses.keys() <= _UNTELLING


_UNTELLING = frozenset({Role.COMMON, Role.SEVERAL})


def atoms(instruction: str) -> list[Atom]:
    """Everything in an instruction that can carry meaning, in the order of the text."""
    found = _with_particles(_with_owners(list(_shaded(_measured(_phrases(tokens(instruction)))))))
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
    if atom.text == "ad" and before and after and after.has_any(VERBS) and not after.has(Role.ADJECTIVE):
        return replace(atom, text="and", senses={Role.AND: "and"})
    if atom.text == "not" and before and before.kind == "comma" and after and after.has(*_PARTED):
        return replace(atom, senses={Role.EXCEPT: "not"})  # "blur the background, not the person"
    if atom.text in ("but", "expect") and _takes_all_people(found[max(at - 4, 0) : at], after):
        return replace(atom, senses={Role.EXCEPT: "but"})  # "remove everyone but the girl"
    if atom.kind == "quoted" and not any(other.has(Role.TEXT, Role.WRITTEN) for other in found):
        return _emphasized(atom, found, after)
    if atom.has(Role.FILLER) and atom.has(Role.SEEN) and before and before.has(*_COUNTING):
        named: Senses = {Role.SEEN: atom.senses[Role.SEEN], Role.NOUN: atom.text}
        return replace(atom, senses=named)  # "the guys", unlike "hey guys"
    if atom.text in ("first", "firstly") and _leads_a_wish(before, after):
        return replace(atom, senses={Role.FILLER: True})
    if atom.text == "filter" and not (before and before.kind == "word") and after and _is_filtered(after):
        return replace(atom, senses={Role.MAKE: "filter"})
    if atom.has(Role.VAGUE) and atom.has(Role.ENHANCE) and not _is_named(before) and _improves(found, at):
        return replace(atom, senses={Role.MORE if atom.text == "better" else Role.ENHANCE: atom.text})
    if atom.text == "highlight" and _opens(before) and _shows_off(found, at):
        return replace(atom, text="bring out", senses={Role.RAISE: "bring out"})
    if atom.text == "right" and after and after.text in _EXACTLY and not _is_side(before):
        return replace(atom, senses={Role.FILLER: True})  # "the man right behind me"
    if atom.text == "let" and any(other.text == "be" for other in found[at + 1 : at + _FARTHEST_PARTICLE]):
        return replace(atom, senses={Role.MAKE: "let"})  # "let the car be red"
    takes_away = atom.text in ("including", "cooler") and any(a.has(*_TAKING_AWAY) for a in found[:at])
    if takes_away and atom.text == "including":
        return replace(atom, senses={Role.AND: "including"})  # "remove the shed, including its roof"
    if takes_away and before and before.has(Role.AND, Role.DETERMINER):
        return replace(atom, senses={Role.NOUN: "cooler"})  # "take out the chair and cooler"
    if atom.text == "remain" and before and before.kind == "comma" and after and after.has(Role.DETERMINER):
        return replace(atom, senses={Role.KEEP: "keep"})  # "..., remain the shirt unchanged"
    if atom.text == "include" and at and _only(found[:at]):
        return replace(atom, text="keep", senses={Role.KEEP: "keep"})  # "...; only include the man"
    if atom.text in ("box", "boxes") and after and after.text == "around" and not _points(found[:at]):
        return replace(atom, senses={Role.SHAPE: "rectangle", Role.NOUN: atom.text})  # "a red box around her"
    if atom.text in ("drop", "drops") and before and before.has(Role.NOUN):
        return replace(atom, senses={Role.NOUN: atom.text})  # "the water drops"
    if atom.text == "cool" and before and before.has(Role.AND) and at > 1 and found[at - 2].has(Role.VAGUE):
        return replace(atom, senses={Role.VAGUE: "cool"})  # "professional and cool"
    if atom.text == "box" and before and before.has(Role.COLOR) and after and after.text == "around":
        is_of_all = any(other.has(Role.PHOTO) for other in found[at + 2 : at + 4])
        return replace(atom, senses={Role.BORDER: "box"}) if is_of_all else atom
    if atom.text == "scales" and before and before.has(Role.DETERMINER):
        return replace(atom, senses={Role.NOUN: "scales"})  # of a fish
    if atom.text == "cropped" and after and after.has(Role.PHOTO) and before and before.has(Role.DETERMINER):
        return replace(atom, senses={Role.FILLER: True})  # "a border around the cropped image"
    if atom.text == "crop" and after and after.text == "top" and before and before.has(Role.COLOR):
        return replace(atom, senses={Role.NOUN: "crop"})  # "in the pink crop top"
    if atom.text == "leaves" and not (before and before.has(Role.IT, Role.THIS)):
        return replace(atom, senses={Role.NOUN: "leaves"})
    return replace(atom, senses={}, kind="stop") if is_list and _is_numbering(found, at) else atom


def _is_named(before: Atom | None) -> bool:
    """ "The better photo", "this enhanced one"."""
    return before is not None and (before.text == "the" or before.has(Role.THIS))


def _is_side(before: Atom | None) -> bool:
    """ "The right", "on right"."""
    return before is not None and before.has(Role.DETERMINER, Role.PREPOSITION)


def _points(before: Sequence[Atom]) -> bool:
    """ "The box", unlike "a thin red box"."""
    leading = (atom for atom in reversed(before) if not atom.has(Role.COLOR, Role.ADJECTIVE, Role.THICKNESS))
    return next((atom.text for atom in leading), "") not in ("a", "an", "draw", "put", "add")


def _only(before: Sequence[Atom]) -> bool:
    """Whether a wish opens with "only" or "just"."""
    return before[-1].text in ("only", "just") and _opens(before[-2] if len(before) > 1 else None)


def _opens(before: Atom | None) -> bool:
    return before is None or before.kind in ("stop", "comma") or before.has(Role.AND, Role.FILLER, Role.THEN)


def _shows_off(found: Sequence[Atom], at: int) -> bool:
    """ "Highlight the colors", "highlight the details": words to be marked are not meant."""
    after = next((atom for atom in found[at + 1 : at + 3] if not atom.has(Role.DETERMINER)), None)
    return after is not None and (after.has(Role.COLORS, Role.COLOR) or "detail" in after.text)


def _improves(found: Sequence[Atom], at: int) -> bool:
    """ "Better contrast", "enhanced the contrast": there is to be more; better light may be more or less."""
    after = found[at + 1 : at + 3]
    improved = next((atom for atom in after if not atom.has(Role.DETERMINER)), None)
    tone = improved.senses.get(Role.QUALITY) if improved else None
    return isinstance(tone, Tone) and tone.sign > 0 and tone.operation in _IMPROVED


_IMPROVED = frozenset({"contrast", "saturation", "vibrance", "sharpness", "clarity"})
_EXACTLY = frozenset(
    {
        "here",
        "there",
        "now",
        "away",
        "behind",
        "beside",
        "next to",
        "above",
        "below",
        "under",
        "over",
        "in front of",
    }
)


_TAKING_AWAY = (Role.REMOVE, Role.OUTWARD)


def _takes_all_people(before: Sequence[Atom], after: Atom | None) -> bool:
    removes = any(atom.has(Role.REMOVE) for atom in before[:-1])
    is_name = after is None or after.kind == "stop" or after.has(Role.NUMBER, *_PARTED)
    return removes and is_name and before[-1].senses.get(Role.SEEN) == "people"


def _emphasized(atom: Atom, found: Sequence[Atom], after: Atom | None) -> Atom:
    """ "Make it look "washed"", "a "little bit" pink": nothing to be written."""
    text = atom.text[1:-1].strip().lower()
    senses = lexicon.senses_of(tuple(lexicon.WORD.findall(text))) or {}
    is_tone = Role.AMOUNT in senses or Role.ADJECTIVE in senses
    is_led = after is not None and after.has(Role.COLOR, Role.CAST, Role.EFFECT, Role.ADJECTIVE, Role.TONE)
    is_free = not any(other.has(Role.ADD, Role.REMOVE, Role.REPLACE, Role.CHANGE) for other in found)
    return replace(atom, text=text, senses=senses, kind="word") if is_tone and (is_led or is_free) else atom


def _is_filtered(atom: Atom) -> bool:
    """ "Filter the photo to black and white"."""
    return atom.has(Role.PHOTO, Role.THIS, Role.IT) or atom.text == "to"


def _is_a_part(atom: Atom) -> bool:
    return atom.has(Role.DETERMINER, Role.THIS, Role.PHOTO, Role.BACKGROUND)


_COUNTING = (Role.DETERMINER, Role.THIS, Role.NUMBER, Role.WHOLE)
_PARTED = (Role.DETERMINER, Role.THIS, Role.BACKGROUND, Role.PERSON, Role.SUBJECT, Role.FACE)


def _leads_a_wish(before: Atom | None, after: Atom | None) -> bool:
    """ "First rotate it"."""
    opens = before is None or before.kind in ("stop", "comma")
    return opens and after is not None and (after.has_any(VERBS) or after.kind == "comma")


def _is_numbering(found: Sequence[Atom], at: int) -> bool:
    is_short = found[at].kind == "number" and found[at].text.isdigit() and len(found[at].text) < 3
    after = found[at + 1] if at + 2 < len(found) else None
    return is_short and after is not None and after.text in (".", ")", ":")


def _is_excessive(atom: Atom) -> bool:
    return atom.has(Role.ADJECTIVE) and not atom.has(Role.COLOR) and not atom.text.endswith("er")


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
            text = " ".join(token.text for token in tokens[at : at + length])
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
    most = 1 if _names_the_sky(tokens, at) else lexicon.longest_phrase(keys[at])
    for length in range(min(most, len(tokens) - at), 0, -1):
        senses = lexicon.senses_of(tuple(keys[at : at + length]))
        if senses is not None and all(token.kind in _SPELLING for token in tokens[at : at + length]):
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
    return {Role.FRACTION: 50 if token.text == "1/2" else 25}


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
    return atom.kind in ("stop", "comma") or not atom.senses.keys().isdisjoint(_PACKING)


_PACKING = frozenset({Role.FILLER, Role.AND, Role.THEN, Role.BUT})
