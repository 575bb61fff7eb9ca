"""Find people's faces, and discard other things that the detector mistakes for faces."""

from collections.abc import Sequence

from editor.engine.kinds import LIVING
from editor.engine.pixels import working_copy
from editor.engine.vision.faces import Face, find_faces
from editor.engine.vision.mesh import find_mesh
from editor.engine.vision.things import SURE, Thing, detect
from editor.imaging.picture import Bytes, Picture

_WORKING_PIXELS = 960  # longer side, in pixels, of the working copy that is searched for faces
_MIN_CERTAIN_SCORE = 0.9  # minimum score at which a face needs no further evidence; a dog has reached 0.88
_MIN_LIKELY_SCORE = 0.8  # minimum score of a face that a person around it or a mesh must confirm
_MIN_FACE_PIXELS = 12  # minimum width and height of the bounding box of a face, in pixels of the working copy


def real_faces(picture: Picture, things: Sequence[Thing] | None = None) -> list[Face]:
    """Return people's faces in a picture, in pixels of the picture, from left to right.

    Animals, guitars, and headlights are left out. `things` are the things in the picture. If they are not
    given, they are detected when a face is uncertain.
    """
    small = working_copy(picture, _WORKING_PIXELS)
    scale = picture.width / small.shape[1]
    faces = [face for face in find_faces(small) if _pixels(face) >= _MIN_FACE_PIXELS]
    if any(face.score < _MIN_CERTAIN_SCORE for face in faces):
        things = detect(picture) if things is None else things
        near = [thing.sized(1 / scale, *small.shape[1::-1]) for thing in things]
        faces = [face for face in faces if _is_real(small, face, near)]
    return [face.sized(scale, picture.width, picture.height) for face in faces]


def _pixels(face: Face) -> int:
    return min(face.box.width, face.box.height)


def _is_real(small: Bytes, face: Face, things: list[Thing]) -> bool:
    """Return whether a face belongs to a person, judged by its score, the things around it, and its mesh."""
    if face.score >= _MIN_CERTAIN_SCORE:
        return True
    around = {thing.kind for thing in things if thing.score >= SURE and thing.box.holds_center_of(face.box)}
    is_of_somebody = "person" in around
    if is_of_somebody and face.score >= _MIN_LIKELY_SCORE:
        return True
    is_of_an_animal = bool(around & LIVING) and not is_of_somebody
    return (
        not is_of_an_animal
        and (is_of_somebody or face.score >= _MIN_LIKELY_SCORE)
        and bool(find_mesh(small, face))
    )
