"""Place the subject on a background of an exact size, as online shops require."""

import math

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import color_of
from editor.engine.drawing.crop_windows import cropped, parse_size
from editor.engine.drawing.margins import Sides, add_margins
from editor.engine.errors import OperationError
from editor.engine.masks import box_of
from editor.engine.operations.composition.resize import require_size, resized
from editor.engine.pixels import Box
from editor.engine.plan import Amount, Reason, Step
from editor.engine.targets.subject import subject_mask
from editor.sentences import Sentence

_DEFAULT_MARGIN_PERCENT = 10.0  # default margin around the subject, as a percentage of the result's sides
# Maximum margin, as a percentage of the result's sides. A wider margin would leave hardly any room for the
# subject.
_MAX_MARGIN_PERCENT = 40.0


@operation
def fit_subject(canvas: Canvas, step: Step, *, size: str | None, color: str, amount: Amount | None) -> Canvas:
    """Center the subject in a photo of an exact size, and scale the subject to fit inside a margin.

    The amount is the width of the margin, as a percentage of the sides. The area beyond the old photo gets
    the requested color, or is transparent if the photo has alpha. Raises OperationError if no subject is
    found or a value is not possible.
    """
    exact, margin = parse_size(size), _DEFAULT_MARGIN_PERCENT if amount is None else amount.number or 0.0
    if exact is None or margin > _MAX_MARGIN_PERCENT:
        limit = f"{_MAX_MARGIN_PERCENT:g}"
        hint = Sentence("Give a size in pixels and a margin of at most %(most)s%.", most=limit)
        raise OperationError(Reason.AMBIGUOUS, Sentence("I can't fit the subject into this size."), hint)
    width, height = exact
    subject, room = box_of(subject_mask(canvas), canvas.picture), 1 - margin / 50
    scale = max(subject.width / (width * room), subject.height / (height * room))
    left = math.floor((subject.left + subject.right - width * scale) / 2)
    top = math.floor((subject.top + subject.bottom - height * scale) / 2)
    wanted = Box(left, top, left + max(1, round(width * scale)), top + max(1, round(height * scale)))
    return resized(_window(canvas, wanted, color), width, height)


def _window(canvas: Canvas, wanted: Box, color: str) -> Canvas:
    """Return the part of the canvas inside a box that may extend beyond the photo."""
    require_size(wanted.width, wanted.height)
    picture = canvas.picture
    beyond = Sides(-wanted.left, -wanted.top, wanted.right - picture.width, wanted.bottom - picture.height)
    sides = Sides(*(max(0, pixels) for pixels in beyond))
    wider = add_margins(canvas, sides, color_of(color), opaque=not picture.has_alpha)
    x, y = wanted.left + sides.left, wanted.top + sides.top
    return cropped(wider, Box(x, y, x + wanted.width, y + wanted.height))
