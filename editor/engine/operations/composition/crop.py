"""Crop around the important part, to a target, or by cutting off the edges."""

import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.drawing.crop_windows import (
    crop_to_ratio,
    cropped,
    parse_ratio,
    parse_size,
    place_window,
    window,
)
from editor.engine.drawing.margins import Sides
from editor.engine.errors import OperationError, name_of_place
from editor.engine.masks import box_of
from editor.engine.pixels import Box, strips, top_value
from editor.engine.plan import Amount, Reason, Step, Target
from editor.engine.targets.drawn_boxes import marked_boxes
from editor.engine.targets.people import target_face
from editor.engine.targets.subject import rough_subject_mask
from editor.engine.targets.target_masks import target_mask
from editor.imaging.picture import Picture
from editor.sentences import Sentence

# Margin above, below, and beside a face for each type of shot, as multiples of the face's sides.
_SHOTS = {"head and shoulders": (0.6, 1.2, 1.1), "upper body": (0.6, 2.8, 1.3)}
# Maximum distance between a marked box and the side of the photo that the box should reach, as a share of the
# photo's height.
_NEAR_A_SIDE = 0.05
HARDLY_CUT = Sentence("It already fills the photo, so I cropped very little.")
_NEARLY_ALL = 0.85  # A crop that keeps more than this share of the photo is barely noticeable.
_AROUND = 0.06  # margin around the target of a crop, as a share of the target's sides
_AROUND_FACES = 0.3  # margin around the faces that a crop shows, as a share of the faces' sides


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
    """Crop to the step's target, to a ratio ("16:9"), to a size ("800x600"), or by an exact number.

    If `mode` is "closer", the crop keeps the given percentage of each side. If `mode` is "off", the marked
    boxes are cut off, along with everything between them and the requested side. Otherwise, an exact number
    is cut off the named edges, or a part with the given ratio or size is kept at the requested place, such as
    "top" or "center". Raises OperationError if it is unclear what to crop, or if too little would be left.
    """
    picture, shape, pixels = canvas.picture, parse_ratio(ratio), parse_size(size)
    if mode == "closer" and amount and amount.number is not None:
        closer = round(amount.number / 100 * picture.width), round(amount.number / 100 * picture.height)
        return cropped(canvas, place_window(canvas, closer))
    if mode == "off":
        return cropped(canvas, _short_of(canvas, step))
    if step.target.what != "whole":
        around = target_box(canvas, step.target, shot)
        result = cropped(canvas, window(canvas, shape, around, step.place) if shape else around)
        if result.picture.width * result.picture.height > _NEARLY_ALL * picture.width * picture.height:
            return result.with_notice(HARDLY_CUT)
        return result
    if pixels:
        return _cropped_to_size(canvas, *pixels, step.place)
    if shape:
        return crop_to_ratio(canvas, shape, step.place)
    if amount and amount.number is not None:
        return cropped(canvas, _within_edges(picture, amount.number, amount.unit, step.place or ""))
    raise OperationError(
        Reason.AMBIGUOUS,
        Sentence("I can't tell what to crop to."),
        Sentence("Name a ratio such as 4:3, or draw a box around what to keep."),
    )


@operation
def round_crop(canvas: Canvas, step: Step) -> Canvas:
    """Crop to the largest circle that keeps faces and the most salient objects.

    The corners of the square around the circle become transparent.
    """
    square = crop_to_ratio(canvas, 1.0)
    picture, side, most = square.picture, square.picture.width, top_value(square.picture.pixels)
    result = np.full((side, side, 4), most, picture.pixels.dtype)
    result[:, :, : picture.pixels.shape[2]] = picture.pixels
    across = np.arange(side) + 0.5 - side / 2
    for rows in strips(side):
        covered = np.clip(side / 2 - np.hypot(across[rows, None], across) + 0.5, 0, 1)
        result[rows, :, 3] = np.round(result[rows, :, 3] * covered)
    return square.with_pixels(result)


def _cropped_to_size(canvas: Canvas, width: int, height: int, place: str | None) -> Canvas:
    picture = canvas.picture
    if width > picture.width or height > picture.height:
        sentence = Sentence(
            "The photo is only %(width)s by %(height)s pixels.", width=picture.width, height=picture.height
        )
        raise OperationError(Reason.TOO_LARGE, sentence, Sentence("Resize it instead."))
    return cropped(canvas, place_window(canvas, (width, height), None, place))


def target_box(canvas: Canvas, target: Target, shot: str | None = None) -> Box:
    """Return the marked box of the target, or the target's detected box with a margin.

    The margin is wider around faces.
    """
    picture = canvas.picture
    if target.what == "region":
        return Box.holding(marked_boxes(canvas, target))
    if shot:
        return _shot(canvas, target, shot)
    mask = rough_subject_mask(canvas) if target.what == "subject" else target_mask(canvas, target)
    around = _AROUND_FACES if target.what == "face" else _AROUND
    return box_of(mask, picture).grown(around, picture.width, picture.height)


def _shot(canvas: Canvas, target: Target, shot: str) -> Box:
    """Return a box for cropping around the target's only face.

    The crop shows as much of the person as the type of shot requires.
    """
    face, (above, below, beside) = target_face(canvas, target), _SHOTS[shot]
    left, right = face.left - beside * face.width, face.right + beside * face.width
    top, bottom = face.top - above * face.height, face.bottom + below * face.height
    shown = Box(round(left), round(top), round(right), round(bottom))
    return shown.within(canvas.picture.width, canvas.picture.height)


def _short_of(canvas: Canvas, step: Step) -> Box:
    """Return the part of the photo that remains after the marked boxes at its top or bottom are cut off.

    Raises OperationError if the boxes do not reach the side that the step names.
    """
    picture, marked = canvas.picture, Box.holding(marked_boxes(canvas, step.target))
    reach = picture.height * _NEAR_A_SIDE
    if step.place == "top" and marked.top <= reach:
        return Box(0, marked.bottom, picture.width, picture.height)
    if step.place == "bottom" and marked.bottom >= picture.height - reach:
        return Box(0, 0, picture.width, marked.top)
    sentence = Sentence("The box doesn't reach the %(place)s of the photo.", place=name_of_place(step.place))
    raise OperationError(
        Reason.AMBIGUOUS,
        sentence,
        Sentence("Draw the box around everything to crop off, up to the edge of the photo."),
    )


def _within_edges(picture: Picture, number: float, unit: str, place: str) -> Box:
    """Return the part of the photo that remains after a number is cut off the named edges.

    If no edge is named, half of the number is cut off each of the four edges.
    """
    named = [edge for edge in Sides._fields if edge in place]
    share = 1.0 if named or "all" in place else 0.5
    off = Sides.of(picture, share * number, unit, named or Sides._fields)
    return Box(off.left, off.top, picture.width - off.right, picture.height - off.bottom)
