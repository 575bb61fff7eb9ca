"""Changes of color in a part of the photo: outside the mask every pixel stays as it was."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, cast

import cv2
import numpy as np

from editor.engine.canvas import OPERATIONS, Canvas
from editor.engine.colors import Floats
from editor.engine.pixels import Box, blended, in_strips
from editor.engine.plan import Amount, Reason, Step, Target
from editor.engine.refused import Unable
from editor.engine.targets.boxed import loosely_marked, toned_mask
from editor.engine.targets.find import step_mask
from editor.imaging.picture import Pixels


def tone[F: Callable[..., Pixels]](change: F) -> F:
    """Registers a change of pixels by an amount, -1 to 1, as the operation of its name. What it names besides
    are the step's other parameters, and `canvas`."""

    @wraps(change)
    def carry(canvas: Canvas, step: Step) -> Canvas:
        amount, others = canvas.amount(step.how_much), canvas.parameters(step, change)
        return within_target(canvas, step, lambda pixels: change(pixels, amount, **others))

    OPERATIONS[change.__name__] = carry
    return change


def look[F: Callable[..., Pixels]](change: F) -> F:
    """Registers a look of some depth (1 is the usual one) as the operation of its name; what it names besides
    is as with `tone`. It is wanted in full unless an amount is given, and variations differ in its depth:
    nobody asked for a photo that is half grey."""

    @wraps(change)
    def carry(canvas: Canvas, step: Step) -> Canvas:
        (share, depth), others = share_and_depth(canvas, step), canvas.parameters(step, change)
        return within_target(
            canvas, step, lambda pixels: partly(pixels, change(pixels, depth, **others), share)
        )

    OPERATIONS[change.__name__] = carry
    return change


def share_and_depth(canvas: Canvas, step: Step) -> tuple[float, float]:
    """How much of a look is wanted, 0 to 1: all of it unless an amount is given. And how deep it may go: of
    one that is wanted in full 1 is as asked, and variations differ in it."""
    amount = step.values.get("amount")
    return (abs(canvas.amount(amount)), 1.0) if isinstance(amount, Amount) else (1.0, canvas.strength)


def in_colors(change: Callable[..., Floats]) -> Callable[..., Pixels]:
    """A change of colors (rows x width x 3, 0 to 1) as one of pixels."""

    @wraps(change)
    def carry(pixels: Pixels, *how: Any) -> Pixels:
        return in_strips(pixels, lambda colors, _: change(colors, *how))

    return carry


def within_target(canvas: Canvas, step: Step, change: Callable[[Pixels], Pixels]) -> Canvas:
    """The canvas with `change` made where the step's target is; Unable when it is not found.

    `change` gets the part of the photo that holds the target, and no more.
    """
    before = canvas.picture.pixels
    canvas, mask = masked(canvas, step)
    if mask is None:
        return canvas.with_pixels(change(before))
    return canvas.with_pixels(changed_within(before, mask, lambda part, _: change(part)))


def masked(canvas: Canvas, step: Step) -> tuple[Canvas, Floats | None]:
    """The mask of a step; of what is not found in its box the box itself, with a wide
    edge, and a sentence that says so."""
    try:
        return canvas, step_mask(canvas, step, toned_mask)
    except Unable as unable:
        is_named = step.target.what == "region" and bool(step.target.noun or step.target.color)
        if not is_named or unable.reason is not Reason.LOW_CONFIDENCE:
            raise
    marked = replace(step, target=Target("region", boxes=step.target.boxes))
    name = step.target.noun or f"What is {step.target.color}"
    sentence = f"The {name} could not be told from what is around it, so all of the box was changed."
    return canvas.noticing(sentence), step_mask(canvas, marked, loosely_marked)


def changed_within(before: Pixels, mask: Floats, change: Callable[[Pixels, Floats], Pixels]) -> Pixels:
    """`change`, which gets the pixels and the mask in the box around the mask, made there, and shown as far
    as the mask allows."""
    result, part = before.copy(), Box.around((mask > 0).astype(np.uint8)).part
    inside = cast(Pixels, np.ascontiguousarray(before[part]))
    if inside.size:
        result[part] = blended(inside, change(inside, mask[part]), mask[part])
    return result


def longest_side(canvas: Canvas) -> int:
    """In pixels; what radii are measured by, also where only a part of the photo is at hand."""
    return max(canvas.picture.width, canvas.picture.height)


def partly(before: Pixels, after: Pixels, share: float) -> Pixels:
    """`after` over `before`; a share of 1 is `after` alone."""
    if share >= 1:
        return after
    return cast(Pixels, cv2.addWeighted(before, 1 - share, after, share, 0))
