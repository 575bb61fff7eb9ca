"""A clause taken apart: the parts of the photo that it names, and the words that are left to the rules."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from editor.engine.language.grammar import Atom, Clause, roles_of
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.lexicon.things import SUBJECTS
from editor.engine.language.scopes import Scope as Scope
from editor.engine.language.scopes import is_strange, scope_at
from editor.engine.language.wishes import Wish
from editor.engine.plan import Kind, Reason, Refusal, Target

NEW_BACKGROUND = "new background"
REMOVED = "removed"  # what "it" is about after a removal: nothing that is still there
COPIED = "copied"  # ... and after a copy: one of two


@dataclass(frozen=True, slots=True)
class Scene:
    """What an instruction is about: its text, how many photos came with it, and the numbers of its boxes."""

    instruction: str
    photos: int
    boxes: tuple[int, ...]


@dataclass(frozen=True)
class Phrase:
    """A clause taken apart: the scopes that it names, and the atoms that are left to the forms."""

    clause: Clause
    scene: Scene
    scopes: Sequence[Scope]
    core: Sequence[Atom]
    antecedent: str = ""
    meant: Target | None = None  # what "it" is, where the clause before was about one thing

    @cached_property
    def roles(self) -> frozenset[Role]:
        return roles_of(self.core)

    @cached_property
    def whats(self) -> frozenset[str]:
        """Which parts of the photo it names."""
        return frozenset(scope.what for scope in self.scopes)

    def has(self, *roles: Role) -> bool:
        """Whether a word of its core can be one of these."""
        return not self.roles.isdisjoint(roles)

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

    @cached_property
    def names(self) -> frozenset[str]:
        """The things and people that the words name, beside qualities, without what they are next to."""
        atoms = self.clause.atoms
        named = [at for at, atom in enumerate(atoms) if _names_a_part(atom)]
        named = named or [at for at, atom in enumerate(atoms) if _is_a_side(atom)]
        ends = (at for at, atom in enumerate(atoms) if at > named[0] and atom.has(Role.PREPOSITION))
        end = next(ends, len(atoms)) if named else 0
        return frozenset(atoms[at].text for at in named if at < end)

    @property
    def where(self) -> str:
        """How the words tell where: by the "box", a "part", the "whole", only "it" or "this"; "open" when
        they do not."""
        heads = {role for scope in self.scopes for role in self.clause.atoms[scope.after - 1].senses}
        told = {name for name, role in _POINTERS.items() if role in heads}
        if told.isdisjoint(("box", "part")) and self.names:
            told.add("part")
        return next((name for name in _POINTERS if name in told), "open")

    @property
    def follows_background(self) -> bool:
        return self.antecedent in ("background", NEW_BACKGROUND)

    def refused(self, reason: Reason, hint: str) -> Refusal:
        return Refusal(self.words, reason, hint)

    def step(self, kind: Kind, operation: str, **values: object) -> Wish:
        return Wish(kind, operation, **({"words": self.span, "photo": self.photo} | values))  # type: ignore[arg-type]


_POINTERS = {"box": Role.MARKED, "part": Role.SUBJECT, "whole": Role.PHOTO, "it": Role.IT, "this": Role.THIS}


def _names_a_part(atom: Atom) -> bool:
    if _THINGS.isdisjoint(atom.senses):
        return not _PARTS.isdisjoint(atom.senses) or is_strange(atom)
    return not atom.has(Role.QUALITY, Role.PHOTO) or not _PARTS.isdisjoint(atom.senses)


_THINGS = frozenset({Role.NOUN, Role.WRITTEN, Role.FLAW})
_PARTS = frozenset({Role.PERSON, Role.FACE, Role.BACKGROUND})


def _is_a_side(atom: Atom) -> bool:
    return atom.has(Role.PLACE) and not atom.has(Role.CENTER)


Answer = list[Wish] | Refusal


def taken_apart(clause: Clause, scene: Scene, antecedent: str, meant: Target | None = None) -> Phrase:
    scopes, core = list[Scope](), list[Atom]()
    is_adding = clause.has(Role.ADD)
    at = 0
    while at < len(clause.atoms):
        scope, atom = scope_at(clause.atoms, at), clause.atoms[at]
        if scope:
            scopes.append(_counted(scope, scene))
        elif (is_adding and atom.kind == "emoji") or not _is_dropped(atom, opens=not (core or scopes)):
            core.append(atom)
        at = scope.after if scope else at + 1
    if core and core[-1] is clause.atoms[-1] and core[-1].text in _LEADING_ON:
        core.pop()
    if _ends_on_a_joint(clause, core):
        core.pop()
    phrase = Phrase(clause, scene, scopes, core, antecedent, meant)
    if not scopes:
        return phrase
    scopes = [_pronoun_resolved(scope, phrase) for scope in scopes]
    owners = [
        at for at in range(len(scopes)) if _owns_a_face(scopes, at) or _owns_the_skin(phrase, scopes[at])
    ]
    return replace(phrase, scopes=[scope for at, scope in enumerate(scopes) if at not in owners])


_LEADING_ON = frozenset({"to", "so", "by"})  # to the next clause: "remove the background to leave the cake"


def _ends_on_a_joint(clause: Clause, core: Sequence[Atom]) -> bool:
    """The "and only" before the "keep" of the next clause."""
    is_joint = len(core) > 1 and core[-1].has(Role.AND)
    last = next((atom for atom in reversed(clause.atoms) if atom.text not in ("only", "just")), None)
    return is_joint and core[-1] is last


def _owns_a_face(scopes: Sequence[Scope], at: int) -> bool:
    """The children of "the faces of the children"."""
    scope = scopes[at]
    is_owner = scope.what == "person" and scope.preposition == "of" and at > 0
    return is_owner and scopes[at - 1].what == "face" and scopes[at - 1].after == scope.first


def _owns_the_skin(phrase: Phrase, scope: Scope) -> bool:
    """The man of "the skin of the man"."""
    before = phrase.clause.atoms[scope.first - 1] if scope.first > 0 else None
    is_owned = before is not None and before.senses.get(Role.FINDABLE) == "skin"
    return is_owned and scope.what == "person" and scope.preposition == "of" and not phrase.scene.boxes


def _counted(scope: Scope, scene: Scene) -> Scope:
    """Of two photos "the other" and "the last" one is the second."""
    return replace(scope, photos=(2,)) if scope.photos == (0,) and scene.photos <= 2 else scope


def _is_dropped(atom: Atom, *, opens: bool) -> bool:
    """Courtesy, an article, and the "and" of ", and remove the background"."""
    return not _DROPPED.isdisjoint(atom.senses) or atom.kind == "comma" or (opens and atom.has(Role.AND))


_DROPPED = frozenset({Role.FILLER, Role.DETERMINER, Role.THIS})


def _pronoun_resolved(scope: Scope, phrase: Phrase) -> Scope:
    if scope.what in ("person", "subject", "it", "this") and scope.preposition == "behind":
        return replace(scope, what="background", preposition="")
    if scope.what == "region" and not scope.boxes:
        return replace(scope, boxes=phrase.scene.boxes)
    if scope.what not in ("it", "this"):
        return scope
    return replace(scope, what=_meant(scope, phrase), boxes=phrase.scene.boxes)


def _meant(scope: Scope, phrase: Phrase) -> str:
    if scope.what == "it" and _follows_the_photo(scope, phrase):
        return "whole"
    if phrase.follows_background and phrase.has(Role.COLOR, Role.TRANSPARENT, Role.REPLACE):
        return "background"
    if phrase.antecedent == "background" and any(
        _is_blur(atom.senses.get(Role.TONE)) for atom in phrase.core
    ):
        return "background"
    is_owner = any(atom.text == "its" for atom in phrase.clause.atoms[scope.first : scope.after])
    if scope.what == "it" and not is_owner and _is_about_the_photo(phrase):
        return "whole"
    if scope.what == "it" and phrase.has(Role.OVERLAID):  # "make it rain"
        return "whole"
    if phrase.antecedent == REMOVED:
        return "whole" if _is_about_the_photo(phrase) else "unclear"
    if not scope.preposition and _is_turned(phrase):
        return "whole"
    is_graded = phrase.meant is not None and phrase.has(Role.MORE, Role.LESS)
    if phrase.has(*_OF_ALL) and not (is_graded or phrase.has(Role.QUALITY)):
        return "whole"
    if phrase.antecedent in ("", "whole", "region"):
        return (
            "region"
            if phrase.scene.boxes and (scope.what == "this" or phrase.antecedent != "whole")
            else "whole"
        )
    return "unclear"


def _follows_the_photo(scope: Scope, phrase: Phrase) -> bool:
    """ "Sharpen the photo by lighting it"."""
    before = [other for other in phrase.scopes if other.first < scope.first]
    return bool(before) and before[-1].what == "whole" and not phrase.names


_OF_A_PHOTO = (
    *(Role.TONE, Role.RAISE, Role.LOWER, Role.ENHANCE, Role.CROP, Role.ROTATE, Role.FLIP, Role.RESIZE),
    *(Role.BORDER, Role.VIGNETTE, Role.QUOTED, Role.LOOK),
)


_OF_ALL = (Role.ENHANCE, Role.ADJUST, Role.RESTORE, Role.VAGUE, Role.BALANCE)
"""An improvement is of the whole photo, even where a box is marked."""
_TURNING = (
    *(Role.ROTATE, Role.FLIP, Role.RESIZE, Role.STRAIGHTEN, Role.EXTEND, Role.STRETCH, Role.UPRIGHT),
    *(Role.PRINT, Role.FORMAT, Role.FILE),
)


def _is_turned(phrase: Phrase) -> bool:
    """ "Rotate it", "make it square": only the whole photo can be."""
    is_shaped = phrase.has(Role.RATIO, Role.SIZE)
    is_added = phrase.has(Role.ADD, Role.PAINT)
    return phrase.has(*_TURNING) or (is_shaped and not is_added)


def _is_about_the_photo(phrase: Phrase) -> bool:
    """ "Make the background white and brighten it": a background that is done with is not brightened, and
    neither is what was removed."""
    if phrase.antecedent == REMOVED:
        return phrase.has(*_OF_A_PHOTO, *_OF_WHAT_IS_LEFT)
    blurs = any(_is_blur(atom.senses.get(Role.TONE)) for atom in phrase.core)
    asks = phrase.has(*_OF_A_PHOTO)
    return phrase.antecedent == NEW_BACKGROUND and asks and not blurs


_OF_WHAT_IS_LEFT = (
    Role.QUALITY,
    Role.ADJECTIVE,
    Role.LOOK,
    Role.VAGUE,
    Role.ZOOM,
    Role.STRAIGHTEN,
    Role.RATIO,
)


def _is_blur(meaning: object) -> bool:
    return isinstance(meaning, Tone) and (meaning.operation, meaning.sign) in (("blur", 1), ("sharpness", -1))


def is_about_the_subject(phrase: Phrase) -> bool:
    """ "... leaving only the cat": what a new background leaves anyway."""
    named = [atom for atom in phrase.core if atom.has(Role.NOUN) or is_strange(atom)]
    is_known = all(atom.text in SUBJECTS for atom in named)
    whats = {scope.what for scope in phrase.named}
    return whats <= {"person", "subject"} and (
        bool(phrase.scene.boxes) or (is_known and bool(named or whats))
    )


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
    used = next((scope for scope in phrase.scopes if set(scope.photos) - {1}), None)
    opens = any(atom.has(Role.REPLACE, Role.ADD, Role.USE) for atom in phrase.core[:1])
    if opens and used is not None and not used.preposition:
        hint = "Only photo 1 is changed. Another photo can be its background, or stand in a corner of it."
        return phrase.refused(Reason.NO_SUCH_TARGET, hint)
    return phrase.refused(Reason.NO_SUCH_TARGET, "Only photo 1 is changed. Put that photo first.")


def _names_several(phrase: Phrase) -> bool:
    headings = [
        atom
        for scope in phrase.scopes
        if scope.what not in ("background", "subject", "person", "face")
        for atom in phrase.clause.atoms[scope.first : scope.after]
    ]
    return phrase.scene.photos > 1 and any(atom.has(Role.SEVERAL) for atom in [*headings, *phrase.core[-1:]])


def direct_backgrounds(phrase: Phrase) -> list[Scope]:
    """The background as what is to go; "behind the man" only says once more where it is."""
    atoms = phrase.clause.atoms
    return [
        scope
        for scope in phrase.scopes
        if scope.what == "background"
        and scope.preposition in ("", "of")
        and any(atom.has(Role.BACKGROUND) for atom in atoms[scope.first : scope.after])
    ]
