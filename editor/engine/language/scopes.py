"""The parts of a photo that a clause names: "the background", "photo 2", "box 1", "this photo of my son"."""

from collections.abc import Sequence
from dataclasses import dataclass

from editor.engine.language.grammar import OBJECTS, Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.things import SINGLE_PHOTO


@dataclass(frozen=True, slots=True)
class Scope:
    """A part of the photo that a clause names, with the preposition before it."""

    what: str
    preposition: str
    first: int  # of the atoms in the clause
    after: int
    boxes: tuple[int, ...] = ()
    photos: tuple[int, ...] = ()


_HEADS: dict[Role, str] = {
    Role.PHOTO: "whole",
    Role.BACKGROUND: "background",
    Role.SUBJECT: "subject",
    Role.FACE: "face",
    Role.MARKED: "region",
    Role.PERSON: "person",
    Role.THIS: "this",
    Role.IT: "it",
}
_SCOPE_PREPOSITIONS = frozenset(
    {
        *("of", "in", "on", "to", "for", "from", "at", "throughout"),
        *("across", "over", "around", "inside", "within", "behind", "against", "onto", "into"),
    }
)
_NOMINAL = (
    Role.NOUN,
    Role.COLOR,
    Role.PERSON,
    Role.FACE,
    Role.SUBJECT,
    Role.TEXT,
    Role.SCENE,
    Role.DEFECT,
    Role.BORDER,
)


def scope_at(atoms: Sequence[Atom], first: int) -> Scope | None:
    """The scope that begins at that atom, with the preposition before it."""
    if _OPENING.isdisjoint(atoms[first].senses) and atoms[first].text != "other":
        return None
    at, preposition = first, ""
    if atoms[at].has(Role.PREPOSITION) and atoms[at].text in _SCOPE_PREPOSITIONS:
        at, preposition = at + 1, atoms[at].text
    while at + 1 < len(atoms) and _introduces(atoms, at):
        at += 1
    return _headed(atoms, first, at, preposition) if at < len(atoms) else None


def _introduces(atoms: Sequence[Atom], at: int) -> bool:
    """Whether an atom leads to a part of the photo: "this whole" in "this whole photo"."""
    atom = atoms[at]
    if _LEADING.isdisjoint(atom.senses):
        return False
    following = next((after for after in atoms[at + 1 :] if not after.has(Role.FILLER)), atoms[at + 1])
    if atom.has(Role.PERSON, Role.THIS, Role.IT):
        return atom.has(Role.DETERMINER, Role.THIS, Role.IT) and following.has(*OBJECTS, Role.WHOLE)
    return atom.has(Role.DETERMINER, Role.WHOLE) or (atom.has(Role.FILLER) and following.has_any(OBJECTS))


_LEADING = frozenset({Role.PERSON, Role.THIS, Role.IT, Role.DETERMINER, Role.WHOLE, Role.FILLER})


_OPENING = _LEADING | _HEADS.keys() | {Role.PREPOSITION, Role.ORDINAL}


def _headed(atoms: Sequence[Atom], first: int, at: int, preposition: str) -> Scope | None:
    numbered = _numbered_photo(atoms, at)
    if numbered:
        photos, after = numbered
        return Scope("whole", preposition, first, after, photos=photos)
    if atoms[at].has(Role.ORDINAL) and at + 1 < len(atoms) and atoms[at + 1].has(Role.MARKED):
        box = int(str(atoms[at].senses[Role.ORDINAL]))
        return Scope("region", preposition, first, at + 2, (box,))
    what = next((_HEADS[role] for role in _HEADS if role in atoms[at].senses), None)
    if what is None or _belongs_to_a_noun(atoms, at, what):
        return None
    boxes, after = _numbers(atoms, at + 1) if what == "region" else ((), _after_content(atoms, first, at))
    return Scope(what, preposition, first, after, boxes)


def _after_content(atoms: Sequence[Atom], first: int, at: int) -> int:
    """Where "this photo of my son with his dog" ends: what a photo is of says nothing about the edit."""
    leads = atoms[at].text in SINGLE_PHOTO and _is_this(atoms[first : at + 1])
    if not leads or at + 2 >= len(atoms) or atoms[at + 1].text != "of":
        return at + 1
    chooses = any(atom.has_any(_CHOOSING) for atom in atoms[:first])
    end = at + 2
    while end < len(atoms) and (
        _is_pictured(atoms[end]) or (not chooses and atoms[end].text in _WITH and _names_next(atoms, end + 1))
    ):
        end += 1
    return end if end > at + 2 else at + 1


