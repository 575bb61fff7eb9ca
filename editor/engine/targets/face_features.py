"""Find the features of a face that are not skin: eyes, brows, lips, and nostrils."""

from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.pixels import Box
from editor.engine.targets.faces import find_eyes, mesh_of
from editor.engine.vision.mesh import Mesh, Outline
from editor.imaging.picture import Bytes, Picture

# Widths of the uneven skin around the features, as shares of the width of the face's box.
_MARGINS: dict[Outline, float] = {
    "left_eye": 0.07,
    "right_eye": 0.07,
    "left_brow": 0.05,
    "right_brow": 0.05,
    "lips": 0.05,
    "nostrils": 0.06,
}

_EYES: tuple[Outline, Outline] = ("left_eye", "right_eye")
_LID_EDGE_SIGMA = 0.06  # sigma of the soft edge of an eye, as a share of its width
# Centers and semi-axes of the mouth and the nostrils, as shares of a face's box.
_USUAL_MOUTH_AND_NOSTRILS = (((0.5, 0.79), (0.29, 0.14)), ((0.5, 0.6), (0.2, 0.1)))

_USUAL_EYE, _USUAL_BROW = (0.19, 0.1), (0.21, 0.09)
# Distance from the center of an eye up to the center of its brow, as a share of the face's height.
_BROW_ABOVE_EYE = 0.12


def eyes_of_faces(picture: Picture, faces: Iterable[Box], box: Box) -> Floats | None:
    """Return a mask, at the picture's size, of the open parts of the eyes that are in a box, with soft edges.

    Return None if the mesh of no face has an eye in the box.
    """
    meshes = [mesh for face in faces if (mesh := mesh_of(picture, face))]
    eyes = [mesh.outline(side) for mesh in meshes for side in _EYES]
    inside = [eye for eye in eyes if box.holds_center_of(Box.around_points(eye))]
    if not inside:
        return None
    mask = np.zeros((picture.height, picture.width), np.float32)
    cv2.fillPoly(mask, [eye.round().astype(np.int32) for eye in inside], 1)
    return cv2.GaussianBlur(
        mask, (0, 0), _LID_EDGE_SIGMA * max(Box.around_points(eye).width for eye in inside)
    )


def features_mask(picture: Picture, face: Box, view: Box, size: tuple[int, int]) -> Bytes:
    """Return a 0/1 mask of the features of a face, for a view of the picture.

    `size` is the width and height of the mask. If a face has no mesh, for example in profile, its features
    are assumed to be at their usual positions.
    """
    mask: Bytes = np.zeros((size[1], size[0]), np.uint8)
    scale = size[0] / max(1, view.width)
    mesh = mesh_of(picture, face)
    for outline, margin in _outlines(mesh, face) if mesh else _usual_outlines(picture, face):
        points = ((outline - (view.left, view.top)) * scale).round().astype(np.int32)
        hull = cv2.convexHull(points)
        cv2.fillConvexPoly(mask, hull, 1)
        cv2.polylines(mask, [hull], True, 1, max(1, round(2 * margin * scale)))
    return mask


def _outlines(mesh: Mesh, face: Box) -> Iterator[tuple[Floats, float]]:
    for name, margin in _MARGINS.items():
        yield mesh.outline(name), margin * face.width


def _usual_outlines(picture: Picture, face: Box) -> Iterator[tuple[Floats, float]]:
    ovals = list(_USUAL_MOUTH_AND_NOSTRILS)
    for eye in find_eyes(picture, face):
        x, y = (eye.center[0] - face.left) / face.width, (eye.center[1] - face.top) / face.height
        ovals += [((x, y), _USUAL_EYE), ((x, y - _BROW_ABOVE_EYE), _USUAL_BROW)]
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    unit = np.stack([np.cos(turns), np.sin(turns)], 1)
    size, corner = np.array((face.width, face.height)), np.array((face.left, face.top))
    for middle, axes in ovals:
        yield corner + (np.array(middle) + unit * axes) * size, 0.0
