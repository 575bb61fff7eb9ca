"""What people say beside their wish: greetings, thanks, where the photo comes from and what it is for.

Such words are let pass only when they surely ask for nothing: a sentence that could be a wish stays, and is
refused when it is not understood.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from editor.engine.language import lexicon
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, stories

_COMMANDS = (
    *(Role.RAISE, Role.LOWER, Role.ADJUST, Role.ENHANCE, Role.MAKE, Role.CHANGE, Role.REPLACE, Role.PAINT),
    *(Role.REMOVE, Role.OUTWARD, Role.ADD, Role.USE, Role.EXTRACT, Role.CROP, Role.ROTATE, Role.FLIP),
    *(Role.RESIZE, Role.TONE, Role.UNAVAILABLE, Role.RESTORE, Role.SMOOTH, Role.STRAIGHTEN, Role.ZOOM),
    *(Role.CENTER, Role.MOVE, Role.EXTEND, Role.HIDE),
)
_ADDITIONS = (
    *(Role.BORDER, Role.VIGNETTE, Role.FRAME, Role.GRADIENT, Role.STICKER, Role.DROP_SHADOW, Role.ARROW),
    *(Role.BOKEH, Role.CUTOUT, Role.SHAPE, Role.OVERLAID, Role.WRITTEN, Role.LARGER),
)
_BLOCKING = (
    *_COMMANDS,
    *(Role.KEEP, Role.WITHOUT, Role.EXCEPT, Role.NOT, Role.NO, Role.BALANCE),
    *(Role.QUALITY, Role.ADJECTIVE, Role.COLORS, Role.CAST, Role.LOOK, Role.MORE, Role.LESS, Role.LACKING),
    *(Role.TOO, Role.COLOR, Role.RATIO, Role.MEASURE, Role.SIZE, Role.QUOTED, Role.MARKED, Role.TRANSPARENT),
    *(Role.BACKGROUND, Role.DEFECT, Role.FLAW, *_ADDITIONS),
)
"""What a wish is made of. A sentence with one of these is read."""

_DETAILS = (
    Role.QUALITY,
    Role.ADJECTIVE,
    Role.COLORS,
    Role.CAST,
    Role.LOOK,
    Role.COLOR,
    Role.BACKGROUND,
    *_ADDITIONS,
)
_NEGATIONS = (Role.NOT, Role.NO, Role.KEEP, Role.WITHOUT, Role.EXCEPT, Role.TOO, Role.LESS)

type _Span = tuple[int, int]


def quieted(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, those that only tell something made into courtesies, which no rule looks at."""
    told = [_as_a_photo(found, at) for at in range(len(found))]
    for start, end in _sentences(told):
        for first, after in _told_in(told[start:end]):
            told[start + first : start + after] = [
                _quiet(atom) for atom in told[start + first : start + after]
            ]
    return told


def _as_a_photo(found: Sequence[Atom], at: int) -> Atom:
    """ "This old photo" is the photo; "like an old photo" is a look."""
    atom = found[at]
    is_photo = atom.has(Role.LOOK) and atom.text.endswith(("photo", "photograph", "picture"))
    is_this = any(_is_the_photo(before) or before.text == "the" for before in found[max(at - 2, 0) : at])
    return replace(atom, senses={Role.PHOTO: atom.text}) if is_photo and is_this else atom


def _quiet(atom: Atom) -> Atom:
    senses = {Role.FILLER: True} | ({Role.NIGHT: True} if atom.has(Role.NIGHT) else {})
    return atom if atom.kind == "stop" else replace(atom, senses=senses, kind="word")


def _sentences(found: Sequence[Atom]) -> Iterator[_Span]:
    start = 0
    for at, atom in enumerate(found):
        if atom.kind == "stop":
            yield start, at
            start = at + 1
    yield start, len(found)


