"""Fit hats to heads and glasses to eyes, tilted along the line of the eyes."""

from typing import NamedTuple

import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.drawing.paint import paint_over, rotate_expanded
from editor.engine.errors import MARK_THE_PLACE, OperationError
from editor.engine.operations.add.places import exact_target_faces
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Step, Target
from editor.engine.targets.drawn_boxes import marked_boxes
from editor.engine.targets.faces import faces_in, find_eyes
from editor.engine.targets.things import target_things
from editor.imaging.picture import Pixels
from editor.sentences import Sentence

_GLASSES = 2.35  # width of glasses, as a multiple of the distance between the eyes
_HEAD = 1.1  # width of a head where a hat is worn, as a multiple of the face's width
_FACE = 2.3  # maximum width of a face, as a multiple of the distance between the eyes
_HAIRLINE = 0.52  # distance from the middle of a face up to the hairline, as a share of the face's height
# Maximum tilt of the line of the eyes, in degrees; a larger tilt is a detection error.
_MAX_ROLL_DEGREES = 30.0
_CUT = 0.6  # maximum share of a hat's height that the upper edge of the photo may cut off


class Fit(NamedTuple):
    """The position and size of a hat, glasses, or an emoji on a head.

    `width` is the width of the item in pixels, `at` is the position of its center, and `roll` is its
    clockwise tilt in degrees.
    """

    width: float
    at: tuple[float, float]
    roll: float


class Hat(NamedTuple):
    """The fit of a hat on a head, as shares of the hat's width and height (see `Prop`)."""

    hairline: float = 0.9
    head: float = 0.85
    middle: float = 0.5


def find_fits(canvas: Canvas, step: Step, aspect: float, hat: Hat) -> list[Fit]:
    """Return a fit for each face that the target refers to.

    `aspect` is the width of the worn item divided by its height. Marked boxes without a face are skipped,
    because they may contain an animal. Raises OperationError if no box is marked and no face is found, or if
    a hat has no room above the head.
    """
    return [_fit(canvas, face, step.place, aspect, hat) for face in _faces(canvas, step.target)]


def _faces(canvas: Canvas, target: Target) -> list[Box]:
    if target.what == "face":
        return exact_target_faces(canvas, target)
    if target.what == "region":
        return [face for box in marked_boxes(canvas, target) for face in faces_in(canvas, box)[:1]]
    faces_of_things = [faces_in(canvas, thing.box)[:1] for thing in target_things(canvas, target)]
    if not all(faces_of_things):
        sentence = Sentence("I can't find the face of the %(noun)s.", noun=target.noun)
        raise OperationError(Reason.NO_SUCH_TARGET, sentence, MARK_THE_PLACE)
    return [face for faces in faces_of_things for face in faces]


def _fit(canvas: Canvas, face: Box, part: str | None, aspect: float, hat: Hat) -> Fit:
    (x, y), (to_x, to_y) = (eye.center for eye in find_eyes(canvas.picture, face))
    apart, roll = float(np.hypot(to_x - x, to_y - y)), float(np.degrees(np.arctan2(to_y - y, to_x - x)))
    roll = roll if abs(roll) < _MAX_ROLL_DEGREES else 0.0
    if part == "eyes":
        return Fit(_GLASSES * apart, ((x + to_x) / 2, (y + to_y) / 2), roll)
    width = _HEAD * min(float(face.width), _FACE * apart) / hat.head
    height, aside, turn = width / aspect, (0.5 - hat.middle) * width, np.radians(roll)
    up = _HAIRLINE * face.height + (hat.hairline - 0.5) * height
    x = face.center[0] + float(np.cos(turn) * aside + np.sin(turn) * up)
    y = face.center[1] + float(np.sin(turn) * aside - np.cos(turn) * up)
    if height / 2 - y > _CUT * height:
        hint = Sentence("Extend the photo at the top first.")
        raise OperationError(Reason.TOO_LARGE, Sentence("There isn't enough room above the head."), hint)
    return Fit(width, (x, y), roll)


def put_on(pixels: Pixels, colors: Floats, coverage: Floats, fit: Fit) -> None:
    """Paint a worn item onto the pixels in place; the item must already have the width of the fit."""
    turned = rotate_expanded(np.dstack([colors * coverage[:, :, None], coverage]), fit.roll)
    share = np.ascontiguousarray(np.clip(turned[:, :, 3], 0, 1))
    paint = np.clip(turned[:, :, :3] / np.maximum(share, 1e-3)[:, :, None], 0, 1)
    paint_over(pixels, share, paint, Box.centered(fit.at, *share.shape[::-1])[:2])
