"""Things named well enough to be looked for: "the two people on the left", "the man in the red shirt".

A description that chooses none, as in "my annoying cousin", does no harm while one thing is meant: the photo
decides, and where it shows several nothing is done. Of several things it would choose some, so there it is
refused. One that says which thing is meant and that no eye can check, "the man with the beard", means the
only one that is seen, and the plan says so.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from editor.engine.kinds import DEPTHS, is_plural, is_someone, kinds_of, plural_of
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.seen import HAIR_COLORS
from editor.engine.language.lexicon.things import MATERIALS
from editor.engine.language.qualifiers import (
    COMPARED,
    EXPANSES,
    chooses_after,
    chooses_as_owner,
    chooses_before,
    is_the_scene,
)
from editor.engine.language.scopes import is_name
from editor.engine.plan import Target

if TYPE_CHECKING:
    from editor.engine.language.phrases import Phrase

_MOST = 9


@dataclass(frozen=True)
class _Name:
    """A name as far as it was read: `is_open` where words describe it that cannot be checked, `is_most` where
    they compare it with others, `is_all` where they say that none is left, `chosen` where those are that say
    which of several is meant."""

    noun: str
    count: int | None = None
    color: str | None = None
    place: str | None = None
    is_open: bool = False
    is_all: bool = False
    is_most: bool = False
    chosen: tuple[int, int] | None = None


def seen_in(phrase: "Phrase", rest: Sequence[Atom]) -> Target | None:
    """The thing that a clause is about: `rest` are its words beside the verb and the scopes."""
    told = told_in(phrase, rest)
    return seen_thing(told) if told else None


def choosing_words(phrase: "Phrase", rest: Sequence[Atom]) -> str:
    """The words that say which thing is meant where no eye can check it: "with the beard"; else none."""
    name = _name_in(told_in(phrase, rest))
    return phrase.scene.instruction[slice(*name.chosen)] if name and name.chosen else ""


def told_in(phrase: "Phrase", rest: Sequence[Atom]) -> list[Atom]:
    """All words from the first to the last of `rest` and of the scopes, but for the verb."""
    inside = {at for scope in phrase.scopes for at in range(scope.first, scope.after)}
    ids = {id(atom) for atom in rest}
    atoms = phrase.clause.atoms
    named = [at for at, atom in enumerate(atoms) if at in inside or id(atom) in ids]
    return [atom for atom in atoms[named[0] : named[-1] + 1] if atom is not phrase.core[0]] if named else []


def seen_thing(atoms: Sequence[Atom]) -> Target | None:
    """What the detector can look for: `atoms` are one name with all that describes it. None where it knows
    no such things, where several names are listed, or where the words ask for something."""
    name = _name_in(atoms)
    return _target(name) if name else None


def _name_in(atoms: Sequence[Atom]) -> _Name | None:
    owners = atoms[: len(atoms) - len(_without_owners(atoms))]
    atoms = atoms[len(owners) :]
    told = [atom for at, atom in enumerate(atoms) if not (_is_an_article(atom) or _tells_more(atoms, at))]
    opened = {id(atom) for article, atom in pairwise(atoms) if _is_an_article(article)}
    if any(_is_no_description(atom) for atom in told) or _counts_from_nowhere(told):
        return None
    at = _head_at(told, opened)
    if at is None or not all(_goes_on(atom) or id(atom) in opened for atom in told[at + 1 : at + 2]):
        return None
    name = _before(str(told[at].senses[Role.SEEN]), told[:at])
    if name and told[at].text == "couple":
        name = replace(name, count=2)
    name = _after(name, told[at + 1 :])
    if name and chooses_as_owner(name.noun, owners):
        name = replace(name, chosen=(owners[0].start, owners[-1].end))
    is_else = any(atom.text == "else" for atom in told[at + 1 : at + 2])
    return _beside_the_subject(name, [*told[:at], *told[at + 1 : at + 1 + is_else]]) if name else None


def _without_owners(atoms: Sequence[Atom]) -> Sequence[Atom]:
    """ "My sister's friend" is the friend; "the man in my sister's car" is the man."""
    start = 0
    for at, atom in enumerate(atoms):
        is_owner = any(other.text == "'s" for other in atoms[at + 1 : at + 2])
        if atom.has(Role.PREPOSITION, Role.SEEN) and not is_owner:
            return atoms[start:]
        if atom.text == "'s" and at and is_name(atoms[at - 1]):
            start = at + 1
    return atoms[start:]


def _tells_more(atoms: Sequence[Atom], at: int) -> bool:
    """The comma of "the man in the back, behind the boy", the "and" of "in the background between the bride
    and the groom"."""
    following = next((atom for atom in atoms[at + 1 : at + 3] if not atom.has(Role.FILLER)), None)
    if atoms[at].kind == "comma":
        return following is not None and following.has(Role.PREPOSITION)
    is_between = any(atom.text == "between" for atom in atoms[:at])
    is_found = any(_is_a_depth(atom) for atom in atoms[:at])
    is_one = at > 0 and not is_plural(str(atoms[at - 1].senses.get(Role.SEEN, "")))
    return atoms[at].has(Role.AND) and is_between and is_found and is_one


