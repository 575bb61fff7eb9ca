"""Find a place in the photo for an object that was cut out.

The object must be completely inside the photo and must not hide other objects.
"""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.errors import OperationError
from editor.engine.kinds import is_plural, kinds_of
from editor.engine.operations.composition.pieces import Piece, colored_box, cut_out, noun_for
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import DEFAULT_AMOUNT, Reason, Step, Target
from editor.engine.targets.detector import things_seen
from editor.engine.targets.drawn_boxes import marked_boxes
from editor.engine.targets.things import target_things
from editor.engine.vision.things import SURE
from editor.imaging.picture import Bytes
from editor.sentences import Sentence

# Distance between a moved object and the photo's edge, as a share of the photo's width or height.
_MARGIN = 0.03
# Distance between a moved object and its neighbor, as a share of the smaller object's width or height.
_GAP = 0.12
# Default distance by which an object is moved, as a share of the photo's width or height.
_DEFAULT_MOVE_SHARE = 0.25
# Lower limit for the default distance by which an object is moved, as a share of the object's width or
# height.
_MIN_MOVE_PER_SIZE = 0.8
# Minimum free distance in the direction of a move, as a share of the requested distance.
_MIN_MOVE_SHARE = 0.35
# Overlap between an object and the object under it, as a share of the lower object's height.
_OVERLAP_BELOW = 0.1
# Distance between the base of an object and the base of an object in front of it, as a share of the front
# object's height.
_FRONT_BASE_OFFSET = 0.08
# Minimum vertical overlap of objects that count as side by side, as a share of the moved object's height.
_MIN_SIDE_BY_SIDE_OVERLAP = 0.3
# Area above which another object counts as ground, as a multiple of the moved object's area.
_MIN_GROUND_AREA_RATIO = 6.0
# Placements in which an object may hide what is behind it.
_OVER = frozenset({"inside", "on", "front"})
_WORKING_PIXELS = 480  # longer side, in pixels, of the working copy on which areas of ground are compared
# How far around an object the compared ground extends, as a share of the object's longer side.
_RING = 0.1
# Kernel that grows a mask by two pixels in order to leave out an object's edge.
_RIM = np.ones((5, 5), np.uint8)
_BINS = 16  # number of histogram bins for each CIELAB channel
# Minimum share of the ground that a color must cover to be considered part of the ground.
_MAX_RARE_COLOR_SHARE = 0.01
# A place contains an object if more than this share of the place has colors that are rare on the ground.
_MAX_RARE_PIXELS_SHARE = 0.3
# Minimum strength of edges that show another object, as a multiple of the strength of the ground's edges.
_MIN_EDGE_RATIO = 1.5
# Minimum share of an object's new place that must be newly covered for the object to hide something there.
_TOO_LITTLE = 0.2
# Unit vector (x, y) of each direction, where y points down.
_SIDES = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def new_place(
    canvas: Canvas,
    step: Step,
    piece: Piece,
    direction: str | None,
    beside: Target | None,
    *,
    is_copy: bool = False,
) -> Piece:
    """Return the cut-out object at the place that a step names.

    A copy does not overlap the original, and is placed beside it if no place is named. Raises OperationError
    if there is no room, if something else would be hidden, or if the photo's edge cuts the object off and the
    cut would be visible.
    """
    if beside is not None:
        there = _beside(canvas, step, piece, beside)
    elif direction:
        there = _shifted(canvas, step, piece, direction, is_copy=is_copy)
    elif is_copy and not step.place:
        there = _next_to(canvas, piece.box, piece, None)
    else:
        there = _placed(canvas, step.place or "", piece)
    _require_whole(canvas, step.target, piece, there.box)
    is_laid_over = step.amount_or_default.unit or (beside is not None and step.place in _OVER)
    if not is_laid_over and _is_taken(canvas, piece, there):
        raise OperationError(
            Reason.LOW_CONFIDENCE,
            Sentence("Something else is already where the %(name)s would go.", name=noun_for(step.target)),
            Sentence("Choose another place, or draw a second box around a free one."),
        )
    return there


_CUT_OFF = {
    "copy": Sentence("I can't copy the %(name)s because the edge of the photo cuts it off."),
    "flip": Sentence("I can't flip the %(name)s because the edge of the photo cuts it off."),
    "move": Sentence("I can't move the %(name)s because the edge of the photo cuts it off."),
    "resize": Sentence("I can't resize the %(name)s because the edge of the photo cuts it off."),
    "turn": Sentence("I can't turn the %(name)s because the edge of the photo cuts it off."),
}
_CUT_THEM_OFF = Sentence("I can't move the %(name)s because the edge of the photo cuts them off.")


