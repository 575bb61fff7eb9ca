"""Find crop windows of a given ratio or size that keep people, animals, and other salient objects."""

import re
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError
from editor.engine.kinds import LIVING
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason
from editor.engine.targets.detector import things_seen
from editor.engine.targets.faces import faces_seen
from editor.engine.targets.places import anchor_of
from editor.engine.targets.saliency import saliency_map_for_places
from editor.imaging.picture import Pixels
from editor.sentences import Sentence

_MIN_CROP_PIXELS = 16  # minimum width and height of a crop, in pixels
# Margin around the bounding box of a person or animal, as a share of the box.
_PERSON_OR_ANIMAL_MARGIN = 0.05
_HEAD_SHARE = 0.4  # upper share of a person's or animal's box that counts as the head
_PERSON_WEIGHT = 1  # weight added to the saliency (0 to 1) in a person's box
_ANIMAL_WEIGHT = 3  # weight added to the saliency (0 to 1) in an animal's box
_FACE_WEIGHT = 4  # weight added to the saliency (0 to 1) in a face or in a person's head
_MIN_SCORE = 0.35  # minimum detection score at which a crop should not cut a person or animal
_MIN_HEAD_SHARE = 0.95  # minimum crop size, as a share of each head's size, so that no head is cut off
_ABOVE_FACE = 0.3  # distance from the top of a face to the top of the head, as a share of the face's height
_BELOW_FACE = 0.1  # distance from the bottom of a face to the bottom of the head, as a share of face height
_WEIGHT_EXPONENT = 60  # exponent of a window's weight; a window with 98.5% of the maximum counts 40%
_ANIMAL_HEAD_WEIGHT = 6  # weight added in an animal's head, as a multiple of the saliency (0 to 1) there


def parse_ratio(text: str | None) -> float | None:
    """Return a ratio such as "16:9" as width divided by height, or None if the text is not a ratio."""
    match = re.fullmatch(r"(\d+)\s*:\s*(\d+)", text or "")
    return int(match[1]) / int(match[2]) if match and int(match[1]) and int(match[2]) else None


def parse_size(text: str | None) -> tuple[int, int] | None:
    """Return the width and height in a text such as "within 800x600", or None if it contains no size."""
    match = re.search(r"(\d+)\s*[xX]\s*(\d+)", text or "")
    return (int(match[1]), int(match[2])) if match else None


def crop_to_ratio(canvas: Canvas, ratio: float, place: str | None = None) -> Canvas:
    """Return the canvas cropped to the largest window of this ratio.

    The window is at the given place or, if no place is given, at the position that keeps faces and the most
    salient objects. Raises OperationError if a face does not fit into the window.
    """
    box = window(canvas, ratio, None, place)
    if place is None and (box.width, box.height) != (canvas.picture.width, canvas.picture.height):
        _require_room_for_faces(canvas, box)
    return cropped(canvas, box)


def _require_room_for_faces(canvas: Canvas, box: Box) -> None:
    heads = [
        (face.width, face.bottom - max(0, face.top - _ABOVE_FACE * face.height) + _BELOW_FACE * face.height)
        for face in faces_seen(canvas)
    ]
    if any(min(box.width / width, box.height / height) < _MIN_HEAD_SHARE for width, height in heads):
        hint = Sentence("Extend it to this shape instead, or say where to crop, for example “at the top”.")
        raise OperationError(Reason.TOO_LARGE, Sentence("The face doesn't fit into this shape."), hint)


def cropped(canvas: Canvas, box: Box) -> Canvas:
    """Return the canvas cropped to the box.

    Raises OperationError if almost nothing of the photo would be left.
    """
    if min(box.width, box.height) < min(_MIN_CROP_PIXELS, canvas.picture.width, canvas.picture.height):
        raise OperationError(
            Reason.TOO_LARGE, Sentence("Almost nothing would be left of the photo."), Sentence("Crop less.")
        )
    pixels = canvas.picture.pixels[box.slices]
    matrix = np.array([[1, 0, -box.left], [0, 1, -box.top]], np.float32)
    return canvas.moved(cast(Pixels, np.ascontiguousarray(pixels)), matrix)


def window(canvas: Canvas, ratio: float, around: Box | None, place: str | None = None) -> Box:
    """Return the smallest window of this ratio that contains `around`.

    If `around` is None, return the largest window of this ratio.
    """
    width, height = largest_of_ratio(canvas.picture.width, canvas.picture.height, ratio)
    if around:
        share = min(1.0, max(around.width / width, around.height / height))
        width, height = max(1, round(width * share)), max(1, round(height * share))
    return place_window(canvas, (width, height), around, place)


