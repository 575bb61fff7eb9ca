"""Finds the part of a thing that gets a new color, such as a car's paint but not its glass and tires."""

from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, oklab_from_8_bit
from editor.engine.errors import OperationError, mark
from editor.engine.kinds import CLASSES_OF_NOUN, LIVING, kinds_of
from editor.engine.pixels import working_copy
from editor.engine.plan import Reason, Target
from editor.engine.targets.color import likeness
from editor.engine.targets.complete_outlines import thing_in
from editor.engine.targets.detector import things_seen
from editor.engine.targets.exact import has_masks
from editor.engine.targets.marked import marked_boxes
from editor.engine.targets.masks import ALPHA_SIDE, connected_components, opened, upsample_mask
from editor.engine.targets.outlines import combine_outlines
from editor.engine.targets.things import exact_cut, target_things
from editor.engine.vision.things import SURE
from editor.imaging.picture import Bytes
from editor.sentences import Sentence

VEHICLES = frozenset(
    (*CLASSES_OF_NOUN["vehicle"], *CLASSES_OF_NOUN["bike"], "airplane", "train", "boat", "skateboard")
)
"""Kinds of things whose tires, glass, and metal keep their colors."""

_COLORFUL = 0.05  # minimum OKLab chroma at which a pixel has a hue
_VIVID = 0.2  # minimum OKLab chroma at which a pixel has a hue, as a share of its lightness
_BIN, _BINS = 5.0, 72  # width of a bin of the hue histogram, in degrees, and the number of bins
_MOSTLY = 0.7  # minimum share of a thing that must have one color for the whole thing to be recolored
_NEAR = 14.0
"""Maximum difference from the main hue, in degrees, at which a pixel fully belongs to the material."""
_FAR = 24.0  # difference from the main hue, in degrees, beyond which a pixel is a different material
_PALE = (0.35, 0.55)
"""Ratio of chroma to lightness, as a share of the material's usual ratio.

A pixel at the first value is not the material, and a pixel at the second value is.
"""
# Maximum difference from the main hue, in degrees, and minimum relative ratio of chroma to lightness. Both
# apply to pixels at the edge of a material, which are mixed with other colors.
_MIXED, _PALEST = 32.0, 0.15
# Maximum area of a piece of paint that a thing's mask lacks, as a share of all of the thing's paint.
_GAP = 0.1
# Minimum share of a piece's edge that must touch the rest of the paint. This minimum applies to pieces of
# paint that a thing's mask lacks.
_CONTACT = 0.2
_LEAST = 0.07  # minimum share of a vehicle that a color must cover to be its paint
_RIVAL = 0.6
"""Maximum area of another color, as a share of the paint's area, if the choice of the paint is clear."""
_LEFT = 0.25  # maximum area of unselected paint, as a share of the selected paint; more would look patchy
_RING = 15  # width and height, in pixels, of the dilation kernel for the ring around a thing
_GOES_ON = 0.6  # maximum share of the ring around a thing that may have the thing's color
_WHITE = 0.45  # minimum OKLab lightness of an uncolored paint, which is lighter than tires and glass
_SHADED = (0.68, 0.8)
"""Lightness, as a share of the paint's usual lightness.

A pixel at the first value is not paint, and a pixel at the second value is.
"""

type _Mask = NDArray[np.bool_]


class _Material(NamedTuple):
    """A `mask` of how much each pixel of a copy belongs to a material, from 0 to 1.

    `more` marks all pixels that may be the material. `sure` marks the pixels that certainly are the material;
    it is None for a material without a hue.
    """

    mask: Floats
    more: _Mask
    sure: _Mask | None = None


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
    free = cv2.resize(1 - _people(canvas), size, interpolation=cv2.INTER_AREA)
    own = cv2.resize(mask, size, interpolation=cv2.INTER_AREA) * free
    if not (own > 0.5).any():
        return mask
    material = (_paint if kinds & VEHICLES else _only_material)(small, own > 0.5, target)
    if material is None:
        return mask
    left = float((material.more & (own > 0.5) & (material.mask < 0.5)).sum())
    if left > _LEFT * float((material.mask * own).sum()):
        raise _unclear(target)
    if material.sure is not None:
        _require_end(material, own > 0.5, target)
    return upsample_mask(_completed(material, own) * np.minimum(1, 2 * free), canvas.picture)


