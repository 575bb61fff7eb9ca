"""Wishes told loosely: "make blue the dominant color", "most of the red", "warmer as opposed to cooler".

Each becomes the plain wish that the rules read; what only explains or compares is passed over.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom, Measure, passed_over
from editor.engine.language.lexicon import senses_of
from editor.engine.language.lexicon.roles import VERBS, Role

_DOMINANT = frozenset({"dominant", "predominant", "predominating", "prevailing", "dominating"})
_ALMOST = frozenset({"almost", "nearly", "mostly"})
_EXAMPLES = frozenset({"ex", "e.g", "eg", "e"})
_DENIED = frozenset({"opposed", "rather than", "instead of"})
_PAUSES = frozenset({"...", "..", "…"})
_SHOWING = frozenset({"to show", "to have", "to get"})
_SPOILING = frozenset({"affecting", "ruining", "degrading"})
_PALETTE = frozenset({"palette", "pallet", "pallette"})
_AS_IT_IS = "as it is"
SMALL = (Role.DETERMINER, Role.FILLER)
OF_ALL = (Role.PHOTO, Role.IT, Role.THIS)
_TONED = (Role.QUALITY, Role.ADJECTIVE, Role.COLORS, Role.CAST, Role.COLOR, Role.LOOK)


type Rules = Sequence[tuple[frozenset[str], Callable[[list[Atom], int], list[Atom]]]]
"""Each rule, and the words of which one stands where it finds something."""


def tightened(found: Sequence[Atom], rules: Rules) -> list[Atom]:
    """The atoms, each loose wish that the rules know as a plain one."""
    told, texts = list(found), {atom.text for atom in found}
    for words, rule in rules:
        for at in range(len(told) - 1, -1, -1) if not words.isdisjoint(texts) else ():
            if at < len(told) and told[at].text in words:
                told = rule(told, at)
    return told


def end_of_part(told: Sequence[Atom], at: int) -> int:
    """Where the part ends that the atom stands in."""
    ends = (i for i in range(at + 1, len(told)) if parts(told[i]))
    return next(ends, len(told))


def start_of_part(told: Sequence[Atom], at: int) -> int:
    start = next((i + 1 for i in range(at - 1, -1, -1) if parts(told[i])), 0)
    while start < at and told[start].has(Role.FILLER):
        start += 1
    return start


def end_of_verb(told: Sequence[Atom], at: int) -> int:
    ends = (i for i in range(at + 1, len(told)) if parts(told[i]) or told[i].has(Role.AND))
    return next(ends, len(told))


def parts(atom: Atom) -> bool:
    return atom.kind in ("stop", "comma") or atom.has(Role.THEN, Role.BUT)


def _dominated(told: list[Atom], at: int) -> list[Atom]:
    """ "Make blue the dominant color" as "make the photo much bluer"."""
    before, last = told[max(at - 3, 0) : at], at + 1
    last += any(atom.is_unknown for atom in told[last : last + 1])  # "the dominant shader color"
    end = last + 1 if any(atom.has(Role.COLORS, Role.CAST) for atom in told[last : last + 1]) else 0
    is_made = len(before) == 3 and before[0].has(Role.MAKE) and before[1].has(Role.COLOR)
    if not (end and is_made and end_of_part(told, at) == end):
        return told
    photo = replace(before[2], text="photo", senses={Role.PHOTO: "photo"})
    much = replace(told[at], text="much", senses={Role.AMOUNT: 0.65})
    more = replace(told[at + 1], text="more", senses={Role.MORE: "more"})
    return [*told[: at - 2], photo, much, more, before[1], *told[end:]]


def _most_of_it(told: list[Atom], at: int) -> list[Atom]:
    """ "Remove most of the red" as "remove a lot of the red"; the verb again behind an "and"."""
    named = [atom for atom in told[at + 2 : at + 4] if not atom.has(Role.DETERMINER)]
    of = told[at + 1 : at + 2]
    if not (of and of[0].text == "of" and named and named[0].has(Role.COLOR, Role.CAST, Role.QUALITY)):
        return told
    much = replace(told[at], end=of[0].end, text="a lot of", senses={Role.AMOUNT: 0.65})
    verb = told[at - 3 : at - 2] if at > 2 and told[at - 1].has(Role.AND) else []
    if verb and verb[0].has(Role.REMOVE, Role.LOWER):
        then = replace(told[at - 1], senses={Role.THEN: "then"})
        return [*told[: at - 1], then, *verb, much, *told[at + 2 :]]
    return [*told[:at], much, *told[at + 2 :]]


def _by_degrees(told: list[Atom], at: int) -> list[Atom]:
    """ "Almost black and white" as "black and white at 80%"."""
    look = told[at + 1 : at + 2]
    if not (look and look[0].senses.get(Role.LOOK) in _IN_PART):
        return told
    nearly = replace(told[at], text="80 percent", senses={Role.MEASURE: Measure(80.0, "percent")})
    on = replace(told[at], text="at", senses={Role.PREPOSITION: "at"})
    comma = [Atom(",", told[at].start, told[at].start, {}, "comma")] * told[at - 1].has(Role.ADJECTIVE)
    return [*told[:at], *comma, look[0], on, nearly, *told[at + 2 :]]


_IN_PART = ("black_and_white", "sepia")


def _without_the_other(told: list[Atom], at: int) -> list[Atom]:
    """ "Warmer as opposed to cooler" as "warmer"."""
    end = end_of_part(told, at)
    first = at - (told[at].text == "opposed")
    rest = [atom for atom in told[at + 1 : end] if not atom.has(*SMALL)]
    denied = [atom for atom in rest if atom.text != "to"]
    is_told = any(atom.has(Role.ADJECTIVE) for atom in told[start_of_part(told, at) : first])
    if is_told and len(denied) == 1 and denied[0].has(Role.ADJECTIVE) and not denied[0].has(Role.NOUN):
        told[first:end] = map(passed_over, told[first:end])
    return told


def _as_in_daylight(told: list[Atom], at: int) -> list[Atom]:
    """ "Remove the purple lighting as if it was taken in natural light" without what it is to be like."""
    end = end_of_part(told, at)
    rest = told[at + 1 : end]
    is_plain = all(atom.has(*_LIT) or atom.text in _TAKEN for atom in rest)
    is_toned = any(atom.has(Role.COLOR, Role.CAST) for atom in told[start_of_part(told, at) : at])
    is_like = at > 1 and told[at - 1].text == "as"
    if is_like and is_toned and is_plain and rest and rest[-1].text in _DAYLIGHT:
        told[at - 1 : end] = map(passed_over, told[at - 1 : end])
    return told


_LIT = (Role.PHOTO, Role.IT, Role.THIS, Role.BE, Role.PREPOSITION, *SMALL)
_DAYLIGHT = frozenset({"natural light", "natural lighting", "daylight", "sunlight", "normal light"})
_TAKEN = frozenset({"taken", "shot", "were", "was"}) | _DAYLIGHT


def _of_the_photo(told: list[Atom], at: int) -> list[Atom]:
    """ "Remove the red from the palette" as "... from the photo"."""
    before = told[max(at - 3, 0) : at]
    leads = len(before) == 3 and before[2].has(Role.DETERMINER) and before[1].text in ("from", "in", "of")
    if leads and before[0].has(Role.COLOR, Role.CAST):
        told[at] = replace(told[at], senses={Role.PHOTO: "palette"})
    return told


def _till_it_is_so(told: list[Atom], at: int) -> list[Atom]:
    """ "Remove yellow until the desired tint is reached"."""
    rest = told[at + 1 : end_of_part(told, at)]
    if rest and rest[-1].text in _REACHED and not any(atom.has(Role.COLOR, *VERBS) for atom in rest[:-3]):
        told[at : at + 1 + len(rest)] = map(passed_over, told[at : at + 1 + len(rest)])
    return told


_REACHED = frozenset({"reached", "achieved", "obtained"})


def _without_examples(told: list[Atom], at: int) -> list[Atom]:
    """ "More vibrant colors (e.g. a whiter shirt)" without its examples, "[not urgent]" without a tag."""
    closing = _CLOSING[told[at].text]
    end = next((i for i in range(at + 1, len(told)) if told[i].text == closing), 0)
    inside = told[at + 1 : end]
    is_example = bool(inside) and inside[0].text in _EXAMPLES
    is_tag = at == 0 and closing == "]" and 0 < len(inside) < 4
    blocking = VERBS if is_example else (*VERBS, *_TONED, Role.BACKGROUND)
    is_plain = not any(atom.has(*blocking) and not atom.has(Role.ADJECTIVE) for atom in inside)
    if (is_example and is_plain) or (is_tag and not any(atom.has(*blocking) for atom in inside)):
        told[at : end + 1] = map(passed_over, told[at : end + 1])
    return told


_CLOSING = {"(": ")", "[": "]"}


def _without_a_pause(told: list[Atom], at: int) -> list[Atom]:
    """ "Make it look... better"."""
    before, after = told[max(at - 1, 0) : at], told[at + 1 : at + 2]
    leads = any(atom.text in _PAUSED or atom.has(Role.AMOUNT) for atom in before)
    if leads and any(atom.has(Role.VAGUE, Role.ADJECTIVE, Role.MORE) for atom in after):
        told[at] = passed_over(told[at])
        told[at - 1] = passed_over(told[at - 1]) if told[at - 1].text in ("look", "looks") else told[at - 1]
    return told


_PAUSED = frozenset({"look", "looks", "more", "less", "be"})


def _set_right(told: list[Atom], at: int) -> list[Atom]:
    """ "Get the right light" as "adjust the light"."""
    named = told[at + 1 : at + 2]
    first = at - 1 - any(atom.has(Role.DETERMINER) for atom in told[max(at - 1, 0) : at])
    gets = first >= 0 and told[first].text in _GETTING
    if gets and named and named[0].has(Role.QUALITY, Role.COLORS, Role.CAST):
        told[first] = replace(told[first], text="adjust", senses={Role.ADJUST: "adjust"})
        told[at] = passed_over(told[at])
    return told


_GETTING = frozenset({"get", "getting", "find", "achieve", "have"})


def _with_more_of_it(told: list[Atom], at: int) -> list[Atom]:
    """ "Change the image to show a little less color" as "a little less color"; "adjust the light to show
    more clarity" as both."""
    rest = [atom for atom in told[at + 1 : end_of_part(told, at)] if not atom.has(*SMALL)]
    start = start_of_part(told, at)
    first = [atom for atom in told[start:at] if not atom.has(*SMALL)]
    grades = [atom for atom in rest[:-1] if atom.has(Role.AMOUNT, Role.MORE, Role.LESS)]
    is_graded = any(atom.text.endswith(("more", "less")) for atom in grades) and len(grades) == len(rest) - 1
    if not (is_graded and first and rest[-1].has(Role.COLORS, Role.QUALITY)):
        return told
    by = next((i for i in range(start + 1, at) if told[i].text in _BY), 0)
    if by and told[by + 1].has(Role.ADJUST) and all(a.has(Role.ADJUST, Role.PHOTO) for a in told[start:by]):
        told[start : by + 1] = map(passed_over, told[start : by + 1])
    if first[0].has(Role.CHANGE, Role.ADJUST) and all(a.has(Role.PHOTO, Role.THIS) for a in first[1:]):
        told[start : at + 1] = map(passed_over, told[start : at + 1])
    elif all(atom.has(Role.ADJUST, Role.QUALITY, Role.PHOTO) or atom.text in _BY for atom in first):
        told[at] = replace(told[at], text="then", senses={Role.THEN: "then"}, kind="word")
    return told


