"""Decode exact masks of detected things and boxes from the embedding in the photo's analysis."""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, ramp
from editor.engine.masks import (
    ALPHA_SIDE,
    dilate_square,
    keep_large_components,
    refine_mask,
    touching,
)
from editor.engine.pixels import Box, copy_size
from editor.engine.targets.analyzed import analyzed_box, is_still_there, mask_in_view
from editor.engine.targets.backdrops import refine_by_backdrop
from editor.engine.targets.faint_parts import with_faint_parts
from editor.engine.targets.outlines import VIEW_MARGIN, Outline, copy_of_view
from editor.engine.vision.prominent import as_shares, prominent_box
from editor.engine.vision.segmentation import Embedding, mask_of_box, mask_of_logits
from editor.imaging.picture import Bytes

if TYPE_CHECKING:
    from editor.engine.vision.analysis import Analysis

_MASK_PIXELS = 256  # number of pixels of the decoder's masks along the photo's longer side
_FILTER_RADIUS = 1.6  # radius of the guided filter, in pixels of the decoder's mask
# Minimum and maximum radius of the guided filter, in pixels of the working copy.
_MIN_FILTER_PIXELS, _MAX_FILTER_PIXELS = 3, 16
# Minimum mask values of certain pixels and of possible pixels.
_MIN_CERTAIN_VALUE, _MIN_POSSIBLE_VALUE = 0.75, 0.25
# Ratios of certain to possible pixels at which confidence is zero and at which it is full.
_STABILITY_RANGE = (0.7, 0.88)
# Intersection over union of two networks' masks at which confidence is zero and at which it is full.
_AGREEMENT_RANGE = (0.65, 0.85)
# Ratios of doubtful pixels to the thing's pixels at which confidence is zero and at which it is full.
_DOUBT_RANGE = (0.34, 0.2)
# Intersection over union of a mask's box and the given box at which confidence is zero and full.
_BOX_FIT_RANGE = (0.45, 0.65)
# Minimum area of a piece of a mask, as a share of the largest piece's area. Smaller pieces belong to
# something else.
_MIN_PIECE_AREA = 0.02
# Minimum area of a hole in a mask that stays open, as a share of the area of the thing.
_MIN_HOLE_AREA = 0.004
# Margin by which a thing may extend beyond its bounding box, as a share of the box's sides.
_MAX_BEYOND_BOX = 0.06
_EDGE_SIGMA = 0.4  # sigma of the blur of an edge before refinement, in pixels of the decoder's mask
# Minimum certainty at which the prominent part's mask is mixed with the decoder's mask.
_MIN_PROMINENT_CERTAINTY = 0.5
_MIN_END_LENGTH = 0.1  # minimum length of an end that the prominent part lacks, as a share of a box's side
_MAX_ENDS_AREA = 0.25  # maximum area of the ends that the prominent part lacks, as a share of its area
# Minimum intersection over union of the prominent part's box and another box of the same thing.
_MIN_PROMINENT_BOX_IOU = 0.6
_FRAME_WIDTH = 1.5  # width of the unreliable border of the decoder's mask, in pixels of that mask
_MAX_TEXT_SHARE = 0.25  # maximum share of a box that a line of text may cover without the box marking it
_MIN_SURE_VALUE = 0.9  # minimum value of the decoder's mask at which a pixel certainly belongs to the thing
_SALIENCY_WEIGHT = 0.65  # weight of the saliency network's mask in the mean; the rest is the decoder's weight
# Factor by which the edge of a mask is made steeper, because the decoder's edges are wide.
_EDGE_STEEPNESS = 3.0


_CACHED_MASKS = 8  # number of masks that are kept for a user who points at one thing after another


class PhotoMask(NamedTuple):
    """A mask over the analyzed photo (0 to 1), its certainty (0 to 1), and its bounding box.

    `is_prominent` is true if the mask shows the prominent part of the photo.
    """

    mask: Floats
    certainty: float
    box: Box
    is_prominent: bool = False


