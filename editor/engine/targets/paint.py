"""Find the part of a thing that gets a new color, such as a car's paint but not its glass and tires."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, chroma_of, hue_of, hues_apart, oklab_from_8_bit
from editor.engine.errors import OperationError, mark
from editor.engine.kinds import CLASSES_OF_NOUN, LIVING, kinds_of
from editor.engine.masks import (
    ALPHA_SIDE,
    BoolMask,
    boxes_of,
    closed,
    connected_components,
    dilate,
    keep_large_components,
    means_of,
    opened,
    upsample_mask,
)
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason, Target
from editor.engine.targets.color import likeness
from editor.engine.targets.complete_outlines import thing_in_box
from editor.engine.targets.decoded_masks import has_masks
from editor.engine.targets.detector import things_seen
from editor.engine.targets.drawn_boxes import marked_boxes
from editor.engine.targets.materials import (
    MAX_SAME_HUE_DEGREES,
    MIN_OTHER_HUE_DEGREES,
    Material,
    material_of_hue,
    mean_hue,
    watershed_masks,
)
from editor.engine.targets.outlines import combine_outlines
from editor.engine.targets.thing_outlines import exact_cut
from editor.engine.targets.things import target_things
from editor.engine.vision.things import SURE
from editor.imaging.picture import Bytes
from editor.sentences import Sentence

# Kinds of things whose tires, glass, and metal keep their colors.
VEHICLES = frozenset(
    (*CLASSES_OF_NOUN["vehicle"], *CLASSES_OF_NOUN["bike"], "airplane", "train", "boat", "skateboard")
)

_MIN_HUE_CHROMA = 0.05  # minimum OKLab chroma at which a pixel has a hue
# Minimum OKLab chroma at which a pixel has a hue, as a share of its lightness. The second value is for dull
# colors, such as a vehicle's paint in shade.
_MIN_VIVID_SATURATION, _MIN_DULL_SATURATION = 0.2, 0.1
_BIN_DEGREES, _HUE_BINS = 5.0, 72  # width of a bin of the hue histogram, in degrees, and the number of bins
# Width of a bin for the ratio of chroma to lightness, and the number of these bins.
_SATURATION_BIN, _SATURATION_BINS = 0.08, 5
# Minimum share of a thing that must have one color for the whole thing to be recolored.
_MIN_ONE_COLOR_SHARE = 0.7
# Maximum area of a piece of paint that a thing's mask lacks, as a share of all of the thing's paint.
_MAX_MISSING_PIECE = 0.1
# Minimum share of a piece's edge that must touch the rest of the paint. This minimum applies to pieces of
# paint that a thing's mask lacks.
_MIN_CONTACT_SHARE = 0.2
# Minimum share of a separate piece of paint that is in the convex hull of a vehicle.
_MIN_SHARE_IN_HULL = 0.95
# Margin by which a piece beside people may extend beyond the vehicle's bounding box, as a share of the sides
# of the box, and its maximum distance from the people, in pixels of the copy.
_MAX_BEYOND_BOX, _MAX_PEOPLE_DISTANCE = 0.05, 3
_BIKES = frozenset(CLASSES_OF_NOUN["bike"])
# Minimum share of a vehicle, and of a bicycle or motorcycle, that a color must cover to be its paint. The
# outline of a bicycle includes the ground between its spokes.
_MIN_PAINT_SHARE, _MIN_BIKE_PAINT_SHARE = 0.07, 0.03
# Maximum area of another color, as a share of the paint's area, if the choice of the paint is clear.
_MAX_RIVAL_AREA = 0.6
# Maximum area of unselected paint, as a share of the selected paint; more would look patchy.
_MAX_UNSELECTED_SHARE = 0.25
_RING_PIXELS = 15  # width and height, in pixels, of the dilation kernel for the ring around a thing
_MAX_RING_SHARE = 0.6  # maximum share of the ring around a thing that may have the thing's color
_SURROUNDINGS_WIDTH = 0.05  # width of the surroundings of a bicycle, as a share of the photo's longer side
# Distance from the certain pixels of a bicycle's paint, in pixels, up to which it goes on.
_MAX_SEED_DISTANCE = 3
# Maximum frequency of a bicycle's own color in its surroundings, as a share of that in its outline.
_MAX_FREQUENCY_AROUND = 0.3
# Minimum share of a bicycle's own colors among all colors in its outline for only these to count.
_MIN_OWN_COLORS_SHARE = 0.1
# Minimum median OKLab lightness of an uncolored paint, which is lighter than tires and glass.
_MIN_UNCOLORED_LIGHTNESS = 0.45
_MIN_BRIGHT_SHARE = 0.4  # minimum share of a vehicle that an uncolored paint covers
_MIN_BRIGHT_SHARE_BELOW = 0.25  # minimum share of a vehicle's lower half that an uncolored paint covers
_SKYLIGHT_WEIGHT = 0.5  # share of a bluish tint that counts as a difference from an uncolored paint
# Maximum lightness of a dark part, as a share of the paint's usual or lowest lightness.
_MAX_DARK_LIGHTNESS = 0.55
# Minimum lightness of paint that is not in shade, as a share of the paint's usual lightness.
_MIN_LIT_LIGHTNESS = 0.7
# Smallest and largest OKLab difference in hue and chroma at which a pixel, such as one of a paper bag, is not
# an uncolored paint, and the factor for the lower quartile of the differences between bright pixels.
_TINT_LIMITS, _TINT_FACTOR = (0.045, 0.06), 4.0
# Maximum areas of parts of a vehicle that dark parts enclose, and minimum widths of these dark parts. The
# first pair is for rims, lamps, and plates. The second is for the interior; a door has narrow seams.
_ENCLOSED_LIMITS = ((0.1, 0.0), (0.25, 0.003))
_MIN_EDGE_INSIDE = 0.9  # minimum share of such a part's edge that is inside the vehicle
_MIN_PART_AREA = 0.002  # minimum area of a part, as a share of the area of the bright parts or of the paint
# Maximum lightness of what encloses such a part, as a share of the part's lightness.
_MAX_FRAME_LIGHTNESS = 0.75


def paint_mask(canvas: Canvas, target: Target, mask: Floats) -> Floats:
    """Return the part of a thing's mask, at the picture's size, that gets the new color.

    The tires, glass, and metal of vehicles keep their colors, and so do people in front of a vehicle. Raises
    OperationError if the paint cannot be distinguished from these parts or if the thing has several colors.
    """
    kinds = set(kinds_of(target.noun))
    if not kinds or kinds & LIVING or not has_masks(canvas):
        return mask
    small = working_copy(canvas.picture, ALPHA_SIDE)
    size = (small.shape[1], small.shape[0])
    free = cv2.resize(1 - _people_and_animals_mask(canvas), size, interpolation=cv2.INTER_AREA)
    own = cv2.resize(mask, size, interpolation=cv2.INTER_AREA) * free
    if not (own > 0.5).any():
        return mask
    if not kinds & VEHICLES:
        only = _only_material(small, own > 0.5, target)
        boxes = [box.sized(size[0] / canvas.picture.width) for box in _boxes(canvas, target)]
        ends = _add_missing_pieces(only, own, boxes=boxes) * np.minimum(1, 2 * free) if only else None
        return mask if ends is None else np.maximum(mask, upsample_mask(ends, canvas.picture))
    material = _vehicle_paint(small, own > 0.5, target)
    left = float((material.possible & (own > 0.5) & (material.mask < 0.5)).sum())
    if left > _MAX_UNSELECTED_SHARE * float((material.mask * own).sum()):
        raise _unclear_paint_error(target)
    if material.sure is not None:
        _require_end(material, own > 0.5, target)
    # Between the parts of a bicycle, other things are seen, which may have its color.
    paint = _add_missing_pieces(material, own, None if kinds & _BIKES else (free < 0.5).astype(np.uint8))
    return upsample_mask(paint * np.minimum(1, 2 * free), canvas.picture)


def with_noun(canvas: Canvas, target: Target) -> Target:
    """Return the target, with a noun if possible.

    If the target is a single marked box without a noun, the result has the noun of the thing in the box.
    """
    if target.noun or target.what != "region" or len(target.boxes) != 1:
        return target
    thing = thing_in_box(canvas, marked_boxes(canvas, target)[0])
    return replace(target, noun=thing.kind) if thing else target


def colored_part(canvas: Canvas, target: Target, mask: Floats) -> Floats:
    """Return the part of a thing's mask, at the picture's size, that has the target's color in any light.

    Raises OperationError if too little of the thing has that color.
    """
    small = working_copy(canvas.picture, ALPHA_SIDE)
    own = cv2.resize(mask, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_AREA)
    lab, color = oklab_from_8_bit(small), target.color or ""
    seeds = (likeness(small, color) > 0.5) & (own > 0.5)
    if seeds.sum() < 0.02 * (own > 0.5).sum():
        raise OperationError(
            Reason.NO_SUCH_TARGET,
            Sentence("I can't find a %(color)s %(noun)s.", color=color, noun=target.noun),
            mark(target.noun),
        )
    if float(np.median(chroma_of(lab)[seeds])) < _MIN_HUE_CHROMA:
        return np.minimum(upsample_mask(likeness(small, color, is_wide=True) * own, canvas.picture), mask)
    material = material_of_hue(lab, mean_hue(lab, seeds), seeds)
    _require_end(material, own > 0.5, target)
    return upsample_mask(_add_missing_pieces(material, own), canvas.picture)


def _boxes(canvas: Canvas, target: Target) -> list[Box]:
    """Return the boxes of the things that a target refers to."""
    if target.boxes:
        return marked_boxes(canvas, target)
    return [thing.box for thing in target_things(canvas, target)]


def _add_missing_pieces(
    material: Material, own: Floats, front: Bytes | None = None, boxes: Sequence[Box] = ()
) -> Floats:
    """Return the mask of a material in a thing, including its edge and pieces that the thing's mask lacks.

    Such a piece is small, and it touches much of the material in the thing, or a little of it if it is in one
    of the boxes of the thing. With `front`, a 0/1 mask of what is in front of the thing, a piece that is only
    divided from the thing counts too.
    """
    if material.sure is None:  # Lightness alone does not show that a pixel outside is the same material.
        return material.mask * own
    core = (material.mask > 0.5) & (own > 0.5)
    rest = (material.sure & (own <= 0.5)).astype(np.uint8)
    labels, stats = connected_components(rest)
    count, near = len(stats), cv2.dilate(core.astype(np.uint8), np.ones((5, 5), np.uint8)) == 1
    rim = (rest == 1) & (cv2.erode(rest, np.ones((3, 3), np.uint8)) == 0)
    contact = np.bincount(labels[rim & near], minlength=count) / np.maximum(
        np.bincount(labels[rim], minlength=count), 1
    )
    share = stats[:, cv2.CC_STAT_AREA] / max(1.0, float(core.sum()))
    is_end = (contact > 0) & (share > _MIN_PART_AREA) & _is_mostly_in(boxes, stats, rest.shape)
    is_gap = (share < _MAX_MISSING_PIECE) & ((contact > _MIN_CONTACT_SHARE) | is_end)
    if front is not None:
        is_gap |= _is_divided(labels, stats, (own > 0.5).astype(np.uint8), front)
    is_gap[0] = False
    whole = cv2.dilate(np.maximum(own, is_gap[labels].astype(np.float32)), np.ones((5, 5), np.uint8))
    return material.mask * whole


def _is_mostly_in(
    boxes: Sequence[Box], stats: NDArray[np.int32], shape: tuple[int, ...]
) -> NDArray[np.bool_]:
    """Return which pieces are mostly in one of the boxes or right beyond it.

    A shoelace in front of the end of a thing divides it, and the box of the thing may be too short.
    """
    wider = [box.grown(_MAX_BEYOND_BOX, *shape[::-1]) for box in boxes]
    return np.array(
        [
            any(piece.overlap(box) > _MIN_ONE_COLOR_SHARE * piece.area for box in wider)
            for piece in boxes_of(stats)
        ]
    )


def _is_divided(
    labels: NDArray[np.int32], stats: NDArray[np.int32], thing: Bytes, front: Bytes
) -> NDArray[np.bool_]:
    """Return which pieces of a material belong to a thing that something in front of it divides.

    They are in the convex hull of the thing, or in its box and beside what is in front of it.
    """
    hull = np.zeros(thing.shape, np.uint8)
    cv2.fillConvexPoly(hull, cv2.convexHull(cv2.findNonZero(thing)), 1)
    is_encircled = (
        np.bincount(labels.ravel(), hull.ravel(), len(stats))
        > _MIN_SHARE_IN_HULL * stats[:, cv2.CC_STAT_AREA]
    )
    box = Box.around(thing).grown(_MAX_BEYOND_BOX, *thing.shape[::-1])
    is_beside = np.zeros(len(stats), np.bool_)
    is_beside[np.unique(labels[dilate(front, _MAX_PEOPLE_DISTANCE) == 1])] = True
    return is_encircled | (is_beside & [piece.overlap(box) == piece.area for piece in boxes_of(stats)])


def _require_end(material: Material, inside: BoolMask, target: Target) -> None:
    """Raise OperationError if a material continues beyond the outline of a thing.

    In that case, the outline is wrong.
    """
    own = (material.mask > 0.5) & inside
    around = cv2.dilate(own.astype(np.uint8), np.ones((_RING_PIXELS, _RING_PIXELS), np.uint8)) == 1
    beyond = around & (cv2.dilate(inside.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
    if float((material.mask[beyond] > 0.5).sum()) > _MAX_RING_SHARE * float(beyond.sum()):
        sentence = Sentence(
            "I can't tell the %(noun)s from things of its color next to it.", noun=target.noun
        )
        raise OperationError(Reason.LOW_CONFIDENCE, sentence, mark(target.noun))


def has_exact_outlines(canvas: Canvas, target: Target) -> bool:
    """Return whether all things that a target refers to have exact outlines."""
    meant = target_things(canvas, target)
    return all(exact_cut(canvas, thing, meant) for thing in meant)


def _people_and_animals_mask(canvas: Canvas) -> Floats:
    """Return the mask of people and animals, which may be in front of a vehicle or inside it."""
    people_and_animals = [
        thing for thing in things_seen(canvas) if thing.kind in LIVING and thing.score >= SURE
    ]
    cuts = [cut for thing in people_and_animals if (cut := exact_cut(canvas, thing))]
    return combine_outlines(canvas.picture, cuts)


def _vehicle_paint(small: Bytes, inside: BoolMask, target: Target) -> Material:
    """Return the paint of a vehicle: its main hue, or else everything much lighter than tires and glass."""
    lab = oklab_from_8_bit(small)
    is_bike = bool(set(kinds_of(target.noun)) & _BIKES)
    is_colorful, seeds = _main_hue(
        lab, inside, _MIN_DULL_SATURATION, _surroundings(inside) if is_bike else None
    )
    share = float(seeds.sum())
    if share < (_MIN_BIKE_PAINT_SHARE if is_bike else _MIN_PAINT_SHARE) * float(inside.sum()):
        return _uncolored_paint(small, lab, inside, target)
    main = mean_hue(lab, seeds)
    if (
        float((is_colorful & (hues_apart(hue_of(lab), main) > MIN_OTHER_HUE_DEGREES)).sum())
        > _MAX_RIVAL_AREA * share
    ):
        raise _several_colors_error(target)
    material = material_of_hue(lab, main, seeds)
    return _material_near_seeds(material, seeds) if is_bike else _lit_paint(small, lab, material, seeds)


def _lit_paint(small: Bytes, lab: Floats, material: Material, seeds: BoolMask) -> Material:
    """Return the part of a vehicle's paint that is not dark, or that goes on in shade without an edge.

    The hue of dark glass and tires is unreliable, and they may reflect the paint. Dark parts of its hue
    remain possible paint.
    """
    light, likely = lab[:, :, 0], material.mask > 0.5
    usual = float(np.median(light[seeds]))
    dark = (light < _MAX_DARK_LIGHTNESS * usual) & (chroma_of(lab) < _MIN_HUE_CHROMA)
    solid, edges = watershed_masks(small, likely & (light > _MIN_LIT_LIGHTNESS * usual), ~likely | dark)
    large = keep_large_components((solid | (edges & likely)).astype(np.uint8), _MIN_PART_AREA)
    paint = dilate(large, 1) == 1
    return Material(material.mask * paint, material.possible, material.sure & paint)


def _material_near_seeds(material: Material, seeds: BoolMask) -> Material:
    """Return the part of a material near its certain pixels, without similar ground behind a bicycle."""
    is_near = dilate(seeds.astype(np.uint8), _MAX_SEED_DISTANCE) == 1
    return Material(material.mask * is_near, material.possible & is_near, material.sure)


def _only_material(small: Bytes, inside: BoolMask, target: Target) -> Material | None:
    """Return the material of a thing that has about one color, or None for a gray thing.

    The whole thing can be recolored, including the ends of the material that its outline lacks. Raises
    OperationError if the thing has several colors.
    """
    lab = oklab_from_8_bit(small)
    is_colorful, seeds = _main_hue(lab, inside, _MIN_VIVID_SATURATION)
    share, whole = float(is_colorful.sum()), float(inside.sum())
    is_of_one_hue = float(seeds.sum()) > _MIN_ONE_COLOR_SHARE * share
    is_colored = (
        is_of_one_hue
        and float((is_colorful | _pale_pixels(lab, seeds, inside)).sum()) > _MIN_ONE_COLOR_SHARE * whole
    )
    is_gray = share < (1 - _MIN_ONE_COLOR_SHARE) * whole
    if not (is_colored or is_gray):
        raise _several_colors_error(target)
    _, dull = _main_hue(lab, inside, _MIN_DULL_SATURATION)
    return (
        material_of_hue(lab, mean_hue(lab, dull), dull)
        if float(dull.sum()) > _MIN_ONE_COLOR_SHARE * whole
        else None
    )


def _pale_pixels(lab: Floats, seeds: BoolMask, inside: BoolMask) -> BoolMask:
    """Return a mask of a thing's pixels that have the hue of the seeds, even where light makes them paler."""
    return (
        inside
        & (chroma_of(lab) > _MIN_HUE_CHROMA)
        & (hues_apart(hue_of(lab), mean_hue(lab, seeds)) < MAX_SAME_HUE_DEGREES)
    )


