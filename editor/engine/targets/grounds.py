"""Find a kind of ground, such as the sky or water, from the analysis of the photo."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, cielab
from editor.engine.masks import ALPHA_SIDE, local_mean, refine_mask, remove_small_components, touching
from editor.engine.pixels import Box, copy_size, working_copy
from editor.engine.targets.analyzed import is_still_there, mask_in_view
from editor.engine.vision.grounds import CELLS, Ground, Kind
from editor.imaging.picture import Bytes

# Minimum certainty at which a kind of ground is used without asking for a click.
MIN_CERTAINTY: dict[Kind, float] = {"sky": 0.7, "water": 0.65, "plants": 0.7, "ground": 0.72, "wall": 0.72}
# Minimum certainty of a separate piece of ground, as a share of the certainty of the most certain piece.
_MIN_PIECE_CERTAINTY = 0.8
_PIXELS_PER_CELL = 8  # pixels of an enlarged mask for each cell of the analysis
_RIM_CELLS = 1.2  # width of the uncertain band on each side of an edge, in cells
# Width and height, in cells, of the surroundings whose mean colors decide in the band.
_SURROUNDINGS_CELLS = 8


def ground_mask(canvas: Canvas, kind: Kind, least: float | None = None) -> Floats | None:
    """Return the mask of a kind of ground on a working copy, from 0 to 1.

    Return None if the analysis is not certain of it, or if steps have removed it. `least` is the minimum
    certainty, by default that of `MIN_CERTAINTY`.
    """
    ground = find_ground(canvas, kind)
    if ground is None or ground.confidence < (MIN_CERTAINTY[kind] if least is None else least):
        return None
    return _refined_on_copy(canvas, _enlarged_mask(canvas, ground))


def ground_likelihood(canvas: Canvas, kind: Kind) -> Floats | None:
    """Return the likelihood of a kind of ground on a working copy, from 0 to 1, however uncertain it is.

    Return None if the analysis does not see that kind.
    """
    ground = find_ground(canvas, kind)
    return None if ground is None else _on_copy(canvas, _enlarged_mask(canvas, ground))


def open_land_mask(canvas: Canvas) -> Floats | None:
    """Return the mask of the open land on a working copy, from 0 to 1, or None if there is none.

    It reaches from the bottom of the photo up to the last ground or water. Plants below that place are low,
    and plants above it are trees. The analysis confuses a field with water, but is certain that it is open.
    """
    likely = {kind: _likelihood(canvas, kind) for kind in ("ground", "water", "plants")}
    solid = remove_small_components((likely["ground"] + likely["water"] > 0.5).astype(np.uint8))
    low = np.maximum.accumulate(solid, axis=0) * likely["plants"]
    return _refined_on_copy(canvas, np.maximum(solid, low)) if solid.any() else None


def _likelihood(canvas: Canvas, kind: Kind) -> Floats:
    """Return the likelihood of a kind of ground over the analyzed photo, from 0 to 1."""
    ground = find_ground(canvas, kind)
    return np.zeros((1, 1), np.float32) if ground is None else _enlarged_mask(canvas, ground)


def _refined_on_copy(canvas: Canvas, analyzed: Floats) -> Floats | None:
    """Return a mask over the analyzed photo on a working copy, or None if steps have removed it."""
    if not is_still_there(canvas, analyzed):
        return None
    return _refine_edges(_on_copy(canvas, analyzed), working_copy(canvas.picture, ALPHA_SIDE))


def _on_copy(canvas: Canvas, analyzed: Floats) -> Floats:
    width, height = canvas.picture.width, canvas.picture.height
    return mask_in_view(canvas, analyzed, Box(0, 0, width, height), copy_size(ALPHA_SIDE, width, height))


def has_grounds(canvas: Canvas) -> bool:
    """Return whether the photo's analysis has searched for kinds of ground."""
    return canvas.analysis is not None and canvas.analysis.grounds is not None


def find_ground(canvas: Canvas, kind: Kind) -> Ground | None:
    """Return what the analysis says about a kind of ground, or None if the kind is not there."""
    grounds = (canvas.analysis and canvas.analysis.grounds) or ()
    return next((ground for ground in grounds if ground.kind == kind), None)


def _enlarged_mask(canvas: Canvas, ground: Ground) -> Floats:
    """Return the enlarged mask of a ground, from 0 to 1, without the unused part of its square."""
    analysis = canvas.analysis
    if analysis is None:
        raise ValueError("There is no analysis.")
    side = CELLS * _PIXELS_PER_CELL
    large = cv2.resize(ground.mask.astype(np.float32), (side, side), interpolation=cv2.INTER_LINEAR)
    scale = side / max(analysis.width, analysis.height)
    across, down = (max(1, round(scale * size)) for size in (analysis.width, analysis.height))
    return cast(Floats, large[:down, :across] * np.float32(1 / 255))


def _refine_edges(likely: Floats, guide: Bytes) -> Floats:
    """Return a mask at the guide's size whose edges follow the colors in the guide.

    In a band along the edges, a pixel belongs to the side whose mean color nearby is more like its own.
    """
    cell = max(guide.shape) / CELLS
    rough = remove_small_components((likely > 0.5).astype(np.uint8))
    rough = touching(rough, likely > _MIN_PIECE_CERTAINTY * float(likely.max()))
    side = 2 * round(_RIM_CELLS * cell) + 1
    kernel = np.ones((side, side), np.uint8)
    inner = cv2.erode(rough, kernel, borderValue=1)
    outer = cv2.erode(1 - rough, kernel, borderValue=1)
    lab, around = cielab(guide), round(_SURROUNDINGS_CELLS * cell) | 1
    distances = [
        np.where(mean.any(2), np.linalg.norm(lab - mean, axis=2), np.inf)
        for mean in (local_mean(lab, cast(Bytes, part), around) for part in (inner, outer))
    ]
    is_alike = np.where(
        np.isinf(distances[0]) & np.isinf(distances[1]), rough == 1, distances[0] < distances[1]
    )
    solid = np.where(inner == 1, 1, np.where(outer == 1, 0, is_alike)).astype(np.uint8)
    clean = cv2.medianBlur(solid, 5)
    soft = cv2.GaussianBlur(clean.astype(np.float32), (0, 0), 1.0)
    return refine_mask(soft, guide, radius=8)
