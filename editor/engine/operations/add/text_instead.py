"""Replace lettering in the photo with new text of the same color, size, weight, and slant."""

from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, color_of
from editor.engine.drawing.gaussian import blurred
from editor.engine.drawing.paint import paint_over
from editor.engine.errors import OperationError
from editor.engine.masks import dilate
from editor.engine.operations.add.letters import CAPITAL, ink_of, nearest_font, sheet_of
from editor.engine.operations.add.text import step_text
from editor.engine.operations.color.noise import noise_of
from editor.engine.operations.remove.holes import fill_hole
from editor.engine.operations.remove.smooth_fill import fill_smooth_ground
from editor.engine.pixels import Box, strips
from editor.engine.plan import Reason, Step, Target
from editor.engine.targets.baselines import MARK_LETTERS, NO_LETTERS, BaseLine
from editor.engine.targets.box_lettering import Lettering, lettering_in_box
from editor.engine.targets.drawn_boxes import marked_boxes
from editor.engine.targets.target_masks import target_mask
from editor.engine.targets.text_lines import blocks_of, box_of_lines, find_text
from editor.imaging.picture import Bytes, Pixels
from editor.sentences import Sentence

# Maximum change to a stroke's width to match the old letters, as a share of the stroke's width.
_MAX_STROKE_CHANGE = 0.3
_MIN_CAPITAL_PIXELS = 8.0  # minimum height of the new capitals, in pixels; smaller letters could not be read
_TALL_LETTERS = 0.745  # height of a line that contains capitals or tall letters, as a share of the font size
_LIKE = (0.5, 1.8)  # allowed range of the old line's aspect ratio divided by the quoted text's aspect ratio
# Range of the new width divided by the old width in which text is stretched to the old width.
_SAME_WIDTH = (0.8, 1.25)
_NARROWER = 0.72  # factor down to which words are narrowed before their height is reduced as well
_MARGIN = 0.06  # distance of the new letters from the sides of the box, as a share of a letter's height
_MAX_LINES = 4  # maximum number of lines of old text that can be replaced
# Width of the soft edges of old letters on a smooth background, as a share of a letter's height.
_SOFT = 0.09
_RIMMED = 0.13  # width of the outlines of old letters over a photo, as a share of a letter's height
_HARDEST = 0.35  # minimum blur of the new letters, in pixels
_FINER = 1.4  # oversampling factor at which letters are drawn before they are rotated and scaled down
_SEVERAL = 3  # minimum number of pieces that a longer text forms if its letters are not joined
_JOINED = 0.35  # minimum width per letter if the letters are joined, as a share of a letter's height
# Maximum font size, in pixels, at which letters are drawn; larger letters are scaled up.
_MAX_FONT_PIXELS = 800
_ROOM = 0.15  # margin around the lettering that was read, as a share of a line's height


@dataclass(frozen=True)
class _Setting:
    """The layout of the words on one line.

    `across` and `down` are the horizontal and vertical font sizes, in pixels along and across the old line.
    `left` is the left edge of the ink, and `base` is the row of the baseline. `bolder` is the width added to
    the strokes, as a share of the font size.
    """

    words: str
    font: Path
    across: float
    down: float
    left: float
    base: float
    bolder: float


@operation
def text_instead(canvas: Canvas, step: Step, *, old: str | None, of: str | None) -> Canvas:
    """Replace the lettering in the marked box, or the lettering that the instruction refers to.

    The new text comes from the step. `old` is the old text, if the instruction quotes it. `of` is "sign" or
    "date" if the instruction refers to the text on a sign or to a date. Raises OperationError if it is
    unclear which lettering is meant, if no letters can be separated from the background, if the background
    behind them cannot be filled, or if the new letters would be too small to read.
    """
    words = " ".join(step_text(step).split())
    target = step.target
    is_marked = target.what == "region"
    boxes = marked_boxes(canvas, target) if is_marked else [_box_to_rewrite(canvas, target, old, of)]
    for box in boxes:
        lettering = lettering_in_box(canvas.picture, box)
        _require_words(lettering, old or words)
        settings = _settings(words, old, lettering, box)
        emptied = _without_old_text(canvas, lettering)
        canvas = canvas.with_pixels(_write(emptied, canvas, step, lettering, settings))
    return canvas


