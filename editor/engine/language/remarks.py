"""Sentences that ask for nothing, by what they are: thanks, greetings, plans, remarks about the request."""

import itertools
from collections.abc import Sequence

from editor.engine.language.asides import BLOCKING, USED_FOR
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import stories
from editor.engine.language.lexicon.roles import VERBS, Role

NEGATIONS = (Role.NOT, Role.NO, Role.KEEP, Role.WITHOUT, Role.EXCEPT, Role.TOO, Role.LESS)


def is_a_remark(part: Sequence[Atom]) -> bool:
    """Whether a sentence, or a part of one, is of a kind that holds no wish; `part` has no commas."""
    return any(is_kind(part) for is_kind in _KINDS)


def _is_a_plan(part: Sequence[Atom]) -> bool:
    """ "I'd like to give it to my mom", "need a profile photo": what they will do with it themselves."""
    at = next((i for i, atom in enumerate(part) if not _is_intent(atom)), len(part))
    is_theirs = bool(stories.FOR_THEMSELVES & {word for atom in part[:at] for word in atom.text.split()})
    if not is_theirs or at == len(part) or any(stories.HELPERS & set(atom.text.split()) for atom in part):
        return False
    is_own = part[at].text in stories.OWN or _is_put_to_use(part[at:])
    rest = part[at + 1 :] if is_own else part[at:]
    has_occasion = any(atom.has(*USED_FOR) for atom in part)
    return has_occasion and not any(atom.has_any(BLOCKING) and atom.text not in stories.OWN for atom in rest)


def _is_put_to_use(part: Sequence[Atom]) -> bool:
    """ "Put it on a business card", and not "on my sister"."""
    named = [atom for atom in part[1:] if not atom.has(Role.IT, Role.DETERMINER)]
    is_on = part[0].text == "put" and len(named) > 1 and named[0].text in ("on", "in")
    return is_on and not any(atom.has(Role.PERSON, Role.SUBJECT, Role.SEEN) for atom in named)


def _is_intent(atom: Atom) -> bool:
    """The "trying to" of "trying to use it as a profile picture"."""
    return atom.has(Role.FILLER) or atom.text in stories.INTENTS


def _words(part: Sequence[Atom]) -> list[str]:
    return " ".join(atom.text for atom in part).split()


def _is_thanks(part: Sequence[Atom]) -> bool:
    if stories.THANKS.isdisjoint(word.replace("!", "") for word in _words(part)):
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
    return atom.has_any(BLOCKING) and not atom.has(Role.FILLER, Role.MORE) and atom.text not in stories.PAST


def _is_remark(part: Sequence[Atom]) -> bool:
    """ "First time using the site", "open to anything"."""
    leads = next((at for at, atom in enumerate(part) if not _leads(atom)), 0)
    told = " ".join(atom.text for atom in part[leads:])
    wishes = [atom for atom in part[1:] if _is_wish(atom)]
    ends = wishes == list(part[-1:]) and wishes[0].has(Role.ADJUST)  # "shows how little I know of editing"
    return told.startswith(stories.REMARKS) and (not wishes or ends)


def _leads(atom: Atom) -> bool:
    """The "and please" of "and please have fun with it"."""
    return atom.has(Role.AND, Role.THEN) or atom.text in ("please", "pls", "plz")


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
    is_about = not stories.ABOUT.isdisjoint(_words(part))
    return is_about and not any(atom.has(*VERBS, *NEGATIONS) for atom in part)


def _is_about_its_ease(part: Sequence[Atom]) -> bool:
    """ "It should be an easy one", "not even sure if that's possible"."""
    if stories.EASE.isdisjoint(_words(part)):
        return False
    is_said = any(atom.has(Role.BE, *_DENYING) or atom.text in stories.SAID for atom in part)
    is_plain = not any(atom.has_any(BLOCKING) and not atom.has(*_DENYING) for atom in part)
    goes_on = any(atom.text.split()[-1] == "to" for atom in part)  # "is it possible to ..."
    return is_said and is_plain and not goes_on


_DENYING = (Role.NOT, Role.NO, Role.TOO, Role.MORE, Role.LESS)


def _is_admitted(part: Sequence[Atom]) -> bool:
    """ "I know there's not much to work with"."""
    told = " ".join(atom.text for atom in part)
    is_plain = not any(atom.has_any(BLOCKING) and not atom.has(*_DENYING) for atom in part)
    seems = part[-1].has(Role.ADJECTIVE) and any(atom.text == "seems" for atom in part)  # "it seems harsh"
    return told.startswith(stories.ADMITTING) and (is_plain or seems or told.startswith("no need to"))


def _is_an_occasion(part: Sequence[Atom]) -> bool:
    """ "1st wedding anniversary gift", "a present for my dad": what it is for, as a part of its own."""
    return any(atom.text in stories.GIVEN for atom in part) and all(
        atom.has(Role.OCCASION, Role.ORDINAL, Role.NUMBER, Role.DETERMINER) or atom.text in ("'s", "for")
        for atom in part
    )


def _is_its_making(part: Sequence[Atom]) -> bool:
    """ "... (taken in 1950)"."""
    is_led = len(part) > 1 and part[0].text in stories.TAKEN and part[1].has(Role.PREPOSITION)
    return is_led and not any(_is_wish(atom) for atom in part[1:])


def _is_gladness(part: Sequence[Atom]) -> bool:
    """ "It would make my grandpa very happy", "you'd make her day"."""
    words = _words(part)
    is_foretold = bool(stories.FORETELLING & set(words[:3])) or words[0] in ("you'd", "you'll", "it'd")
    is_foretold = is_foretold and words[0] in stories.BRINGING
    is_meant = words[0] in stories.FOR_THEMSELVES and "make" in words[:4] and words[-1] in ("happy", "day")
    if not (is_foretold or is_meant) or stories.GLAD.isdisjoint(words):
        return False
    rest = part[2:] if is_meant else part  # without "trying to"
    return not any((_is_wish(atom) and not atom.has(Role.MAKE)) or _leads_on(atom) for atom in rest)


def _leaves_it_free(part: Sequence[Atom]) -> bool:
    """ "Feel free to do whatever else you like"."""
    told = " ".join(atom.text for atom in part)
    return any(free in told for free in stories.FREE) and not any(
        _is_wish(atom) or _leads_on(atom) or atom.has(Role.NOUN, Role.PERSON) for atom in part
    )


def _leads_on(atom: Atom) -> bool:
    """To what would make them glad, or is to be done freely: "... if the dog smiled"."""
    return atom.text in ("if", "with", "without", "to")


_KINDS = (
    *(_is_remark, _is_thanks, _is_greeting, _is_about_the_request, _is_a_plan),
    *(_is_about_its_ease, _is_admitted, _is_its_making, _is_gladness, _leaves_it_free, _is_an_occasion),
)
