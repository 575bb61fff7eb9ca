"""Zoom in or out, center something, or shift the whole photo."""

from editor.engine.canvas import Canvas, operation
from editor.engine.drawing.crop_windows import cropped, place_window, window
from editor.engine.drawing.margins import Sides
from editor.engine.errors import MARK_IT, OperationError
from editor.engine.operations.composition.crop import HARDLY_CUT, target_box
from editor.engine.operations.composition.extend import extended
from editor.engine.operations.composition.resize import resized
from editor.engine.pixels import Box
from editor.engine.plan import Amount, Reason, Step, Target
from editor.engine.targets.faces import faces_seen, find_faces
from editor.imaging.picture import Picture
from editor.sentences import Sentence

# Increase in the zoom factor at an amount of 1. The default amount, 0.35, zooms in by a factor of about 1.5.
_STRENGTH = 1.5
# Share of the photo's width or height that a target fills after a zoom for which no amount is given.
_FILLS = 0.7
# A zoom that shows at least this share of the photo's width is barely noticeable.
_NEARLY_ALL = 0.9
_SMALL = 1000  # longer side, in pixels, below which a crop is enlarged to the size of the photo
# Maximum distance between a centered object and the middle, as a share of the photo's width or height.
_OFF = 0.01
# Shift at an amount of 1, as a share of the photo's width or height. The default amount shifts by about a
# tenth.
_SHIFTED = 0.3
_BEHIND = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


@operation
def zoom(canvas: Canvas, step: Step, *, amount: Amount, shot: str | None) -> Canvas:
    """Zoom in by cropping, or zoom out by adding space on all sides.

    The crop is around the target, at the requested place, or in the middle. A negative amount, or a
    percentage below 100, zooms out. Raises OperationError if the photo cannot be cropped or extended that
    far.
    """
    factor, picture = canvas.factor(amount, _STRENGTH), canvas.picture
    if factor <= 0:
        raise OperationError(
            Reason.AMBIGUOUS, Sentence("I can't tell how far to zoom."), Sentence("Use more than 0 percent.")
        )
    seen = max(1, round(picture.width / factor)), max(1, round(picture.height / factor))
    if factor < 1:
        return extended(canvas, _around(picture, seen))
    if step.target.what == "whole":
        # Place the crop around any faces so that the zoom does not cut them off.
        middle = None if find_faces(picture) else "center"
        box = place_window(canvas, seen, None, step.place or middle)
    elif amount.unit:
        box = _centered(picture, target_box(canvas, step.target, shot), seen)
    else:
        box = _fitted(canvas, target_box(canvas, step.target, shot), step.place)
        if box.width >= _NEARLY_ALL * picture.width and _is_one_person(canvas, step):
            nearer = target_box(canvas, Target("face"), "head and shoulders")
            box = _fitted(canvas, nearer, step.place)
        if box.width >= _NEARLY_ALL * picture.width:
            canvas = canvas.with_notice(HARDLY_CUT)
    return _brought_back(cropped(canvas, box), picture)


def _around(picture: Picture, seen: tuple[int, int]) -> Sides:
    """Return the margins that enlarge the photo to the size `seen`.

    Margins on opposite sides are equally wide.
    """
    across, down = seen[0] - picture.width, seen[1] - picture.height
    return Sides(across // 2, down // 2, across - across // 2, down - down // 2)


def _centered(picture: Picture, target: Box, seen: tuple[int, int]) -> Box:
    """Return a box of the size `seen` around the middle of the target, moved to be inside the photo."""
    return Box.centered(target.center, *seen).moved_into(Box(0, 0, picture.width, picture.height))


def _is_one_person(canvas: Canvas, step: Step) -> bool:
    """Return whether the target is a single person with a visible face.

    If so, the zoom may show only the head and shoulders.
    """
    return step.target.what == "subject" and len(faces_seen(canvas)) == 1


def _fitted(canvas: Canvas, target: Box, place: str | None) -> Box:
    """Return a box that has the photo's aspect ratio and is mostly filled by the target.

    Stronger variations and large targets leave less room around the target.
    """
    picture = canvas.picture
    ratio = picture.width / picture.height
    room = (1 / _FILLS - 1) / 2 / max(canvas.strength, 0.1)
    box = window(canvas, ratio, target.grown(room, picture.width, picture.height), place)
    return box if box.width < _NEARLY_ALL * picture.width else window(canvas, ratio, target, place)


def _brought_back(canvas: Canvas, before: Picture) -> Canvas:
    """Return the canvas, enlarged to the size of the photo if it has too few pixels."""
    if max(canvas.picture.width, canvas.picture.height) >= min(_SMALL, max(before.width, before.height)):
        return canvas
    return resized(canvas, before.width, before.height)


@operation
def center(canvas: Canvas, step: Step) -> Canvas:
    """Crop the photo, keeping its aspect ratio, so that the target is in the middle.

    Raises OperationError if the crop would cut into the target.
    """
    if step.target.what == "whole":
        raise OperationError(Reason.NEEDS_REGION, Sentence("I can't tell what to center."), MARK_IT)
    picture, target = canvas.picture, target_box(canvas, step.target)
    sides = (target.left, target.right, picture.width), (target.top, target.bottom, picture.height)
    shares = [share for side in sides if (share := _side_share(*side))]
    share = min(shares, default=0.0)
    if share * picture.width < target.width or share * picture.height < target.height or not share:
        raise OperationError(
            Reason.TOO_LARGE,
            Sentence("It is too close to the edge of the photo for me to center it."),
            Sentence("Extend the photo on that side first."),
        )
    if share > 1 - 2 * _OFF:
        return canvas.with_notice(Sentence("It is already in the center."))
    size = max(1, round(share * picture.width)), max(1, round(share * picture.height))
    centered = cropped(canvas, _centered(picture, target, size))
    if len(shares) == 2:
        return centered
    return centered.with_notice(Sentence("I centered it in one way only to keep it whole."))


def _side_share(start: int, end: int, length: int) -> float | None:
    """Return the share of a photo's width or height that remains after a crop that centers a part of it.

    The part extends from `start` to `end`. Returns None if the crop would cut into it.
    """
    middle = (start + end) / 2 / length
    share = 2 * min(middle, 1 - middle)
    return share if share * length >= end - start and start > 0 and end < length else None


@operation
def shift(canvas: Canvas, step: Step, *, amount: Amount, place: str) -> Canvas:
    """Move the whole photo toward the requested side, such as "top", by an exact number or the amount.

    The opposite side is extended by as much as is cut off, so the size does not change. Raises OperationError
    if nothing of the photo would be left, or if the photo cannot be extended.
    """
    number, unit = amount.measured(lambda: 100 * _SHIFTED * abs(canvas.amount(amount)))
    off, behind = (Sides.of(canvas.picture, number, unit, [side]) for side in (place, _BEHIND[place]))
    width, height = canvas.picture.width, canvas.picture.height
    if not any(off) or off.across >= width or off.down >= height:
        raise OperationError(
            Reason.TOO_LARGE,
            Sentence("This would move the whole photo out of the frame."),
            Sentence("Move it less."),
        )
    return cropped(extended(canvas, behind), Box(off.left, off.top, off.left + width, off.top + height))
