"""Find the outline of anything in a photo, from a box around it or from points in it.

An encoder turns the photo into an embedding once, which takes seconds and much memory. A decoder then turns
the embedding and a box or points into a mask in about a tenth of a second.

Kirillov et al., "Segment Anything", 2023; Zhang et al., "Faster Segment Anything", 2023.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.pixels import Box
from editor.engine.vision.network import load_network
from editor.imaging.picture import Bytes

ENCODER = "sam_encoder.onnx"
DECODER = "sam_decoder.onnx"
EMBEDDING_SHAPE = (1, 256, 64, 64)
_MASK_PIXELS = 256  # width and height of the decoder's masks, in pixels
LOGITS_SHAPE = (_MASK_PIXELS, _MASK_PIXELS)
_SURE_LOGIT = 8.0  # logit of a pixel that certainly belongs to a rough mask

_INPUT_PIXELS = 1024  # width and height of the encoder's input, in pixels; the photo is at the top left
_MEAN = (123.675, 116.28, 103.53)  # mean levels of the training photos for red, green, and blue
# Standard deviations of the training photos' levels for red, green, and blue.
_DEVIATION = (58.395, 57.12, 57.375)
# The decoder's labels for the points of a prompt. The decoder expects two points, such as two corners of a
# box, so a prompt with one point gets a padding point.
_OUTSIDE, _INSIDE, _TOP_LEFT, _BOTTOM_RIGHT, _PADDING = 0, 1, 2, 3, -1

# The x and y coordinates of a point, in pixels of the photo.
type Point = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Embedding:
    """The encoder's output for a photo, which is the input to the decoder.

    `values` contains 16-bit floats and has the shape 1 x 256 x 64 x 64. `width` and `height` are the size of
    the photo in pixels.
    """

    values: NDArray[np.float16]
    width: int
    height: int


def encode(colors: Bytes) -> Embedding:
    """Return the embedding of a photo, height x width x 3, RGB.

    This takes about 360 MB of memory and 1.5 s, so only the process that analyzes photos calls it.
    """
    height, width = colors.shape[:2]
    across, down = _input_size(width, height)
    way = cv2.INTER_AREA if across < width else cv2.INTER_LINEAR
    small = cv2.resize(colors, (across, down), interpolation=way).astype(np.float32)
    network_input = np.zeros((1, 3, _INPUT_PIXELS, _INPUT_PIXELS), np.float32)
    normal = (small - np.array(_MEAN, np.float32)) / np.array(_DEVIATION, np.float32)
    network_input[0, :, :down, :across] = normal.transpose(2, 0, 1)
    network = load_network(ENCODER)
    network.setInput(network_input)
    return Embedding(network.forward().astype(np.float16), width, height)


def mask_of_box(embedding: Embedding, box: Box) -> Floats:
    """Return the mask of the thing that fills a box, from 0 to 1, with sides of at most 1024 pixels."""
    return mask_of_logits(embedding, decode_box(embedding, box))


def decode_box(embedding: Embedding, box: Box, likely: Floats | None = None) -> Floats:
    """Return the logits (256 x 256) of the mask of the thing that fills a box.

    `likely` is a rough mask of the thing, which the decoder refines. The rough mask covers the photo at any
    resolution.
    """
    corners = [(box.left, box.top), (box.right, box.bottom)]
    start = None if likely is None else _logits_of(embedding, likely)
    return _decode(embedding, corners, [_TOP_LEFT, _BOTTOM_RIGHT], start)


def decode_pair(embedding: Embedding, one: Point, other: Point, start: Floats) -> Floats:
    """Return the logits (256 x 256) of a mask that contains two points.

    `start` holds the logits of a mask to refine.
    """
    return _decode(embedding, [one, other], [_INSIDE, _INSIDE], start)


def mask_of_logits(embedding: Embedding, logits: Floats) -> Floats:
    """Convert the decoder's logits (256 x 256) to a mask like that of `mask_of_box`."""
    across, down = _input_size(embedding.width, embedding.height)
    size = (_INPUT_PIXELS, _INPUT_PIXELS)
    large = cv2.resize(logits, size, interpolation=cv2.INTER_LINEAR)[:down, :across]
    return cast(Floats, np.float32(1) / (np.float32(1) + np.exp(-np.clip(large, -20, 20))))


def mask_of_points(embedding: Embedding, inside: Sequence[Point], outside: Sequence[Point] = ()) -> Floats:
    """Return a mask of the thing that contains all points `inside` and no points `outside`.

    The mask is like that of `mask_of_box`.
    """
    points = [(point, _INSIDE) for point in inside] + [(point, _OUTSIDE) for point in outside]
    first = points[0][0]
    logits = _decode(embedding, [first, (0.0, 0.0)], [_INSIDE, _PADDING])
    for point, label in points[1:]:
        logits = _decode(embedding, [first, point], [_INSIDE, label], logits)
    return mask_of_logits(embedding, logits)


def without_point(embedding: Embedding, likely: Floats, inside: Point, outside: Point) -> Floats:
    """Refine the rough mask `likely` so that it contains one point but not another.

    The returned mask has the same form as that of `mask_of_box`.
    """
    start = _logits_of(embedding, likely)
    return mask_of_logits(embedding, _decode(embedding, [inside, outside], [_INSIDE, _OUTSIDE], start))


def _input_size(width: int, height: int) -> tuple[int, int]:
    scale = _INPUT_PIXELS / max(width, height)
    return max(1, round(width * scale)), max(1, round(height * scale))


def _decode(
    embedding: Embedding, points: Sequence[Point], labels: Sequence[int], start: Floats | None = None
) -> Floats:
    """Return the logits of a mask (256 x 256).

    If the photo is not square, part of the mask is unused. `start`, if given, holds the logits of a mask to
    refine.
    """
    scale = _INPUT_PIXELS / max(embedding.width, embedding.height)
    inputs = {
        "image_embeddings": embedding.values.astype(np.float32),
        "point_coords": np.array([points], np.float32) * np.float32(scale),
        "point_labels": np.array([labels], np.float32),
        "mask_input": (np.zeros(LOGITS_SHAPE, np.float32) if start is None else start)[None, None],
        "has_mask_input": np.array([start is not None], np.float32),
    }
    network = load_network(DECODER, classic=True)
    for name, values in inputs.items():
        network.setInput(values, name)
    logits: Floats = network.forward("low_res_masks")[0, 0].copy()
    return logits


def _logits_of(embedding: Embedding, likely: Floats) -> Floats:
    """Convert a mask of the photo, from 0 to 1, to logits in the range of the decoder's output."""
    sides = _input_size(embedding.width, embedding.height)
    across, down = (max(1, side * _MASK_PIXELS // _INPUT_PIXELS) for side in sides)
    logits = np.full(LOGITS_SHAPE, -_SURE_LOGIT, np.float32)
    small = cv2.resize(likely, (across, down), interpolation=cv2.INTER_AREA)
    logits[:down, :across] = (small - np.float32(0.5)) * np.float32(2 * _SURE_LOGIT)
    return logits
