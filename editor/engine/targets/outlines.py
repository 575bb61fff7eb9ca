"""Find outlines of people and animals with MediaPipe's selfie segmentation, run by OpenCV.

The network was made for people. It is less certain about animals, but mostly right if colors confirm the
outline. The file in assets/ is from the mediapipe wheel 0.10.14.
"""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, ramp
from editor.engine.masks import (
    ALPHA_SIDE,
    connected_components,
    dilate_square,
    mask_of,
    opened,
    refine_mask,
    remove_small_components,
    upsample_mask,
)
from editor.engine.pixels import Box, copy_size, working_copy
from editor.engine.targets.cutout_quality import bhattacharyya_coefficient, color_bins, outline_contrast
from editor.engine.targets.grabcut import run_grabcut
from editor.engine.targets.matting import estimate_alpha
from editor.imaging.picture import Bytes, Picture, Pixels

_FILE = Path(__file__).resolve().parents[1] / "assets" / "selfie_segmentation.tflite"
_INPUT_PIXELS = 256  # width and height, in pixels, of the network's input
# Margin around a box, as a share of its sides. The network needs to see some background.
VIEW_MARGIN = 0.35
# Maximum distance from the photo's frame at which a view is extended to the frame, as a share of a side.
_MAX_FRAME_DISTANCE = 0.1
_UNCERTAIN_RANGE = (0.2, 0.8)  # range of the network's values at which a pixel is uncertain
_DOUBTFUL_RANGE = (0.15, 0.9)  # range of the network's values at which a piece may belong to the background
_MIN_SURE_VALUE = 0.98  # minimum network value at which a pixel is never removed as background
_MIN_PIECE_PIXELS = 60  # minimum area, in pixels, of a piece that may be removed as background
_MAX_PIECE_SHARE = 0.06  # maximum area of a piece of the background, as a share of the person's area
# Minimum ratio between a piece's color similarities to the background and to the person.
_MIN_SIMILARITY_RATIO = 1.5
# Lower limit for the similarity of a piece to the person, because smaller values prove nothing.
_MIN_SIMILARITY = 0.25
_MIN_PEOPLE_SHARE = 0.04  # minimum share of the view that people must cover
_COLOR_PIXELS = 400  # longer side, in pixels, of the working copy on which uncertain pixels are resolved
_EDGE_PIXELS = 13  # twice the width of the edge of the network's mask, in pixels of the working copy
# Radius, in pixels, of the guided filter, which is large because the network's pixels are coarse.
_FILTER_RADIUS = 9


class Outline(NamedTuple):
    """A person or thing in a part of a picture.

    `mask` (0 to 1) is on a working copy of `view`; `confidence` is from 0 to 1.
    """

    view: Box
    mask: Floats
    confidence: float

    @property
    def solid(self) -> Bytes:
        """The mask with only the values 0 and 1."""
        return (self.mask > 0.5).astype(np.uint8)

    def place_of(self, box: Box) -> Box:
        """Convert a box from pixels of the picture to pixels of the mask."""
        return box.seen_from(self.view).sized(self.mask.shape[1] / self.view.width)

    @property
    def hull(self) -> "Outline":
        """The convex hull of the outline, which also covers most of what is in front of the thing."""
        hull, points = np.zeros_like(self.solid), cv2.findNonZero(self.solid)
        if points is not None:
            cv2.fillConvexPoly(hull, cv2.convexHull(points), 1)
        return self._replace(mask=hull.astype(np.float32))

    @property
    def full_mask(self) -> Floats:
        """The mask at the size of its view."""
        return cv2.resize(self.mask, (self.view.width, self.view.height))

    def reaches(self, box: Box, share: float) -> bool:
        """Return whether the outline spans the given share of a box's width and height.

        A smaller outline shows only a part of the thing and misses the rest.
        """
        seen, min_side = Box.around(self.solid), share * self.mask.shape[1] / self.view.width
        return bool(seen.width > min_side * box.width and seen.height > min_side * box.height)


def view_of(box: Box, picture: Picture) -> Box:
    """Return the part of the photo around a box that the network sees.

    This part includes some background. If the frame of the photo is close, the part extends to the frame, so
    that nothing is cut off there.
    """
    left, top, right, bottom = box.grown(VIEW_MARGIN, picture.width, picture.height)
    across, down = _MAX_FRAME_DISTANCE * picture.width, _MAX_FRAME_DISTANCE * picture.height
    return Box(
        left if left > across else 0,
        top if top > down else 0,
        right if right < picture.width - across else picture.width,
        bottom if bottom < picture.height - down else picture.height,
    )


def outline_of(picture: Picture, box: Box) -> Outline:
    """Return the outline of the person in a box, together with any people right next to that person.

    People who are in front of each other are not separated.
    """
    view = view_of(box, picture)
    part = part_of(picture, view)
    guide = working_copy(part, ALPHA_SIDE)
    rough = _segment_people(guide)
    small = working_copy(part, _COLOR_PIXELS)
    rough_small = cv2.resize(rough, (small.shape[1], small.shape[0]))
    solid = _decide_by_color(rough_small, small)
    share = float(solid.sum()) / small[:, :, 0].size * (view.width * view.height) / (box.width * box.height)
    clear = ramp(outline_contrast(small, solid), 0.65, 0.85) * ramp(share, 0.2, 0.35)
    mask = refine_mask(_settle_uncertain(rough_small, solid), guide, radius=_FILTER_RADIUS)
    return Outline(view, mask, max(_confidence(rough), clear))


