"""Wishes that are told in pieces, or without their verb, told as one: "make the car green"."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.kinds import is_plural, is_someone
from editor.engine.language.atoms import Atom, is_packing, passed_over, roles_of
from editor.engine.language.lexicon import senses_of
from editor.engine.language.lexicon.roles import VERBS, Role, Tone
from editor.engine.language.restating.extracting import EXTRACTING, plainly_extracted, wished_alone
from editor.engine.language.restating.hoping import colored
from editor.engine.language.restating.manners import plainly_told
from editor.engine.language.restating.saying import SAYING, said_at_once
from editor.engine.language.restating.styling import PRAISES, styled
from editor.engine.language.restating.supplied import renumbered
from editor.engine.language.restating.tones import reworded


def restated(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, each wish in the order of a command, with its own verb and object."""
    told = reworded(renumbered(_with_its_color(found)))
    texts = {atom.text for atom in told}
    if not texts.isdisjoint(EXTRACTING):
        told = plainly_extracted(told)
    if len(told) < _SHORT and not texts.isdisjoint(_ALONE):
        told = wished_alone(told)
    if told and told[0].text in PRAISES:
        told = styled(told)
    if not texts.isdisjoint(SAYING):
        told = said_at_once(told)
    if "it" in texts and not texts.isdisjoint(_MAKING):
        told = _made_so(told)
    if not texts.isdisjoint(_CONTENTS):
        told = [_as_detail(told, at) for at in range(len(told))]
    if Role.RAISE in roles_of(told):
        told = _once_raised(told)
    if not texts.isdisjoint(_HUES):
        told = _without_a_bare_hue(told)
    if "them" in texts or not texts.isdisjoint(_ENHANCING):
        told = _with_colors_again(told)
    told = colored(plainly_told(told))
    roles = roles_of(told)
    if Role.COLOR in roles and not roles.isdisjoint(_TURNING):
        told = _with_verbs_again(told)
    if Role.EXCEPT in roles:
        told = _with_exceptions_last(_with_people_counted(told))
    return told if texts.isdisjoint(_EMPHASIS) else _with_emphasis_apart(told)


_SHORT = 12
_ALONE = frozenset({"just", "only"})


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
            told[rest[0]] = passed_over(told[rest[0]])
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
        elif atom.has_any(_NAMED):
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


def _as_detail(found: Sequence[Atom], at: int) -> Atom:
    """The things of "bring out the things in the background": what is to be seen more clearly there."""
    before = [atom for atom in found[max(at - 2, 0) : at] if not atom.has(Role.DETERMINER)]
    brings = bool(before) and before[-1].text in ("bring out", "bringing out")
    following = found[at + 1 : at + 4]
    is_there = any(atom.has(Role.BACKGROUND) for atom in following) and following[0].text in ("in", "of")
    if found[at].text in _CONTENTS and brings and is_there:
        return replace(found[at], text="details", senses={Role.QUALITY: Tone("sharpness", 1)})
    return found[at]


_CONTENTS = frozenset({"things", "objects", "items", "elements"})


def _once_raised(found: Sequence[Atom]) -> list[Atom]:
    """ "Add a yellow tint and increase slightly" as "add a yellow tint slightly": the second verb has no
    object but what was just named."""
    told = list(found)
    for at in range(2, len(told) - 1):
        rest = [atom for atom in told[at + 1 : at + 4] if not atom.has(Role.IT)]
        is_last = len(rest) == 1 or any(atom.kind == "stop" for atom in rest[1:2])
        is_led = told[at].has(Role.RAISE) and told[at - 1].has(Role.AND)
        is_raised = is_led and any(atom.has(Role.AMOUNT) for atom in rest[:1])
        if is_raised and is_last and told[at - 2].has(Role.CAST, Role.QUALITY, Role.COLOR):
            end = at + 1 + told[at + 1].has(Role.IT)
            told[at - 1 : end] = [passed_over(atom) for atom in told[at - 1 : end]]
    return told


def _without_a_bare_hue(found: Sequence[Atom]) -> list[Atom]:
    """ "Add hue, make it more colorful": the second wish tells what the first leaves open."""
    told = list(found)
    tones = [atom.senses.get(role) for atom in told for role in (Role.ADJECTIVE, Role.QUALITY)]
    if not any(isinstance(tone, Tone) and tone == Tone("saturation", 1) for tone in tones):
        return told
    for at in range(1, len(told)):
        opens = told[at - 1].has(Role.ADD) and (at == 1 or told[at - 2].kind in ("stop", "comma"))
        closes = told[at].text in _HUES and (at + 1 == len(told) or told[at + 1].kind in ("stop", "comma"))
        if opens and closes:
            told[at - 1 : at + 1] = [passed_over(atom) for atom in told[at - 1 : at + 1]]
    return told


_HUES = frozenset({"hue", "hues"})


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
    takes_away = not _TAKING_AWAY.isdisjoint(roles_of(told))
    for at in range(1, len(told) * takes_away):
        in_brackets = told[at].text == "("
        pointed = _pointed(told, at + 1, in_brackets=in_brackets) if _opens(told[at]) else None
        verb = _last_verb(told, at) if pointed else None
        if pointed is None or verb is None or not told[verb].has_any(_TAKING_AWAY):
            continue
        if not _agrees(told[at + 1], told[verb:at]):
            continue
        after, end = pointed
        last = max(i for i in range(verb, at) if not is_packing(told[i]))
        is_someone = any(atom.has(Role.PERSON, Role.SEEN) for atom in told[verb:at])
        if is_someone and not any(atom.kind == "stop" for atom in told[verb:last]):
            told[last + 1 : after] = [passed_over(atom) for atom in told[last + 1 : after]]
            told[end : end + in_brackets] = [passed_over(atom) for atom in told[end : end + in_brackets]]
    return told


