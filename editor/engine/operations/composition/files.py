"""Choose the format of the resulting file."""

from editor.engine.canvas import Canvas, operation
from editor.engine.plan import Step


@operation
def file_format(canvas: Canvas, step: Step, *, file_format: str | None) -> Canvas:
    """Return the photo unchanged; the format ("png", "jpeg", "webp") matters only for writing the file."""
    return canvas
