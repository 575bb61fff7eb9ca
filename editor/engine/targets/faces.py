"""Finds faces and eyes with frontal cascades.

These miss profiles and faces with sunglasses, so an empty result does not prove that there are no faces.
"""

from functools import lru_cache
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason, Target
from editor.engine.targets.marked import marked_boxes
from editor.engine.targets.places import distance_to, is_at
from editor.imaging.picture import Picture, eight_bits

if TYPE_CHECKING:
    from editor.engine.networks import Models

_ASSETS = Path(__file__).resolve().parents[1] / "assets"
_WORKING_PIXELS = 800  # the longer side of the copy on which faces are searched for
_FACE_PIXELS = 300  # the side of the copy of a face on which eyes are searched for
_EYE_SIZES = (40, 120)  # pixels, on such a copy
_EYE = (0.28, 0.24)  # the width and height of an eye with its lids, in widths of a face
_EYE_CENTERS = ((0.3, 0.4), (0.7, 0.4))


def find_faces(picture: Picture, models: "Models | None" = None) -> list[Box]:
    """Return the faces in a picture, in its pixels, from left to right.

    Without a model, only frontal faces are found.
    """
    known = models.faces(picture) if models else None
    if known is not None:
        return known
    small = working_copy(picture, _WORKING_PIXELS)
    grey = cv2.equalizeHist(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY))
    found = _cascade("haarcascade_frontalface_alt2").detectMultiScale(grey, 1.1, 6, minSize=(24, 24))
    scale = picture.width / small.shape[1]
    return sorted(Box(x, y, x + w, y + h).sized(scale) for x, y, w, h in found)


def faces_of(canvas: Canvas, target: Target) -> list[Box]:
    """Return the faces that a target means: those in its boxes, the one at its place, or all.

    Raises Unable if there are none, or if the owner of the face is named and there are several.
    """
    faces = find_faces(canvas.picture, canvas.models)
    if target.boxes:
        marked = [canvas.boxes[number - 1] for number in target.boxes if number <= len(canvas.boxes)]
        faces = [face for face in faces if any(box and box.holds_center_of(face) for box in marked)]
    if target.place:
        there = [face for face in faces if is_at(face, target.place, canvas.picture)]
        faces = sorted(there, key=lambda face: distance_to(str(target.place), face, canvas.picture))[:1]
    if target.of and len(faces) > 1:
        reason = f"I see {len(faces)} faces and can't tell which one is the {target.of}'s."
        raise OperationError(Reason.AMBIGUOUS, reason, "Draw a box around the face.")
    if not faces:
        where = f" in the {target.place} part of the photo" if target.place else ""
        raise OperationError(
            Reason.NO_SUCH_TARGET, f"I can't find a face{where}.", "Draw a box around the face."
        )
    return faces


def faces_in(canvas: Canvas, box: Box) -> list[Box]:
    """Return the faces whose centers are in a box, the largest first."""
    own = [face for face in find_faces(canvas.picture, canvas.models) if box.holds_center_of(face)]
    return sorted(own, key=lambda face: -face.area)


def faces_and_boxes(canvas: Canvas, target: Target) -> tuple[list[Box], list[Box]]:
    """Return the faces that a target means, and those of its boxes that contain no face.

    Raises Unable if there is neither a face nor a box.
    """
    if target.what != "region":
        return faces_of(canvas, target), []
    held = {box: faces_in(canvas, box) for box in marked_boxes(canvas, target)}
    faces = dict.fromkeys(face for found in held.values() for face in found)
    return list(faces), [box for box, found in held.items() if not found]


def find_eyes(picture: Picture, face: Box) -> list[Box]:
    """Return the two eyes of a face, with their lids.

    An eye that is not detected is returned at its usual position.
    """
    shown = eight_bits(Picture(picture.pixels[face.slices][:, :, :3]))
    small = cv2.resize(shown, (_FACE_PIXELS, _FACE_PIXELS), interpolation=cv2.INTER_AREA)
    grey = cv2.equalizeHist(cv2.cvtColor(small[: round(0.6 * _FACE_PIXELS)], cv2.COLOR_RGB2GRAY))
    least, most = _EYE_SIZES
    seen = _cascade("haarcascade_eye").detectMultiScale(
        grey, 1.05, 4, minSize=(least, least), maxSize=(most, most)
    )
    centers = [((x + w / 2) / _FACE_PIXELS, (y + h / 2) / _FACE_PIXELS) for x, y, w, h in seen]
    return [_eye_at(face, _nearest(usual, centers)) for usual in _EYE_CENTERS]


def _nearest(usual: tuple[float, float], centers: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the detected center closest to an eye's usual position, or that position if none is close."""
    return min(
        (center for center in centers if dist(center, usual) < 0.15),
        key=lambda center: dist(center, usual),
        default=usual,
    )


def _eye_at(face: Box, center: tuple[float, float]) -> Box:
    x, y = face.left + center[0] * face.width, face.top + center[1] * face.height
    return Box.centered((x, y), round(_EYE[0] * face.width), round(_EYE[1] * face.height))


def face_mask(canvas: Canvas, faces: list[Box]) -> Floats:
    """Return ovals over the faces at the picture's size, from 0 to 1, with soft edges."""
    mask = np.zeros((canvas.picture.height, canvas.picture.width), np.uint8)
    for face in faces:
        middle = (round(face.center[0]), round(face.center[1]))
        axes = (round(face.width * 0.5), round(face.height * 0.65))
        cv2.ellipse(mask, middle, axes, 0, 0, 360, 255, -1)
    soft = max(3, min(face.width for face in faces) // 8 | 1)
    return cv2.blur(mask.astype(np.float32) / np.float32(255), (soft, soft))


@lru_cache(2)
def _cascade(name: str) -> cv2.CascadeClassifier:
    return cv2.CascadeClassifier(str(_ASSETS / f"{name}.xml"))
