"""Choose the box of an item drawn over the photo, such as a text; `prop_places.py` does so for props."""

from collections.abc import Sequence

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import MARK_THE_PLACE, OperationError
from editor.engine.kinds import kinds_of
from editor.engine.pixels import Box, blended, copy_size
from editor.engine.plan import DEFAULT_AMOUNT, Reason, Step, Target
from editor.engine.targets.drawn_boxes import marked_boxes
from editor.engine.targets.faces import faces_of
from editor.engine.targets.places import place_mask
from editor.engine.targets.target_masks import step_mask, target_mask
from editor.engine.targets.things import target_things
from editor.imaging.picture import Pixels
from editor.sentences import Sentence

_MARGIN = 0.045  # margin at the edges of the photo, as a share of its shorter side
# Share by which a face's box is enlarged, because detectors leave out the chin and the forehead.
_AROUND_FACE = 0.22
_ON_A_THING = 0.7  # maximum width of a drawing on an object, as a share of the object's shorter side
# Length that a drawing beside an object may have in any case, as a share of the photo's shorter side.
_MIN_BESIDE = 0.1
_MAX_BESIDE = 0.8  # maximum length of a drawing beside an object, as a share of the object's longer side
# Minimum width of a drawing beside an object, as a share of the requested width.
_SMALLER = 0.35
_GAP = 0.015  # gap between an object and a drawing beside it, as a share of the photo's shorter side
_WORKING_PIXELS = 400  # longer side, in pixels, of the copy on which free areas of the sky are found
# Values of a step's place that refer to a place beside the target instead of inside it.
BESIDE = ("above", "on top", "below", "next to", "left of", "right of")


def drawable_area(canvas: Canvas, margin: float = _MARGIN) -> Box:
    """Return the part of the photo inside its border and an additional margin.

    `margin` is a share of the photo's shorter side.
    """
    picture, frame = canvas.picture, canvas.frame
    edge = frame + round(margin * (min(picture.width, picture.height) - 2 * frame))
    return Box(edge, edge, picture.width - edge, picture.height - edge)


def target_boxes(canvas: Canvas, step: Step) -> Sequence[Box | None]:
    """Return the boxes in which a step draws, one for each object that the step's target refers to.

    If the step draws beside the target, a single box contains the whole target. (None,) stands for the whole
    photo. Raises OperationError if the target is not found.
    """
    what = step.target.what
    if what in ("whole", "background"):
        return (None,)
    if what == "region":
        return marked_boxes(canvas, step.target)
    if what == "face":
        size = canvas.picture.width, canvas.picture.height
        return [face.grown(_AROUND_FACE, *size) for face in exact_target_faces(canvas, step.target)]
    if what == "thing" and kinds_of(step.target.noun):
        boxes = [thing.box for thing in target_things(canvas, step.target)]
        if step.place == "between":
            return [gap_between(*boxes)]
        return [Box.holding(boxes)] if step.place in BESIDE else boxes
    mask = target_mask(canvas, step.target)
    return [
        _free_in(mask)
        if what == "thing" and not step.target.color
        else Box.around((mask > 0.5).astype(np.uint8))
    ]


def exact_target_faces(canvas: Canvas, target: Target) -> list[Box]:
    """Return the faces that the target refers to.

    Raises OperationError if the number of detected faces is not the one that the instruction states.
    """
    faces = faces_of(canvas, target)
    if target.count and len(faces) != target.count:
        sentence = Sentence("I found %(n)s faces, so I can't tell whose face you mean.", n=len(faces))
        raise OperationError(
            Reason.AMBIGUOUS, sentence, Sentence("Draw a box around it, or say “on the faces”.")
        )
    return faces