def _main_hue(
    lab: Floats, inside: BoolMask, vivid: float, around: BoolMask | None = None
) -> tuple[BoolMask, BoolMask]:
    """Return two masks of a thing's pixels: those that have any hue, and those that have the main hue.

    `vivid` is the minimum chroma at which a pixel has a hue, as a share of its lightness.

    Colors that are frequent in the surroundings `around` are ignored, because they show between the parts of
    the thing, as the ground does between the spokes of a bicycle. If these are nearly all colors, they count.
    """
    is_colorful = (chroma_of(lab) > _MIN_HUE_CHROMA) & (chroma_of(lab) > vivid * lab[:, :, 0])
    bins = _color_bins(lab)
    weights = _weights_of_bins(lab, bins, inside, is_colorful)
    if around is not None and around.any():
        is_own = _weights_of_bins(lab, bins, around, is_colorful) < _MAX_FREQUENCY_AROUND * weights
        if weights[is_own].sum() > _MIN_OWN_COLORS_SHARE * weights.sum():
            is_colorful &= is_own[bins]
            weights = weights * is_own
    hues = weights.reshape(_HUE_BINS, _SATURATION_BINS).sum(1)
    main = (int(np.argmax(_sum_neighbors(hues))) + 0.5) * _BIN_DEGREES
    is_main = hues_apart(hue_of(lab), main) < MAX_SAME_HUE_DEGREES
    return inside & is_colorful, inside & is_colorful & is_main


