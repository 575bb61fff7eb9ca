"""What is worn on a face: hats on the head, glasses over the eyes, turned with the line of the eyes."""

from typing import NamedTuple

import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.drawing.paint import lay, scaled, turned_on_a_sheet
from editor.engine.operations.add.places import faces_meant
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Step, Target
from editor.engine.refused import Unable
from editor.engine.targets.faces import faces_in, find_eyes
from editor.engine.targets.marked import marked_boxes
from editor.engine.targets.things import things_meant
from editor.imaging.codecs import Pixels

_GLASSES = 2.35  # their width, in distances of the eyes
_HAT = 1.3  # its width, in widths of a face
_FACE = 2.3  # the most that a face is wide, in distances of the eyes: of near heads it is found too large
_BRIM = 0.1  # of the face's height: so far below its upper edge, which runs through the forehead
_MOST_ROLL = 30.0  # degrees: what is found to be more is no line of eyes
_SMALLEST = 0.5  # of a hat's usual size: where there is little room above the head, it is smaller


class Fit(NamedTuple):
    """Where something worn goes: its width, in pixels, the point that its middle comes to, or with "head" the
    middle of its lower edge, and how far it is turned, in degrees, clockwise."""

    part: str
    width: float
    at: tuple[float, float]
    roll: float


def fits(canvas: Canvas, step: Step) -> list[Fit]:
    """One for each face that is meant; Unable where none is found, but for boxes: there may be an animal."""
    return [_fit(canvas, face, step.place or "head") for face in _faces(canvas, step.target)]


def _faces(canvas: Canvas, target: Target) -> list[Box]:
    if target.what == "face":
        return faces_meant(canvas, target)
    if target.what == "region":
        return [face for box in marked_boxes(canvas, target) for face in faces_in(canvas, box)[:1]]
    found = [faces_in(canvas, thing.box)[:1] for thing in things_meant(canvas, target)]
    if not all(found):
        sentence = f"The face of the {target.noun} was not found."
        raise Unable(Reason.NO_SUCH_TARGET, sentence, "Mark the place with a box.")
    return [face for own in found for face in own]


def _fit(canvas: Canvas, face: Box, part: str) -> Fit:
    (x, y), (to_x, to_y) = (eye.center for eye in find_eyes(canvas.picture, face))
    apart, roll = float(np.hypot(to_x - x, to_y - y)), float(np.degrees(np.arctan2(to_y - y, to_x - x)))
    roll = roll if abs(roll) < _MOST_ROLL else 0.0
    if part == "eyes":
        return Fit(part, _GLASSES * apart, ((x + to_x) / 2, (y + to_y) / 2), roll)
    middle, up = face.center, (0.5 - _BRIM) * face.height
    turn = np.radians(roll)
    top = (middle[0] + float(np.sin(turn)) * up, middle[1] - float(np.cos(turn)) * up)
    width = min(float(face.width), _FACE * apart)
    return Fit(part, _HAT * width, top, roll)


def put_on(pixels: Pixels, sprite: Floats, fit: Fit) -> None:
    """Paints the sprite (height x width x 4, premultiplied) in place, inside the pixels. Unable where a hat
    has no room."""
    aspect = sprite.shape[1] / sprite.shape[0]
    width = _fitting(fit, aspect) if fit.part == "head" else fit.width
    height = width / aspect
    colors, coverage = scaled(sprite, round(width), round(height))
    lift = height / 2 if fit.part == "head" else 0.0
    turn = np.radians(fit.roll)
    x, y = fit.at[0] + float(np.sin(turn)) * lift, fit.at[1] - float(np.cos(turn)) * lift
    turned = turned_on_a_sheet(np.dstack([colors * coverage[:, :, None], coverage]), fit.roll)
    share = np.ascontiguousarray(np.clip(turned[:, :, 3], 0, 1))
    paint = np.clip(turned[:, :, :3] / np.maximum(share, 1e-3)[:, :, None], 0, 1)
    lay(pixels, share, paint, (round(x - share.shape[1] / 2), round(y - share.shape[0] / 2)))


def _fitting(fit: Fit, aspect: float) -> float:
    """The width of a hat that is not cut off at the top."""
    width = min(fit.width, fit.at[1] * aspect)
    if width < _SMALLEST * fit.width:
        raise no_room_above()
    return width


def no_room_above() -> Unable:
    hint = "Extend the photo at the top first."
    return Unable(Reason.TOO_LARGE, "There is no room above the head.", hint)