def _is_this(atoms: Sequence[Atom]) -> bool:
    """ "A photo of a beach" is not the one that is edited."""
    return any(atom.has(Role.THIS, Role.WHOLE) or atom.text in ("the", "my", "our", "that") for atom in atoms)


_CHOOSING = (Role.MAKE, Role.CHANGE, Role.REPLACE, Role.ADD, Role.USE, Role.REMOVE)
_WITH = frozenset({"with", "in", "on", "at", "and", "&", "from", "holding", "wearing", "sitting", "standing"})
_NAMING = (Role.PERSON, Role.NOUN, Role.FACE)


def _is_pictured(atom: Atom) -> bool:
    is_name = atom.has_any(_NAMING) or (atom.is_unknown and atom.kind == "word")
    return is_name or atom.text == "'s" or atom.has(Role.DETERMINER, Role.THIS)


def _names_next(atoms: Sequence[Atom], at: int) -> bool:
    """Whether a thing of the photo follows, and not a part of it that may be changed."""
    while at < len(atoms) and atoms[at].has(Role.DETERMINER, Role.COLOR):
        at += 1
    if at >= len(atoms) or atoms[at].has(Role.PLACE, Role.LOOK, Role.TONE, Role.QUALITY, *_ALWAYS_A_PART):
        return False
    return _is_pictured(atoms[at])


_ALWAYS_A_PART = (Role.BACKGROUND, Role.SUBJECT, Role.MARKED, Role.PHOTO, Role.FACE, Role.BORDER, Role.TEXT)
_MOST_PHOTOS = 20  # "rotate the photo 180" is not about photo 180


def _numbered_photo(atoms: Sequence[Atom], at: int) -> tuple[tuple[int, ...], int] | None:
    """ "photo 2", "photos 1 and 2", "the second photo": the numbers and the place after them."""
    following = atoms[at + 1] if at + 1 < len(atoms) else None
    if following is None:
        return None
    if atoms[at].has(Role.ORDINAL) and (following.has(Role.PHOTO) or following.text == "one"):
        return (int(str(atoms[at].senses[Role.ORDINAL])),), at + 2
    if atoms[at].text == "other" and following.text in ("as", "for"):
        return (0,), at + 1
    if not atoms[at].has(Role.PHOTO):
        return None
    numbers, after = _numbers(atoms, at + (2 if following.text in ("number", "no", "nr") else 1))
    return (numbers, after) if numbers and max(numbers) <= _MOST_PHOTOS else None


def _numbers(atoms: Sequence[Atom], at: int) -> tuple[tuple[int, ...], int]:
    """The "2" of "box 2", the "1 and 3" of "boxes 1 and 3"."""
    boxes: list[int] = []
    while at < len(atoms) and (atoms[at].has(Role.NUMBER) or _joins_numbers(atoms, at, boxes)):
        if atoms[at].has(Role.NUMBER):
            boxes.append(int(float(str(atoms[at].senses[Role.NUMBER]))))
        at += 1
    return tuple(boxes), at


def _joins_numbers(atoms: Sequence[Atom], at: int, boxes: Sequence[int]) -> bool:
    joins = atoms[at].has(Role.AND) or atoms[at].kind == "comma"
    return bool(boxes) and joins and at + 1 < len(atoms) and atoms[at + 1].has(Role.NUMBER)


def _belongs_to_a_noun(atoms: Sequence[Atom], at: int, what: str) -> bool:
    """ "the man's shirt", "this car" and "background people" name a thing, not the man or the background."""
    following = list(atoms[at + 1 : at + 3])
    if following and following[0].text == "'s":
        following = following[1:] if what != "whole" else []
    if atoms[at].text in ("it", "them"):
        return False
    nominal = bool(following) and (following[0].has_any(_NOMINAL) or is_strange(following[0]))
    return nominal and what != "whole" and not (what in ("background", "it") and following[0].has(Role.COLOR))


def is_strange(atom: Atom) -> bool:
    """Whether it is a word that nothing is known of: it may be the name of a thing."""
    return atom.is_unknown and atom.kind == "word"


def is_one_photo(atom: Atom) -> bool:
    return atom.text in SINGLE_PHOTO and atom.has(Role.PHOTO)


def is_name(atom: Atom) -> bool:
    """Whether a word can be the name of a thing in the photo."""
    return atom.has(Role.NOUN, Role.PERSON, Role.SHAPE, Role.ARROW) or is_strange(atom) or atom.text == "'s"