def largest_of_ratio(width: int, height: int, ratio: float) -> tuple[int, int]:
    """Return the width and height of the largest window of this ratio that fits into the given size."""
    if width / height > ratio:
        return max(1, round(height * ratio)), height
    return width, max(1, round(width / ratio))


def place_window(
    canvas: Canvas, size: tuple[int, int], around: Box | None = None, place: str | None = None
) -> Box:
    """Return a window of this size at the sides that `place` names.

    If `place` is None, the window is at the best position. The window contains the box `around` or, if the
    box is larger than the window, lies inside the box.
    """
    picture = canvas.picture
    across, down = anchor_of(place)
    left, top = (0, 0) if None not in (across, down) else _best_place(canvas, *size, around)
    if across is not None:
        left = _window_start(across, picture.width, size[0], around and (around.left, around.right))
    if down is not None:
        top = _window_start(down, picture.height, size[1], around and (around.top, around.bottom))
    return Box(left, top, left + size[0], top + size[1])


def _window_start(share: float, side: int, length: int, contained: tuple[int, int] | None) -> int:
    """Return the position, in pixels, at which a window of this length starts along a side of the photo.

    If `contained` is given, the window contains that range of pixels.
    """
    start = round(share * (side - length))
    if contained is None:
        return start
    first, last = sorted((max(0, contained[1] - length), min(side - length, contained[0])))
    return min(max(start, first), last)


def _best_place(canvas: Canvas, width: int, height: int, around: Box | None) -> tuple[int, int]:
    """Return the left and top coordinates of the best window, shifted as the canvas's variation requires."""
    picture = canvas.picture
    free = picture.width - width, picture.height - height
    if around:
        wanted = around.center[0] - width / 2, around.center[1] - height / 2
    elif max(free) == 0:
        return 0, 0
    else:
        wanted = _fullest_place(canvas, width, height)
    room = 0.35 * canvas.shift
    left, top = (
        int(np.clip(round(place + room * end), 0, end)) for place, end in zip(wanted, free, strict=True)
    )
    return left, top


def _fullest_place(canvas: Canvas, width: int, height: int) -> tuple[float, float]:
    """Return the left and top coordinates at which a window of this size contains the most saliency.

    People and animals weigh more than other objects, and their heads weigh the most.
    """
    picture = canvas.picture
    small = working_copy(picture, 320)
    scale = small.shape[1] / picture.width
    saliency = saliency_map_for_places(small)
    weight = saliency + 0.02
    faces = faces_seen(canvas)
    for someone in things_seen(canvas):
        is_shown = someone.kind == "person" and any(map(someone.box.holds_center_of, faces))
        if someone.kind in LIVING and someone.score >= _MIN_SCORE and not is_shown:
            wide = someone.box.grown(_PERSON_OR_ANIMAL_MARGIN, picture.width, picture.height)
            weight[wide.sized(scale).slices] += _PERSON_WEIGHT if someone.kind == "person" else _ANIMAL_WEIGHT
            upper = wide._replace(bottom=wide.top + round(_HEAD_SHARE * wide.height))
            head = upper.sized(scale).slices
            weight[head] += _FACE_WEIGHT if someone.kind == "person" else _ANIMAL_HEAD_WEIGHT * saliency[head]
    for face in faces:
        weight[face.grown(0.25, picture.width, picture.height).sized(scale).slices] += _FACE_WEIGHT
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    x, y = _heaviest_window(weight, size)
    return x / scale, y / scale


def _heaviest_window(weight: Floats, size: tuple[int, int]) -> tuple[float, float]:
    """Return the mean position (x, y) of all windows, in which nearly only the heaviest windows count.

    Unlike the position of the heaviest window alone, the mean changes little when the weights do.
    """
    width, height = min(size[0], weight.shape[1]), min(size[1], weight.shape[0])
    sums = cv2.boxFilter(weight, cv2.CV_64F, (width, height), anchor=(0, 0), normalize=False)
    sums = sums[: weight.shape[0] - height + 1, : weight.shape[1] - width + 1]
    shares = (sums / sums.max()) ** _WEIGHT_EXPONENT
    shares /= shares.sum()
    rows, columns = np.indices(shares.shape)
    return float((columns * shares).sum()), float((rows * shares).sum())


def fitted_cover(pixels: Pixels, width: int, height: int) -> Pixels:
    """Return the pixels scaled to cover width x height and cropped to that size around the center."""
    scale = max(width / pixels.shape[1], height / pixels.shape[0])
    size = (max(width, round(pixels.shape[1] * scale)), max(height, round(pixels.shape[0] * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    scaled = cv2.resize(pixels, size, interpolation=how)
    left, top = (size[0] - width) // 2, (size[1] - height) // 2
    return cast(Pixels, scaled[top : top + height, left : left + width])
