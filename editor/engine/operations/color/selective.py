"""Changes of color in a part of the photo: outside the mask every pixel stays as it was."""

from collections.abc import Callable

from editor.engine.canvas import Canvas, blended
from editor.engine.plan import Step
from editor.engine.targets.find import step_mask
from editor.imaging.codecs import Pixels


def within_target(canvas: Canvas, step: Step, change: Callable[[Pixels], Pixels]) -> Canvas:
    """The canvas with `change` made where the step's target is; Unable when it is not found."""
    before = canvas.picture.pixels
    mask = step_mask(canvas, step)
    after = change(before)
    return canvas.with_pixels(after if mask is None else blended(before, after, mask))
