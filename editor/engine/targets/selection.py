"""Turn clicks into the selected part of a photo: the things under the points, as one mask and an outline."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.masks import keep_large_components
from editor.engine.pixels import Box
from editor.engine.targets.decoded_masks import mask_in_box
from editor.engine.vision.segmentation import Embedding, mask_of_points, without_point
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes
from editor.options import Point

if TYPE_CHECKING:
    from editor.engine.vision.analysis import Analysis

# Minimum and maximum area of a part of a person, such as the clothes, as a share of the person's area. A
# click on a smaller or larger part selects the whole person.
_PART_AREA_RANGE = (0.04, 0.7)
# maximum share of a part that may be outside the person
_MAX_OUTSIDE_SHARE = 0.3
# minimum overlap (intersection over union) at which a mask and a thing are the same
_MIN_SAME_OVERLAP = 0.66  # minimum overlap of two boxes around the same thing, as a share of the larger box
# maximum number of things tried at a point, because each one takes 0.1 seconds
_MAX_THINGS_AT_POINT = 2
# Maximum share of the selection that may be removed at once, as the whole thing under a point. If the thing
# covers more, the decoder refines the selection so that it excludes the point.
_MAX_REMOVED_SHARE = 0.8
# Minimum overlap of a drawn box and the bounding box of the thing in it, as a share of the larger box. With
# less overlap, the drawn box is not fitted to the thing.
_MIN_SNAP_OVERLAP = 0.3
# Minimum area of a piece or a hole of an outline, as a share of the largest piece's area.
_MIN_PIECE_AREA = 0.01
_CACHED_MASKS = 8  # number of masks at points that are kept, for a user who adds points one by one
# Maximum distance of an outline from the mask, as a share of the photo's longer side.
_MAX_PATH_DISTANCE = 0.0015

# The x and y coordinates of a point, in pixels of the analyzed photo.
type _Place = tuple[float, float]


class Selection(NamedTuple):
    """The selected part of a photo: its mask (0 to 1, over the analyzed photo) and its bounding box.

    `kinds` are the detector's names for the things that the points add, in order. The name of an unknown
    thing is "".
    """

    mask: Floats
    box: Box
    kinds: tuple[str, ...]


class _PointMask(NamedTuple):
    """The mask of the thing or part at a point, and the detector's name for it, or "" if it is unknown."""

    mask: Floats
    kind: str


def select(analysis: "Analysis", points: Sequence[Point]) -> Selection | None:
    """Return what the points on photo 1 select, or None if there is no embedding or nothing is selected.

    Each point adds the thing under it to what the earlier points selected, or removes the thing from that
    selection.
    """
    embedding = analysis.embedding
    if embedding is None:
        return None
    mask: Floats | None = None
    kinds: list[str] = []
    inside: list[_Place] = []
    for point in points:
        at = (point.x * analysis.width, point.y * analysis.height)
        if point.image == 1 and point.keep:
            thing = _thing_at(analysis, embedding, at)
            is_more = mask is None or _value_at(analysis, mask, at) < 0.5
            mask = thing.mask if mask is None else np.maximum(mask, thing.mask)
            kinds.append(thing.kind if is_more else "")
            inside.append(at)
        elif point.image == 1 and mask is not None:
            mask = _remove_thing_at(analysis, embedding, mask, inside, at)
            inside = [place for place in inside if _value_at(analysis, mask, place) > 0.5]
    solid = None if mask is None else _clean_solid(mask)
    if mask is None or solid is None or not solid.any():
        return None
    return Selection(mask * solid, _box_in_photo(analysis, solid), tuple(kinds))


def snap(analysis: "Analysis", box: Box) -> Selection | None:
    """Return the thing inside a drawn box of the analyzed photo, or None if nothing fills the box."""
    if analysis.embedding is None:
        return None
    mask = mask_in_box(analysis, analysis.embedding, box)
    solid = _clean_solid(mask)
    if not solid.any():
        return None
    bounds = _box_in_photo(analysis, solid)
    if bounds.overlap_ratio(box) < _MIN_SNAP_OVERLAP:
        return None
    kind = next(
        (thing.kind for thing in analysis.things if bounds.overlap_ratio(thing.box) > _MIN_SAME_OVERLAP), ""
    )
    return Selection(mask * solid, bounds, (kind,))


