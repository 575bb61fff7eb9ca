"""Smooth skin by evening out wrinkles and spots that are larger than a pore and smaller than a cheek.

Eyes, brows, lips, and hair do not change, because their color differs from that of skin. Fine texture is
mostly kept, because a face without pores looks like plastic.
"""

from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, light_of
from editor.engine.masks import map_strips_with, refine_mask
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import WHOLE, Step
from editor.engine.targets.face_counts import with_face_count
from editor.engine.targets.face_features import features_mask
from editor.engine.targets.faces import faces_and_boxes
from editor.engine.targets.people import cheek_color
from editor.engine.targets.target_masks import step_mask
from editor.imaging.picture import Bytes, Picture, Pixels

_FACE = 320  # width, in pixels, of a face on the copy on which its skin is smoothed

_WRINKLE = 0.03  # half the maximum width of a wrinkle, as a share of the width of the face
_WRINKLES = 2.2  # factor of the amount by which wrinkles are reduced; the usual amount removes their shadows


@operation
def smooth_skin(canvas: Canvas, step: Step, *, amount: float) -> Canvas:
    """Smooth the skin of faces and of nearby areas, such as throats and ears.

    Raises OperationError if no face is found.
    """
    amount = abs(amount) ** 0.75
    mask = _free(canvas, step)
    pixels = canvas.picture.pixels.copy()
    faces, boxes = faces_and_boxes(canvas, step.target)
    for face in (*faces, *boxes):
        box = face.grown(0.45, canvas.picture.width, canvas.picture.height)
        place = box.slices
        allowed = None if mask is None else mask[place]
        inner = face.seen_from(box)
        part = cast(Pixels, np.ascontiguousarray(pixels[place]))
        pixels[place] = smoothed_face(part, inner, amount=amount, allowed=allowed)
    return with_face_count(canvas, step.target, faces).with_pixels(pixels)


def _free(canvas: Canvas, step: Step) -> Floats | None:
    """Return the mask of the area that the step may change.

    Unless a region is marked, all faces in the photo may change.
    """
    return step_mask(canvas, step if step.target.what == "region" else replace(step, target=WHOLE))


def smoothed_face(pixels: Pixels, face: Box, *, amount: float, allowed: Floats | None = None) -> Pixels:
    """Return the pixels around a face, with smoother skin.

    `face` is the bounding box of the face in these pixels. `allowed` is a mask of the pixels that may change.
    """
    longest = max(pixels.shape[:2])
    small = working_copy(Picture(pixels), max(1, round(longest * min(1.0, _FACE / face.width))))
    colors = small * np.float32(1 / 255)
    scale = small.shape[1] / pixels.shape[1]
    change = _evened(colors, face.width * scale, amount) - colors
    whole = Box(0, 0, pixels.shape[1], pixels.shape[0])
    features = features_mask(Picture(pixels), face, whole, small.shape[1::-1])
    change *= _skin(colors, Box(*(round(side * scale) for side in face)), features)[:, :, None]
    free = np.ones(change.shape[:2], np.float32) if allowed is None else allowed
    return map_strips_with(
        pixels, lambda colors, more, share: colors + more * share[:, :, None], change, free
    )


def _evened(colors: Floats, width: float, amount: float) -> Floats:
    """Return the colors without wrinkles and small, faint details.

    Edges and part of the fine texture are kept. `width` is the width of the face in pixels.
    """
    radius = max(2, round(0.05 * width))
    faint = 0.03 + 0.16 * amount
    lit = _without_wrinkles(colors, width, min(1.0, _WRINKLES * amount))
    even = refine_mask(lit, (lit * 255 + 0.5).astype(np.uint8), radius, faint**2)
    texture = colors - cv2.GaussianBlur(colors, (0, 0), max(0.6, 0.006 * width))
    return cast(Floats, lit + np.float32(min(1.0, 0.35 + 0.8 * amount)) * (even + 0.4 * texture - lit))


def _without_wrinkles(colors: Floats, width: float, share: float) -> Floats:
    """Return the colors with lighter wrinkles, which are narrow and darker than the skin on both sides.

    `share` is how much of this difference is removed, from 0 to 1.
    """
    light = cv2.GaussianBlur(light_of(colors), (0, 0), max(0.6, 0.006 * width))
    side = 2 * round(_WRINKLE * width) + 1
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    darker = cv2.morphologyEx(light, cv2.MORPH_CLOSE, around) - light
    mean = cv2.GaussianBlur(colors, (0, 0), 0.05 * width)
    skin = mean / np.maximum(light_of(mean), np.float32(0.05))[:, :, None]
    return np.clip(colors + np.float32(share) * darker[:, :, None] * skin, 0, 1)


def _skin(colors: Floats, face: Box, features: Bytes) -> Floats:
    """Return a soft mask of the skin: the pixels that resemble the cheeks, except eyes, brows, and lips."""
    parts = cv2.cvtColor(colors, cv2.COLOR_RGB2YCrCb)
    light = light_of(colors)
    middle = cheek_color(parts, face)
    off = np.hypot(parts[:, :, 1] - middle[1], parts[:, :, 2] - middle[2])
    likely = np.clip(1.7 - off / np.float32(0.045), 0, 1)
    likely *= np.clip((light - np.float32(0.5) * middle[0]) / (np.float32(0.12) * middle[0]), 0, 1)
    # Leave out lips, which are redder than skin.
    likely *= np.clip(1.6 - (parts[:, :, 1] - middle[1]) / np.float32(0.035), 0, 1)
    freckle = 2 * max(1, round(0.025 * face.width)) + 1
    likely = cv2.morphologyEx(
        likely.astype(np.float32), cv2.MORPH_CLOSE, np.ones((freckle, freckle), np.uint8)
    )
    skin = likely * _near(face, likely.shape) * (1 - _softened(features, face))
    return cast(Floats, cv2.GaussianBlur(skin.astype(np.float32), (0, 0), max(0.6, 0.012 * face.width)))


def _near(face: Box, shape: tuple[int, ...]) -> Floats:
    """Return a mask that is 1 on the face and falls to 0 a short distance outside the face."""
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    across = (columns - face.center[0]) / max(1, face.width)
    down = (rows - face.center[1]) / max(1, face.height)
    away = np.sqrt((across * across + down * down).astype(np.float32))
    return np.clip((0.92 - away) / 0.2, 0, 1)


def _softened(features: Bytes, face: Box) -> Floats:
    return cv2.GaussianBlur(features.astype(np.float32), (0, 0), max(0.6, 0.025 * face.width))