_BY = frozenset({"with", "by"})


def _adjusted(told: list[Atom], at: int) -> list[Atom]:
    """ "Change the contrast and color of the photo" as "adjust ...": which way, it does not say."""
    end = next((i for i in range(at, len(told)) if told[i].kind == "stop"), len(told))
    rest = [atom for atom in told[at + 1 : end] if not atom.has(*SMALL)]
    qualities = [atom for atom in rest if atom.has(Role.QUALITY) and atom.text in _SET]
    is_open = all(atom in qualities or atom.has(*_OPEN) or atom.text in _OF for atom in rest)
    if told[at].has(Role.CHANGE) and qualities and is_open:
        told[at] = replace(told[at], text="adjust", senses={Role.ADJUST: "adjust"})
    return told


_SET = frozenset({"contrast", "brightness", "lighting", "exposure", "saturation", "light", "lightning"})
_OPEN = (Role.COLORS, Role.PHOTO, Role.WHOLE, Role.THIS, Role.AND)
_OF = frozenset({"of", "in", "on", "or"})


def _one_of_two(told: list[Atom], at: int) -> list[Atom]:
    """ "Adjust the contrast or saturation", "add a warm or dimmer light": of two qualities the first."""
    two = (*told[max(at - 1, 0) : at], *told[at + 1 : at + 2])
    before = told[start_of_part(told, at) : at]
    is_set = [atom.text in _SET for atom in two] == [True, True]
    is_set = is_set and any(atom.has(Role.ADJUST, Role.RAISE, Role.LOWER) for atom in before)
    is_light = [atom.has(Role.ADJECTIVE) for atom in two] == [True, True] and any(
        a.has(Role.ADD) for a in before[:1]
    )
    if is_set or (is_light and [atom.text in _SET for atom in told[at + 2 : at + 3]] == [True]):
        told[at : at + 2] = map(passed_over, told[at : at + 2])
    return told


