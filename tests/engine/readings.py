"""What a test reads out of an instruction's plan."""

from editor.engine.plan import Amount, Reason, Step
from editor.engine.reading.explain import explain
from editor.options import Region

BOX = Region(0.1, 0.1, 0.3, 0.3)


def only_step(instruction: str, photos: int = 1, boxes: int = 0) -> Step:
    plan = explain(instruction, photos=photos, regions=[BOX] * boxes)
    assert plan.accepted, plan.message
    assert len(plan.steps) == 1
    return plan.steps[0]


def moves(instruction: str, boxes: int = 0) -> list[tuple[str, str, float | None]]:
    """What each step moves, where, and by how much."""
    plan = explain(instruction, regions=[BOX] * boxes)
    assert plan.accepted, plan.message
    return [(step.operation, step.target.what, step.amount) for step in plan.steps]


def said(instruction: str, boxes: int = 0) -> list[str]:
    """The steps as a person reads them."""
    plan = explain(instruction, regions=[BOX] * boxes)
    assert plan.accepted, plan.message
    return [step.says for step in plan.steps]


def only_reason(instruction: str, photos: int = 1, boxes: int = 0) -> Reason:
    plan = explain(instruction, photos=photos, regions=[BOX] * boxes)
    assert not plan.accepted
    return plan.not_understood[0].reason


def measure_of(step: Step) -> tuple[float, str] | None:
    """The number that was given, and what it counts: "percent", "pixels", "degrees", "count" ..."""
    amount = step.values.get("amount")
    if isinstance(amount, Amount):
        return (amount.number, amount.unit) if amount.number is not None else None
    counted = ((step.values.get(name), name) for name in ("degrees", "count", "more"))
    return next(((number, name) for number, name in counted if isinstance(number, (int, float))), None)


def variant_of(step: Step) -> str | None:
    """Which form of its operation it is, where there are several: the name of a flag, else a word."""
    told = {name: value for name, value in step.values.items() if name not in ("place", "color", "text")}
    words = (name if value is True else value for name, value in told.items())
    return next((word for word in words if isinstance(word, str)), None)