def _box_to_rewrite(canvas: Canvas, target: Target, old: str | None, of: str | None) -> Box:
    """Return the box of the lettering that the instruction refers to.

    If the target is a thing, such as a shirt, the lettering is on that thing. Raises OperationError if there
    is no lettering, or if it is unclear which lettering is meant.
    """
    sort = {"date": "timestamp", "sign": "sign"}.get(of or "")
    on = target_mask(canvas, target) if target.what == "thing" else None
    blocks = blocks_of(find_text(canvas, sort=sort, text=old, on=on))
    if len(blocks) > 1:
        sentence = Sentence("I found %(n)s texts, so I can't tell which one you mean.", n=len(blocks))
        hint = Sentence("Quote the old text too, or draw a box around it.")
        raise OperationError(Reason.AMBIGUOUS, sentence, hint)
    tall = min(line.height for line in blocks[0])
    return box_of_lines(blocks[0]).padded(_ROOM * tall, canvas.picture.width, canvas.picture.height)


def _require_words(lettering: Lettering, words: str) -> None:
    """Raise OperationError if the lettering is too small and simple to be a text of that many letters.

    The lettering of a longer text is rejected if it consists of only one or two pieces that are too narrow to
    be joined letters.
    """
    letters, line = len(words.replace(" ", "")), lettering.lines[0]
    is_short = line.right - line.left < _JOINED * letters * line.height
    if letters >= _SEVERAL and is_short and sum(line.count for line in lettering.lines) < _SEVERAL:
        raise OperationError(Reason.LOW_CONFIDENCE, NO_LETTERS, MARK_LETTERS)


def _without_old_text(canvas: Canvas, lettering: Lettering) -> Pixels:
    """Return the pixels without the old letters. Raises OperationError if the letters cannot be removed."""
    view, hole = lettering.view, _hole(lettering)
    rows, columns = view.slices
    if lettering.is_calm:
        result = canvas.picture.pixels.copy()
        result[rows, columns] = fill_smooth_ground(result[rows, columns], hole, canvas.seed)
        return result
    whole = np.zeros((canvas.picture.height, canvas.picture.width), np.uint8)
    whole[rows, columns] = hole
    return fill_hole(canvas.picture, whole, canvas.seed)


def _hole(lettering: Lettering) -> Bytes:
    """Return a 0/1 mask of the old letters, including their soft edges, at full size."""
    view, tall = lettering.view, max(line.height for line in lettering.lines)
    reach = max((_SOFT if lettering.is_calm else _RIMMED) * tall, 1 + 2.5 * lettering.softness, 2)
    grown = dilate(lettering.ink, reach)
    return cast(Bytes, cv2.resize(grown, (view.width, view.height), interpolation=cv2.INTER_NEAREST))


def _settings(words: str, old: str | None, lettering: Lettering, box: Box) -> list[_Setting]:
    """Lay out the words on the lines of the old text, or on one line if there are fewer words than lines."""
    lines, parts = lettering.lines, words.split(" ")
    if len(lines) > _MAX_LINES:
        raise OperationError(
            Reason.AMBIGUOUS,
            Sentence("The box contains many lines of text."),
            Sentence("Draw a box around one line."),
        )
    if len(lines) > len(parts):
        lines = (_middle_line(lines),)
    old = old if len(lettering.lines) == 1 else None
    shared = zip(_parts_by_line(parts, lines), lines, strict=True)
    return [_setting(part, old, line, lettering, box) for part, line in shared]


def _parts_by_line(parts: list[str], lines: tuple[BaseLine, ...]) -> list[str]:
    """Return the words of each line, distributed in proportion to the lengths of the old lines."""
    cuts = combinations(range(1, len(parts)), len(lines) - 1)
    ways = [[" ".join(parts[start:end]) for start, end in pairwise((0, *cut, len(parts)))] for cut in cuts]
    return min(
        ways,
        key=lambda way: max(
            len(part) * line.height / (line.right - line.left) for part, line in zip(way, lines, strict=True)
        ),
    )


def _middle_line(lines: tuple[BaseLine, ...]) -> BaseLine:
    """Return a single line that replaces several lines.

    It is as tall as the tallest old line and centered among all old lines.
    """
    tallest = max(lines, key=lambda line: line.height)
    middle = (min(line.top for line in lines) + max(line.base for line in lines)) / 2
    down = middle - (tallest.top + tallest.base) / 2
    rows = {name: getattr(tallest, name) + down for name in ("top", "bottom", "base")}
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    return replace(tallest, left=left, right=right, **rows)