def _enhanced_into(told: list[Atom], at: int) -> list[Atom]:
    """ "Enhance for a vivid photo" as "make it a vivid photo"."""
    rest = told[at + 1 : next((i for i in range(at, len(told)) if told[i].kind == "stop"), len(told))]
    is_led = at > 0 and told[at - 1].has(Role.ENHANCE, Role.ADJUST) and start_of_part(told, at) == at - 1
    named = [atom for atom in rest if not atom.has(*SMALL) and atom.kind != "comma"]
    is_photo = len(named) > 1 and named[-1].has(Role.PHOTO) and rest[0].text == "a"
    if is_led and is_photo and all(atom.has(Role.ADJECTIVE, Role.AND) for atom in named[:-1]):
        told[at - 1] = replace(told[at - 1], text="make", senses={Role.MAKE: "make"})
        told[at] = replace(told[at], text="it", senses={Role.IT: "it"})
    return told


def _because_it_is(told: list[Atom], at: int) -> list[Atom]:
    """ "Make it clearer as it is grainy" as "make it clearer. It is grainy"."""
    rest = [
        atom for atom in told[at + 1 : end_of_part(told, at)] if not atom.has(*SMALL, Role.TOO, Role.AMOUNT)
    ]
    if at and rest and rest[0].has(Role.ADJECTIVE) and all(atom.has(Role.ADJECTIVE) for atom in rest):
        told[at] = replace(told[at], text="it is", senses={Role.IT: "it", Role.BE: "is"})
        told.insert(at, Atom(".", told[at].start, told[at].start, {}, "stop"))
    return told


