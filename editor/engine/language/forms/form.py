"""What a form is, how it claims the words of a clause, and how its findings are read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from editor.engine.language.grammar import Atom, Measure
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.scopes import is_name as is_name

Found = Mapping[Role, Atom]

STRONG = 0.4  # from here on a look is complete: "strong sepia" is not weaker than "sepia"

ANY_CHANGE = (Role.MAKE, Role.CHANGE, Role.REPLACE, Role.ADD, Role.USE, Role.PAINT, Role.RAISE)
SETTING = (Role.MAKE, Role.CHANGE, Role.REPLACE, Role.ADD, Role.USE, Role.PAINT)
LINKS = frozenset(
    {
        *("to", "into", "in", "with", "on", "of", "as", "at", "by", "from", "for"),
        *("around", "off", "across", "over", "behind", "onto", "like", "and", "&", "up", "out"),
    }
)
ON_IT = frozenset({"whole", "subject", "person"})
PARTS = frozenset({"whole", "background", "subject", "person", "region", "face", "unclear"})


@dataclass(frozen=True, slots=True)
class Form:
    """Words that together make one wish, in any order: each need once, each role that it may
    hold at most once, `many` and the literal `words` as often as they come, and nothing else."""

    build: "Callable[[Phrase, Found], Answer | None]"
    needs: tuple[tuple[Role, ...], ...] = ()
    may: tuple[Role, ...] = ()
    many: tuple[Role, ...] = ()
    words: frozenset[str] = frozenset()
    scope: str = ""  # a scope that the clause has to name
    others: frozenset[str] = frozenset({"whole"})
    names: bool = False  # whether things may be named in it: nouns, and words that are not known


def claimed(form: Form, phrase: Phrase) -> Found | None:
    """Which atom of the clause plays which part in the form; None when the form does not fit."""
    whats = phrase.whats
    implied = form.scope == "background" and phrase.follows_background and _replaces(phrase)
    if (form.scope and form.scope not in whats and not implied) or not whats <= form.others | {form.scope}:
        return None
    is_behind = form.scope == "background"
    left, found = without_surroundings(phrase.core) if is_behind else list(phrase.core), {}
    for need in form.needs:
        atom = next((atom for atom in left if atom.has_any(need)), None)
        if atom is None:
            return None
        found[next(role for role in need if role in atom.senses)] = atom
        left.remove(atom)
    return found if _rest_fits(form, left, found) else None


def _replaces(phrase: Phrase) -> bool:
    """ "Remove the background and replace with green", "... and make white"."""
    opening = phrase.core[0] if phrase.core and all(scope.photos for scope in phrase.scopes) else None
    if opening is None:
        return False
    if phrase.scopes:  # "... and use photo 2"
        return opening.has(Role.USE, Role.REPLACE)
    return opening.has(Role.REPLACE) or (opening.text in ("make", "made") and len(phrase.core) == 2)


def _rest_fits(form: Form, left: Sequence[Atom], found: dict[Role, Atom]) -> bool:
    for atom in left:
        role = next((role for role in form.may if role in atom.senses and role not in found), None)
        if role is not None:
            found[role] = atom
        elif (
            atom.text not in form.words and not atom.has_any(form.many) and not (form.names and is_name(atom))
        ):
            return False
    return True


def without_surroundings(core: Sequence[Atom]) -> list[Atom]:
    """The words without those that only say what stands before the background: "behind the logo"."""
    kept, inside = [], False
    for at, atom in enumerate(core):
        leads = atom.text in SURROUNDING and any(is_name(after) for after in core[at + 1 : at + 2])
        inside = leads or (inside and is_name(atom))
        if not inside:
            kept.append(atom)
    return kept


SURROUNDING = frozenset({"behind", "around", "of", "from", "surrounding"})


def names_the_photo(phrase: Phrase) -> bool:
    """ "The photo" in so many words, and not "it"."""
    scopes = [scope for scope in phrase.scopes if scope.what == "whole"]
    return any(atom.has(Role.PHOTO) for s in scopes for atom in phrase.clause.atoms[s.first : s.after])


def amount_of(found: Found, unmarked: float | None = None) -> float | None:
    if Role.AMOUNT in found:
        return float(str(found[Role.AMOUNT].senses[Role.AMOUNT]))
    return unmarked


def color_of(found: Found) -> str | None:
    return str(found[Role.COLOR].senses[Role.COLOR]) if Role.COLOR in found else None


def value_of(found: Found, role: Role) -> str | None:
    return str(found[role].senses[role]) if role in found else None


def measure_of(found: Found, *units: str) -> tuple[float, str] | None:
    atom = found.get(Role.MEASURE)
    measure = atom.senses[Role.MEASURE] if atom else None
    return (measure.value, measure.unit) if isinstance(measure, Measure) and measure.unit in units else None


def thickness_of(found: Found) -> float | None:
    """ "Small" and "thick" as an amount."""
    return float(str(value_of(found, Role.THICKNESS))) if Role.THICKNESS in found else None


def is_slight(found: Found) -> bool:
    """ "A bit white", "slightly transparent": a background is it or is not."""
    return (amount_of(found) or 1) < STRONG