def named(canvas: Canvas, target: Target) -> Target:
    """Return the target, with a noun if possible.

    If the target is a single marked box without a noun, the result has the noun of the thing in the box.
    """
    if target.noun or target.what != "region" or len(target.boxes) != 1:
        return target
    thing = thing_in(canvas, marked_boxes(canvas, target)[0])
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
    if float(np.median(_chroma(lab)[seeds])) < _COLORFUL:
        return np.minimum(upsample_mask(likeness(small, color, widely=True) * own, canvas.picture), mask)
    material = _of_hue(lab, _mean_hue(lab, seeds), seeds)
    _require_end(material, own > 0.5, target)
    return upsample_mask(_completed(material, own), canvas.picture)


def _completed(material: _Material, own: Floats) -> Floats:
    """Return the mask of a material in a thing, including its edge and pieces that the thing's mask lacks."""
    same, inside = material.mask > 0.5, own > 0.5
    core = same & inside
    rest = ((same if material.sure is None else material.sure) & ~inside).astype(np.uint8)
    labels, stats = connected_components(rest)
    count, near = len(stats), cv2.dilate(core.astype(np.uint8), np.ones((5, 5), np.uint8)) == 1
    rim = (rest == 1) & (cv2.erode(rest, np.ones((3, 3), np.uint8)) == 0)
    contact = np.bincount(labels[rim & near], minlength=count) / np.maximum(
        np.bincount(labels[rim], minlength=count), 1
    )
    is_gap = (stats[:, cv2.CC_STAT_AREA] < _GAP * core.sum()) & (contact > _CONTACT)
    is_gap[0] = False
    whole = cv2.dilate(np.maximum(own, is_gap[labels].astype(np.float32)), np.ones((5, 5), np.uint8))
    return material.mask * whole


