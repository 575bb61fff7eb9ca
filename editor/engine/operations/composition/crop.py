"""Crop: to a ratio around what matters, to a target, or off the edges."""

import re
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Box, Canvas, operation, working_copy
from editor.engine.colors import Floats
from editor.engine.kinds import LIVING
from editor.engine.plan import Amount, Reason, Step, Target
from editor.engine.refused import MARK_IT, Unable
from editor.engine.targets.detector import things_seen
from editor.engine.targets.faces import find_faces
from editor.engine.targets.figures import face_meant
from editor.engine.targets.find import target_mask
from editor.engine.targets.marked import marked_boxes
from editor.engine.targets.saliency import salience
from editor.engine.targets.subject import subject_place
from editor.imaging.codecs import Picture, Pixels

_EDGES = ("left", "top", "right", "bottom")
_SIZE = re.compile(r"(\d+)\s*[xX]\s*(\d+)")
_LEAST = 16  # pixels a side that a crop leaves
_SHOTS = {"head and shoulders": (0.6, 1.2, 1.1), "upper body": (0.6, 2.8, 1.3)}
"""What a crop shows above, below and beside a face, in its sides."""
_MARGIN, _UPPER = 0.05, 0.4  # of somebody's box: what a ratio leaves around it; there the head is
_SOMEBODY, _ANIMAL, _FACE = 1, 3, 4  # what they weigh, where what stands out weighs 1 at the most
_LIKELY = 0.35  # the score of somebody who had better not be cut
_UPRIGHT, _AT_THE_TOP = 1.2, 0.25  # as high as wide, who stands or sits; their head, of their height
_LEAST_OF_A_HEAD = 0.95  # of its height and width: less is not the picture of anybody
_BROW, _CHIN = 0.3, 0.1  # of a face: so far above and below it a head goes on
_HEAD = 6  # times as much as it weighs elsewhere
_NEAR_A_SIDE = 0.05  # of the photo: a box that ends there is meant to reach its side
HARDLY_CUT = "It fills the photo already, so hardly anything was cut off."
_NEARLY_ALL = 0.85  # of the photo: a crop that leaves so much is hardly seen
_AROUND, _AROUND_FACES = 0.06, 0.3  # of what is cropped to


@operation
def crop(
    canvas: Canvas,
    step: Step,
    *,
    ratio: str | None,
    size: str | None,
    shot: str | None,
    mode: str | None,
    amount: Amount | None,
) -> Canvas:
    """To the step's target, ratio ("16:9"), size ("800x600"), "closer" by a share, or off its edges by an
    exact number; "off" leaves what lies beside its boxes, away from the side that the place names.

    A place ("top", "bottom left", "center") says where a ratio or a size is cut out of the photo.
    """
    picture, shape, pixels = canvas.picture, parsed_ratio(ratio), _parsed_size(size)
    if mode == "closer" and amount and amount.number is not None:
        return cropped(canvas, _nearer(canvas, amount.number / 100))
    if mode == "off":
        return cropped(canvas, _short_of(canvas, step))
    if step.target.what != "whole":
        around = target_box(canvas, step.target, shot)
        made = cropped(canvas, window(canvas, shape, around, step.place) if shape else around)
        if made.picture.width * made.picture.height > _NEARLY_ALL * picture.width * picture.height:
            return made.noticing(HARDLY_CUT)
        return made
    if pixels:
        return _cropped_to_size(canvas, *pixels, step.place)
    if shape:
        return crop_to_ratio(canvas, shape, step.place)
    if amount and amount.number is not None:
        return cropped(canvas, _within_edges(picture, amount.number, amount.unit, step.place or ""))
    raise Unable(Reason.AMBIGUOUS, "It is not clear what to crop to.", f"Name a ratio such as 4:3. {MARK_IT}")


def parsed_ratio(text: str | None) -> float | None:
    """Width over height of "16:9"."""
    match = re.fullmatch(r"(\d+)\s*:\s*(\d+)", text or "")
    return int(match[1]) / int(match[2]) if match and int(match[1]) and int(match[2]) else None


def _parsed_size(text: str | None) -> tuple[int, int] | None:
    match = _SIZE.fullmatch(text or "")
    return (int(match[1]), int(match[2])) if match else None


def crop_to_ratio(canvas: Canvas, ratio: float, place: str | None = None) -> Canvas:
    """The largest crop of that ratio: at the place, else where it keeps the faces and most of what stands
    out. Unable where that leaves too little of a face."""
    box = window(canvas, ratio, None, place)
    if place is None and (box.width, box.height) != (canvas.picture.width, canvas.picture.height):
        _require_room_for_faces(canvas, box)
    return cropped(canvas, box)


