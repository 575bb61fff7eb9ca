"""Measure the lettering in a marked box: its strokes, lines, color, softness, and background."""

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple, cast

import cv2
import numpy as np

from editor.engine.colors import Floats, cielab
from editor.engine.errors import OperationError
from editor.engine.masks import (
    BoolMask,
    boxes_of,
    boxes_to_mask,
    connected_components,
    means_of,
    surface_terms,
)
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason
from editor.engine.targets.baselines import (
    MARK_LETTERS,
    MIN_LETTER_PIXELS,
    MIN_TALL_SHARE,
    NO_LETTERS,
    BaseLine,
    find_base_lines,
)
from editor.engine.targets.shades import few_colors
from editor.imaging.picture import Bytes, Picture

_WORKING_PIXELS = 1400  # longer side, in pixels, of the working copy of an examined box
_VIEW_MARGIN = 0.35  # margin around the examined box, as a share of the box's shorter side
_MIN_SHARE_IN_BOX = 0.6  # minimum share of a letter that must be inside the box
_MIN_CONTRAST = 18.0  # minimum CIE 1976 color difference between a stroke and its background
# Minimum ratio of a stroke's color difference from the background to the background's variation.
_MIN_CONTRAST_RATIO = 2.2
_MIN_BACKGROUND_SHARE = 0.34  # minimum share of the box that an even background covers
# Minimum color variation of a busy background, on which only letters of one color can be found.
_MIN_BUSY_VARIATION = 16.0
_FIT_ROUNDS = 6  # number of times that the background's gradient is fitted
_MAX_DOT_HEIGHT = 0.22  # maximum height of a dot, as a share of the tallest letter's height
# Maximum area of a wide letter, as a share of its bounding rectangle; a block fills more.
_MAX_FILLED_SHARE = 0.68
_MEASURED_PIXELS = 1600  # approximate size, in pixels, to which strokes are enlarged before they are measured
_MAX_COLOR_DISTANCE = 60.0  # maximum RGB distance, in levels, of a pixel from the letters' usual color
# Maximum width, in pixels, of thin strokes, whose sides let the background show through.
_MAX_THIN_PIXELS = 6.0
_INNER_QUANTILE = 0.8  # quantile of the pixels' depth in the strokes above which the color is measured
_FILTER_SOFTNESS = 0.55  # squared softness, in square pixels, that the Sobel filter itself causes
# Maximum variation of an even background (twice its median difference from a gradient).
_MAX_EVEN_VARIATION = 7.0
_MAX_SAME_DIFFERENCE = 24.0  # maximum CIE 1976 color difference between colors that count as the same
_MIN_MAIN_COLOR_SHARE = 0.4  # minimum share of the letters that must have their main color
_MAX_SAMPLES = 6000  # maximum number of pixels that are sampled to find the colors of a box
_COLOR_COUNT = 6  # number of colors to find in a box with a busy background
_MIN_SHARE_IN_LETTERS = 0.7  # minimum share of all pixels in the letters' color that belong to the letters
# Maximum median color difference of letters from their color on a busy background.
_MAX_PLAIN_DIFFERENCE = 7.0
_MIN_BOX_SHARE = 0.22  # minimum share of the box that the bounding rectangle of the letters covers
_MIN_INK_SHARE = 0.03  # minimum share of the box that the strokes of the letters cover
_FEW_LETTERS_OR_LINES = 3  # minimum number of letters, and maximum number of lines, on a busy background
_MIN_SHARE_ON_BASE = 0.5  # minimum share of the letters that must be on a baseline
# Minimum and maximum width of strokes, as a share of the height of their letters.
_STROKE_WIDTH_RANGE = (0.055, 0.36)
_MAX_MEAN_DIFFERENCE = 16.0  # maximum mean CIE 1976 color difference of the letters from their median color
_MAX_HOLEY_SHARE = 0.3  # maximum share of the letters that may have more holes than real letters have
_MIN_GRADIENT_PIXELS = 200  # minimum number of pixels to which a color gradient over the letters is fitted


class _LetterMasks(NamedTuple):
    """The letters found in a box.

    `strokes` is a 0/1 mask of the letters. `ink` also includes everything attached to them, such as outlines.
    `difference` is the color difference between each pixel and the background. `is_calm` is true if the
    background is even except for grain.
    """

    strokes: Bytes
    ink: Bytes
    difference: Floats
    is_calm: bool


