"""Styles: "turn it into a watercolor", "make the background a pencil sketch", "add a cartoon effect"."""

from editor.engine.language.forms.form import (
    ANY_CHANGE,
    LINKS,
    PARTS,
    Form,
    Found,
    amount_of,
    is_slight,
    value_of,
)
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.styles import INFUSING, OF_A_STYLE, PRAISE
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.placing import placed_steps
from editor.engine.plan import Kind, Reason


def _style(phrase: Phrase, found: Found) -> Answer | None:
    styles = dict.fromkeys(str(atom.senses[Role.STYLE]) for atom in phrase.core if atom.has(Role.STYLE))
    style = _one_of(list(styles))
    grey = value_of(found, Role.LOOK)
    if style is None or not _is_wished(phrase, found) or grey not in (None, "black_and_white"):
        return None
    if _is_of_another_background(phrase):
        return phrase.refused(Reason.NEEDS_GENERATION, "A painted or drawn background is not available.")
    answer = placed_steps(phrase, Kind.COLOR, style, amount=amount_of(found) if is_slight(found) else None)
    if isinstance(answer, list) and grey and style not in _GREY:
        grays = placed_steps(phrase, Kind.COLOR, "black_and_white", amount=None)
        return [*answer, *grays] if isinstance(grays, list) else grays
    return answer


def _is_of_another_background(phrase: Phrase) -> bool:
    """ "Place the kids in a painted background": where somebody is to be, and not how they are to look."""
    atoms = phrase.clause.atoms
    at = next(i for i, atom in enumerate(atoms) if atom.has(Role.STYLE))
    is_there = any(atom.text in ("in", "on", "onto") for atom in atoms[:at])
    return is_there and atoms[at + 1 : at + 2] != [] and atoms[at + 1].has(Role.BACKGROUND)


_GREY = frozenset({"pencil_sketch", "charcoal", "line_drawing", "halftone"})


def _one_of(styles: list[str]) -> str | None:
    """The one that is meant: "a watercolor drawing" is no pencil sketch, a drawing is one of anything."""
    telling = [style for style in styles if style not in _VAGUE] or styles
    return telling[0] if len(telling) == 1 else None


_VAGUE = frozenset({"pencil_sketch", "oil_painting", "faded"})


def _is_wished(phrase: Phrase, found: Found) -> bool:
    """ "Make it a sketch", "a sketch effect", "as a sketch"; "replace the sketch" and "add a sketch" mean
    one in the photo."""
    atoms = phrase.clause.atoms
    at = next(i for i, atom in enumerate(atoms) if atom.has(Role.STYLE))
    if atoms[at].text.endswith(_MADE_OF) or any(atom.text in OF_A_STYLE for atom in atoms[at + 1 :]):
        return True
    before = [atom for atom in atoms[:at] if not _is_slight(atom)]
    if not before:
        return atoms[0].text != "the"
    if _is_pointed_at(phrase, atoms[at]):
        return False
    if before[-1].text in _LEADING:
        return True
    is_named = any(scope.after <= at for scope in phrase.scopes)
    is_made_of = any(scope.preposition in ("of", "from") for scope in phrase.scopes)
    is_made_of = is_made_of or any(atom.text == "out of" for atom in atoms)
    return Role.MAKE in found and (is_named or is_made_of)


def _is_pointed_at(phrase: Phrase, style: Atom) -> bool:
    """ "The painting", and "a mosaic of these photos", which puts them together."""
    atoms = phrase.clause.atoms
    at = next(i for i, atom in enumerate(atoms) if atom is style)
    is_this = any(atom.text in ("the", "this", "that", "my") for atom in atoms[max(at - 2, 0) : at])
    return is_this or any(atom.has(Role.SEVERAL) and atom.text.startswith(("these", "all")) for atom in atoms)


_MADE_OF = ("ize", "ise", "ized", "ised", "ify", "ified", "izing", "ising")
_LEADING = frozenset({"to", "into", "in", "as", "like", "like it was", "as if"})


def _is_slight(atom: Atom) -> bool:
    return atom.has(Role.DETERMINER, Role.AMOUNT, Role.LOOK, Role.FILLER) or atom.text in OF_A_STYLE | PRAISE


def _infused(phrase: Phrase, found: Found) -> Answer | None:
    """ "Give the photo the richness and texture of an oil painting", "the depth of a sepia photograph"."""
    role = Role.STYLE if Role.STYLE in found else Role.LOOK
    style = _one_of(sorted({str(atom.senses[role]) for atom in phrase.core if atom.has(role)}))
    is_of_all = {scope.what for scope in phrase.scopes} <= {"whole"}
    opens = phrase.core[0].text in INFUSING or phrase.core[0].has(Role.MAKE, Role.CHANGE, Role.ADD)
    is_led = any(atom.text in _TOWARDS for atom in phrase.core) and not _is_pointed_at(phrase, found[role])
    is_told = any(atom.text in PRAISE | INFUSING for atom in phrase.core)
    fits = is_of_all and opens and is_led and is_told
    return [phrase.step(Kind.COLOR, style)] if style and fits else None


_TOWARDS = frozenset({"of", "through", "with", "as", "in", "into", "to"})
_LIKE = LINKS | {
    "be",
    "out of",
    "it's",
    "its",
    "it",
    "was",
    "were",
    "is",
    "if",
    "made",
    "hand",
    "drawn",
    "been",
    "has",
}

STYLES: tuple[Form, ...] = (
    Form(
        _style,
        needs=((Role.STYLE,),),
        may=(*ANY_CHANGE, Role.EFFECT, Role.AMOUNT, Role.BE, Role.LOOK, Role.MORE, Role.ENHANCE, Role.ADJUST),
        many=(Role.STYLE, Role.WHOLE),
        words=_LIKE | OF_A_STYLE,
        others=PARTS,
    ),
    *(
        Form(
            _infused,
            needs=((role,),),
            may=(*ANY_CHANGE, Role.EFFECT),
            many=(role, Role.AND),
            words=LINKS | OF_A_STYLE | PRAISE | INFUSING | {"'s"},
        )
        for role in (Role.STYLE, Role.LOOK)
    ),
)
