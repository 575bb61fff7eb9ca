"""Wishes of which only a part tells how: "make the sky stand out by darkening it", "vintage and reddish".

Each becomes the plain wishes that the rules read.
"""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom, ends_a_wish, is_packing, passed_over
from editor.engine.language.lexicon.roles import TONAL, Role

_DOING = (Role.TONE, Role.RAISE, Role.LOWER, Role.ADD, Role.ENHANCE, Role.REMOVE, Role.MAKE)
_OPEN = (Role.ADJUST, Role.CHANGE, Role.ENHANCE, Role.MAKE)
_WHOLE = (
    Role.PHOTO,
    Role.IT,
    Role.THIS,
    Role.COLORS,
    Role.QUALITY,
    Role.CAST,
    Role.WHOLE,
    Role.VAGUE,
    Role.MORE,
)


def told_by_doing(found: Sequence[Atom]) -> list[Atom]:
    """ "Adjust the color by adding cyan" as "adding cyan", "make the sky stand out by darkening it" as
    "darkening the sky"."""
    told = list(found)
    for by in range(len(told) - 2, 1, -1):
        if not _leads_to_doing(told, by):
            continue
        start = start_of_wish(told, by)
        first = told[start:by]
        if _changes_a_quality(told, by + 1):
            end = end_of_wish(told, by)
            told[by:end] = map(passed_over, told[by:end])
        elif _leaves_it_open(first) or (
            _shows_a_part(first) and _is_of_another(told[by + 2 : end_of_wish(told, by)])
        ):
            told[start : by + 1] = map(passed_over, told[start : by + 1])
        elif _shows_a_part(first) and any(
            atom.has(Role.IT) or atom.text == "them" for atom in told[by + 2 : by + 3]
        ):
            named = [atom for atom in first[1:] if not atom.has(Role.VAGUE, Role.MORE)]
            told[start : by + 3] = [replace(told[by + 1], start=first[0].start), *named]
    return told


def _leads_to_doing(told: Sequence[Atom], by: int) -> bool:
    is_by = by + 1 < len(told) and told[by].text == "by"
    is_gerund = is_by and told[by + 1].text.partition(" ")[0].endswith("ing")
    return is_gerund and told[by + 1].has(*_DOING, Role.CHANGE, Role.ADJUST, Role.USE)


def _changes_a_quality(told: Sequence[Atom], at: int) -> bool:
    """ "... by changing the exposure": which way, the wish before it has told."""
    small = (Role.DETERMINER, Role.FILLER, Role.AND, Role.PHOTO)
    rest = told[at + 1 : end_of_wish(told, at)]
    is_open = told[at].has(Role.CHANGE, Role.ADJUST, Role.USE) and not told[at].has(*_DOING)
    return is_open and all(atom.has(Role.QUALITY, Role.COLORS, Role.CAST, *small) for atom in rest)


def _leaves_it_open(part: Sequence[Atom]) -> bool:
    """ "Adjust the colors", "make the photo better"."""
    opens = bool(part) and part[0].has(*_OPEN) and (part[-1].has(Role.VAGUE) or not part[0].has(Role.MAKE))
    return opens and all(atom.has(*_WHOLE, Role.DETERMINER, Role.FILLER, Role.AND) for atom in part[1:])


def _shows_a_part(part: Sequence[Atom]) -> bool:
    """ "Make the sky stand out"."""
    return bool(part) and part[0].has(Role.MAKE) and part[-1].has(Role.VAGUE)


def _is_of_another(rest: Sequence[Atom]) -> bool:
    """ "... by darkening the background"."""
    return any(
        atom.has(Role.BACKGROUND, Role.NOUN, Role.PERSON) and not atom.has(Role.QUALITY) for atom in rest
    )


def start_of_wish(told: Sequence[Atom], end: int) -> int:
    """Where the wish begins that ends there."""
    start = next((i + 1 for i in range(end - 1, -1, -1) if ends_a_wish(told[i])), 0)
    while start < end and is_packing(told[start]):
        start += 1
    return start


