"""Sentences that ask for nothing, by what they are: thanks, greetings, plans, remarks about the request."""

import itertools
import re
from collections.abc import Sequence

from editor.engine.kinds import is_plural, is_someone
from editor.engine.language.asides import BLOCKING, USED_FOR
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import stories
from editor.engine.language.lexicon.roles import VERBS, Role

NEGATIONS = (Role.NOT, Role.NO, Role.KEEP, Role.WITHOUT, Role.EXCEPT, Role.TOO, Role.LESS)


def is_a_remark(part: Sequence[Atom]) -> bool:
    """Whether a sentence, or a part of one, is of a kind that holds no wish; `part` has no commas."""
    words = " ".join([atom.text for atom in part]).split()
    if not words or _TRIGGERS.isdisjoint(words):
        return bool(words) and _is_remark(part)
    return _is_remark(part) or any(is_kind(part, words) for is_kind in _KINDS)


def _is_a_plan(part: Sequence[Atom], words: Sequence[str]) -> bool:
    """ "I'd like to give it to my mom", "need a profile photo": what they will do with it themselves."""
    if stories.FOR_THEMSELVES.isdisjoint(words) or not stories.HELPERS.isdisjoint(words):
        return False
    at = next((i for i, atom in enumerate(part) if not _is_intent(atom)), len(part))
    is_theirs = bool(stories.FOR_THEMSELVES & {word for atom in part[:at] for word in atom.text.split()})
    if not is_theirs or at == len(part):
        return False
    own = stories.OWN | stories.DEEDS | stories.OUTWARD
    if part[at].text in stories.DEEDS and not any(_is_wish(a) and a.text not in own for a in part[at:]):
        return True
    is_own = part[at].text in stories.OWN or _is_put_to_use(part[at:])
    rest = part[at + 1 :] if is_own else part[at:]
    has_occasion = any(atom.has_any(USED_FOR) for atom in part)
    return has_occasion and not any(atom.has_any(BLOCKING) and atom.text not in stories.OWN for atom in rest)


def is_to_be_used(part: Sequence[Atom]) -> bool:
    """ "Looking to turn it into something we could use for a flyer": which says nothing of how."""
    texts = [atom.text for atom in part]
    if "something" not in texts or not _INTO_USE.search(" ".join(texts)):
        return False
    verbs = [atom for atom in part if atom.has_any(VERBS) and not atom.has(Role.FILLER)]
    named = any(atom.has(Role.COLOR, Role.LOOK, Role.STYLE, Role.TONE, Role.ADJECTIVE) for atom in part)
    left_out = [part[at + 1 : at + 2] for at, atom in enumerate(part) if atom.has(Role.NOT)]
    is_plain = not named and all(rest and rest[0].has(Role.IT) for rest in left_out)
    return is_plain and all(atom.has(Role.CHANGE, Role.MAKE, Role.USE) for atom in verbs)


_INTO_USE = re.compile(r"\binto something (?:that )?(?:i|we|they) (?:can|could|might) use\b")


def _is_put_to_use(part: Sequence[Atom]) -> bool:
    """ "Put it on a business card", and not "on my sister"."""
    named = [atom for atom in part[1:] if not atom.has(Role.IT, Role.DETERMINER)]
    is_on = part[0].text == "put" and len(named) > 1 and named[0].text in ("on", "in")
    return is_on and not any(atom.has(Role.PERSON, Role.SUBJECT, Role.SEEN) for atom in named)


def _is_intent(atom: Atom) -> bool:
    """The "trying to" of "trying to use it as a profile picture"."""
    return atom.has(Role.FILLER) or atom.text in stories.INTENTS


def _is_thanks(part: Sequence[Atom], words: Sequence[str]) -> bool:
    if stories.THANKS.isdisjoint([word.replace("!", "") for word in words]):
        return False
    is_wish = any(_is_wish(atom) and atom.text not in stories.COINS for atom in part)
    return not is_wish and not _wants_a_thing(part)


def _wants_a_thing(part: Sequence[Atom]) -> bool:
    """ "Would love a unicorn, thanks"."""
    wants = any(stories.WANTING & set(atom.text.split()) for atom in part if atom.has(Role.FILLER))
    pairs = itertools.pairwise(part)
    named = any(left.text in ("a", "an", "the") and right.is_unknown for left, right in pairs)
    return wants and (named or any(atom.has(Role.NOUN) for atom in part))


