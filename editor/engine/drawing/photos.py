"""The other photos that were supplied: material for a background or a sticker."""

from editor.engine.canvas import Canvas
from editor.engine.plan import Reason, Step
from editor.engine.refused import Unable
from editor.imaging.picture import Picture


def supplied(canvas: Canvas, step: Step, hint: str) -> Picture:
    """The photo that the step names, or the second; Unable, with the hint, when it was not supplied."""
    number = step.photo or 2
    if not 1 <= number <= len(canvas.photos):
        raise Unable(Reason.NEEDS_REFERENCE, f"There is no photo {number}.", hint)
    return canvas.photos[number - 1]
