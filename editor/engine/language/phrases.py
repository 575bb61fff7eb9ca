"""A clause taken apart: the parts of the photo that it names, and the words that are left to the rules."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from editor.engine.language.grammar import OBJECTS, Atom, Clause, is_packing
from editor.engine.language.lexicon import Role, Tone
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Step, Target

NEW_BACKGROUND = "new background"
MARK_IT = "Mark it with a box and it can be changed."


@dataclass(frozen=True, slots=True)
class Scene:
    """What an instruction is about: its text, how many photos came with it, and the numbers of its boxes."""

    instruction: str
    photos: int
    boxes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """A part of the photo that a clause names, with the preposition before it."""

    what: str
    preposition: str
    first: int  # of the atoms in the clause
    after: int
    boxes: tuple[int, ...] = ()
    photos: tuple[int, ...] = ()


@dataclass(slots=True)
class Phrase:
    """A clause taken apart: the scopes that it names, and the atoms that are left to the forms."""

    clause: Clause
    scene: Scene
    scopes: list[Scope] = field(default_factory=list)
    core: list[Atom] = field(default_factory=list)
    antecedent: str = ""

    @property
    def span(self) -> tuple[int, int]:
        return self.clause.span

    @property
    def words(self) -> str:
        start, end = self.span
        return self.scene.instruction[start:end]

    @property
    def named(self) -> list[Scope]:
        return [scope for scope in self.scopes if scope.what != "whole"]

    @property
    def photos(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(photo for scope in self.scopes for photo in scope.photos))

    @property
    def photo(self) -> int | None:
        return next(iter(self.photos), None)

    @property
    def follows_background(self) -> bool:
        return self.antecedent in ("background", NEW_BACKGROUND)

    def refused(self, reason: Reason, hint: str) -> Refusal:
        return Refusal(self.words, reason, hint)

    def step(self, kind: Kind, operation: str, **values: object) -> Step:
        return replace(Step(kind, operation, words=self.span, photo=self.photo), **values)  # type: ignore[arg-type]


Answer = list[Step] | Refusal


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


def taken_apart(clause: Clause, scene: Scene, antecedent: str) -> Phrase:
    phrase = Phrase(clause, scene, antecedent=antecedent)
    at = 0
    while at < len(clause.atoms):
        scope = _scope_at(clause.atoms, at)
        atom = clause.atoms[at]
        if scope:
            phrase.scopes.append(scope)
        elif not _is_dropped(atom) and not _is_opening_joint(atom, phrase):
            phrase.core.append(atom)
        at = scope.after if scope else at + 1
    phrase.scopes = [_pronoun_resolved(_counted(scope, scene), phrase) for scope in phrase.scopes]
    return phrase


def _counted(scope: Scope, scene: Scene) -> Scope:
    """Of two photos "the other" and "the last" one is the second."""
    return replace(scope, photos=(2,)) if scope.photos == (0,) and scene.photos <= 2 else scope


def _is_opening_joint(atom: Atom, phrase: Phrase) -> bool:
    """The "and" of ", and remove the background"."""
    return atom.has(Role.AND) and not phrase.core and not phrase.scopes


def _is_dropped(atom: Atom) -> bool:
    return atom.has(Role.FILLER, Role.DETERMINER, Role.THIS) or atom.kind == "comma"


def _scope_at(atoms: Sequence[Atom], first: int) -> Scope | None:
    at, preposition = first, ""
    if atoms[at].has(Role.PREPOSITION) and atoms[at].text in _SCOPE_PREPOSITIONS:
        at, preposition = at + 1, atoms[at].text
    while at + 1 < len(atoms) and _introduces(atoms[at], atoms[at + 1]):
        at += 1
    return _headed(atoms, first, at, preposition) if at < len(atoms) else None


def _introduces(atom: Atom, following: Atom) -> bool:
    if atom.has(Role.PERSON, Role.THIS, Role.IT):
        return atom.has(Role.DETERMINER, Role.THIS, Role.IT) and following.has(*OBJECTS)
    return atom.has(Role.DETERMINER, Role.WHOLE) or (atom.has(Role.FILLER) and following.has(*OBJECTS))


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
    boxes, after = _numbers(atoms, at + 1) if what == "region" else ((), at + 1)
    return Scope(what, preposition, first, after, boxes)


_MOST_PHOTOS = 20  # "rotate the photo 180" is not about photo 180


def _numbered_photo(atoms: Sequence[Atom], at: int) -> tuple[tuple[int, ...], int] | None:
    """ "photo 2", "photos 1 and 2", "the second photo": the numbers and the place after them."""
    following = atoms[at + 1] if at + 1 < len(atoms) else None
    if following is None:
        return None
    if atoms[at].has(Role.ORDINAL) and (following.has(Role.PHOTO) or following.text == "one"):
        return (int(str(atoms[at].senses[Role.ORDINAL])),), at + 2
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
    nominal = bool(following) and (following[0].has(*_NOMINAL) or _is_strange(following[0]))
    return nominal and what != "whole" and not (what in ("background", "it") and following[0].has(Role.COLOR))


def _is_strange(atom: Atom) -> bool:
    return atom.is_unknown and atom.kind == "word"


def _pronoun_resolved(scope: Scope, phrase: Phrase) -> Scope:
    if scope.what in ("person", "subject") and scope.preposition == "behind":
        return replace(scope, what="background", preposition="")
    if scope.what == "region" and not scope.boxes:
        return replace(scope, boxes=phrase.scene.boxes)
    if scope.what not in ("it", "this"):
        return scope
    return replace(scope, what=_meant(scope, phrase), boxes=phrase.scene.boxes)


def _meant(scope: Scope, phrase: Phrase) -> str:
    if phrase.follows_background and any(
        atom.has(Role.COLOR, Role.TRANSPARENT, Role.REPLACE) for atom in phrase.core
    ):
        return "background"
    is_owner = any(atom.text == "its" for atom in phrase.clause.atoms[scope.first : scope.after])
    if scope.what == "it" and not is_owner and _is_about_the_photo(phrase):
        return "whole"
    if phrase.antecedent in ("", "whole", "region"):
        return (
            "region"
            if phrase.scene.boxes and (scope.what == "this" or phrase.antecedent != "whole")
            else "whole"
        )
    return "unclear"


_OF_A_PHOTO = (
    *(Role.TONE, Role.RAISE, Role.LOWER, Role.ENHANCE, Role.CROP, Role.ROTATE, Role.FLIP, Role.RESIZE),
    *(Role.BORDER, Role.VIGNETTE, Role.QUOTED),
)


def _is_about_the_photo(phrase: Phrase) -> bool:
    """ "Make the background white and brighten it": a background that is done with is not brightened."""
    blurs = any(atom.senses.get(Role.TONE) == Tone("sharpness", -1) for atom in phrase.core)
    asks = any(atom.has(*_OF_A_PHOTO) for atom in phrase.core)
    return phrase.antecedent == NEW_BACKGROUND and not phrase.scene.boxes and asks and not blurs


def missing_photo(phrase: Phrase) -> Refusal | None:
    count = phrase.scene.photos
    missing = next((photo for photo in phrase.photos if not 1 <= photo <= count), None)
    if missing is None:
        return None
    if missing == 0:
        return phrase.refused(Reason.AMBIGUOUS, "Say which photo by its number, for example: photo 2.")
    given = "Only one photo was given." if count == 1 else f"Only {count} photos were given."
    return phrase.refused(Reason.NEEDS_REFERENCE, f"{given} Attach photo {missing} and it can be used.")


def other_photo(phrase: Phrase) -> Refusal | None:
    """The photos beside the first can only be used; a wish to change them is refused."""
    if set(phrase.photos) <= {1} and not _names_several(phrase):
        return None
    return phrase.refused(Reason.NO_SUCH_TARGET, "Only photo 1 is changed. Put that photo first.")


def _names_several(phrase: Phrase) -> bool:
    headings = [
        atom
        for scope in phrase.scopes
        if scope.what not in ("background", "subject", "person", "face")
        for atom in phrase.clause.atoms[scope.first : scope.after]
    ]
    return phrase.scene.photos > 1 and any(atom.has(Role.SEVERAL) for atom in [*headings, *phrase.core[-1:]])


class Place(NamedTuple):
    """The targets of a clause, or why there are none."""

    targets: tuple[Target, ...] = ()
    refusal: Refusal | None = None


def placed(phrase: Phrase, things: Sequence[Atom] = ()) -> Place:
    """Where a change of tone goes. What cannot be found needs a box; it never becomes the whole photo."""
    if things or is_compound(phrase):
        return _placed_thing(phrase, things)
    places = [placed_scope(phrase, scope) for scope in phrase.named]
    refusal = next((place.refusal for place in places if place.refusal), None)
    if refusal:
        return Place(refusal=refusal)
    return Place(tuple(dict.fromkeys(target for place in places for target in place.targets)) or (WHOLE,))


def _placed_thing(phrase: Phrase, things: Sequence[Atom]) -> Place:
    if phrase.scene.boxes and names_something(things, phrase):
        return Place((boxed(phrase),))
    return Place(refusal=phrase.refused(Reason.NO_SUCH_TARGET, MARK_IT))


def names_something(things: Sequence[Atom], phrase: Phrase) -> bool:
    """Whether the words are one name: in one piece, with a noun that is known or has an article."""
    atoms = phrase.clause.atoms
    places = [next(i for i, other in enumerate(atoms) if other is atom) for atom in things]
    gaps = [atom for i, atom in enumerate(atoms) if places and places[0] < i < places[-1] and i not in places]
    if any(
        not is_packing(atom) and not atom.has(Role.DETERMINER, Role.PREPOSITION, *OBJECTS) for atom in gaps
    ) or any(atom.text == "for" for atom in things):
        return False
    if any(atoms[at].has(Role.PLACE) and at > 0 and atoms[at - 1].has(Role.AND) for at in places):
        return False
    has_head = any(atom.has(Role.NOUN, Role.TEXT, Role.EDGES, Role.SCENE) for atom in things)
    has_article = any(at > 0 and atoms[at - 1].has(Role.DETERMINER, Role.THIS) for at in places)
    return (not things or has_head or has_article) and is_noun_phrase(things, phrase)


def boxed(phrase: Phrase) -> Target:
    return Target("region", boxes=phrase.scene.boxes)


def placed_scope(phrase: Phrase, scope: Scope) -> Place:
    if scope.what in ("subject", "background"):
        return Place((Target(scope.what),))
    if scope.what == "region":
        return _placed_boxes(phrase, scope)
    if scope.what == "unclear":
        hint = "Say “the photo” or name the part instead of “it”."
        return Place(refusal=phrase.refused(Reason.AMBIGUOUS, hint))
    if phrase.scene.boxes:
        return Place((boxed(phrase),))
    if scope.what == "person":
        return Place((Target("subject"),))
    return Place(refusal=phrase.refused(Reason.NO_SUCH_TARGET, MARK_IT))


def _placed_boxes(phrase: Phrase, scope: Scope) -> Place:
    if not scope.boxes:
        hint = "No box was marked. Mark the place with a box."
        return Place(refusal=phrase.refused(Reason.NEEDS_REGION, hint))
    missing = [box for box in scope.boxes if box not in phrase.scene.boxes]
    if missing:
        return Place(
            refusal=phrase.refused(Reason.NEEDS_REGION, f"There is no box {missing[0]}. Mark it first.")
        )
    return Place((Target("region", boxes=scope.boxes),))


def is_compound(phrase: Phrase) -> bool:
    """Two scopes without an "and" between them name one thing: "the man in the background"."""
    return any(
        not _are_joined(phrase, left, right)
        for left, right in zip(phrase.named, phrase.named[1:], strict=False)
    )


def _are_joined(phrase: Phrase, left: Scope, right: Scope) -> bool:
    between = phrase.clause.atoms[left.after : right.first + 1]
    return any(atom.has(Role.AND) or atom.kind == "comma" for atom in between)


def is_noun_phrase(things: Sequence[Atom], phrase: Phrase) -> bool:
    """Whether the words can name what is in the box; an unknown word before an article acts like a verb."""
    atoms = phrase.clause.atoms
    for atom in things:
        at = next(i for i, other in enumerate(atoms) if other is atom)
        after = atoms[at + 1] if at + 1 < len(atoms) else None
        if atom.is_unknown and after is not None and after.has(Role.DETERMINER):
            return False
        if atom.has(*_NEVER_IN_A_NAME) and not atom.has(*_ALSO_A_NAME):
            return False
    return True


_NEVER_IN_A_NAME = (
    *(Role.NOT, Role.EXCEPT, Role.UNAVAILABLE, Role.DEFECT, Role.MAKE, Role.TONE, Role.RAISE, Role.LOWER),
    *(Role.ENHANCE, Role.REMOVE, Role.CHANGE, Role.REPLACE, Role.ROTATE, Role.FLIP, Role.CROP, Role.ADJUST),
)
_ALSO_A_NAME = (Role.NOUN, Role.PREPOSITION, Role.PLACE, Role.ADJECTIVE, Role.COLORS)


def placed_steps(phrase: Phrase, kind: Kind, operation: str, *, amount: float | None) -> Answer:
    place = placed(phrase)
    if place.refusal:
        return place.refusal
    return [phrase.step(kind, operation, target=target, amount=amount) for target in place.targets]