def _agrees(pronoun: Atom, named: Sequence[Atom]) -> bool:
    """Not "she" of a man, or "they" of one woman."""
    names = [str(atom.senses[Role.SEEN]) for atom in named if atom.has(Role.SEEN)]
    said = pronoun.text.split("'")[0].strip()
    if said == "they":
        return not names or any(map(is_plural, names))
    others = {"he": ("woman", "lady", "girl"), "she": ("man", "guy", "boy")}.get(said, ())
    return not any(name in others for name in names)


_TAKING_AWAY = frozenset({Role.REMOVE, Role.OUTWARD})


def _opens(atom: Atom) -> bool:
    return atom.kind == "stop" or atom.text == "("


def _last_verb(told: Sequence[Atom], end: int) -> int | None:
    verbs = (at for at in range(end - 1, -1, -1) if told[at].has_any(VERBS) and not told[at].has(Role.FILLER))
    return next(verbs, None)


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


def _with_emphasis_apart(found: Sequence[Atom]) -> list[Atom]:
    """ "Brighten the photo, especially the baby" as "brighten the photo, then brighten the baby", "make it
    sharper, especially the face" as "..., then make the face sharper"."""
    told = list(found)
    at = next((i for i, atom in enumerate(told) if atom.text in _EMPHASIS), 0)
    if not at:
        return told
    start = next((i + 1 for i in range(at - 1, -1, -1) if told[i].kind == "stop"), 0)
    whole = next((i for i in range(start, at) if told[i].has(Role.PHOTO)), 0)
    end = next((i for i in range(at + 1, len(told)) if told[i].kind in ("stop", "comma")), len(told))
    part, how, first = told[at + 1 : end], told[whole + 1 : at], whole
    while first > start and told[first - 1].has(*_OF_THE_PHOTO):
        first -= 1
    verb, grades = told[start:first], [atom for atom in how if atom.kind != "comma"]
    part = part[1:] if part and part[0].text == "in" and whole else part
    is_part = bool(part) and not part[0].has(Role.PREPOSITION)
    is_part = is_part and all(atom.has(*NAMES, Role.PREPOSITION, Role.PLACE, Role.COLOR) for atom in part)
    is_graded = not grades or (_makes(verb) and all(atom.has(*_GRADED) for atom in grades))
    if whole and is_part and is_graded:
        told[at:end] = [replace(told[at], senses={Role.THEN: "then"}), *verb, *part, *grades]
    return told


def _makes(atoms: Sequence[Atom]) -> bool:
    telling = [atom for atom in atoms if not atom.has(Role.FILLER)]
    return len(telling) == 1 and telling[0].has(Role.MAKE)


_OF_THE_PHOTO = (Role.DETERMINER, Role.THIS, Role.WHOLE, Role.OCCASION, Role.FILLER)
_GRADED = (Role.ADJECTIVE, Role.MORE, Role.LESS, Role.AMOUNT, Role.AND)
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
    if not _turns_a_color(found[at + 1 : next(ends, len(found))]):
        return None
    start = at
    while start > 0 and not found[start].has_any(_TURNING) and found[start - 1].kind != "stop":
        start -= 1
    is_turned = found[start].has_any(_TURNING) and _turns_a_color(found[start + 1 : at])
    return found[start] if is_turned else None


_TURNING = (Role.CHANGE, Role.REPLACE)
_INTO = frozenset({"to", "into", "with", "by"})


def _turns_a_color(atoms: Sequence[Atom]) -> bool:
    """ "Red to blue", "the yellow parts with white"."""
    named = [atom for atom in atoms if not atom.has(Role.DETERMINER, Role.COLORS, Role.FILLER, Role.WHOLE)]
    is_color = len(named) > 2 and named[0].has(Role.COLOR) and named[-1].has(Role.COLOR)
    return (
        is_color
        and named[-2].text in _INTO
        and all(atom.has(Role.NOUN) or atom.is_unknown for atom in named[1:-2])
    )


def _with_people_counted(found: Sequence[Atom]) -> list[Atom]:
    """ "Everyone but the two in front", "except the two of us" with the "people" that are counted; "us" are
    whom the photo is of, in front of the others."""
    told = list(found)
    if not any(is_someone(str(atom.senses.get(Role.SEEN, ""))) for atom in told):
        return told
    for at in range(len(told) - 2, 0, -1):
        before = next((atom for atom in reversed(told[:at]) if not atom.has(Role.DETERMINER)), None)
        is_kept = before is not None and before.has(Role.EXCEPT)
        is_counted = told[at].has(Role.NUMBER) and told[at].text not in ("one", "1")
        if not (is_kept and is_counted and told[at + 1].text in ("of", *_WHERE)):
            continue
        place = told[at].end
        told.insert(at + 1, Atom("people", place, place, senses_of(("people",)) or {}))
        if [atom.text for atom in told[at + 2 : at + 4]] == ["of", "us"]:
            told[at + 2] = replace(told[at + 2], text="in", senses={Role.PREPOSITION: "in"})
            told[at + 3] = replace(told[at + 3], text="front", senses=senses_of(("front",)) or {})
    return told


_WHERE = ("in", "on", "at")


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
    while at < len(found) and (found[at].has_any(NAMES) or _colors_a_name(found, at)):
        at += 1
    return at


def _colors_a_name(found: Sequence[Atom], at: int) -> bool:
    return found[at].has(Role.COLOR) and at + 1 < len(found) and found[at + 1].has(Role.NOUN)


NAMES = (Role.DETERMINER, Role.NOUN, Role.PERSON, Role.SUBJECT, Role.FACE, Role.BACKGROUND)
