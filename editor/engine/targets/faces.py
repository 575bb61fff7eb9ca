"""Find faces and the eyes in them.

A face that is turned away, very small, or covered can be missed, so an empty result does not prove that there
are no faces.
"""

from collections.abc import Iterable

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError, name_of_place
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason, Target
from editor.engine.targets.analyzed import FACES
from editor.engine.targets.drawn_boxes import marked_boxes
from editor.engine.targets.places import distance_to, is_at
from editor.engine.vision import faces as vision
from editor.engine.vision.faces import Face
from editor.engine.vision.mesh import Mesh, find_mesh
from editor.engine.vision.people import real_faces
from editor.imaging.picture import Picture
from editor.sentences import Sentence

_SQUARE_SIDE = 0.88  # side of the square in a face, as a share of the longer side of the face's box
_VIEW_MARGIN = 0.6  # margin around a face to be examined, as a share of its box's width and height
_VIEW_PIXELS = 320  # longer side, in pixels, of the working copy of an examined face
_MIN_SAME_OVERLAP = 0.3  # minimum overlap of a box and a recognized face at which they show the same face
_EYE_SIZE = (0.28, 0.24)  # width and height of an eye with its lids, as shares of the width of a face
# usual centers of the eyes, as shares of the width and height of a face's box
_EYE_CENTERS = ((0.3, 0.4), (0.7, 0.4))


def faces_seen(canvas: Canvas) -> list[Box]:
    """Return the faces in the photo, as `find_faces` does, but compute them only once for the same pixels."""
    faces = canvas.get_or_compute(FACES, lambda: real_faces(canvas.picture))
    return _squares(faces, canvas.picture)


def find_faces(picture: Picture) -> list[Box]:
    """Return the boxes of the faces in a picture, in pixels of the picture, from left to right.

    Each box is a square from the middle of the forehead to the chin, even around a tilted or turned face.
    """
    return _squares(real_faces(picture), picture)


def _squares(faces: Iterable[Face], picture: Picture) -> list[Box]:
    return sorted(_square(face).within(picture.width, picture.height) for face in faces)


def _square(face: Face) -> Box:
    """Return a square in the box of a face.

    The square shows about the same part of every face.
    """
    side = round(_SQUARE_SIDE * max(face.box.width, face.box.height))
    (x, y), left_over = face.box.center, face.box.height - side
    return Box.centered((x, y - max(0, left_over) / 2), side, side)


def faces_of(canvas: Canvas, target: Target) -> list[Box]:
    """Return the faces that a target refers to: those in its boxes, the one at its place, or all faces.

    Raises OperationError if there are no faces, or if a person is named and there are several faces.
    """
    faces = faces_seen(canvas)
    if target.boxes:
        marked = [canvas.boxes[number - 1] for number in target.boxes if number <= len(canvas.boxes)]
        faces = [face for face in faces if any(box and box.holds_center_of(face) for box in marked)]
    if target.place:
        at_place = [face for face in faces if is_at(face, target.place, canvas.picture)]
        faces = sorted(at_place, key=lambda face: distance_to(str(target.place), face, canvas.picture))[:1]
    if target.of and len(faces) > 1:
        reason = Sentence(
            "I see %(n)s faces and can't tell which one is the %(owner)s's.", n=len(faces), owner=target.of
        )
        raise OperationError(Reason.AMBIGUOUS, reason, Sentence("Draw a box around the face."))
    if not faces:
        sentence = Sentence("I can't find a face.")
        if target.place:
            place = name_of_place(target.place)
            sentence = Sentence("I can't find a face in the %(place)s part of the photo.", place=place)
        raise OperationError(Reason.NO_SUCH_TARGET, sentence, Sentence("Draw a box around the face."))
    return faces


def faces_in(canvas: Canvas, box: Box) -> list[Box]:
    """Return the faces whose centers are in a box, largest first."""
    inside = [face for face in faces_seen(canvas) if box.holds_center_of(face)]
    return sorted(inside, key=lambda face: -face.area)


def faces_and_boxes(canvas: Canvas, target: Target) -> tuple[list[Box], list[Box]]:
    """Return the faces that a target refers to, and the target's marked boxes that contain no face.

    Raises OperationError if there is neither a face nor a box.
    """
    if target.what != "region":
        return faces_of(canvas, target), []
    faces_of_box = {box: faces_in(canvas, box) for box in marked_boxes(canvas, target)}
    faces = dict.fromkeys(face for inside in faces_of_box.values() for face in inside)
    return list(faces), [box for box, inside in faces_of_box.items() if not inside]


def find_eyes(picture: Picture, face: Box) -> list[Box]:
    """Return the boxes of a face's two eyes, including the lids, from left to right.

    If no face is recognized in the box, the eyes are returned at their usual positions.
    """
    face_view = _FaceView(picture, face)
    mesh = face_view.mesh()
    if mesh is not None:
        centers = [mesh.outline("left_eye").mean(0).tolist(), mesh.outline("right_eye").mean(0).tolist()]
    elif face_view.face is not None:
        centers = face_view.in_picture(np.array(face_view.face.landmarks[:2])).tolist()
    else:
        centers = [(face.left + x * face.width, face.top + y * face.height) for x, y in _EYE_CENTERS]
    width, height = round(_EYE_SIZE[0] * face.width), round(_EYE_SIZE[1] * face.height)
    return [Box.centered((x, y), width, height) for x, y in centers]


def mesh_of(picture: Picture, face: Box) -> Mesh | None:
    """Return the mesh of a face, in pixels of the picture.

    Return None if the face is in full profile or if no face is recognized in the box.
    """
    return _FaceView(picture, face).mesh()


class _FaceView:
    """An enlarged view of a face, along with the face that is recognized in it, if any."""

    def __init__(self, picture: Picture, face: Box) -> None:
        self._view = face.grown(_VIEW_MARGIN, picture.width, picture.height)
        self._colors = working_copy(Picture(picture.pixels[self._view.slices]), _VIEW_PIXELS)
        self._scale = self._colors.shape[1] / max(1, self._view.width)
        expected = face.seen_from(self._view).sized(self._scale)
        matches = [
            candidate
            for candidate in vision.find_faces(self._colors)
            if candidate.box.overlap_ratio(expected) > _MIN_SAME_OVERLAP
        ]
        self.face = max(matches, key=lambda candidate: candidate.box.overlap_ratio(expected), default=None)

    def mesh(self) -> Mesh | None:
        """Return the mesh of the face, in the picture's pixel coordinates, or None if there is no face."""
        mesh = find_mesh(self._colors, self.face) if self.face else None
        return mesh and Mesh(self.in_picture(mesh.points), mesh.presence)

    def in_picture(self, points: Floats) -> Floats:
        """Convert points (n x 2) of the view to pixels of the picture."""
        return points / np.float32(self._scale) + np.array((self._view.left, self._view.top), np.float32)


def face_mask(canvas: Canvas, faces: list[Box]) -> Floats:
    """Return a mask, from 0 to 1 and at the picture's size, of soft-edged ovals over the faces."""
    mask = np.zeros((canvas.picture.height, canvas.picture.width), np.uint8)
    for face in faces:
        middle = (round(face.center[0]), round(face.center[1]))
        axes = (round(face.width * 0.5), round(face.height * 0.65))
        cv2.ellipse(mask, middle, axes, 0, 0, 360, 255, -1)
    soft = max(3, min(face.width for face in faces) // 8 | 1)
    return cv2.blur(mask.astype(np.float32) / np.float32(255), (soft, soft))