def _is_an_article(atom: Atom) -> bool:
    return atom.has(Role.FILLER, Role.DETERMINER, Role.THIS) and not atom.has(Role.SEEN)


def _goes_on(atom: Atom) -> bool:
    """Whether a word right behind a name describes it: "park" in "the car park" does not."""
    describes = atom.has(Role.PREPOSITION, Role.BE, Role.PHOTO, Role.IT, Role.WHOLE, Role.AMOUNT, Role.COLOR)
    is_side = atom.has(Role.PLACE, Role.BACKGROUND, Role.SUBJECT, Role.PERSON) and atom.text != "top"
    is_known = atom.text in _LINKS | _BEHIND | _BEING or atom.text.endswith(("ing", "ed"))
    return describes or is_side or (is_known and not atom.has(Role.NOUN))


def _target(name: _Name) -> Target | None:
    if is_plural(name.noun) and name.count is None and name.is_open:  # who of them is meant?
        return None
    is_found = bool(name.place or name.color)
    is_among_several = name.is_most or (name.chosen and (name.count or is_plural(name.noun)))
    if is_among_several and not is_found:  # "the tallest man", "the two men with hats"
        return None
    if name.chosen and not is_found:  # "the man with the hat" is he, where no other one is seen
        return Target("thing", noun=name.noun, count=1)
    noun = plural_of(name.noun) if name.count and not is_plural(name.noun) else name.noun  # "two man"
    return Target("thing", noun=noun, color=name.color, place=name.place, count=name.count)


def _beside_the_subject(name: _Name, words: Sequence[Atom]) -> _Name | None:
    """ "The other people", "random people": those in the background, for the photo is taken of the rest."""
    told = {atom.text for atom in words}
    if not told & _BESIDE or not is_plural(name.noun) or name.count:
        return name
    if is_someone(name.noun) and name.place in (None, "background"):
        return replace(name, place="background")
    return None if told & {"other", "else"} or not is_someone(name.noun) else name


_BESIDE = frozenset({"other", "else", "extra", "random", "unwanted", "unnecessary"})


def _counts_from_nowhere(told: Sequence[Atom]) -> bool:
    """ "The second man"; "the first man on the left" is the one that is farthest there."""
    ordinals = {
        atom.senses[Role.ORDINAL]
        for atom, following in pairwise([*told, *told[-1:]])
        if atom.has(Role.ORDINAL) and not (atom.text == "other" and _are_people(following))
    }
    return bool(ordinals) and (ordinals != {1} or not any(atom.has(Role.PLACE) for atom in told))


def _is_no_description(atom: Atom) -> bool:
    if atom.kind not in ("word", "number") or atom.text in _SHOWING_OTHERS or atom.text == "or":
        return True
    return atom.has_any(_NEVER) or (atom.has_any(_ASKING) and not atom.has_any(_ALSO_A_NAME))


_SHOWING_OTHERS = frozenset(
    {"mirror", "mirrors", "reflection", "reflections", "painting", "poster", "screen", "frame"}
)
_NEVER = (Role.NOT, Role.EXCEPT, Role.BUT, Role.QUOTED, Role.FRACTION)
_ASKING = (
    *(Role.MAKE, Role.TONE, Role.RAISE, Role.LOWER, Role.ENHANCE, Role.REMOVE, Role.CHANGE, Role.REPLACE),
    *(Role.ROTATE, Role.FLIP, Role.CROP, Role.ADJUST, Role.ADD, Role.UNAVAILABLE, Role.DEFECT, Role.AND),
    *(Role.BOKEH, Role.VIGNETTE, Role.RESIZE, Role.STRAIGHTEN, Role.ZOOM, Role.EXTEND),
)
_ALSO_A_NAME = (Role.NOUN, Role.PREPOSITION, Role.PLACE, Role.ADJECTIVE, Role.SEEN)


