"""What is written in a marked box: the strokes that stand out of their ground, the lines they stand on, their
color, and how soft and grainy they are."""

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats, cielab
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason
from editor.engine.refused import Unable
from editor.engine.targets.baselines import LEAST_HEIGHT, MARK_LETTERS, NO_LETTERS, TALL, Line, lines_of
from editor.engine.targets.masks import boxes_of, held_by, means_of, pieces, surface_terms
from editor.engine.targets.shades import few_colors
from editor.imaging.picture import Bytes, Picture

_WORKING_PIXELS = 1400  # the longer side of the copy of a box that is looked at
_AROUND = 0.35  # of the box's shorter side: what reaches so far out of it is no letter
_INSIDE = 0.6  # of a letter lies in the box
_LEAST_CONTRAST = 18.0  # CIE 1976 color difference from the ground
_CLEAR = 2.2  # times the spread of the ground: so far its strokes stand out of it
_CALM = 0.34  # of the box is its ground
_BUSY = 16.0  # of that spread: on such a ground only letters of one color are told from it
_ROUNDS = 6
_SPECK = 0.22  # of the tallest letter: smaller pieces are dots
_FILLING = 0.68  # of its own rectangle: a piece that fills more is a block, unless it is as narrow as an I
_FINE = 1600  # pixels: strokes are measured on about so many
_ONE_COLOR = 60.0  # levels
_THIN = 6.0  # pixels: in thinner strokes the ground shines through at their sides
_INNERMOST = 0.8  # of the strokes is not: the color is that of the rest
_OF_THE_FILTER = 0.55  # of the squared softness that is seen: Sobel's own
_EVEN_GROUND = 7.0  # twice the usual CIE 1976 color difference of the ground from its own course
_SAME = 24.0  # CIE 1976 color difference: of one color
_MOST = 0.4  # of what stands out: so much is of the letters' color
_SAMPLE = 6000  # pixels that show the colors of a box
_COLORS = 6  # how many colors these are
_NEARLY_ALL = 0.7  # of what has the letters' color in the box
_PLAIN = 7.0  # CIE 1976 color difference: what was set over a photo varies by less
_OF_THE_BOX = 0.22  # of the box: so much the letters take with what is between them
_INK = 0.03  # of the box: so much is in their strokes
_FEW = 3  # letters at least, and lines at most, on a busy ground
_ON_BASE = 0.5
_STROKES = (0.055, 0.36)  # how wide strokes are by the height of their letters
_EVEN = 16.0  # CIE 1976 color difference: how far the letters may be from their usual color
_RIDDLED = 0.3  # of the letters: so much may have more holes than letters have
_ENOUGH = 200  # pixels that show how a color changes over the letters


class _Found(NamedTuple):
    """Letters (0/1), the same with all that belongs to them, how far each pixel is from their ground, and
    whether that is even but for grain."""

    strokes: Bytes
    ink: Bytes
    apart: Floats
    is_calm: bool


@dataclass(frozen=True, eq=False)
class Inscription:
    """The letters of a box. `strokes` (0/1) lie in `view` of the photo, with `scale` pixels for each of its;
    `ink` is all of them with their outlines. `turn` (2 x 3) leads from the frame of the lines, across and
    down, to `strokes`."""

    view: Box
    scale: float
    strokes: Bytes
    ink: Bytes
    turn: Floats
    lines: tuple[Line, ...]
    stroke_width: float
    softness: float
    colors: Floats
    """Red, green and blue, 0 to 255, as planes over the view (3 x 3): of 1, x and y in its pixels."""
    is_calm: bool
    """Whether the ground is even but for its grain."""


def inscription_in(picture: Picture, box: Box) -> Inscription:
    """What is written in a box. Unable where no letters stand out of their ground, or too steeply."""
    reach = _AROUND * min(box.width, box.height) + 4
    view = box.widened(reach, picture.width, picture.height)
    small = working_copy(Picture(picture.pixels[view.part]), _WORKING_PIXELS)
    scale = small.shape[1] / view.width
    inner = box.seen_from(view).sized(scale)
    strokes, ink, apart, is_calm = _strokes(small, inner)
    turn, lines = lines_of(strokes)
    width = width_of_strokes(strokes)
    if not (_fills(strokes, inner) and _looks_written(small, strokes, lines, width)):
        raise Unable(Reason.LOW_CONFIDENCE, NO_LETTERS, MARK_LETTERS)
    return Inscription(
        view,
        scale,
        strokes,
        ink,
        turn,
        lines,
        stroke_width=width,
        softness=_softness(apart, strokes),
        colors=_colors(small, strokes, apart, width),
        is_calm=is_calm,
    )