def _without_harm(told: list[Atom], at: int) -> list[Atom]:
    """The "affecting print quality" of "it is grainy affecting print quality"."""
    end = end_of_part(told, at)
    if at and told[at - 1].has(Role.ADJECTIVE) and not any(atom.has_any(VERBS) for atom in told[at:end]):
        told[at:end] = map(passed_over, told[at:end])
    return told


def _for_its_own_sake(told: list[Atom], at: int) -> list[Atom]:
    """ "Remove the red tint for a more natural look" without what that brings; of "... natural brown tone" a
    little brown."""
    end = end_of_part(told, at)
    rest = [atom for atom in told[at + 1 : end] if not atom.has(*SMALL)]
    before = told[start_of_part(told, at) : at]
    is_cast = before and before[0].has(Role.REMOVE, Role.LOWER) and any(a.has(Role.COLOR) for a in before)
    if not is_cast or not rest or rest[0].text not in _NATURAL or not all(map(_is_a_finish, rest[1:])):
        return told
    color = [atom for atom in rest if atom.has(Role.COLOR)]
    told[at:end] = map(passed_over, told[at:end])
    if len(color) == 1:
        here = replace(told[at], text="then", senses={Role.THEN: "then"})
        little = replace(here, text="a little", senses={Role.AMOUNT: 0.2})
        more = replace(here, text="more", senses={Role.MORE: "more"})
        told[at:end] = [here, little, more, *color]
    return told


_NATURAL = frozenset({"natural", "more natural", "a natural", "realistic", "more realistic", "normal"})


def _is_a_finish(atom: Atom) -> bool:
    """The "look" of "a natural look", the "brown color grade" of "a natural brown color grade"."""
    return atom.has(Role.COLOR, Role.CAST, Role.EFFECT, Role.COLORS) or atom.text in _FINISHES


_FINISHES = frozenset({"color grade", "grade", "look", "feel", "finish", "appearance"})


