"""Heal pimples and dark spots on skin by using nearby skin."""

from collections.abc import Iterator
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, cielab
from editor.engine.errors import OperationError
from editor.engine.masks import connected_components, dilate
from editor.engine.operations.remove.healing import healed
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Step
from editor.engine.targets.drawn_boxes import marked_boxes, marked_mask
from editor.engine.targets.face_counts import with_face_count
from editor.engine.targets.face_features import features_mask
from editor.engine.targets.faces import faces_of, faces_seen, mesh_of
from editor.imaging.picture import Bytes, Picture, eight_bits
from editor.sentences import Sentence

# Longer side, in pixels, of the working copy of a face on which blemishes are searched for.
_FACE_PIXELS = 370
_MIN_FACE_PIXELS = 70  # minimum width, in pixels, of a face on which blemishes can be found
# Lower and upper limits for the CIELAB difference between a pixel of skin and the usual color of the face.
_SKIN = (9.0, 22.0)
# Maximum color difference of a pixel of skin, as a multiple of the median difference in a face.
_SPREAD = 3.2
# Width, in pixels, of the median filter's window, which is twice the width of the largest blemish.
_WINDOW = 35
# Minimum difference in CIELAB L* between a dark blemish and the lighter skin around it.
_DARKER = 4.0
# Minimum difference in CIELAB a* between a red blemish and the less red skin around it.
_REDDER = 3.0
_ABOVE_GRAIN = 2.8  # minimum difference between a blemish and the skin around it, as a multiple of the grain
_MAX_AREA_PIXELS = 360  # maximum area of a blemish, in pixels of the working copy
# Center and semi-axes of the ellipse of a face, as shares of the width and height of its box.
_FACE = ((0.5, 0.55), (0.4, 0.53))

# Points of an outline: n x 2, x and y.
type Places = NDArray[np.int32]


@operation
def blemishes(canvas: Canvas, step: Step) -> Canvas:
    """Heal small dark and red spots on the skin of faces or in the marked boxes.

    Eyes, brows, lips, and nostrils do not change. Raises OperationError if there is no face, or if there are
    no spots.
    """
    faces = faces_seen(canvas)
    flaws = np.zeros((canvas.picture.height, canvas.picture.width), np.uint8)
    for box in _places(canvas, step, faces):
        flaws[box.slices] |= _spots(canvas.picture, box, faces)
    if step.target.what == "region":
        flaws &= marked_mask(canvas, marked_boxes(canvas, step.target)).astype(np.uint8)
    count = cv2.connectedComponents(flaws)[0] - 1
    if not count:
        raise OperationError(
            Reason.NO_SUCH_TARGET,
            Sentence("I can't find any blemishes on the skin."),
            Sentence("Draw a box around each one."),
        )
    removed = Sentence("I removed %(n)s spots from the skin.", n=count)
    if count == 1:
        removed = Sentence("I removed 1 spot from the skin.")
    healthy = healed(canvas.picture.pixels, flaws)
    canvas = with_face_count(canvas, step.target, faces).with_pixels(healthy)
    return canvas.with_notice(removed)


def _places(canvas: Canvas, step: Step, faces: list[Box]) -> list[Box]:
    """Return the boxes in which to search for blemishes.

    By default, these are the boxes of the faces that the target refers to. If boxes are marked, these are the
    boxes of the faces that overlap a marked box, along with the marked boxes that contain no face.
    """
    if step.target.what == "region":
        boxes = marked_boxes(canvas, step.target)
        near = [face for face in faces if any(face.overlap(box) for box in boxes)]
        bare = [box for box in boxes if not any(face.overlap(box) for face in faces)]
        return [_with_chin(face, canvas.picture) for face in near] + bare
    large = [face for face in faces_of(canvas, step.target) if face.width >= _MIN_FACE_PIXELS]
    if not large:
        raise OperationError(
            Reason.LOW_CONFIDENCE,
            Sentence("The face is too small for me to find spots on it."),
            Sentence("Draw a box around each one."),
        )
    return [_with_chin(face, canvas.picture) for face in large]


def _with_chin(face: Box, picture: Picture) -> Box:
    lower = face._replace(bottom=face.bottom + round(0.12 * face.height))
    return lower.within(picture.width, picture.height)


