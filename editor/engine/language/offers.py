"""What is offered where something is wished for that has no picture here: a drawn one, in the same words."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from editor.engine.kinds import plural_of
from editor.engine.language.atoms import picture_named
from editor.engine.language.lexicon import Role, senses_of
from editor.engine.language.lexicon.pictures import Picture
from editor.engine.plan import Reason, Refusal
from editor.engine.props import prop_named
from editor.engine.worn import WORN

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?|[^\w\s]")
_LEADING = frozenset({"please", "can", "could", "you", "just", "also", "and", "then", "now", "let's", "lets"})
_GIVING = frozenset({"give", "giving"})
_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {str(number): str(number) for number in range(2, 13)}
_NUMBERS |= dict(zip(_COUNTS, _NUMBERS, strict=True))
_SIZES = frozenset({"small", "large", "big", "tiny", "huge"})
_IDLE = frozenset({"of", "few", "couple", "pair"})
_ENDING = frozenset({",", ".", "!", "?", ";", "flying", "sitting", "standing", "lying", "swimming", "here"})
_ENDING |= {"next", "close", "somewhere"}
_LATER = frozenset({"photo", "picture", "image", "video"})  # "a picture of a dog" is a photo of one
_MOVING = frozenset({"put", "place", "set", "stick", "putting", "placing"})
_TELLING_MORE = frozenset(
    {"and", "&", "with", "who", "that", "which", "instead", ",", "or", "holding", "wearing", "from"}
)
_OWNERS = frozenset({"my", "our", "your", "his", "her", "their"})
_DRAWN_ANYWAY = frozenset({Role.SHAPE, Role.OVERLAID, Role.EMOJI})
_MOST_WORDS = 8  # between the verb and the name
_PEOPLE = {"him": "his", "her": "her", "me": "my", "them": "their"}


class Offer(NamedTuple):
    """Words to be said instead of refused ones, and the name of what is drawn."""

    words: str
    name: str


def drawn_instead(refusal: Refusal) -> Offer | None:
    """ "Add a butterfly emoji on her hat" for "please add a blue butterfly on her hat"; None where nothing is
    to be added, or the emoji font holds no picture of it."""
    if refusal.reason in _OF_A_PROP:
        return None  # there is one, and it says what stands against it
    found = list(_WORD.finditer(refusal.words))
    words = [word.group().lower().replace("\u2019", "'") for word in found]
    verb = next((at for at, word in enumerate(words) if word not in _LEADING), len(words))
    if verb >= len(words) or Role.ADD not in (senses_of((words[verb],)) or {}):
        return None
    wearer = _PEOPLE.get(words[verb + 1], "") if words[verb] in _GIVING and verb + 1 < len(words) else ""
    if words[verb] in _GIVING and not wearer:
        return None
    start = verb + 2 if wearer else verb + 1
    named = _name_at(words, start)
    if named is None or not _LATER.isdisjoint(words[start : named.after]):
        return None
    if not _DRAWN_ANYWAY.isdisjoint(senses_of(tuple(words[named.at : named.after])) or {}):
        return None  # a star or a rainbow is refused for its place
    described, emoji = words[start : named.at], named.picture.emoji
    moves = words[verb] in _MOVING and "the" in described  # what is there already
    if moves or not _TELLING_MORE.isdisjoint(words[named.after :]) or _is_one_of_its_kind(described, emoji):
        return None
    if wearer and emoji not in WORN:
        return None  # "give her red lips": what nobody wears is not put on a head
    rest = refusal.words[found[named.after].start() :] if named.after < len(found) else ""
    drawn = _counted(described, named.picture)
    is_worn = emoji in WORN and not drawn.endswith("s")  # several would need several heads
    if (wearer or is_worn) and not _without_pose(rest).strip(".!? "):
        rest = f"on {wearer or 'the'} {_WORN_ON.get(named.picture.emoji, 'head')}"
    opening = "Add" if refusal.words[:1].isupper() else "add"
    said = f"{opening} {drawn} {_without_pose(rest)}".strip()
    name = plural_of(named.picture.name) if named.picture.is_several else _one(named.picture.name)
    if prop_named(words[named.at : named.after]):
        name = f"such {plural_of(named.picture.name) if named.picture.is_several else name}"
    return Offer(re.sub(r" ([,.!?;])", r"\1", said), name)


_OF_A_PROP = frozenset({Reason.NO_SUCH_TARGET, Reason.TOO_LARGE})


def _is_one_of_its_kind(described: Sequence[str], emoji: str) -> bool:
    """ "My dog", "a santa hat", "red sunglasses": no drawn picture shows that one."""
    senses: set[Role] = set().union(*(senses_of((word,)) or {} for word in described))
    is_kind = Role.NOUN in senses or any(picture_named([word]) for word in described)
    is_colored = emoji in WORN and Role.COLOR in senses
    return is_kind or is_colored or not _OWNERS.isdisjoint(described)


_WORN_ON = {picture: {"eyes": "face"}.get(part, part) for picture, part in WORN.items()}


class _Name(NamedTuple):
    at: int
    after: int
    picture: Picture


def _name_at(words: Sequence[str], start: int) -> _Name | None:
    """The first name of a picture behind the verb that is no part of a longer name: not the dog of "a dog
    collar"."""
    for at in range(start, min(start + _MOST_WORDS, len(words))):
        found = picture_named(words[at : at + 5])
        if found and _ends(words[at + found[0] :]):
            return _Name(at, at + found[0], found[1])
        if _is_a_link(words[at]) and words[at] not in _IDLE:
            return None
    return None


def _ends(after: Sequence[str]) -> bool:
    return not after or after[0] in _ENDING or (after[0] != "of" and _is_a_link(after[0]))


def _is_a_link(word: str) -> bool:
    senses = senses_of((word,)) or {}
    return Role.PREPOSITION in senses or Role.AND in senses or word in _ALSO_LINKS


_ALSO_LINKS = frozenset({"that", "which", "instead", "atop", "top"})


def _counted(before: Sequence[str], picture: Picture) -> str:
    """ "Two large dog emojis", "a small cat emoji"."""
    sizes = [word for word in before if word in _SIZES]
    numbers = [_NUMBERS[word] for word in before if word in _NUMBERS]
    described = " ".join([*sizes, picture.name])
    if numbers or picture.is_several:
        return " ".join([*numbers, described, "emojis"])
    return f"{_with_article(described)} emoji"


def _with_article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' and name not in ('unicorn', 'ufo') else 'a'} {name}"


def _one(name: str) -> str:
    """ "An owl"; "sunglasses", and a pair of them, are several anyway."""
    name = name.removeprefix("pair of ")
    are_several = name.endswith("s") and not name.endswith(("ss", "us"))
    return name if are_several else _with_article(name)


def _without_pose(rest: str) -> str:
    """ "In the sky" of "flying in the sky": a drawn picture does nothing, and has its own style."""
    rest = re.sub(r"^in an? \w+ (?:style|look|way)\b ?", "", rest)
    return re.sub(r"^(?:that is |which is )?(?:flying|sitting|standing|lying|swimming) ?", "", rest)
