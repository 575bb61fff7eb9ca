"""Where something is drawn, and how large."""

from collections.abc import Sequence

import cv2
import numpy as np

from editor.engine.canvas import USUAL, Canvas
from editor.engine.colors import Floats
from editor.engine.kinds import kinds_of
from editor.engine.pixels import Box, blended, copy_size
from editor.engine.plan import Reason, Step, Target
from editor.engine.refused import MARK_IT, Unable
from editor.engine.targets.faces import faces_of
from editor.engine.targets.find import step_mask, target_mask
from editor.engine.targets.marked import marked_boxes
from editor.engine.targets.things import things_meant
from editor.imaging.picture import Pixels

_MARGIN = 0.045  # of the shorter side
_AROUND_FACE = 0.22  # of its sides: the cascade finds no chins and foreheads
_ON_A_THING = 0.7  # of the thing's shorter side: what lies on it does not hide it
_LEAST_BESIDE = 0.1  # of the photo's shorter side: what stands next to a thing may always be this long
_LARGEST_BESIDE = 0.8  # of a thing's longer side: the longest that something next to it may be
_SMALLER = 0.35  # of the size it should have: with less room it is not drawn
_GAP = 0.015  # of the shorter side, between a thing and what stands beside it
_WORKING_PIXELS = 400  # the longer side of the copy on which room in the sky is looked for
BESIDE = ("above", "on top", "below", "next to", "left of", "right of")
"""Places of a step that are not in its target but beside it."""


def room(canvas: Canvas, margin: float = _MARGIN) -> Box:
    """The photo inside its border, without a margin (a share of the shorter side)."""
    picture, frame = canvas.picture, canvas.frame
    edge = frame + round(margin * (min(picture.width, picture.height) - 2 * frame))
    return Box(edge, edge, picture.width - edge, picture.height - edge)


def target_boxes(canvas: Canvas, step: Step) -> Sequence[Box | None]:
    """The boxes of what the step is about: it is drawn once in each, or once beside them all. (None,) is the
    whole photo. Unable when nothing is found."""
    what = step.target.what
    if what in ("whole", "background"):
        return (None,)
    if what == "region":
        return marked_boxes(canvas, step.target)
    if what == "face":
        size = canvas.picture.width, canvas.picture.height
        return [face.grown(_AROUND_FACE, *size) for face in faces_meant(canvas, step.target)]
    if what == "thing" and kinds_of(step.target.noun):
        boxes = [thing.box for thing in things_meant(canvas, step.target)]
        if step.place == "between":
            return [gap_between(*boxes)]
        return [Box.holding(boxes)] if step.place in BESIDE else boxes
    mask = target_mask(canvas, step.target)
    return [
        _free_in(mask)
        if what == "thing" and not step.target.color
        else Box.around((mask > 0.5).astype(np.uint8))
    ]


def faces_meant(canvas: Canvas, target: Target) -> list[Box]:
    """The faces; Unable where one is meant and several are found."""
    faces = faces_of(canvas, target)
    if target.count and len(faces) != target.count:
        sentence = f"{len(faces)} faces were found, so it is not clear whose is meant."
        raise Unable(Reason.AMBIGUOUS, sentence, "Mark it with a box, or say: on the faces.")
    return faces


