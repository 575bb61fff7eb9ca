"""Turning and mirroring, and setting the photo straight."""

import re

from editor.engine.language.forms.form import LINKS, STRONG, Form, Found, measure_of, value_of
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.plan import Kind, Reason

_SLIGHTLY = 15.0  # degrees, times the amount: "a little to the left" are three
_SAY_HOW_FAR = "Say how far, for example: rotate 90 degrees clockwise."


def _rotated(phrase: Phrase, found: Found) -> Answer | None:
    degrees, turn = _degrees(found), _turn(found)
    is_vague = phrase.core[0].text.startswith("tilt") and degrees is None
    if Role.AMOUNT in found and degrees is None:
        if _is_slight_turn(found):
            return _straightened(phrase, found)
        if turn is not None and _is_little(found):
            slight = max(1, round(_SLIGHTLY * float(str(value_of(found, Role.AMOUNT)))))
            return [phrase.step(Kind.COMPOSITION, "rotate", exact=(float(slight * turn), "degrees"))]
        return phrase.refused(Reason.AMBIGUOUS, "Say by how many degrees.")
    if degrees is None and turn is None and not is_vague and len(phrase.core) == 1:
        return _turned_upright(phrase, found)
    if is_vague or (degrees is None and turn is None):
        return phrase.refused(Reason.AMBIGUOUS, _SAY_HOW_FAR)
    if _is_turned_twice(found, degrees, turn):
        return phrase.refused(Reason.AMBIGUOUS, "Say it once, for example: rotate 90 degrees clockwise.")
    angle = (90.0 if degrees is None else degrees) * (turn or 1)
    return [phrase.step(Kind.COMPOSITION, "rotate", exact=(angle, "degrees"))] if abs(angle) <= 360 else None


def _is_slight_turn(found: Found) -> bool:
    """ "Rotate it slightly": to set it straight, where no direction is named."""
    return _is_little(found) and not any(
        role in found for role in (Role.TURN, Role.PLACE, Role.AXIS, Role.NUMBER)
    )


def _is_little(found: Found) -> bool:
    return float(str(value_of(found, Role.AMOUNT))) < STRONG


def _is_turned_twice(found: Found, degrees: float | None, turn: int | None) -> bool:
    """ "-90 degrees to the left", "upside down by 90 degrees"."""
    is_negative = degrees is not None and degrees < 0
    return (is_negative and turn is not None) or (Role.AXIS in found and degrees != 180)


def _degrees(found: Found) -> float | None:
    exact = measure_of(found, "degrees")
    if exact:
        return exact[0]
    if Role.AXIS in found:
        return 180.0 if found[Role.AXIS].text.startswith("upside") else None
    number = found.get(Role.NUMBER)
    return float(str(number.senses[Role.NUMBER])) if number and number.kind == "number" else None


def _turn(found: Found) -> int | None:
    if Role.TURN in found:
        return int(str(value_of(found, Role.TURN)))
    return {"right": 1, "left": -1}.get(value_of(found, Role.PLACE) or "")


_TOLD_NEXT = re.compile(
    r"\W*(?:so|until|till|such)\b(?!.*\b(?:upright|straight|level|right (?:way|side)|standing|correct))",
    re.IGNORECASE,
)
""" "... so that the tower points to the left"."""
_LEVEL_NEXT = re.compile(
    r"\W*(?:so|until|till|such)\b(?:(?!upright|up\b|stand)[^.!?;,])*\b(?:level|straight)\b(?! up)",
    re.IGNORECASE,
)
""" "... so that the horizon is level"."""


def _turned_upright(phrase: Phrase, found: Found) -> Answer | None:
    """ "Turn it the right way up", "rotate the photo": as its faces say, unless the next words say it."""
    if _LEVEL_NEXT.match(phrase.scene.instruction, phrase.span[1]):
        return [phrase.step(Kind.COMPOSITION, "straighten")]
    if _TOLD_NEXT.match(phrase.scene.instruction, phrase.span[1]):
        return phrase.refused(Reason.AMBIGUOUS, _SAY_HOW_FAR)
    return [phrase.step(Kind.COMPOSITION, "upright")]