def _setting(words: str, old: str | None, line: BaseLine, lettering: Lettering, box: Box) -> _Setting:
    size = line.height / _TALL_LETTERS
    font, own = nearest_font(words, lettering.stroke_width / size)
    left, top, right, _ = ink_of(words, font)
    as_old = _fit_of_old_text(old, font, line) if old else None
    usual = line.height / (min(CAPITAL, -top) if line.is_even else _TALL_LETTERS)
    across, down, base = as_old or (usual, usual, line.base)
    wide = right - left
    taken = line.right - line.left
    if not as_old and _SAME_WIDTH[0] <= across * wide / taken <= _SAME_WIDTH[1]:
        across = taken / wide
    start, end = _room(line, lettering, box)
    if across * wide > end - start:
        narrow = max(_NARROWER, (end - start) / (across * wide))
        share = (end - start) / (across * narrow * wide)
        base -= (1 - share) * CAPITAL * down / 2
        across, down = across * narrow * share, down * share
    if CAPITAL * down / lettering.scale < _MIN_CAPITAL_PIXELS:
        raise OperationError(
            Reason.TOO_LARGE,
            Sentence("“%(quoted)s” would be too small to read there.", quoted=words),
            Sentence("Use fewer letters, or draw a wider box."),
        )
    middle = float(np.clip((line.left + line.right) / 2, start + across * wide / 2, end - across * wide / 2))
    change = _MAX_STROKE_CHANGE * own
    bolder = float(np.clip(lettering.stroke_width / down - own, -change, change))
    return _Setting(words, font, across, down, middle - across * wide / 2, base, bolder)


def _fit_of_old_text(old: str, font: Path, line: BaseLine) -> tuple[float, float, float] | None:
    """Return the horizontal and vertical font sizes and the baseline at which the old words fit the line.

    Returns None if the shape of the line shows that it contains other words.
    """
    left, top, right, bottom = ink_of(old, font)
    down = (line.bottom - line.top) / (bottom - top)
    across = (line.right - line.left) / (right - left)
    return (across, down, line.top - top * down) if _LIKE[0] < across / down < _LIKE[1] else None


def _room(line: BaseLine, lettering: Lettering, box: Box) -> tuple[float, float]:
    """Return the left and right limits of a new line, in pixels along the old line.

    The new line must stay inside the box, but it may always be as long as the old line.
    """
    sides = np.array(box.seen_from(lettering.view)).reshape(2, 2) * lettering.scale
    start, step = lettering.turn @ np.array([0, (line.top + line.base) / 2, 1]), lettering.turn[:, 0]
    ways = [axis for axis in (0, 1) if abs(step[axis]) > 1e-3]
    starts, ends = zip(*(sorted((sides[:, axis] - start[axis]) / step[axis]) for axis in ways), strict=True)
    margin = _MARGIN * line.height
    return min(line.left, max(starts) + margin), max(line.right, min(ends) - margin)


def _write(
    pixels: Pixels, canvas: Canvas, step: Step, lettering: Lettering, settings: list[_Setting]
) -> Pixels:
    random = np.random.default_rng(canvas.seed)
    view = lettering.view
    part = pixels[view.slices]
    coverage = np.zeros((view.height, view.width), np.float32)
    for setting in settings:
        coverage = np.maximum(coverage, _coverage(setting, lettering))
    noise = np.float32(noise_of(part))
    result = pixels.copy()
    for rows in strips(view.height):
        grain = random.standard_normal(coverage[rows].shape, np.float32) * noise
        colors = np.clip(_paint(step, lettering, rows) + grain[:, :, None], 0, 1)
        paint_over(result[:, :, :3], coverage[rows], colors, (view.left, view.top + rows.start))
    return result


def _paint(step: Step, lettering: Lettering, rows: slice) -> Floats:
    """Return the color of the letters, from 0 to 1, at each pixel in some rows of the view.

    This is the requested color, or else the color gradient of the old letters.
    """
    x, y = np.arange(lettering.view.width), np.arange(rows.start, rows.stop)
    if step.color:
        flat, across, down = np.array([color_of(step.color), (0, 0, 0), (0, 0, 0)], np.float32)
    else:
        flat, across, down = lettering.colors
    left, top, width, height = cv2.boundingRect(lettering.strokes)
    x = np.clip(x * lettering.scale, left, left + width).astype(np.float32)[None, :, None]
    y = np.clip(y * lettering.scale, top, top + height).astype(np.float32)[:, None, None]
    return cast(Floats, (flat + x * across + y * down) / np.float32(255))


def _coverage(setting: _Setting, lettering: Lettering) -> Floats:
    """Return the coverage of the words in the view of the photo, as blurred as the old letters."""
    size = min(_MAX_FONT_PIXELS, max(24, round(_FINER * setting.down / lettering.scale)))
    sheet = sheet_of(setting.words, setting.font, size, setting.bolder * size)
    across, down = setting.across / size, setting.down / size
    soft = max(_HARDEST, lettering.softness / lettering.scale)
    left, top = setting.left - sheet.left * across, setting.base - sheet.base * down
    turn = lettering.turn @ np.array([[across, 0, left], [0, down, top], [0, 0, 1]]) / lettering.scale
    shape = (lettering.view.width, lettering.view.height)
    coverage = cv2.warpAffine(blurred(sheet.coverage, soft / (down / lettering.scale)), turn, shape)
    return np.clip(coverage, 0, 1)