def end_of_wish(told: Sequence[Atom], at: int) -> int:
    return next((i for i in range(at + 1, len(told)) if ends_a_wish(told[i])), len(told))


def without_praise(found: Sequence[Atom]) -> list[Atom]:
    """ "More contrast will make it pop", "a bit more light would be nice" without what that would bring."""
    told = list(found)
    for at in range(1, len(told)):
        if told[at].text not in FORETELLING:
            continue
        start, end = start_of_wish(told, at), end_of_wish(told, at)
        told = _without_hope(told, start, at, end)
        wish, praise = told[start:at], told[at:end]
        is_wish = any(atom.has(*TONAL) for atom in wish) and all(atom.has(*_OF_TONE) for atom in wish)
        is_praise = any(atom.has(Role.VAGUE, Role.ENHANCE) for atom in praise)
        if is_wish and is_praise and all(atom.has(*_PRAISING) for atom in praise):
            told[at:end] = map(passed_over, praise)
    return told


def _without_hope(told: list[Atom], start: int, at: int, end: int) -> list[Atom]:
    """ "It would look better with more contrast": the "more contrast"."""
    by = next((i for i in range(at, end) if told[i].text == "with"), at)
    is_hope = by > at and all(atom.has(*_PRAISING) for atom in told[start:by])
    is_wish = is_hope and all(atom.has(*_OF_TONE) for atom in told[by + 1 : end])
    return [*told[:start], *map(passed_over, told[start : by + 1]), *told[by + 1 :]] if is_wish else told


_PRAISING = (
    *(Role.MAKE, Role.IT, Role.PHOTO, Role.THIS, Role.FILLER, Role.BE, Role.AMOUNT, Role.DETERMINER),
    *(Role.VAGUE, Role.ENHANCE),
)
FORETELLING = frozenset({"will", "would", "would be", "will be", "might", "could", "may", "should"})
"""One of these stands where `without_praise` finds something."""


def without_asides(found: Sequence[Atom]) -> list[Atom]:
    """ "..., which should fix the colors", "and be able to see him", "(reduce)" made silent; of "add cyan or
    blue" the first."""
    told = list(found)
    for at in range(1, len(told)):
        end = end_of_wish(told, at)
        rest = told[at + 1 : end]
        is_again = told[at].text == "(" and len(rest) == 1 and rest[0].has(Role.RAISE, Role.LOWER)
        if is_again or _is_a_result(told[at], rest) or _is_a_sight(told[at], rest):
            told[at:end] = map(passed_over, told[at:end])
        elif told[at].text == "(" and [atom.has(Role.MEASURE) for atom in rest] == [True]:
            told[at : end + 1] = [passed_over(told[at]), *rest, *map(passed_over, told[end : end + 1])]
        elif told[at].text == "or" and rest and _are_choices(told[at - 1], rest[0]):
            is_moved = any(atom.has(Role.ADD, Role.RAISE, Role.LOWER, Role.MORE) for atom in told[:at])
            told[at : at + 2] = map(passed_over, told[at : at + 2]) if is_moved else told[at : at + 2]
    return told


def _is_a_result(which: Atom, rest: Sequence[Atom]) -> bool:
    """ "..., which should fix the colors"."""
    is_foretold = which.text == "which" and bool(rest) and rest[0].text in FORETELLING
    return is_foretold and all(atom.has(*_OF_TONE, *_PRAISING, Role.ADJUST, Role.RAISE) for atom in rest)


def _is_a_sight(joint: Atom, rest: Sequence[Atom]) -> bool:
    """ "... and be able to see him"."""
    is_able = joint.has(Role.AND) and len(rest) > 1 and rest[0].text in _ABLE
    return is_able and rest[1].text in _SEEING


def _are_choices(first: Atom, second: Atom) -> bool:
    """ "Cyan or blue", "saturation or darkness"."""
    return any(first.has(role) and second.has(role) for role in (Role.COLOR, Role.QUALITY))


