"""Wishes that are told in pieces, or without their verb, told as one: "make the car green"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from editor.engine.language.atoms import Atom, is_packing
from editor.engine.language.lexicon.roles import VERBS, Role
from editor.engine.language.lexicon.seen import HAIR_COLORS


def restated(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, each wish in the order of a command, with its own verb and object."""
    told = _with_its_color(found)
    texts = {atom.text for atom in told}
    if "it" in texts and not texts.isdisjoint(_MAKING):
        told = _made_so(told)
    if "them" in texts or not texts.isdisjoint(_ENHANCING):
        told = _with_colors_again(told)
    if any(atom.text in _LEADING or atom.has(Role.PURPOSE) for atom in told):
        told = [atom for part in _parts(told) for atom in _as_a_command(part)]
    return _with_emphasis_apart(_with_exceptions_last(_with_verbs_again(told)))


def _with_its_color(found: Sequence[Atom]) -> list[Atom]:
    """ "Change the color of the mug. I need it white" as "change the color of the mug to white"."""
    told = list(found)
    for at in range(1, len(told)):
        if told[at].kind != "stop" or not _leaves_its_color_open(told[:at]):
            continue
        rest = [i for i in range(at + 1, len(told)) if not is_packing(told[i])]
        named = [told[i] for i in rest[:2]]
        is_told = len(named) == 2 and (named[0].has(Role.IT) or named[0].text == "them")
        if is_told and named[1].has(Role.COLOR) and (len(rest) == 2 or told[rest[1] + 1].kind == "stop"):
            told[at] = Atom("to", told[at].start, told[at].start, {Role.PREPOSITION: "to"})
            told[rest[0]] = _passed_over(told[rest[0]])
    return told


def _made_so(found: Sequence[Atom]) -> list[Atom]:
    """ "Make it so that the sky is blue" as "make the sky blue"."""
    told = list(found)
    for at in range(len(told) - 4, -1, -1):
        opens = told[at].text in _MAKING and told[at + 1].text == "it"
        if not opens or not (told[at + 2].text == "so" or told[at + 2].has(Role.PURPOSE)):
            continue
        ends = (i for i in range(at + 3, len(told)) if told[i].kind == "stop" or told[i].has(Role.BE, *VERBS))
        be = next(ends, len(told))
        is_told = at + 3 < be < len(told) - 1 and told[be].text in _BEING
        if is_told and not any(atom.has(Role.NOT, Role.NO) for atom in told[be + 1 :]):
            told[at + 1 : be + 1] = told[at + 3 : be]
    return told


_MAKING = frozenset({"make", "making", "made"})
_BEING = frozenset({"is", "are", "looks", "look"})


def _with_colors_again(found: Sequence[Atom]) -> list[Atom]:
    """ "Enhance and deepen the colors" with "the colors" behind both verbs; the "them" of "enhance the colors
    and make them pop" as what it stands for."""
    told, named = list[Atom](), None
    for at, atom in enumerate(found):
        if atom.kind == "stop":
            named = None
        elif atom.has(*_NAMED):
            named = atom if atom.has(Role.COLORS) else None
        if atom.text == "them" and named is not None:
            atom = replace(named, start=atom.start, end=atom.end)
        told.append(atom)
        if atom.text in _ENHANCING:
            told += [replace(colors, start=atom.end, end=atom.end) for colors in _shared_colors(found, at)]
    return told


_ENHANCING = frozenset({"enhance", "improve", "optimize", "enrich"})
_NAMED = (Role.COLORS, Role.NOUN, Role.PERSON, Role.FACE, Role.SUBJECT, Role.BACKGROUND)


def _shared_colors(found: Sequence[Atom], at: int) -> Sequence[Atom]:
    """The colors of "and warm the colors", behind a verb that has no object of its own."""
    rest = found[at + 1 : at + 5]
    is_joined = len(rest) > 2 and rest[0].has(Role.AND) and rest[1].has(Role.RAISE, Role.TONE)
    named = [atom for atom in rest[2:] if not atom.has(Role.DETERMINER, Role.WHOLE)][:1] if is_joined else []
    return [atom for atom in named if atom.has(Role.COLORS)]


