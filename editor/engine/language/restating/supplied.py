"""The photos beside the first, as people speak of them: "our logo (second image)", "the attached background".

Each is told as "the second photo", which the rules read.
"""

from collections.abc import Sequence

from editor.engine.language.atoms import Atom, is_packing, passed_over
from editor.engine.language.lexicon.roles import Role

_SUPPLIED = frozenset({"attached", "uploaded", "included", "provided", "supplied", "enclosed"})
_HINTS = _SUPPLIED | {"(", "take", "taking", "cut out", "crop out", "cut", "crop", "get"}


def renumbered(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, each photo beside the first by its number, where the words leave no doubt."""
    told = list(found)
    texts = {atom.text for atom in told}
    if texts.isdisjoint(_HINTS) or not any(atom.has(*_BEHIND) or atom.text == "one" for atom in told):
        return told
    if "(" in texts:
        told = _without_brackets(told)
    if not texts.isdisjoint(_SUPPLIED):
        told = _with_the_one_sent(_with_the_attached(told))
    return _put_at_once(told)


_BEHIND = (Role.PHOTO, Role.BACKGROUND, Role.GROUND)


def _second(at: Atom) -> list[Atom]:
    return [
        Atom("second", at.start, at.end, {Role.ORDINAL: 2}),
        Atom("photo", at.end, at.end, {Role.PHOTO: "photo"}),
    ]


def _is_another_photo(atoms: Sequence[Atom]) -> bool:
    """ "Second image", "photo 2"."""
    told = [atom for atom in atoms if not atom.has(Role.DETERMINER, Role.THIS)]
    if len(told) != 2 or not any(atom.has(Role.PHOTO) or atom.text == "one" for atom in told):
        return False
    told = [atom for atom in told if atom.text != "one"]
    numbers = {str(atom.senses.get(Role.ORDINAL, atom.senses.get(Role.NUMBER, ""))) for atom in told} - {""}
    return len(numbers) == 1 and float(numbers.pop()) != 1


def _without_brackets(told: list[Atom]) -> list[Atom]:
    """ "Put our logo (second image) on top" as "put second image on top", "put my dog (photo 2) there" as
    "put my dog from photo 2 there"."""
    for at in (at for at, atom in enumerate(told) if atom.text == "("):
        end = next((i for i in range(at, len(told)) if told[i].text == ")"), at)
        start = at
        while start > 0 and told[start - 1].has(Role.NOUN, Role.WRITTEN, Role.COLOR, Role.DETERMINER):
            start -= 1
        adds = start > 0 and told[start - 1].has(Role.ADD, Role.USE)
        if adds and _is_another_photo(told[at + 1 : end]):
            is_all = any(atom.has(Role.WRITTEN) for atom in told[start:at])
            link = Atom("from", told[at].start, told[at].start, {Role.PREPOSITION: "from"})
            named = [] if is_all else [*told[start:at], link]
            return [*told[:start], *named, *told[at + 1 : end], *told[end + 1 :]]
    return told


def _with_the_attached(told: list[Atom]) -> list[Atom]:
    """ "Put him on the attached background", "use the attached photo as the background"; the one of "brighten
    the attached photo" is the first."""
    for at in range(1, len(told) - 1):
        is_one = told[at].text in _SUPPLIED and told[at - 1].has(Role.DETERMINER, Role.THIS)
        is_photo = is_one and told[at + 1].has(Role.PHOTO)
        if is_one and (told[at + 1].has(Role.BACKGROUND) or (is_photo and _are_behind(told[at + 2 :]))):
            return [*told[:at], *_second(told[at]), *told[at + 2 :]]
        if is_photo:  # "brighten the attached photo"
            return [*told[:at], passed_over(told[at]), *told[at + 1 :]]
    for at in range(2, len(told)):
        is_sent = (
            told[at].text in _SUPPLIED and told[at - 1].text in ("i", "i've") and told[at - 2].has(Role.PHOTO)
        )
        link = next((i for i in range(at - 2, -1, -1) if told[i].text in ("with", "by", "for")), at)
        if is_sent and link < at and any(atom.has(Role.BACKGROUND) for atom in told[:link]):
            return [*told[: link + 1], *_second(told[at]), *told[at + 1 :]]
    return told


def _are_behind(rest: Sequence[Atom]) -> bool:
    """ "... as the background"."""
    told = [atom for atom in rest if not atom.has(Role.DETERMINER)]
    return len(told) > 1 and told[0].text in ("as", "for") and told[1].has(Role.BACKGROUND)


def _with_the_one_sent(told: list[Atom]) -> list[Atom]:
    """ "I attached a photo of a beach, use it as the background" as "use second photo as the background"."""
    at = next((at for at, atom in enumerate(told) if atom.text in _SUPPLIED), len(told))
    photo = next((i for i in range(at, len(told)) if told[i].has(Role.PHOTO)), len(told))
    end = next((i for i in range(photo, len(told)) if is_packing(told[i])), len(told))
    names_one = photo < end and not told[photo].has(Role.SEVERAL)
    is_theirs = all(is_packing(atom) or atom.text == "here" for atom in told[:at])
    it = next((i for i in range(end, len(told)) if told[i].has(Role.IT, Role.THIS)), len(told))
    if not (names_one and is_theirs and _are_behind(told[it + 1 :])):
        return told
    return [*map(passed_over, told[:end]), *told[end:it], *_second(told[it]), *told[it + 1 :]]


def _put_at_once(told: list[Atom]) -> list[Atom]:
    """ "Take the man from the first photo and put him into the second" as "put the man into the second"; "cut
    the picture of the dog out. Paste it on white" as "paste the dog on white"."""
    joint = next((at for at, atom in enumerate(told) if _is_joint(atom) and _puts(told[at + 1 :])), 0)
    if joint == 0:
        return _pasted_at_once(told)
    start = next((i + 1 for i in range(joint - 1, -1, -1) if told[i].kind == "stop"), 0)
    verb = next((i for i in range(start, joint) if not is_packing(told[i])), joint)
    takes = told[verb].has(Role.OUTWARD, Role.EXTRACT, Role.CROP, Role.MAKE) or told[verb].text == "crop out"
    if joint == 0 or not takes:
        return told
    first = _after_a_picture_of(told, verb + 1)
    ends = (i for i in range(first, joint) if told[i].text in ("from", "out", "out of", "in", "of"))
    end = next(ends, joint)
    names = told[first:end]
    photo = [atom for atom in told[end + 1 : joint] if not atom.has(*_BEFORE_A_PHOTO)]
    is_first = all(atom.has(Role.PHOTO, Role.BACKGROUND) or _is_first(atom) for atom in photo)
    if not names or not is_first or not all(map(_is_name, names)):
        return told
    return [*told[:verb], told[joint + 1], *names, *told[joint + 3 :]]


def _pasted_at_once(told: list[Atom]) -> list[Atom]:
    """ "Cut the image of the girl Paste on to a white background" as "paste the girl on to ..."."""
    at = next((at for at, atom in enumerate(told) if at and _pastes(told[at:])), 0)
    verb = next((i for i in range(at) if not is_packing(told[i])), at)
    first = _after_a_picture_of(told, verb + 1) if verb + 1 < at else at
    names = told[first:at]
    if not names or not told[verb].has(Role.EXTRACT) or not all(map(_is_name, names)):
        return told
    return [*told[:verb], told[at], *names, *told[at + 1 :]]


def _pastes(rest: Sequence[Atom]) -> bool:
    is_on = len(rest) > 2 and rest[0].has(Role.ADD) and rest[1].text in ("on", "onto")
    return is_on and any(atom.has(Role.BACKGROUND) for atom in rest[2:6])


_BEFORE_A_PHOTO = (Role.DETERMINER, Role.PREPOSITION, Role.THIS)
_NAMES = (Role.DETERMINER, Role.PERSON, Role.SUBJECT, Role.NOUN)


def _is_joint(atom: Atom) -> bool:
    return atom.has(Role.AND) or atom.kind in ("stop", "comma")


def _is_name(atom: Atom) -> bool:
    return atom.has(*_NAMES) or (atom.is_unknown and atom.kind == "word")


def _after_a_picture_of(told: Sequence[Atom], at: int) -> int:
    """Where the girl of "the image of the girl" begins."""
    photo = at + told[at].has(Role.DETERMINER)
    is_of = told[photo].has(Role.PHOTO) and told[photo + 1].text == "of"
    return photo + 2 if is_of else at


def _is_first(atom: Atom) -> bool:
    return str(atom.senses.get(Role.ORDINAL, atom.senses.get(Role.NUMBER))) in ("1", "1.0")


def _puts(rest: Sequence[Atom]) -> bool:
    """ "Put them into the second photo", "put them on a white background"."""
    is_put = len(rest) > 3 and rest[0].has(Role.ADD) and rest[1].text in _PRONOUNS
    end = next((i for i, atom in enumerate(rest) if atom.kind in ("stop", "comma")), len(rest))
    if not is_put or rest[2].text not in ("in", "into", "on", "onto", "in front of"):
        return False
    told = [atom for atom in rest[3:end] if not is_packing(atom)]
    return _is_another_photo(told) or any(atom.has(Role.BACKGROUND, Role.GROUND) for atom in told)


_PRONOUNS = frozenset({"him", "her", "them", "it", "me", "us"})
