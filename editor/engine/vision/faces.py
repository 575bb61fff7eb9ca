"""Find faces with YuNet, including turned, small, and partly covered ones.

Wu, Peng, and Yu, "YuNet: A Tiny Millisecond-level Face Detector", 2023. The outputs are decoded as in
OpenCV's FaceDetectorYN.
"""

from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.pixels import Box, copy_size
from editor.engine.vision.network import load_network
from editor.engine.vision.segmentation import Point
from editor.imaging.picture import Bytes

NETWORK = "yunet.onnx"

# Longer sides of the copies, in pixels; on each, the network finds faces about 10 to 300 pixels high.
_COPY_PIXELS = (960, 320)
# Distances, in pixels of the network's input, between the positions that the network's output rows describe.
_STRIDES = (8, 16, 32)
_MIN_SCORE = 0.6
_MAX_OVERLAP = 0.3  # maximum overlap, in one view, of two boxes that show different faces
_MAX_OVERLAP_ACROSS_VIEWS = 0.5  # maximum overlap, across two views, of two boxes that show different faces


@dataclass(frozen=True)
class Face:
    """A face with its box, a score from 0 to 1, and five landmarks, in pixels of the photo.

    The landmarks are the left eye, the right eye, the tip of the nose, and the left and right corners of the
    mouth. Left and right are as a viewer sees an upright face.
    """

    box: Box
    score: float
    landmarks: tuple[Point, ...]

    def sized(self, scale: float, width: int, height: int) -> "Face":
        """Return the face in the coordinates of a copy of the photo.

        The copy is `scale` times as large and has width x height pixels.
        """
        points = tuple((x * scale, y * scale) for x, y in self.landmarks)
        return replace(self, box=self.box.sized(scale).within(width, height), landmarks=points)


def find_faces(colors: Bytes) -> list[Face]:
    """Return the faces in a photo, height x width x 3, RGB, from left to right.

    A detection with a score below 0.8 is often something else, such as the body of a guitar.
    """
    height, width = colors.shape[:2]
    faces: list[Face] = []
    for size in dict.fromkeys(copy_size(longest, width, height) for longest in _COPY_PIXELS):
        for face in _faces_at(colors, size):
            twin = next(
                (other for other in faces if face.box.overlap_ratio(other.box) > _MAX_OVERLAP_ACROSS_VIEWS),
                None,
            )
            if twin is None:
                faces.append(face)
            elif twin.score < face.score:
                faces[faces.index(twin)] = face
    return sorted(faces, key=lambda face: face.box)


def _faces_at(colors: Bytes, size: tuple[int, int]) -> list[Face]:
    """Return the faces that the network finds in a copy of the given width and height."""
    height, width = colors.shape[:2]
    scores, boxes, landmarks = _run(cast(Bytes, cv2.resize(colors, size, interpolation=cv2.INTER_AREA)))
    scale = np.array((width / size[0], height / size[1]), np.float32)
    kept = cv2.dnn.NMSBoxes(
        cast(list[list[float]], boxes.tolist()), scores.tolist(), _MIN_SCORE, _MAX_OVERLAP
    )
    faces = []
    for row in np.array(kept, np.intp).ravel():
        box = _box_of_sides(boxes[row].reshape(2, 2) * scale).within(width, height)
        if box.width > 0 and box.height > 0:
            points = (landmarks[row].reshape(-1, 2) * scale).tolist()
            faces.append(Face(box, float(scores[row]), tuple((x, y) for x, y in points)))
    return faces


def _box_of_sides(sides: Floats) -> Box:
    """Return the box with the given left side, top, width, and height."""
    (left, top), (right, bottom) = sides[0].tolist(), (sides[0] + sides[1]).tolist()
    return Box(round(left), round(top), round(right), round(bottom))


def _run(small: Bytes) -> tuple[Floats, Floats, Floats]:
    """Return scores, boxes (left, top, width, and height), and landmarks (x, y) of likely faces."""
    height, width = small.shape[:2]
    down, across = (-(-side // _STRIDES[-1]) * _STRIDES[-1] for side in (height, width))
    network_input = np.zeros((1, 3, down, across), np.float32)
    network_input[0, :, :height, :width] = small[:, :, ::-1].transpose(2, 0, 1)
    network = load_network(NETWORK)
    network.setInput(network_input)
    names = [f"{kind}_{stride}" for stride in _STRIDES for kind in ("cls", "obj", "bbox", "kps")]
    outputs = [output[0] for output in network.forward(names)]
    rows = [
        _rows_of(outputs[4 * number : 4 * number + 4], stride, across // stride)
        for number, stride in enumerate(_STRIDES)
    ]
    scores, boxes, landmarks = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    return scores, boxes, landmarks


def _rows_of(outputs: list[Floats], stride: int, columns: int) -> tuple[Floats, Floats, Floats]:
    """Return the likely faces from the output rows of one stride, in the form that `_run` returns."""
    classes, objects, sides, points = outputs
    scores = np.sqrt(np.clip(classes, 0, 1) * np.clip(objects, 0, 1)).ravel()
    (likely,) = np.nonzero(scores >= _MIN_SCORE)
    places = np.stack([likely % columns, likely // columns], 1).astype(np.float32)
    middles, sizes = (places + sides[likely, :2]) * stride, np.exp(sides[likely, 2:]) * stride
    landmarks = (np.tile(places, 5) + points[likely]) * stride
    return scores[likely], np.concatenate([middles - sizes / 2, sizes], 1), landmarks
