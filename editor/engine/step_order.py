"""Put the steps of a plan into the order in which they are carried out."""

from collections.abc import Sequence
from typing import cast

from editor.engine.canvas import Canvas
from editor.engine.catalog import Stage
from editor.engine.plan import Step
from editor.options import EditKind


def turned_later(steps: Sequence[Step]) -> list[Step]:
    """Return the steps with quarter turns and flips moved after the steps that commute with them.

    The new order helps because faces and lettering are found only if they are upright. The list is empty if
    no step can move.
    """
    order = list(steps)
    for end in range(len(order), 0, -1):
        for number in range(end - 1):
            if _is_turn(order[number]) and _may_precede_a_turn(order[number + 1]):
                order[number], order[number + 1] = order[number + 1], order[number]
    return order if order != list(steps) else []


def _is_turn(step: Step) -> bool:
    turns = step.declaration.turns
    return bool(turns) and cast(float, step.parameters.get("degrees", 0.0)) % turns == 0


def _may_precede_a_turn(step: Step) -> bool:
    """Return whether the step may run before a turn that the instruction asks for first.

    A step that names a place may not, because the place refers to the photo as it is after the turn.
    """
    placed = step.values.get("place") or any(target.place for target in step.targets)
    return not placed and "turn" in step.declaration.commutes


def in_order(steps: Sequence[Step]) -> tuple[list[Step], list[Step]]:
    """Return two lists: the steps in the instruction's order, and the steps that run on the final shape.

    A shadow that falls onto the background runs after the last new background. A cutout that a later
    background fills is dropped.
    """
    staged = [
        (_stage(steps, number), step) for number, step in enumerate(steps) if not is_filled(steps, number)
    ]
    final = sorted((step for stage, step in staged if stage.is_final), key=layer_of)
    early = [(stage, step) for stage, step in staged if not stage.is_final]
    grounds = [number for number, (_, step) in enumerate(early) if step.kind is EditKind.BACKGROUND]
    until = grounds[-1] + 1 if grounds else 0
    first = sorted(early[:until], key=lambda entry: entry[0] is Stage.CAST)
    return [step for _, step in (*first, *early[until:])], final


def _stage(steps: Sequence[Step], number: int) -> Stage:
    """Return the stage of a step.

    Light that a later step will recolor is drawn in the order of the instruction.
    """
    declaration = steps[number].declaration
    stage = declaration.stage_of.get(steps[number].target.what, declaration.stage)
    is_recolored = any(later.kind is EditKind.COLOR for later in steps[number + 1 :])
    return Stage.EDIT if stage is Stage.LIGHT and is_recolored else stage


def layer_of(step: Step) -> tuple[int, int]:
    """Return a key that sorts steps on the final shape by the layer that they draw."""
    return list(Stage).index(step.declaration.stage), step.declaration.layer


def stacked(steps: Sequence[Step], canvas: Canvas) -> list[Step]:
    """Return the steps of one layer in the order in which they are drawn.

    Texts at the bottom are drawn in reverse order: the last text is lowest, and the others are stacked on top
    of it. On the bottom strip of a Polaroid frame, texts keep their order from top to bottom.
    """

    def rank(entry: tuple[int, Step]) -> int:
        number, step = entry
        stacks = step.declaration.stacks
        place = str(step.values.get("place") or ("" if canvas.caption else stacks))
        return -number if stacks and place.startswith(stacks) else number

    return [step for _, step in sorted(enumerate(steps), key=rank)]


def is_filled(steps: Sequence[Step], number: int) -> bool:
    """Return whether the step cuts out a subject whose background a later step replaces.

    Such a step is unnecessary.
    """
    fills = any(later.declaration.ground in ("plain", "picture") for later in steps[number + 1 :])
    return steps[number].declaration.ground == "none" and fills
