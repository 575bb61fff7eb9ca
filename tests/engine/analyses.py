"""Create analyses of drawn photos. The tests define the masks instead of computing them with networks."""

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np
import pytest

from editor.engine.colors import Floats
from editor.engine.pixels import Box
from editor.engine.targets import decoded_masks
from editor.engine.vision.analysis import Analysis
from editor.engine.vision.segmentation import EMBEDDING_SHAPE, LOGITS_SHAPE, Embedding
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture


def analyzed(
    patch: pytest.MonkeyPatch, picture: Picture, *masks: Bytes, things: Sequence[Thing] = (), subject: int = 0
) -> Analysis:
    """Return an analysis in which each mask outlines one thing.

    The masks contain 0 or 1 and have the photo's size. Each mask is the outline of the thing in its bounding
    box. `subject` is the index of the mask that outlines the photo's subject.
    """

    def mask_of_box(embedding: Embedding, box: Box) -> Floats:
        places = [(box.overlap_ratio(Box.around(mask)), number) for number, mask in enumerate(masks)]
        common, number = max(places, default=(0.0, 0))
        if common < 0.2:
            return np.zeros((picture.height, picture.width), np.float32)
        return masks[number].astype(np.float32)

    def mask_of_logits(embedding: Embedding, logits: Floats) -> Floats:
        return masks[subject].astype(np.float32)

    patch.setattr(decoded_masks, "mask_of_box", mask_of_box)
    patch.setattr(decoded_masks, "mask_of_logits", mask_of_logits)
    embedding = Embedding(np.zeros(EMBEDDING_SHAPE, np.float16), picture.width, picture.height)
    shown = cv2.resize(masks[subject] * np.uint8(255), (320, 320), interpolation=cv2.INTER_AREA)
    prominent = np.zeros(LOGITS_SHAPE, np.float16)
    size = (picture.width, picture.height)
    return Analysis(*size, tuple(things), (), (), cast(Bytes, shown), None, embedding, prominent)


def detect(patch: pytest.MonkeyPatch, things: Sequence[Thing]) -> None:
    """Make the detector find these things, wherever things are chosen and outlined."""
    for module in ("things", "thing_outlines"):
        patch.setattr(f"editor.engine.targets.{module}.things_seen", lambda canvas: list(things))


def disc(picture: Picture, x: int, y: int, radius: int) -> Bytes:
    """Return a 0/1 mask of a disc. The mask has the picture's size."""
    mask = np.zeros((picture.height, picture.width), np.uint8)
    return cast(Bytes, cv2.circle(mask, (x, y), radius, 1, -1))
