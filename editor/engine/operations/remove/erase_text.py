"""Remove lettering from a photo without changing the pixels between the strokes."""

from collections.abc import Callable, Sequence
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, cielab
from editor.engine.errors import MARK_IT, OperationError
from editor.engine.kinds import LIVING, PARTS
from editor.engine.masks import boxes_to_mask, connected_components, dilate, off_surroundings
from editor.engine.operations.remove.holes import fill_hole
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason, Step, Target
from editor.engine.targets.cutout_quality import COLOR_BINS, color_bins
from editor.engine.targets.detector import things_seen
from editor.engine.targets.drawn_boxes import marked_boxes, marked_mask
from editor.engine.targets.faces import faces_in
from editor.engine.targets.lettering_candidates import (
    LETTERING_PIXELS,
    MIN_CONFIDENCE,
    LetteringCandidate,
    find_lettering,
    raised_planes,
)
from editor.engine.targets.outlines import part_of
from editor.engine.targets.people import person_target
from editor.engine.targets.target_masks import target_mask
from editor.engine.targets.text_lines import blocks_of, find_text, is_date, is_read_in, lines_read
from editor.engine.targets.things import target_things
from editor.engine.vision.text import TextLine
from editor.imaging.picture import Bytes, Pixels
from editor.sentences import Sentence

# Maximum difference between a stroke and the usual color of its line, in CIE 1976 units.
_SAME = 24.0
# Factor that increases the maximum color difference inside a line, because letters may be shaded.
_FADED = 2.0
# Minimum difference, in 8-bit levels, between strokes and background in a marked box.
_MARKED_CONTRAST = 14
_MOSTLY_STROKES = 0.55  # share of strokes in a marked box above which the whole box is removed
_HALF = 0.5  # share of a line, or of a piece of it, above which it is on a thing or in the background
# Maximum share of the photo that a marked box may cover if the whole box is removed because of its letters.
_LARGE = 0.03
_LINE_PIXELS = 1400  # longer side, in pixels, of the working copy of a line and its surroundings
_AROUND = 2.0  # margin that is examined around a line, as a multiple of the line's height
# Distances that are searched around a line, as multiples of the line's height.
_BEYOND_DATE, _BEYOND, _ABOVE = 1.6, 0.25, 0.2
# Minimum and maximum size of a letter or an apostrophe beyond a line, as shares of the line's height.
_LETTER = (0.15, 1.3)
_EDGE = 0.12  # width of soft edges and shadows around a line, as a share of the line's height
# Width of the area around strokes that is searched for soft edges, as a share of the line's height, and their
# minimum difference from the background, in standard deviations of the latter.
_SOFT, _DISTINCT = 0.15, 3.0
# Maximum share of a line that strokes may cover. If they cover more, the whole line is removed.
_SOLID = 0.9
_WHOLE = 0.95  # minimum share of a piece of a line in the hole if nothing is visible between its strokes
_BESIDE = 0.8  # width of the measured background around a line, as a share of the line's height
# Minimum ratio of a letter's color between the strokes to the same color around the line, and maximum share
# of the line that such colors may cover.
_LETTERS, _LEFT = 4.0, 0.06
_WIDEST = 0.6  # maximum width of a stroke, as a share of the line's height

type _Strokes = Callable[[Bytes, Floats, float], Bytes]


@operation
def erase_text(canvas: Canvas, step: Step, *, sort: str | None = None, text: str | None = None) -> Canvas:
    """Remove a date, a watermark, a signature, or a text (`sort`), or only the quoted `text`.

    The lettering is searched for in the marked boxes, or read on the thing that the target names, at the
    step's place, or anywhere in the photo.

    Raises OperationError if it is unclear what to remove, or if letters would remain.
    """
    if _is_marked(step):
        return canvas.with_pixels(_without_marked(canvas, step))
    lines = find_text(canvas, sort=sort, place=step.place or step.target.place, text=text)
    return _without_lines(canvas, _on_target(canvas, lines, step.target))


def _is_marked(step: Step) -> bool:
    return step.target.what == "region" or bool(step.target.boxes)


def _on_target(canvas: Canvas, lines: Sequence[TextLine], target: Target) -> Sequence[TextLine]:
    """Return the lines of text on the thing that the target names or, if it names the background, behind.

    Raises OperationError if there is no such line.
    """
    if target.what not in ("background", "thing"):
        return lines
    mask = _worn_mask(canvas, target) if target.noun in PARTS else target_mask(canvas, target)
    there = [line for line in lines if mask[line.box.slices].mean() > _HALF]
    if not there:
        sentence = Sentence("I can't find any text in the background.")
        if target.noun:
            sentence = Sentence("I can't find any text on the %(noun)s.", noun=target.noun)
        raise OperationError(Reason.NO_SUCH_TARGET, sentence, MARK_IT)
    return there