def _leaves_its_color_open(told: Sequence[Atom]) -> bool:
    """Whether the last sentence asks for another color of something, and does not say which."""
    starts = (at + 1 for at in range(len(told) - 1, -1, -1) if told[at].kind == "stop")
    last = [atom for atom in told[next(starts, 0) :] if not is_packing(atom)]
    opens = bool(last) and last[0].has(Role.CHANGE) and any(atom.has(Role.COLORS) for atom in last[1:])
    return (
        opens and any(atom.text == "of" for atom in last) and not any(atom.has(Role.COLOR) for atom in last)
    )


def told_of_once(found: Sequence[Atom]) -> list[Atom]:
    """ "Remove my cousin. (He is on the left)" as "remove my cousin on the left"."""
    told = list(found)
    takes_away = any(atom.has(*_TAKING_AWAY) for atom in told)
    for at in range(1, len(told) * takes_away):
        in_brackets = told[at].text == "("
        pointed = _pointed(told, at + 1, in_brackets=in_brackets) if _opens(told[at]) else None
        verb = _last_verb(told, at) if pointed else None
        if pointed is None or verb is None or not told[verb].has(*_TAKING_AWAY):
            continue
        after, end = pointed
        last = max(i for i in range(verb, at) if not is_packing(told[i]))
        is_someone = any(atom.has(Role.PERSON, Role.SEEN) for atom in told[verb:at])
        if is_someone and not any(atom.kind == "stop" for atom in told[verb:last]):
            told[last + 1 : after] = [_passed_over(atom) for atom in told[last + 1 : after]]
            told[end : end + in_brackets] = [_passed_over(atom) for atom in told[end : end + in_brackets]]
    return told


_TAKING_AWAY = (Role.REMOVE, Role.OUTWARD)


def _opens(atom: Atom) -> bool:
    return atom.kind == "stop" or atom.text == "("


def _last_verb(told: Sequence[Atom], end: int) -> int | None:
    verbs = (at for at in range(end - 1, -1, -1) if told[at].has_any(VERBS) and not told[at].has(Role.FILLER))
    return next(verbs, None)


def _passed_over(atom: Atom) -> Atom:
    return replace(atom, kind="word", senses={Role.FILLER: True})


def _pointed(told: Sequence[Atom], first: int, *, in_brackets: bool) -> tuple[int, int] | None:
    """Where the "he's the one" of "he's the one in black" ends, and where the description behind it does;
    None when something else is said."""
    at = first
    while at < len(told) and (told[at].text in _POINTING or told[at].has(Role.FILLER)):
        at += 1
    after = at
    while after < len(told) and told[after].has(Role.DETERMINER, Role.NUMBER, Role.PERSON):
        after += 1
    is_one = any(atom.text in ("one", "ones") for atom in told[at:after])
    closes = (i for i in range(after, len(told)) if told[i].kind == "stop" or told[i].text == ")")
    end = next(closes, len(told))
    rest = told[after:end]
    is_description = bool(rest) and rest[0].has(Role.PREPOSITION) and rest[0].text not in ("of", "like", "as")
    asks = any(atom.has_any(VERBS) and not atom.has(Role.NOUN, Role.ADJECTIVE) for atom in rest)
    points = in_brackets or is_one or (at > first and told[first].text in _POINTING)
    return (after, end) if points and is_description and not asks else None


_POINTING = frozenset(
    {"he", "she", "he's", "she's", "they", "they're", "it", "it 's", "that 's", "'s", "is", "are"}
)


def _parts(found: Sequence[Atom]) -> Iterator[Sequence[Atom]]:
    start = 0
    for at, atom in enumerate(found):
        if atom.kind in ("stop", "comma"):
            yield found[start : at + 1]
            start = at + 1
    yield found[start:]


def _as_a_command(part: Sequence[Atom]) -> Sequence[Atom]:
    first = next((at for at, atom in enumerate(part) if not is_packing(atom)), len(part))
    last = max((at + 1 for at, atom in enumerate(part) if not is_packing(atom)), default=0)
    told = part[first:last]
    thing, color = _hoped(told) or _chosen(told) or _coated(told) or _resulting(told) or ((), None)
    if color is None or not _is_a_thing(thing):
        return part
    make = Atom("make", told[0].start, told[0].start, {Role.MAKE: "make"})
    return [*part[:first], make, *thing, replace(color, end=told[-1].end), *part[last:]]