def _head_at(told: Sequence[Atom], opened: AbstractSet[int]) -> int | None:
    """Where the last word of the first name is: "door" in "the car door by the house". Those in `opened`, by
    their id, have an article before them, and begin a name of their own: "the dog the man holds"."""
    start = next((at for at, atom in enumerate(told) if _begins_a_name(told, at)), None)
    if start is None:
        return None
    at = start
    while at + 1 < len(told) and is_name(told[at + 1]) and not _poses(told[at + 1]):
        if id(told[at + 1]) in opened or told[at + 1].text == "else":
            break
        at += 1
    names_two = any(_is_people(atom) and atom.text not in _KINDS_OF_PEOPLE for atom in told[start:at])
    is_figure = at > start and told[at].text in _ALSO_FIGURES and _may_be_made_of(told[at - 1])
    return at if told[at].has(Role.SEEN) and not names_two and not is_figure else None


_KINDS_OF_PEOPLE = frozenset({"human", "adult", "female", "male"})
_ALSO_FIGURES = frozenset({"man", "men", "woman", "women", "boy", "boys"})


def _may_be_made_of(atom: Atom) -> bool:
    """ "Snow man", "gingerbread man", unlike "curly man"."""
    return atom.has(Role.NOUN) or atom.text in _STUFF


_STUFF = frozenset({"gingerbread", "clay", "cardboard", "straw", "stick", "wax", "lego", "spider", "iron"})


def _is_people(atom: Atom) -> bool:
    return is_someone(str(atom.senses.get(Role.SEEN)))


def _are_people(atom: Atom) -> bool:
    return _is_people(atom) and is_plural(str(atom.senses[Role.SEEN]))


def _begins_a_name(told: Sequence[Atom], at: int) -> bool:
    atom = told[at]
    is_group = atom.text in _GROUPS and at + 1 < len(told) and told[at + 1].text == "of"
    is_made_of = atom.text in MATERIALS and at + 1 < len(told) and told[at + 1].has(Role.COLOR)
    is_no_name = is_group or is_made_of or atom.text in HAIR_COLORS or atom.has(Role.BACKGROUND)
    return is_name(atom) and not (_poses(atom) or is_no_name)


_GROUPS = frozenset({"group", "bunch", "couple", "lot", "pair", "number", "rest"})


def _poses(atom: Atom) -> bool:
    """ "Holding", "peeking", "seated": what somebody does says which one."""
    return atom.text.endswith(("ing", "ed")) and not atom.has(Role.SEEN, Role.NOUN)


def _before(noun: str, words: Sequence[Atom]) -> _Name | None:
    """What stands before the name: how many, where, of which color."""
    if any(atom.text == "of" and not (at and _counts(words[at - 1])) for at, atom in enumerate(words)):
        return None  # "the top of the cake", "a part of the car", "one of the dogs"
    is_each = any(atom.text in ("every", "each") for atom in words)
    name: _Name | None = _Name(plural_of(noun) if is_each and not is_plural(noun) else noun)
    for atom in words:
        name = _described(name, atom) if name else None
    return None if name and name.color and is_someone(noun) else name  # people have no color of their own


def _described(name: _Name, atom: Atom) -> _Name | None:
    if atom.has(Role.NUMBER):
        number = float(str(atom.senses[Role.NUMBER]))
        is_count = 1 <= number <= _MOST and number.is_integer() and not name.count
        return replace(name, count=int(number) if number > 1 else None) if is_count else None
    if atom.text in ("both", "couple", "pair"):
        return replace(name, count=2)
    if atom.has(Role.PLACE) or _is_a_depth(atom):
        return _placed(name, _place_of(atom))
    if atom.has(Role.COLOR):
        return _colored(name, atom)
    if atom.has(Role.PREPOSITION) and atom.text != "of":
        return None  # "the subject in the car" is not the car
    if atom.has(Role.WHOLE) or atom.text in _EACH:
        return replace(name, is_all=True)
    if atom.text.endswith("est") and atom.text not in _NO_SUPERLATIVES:
        return replace(name, is_open=True, is_most=True)
    tells_nothing = atom.has(Role.ORDINAL) or atom.text in _IDLE
    if tells_nothing:
        return name
    chosen = (atom.start, atom.end) if chooses_before(name.noun, atom) else name.chosen
    return replace(name, is_open=True, chosen=chosen, is_most=name.is_most or atom.text in COMPARED)