def _told_in(sentence: Sequence[Atom]) -> list[_Span]:
    """The parts of a sentence that ask for nothing."""
    if not sentence or _is_told(sentence) or _shows_a_photo(sentence):
        return [(0, len(sentence))]
    spans = [span for span in _segments(sentence) if _is_told(sentence[slice(*span)])]
    opener = _request(sentence)
    if opener and (_is_told(sentence[:opener]) or _is_a_title(sentence, opener)):
        spans.append((0, opener))
    beside = (_preludes, _descriptions, _looks, _occasions, _conditions)
    return [*spans, *(span for found in beside for span in found(sentence))]


def _is_a_title(sentence: Sequence[Atom], opener: int) -> bool:
    """ "My uncle and the dog - can someone ...": names before a question to others."""
    asks_others = bool(stories.HELPERS & set(" ".join(a.text for a in sentence[opener : opener + 2]).split()))
    return asks_others and all(atom.kind == "comma" or _is_of_a_name(atom) for atom in sentence[:opener])


def _is_of_a_name(atom: Atom) -> bool:
    is_name = atom.has(*_NAMING) or (atom.is_unknown and atom.is_capital)
    return is_name and not atom.has(*_BLOCKING, Role.PREPOSITION)


_NAMING = (Role.DETERMINER, Role.PERSON, Role.NOUN, Role.OCCASION, Role.PHOTO, Role.AND, Role.NUMBER)


def _shows_a_photo(sentence: Sequence[Atom]) -> bool:
    """ "A funny picture of my dog." tells what it shows, when nothing else is said."""
    is_led = sentence[0].text in ("a", "an", "another", "this", "my", "our", "just a", "here's a")
    photo = next((at for at, atom in enumerate(sentence[:4]) if atom.has(Role.PHOTO)), None)
    is_plain = not any(_blocks(sentence, at) or _asks(sentence, at) for at in range(len(sentence)))
    return is_led and photo is not None and is_plain and not _numbers_a_photo(sentence)


_DIVIDERS = (Role.AND, Role.BUT, Role.PURPOSE)


def _segments(sentence: Sequence[Atom]) -> Iterator[_Span]:
    """The parts between commas and joints."""
    start = 0
    for at, atom in enumerate(sentence):
        if atom.kind == "comma" or atom.has(*_DIVIDERS) or atom.text in stories.REASONS:
            yield start, at
            start = at + 1
    yield start, len(sentence)


def _request(sentence: Sequence[Atom]) -> int | None:
    """Where "can someone" or "please" stands."""
    return next((at for at in range(len(sentence)) if _asks(sentence, at)), None)


def _asks(part: Sequence[Atom], at: int) -> bool:
    """Whether a courtesy makes a wish: "could you", but not the "would" of "it would mean a lot"."""
    atom = part[at]
    words = set(atom.text.split())
    is_foretold = bool(words & stories.FORETELLING) and at > 0 and _is_a_subject(part[at - 1])
    if words & stories.WISHES and at > 0 and part[at - 1].has(Role.OCCASION):
        return False  # "my mother wants a nice picture of me"
    return atom.has(Role.FILLER) and bool(stories.REQUESTS & words) and not is_foretold


def _is_a_subject(atom: Atom) -> bool:
    """Who will be glad, and is not the one who is asked: "my mother would love it"."""
    is_named = atom.has(Role.NOUN, Role.OCCASION, Role.PERSON) or (atom.is_unknown and atom.kind == "word")
    return atom.text in stories.PRONOUNS or (is_named and atom.text not in stories.HELPERS)


def _is_told(part: Sequence[Atom]) -> bool:
    """Whether a sentence, or a part of one, surely asks for nothing."""
    telling = [atom for atom in part if atom.kind != "comma"]
    if not telling or _numbers_a_photo(telling):
        return False
    if all(atom.text in stories.HEADINGS or atom.has(Role.FILLER) for atom in telling):
        return any(atom.text in stories.HEADINGS for atom in telling)
    if any(atom.text in stories.COMPLAINING for atom in telling):
        return False
    if (
        _is_remark(telling)
        or _is_thanks(telling)
        or _is_greeting(telling)
        or _is_about_the_request(telling)
        or _is_a_plan(telling)
    ):
        return True
    places = range(len(telling))
    return not any(_asks(telling, at) or _blocks(telling, at) for at in places) and _is_declared(telling)