def _strokes(small: Bytes, inner: Box) -> _Found:
    """The letters: of one color, on an even ground or on any."""
    lab = cielab(small)
    apart, spread, share = _from_the_ground(lab, inner)
    part = apart[inner.part]
    split, _ = cv2.threshold(np.clip(part * 2, 0, 255).astype(np.uint8), 0, 1, cv2.THRESH_OTSU)
    raised = (apart > max(_LEAST_CONTRAST, _CLEAR * spread, split / 2)).astype(np.uint8)
    letters = _letters(raised, inner)
    if share < _CALM or spread >= _BUSY or not letters.any():
        return _set_over(lab, inner)
    depth = cv2.distanceTransform(letters, cv2.DIST_L2, 3)
    core = (letters == 1) & (depth >= np.quantile(depth[letters == 1], _INNERMOST))
    unlike = np.linalg.norm(lab - np.median(lab[core], 0), axis=2)
    alike = raised & (unlike < max(_SAME, float(np.median(apart[core])) / 2))
    filled = _letters(alike.astype(np.uint8), inner)  # without what they touch, and without their outlines
    strokes = filled if filled.sum() > _MOST * letters.sum() else letters
    inside = alike[inner.part]
    if strokes is filled and strokes.sum() < _NEARLY_ALL * inside.sum():
        raise Unable(Reason.LOW_CONFIDENCE, NO_LETTERS, MARK_LETTERS)
    return _Found(strokes, letters | strokes, apart, spread < _EVEN_GROUND)