def exact_outline(
    canvas: Canvas, box: Box, *, is_alone: bool = True, is_rough: bool = False
) -> Outline | None:
    """Return the outline of the thing that fills a box of the current photo.

    Return None if there is no embedding or if steps have removed the thing. If the box is around the selected
    part, return the outline of that part. The confidence is low if nothing fills the box. If `is_alone` is
    false, the prominent part of the photo is not used, because it may include other things. If `is_rough` is
    true, the outline is not corrected by what is behind the thing, which saves time.
    """
    if selected := selected_outline(canvas, box):
        return selected
    there = analyzed_box(canvas, box)
    photo_mask = None if there is None else _decode_box_mask(canvas, there, is_alone)
    if photo_mask is None or not is_still_there(canvas, photo_mask.mask):
        return None
    rough = _outline_of_mask(
        canvas, box, photo_mask.mask, is_prominent=photo_mask.is_prominent and not is_rough
    )
    return rough._replace(confidence=photo_mask.certainty * rough.confidence)


def selected_outline(canvas: Canvas, box: Box) -> Outline | None:
    """Return the outline of the selected part if the given box is around that part.

    Return None for any other box, or if steps have removed the selected part.
    """
    mask = canvas.selection_in(box)
    if mask is None or not is_still_there(canvas, mask):
        return None
    return canvas.get_or_compute(
        ("selected", box), lambda: _outline_of_mask(canvas, box, mask)._replace(confidence=1.0)
    )


def _outline_of_mask(canvas: Canvas, box: Box, mask: Floats, *, is_prominent: bool = False) -> Outline:
    """Return the outline of a mask over the analyzed photo, in and around a box of the current photo.

    The confidence of the outline says how well the mask fills the box. The outline of the subject is
    corrected by its backdrop. That of another thing is not, because it would include what touches the thing.
    """
    view = box.grown(VIEW_MARGIN, canvas.picture.width, canvas.picture.height)
    size = copy_size(ALPHA_SIDE, view.width, view.height)
    rough = mask_in_view(canvas, mask, view, size)
    own = box.grown(_MAX_BEYOND_BOX, canvas.picture.width, canvas.picture.height).seen_from(view)
    place = own.sized(size[0] / view.width)
    solid = _clean((rough > 0.5).astype(np.uint8), place)
    guide = copy_of_view(canvas, view)
    cell = cell_size(canvas, view, size[0])
    fine = with_soft_edges(_extend_to_frame(solid, view, canvas, cell), guide, cell)
    if is_prominent:
        fine = refine_by_backdrop(fine, guide, saliency_in_view(canvas, view, size))
    return Outline(view, fine, _box_fit(solid, place))


def _decode_box_mask(canvas: Canvas, box: Box, is_alone: bool) -> PhotoMask | None:
    """Return the mask of the thing that fills a box of the analyzed photo.

    Return None if there is no embedding.
    """
    analysis = canvas.analysis
    if analysis is None or analysis.embedding is None:
        return None
    embedding = analysis.embedding
    prominent = _decode_prominent(analysis) if is_alone else None
    if prominent is not None and _is_filled_by(prominent, box):
        if not _is_far_beyond(box, prominent.box):
            return prominent
        return canvas.get_or_compute(
            ("whole", box), lambda: _add_ends(prominent, mask_of_box(embedding, box)), of=analysis
        )
    return canvas.get_or_compute(
        ("mask", box), lambda: _with_certainty(mask_of_box(embedding, box), box), of=analysis
    )


@lru_cache(_CACHED_MASKS)
def mask_in_box(analysis: "Analysis", embedding: Embedding, box: Box) -> Floats:
    """Return the mask of the thing that fills a box of the analyzed photo."""
    prominent = _decode_prominent(analysis)
    if prominent is not None and _is_filled_by(prominent, box):
        return prominent.mask
    return mask_of_box(embedding, box)


def _is_filled_by(prominent: PhotoMask, box: Box) -> bool:
    return (
        prominent.certainty > _MIN_PROMINENT_CERTAINTY
        and _box_iou(prominent.box, box) > _MIN_PROMINENT_BOX_IOU
    )


def _box_iou(one: Box, other: Box) -> float:
    """Return the intersection over union of two boxes."""
    common = one.overlap(other)
    return common / max(1, one.area + other.area - common)