def _worn_mask(canvas: Canvas, target: Target) -> Floats:
    """Return a mask of the boxes of the people who wear a garment, below their faces."""
    boxes = [thing.box for thing in target_things(canvas, person_target(target))]
    chins = [max((face.bottom for face in faces_in(canvas, box)), default=box.top) for box in boxes]
    return marked_mask(canvas, [box._replace(top=chin) for box, chin in zip(boxes, chins, strict=True)])


def _without_lines(canvas: Canvas, lines: Sequence[TextLine]) -> Canvas:
    """Return the canvas without lines of text.

    At first, only the strokes of the letters are filled. If any line can still be read, the whole lines are
    filled instead. Raises OperationError if a line can be read even then.
    """
    for find_strokes in (_strokes_of_line, _whole_line):
        result = canvas
        for block in blocks_of(lines):
            hole = _hole(canvas, block, find_strokes)
            result = result.with_pixels(
                _filled(result, hole, hides_someone=_hides_someone(canvas, block, hole))
            )
        if not any(is_read_in(result.picture, line) for line in lines):
            return result
    sentence = Sentence("I can't remove this text without leaving traces.")
    raise OperationError(Reason.LOW_CONFIDENCE, sentence, MARK_IT)


def _filled(canvas: Canvas, hole: Bytes, *, hides_someone: bool) -> Pixels:
    is_safe = not hides_someone
    return fill_hole(canvas.picture, hole, canvas.seed, is_marked=is_safe, may_invent=lambda: is_safe)


def _hides_someone(canvas: Canvas, lines: Sequence[TextLine], hole: Bytes) -> bool:
    """Return whether the hole hides a part of a person or an animal, such as an eye, behind some lines.

    That part would have to be invented. Between the strokes of a line, it would remain visible.
    """
    boxes = [thing.box for thing in things_seen(canvas) if thing.kind in LIVING]
    someone = boxes_to_mask(boxes, hole.shape)
    return any(_hides(line, hole, someone) for line in lines)


def _hides(line: TextLine, hole: Bytes, someone: Bytes) -> bool:
    """Return whether a piece of a line that is as wide as a letter is in the hole and in front of someone.

    `someone` is a mask (0/1) of people and animals.
    """
    corners = np.array(line.corners, np.float32)
    width, height = (max(1, round(float(np.linalg.norm(corners[to] - corners[0])))) for to in (1, 3))
    level = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    to_level = cv2.getPerspectiveTransform(corners, level)
    letter = np.full(min(width, height), 1 / min(width, height))
    hidden, front = (
        np.convolve(cv2.warpPerspective(mask, to_level, (width, height)).mean(0), letter, "valid")
        for mask in (hole, someone)
    )
    return bool(((hidden > _WHOLE) & (front > _HALF)).any())


def _hole(canvas: Canvas, lines: Sequence[TextLine], find_strokes: _Strokes) -> Bytes:
    """Return a mask (0/1) of the strokes in some lines, at the picture's size."""
    hole = np.zeros((canvas.picture.height, canvas.picture.width), np.uint8)
    for line in lines:
        view = line.box.padded(_AROUND * line.height, canvas.picture.width, canvas.picture.height)
        small = working_copy(part_of(canvas.picture, view), _LINE_PIXELS)
        scale = small.shape[1] / view.width
        corners = (np.array(line.corners, np.float32) - np.array(view[:2], np.float32)) * np.float32(scale)
        # Part of a line must not include letters beyond its ends, because those belong to other words.
        beyond = (_BEYOND_DATE if is_date(line) else _BEYOND) if line in lines_read(canvas) else 0.0
        strokes = find_strokes(small, corners, beyond)
        large = cv2.resize(strokes * np.uint8(255), (view.width, view.height), interpolation=cv2.INTER_LINEAR)
        hole[view.slices] |= (large > 60).astype(np.uint8)
    return hole


def _strokes_of_line(small: Bytes, corners: Floats, beyond: float) -> Bytes:
    """Return a mask of the strokes between four corners.

    The mask includes letters of the same color beyond the ends of the line.
    """
    tall = float(np.linalg.norm(corners[3] - corners[0]))
    line, near = _quad(small, corners, tall, 0.0, 0.0), _quad(small, corners, tall, beyond, _ABOVE)
    beside = _quad(small, corners, tall, _BESIDE, _BESIDE)
    lab = cielab(small)
    strokes = _raised_strokes(small, lab, tall, line, beside & (1 - near))
    inside = strokes & line
    if not inside.any():
        return _whole_line(small, corners, beyond)
    off = np.linalg.norm(lab - _usual_color(lab, inside), axis=2)
    alike = (off < _SAME).astype(np.uint8) & strokes & beside
    inside &= (off < _FADED * _SAME).astype(np.uint8)
    grown = _grown(inside | _letters_beside(alike, inside, near, tall), round(tall))
    is_all = grown[line == 1].mean() > _SOLID or _leaves_letters(small, grown, corners)
    whole = grown | _whole_line(small, corners, beyond) if is_all else grown
    return whole | _soft_edges(small, whole, tall)