def _numbers_a_photo(part: Sequence[Atom]) -> bool:
    """ "This is photo 2": it says what "it" means next."""
    return any(
        (left.has(Role.PHOTO) and right.has(Role.NUMBER))
        or (left.has(Role.ORDINAL) and right.has(Role.PHOTO))
        for left, right in itertools.pairwise(part)
    )


def _is_a_plan(part: Sequence[Atom]) -> bool:
    """ "I'd like to give it to my mom", "need a profile photo": what they will do with it themselves."""
    at = next((i for i, atom in enumerate(part) if not _is_intent(atom)), len(part))
    is_theirs = bool(stories.FOR_THEMSELVES & {word for atom in part[:at] for word in atom.text.split()})
    if not is_theirs or at == len(part) or any(stories.HELPERS & set(atom.text.split()) for atom in part):
        return False
    rest = part[at + 1 :] if part[at].text in stories.OWN else part[at:]
    has_occasion = any(atom.has(Role.OCCASION) for atom in part)
    return has_occasion and not any(atom.has(*_BLOCKING) and atom.text not in stories.OWN for atom in rest)


def _is_intent(atom: Atom) -> bool:
    """The "trying to" of "trying to use it as a profile picture"."""
    return atom.has(Role.FILLER) or atom.text in stories.INTENTS


def _blocks(part: Sequence[Atom], at: int) -> bool:
    """Whether a word may be part of a wish; "edited" and "took" after "I" tell what has been done."""
    atom = part[at]
    is_detail = atom.has(*_DETAILS) and not _is_command(atom) and _is_of_somebody(part)
    if not atom.has(*_BLOCKING) or is_detail or _is_past(part, at):
        return False
    is_unable = atom.has(Role.NOT) and at + 1 < len(part) and part[at + 1].text in stories.UNABLE
    return not is_unable and not (atom.has(Role.MORE) and at + 1 < len(part) and part[at + 1].text == "than")


def _is_past(part: Sequence[Atom], at: int) -> bool:
    """ "Dad edited it": a verb in the past, with somebody before it."""
    atom = part[at]
    is_past = atom.text in stories.PAST or (atom.has(*_COMMANDS) and atom.text.endswith("ed"))
    is_passive = any(atom.has(Role.BE) for atom in part[:at]) and atom.has(Role.TONE, Role.RAISE, Role.LOWER)
    if is_passive and "by" not in [after.text for after in part[at:]]:
        return False  # "the image was darkened" tells what the edit is to do
    return is_past and at > 0 and not any(before.has(*_COMMANDS) for before in part[:at])


def _is_thanks(part: Sequence[Atom]) -> bool:
    has_thanks = any(stories.THANKS & set(atom.text.replace("!", "").split()) for atom in part)
    return has_thanks and not any(_is_wish(atom) for atom in part) and not _wants_a_thing(part)


def _wants_a_thing(part: Sequence[Atom]) -> bool:
    """ "Would love a unicorn, thanks"."""
    wants = any(stories.WANTING & set(atom.text.split()) for atom in part if atom.has(Role.FILLER))
    pairs = itertools.pairwise(part)
    named = any(left.text in ("a", "an", "the") and right.is_unknown for left, right in pairs)
    return wants and (named or any(atom.has(Role.NOUN) for atom in part))


def _is_of_somebody(part: Sequence[Atom]) -> bool:
    """ "My yellow dog died": somebody did something, so a color in it is no wish."""
    has_acted = any(_acts(atom) for atom in part)
    return has_acted and (part[0].text in stories.PEOPLE or part[0].has(Role.PERSON, Role.OCCASION))


def _acts(atom: Atom) -> bool:
    is_past = atom.text.endswith("ed") and (atom.is_unknown or atom.has(*_COMMANDS))
    return (atom.text in stories.PAST and not atom.has(Role.BE)) or is_past


def _is_command(atom: Atom) -> bool:
    return (
        atom.has(*_COMMANDS, *_NEGATIONS)
        and not atom.has(Role.FILLER, Role.MORE)
        and atom.text not in stories.PAST
    )


