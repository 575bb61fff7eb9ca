"""Draw speech bubbles: text in a bubble with a tail that points toward the speaker."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Color, Floats, color_of, contrasting
from editor.engine.drawing.paint import paint_over
from editor.engine.errors import OperationError
from editor.engine.operations.add.outlines import CLOSED
from editor.engine.operations.add.places import (
    BESIDE,
    drawable_area,
    free_beside,
    no_room,
    place_box,
    target_boxes,
)
from editor.engine.operations.add.text import Block, fitting_block, font_size, step_text, to_fraction
from editor.engine.pixels import Box
from editor.engine.plan import Step
from editor.engine.targets.faces import faces_seen
from editor.engine.targets.thing_outlines import covered_share

_USUAL = 0.055  # default font size, as a share of the square root of the photo's area
_ROOM = (1.3, 1.75)  # width and height of the bubble, divided by the width and height of its text
_TAIL = 0.45  # length of the tail of a bubble without a target, as a multiple of the bubble's height
_MAX_TAIL_LENGTH = 0.9  # maximum length of a tail outside the bubble, as a share of the bubble's height
_WIDEST = 0.6  # maximum width of a bubble, as a share of the photo's width; longer text is wrapped
_HAIR = 0.3  # margin for the hair around a face, as a share of the face's sides
# Margin around a face if the bubble is elsewhere in the photo, as a share of the face's sides.
_BESIDE_IT = 0.1
_BROW = 0.2  # distance from the top of a face down to the top of the bubble, as a share of the face's height
_MOUTH_HEIGHT = 0.8  # distance from the top of a face down to the mouth, as a share of the face's height
_MOUTH_WIDTH = 0.9  # width of the box around the mouth, as a share of the face's width
_RIM = 0.07  # thickness of a speech bubble's outline, as a share of the font size
_BUBBLE: Color = (255, 255, 255)
_FINE = 4  # number of fractional bits of a coordinate in OpenCV's drawing functions


@operation
def speech_bubble(canvas: Canvas, step: Step) -> Canvas:
    """Draw the requested text in a bubble that is completely inside the photo.

    The bubble is inside the marked box, beside the face of the named person or of the only person, or beside
    the named object. Otherwise, it is at the requested place (by default the top). The tail points to the
    mouth, the object, the only face, or the middle of the photo. Raises OperationError if the text does not
    fit.
    """
    words = step_text(step)
    for target in target_boxes(canvas, step):
        canvas = _with_bubble(canvas, step, words, target)
    return canvas


def _with_bubble(canvas: Canvas, step: Step, words: str, target: Box | None) -> Canvas:
    body, block, tip = _laid_out(canvas, step, words, target)
    pixels = canvas.picture.pixels.copy()
    color = color_of(step.color) if step.color else _BUBBLE
    ink = contrasting(color)
    shape, corner = _outline(body, tip, canvas)
    rim = max(2, round(_RIM * block.font_size))
    paint_over(pixels, shape, ink, corner)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * rim + 1, 2 * rim + 1))
    inner = cv2.erode(shape, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    paint_over(pixels, inner, color, corner)
    x, y = body.center
    paint_over(
        pixels, to_fraction(block.letters), ink, (round(x - block.size[0] / 2), round(y - block.size[1] / 2))
    )
    return replace(canvas.with_pixels(pixels), occupied=(*canvas.occupied, body))


def _laid_out(
    canvas: Canvas, step: Step, words: str, target: Box | None
) -> tuple[Box, Block, tuple[float, float]]:
    """Return the box of the bubble, its text, and the point at which its tail points."""
    face = _speaking(canvas, step, target)
    if face is not None:
        body, block = _beside_face(canvas, step, words, face)
        return body, block, _edge_towards(_mouth(face), body)
    if target is not None and step.target.what != "region":
        body, block = _beside(canvas, step, words, target)
        return body, block, _edge_towards(target, body)
    place, faces = step.place or "top", faces_seen(canvas) if target is None else []
    if len(faces) == 1:
        body, block = _clear_of(faces[0], canvas, words, [place])
        return body, block, _edge_towards(_mouth(faces[0]), body)
    body, block = _placed(canvas, place, words, target or drawable_area(canvas), is_marked=target is not None)
    return body, block, _inward(body, target or Box(0, 0, canvas.picture.width, canvas.picture.height))


def _body_of(words: str, canvas: Canvas, free: Box) -> tuple[tuple[int, int], Block]:
    """Return the size of a bubble that fits into the free space, along with the layout of its text."""
    widest = min(free.width, round(_WIDEST * canvas.picture.width))
    inner = Box(0, 0, round(widest / _ROOM[0]), round(free.height / (_ROOM[1] + _TAIL)))
    block = fitting_block(words, inner, font_size(canvas.picture, _USUAL))
    return (round(block.size[0] * _ROOM[0]), round(block.size[1] * _ROOM[1])), block


def _speaking(canvas: Canvas, step: Step, target: Box | None) -> Box | None:
    """Return the only face in the target, or in the photo if there is no target.

    Returns None if there is no face or more than one.
    """
    if step.target.what == "region" or step.place not in (None, "next to", "left of", "right of"):
        return None
    faces = faces_seen(canvas)
    own = [face for face in faces if target is None or target.holds_center_of(face)]
    return own[0] if len(own) == 1 else None


def _beside_face(canvas: Canvas, step: Step, words: str, face: Box) -> tuple[Box, Block]:
    """Return a bubble beside a person's hair.

    If there is no room and the step names no side, the bubble is in a corner of the photo.
    """
    head = face.grown(_HAIR, canvas.picture.width, canvas.picture.height)
    try:
        return _beside(canvas, step, words, head._replace(top=face.top + round(_BROW * face.height)))
    except OperationError:
        if step.place in ("left of", "right of"):
            raise
    return _clear_of(face, canvas, words, ("top right", "top left", "bottom right", "bottom left"))


def _clear_of(face: Box, canvas: Canvas, words: str, places: Sequence[str]) -> tuple[Box, Block]:
    """Return the bubble that covers the smallest part of a face.

    Places in the whole photo and beside the head are tried.
    """
    head, free = face.grown(_BESIDE_IT, canvas.picture.width, canvas.picture.height), drawable_area(canvas)
    bubbles = [_placed(canvas, place, words, free, is_marked=False) for place in places]
    right, left = free._replace(left=head.right), free._replace(right=head.left)
    for place in places:
        for part, other in ((right, "left"), (left, "right")):
            with suppress(OperationError):
                if other not in place:
                    bubbles.append(_placed(canvas, place, words, part, is_marked=False))
    return min(bubbles, key=lambda bubble: covered_share(face, bubble[0]))


def _mouth(face: Box) -> Box:
    """Return a box around the mouth. A tail that ends just inside this box does not cover the lips."""
    middle = face.center[0], face.top + _MOUTH_HEIGHT * face.height
    return Box.centered(middle, round(_MOUTH_WIDTH * face.width), round(_MOUTH_WIDTH * face.width))


def _beside(canvas: Canvas, step: Step, words: str, target: Box) -> tuple[Box, Block]:
    """Return a bubble on a side of the target, level with the target's top.

    The bubble is on the side that the step names or, if the step names no side, on the side that has more
    room.
    """
    named = step if step.place in BESIDE else step.at("next to")
    side, free = free_beside(canvas, named, target)
    try:
        (width, height), block = _body_of(words, canvas, free)
    except OperationError:
        raise no_room(named) from None
    reach = round(_TAIL * height)
    ways = {"below": (0, reach), "left of": (-(reach // 2), 0), "right of": (reach // 2, 0)}
    body = Box.centered((target.center[0], target.top), width, height).moved_into(free)
    return body.moved(*ways.get(side, (0, -reach))).moved_into(free), block


def _placed(canvas: Canvas, place: str, words: str, free: Box, *, is_marked: bool) -> tuple[Box, Block]:
    (width, height), block = _body_of(words, canvas, free)
    reach = round(_TAIL * height)
    whole = place_box((width, height + reach), free, place)
    down = reach if "bottom" in place and not is_marked else 0
    return whole._replace(bottom=whole.top + height).moved(0, down), block


def _edge_towards(target: Box, body: Box) -> tuple[float, float]:
    """Return the point slightly inside the target's edge that is nearest to the bubble."""
    x, y = body.center
    inset_x, inset_y = 0.12 * target.width, 0.25 * target.height
    near_x = min(max(x, target.left + inset_x), target.right - inset_x)
    near_y = min(max(y, target.top + min(inset_y, 0.12 * target.height)), target.bottom - inset_y)
    return near_x, near_y


