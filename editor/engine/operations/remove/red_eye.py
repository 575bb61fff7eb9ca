"""Remove red eye, which a camera flash causes, by darkening the pupils."""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.errors import OperationError
from editor.engine.masks import dilate
from editor.engine.pixels import Box, blended, top_value
from editor.engine.plan import Reason, Step
from editor.engine.targets.face_counts import with_face_count
from editor.engine.targets.faces import faces_and_boxes, find_eyes
from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits
from editor.sentences import Sentence

# Points of an outline: n x 1 x 2, x and y.
type Places = NDArray[np.int32]

# Minimum R / (G + B) of a red pupil. This value is 1 or more for red pupils, 0.6 to 0.75 for skin, and up to
# 0.85 for lips.
_RED = 0.95
# Minimum amount, in 8-bit levels, by which red exceeds the larger of green and blue in a red pupil. In a
# brown iris, the difference is about 30.
_LEAD = 48
_ROUND = 0.55  # minimum area of a pupil, as a share of the area of its enclosing circle
_WIDEST = 0.55  # maximum width of a pupil, as a share of the eye's box
_SEEN_GLINT = 0.3  # minimum brightness, from 0 to 1, of a glint that is already in an eye
_DRAWN_GLINT = 0.8  # brightness of a glint that is drawn into an eye, as a share of white
_GLINT_RADIUS = 0.16  # radius of a glint that is drawn into an eye, as a share of the pupil's radius
_GLINT_OFFSET = 0.28  # offset of a drawn glint up and to the right, as a share of the pupil's radius
# Maximum distance between a glint and the pupil's middle, as a multiple of the pupil's radius.
_INNER = 0.8
_EYE_PIXELS = 160  # longer side, in pixels, of the working copy on which a red pupil is searched for


@operation
def red_eye(canvas: Canvas, step: Step) -> Canvas:
    """Darken the red pupils in all faces or in the marked boxes.

    Raises OperationError if no eye is red.
    """
    faces, boxes = faces_and_boxes(canvas, step.target)
    pixels, count = canvas.picture.pixels, 0
    for eye in _eyes(canvas, faces, boxes):
        mask = pupil_mask(canvas.picture, eye)
        if mask is not None:
            pixels, count = _darkened(pixels, eye, mask), count + 1
    if not count:
        raise OperationError(
            Reason.NO_SUCH_TARGET,
            Sentence("I can't find any red eyes."),
            Sentence("Draw a separate box around each red eye."),
        )
    return with_face_count(canvas, step.target, faces).with_pixels(pixels)


def _eyes(canvas: Canvas, faces: list[Box], boxes: list[Box]) -> list[Box]:
    """Return the boxes of the eyes in faces, along with the marked boxes that contain no whole face."""
    return [eye for face in faces for eye in find_eyes(canvas.picture, face)] + boxes


def pupil_mask(picture: Picture, eye: Box) -> Floats | None:
    """Return a soft mask (0 to 1) of the red, round pupil in an eye's box, or None if no pupil is red."""
    part = picture.pixels[eye.slices]
    if not part.size:
        return None
    scale = _EYE_PIXELS / max(part.shape[:2])
    colors = eight_bits(Picture(part))[:, :, :3].astype(np.float32)
    large = cv2.resize(
        colors, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR if scale > 1 else cv2.INTER_AREA
    )
    disc = _roundest(_redness(large))
    if disc is None:
        return None
    soft = cv2.GaussianBlur(disc.astype(np.float32), (0, 0), max(1.0, 0.4 * scale))
    mask = cv2.resize(soft, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_AREA)
    return mask * _reddish(colors)


def _reddish(colors: Floats) -> Floats:
    """Return a soft mask (0 to 1) of the pixels that are redder than skin.

    The mask is 0 on the white of the eye, on glints, and on a brown iris.
    """
    red, green, blue = cv2.split(colors)
    ratio, lead = red / (green + blue + 1), red - np.maximum(green, blue)
    return cast(
        Floats, np.clip((ratio - 0.58) / 0.22, 0, 1) * np.clip((lead - _LEAD / 2) / (_LEAD / 2), 0, 1)
    )


def _redness(colors: Floats) -> Bytes:
    """Return a mask (0/1) of the pixels in which red is much stronger than green and blue."""
    red, rest = colors[:, :, 0], colors[:, :, 1] + colors[:, :, 2]
    lead = red - np.maximum(colors[:, :, 1], colors[:, :, 2])
    is_red = (red > _RED * rest) & (lead > _LEAD)
    closing = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))
    return cast(Bytes, cv2.morphologyEx(is_red.astype(np.uint8), cv2.MORPH_CLOSE, closing))


def _roundest(red: Bytes) -> Bytes | None:
    """Return a mask of the largest red area that is as round and small as a pupil.

    Returns None if there is no such area. The mask includes any glint inside the pupil.
    """
    outlines, _ = cv2.findContours(red, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    pupils = [outline for outline in outlines if _is_pupil(cast(Places, outline), red.shape)]
    if not pupils:
        return None
    disc = np.zeros_like(red)
    cv2.drawContours(disc, [max(pupils, key=cv2.contourArea)], -1, 1, -1)
    return dilate(disc, 3)


def _is_pupil(outline: Places, shape: tuple[int, ...]) -> bool:
    _, radius = cv2.minEnclosingCircle(outline)
    area = cv2.contourArea(outline)
    is_round = area > _ROUND * np.pi * radius**2
    return bool(is_round and 0.03 * max(shape) < 2 * radius < _WIDEST * max(shape))


def _darkened(pixels: Pixels, eye: Box, mask: Floats) -> Pixels:
    """Return the pixels with a gray, slightly darker pupil that keeps its glint or gets a new one.

    The gray is the smaller of green and blue, because red eye mainly changes red. An eye without a glint
    would look dead.
    """
    rows, columns = eye.slices
    part = pixels[rows, columns]
    dark = part.copy()
    cool = part[:, :, 1:3].astype(np.float32).min(2)
    glint = np.clip(cool / top_value(pixels) - 0.6, 0, 1) / 0.4
    gray = cool * (0.75 + 0.25 * glint)
    gray += _new_glint(mask, glint) * (_DRAWN_GLINT * top_value(pixels) - gray)
    dark[:, :, :3] = (gray + 0.5).astype(pixels.dtype)[:, :, None]
    result = pixels.copy()
    result[rows, columns] = blended(part, dark, mask)
    return result


def _new_glint(mask: Floats, glint: Floats) -> Floats:
    """Return a mask (0 to 1) of a round glint above and to the right of the pupil's middle.

    The glint is on the same side in both eyes. If the pupil already has a glint, the mask is 0 everywhere.
    """
    rows, columns = np.nonzero(mask > 0.5)
    radius = (len(rows) / np.pi) ** 0.5
    if not radius:
        return np.zeros_like(mask)
    down, across = np.indices(mask.shape, np.float32) - np.array([rows.mean(), columns.mean()])[:, None, None]
    if glint[np.hypot(down, across) < _INNER * radius].max(initial=0) > _SEEN_GLINT:
        return np.zeros_like(mask)
    apart = np.hypot(down + _GLINT_OFFSET * radius, across - _GLINT_OFFSET * radius)
    return cast(Floats, np.clip(1.5 - apart / max(0.8, _GLINT_RADIUS * radius), 0, 1).astype(np.float32))
