"""Changes of color in a part of the photo: outside the mask every pixel stays as it was."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.pixels import Box, blended
from editor.engine.plan import Amount, Reason, Step, Target
from editor.engine.refused import Unable
from editor.engine.targets.boxed import loosely_marked, toned_mask
from editor.engine.targets.find import step_mask
from editor.imaging.codecs import Pixels


def tone[F: Callable[[Pixels, float], Pixels]](change: F) -> F:
    """Registers a change of pixels by an amount, -1 to 1, as the operation of its name."""

    def carry(canvas: Canvas, step: Step, *, amount: float) -> Canvas:
        return within_target(canvas, step, lambda pixels: change(pixels, amount))

    carry.__name__ = change.__name__
    operation(carry)
    return change


def look[F: Callable[[Pixels, float, int], Pixels]](change: F) -> F:
    """Registers a look of that depth (1 is the usual one), on a photo with that longest side, as the
    operation of its name. It is wanted in full unless an amount is given, and variations differ in its depth:
    nobody asked for a photo that is half grey."""

    def carry(canvas: Canvas, step: Step, *, amount: Amount | None) -> Canvas:
        share, depth, side = share_of(canvas, amount), depth_of(canvas, amount), longest_side(canvas)
        return within_target(canvas, step, lambda pixels: partly(pixels, change(pixels, depth, side), share))

    carry.__name__ = change.__name__
    operation(carry)
    return change


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


def share_of(canvas: Canvas, amount: Amount | None) -> float:
    """How much of a look is wanted, 0 to 1: all of it unless an amount is given."""
    return 1.0 if amount is None else abs(canvas.amount(amount))


def depth_of(canvas: Canvas, amount: Amount | None) -> float:
    """How deep a look that is wanted in full may go: 1 is as asked, variations differ in it."""
    return canvas.strength if amount is None else 1.0


def partly(before: Pixels, after: Pixels, share: float) -> Pixels:
    """`after` over `before`; a share of 1 is `after` alone."""
    if share >= 1:
        return after
    return cast(Pixels, cv2.addWeighted(before, 1 - share, after, share, 0))