def _is_far_beyond(box: Box, other: Box) -> bool:
    """Return whether a box extends far beyond another one on any side."""
    across, down = _MIN_END_LENGTH * box.width, _MIN_END_LENGTH * box.height
    beside = max(other.left - box.left, box.right - other.right) > across
    return beside or max(other.top - box.top, box.bottom - other.bottom) > down


def _add_ends(prominent: PhotoMask, decoded: Floats) -> PhotoMask:
    """Return the prominent part with its ends that a larger box shows, such as a foot.

    If the larger box shows something else, return the prominent part unchanged.
    """
    one, other = prominent.mask > 0.5, decoded > 0.5
    added_share = float((other & ~one).sum()) / max(1.0, float(one.sum()))
    is_same = float((one & other).sum()) > _AGREEMENT_RANGE[1] * float(one.sum())
    return (
        prominent._replace(mask=np.maximum(prominent.mask, decoded))
        if is_same and added_share < _MAX_ENDS_AREA
        else prominent
    )


def _with_certainty(decoded: Floats, box: Box) -> PhotoMask:
    """Return a decoded mask with its certainty.

    The certainty is high if a low and a high threshold give about the same area.
    """
    certain_area, possible_area = (
        float((decoded > _MIN_CERTAIN_VALUE).sum()),
        float((decoded > _MIN_POSSIBLE_VALUE).sum()),
    )
    return PhotoMask(decoded, ramp(certain_area / max(1.0, possible_area), *_STABILITY_RANGE), box)


def _mean_mask(subject: Floats, decoded: Floats, box: Box) -> PhotoMask:
    """Return the weighted mean of the saliency network's and the decoder's masks, at the decoder's size.

    The certainty of the mean is high if both masks agree and few pixels are doubtful. Pixels that the decoder
    is sure of are always included.
    """
    larger = cv2.resize(subject, decoded.shape[::-1])
    one, other = larger > 0.5, decoded > 0.5
    agreement = float((one & other).sum()) / max(1.0, float((one | other).sum()))
    mask = np.float32(_SALIENCY_WEIGHT) * larger + np.float32(1 - _SALIENCY_WEIGHT) * decoded
    mask = np.maximum(mask, decoded * (decoded > _MIN_SURE_VALUE))
    unsure = float(((mask > _MIN_POSSIBLE_VALUE) & (mask < _MIN_CERTAIN_VALUE)).sum()) / max(
        1.0, float((mask > 0.5).sum())
    )
    return PhotoMask(
        mask, ramp(agreement, *_AGREEMENT_RANGE) * ramp(unsure, *_DOUBT_RANGE), box, is_prominent=True
    )


def prominent_mask(canvas: Canvas) -> PhotoMask | None:
    """Return the mask, on a working copy, of the prominent part of the photo.

    Return None if nothing is prominent, or if steps have removed the prominent part.
    """
    analysis = canvas.analysis
    prominent = analysis and _decode_prominent(analysis)
    if not prominent or not is_still_there(canvas, prominent.mask):
        return None
    size = copy_size(ALPHA_SIDE, canvas.picture.width, canvas.picture.height)
    whole = Box(0, 0, canvas.picture.width, canvas.picture.height)
    return prominent._replace(mask=mask_in_view(canvas, prominent.mask, whole, size))


def saliency_in_view(canvas: Canvas, view: Box, size: tuple[int, int]) -> Floats:
    """Return the saliency network's mask, from 0 to 1, in a view of the photo, at the given size."""
    analysis = cast("Analysis", canvas.analysis)
    return mask_in_view(canvas, as_shares(analysis.subject), view, size)


@lru_cache(1)
def _decode_prominent(analysis: "Analysis") -> PhotoMask | None:
    box = prominent_box(analysis.subject, analysis.width, analysis.height)
    if analysis.embedding is None or analysis.prominent is None or box is None:
        return None
    decoded = mask_of_logits(analysis.embedding, analysis.prominent.astype(np.float32))
    mean = _mean_mask(as_shares(analysis.subject), decoded, box)
    if mean.certainty <= _MIN_PROMINENT_CERTAINTY:
        return mean
    whole = with_faint_parts(mean.mask, decoded, analysis, analysis.embedding)
    return mean if whole is None else mean._replace(mask=whole, box=_outer_box_of(whole, analysis))