type Wish = tuple[Sequence[Atom], Atom] | None


def _hoped(told: Sequence[Atom]) -> Wish:
    """ "The car should be green", "the car should be painted in green"."""
    left = list(told[:-1])
    while left and left[-1].text in _COVERED:
        left.pop()
    is_hope = len(left) > 1 and told[-1].has(Role.COLOR) and left[-1].text in _HOPING
    return (left[:-1], told[-1]) if is_hope else None


_COVERED = frozenset({"painted", "dyed", "colored", "coloured", "recolored", "recoloured", "adorned", "in"})
_HOPING = frozenset({"should be", "shall be", "must be", "has to be", "have to be", "is to be", "are to be"})


def _chosen(told: Sequence[Atom]) -> Wish:
    """ "Opt for a green color for the car"."""
    after = [atom for atom in told[1:] if not atom.has(Role.DETERMINER)] if told else []
    is_choice = len(after) > 3 and told[0].text in _CHOOSING and after[0].has(Role.COLOR)
    if not is_choice or not after[1].has(Role.COLORS) or after[2].text != "for":
        return None
    return after[3:], after[0]


_CHOOSING = frozenset({"opt for", "go for", "choose", "pick", "select", "use"})


def _coated(told: Sequence[Atom]) -> Wish:
    """ "Coat the car in green", "cover it in green paint"; what is covered in black may be to be hidden."""
    is_painted = bool(told) and told[-1].text in _PAINTS
    left = told[:-1] if is_painted else told
    coats = len(left) > 3 and (left[0].text == "coat" or (left[0].text == "cover" and is_painted))
    is_told = coats and left[-1].has(Role.COLOR) and left[-2].text in ("in", "with")
    return (left[1:-2], left[-1]) if is_told else None


def _resulting(told: Sequence[Atom]) -> Wish:
    """ "Photoshop her hair so that it is back to black"."""
    if not told:
        return None
    so = next((at for at, atom in enumerate(told) if atom.has(Role.PURPOSE)), 0)
    between = told[so + 1 : -1]
    is_color = told[-1].has(Role.COLOR) or told[-1].text in HAIR_COLORS
    is_led = so > 1 and told[0].has(Role.ADJUST, Role.CHANGE) and is_color
    is_plain = all(
        is_packing(atom) or atom.has(Role.IT, Role.BE, Role.DETERMINER, Role.VAGUE) or atom.text in _BACK
        for atom in between
    )
    return (told[1:so], told[-1]) if is_led and is_plain else None


_BACK = frozenset({"back", "to", "again"})
_PAINTS = frozenset({"paint", "pigment", "dye", "lacquer"})


_LEADING = _HOPING | _CHOOSING | {"coat", "cover"}


def _is_a_thing(named: Sequence[Atom]) -> bool:
    """A thing, or what somebody wears; never the photo, its background or a person."""
    owners = [left for left, right in pairwise(named) if right.text == "'s"]
    names = [atom for atom in named if atom not in owners and atom.text != "'s"]
    is_plain = all(atom.is_unknown or atom.has(*_NAMING) for atom in names)
    is_other = any(atom.has(*_OTHER) and not atom.has(Role.DETERMINER) for atom in names)
    return is_plain and not is_other and any(not atom.has(Role.DETERMINER, Role.COLOR) for atom in names)


_NAMING = (Role.NOUN, Role.DETERMINER, Role.COLOR)
_OTHER = (Role.PHOTO, Role.BACKGROUND, Role.PERSON, Role.FACE, Role.IT)