def _flipped(phrase: Phrase, found: Found) -> Answer | None:
    axes = list(dict.fromkeys(str(atom.senses[Role.AXIS]) for atom in phrase.core if atom.has(Role.AXIS)))
    if len(axes) == 2 and phrase.has(Role.AND):
        return [phrase.step(Kind.COMPOSITION, "flip", choice=axis) for axis in axes]
    choice = axes[0] if axes else "horizontal"
    if len(axes) > 1:
        return None
    if any(atom.text == "axis" for atom in phrase.core):  # what is left of the axis comes to its right
        choice = "vertical" if choice == "horizontal" else "horizontal"
    return [phrase.step(Kind.COMPOSITION, "flip", choice=choice)]


def _mirrored(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make a mirror image of it"."""
    return _flipped(phrase, found) if found[Role.AXIS].text == "mirror image" else None


def _straightened(phrase: Phrase, found: Found) -> Answer | None:
    """ "Straighten the photo", "fix the horizon"; a thing in the photo cannot be set straight."""
    if Role.MAKE in found and any(atom.text in _CROOKED for atom in phrase.core):
        return None
    return [phrase.step(Kind.COMPOSITION, "straighten")]


def _leveled(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make the horizon level"."""
    is_level = any(atom.text in ("level", "straight", "straighter", "even") for atom in phrase.clause.atoms)
    return _straightened(phrase, found) if is_level else None


def _found_crooked(phrase: Phrase, found: Found) -> Answer | None:
    """ "The horizon isn't level", "the photo is tilted"."""
    is_crooked = any(atom.text in _CROOKED for atom in phrase.core)
    return _straightened(phrase, found) if is_crooked is not (Role.NOT in found) else None


_CROOKED = frozenset({"crooked", "tilted", "slanted", "skewed", "lopsided", "wonky", "uneven"})


TURNS: tuple[Form, ...] = (
    Form(_leveled, needs=((Role.MAKE,), (Role.HORIZON,)), may=(Role.STRAIGHTEN,), words=frozenset({"even"})),
    Form(
        _straightened,
        needs=((Role.STRAIGHTEN,),),
        may=(Role.MAKE, Role.ADJUST, Role.ROTATE, Role.AMOUNT, Role.HORIZON, Role.MORE, Role.ENHANCE),
        words=LINKS | {"line", "crooked", "tilted", "slanted", "slightly"},
    ),
    Form(
        _straightened,
        needs=((Role.ADJUST, Role.ENHANCE, Role.REMOVE), (Role.HORIZON,)),
        may=(Role.AMOUNT,),
        words=LINKS | {"crooked", "tilted", "slanted", "uneven", "skewed"},
    ),
    Form(
        _found_crooked,
        needs=((Role.BE, Role.NOT), (Role.STRAIGHTEN,)),
        may=(Role.NOT, Role.HORIZON, Role.AMOUNT, Role.TOO),
    ),
    Form(
        _rotated,
        needs=((Role.FLIP,), (Role.MEASURE,)),
        may=(Role.TURN, Role.PLACE),
        words=LINKS,
    ),
    Form(
        _turned_upright,
        needs=((Role.ROTATE, Role.FLIP, Role.MAKE, Role.ADJUST, Role.STRAIGHTEN), (Role.UPRIGHT,)),
        words=LINKS,
    ),
    Form(_flipped, needs=((Role.FLIP,),), many=(Role.AXIS,), words=LINKS | {"image", "along", "axis"}),
    Form(_mirrored, needs=((Role.MAKE, Role.CHANGE), (Role.AXIS,)), words=LINKS | {"be"}),
    Form(
        _rotated,
        needs=((Role.ROTATE,),),
        may=(Role.MEASURE, Role.TURN, Role.PLACE, Role.AXIS, Role.NUMBER, Role.AMOUNT),
        words=LINKS | {"around"},
    ),
)