def _is_wish(atom: Atom) -> bool:
    is_wish = atom.has_any(BLOCKING) and not atom.has(Role.FILLER, Role.MORE)
    return is_wish and atom.text != "here" and atom.text not in stories.PAST


def _is_remark(part: Sequence[Atom]) -> bool:
    """ "First time using the site", "open to anything"."""
    leads = next((at for at, atom in enumerate(part) if not _leads(atom)), 0)
    told = " ".join([atom.text for atom in part[leads:]])
    if told[:3] not in _REMARKING or not told.startswith(stories.REMARKS):
        return False
    wishes = [atom for atom in part[1:] if _is_wish(atom)]
    ends = wishes == list(part[-1:]) and wishes[0].has(Role.ADJUST)  # "shows how little I know of editing"
    return not wishes or ends


_REMARKING = frozenset(remark[:3] for remark in stories.REMARKS)  # few sentences begin so


def _leads(atom: Atom) -> bool:
    """The "and please" of "and please have fun with it"."""
    return atom.has(Role.AND, Role.THEN) or atom.text in ("please", "pls", "plz") or atom.kind == "link"


def _is_greeting(part: Sequence[Atom], words: Sequence[str]) -> bool:
    """ "Hey photoshop wizards"."""
    return words[0] in stories.GREETINGS and not any(
        _is_wish(atom) and not _is_guild(part, at) for at, atom in enumerate(part)
    )


def _is_guild(part: Sequence[Atom], at: int) -> bool:
    """ "Photoshop wizards", "photo edit experts": the people that are asked."""
    following = part[at + 1] if at + 1 < len(part) else None
    return part[at].has(Role.ADJUST) and following is not None and following.text.endswith("s")


def _is_about_the_request(part: Sequence[Atom], words: Sequence[str]) -> bool:
    """ "More info in comments"."""
    return not stories.ABOUT.isdisjoint(words) and not any(atom.has(*VERBS, *NEGATIONS) for atom in part)


def _is_about_its_ease(part: Sequence[Atom], words: Sequence[str]) -> bool:
    """ "It should be an easy one", "not even sure if that's possible"."""
    if stories.EASE.isdisjoint(words):
        return False
    is_said = any(atom.has(Role.BE, *_DENYING) or atom.text in stories.SAID for atom in part)
    is_plain = not any(atom.has_any(BLOCKING) and not atom.has_any(_DENYING) for atom in part)
    goes_on = any(atom.text.split()[-1] == "to" for atom in part)  # "is it possible to ..."
    return is_said and is_plain and not goes_on


_DENYING = (Role.NOT, Role.NO, Role.TOO, Role.MORE, Role.LESS)


def _is_admitted(part: Sequence[Atom], words: Sequence[str]) -> bool:
    """ "I know there's not much to work with"."""
    if _ADMITTING.isdisjoint(words):
        return False
    told = " ".join(atom.text for atom in part if not _leads(atom))
    if not told.startswith(stories.ADMITTING):
        return False
    is_plain = not any(atom.has_any(BLOCKING) and not atom.has_any(_DENYING) for atom in part)
    seems = part[-1].has(Role.ADJECTIVE) and any(atom.text == "seems" for atom in part)  # "it seems harsh"
    return is_plain or seems or told.startswith("no need to")


_ADMITTING = frozenset(start.split()[0] for start in stories.ADMITTING)


def _is_an_occasion(part: Sequence[Atom], words: Sequence[str]) -> bool:
    """ "1st wedding anniversary gift", "a present for my dad": what it is for, as a part of its own."""
    return not stories.GIVEN.isdisjoint([atom.text for atom in part]) and all(
        atom.has(Role.OCCASION, Role.ORDINAL, Role.NUMBER, Role.DETERMINER) or atom.text in ("'s", "for")
        for atom in part
    )


def _is_its_making(part: Sequence[Atom], words: Sequence[str]) -> bool:
    """ "... (taken in 1950)", "the photo was taken with an old phone"."""
    led = (Role.PHOTO, Role.IT, Role.THIS, Role.DETERMINER, Role.BE)
    at = next((at for at, atom in enumerate(part) if not atom.has_any(led)), len(part))
    is_led = at + 1 < len(part) and part[at].text in stories.TAKEN and part[at + 1].has(Role.PREPOSITION)
    return is_led and not any(_is_wish(atom) and atom.text != "old" for atom in part[at + 1 :])


