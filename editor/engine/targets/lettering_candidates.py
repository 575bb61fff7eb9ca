"""Find lettering on a photo by the strokes, the size, and the uniform color of its glyphs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats, cielab, ramp
from editor.engine.masks import boxes_of, connected_components, means_of
from editor.engine.pixels import Box
from editor.imaging.picture import Bytes

# The longest side, in pixels, of the working copy that is searched for lettering.
LETTERING_PIXELS = 1600

MIN_CONFIDENCE = 0.45  # minimum confidence of a line if the user says that there is lettering
# Minimum and maximum height of a glyph, as shares of the photo's shorter side.
_GLYPH_HEIGHT_RANGE = (0.012, 0.09)
_MIN_GLYPH_PIXELS = 7  # minimum height of a glyph, in pixels; smaller letters look like texture
_MIN_CONTRAST_LEVELS = 28  # minimum contrast of strokes, in levels from 0 to 255
# Maximum CIE 1976 color difference between a glyph and the mean color of its line.
_MAX_COLOR_DIFFERENCE = 26.0
_MIN_GLYPHS = 4  # minimum number of glyphs in a line
_SMALL_LETTER_HEIGHT = 0.74  # height of small letters, as a share of the height of capitals and digits


@dataclass(frozen=True, eq=False)
class LetteringCandidate:
    """A line of lettering, with its bounding box on the working copy and its confidence from 0 to 1.

    `glyphs` is a 0/1 mask of the letters, on the working copy.
    """

    box: Box
    glyphs: Bytes
    confidence: float


def find_lettering(small: Bytes, allowed: Bytes | None = None) -> list[LetteringCandidate]:
    """Return the lines of lettering on an RGB working copy, best first, and only where `allowed` is 1."""
    planes = raised_planes(small, max(9, round(0.02 * min(small.shape[:2])) | 1))
    candidates = [candidate for plane in planes for candidate in _candidates_in(plane, small, allowed)]
    return sorted(candidates, key=lambda candidate: -candidate.confidence)


def raised_planes(small: Bytes, side: int) -> Iterator[Bytes]:
    """Yield four maps of how much each pixel is brighter, darker, warmer, or cooler than its surroundings.

    `side` is the maximum width, in pixels, of details that stand out.
    """
    light = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    warm = cv2.addWeighted(small[:, :, 0], 0.5, 255 - small[:, :, 2], 0.5, 0)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    for plane in (light, warm):
        for how in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT):
            yield cast(Bytes, cv2.morphologyEx(plane, how, kernel))


def _candidates_in(plane: Bytes, small: Bytes, allowed: Bytes | None) -> Iterator[LetteringCandidate]:
    strokes = (plane > _MIN_CONTRAST_LEVELS).astype(np.uint8)
    if allowed is not None:
        strokes &= allowed
    labels, stats = connected_components(strokes)
    numbers = _glyph_numbers(stats, min(plane.shape))
    colors = means_of(cielab(small), labels, len(stats))
    for group in _group_glyphs(numbers, stats, colors):
        box = Box.holding(boxes_of(stats[group]))
        glyphs = np.isin(labels, group).astype(np.uint8)
        yield LetteringCandidate(box, glyphs, _confidence(stats[group], colors[group]))


def _glyph_numbers(stats: NDArray[np.int32], side: int) -> NDArray[np.intp]:
    """Return the numbers of the pieces that have the size and shape of a letter or digit."""
    width, height, area = (stats[:, at] for at in (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT, cv2.CC_STAT_AREA))
    min_height, max_height = (
        max(_MIN_GLYPH_PIXELS, _GLYPH_HEIGHT_RANGE[0] * side),
        _GLYPH_HEIGHT_RANGE[1] * side,
    )
    fits = (
        (height >= min_height) & (height <= max_height) & (width <= 1.6 * height) & (width >= 0.08 * height)
    )
    fits &= (area > 0.12 * width * height) & (area < 0.95 * width * height + 6)
    fits[0] = False
    return np.flatnonzero(fits)


def _group_glyphs(
    numbers: NDArray[np.intp], stats: NDArray[np.int32], colors: Floats
) -> Iterator[NDArray[np.intp]]:
    """Yield groups of adjacent pieces on one line that have similar heights and colors."""
    left = set(numbers.tolist())
    for start in sorted(left, key=lambda number: int(stats[number, cv2.CC_STAT_LEFT])):
        if start not in left:
            continue
        group = [start]
        left.discard(start)
        for number in sorted(left, key=lambda number: int(stats[number, cv2.CC_STAT_LEFT])):
            if _is_next_glyph(stats[group[-1]].tolist(), stats[number].tolist()) and _has_like_color(
                colors[group].mean(0), colors[number]
            ):
                group.append(number)
                left.discard(number)
        if len(group) >= _MIN_GLYPHS:
            yield np.array(group, np.intp)


def _is_next_glyph(last: list[int], following: list[int]) -> bool:
    """Return whether a piece follows the previous one on the same line without a large gap."""
    left, top, width, height, _ = last
    next_left, next_top, _, next_height, _ = following
    tall = max(height, next_height)
    same_foot = abs((top + height) - (next_top + next_height)) <= 0.22 * tall
    same_height = min(height, next_height) >= 0.55 * tall
    gap = next_left - (left + width)
    return same_foot and same_height and -0.3 * tall <= gap <= 1.6 * tall


def _has_like_color(one: Floats, other: Floats) -> bool:
    return float(np.linalg.norm(one - other)) < _MAX_COLOR_DIFFERENCE


def _confidence(stats: NDArray[np.int32], colors: Floats) -> float:
    """Return a score from 0 to 1 for whether a group of glyphs is lettering.

    Lettering has many glyphs of one color on a level line. Ornaments and leaves vary more.
    """
    heights = stats[:, cv2.CC_STAT_HEIGHT].astype(np.float64)
    feet = stats[:, cv2.CC_STAT_TOP] + heights
    slope, start = np.polyfit(stats[:, 0], feet, 1)
    offsets = np.abs(feet - start - slope * stats[:, 0]) / heights.mean()
    uneven = float(np.median(np.linalg.norm(colors - np.median(colors, 0), axis=1)))
    many = min(1.0, (len(stats) - 2) / 4)
    common = many * ramp(abs(float(slope)), 0.15, 0.04) * ramp(uneven, 14, 3)
    return common * max(_capitals_score(heights, offsets), _words_score(heights, offsets))


def _capitals_score(heights: NDArray[np.float64], offsets: NDArray[np.float64]) -> float:
    """Return a score from 0 to 1 for whether all glyphs have the same height, as digits and capitals do."""
    unlike = float(np.median(np.abs(heights - np.median(heights))) / heights.mean())
    return ramp(float(offsets.mean()), 0.12, 0.03) * ramp(unlike, 0.2, 0.03)


def _words_score(heights: NDArray[np.float64], offsets: NDArray[np.float64]) -> float:
    """Return a score from 0 to 1 for whether the glyphs have the two heights of letters in words.

    The score of too few glyphs is 0, because they may match by accident.
    """
    if len(heights) < _MIN_GLYPHS + 2:
        return 0.0
    shares = heights[:, None] / heights[None]  # try each glyph as the tallest one
    unlike = np.minimum(np.abs(shares - 1), np.abs(shares - _SMALL_LETTER_HEIGHT)).mean(0).min()
    return ramp(float(np.median(offsets)), 0.1, 0.03) * ramp(float(unlike), 0.1, 0.03)
