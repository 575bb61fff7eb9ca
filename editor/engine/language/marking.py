"""What a box is for when no words say so: the one addition, or the zoom, that needs a place."""

import re
from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.phrases import Scene
from editor.engine.plan import WHOLE, Kind, Step, Target

_POINTS = re.compile(
    r"\b(this|these|that|those|here|there|box(es)?|marked|circled|selected|area|region|place|spot|part)\b",
    re.IGNORECASE,
)
_PLACED = frozenset({"text", "shape", "arrow", "emoji", "sticker"})


def in_the_box(steps: Sequence[Step], scene: Scene) -> list[Step]:
    """The steps, the only one that could stand in the box put there.

    Steps that use the boxes anyway, or find the subject by them, leave everything as it is.
    """
    open_steps = [step for step in steps if _needs_a_place(step)]
    others = [step for step in steps if not _needs_a_place(step)]
    if not scene.boxes or len(open_steps) != 1 or any(_may_use_boxes(step) for step in others):
        return list(steps)
    target = Target("region", boxes=scene.boxes)
    return [replace(step, target=target) if step is open_steps[0] else step for step in steps]


def are_half_marked(steps: Sequence[Step], instruction: str) -> bool:
    """Whether one wish for light or color would land in the box and another on the whole photo, although
    no word tells which of them the box is for."""
    targets = {step.target.what for step in steps if step.kind is Kind.COLOR}
    return {"region", "whole"} <= targets and not _POINTS.search(instruction)


def _needs_a_place(step: Step) -> bool:
    is_zoom = step.operation == "zoom" and ((step.amount or 0) > 0 or (step.exact or (0, ""))[0] > 100)
    return (step.operation in _PLACED or is_zoom) and step.target == WHOLE and step.place is None


def _may_use_boxes(step: Step) -> bool:
    return step.target != WHOLE or step.kind is Kind.BACKGROUND
