"""Finds outlines of people and animals with MediaPipe's selfie segmentation, run by OpenCV.

The network was made for people. It is less certain about animals, but mostly right if their colors agree. The
file in assets/ is from the mediapipe wheel 0.10.14.
"""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, cast

import cv2
import numpy as np

from editor.engine.colors import Floats, ramp
from editor.engine.pixels import Box, working_copy
from editor.engine.targets.cutout_quality import bhattacharyya_coefficient, color_bins, outline_contrast
from editor.engine.targets.grabcut import grab
from editor.engine.targets.masks import (
    ALPHA_SIDE,
    connected_components,
    mask_of,
    opened,
    refine_mask,
    remove_small_components,
    upsample_mask,
)
from editor.engine.targets.matting import estimate_alpha
from editor.imaging.picture import Bytes, Picture, Pixels

_FILE = Path(__file__).resolve().parents[1] / "assets" / "selfie_segmentation.tflite"
_INPUT_PIXELS = 256  # the width and height of the network's input
AROUND = 0.35
"""The margin around a box, as a share of its sides, because the network needs to see some background."""
_NEAR_FRAME = 0.1  # share of the photo; a view this close to the frame extends to it
_UNSURE = (0.2, 0.8)
_DOUBTFUL = (0.15, 0.9)
_SURELY = 0.98
_LEAST_PIECE = 60  # pixels; smaller pieces are ignored
_MOST_PIECE = 0.06  # share of the person; a larger piece is not a piece of the background
_BELONGS = 1.5  # times as similar to the background as to the person: such a piece is background
_STRANGE = 0.25  # similarity of colors below which nothing can be concluded
_FEWEST = 0.04  # the smallest share of the view that a person covers
_DECIDED_AT = 400  # the longer side of the copy on which this is decided
_SOFT_EDGE = 13  # pixels of that copy, twice the width of the edge of the network's mask
_RADIUS = 9  # radius of the guided filter, large because the network's pixels are coarse


class Outline(NamedTuple):
    """A person or thing in a part of a picture.

    `mask` (0 to 1) is on a working copy of `view`; `confidence` is from 0 to 1.
    """

    view: Box
    mask: Floats
    confidence: float

    @property
    def solid(self) -> Bytes:
        """The mask as 0 or 1."""
        return (self.mask > 0.5).astype(np.uint8)

    def place_of(self, box: Box) -> Box:
        """Return a box of the picture in pixels of the mask."""
        return box.seen_from(self.view).sized(self.mask.shape[1] / self.view.width)

    @property
    def in_full(self) -> Floats:
        """The mask at the size of its view."""
        return cv2.resize(self.mask, (self.view.width, self.view.height))

    def reaches(self, box: Box, share: float) -> bool:
        """Return whether the outline spans this share of a box's width and height.

        A smaller outline is only a part of the thing, and the rest would be left over.
        """
        seen, least = Box.around(self.solid), share * self.mask.shape[1] / self.view.width
        return bool(seen.width > least * box.width and seen.height > least * box.height)


def view_of(box: Box, picture: Picture) -> Box:
    """Return the part of the photo around a box that the network sees.

    It includes some background, and extends to the frame of the photo if that is close, so that nothing is
    cut off there.
    """
    left, top, right, bottom = box.grown(AROUND, picture.width, picture.height)
    across, down = _NEAR_FRAME * picture.width, _NEAR_FRAME * picture.height
    return Box(
        left if left > across else 0,
        top if top > down else 0,
        right if right < picture.width - across else picture.width,
        bottom if bottom < picture.height - down else picture.height,
    )


def outline_of(picture: Picture, box: Box) -> Outline:
    """Return the outline of the person in a box, together with anyone right next to them.

    People in front of each other are not separated.
    """
    view = view_of(box, picture)
    part = part_of(picture, view)
    guide = working_copy(part, ALPHA_SIDE)
    rough = _segmented(guide)
    small = working_copy(part, _DECIDED_AT)
    rough_here = cv2.resize(rough, (small.shape[1], small.shape[0]))
    solid = _decided(rough_here, small)
    share = float(solid.sum()) / small[:, :, 0].size * (view.width * view.height) / (box.width * box.height)
    clear = ramp(outline_contrast(small, solid), 0.65, 0.85) * ramp(share, 0.2, 0.35)
    mask = refine_mask(_settled(rough_here, solid), guide, radius=_RADIUS)
    return Outline(view, mask, max(_confidence(rough), clear))