def _is_their_work(part: Sequence[Atom], words: Sequence[str]) -> bool:
    """ "Making a scrapbook for her birthday": what they do themselves."""
    is_led = part[0].text in stories.WORKING and any(atom.has(Role.OCCASION) for atom in part)
    return is_led and not any(_is_wish(atom) and not atom.has(Role.OCCASION) for atom in part[1:])


def _is_gladness(part: Sequence[Atom], words: Sequence[str]) -> bool:
    """ "It would make my grandpa very happy", "you'd make her day"."""
    if stories.GLAD.isdisjoint(words):
        return False
    is_foretold = bool(stories.FORETELLING & set(words[:3])) or words[0] in ("you'd", "you'll", "it'd")
    is_foretold = is_foretold and words[0] in stories.BRINGING
    is_meant = words[0] in stories.FOR_THEMSELVES and "make" in words[:4] and words[-1] in ("happy", "day")
    rest = part[2:] if is_meant else part  # without "trying to"
    return (is_foretold or is_meant) and not any(
        (_is_wish(atom) and not atom.has(Role.MAKE)) or _leads_on(atom) for atom in rest
    )


def _leaves_it_free(part: Sequence[Atom], words: Sequence[str]) -> bool:
    """ "Feel free to do whatever else you like"."""
    return _FREE.search(" ".join(words)) is not None and not any(
        _is_wish(atom) or _leads_on(atom) or atom.has(Role.NOUN, Role.PERSON) for atom in part
    )


_FREE = re.compile(rf"\b(?:{'|'.join(stories.FREE)})")


def _is_a_verdict(part: Sequence[Atom], words: Sequence[str]) -> bool:
    """ "It looks good", "I think it doesn't look right": what should be otherwise it does not say."""
    first = next((at for at, atom in enumerate(part) if not atom.has(Role.FILLER)), len(part))
    is_of_it = first < len(part) and part[first].has(Role.IT, Role.THIS, Role.PHOTO)
    if not is_of_it or stories.VERDICTS.isdisjoint([atom.text for atom in part[first + 1 :]]):
        return False
    judges = any(atom.has(Role.BE) or atom.text in _JUDGING for atom in part)
    asks = any(not stories.REQUESTS.isdisjoint(atom.text.split()) for atom in part)
    rest = [atom for atom in part[first + 1 :] if not atom.has(Role.FILLER, Role.BE, Role.AMOUNT, Role.NOT)]
    return judges and not asks and [atom.text in stories.VERDICTS for atom in rest] == [True]


_JUDGING = frozenset({"doesn't", "doesnt", "does not", "not"})


def _leads_on(atom: Atom) -> bool:
    """To what would make them glad, or is to be done freely: "... if the dog smiled"."""
    return atom.text in ("if", "with", "without", "to")


def is_inability(part: Sequence[Atom], rest: Sequence[Atom]) -> bool:
    """ "I can't get the background away", where the rest asks for it: what they could not do themselves, of
    nothing that is not named there."""
    opening = part[:7]
    if len(part) < 3 or _FAILING.isdisjoint(" ".join([atom.text for atom in opening]).split()):
        return False
    told = " ".join(atom.text for atom in opening if not _leads(atom) and not atom.has(Role.BUT))
    if not told.startswith(stories.UNWANTED + stories.UNABLE_STARTS):
        return False
    is_gone = told.startswith(stories.UNWANTED) and any(atom.has(Role.REMOVE) for atom in rest)
    is_gone = is_gone and not any(atom.has(*_GRADED) for atom in part)  # "I don't want it too bright"
    is_unable = told.startswith(stories.UNABLE_STARTS) and any(atom.has_any(VERBS) for atom in rest)
    if not (is_gone or is_unable):
        return False
    named = {_root(atom) for atom in rest if atom.kind != "stop"}
    return all(_root(atom) in named for atom in part if _is_content(atom))


_FAILING = frozenset(start.split()[0] for start in stories.UNWANTED + stories.UNABLE_STARTS)