def combine_outlines(picture: Picture, outlines: Iterable[Outline]) -> Floats:
    """Combine outlines into one mask at the picture's size, with edges aligned to the full pixels."""
    parts = ((one.view, upsample_mask(one.mask, part_of(picture, one.view))) for one in outlines)
    return mask_of(picture.pixels.shape, parts)


def combine_on_copy(picture: Picture, outlines: Iterable[Outline]) -> Floats:
    """Combine outlines into one mask on a working copy of the picture."""
    width, height = copy_size(ALPHA_SIDE, picture.width, picture.height)
    scale = width / picture.width
    return mask_of((height, width), ((one.view.sized(scale), one.mask) for one in outlines))


def refine_hair(outline: Outline, guide: Bytes) -> Outline:
    """Return an outline with fractional values at hair and fur, for display on a different background.

    `guide` is the working copy of the outline's view.
    """
    return outline._replace(mask=estimate_alpha(outline.mask, guide))


def copy_of_view(canvas: Canvas, view: Box) -> Bytes:
    """Return the working copy of a view of the current photo, which is made only once."""
    return canvas.get_or_compute(
        ("view", view), lambda: working_copy(part_of(canvas.picture, view), ALPHA_SIDE)
    )


def part_of(picture: Picture, box: Box) -> Picture:
    """Return the colors inside a box as a picture."""
    if box.width == picture.width and box.height == picture.height and not picture.has_alpha:
        return picture
    return Picture(cast(Pixels, np.ascontiguousarray(picture.pixels[box.slices][:, :, :3])))


def _confidence(rough: Floats) -> float:
    """Return the confidence in the network's output, from 0 to 1.

    The confidence is 1 if very few pixels are uncertain compared to the number of pixels that show people. It
    is 0 if many pixels are uncertain or if almost none show people.
    """
    low, high = _UNCERTAIN_RANGE
    people = float((rough > 0.5).mean())
    unsure = float(((rough > low) & (rough < high)).mean())
    return float(np.clip(1.4 - 2.5 * unsure / max(people, 1e-6), 0, 1)) if people > _MIN_PEOPLE_SHARE else 0.0


def _decide_by_color(rough: Floats, small: Bytes) -> Bytes:
    """Return a 0/1 mask in which uncertain pixels, such as a dark sleeve, are decided by their color."""
    low, high = _UNCERTAIN_RANGE
    hints = np.where(rough > 0.5, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    hints[rough < low], hints[rough > high] = cv2.GC_BGD, cv2.GC_FGD
    solid = remove_small_components(run_grabcut(small, hints, 2)) | (rough > 0.5).astype(np.uint8)
    return solid & (1 - _background_pieces(rough, small))


def _background_pieces(rough: Floats, small: Bytes) -> Bytes:
    """Return a 0/1 mask of uncertain pieces next to a person that have the colors of the background.

    An example is the end of a flag next to a sleeve.
    """
    low, high = _DOUBTFUL_RANGE
    doubtful = ((rough > low) & (rough < high)).astype(np.uint8)
    labels, stats = connected_components(opened(doubtful, 5))
    bins, behind = color_bins(cast(Bytes, cv2.blur(small, (3, 3)))), np.zeros(rough.shape, np.uint8)
    max_area = _MAX_PIECE_SHARE * np.count_nonzero(rough > 0.5)
    for number, (left, top, width, height, area) in enumerate(stats):
        if number == 0 or not _MIN_PIECE_PIXELS < area < max_area:
            continue
        reach = max(15, round(area**0.5))
        rows = slice(max(0, top - reach), top + height + reach)
        around = rows, slice(max(0, left - reach), left + width + reach)
        piece = labels[around] == number
        near = dilate_square(piece.astype(np.uint8), reach) == 1
        own, there = bins[around][piece], bins[around]
        others = bhattacharyya_coefficient(own, there[near & (rough[around] <= low)])
        if others > _MIN_SIMILARITY_RATIO * max(
            bhattacharyya_coefficient(own, there[near & (rough[around] >= high)]), _MIN_SIMILARITY
        ):
            behind[around][piece] = 1
    return cast(Bytes, cv2.dilate(behind, np.ones((7, 7), np.uint8)) * (rough < _MIN_SURE_VALUE))


def _settle_uncertain(rough: Floats, solid: Bytes) -> Floats:
    """Return the network's mask with uncertain values replaced by the values of the 0/1 mask `solid`.

    Small holes are filled, and small pieces are removed.
    """
    low, high = _UNCERTAIN_RANGE
    soft = cv2.GaussianBlur(solid.astype(np.float32), (0, 0), 0.8)
    mask = np.where((rough >= low) & ((rough <= high) | (solid == 0)), soft, rough)
    whole = remove_small_components((mask > 0.5).astype(np.uint8))
    near = cv2.dilate(whole, np.ones((_EDGE_PIXELS, _EDGE_PIXELS), np.uint8))
    return np.where((whole == 1) & (mask < 0.5), np.float32(1), mask * near)


def _segment_people(colors: Bytes) -> Floats:
    """Return the network's mask of the people in an RGB picture, from 0 to 1, at the network's size."""
    small = cv2.resize(colors, (_INPUT_PIXELS, _INPUT_PIXELS), interpolation=cv2.INTER_AREA).astype(
        np.float32
    )
    net = _network()
    net.setInput(np.ascontiguousarray(small.transpose(2, 0, 1)[None]) / np.float32(255))
    return cast(Floats, np.clip(net.forward()[0, 0], 0, 1))


@lru_cache(1)
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromTFLite(str(_FILE))
