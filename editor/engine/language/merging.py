"""Add steps to a draft, and merge those that mean the same thing."""

from dataclasses import replace

from editor.engine.language.amounts import has_explicit_amount
from editor.engine.language.antecedents import QUARTER_TURN
from editor.engine.language.draft import Draft
from editor.engine.plan import WHOLE, Step
from editor.options import EditKind

# Operations that mend a photo that is not upright.
TURNS = frozenset({"straighten", "upright", "rotate"})


def add_step(draft: Draft, step: Step, *, is_complaint: bool = False) -> None:
    """Add a step, unless an earlier step already says the same thing: "It's too dark, brighten it a lot".

    If only the new step has an explicit amount, or if the earlier one is a complaint, as in "way too dark,
    brighten it a bit", the earlier step gets the amount of the new one.
    """
    for at, other in enumerate(draft.steps):
        if other.declaration.ground == "none" and step.declaration.ground in ("none", "plain", "picture"):
            target = other.target if other.target.noun else step.target
            # In "cut it out and make the background white", the second step replaces the first.
            draft.steps[at] = replace(step, target=target)
            return
        if _shapes_crop(step, other):
            draft.steps[at] = other if other.target.what == "thing" else step
            draft.steps[at] = replace(draft.steps[at], values=step.values, words=other.words)
            return
        if _is_same_shot(step, other):
            draft.steps[at] = replace(other, values=dict(step.values) | dict(other.values))
            return
        if is_same_change(step, other):
            is_open = not has_explicit_amount(other) or (_is_complaint(other, draft) and not is_complaint)
            values = step.values if has_explicit_amount(step) and is_open else other.values
            draft.steps[at] = replace(other, values=values, keep=tuple(dict.fromkeys(other.keep + step.keep)))
            return
    draft.steps.append(step)


def try_replace_turn(draft: Draft, step: Step) -> bool:
    """Replace a turn that only a fault implies with this explicit turn. Return whether there was one.

    "The photo is sideways, rotate it to the left" asks for one rotation.
    """
    turns = [at for at, other in enumerate(draft.steps) if other.operation in TURNS]
    if not (draft.has_fault_turn and turns and step.operation in TURNS):
        return False
    is_quarter = abs(float(str(step.values.get("degrees", 0)))) == QUARTER_TURN
    is_tilted = draft.steps[turns[-1]].operation == "straighten"
    # Unlike in "it leans to the right, straighten it" and "it is tilted to the left, rotate it to the right".
    if step.values and not (is_quarter and is_tilted):
        draft.steps[turns[-1]] = step
    draft.has_fault_turn = False
    return True


def _is_complaint(step: Step, draft: Draft) -> bool:
    """Return whether a complaint such as "way too dark" asks for a step."""
    return not draft.complaint_operations.isdisjoint((step.operation, step.declaration.opposite))


def _shapes_crop(step: Step, other: Step) -> bool:
    """Return whether a step only states the shape for a crop before it, as in "crop it: 4:5"."""
    is_crop = step.operation == other.operation and step.declaration.finds == "frame" and not other.values
    is_shape = bool(step.values) and step.values.keys() <= {"ratio", "size"}
    return is_crop and is_shape and step.target == WHOLE


def _is_same_shot(step: Step, other: Step) -> bool:
    """Return whether two crops show as much of the same face, as in "passport photo, head and shoulders"."""
    if step.operation != other.operation or not step.values.get("shot") or step.target != other.target:
        return False
    return all(other.values.get(name, value) == value for name, value in step.values.items())


def is_same_change(step: Step, other: Step) -> bool:
    """Return whether two steps ask for the same change, even if one asks for more of it."""
    if step.operation == other.operation and step.kind is EditKind.COMPOSITION and not step.values:
        # "Straighten it, it leans to the right" asks for one change.
        return not other.values and step.target == other.target
    if step.declaration.finds == "frame" and step.amount is None and step.values == other.values:
        return step.operation == other.operation and step.target == other.target
    if step.kind in (EditKind.ADD, EditKind.COMPOSITION) or step.operation != other.operation:
        return False
    rest, others = (
        {name: value for name, value in one.values.items() if name != "amount"} for one in (step, other)
    )
    is_like = step.target == other.target and rest == others
    return is_like and (step.amount or 0.0) * (other.amount or 0.0) >= 0