def gap_between(one: Box, other: Box) -> Box:
    """Return the box between two objects.

    This box is at least half as wide as the narrower object.
    """
    (x, y), (to_x, to_y) = one.center, other.center
    apart = abs(max(one.left, other.left) - min(one.right, other.right))
    size = max(apart, min(one.width, other.width) // 2), min(one.height, other.height) // 2
    return Box.centered(((x + to_x) / 2, (y + to_y) / 2), *size)


def _free_in(mask: Floats) -> Box:
    """Return a square in the most spacious part of a mask, such as the open sky beside a tower.

    Raises OperationError if there is no such part.
    """
    scale, size = min(1.0, _WORKING_PIXELS / max(mask.shape)), copy_size(_WORKING_PIXELS, *mask.shape[::-1])
    small = (cv2.resize(mask, size, interpolation=cv2.INTER_AREA) > 0.9).astype(np.uint8)
    far = cv2.distanceTransform(cv2.copyMakeBorder(small, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 3)
    _, radius, _, (x, y) = cv2.minMaxLoc(far)
    half, x, y = 0.7 * radius / scale, (x - 0.5) / scale, (y - 0.5) / scale
    if half < 2:
        raise OperationError(
            Reason.NO_SUCH_TARGET, Sentence("There isn't enough room for it there."), MARK_THE_PLACE
        )
    return Box(round(x - half), round(y - half), round(x + half), round(y + half))


def place_item(
    canvas: Canvas,
    step: Step,
    target: Box | None,
    *,
    aspect: float,
    share: float,
    place: str,
    apart: bool = False,
) -> Box:
    """Return the box for a drawing whose width divided by its height is `aspect`.

    The box is in or beside the target. Without a target, it is at the requested place (by default `place`).
    Unless a size was requested, the box's shorter side is `share` times the photo's shorter side. If `apart`
    is true and there is no target, the box does not overlap text and emoji. Raises OperationError if there is
    no room.
    """
    free, wanted = _room_for(canvas, step, target, aspect, share)
    width = min(wanted, free.width, free.height * aspect)
    size = (round(width), round(width / aspect))
    if target is not None and step.place in BESIDE:
        if width < _SMALLER * wanted:
            raise no_room(step)
        return Box.centered(target.center, *size).moved_into(free)
    if min(size) < 1:
        raise OperationError(
            Reason.TOO_LARGE,
            Sentence("There isn't enough room for it in this photo."),
            Sentence("Use a larger photo."),
        )
    if apart and target is None:
        return free_box(canvas, size, free, step.place or place)
    at = "center" if step.place == "between" else step.place
    return place_box(size, free, at or ("center" if target else place))


def _room_for(
    canvas: Canvas, step: Step, target: Box | None, aspect: float, share: float
) -> tuple[Box, float]:
    """Return the free space in or beside the target or in the photo, and the drawing's requested width."""
    wanted, is_exact = (
        _wanted_width(canvas, step, share * max(1.0, aspect)),
        bool(step.amount_or_default.unit),
    )
    if target is None:
        free = drawable_area(canvas)
        fits = wanted <= free.width and wanted / aspect <= free.height
        return (free if fits or not is_exact else drawable_area(canvas, margin=0.0)), wanted
    if step.place in BESIDE:
        shorter = min(canvas.picture.width, canvas.picture.height)
        longest = max(_MAX_BESIDE * max(target.width, target.height), _MIN_BESIDE * shorter) * max(
            1.0, aspect
        )
        return free_beside(canvas, step, target)[1], wanted if is_exact else min(wanted, longest)
    if step.target.what != "thing":
        return target, float(target.width)
    most = 1.0 if is_exact or step.place else _ON_A_THING
    return target, min(wanted, most * min(target.width, target.height))


def free_beside(canvas: Canvas, step: Step, target: Box) -> tuple[str, Box]:
    """Return the side of the target that the step names, and the free space on that side.

    "next to" refers to the right or the left side, whichever has more space. Raises OperationError if there
    is no space.
    """
    rooms, side = rooms_beside(canvas, target), step.place or ""
    if side == "next to":
        side = max(("right of", "left of"), key=lambda name: rooms[name].width)
    if rooms[side].width <= 0 or rooms[side].height <= 0:
        raise no_room(step)
    return side, rooms[side]


def rooms_beside(canvas: Canvas, target: Box, gap_share: float = _GAP) -> dict[str, Box]:
    """Return the free space on each side of the target.

    The gap between the target and the free space is `gap_share` times the photo's shorter side.
    """
    free, gap = (
        drawable_area(canvas, _GAP),
        round(gap_share * min(canvas.picture.width, canvas.picture.height)),
    )
    return {
        "above": free._replace(bottom=target.top - gap),
        "on top": free._replace(bottom=target.top),
        "below": free._replace(top=target.bottom + gap),
        "left of": free._replace(right=target.left - gap),
        "right of": free._replace(left=target.right + gap),
    }


_NO_ROOM = {
    "above": Sentence("There isn't enough room for it above the %(noun)s."),
    "below": Sentence("There isn't enough room for it below the %(noun)s."),
    "on top": Sentence("There isn't enough room for it on top of the %(noun)s."),
    "left of": Sentence("There isn't enough room for it to the left of the %(noun)s."),
    "right of": Sentence("There isn't enough room for it to the right of the %(noun)s."),
    "next to": Sentence("There isn't enough room for it next to the %(noun)s."),
}


def no_room(step: Step) -> OperationError:
    template = _NO_ROOM.get(step.place or "", _NO_ROOM["next to"]).template
    what = Sentence("box") if step.target.what == "region" else step.target.what
    sentence = Sentence(template, noun=step.target.noun or what)
    return OperationError(
        Reason.TOO_LARGE, sentence, Sentence("Choose another side, or draw a box where it should go.")
    )


def _wanted_width(canvas: Canvas, step: Step, share: float) -> float:
    picture = canvas.picture
    wanted = step.amount_or_default
    if wanted.number is not None:
        return wanted.number if wanted.unit == "pixels" else wanted.number / 100 * picture.width
    return float(share * min(picture.width, picture.height) * 4 ** (canvas.amount(wanted) - DEFAULT_AMOUNT))


def free_box(canvas: Canvas, size: tuple[int, int], room: Box, place: str) -> Box:
    """Return a box of the given size at a place in the free space that does not overlap text and emoji.

    If text or emoji occupy the place, the box is moved just below or above them, or else beside them. Raises
    OperationError if there is no free space.
    """
    left, top, _, _ = place_box(size, room, place)
    lefts, tops = [left], [top]
    for box in canvas.occupied:
        lefts += [box.right, box.left - size[0]]
        tops += [box.bottom, box.top - size[1]]
    boxes = [Box(x, y, x + size[0], y + size[1]) for x in lefts for y in tops]
    # Allow one pixel of tolerance, because the size was rounded.
    larger = Box(room.left - 1, room.top - 1, room.right + 1, room.bottom + 1)
    inside = [box for box in boxes if box == box.moved_into(larger)]
    free = [box for box in inside if not any(box.overlap(other) for other in canvas.occupied)]
    if not free:
        sentence = Sentence("There isn't enough room for it next to what is already there.")
        raise OperationError(
            Reason.TOO_LARGE, sentence, Sentence("Choose another place, or make it smaller.")
        )
    off = [(box.left != left, box.top < top, abs(box.left - left) + abs(box.top - top)) for box in free]
    return free[off.index(min(off))]


def within_target(canvas: Canvas, step: Step, pixels: Pixels) -> Canvas:
    """Return the canvas with the new pixels only where the step may change the photo.

    The step may change its target, except for the objects that the step keeps.
    """
    mask = step_mask(canvas, step)
    return canvas.with_pixels(pixels if mask is None else blended(canvas.picture.pixels, pixels, mask))


def within_place(canvas: Canvas, step: Step, pixels: Pixels) -> Canvas:
    """Return the canvas with the new pixels only in the target and at the requested place.

    Effects that cover the whole photo fade out beyond the place.
    """
    if step.place:
        mask = place_mask(canvas.picture.height, canvas.picture.width, step.place)
        pixels = blended(canvas.picture.pixels, pixels, mask)
    return within_target(canvas, step, pixels)


def place_box(size: tuple[int, int], room: Box, place: str) -> Box:
    """Return a box of the given size at a place, such as "top left" or "center", in a larger box."""
    across = 0.0 if "left" in place else 1.0 if "right" in place else 0.5
    down = 0.0 if "top" in place else 1.0 if "bottom" in place else 0.5
    left, top = round(across * (room.width - size[0])), round(down * (room.height - size[1]))
    return Box(0, 0, *size).moved(room.left + left, room.top + top)
