"""Find the most prominent part of a photo: the subject network's rough mask, refined by the decoder."""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.masks import keep_large_groups
from editor.engine.pixels import Box
from editor.engine.vision.segmentation import Embedding, decode_box
from editor.imaging.picture import Bytes

_MAX_OUTSIDE_VALUE = 0.5  # maximum value of the subject's mask (0 to 1) outside the subject
_MIN_PIECE_AREA = 0.1  # minimum area of a prominent piece that counts, as a share of the largest piece's area
# Maximum gap between pieces of the prominent part, such as a leg, as a share of the photo's longer side.
MAX_PIECE_GAP = 0.03


def as_shares(subject: Bytes) -> Floats:
    """Convert the subject's mask from levels, 0 to 255, to shares, 0 to 1."""
    return subject.astype(np.float32) * np.float32(1 / 255)


def prominent_box(subject: Bytes, width: int, height: int, least: float = _MAX_OUTSIDE_VALUE) -> Box | None:
    """Return the bounding box of the subject in a photo of `width` x `height` pixels, or None without one.

    `subject` is the subject's mask, from 0 to 255, at any resolution. `least` is the value, from 0 to 1,
    above which a pixel of the mask counts as subject.
    """
    solid = keep_large_groups(
        (subject > 255 * least).astype(np.uint8), _MIN_PIECE_AREA, MAX_PIECE_GAP * max(subject.shape)
    )
    if not solid.any():
        return None
    across, down = width / solid.shape[1], height / solid.shape[0]
    sides = zip(Box.around(solid), 2 * (across, down), strict=True)
    return Box(*(round(side * scale) for side, scale in sides))


def prominent_logits(subject: Bytes, embedding: Embedding) -> NDArray[np.float16] | None:
    """Return the logits (256 x 256) of the prominent part's mask, or None if nothing is prominent.

    `subject` is the subject's mask, from 0 to 255, at any resolution.
    """
    box = prominent_box(subject, embedding.width, embedding.height)
    if box is None:
        return None
    return cast(NDArray[np.float16], decode_box(embedding, box, as_shares(subject)).astype(np.float16))