def _soft_edges(small: Bytes, strokes: Bytes, tall: float) -> Bytes:
    """Return a mask of the pixels close to strokes that differ clearly from the background around the line.

    They are remains of glowing or compressed letters.
    """
    colors, near = small.astype(np.float32), dilate(strokes, max(3, _SOFT * tall))
    behind, window = 1 - near, 2 * round(_BESIDE * tall) + 1
    _, unlikeness = off_surroundings(colors, behind, window)
    is_known = cv2.blur(behind.astype(np.float32), (window, window)) > 0
    return near & (is_known & (unlikeness > _DISTINCT**2)).astype(np.uint8)


def _leaves_letters(small: Bytes, strokes: Bytes, corners: Floats) -> bool:
    """Return whether parts of the letters stay beside the strokes, such as their outlines or other colors.

    Their colors are much more common in the line than around it.
    """
    tall = float(np.linalg.norm(corners[3] - corners[0]))
    inside, near, far = (_quad(small, corners, tall, share, share) for share in (0.0, _EDGE, _BESIDE))
    bins = color_bins(small)
    stay, around = bins[(inside & (1 - strokes)) == 1], bins[(far & (1 - near)) == 1]
    counts, usual = (np.bincount(colors, minlength=COLOR_BINS) for colors in (stay, around))
    is_letter = counts / max(1, stay.size) > _LETTERS * usual / max(1, around.size)
    return float(counts[is_letter].sum()) > _LEFT * float(inside.sum())


def _whole_line(small: Bytes, corners: Floats, beyond: float) -> Bytes:
    """Return a mask of everything between four corners, including soft edges and shadows."""
    tall = float(np.linalg.norm(corners[3] - corners[0]))
    return _quad(small, corners, tall, min(beyond, _EDGE), _EDGE)


def _quad(small: Bytes, corners: Floats, tall: float, across: float, down: float) -> Bytes:
    """Return a mask of the area between four corners, enlarged along and across the line.

    `across` and `down` are multiples of the line's height.
    """
    along = (corners[1] - corners[0]) / max(1.0, float(np.linalg.norm(corners[1] - corners[0])))
    upward = (corners[0] - corners[3]) / max(1.0, tall)
    signs = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], np.float32)
    moved = corners + tall * (signs[:, :1] * across * along + signs[:, 1:] * down * upward)
    mask = np.zeros(small.shape[:2], np.uint8)
    return cast(Bytes, cv2.fillConvexPoly(mask, np.round(moved).astype(np.int32), (1,)))


def _letters_beside(alike: Bytes, strokes: Bytes, near: Bytes, tall: float) -> Bytes:
    """Return the letter-sized pieces of a mask that are in the area `near`, and the whole of cut letters.

    A cut letter is a piece that touches the strokes and is not long.
    """
    labels, stats = connected_components(alike)
    areas, sizes = stats[:, cv2.CC_STAT_AREA], stats[:, 2:4].max(1) / tall
    inside, touching = (np.bincount(labels[mask == 1], minlength=len(stats)) for mask in (near, strokes))
    is_cut = (touching > 0) & (sizes < 2 * _LETTER[1])
    is_letter = (inside == areas) & (sizes < _LETTER[1])
    is_part = (is_cut | is_letter) & (sizes > _LETTER[0])
    is_part[0] = False
    return cast(Bytes, is_part[labels].astype(np.uint8))


def _raised_strokes(small: Bytes, lab: Floats, tall: float, line: Bytes, around: Bytes) -> Bytes:
    """Return a mask of the pixels that differ from their surroundings in the same way as a line's letters.

    Letters are brighter, darker, warmer, or cooler than their surroundings. Pixels between the letters may
    differ even more, but they have the color of the background around the line.
    """
    planes = list(raised_planes(small, max(9, round(_WIDEST * tall) | 1)))
    planes.sort(key=lambda plane: float(np.percentile(plane[line == 1], 90)), reverse=True)
    behind = np.median(lab[around == 1], 0) if around.any() else None
    choices = [_above_threshold(plane, line) for plane in planes]
    for strokes in choices if behind is not None else ():
        inside = strokes & line
        if inside.any() and np.linalg.norm(_usual_color(lab, inside) - behind) > _SAME:
            return strokes
    return choices[0]


