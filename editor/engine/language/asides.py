"""Parts of a sentence that ask for nothing: who is asked, what the photo shows, and what it is for."""

from collections.abc import Iterator, Sequence

from editor.engine.language import lexicon
from editor.engine.language.grammar import Atom, roles_of
from editor.engine.language.lexicon import stories
from editor.engine.language.lexicon.roles import VERBS, Role

ADDITIONS = (
    *(Role.BORDER, Role.VIGNETTE, Role.FRAME, Role.GRADIENT, Role.STICKER, Role.DROP_SHADOW, Role.ARROW),
    *(Role.BOKEH, Role.CUTOUT, Role.SHAPE, Role.OVERLAID, Role.WRITTEN, Role.LARGER),
)
BLOCKING = frozenset(
    {
        *VERBS,
        *(Role.KEEP, Role.WITHOUT, Role.EXCEPT, Role.NOT, Role.NO, Role.BALANCE),
        *(
            Role.QUALITY,
            Role.ADJECTIVE,
            Role.COLORS,
            Role.CAST,
            Role.LOOK,
            Role.MORE,
            Role.LESS,
            Role.LACKING,
        ),
        *(
            Role.TOO,
            Role.COLOR,
            Role.RATIO,
            Role.MEASURE,
            Role.SIZE,
            Role.PRINT,
            Role.QUOTED,
            Role.MARKED,
            Role.TRANSPARENT,
        ),
        *(Role.BACKGROUND, Role.DEFECT, Role.FLAW, Role.STRAIGHTEN, Role.FILE, *ADDITIONS),
    }
)
"""What a wish is made of. A sentence with one of these is read."""
type Span = tuple[int, int]


def asides(sentence: Sequence[Atom]) -> Iterator[Span]:
    """The parts of a sentence that stand beside its wish."""
    told: set[str] = set(" ".join([atom.text for atom in sentence]).split())
    told |= roles_of(sentence)
    for triggers, found in _FINDERS:
        if not triggers.isdisjoint(told):
            yield from found(sentence)


