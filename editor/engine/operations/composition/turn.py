"""Rotate a photo, turn it upright, or flip it."""

import math
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.errors import OperationError
from editor.engine.pixels import working_copy
from editor.engine.plan import Reason, Step
from editor.engine.vision.faces import find_faces
from editor.imaging.picture import Bytes, Pixels
from editor.sentences import Sentence

_FACE_PIXELS = 800  # longer side, in pixels, of the working copy on which faces are searched for
# Minimum width of a face that can show which way is up, as a share of the longest side.
_CLEAR_FACE = 0.07
_MIN_SCORE = 0.85  # minimum detection score of an upright face; sideways faces get up to 0.88
# Minimum difference between the face scores of the best direction and the second-best direction.
_MIN_LEAD = 0.03
_SAY_HOW_FAR = Sentence("Say how far, for example “rotate 90 degrees clockwise”.")
# OpenCV's code for each quarter turn, and the arguments `x` and `y` of `_rearranged`.
_QUARTERS = {
    90: (cv2.ROTATE_90_CLOCKWISE, (0, -1), (1, 0)),
    180: (cv2.ROTATE_180, (-1, 0), (0, -1)),
    270: (cv2.ROTATE_90_COUNTERCLOCKWISE, (0, 1), (-1, 0)),
}


@operation
def rotate(canvas: Canvas, step: Step, *, degrees: float) -> Canvas:
    """Rotate the photo by a number of degrees, clockwise if positive.

    Quarter turns are lossless.
    """
    degrees %= 360
    if degrees in _QUARTERS:
        return _quarter_turned(canvas, int(degrees))
    return turned(canvas, degrees) if degrees else canvas


@operation
def upright(canvas: Canvas, step: Step) -> Canvas:
    """Rotate the photo by quarter turns until the faces are upright.

    Raises OperationError if the faces are already upright, or if they do not clearly show which side is up.
    Small faces do not count, because the detector sometimes mistakes other objects for small faces.
    """
    small = working_copy(canvas.picture, _FACE_PIXELS)
    ways = {0: small} | {
        degrees: cast(Pixels, cv2.rotate(small, way)) for degrees, (way, *_) in _QUARTERS.items()
    }
    scores = {degrees: _clearest_face(cast(Bytes, way)) for degrees, way in ways.items()}
    up, other, *_ = sorted(scores, key=lambda degrees: -scores[degrees])
    if scores[up] < _MIN_SCORE or scores[other] > scores[up] - _MIN_LEAD:
        sentence = Sentence("I can't tell from the faces which side of the photo is up.")
        raise OperationError(Reason.LOW_CONFIDENCE, sentence, _SAY_HOW_FAR)
    if up == 0:
        raise OperationError(
            Reason.AMBIGUOUS, Sentence("The faces in this photo are already upright."), _SAY_HOW_FAR
        )
    return _quarter_turned(canvas, up)


def _clearest_face(way: Bytes) -> float:
    """Return the highest detection score among the larger faces, or 0 if there are none.

    Faces that are sideways or upside down are also found, but with lower scores.
    """
    least = _CLEAR_FACE * max(way.shape[:2])
    return max((face.score for face in find_faces(way) if face.box.width >= least), default=0.0)


def _quarter_turned(canvas: Canvas, degrees: int) -> Canvas:
    """Return the canvas, rotated by quarter turns.

    The rotation is lossless, because pixels only change places.
    """
    way, x, y = _QUARTERS[degrees]
    return _rearranged(canvas, cast(Pixels, cv2.rotate(canvas.picture.pixels, way)), x, y)


def _rearranged(canvas: Canvas, pixels: Pixels, x: tuple[int, int], y: tuple[int, int]) -> Canvas:
    """Return the canvas with pixels that were rotated by quarter turns or flipped.

    `x` and `y` are the rows of the matrix that maps an old position to the new x and the new y.
    """
    starts = pixels.shape[1] * (min(x) < 0), pixels.shape[0] * (min(y) < 0)
    return canvas.moved(pixels, np.array([[*x, starts[0]], [*y, starts[1]]], np.float32))


def turned(canvas: Canvas, degrees: float) -> Canvas:
    """Return the canvas, rotated by any angle and cropped to the largest rectangle without empty corners."""
    picture = canvas.picture
    width, height = largest_inside(picture.width, picture.height, degrees)
    matrix = cv2.getRotationMatrix2D(((picture.width - 1) / 2, (picture.height - 1) / 2), -degrees, 1.0)
    matrix[0, 2] += (width - picture.width) / 2
    matrix[1, 2] += (height - picture.height) / 2
    turned = cv2.warpAffine(
        picture.pixels, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return canvas.moved(cast(Pixels, turned), matrix.astype(np.float32))


def largest_inside(width: int, height: int, degrees: float) -> tuple[int, int]:
    """Return the size of the largest upright rectangle inside a rotated rectangle.

    The size is the width and height, in whole pixels. The formula is that of Fredriksson, 2014.
    """
    sine, cosine = abs(math.sin(math.radians(degrees))), abs(math.cos(math.radians(degrees)))
    longer, shorter = max(width, height), min(width, height)
    if shorter <= 2 * sine * cosine * longer or abs(sine - cosine) < 1e-9:
        half = shorter / 2
        across, down = (half / sine, half / cosine) if width >= height else (half / cosine, half / sine)
    else:
        double = cosine * cosine - sine * sine
        across = (width * cosine - height * sine) / double
        down = (height * cosine - width * sine) / double
    return max(1, math.floor(across)), max(1, math.floor(down))


@operation
def flip(canvas: Canvas, step: Step, *, axis: str) -> Canvas:
    """Mirror the photo left to right, or top to bottom."""
    down = axis == "vertical"
    mirrored = cast(Pixels, cv2.flip(canvas.picture.pixels, 0 if down else 1))
    return _rearranged(canvas, mirrored, (1 if down else -1, 0), (0, -1 if down else 1))
