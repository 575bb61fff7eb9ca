"""Zoom, bringing something to the middle, and shifting all of it."""

from editor.engine.canvas import Canvas, operation
from editor.engine.drawing.room import Sides
from editor.engine.drawing.windows import cropped, placed, window
from editor.engine.operations.composition.crop import HARDLY_CUT, target_box
from editor.engine.operations.composition.extend import extended
from editor.engine.operations.composition.resize import resized
from editor.engine.pixels import Box
from editor.engine.plan import Amount, Reason, Step, Target
from editor.engine.refused import MARK_IT, Unable
from editor.engine.targets.faces import find_faces
from editor.imaging.codecs import Picture

_STRENGTH = 1.5  # the amount .35 makes everything 1.5 times as large
_FILLS = 0.7  # of the photo: what an unmarked zoom shows, for its target
_NEARLY_ALL = 0.9  # of the photo: that would be no zoom
_SMALL = 1000  # pixels: a crop that is smaller is brought back to the size of the photo
_OFF = 0.01  # of a side: what is nearer to the middle is in the middle
_SHIFTED = 0.3  # of a side, for the amount 1: about a tenth when it is left open
_BEHIND = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


@operation
def zoom(canvas: Canvas, step: Step, *, amount: Amount, shot: str | None) -> Canvas:
    """In, to a crop around the target, the place or the middle; out (a negative amount, or less than 100
    percent), to more room on all sides."""
    factor = _factor(canvas, amount)
    if factor < 1:
        return _out(canvas, 1 / factor)
    picture = canvas.picture
    if step.target.what == "whole":
        box = _part(canvas, factor, step.place or _middle(canvas))
    elif amount.unit:
        box = _around(picture, target_box(canvas, step.target, shot), factor)
    else:
        box = _fitted(canvas, target_box(canvas, step.target, shot), step.place)
        if box.width >= _NEARLY_ALL * picture.width and _is_one_person(canvas, step):
            nearer = target_box(canvas, Target("face"), "head and shoulders")
            box = _fitted(canvas, nearer, step.place)
        if box.width >= _NEARLY_ALL * picture.width:
            canvas = canvas.noticing(HARDLY_CUT)
    return _brought_back(cropped(canvas, box), picture)


def _is_one_person(canvas: Canvas, step: Step) -> bool:
    """Whether the subject is somebody whose face is seen: then the shoulders are enough."""
    return step.target.what == "subject" and len(find_faces(canvas.picture, canvas.models)) == 1


def _factor(canvas: Canvas, amount: Amount) -> float:
    """How many times as large everything gets."""
    if amount.number is not None:
        factor = amount.number / 100
        if factor <= 0:
            raise Unable(Reason.AMBIGUOUS, "It is not clear how far to zoom.", "Name more than 0 percent.")
        return factor
    share = canvas.amount(amount)
    return 1 + _STRENGTH * share if share >= 0 else 1 / (1 - _STRENGTH * share)


def _out(canvas: Canvas, factor: float) -> Canvas:
    """As if taken from farther away: the photo `factor` times as wide and high."""
    picture = canvas.picture
    across, down = round(picture.width * (factor - 1)), round(picture.height * (factor - 1))
    left, top = across // 2, down // 2
    return extended(canvas, Sides(left, top, across - left, down - top))


def _fitted(canvas: Canvas, target: Box, place: str | None) -> Box:
    """What is seen, in the shape of the photo, when the target nearly fills it; with less room around it in a
    stronger variation, and where it is large."""
    picture = canvas.picture
    ratio = picture.width / picture.height
    room = (1 / _FILLS - 1) / 2 / max(canvas.strength, 0.1)
    box = window(canvas, ratio, target.grown(room, picture.width, picture.height), place)
    return box if box.width < _NEARLY_ALL * picture.width else window(canvas, ratio, target, place)


def _seen(picture: Picture, factor: float) -> tuple[int, int]:
    return max(1, round(picture.width / factor)), max(1, round(picture.height / factor))


def _middle(canvas: Canvas) -> str | None:
    """The middle of the photo, unless there are faces, which no zoom may cut: then where they are seen."""
    return None if find_faces(canvas.picture, canvas.models) else "center"


def _part(canvas: Canvas, factor: float, place: str | None) -> Box:
    """What is seen at that factor at a place of the photo; where it holds faces and the most of what stands
    out when there is none."""
    width, height = _seen(canvas.picture, factor)
    left, top = placed(canvas, (width, height), None, place)
    return Box(left, top, left + width, top + height)


def _around(picture: Picture, target: Box, factor: float) -> Box:
    """What is seen at that factor around the target."""
    around = Box.centered(target.center, *_seen(picture, factor))
    return around.moved_into(Box(0, 0, picture.width, picture.height))


def _brought_back(canvas: Canvas, before: Picture) -> Canvas:
    """At the size of the photo when too few pixels are left to look at."""
    if max(canvas.picture.width, canvas.picture.height) >= min(_SMALL, max(before.width, before.height)):
        return canvas
    return resized(canvas, before.width, before.height)


@operation
def center(canvas: Canvas, step: Step) -> Canvas:
    """Cropped, in its own shape, so that the target is in the middle. Unable when that would cut it."""
    if step.target.what == "whole":
        raise Unable(Reason.NEEDS_REGION, "It is not clear what to bring to the middle.", MARK_IT)
    picture = canvas.picture
    target = target_box(canvas, step.target)
    across = _side_share(target.left, target.right, picture.width)
    down = _side_share(target.top, target.bottom, picture.height)
    share = min((side for side in (across, down) if side), default=0.0)
    if share * picture.width < target.width or share * picture.height < target.height or not share:
        raise Unable(
            Reason.TOO_LARGE,
            "It is too near to the edge of the photo to be brought to the middle.",
            "Extend the photo on that side first.",
        )
    if share > 1 - 2 * _OFF:
        return canvas.noticing("It is in the middle already.")
    made = cropped(canvas, _around(picture, target, 1 / share))
    return made if across and down else made.noticing("It is in the middle one way only, to stay whole.")


def _side_share(start: int, end: int, length: int) -> float | None:
    """How much of a side is left when what lies from start to end is in its middle; None when that would cut
    it."""
    middle = (start + end) / 2 / length
    share = 2 * min(middle, 1 - middle)
    return share if share * length >= end - start and start > 0 and end < length else None


@operation
def shift(canvas: Canvas, step: Step, *, amount: Amount, place: str) -> Canvas:
    """All of the photo towards the step's place ("top" ...), by an exact number or the amount: as much is cut
    off there as is added behind it, so that its size stays."""
    picture, towards = canvas.picture, place
    behind = _BEHIND[towards]
    side = picture.width if towards in ("left", "right") else picture.height
    number, unit = amount.measured(lambda: 100 * _SHIFTED * abs(canvas.amount(amount)))
    moved = round(side * number / 100 if unit == "percent" else number)
    if not 0 < moved < side:
        raise Unable(Reason.TOO_LARGE, "Nothing of the photo would be left in its frame.", "Move it less.")
    wider = extended(canvas, Sides(*(moved if edge == behind else 0 for edge in Sides._fields)))
    left, top = moved * (towards == "left"), moved * (towards == "top")
    return cropped(wider, Box(left, top, left + picture.width, top + picture.height))