def _all_in_a_color(told: list[Atom], at: int) -> list[Atom]:
    """ "Change the entire color to red" as "change the hue of the photo to red"."""
    part = [atom for atom in told[at:] if not atom.has(*SMALL)]
    is_all = len(part) > 4 and part[1].has(Role.WHOLE) and part[2].has(Role.COLORS) and part[3].text == "to"
    if is_all and part[4].has(Role.COLOR) and (len(part) == 5 or part[5].kind == "stop"):
        hue = replace(part[2], text="hue", senses={Role.CAST: "hue"})
        return [hue if a is part[2] else a for a in told if a is not part[1]]
    return told


def _edited_to(told: list[Atom], at: int) -> list[Atom]:
    """ "The pictures are to be edited to bring up the brightness" as "bring up the brightness"."""
    before = [atom for atom in told[start_of_part(told, at) : at] if not atom.has(*SMALL, Role.THIS, Role.BE)]
    after = told[at + 1 : at + 3]
    leads = len(after) == 2 and after[0].text == "to" and after[1].has(Role.RAISE, Role.LOWER, Role.TONE)
    if before and leads and all(atom.has(Role.PHOTO) for atom in before):
        told[start_of_part(told, at) : at + 2] = map(passed_over, told[start_of_part(told, at) : at + 2])
    return told


_EDITED = frozenset({"edited", "altered", "adjusted"})


def _of_the_filter(told: list[Atom], at: int) -> list[Atom]:
    """ "Raise the contrast of the filter": of the photo."""
    of = at - 2 if told[at - 1].has(Role.DETERMINER) else at - 1
    if of > 0 and told[of].text == "of" and told[of - 1].has(Role.QUALITY):
        told[at] = replace(told[at], senses={Role.PHOTO: "filter"})
    return told


def _so_as_to_be_natural(told: list[Atom], at: int) -> list[Atom]:
    """The "to naturalize the color" of "tint it red to naturalize the color"."""
    end = end_of_part(told, at)
    is_reason = at > 1 and told[at - 1].text == "to" and any(a.has(*_TONED) for a in told[: at - 1])
    if is_reason and all(atom.has(Role.COLORS, Role.CAST, *OF_ALL, *SMALL) for atom in told[at + 1 : end]):
        told[at - 1 : end] = map(passed_over, told[at - 1 : end])
    return told


_NATURALIZING = frozenset({"naturalize", "naturalise", "normalize", "normalise", "balance"})


def _less_faded(told: list[Atom], at: int) -> list[Atom]:
    """ "Recolor the photo so it does not look faded" as "make it less faded"."""
    so = next((i for i in range(at, len(told)) if told[i].has(Role.PURPOSE)), at)
    rest = [atom for atom in told[so + 1 : end_of_part(told, so)] if not atom.has(*SMALL, Role.IT)]
    is_open = so > at and all(atom.has(*OF_ALL, *SMALL) for atom in told[at + 1 : so])
    if is_open and len(rest) == 2 and rest[0].has(Role.NOT) and rest[1].has(Role.ADJECTIVE):
        make = replace(told[at], text="make", senses={Role.MAKE: "make"})
        less = replace(rest[0], text="less", senses={Role.LESS: "less"})
        passed = map(passed_over, (atom for atom in told[so : end_of_part(told, so)] if atom not in rest))
        return [*told[:at], make, *told[at + 1 : so], *passed, less, rest[1], *told[end_of_part(told, so) :]]
    return told


_RECOLORING = frozenset({"recolor", "recolour", "retouch"})


def said_in_quotes(found: Sequence[Atom]) -> list[Atom]:
    """ "Can you "polish" this photo": a verb in quotation marks before the photo is no text."""
    told = list(found)
    for at in range(len(told) - 1):
        if not told[at].has(Role.QUOTED) or not told[at + 1].has(*OF_ALL, Role.DETERMINER):
            continue
        word = str(told[at].senses[Role.QUOTED]).lower()
        senses = senses_of((word,)) or {}
        is_led = all(atom.has(Role.FILLER) for atom in told[start_of_part(told, at) : at])
        if is_led and {Role.ENHANCE, Role.TONE}.intersection(senses):
            told[at] = replace(told[at], text=word, senses=senses, kind="word")
    return told


