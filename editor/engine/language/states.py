"""Words that tell what a photo is like, and are no wish: "make the blurry background sharp"."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.grammar import Atom, Clause
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Phrase
from editor.engine.plan import Reason, Refusal

_TURNING = (Role.MAKE, Role.CHANGE)
_STATES = (Role.ADJECTIVE, Role.LOOK)
_OWNED = (
    *(Role.PHOTO, Role.BACKGROUND, Role.SUBJECT, Role.FACE, Role.PERSON, Role.MARKED, Role.NOUN),
    *(Role.FINDABLE, Role.TEXT, Role.CAST, Role.COLORS),
)
_GOALS = (Role.ADJECTIVE, Role.COLOR, Role.LOOK, Role.MORE, Role.LESS, Role.VAGUE, Role.TRANSPARENT)
_COLORED = (Role.COLORS, Role.PAINT, Role.UNCHANGED)


def without_states(clause: Clause) -> Clause:
    """A clause in which "blurry" of "make the blurry background sharp" asks for nothing."""
    atoms = clause.atoms
    verb = next((at for at, atom in enumerate(atoms) if not atom.has(Role.FILLER, Role.AND)), 0)
    first = verb + 1
    while first < len(atoms) and atoms[first].has(Role.DETERMINER, Role.THIS, Role.WHOLE):
        first += 1
    after = first
    while after < len(atoms) and _is_a_state(atoms[after]):
        after += 1
    is_told = after > first and (
        _is_turned(atoms, after) if atoms[verb].has_any(_TURNING) else _is_mended(atoms, verb, first)
    )
    if not is_told:
        return clause
    silent = [replace(atom, senses={Role.FILLER: True}) for atom in atoms[first:after]]
    return replace(clause, atoms=[*atoms[:first], *silent, *atoms[after:]])


def _is_a_state(atom: Atom) -> bool:
    is_state = atom.has_any(_STATES) and not atom.has(Role.MORE, Role.LESS)
    return (is_state and not atom.has(Role.QUALITY, Role.COLOR)) or atom.text in _ALSO_QUALITIES


_ALSO_QUALITIES = frozenset({"dark", "bright", "light", "sharp"})


def _is_turned(atoms: Sequence[Atom], at: int) -> bool:
    """Whether the thing stands there, and what it is to become after it."""
    is_thing = at < len(atoms) and atoms[at].has_any(_OWNED)
    return is_thing and any(atom.has_any(_GOALS) for atom in atoms[at + 1 :])


def _is_mended(atoms: Sequence[Atom], verb: int, first: int) -> bool:
    """ "Fix the black and white photo"."""
    is_look = atoms[first].has(Role.LOOK) and _is_definite(atoms[first - 1])
    is_photo = first + 1 < len(atoms) and atoms[first + 1].has(Role.PHOTO)
    return is_look and is_photo and atoms[verb].has(Role.ADJUST, Role.ENHANCE, Role.TONE)


def colorizing(phrase: Phrase) -> Refusal | None:
    """ "Turn this black and white photo into color": what it is, and not what it is to become."""
    atoms = phrase.clause.atoms
    at = next((i for i, atom in enumerate(atoms) if _is_gray(atom)), None)
    if at is None or not _is_left_behind(atoms, at):
        return None
    hint = "Coloring a black-and-white photo needs a generative engine."
    return phrase.refused(Reason.NEEDS_GENERATION, hint)


def _is_gray(atom: Atom) -> bool:
    """Whether it names a photo without colors, also where it only tells which photo is edited."""
    return atom.senses.get(Role.LOOK) in ("black_and_white", "sepia") or atom.text in _GRAY


_GRAY = frozenset({"black and white", "black & white", "b & w", "monochrome", "grayscale", "greyscale"})


def _is_left_behind(atoms: Sequence[Atom], at: int) -> bool:
    """ "From black and white", "the black and white photo ... colored", "the black and white into color"."""
    is_from = at > 0 and atoms[at - 1].text == "from"
    is_photo = at + 1 < len(atoms) and atoms[at + 1].has(Role.PHOTO)
    is_this = is_photo and any(_is_definite(atom) for atom in atoms[max(at - 2, 0) : at])
    goals = [i for i in range(0 if is_this else at + 1, len(atoms)) if _is_in_color(atoms, i)]
    is_named = (
        0 < at < len(atoms) - 1 and atoms[at - 1].text == "the" and atoms[at + 1].text in ("to", "into")
    )
    return bool(goals) and (is_from or is_photo or is_named)


def _is_definite(atom: Atom) -> bool:
    return atom.has(Role.THIS) or atom.text in ("the", "my", "our", "that")


def _is_in_color(atoms: Sequence[Atom], at: int) -> bool:
    """A color that is the goal: not "instead of color", nor "the car in color" that stays so."""
    stays = any(atom.has(Role.KEEP, Role.EXCEPT, Role.WITHOUT, Role.NOT) for atom in atoms[:at])
    is_colored = atoms[at].has_any(_COLORED) or atoms[at].text in ("colorful", "colourful")
    return is_colored and "color" in atoms[at].text.replace("colour", "color") and not stays