def _with_emphasis_apart(found: Sequence[Atom]) -> list[Atom]:
    """ "Brighten the photo, especially the baby" as "brighten the photo, then brighten the baby"."""
    told = list(found)
    at = next((i for i, atom in enumerate(told) if atom.text in _EMPHASIS), 0)
    start = next((i + 1 for i in range(at - 1, -1, -1) if told[i].kind == "stop"), 0)
    whole = next((i for i in range(start, at) if told[i].has(Role.PHOTO)), 0)
    end = next((i for i in range(at + 1, len(told)) if told[i].kind in ("stop", "comma")), len(told))
    part, first = told[at + 1 : end], whole
    while first > start and told[first - 1].has(Role.DETERMINER, Role.THIS, Role.WHOLE):
        first -= 1
    is_part = bool(part) and not part[0].has(Role.PREPOSITION)
    is_part = is_part and all(atom.has(*NAMES, Role.PREPOSITION, Role.PLACE, Role.COLOR) for atom in part)
    if whole and is_part and all(atom.kind == "comma" for atom in told[whole + 1 : at]):
        told[at : at + 1] = [replace(told[at], senses={Role.THEN: "then"}), *told[start:first]]
    return told


_EMPHASIS = frozenset({"especially", "particularly"})  # and not "specifically in the corner": only there


def _with_verbs_again(found: Sequence[Atom]) -> list[Atom]:
    """ "Change the red to blue and the yellow to white": the verb stands for both."""
    told = list(found)
    for at in range(len(told) - 3, 2, -1):
        verb = _turning_verb(told, at) if told[at].has(Role.AND) or told[at].kind == "comma" else None
        if verb is not None:
            told[at : at + 1] = [replace(told[at], senses={Role.THEN: "then"}, kind="word"), verb]
    return told


def _turning_verb(found: Sequence[Atom], at: int) -> Atom | None:
    """The "change" before a joint with "red to blue" on both sides."""
    ends = (
        i for i in range(at + 1, len(found)) if found[i].kind in ("stop", "comma") or found[i].has(Role.AND)
    )
    after, start = found[at + 1 : next(ends, len(found))], at
    while start > 0 and not found[start].has(*_TURNING) and found[start - 1].kind != "stop":
        start -= 1
    is_both = _turns_a_color(found[start + 1 : at]) and _turns_a_color(after)
    return found[start] if is_both and found[start].has(*_TURNING) else None


_TURNING = (Role.CHANGE, Role.REPLACE)
_INTO = frozenset({"to", "into", "with", "by"})


def _turns_a_color(atoms: Sequence[Atom]) -> bool:
    """ "Red to blue", "the yellow parts with white"."""
    named = [atom for atom in atoms if not atom.has(Role.DETERMINER, Role.COLORS, Role.FILLER)]
    is_color = len(named) > 2 and named[0].has(Role.COLOR) and named[-1].has(Role.COLOR)
    return (
        is_color
        and named[-2].text in _INTO
        and all(atom.has(Role.NOUN) or atom.is_unknown for atom in named[1:-2])
    )


def _with_exceptions_last(found: Sequence[Atom]) -> list[Atom]:
    """ "Make everything but the car gray" as "make everything gray, but the car"."""
    told = list(found)
    for at in range(1, len(told)):
        is_of_all = told[at].has(Role.EXCEPT) and told[at].text.startswith(("everything ", "all "))
        if not is_of_all or not told[at - 1].has(Role.MAKE, Role.CHANGE):
            continue
        after = _after_names(told, at + 1)
        end = next((i for i in range(after, len(told)) if told[i].kind in ("stop", "comma")), len(told))
        is_change = after > at + 1 and after < end and told[after].has(Role.LOOK, Role.ADJECTIVE, Role.COLOR)
        if is_change and not any(atom.has(Role.AND, *VERBS) for atom in told[after + 1 : end]):
            everything = replace(told[at], senses={Role.PHOTO: "everything"})
            told[at:end] = [everything, *told[after:end], told[at], *told[at + 1 : after]]
    return told


def _after_names(found: Sequence[Atom], at: int) -> int:
    while at < len(found) and (found[at].has(*NAMES) or _colors_a_name(found, at)):
        at += 1
    return at


def _colors_a_name(found: Sequence[Atom], at: int) -> bool:
    return found[at].has(Role.COLOR) and at + 1 < len(found) and found[at + 1].has(Role.NOUN)


NAMES = (Role.DETERMINER, Role.NOUN, Role.PERSON, Role.SUBJECT, Role.FACE, Role.BACKGROUND)
