"""One thing of the photo moved, made larger or smaller, copied, mirrored or turned; the rest stays."""

from editor.engine.canvas import USUAL, Canvas, operation
from editor.engine.kinds import kinds_of
from editor.engine.operations.composition.pieces import Piece, cut_out, laid, noun_for
from editor.engine.operations.composition.placement import new_place, uncut
from editor.engine.plan import Amount, Reason, Step, Target
from editor.engine.refused import Unable
from editor.imaging.picture import Picture

_GROWS = 1.3  # times as large, where nothing says how much
_SHRINKS = 0.75  # times as large, where nothing says how much smaller
_LEAST_GROWTH = 1.08  # what is less is not seen
_FLYING = frozenset({"bird", "airplane", "kite", "frisbee", "sports ball"})
_ON_THE_FLOOR = 60.0  # degrees: what is turned further is laid on the ground that it stood on


@operation
def move_thing(canvas: Canvas, step: Step, *, direction: str | None, beside: Target | None) -> Canvas:
    """The target at another place: `direction` by the amount or the exact number; `place` a part
    of the photo, or a side of `beside`. Unable without room, or where the frame cuts the thing off."""
    piece = cut_out(canvas, step.target)
    there = new_place(canvas, step, piece, direction, beside)
    return laid(canvas, there, instead_of=piece, target=step.target)


@operation
def copy_thing(canvas: Canvas, step: Step, *, direction: str | None, beside: Target | None) -> Canvas:
    """The target once more, at the step's place or beside the first."""
    piece = cut_out(canvas, step.target)
    there = new_place(canvas, step, piece, direction, beside, is_copy=True)
    return laid(canvas, there, instead_of=None, target=step.target)


@operation
def resize_thing(canvas: Canvas, step: Step, *, amount: Amount) -> Canvas:
    """The target larger or smaller by the amount, or to an exact percentage, upon the spot where it
    stands."""
    piece = cut_out(canvas, step.target)
    factor = _factor(canvas, amount)
    room = _room(canvas.picture, step.target, piece)
    if factor > room:
        if amount.unit or room < _LEAST_GROWTH:
            raise Unable(
                Reason.TOO_LARGE,
                f"There is no room in the photo for the {noun_for(step.target)} to be larger.",
                "Move it first, or ask for less.",
            )
        factor = room
    sized = piece.sized(max(1, round(piece.box.width * factor)), max(1, round(piece.box.height * factor)))
    x, y = _held(step.target, piece)
    left = piece.box.left + x * (piece.box.width - sized.box.width)
    top = piece.box.top + y * (piece.box.height - sized.box.height)
    return laid(canvas, sized.at(left, top), instead_of=piece, target=step.target)


def _factor(canvas: Canvas, amount: Amount) -> float:
    if amount.number is not None:
        return amount.number / 100
    share = canvas.amount(amount) / USUAL
    return float((_GROWS if share > 0 else 1 / _SHRINKS) ** share)


def _held(target: Target, piece: Piece) -> tuple[float, float]:
    """Which spot of its box stays where it is, in shares of its sides: the foot, for things stand; the middle
    of what flies; the frame where that cuts it off."""
    if {"left", "right"} <= piece.cut or {"top", "bottom"} <= piece.cut:
        raise uncut(target, "made larger or smaller")
    x = 0.0 if "left" in piece.cut else 1.0 if "right" in piece.cut else 0.5
    is_flying = bool(_FLYING.intersection(kinds_of(target.noun)))
    y = 0.0 if "top" in piece.cut else 0.5 if is_flying and "bottom" not in piece.cut else 1.0
    return x, y


def _room(picture: Picture, target: Target, piece: Piece) -> float:
    """How many times as large it can be inside the photo."""
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
    """The target mirrored where it is: left and right change places, or top and bottom."""
    piece = cut_out(canvas, step.target)
    across = {"top", "bottom"} if axis == "vertical" else {"left", "right"}
    if piece.cut & across:
        raise uncut(step.target, "mirrored")
    return laid(canvas, piece.mirrored(axis), instead_of=piece, target=step.target)


@operation
def rotate_thing(canvas: Canvas, step: Step, *, degrees: float) -> Canvas:
    """The target turned by exact degrees, clockwise positive: a little about its middle, more of it upon the
    ground where it stands."""
    piece = cut_out(canvas, step.target)
    if piece.cut:
        raise uncut(step.target, "turned")
    turned = piece.turned(degrees)
    if abs(degrees) > _ON_THE_FLOOR:
        turned = turned.at(turned.box.left, piece.box.bottom - turned.box.height)
    if turned.box != turned.box.within(canvas.picture.width, canvas.picture.height):
        raise Unable(
            Reason.TOO_LARGE, f"There is no room in the photo for the {noun_for(step.target)} to be turned."
        )
    return laid(canvas, turned, instead_of=piece, target=step.target)
