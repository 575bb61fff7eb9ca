"""Find the kinds of ground in a photo, such as sky and water, in the embedding of the outlines' encoder.

Two small models give each cell of the embedding the likelihood of each kind. One adds up factors of the
cell's values. The other has a hidden layer and also considers the whole photo. They were trained on the
labels in tests/networks/grounds.csv.
"""

from functools import cache
from typing import Literal, NamedTuple, cast

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.vision.network import ASSETS
from editor.engine.vision.segmentation import Embedding
from editor.imaging.picture import Bytes

NETWORK = "grounds.npz"
# The kinds of ground, in the order of the network's outputs. The last output is everything else.
KINDS: tuple["Kind", ...] = ("sky", "water", "plants", "ground", "wall")
CELLS = 64  # number of cells of an embedding along the photo's longer side
_SURROUNDINGS_CELLS = 5  # width and height, in cells, of the surroundings whose mean a cell is described by
_MIN_FULL_CONFIDENCE_SHARE = 0.03  # minimum share of the photo that a kind must cover for full confidence
_CONFIDENCE_AWAY_FROM_TOP = 0.6  # confidence in a sky that does not touch the top of the photo

type Kind = Literal["sky", "water", "plants", "ground", "wall"]


class Ground(NamedTuple):
    """A kind of ground, its certainty from 0 to 1, and its mask (64 x 64, 0 to 255).

    The mask covers a square whose sides are the photo's longer side, like the decoder's mask.
    """

    kind: Kind
    confidence: float
    mask: Bytes


class Layers(NamedTuple):
    """The weights of both models. `mean` and `deviation` normalize the values of a cell.

    `factors` and `bias` are the first model; the other layers are the second one.
    """

    mean: Floats
    deviation: Floats
    factors: Floats
    bias: Floats
    inner: Floats
    inner_bias: Floats
    outer: Floats
    outer_bias: Floats


def find_grounds(embedding: Embedding) -> tuple[Ground, ...]:
    """Return every kind of ground that covers a part of the photo, however uncertain it is."""
    likely = likelihoods(describe_cells(embedding), _layers())
    down, across = cells_of(embedding)
    grounds = []
    for kind, values in zip(KINDS, likely, strict=False):
        confidence = confidence_of(values[:down, :across], kind)
        if confidence > 0:
            grounds.append(Ground(kind, round(confidence, 3), np.round(values * 255).astype(np.uint8)))
    return tuple(grounds)


def confidence_of(likely: Floats, kind: Kind) -> float:
    """Return the certainty, from 0 to 1, that a kind with these likelihoods in a photo's cells is there.

    It is the mean likelihood of the cells that are more likely than not. It is smaller for a small area, and
    for a sky that does not reach the top of the photo.
    """
    smooth = cv2.blur(likely, (3, 3))
    sure = smooth > 0.5
    if not sure.any():
        return 0.0
    reach = min(1.0, _CONFIDENCE_AWAY_FROM_TOP + float(sure[0].mean())) if kind == "sky" else 1.0
    return float(smooth[sure].mean()) * min(1.0, float(sure.mean()) / _MIN_FULL_CONFIDENCE_SHARE) * reach


def describe_cells(embedding: Embedding) -> Floats:
    """Return the values that describe each cell, as an array of values x 64 x 64.

    They are the mean of the embedding around the cell, the vertical position of the cell in the photo (-1 at
    the top, 1 at the bottom), and the mean of the embedding over the whole photo.
    """
    down, across = cells_of(embedding)
    inside = np.zeros((CELLS, CELLS), np.float32)
    inside[:down, :across] = 1
    size, border = (_SURROUNDINGS_CELLS, _SURROUNDINGS_CELLS), cv2.BORDER_CONSTANT
    weight = np.maximum(cv2.blur(inside, size, borderType=border), np.float32(1e-3))
    values = embedding.values[0].astype(np.float32) * inside
    around = [cv2.blur(layer, size, borderType=border) / weight for layer in values]
    height = (np.arange(CELLS, dtype=np.float32) + 0.5) / down * 2 - 1
    whole = values[:, :down, :across].mean((1, 2))
    return np.stack(
        [
            *around,
            np.repeat(height[:, None], CELLS, axis=1),
            *np.broadcast_to(whole[:, None, None], values.shape),
        ]
    )


def cells_of(embedding: Embedding) -> tuple[int, int]:
    """Return the number of rows and columns of cells that the photo covers."""
    cell = max(embedding.width, embedding.height) / CELLS
    return max(1, round(embedding.height / cell)), max(1, round(embedding.width / cell))


def likelihoods(cells: Floats, layers: Layers) -> Floats:
    """Return the likelihood of each output in each cell, as an array outputs x 64 x 64.

    It is the mean of the likelihoods from both models.
    """
    values = (cells.reshape(len(cells), -1).T - layers.mean) / layers.deviation
    hidden = np.maximum(values @ layers.inner + layers.inner_bias, 0)
    both = (
        values[:, : len(layers.factors)] @ layers.factors + layers.bias,
        hidden @ layers.outer + layers.outer_bias,
    )
    return cast(Floats, (softmax(both[0]) + softmax(both[1])).T.reshape(-1, CELLS, CELLS) / 2)


def softmax(outputs: Floats) -> Floats:
    """Return the likelihoods for outputs (cells x outputs) of a model."""
    shares = np.exp(outputs - outputs.max(1, keepdims=True))
    return cast(Floats, shares / shares.sum(1, keepdims=True))


@cache
def _layers() -> Layers:
    with np.load(ASSETS / NETWORK, allow_pickle=False) as stored:
        return Layers(*(stored[name].astype(np.float32) for name in Layers._fields))