def combine_outlines(picture: Picture, outlines: Iterable[Outline]) -> Floats:
    """Combine outlines into one mask at the picture's size, with edges aligned to the full pixels."""
    parts = ((one.view, upsample_mask(one.mask, part_of(picture, one.view))) for one in outlines)
    return mask_of(picture, parts)


def refine_hair(picture: Picture, outline: Outline) -> Outline:
    """Return a person's outline with fractional hair and fur, for display on another background."""
    guide = working_copy(part_of(picture, outline.view), max(outline.mask.shape))
    return outline._replace(mask=estimate_alpha(outline.mask, guide))


def part_of(picture: Picture, box: Box) -> Picture:
    """Return the colors inside a box as a picture."""
    return Picture(cast(Pixels, np.ascontiguousarray(picture.pixels[box.slices][:, :, :3])))


def _confidence(rough: Floats) -> float:
    """Return the confidence in the network's output, from 0 to 1.

    It is 1 if almost no pixel is uncertain compared with those of people, and 0 if many are uncertain or
    hardly any show people.
    """
    low, high = _UNSURE
    people = float((rough > 0.5).mean())
    unsure = float(((rough > low) & (rough < high)).mean())
    return float(np.clip(1.4 - 2.5 * unsure / max(people, 1e-6), 0, 1)) if people > _FEWEST else 0.0


def _decided(rough: Floats, small: Bytes) -> Bytes:
    """Assign uncertain pixels (a helmet, a dark sleeve) by their colors: 0 or 1."""
    low, high = _UNSURE
    hints = np.where(rough > 0.5, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    hints[rough < low], hints[rough > high] = cv2.GC_BGD, cv2.GC_FGD
    solid = remove_small_components(grab(small, hints, 2)) | (rough > 0.5).astype(np.uint8)
    return solid & (1 - _behind(rough, small))


def _behind(rough: Floats, small: Bytes) -> Bytes:
    """Return uncertain pieces next to a person that have the colors of the background (0 or 1).

    An example is the end of a flag next to a sleeve.
    """
    low, high = _DOUBTFUL
    doubtful = ((rough > low) & (rough < high)).astype(np.uint8)
    labels, stats = connected_components(opened(doubtful, 5))
    bins, behind = color_bins(cast(Bytes, cv2.blur(small, (3, 3)))), np.zeros(rough.shape, np.uint8)
    most = _MOST_PIECE * np.count_nonzero(rough > 0.5)
    for number, (left, top, width, height, area) in enumerate(stats):
        if number == 0 or not _LEAST_PIECE < area < most:
            continue
        reach = max(15, round(area**0.5))
        rows = slice(max(0, top - reach), top + height + reach)
        around = rows, slice(max(0, left - reach), left + width + reach)
        piece = labels[around] == number
        near = cv2.dilate(piece.astype(np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) == 1
        own, there = bins[around][piece], bins[around]
        others = bhattacharyya_coefficient(own, there[near & (rough[around] <= low)])
        if others > _BELONGS * max(
            bhattacharyya_coefficient(own, there[near & (rough[around] >= high)]), _STRANGE
        ):
            behind[around][piece] = 1
    return cast(Bytes, cv2.dilate(behind, np.ones((7, 7), np.uint8)) * (rough < _SURELY))


def _settled(rough: Floats, solid: Bytes) -> Floats:
    """Return the network's mask, with uncertain pixels replaced by the decision about them.

    Small holes and small pieces are removed.
    """
    low, high = _UNSURE
    soft = cv2.GaussianBlur(solid.astype(np.float32), (0, 0), 0.8)
    mask = np.where((rough >= low) & ((rough <= high) | (solid == 0)), soft, rough)
    whole = remove_small_components((mask > 0.5).astype(np.uint8))
    near = cv2.dilate(whole, np.ones((_SOFT_EDGE, _SOFT_EDGE), np.uint8))
    return np.where((whole == 1) & (mask < 0.5), np.float32(1), mask * near)


def _segmented(colors: Bytes) -> Floats:
    """Return how much each pixel of RGB colors belongs to a person, from 0 to 1, in the network's size."""
    small = cv2.resize(colors, (_INPUT_PIXELS, _INPUT_PIXELS), interpolation=cv2.INTER_AREA).astype(
        np.float32
    )
    net = _network()
    net.setInput(np.ascontiguousarray(small.transpose(2, 0, 1)[None]) / np.float32(255))
    return cast(Floats, np.clip(net.forward()[0, 0], 0, 1))


@lru_cache(1)
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromTFLite(str(_FILE))