def _preludes(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "I would be very grateful if someone could ..."."""
    for at in range(1, len(sentence) - 1):
        if not sentence[at].text.startswith("if"):
            continue
        words = " ".join(atom.text for atom in sentence[at : at + 2]).split()
        asks = words[0] == "if" and bool(stories.HELPERS & set(words))
        if asks and not any(_is_more(atom, sentence[:at]) for atom in sentence[:at]):
            yield 0, at + (2 if sentence[at].text == "if" else 1)
            return


def _products(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "I'm making a birthday card, please crop ...": what the photo goes into."""
    first = next((at for at, atom in enumerate(sentence) if not atom.has(Role.FILLER)), 0)
    lead = first
    first += 2 * (sentence[lead].text == "trying" and lead + 2 < len(sentence))  # "trying to make an album"
    produces = sentence[first].text in _PRODUCING or (first > lead and sentence[first].text in _PRODUCED)
    if not produces or (lead and "i" not in sentence[lead - 1].text[:1]):
        return
    comma = next((at for at, atom in enumerate(sentence) if at > first and atom.kind == "comma"), None)
    after = comma if comma is not None else len(sentence) if first else 0
    name = sentence[first + 1 : after]
    is_new = bool(name) and name[0].text in ("a", "an", "some", "my", "our")
    if is_new and not any(atom.has(*BLOCKING, Role.FORMAT, Role.COLLAGE, Role.PHOTO) for atom in name):
        yield 0, after


_PRODUCING = frozenset({"making", "creating", "designing", "building"})
_PRODUCED = frozenset({"make", "create", "design", "build"})


def _is_more(atom: Atom, told: Sequence[Atom]) -> bool:
    """Whether it may be of a wish; the "make" of "it would make her smile if you could" is not."""
    is_glad = atom.has(Role.MAKE) and any(other.text in stories.GLAD for other in told)
    return atom.has_any(BLOCKING) and not is_glad and atom.text not in stories.COINS


def _rewards(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "A coffee for whoever makes ...", "gold for the one who can ..."."""
    for at in range(1, len(sentence) - 1):
        is_one = sentence[at].text == "whoever" or (
            sentence[at].text.endswith("who can") and sentence[at].has(Role.FILLER)
        )
        if is_one and _is_asked(sentence, at + 1):
            if not any(_is_more(atom, ()) for atom in sentence[:at]):
                yield 0, at + 1
            return


def _helpers(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "Could one of you lovely magicians please crop ...": who is asked stands before what is to be done."""
    for at in range(len(sentence) - 1):
        most = 3 if sentence[at].text.endswith("of you") else 1 if sentence[at].text.endswith("you") else 0
        after = at + 1
        while after <= at + most and after < len(sentence) and _may_be_a_guild(sentence[after]):
            after += 1
        named = [atom.text for atom in sentence[at + 1 : after] if not atom.has(Role.FILLER)]
        if named and named[-1].endswith(("s", "people", "folk")) and _is_asked(sentence, after):
            yield at + 1, after


def _may_be_a_guild(atom: Atom) -> bool:
    is_kind = atom.has(Role.VAGUE, Role.COMMON, Role.FILLER) and not atom.has(Role.NOUN, *VERBS)
    return atom.kind == "word" and (atom.is_unknown or is_kind)


def _is_asked(sentence: Sequence[Atom], at: int) -> bool:
    verb = next((atom for atom in sentence[at:] if not atom.has(Role.FILLER)), None)
    return verb is not None and verb.has_any(VERBS) and not verb.has(Role.NOUN)


def _descriptions(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "this picture of my wife", "the photo I took of the lake": what a photo shows is no place in it."""
    for at in range(1, len(sentence) - 1):
        if sentence[at].text == "of" and _follows_its_quality(sentence, at):
            yield at, _end_of_description(sentence, at + 1)
        if sentence[at - 1].has(Role.PHOTO):
            after = _after_taken(sentence, at)
            if after < len(sentence) and sentence[after].text in ("of", "from"):
                end = _end_of_description(sentence, after + 1)
                is_description = end > after + 1 and (after > at or _is_own(sentence, at))
                after = end if is_description else after
            if after > at:
                yield at, after


def _follows_its_quality(sentence: Sequence[Atom], of: int) -> bool:
    """ "Make this photo brighter of my mother": the "of" belongs to the photo, and not to the quality."""
    at = of - 1
    while at > 0 and sentence[at].has(Role.ADJECTIVE, Role.AND, Role.MORE, Role.AMOUNT):
        at -= 1
    is_told = at < of - 1 and sentence[of - 1].has(Role.ADJECTIVE) and not sentence[of - 1].has(Role.QUALITY)
    is_own = sentence[of + 1].text in ("my", "our", "me", "us")
    return is_told and is_own and at > 0 and sentence[at].has(Role.PHOTO) and is_the_photo(sentence[at - 1])


def _after_taken(sentence: Sequence[Atom], at: int) -> int:
    """Where "I took" of "this picture I took" ends."""
    took = sentence[at].text in stories.SOMEBODY and sentence[at + 1].text in stories.PAST
    return at + 2 if took else at


def _is_own(sentence: Sequence[Atom], at: int) -> bool:
    """ "this picture of", "the picture of my": the photo itself; "the picture of the dog" may be a part."""
    first = at - 2
    while first > 0 and _describes_a_photo(sentence[first]) and not is_the_photo(sentence[first]):
        first -= 1
    before = sentence[first] if first >= 0 else None
    is_this = before is not None and (is_the_photo(before) or before.text == "a")
    return is_this or any(
        atom.text in ("my", "our", "me", "us", "his", "mine") for atom in sentence[at + 1 : at + 2]
    )


_OWNED = (Role.DETERMINER, Role.PERSON, Role.NOUN, Role.OCCASION)
_DESCRIBING = (
    *(Role.DETERMINER, Role.PERSON, Role.NOUN, Role.OCCASION, Role.COMMON, Role.NUMBER, Role.ORDINAL),
    *(Role.SCENE, Role.IT, Role.SUBJECT, Role.SEVERAL, Role.PREPOSITION),
)


def _end_of_description(sentence: Sequence[Atom], at: int) -> int:
    while at < len(sentence) and (_is_told_of(sentence, at) or not _ends_a_description(sentence[at])):
        atom = sentence[at]
        joins = _is_told_of(sentence, at) or (
            atom.has(Role.AND)
            and at + 1 < len(sentence)
            and (sentence[at + 1].has_any(_OWNED) or _is_a_self(sentence, at + 1))
        )
        if not (atom.is_unknown or atom.has_any(_DESCRIBING) or atom.text in _PLAIN or joins):
            return at
        at += 1
    return at


def _is_told_of(sentence: Sequence[Atom], at: int) -> bool:
    """ "Our first date", "my dog looking at us", "the best day of my life"."""
    before, after = sentence[at - 1], sentence[at + 1 : at + 2]
    if sentence[at].text == "date":
        return before.has(Role.ORDINAL)
    if sentence[at].text == "looking":
        return any(atom.text == "at" for atom in after)
    is_best = sentence[at].text == "the best" and any(atom.text in stories.GLAD for atom in after)
    return is_best or (sentence[at].text == "life" and before.text in _OWN_LIFE) or _is_a_self(sentence, at)


_OWN_LIFE = frozenset({"my", "our", "her", "his", "their"})


def _is_a_self(sentence: Sequence[Atom], at: int) -> bool:
    """The "I" of "my brother and I"."""
    return sentence[at].text in ("i", "me", "myself") and sentence[at - 1].has(Role.AND)


def _ends_a_description(atom: Atom) -> bool:
    return atom.has(*BLOCKING, Role.FILLER, Role.THEN, Role.VAGUE) and atom.text not in _PLAIN


_PLAIN = frozenset({"'s", "old", "older", "little", "great", "late"})


def _occasions(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "for my mother's birthday", "to use as my profile picture": what the photo is for."""
    if not any(atom.has_any(USED_FOR) for atom in sentence):
        return
    shapes = any(map(_shapes, sentence))
    for at in (at for at in range(1, len(sentence) - 1) if sentence[at].text in ("for", "as", "to")):
        if sentence[at].text == "to" and sentence[at + 1].text not in stories.OWN:
            continue
        after = _end_of_occasion(sentence, at + 1)
        shapes = shapes or any("wallpaper" in atom.text for atom in sentence[:at])
        roles = (Role.OCCASION,) if shapes else USED_FOR
        if any(atom.has_any(roles) for atom in sentence[at + 1 : after]):
            yield at, after


USED_FOR = (Role.OCCASION, Role.FORMAT)


def _shapes(atom: Atom) -> bool:
    """ "Crop it for a profile picture": the use says what shape it is to have."""
    return atom.has(Role.CROP, Role.RESIZE, Role.EXTEND) or atom.text in ("fit", "fits", "suitable", "size")


def _uses(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "so I can print it out and frame it": what they will do with it themselves."""
    for at in range(1, len(sentence) - 1):
        if sentence[at].text not in stories.FOR_OWN_USE:
            continue
        after = next((i for i in range(at + 1, len(sentence)) if _ends_a_use(sentence, i)), len(sentence))
        use = sentence[at + 1 : after]
        is_named = any(atom.text in stories.OWN or atom.has_any(USED_FOR) for atom in use)
        if is_named and not any(_shapes(atom) for atom in sentence[:after]) and not any(map(_says_how, use)):
            yield at, after


def _ends_a_use(sentence: Sequence[Atom], at: int) -> bool:
    """Where the next part begins, unless they do something more themselves: "... and frame it"."""
    atom = sentence[at]
    if atom.has(Role.AND) and not atom.has(Role.LOOK):
        return at + 1 == len(sentence) or sentence[at + 1].text not in stories.OWN
    return atom.kind == "comma" or atom.has(Role.THEN, Role.BUT)


def _says_how(atom: Atom) -> bool:
    """The "in black and white" of "so I can print it in black and white" is a wish."""
    is_wish = atom.has_any(BLOCKING) and atom.text not in stories.OWN | stories.OUTWARD
    return is_wish or atom.text in stories.COMPLAINING


def _foregrounds(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "The background behind the two men in orange": whoever is before it, it is the background."""
    for at in range(1, len(sentence) - 1):
        if sentence[at].text in ("behind", "around") and sentence[at - 1].has(Role.BACKGROUND):
            places = range(at + 1, len(sentence))
            after = next((i for i in places if not _is_before(sentence, i)), len(sentence))
            if after == len(sentence) or sentence[after].has(Role.AND) or sentence[after].kind == "comma":
                yield at, after


def _is_before(sentence: Sequence[Atom], at: int) -> bool:
    """Whether a word is of the name; the "gray" of "behind the man gray" is a wish."""
    atom, following = sentence[at], sentence[at + 1 : at + 2]
    is_worn = atom.has(Role.COLOR) and (
        sentence[at - 1].text == "in" or any(after.has(Role.NOUN) for after in following)
    )
    named = (Role.DETERMINER, Role.PERSON, Role.SUBJECT, Role.NUMBER, Role.NOUN)
    return is_worn or atom.has_any(named) or atom.text in ("in", "with", "on")


def _end_of_occasion(sentence: Sequence[Atom], at: int) -> int:
    while at < len(sentence):
        atom = sentence[at]
        own = atom.text in stories.OWN
        if (
            atom.kind == "comma"
            or atom.has(Role.AND, Role.THEN, Role.BUT)
            or (atom.has_any(BLOCKING) and not own)
        ):
            return at
        at += 1
    return at


def _conditions(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "if that's possible" at the end, of nothing else."""
    for at in range(1, len(sentence)):
        if sentence[at].text.split()[0] == "if":
            rest = sentence[at + 1 :]
            names_more = sentence[at].text == "if possible" and any(_is_a_part(atom) for atom in rest)
            if not names_more and not any(atom.has_any(BLOCKING) for atom in rest):
                yield at, len(sentence)
                return


def _permissions(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "... - you can change the background if that's easier": allowed, and not wished for."""
    texts = [atom.text for atom in sentence]
    if "if" not in texts or "easier" not in texts[texts.index("if") :]:
        return
    end = texts.index("if")
    starts = [at for at in range(1, end) if sentence[at].kind == "comma"]
    start = max(starts, default=-1) + 1
    if any(text.split()[-1] in ("can", "may") for text in texts[start : start + 2]):
        yield start, len(sentence)


def _is_a_part(atom: Atom) -> bool:
    """The dog of "and, if possible, the dog": something else that is wished for."""
    return atom.has(Role.NOUN, Role.PERSON, Role.FACE)


def _looks(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "this blurry old photo": what the photo is now is no place and no wish."""
    for at in (at for at, atom in enumerate(sentence) if atom.has(Role.PHOTO)):
        start = at - 1 if at > 1 and _names_what_it_shows(sentence[at - 1]) else at
        while start > 0 and _describes_a_photo(sentence[start - 1]):
            start -= 1
        if 0 < start < at and is_the_photo(sentence[start - 1]) and not _is_to_be_mended(sentence, start, at):
            yield start, at


def _is_to_be_mended(sentence: Sequence[Atom], start: int, at: int) -> bool:
    """The "overexposed" of "fix this overexposed photo"."""
    verb = sentence[start - 2] if start > 1 else None
    is_fixed = verb is not None and verb.has(Role.ADJUST) and verb.text.startswith(("fix", "correct"))
    return (
        is_fixed
        and "old" not in sentence[at].text
        and all(lexicon.is_flaw(atom.text) for atom in sentence[start:at])
    )


def _names_what_it_shows(atom: Atom) -> bool:
    """ "This old puppy photo"."""
    is_plain = not atom.has(*BLOCKING, Role.PREPOSITION, Role.AND, Role.BE, Role.FINDABLE, Role.SUBJECT)
    return atom.has(Role.NOUN) and not atom.has(Role.PHOTO) and is_plain


def _describes_a_photo(atom: Atom) -> bool:
    is_flaw = lexicon.is_flaw(atom.text) or atom.text in ("black and white", "old", "b&w")
    plain = atom.has(Role.OCCASION, Role.COMMON, Role.VAGUE, Role.AMOUNT) or (
        atom.is_unknown and atom.kind == "word"
    )
    is_wish = atom.has(
        *VERBS, Role.PREPOSITION, Role.DETERMINER, Role.BE, Role.FILLER, Role.MORE, Role.ORDINAL
    )
    return is_flaw or (plain and not is_wish) or atom.has(Role.NUMBER) or atom.text in ("s", "'s", "only")


def is_the_photo(atom: Atom) -> bool:
    return atom.has(Role.THIS) or atom.text in ("my", "our", "these", "his", "her", "their")


def _undone(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "... without cropping it", "... while not changing its dimensions": what no other wish does anyway."""
    for at in (at for at in range(2, len(sentence) - 1) if _denies(sentence[at])):
        others = (i for i in range(at + 1, len(sentence)) if not _is_of_its_shape(sentence[i]))
        after = next(others, len(sentence))
        after -= sentence[after - 1].has(Role.AND)
        is_whole = after == len(sentence) or sentence[after].kind == "comma"
        is_whole = is_whole or sentence[after].has(Role.AND, Role.BUT)
        if is_whole and any(_says_shape(atom) for atom in sentence[at + 1 : after]):
            wishes = [*sentence[:at], *sentence[after:]]
            if not any(atom.has_any(_FITTED) and not atom.text.endswith("ing") for atom in sentence) and (
                not any(atom.has(Role.FORMAT) for atom in wishes) or any(atom.has(*_LOOKS) for atom in wishes)
            ):
                yield at - sentence[at - 1].has(Role.THEN), after
            return


def _denies(atom: Atom) -> bool:
    return atom.text in ("without", "not") or atom.has(Role.WITHOUT)


def _former_colors(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "Make the scales white instead of red": the old color says no more than the new one."""
    at = next((i for i, atom in enumerate(sentence) if atom.text in stories.INSTEAD), 0)
    others = (i for i in range(at + 1, len(sentence)) if not _is_a_color(sentence[i]))
    after = next(others, len(sentence))
    is_last = after == len(sentence) or sentence[after].kind == "comma"
    before = sentence[:at]
    named = any(atom.has(Role.COLOR) for atom in before)
    if after > at + 1 and is_last and named and not any(atom.has(Role.MORE, Role.LESS) for atom in before):
        yield at, after


def _is_a_color(atom: Atom) -> bool:
    return atom.has(Role.COLOR, Role.DETERMINER, Role.COLORS, Role.AND)


def _is_of_its_shape(atom: Atom) -> bool:
    small = (Role.PHOTO, Role.IT, Role.AMOUNT, Role.TOO, Role.DETERMINER, Role.AND, Role.PREPOSITION)
    return _says_shape(atom) or atom.has_any(small) or atom.text in ("changing", "any", "way")


def _says_shape(atom: Atom) -> bool:
    return atom.has_any(_SHAPING) or atom.text in stories.SHAPE


_SHAPING = (Role.CROP, Role.RESIZE, Role.EXTEND, Role.STRETCH, Role.RATIO, Role.SIZE, Role.ZOOM)
_FITTED = (*_SHAPING, Role.PRINT)
_LOOKS = (Role.TONE, Role.ADJECTIVE, Role.ENHANCE, Role.REMOVE, Role.QUALITY)
"""What is changed "for an instagram post"; "make it an instagram post" needs another shape."""


def _aims(sentence: Sequence[Atom]) -> Iterator[Span]:
    """ "... for improved quality", "... for a crisp look", at the end."""
    at = max((i for i, atom in enumerate(sentence) if atom.text == "for"), default=0)
    told = [atom for atom in sentence[at + 1 :] if not atom.has(Role.DETERMINER)]
    is_aim = len(told) == 2 and told[0].text in _IMPROVED and told[1].text in _AIMS
    if is_aim and at > 1 and any(atom.has_any(VERBS) for atom in sentence[:at]):
        yield at, len(sentence)


_IMPROVED = frozenset({"improved", "better", "enhanced", "crisp", "cleaner", "clearer", "sharper", "optimal"})
_AIMS = frozenset({"quality", "look", "view", "appearance", "visibility", "clarity", "image", "result"})
_IF = frozenset({"if"})
_FINDERS = (
    (frozenset({"for"}), _aims),
    (_IF, _preludes),
    (frozenset({"whoever", "who"}), _rewards),
    (_PRODUCING | {"trying"}, _products),
    (frozenset({"you", "thankyou"}), _helpers),
    (stories.SOMEBODY | {"of", "from"}, _descriptions),
    (frozenset({"behind", "around"}), _foregrounds),
    (frozenset({Role.PHOTO}), _looks),
    (frozenset({"for", "as", "to"}), _occasions),
    (frozenset({"so"}), _uses),
    (_IF, _permissions),
    (_IF, _conditions),
    (frozenset({"without", "not", Role.WITHOUT}), _undone),
    (frozenset({"instead", "rather"}), _former_colors),
)
"""Each with the words and roles of which one stands in every such sentence."""
