"""Move, resize, copy, mirror, or rotate one object in the photo without changing the rest."""

from editor.engine.canvas import Canvas, operation
from editor.engine.errors import OperationError
from editor.engine.kinds import kinds_of
from editor.engine.operations.composition.pieces import Piece, cut_out, noun_for, paint_piece
from editor.engine.operations.composition.placement import cut_off_error, new_place
from editor.engine.plan import DEFAULT_AMOUNT, Amount, Reason, Step, Target
from editor.imaging.picture import Picture
from editor.sentences import Sentence

_GROWS = 1.3  # factor by which an object is enlarged if no amount is given
_SHRINKS = 0.75  # factor by which an object is shrunk if no amount is given
# Minimum factor by which there must be room to enlarge an object; a smaller change would be invisible.
_MIN_GROWTH = 1.08
_FLYING = frozenset({"bird", "airplane", "kite", "frisbee", "sports ball"})
_ON_THE_FLOOR = 60.0  # rotation, in degrees, above which an object is moved down to its old ground


@operation
def move_thing(canvas: Canvas, step: Step, *, direction: str | None, beside: Target | None) -> Canvas:
    """Move the target to another place.

    If a `direction` is given, the target moves in that direction by the amount or by an exact number.
    Otherwise, it moves to the requested place, which is a part of the photo or a side of another target,
    `beside`. Raises OperationError if there is no room, or if the photo's edge cuts the object off.
    """
    piece = cut_out(canvas, step.target)
    there = new_place(canvas, step, piece, direction, beside)
    return paint_piece(canvas, there, instead_of=piece, target=step.target)


@operation
def copy_thing(canvas: Canvas, step: Step, *, direction: str | None, beside: Target | None) -> Canvas:
    """Copy the target to the requested place or, if no place is requested, to a place beside the original.

    Raises OperationError if there is no room.
    """
    piece = cut_out(canvas, step.target)
    there = new_place(canvas, step, piece, direction, beside, is_copy=True)
    return paint_piece(canvas, there, instead_of=None, target=step.target)


@operation
def resize_thing(canvas: Canvas, step: Step, *, amount: Amount) -> Canvas:
    """Enlarge or shrink the target in place, by the amount or to an exact percentage.

    Raises OperationError if there is no room, or if the photo's edge cuts the object off on opposite sides.
    """
    piece = cut_out(canvas, step.target)
    factor = _factor(canvas, amount)
    room = _room(canvas.picture, step.target, piece)
    if factor > room:
        if amount.unit or room < _MIN_GROWTH:
            raise OperationError(
                Reason.TOO_LARGE,
                Sentence(
                    "There isn't enough room in the photo to make the %(name)s larger.",
                    name=noun_for(step.target),
                ),
                Sentence("Move it first, or ask for a smaller size."),
            )
        factor = room
    sized = piece.sized(max(1, round(piece.box.width * factor)), max(1, round(piece.box.height * factor)))
    x, y = _held(step.target, piece)
    left = piece.box.left + x * (piece.box.width - sized.box.width)
    top = piece.box.top + y * (piece.box.height - sized.box.height)
    return paint_piece(canvas, sized.at(left, top), instead_of=piece, target=step.target)


def _factor(canvas: Canvas, amount: Amount) -> float:
    if amount.number is not None:
        return amount.number / 100
    share = canvas.amount(amount) / DEFAULT_AMOUNT
    return float((_GROWS if share > 0 else 1 / _SHRINKS) ** share)


def _held(target: Target, piece: Piece) -> tuple[float, float]:
    """Return the point that stays in place when an object is resized, as shares of its box's sides.

    For most objects, the point is on the base; for flying objects, it is in the middle. If the photo's edge
    cuts off a side of the object, the point is on that side.
    """
    if {"left", "right"} <= piece.cut or {"top", "bottom"} <= piece.cut:
        raise cut_off_error(target, "resize")
    x = 0.0 if "left" in piece.cut else 1.0 if "right" in piece.cut else 0.5
    is_flying = bool(_FLYING.intersection(kinds_of(target.noun)))
    y = 0.0 if "top" in piece.cut else 0.5 if is_flying and "bottom" not in piece.cut else 1.0
    return x, y


def _room(picture: Picture, target: Target, piece: Piece) -> float:
    """Return the maximum factor by which an object can be enlarged and still be inside the photo."""
    (x, y), box = _held(target, piece), piece.box
    ways = (
        (box.left, x * box.width),
        (picture.width - box.right, (1 - x) * box.width),
        (box.top, y * box.height),
        (picture.height - box.bottom, (1 - y) * box.height),
    )
    return min(1 + max(0, free) / share for free, share in ways if share)


@operation
def flip_thing(canvas: Canvas, step: Step, *, axis: str) -> Canvas:
    """Mirror the target in place, left to right or top to bottom.

    Raises OperationError if the photo's edge cuts off one of the target's mirrored sides.
    """
    piece = cut_out(canvas, step.target)
    across = {"top", "bottom"} if axis == "vertical" else {"left", "right"}
    if piece.cut & across:
        raise cut_off_error(step.target, "flip")
    return paint_piece(canvas, piece.mirrored(axis), instead_of=piece, target=step.target)


@operation
def rotate_thing(canvas: Canvas, step: Step, *, degrees: float) -> Canvas:
    """Rotate the target by an exact number of degrees, clockwise if positive.

    The target is rotated around its middle. After a large rotation, it is moved down to its old ground.
    Raises OperationError if there is no room, or if the photo's edge cuts the object off.
    """
    piece = cut_out(canvas, step.target)
    if piece.cut:
        raise cut_off_error(step.target, "turn")
    turned = piece.turned(degrees)
    if abs(degrees) > _ON_THE_FLOOR:
        turned = turned.at(turned.box.left, piece.box.bottom - turned.box.height)
    if turned.box != turned.box.within(canvas.picture.width, canvas.picture.height):
        raise OperationError(
            Reason.TOO_LARGE,
            Sentence(
                "There isn't enough room in the photo to turn the %(name)s.", name=noun_for(step.target)
            ),
            Sentence("Move it first, or make it smaller."),
        )
    return paint_piece(canvas, turned, instead_of=piece, target=step.target)
