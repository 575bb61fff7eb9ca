"""Find lines of letters, along with their angle, the slant of the letters, and their baselines."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.errors import OperationError
from editor.engine.masks import connected_components
from editor.engine.plan import Reason
from editor.imaging.picture import Bytes
from editor.sentences import Sentence

MIN_LETTER_PIXELS = 7  # minimum height, in pixels, of letters that can be recognized
_MAX_TILT_DEGREES = 40.0  # maximum angle, in degrees, at which lines are looked for
_MIN_LEVEL_SCORE = 0.88  # minimum score at which level lines are preferred, as a share of the best score
_MIN_UPRIGHT_SCORE = 0.8  # minimum score at which upright letters are preferred, as a share of the best score
_BIN_PIXELS = 1.5  # width, in pixels, of a bin of the histogram in which the letters are counted
# Minimum height of a letter, as a share of the tallest letter; dots and accents are smaller.
MIN_TALL_SHARE = 0.4
# Maximum vertical distance between letter centers in one line, as a share of the tallest letter's height.
_MAX_CENTER_DISTANCE = 0.6
# Maximum difference between the tops or bottoms of similar letters, as a share of the height of the tallest
# letter.
_MAX_END_DIFFERENCE = 0.14

NO_LETTERS = Sentence("I can't make out any letters in the box.")
MARK_LETTERS = Sentence("Draw a box around the text only, close to its letters.")

type _Points = NDArray[np.float64]


@dataclass(frozen=True)
class BaseLine:
    """A line of letters, in the coordinates of its inscription.

    The ink of the line extends from `left` to `right` and from `top` to `bottom`. `base` is the baseline.
    `is_even` is true if all letters have the same height. `count` is the number of letters, and `on_base` is
    the number of letters on the baseline.
    """

    left: float
    right: float
    top: float
    bottom: float
    base: float
    is_even: bool
    count: int
    on_base: int

    @property
    def height(self) -> float:
        """The height of the tall letters above the baseline."""
        return self.base - self.top


def find_base_lines(strokes: Bytes) -> tuple[Floats, tuple[BaseLine, ...]]:
    """Return a matrix (2 x 3) and the lines of letters in a 0/1 mask of strokes.

    The matrix maps the horizontal and vertical coordinates of the lines to pixels of `strokes`. Raises
    OperationError if no letters are tall enough.
    """
    # Add random offsets. Otherwise, because coordinates are whole pixels, a level line would always have the
    # best score.
    grid = np.random.default_rng(0)
    y, x = (values + grid.uniform(-0.5, 0.5, len(values)) for values in np.nonzero(strokes))
    sample = slice(None, None, max(1, len(x) // 20_000))
    angle = _sharpest_angle(
        x[sample], y[sample], np.arange(-_MAX_TILT_DEGREES, _MAX_TILT_DEGREES + 1, 2.0), _MIN_LEVEL_SCORE
    )
    across, down = _rotate(x, y, angle)
    lean = np.tan(
        np.radians(
            -_sharpest_angle(down[sample], across[sample], np.arange(-24, 25, 2.0), _MIN_UPRIGHT_SCORE)
        )
    )
    across = across + lean * down
    start = np.array([across.min() - 2, down.min() - 2])
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    matrix = np.array([[cosine, -lean * cosine - sine], [sine, cosine - lean * sine]])
    turn = np.column_stack([matrix, matrix @ start])
    size = (int(np.ptp(across)) + 5, int(np.ptp(down)) + 5)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = (cv2.warpAffine(strokes * np.uint8(255), turn, size, flags=flags) > 127).astype(np.uint8)
    return turn.astype(np.float32), tuple(_base_lines(flat))


def _rotate(x: _Points, y: _Points, angle: float) -> tuple[_Points, _Points]:
    """Return the coordinates of points along and across lines at the given angle, in degrees clockwise."""
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return x * cosine + y * sine, y * cosine - x * sine


def _sharpest_angle(one: _Points, other: _Points, angles: _Points, level: float) -> float:
    """Return the angle, from the first axis to the second, at which the letters end most abruptly.

    Depending on the order of the axes, the letters' ends at the baselines or at the sides are measured. The
    angle 0 is preferred if its score is at least `level` times the best score.
    """

    def score(angle: float) -> float:
        positions = _rotate(one, other, angle)[1]
        counts = np.bincount(((positions - positions.min()) / _BIN_PIXELS).astype(np.intp)).astype(np.float64)
        return float((np.diff(counts, prepend=0, append=0) ** 2).sum())

    rough = max(angles, key=score)
    fine = max(rough + np.arange(-1.75, 2, 0.25), key=score)
    return 0.0 if score(0.0) >= level * score(fine) else float(fine)


def _base_lines(flat: Bytes) -> Iterator[BaseLine]:
    """Yield the lines of letters in a 0/1 mask of level strokes, from top to bottom."""
    _, stats = connected_components(flat)
    tallest = int(stats[1:, cv2.CC_STAT_HEIGHT].max(initial=0))
    if tallest < MIN_LETTER_PIXELS:
        raise OperationError(Reason.LOW_CONFIDENCE, NO_LETTERS, MARK_LETTERS)
    middles = stats[:, 1] + stats[:, 3] / 2
    tall = [at for at in np.argsort(middles) if at and stats[at, 3] > MIN_TALL_SHARE * tallest]
    groups: list[list[int]] = []
    for at in tall:
        if groups and middles[at] - np.mean(middles[groups[-1]]) < _MAX_CENTER_DISTANCE * tallest:
            groups[-1].append(at)
        else:
            groups.append([at])
    for group in groups:
        top, bottom = stats[group, 1].min(), (stats[group, 1] + stats[group, 3]).max()
        around = [at for at in range(1, len(stats)) if top <= middles[at] < bottom]
        yield _base_line(stats[group], stats[around])


def _base_line(letters: NDArray[np.int32], all_pieces: NDArray[np.int32]) -> BaseLine:
    tops, bottoms = letters[:, 1], letters[:, 1] + letters[:, 3]
    near = _MAX_END_DIFFERENCE * letters[:, 3].max()
    base = max(bottoms, key=lambda bottom: (int((abs(bottoms - bottom) <= near).sum()), -bottom))
    level = bottoms[abs(bottoms - base) <= near]
    return BaseLine(
        left=float(all_pieces[:, 0].min()),
        right=float((all_pieces[:, 0] + all_pieces[:, 2]).max()),
        top=float(tops.min()),
        bottom=float(bottoms.max()),
        base=float(np.median(level)),
        is_even=bool(np.ptp(tops) <= near and len(level) == len(letters)),
        count=len(letters),
        on_base=len(level),
    )