def _require_end(material: _Material, inside: _Mask, target: Target) -> None:
    """Raise OperationError if a material continues beyond the outline of a thing.

    In that case, the outline is wrong.
    """
    own = (material.mask > 0.5) & inside
    around = cv2.dilate(own.astype(np.uint8), np.ones((_RING, _RING), np.uint8)) == 1
    beyond = around & (cv2.dilate(inside.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
    if float((material.mask[beyond] > 0.5).sum()) > _GOES_ON * float(beyond.sum()):
        sentence = Sentence(
            "I can't tell the %(noun)s from things of its color next to it.", noun=target.noun
        )
        raise OperationError(Reason.LOW_CONFIDENCE, sentence, mark(target.noun))


def is_seen_exactly(canvas: Canvas, target: Target) -> bool:
    """Return whether all things that a target refers to have exact outlines."""
    meant = target_things(canvas, target)
    return all(exact_cut(canvas, thing, meant) for thing in meant)


def _people(canvas: Canvas) -> Floats:
    """Return the mask of people and animals, which may be in front of a vehicle or inside it."""
    living = [thing for thing in things_seen(canvas) if thing.kind in LIVING and thing.score >= SURE]
    cuts = [cut for thing in living if (cut := exact_cut(canvas, thing))]
    return combine_outlines(canvas.picture, cuts)


def _paint(small: Bytes, inside: _Mask, target: Target) -> _Material:
    """Return the paint of a vehicle: its main hue, or else everything much lighter than tires and glass."""
    lab = oklab_from_8_bit(small)
    is_colorful, seeds = _main_hue(lab, inside)
    share = float(seeds.sum())
    if share < _LEAST * float(inside.sum()):
        return _uncolored(lab, inside, target)
    main = _mean_hue(lab, seeds)
    if float((is_colorful & (_apart(_hue(lab), main) > _FAR)).sum()) > _RIVAL * share:
        raise _several_colors(target)
    return _of_hue(lab, main, seeds)


def _only_material(small: Bytes, inside: _Mask, target: Target) -> _Material | None:
    """Return None if a thing has about one color, which means that the whole thing can be recolored.

    Otherwise, raise OperationError.
    """
    lab = oklab_from_8_bit(small)
    is_colorful, seeds = _main_hue(lab, inside)
    share, whole = float(is_colorful.sum()), float(inside.sum())
    is_of_one_hue = float(seeds.sum()) > _MOSTLY * share
    is_colored = is_of_one_hue and float((is_colorful | _paler(lab, seeds, inside)).sum()) > _MOSTLY * whole
    is_gray = share < (1 - _MOSTLY) * whole
    if not (is_colored or is_gray):
        raise _several_colors(target)
    return None


def _paler(lab: Floats, seeds: _Mask, inside: _Mask) -> _Mask:
    """Return a mask of a thing's pixels that have the hue of the seeds, even where light makes them paler."""
    return inside & (_chroma(lab) > _COLORFUL) & (_apart(_hue(lab), _mean_hue(lab, seeds)) < _NEAR)


def _main_hue(lab: Floats, inside: _Mask) -> tuple[_Mask, _Mask]:
    """Return two masks of a thing's pixels: those that have any hue, and those that have the main hue."""
    chroma, hue = _chroma(lab), _hue(lab)
    is_colorful = inside & (chroma > _COLORFUL) & (chroma > _VIVID * lab[:, :, 0])
    weights = np.bincount((hue[is_colorful] // _BIN).astype(int) % _BINS, chroma[is_colorful], _BINS)
    spread = np.sum([np.roll(weights, turn) for turn in (-2, -1, 0, 1, 2)], axis=0)
    main = (int(np.argmax(spread)) + 0.5) * _BIN
    return is_colorful, is_colorful & (_apart(hue, main) < _NEAR)


def _several_colors(target: Target) -> OperationError:
    sentence = Sentence(
        "The %(noun)s has several colors, so I can't tell which one to change.", noun=target.noun
    )
    hint = Sentence("Name the color to change, for example “the red %(noun)s”.", noun=target.noun)
    return OperationError(Reason.AMBIGUOUS, sentence, hint)


def _of_hue(lab: Floats, main: float, seeds: _Mask) -> _Material:
    """Return the pixels of the material that has a hue, in light and shade.

    The chroma of a material is roughly proportional to its lightness, so the ratio of chroma to lightness is
    compared.
    """
    ratio = _chroma(lab) / np.maximum(lab[:, :, 0], np.float32(0.08))
    usual = max(float(np.median(ratio[seeds])), 1e-3)
    near = np.clip((_FAR - _apart(_hue(lab), main)) / (_FAR - _NEAR), 0, 1)
    low, high = (share * usual for share in _PALE)
    likely = near * np.clip((ratio - low) / (high - low), 0, 1)
    # Pixels at an edge are mixed with other colors. These pixels are included, so that no rim of the old
    # color remains.
    core = opened((likely > 0.5).astype(np.uint8), 3)
    edge = cv2.dilate(core, np.ones((5, 5), np.uint8)) == 1
    is_mixed = (_apart(_hue(lab), main) < _MIXED) & (ratio > _PALEST * usual)
    mask = cv2.GaussianBlur(np.maximum(likely, edge & is_mixed).astype(np.float32), (0, 0), 0.7)
    is_sure = (_apart(_hue(lab), main) < _NEAR) & (ratio > high)
    return _Material(mask, near.astype(bool) & (ratio > high), is_sure)


def _uncolored(lab: Floats, inside: _Mask, target: Target) -> _Material:
    light = lab[:, :, 0]
    bright = inside & (light > _WHITE)
    if float(bright.sum()) < 0.4 * float(inside.sum()):
        raise _unclear(target)
    usual = float(np.median(light[bright]))
    low, high = (share * usual for share in _SHADED)
    likely = np.clip((light - low) / (high - low), 0, 1) * (_chroma(lab) < 1.5 * _COLORFUL)
    mask = cv2.GaussianBlur(likely.astype(np.float32), (0, 0), 0.7)
    return _Material(mask, np.zeros(light.shape, bool))


def _unclear(target: Target) -> OperationError:
    sentence = Sentence("I can't tell the paint of the %(noun)s from its other parts.", noun=target.noun)
    return OperationError(Reason.LOW_CONFIDENCE, sentence, Sentence("Draw a box around each part to change."))


def _chroma(lab: Floats) -> Floats:
    return np.hypot(lab[:, :, 1], lab[:, :, 2])


def _hue(lab: Floats) -> Floats:
    return np.degrees(np.arctan2(lab[:, :, 2], lab[:, :, 1])) % 360


def _apart(hue: Floats, other: float) -> Floats:
    return np.abs((hue - other + 180) % 360 - 180)


def _mean_hue(lab: Floats, where: _Mask) -> float:
    a, b = (float(lab[:, :, channel][where].mean()) for channel in (1, 2))
    return float(np.degrees(np.arctan2(b, a))) % 360
