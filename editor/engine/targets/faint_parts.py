"""Find parts of the subject that the saliency network sees only faintly, such as a foot or a blanket."""

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.masks import connected_components, dilate, keep_large_components, means_of, opened
from editor.engine.vision.prominent import as_shares, prominent_box
from editor.engine.vision.segmentation import Embedding, Point, decode_box, decode_pair, mask_of_logits

if TYPE_CHECKING:
    from editor.engine.vision.analysis import Analysis

_MIN_FAINT_SALIENCY = 0.15  # minimum value of the saliency network's mask that may show a part of the subject
_EDGE_WIDTH = 0.012  # width of an outline that is not a part, as a share of the photo's longer side
_MIN_PART_AREA = 0.005  # minimum area of a part, as a share of the subject's area
# Minimum area of a part for which the decoder gets a point of its own, as a share of the subject's area.
_MIN_AREA_FOR_POINT = 0.01
_MIN_HELD_SHARE = 0.95  # minimum share of the subject that the decoder must find again
# Minimum decoder values of certain pixels and of possible pixels.
_MIN_CERTAIN_VALUE, _MIN_POSSIBLE_VALUE = 0.75, 0.25
_MIN_STABILITY = 0.88  # minimum ratio of certain to possible pixels of the decoder
_MIN_MEAN_SALIENCY = 0.08  # minimum mean value of the saliency network's mask in a part
_MIN_MEAN_DECODED = 0.5  # minimum mean value of the prominent part's first decoding in a part


def with_faint_parts(
    mask: Floats, decoded: Floats, analysis: "Analysis", embedding: Embedding
) -> Floats | None:
    """Return the mask of the prominent part with the parts that the saliency network sees only faintly.

    Return None if there are no such parts. The decoder outlines everything that may be the subject. A part
    belongs to the subject if the decoder finds it together with the subject, and if one of the first masks
    shows it faintly. `decoded` is the decoder's mask of the prominent part alone, at the size of `mask`.
    """
    subject, solid = cv2.resize(as_shares(analysis.subject), mask.shape[::-1]), mask > 0.5
    edge = max(1, round(_EDGE_WIDTH * max(mask.shape)))
    outside = dilate(solid.astype(np.uint8), edge) == 0
    doubtful = outside & ((subject > _MIN_FAINT_SALIENCY) | (decoded > _MIN_POSSIBLE_VALUE))
    box = prominent_box(analysis.subject, analysis.width, analysis.height, least=_MIN_FAINT_SALIENCY)
    if box is None or np.count_nonzero(doubtful) < _MIN_PART_AREA * np.count_nonzero(solid):
        return None
    logits = decode_box(embedding, box)
    whole = mask_of_logits(embedding, logits)
    largest_piece = (
        keep_large_components((outside & (subject > _MIN_FAINT_SALIENCY)).astype(np.uint8), 1.0) == 1
    )
    is_worth_a_point = np.count_nonzero(largest_piece) > _MIN_AREA_FOR_POINT * np.count_nonzero(solid)
    if is_worth_a_point and whole[largest_piece].mean() < _MIN_CERTAIN_VALUE:
        scale = max(analysis.width, analysis.height) / max(mask.shape)
        pair = _innermost_point(solid, scale), _innermost_point(largest_piece, scale)
        whole = mask_of_logits(embedding, decode_pair(embedding, *pair, logits))
    if not _is_found_again(whole, solid):
        return None
    new = opened(((whole > 0.5) & ~solid).astype(np.uint8), edge)
    labels, stats = connected_components(new)
    seen, likely = means_of(np.dstack([subject, decoded]), labels, len(stats)).T
    is_large = stats[:, cv2.CC_STAT_AREA] > _MIN_PART_AREA * np.count_nonzero(solid)
    is_part = is_large & ((seen > _MIN_MEAN_SALIENCY) | (likely > _MIN_MEAN_DECODED))
    is_part[0] = False
    belongs = is_part[labels].astype(np.uint8)
    return np.where(dilate(belongs, edge) == 1, np.maximum(mask, whole), mask) if belongs.any() else None


def _innermost_point(mask: NDArray[np.bool_], scale: float) -> Point:
    """Return the point that is farthest from the outline of a mask, in pixels of the photo."""
    depth = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 5)
    row, column = np.unravel_index(int(depth.argmax()), depth.shape)
    return float(column) * scale, float(row) * scale


def _is_found_again(whole: Floats, solid: NDArray[np.bool_]) -> bool:
    """Return whether the decoder finds the subject again and is certain of its mask."""
    is_stable = (whole > _MIN_CERTAIN_VALUE).sum() > _MIN_STABILITY * (whole > _MIN_POSSIBLE_VALUE).sum()
    return bool(is_stable and (whole[solid] > 0.5).mean() > _MIN_HELD_SHARE)
