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
from editor.imaging.picture import Picture

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
    factor, picture = canvas.factor(amount, _STRENGTH), canvas.picture
    if factor <= 0:
        raise Unable(Reason.AMBIGUOUS, "It is not clear how far to zoom.", "Name more than 0 percent.")
    seen = max(1, round(picture.width / factor)), max(1, round(picture.height / factor))
    if factor < 1:
        return extended(canvas, _around(picture, seen))
    if step.target.what == "whole":
        # No zoom may cut faces: where there are some, it goes where they are.
        middle = None if find_faces(picture, canvas.models) else "center"
        box = placed(canvas, seen, None, step.place or middle)
    elif amount.unit:
        box = _centered(picture, target_box(canvas, step.target, shot), seen)
    else:
        box = _fitted(canvas, target_box(canvas, step.target, shot), step.place)
        if box.width >= _NEARLY_ALL * picture.width and _is_one_person(canvas, step):
            nearer = target_box(canvas, Target("face"), "head and shoulders")
            box = _fitted(canvas, nearer, step.place)
        if box.width >= _NEARLY_ALL * picture.width:
            canvas = canvas.noticing(HARDLY_CUT)
    return _brought_back(cropped(canvas, box), picture)


def _around(picture: Picture, seen: tuple[int, int]) -> Sides:
    """The room on all sides of the photo in a size."""
    across, down = seen[0] - picture.width, seen[1] - picture.height
    return Sides(across // 2, down // 2, across - across // 2, down - down // 2)


def _centered(picture: Picture, target: Box, seen: tuple[int, int]) -> Box:
    """So much of the photo, around the target as far as that is possible."""
    return Box.centered(target.center, *seen).moved_into(Box(0, 0, picture.width, picture.height))


def _is_one_person(canvas: Canvas, step: Step) -> bool:
    """Whether the subject is somebody whose face is seen: then the shoulders are enough."""
    return step.target.what == "subject" and len(find_faces(canvas.picture, canvas.models)) == 1


def _fitted(canvas: Canvas, target: Box, place: str | None) -> Box:
    """What is seen, in the shape of the photo, when the target nearly fills it; with less room around it in a
    stronger variation, and where it is large."""
    picture = canvas.picture
    ratio = picture.width / picture.height
    room = (1 / _FILLS - 1) / 2 / max(canvas.strength, 0.1)
    box = window(canvas, ratio, target.grown(room, picture.width, picture.height), place)
    return box if box.width < _NEARLY_ALL * picture.width else window(canvas, ratio, target, place)


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
    picture, target = canvas.picture, target_box(canvas, step.target)
    sides = (target.left, target.right, picture.width), (target.top, target.bottom, picture.height)
    shares = [share for side in sides if (share := _side_share(*side))]
    share = min(shares, default=0.0)
    if share * picture.width < target.width or share * picture.height < target.height or not share:
        raise Unable(
            Reason.TOO_LARGE,
            "It is too near to the edge of the photo to be brought to the middle.",
            "Extend the photo on that side first.",
        )
    if share > 1 - 2 * _OFF:
        return canvas.noticing("It is in the middle already.")
    size = max(1, round(share * picture.width)), max(1, round(share * picture.height))
    made = cropped(canvas, _centered(picture, target, size))
    return made if len(shares) == 2 else made.noticing("It is in the middle one way only, to stay whole.")


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
    number, unit = amount.measured(lambda: 100 * _SHIFTED * abs(canvas.amount(amount)))
    off, behind = (Sides.of(canvas.picture, number, unit, [side]) for side in (place, _BEHIND[place]))
    width, height = canvas.picture.width, canvas.picture.height
    if not any(off) or off.across >= width or off.down >= height:
        raise Unable(Reason.TOO_LARGE, "Nothing of the photo would be left in its frame.", "Move it less.")
    return cropped(extended(canvas, behind), Box(off.left, off.top, off.left + width, off.top + height))