def _color_bins(lab: Floats) -> NDArray[np.int_]:
    """Return the number of the bin of each pixel's hue and of its ratio of chroma to lightness."""
    hue = (hue_of(lab) // _BIN_DEGREES).astype(int) % _HUE_BINS
    ratio = chroma_of(lab) / np.maximum(lab[:, :, 0], np.float32(0.08))
    strength = np.clip((ratio / _SATURATION_BIN).astype(int), 0, _SATURATION_BINS - 1)
    return cast(NDArray[np.int_], hue * _SATURATION_BINS + strength)


def _weights_of_bins(lab: Floats, bins: NDArray[np.int_], area: BoolMask, is_colorful: BoolMask) -> Floats:
    """Return the sum of the chroma of an area's colorful pixels in each bin, divided by the area."""
    where = area & is_colorful
    count = np.bincount(bins[where], chroma_of(lab)[where], _HUE_BINS * _SATURATION_BINS) / max(
        1.0, float(area.sum())
    )
    return cast(Floats, _sum_neighbors(count.reshape(_HUE_BINS, _SATURATION_BINS)).ravel())


def _sum_neighbors(weights: Floats) -> Floats:
    """Return the sum of the weights of each hue and of the hues next to it."""
    return np.sum([np.roll(weights, turn, 0) for turn in (-2, -1, 0, 1, 2)], axis=0)


def _surroundings(inside: BoolMask) -> BoolMask:
    """Return a mask of the surroundings of a thing."""
    solid = inside.astype(np.uint8)
    return dilate(solid, _SURROUNDINGS_WIDTH * max(solid.shape)) > solid


def _several_colors_error(target: Target) -> OperationError:
    sentence = Sentence(
        "The %(noun)s has several colors, so I can't tell which one to change.", noun=target.noun
    )
    hint = Sentence("Name the color to change, for example “the red %(noun)s”.", noun=target.noun)
    return OperationError(Reason.AMBIGUOUS, sentence, hint)


def _uncolored_paint(small: Bytes, lab: Floats, inside: BoolMask, target: Target) -> Material:
    """Return the white, silver, or gray paint of a vehicle, which is clearly lighter than its dark parts.

    Pixels that are neither certainly paint nor certainly another part belong to the part with which they go
    on without an edge. So a side in shade gets the new color as a whole.
    """
    light = lab[:, :, 0]
    split = _dark_limit(light[inside])
    bright = inside & (light > split)
    if not _is_likely_paint(bright, inside) or np.median(light[bright]) < _MIN_UNCOLORED_LIGHTNESS:
        raise _unclear_paint_error(target)
    tint = _tint(lab, bright)
    max_tint = float(np.clip(_TINT_FACTOR * np.percentile(tint[bright], 25), *_TINT_LIMITS))
    enclosed = bright & _enclosed_parts(bright & (tint < max_tint), light, inside)
    sure = opened((bright & ~enclosed & (tint < max_tint / 2)).astype(np.uint8), 3) == 1
    other = ~inside | enclosed | (light < _MAX_DARK_LIGHTNESS * split) | (tint > max_tint)
    solid, edges = watershed_masks(small, sure, other)
    solid &= ~_enclosed_parts(solid, light, inside)
    solid = keep_large_components(solid.astype(np.uint8), _MIN_PART_AREA) == 1
    solid |= edges & inside & (dilate(solid.astype(np.uint8), 1) == 1)
    mask = cv2.GaussianBlur(solid.astype(np.float32), (0, 0), 0.7)
    return Material(mask, np.zeros(light.shape, bool))


def _is_likely_paint(bright: BoolMask, inside: BoolMask) -> bool:
    """Return whether bright pixels cover enough of a vehicle, and of its lower half, to be its paint.

    On a dark car, only the windows and the upper sides, which reflect the sky, are bright.
    """
    top, bottom = np.flatnonzero(inside.any(1))[[0, -1]]
    low = slice(int(top + bottom) // 2, None)
    is_low = bright[low].sum() > _MIN_BRIGHT_SHARE_BELOW * inside[low].sum()
    return bool(is_low and bright.sum() > _MIN_BRIGHT_SHARE * inside.sum())


def _tint(lab: Floats, bright: BoolMask) -> Floats:
    """Return the OKLab difference in hue and chroma between each pixel and an uncolored paint.

    Paint that reflects the sky may be bluish.
    """
    difference = lab[:, :, 1:] - np.median(lab[bright][:, 1:], axis=0)
    difference[:, :, 1] = np.maximum(difference[:, :, 1], _SKYLIGHT_WEIGHT * difference[:, :, 1])
    return cast(Floats, np.linalg.norm(difference, axis=2))


def _dark_limit(light: Floats) -> float:
    """Return the lightness in the middle between a vehicle's dark and bright pixels (Otsu's method)."""
    levels = np.round(np.clip(light, 0, 1) * 255).astype(np.uint8)
    limit, _ = cv2.threshold(levels, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    is_bright = levels > limit
    return float(light[is_bright].mean() + light[~is_bright].mean()) / 2 if is_bright.any() else 1.0


def _enclosed_parts(bright: BoolMask, light: Floats, inside: BoolMask) -> BoolMask:
    """Return a mask of bright parts that darker parts enclose, such as rims, lamps, plates, and windows.

    `light` is the lightness of each pixel.
    """
    enclosed = [_parts_enclosed_by_dark(bright, light, inside, most, seam) for most, seam in _ENCLOSED_LIMITS]
    return np.any(enclosed, axis=0)


def _parts_enclosed_by_dark(
    bright: BoolMask, light: Floats, inside: BoolMask, max_area: float, seam: float
) -> BoolMask:
    """Return a mask of bright parts that much darker parts enclose.

    `max_area` is the maximum area of such a part, as a share of the area of the bright parts. Dark parts that
    are narrower than `seam`, a share of the photo's longer side, do not enclose anything.
    """
    solid = opened(closed(bright.astype(np.uint8), round(seam * max(bright.shape)) | 1), 3)
    labels, stats = connected_components(solid)
    count, areas = len(stats), stats[:, cv2.CC_STAT_AREA]
    around = cv2.dilate(labels.astype(np.float32), np.ones((7, 7), np.uint8)).astype(np.intp)
    rim = (around > 0) & (labels == 0) & ~bright
    length = np.maximum(np.bincount(around[rim], minlength=count), 1)
    within = np.bincount(around[rim], inside[rim], count) / length
    frame = np.bincount(around[rim], light[rim], count) / length
    is_framed = frame < _MAX_FRAME_LIGHTNESS * means_of(light[:, :, None], labels, count)[:, 0]
    share = areas / max(1.0, float(areas[1:].sum()))
    is_enclosed = (share > _MIN_PART_AREA) & (share < max_area) & (within > _MIN_EDGE_INSIDE) & is_framed
    is_enclosed[0] = False
    return cast(BoolMask, dilate(is_enclosed.astype(np.uint8)[labels], 3) == 1)


def _unclear_paint_error(target: Target) -> OperationError:
    sentence = Sentence("I can't tell the paint of the %(noun)s from its other parts.", noun=target.noun)
    return OperationError(Reason.LOW_CONFIDENCE, sentence, Sentence("Draw a box around each part to change."))
