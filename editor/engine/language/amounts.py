"""Determine the amount of a step."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from editor.engine.catalog import UNIT_NAMES, UNITS, Declaration, Field, share_of
from editor.engine.language.describe import describe_step
from editor.engine.language.hints import OTHER_WORDS
from editor.engine.language.sentence_parts import InterpretationError, WishValues
from editor.engine.plan import DEFAULT_AMOUNT, Amount, BadStep, Reason, Step
from editor.options import EditKind
from editor.sentences import Sentence

# Share of the full change for "more", as in "more contrast".
MORE_AMOUNT = 0.4
# Maximum share of the full change that "but not too much" allows.
_MAX_MODERATE_AMOUNT = 0.2
# Up to this value, a number without a unit is in stops, and above it in percent.
_MAX_SLIDER_STOPS = 5
_NO_AMOUNT = Sentence("I can't tell how much that is. Say it in percent, for example “by 20%”.")
_NO_SIZE = Sentence("Say “small” before what should be small, or draw a box for it.")


def with_amounts(changes: Sequence[WishValues], last: Any) -> list[WishValues]:
    """Return the changes, giving each the last amount stated so far, as in "a bit brighter and warmer".

    A change with its own target does not get the amount of another one.
    """
    changes_with_amounts = list[WishValues]()
    for change in changes:
        last = change.get("amount", None if "target" in change else last)
        changes_with_amounts.append(dict(change) | ({} if last is None else {"amount": last}))
    return changes_with_amounts


def amount_of(declaration: Declaration, wish_values: WishValues) -> Amount | None:
    """Return the amount that the words state or else the operation's default amount, if any."""
    amount_field = declaration.fields.get("amount")
    if amount_field is None:
        return None
    stated_amount: Mapping[str, Any] = wish_values.get("amount") or {}
    sign = wish_values["sign"]
    if "grown" in stated_amount:  # "20% smaller" means 80% of the size.
        return _amount_in_unit(amount_field, 100 + sign * stated_amount["grown"], "percent", 1)
    if "measure" in stated_amount:
        number, unit = stated_amount["measure"]
        return _amount_in_unit(amount_field, number, unit, sign)
    if "dial" in stated_amount:
        return _amount_in_unit(amount_field, *_slider_amount(amount_field, stated_amount["dial"]), sign)
    if "moved" in stated_amount:
        return _amount_in_unit(
            amount_field, *_slider_amount(amount_field, _unsigned_number(stated_amount["moved"], sign)), sign
        )
    if abs(stated_amount.get("percent", 1)) < 1:
        raise BadStep(_NO_AMOUNT)
    for unit in UNITS:
        if unit in stated_amount:
            return _amount_in_unit(amount_field, stated_amount[unit], unit, sign)
    if "share" in stated_amount:
        return Amount(stated_amount["share"] * sign)
    usual = wish_values.get("usual")
    if amount_field.default is None or usual == "none" or (amount_field.type != "amount" and usual is None):
        return None
    return Amount((usual or DEFAULT_AMOUNT) * sign)


def _unsigned_number(number: float, sign: int) -> float:
    """Return the size of a number after a verb, as in "reduce the contrast -20".

    Raises BadStep if the number contradicts the direction of the verb.
    """
    if number < 0 < sign:
        raise BadStep(_NO_AMOUNT)
    return abs(number)


def _slider_amount(amount_field: Field, number: float) -> tuple[float, str]:
    """Return a number that was given without a unit, along with the unit of the operation's slider.

    The unit is stops if the slider has stops, and percent otherwise. Raises BadStep if the number is too
    small to be a percentage, because other sliders have other scales.
    """
    if "stops" in amount_field.units and abs(number) <= _MAX_SLIDER_STOPS:
        return number, "stops"
    if abs(number) < _MAX_SLIDER_STOPS:
        raise BadStep(_NO_AMOUNT)
    return number, "percent"


def _amount_in_unit(amount_field: Field, number: float, unit: str, sign: int) -> Amount:
    if unit not in amount_field.units:
        raise BadStep(
            Sentence(
                "I can't measure this in %(unit)s. Say how much in words or in percent.",
                unit=UNIT_NAMES.get(unit, unit),
            )
        )
    if amount_field.type == "length":
        return Amount(float(amount_field.default or 0.0), abs(number), unit)
    if UNITS[unit] and abs(number) > UNITS[unit]:
        limit = f"{UNITS[unit]:g}"
        hint = Sentence(
            "The most I can do is %(most)s %(unit)s. Ask for less.",
            most=limit,
            unit=UNIT_NAMES.get(unit, unit),
        )
        raise InterpretationError(Reason.AMBIGUOUS, hint, {f"{abs(number):g}": (limit,)})
    return Amount(share_of(number, unit) * (sign if number >= 0 else -sign), abs(number), unit)


def has_explicit_amount(step: Step) -> bool:
    """Return whether the words state the amount of a step."""
    return step.amount is not None and abs(step.amount) not in (DEFAULT_AMOUNT, MORE_AMOUNT)


def limit_amount(step: Step) -> Step:
    """Limit the amount of a step that "but not too much" follows.

    An amount that the user gave as a number is not changed. A step that would be carried out in full is
    carried out in part, and what would be added in its usual size becomes small. Raises InterpretationError
    if the step has no such size.
    """
    amount, amount_field = step.values.get("amount"), step.declaration.fields.get("amount")
    is_added = step.kind is EditKind.ADD
    if amount is None and amount_field is not None and (amount_field.type == "amount" or is_added):
        limited = replace(step, values=dict(step.values) | {"amount": Amount(_MAX_MODERATE_AMOUNT)})
        if is_added and describe_step(limited) == describe_step(step):
            raise InterpretationError(Reason.AMBIGUOUS, _NO_SIZE)
        return limited
    if not isinstance(amount, Amount) or amount.unit:
        return step
    share = max(-_MAX_MODERATE_AMOUNT, min(_MAX_MODERATE_AMOUNT, amount.share))
    return replace(step, values=dict(step.values) | {"amount": replace(amount, share=share)})


def with_size(step: Step, share: float) -> Step:
    """Return a step that adds something, in a size that words after it state, as in "add a teapot, small".

    Raises InterpretationError if the step has a size already, or adds nothing that has one.
    """
    amount_field = step.declaration.fields.get("amount")
    has_length = amount_field is not None and amount_field.type == "length"
    if step.kind is EditKind.ADD and has_length and not step.amount:
        sized = replace(step, values=dict(step.values) | {"amount": Amount(share)})
        if describe_step(sized) != describe_step(step):
            return sized
    raise InterpretationError(Reason.AMBIGUOUS, OTHER_WORDS)