def after_what_is_liked(sentence: Sequence[Atom]) -> int:
    """Where "it's dark but I like it" ends, which asks for nothing; 0 where nothing is liked."""
    if not any(atom.text in _LIKING for atom in sentence):
        return 0
    ends = [at for at, atom in enumerate(sentence) if atom.kind == "comma" or atom.has(Role.BUT, Role.AND)]
    for start, end in itertools.pairwise([*ends, len(sentence)]):
        part = sentence[start + 1 : end]
        is_liked = bool(part) and part[0].text == "i" and part[-1].text in _AS_IT_IS
        is_liked = is_liked and all(atom.text in _LIKING | _AS_IT_IS or _is_intent(atom) for atom in part)
        if is_liked and not any(
            atom.has(*VERBS) and not _is_wish_of_state(atom) for atom in sentence[:start]
        ):
            return end
    return 0


def _is_wish_of_state(atom: Atom) -> bool:
    """The "has" and the "tint" of "it has a blue tint"."""
    return atom.has(Role.FILLER, Role.BE, Role.CAST, Role.ADJECTIVE, Role.QUALITY, Role.COLORS)


_LIKING = frozenset({"like", "love", "enjoy", "prefer", "really"})
_AS_IT_IS = frozenset({"it", "that", "this", "way", "the way", "so", "like that", "like this"})


def is_what_is_left(part: Sequence[Atom], before: Sequence[Atom]) -> bool:
    """ "So only me and my dog", "I'd like a version of just the truck", behind "remove the man": names alone,
    of what stays. Of "the people" they may be some."""
    if not any(atom.text in ("only", "just") for atom in part):
        return False
    takes = any(atom.has(Role.REMOVE) for atom in before) and not any(atom.has(Role.CROP) for atom in before)
    is_plain = all(
        atom.has_any(_NAMING_ALONE) or atom.kind == "comma" or atom.text in ("me", "version", "copy")
        for atom in part
    )
    names = any(atom.has(Role.PERSON, Role.NOUN) or atom.text == "me" for atom in part)
    is_some = any(atom.has(Role.PERSON) for atom in part) and any(map(_are_several, before))
    return takes and names and is_plain and not is_some


def _are_several(atom: Atom) -> bool:
    return is_someone(atom.text) and (is_plural(atom.text) or atom.text in ("everyone", "everybody"))


_NAMING_ALONE = (
    *(Role.FILLER, Role.AND, Role.DETERMINER, Role.PERSON, Role.NOUN, Role.PHOTO, Role.PREPOSITION),
    *(Role.SUBJECT, Role.PURPOSE, Role.NUMBER),
)


_GRADED = (Role.ADJECTIVE, Role.QUALITY, Role.COLOR, Role.TOO, Role.MORE, Role.LESS, Role.TONE, Role.LOOK)


def _is_content(atom: Atom) -> bool:
    is_own = atom.text in stories.OWN_TOOLS or atom.has(Role.PHOTO, Role.IT)
    return atom.has_any(_CONTENT) and not is_own and not atom.has(Role.FILLER)


_CONTENT = (
    *(Role.NOUN, Role.PERSON, Role.BACKGROUND, Role.COLOR, Role.COLORS, Role.QUALITY, Role.ADJECTIVE),
    *(Role.FLAW, Role.WRITTEN, Role.LOOK, Role.CAST, Role.FACE, Role.SUBJECT, Role.TONE, Role.REMOVE),
    *(Role.CROP, Role.ROTATE, Role.RATIO, Role.SIZE, Role.TRANSPARENT),
)


def _root(atom: Atom) -> str:
    """The word without its ending: "brightening" and "brighten" are about the same."""
    return atom.text.split()[0].removesuffix("ing").removesuffix("ed").removesuffix("s")[:6]


_KINDS = (
    *(_is_thanks, _is_greeting, _is_about_the_request, _is_a_plan),
    *(
        _is_about_its_ease,
        _is_admitted,
        _is_its_making,
        _is_their_work,
        _is_gladness,
        _leaves_it_free,
        _is_an_occasion,
    ),
    _is_a_verdict,
)
_TRIGGERS = frozenset().union(
    *(stories.THANKS, stories.GREETINGS, stories.ABOUT, stories.FOR_THEMSELVES, stories.EASE, _ADMITTING),
    *(stories.TAKEN, stories.WORKING, stories.GLAD, stories.GIVEN, stories.VERDICTS),
    (start.split()[0] for start in stories.FREE),
)
"""One of these words stands in every sentence of these kinds."""
