"""Find the outlines of lips, mouth, eyes, and face with MediaPipe's face mesh of 468 points.

Kartynnik et al., "Real-time Facial Surface Geometry from Monocular Video on Mobile GPUs", 2019. The numbers
of the points follow MediaPipe's canonical face model.
"""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.vision.faces import Face
from editor.engine.vision.network import load_network
from editor.imaging.picture import Bytes

NETWORK = "face_mesh.tflite"

# `mouth` is the opening between the lips. Left and right are as a viewer of an upright face sees them.
type Outline = Literal[
    "lips", "mouth", "left_eye", "right_eye", "left_brow", "right_brow", "nostrils", "oval"
]

_INPUT_PIXELS = 192  # width and height of the network's input, in pixels
# Side of the square that the network sees, as a multiple of the longer side of the face's box.
_VIEW_SIDE = 1.5
_POINTS_OUTPUT, _PRESENCE_OUTPUT = "conv2d_21", "conv2d_31"  # names of the network's outputs
_MIN_PRESENCE = 0.5
# Minimum error of the face's tilt, in degrees, at which the mesh is computed again.
_MIN_ROLL_ERROR_DEGREES = 8.0
# Minimum distance between the eyes of a face that is not in profile. It is a share of the distance from the
# eyes to the mouth.
_MIN_EYE_DISTANCE = 0.22
_OUTLINES: dict[Outline, tuple[int, ...]] = {
    "lips": (
        *(61, 146, 91, 181, 84, 17, 314, 405, 321, 375),
        *(291, 409, 270, 269, 267, 0, 37, 39, 40, 185),
    ),
    "mouth": (
        *(78, 95, 88, 178, 87, 14, 317, 402, 318, 324),
        *(308, 415, 310, 311, 312, 13, 82, 81, 80, 191),
    ),
    "left_eye": (33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246),
    "right_eye": (263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466),
    "left_brow": (70, 63, 105, 66, 107, 55, 65, 52, 53, 46),
    "right_brow": (300, 293, 334, 296, 336, 285, 295, 282, 283, 276),
    "nostrils": (98, 97, 2, 326, 327, 1),
    "oval": (
        *(10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377),
        *(152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109),
    ),
}


@dataclass(frozen=True, eq=False)
class Mesh:
    """A face's points (468 x 2: x and y in pixels of the photo), and the probability that it is a face."""

    points: Floats
    presence: float

    def outline(self, name: Outline) -> Floats:
        """Return the closed outline of a part of the face, n x 2."""
        return self.points[list(_OUTLINES[name])]


def find_mesh(colors: Bytes, face: Face) -> Mesh | None:
    """Return the mesh of a face in a photo, height x width x 3, RGB.

    Return None if the network sees no face or if the face is in full profile, where the network only guesses.
    """
    if _is_profile(face):
        return None
    roll = _roll(*np.array(face.landmarks[:2]))
    mesh = _mesh_at(colors, face, roll)
    if mesh is None:
        return None
    mesh_roll = _roll(mesh.outline("left_eye").mean(0), mesh.outline("right_eye").mean(0))
    if abs(mesh_roll - roll) < _MIN_ROLL_ERROR_DEGREES:
        return mesh
    # The landmarks of a tilted face are less exact than its mesh.
    return _mesh_at(colors, face, mesh_roll) or mesh


def _mesh_at(colors: Bytes, face: Face, roll: float) -> Mesh | None:
    matrix = _upright(face, roll)
    size = (_INPUT_PIXELS, _INPUT_PIXELS)
    view = cv2.warpAffine(colors, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    network = load_network(NETWORK, classic=True)
    network.setInput(np.ascontiguousarray(view.transpose(2, 0, 1)[None], np.float32) / np.float32(255))
    points, presence = network.forward([_POINTS_OUTPUT, _PRESENCE_OUTPUT])
    sure = float(1 / (1 + np.exp(-presence.ravel()[0])))
    if sure < _MIN_PRESENCE:
        return None
    places = points.reshape(-1, 3)[None, :, :2].astype(np.float32)
    return Mesh(cv2.transform(places, cv2.invertAffineTransform(matrix))[0], sure)


def _is_profile(face: Face) -> bool:
    left, right, _, *corners = np.array(face.landmarks)
    down = np.linalg.norm(np.mean(corners, 0) - (left + right) / 2)
    return bool(np.linalg.norm(right - left) < _MIN_EYE_DISTANCE * down)


def _roll(left: Floats, right: Floats) -> float:
    """Return the clockwise tilt in degrees of the line between two eyes."""
    across, down = (right - left).tolist()
    return float(np.degrees(np.arctan2(down, across)))


def _upright(face: Face, roll: float) -> Floats:
    """Return the affine transformation that places the face upright in the network's input."""
    scale = _INPUT_PIXELS / (_VIEW_SIDE * max(face.box.width, face.box.height))
    matrix = cv2.getRotationMatrix2D(face.box.center, roll, scale)
    matrix[:, 2] = matrix[:, 2] + _INPUT_PIXELS / 2 - np.array(face.box.center)
    return matrix.astype(np.float32)