def _counts(atom: Atom) -> bool:
    is_several = atom.has(Role.NUMBER) and float(str(atom.senses[Role.NUMBER])) > 1
    return atom.text in _GROUPS or is_several or atom.has(Role.WHOLE) or atom.text == "both"


_NO_SUPERLATIVES = frozenset({"honest", "modest"})
_EACH = frozenset({"all", "every", "each", "any", "whole"})
_IDLE = frozenset({"far", "of", "group", "bunch", "lot", "number", "visible"}) | _BESIDE


def _after(name: _Name | None, words: Sequence[Atom]) -> _Name | None:
    """What stands behind the name: "in the red shirt", "on the far left", "in the background"."""
    for at, atom in enumerate(words):
        if name is None:
            return None
        if _shows_them(words[:at], atom) and not (is_someone(name.noun) and "phone" in atom.text):
            return None
        is_side = atom.has(Role.PLACE) and not (
            _is_of_another(words, at)
            or _is_worn(words, at)
            or _is_a_direction(words[:at])
            or _names_a_like(name, words[:at])
        )
        is_depth = (_is_a_depth(atom) and not _is_a_ground(words[:at])) or _is_the_front(words, at)
        is_behind = atom.text in _BEHIND and not _is_of_a_holder(name, words[:at])
        if is_side or is_depth or is_behind:
            name = _placed(name, _place_of(atom))
        elif atom.has(Role.COLOR) and _is_of_theirs(name, words, at):
            name = _colored(name, atom)
        elif (
            not atom.has(Role.PHOTO)
            and atom.text not in _LINKS | _BEING
            and not _is_where_they_are(name, words[:at], atom)
        ):
            is_chosen = chooses_after(name.noun, words, at)
            chosen = (words[0].start, words[-1].end) if is_chosen else name.chosen
            name = replace(name, is_open=True, chosen=chosen)
    return None if name and _may_be_others(name, words) else name


def _is_of_a_holder(name: _Name, before: Sequence[Atom]) -> bool:
    """ "The cup of the man behind the sofa": he is there."""
    return not is_someone(name.noun) and any(_is_people(atom) for atom in before)


def _may_be_others(name: _Name, words: Sequence[Atom]) -> bool:
    """ "The two men at the end of the path", "left of the tree": there may be more, and no eye finds that."""
    stand = any(
        left.text in _AT and is_name(right) and not is_the_scene(right) for left, right in pairwise(words)
    )
    beside = any(atom.has(Role.PLACE) and _is_of_another(words, at) for at, atom in enumerate(words))
    return bool(name.count) and name.place is None and (stand or beside)


_AT = frozenset({"at", "on", "by", "near", "along", "under", "beside", "next to", "in front of", "between"})


def _is_a_depth(atom: Atom) -> bool:
    """ "The background", "the foreground"; "left of the subject" is no depth."""
    return atom.has(Role.BACKGROUND) or (atom.has(Role.SUBJECT) and "ground" in atom.text)


def _is_the_front(words: Sequence[Atom], at: int) -> bool:
    """ "In the front", "at the front of the photo"; "in the front seat" is none."""
    is_led = at > 0 and words[at - 1].text in ("in", "at", "on")
    is_last = all(
        atom.text in ("of", "in", "on") or atom.has(Role.PHOTO, Role.PLACE) for atom in words[at + 1 :]
    )
    return words[at].text in _FRONT and is_led and is_last


_FRONT = frozenset({"front", "forefront"})


def _is_where_they_are(name: _Name, before: Sequence[Atom], atom: Atom) -> bool:
    """ "The people behind him", and "the cars from the street": the photo shows that street, and no other.
    So does "all the cars on the street"; of people the one who is photographed may stand there, too."""
    is_behind = any(other.text == "behind" for other in before)
    is_ground = is_the_scene(atom) and before[-1:] != [] and before[-1].text == "from"
    are_things = name.is_all and not is_someone(name.noun) and before[-1:] != []
    are_there = are_things and before[-1].text in ("on", "in", "from")
    return is_behind or is_ground or (are_there and (is_the_scene(atom) or atom.text in EXPANSES))