def outline_path(mask: Floats) -> str:
    """Return the outline of a mask as an SVG path, for the fill rule "evenodd".

    The coordinates are fractions of the mask's width and height, in ten-thousandths.
    """
    contours, _ = cv2.findContours((mask > 0.5).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    scale = 10_000 / np.array(mask.shape[::-1])
    reach = _MAX_PATH_DISTANCE * max(mask.shape)
    shapes = (cv2.approxPolyDP(contour, reach, True)[:, 0] for contour in contours)
    rounded = ((shape * scale).round().astype(int).tolist() for shape in shapes if len(shape) > 2)
    return "".join("M" + "L".join(f"{x} {y}" for x, y in shape) + "Z" for shape in rounded)


@lru_cache(_CACHED_MASKS)
def _thing_at(analysis: "Analysis", embedding: Embedding, at: _Place) -> _PointMask:
    """Return the thing at a point: the smallest detected thing, a part of a person, or an unknown thing."""
    things = (thing for thing in analysis.things if _is_in_box(at, thing.box))
    around = sorted(things, key=lambda thing: thing.box.area)
    for thing in around[:_MAX_THINGS_AT_POINT]:
        mask = mask_in_box(analysis, embedding, thing.box)
        if _value_at(analysis, mask, at) > 0.5 and _has_box_of(analysis, mask, thing):
            part = mask_of_points(embedding, [at]) if thing.kind == "person" else None
            return (
                _PointMask(mask, thing.kind)
                if part is None or not _is_part(part, mask)
                else _PointMask(part, "")
            )
    mask = mask_of_points(embedding, [at])
    return _PointMask(mask, next((thing.kind for thing in around if _has_box_of(analysis, mask, thing)), ""))


def _has_box_of(analysis: "Analysis", mask: Floats, thing: Thing) -> bool:
    """Return whether a mask has nearly the same bounding box as a thing."""
    solid = keep_large_components((mask > 0.5).astype(np.uint8), _MIN_PIECE_AREA)
    return bool(solid.any()) and _box_in_photo(analysis, solid).overlap_ratio(thing.box) > _MIN_SAME_OVERLAP


def _is_part(part: Floats, whole: Floats) -> bool:
    """Return whether a mask shows a distinct part of a person."""
    inside = float(np.minimum(part, whole).sum())
    min_area, max_area = _PART_AREA_RANGE
    return min_area < inside / max(1.0, float(whole.sum())) < max_area and inside > (
        1 - _MAX_OUTSIDE_SHARE
    ) * float(part.sum())


def _remove_thing_at(
    analysis: "Analysis",
    embedding: Embedding,
    mask: Floats,
    inside: Sequence[_Place],
    outside: _Place,
) -> Floats:
    """Return a mask without the thing at the point `outside`.

    The mask still contains at least one of the points `inside`. If the points cannot be separated, return the
    mask unchanged.
    """
    removed = np.minimum(_thing_at(analysis, embedding, outside).mask, mask)
    is_other = any(_value_at(analysis, removed, place) < 0.5 for place in inside)
    if is_other and float(removed.sum()) < _MAX_REMOVED_SHARE * float(mask.sum()):
        return cast(Floats, mask * (1 - removed))
    for place in reversed(inside):
        rest = np.minimum(mask, without_point(embedding, mask, place, outside))
        if _value_at(analysis, rest, place) > 0.5:
            return rest
    return mask


def _clean_solid(mask: Floats) -> Bytes:
    """Convert a mask to a 0/1 mask without small pieces and holes."""
    own = keep_large_components((mask > 0.5).astype(np.uint8), _MIN_PIECE_AREA)
    holes = 1 - own
    return 1 - keep_large_components(holes, _MIN_PIECE_AREA * float(own.sum()) / max(1.0, float(holes.sum())))


def _box_in_photo(analysis: "Analysis", solid: Bytes) -> Box:
    """Return the bounding box of a 0/1 mask, in pixels of the analyzed photo."""
    across, down = analysis.width / solid.shape[1], analysis.height / solid.shape[0]
    left, top, right, bottom = Box.around(solid)
    return Box(round(left * across), round(top * down), round(right * across), round(bottom * down))


def _is_in_box(at: _Place, box: Box) -> bool:
    return box.left <= at[0] < box.right and box.top <= at[1] < box.bottom


def _value_at(analysis: "Analysis", mask: Floats, at: _Place) -> float:
    x, y = (
        min(int(side * count / length), count - 1)
        for side, count, length in zip(at, mask.shape[::-1], (analysis.width, analysis.height), strict=True)
    )
    return float(mask[y, x])