def _outer_box_of(mask: Floats, analysis: "Analysis") -> Box:
    """Return the bounding box, in pixels of the analyzed photo, of a mask over that photo.

    Unlike `masks.box_of`, it rounds the left side and the top down.
    """
    sides = Box.around((mask > 0.5).astype(np.uint8)).sized(analysis.width / mask.shape[1])
    return sides.within(analysis.width, analysis.height)


def has_text(canvas: Canvas, box: Box) -> bool:
    """Return whether a box of the current photo marks text that the analysis has read."""
    there, analysis = analyzed_box(canvas, box), canvas.analysis
    if there is None or analysis is None:
        return False
    return any(line.box.overlap(there) > _MAX_TEXT_SHARE * there.area for line in analysis.text)


def has_masks(canvas: Canvas) -> bool:
    """Return whether exact masks are available."""
    return canvas.analysis is not None and canvas.analysis.embedding is not None


def cell_size(canvas: Canvas, view: Box, width: int) -> float:
    """Return the size of one pixel of the decoder's mask, in pixels of a copy of `view`.

    `width` is the width of the copy.
    """
    analysis = canvas.analysis
    longest = max(analysis.width, analysis.height) if analysis else 1
    enlarged = float(np.sqrt(abs(np.linalg.det(canvas.placement[:, :2]))))
    return longest / _MASK_PIXELS * enlarged * width / view.width


def with_soft_edges(solid: Bytes, guide: Bytes, cell: float) -> Floats:
    """Return a 0/1 mask with soft edges that follow the edges in the photo."""
    radius = int(np.clip(round(_FILTER_RADIUS * cell), _MIN_FILTER_PIXELS, _MAX_FILTER_PIXELS))
    soft = cv2.GaussianBlur(solid.astype(np.float32), (0, 0), max(0.6, _EDGE_SIGMA * cell))
    fine = refine_mask(soft, guide, radius)
    near = dilate_square(solid, radius)
    return cast(Floats, np.clip((fine - 0.5) * np.float32(_EDGE_STEEPNESS) + 0.5, 0, 1) * near)


def _clean(solid: Bytes, place: Box) -> Bytes:
    """Remove small pieces and pieces outside the box from a 0/1 mask, and fill small holes."""
    inside = np.zeros_like(solid)
    inside[place.within(*solid.shape[::-1]).slices] = 1
    own = touching(solid, (keep_large_components(solid & inside, _MIN_PIECE_AREA)) == 1)
    holes = 1 - own
    min_hole = _MIN_HOLE_AREA * float(own.sum()) / max(1.0, float(_largest_area(holes)))
    return 1 - keep_large_components(holes, min_hole)


def _largest_area(mask: Bytes) -> int:
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return int(stats[1:, cv2.CC_STAT_AREA].max(initial=0))


def _extend_to_frame(solid: Bytes, view: Box, canvas: Canvas, cell: float) -> Bytes:
    """Extend a 0/1 mask to the frame of the photo, because the decoder is unreliable there."""
    reach = max(1, round(_FRAME_WIDTH * cell))
    height, width = solid.shape
    whole = solid.copy()
    if view.top == 0:
        whole[:reach] = whole[min(reach, height - 1)]
    if view.bottom == canvas.picture.height:
        whole[height - reach :] = whole[max(0, height - reach - 1)]
    if view.left == 0:
        whole[:, :reach] = whole[:, min(reach, width - 1), None]
    if view.right == canvas.picture.width:
        whole[:, width - reach :] = whole[:, max(0, width - reach - 1), None]
    return whole


def _box_fit(solid: Bytes, place: Box) -> float:
    """Return a score from 0 to 1 for how well a 0/1 mask fills its box."""
    if not solid.any():
        return 0.0
    return ramp(_box_iou(Box.around(solid), place), *_BOX_FIT_RANGE)