@dataclass(frozen=True, eq=False)
class Lettering:
    """The measured lettering in a box.

    `view` is the part of the photo that contains the letters, and `scale` is the number of pixels of
    `strokes` per pixel of the photo. `strokes` is a 0/1 mask of the letters, and `ink` also includes their
    outlines. `turn` (2 x 3) maps the horizontal and vertical coordinates of the lines to pixels of `strokes`.
    """

    view: Box
    scale: float
    strokes: Bytes
    ink: Bytes
    turn: Floats
    lines: tuple[BaseLine, ...]
    stroke_width: float
    softness: float
    colors: Floats
    """Red, green, and blue, from 0 to 255, as linear functions of the position (3 x 3).

    The rows are the coefficients of 1, x, and y, with x and y in pixels of `strokes`.
    """
    is_calm: bool
    """Whether the background is even except for its grain."""


def lettering_in_box(picture: Picture, box: Box) -> Lettering:
    """Return the lettering in a box.

    Raises OperationError if no letters stand out from the background or if nothing in the box looks like
    letters.
    """
    reach = _VIEW_MARGIN * min(box.width, box.height) + 4
    view = box.padded(reach, picture.width, picture.height)
    small = working_copy(Picture(picture.pixels[view.slices]), _WORKING_PIXELS)
    scale = small.shape[1] / view.width
    inner = box.seen_from(view).sized(scale)
    strokes, ink, difference, is_calm = _find_letters(small, inner)
    turn, lines = find_base_lines(strokes)
    width = width_of_strokes(strokes)
    if not (_is_box_filled(strokes, inner) and _is_lettering(small, strokes, lines, width)):
        raise OperationError(Reason.LOW_CONFIDENCE, NO_LETTERS, MARK_LETTERS)
    return Lettering(
        view,
        scale,
        strokes,
        ink,
        turn,
        lines,
        stroke_width=width,
        softness=_softness(difference, strokes),
        colors=_letter_colors(small, strokes, difference, width),
        is_calm=is_calm,
    )


def _find_letters(small: Bytes, inner: Box) -> _LetterMasks:
    """Find the letters in a box: in one color on any background, or in several colors on an even one."""
    lab = cielab(small)
    difference, spread, share = _difference_from_background(lab, inner)
    part = difference[inner.slices]
    split, _ = cv2.threshold(np.clip(part * 2, 0, 255).astype(np.uint8), 0, 1, cv2.THRESH_OTSU)
    raised = (difference > max(_MIN_CONTRAST, _MIN_CONTRAST_RATIO * spread, split / 2)).astype(np.uint8)
    letters = _letter_pieces(raised, inner)
    if share < _MIN_BACKGROUND_SHARE or spread >= _MIN_BUSY_VARIATION or not letters.any():
        return _letters_on_busy_background(lab, inner)
    depth = cv2.distanceTransform(letters, cv2.DIST_L2, 3)
    core = (letters == 1) & (depth >= np.quantile(depth[letters == 1], _INNER_QUANTILE))
    unlike = np.linalg.norm(lab - np.median(lab[core], 0), axis=2)
    alike = raised & (unlike < max(_MAX_SAME_DIFFERENCE, float(np.median(difference[core])) / 2))
    # Prefer the letters without their outlines and without objects that touch them.
    filled = _letter_pieces(alike.astype(np.uint8), inner)
    strokes = filled if filled.sum() > _MIN_MAIN_COLOR_SHARE * letters.sum() else letters
    inside = alike[inner.slices]
    if strokes is filled and strokes.sum() < _MIN_SHARE_IN_LETTERS * inside.sum():
        raise OperationError(Reason.LOW_CONFIDENCE, NO_LETTERS, MARK_LETTERS)
    return _LetterMasks(strokes, letters | strokes, difference, spread < _MAX_EVEN_VARIATION)


