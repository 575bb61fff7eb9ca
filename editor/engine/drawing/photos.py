"""Find the additional photos that come with an edit, for use as a background or a sticker."""

from editor.engine.canvas import Canvas
from editor.engine.errors import OperationError
from editor.engine.plan import Reason, Step
from editor.imaging.picture import Picture
from editor.sentences import Sentence


def reference_photo(canvas: Canvas, step: Step, hint: Sentence) -> Picture:
    """Return the photo that the step names, or photo 2 if the step names none.

    Raises OperationError with the given hint if that photo was not supplied.
    """
    number = step.photo or 2
    if not 1 <= number <= len(canvas.photos):
        raise OperationError(
            Reason.NEEDS_REFERENCE, Sentence("There is no photo %(number)s.", number=number), hint
        )
    return canvas.photos[number - 1]