def _above_threshold(plane: Bytes, line: Bytes) -> Bytes:
    split, _ = cv2.threshold(plane[line == 1], 0, 1, cv2.THRESH_OTSU)
    return cast(Bytes, (plane > max(_MARKED_CONTRAST, 0.6 * split)).astype(np.uint8))


def _usual_color(lab: Floats, strokes: Bytes) -> Floats:
    """Return the median color of strokes (0/1) without their soft edges."""
    core = cv2.erode(strokes, np.ones((2, 2), np.uint8))
    return cast(Floats, np.median(lab[(core if core.any() else strokes) == 1], 0))


def _without_marked(canvas: Canvas, step: Step) -> Pixels:
    small = working_copy(canvas.picture, LETTERING_PIXELS)
    strokes = _marked_strokes(canvas, step, small)
    size = (canvas.picture.width, canvas.picture.height)
    hole = (cv2.resize(strokes * np.uint8(255), size, interpolation=cv2.INTER_LINEAR) > 60).astype(np.uint8)
    return fill_hole(canvas.picture, hole, canvas.seed)


def _strokes_of(line: LetteringCandidate, small: Bytes) -> Bytes:
    """Return a mask of all strokes that have the color of a line of text, in and beside the line's box.

    The mask includes strokes whose shape was not recognized.
    """
    tall = line.box.height
    height, width = small.shape[:2]
    left, top, right, bottom = line.box
    beside = Box(left - 2 * tall, top - tall // 3, right + 2 * tall, bottom + tall // 3)
    part = beside.within(width, height).slices
    lab, glyphs = cielab(small[part]), line.glyphs[part]
    core = cv2.erode(glyphs, np.ones((2, 2), np.uint8))
    usual = np.median(lab[(core if core.any() else glyphs) == 1], 0)
    alike = (np.linalg.norm(lab - usual, axis=2) < _SAME).astype(np.uint8) | glyphs
    strokes = np.zeros((height, width), np.uint8)
    strokes[part] = alike
    return _grown(strokes, tall)


def _grown(strokes: Bytes, tall: int) -> Bytes:
    """Return the mask of lettering strokes, enlarged to include their soft edges and shadows."""
    return dilate(strokes, max(2, 0.09 * tall))


def _marked_strokes(canvas: Canvas, step: Step, small: Bytes) -> Bytes:
    scale = small.shape[1] / canvas.picture.width
    strokes = np.zeros(small.shape[:2], np.uint8)
    for box in marked_boxes(canvas, step.target):
        strokes |= _strokes_in_box(small, box.sized(scale))
    return strokes


def _strokes_in_box(small: Bytes, box: Box) -> Bytes:
    """Return a mask of the lettering in a marked box.

    If no lines of text are found, the mask shows the strokes that stand out from the background in the box.
    """
    inside = np.zeros(small.shape[:2], np.uint8)
    inside[box.slices] = 1
    lines = [line for line in find_lettering(small, inside) if line.confidence >= MIN_CONFIDENCE]
    if not lines:
        part = _strokes_in(small[box.slices])
        if part.all() and inside.mean() > _LARGE:
            raise OperationError(
                Reason.LOW_CONFIDENCE,
                Sentence("I can't tell the letters from the photo behind them."),
                Sentence("Draw a separate box close around each word."),
            )
        inside[box.slices] = part
        return inside
    strokes = np.zeros_like(inside)
    for line in lines:
        strokes |= _strokes_of(line, small)
    return strokes & inside


def _strokes_in(part: Bytes) -> Bytes:
    """Return a mask of the strokes in a marked box that differ from the background in the box.

    Strokes must be thinner than about half of the box. If they fill most of the box, the mask is the whole
    box.
    """
    light = cv2.cvtColor(part, cv2.COLOR_RGB2GRAY)
    side = max(9, round(0.6 * min(light.shape)) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    padded = cv2.copyMakeBorder(light, side, side, side, side, cv2.BORDER_REFLECT)
    bright = cv2.morphologyEx(padded, cv2.MORPH_TOPHAT, kernel)[side:-side, side:-side]
    dark = cv2.morphologyEx(padded, cv2.MORPH_BLACKHAT, kernel)[side:-side, side:-side]
    plane = max((bright, dark), key=lambda plane: float(np.percentile(plane, 90)))
    split, _ = cv2.threshold(plane, 0, 1, cv2.THRESH_OTSU)
    strokes = (plane > max(_MARKED_CONTRAST, 0.6 * split)).astype(np.uint8)
    grown = _grown(strokes, min(light.shape) // 4)
    return grown if grown.mean() < _MOSTLY_STROKES else np.ones_like(grown)