def _is_wish(atom: Atom) -> bool:
    return atom.has(*_BLOCKING) and not atom.has(Role.FILLER, Role.MORE) and atom.text not in stories.PAST


def _is_remark(part: Sequence[Atom]) -> bool:
    """ "First time using the site", "open to anything"."""
    told = " ".join(atom.text for atom in part)
    return told.startswith(stories.REMARKS) and not any(_is_wish(atom) for atom in part[1:])


def _is_greeting(part: Sequence[Atom]) -> bool:
    """ "Hey photoshop wizards"."""
    begins = part[0].text.split()[0] in stories.GREETINGS
    return begins and not any(_is_wish(atom) and not _is_guild(part, at) for at, atom in enumerate(part))


def _is_guild(part: Sequence[Atom], at: int) -> bool:
    """ "Photoshop wizards", "photo edit experts": the people that are asked."""
    following = part[at + 1] if at + 1 < len(part) else None
    return part[at].has(Role.ADJUST) and following is not None and following.text.endswith("s")


def _is_about_the_request(part: Sequence[Atom]) -> bool:
    """ "More info in comments"."""
    is_about = any(stories.ABOUT & set(atom.text.split()) for atom in part)
    return is_about and not any(atom.has(*_COMMANDS, *_NEGATIONS) for atom in part)


def _is_declared(part: Sequence[Atom]) -> bool:
    """ "This is my grandma", "He passed away", "Dad took it": a subject and a verb that tells."""
    opening = part[0].text
    first = 1 if opening.split()[0] in stories.OPENINGS or part[0].has(Role.PERSON) else 0
    is_named = part[0].has(Role.NOUN, Role.OCCASION, Role.PHOTO, Role.THIS, Role.IT, Role.DETERMINER)
    if opening in stories.PAST - stories.ALSO_NAMES:
        return True
    is_strange = (part[0].is_unknown and part[0].kind == "word") or part[0].has(Role.OCCASION)
    if not (first or is_named or (is_strange and len(part) > 2)):
        return False
    if any(stories.WISHES & set(atom.text.split()) for atom in part) and part[-1].has(*_SHOWN):
        return any(atom.has(Role.PHOTO) for atom in part)  # "... wants a nice picture of me"
    is_foretold = any(atom.text in ("would be", "will be") for atom in part)
    if is_foretold and any(atom.has(Role.OCCASION) for atom in part):
        return True
    return any(_tells(atom) for atom in part) or opening in stories.CONTRACTED or opening.endswith(" 's")


_SHOWN = (Role.PHOTO, Role.PERSON, Role.OCCASION)


def _tells(atom: Atom) -> bool:
    if atom.has(Role.BE) or atom.text in stories.PAST or atom.text in stories.PRESENT:
        return atom.text not in stories.SEEMING and not atom.has(Role.PLACE)
    return atom.text.endswith("ed") and (atom.is_unknown or atom.has(Role.COMMON))


def _preludes(sentence: Sequence[Atom]) -> Iterator[_Span]:
    """ "I would be very grateful if someone could ..."."""
    for at in range(1, len(sentence) - 1):
        asked = stories.HELPERS & set(sentence[at + 1].text.split())
        if sentence[at].text == "if" and asked and not any(atom.has(*_BLOCKING) for atom in sentence[:at]):
            yield 0, at + 2
            return


def _descriptions(sentence: Sequence[Atom]) -> Iterator[_Span]:
    """ "this picture of my wife", "a photo from our wedding": what the photo shows is no place in it."""
    for at in range(1, len(sentence) - 1):
        if sentence[at - 1].has(Role.PHOTO) and sentence[at].text in ("of", "from") and _is_own(sentence, at):
            after = _end_of_description(sentence, at + 1)
            if after > at + 1:
                yield at, after