def _set_over(lab: Floats, inner: Box) -> _Found:
    """Letters of one color on a busy ground. Unable where no color of the box forms a line of letters."""
    part = lab[inner.part].reshape(-1, 3)
    colors = few_colors(part[:: max(1, len(part) // _SAMPLE)], _COLORS)[1]
    best: _Found | None = None
    for color in colors:
        unlike = np.linalg.norm(lab - color, axis=2).astype(np.float32)
        alike = (unlike < _SAME).astype(np.uint8)
        letters = _letters(alike, inner)
        is_more = letters.any() and (best is None or letters.sum() > best.strokes.sum())
        if is_more and _are_plain(letters, alike, unlike, inner) and _are_in_line(letters):
            apart = np.clip(float(np.median(unlike)) - unlike, 0, None)
            best = _Found(letters, letters, apart, is_calm=False)
    if best is None:
        raise Unable(Reason.LOW_CONFIDENCE, NO_LETTERS, MARK_LETTERS)
    return best


def _are_plain(letters: Bytes, alike: Bytes, unlike: Floats, inner: Box) -> bool:
    """Whether they are of one color, and nearly all that has it in the box."""
    rest = alike[inner.part].sum()
    return bool(letters.sum() > _NEARLY_ALL * rest and np.median(unlike[letters == 1]) < _PLAIN)


def _are_in_line(letters: Bytes) -> bool:
    """Whether there are enough of them, most on their base lines."""
    if not letters.any():
        return False
    with suppress(Unable):
        lines = lines_of(letters)[1]
        count = sum(line.count for line in lines)
        return (
            count >= _FEW and sum(line.on_base for line in lines) >= _ON_BASE * count and len(lines) <= _FEW
        )
    return False


def _from_the_ground(lab: Floats, inner: Box) -> tuple[Floats, float, float]:
    """How far each pixel's color is from the smooth course of the ground, how far the ground itself is, and
    how much of the box is ground. The ground is what lies along the sides of the box."""
    terms, box = surface_terms(*lab.shape[:2]), held_by([inner], lab.shape) == 1
    apart = np.linalg.norm(lab - _color_along_the_sides(lab, inner), axis=2)
    limit = 25.0
    for _ in range(_ROUNDS):
        known = box & (apart < limit)
        if known.sum() < 24:
            return apart, limit, 0.0
        factors = np.linalg.lstsq(terms[known], lab[known], rcond=None)[0]
        apart = np.linalg.norm(lab - terms @ factors, axis=2)
        limit = float(np.clip(4 * np.median(apart[known]), 8, 25))
    known = box & (apart < limit)
    return apart.astype(np.float32), float(2 * np.median(apart[known])), float(known.sum() / box.sum())


def _color_along_the_sides(lab: Floats, inner: Box) -> Floats:
    depth = max(1, round(0.06 * min(inner.width, inner.height)))
    part = lab[inner.part]
    sides = (part[:depth], part[-depth:], part[:, :depth], part[:, -depth:])
    return cast(Floats, np.median(np.concatenate([side.reshape(-1, 3) for side in sides]), 0))


def _letters(raised: Bytes, inner: Box) -> Bytes:
    """Of what stands out, the pieces that lie in the box and have the shape of letters."""
    labels, stats = pieces(raised)
    height, width = raised.shape
    left, top, wide, tall, area = (stats[:, at] for at in range(5))
    inside = np.bincount(labels[inner.part].ravel(), minlength=len(stats))
    kept = (inside >= _INSIDE * area) & (area >= 4)
    kept &= (left > 0) & (top > 0) & (left + wide < width) & (top + tall < height)
    kept[0] = False
    tallest = tall[kept].max(initial=0)
    is_block = (area > _FILLING * wide * tall) & (wide > 0.5 * tall) & (tall > _SPECK * tallest)
    kept &= ~(is_block & (wide > 2.5 * tall))
    kept &= (tall > 0.06 * tallest) | (wide > 0.06 * tallest)
    return np.isin(labels, np.flatnonzero(kept)).astype(np.uint8)


def _fills(strokes: Bytes, inner: Box) -> bool:
    """Whether the box is drawn around them, and not around something that has a few specks."""
    width, height = cv2.boundingRect(strokes)[2:]
    return width * height > _OF_THE_BOX * inner.area and float(strokes.sum()) > _INK * inner.area


def _looks_written(small: Bytes, strokes: Bytes, lines: tuple[Line, ...], width: float) -> bool:
    """Whether it can be letters: strokes of one color and of one width, no disks, smears or clutter."""
    tall = float(np.median([line.height for line in lines]))
    labels, stats = pieces(strokes)
    large = [at for at in range(1, len(stats)) if max(stats[at, 2:4]) > TALL * tall]
    glyphs = [labels[box.part] == at for box, at in zip(boxes_of(stats[large]), large, strict=True)]
    shares = stats[large, cv2.CC_STAT_AREA] / stats[large, cv2.CC_STAT_AREA].sum()
    colors = means_of(cielab(small), labels, len(stats))[large]
    uneven = float(np.linalg.norm(colors - np.median(colors, 0), axis=1) @ shares)
    riddled = float(np.array([_is_riddled(glyph) for glyph in glyphs]) @ shares)
    count, on_base = sum(line.count for line in lines), sum(line.on_base for line in lines)
    is_level = count <= _FEW or on_base >= _ON_BASE * count
    is_level &= len(lines) == 1 or count >= _FEW * len(lines)
    is_plain = uneven < _EVEN and riddled < _RIDDLED
    return is_level and is_plain and _STROKES[0] < width / tall < _STROKES[1] and tall >= LEAST_HEIGHT


def _is_riddled(glyph: NDArray[np.bool_]) -> bool:
    """Whether it has more holes than a letter, or a few joined ones, can have."""
    around = np.pad(1 - glyph.astype(np.uint8), 1, constant_values=1)
    holes = int((pieces(around)[1][1:, cv2.CC_STAT_AREA] > 1).sum()) - 1
    return bool(holes > 2 + glyph.shape[1] / glyph.shape[0])


def width_of_strokes(strokes: Bytes) -> float:
    """The usual width of the strokes (0/1), in pixels: in a stroke the mean distance from its sides is a
    quarter of its width."""
    times = max(1, min(4, _FINE // max(strokes.shape)))
    large = cv2.resize(strokes * np.uint8(255), None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR)
    inside = np.pad((large > 127).astype(np.uint8), 1)
    distance = cv2.distanceTransform(inside, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) - np.float32(0.5)
    return 4 * float(distance[inside == 1].mean()) / times if inside.any() else 1.0


def _softness(apart: Floats, strokes: Bytes) -> float:
    """How far the edges of the letters are blurred: the sigma of a Gaussian, in pixels."""
    across = cv2.Sobel(apart, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(apart, cv2.CV_32F, 0, 1, scale=1 / 8)
    edge = cv2.morphologyEx(strokes, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) == 1
    contrast = float(np.quantile(apart[strokes == 1], 0.9))
    steep = float(np.quantile(np.hypot(across, down)[edge], 0.85))
    seen = contrast / max(steep, 1e-3) / np.sqrt(2 * np.pi)
    return float(np.sqrt(np.clip(seen**2 - _OF_THE_FILTER, 0, 36)))


def _colors(small: Bytes, strokes: Bytes, apart: Floats, width: float) -> Floats:
    """The color of the letters, where nothing behind them shines through, as planes over the view."""
    depth = apart if width < _THIN else cv2.distanceTransform(strokes, cv2.DIST_L2, 3)
    y, x = np.nonzero((strokes == 1) & (depth >= np.quantile(depth[strokes == 1], _INNERMOST)))
    colors = small[y, x].astype(np.float32)
    usual = np.median(colors, 0)
    planes = np.zeros((3, 3), np.float32)
    planes[0] = usual
    near = np.linalg.norm(colors - usual, axis=1) < _ONE_COLOR
    if near.sum() >= _ENOUGH:
        terms = np.stack([np.ones(len(x)), x, y], 1).astype(np.float32)[near]
        planes = np.linalg.lstsq(terms, colors[near], rcond=None)[0].astype(np.float32)
    return planes
