"""What people say beside their wish: greetings, thanks, where the photo comes from and what it is for.

Such words are let pass only when they surely ask for nothing: a sentence that could be a wish stays, and is
refused when it is not understood.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from editor.engine.language import lexicon
from editor.engine.language.asides import ADDITIONS, BLOCKING, Span, asides, is_the_photo
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import stories
from editor.engine.language.lexicon.roles import VERBS, Role
from editor.engine.language.lexicon.seen import HAIR_COLORS
from editor.engine.language.remarks import (
    NEGATIONS,
    after_what_is_liked,
    is_a_remark,
    is_inability,
    is_to_be_used,
    is_what_is_left,
)
from editor.engine.language.restating import told_of_once

_DETAILS = (
    Role.QUALITY,
    Role.ADJECTIVE,
    Role.COLORS,
    Role.CAST,
    Role.LOOK,
    Role.COLOR,
    Role.BACKGROUND,
    *ADDITIONS,
)


def quieted(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, those that only tell something made into courtesies, which no rule looks at."""
    found = told_of_once(found)
    told = [_as_a_photo(found, at) if Role.LOOK in atom.senses else atom for at, atom in enumerate(found)]
    is_led_to = False
    for start, end in _sentences(told):
        liked = after_what_is_liked(told[start:end])
        told[start : start + liked] = map(_quiet, told[start : start + liked])
        sentence = told[start:end]
        if is_inability(sentence, [*told[:start], *told[end:]]) or is_what_is_left(sentence, told[:start]):
            told[start:end] = map(_quiet, sentence)
            continue
        is_heading = not is_led_to and _is_heading(sentence)
        is_title = is_heading and (_is_of_an_occasion(sentence) or _is_followed(told[end:]))
        for first, after in [(0, len(sentence))] if is_title else _told_in(sentence):
            told[start + first : start + after] = [
                _quiet(atom) for atom in told[start + first : start + after]
            ]
        is_led_to = is_led_to or any(not is_silent(atom) for atom in told[start:end])
    return told_of_once(told)


def is_silent(atom: Atom) -> bool:
    return atom.kind in ("stop", "comma") or atom.has(Role.FILLER)


def _is_heading(sentence: Sequence[Atom]) -> bool:
    """ "Golf team logo." before any wish: a name alone, of which nothing is said."""
    telling = [atom for atom in sentence if atom.kind != "comma"]
    is_name = bool(telling) and (
        _is_named(telling[0]) or (telling[0].has(Role.COMMON) and _is_named(telling[-1]))
    )
    is_named = any(atom.has(Role.OCCASION, Role.PHOTO, Role.PERSON) for atom in telling)
    is_name = is_named or (is_name and telling[0].text not in ("a", "an", "some"))  # "A dragon."
    is_name = is_name and telling[0].text not in _POINTING
    if not is_name:
        return False
    is_sign = telling[-1].has(Role.WRITTEN)  # "Golf team logo."
    is_plain = not any(
        (_blocks(telling, at) and not (is_sign and atom is telling[-1])) or _asks(telling, at)
        for at, atom in enumerate(telling)
    )
    return is_plain and not _numbers_a_photo(telling) and not _complains(telling)


def _is_of_an_occasion(sentence: Sequence[Atom]) -> bool:
    """ "My daughter's christening.": nobody who could be meant next."""
    is_occasion = sentence[-1].has(Role.OCCASION) and not sentence[-1].has(Role.SEEN, Role.PERSON, Role.PHOTO)
    return is_occasion and any(atom.text == "'s" for atom in sentence)


def _is_named(atom: Atom) -> bool:
    return atom.has(*_NAMING, Role.SCENE)


_POINTING = frozenset({"the", "that", "those", "these", "this", "and", "&"})  # "The dog. Blur it."


def _is_followed(rest: Sequence[Atom]) -> bool:
    """Whether somebody is asked after it, for more than to "fix" or "remove" what was named."""
    sentences = (rest[slice(*span)] for span in _sentences(rest))
    return any(
        _request(sentence) is not None and any(atom.has_any(_PARTS) for atom in sentence)
        for sentence in sentences
    )