def cut_off_error(target: Target, verb: str) -> OperationError:
    """Return the error to raise if the photo's edge cuts an object off.

    `verb` names the action that is not possible. Only a move acts on several things.
    """
    sentence = _CUT_THEM_OFF if is_plural(target.noun or "") else _CUT_OFF[verb]
    return OperationError(
        Reason.LOW_CONFIDENCE,
        Sentence(sentence.template, name=noun_for(target)),
        Sentence("Choose something that is completely in the photo."),
    )


def _require_whole(canvas: Canvas, target: Target, piece: Piece, new: Box) -> None:
    """Raise OperationError if a cut-out object would be partly outside the photo or show a cut-off side.

    A side that the photo's edge cuts off must stay at that edge.
    """
    stays = {"left": new.left == piece.box.left, "top": new.top == piece.box.top}
    stays |= {"right": stays["left"], "bottom": stays["top"]}
    if not all(stays[side] for side in piece.cut):
        raise cut_off_error(target, "move")
    if new != new.within(canvas.picture.width, canvas.picture.height):
        raise _no_room(target)


def _is_taken(canvas: Canvas, piece: Piece, there: Piece) -> bool:
    """Return whether another object is already at the place where `there` would go.

    This is assumed if two conditions are met: the place has stronger edges than the ground around the moved
    object, and many of the place's colors are rare on that ground.
    """
    small = working_copy(canvas.picture, _WORKING_PIXELS)
    scale = small.shape[1] / canvas.picture.width
    place, own = (_shape(one, small.shape[:2], scale) for one in (there, piece))
    inside = (place == 1) & (cv2.dilate(own, _RIM) == 0)
    if inside.sum() < _TOO_LITTLE * place.sum():
        return False
    reach = max(2, round(_RING * max(piece.box.width, piece.box.height) * scale))
    wider = cv2.dilate(own, np.ones((2 * reach + _RIM.shape[0],) * 2, np.uint8))
    around = cast(Bytes, wider - cv2.dilate(own, _RIM))
    lab = cv2.cvtColor(small, cv2.COLOR_RGB2LAB)
    steep = np.abs(cv2.Laplacian(lab[:, :, 0], cv2.CV_32F))
    if not around.any() or steep[inside].mean() < _MIN_EDGE_RATIO * steep[around == 1].mean():
        return False
    known = cv2.calcHist([lab], [0, 1, 2], around, [_BINS] * 3, [0, 256] * 3) / around.sum()
    bins = (lab[inside] // (256 // _BINS)).astype(np.intp)
    return float((known[tuple(bins.T)] < _MAX_RARE_COLOR_SHARE).mean()) > _MAX_RARE_PIXELS_SHARE


def _shape(piece: Piece, shape: tuple[int, int], scale: float) -> Bytes:
    """Return a mask (0/1) of the cut-out object on a working copy that has the given shape and scale."""
    left, top, right, bottom = (round(side * scale) for side in piece.box)
    size = max(1, right - left), max(1, bottom - top)
    solid = (cv2.resize(piece.alpha, size, interpolation=cv2.INTER_AREA) > 0.5).astype(np.uint8)
    mask = np.zeros(shape, np.uint8)
    part = mask[top : top + size[1], left : left + size[0]]
    part[:] = solid[: part.shape[0], : part.shape[1]]
    return mask


def _no_room(target: Target) -> OperationError:
    return OperationError(
        Reason.TOO_LARGE,
        Sentence("There isn't enough room for the %(name)s there.", name=noun_for(target)),
        Sentence("Choose another place, or make it smaller first."),
    )


def _placed(canvas: Canvas, place: str, piece: Piece) -> Piece:
    """Return the cut-out object, moved to the named side or corner of the photo.

    Along an axis that the place does not name, the object keeps its position.
    """
    width, height = canvas.picture.width, canvas.picture.height
    across, down = round(_MARGIN * width), round(_MARGIN * height)
    left, top = piece.box[:2]
    if "left" in place or "right" in place:
        left = across if "left" in place else width - across - piece.box.width
    if "top" in place and "top" not in piece.cut:
        top = down
    elif "bottom" in place and "bottom" not in piece.cut:
        top = height - down - piece.box.height
    return piece.at(left, top)


def _shifted(canvas: Canvas, step: Step, piece: Piece, direction: str, *, is_copy: bool) -> Piece:
    """Return the cut-out object, moved in a direction by the requested distance.

    An exact distance is always kept; any other distance is limited by the room in the photo.
    """
    x, y = (sum(_SIDES[word][axis] for word in direction.split()) for axis in (0, 1))
    is_exact = bool(step.amount_or_default.unit)
    sides, box = (canvas.picture.width, canvas.picture.height), piece.box
    own = box.width, box.height
    free = (box.left if x < 0 else sides[0] - box.right), (box.top if y < 0 else sides[1] - box.bottom)
    ways: list[int] = []
    for way, side, size, room in zip((x, y), sides, own, free, strict=True):
        wanted = _wanted(canvas, step, side, size)
        wanted = max(wanted, (1 + _GAP) * size) if is_copy and not is_exact else wanted
        far = wanted if is_exact else min(wanted, room - round(_MARGIN * side))
        if way and not is_exact and far < (size if is_copy else _MIN_MOVE_SHARE * wanted):
            raise _no_room(step.target)
        ways.append(round(far) * way)
    return piece.at(box.left + ways[0], box.top + ways[1])


def _wanted(canvas: Canvas, step: Step, side: int, size: int) -> float:
    wanted = step.amount_or_default
    if wanted.number is not None:
        return wanted.number if wanted.unit == "pixels" else wanted.number / 100 * side
    return max(_DEFAULT_MOVE_SHARE * side, _MIN_MOVE_PER_SIZE * size) * canvas.amount(wanted) / DEFAULT_AMOUNT


def _beside(canvas: Canvas, step: Step, piece: Piece, target: Target) -> Piece:
    """Return the cut-out object beside, on, or in front of the target that the step names.

    If the object is placed inside a marked box, its base is at the lower edge of the box.
    """
    anchor = _box_of(canvas, target)
    if step.place in ("top", "bottom"):
        gap = round(_GAP * min(piece.box.height, anchor.height))
        top = anchor.top - gap - piece.box.height if step.place == "top" else anchor.bottom + gap
        return piece.at(anchor.center[0] - piece.box.width / 2, top)
    feet = {
        "inside": anchor.bottom,
        "on": anchor.top + _OVERLAP_BELOW * anchor.height,
        "front": anchor.bottom + _FRONT_BASE_OFFSET * piece.box.height,
    }
    if step.place in feet:
        return piece.at(anchor.center[0] - piece.box.width / 2, feet[step.place] - piece.box.height)
    return _next_to(canvas, anchor, piece, step.place)


def _box_of(canvas: Canvas, target: Target) -> Box:
    """Return the bounding box of a target, without computing the target's outline if possible."""
    if target.what == "region":
        return marked_boxes(canvas, target)[0]
    if target.what == "thing" and kinds_of(target.noun):
        return target_things(canvas, target)[0].box
    if target.what == "thing" and target.color:
        return colored_box(canvas, target)
    return cut_out(canvas, target).box


def _next_to(canvas: Canvas, anchor: Box, piece: Piece, place: str | None) -> Piece:
    """Return the cut-out object on the named side of a box, or on the side with more room.

    The base of the object is level with the lower edge of the box, unless the two are already at about the
    same height.
    """
    own = piece.box
    shared = min(own.bottom, anchor.bottom) - max(own.top, anchor.top)
    is_level = bool(piece.cut & {"top", "bottom"}) or shared >= _MIN_SIDE_BY_SIDE_OVERLAP * own.height
    top = own.top if is_level else anchor.bottom - own.height
    gap = _GAP * min(own.width, anchor.width)
    before, after = anchor.left - own.width, canvas.picture.width - anchor.right - own.width
    spots = {
        "left": (before, piece.at(before - min(gap, max(0, before)), top)),
        "right": (after, piece.at(anchor.right + min(gap, max(0, after)), top)),
    }
    if place in spots:
        return spots[place][1]
    return max(spots.values(), key=lambda spot: (not _crowded(canvas, piece, spot[1]), spot[0]))[1]


def _crowded(canvas: Canvas, piece: Piece, there: Piece) -> bool:
    """Return whether the object's new place is partly outside the photo or contains another object."""
    box = there.box
    if box.left < 0 or box.right > canvas.picture.width or _is_taken(canvas, piece, there):
        return True
    others = [
        thing.box
        for thing in things_seen(canvas)
        if thing.score >= SURE and thing.box.area < _MIN_GROUND_AREA_RATIO * box.area
    ]
    return any(box.overlap(other) and not other.overlap(piece.box) for other in others)
