"""Exact masks of detected things and of what is in a box, from the embedding in the photo's analysis."""

from typing import TYPE_CHECKING, NamedTuple, cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, ramp
from editor.engine.pixels import Box, copy_size, working_copy
from editor.engine.targets.analyzed import analyzed_box, brought_over, is_still_there
from editor.engine.targets.masks import ALPHA_SIDE, keep_large_components, refine_mask, touching
from editor.engine.targets.outlines import AROUND, Outline, part_of
from editor.engine.vision.segmentation import mask_of_box
from editor.imaging.picture import Bytes

if TYPE_CHECKING:
    from editor.engine.vision.analysis import Analysis

_CELLS = 256  # the decoder's masks have this many pixels along the photo's longer side
_REFINED = 1.6  # radius of the guided filter, in pixels of the decoder's mask
_FINEST, _COARSEST = 3, 16  # the radius in pixels of the working copy
_CERTAIN, _POSSIBLE = 0.75, 0.25  # of a mask; both outlines are about the same if the mask is certain
_STABLE = (0.7, 0.88)  # the overlap of both from which a mask starts to be certain, and from which it is
_AGREED = (0.65, 0.85)  # likewise for the overlap of the masks of two networks
_UNSURE = (0.34, 0.2)  # likewise for the share of doubtful pixels, compared with those of the thing
_FITS = (0.45, 0.65)  # likewise for the overlap of the mask's box with the given one
_CRUMB = 0.02  # share of the largest piece; smaller pieces of a mask belong to something else
_HOLE = 0.004  # share of the thing; smaller holes in a mask are filled
_BEYOND = 0.06  # share of a box's sides; how far a thing may extend beyond its box
_SOFT = 0.4  # deviation of the edge before it is moved, in pixels of the decoder's mask
_TRUSTED = 0.5  # the certainty from which what stands out is a better mask than the decoder's alone
_SUBJECTS = 0.6  # the overlap from which the box of what stands out and another one show the same thing
_AT_THE_FRAME = 1.5  # pixels of the decoder's mask
_LETTERED = 0.25  # share of a box; with more of it covered by a line of text, the box is about the text
_PIECE = 0.1  # share of the largest piece; smaller pieces that stand out are ignored
_SURELY = 0.9  # of the decoder's mask; such a pixel belongs to the thing whatever the other network says
_OWN_WEIGHT = 0.65  # the weight of the network that finds what stands out; the rest is the decoder's
_FIRM = 3.0  # how much steeper an edge is made, because the decoder's edges are wide


class PhotoMask(NamedTuple):
    """A mask over the analyzed photo (0 to 1), how certain it is (0 to 1), and the box that it fills."""

    mask: Floats
    certainty: float
    box: Box


def exact_outline(canvas: Canvas, box: Box, *, is_alone: bool = True) -> Outline | None:
    """Return the outline of what fills a box of the present photo.

    Return None without an embedding, or if steps have removed it. The confidence of the outline is low if
    nothing in the photo fills the box. Unless the thing `is_alone`, what stands out in the photo may be more
    than the thing, and is not used.
    """
    there = analyzed_box(canvas, box)
    found = None if there is None else _mask_in(canvas, there, is_alone)
    if found is None or not is_still_there(canvas, found.mask):
        return None
    view = box.grown(AROUND, canvas.picture.width, canvas.picture.height)
    size = copy_size(ALPHA_SIDE, view.width, view.height)
    rough = brought_over(canvas, found.mask, view, size)
    own = box.grown(_BEYOND, canvas.picture.width, canvas.picture.height).seen_from(view)
    place = own.sized(size[0] / view.width)
    solid = _cleaned((rough > 0.5).astype(np.uint8), place)
    guide = working_copy(part_of(canvas.picture, view), ALPHA_SIDE)
    cell = cell_size(canvas, view, size[0])
    fine = with_edges(_to_the_frame(solid, view, canvas, cell), guide, cell)
    return Outline(view, fine, found.certainty * _fit(solid, place))


def _mask_in(canvas: Canvas, box: Box, is_alone: bool) -> PhotoMask | None:
    """Return the mask of what fills a box of the analyzed photo, or None without an embedding."""
    analysis = canvas.analysis
    if analysis is None or analysis.embedding is None:
        return None
    embedding = analysis.embedding
    prominent = (
        canvas.get_or_compute("prominent", lambda: _prominent(analysis), of=analysis) if is_alone else None
    )
    if prominent is not None and prominent.certainty > _TRUSTED and _same(prominent.box, box) > _SUBJECTS:
        return prominent
    return canvas.get_or_compute(
        ("mask", box), lambda: _stable(mask_of_box(embedding, box), box), of=analysis
    )


def _same(one: Box, other: Box) -> float:
    """Return the intersection over union of two boxes."""
    common = one.overlap(other)
    return common / max(1, one.area + other.area - common)


def _stable(decoded: Floats, box: Box) -> PhotoMask:
    """Return a mask as certain as its outline is independent of the level at which it is drawn."""
    least, most = float((decoded > _CERTAIN).sum()), float((decoded > _POSSIBLE).sum())
    return PhotoMask(decoded, ramp(least / max(1.0, most), *_STABLE), box)