_PARTS = (Role.PHOTO, Role.BACKGROUND, Role.NOUN, Role.PERSON, Role.FACE, Role.SUBJECT)


def _as_a_photo(found: Sequence[Atom], at: int) -> Atom:
    """ "This old photo" is the photo; "like an old photo" is a look."""
    atom = found[at]
    if not atom.text.endswith(("photo", "photograph", "picture")):
        return atom
    is_this = any(is_the_photo(before) or before.text == "the" for before in found[max(at - 2, 0) : at])
    return replace(atom, senses={Role.PHOTO: atom.text}) if is_this else atom


def _quiet(atom: Atom) -> Atom:
    senses = {Role.FILLER: True} | ({Role.NIGHT: True} if atom.has(Role.NIGHT) else {})
    return atom if atom.kind == "stop" else replace(atom, senses=senses, kind="word")


def _sentences(found: Sequence[Atom]) -> Iterator[Span]:
    start = 0
    for at, atom in enumerate(found):
        if atom.kind == "stop":
            yield start, at
            start = at + 1
    yield start, len(found)


def _told_in(sentence: Sequence[Atom]) -> list[Span]:
    """The parts of a sentence that ask for nothing."""
    if not sentence or _asks_nothing(sentence):
        return [(0, len(sentence))]
    parts = [span for span in _segments(sentence) if span != (0, len(sentence))]
    spans = [span for span in parts if _is_told(sentence[slice(*span)]) and not _is_a_crop(sentence, span)]
    spans += [right for left, right in itertools.pairwise(parts) if _goes_on(sentence, left, right)]
    for first, after in parts:
        if is_inability(sentence[first:after], sentence[:first]):
            spans.append((first, after))
    opener = _request(sentence)
    if opener and is_inability(sentence[:opener], sentence[opener:]):
        spans.append((0, opener))
    if opener and (_asks_nothing(sentence[:opener]) or _is_a_title(sentence, opener)):
        spans.append((0, opener))
    return [*spans, *asides(sentence)]


def _is_a_crop(sentence: Sequence[Atom], part: Span) -> bool:
    """ "Crop it so that the man is on the left": where he is not yet."""
    before = sentence[: part[0]]
    is_led = bool(before) and before[-1].has(Role.PURPOSE) and any(atom.has(Role.CROP) for atom in before)
    return is_led and any(atom.has(Role.PLACE) for atom in sentence[slice(*part)])


def _goes_on(sentence: Sequence[Atom], told: Span, span: Span) -> bool:
    """The rest of "I sent this before but put the wrong one up": what they did themselves."""
    before, part = sentence[slice(*told)], sentence[slice(*span)]
    if len(before) < 2 or before[0].text not in stories.SOMEBODY or before[1].text not in stories.PAST:
        return False
    is_past = bool(part) and part[0].text in stories.PAST and sentence[span[0] - 1].has(Role.BUT, Role.AND)
    is_past = is_past and not any(atom.text in ("a", "an") or atom.has(Role.PERSON) for atom in part)
    return is_past and _is_told(before) and not any(_asks(part, at) for at in range(len(part)))


def _asks_nothing(part: Sequence[Atom]) -> bool:
    return _is_told(part) or _shows_a_photo(part) or _tells_of_somebody(part)


def _is_a_title(sentence: Sequence[Atom], opener: int) -> bool:
    """ "My uncle and the dog - can someone ...": names before a question to others."""
    asks_others = bool(stories.HELPERS & set(" ".join(a.text for a in sentence[opener : opener + 2]).split()))
    is_apart = sentence[opener - 1].kind == "comma" and opener + 1 < len(sentence)
    return (asks_others or is_apart) and all(
        atom.kind == "comma" or _is_of_a_name(atom) for atom in sentence[:opener]
    )


def _is_of_a_name(atom: Atom) -> bool:
    is_name = atom.has_any(_NAMING) or (atom.is_unknown and atom.is_capital) or atom.text == "'s"
    return is_name and not atom.has(*BLOCKING, Role.PREPOSITION)


_NAMING = (Role.DETERMINER, Role.PERSON, Role.NOUN, Role.OCCASION, Role.PHOTO, Role.AND, Role.NUMBER)


