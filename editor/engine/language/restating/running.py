"""Wishes that run into each other: "it has a blue tint get rid of it", "light up and contrast down".

Each gets the stop or the verb that the person left out.
"""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom, ends_a_wish, is_packing
from editor.engine.language.lexicon import is_flaw
from editor.engine.language.lexicon.roles import Role, Tone

_FIXING = (Role.ADJUST, Role.REMOVE, Role.LOWER)
_DOING = (Role.RAISE, Role.LOWER, Role.TONE, Role.ADD, Role.MAKE, Role.ENHANCE, Role.ADJUST)
_TOLD = (Role.ADJECTIVE, Role.COLOR, Role.CAST, Role.QUALITY, Role.COLORS, Role.BALANCE)
_OBJECTS = (
    Role.DETERMINER,
    Role.IT,
    Role.THIS,
    Role.QUALITY,
    Role.COLORS,
    Role.AMOUNT,
    Role.MORE,
    Role.PHOTO,
)


def run_apart(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, with a stop between a complaint and a wish or two wishes, and a verb in each wish."""
    told = list[Atom]()
    for at, atom in enumerate(found):
        joins = atom.kind == "comma" or Role.AND in atom.senses
        if atom.kind == "comma" and told and _complains(found[at + 1 : at + 5]):
            atom = replace(atom, kind="stop")
        elif joins and told and is_flaw(told[-1].text) and _joins_a_need(found, at):
            atom = replace(atom, senses={}, kind="stop")
        elif joins:
            verb = _shared_verb(told, found, at)
            if verb is not None:
                told += [replace(atom, senses={Role.THEN: "then"}, kind="word"), verb]
                continue
        elif at > 1 and atom.has_any(_OPENING) and _opens_anew(told, found, at):
            told.append(Atom(".", atom.start, atom.start, {}, "stop"))
        told.append(atom)
    return told


def _joins_a_need(found: Sequence[Atom], at: int) -> bool:
    """The joint of "washed out, needs color", "underexposed and lacks contrast"."""
    after = next((atom for atom in found[at + 1 :] if not atom.has(Role.AND)), None)
    return after is not None and (after.has(Role.LACKING) or after.text in ("need", "needs"))


_OPENING = frozenset({*_DOING, *_FIXING, Role.DETERMINER, Role.IT})


def _opens_anew(told: Sequence[Atom], found: Sequence[Atom], at: int) -> bool:
    if found[at - 1].senses.keys().isdisjoint(_CLOSING) or found[at - 1].has(Role.AMOUNT):
        return False
    before = _since_a_joint(told)
    return len(before) > 1 and (
        _closes_a_complaint(before, found, at)
        or (before[0].has(*_MOVING) and (_moves_another(found, at) or _complains(found[at : at + 4])))
    )


_CLOSING = frozenset({*_TOLD, Role.PHOTO})
_MOVING = (Role.RAISE, Role.LOWER, Role.TONE, Role.ADD, Role.MAKE, Role.ADJUST)


def _moves_another(found: Sequence[Atom], at: int) -> bool:
    """ "Lower the contrast cool the colors", "turn down the light turn up the shadows"."""
    atom, rest = found[at], found[at + 1 : at + 2]
    if atom.has(Role.ADD):
        return not atom.has(Role.NOUN) and any(
            other.has(Role.COLOR, Role.AMOUNT, Role.MORE) for other in rest
        )
    is_verb = atom.has(Role.TONE, Role.RAISE, Role.LOWER) and not atom.has(Role.QUALITY, Role.NOUN, Role.LOOK)
    is_plain = atom.text.split()[0] not in ("up", "down", "more") and not atom.text.endswith(("ed", "ing"))
    small = (Role.DETERMINER, Role.IT, Role.THIS, Role.PHOTO)
    objects = small if atom.has(Role.ADJECTIVE, Role.PLACE) else (*small, Role.QUALITY, Role.COLORS)
    return is_verb and is_plain and any(other.has(*objects) for other in rest)


def _complains(ahead: Sequence[Atom]) -> bool:
    """ "... the colors are flat", "... its too orange", behind a wish."""
    is_it = (
        bool(ahead)
        and ahead[0].text in _ITS
        and any(atom.has(Role.TOO) or is_flaw(atom.text) for atom in ahead[1:2])
    )
    named = [atom for atom in ahead if not atom.has(Role.DETERMINER)]
    is_photo = len(named) > 2 and named[0].has(Role.PHOTO, Role.COLORS) and named[1].has(Role.BE)
    return is_it or (is_photo and (named[2].has(Role.TOO) or is_flaw(named[2].text)))


_ITS = frozenset({"its", "it's", "it 's"})


def _since_a_joint(told: Sequence[Atom]) -> list[Atom]:
    joints = (at + 1 for at in range(len(told) - 1, -1, -1) if ends_a_wish(told[at]))
    return [atom for atom in told[next(joints, 0) :] if not is_packing(atom)]


def _closes_a_complaint(before: Sequence[Atom], found: Sequence[Atom], at: int) -> bool:
    """ "Its too yellow fix that", "the photo is too dim increase the light"."""
    atom, rest = found[at], found[at + 1 : at + 3]
    is_verb = atom.has(*_DOING, *_FIXING) and not atom.has(Role.QUALITY, Role.ADJECTIVE, Role.NOUN, Role.CAST)
    if not is_verb or before[0].has(*_DOING, Role.CHANGE, Role.REMOVE):
        return False
    has_object = rest[0].has(*_OBJECTS) if rest else atom.has(Role.ADJUST)  # "the photo is too dark fix"
    names = any(other.has(Role.PHOTO, Role.IT, Role.THIS, Role.COLORS, Role.QUALITY) for other in before[:2])
    faults = any(other.has(Role.TOO, Role.CAST) or is_flaw(other.text) for other in before)
    return names and faults and has_object


def _shared_verb(told: Sequence[Atom], found: Sequence[Atom], joint: int) -> Atom | None:
    """The "make" of "make the sky bluer and grass greener", the "turn" of "turn the light up and the contrast
    down"; None where the second half is no such wish."""
    if not told or not (told[-1].has(Role.ADJECTIVE, Role.AMOUNT) or told[-1].text in _WAYS):
        return None
    before, found = _since_a_joint(told), found[joint + 1 :]
    end = next((at for at, atom in enumerate(found) if ends_a_wish(atom) or atom.has(Role.AND)), len(found))
    after = [atom for atom in found[:end] if not is_packing(atom) and not atom.has(*_SMALL)]
    after = after[:-1] if after and after[-1].text == "more" else after
    told = [atom for atom in before if not atom.has(*_SMALL)]
    if len(after) < 2 or len(told) < 2 or not all(atom.has(*_NAMED, Role.PHOTO) for atom in after[:-1]):
        return None
    verb = told[0]
    if verb.has(*_NAMED, Role.PHOTO) and _is_compared(told[-1]) and _is_compared(after[-1]):
        return replace(verb, text="make", senses={Role.MAKE: "make"})  # "colors brighter and image sharper"
    is_turned = {verb.text.split()[-1], told[-1].text} & _WAYS and verb.has(
        Role.RAISE, Role.LOWER, Role.CHANGE
    )
    turns = is_turned and after[-1].text in _WAYS
    is_graded = _is_compared(after[-1]) or after[-1].text.startswith(("pop", "stand"))
    if verb.has(Role.MAKE) and len(told) > 2 and _is_compared(told[-1]) and is_graded:
        return verb
    way = Role.LOWER if after[-1].text == "down" else Role.RAISE
    return replace(verb, text=f"bring {after[-1].text}", senses={way: after[-1].text}) if turns else None


_SMALL = (Role.DETERMINER, Role.AMOUNT, Role.THIS)
_WAYS = frozenset({"up", "down"})
_NAMED = (
    Role.QUALITY,
    Role.NOUN,
    Role.FINDABLE,
    Role.COLORS,
    Role.PERSON,
    Role.FACE,
    Role.BACKGROUND,
    Role.COLOR,
)


def _is_compared(atom: Atom) -> bool:
    tone = atom.senses.get(Role.ADJECTIVE)
    return isinstance(tone, Tone) and tone.comparative