def _spots(picture: Picture, box: Box, faces: list[Box]) -> Bytes:
    """Return a full-size mask (0/1) of the blemishes inside a box."""
    part = eight_bits(Picture(picture.pixels[box.slices]))[:, :, :3]
    scale = _FACE_PIXELS / max(box.width, box.height)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=how)
    lab = cielab(cast(Bytes, small))
    bare = cv2.resize(_bare(picture, box, faces), small.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    skin = _skin(lab) & cast(Bytes, bare)
    spots = _compact(_standing_out(lab, skin), skin)
    size = (box.width, box.height)
    return cast(
        Bytes,
        (cv2.resize(spots * np.uint8(255), size, interpolation=cv2.INTER_LINEAR) > 100).astype(np.uint8),
    )


def _skin(lab: Floats) -> Bytes:
    """Return a mask (0/1) of the skin.

    Skin is similar in color to the median of the middle of the picture, so the mask works for every skin
    color.
    """
    height, width = lab.shape[:2]
    smooth = cv2.medianBlur(lab, 5)
    inner = smooth[height // 4 : -height // 4, width // 4 : -width // 4]
    usual = np.median(inner.reshape(-1, 3), 0).astype(np.float32)
    # Give lightness less weight, because light from one side changes the lightness of skin.
    weights = np.array([0.35, 1, 1], np.float32)
    apart = np.linalg.norm((smooth - usual) * weights, axis=2)
    usually = float(np.median(np.linalg.norm((inner - usual) * weights, axis=2)))
    likely = (apart < np.clip(_SPREAD * usually, *_SKIN)).astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (15, 15))
    return cast(Bytes, cv2.erode(cv2.morphologyEx(likely, cv2.MORPH_CLOSE, kernel), kernel))


def _bare(picture: Picture, box: Box, faces: list[Box]) -> Bytes:
    """Return a mask (0/1) of the faces in a box, without their eyes, brows, mouths, and nostrils.

    Hair and ears are outside the mask. If the box contains no face, the mask is 1 everywhere.
    """
    here = [face for face in faces if face.overlap(box)]
    bare = np.full((box.height, box.width), not here, np.uint8)
    for face in here:
        for outline in _ovals(picture, face):
            cv2.fillConvexPoly(bare, cv2.convexHull(outline - np.array(box[:2], np.int32)), 1)
    for face in here:
        bare[features_mask(picture, face, box, (box.width, box.height)) == 1] = 0
    return bare


def _ovals(picture: Picture, face: Box) -> Iterator[Places]:
    """Yield two outlines of a face (n x 2), which together cover the whole face.

    The first outline comes from the face's mesh, if there is one, and leaves out the forehead. The second
    outline is an ellipse that fits most faces.
    """
    mesh = mesh_of(picture, face)
    if mesh is not None:
        yield mesh.outline("oval").round().astype(np.int32)
    (x, y), (across, down) = _FACE
    middle = round(face.left + x * face.width), round(face.top + y * face.height)
    axes = round(across * face.width), round(down * face.height)
    yield cast(Places, cv2.ellipse2Poly(middle, axes, 0, 0, 360, 10))


def _standing_out(lab: Floats, skin: Bytes) -> Bytes:
    """Return a mask (0/1) of the pixels that are clearly darker or redder than the skin around them."""
    spots = np.zeros_like(skin)
    for channel, sign, least in ((0, -1, _DARKER), (1, 1, _REDDER)):
        values = np.clip(lab[:, :, channel] + 128, 0, 255).astype(np.uint8)
        fine = cv2.GaussianBlur(lab[:, :, channel] + 128, (0, 0), 1.0)
        apart = sign * (fine - cv2.medianBlur(values, _WINDOW))
        grain = 1.48 * float(np.median(np.abs(apart[skin == 1]))) if skin.any() else 0.0
        spots |= (apart > max(least, _ABOVE_GRAIN * grain)).astype(np.uint8)
    return spots


def _compact(spots: Bytes, skin: Bytes) -> Bytes:
    """Return a mask (0/1) of the areas on skin that are as small and round as a spot, slightly enlarged."""
    labels, stats = connected_components(spots)
    on_skin = np.bincount(labels.ravel(), skin.ravel(), len(stats)) >= stats[:, cv2.CC_STAT_AREA]
    width, height, area = (stats[:, at] for at in (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT, cv2.CC_STAT_AREA))
    is_round = (np.maximum(width, height) < 2.2 * np.minimum(width, height)) & (area > 0.5 * width * height)
    kept = on_skin & is_round & (area >= 5) & (area <= _MAX_AREA_PIXELS)
    kept[0] = False
    return dilate(kept[labels].astype(np.uint8), 2)