def _inward(body: Box, free: Box) -> tuple[float, float]:
    """Return the tip of a tail that points to the middle of the photo.

    The tip is below a bubble in the upper half, and above a bubble in the lower half.
    """
    x, y = body.center
    is_up = y <= free.center[1] + 1
    reach = _TAIL * body.height
    towards = 0.18 * body.width * (1 if x <= free.center[0] else -1)
    return x + towards, (body.bottom + reach if is_up else body.top - reach)


def _outline(body: Box, tip: tuple[float, float], canvas: Canvas) -> tuple[Floats, tuple[int, int]]:
    """Return the coverage of the bubble and its tail, and the position of its upper left corner.

    The tail is shortened if its tip would be far away.
    """
    x, y = body.center
    away = np.array(tip, np.float32) - (x, y)
    length = max(1.0, float(np.hypot(*away)))
    most = 0.5 * float(np.hypot(body.width, body.height)) + _MAX_TAIL_LENGTH * body.height
    away *= min(1.0, most / length)
    middle = np.array((x, y), np.float32)
    # A superellipse is rounder than a rectangle, but has more room for text than an ellipse.
    form = np.sign(CLOSED["circle"]) * np.abs(CLOSED["circle"]) ** 0.62
    rim = middle + form * (body.width / 2, body.height / 2)
    across = np.array((-away[1], away[0])) / max(1e-3, float(np.hypot(*away))) * 0.16 * body.height
    tail = np.array([middle + across, middle + away, middle - across])
    sheet = np.zeros((canvas.picture.height, canvas.picture.width), np.uint8)
    for corners in (rim, tail):
        fixed = (corners * (1 << _FINE)).round().astype(np.int32)
        cv2.fillPoly(sheet, [fixed], 255, cv2.LINE_AA, _FINE)
    box = Box.around(sheet)
    return sheet[box.slices] * np.float32(1 / 255), (box.left, box.top)