def _require_room_for_faces(canvas: Canvas, box: Box) -> None:
    heads = [
        (face.width, face.bottom - max(0, face.top - _BROW * face.height) + _CHIN * face.height)
        for face in find_faces(canvas.picture, canvas.models)
    ]
    if any(min(box.width / width, box.height / height) < _LEAST_OF_A_HEAD for width, height in heads):
        hint = "Extend it to this shape instead, or say where to crop, for example: at the top."
        raise Unable(Reason.TOO_LARGE, "The face does not fit into this shape.", hint)


def cropped(canvas: Canvas, box: Box) -> Canvas:
    """Only what is inside the box."""
    if min(box.width, box.height) < min(_LEAST, canvas.picture.width, canvas.picture.height):
        raise Unable(Reason.TOO_LARGE, "Nothing would be left of the photo.", "Crop less.")
    pixels = canvas.picture.pixels[box.top : box.bottom, box.left : box.right]
    matrix = np.array([[1, 0, -box.left], [0, 1, -box.top]], np.float32)
    return canvas.moved(cast(Pixels, np.ascontiguousarray(pixels)), matrix)


def _nearer(canvas: Canvas, share: float) -> Box:
    """That share of both sides, where it keeps the faces and most of what stands out."""
    width, height = round(share * canvas.picture.width), round(share * canvas.picture.height)
    left, top = placed(canvas, (width, height), None, None)
    return Box(left, top, left + width, top + height)


def _cropped_to_size(canvas: Canvas, width: int, height: int, place: str | None) -> Canvas:
    picture = canvas.picture
    if width > picture.width or height > picture.height:
        sentence = f"The photo has only {picture.width} by {picture.height} pixels."
        raise Unable(Reason.TOO_LARGE, sentence, "Resize it instead.")
    left, top = placed(canvas, (width, height), None, place)
    return cropped(canvas, Box(left, top, left + width, top + height))


def window(canvas: Canvas, ratio: float, around: Box | None, place: str | None = None) -> Box:
    """The window of that ratio: around a box the smallest that holds it, else the largest there is."""
    width, height = largest_of_ratio(canvas.picture.width, canvas.picture.height, ratio)
    if around:
        share = max(around.width / width, around.height / height)
        share = min(1.0, share)
        width, height = max(1, round(width * share)), max(1, round(height * share))
    left, top = placed(canvas, (width, height), around, place)
    return Box(left, top, left + width, top + height)


def largest_of_ratio(width: int, height: int, ratio: float) -> tuple[int, int]:
    """The largest width and height of that ratio that fit."""
    if width / height > ratio:
        return max(1, round(height * ratio)), height
    return width, max(1, round(width / ratio))


def placed(canvas: Canvas, size: tuple[int, int], around: Box | None, place: str | None) -> tuple[int, int]:
    """Left and top of a window, at the sides that the place names; where it names none, at the best place.

    A box that the window is around stays inside, or fills it.
    """
    picture = canvas.picture
    left, top = (0, 0) if place == "center" else _best_place(canvas, *size, around)
    across, down = named_side(place, "left", "right"), named_side(place, "top", "bottom")
    if across is not None:
        held = (around.left, around.right) if around else None
        left = _slid(across, picture.width, size[0], held)
    if down is not None:
        held = (around.top, around.bottom) if around else None
        top = _slid(down, picture.height, size[1], held)
    return left, top


def named_side(place: str | None, start: str, end: str) -> float | None:
    """0 at the start, 1 at the end, 0.5 in the middle; None when the place leaves it open."""
    words = (place or "").split()
    shares = {start: 0.0, end: 1.0}
    if words == ["center"]:
        return 0.5
    return next((share for name, share in shares.items() if name in words), None)


def _slid(share: float, side: int, length: int, held: tuple[int, int] | None) -> int:
    """Where a window of that length begins along the side, holding what must stay inside."""
    start = round(share * (side - length))
    if held is None:
        return start
    least, most = sorted((max(0, held[1] - length), min(side - length, held[0])))
    return min(max(start, least), most)


def _best_place(canvas: Canvas, width: int, height: int, around: Box | None) -> tuple[int, int]:
    """Left and top of a window, moved towards the ends by the canvas's shift."""
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
    """Where a window of that size holds the most of what stands out, and people and animals, their heads
    first."""
    picture = canvas.picture
    small = working_copy(picture, 320)
    scale = small.shape[1] / picture.width
    standing_out = salience(small)
    weight = standing_out + 0.02
    faces = find_faces(picture, canvas.models)
    for someone in things_seen(canvas):
        is_shown = someone.kind == "person" and any(map(someone.box.holds_center_of, faces))
        if someone.kind in LIVING and someone.score >= _LIKELY and not is_shown:
            wide = someone.box.grown(_MARGIN, picture.width, picture.height)
            _part(weight, wide, scale)[:] += _SOMEBODY if someone.kind == "person" else _ANIMAL
            upper = wide._replace(bottom=wide.top + round(_UPPER * wide.height))
            _part(weight, upper, scale)[:] += _HEAD * _part(standing_out, upper, scale)
            if someone.kind == "person" and wide.height > _UPRIGHT * wide.width:
                head = wide._replace(bottom=wide.top + round(_AT_THE_TOP * wide.height))
                _part(weight, head, scale)[:] += _FACE
    for face in faces:
        _part(weight, face.grown(0.25, picture.width, picture.height), scale)[:] += _FACE
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    x, y = _heaviest_window(weight, size)
    return x / scale, y / scale


