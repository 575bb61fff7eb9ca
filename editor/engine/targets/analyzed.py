"""Apply the analysis of photo 1 to its current pixels after steps have moved or replaced parts of it."""

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.pixels import Box, copy_size
from editor.engine.plan import Step
from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits
from editor.options import EditKind

if TYPE_CHECKING:
    from editor.engine.vision.analysis import Analysis

_SMALL_PIXELS = 256  # longer side, in pixels, of the copy of the analyzed photo on which changes are detected
_MAX_UNCHANGED_DIFFERENCE = 12  # maximum difference between unchanged pixels, in levels from 0 to 255
# Maximum share of a thing that steps may replace while the thing still counts as present. This is also the
# minimum share of a box that must be inside the analyzed photo.
_MAX_LOST_SHARE = 0.2
# Names of the findings of an analysis, and the keys under which the canvas caches them.
THINGS, FACES, TEXT = "things", "faces", "text"
# The kinds of steps that do not move anything.
_KINDS_WITHOUT_MOVES = frozenset({EditKind.COLOR})


def with_analysis(canvas: Canvas, picture: Picture, analysis: "Analysis") -> Canvas:
    """Return the canvas with an analysis of its photo.

    The photo may have been analyzed at a different size. The things, faces, and text in the analysis count as
    found in the current pixels.
    """
    size = picture.width, picture.height
    across, down = size[0] / analysis.width, size[1] / analysis.height
    matrix = np.array([[across, 0, 0], [0, down, 0]], np.float32)
    canvas = replace(canvas, analysis=analysis, placement=matrix)
    for name in (THINGS, FACES, TEXT):
        canvas.remember(name, [finding.sized(across, *size) for finding in getattr(analysis, name)])
    return canvas


def after_step(before: Canvas, after: Canvas, step: Step) -> Canvas:
    """Return the canvas after a step, recording in a mask where the step replaced analyzed content."""
    if (
        before.analysis is None
        or step.kind in _KINDS_WITHOUT_MOVES
        or after.picture.pixels is before.picture.pixels
    ):
        return after
    old, new = _copy_aligned_with_analysis(before), _copy_aligned_with_analysis(after)
    is_different = cv2.absdiff(old, new).max(2) > _MAX_UNCHANGED_DIFFERENCE
    changed = cast(Bytes, cv2.morphologyEx(is_different.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2))))
    return replace(after, replaced=changed if after.replaced is None else after.replaced | changed)


def analyzed_box(canvas: Canvas, box: Box) -> Box | None:
    """Return the box of the analyzed photo that shows the same content as a box of the current photo.

    Return None if too little of that content is in the analyzed photo.
    """
    analysis = canvas.analysis
    if analysis is None:
        return None
    corners = np.array([[x, y, 1] for x in (box.left, box.right) for y in (box.top, box.bottom)], np.float32)
    analyzed = Box.around_points(corners @ cv2.invertAffineTransform(canvas.placement).T)
    inside = analyzed.within(analysis.width, analysis.height)
    is_inside = inside.width > 0 and inside.height > 0 and inside.area > _MAX_LOST_SHARE * analyzed.area
    return inside if is_inside else None


def is_still_there(canvas: Canvas, mask: Floats) -> bool:
    """Return whether a thing is still in the photo after the steps. `mask` is over the analyzed photo."""
    if canvas.replaced is None:
        return True
    small = cv2.resize(mask, canvas.replaced.shape[::-1], interpolation=cv2.INTER_AREA)
    return float(small[canvas.replaced == 1].sum()) < _MAX_LOST_SHARE * float(small.sum())


def mask_in_view(canvas: Canvas, mask: Floats, view: Box, size: tuple[int, int]) -> Floats:
    """Return the part of a mask over the analyzed photo that a view of the current photo shows.

    `size` is the width and height of the result.
    """
    analysis = canvas.analysis
    if analysis is None:
        raise ValueError("There is no analysis.")
    to_copy = _scaling(size[0] / view.width, size[1] / view.height) @ _translation(-view.left, -view.top)
    from_mask = _scaling(analysis.width / mask.shape[1], analysis.height / mask.shape[0])
    whole = to_copy @ _as_3x3(canvas.placement) @ from_mask
    return _warp(mask, whole, size)


def _copy_aligned_with_analysis(canvas: Canvas) -> Bytes:
    """Return a small copy of the current photo, aligned with the analyzed photo.

    The copy is black where the current photo does not show the analyzed photo.
    """
    analysis, picture = cast("Analysis", canvas.analysis), canvas.picture
    size = copy_size(_SMALL_PIXELS, analysis.width, analysis.height)
    small = copy_size(2 * _SMALL_PIXELS, picture.width, picture.height)
    pixels = cast(Pixels, cv2.resize(picture.pixels, small, interpolation=cv2.INTER_AREA))
    colors = np.ascontiguousarray(eight_bits(Picture(pixels))[:, :, :3]).astype(np.float32)
    from_copy = _scaling(picture.width / small[0], picture.height / small[1])
    back = np.linalg.inv(_as_3x3(canvas.placement))
    scale = _scaling(size[0] / analysis.width, size[1] / analysis.height)
    return cast(Bytes, _warp(colors, scale @ back @ from_copy, size).astype(np.uint8))


def _warp(values: Floats, matrix: Floats, size: tuple[int, int]) -> Floats:
    """Transform a map with a matrix (3 x 3) whose coordinates are measured from the corners of pixels."""
    centers = _translation(-0.5, -0.5) @ matrix @ _translation(0.5, 0.5)
    return cast(Floats, cv2.warpAffine(values, centers[:2], size, flags=cv2.INTER_LINEAR))


def _as_3x3(matrix: Floats) -> Floats:
    return np.vstack([matrix, [0, 0, 1]]).astype(np.float32)


def _scaling(across: float, down: float) -> Floats:
    return np.diag([across, down, 1]).astype(np.float32)


def _translation(across: float, down: float) -> Floats:
    return np.array([[1, 0, across], [0, 1, down], [0, 0, 1]], np.float32)
