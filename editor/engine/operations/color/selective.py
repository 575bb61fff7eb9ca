"""Apply color changes to part of the photo.

Pixels outside the mask are never changed.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, cast

import cv2
import numpy as np

from editor.engine.canvas import OPERATIONS, Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError
from editor.engine.pixels import Box, blended, in_strips
from editor.engine.plan import Amount, Reason, Step, Target
from editor.engine.targets.box_contents import fallback_box_mask, tone_mask
from editor.engine.targets.target_masks import step_mask
from editor.imaging.picture import Pixels
from editor.sentences import Sentence


def tone[F: Callable[..., Pixels]](change: F) -> F:
    """Register a function that takes pixels and an amount (-1 to 1) as the operation of the same name.

    The function may also take `canvas` and other parameters of the step by name.
    """

    @wraps(change)
    def carry(canvas: Canvas, step: Step) -> Canvas:
        amount, others = canvas.amount(step.amount_or_default), canvas.parameters(step, change)
        return within_target(canvas, step, lambda pixels: change(pixels, amount, **others))

    OPERATIONS[change.__name__] = carry
    return change


def look[F: Callable[..., Pixels]](change: F) -> F:
    """Register a function that takes pixels and a depth (usually 1) as the operation of the same name.

    The function may also take `canvas` and other parameters of the step by name. The look is applied in full
    unless the step has an amount. Variations differ in depth.
    """

    @wraps(change)
    def carry(canvas: Canvas, step: Step) -> Canvas:
        (share, depth), others = share_and_depth(canvas, step), canvas.parameters(step, change)
        return within_target(canvas, step, lambda pixels: mix(pixels, change(pixels, depth, **others), share))

    OPERATIONS[change.__name__] = carry
    return change


def share_and_depth(canvas: Canvas, step: Step) -> tuple[float, float]:
    """Return how strongly a look is mixed into the photo (0 to 1), and the depth of the look.

    The strength is 1 unless the step has an amount. With an amount, the depth is 1 in all variations. Without
    an amount, the depth differs between variations.
    """
    amount = step.values.get("amount")
    return (abs(canvas.amount(amount)), 1.0) if isinstance(amount, Amount) else (1.0, canvas.strength)


def in_colors(change: Callable[..., Floats]) -> Callable[..., Pixels]:
    """Convert a function that changes colors (rows x width x 3, 0 to 1) to one that changes pixels."""

    @wraps(change)
    def carry(pixels: Pixels, *how: Any) -> Pixels:
        return in_strips(pixels, lambda colors, _: change(colors, *how))

    return carry


def within_target(canvas: Canvas, step: Step, change: Callable[[Pixels], Pixels]) -> Canvas:
    """Return the canvas with `change` applied to the step's target.

    `change` gets only the part of the photo that contains the target. Raises OperationError if the target is
    not found.
    """
    before = canvas.picture.pixels
    canvas, mask = canvas_and_mask(canvas, step)
    if mask is None:
        return canvas.with_pixels(change(before))
    return canvas.with_pixels(changed_within(before, mask, lambda part, _: change(part)))


def canvas_and_mask(canvas: Canvas, step: Step) -> tuple[Canvas, Floats | None]:
    """Return the canvas and the mask for a step.

    If the object or color that the step names is not found in the box, the mask is the whole box with a wide,
    soft edge. In that case, the canvas has a notice that says so.
    """
    try:
        return canvas, step_mask(canvas, step, tone_mask)
    except OperationError as unable:
        is_named = step.target.what == "region" and bool(step.target.noun or step.target.color)
        if not is_named or unable.reason is not Reason.LOW_CONFIDENCE:
            raise
    marked = replace(step, target=Target("region", boxes=step.target.boxes))
    sentence = Sentence(
        "I couldn't tell the %(color)s part from what is around it, so I changed the whole box.",
        color=step.target.color,
    )
    if step.target.noun:
        sentence = Sentence(
            "I couldn't tell the %(noun)s from what is around it, so I changed the whole box.",
            noun=step.target.noun,
        )
    return canvas.with_notice(sentence), step_mask(canvas, marked, fallback_box_mask)


def changed_within(before: Pixels, mask: Floats, change: Callable[[Pixels, Floats], Pixels]) -> Pixels:
    """Return the pixels with `change` applied inside the mask, in proportion to the mask.

    `change` gets the pixels and the mask, both cropped to the mask's bounding box.
    """
    result, part = before.copy(), Box.around((mask > 0).astype(np.uint8)).slices
    inside = cast(Pixels, np.ascontiguousarray(before[part]))
    if inside.size:
        result[part] = blended(inside, change(inside, mask[part]), mask[part])
    return result


def longest_side(canvas: Canvas) -> int:
    """Return the longest side of the whole photo, in pixels.

    The radii of all filters are based on this length.
    """
    return max(canvas.picture.width, canvas.picture.height)


def mix(before: Pixels, after: Pixels, share: float) -> Pixels:
    """Return a mix of two images, in which `share` (0 to 1) is the share of `after`."""
    if share >= 1:
        return after
    return cast(Pixels, cv2.addWeighted(before, 1 - share, after, share, 0))
