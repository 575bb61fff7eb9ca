"""Words that say which of several things is meant, and that no eye can check: "with the beard", "elderly".

Who drops them may choose another one than the person means, unless there is only one. A clear color of
clothes, a place and a count are checked; where the scene lies ("on the beach") or what a thing is made of
("plastic") is said of any of them.
"""

from collections.abc import Sequence

from editor.engine.kinds import is_someone
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.seen import HAIR_COLORS
from editor.engine.language.scopes import is_name


def chooses_before(noun: str, atom: Atom) -> bool:
    """Whether a word before the name tells one from others: "the elderly man", "the boy's dog"."""
    if atom.text in COMPARED:
        return True
    if not is_someone(noun):
        return atom.text.endswith("'s")
    is_child = noun in ("child", "kid", "boy", "girl", "boys", "girls", "kids", "children", "baby")
    looks = atom.text in _TRAITS | HAIR_COLORS.keys() or (atom.text in _AGES and not is_child)
    return looks or _is_a_pose(atom)


def chooses_after(noun: str, words: Sequence[Atom], at: int) -> bool:
    """Whether a word behind the name does: "with the hat", "next to the tree"; `words` all follow the name.

    A thing that lies on or comes from another is described by it ("the phone from her hand") as long as
    neither a side nor a color tells that one from others, too."""
    atom = words[at]
    if any(other.has(Role.PHOTO) and _is_of(words, i) for i, other in enumerate(words[:at])):
        return False  # "from this photo of a waterfall"
    is_ground = any(other.has(Role.BACKGROUND) for other in words[at : at + 2])  # "on a white background"
    is_link = atom.has(Role.PREPOSITION) and atom.text not in _HOLDING
    if is_link or is_ground or is_the_scene(atom) or atom.has(Role.MARKED) or atom.text in _IDLE:
        return False
    link = next((other.text for other in reversed(words[:at]) if other.has(Role.PREPOSITION)), "")
    if _is_there(link, words[at:]):
        return False
    if is_someone(noun):
        return not _poses_in_the_scene(words, at)
    is_another = atom.has(Role.PLACE, Role.COLOR) or atom.text in _HOLDING or _tells_who(words, atom)
    is_lying = not link and atom.text.endswith(("ing", "ed"))
    return is_another or not (is_lying or link == "of" or link in _LYING)


def _tells_who(words: Sequence[Atom], atom: Atom) -> bool:
    """ "Of the man", "from the elderly man": who has it."""
    holders = [other for other in words if is_someone(str(other.senses.get(Role.SEEN)))]
    is_owner = atom in holders and any(other.text == "of" for other in words[: words.index(atom)])
    return is_owner or (bool(holders) and chooses_before("person", atom))


def chooses_as_owner(noun: str, owners: Sequence[Atom]) -> bool:
    """Whether it is said whose thing it is: "the boy's bag"; "my friend's" is anyone's."""
    is_known = any(atom.has(Role.SEEN) for atom in owners) and owners[0].text not in ("my", "our")
    return is_known and not is_someone(noun)


def _is_of(words: Sequence[Atom], at: int) -> bool:
    return [other.text for other in words[at + 1 : at + 2]] == ["of"]


def _is_there(link: str, words: Sequence[Atom]) -> bool:
    """ "On the beach", "in the deep water": where the photo was taken."""
    names = [atom for atom in words[:2] if is_name(atom)]
    grounds = EXPANSES | _UNDERFOOT
    return link in _LYING and bool(names) and (is_the_scene(names[-1]) or names[-1].text in grounds)


def _poses_in_the_scene(words: Sequence[Atom], at: int) -> bool:
    """ "Walking on the beach" describes, "sitting" and "sitting on the chair" choose."""
    link = next((i for i in range(at + 1, len(words)) if words[i].has(Role.PREPOSITION)), len(words))
    return _is_a_pose(words[at]) and link < len(words) and _is_there(words[link].text, words[link + 1 :])


def _is_a_pose(atom: Atom) -> bool:
    return atom.text.endswith(("ing", "ed")) and atom.text not in _IDLE and not atom.has(Role.NOUN)


def is_the_scene(atom: Atom) -> bool:
    return atom.has(Role.IT, Role.PHOTO) or atom.text in _GROUNDS


COMPARED = frozenset(
    {
        *("bigger", "smaller", "taller", "shorter", "larger", "closer"),
        *("outside", "outer", "outermost", "inner", "front", "rear"),
        *("closest", "nearest", "farthest", "furthest"),
    }
)
_TRAITS = frozenset(
    {
        *("tall", "short", "big", "small", "large", "fat", "thin", "skinny", "slim", "bald", "curly", "old"),
        *(
            "elder",
            "older",
            "younger",
            "elderly",
            "bearded",
            "pregnant",
            "shirtless",
            "topless",
            "naked",
            "asian",
            "hooded",
        ),
        *("haired", "redhead", "redheaded", "brunette", "gray haired", "blonde haired", "dark haired"),
    }
)
_AGES = frozenset({"young"})
_HOLDING = frozenset({"wearing", "holding", "carrying", "riding", "wears", "holds"})
_LYING = frozenset({"in", "on", "from", "off", "inside", "out of", "off of", "on top of", "at", "into"})
_IDLE = frozenset(
    {
        *("here", "there", "right here", "right", "right there", "completely", "entirely", "fully"),
        *("photobombing", "photobombed", "annoying", "unwanted", "uninvited", "distracting", "interfering"),
        *("ruining", "ruined", "spoiling", "blocking", "unneeded", "existing", "remaining", "depicted"),
        *("law", "shown", "seen", "pictured", "front", "out", "again", "first", "too", "also", "top"),
        *("totally", "bottom", "end", "else"),
    }
)
_GROUNDS = frozenset(
    {
        *("street", "road", "path", "beach", "field", "park", "square", "scene", "scenery", "landscape"),
        *("view", "city", "town", "place", "area", "room"),
    }
)
EXPANSES = frozenset(
    {
        *("track", "highway", "driveway", "lake", "river", "sea", "ocean", "harbor", "water"),
        *("sky", "lawn", "meadow"),
    }
)
_UNDERFOOT = frozenset(
    {
        *("ground", "floor", "grass", "shoreline", "shore", "parking lot", "lot", "yard", "pool", "snow"),
        *("sand", "hill", "mountain", "pavement", "sidewalk"),
    }
)
