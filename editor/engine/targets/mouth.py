"""Find the teeth in a face, which are the bright and pale pixels between the lips.

If a face has a mesh, the opening of the mouth is known. In a profile, the teeth must have lips around them.
"""

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, chroma_of, oklab_from_8_bit
from editor.engine.errors import OperationError
from editor.engine.masks import closed, dilate, keep_large_components, mask_of, opened
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason, Target
from editor.engine.targets.faces import faces_of, mesh_of
from editor.engine.targets.outlines import part_of
from editor.engine.targets.people import cheek_color, face_ellipse, person_target
from editor.engine.targets.things import target_things
from editor.imaging.picture import Bytes, Picture
from editor.sentences import Sentence

_FACE_PIXELS = 300  # width, in pixels, to which a face is scaled
_MIN_TEETH_SHARE = 0.004  # minimum share of a face's box that teeth cover
_MAX_TEETH_SHARE = 0.05  # maximum share of a face's box that teeth cover
_MAX_CHROMA_SHARE = 0.75  # maximum OKLab chroma of teeth, as a share of the cheeks' chroma
_MAX_RED_SHARE = 0.5  # maximum OKLab component a of teeth, as a share of the cheeks' component a
_MIN_CHEEK_CHROMA = 0.02  # minimum OKLab chroma of the cheeks; in a gray photo, highlights look like teeth
_MIN_FILLED_SHARE = 0.45  # minimum area of a row of teeth, as a share of the area of its bounding rectangle
# Minimum share of the ring around the teeth that looks like lips or the inside of the mouth.
_MIN_LIP_SHARE = 0.55
_MESH_ERROR = 0.02  # margin by which a mesh may miss the edge of the mouth, as a share of a face's width
_MIN_FACE_PIXELS = 60  # minimum width, in pixels, of a face in which teeth can be visible


def teeth_mask(canvas: Canvas, target: Target) -> Floats:
    """Return the mask, at the picture's size, of the teeth of the named person or of all people.

    Raises OperationError if no teeth are found.
    """
    teeth_of_faces = [(face, _face_teeth(canvas.picture, face)) for face in _faces(canvas, target)]
    mask = mask_of(
        canvas.picture.pixels.shape, ((face, teeth) for face, teeth in teeth_of_faces if teeth is not None)
    )
    if not mask.any():
        raise OperationError(
            Reason.LOW_CONFIDENCE,
            Sentence("I can't find any teeth."),
            Sentence("Draw a box around the teeth."),
        )
    return mask


def _face_teeth(picture: Picture, face: Box) -> Floats | None:
    """Return a mask of the teeth at the size of the face's box, or None if they are uncertain."""
    if face.width < _MIN_FACE_PIXELS:
        return None
    part = part_of(picture, face)
    small = working_copy(part, max(1, round(_FACE_PIXELS * max(1, face.height / face.width))))
    teeth = teeth_of(small, _mouth_opening(picture, face, small.shape[1::-1]))
    if teeth is None:
        return None
    soft = cv2.GaussianBlur(teeth.astype(np.float32), (0, 0), 1.5)
    return cv2.resize(soft, (face.width, face.height))


def _faces(canvas: Canvas, target: Target) -> list[Box]:
    height, width = canvas.picture.height, canvas.picture.width
    faces = [face.grown(0.0, width, height) for face in faces_of(canvas, Target("face"))]
    if not target.of and not target.place:
        return faces
    boxes = [thing.box for thing in target_things(canvas, person_target(target))]
    return [face for face in faces if any(box.holds_center_of(face) for box in boxes)]


def _mouth_opening(picture: Picture, face: Box, size: tuple[int, int]) -> Bytes | None:
    """Return a 0/1 mask of the opening of the mouth in a copy of a face, or None if there is no mesh.

    `size` is the width and height of the copy.
    """
    mesh = mesh_of(picture, face)
    if mesh is None:
        return None
    outline = (mesh.outline("mouth") - (face.left, face.top)) * (size[0] / face.width)
    mouth: Bytes = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(mouth, [outline.round().astype(np.int32)], 1)
    return dilate(mouth, max(1, round(_MESH_ERROR * size[0])))


def teeth_of(small: Bytes, mouth: Bytes | None = None) -> Bytes | None:
    """Return a 0/1 mask of the teeth in a face (RGB, cropped to its box), or None if they are uncertain.

    `mouth` is a 0/1 mask of the opening of the mouth, if that is known.
    """
    height, width = small.shape[:2]
    lab = oklab_from_8_bit(small)
    face = Box(0, 0, width, height)
    cheeks = cheek_color(lab, face)
    chroma = chroma_of(lab)
    pale = (chroma < _MAX_CHROMA_SHARE * np.hypot(cheeks[1], cheeks[2])) & (
        lab[:, :, 1] < _MAX_RED_SHARE * cheeks[1]
    )
    bright = lab[:, :, 0] > cheeks[0] - 0.06
    there = face_ellipse(face, lab.shape, -0.18, 0.25, 0.1) if mouth is None else mouth == 1
    likely = (pale & bright & there).astype(np.uint8)
    teeth = keep_large_components(closed(opened(likely, 3), 5), 1.0)
    _, _, across, down = cv2.boundingRect(teeth)
    is_row = across > 1.6 * down and across > 0.12 * width and teeth.sum() > _MIN_FILLED_SHARE * across * down
    is_inside = mouth is not None or _lip_share(lab, teeth) > _MIN_LIP_SHARE
    is_sure = _MIN_TEETH_SHARE < float(teeth.mean()) < _MAX_TEETH_SHARE and is_row and is_inside
    return teeth if is_sure and np.hypot(cheeks[1], cheeks[2]) > _MIN_CHEEK_CHROMA else None


def _lip_share(lab: Floats, teeth: Bytes) -> float:
    """Return the share of pixels around the teeth that are redder or darker than the teeth.

    These pixels are the lips or the inside of the mouth.
    """
    if not teeth.any():
        return 0.0
    ring = cv2.dilate(teeth, np.ones((9, 9), np.uint8)) - cv2.dilate(teeth, np.ones((3, 3), np.uint8))
    inner = np.median(lab[teeth == 1], axis=0)
    around = lab[ring == 1]
    return float(((around[:, 1] > inner[1] + 0.015) | (around[:, 0] < inner[0] - 0.12)).mean())