def gap_between(one: Box, other: Box) -> Box:
    """What lies between two things, from the middle of the one to that of the other at least."""
    (x, y), (to_x, to_y) = one.center, other.center
    apart = abs(max(one.left, other.left) - min(one.right, other.right))
    size = max(apart, min(one.width, other.width) // 2), min(one.height, other.height) // 2
    return Box.centered(((x + to_x) / 2, (y + to_y) / 2), *size)


def _free_in(mask: Floats) -> Box:
    """The roomiest square in a mask: in the sky, and not before a tower."""
    scale, size = min(1.0, _WORKING_PIXELS / max(mask.shape)), copy_size(_WORKING_PIXELS, *mask.shape[::-1])
    small = (cv2.resize(mask, size, interpolation=cv2.INTER_AREA) > 0.9).astype(np.uint8)
    far = cv2.distanceTransform(cv2.copyMakeBorder(small, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 3)
    _, radius, _, (x, y) = cv2.minMaxLoc(far)
    half, x, y = 0.7 * radius / scale, (x - 0.5) / scale, (y - 0.5) / scale
    if half < 2:
        raise Unable(Reason.NO_SUCH_TARGET, "There is no room for it there.", MARK_IT)
    return Box(round(x - half), round(y - half), round(x + half), round(y + half))


def spot(
    canvas: Canvas,
    step: Step,
    target: Box | None,
    *,
    aspect: float,
    share: float,
    place: str,
    apart: bool = False,
) -> Box:
    """The box of something `aspect` times as wide as high: in the target, else at the step's place (or at
    `place`), `share` of the photo's shorter side where no size was asked for; outside a target `apart`, if
    asked, from words and emoji."""
    free, wanted = _room_for(canvas, step, target, aspect, share)
    width = min(wanted, free.width, free.height * aspect)
    size = (round(width), round(width / aspect))
    if target is not None and step.place in BESIDE:
        if width < _SMALLER * wanted:
            raise no_room(step)
        return Box.centered(target.center, *size).moved_into(free)
    if min(size) < 1:
        raise Unable(Reason.TOO_LARGE, "There is no room for it on this photo.", "Use a larger photo.")
    if apart and target is None:
        return free_box(canvas, size, free, step.place or place)
    at = "center" if step.place == "between" else step.place
    return placed(size, free, at or ("center" if target else place))


def _room_for(
    canvas: Canvas, step: Step, target: Box | None, aspect: float, share: float
) -> tuple[Box, float]:
    """Where it may be: in the photo, in its target or beside it; and how wide it had best be there."""
    wanted, is_exact = _wanted_width(canvas, step, share * max(1.0, aspect)), bool(step.how_much.unit)
    if target is None:
        free = room(canvas)
        fits = wanted <= free.width and wanted / aspect <= free.height
        return (free if fits or not is_exact else room(canvas, margin=0.0)), wanted
    if step.place in BESIDE:
        shorter = min(canvas.picture.width, canvas.picture.height)
        longest = max(_LARGEST_BESIDE * max(target.width, target.height), _LEAST_BESIDE * shorter) * max(
            1.0, aspect
        )
        return free_beside(canvas, step, target)[1], wanted if is_exact else min(wanted, longest)
    if step.target.what != "thing":
        return target, float(target.width)
    most = 1.0 if is_exact or step.place else _ON_A_THING
    return target, min(wanted, most * min(target.width, target.height))


def free_beside(canvas: Canvas, step: Step, target: Box) -> tuple[str, Box]:
    """The side of the target that the step names (or the one of left and right with more room), and the room
    there."""
    rooms, side = rooms_beside(canvas, target), step.place or ""
    if side == "next to":
        side = max(("right of", "left of"), key=lambda name: rooms[name].width)
    if rooms[side].width <= 0 or rooms[side].height <= 0:
        raise no_room(step)
    return side, rooms[side]


def rooms_beside(canvas: Canvas, target: Box, gap_share: float = _GAP) -> dict[str, Box]:
    """The room on each side of the target, a share of the photo's shorter side away from it."""
    free, gap = room(canvas, _GAP), round(gap_share * min(canvas.picture.width, canvas.picture.height))
    return {
        "above": free._replace(bottom=target.top - gap),
        "on top": free._replace(bottom=target.top),
        "below": free._replace(top=target.bottom + gap),
        "left of": free._replace(right=target.left - gap),
        "right of": free._replace(left=target.right + gap),
    }


def no_room(step: Step) -> Unable:
    sentence = f"There is no room for it {step.place} the {step.target.noun or step.target.what}."
    if step.place == "on top":
        sentence = sentence.replace("on top", "on top of")
    return Unable(Reason.TOO_LARGE, sentence, "Name another side, or mark a place with a box.")


def _wanted_width(canvas: Canvas, step: Step, share: float) -> float:
    picture = canvas.picture
    wanted = step.how_much
    if wanted.number is not None:
        return wanted.number if wanted.unit == "pixels" else wanted.number / 100 * picture.width
    return float(share * min(picture.width, picture.height) * 4 ** (canvas.amount(wanted) - USUAL))


def free_box(canvas: Canvas, size: tuple[int, int], room: Box, place: str) -> Box:
    """The box of something of that size at the place in the room; where words or emoji stand there already,
    just below or above them, else beside. Unable when they leave no space."""
    left, top, _, _ = placed(size, room, place)
    lefts, tops = [left], [top]
    for box in canvas.taken:
        lefts += [box.right, box.left - size[0]]
        tops += [box.bottom, box.top - size[1]]
    boxes = [Box(x, y, x + size[0], y + size[1]) for x in lefts for y in tops]
    larger = Box(room.left - 1, room.top - 1, room.right + 1, room.bottom + 1)  # for a size that was rounded
    inside = [box for box in boxes if box == box.moved_into(larger)]
    free = [box for box in inside if not any(box.overlap(other) for other in canvas.taken)]
    if not free:
        sentence = "There is no space left for it beside what stands there already."
        raise Unable(Reason.TOO_LARGE, sentence, "Name another place, or make it smaller.")
    off = [(box.left != left, box.top < top, abs(box.left - left) + abs(box.top - top)) for box in free]
    return free[off.index(min(off))]


def within_target(canvas: Canvas, step: Step, pixels: Pixels) -> Canvas:
    """The pixels where the step may change the photo: in its target, and not in what it keeps."""
    mask = step_mask(canvas, step)
    return canvas.with_pixels(pixels if mask is None else blended(canvas.picture.pixels, pixels, mask))


def placed(size: tuple[int, int], room: Box, place: str) -> Box:
    """The box of something of that size in the room: "top left", "bottom", "center" ..."""
    across = 0.0 if "left" in place else 1.0 if "right" in place else 0.5
    down = 0.0 if "top" in place else 1.0 if "bottom" in place else 0.5
    left, top = round(across * (room.width - size[0])), round(down * (room.height - size[1]))
    return Box(0, 0, *size).moved(room.left + left, room.top + top)