def _letters_on_busy_background(lab: Floats, inner: Box) -> _LetterMasks:
    """Find letters of one color on a busy background.

    Raises OperationError if no color in the box forms a line of letters.
    """
    part = lab[inner.slices].reshape(-1, 3)
    colors = few_colors(part[:: max(1, len(part) // _MAX_SAMPLES)], _COLOR_COUNT)[1]
    best: _LetterMasks | None = None
    for color in colors:
        unlike = np.linalg.norm(lab - color, axis=2).astype(np.float32)
        alike = (unlike < _MAX_SAME_DIFFERENCE).astype(np.uint8)
        letters = _letter_pieces(alike, inner)
        is_more = letters.any() and (best is None or letters.sum() > best.strokes.sum())
        if is_more and _is_one_color(letters, alike, unlike, inner) and _is_in_lines(letters):
            difference = np.clip(float(np.median(unlike)) - unlike, 0, None)
            best = _LetterMasks(letters, letters, difference, is_calm=False)
    if best is None:
        raise OperationError(Reason.LOW_CONFIDENCE, NO_LETTERS, MARK_LETTERS)
    return best


def _is_one_color(letters: Bytes, alike: Bytes, unlike: Floats, inner: Box) -> bool:
    """Return whether the letters have one color that hardly occurs elsewhere in the box."""
    rest = alike[inner.slices].sum()
    return bool(
        letters.sum() > _MIN_SHARE_IN_LETTERS * rest
        and np.median(unlike[letters == 1]) < _MAX_PLAIN_DIFFERENCE
    )


def _is_in_lines(letters: Bytes) -> bool:
    """Return whether there are enough letters and most of them are on their baselines."""
    if not letters.any():
        return False
    with suppress(OperationError):
        lines = find_base_lines(letters)[1]
        count = sum(line.count for line in lines)
        return (
            count >= _FEW_LETTERS_OR_LINES
            and sum(line.on_base for line in lines) >= _MIN_SHARE_ON_BASE * count
            and len(lines) <= _FEW_LETTERS_OR_LINES
        )
    return False


def _difference_from_background(lab: Floats, inner: Box) -> tuple[Floats, float, float]:
    """Fit a smooth gradient to the background, whose color is first estimated along the box's sides.

    Return the color difference of each pixel from the gradient, the variation of the background itself, and
    the share of the box that is background.
    """
    terms, box = surface_terms(*lab.shape[:2]), boxes_to_mask([inner], lab.shape) == 1
    difference = np.linalg.norm(lab - _color_along_the_sides(lab, inner), axis=2)
    limit = 25.0
    for _ in range(_FIT_ROUNDS):
        known = box & (difference < limit)
        if known.sum() < 24:
            return difference, limit, 0.0
        factors = np.linalg.lstsq(terms[known], lab[known], rcond=None)[0]
        difference = np.linalg.norm(lab - terms @ factors, axis=2)
        limit = float(np.clip(4 * np.median(difference[known]), 8, 25))
    known = box & (difference < limit)
    return (
        difference.astype(np.float32),
        float(2 * np.median(difference[known])),
        float(known.sum() / box.sum()),
    )


def _color_along_the_sides(lab: Floats, inner: Box) -> Floats:
    depth = max(1, round(0.06 * min(inner.width, inner.height)))
    part = lab[inner.slices]
    sides = (part[:depth], part[-depth:], part[:, :depth], part[:, -depth:])
    return cast(Floats, np.median(np.concatenate([side.reshape(-1, 3) for side in sides]), 0))


def _letter_pieces(raised: Bytes, inner: Box) -> Bytes:
    """Return a 0/1 mask of the pieces that are mostly inside the box and have the shape of letters."""
    labels, stats = connected_components(raised)
    height, width = raised.shape
    left, top, wide, tall, area = (stats[:, at] for at in range(5))
    inside = np.bincount(labels[inner.slices].ravel(), minlength=len(stats))
    kept = (inside >= _MIN_SHARE_IN_BOX * area) & (area >= 4)
    kept &= (left > 0) & (top > 0) & (left + wide < width) & (top + tall < height)
    kept[0] = False
    tallest = tall[kept].max(initial=0)
    is_block = (
        (area > _MAX_FILLED_SHARE * wide * tall) & (wide > 0.5 * tall) & (tall > _MAX_DOT_HEIGHT * tallest)
    )
    kept &= ~(is_block & (wide > 2.5 * tall))
    kept &= (tall > 0.06 * tallest) | (wide > 0.06 * tallest)
    return np.isin(labels, np.flatnonzero(kept)).astype(np.uint8)


def _is_box_filled(strokes: Bytes, inner: Box) -> bool:
    """Return whether the letters fill the box. If they do not, they may be only specks on something else."""
    width, height = cv2.boundingRect(strokes)[2:]
    return width * height > _MIN_BOX_SHARE * inner.area and float(strokes.sum()) > _MIN_INK_SHARE * inner.area


def _is_lettering(small: Bytes, strokes: Bytes, lines: tuple[BaseLine, ...], width: float) -> bool:
    """Return whether the strokes can be letters.

    Real letters have a uniform color and stroke width. Disks, smears, and clutter are rejected.
    """
    tall = float(np.median([line.height for line in lines]))
    labels, stats = connected_components(strokes)
    large = [at for at in range(1, len(stats)) if max(stats[at, 2:4]) > MIN_TALL_SHARE * tall]
    glyphs = [labels[box.slices] == at for box, at in zip(boxes_of(stats[large]), large, strict=True)]
    shares = stats[large, cv2.CC_STAT_AREA] / stats[large, cv2.CC_STAT_AREA].sum()
    colors = means_of(cielab(small), labels, len(stats))[large]
    uneven = float(np.linalg.norm(colors - np.median(colors, 0), axis=1) @ shares)
    holey = float(np.array([_has_too_many_holes(glyph) for glyph in glyphs]) @ shares)
    count, on_base = sum(line.count for line in lines), sum(line.on_base for line in lines)
    is_level = count <= _FEW_LETTERS_OR_LINES or on_base >= _MIN_SHARE_ON_BASE * count
    is_level &= len(lines) == 1 or count >= _FEW_LETTERS_OR_LINES * len(lines)
    is_plain = uneven < _MAX_MEAN_DIFFERENCE and holey < _MAX_HOLEY_SHARE
    return (
        is_level
        and is_plain
        and _STROKE_WIDTH_RANGE[0] < width / tall < _STROKE_WIDTH_RANGE[1]
        and tall >= MIN_LETTER_PIXELS
    )


def _has_too_many_holes(glyph: BoolMask) -> bool:
    """Return whether a piece has more holes than a letter or a few joined letters can have."""
    around = np.pad(1 - glyph.astype(np.uint8), 1, constant_values=1)
    holes = int((connected_components(around)[1][1:, cv2.CC_STAT_AREA] > 1).sum()) - 1
    return bool(holes > 2 + glyph.shape[1] / glyph.shape[0])


def width_of_strokes(strokes: Bytes) -> float:
    """Return the usual width, in pixels, of the strokes in a 0/1 mask.

    On average, the pixels of a stroke are a quarter of the stroke's width away from its sides.
    """
    times = max(1, min(4, _MEASURED_PIXELS // max(strokes.shape)))
    large = cv2.resize(strokes * np.uint8(255), None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR)
    inside = np.pad((large > 127).astype(np.uint8), 1)
    distance = cv2.distanceTransform(inside, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) - np.float32(0.5)
    return 4 * float(distance[inside == 1].mean()) / times if inside.any() else 1.0


def _softness(difference: Floats, strokes: Bytes) -> float:
    """Return the blur of the letters' edges, as the sigma of a Gaussian in pixels."""
    across = cv2.Sobel(difference, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(difference, cv2.CV_32F, 0, 1, scale=1 / 8)
    edge = cv2.morphologyEx(strokes, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) == 1
    contrast = float(np.quantile(difference[strokes == 1], 0.9))
    steep = float(np.quantile(np.hypot(across, down)[edge], 0.85))
    seen = contrast / max(steep, 1e-3) / np.sqrt(2 * np.pi)
    return float(np.sqrt(np.clip(seen**2 - _FILTER_SOFTNESS, 0, 36)))


def _letter_colors(small: Bytes, strokes: Bytes, difference: Floats, width: float) -> Floats:
    """Return the color of the letters as linear functions over the view.

    The color is measured only where the background does not show through the letters.
    """
    depth = difference if width < _MAX_THIN_PIXELS else cv2.distanceTransform(strokes, cv2.DIST_L2, 3)
    y, x = np.nonzero((strokes == 1) & (depth >= np.quantile(depth[strokes == 1], _INNER_QUANTILE)))
    colors = small[y, x].astype(np.float32)
    usual = np.median(colors, 0)
    planes = np.zeros((3, 3), np.float32)
    planes[0] = usual
    near = np.linalg.norm(colors - usual, axis=1) < _MAX_COLOR_DISTANCE
    if near.sum() >= _MIN_GRADIENT_PIXELS:
        terms = np.stack([np.ones(len(x)), x, y], 1).astype(np.float32)[near]
        planes = np.linalg.lstsq(terms, colors[near], rcond=None)[0].astype(np.float32)
    return planes
