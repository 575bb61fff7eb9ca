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

_FAINT = 0.15  # minimum value of the saliency network's mask that may show a part of the subject
_EDGE = 0.012  # width of an outline that is not a part, as a share of the photo's longer side
_LEAST = 0.005  # minimum area of a part, as a share of the subject's area
# Minimum area of a part for which the decoder gets a point of its own, as a share of the subject's area.
_LEAST_APART = 0.01
_HELD = 0.95  # minimum share of the subject that the decoder must find again
_CERTAIN, _POSSIBLE = 0.75, 0.25  # minimum decoder values of certain pixels and of possible pixels
_STABLE = 0.88  # minimum ratio of certain to possible pixels of the decoder
_SEEN = 0.08  # minimum mean value of the saliency network's mask in a part
_LIKELY = 0.5  # minimum mean value of the prominent part's first decoding in a part


def with_faint_parts(
    mask: Floats, decoded: Floats, analysis: "Analysis", embedding: Embedding
) -> Floats | None:
    """Return the mask of the prominent part with the parts that the saliency network sees only faintly.

    Return None if there are no such parts. The decoder outlines everything that may be the subject. A part
    belongs to the subject if the decoder finds it together with the subject, and if one of the first masks
    shows it faintly. `decoded` is the decoder's mask of the prominent part alone, at the size of `mask`.
    """
    subject, solid = cv2.resize(as_shares(analysis.subject), mask.shape[::-1]), mask > 0.5
    edge = max(1, round(_EDGE * max(mask.shape)))
    outside = dilate(solid.astype(np.uint8), edge) == 0
    doubtful = outside & ((subject > _FAINT) | (decoded > _POSSIBLE))
    box = prominent_box(analysis.subject, analysis.width, analysis.height, least=_FAINT)
    if box is None or np.count_nonzero(doubtful) < _LEAST * np.count_nonzero(solid):
        return None
    logits = decode_box(embedding, box)
    whole = mask_of_logits(embedding, logits)
    apart = keep_large_components((outside & (subject > _FAINT)).astype(np.uint8), 1.0) == 1
    is_worth_a_point = np.count_nonzero(apart) > _LEAST_APART * np.count_nonzero(solid)
    if is_worth_a_point and whole[apart].mean() < _CERTAIN:
        scale = max(analysis.width, analysis.height) / max(mask.shape)
        pair = _inmost(solid, scale), _inmost(apart, scale)
        whole = mask_of_logits(embedding, decode_pair(embedding, *pair, logits))
    if not _shows(whole, solid):
        return None
    more = opened(((whole > 0.5) & ~solid).astype(np.uint8), edge)
    labels, stats = connected_components(more)
    seen, likely = means_of(np.dstack([subject, decoded]), labels, len(stats)).T
    is_large = stats[:, cv2.CC_STAT_AREA] > _LEAST * np.count_nonzero(solid)
    is_part = is_large & ((seen > _SEEN) | (likely > _LIKELY))
    is_part[0] = False
    belongs = is_part[labels].astype(np.uint8)
    return np.where(dilate(belongs, edge) == 1, np.maximum(mask, whole), mask) if belongs.any() else None


def _inmost(mask: NDArray[np.bool_], scale: float) -> Point:
    """Return the point that is farthest from the outline of a mask, in pixels of the photo."""
    depth = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 5)
    row, column = np.unravel_index(int(depth.argmax()), depth.shape)
    return float(column) * scale, float(row) * scale


def _shows(whole: Floats, solid: NDArray[np.bool_]) -> bool:
    """Return whether the decoder finds the subject again and is certain of its mask."""
    is_stable = (whole > _CERTAIN).sum() > _STABLE * (whole > _POSSIBLE).sum()
    return bool(is_stable and (whole[solid] > 0.5).mean() > _HELD)
