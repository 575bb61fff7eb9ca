"""Text on the photo, letter for letter, and watermarks."""

from editor.engine.language.changing import NO_LETTERS, is_writable
from editor.engine.language.forms.drawings import MARK_THE_PLACE, aim, names_in, place_of
from editor.engine.language.forms.form import (
    LINKS,
    Form,
    Found,
    amount_of,
    color_of,
    measure_of,
    thickness_of,
    value_of,
)
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, senses_of
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Target

_SMALL, _LARGE = 0.35, 0.5  # of a thickness: below the one small, above the other large


def _text(phrase: Phrase, found: Found) -> Answer | None:
    text = value_of(found, Role.QUOTED)
    verb = found.get(Role.MAKE, found.get(Role.ADD))
    is_there = Role.MAKE in found and Role.COLOR in found  # "make the text "Hi" red"
    is_named = phrase.has(Role.TEXT)
    if (
        not text
        or is_there
        or (Role.MAKE in found and verb is phrase.core[0] and not is_named)
        or _is_an_amount(phrase, text)
    ):
        return None
    if not is_writable(text):
        return phrase.refused(Reason.UNKNOWN_WORD, NO_LETTERS)
    target = _target(phrase)
    if isinstance(target, Refusal):
        return target
    step = phrase.step(
        Kind.ADD,
        "text",
        target=target,
        text=text,
        place=place_of(phrase, found),
        color=color_of(found),
        choice=_size(phrase),
        exact=measure_of(found, "pixels", "percent"),
    )
    return [step]


def _is_an_amount(phrase: Phrase, text: str) -> bool:
    """ "Add a "little bit" of pink" quotes no text."""
    named = phrase.has(Role.TEXT)
    return not named and Role.AMOUNT in (senses_of(tuple(text.lower().split())) or {})


def _target(phrase: Phrase) -> Target | Refusal:
    """Text stands on the photo, or in a box; on nothing else."""
    named = [atom for atom in names_in(phrase, Role.TEXT, Role.THICKNESS) if not _heads(phrase, atom)]
    if any(_is_new(phrase, atom) for atom in named):
        return phrase.refused(Reason.AMBIGUOUS, "Ask for the text alone, and for what is drawn on its own.")
    target = aim(phrase, named)
    if isinstance(target, Refusal) or target == WHOLE or target.what == "region":
        return target
    return phrase.refused(Reason.NEEDS_REGION, MARK_THE_PLACE)


def _heads(phrase: Phrase, name: Atom) -> bool:
    """The date of "add our wedding date "May 5" at the top": what the text is."""
    atoms = phrase.clause.atoms
    quote = next((at for at, atom in enumerate(atoms) if atom.has(Role.QUOTED)), 0)
    first = quote
    while first > 0 and atoms[first - 1].has(Role.OCCASION, Role.WRITTEN, Role.TEXT, Role.DETERMINER):
        first -= 1
    return any(atom is name for atom in atoms[first:quote]) and atoms[first - 1].has(Role.ADD)


def _is_new(phrase: Phrase, name: Atom) -> bool:
    """The heart of "and a heart above it", the circle of "in a yellow circle": what is not there yet."""
    atoms = phrase.clause.atoms
    at = next(at for at, atom in enumerate(atoms) if atom is name)
    before = (atom.text for atom in reversed(atoms[:at]) if not atom.has(Role.COLOR, Role.ADJECTIVE))
    return next(before, "") in ("a", "an", "thought")


def _size(phrase: Phrase) -> str | None:
    """ "Big" letters; all of them are bold."""
    told = [atom for atom in phrase.core if atom.has(Role.THICKNESS) and atom.text != "bold"]
    thickness = thickness_of({Role.THICKNESS: told[0]}) if told else None
    if thickness is None or _SMALL <= thickness <= _LARGE:
        return None
    return "small" if thickness < _SMALL else "large"


def _label(phrase: Phrase, found: Found) -> Answer | None:
    """ "text "Summer" at the bottom", without a verb."""
    return _text(phrase, found) if phrase.core[0].has(Role.TEXT) else None


def _more_text(phrase: Phrase, found: Found) -> Answer | None:
    """ "add "A" at the top and "B" at the bottom": the second text leans on the first, and a text alone needs
    no verb."""
    is_another = phrase.antecedent == "addition" or phrase.core[0].has(Role.QUOTED)
    return _text(phrase, found) if is_another and Role.PLACE in found else None


def _bubble(phrase: Phrase, found: Found) -> Answer | None:
    text, place = value_of(found, Role.QUOTED), place_of(phrase, found)
    if not text:
        return None
    target = aim(phrase)
    if isinstance(target, Refusal):
        return target
    return [
        phrase.step(Kind.ADD, "speech_bubble", target=target, text=text, place=place, color=color_of(found))
    ]


def _watermark(phrase: Phrase, found: Found) -> Answer | None:
    text = value_of(found, Role.QUOTED)
    if not text or value_of(found, Role.WRITTEN) != "watermark":
        return None
    is_tiled = phrase.clause.has(Role.TILED) or value_of(found, Role.PLACE) == "all"
    step = phrase.step(
        Kind.ADD,
        "watermark",
        text=text,
        place=None if is_tiled else place_of(phrase, found),
        color=color_of(found),
        choice="tiled" if is_tiled else None,
        amount=amount_of(found),
    )
    return [step]


TEXTS: tuple[Form, ...] = (
    Form(
        _bubble,
        needs=((Role.ADD, Role.MAKE), (Role.BUBBLE,), (Role.QUOTED,)),
        may=(Role.PLACE, Role.COLOR),
        many=(Role.TEXT,),
        words=LINKS | {"says", "say", "text", "words"},
        others=frozenset({"whole", "region"}),
    ),
    Form(
        _watermark,
        needs=((Role.WRITTEN,), (Role.QUOTED,)),
        may=(
            Role.ADD,
            Role.MAKE,
            Role.USE,
            Role.PLACE,
            Role.COLOR,
            Role.TILED,
            Role.AMOUNT,
            Role.TRANSPARENT,
        ),
        many=(Role.TEXT, Role.COMMON),
        words=LINKS | {"corner"},
    ),
    Form(
        _text,
        needs=((Role.ADD, Role.MAKE), (Role.QUOTED,)),
        may=(Role.PLACE, Role.COLOR, Role.COLORS, Role.MEASURE),
        many=(Role.TEXT, Role.THICKNESS, Role.OCCASION),
        words=LINKS
        | {"text", "letters", "words", "font", "inside", "high", "tall", "below", "above", "along"},
        others=frozenset({"whole", "region"}),
        names=True,
    ),
    Form(
        _label,
        needs=((Role.TEXT,), (Role.QUOTED,)),
        may=(Role.PLACE, Role.COLOR, Role.COLORS, Role.MEASURE),
        many=(Role.TEXT, Role.THICKNESS),
        words=LINKS - {"from", "like", "off", "behind"},
    ),
    Form(_more_text, needs=((Role.QUOTED,),), may=(Role.PLACE, Role.COLOR), words=LINKS),
)
