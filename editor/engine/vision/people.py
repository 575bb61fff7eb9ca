"""Finds the faces of people, and discards other things that look like faces to a detector."""

from editor.engine.kinds import LIVING
from editor.engine.pixels import working_copy
from editor.engine.vision.faces import Face, find_faces
from editor.engine.vision.mesh import find_mesh
from editor.engine.vision.things import SURE, Thing, detect
from editor.imaging.picture import Bytes, Picture

_WORKING_PIXELS = 960  # longer side of the working copy on which faces are searched for, in pixels
_CERTAIN = 0.9  # minimum score of a face that needs no further evidence; a dog has reached 0.88
_LIKELY = 0.8  # minimum score of a face that needs either a person around it or a mesh as evidence
_LEAST_PIXELS = 12  # minimum width and height of the bounding box of a face, in pixels of the working copy


def real_faces(picture: Picture) -> list[Face]:
    """Return the faces of people in a picture, in its pixels, from left to right.

    Animals, guitars, and headlights are left out.
    """
    small = working_copy(picture, _WORKING_PIXELS)
    faces = [face for face in find_faces(small) if _pixels(face) >= _LEAST_PIXELS]
    if any(face.score < _CERTAIN for face in faces):
        things = detect(Picture(small))
        faces = [face for face in faces if _is_real(small, face, things)]
    scale = picture.width / small.shape[1]
    return [_enlarged(face, scale, picture) for face in faces]


def _pixels(face: Face) -> int:
    return min(face.box.width, face.box.height)


def _enlarged(face: Face, scale: float, picture: Picture) -> Face:
    box = face.box.sized(scale).within(picture.width, picture.height)
    return Face(box, face.score, tuple((x * scale, y * scale) for x, y in face.landmarks))


def _is_real(small: Bytes, face: Face, things: list[Thing]) -> bool:
    """Return whether a face belongs to a person, judged by its score, the things around it, and its mesh."""
    if face.score >= _CERTAIN:
        return True
    around = {thing.kind for thing in things if thing.score >= SURE and thing.box.holds_center_of(face.box)}
    is_of_somebody = "person" in around
    if is_of_somebody and face.score >= _LIKELY:
        return True
    is_of_an_animal = bool(around & LIVING) and not is_of_somebody
    return not is_of_an_animal and (is_of_somebody or face.score >= _LIKELY) and bool(find_mesh(small, face))