def _shows_a_photo(sentence: Sequence[Atom]) -> bool:
    """ "A funny picture of my dog." tells what it shows, when nothing else is said."""
    photo = next((at for at, atom in enumerate(sentence[:6]) if Role.PHOTO in atom.senses), None)
    is_of = photo == 0 and len(sentence) > 1 and sentence[1].text in ("of", "from", "is of", "with", "taken")
    if photo is None or not (is_of or sentence[0].text in _SHOWING):
        return False
    is_plain = not any(
        (_blocks(sentence, at) and not (at < photo and sentence[at].text in stories.PLEASING))
        or _asks(sentence, at)
        for at in range(len(sentence))
    )
    return is_plain and not _numbers_a_photo(sentence)


_SHOWING = frozenset({"a", "an", "another", "this", "my", "our", "just a", "here's a"})
_SHOWING |= {"old", "found", "only", "last", "final"}


def _tells_of_somebody(sentence: Sequence[Atom]) -> bool:
    """ "Two years ago we lost our house": somebody and what they did, later in the sentence too."""
    does = any(
        _tells(right) or right.text in stories.PAST
        for left, right in itertools.pairwise(sentence)
        if left.text in stories.SOMEBODY
    )
    if not does:
        return False
    is_plain = not any(_blocks(sentence, at) or _asks(sentence, at) for at in range(len(sentence)))
    is_more = sentence[0].has(Role.AND, Role.THEN) or sentence[0].text in stories.ADDING
    is_more = is_more or any(
        0 < start < end and sentence[start].has_any(VERBS) for start, end in _segments(sentence)
    )
    return is_plain and not is_more and not _complains(sentence) and not _numbers_a_photo(sentence)


_DIVIDERS = frozenset({Role.AND, Role.BUT, Role.PURPOSE})


def _segments(sentence: Sequence[Atom]) -> Iterator[Span]:
    """The parts between commas and joints."""
    start = 0
    for at, atom in enumerate(sentence):
        if not _DIVIDERS.isdisjoint(atom.senses) or atom.kind == "comma" or atom.text in stories.REASONS:
            yield start, at
            start = at + 1
    yield start, len(sentence)


def _request(sentence: Sequence[Atom]) -> int | None:
    """Where "can someone" or "please" stands."""
    return next((at for at in range(len(sentence)) if _asks(sentence, at)), None)


def _asks(part: Sequence[Atom], at: int) -> bool:
    """Whether a courtesy makes a wish: "could you", but not the "would" of "it would mean a lot"."""
    atom = part[at]
    if Role.FILLER not in atom.senses:
        return False
    words = set(atom.text.split())
    if words.isdisjoint(stories.REQUESTS):
        return False
    is_foretold = bool(words & stories.FORETELLING) and at > 0 and _is_a_subject(part[at - 1])
    if words & stories.WISHES and at > 0 and part[at - 1].has(Role.OCCASION):
        return False  # "my mother wants a nice picture of me"
    return not is_foretold


def _is_a_subject(atom: Atom) -> bool:
    """Who will be glad, and is not the one who is asked: "my mother would love it"."""
    is_named = atom.has(Role.NOUN, Role.OCCASION, Role.PERSON) or (atom.is_unknown and atom.kind == "word")
    return atom.text in stories.PRONOUNS or (is_named and atom.text not in stories.HELPERS)


def _is_told(part: Sequence[Atom]) -> bool:
    """Whether a sentence, or a part of one, surely asks for nothing."""
    telling = [atom for atom in part if atom.kind != "comma"]
    if not telling or _does(telling[0]) or _numbers_a_photo(telling):
        return False
    if all(atom.text in stories.HEADINGS or atom.has(Role.FILLER) for atom in telling):
        return any(atom.text in stories.HEADINGS and not atom.has(Role.LARGER) for atom in telling)
    if _complains(telling):
        return is_to_be_used(telling)
    if is_a_remark(telling) or is_to_be_used(telling):
        return True
    places = range(len(telling))
    return not any(_asks(telling, at) or _blocks(telling, at) for at in places) and _is_declared(telling)


def _does(opening: Atom) -> bool:
    return opening.has_any(_DEEDS) and not opening.has(Role.FILLER) and not _acts(opening)


