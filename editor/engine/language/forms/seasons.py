"""Hours, seasons and weather that a photo is turned to: "change day to night", "make the weather foggy"."""

from dataclasses import replace

from editor.engine.language.forms.form import LINKS, Form, Found, amount_of, value_of
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.placing import placed_steps
from editor.engine.language.tone import UNMARKED
from editor.engine.plan import Kind


def _season(phrase: Phrase, found: Found) -> Answer | None:
    """ "Change the season from summer to winter": what it is to be stands last. Winter brings snow, a
    wintry look does not."""
    look = str(value_of(found, Role.LOOK))
    if look not in _TURNED_TO or not _stands_last(phrase, found[Role.LOOK]) or _is_of_a_phone(phrase):
        return None
    step = phrase.step(Kind.COLOR, look, amount=_partial(found))
    snow = replace(step, kind=Kind.ADD, operation="snow", amount=None)
    return [step, snow] if look == "winter" and Role.EFFECT not in found else [step]


def _stands_last(phrase: Phrase, look: Atom) -> bool:
    """ "Change summer to winter", "a wintry look"; "change winter to summer" asks for something else."""
    last = phrase.core[-1]
    return last is look or (last.has(Role.EFFECT) and phrase.core[-2] is look)


_TURNED_TO = frozenset({"nightfall", "golden_hour", "autumn", "winter"})


def _is_of_a_phone(phrase: Phrase) -> bool:
    return any(atom.text == "mode" for atom in phrase.core)


def _partial(found: Found) -> float | None:
    amount = amount_of(found)
    return amount if amount is not None and amount < UNMARKED else None


def _taken_at_night(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make it look like it was taken at night"; without "like" it tells why the photo is dark."""
    is_like = any(atom.text in ("like", "as if", "as though") for atom in phrase.core)
    is_hour = found[Role.NIGHT].text in (
        "at night",
        "taken at night",
        "shot at night",
        "night shot",
        "night photo",
    )
    return [phrase.step(Kind.COLOR, "nightfall")] if is_like and is_hour else None


def _foggy(phrase: Phrase, found: Found) -> Answer | None:
    tone = found[Role.ADJECTIVE].senses[Role.ADJECTIVE]
    is_fog = isinstance(tone, Tone) and (tone.operation, tone.sign) == ("dehaze", -1)
    if not is_fog or all(atom.text != "weather" for atom in phrase.core):
        return None
    return placed_steps(phrase, Kind.COLOR, "fog", amount=amount_of(found, UNMARKED))


_CHANGING = (Role.MAKE, Role.CHANGE, Role.REPLACE, Role.ADD, Role.USE)
_HOURS = frozenset(
    {
        *("day", "daytime", "daylight", "time", "season", "summer", "spring", "weather", "during", "sunny"),
        *("setting", "be", "it", "it's", "was", "were", "is", "taken", "shot", "if"),
    }
)

SEASONS: tuple[Form, ...] = (
    Form(
        _season,
        needs=((Role.LOOK,), _CHANGING),
        may=(Role.EFFECT, Role.AMOUNT, Role.MORE, Role.ADJECTIVE, Role.QUALITY),
        words=LINKS | _HOURS,
    ),
    Form(
        _taken_at_night,
        needs=((Role.NIGHT,), _CHANGING),
        may=(Role.EFFECT, Role.BE),
        words=LINKS | _HOURS,
    ),
    Form(
        _foggy,
        needs=((Role.ADJECTIVE,), _CHANGING),
        may=(Role.AMOUNT, Role.EFFECT),
        words=LINKS | {"weather", "be"},
    ),
)
