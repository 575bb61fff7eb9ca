"""Changes of color in a part of the photo: outside the mask every pixel stays as it was."""

from collections.abc import Callable
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Box, Canvas, blended
from editor.engine.colors import Floats
from editor.engine.plan import Step
from editor.engine.targets.boxed import toned_mask
from editor.engine.targets.find import step_mask
from editor.imaging.codecs import Pixels


def within_target(canvas: Canvas, step: Step, change: Callable[[Pixels], Pixels]) -> Canvas:
    """The canvas with `change` made where the step's target is; Unable when it is not found.

    `change` gets the part of the photo that holds the target, and no more.
    """
    before = canvas.picture.pixels
    mask = step_mask(canvas, step, toned_mask)
    if mask is None:
        return canvas.with_pixels(change(before))
    return canvas.with_pixels(changed_within(before, mask, lambda part, _: change(part)))


def changed_within(before: Pixels, mask: Floats, change: Callable[[Pixels, Floats], Pixels]) -> Pixels:
    """`change`, which gets the pixels and the mask in the box around the mask, made there, and shown as far
    as the mask allows."""
    result = before.copy()
    box = extent(mask)
    if box is not None:
        part = slice(box.top, box.bottom), slice(box.left, box.right)
        inside = cast(Pixels, np.ascontiguousarray(before[part]))
        result[part] = blended(inside, change(inside, mask[part]), mask[part])
    return result


def extent(mask: Floats) -> Box | None:
    """The smallest box around all that is not 0."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not rows.size:
        return None
    return Box(int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)


def longest_side(canvas: Canvas) -> int:
    """In pixels; what radii are measured by, also where only a part of the photo is at hand."""
    return max(canvas.picture.width, canvas.picture.height)


def share_of(canvas: Canvas, step: Step) -> float:
    """How much of a look is wanted, 0 to 1: all of it unless an amount is given."""
    return 1.0 if step.amount is None and step.exact is None else abs(canvas.amount(step))


def depth_of(canvas: Canvas, step: Step) -> float:
    """How deep a look that is wanted in full may go: 1 is as asked, variations differ in it."""
    return canvas.strength if step.amount is None and step.exact is None else 1.0


def partly(before: Pixels, after: Pixels, share: float) -> Pixels:
    """`after` over `before`; a share of 1 is `after` alone."""
    if share >= 1:
        return after
    return cast(Pixels, cv2.addWeighted(before, 1 - share, after, share, 0))