_DEEDS = (Role.TONE, Role.RAISE, Role.LOWER, Role.REMOVE, Role.CROP, Role.ROTATE, Role.FLIP, Role.REPLACE)
"""Verbs that open no story."""


def _complains(part: Sequence[Atom]) -> bool:
    """ "That woman ruined it"; "we got photobombed" names nobody."""
    complains = not stories.COMPLAINING.isdisjoint([atom.text for atom in part])
    return complains and any(
        atom.text not in _NOBODY | stories.COMPLAINING for atom in part if atom.kind != "comma"
    )


_NOBODY = stories.SOMEBODY | stories.PAST | {"just", "really", "totally"}


def _numbers_a_photo(part: Sequence[Atom]) -> bool:
    """ "This is photo 2": it says what "it" means next."""
    photos = [at for at, atom in enumerate(part) if Role.PHOTO in atom.senses]
    return bool(photos) and any(
        any(atom.has(Role.NUMBER) for atom in part[at + 1 : at + 2])
        or (at > 0 and part[at - 1].has(Role.ORDINAL) and not _is_the_last_of_somebody(part, at - 1))
        for at in photos
    )


def _is_the_last_of_somebody(part: Sequence[Atom], at: int) -> bool:
    """ "My aunt's final portrait", "last picture with my aunt": of her life, and not of those supplied."""
    is_last = part[at].text in ("last", "final", "first")
    is_owned = at > 0 and part[at - 1].text == "'s"
    return is_last and (is_owned or any(atom.text in ("with", "of") for atom in part[at + 2 : at + 3]))


def _blocks(part: Sequence[Atom], at: int) -> bool:
    """Whether a word may be part of a wish; "edited" and "took" after "I" tell what has been done."""
    atom = part[at]
    if not atom.has_any(BLOCKING):
        return atom.text in HAIR_COLORS and part[0].has(Role.IT)  # "it is back to blonde"
    is_thing = atom.text in stories.ALSO_THINGS and any(
        a.has(Role.DETERMINER) for a in part[max(at - 2, 0) : at]
    )
    if is_thing:
        return False
    is_detail = atom.has_any(_DETAILS) and not _is_command(atom) and _is_of_somebody(part)
    is_detail = is_detail and not _faults_the_photo(part, at)
    is_detail = is_detail or (atom.has(Role.COLOR) and any(itertools.starmap(_was, itertools.pairwise(part))))
    is_detail = is_detail or (atom.has(Role.LARGER) and not _is_command(atom) and any(_acts(a) for a in part))
    if is_detail or _is_past(part, at):
        return False
    if (
        atom.text in stories.OUTWARD
        and at > 0
        and (part[at - 1].is_unknown or part[at - 1].text in stories.PAST)
    ):
        return False  # "she stepped up"
    is_unable = atom.has(Role.NOT) and at + 1 < len(part) and part[at + 1].text in stories.UNABLE
    return not is_unable and not (atom.has(Role.MORE) and at + 1 < len(part) and part[at + 1].text == "than")


def _faults_the_photo(part: Sequence[Atom], at: int) -> bool:
    """ "I met her but the picture was so blurry": that is to be mended."""
    told = [atom for atom in part[:at] if not atom.has(Role.FILLER, Role.AMOUNT)][-2:]
    is_said = [atom.has(role) for atom, role in zip(told, (Role.PHOTO, Role.BE), strict=False)] == [True] * 2
    return is_said and lexicon.is_flaw(part[at].text)


def _was(somebody: Atom, verb: Atom) -> bool:
    """ "He was in the navy"."""
    return somebody.text in stories.SOMEBODY and verb.text in ("was", "were")


def _is_past(part: Sequence[Atom], at: int) -> bool:
    """ "Dad edited it": a verb in the past, with somebody before it."""
    atom = part[at]
    is_past = atom.text in stories.PAST or (atom.has_any(VERBS) and atom.text.endswith("ed"))
    is_past = is_past or (atom.has_any(VERBS) and _is_done_by_somebody(part, at))
    is_passive = any(atom.has(Role.BE) for atom in part[:at]) and atom.has(Role.TONE, Role.RAISE, Role.LOWER)
    if is_passive and "by" not in [after.text for after in part[at:]]:
        return False  # "the image was darkened" tells what the edit is to do
    is_led = at > 0 and not part[at - 1].has(Role.AND, Role.BUT)
    adds = (
        atom.has(Role.ADD)
        and not is_led
        and any(after.text in ("a", "an") for after in part[at + 1 : at + 2])
    )
    return is_past and at > 0 and not adds and not any(before.has_any(VERBS) for before in part[:at])