def _joined(subject: Floats, decoded: Floats, box: Box) -> PhotoMask:
    """Return the weighted mean of what stands out and of the decoder's mask, at the size of the latter.

    It is as certain as both agree and few pixels are in doubt. What the decoder is sure of belongs to it.
    """
    larger = cv2.resize(subject, decoded.shape[::-1])
    one, other = larger > 0.5, decoded > 0.5
    agreement = float((one & other).sum()) / max(1.0, float((one | other).sum()))
    mask = np.float32(_OWN_WEIGHT) * larger + np.float32(1 - _OWN_WEIGHT) * decoded
    mask = np.maximum(mask, decoded * (decoded > _SURELY))
    unsure = float(((mask > _POSSIBLE) & (mask < _CERTAIN)).sum()) / max(1.0, float((mask > 0.5).sum()))
    return PhotoMask(mask, ramp(agreement, *_AGREED) * ramp(unsure, *_UNSURE), box)


def prominent_mask(canvas: Canvas) -> PhotoMask | None:
    """Return how much each pixel of a working copy belongs to what stands out in the photo.

    Return None if nothing stands out, or no longer does.
    """
    analysis = canvas.analysis
    found = analysis and canvas.get_or_compute("prominent", lambda: _prominent(analysis), of=analysis)
    if not found or not is_still_there(canvas, found.mask):
        return None
    size = copy_size(ALPHA_SIDE, canvas.picture.width, canvas.picture.height)
    whole = Box(0, 0, canvas.picture.width, canvas.picture.height)
    return found._replace(mask=brought_over(canvas, found.mask, whole, size))


def _prominent(analysis: "Analysis") -> PhotoMask | None:
    subject = analysis.subject.astype(np.float32) * np.float32(1 / 255)
    solid = keep_large_components((subject > 0.5).astype(np.uint8), _PIECE)
    if analysis.embedding is None or not solid.any():
        return None
    across, down = analysis.width / subject.shape[1], analysis.height / subject.shape[0]
    sides = zip(Box.around(solid), 2 * (across, down), strict=True)
    box = Box(*(round(side * scale) for side, scale in sides))
    return _joined(subject, mask_of_box(analysis.embedding, box, subject), box)


def is_lettered(canvas: Canvas, box: Box) -> bool:
    """Return whether a box of the present photo is mainly around text that the analysis has read."""
    there, analysis = analyzed_box(canvas, box), canvas.analysis
    if there is None or analysis is None:
        return False
    return any(line.box.overlap(there) > _LETTERED * there.area for line in analysis.text)


def has_masks(canvas: Canvas) -> bool:
    """Return whether exact masks can be had."""
    return canvas.analysis is not None and canvas.analysis.embedding is not None


def cell_size(canvas: Canvas, view: Box, width: int) -> float:
    """Return the size of a pixel of the decoder's mask in pixels of a copy of a view with this width."""
    analysis = canvas.analysis
    longest = max(analysis.width, analysis.height) if analysis else 1
    enlarged = float(np.sqrt(abs(np.linalg.det(canvas.placement[:, :2]))))
    return longest / _CELLS * enlarged * width / view.width


def with_edges(solid: Bytes, guide: Bytes, cell: float) -> Floats:
    """Return a mask (0 or 1) with soft edges that are moved to those of the photo."""
    radius = int(np.clip(round(_REFINED * cell), _FINEST, _COARSEST))
    soft = cv2.GaussianBlur(solid.astype(np.float32), (0, 0), max(0.6, _SOFT * cell))
    fine = refine_mask(soft, guide, radius)
    near = cv2.dilate(solid, np.ones((2 * radius + 1, 2 * radius + 1), np.uint8))
    return cast(Floats, np.clip((fine - 0.5) * np.float32(_FIRM) + 0.5, 0, 1) * near)


def _cleaned(solid: Bytes, place: Box) -> Bytes:
    """Remove small pieces and those outside the box from a mask (0 or 1), and fill small holes."""
    inside = np.zeros_like(solid)
    inside[place.within(*solid.shape[::-1]).slices] = 1
    own = touching(solid, (keep_large_components(solid & inside, _CRUMB)) == 1)
    holes = 1 - own
    least = _HOLE * float(own.sum()) / max(1.0, float(_largest_area(holes)))
    return 1 - keep_large_components(holes, least)


def _largest_area(mask: Bytes) -> int:
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return int(stats[1:, cv2.CC_STAT_AREA].max(initial=0))


def _to_the_frame(solid: Bytes, view: Box, canvas: Canvas, cell: float) -> Bytes:
    """Continue a mask (0 or 1) to the frame of the photo, where the decoder's edges are unreliable."""
    reach = max(1, round(_AT_THE_FRAME * cell))
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


def _fit(solid: Bytes, place: Box) -> float:
    """Return how well a mask (0 or 1) fills its box, from 0 to 1."""
    if not solid.any():
        return 0.0
    return ramp(_same(Box.around(solid), place), *_FITS)
