"""Choose the format of the resulting file, and limit the file's size."""

from editor.engine.canvas import Canvas, operation
from editor.engine.errors import OperationError
from editor.engine.plan import Amount, Reason, Step
from editor.sentences import Sentence

_MIN_KILOBYTES = 10  # minimum file size, in thousands of bytes; smaller files show almost nothing


@operation
def file_format(canvas: Canvas, step: Step, *, file_format: str | None, amount: Amount | None) -> Canvas:
    """Return the photo unchanged.

    The format ("png", "jpeg", "webp") and the maximum file size take effect only when the file is written.
    Raises OperationError if the file size is too small for a photo.
    """
    if amount and (amount.number or 0) < _MIN_KILOBYTES:
        hint = Sentence("Ask for at least %(least)s KB.", least=_MIN_KILOBYTES)
        raise OperationError(Reason.AMBIGUOUS, Sentence("This file size is too small for a photo."), hint)
    return canvas