def _as_it_should_be(told: list[Atom], at: int) -> list[Atom]:
    """ "Make it look as best as possible"."""
    if at and told[at - 1].text.endswith("look"):
        told[at] = replace(told[at], senses={Role.VAGUE: told[at].text})
        told[at - 1] = passed_over(told[at - 1]) if told[at - 1].text == "look" else told[at - 1]
    return told


def _made_to_look(told: list[Atom], at: int) -> list[Atom]:
    """ "Just to make it look good", a sentence of its own that tells why."""
    is_own = at == start_of_part(told, at) and at > 0 and any(a.has_any(VERBS) for a in told[:at])
    if is_own and all(a.has(Role.FILLER, Role.VAGUE) for a in told[at + 1 : end_of_part(told, at)]):
        told[at : end_of_part(told, at)] = map(passed_over, told[at : end_of_part(told, at)])
    return told


_TO_MAKE = frozenset({"to make it look", "to make this look"})


def _without_memories(told: list[Atom], at: int) -> list[Atom]:
    """The "and it brings back memories" of "it is too dark and it brings back memories"."""
    joints = (i for i in range(at - 1, 0, -1) if told[i].has(Role.AND, Role.BUT) or parts(told[i]))
    joint = next(joints, 0)
    brings = [atom for atom in told[joint + 1 : at] if atom.text.startswith(("bring", "brought"))]
    if joint and brings and told[joint + 1].has(*OF_ALL):
        end = end_of_part(told, at)
        told[joint:end] = map(passed_over, told[joint:end])
    return told


def _softened(told: list[Atom], at: int) -> list[Atom]:
    """ "Soften up the photo", unlike "soften up the skin"."""
    part = [
        atom
        for atom in told[start_of_part(told, at) : end_of_verb(told, at)]
        if not atom.has(*SMALL, Role.BE)
    ]
    if all(atom is told[at] or atom.has(Role.AMOUNT, *OF_ALL) for atom in part) and len(part) > 1:
        text = told[at].text.removesuffix(" up")
        told[at] = replace(told[at], text=text, senses=senses_of((text,)) or {})
    return told


def _what_looks_so(told: list[Atom], at: int) -> list[Atom]:
    """ "Remove the effect that looks like fog" as "remove the fog"."""
    first = at
    while first > 0 and (told[first - 1].text in _LOOKING or told[first - 1].has(Role.EFFECT, *SMALL)):
        first -= 1
    takes = 0 < first < at and told[first - 1].has(Role.REMOVE, Role.LOWER)
    if takes and any(atom.has(Role.QUALITY) and not atom.has(Role.NOUN) for atom in told[at + 1 : at + 2]):
        told[first : at + 1] = map(passed_over, told[first : at + 1])
    return told


_LOOKING = frozenset({"look", "looks", "looking", "what", "that", "which", "seems"})


RULES: Rules = (
    (frozenset({"like"}), _what_looks_so),
    (_DOMINANT, _dominated),
    (frozenset({"most"}), _most_of_it),
    (_ALMOST, _by_degrees),
    (_DENIED, _without_the_other),
    (frozenset({"if"}), _as_in_daylight),
    (_PALETTE, _of_the_photo),
    (frozenset({"until"}), _till_it_is_so),
    (frozenset(_CLOSING), _without_examples),
    (_PAUSES, _without_a_pause),
    (frozenset({"right"}), _set_right),
    (_SHOWING, _with_more_of_it),
    (frozenset({"change"}), _adjusted),
    (frozenset({"or"}), _one_of_two),
    (frozenset({"for"}), _enhanced_into),
    (frozenset({"for"}), _for_its_own_sake),
    (frozenset({"change"}), _all_in_a_color),
    (_EDITED, _edited_to),
    (frozenset({"filter"}), _of_the_filter),
    (_NATURALIZING, _so_as_to_be_natural),
    (_RECOLORING, _less_faded),
    (frozenset({"as best as possible"}), _as_it_should_be),
    (_TO_MAKE, _made_to_look),
    (frozenset({"memories"}), _without_memories),
    (frozenset({"soften up", "softened up"}), _softened),
    (_SPOILING, _without_harm),
    (frozenset({_AS_IT_IS}), _because_it_is),
)
WORDS: frozenset[str] = frozenset().union(*(words for words, _ in RULES))
"""One of these stands where `RULES` find something."""