def _is_own(sentence: Sequence[Atom], at: int) -> bool:
    """ "this picture of", "the picture of my": the photo itself; "the picture of the dog" may be a part."""
    first = at - 2
    while first > 0 and _describes_a_photo(sentence[first]) and not _is_the_photo(sentence[first]):
        first -= 1
    before = sentence[first] if first >= 0 else None
    is_this = before is not None and (_is_the_photo(before) or before.text == "a")
    return is_this or any(
        atom.text in ("my", "our", "me", "us", "his", "mine") for atom in sentence[at + 1 : at + 2]
    )


_OWNED = (Role.DETERMINER, Role.PERSON, Role.NOUN, Role.OCCASION)
_DESCRIBING = (
    *(Role.DETERMINER, Role.PERSON, Role.NOUN, Role.OCCASION, Role.COMMON, Role.NUMBER, Role.ORDINAL),
    *(Role.SCENE, Role.IT, Role.SUBJECT, Role.SEVERAL, Role.PREPOSITION),
)


def _end_of_description(sentence: Sequence[Atom], at: int) -> int:
    while at < len(sentence) and not _ends_a_description(sentence[at]):
        atom = sentence[at]
        joins = atom.has(Role.AND) and at + 1 < len(sentence) and sentence[at + 1].has(*_OWNED)
        if not (atom.is_unknown or atom.has(*_DESCRIBING) or atom.text in _PLAIN or joins):
            return at
        at += 1
    return at


def _ends_a_description(atom: Atom) -> bool:
    return atom.has(*_BLOCKING, Role.FILLER, Role.THEN, Role.VAGUE) and atom.text not in _PLAIN


_PLAIN = frozenset({"'s", "old", "older", "little", "great", "late"})


def _occasions(sentence: Sequence[Atom]) -> Iterator[_Span]:
    """ "for my mother's birthday", "to use as my profile picture": what the photo is for."""
    for at in range(1, len(sentence) - 1):
        if sentence[at].text not in ("for", "as", "to"):
            continue
        after = _end_of_occasion(sentence, at + 1)
        part = sentence[at + 1 : after]
        if any(atom.has(Role.OCCASION) for atom in part) and (
            sentence[at].text != "to" or part[0].text in stories.OWN
        ):
            yield at, after


def _end_of_occasion(sentence: Sequence[Atom], at: int) -> int:
    while at < len(sentence):
        atom = sentence[at]
        own = atom.text in stories.OWN
        if (
            atom.kind == "comma"
            or atom.has(Role.AND, Role.THEN, Role.BUT)
            or (atom.has(*_BLOCKING) and not own)
        ):
            return at
        at += 1
    return at


def _conditions(sentence: Sequence[Atom]) -> Iterator[_Span]:
    """ "if that's possible" at the end."""
    for at in range(1, len(sentence)):
        if sentence[at].text.split()[0] == "if" and not any(
            atom.has(*_BLOCKING) for atom in sentence[at + 1 :]
        ):
            yield at, len(sentence)
            return


def _looks(sentence: Sequence[Atom]) -> Iterator[_Span]:
    """ "this blurry old photo": what the photo is now is no place and no wish."""
    for at, atom in enumerate(sentence):
        start = at
        while start > 0 and _describes_a_photo(sentence[start - 1]):
            start -= 1
        if atom.has(Role.PHOTO) and 0 < start < at and _is_the_photo(sentence[start - 1]):
            yield start, at


def _describes_a_photo(atom: Atom) -> bool:
    is_flaw = lexicon.is_flaw(atom.text) or atom.text in ("black and white", "old", "b&w")
    plain = atom.has(Role.OCCASION, Role.COMMON, Role.VAGUE, Role.AMOUNT) or (
        atom.is_unknown and atom.kind == "word"
    )
    is_wish = atom.has(
        *_COMMANDS, Role.PREPOSITION, Role.DETERMINER, Role.BE, Role.FILLER, Role.MORE, Role.ORDINAL
    )
    return is_flaw or (plain and not is_wish) or atom.has(Role.NUMBER) or atom.text == "s"


def _is_the_photo(atom: Atom) -> bool:
    return atom.has(Role.THIS) or atom.text in ("my", "our", "these", "his", "her", "their")
