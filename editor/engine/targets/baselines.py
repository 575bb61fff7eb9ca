"""Lines of letters: at which angle they run, how far their letters lean, and where their base lines are."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.plan import Reason
from editor.engine.refused import Unable
from editor.engine.targets.masks import pieces
from editor.imaging.picture import Bytes

LEAST_HEIGHT = 7  # pixels
_TILTED = 40.0  # degrees: steeper lines are not sought
_LEVEL = 0.88  # of the best: a level line that fits as well is the one
_LEANING = 0.8  # the same for upright letters
_BIN = 1.5  # pixels
TALL = 0.4  # of the tallest letter: what is smaller is a dot or an accent
_ONE_LINE = 0.6  # of the tallest letter: so far the middles of a line may be apart
_ALIKE = 0.14  # of the tallest letter: heights of one kind of letters

NO_LETTERS = "No letters stand out clearly in the box."
MARK_LETTERS = "Mark the text alone with a box, close around its letters."

type _Points = NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """A line of letters, in the frame of its inscription: from where to where it runs, and its ink from top
    to bottom; its base line; and whether its letters are of one height; how many
    pieces it has, and how many of them stand on the base line."""

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
        """Of its tall letters."""
        return self.base - self.top


def lines_of(strokes: Bytes) -> tuple[Floats, tuple[Line, ...]]:
    """The frame of the lines, as a matrix (2 x 3) that leads from it to the strokes, and the lines."""
    grid = np.random.default_rng(0)  # on whole pixels a level line would always seem the sharpest
    y, x = (values + grid.uniform(-0.5, 0.5, len(values)) for values in np.nonzero(strokes))
    few = slice(None, None, max(1, len(x) // 20_000))
    angle = _sharpest(x[few], y[few], np.arange(-_TILTED, _TILTED + 1, 2.0), _LEVEL)
    across, down = _turned(x, y, angle)
    lean = np.tan(np.radians(-_sharpest(down[few], across[few], np.arange(-24, 25, 2.0), _LEANING)))
    across = across + lean * down
    start = np.array([across.min() - 2, down.min() - 2])
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    matrix = np.array([[cosine, -lean * cosine - sine], [sine, cosine - lean * sine]])
    turn = np.column_stack([matrix, matrix @ start])
    size = (int(np.ptp(across)) + 5, int(np.ptp(down)) + 5)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = (cv2.warpAffine(strokes * np.uint8(255), turn, size, flags=flags) > 127).astype(np.uint8)
    return turn.astype(np.float32), tuple(_lines_in(flat))


def _turned(x: _Points, y: _Points, angle: float) -> tuple[_Points, _Points]:
    """Along and across lines that run at an angle, in degrees clockwise."""
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return x * cosine + y * sine, y * cosine - x * sine


def _sharpest(one: _Points, other: _Points, angles: _Points, level: float) -> float:
    """The angle, from the first axis to the second, along which letters end most abruptly: on their lines, or
    at their sides."""

    def score(angle: float) -> float:
        places = _turned(one, other, angle)[1]
        counts = np.bincount(((places - places.min()) / _BIN).astype(np.intp)).astype(np.float64)
        return float((np.diff(counts, prepend=0, append=0) ** 2).sum())

    rough = max(angles, key=score)
    fine = max(rough + np.arange(-1.75, 2, 0.25), key=score)
    return 0.0 if score(0.0) >= level * score(fine) else float(fine)


def _lines_in(flat: Bytes) -> Iterator[Line]:
    """The lines of level strokes, from the top."""
    _, stats = pieces(flat)
    tallest = int(stats[1:, cv2.CC_STAT_HEIGHT].max(initial=0))
    if tallest < LEAST_HEIGHT:
        raise Unable(Reason.LOW_CONFIDENCE, NO_LETTERS, MARK_LETTERS)
    middles = stats[:, 1] + stats[:, 3] / 2
    tall = [at for at in np.argsort(middles) if at and stats[at, 3] > TALL * tallest]
    groups: list[list[int]] = []
    for at in tall:
        if groups and middles[at] - np.mean(middles[groups[-1]]) < _ONE_LINE * tallest:
            groups[-1].append(at)
        else:
            groups.append([at])
    for group in groups:
        top, bottom = stats[group, 1].min(), (stats[group, 1] + stats[group, 3]).max()
        around = [at for at in range(1, len(stats)) if top <= middles[at] < bottom]
        yield _line(stats[group], stats[around])


def _line(letters: NDArray[np.int32], all_of_it: NDArray[np.int32]) -> Line:
    tops, bottoms = letters[:, 1], letters[:, 1] + letters[:, 3]
    near = _ALIKE * letters[:, 3].max()
    base = max(bottoms, key=lambda bottom: (int((abs(bottoms - bottom) <= near).sum()), -bottom))
    level = bottoms[abs(bottoms - base) <= near]
    return Line(
        left=float(all_of_it[:, 0].min()),
        right=float((all_of_it[:, 0] + all_of_it[:, 2]).max()),
        top=float(tops.min()),
        bottom=float(bottoms.max()),
        base=float(np.median(level)),
        is_even=bool(np.ptp(tops) <= near and len(level) == len(letters)),
        count=len(letters),
        on_base=len(level),
    )
