"""Find and read lines of text with two networks of PP-OCR.

The first network finds areas that may contain text; it finds some even in half of the photos without text.
The second network reads these areas, and the areas that it cannot read are discarded.

Li et al., "PP-OCRv3", 2022; Liao et al., "Real-time Scene Text Detection with Differentiable Binarization",
2020.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.pixels import Box, copy_size, working_copy
from editor.engine.vision.network import ASSETS, load_network
from editor.engine.vision.segmentation import Point
from editor.imaging.picture import Bytes, Picture, eight_bits

DETECTION = "text_detection.onnx"
READING = "text_reading.onnx"
CHARACTERS = "text_characters.txt"

# Longer side of the working copy in which text is read, in pixels. A larger copy does not improve results.
_READ_PIXELS = 2400
_COPY_PIXELS = 960  # longer side of the copy in which text is found, in pixels
_STRIDE = 32  # the sides of the copy must be multiples of this number of pixels
_MEAN = (0.485, 0.456, 0.406)  # mean levels of the training photos for blue, green, and red
# Standard deviations of the training photos' levels for blue, green, and red.
_DEVIATION = (0.229, 0.224, 0.225)
_MIN_TEXT_VALUE = 0.3  # threshold of the network's output, from 0 to 1, above which a pixel is part of text
_MIN_MEAN_VALUE = 0.5  # minimum mean of the network's output inside a line of text
_MIN_LINE_PIXELS = 3.0  # minimum height of a line of text, in pixels of the copy
# Controls how much a found line is enlarged, because the network marks only the core of a line. The width
# and height of the line grow by this factor times its area, divided by half its perimeter.
_UNCLIP = 1.6
_MAX_LINES = 100  # maximum number of lines that are read; the largest ones come first
_LINE_PIXELS = 48  # height of the image of a line for the reading network, in pixels
# Minimum and maximum width of the image of a line for the reading network, in pixels.
_LINE_WIDTHS = (48, 1200)
# Minimum certainty of a line that was read; false alarms are below 0.55, and real text is at 0.7 or more.
_MIN_SCORE = 0.6
_VIEW_MARGIN = 0.2  # margin around a line for its second reading, as a share of its box's width and height
_MIN_UPRIGHT_RATIO = 1.5  # minimum height-to-width ratio of a line that runs upward


@dataclass(frozen=True)
class TextLine:
    """A line of text, and the certainty with which it was read, from 0 to 1.

    `corners` are the top left, top right, bottom right, and bottom left corners of the line, in pixels of the
    photo. `box` is the bounding box of the part of the line that is inside the photo.
    """

    corners: tuple[Point, ...]
    box: Box
    text: str
    score: float

    @property
    def height(self) -> float:
        """The height of the line in pixels of the photo.

        It includes letters that extend above or below the others.
        """
        return _height(np.array(self.corners, np.float32))

    def sized(self, scale: float, width: int, height: int) -> "TextLine":
        """Return the line in the coordinates of a copy of the photo.

        The copy is `scale` times as large and has width x height pixels.
        """
        corners = tuple((x * scale, y * scale) for x, y in self.corners)
        return replace(self, corners=corners, box=self.box.sized(scale).within(width, height))


def read_text(picture: Picture) -> list[TextLine]:
    """Return the lines of text in a picture, in pixels of the picture, from top to bottom."""
    copy = working_copy(picture, _READ_PIXELS)
    scale = picture.width / copy.shape[1]
    return [line.sized(scale, picture.width, picture.height) for line in find_text(copy)]


def part_of_line(picture: Picture, line: TextLine, words: str) -> TextLine | None:
    """Return the part of a line that matches these words, ignoring case, or None if no part does.

    Part of a longer word does not count, and neither does part of a line that runs upward.
    """
    if line.height > _width(line):
        return None
    view = line.box.grown(_VIEW_MARGIN, picture.width, picture.height)
    blue_first = np.ascontiguousarray(eight_bits(Picture(picture.pixels[view.slices]))[:, :, 2::-1])
    corners = np.array(line.corners, np.float32)
    outputs = _character_likelihoods(blue_first, corners - np.array((view.left, view.top), np.float32))
    if outputs is None:
        return None
    text, _, centers = _decode(outputs)
    match = re.search(rf"(?<!\w){re.escape(words.strip())}(?!\w)", text, re.IGNORECASE)
    if match is None:
        return None
    # Words are divided halfway between two characters; the first word starts, and the last word ends, with
    # the line.
    sides = np.concatenate([[-centers[0]], centers, [2 - centers[-1]]])
    left, right = ((sides[at] + sides[at + 1]) / 2 for at in match.span())
    return _line_at(_between(corners, left, right), match[0], line.score, (picture.width, picture.height))


def _width(line: TextLine) -> float:
    first, second, *_ = np.array(line.corners, np.float32)
    return float(np.linalg.norm(second - first))


def _between(corners: Floats, left: float, right: float) -> Floats:
    """Return the corners of a part of a line.

    `left` and `right` are positions along the line, as shares of its length.
    """
    starts, ends = corners[[0, 0, 3, 3]], corners[[1, 1, 2, 2]]
    return starts + (ends - starts) * np.array([left, right, right, left], np.float32)[:, None]


def find_text(colors: Bytes) -> list[TextLine]:
    """Return the lines of text in a photo, from top to bottom.

    The photo is an RGB array of height x width x 3.
    """
    blue_first = np.ascontiguousarray(colors[:, :, ::-1])
    corners_of_lines = sorted(_line_corners(blue_first), key=_height, reverse=True)[:_MAX_LINES]
    lines = [line for corners in corners_of_lines if (line := _line(blue_first, corners))]
    return sorted(lines, key=lambda line: (line.box.top, line.box.left))


def _line(blue_first: Bytes, corners: Floats) -> TextLine | None:
    outputs = _character_likelihoods(blue_first, corners)
    text, score, _ = ("", 0.0, None) if outputs is None else _decode(outputs)
    line = _line_at(corners, text.strip(), score, blue_first.shape[1::-1])
    is_read = score >= _MIN_SCORE and line.text
    return line if is_read and line.box.width > 0 and line.box.height > 0 else None


def _line_at(corners: Floats, text: str, score: float, size: tuple[int, ...]) -> TextLine:
    left, top = np.floor(corners.min(0)).astype(int).tolist()
    right, bottom = np.ceil(corners.max(0)).astype(int).tolist()
    box = Box(left, top, right, bottom).within(*size)
    return TextLine(tuple((x, y) for x, y in corners.tolist()), box, text, score)


def _line_corners(blue_first: Bytes) -> Iterator[Floats]:
    """Yield the four corners (4 x 2) of each place that may be a line of text."""
    height, width = blue_first.shape[:2]
    across, down = (_round_to_strides(side) for side in copy_size(_COPY_PIXELS, width, height))
    small = cv2.resize(blue_first, (across, down), interpolation=cv2.INTER_AREA).astype(np.float32)
    normal = (small / np.float32(255) - np.array(_MEAN, np.float32)) / np.array(_DEVIATION, np.float32)
    network = load_network(DETECTION)
    network.setInput(np.ascontiguousarray(normal.transpose(2, 0, 1)[None]))
    likely = network.forward()[0, 0]
    scale = np.array((width / across, height / down), np.float32)
    outlines, _ = cv2.findContours(
        (likely > _MIN_TEXT_VALUE).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE
    )
    for outline in outlines:
        middle, (one, other), angle = cv2.minAreaRect(outline)
        if (
            min(one, other) >= _MIN_LINE_PIXELS
            and _mean_inside(likely, cast(Bytes, outline)) >= _MIN_MEAN_VALUE
        ):
            beyond = _UNCLIP * one * other / (one + other)
            rectangle = (middle, (one + beyond, other + beyond), angle)
            yield _order_corners(cv2.boxPoints(rectangle) * scale)


def _round_to_strides(side: int) -> int:
    return max(_STRIDE, round(side / _STRIDE) * _STRIDE)


def _mean_inside(likely: Floats, outline: Bytes) -> float:
    left, top, width, height = cv2.boundingRect(outline)
    inside = np.zeros((height, width), np.uint8)
    cv2.fillPoly(inside, [outline], 1, offset=(-left, -top))
    return cv2.mean(likely[top : top + height, left : left + width], inside)[0]


def _order_corners(corners: Floats) -> Floats:
    """Return four corners in the order top left, top right, bottom right, and bottom left."""
    sums, differences = corners.sum(1), corners[:, 1] - corners[:, 0]
    order = sums.argmin(), differences.argmin(), sums.argmax(), differences.argmax()
    return corners[list(order)].astype(np.float32)


def _height(corners: Floats) -> float:
    return float(np.linalg.norm(corners[3] - corners[0]))


def _character_likelihoods(blue_first: Bytes, corners: Floats) -> Floats | None:
    """Return the likelihood of each character at each position along the line between four corners.

    Return None if the line is too small.
    """
    line = _straighten(blue_first, corners)
    if line is None:
        return None
    network = load_network(READING)
    normal = line.astype(np.float32) / np.float32(127.5) - np.float32(1)
    network.setInput(np.ascontiguousarray(normal.transpose(2, 0, 1)[None]))
    outputs: Floats = network.forward()[0]
    return outputs


def _straighten(blue_first: Bytes, corners: Floats) -> Bytes | None:
    """Return the image of the line for the reading network, or None if the line is too small."""
    top_left, top_right, bottom_right, bottom_left = corners
    width = int(max(np.linalg.norm(top_right - top_left), np.linalg.norm(bottom_right - bottom_left)))
    height = int(max(np.linalg.norm(bottom_left - top_left), np.linalg.norm(bottom_right - top_right)))
    if min(width, height) < _MIN_LINE_PIXELS + 1:
        return None
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, frame)
    line = cv2.warpPerspective(
        blue_first, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    if height > _MIN_UPRIGHT_RATIO * width:
        line = cv2.rotate(line, cv2.ROTATE_90_COUNTERCLOCKWISE)
    min_width, max_width = _LINE_WIDTHS
    across = -(-_LINE_PIXELS * line.shape[1] // (8 * line.shape[0])) * 8
    return cast(Bytes, cv2.resize(line, (min(max(across, min_width), max_width), _LINE_PIXELS)))


def _decode(likely: Floats) -> tuple[str, float, Floats]:
    """Return the text of the most likely characters, without repetitions and blanks, and its certainty.

    The third value is the center of each character, as a share of the line's length. Graves et al.,
    "Connectionist Temporal Classification", 2006.
    """
    best, sure = likely.argmax(1), likely.max(1)
    is_new = (best != 0) & (best != np.concatenate([[0], best[:-1]]))
    text = "".join(_characters()[number] for number in best[is_new])
    places = ((np.flatnonzero(is_new) + 0.5) / len(best)).astype(np.float32)
    return text, float(sure[is_new].mean()) if is_new.any() else 0.0, places


@cache
def _characters() -> tuple[str, ...]:
    """Return the character for each output of the reading network; the first is blank."""
    lines = (ASSETS / CHARACTERS).read_text(encoding="utf-8").split("\n")
    return "", *lines[:-1], " "