def _shows_them(before: Sequence[Atom], atom: Atom) -> bool:
    """ "The man on the TV", "the cat on his shirt" are pictures of them."""
    link = next((other.text for other in reversed(before) if other.has(Role.PREPOSITION)), "")
    return link in ("on", "from", "off") and atom.text in _PICTURING


_PICTURING = frozenset(
    {
        *("tv", "television", "monitor", "phone", "shirt", "tshirt", "t shirt", "hoodie", "sweater"),
        *("billboard", "sign", "magazine", "newspaper", "card", "label", "sticker", "canvas", "wallpaper"),
    }
)


def _is_a_direction(before: Sequence[Atom]) -> bool:
    """ "Facing right", "pointing to the left": where somebody looks is not where they are."""
    last = next((atom.text for atom in reversed(before) if atom.text not in _LINKS), "")
    return last in _TURNED


_TURNED = frozenset(
    {
        *("facing", "looking", "pointing", "turning", "turned", "walking", "running", "going", "moving"),
        *("headed", "heading", "leaning", "staring", "gazing"),
    }
)


def _is_a_ground(before: Sequence[Atom]) -> bool:
    """ "On a white background": what is behind them, and not where they are."""
    return bool(before) and before[-1].has(Role.COLOR)


def _is_worn(words: Sequence[Atom], at: int) -> bool:
    """ "In an orange top", unlike "at the top"."""
    return words[at].text == "top" and at > 0 and not words[at - 1].has(Role.PREPOSITION, Role.AMOUNT)


def _is_of_theirs(name: _Name, words: Sequence[Atom], at: int) -> bool:
    """ "In the red shirt" is a color of theirs; "behind the red car", "in the red car" and "by the red wall"
    are not. Of things "with the red label" is not, either."""
    link = next((atom.text for atom in reversed(words[:at]) if atom.has(Role.PREPOSITION)), "")
    following = words[at + 1] if at + 1 < len(words) else None
    is_another = link in ("in", "with") and following is not None and following.has_any(_NOT_WORN)
    is_worn = link in ("in", "with", "wearing") and not (following and following.text in _GROWN)
    is_own = not link or (is_someone(name.noun) and is_worn and not is_another)
    return is_own and not _names_a_like(name, words[:at])


_NOT_WORN = (Role.SEEN, Role.BACKGROUND)
_GROWN = frozenset({"hair", "hairs", "beard", "mustache", "eyes", "skin", "face", "lips"})


def _names_a_like(name: _Name, words: Sequence[Atom]) -> bool:
    """ "The woman beside the girl in white": who that is said of is another one."""
    kinds = {kind for atom in words for kind in kinds_of(str(atom.senses.get(Role.SEEN, "")))}
    return not kinds.isdisjoint(kinds_of(name.noun))


_BEING = frozenset({"that", "which", "who", "may", "might", "is", "are", "present", "visible", "else"})
_BEHIND = frozenset({"behind", "back", "distance"})
_LINKS = frozenset(
    {
        *("in", "on", "from", "of", "at", "to", "side", "corner", "hand", "part", "far", "very"),
        *("out", "out of", "away", "off"),
    }
)


def _is_of_another(words: Sequence[Atom], at: int) -> bool:
    """ "The left man", "to the right of the tree": where something else is, or beside what."""
    following = [
        atom for atom in words[at + 1 :] if atom.text not in ("side", "corner", "hand", "part", "front", "'s")
    ]
    if following and following[0].text == "of":
        return len(following) > 1 and not following[1].has(Role.PHOTO)
    return bool(following) and is_name(following[0])


def _place_of(atom: Atom) -> str:
    if atom.has(Role.PLACE):
        return str(atom.senses[Role.PLACE])
    return "foreground" if atom.has(Role.SUBJECT) or atom.text in _FRONT else "background"


def _placed(name: _Name, place: str) -> _Name | None:
    """ "In the background on the right" is both, "right background"; other pairs contradict each other."""
    if name.place in (None, place):
        return None if place == "all" else replace(name, place=place)
    pair = sorted((str(name.place), place), key=lambda word: word in DEPTHS)
    is_both = pair[0] not in DEPTHS and pair[1] in DEPTHS and place != "all"
    return replace(name, place=" ".join(pair)) if is_both else None


def _colored(name: _Name, atom: Atom) -> _Name | None:
    color = str(atom.senses[Role.COLOR])
    return None if name.color not in (None, color) else replace(name, color=color)