def _part(weight: Floats, box: Box, scale: float) -> Floats:
    rows = slice(int(box.top * scale), int(box.bottom * scale) + 1)
    return weight[rows, int(box.left * scale) : int(box.right * scale) + 1]


def _heaviest_window(weight: Floats, size: tuple[int, int]) -> tuple[float, float]:
    """Of all places with the (nearly) largest sum, the one in the middle."""
    width, height = min(size[0], weight.shape[1]), min(size[1], weight.shape[0])
    total = cv2.integral(weight)
    sums = (
        total[height:, width:] - total[:-height, width:] - total[height:, :-width] + total[:-height, :-width]
    )
    rows, columns = np.nonzero(sums >= sums.max() * 0.985)
    return float(columns.mean()), float(rows.mean())


def target_box(canvas: Canvas, target: Target, shot: str | None = None) -> Box:
    """Where the target lies, with a little around what was found, more around faces."""
    picture = canvas.picture
    if target.what == "region":
        boxes = marked_boxes(canvas, target)
        return Box(
            min(box.left for box in boxes),
            min(box.top for box in boxes),
            max(box.right for box in boxes),
            max(box.bottom for box in boxes),
        )
    if shot:
        return _shot(canvas, target, shot)
    if target.what == "subject":
        found = _extent(subject_place(canvas), picture)
    else:
        found = _extent(target_mask(canvas, target), picture)
    around = _AROUND_FACES if target.what == "face" else _AROUND
    return found.grown(around, picture.width, picture.height)


def _shot(canvas: Canvas, target: Target, shot: str) -> Box:
    """Around the one face meant, as much of its owner as the shot shows."""
    face, (above, below, beside) = face_meant(canvas, target), _SHOTS[shot]
    return Box(
        max(0, round(face.left - beside * face.width)),
        max(0, round(face.top - above * face.height)),
        min(canvas.picture.width, round(face.right + beside * face.width)),
        min(canvas.picture.height, round(face.bottom + below * face.height)),
    )


def _extent(mask: Floats, picture: Picture) -> Box:
    """Where the mask, of any size, is on the picture."""
    left, top, width, height = cv2.boundingRect((mask > 0.5).astype(np.uint8))
    across, down = picture.width / mask.shape[1], picture.height / mask.shape[0]
    right, bottom = round((left + width) * across), round((top + height) * down)
    return Box(round(left * across), round(top * down), right, bottom)


def _short_of(canvas: Canvas, step: Step) -> Box:
    """What is left below its boxes at the top of the photo, or above those at the bottom. Unable where they
    reach no such side."""
    picture, boxes = canvas.picture, marked_boxes(canvas, step.target)
    top, bottom = min(box.top for box in boxes), max(box.bottom for box in boxes)
    reach = picture.height * _NEAR_A_SIDE
    if step.place == "top" and top <= reach:
        return Box(0, bottom, picture.width, picture.height)
    if step.place == "bottom" and bottom >= picture.height - reach:
        return Box(0, 0, picture.width, top)
    sentence = f"The box does not reach the {step.place} of the photo."
    raise Unable(Reason.AMBIGUOUS, sentence, "Mark all that is to be cropped off, up to the side.")


def _within_edges(picture: Picture, number: float, unit: str, place: str) -> Box:
    """What is left when the exact number is taken off the named edges; off all of them, half at each of two
    opposite ones, when none is named."""
    named = [edge for edge in _EDGES if edge in place]
    off = dict.fromkeys(named or _EDGES, 1.0 if named or "all" in place else 0.5)
    sides = {"left": picture.width, "right": picture.width, "top": picture.height, "bottom": picture.height}
    cut = {
        edge: round(share * (number if unit == "pixels" else sides[edge] * number / 100))
        for edge, share in off.items()
    }
    left, top = cut.get("left", 0), cut.get("top", 0)
    return Box(left, top, picture.width - cut.get("right", 0), picture.height - cut.get("bottom", 0))


def fitted_cover(pixels: Pixels, width: int, height: int) -> Pixels:
    """Scaled and centrally cropped to fill width x height."""
    scale = max(width / pixels.shape[1], height / pixels.shape[0])
    size = (max(width, round(pixels.shape[1] * scale)), max(height, round(pixels.shape[0] * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    scaled = cv2.resize(pixels, size, interpolation=how)
    left, top = (size[0] - width) // 2, (size[1] - height) // 2
    return cast(Pixels, scaled[top : top + height, left : left + width])