_ABLE = frozenset({"be able to", "able to", "can", "could"})
_SEEING = frozenset({"see", "view", "recognize", "read"})
ASIDES = frozenset({"which", "(", "or"}) | _SEEING
"""One of these stands where `without_asides` finds something."""


def as_too_much(found: Sequence[Atom]) -> list[Atom]:
    """ "The image is leaning toward yellow", "the whites are too yellow" as "the image is too yellow"."""
    told = list(found)
    for at in range(1, len(told) - 1):
        if told[at - 1].text == "whites" and told[at].has(Role.BE) and told[at + 1].has(Role.TOO):
            told[at - 1] = replace(told[at - 1], senses={Role.PHOTO: "whites"})  # "the whites are too yellow"
        rest = [i for i in range(at + 1, min(at + 4, len(told))) if told[i].text not in _TOWARD]
        if told[at].text in _LEANING and rest and told[rest[0]].has(Role.COLOR, Role.ADJECTIVE):
            be = Atom("is", told[at].start, told[at].start, {Role.BE: "is"})
            too = replace(told[at], text="too", senses={Role.TOO: "too"})
            told[at : rest[0]] = [too] if told[at - 1].has(Role.BE) else [be, too]
    return told


_LEANING = frozenset({"leaning", "leans", "skews", "skewed"})
LEANING = _LEANING | {"whites"}
"""One of these stands where `as_too_much` finds something."""
_TOWARD = frozenset({"toward", "towards", "to", "too", "the"})
_ASKING = (Role.MAKE, Role.CHANGE, Role.ADD, Role.USE)
_OF_TONE = (*TONAL, Role.CAST, Role.EFFECT, Role.AMOUNT, Role.DETERMINER, Role.AND, Role.FILLER)


def looks_apart(found: Sequence[Atom]) -> list[Atom]:
    """ "Make it vintage and reddish", "a retro look with warm tones" as two wishes: the look and the rest."""
    told = list(found)
    for at in range(len(told) - 2, 0, -1):
        if not (told[at].has(Role.AND) or told[at].text == "with") or told[at].has(Role.LOOK):
            continue
        before, rest = told[start_of_wish(told, at) : at], told[at + 1 : end_of_wish(told, at)]
        if _asks_for_a_look(before) and _is_tonal(rest):
            verb, text = (Role.ADD, "add") if _is_named(rest) else (Role.MAKE, "make")
            here = replace(told[at], senses={Role.THEN: "then"}, kind="word")
            wish = [replace(here, text=text, senses={verb: text})]
            wish += [] if verb is Role.ADD else [replace(here, text="photo", senses={Role.PHOTO: "photo"})]
            told[at : at + 1] = [here, *wish]
    return told


def _asks_for_a_look(part: Sequence[Atom]) -> bool:
    asks = bool(part) and (part[0].has(*_ASKING, Role.LOOK) or part[0].text in ("a", "an"))
    is_of_all = all(
        atom.has(*_ASKING, Role.LOOK, Role.PHOTO, Role.IT, Role.THIS, Role.WHOLE, *_OF_TONE)
        or atom.text in ("to", "into", "style", "looking")
        for atom in part
    )
    return asks and is_of_all and any(atom.has(Role.LOOK) for atom in part)


def _is_tonal(part: Sequence[Atom]) -> bool:
    """Qualities, and colors as they tinge a photo: "reddish"."""
    tinges = [atom for atom in part if atom.has(Role.COLOR)]
    is_tinge = all(atom.text.endswith(("ish", "y")) for atom in tinges) or _is_named(part)
    is_plain = all(atom.has(*_OF_TONE) or atom in tinges for atom in part)
    says = any(atom.has(Role.QUALITY, Role.ADJECTIVE, Role.COLORS, Role.COLOR) for atom in part)
    return is_tinge and is_plain and says


def _is_named(part: Sequence[Atom]) -> bool:
    """ "Warm tones", "a red tint", "more contrast", unlike "reddish" and "brighter"."""
    last = next((atom for atom in reversed(part) if not is_packing(atom)), None)
    return last is not None and last.has(Role.QUALITY, Role.CAST, Role.COLORS, Role.EFFECT)
