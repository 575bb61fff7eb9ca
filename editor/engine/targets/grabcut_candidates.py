"""Make several grabCut cutouts of the subject from different guesses.

The best cutout is used. Its confidence is higher if the other cutouts agree with it.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, cast

import cv2
import numpy as np

from editor.engine.colors import Floats, ramp
from editor.engine.masks import (
    boxes_to_mask,
    dilate,
    intersection_over_union,
    remove_small_components,
)
from editor.engine.pixels import Box
from editor.engine.targets.cutout_quality import color_overlap, outline_contrast, plausibility
from editor.engine.targets.grabcut import run_grabcut
from editor.engine.targets.saliency import saliency_map
from editor.imaging.picture import Bytes

# Relative amount by which a marked box is shrunk as a test. A good cutout stays the same.
_BOX_INSET = 0.04


class CutOut[MaskType](NamedTuple):
    """A mask of the subject on a working copy, with three confidences from 0 to 1.

    `confidence` rates the exact outline. `soft_confidence` rates the outline for uses such as a blur, which
    hides small errors. `place_confidence` rates only the position of the subject.
    """

    mask: MaskType
    confidence: float
    soft_confidence: float
    place_confidence: float


def rough_subject(small: Bytes) -> Bytes | None:
    """Return a rough 0/1 mask of a working copy's subject, or None if the area found cannot be a subject.

    This is faster than `find_subject` but checks less. The mask is good enough for choosing between things.
    """
    solid = remove_small_components(run_grabcut(small, _saliency_hints(saliency_map(small), 0.5), 3))
    return solid if plausibility(solid) > 0 else None


def cut_out_by_saliency(small: Bytes) -> CutOut[Bytes]:
    """Return the best of several cutouts that start from different guesses based on saliency.

    The confidence depends on the outline, colors, size, and position of the cutout, and on its agreement with
    the other cutouts.
    """
    half = _halve(small)
    solid, agreement = _best_cut(small, half, _saliency_guesses(saliency_map(half)), plausibility)
    contrast, plausible = outline_contrast(small, solid), plausibility(solid)
    outline, colors = ramp(contrast, 0.84, 0.95), ramp(color_overlap(small, solid), 0.5, 0.3)
    # If the outline follows an edge everywhere, less agreement with other cutouts is needed.
    clear = outline * colors
    confidence = min(plausible, outline, colors, ramp(agreement, 0.8 - 0.3 * clear, 0.95 - 0.25 * clear))
    place_confidence = min(plausible, ramp(agreement, 0.4, 0.7), ramp(contrast, 0.6, 0.9))
    return CutOut(solid, confidence, confidence, place_confidence)


def _best_cut(
    small: Bytes, half: Bytes, guesses: Iterable[Bytes], rate: Callable[[Bytes], float]
) -> tuple[Bytes, float]:
    """Choose the best cutout on a half-size copy and refine it.

    The best cutout has a high score from `rate` (0 to 1), an outline along edges, and few colors in common
    with its surroundings. Also return the median intersection over union of the best cutout and the others.
    """
    cuts = [remove_small_components(run_grabcut(half, hints, 3)) for hints in guesses]
    scores = [rate(cut) * (outline_contrast(half, cut) - 0.8 * color_overlap(half, cut) + 1) for cut in cuts]
    best = int(np.argmax(scores))
    others = sorted(
        intersection_over_union(cuts[best], cut) for number, cut in enumerate(cuts) if number != best
    )
    return _refine_cut(small, cuts[best]), others[len(others) // 2]


def _halve(small: Bytes) -> Bytes:
    size = (max(1, small.shape[1] // 2), max(1, small.shape[0] // 2))
    return cast(Bytes, cv2.resize(small, size, interpolation=cv2.INTER_AREA))


def _saliency_guesses(saliency: Floats) -> Iterator[Bytes]:
    """Yield three starting points for grabCut, based on a saliency map and different thresholds.

    Two of the starting points are certain where saliency is very high or very low. The third is certain only
    at the frame of the photo.
    """
    yield _saliency_hints(saliency, 0.5)
    yield _saliency_hints(saliency, 0.35)
    split, _ = cv2.threshold((saliency * 255).astype(np.uint8), 0, 1, cv2.THRESH_OTSU)
    hints = np.where(saliency * 255 > 0.85 * split, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    hints[0] = hints[:, 0] = hints[:, -1] = cv2.GC_BGD
    yield hints


def _refine_cut(small: Bytes, cut: Bytes) -> Bytes:
    """Enlarge a half-size cutout and search for its outline again in a band around the old outline."""
    size = (small.shape[1], small.shape[0])
    rough = cast(Bytes, cv2.resize(cut, size, interpolation=cv2.INTER_NEAREST))
    reach = max(2.0, 0.0175 * max(size))
    hints = np.where(rough == 1, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    hints[dilate(rough, reach) == 0] = cv2.GC_BGD
    hints[dilate(1 - rough, reach) == 0] = cv2.GC_FGD
    return remove_small_components(run_grabcut(small, hints, 2))


def cut_out_boxes(small: Bytes, boxes: list[Box]) -> CutOut[Bytes]:
    """Return the best cutout in each box, combined into one mask with the lowest of their confidences."""
    masks, *confidences = zip(*(_cut_out_box(small, box) for box in boxes), strict=True)
    return CutOut(np.bitwise_or.reduce(masks), *map(min, confidences))


def _cut_out_box(small: Bytes, box: Box) -> CutOut[Bytes]:
    """Return the best of several cutouts in a box.

    The cutouts start from the whole box, from its center, or from a slightly smaller box.
    """
    half, half_box = _halve(small), box.sized(0.5)
    solid, agreement = _best_cut(
        small, half, _box_guesses(half, half_box), lambda cut: box_fit(cut, half_box)
    )
    solid *= boxes_to_mask([box], solid.shape)
    mixed = color_overlap(small, solid)
    stable = min(box_fit(solid, box), ramp(agreement, 0.6, 0.85))
    outline, soft_confidence = (
        ramp(outline_contrast(small, solid), 0.6, 0.85),
        min(stable, ramp(mixed, 0.72, 0.55)),
    )
    return CutOut(solid, min(stable, outline, ramp(mixed, 0.55, 0.4)), soft_confidence, soft_confidence)


def _box_guesses(small: Bytes, box: Box) -> Iterator[Bytes]:
    everything = np.full(small.shape[:2], cv2.GC_PR_FGD, np.uint8)
    middle = np.full(small.shape[:2], cv2.GC_PR_BGD, np.uint8)
    center, core = (round(box.center[0]), round(box.center[1])), everything.copy()
    for hints, across, down, hint in ((middle, 0.4, 0.42, cv2.GC_PR_FGD), (core, 0.12, 0.2, cv2.GC_FGD)):
        axes = round(across * box.width), round(down * box.height)
        cv2.ellipse(hints, center, axes, 0, 0, 360, hint, -1)
    smaller = box.grown(-_BOX_INSET, small.shape[1], small.shape[0])
    for hints, within in ((everything, box), (middle, box), (core, box), (everything, smaller)):
        yield np.where(boxes_to_mask([within], hints.shape) == 1, hints, np.uint8(cv2.GC_BGD))


def box_fit(solid: Bytes, box: Box) -> float:
    """Return a score from 0 to 1 for how well a cutout fits its box.

    A well-fitting cutout fills the center and reaches the sides, but does not fill the whole box.
    """
    if not solid.any():
        return 0.0
    inner, around = solid[box.grown(-0.2, *solid.shape[::-1]).slices], Box.around(solid)
    filled = float(inner.mean()) if inner.size else 1.0
    reaches = min(around.width / box.width, around.height / box.height)
    share = np.count_nonzero(solid) / box.area
    return ramp(filled, 0.3, 0.55) * ramp(reaches, 0.35, 0.6) * ramp(share, 0.99, 0.93)


def _saliency_hints(saliency: Floats, middle: float) -> Bytes:
    """Return a starting point for grabCut that is certain where saliency is very high or very low."""
    hints = np.where(saliency > middle, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    hints[saliency < 0.08] = cv2.GC_BGD
    hints[saliency > 0.9] = cv2.GC_FGD
    return hints
