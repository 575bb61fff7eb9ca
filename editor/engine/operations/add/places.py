"""Where something is drawn, and how large."""

from collections.abc import Sequence

import cv2
import numpy as np

from editor.engine.canvas import Box, Canvas, blended
from editor.engine.plan import Reason, Step
from editor.engine.refused import Unable
from editor.engine.targets.faces import find_faces
from editor.engine.targets.find import step_mask, target_mask
from editor.engine.targets.marked import marked_boxes
from editor.imaging.codecs import Pixels

_MARGIN = 0.045  # of the shorter side
_AROUND_FACE = 0.22  # of its sides: the cascade finds no chins and foreheads
_UNSAID = 0.35  # the amount that means "as usual"


def room(canvas: Canvas, margin: float = _MARGIN) -> Box:
    """The photo inside its border, without a margin (a share of the shorter side)."""
    picture, frame = canvas.picture, canvas.frame
    edge = frame + round(margin * (min(picture.width, picture.height) - 2 * frame))
    return Box(edge, edge, picture.width - edge, picture.height - edge)


def target_boxes(canvas: Canvas, step: Step) -> Sequence[Box | None]:
    """The boxes of what the step is about: it is drawn once in each. (None,) is the whole photo. Unable when
    nothing is found."""
    what = step.target.what
    if what in ("whole", "background"):
        return (None,)
    if what == "region":
        return marked_boxes(canvas, step.target)
    if what == "face" and (faces := find_faces(canvas.picture, canvas.models)):
        return [face.grown(_AROUND_FACE, canvas.picture.width, canvas.picture.height) for face in faces]
    solid = (target_mask(canvas, step.target) > 0.5).astype(np.uint8)
    left, top, width, height = cv2.boundingRect(solid)
    return [Box(left, top, left + width, top + height)]


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
    if target is None:
        wanted = _wanted_width(canvas, step, share * max(1.0, aspect))
        free = _free(canvas, wanted, aspect, is_exact=step.exact is not None)
    else:
        wanted, free = float(target.width), target
    width = min(wanted, free.width, free.height * aspect)
    size = (round(width), round(width / aspect))
    if min(size) < 1:
        raise Unable(Reason.TOO_LARGE, "There is no room for it on this photo.", "Use a larger photo.")
    if apart and target is None:
        return free_box(canvas, size, free, step.place or place)
    left, top = placed(size, free, step.place or ("center" if target else place))
    return Box(left, top, left + size[0], top + size[1])


def _free(canvas: Canvas, width: float, aspect: float, *, is_exact: bool) -> Box:
    """The room for it; without a margin where only so it has the exact size that was asked for."""
    free = room(canvas)
    fits = width <= free.width and width / aspect <= free.height
    return free if fits or not is_exact else room(canvas, margin=0.0)


def _wanted_width(canvas: Canvas, step: Step, share: float) -> float:
    picture = canvas.picture
    if step.exact and step.exact[1] == "pixels":
        return step.exact[0]
    if step.exact and step.exact[1] == "percent":
        return step.exact[0] / 100 * picture.width
    amount = canvas.amount(step, _UNSAID)
    return float(share * min(picture.width, picture.height) * 4 ** (amount - _UNSAID))


def free_box(canvas: Canvas, size: tuple[int, int], room: Box, place: str) -> Box:
    """The box of something of that size at the place in the room; where words or emoji stand there already,
    just below or above them, else beside. Unable when they leave no space."""
    left, top = placed(size, room, place)
    lefts, tops = [left], [top]
    for box in canvas.taken:
        lefts += [box.right, box.left - size[0]]
        tops += [box.bottom, box.top - size[1]]
    boxes = [Box(x, y, x + size[0], y + size[1]) for x in lefts for y in tops]
    free = [box for box in boxes if _is_within(box, room) and not any(_meet(box, o) for o in canvas.taken)]
    if not free:
        sentence = "There is no space left for it beside what stands there already."
        raise Unable(Reason.TOO_LARGE, sentence, "Name another place, or make it smaller.")
    off = [(box.left != left, box.top < top, abs(box.left - left) + abs(box.top - top)) for box in free]
    return free[off.index(min(off))]


def _is_within(box: Box, room: Box) -> bool:
    # Something as large as its room is rounded to a pixel more.
    return (
        box.left >= room.left - 1
        and box.top >= room.top - 1
        and box.right <= room.right + 1
        and box.bottom <= room.bottom + 1
    )


def _meet(one: Box, other: Box) -> bool:
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    return across > 0 and down > 0


def within_target(canvas: Canvas, step: Step, pixels: Pixels) -> Canvas:
    """The pixels where the step may change the photo: in its target, and not in what it keeps."""
    mask = step_mask(canvas, step)
    return canvas.with_pixels(pixels if mask is None else blended(canvas.picture.pixels, pixels, mask))


def placed(size: tuple[int, int], room: Box, place: str) -> tuple[int, int]:
    """Left and top of something of that size in the room: "top left", "bottom", "center" ..."""
    across = 0.0 if "left" in place else 1.0 if "right" in place else 0.5
    down = 0.0 if "top" in place else 1.0 if "bottom" in place else 0.5
    return (
        room.left + round(across * (room.width - size[0])),
        room.top + round(down * (room.height - size[1])),
    )
