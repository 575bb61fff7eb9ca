"""Make faces unrecognizable: blurred, pixelated, or black."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.errors import OperationError
from editor.engine.pixels import Box, blended
from editor.engine.plan import Reason, Step, Target
from editor.engine.targets.face_counts import (
    count_faces,
    count_people_without_faces,
    faces_for_people,
    is_everyone,
)
from editor.engine.targets.faces import faces_and_boxes
from editor.imaging.picture import Bytes, Pixels
from editor.sentences import Sentence

# Number of squares along a hidden face's longer side. Twice as many squares would reveal the face.
_SQUARES = 7
_MARK_EACH = Sentence(
    "Draw a box around each face. I cover every box, even if I can't find a face in it. To hide only the "
    "faces that I found, ask for “the visible faces”."
)
# Width that is added on each side of a hidden face, and height that is added above and below, as shares of
# the face's sides.
_HEAD = (0.12, 0.22)


@operation
def hide_faces(canvas: Canvas, step: Step, *, how: str, visible: bool) -> Canvas:
    """Cover the faces that the step's target refers to.

    A marked box without a face is covered completely. `how` is "blur" (the default), "pixelate", or "black".
    Raises OperationError if there is no face. Unless only `visible` faces are to be covered, also raises
    OperationError if a person is detected without a face, because users would believe that everyone is
    hidden.
    """
    target, hidden = step.target, canvas.picture.pixels
    faces, boxes = faces_and_boxes(canvas, target)
    if is_everyone(target) and not visible:
        _require_all_found(canvas, faces)
    for place in (*(_head(face, canvas) for face in faces), *boxes):
        hidden = _hidden(hidden, place, how)
    return canvas.with_pixels(hidden).with_notice(_sentence(canvas, target, faces, were_found=not boxes))


def _require_all_found(canvas: Canvas, faces: list[Box]) -> None:
    if count_people_without_faces(canvas, faces):
        sentence = Sentence(
            "I found %(found)s, so I wouldn't hide everyone.", found=faces_for_people(canvas, faces)
        )
        raise OperationError(Reason.NO_SUCH_TARGET, sentence, _MARK_EACH)


def _head(face: Box, canvas: Canvas) -> Box:
    across, down = round(_HEAD[0] * face.width), round(_HEAD[1] * face.height)
    head = Box(face.left - across, face.top - down, face.right + across, face.bottom + down)
    return head.within(canvas.picture.width, canvas.picture.height)


def _sentence(canvas: Canvas, target: Target, faces: list[Box], *, were_found: bool) -> Sentence:
    if not were_found:
        return Sentence("I didn't find a face in a box, so I covered the whole box.")
    faces_found = faces_for_people(canvas, faces) if is_everyone(target) else count_faces(faces)
    return Sentence(
        "I found and hid %(found)s. Check for faces seen from the side, because I can miss them.",
        found=faces_found,
    )


def _hidden(pixels: Pixels, box: Box, choice: str) -> Pixels:
    rows, columns = box.slices
    part = pixels[rows, columns]
    cover = part.copy()
    cover[:, :, :3] = _cover(part[:, :, :3], choice)
    result = pixels.copy()
    result[rows, columns] = blended(part, cover, _oval(box, soft=choice != "black"))
    return result


def _squares(part: Pixels) -> Pixels:
    """Return a face reduced to a few mean colors, so that the face cannot be recovered from the cover."""
    size = max(part.shape[:2]) / _SQUARES
    shape = (max(1, round(part.shape[1] / size)), max(1, round(part.shape[0] / size)))
    return cast(Pixels, cv2.resize(part, shape, interpolation=cv2.INTER_AREA))


def _cover(part: Pixels, choice: str) -> Pixels:
    """Return the cover for a face: squares in a few mean colors, a blur of these colors, or black."""
    if choice == "black":
        return np.zeros_like(part)
    how = cv2.INTER_NEAREST if choice == "pixelate" else cv2.INTER_CUBIC
    return cast(Pixels, cv2.resize(_squares(part), (part.shape[1], part.shape[0]), interpolation=how))


def _oval(box: Box, *, soft: bool) -> Floats:
    """Return a mask (0 to 1) of an oval that fills the box, with a soft edge if `soft` is true."""
    mask: Bytes = np.zeros((box.height, box.width), np.uint8)
    axes = (max(1, box.width // 2), max(1, box.height // 2))
    cv2.ellipse(mask, (box.width // 2, box.height // 2), axes, 0, 0, 360, 255, -1)
    if soft:
        # Soften the edge only inward so that nothing outside the oval is covered.
        side = max(3, box.width // 16 | 1)
        inner = cv2.erode(mask, np.ones((side, side), np.uint8))
        mask = cast(Bytes, cv2.blur(inner, (side, side)))
    return mask.astype(np.float32) / np.float32(255)
