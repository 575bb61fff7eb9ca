"""The file that a photo is to be."""

from editor.engine.canvas import Canvas, operation
from editor.engine.plan import Step


@operation
def file_format(canvas: Canvas, step: Step, *, file_format: str | None) -> Canvas:
    """The photo as it is: only its file is written as "png", "jpeg" or "webp", the step's choice."""
    return canvas