def _is_done_by_somebody(part: Sequence[Atom], at: int) -> bool:
    """The "zoomed in" of "I have zoomed in quite far"."""
    doers = [atom.text for atom in part[max(at - 2, 0) : at] if atom.text not in ("have", "had", "just")]
    return part[at].text.split()[0].endswith("ed") and bool(doers) and doers[-1] in stories.SOMEBODY


def _is_of_somebody(part: Sequence[Atom]) -> bool:
    """ "My yellow dog died": somebody did something, so a color in it is no wish."""
    has_acted = any(_acts(atom) for atom in part)
    is_somebody = part[0].text in stories.PEOPLE or part[0].has(Role.PERSON, Role.OCCASION)
    return has_acted and (is_somebody or part[0].text in stories.PAST - stories.ALSO_NAMES)


def _acts(atom: Atom) -> bool:
    is_past = atom.text.endswith("ed") and (atom.is_unknown or atom.has_any(VERBS))
    return (atom.text in stories.PAST and not atom.has(Role.BE)) or is_past


def _is_command(atom: Atom) -> bool:
    return (
        atom.has(*VERBS, *NEGATIONS)
        and not atom.has(Role.FILLER, Role.MORE)
        and atom.text not in stories.PAST
    )


def _is_declared(part: Sequence[Atom]) -> bool:
    """ "This is my grandma", "He passed away", "Dad took it": a subject and a verb that tells."""
    opening = part[0].text
    first = 1 if opening.split()[0] in stories.OPENINGS or part[0].has(Role.PERSON) else 0
    is_named = part[0].has(Role.NOUN, Role.OCCASION, Role.PHOTO, Role.THIS, Role.IT, Role.DETERMINER)
    if opening in stories.PAST - stories.ALSO_NAMES or any(atom.text in _DYING for atom in part):
        return True
    is_strange = (part[0].is_unknown and part[0].kind == "word") or part[0].has(Role.OCCASION)
    if not (first or is_named or (is_strange and len(part) > 2)):
        return False
    if any(stories.WISHES & set(atom.text.split()) for atom in part) and part[-1].has_any(_SHOWN):
        return any(atom.has(Role.PHOTO) for atom in part)  # "... wants a nice picture of me"
    is_foretold = any(atom.text in ("would be", "will be") for atom in part)
    if is_foretold and any(atom.has(Role.OCCASION) for atom in part):
        return True
    tells = _is_fondness(part) or any(_tells(atom) and not _is_named_so(part, atom) for atom in part)
    return tells or opening in stories.CONTRACTED or opening.endswith(" 's")


_DYING = frozenset({"died", "passed"})


def _is_named_so(part: Sequence[Atom], atom: Atom) -> bool:
    """ "The shed", "a bed" are no verbs."""
    pairs = itertools.pairwise(part)
    return atom.text.endswith("ed") and any(
        right is atom and left.has(Role.DETERMINER) for left, right in pairs
    )


def _is_fondness(part: Sequence[Atom]) -> bool:
    """ "My dad would love it", and not "... would love a boat"."""
    at = next((i for i, atom in enumerate(part) if atom.text in ("would love", "will love")), len(part))
    loved = part[at + 1 : at + 2]
    is_plain = not any(atom.has(Role.PREPOSITION) for atom in part[at + 1 :])
    return is_plain and any(atom.has(Role.IT, Role.THIS) or atom.text == "you" for atom in loved)


_SHOWN = (Role.PHOTO, Role.PERSON, Role.OCCASION)


def _tells(atom: Atom) -> bool:
    if atom.has(Role.BE) or atom.text in stories.PAST or atom.text in stories.PRESENT:
        return atom.text not in stories.SEEMING and not atom.has(Role.PLACE)
    return atom.text.endswith("ed") and (atom.is_unknown or atom.has(Role.COMMON))
