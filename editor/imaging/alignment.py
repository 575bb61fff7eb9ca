"""Detect whether a picture shows a photo that was moved or scaled, and undo the change.

Engines that repaint a photo often return it slightly shifted or zoomed. Both pictures are reduced to their
details. Phase correlation on small copies gives an initial guess. Maximizing the enhanced correlation
coefficient (Evangelidis and Psarakis, 2008) then refines this guess.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits, flatten

type Matrix = NDArray[np.float64]
type Detail = NDArray[np.float32]
type Region = tuple[int, int, int, int]

MATCHING = 0.6  # minimum correlation between the details of two pictures that show the same scene
MAX_OFFSET_PIXELS = 1.0  # maximum offset of a picture that does not have to be aligned
SMALL_SIDE, LARGE_SIDE = 160, 1024  # longer side, in pixels, of the copies for guessing and for refining
SCALES = tuple(1.03**step for step in range(-6, 7))
MIN_DETAIL = 1.0  # minimum standard deviation of the details, in 8-bit levels; less is not conclusive
MIN_OUTSIDE_SHARE = 0.05  # minimum share of the picture outside the regions
_GAP_SHARE = 0.005  # share of the shorter side that a moved picture may leave uncovered in a region
_REFINING = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-6)


@dataclass(frozen=True, eq=False)
class Fit:
    """How a picture was moved: `matrix` (2 x 3) maps the photo's pixels to the picture's pixels."""

    matrix: Matrix

    def apply(self, pixels: Pixels) -> Pixels:
        """Return the picture's pixels, moved back to their positions in the photo."""
        height, width = pixels.shape[:2]
        how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        moved = cv2.warpAffine(
            pixels, self.matrix, (width, height), flags=how, borderMode=cv2.BORDER_REPLICATE
        )
        return cast(Pixels, moved)

    def covers(self, regions: Sequence[Region], width: int, height: int) -> bool:
        """Return whether the moved picture has pixels for all of these regions."""
        gap = max(1.0, _GAP_SHARE * min(width, height))
        corners = [
            (x, y) for left, top, right, bottom in regions for x in (left, right) for y in (top, bottom)
        ]
        return all(
            -gap <= x <= width + gap and -gap <= y <= height + gap
            for x, y in (self.matrix @ (x, y, 1) for x, y in corners)
        )


def find(photo: Pixels, picture: Pixels, outside: Bytes) -> Fit | None:
    """Return how the picture was moved, judged by the pixels where `outside` is not 0.

    All have the same size. Return None if the picture is off by at most MAX_OFFSET_PIXELS, or if it does not
    show the photo at all.
    """
    small, large = (_Pair(photo, picture, outside, side) for side in (SMALL_SIDE, LARGE_SIDE))
    if not (small.is_telling and large.is_telling):
        return None
    guess = small.refined(small.guess())
    matrix = large.refined(large.from_full(small.to_full(guess)))
    found = Fit(large.to_full(matrix)[:2])
    score = large.score(matrix)
    is_off = _most_moved(found.matrix, *photo.shape[1::-1]) > MAX_OFFSET_PIXELS
    return found if is_off and score >= MATCHING and score > large.score(np.eye(3)) else None


class _Pair:
    """The details of a photo and a picture, both scaled so that the longer side is at most `side` pixels."""

    def __init__(self, photo: Pixels, picture: Pixels, outside: Bytes, side: int) -> None:
        height, width = photo.shape[:2]
        self._scale = min(1.0, side / max(width, height))
        size = (max(8, round(width * self._scale)), max(8, round(height * self._scale)))
        self._outside = cv2.resize(outside, size, interpolation=cv2.INTER_NEAREST)
        self._photo, self._picture = (_details(pixels, size) for pixels in (photo, picture))
        # The matrix maps a full-size pixel (x, y) to the corresponding pixel at this size.
        across, down = size[0] / width, size[1] / height
        self._shrink = np.array(
            [[across, 0, across / 2 - 0.5], [0, down, down / 2 - 0.5], [0, 0, 1]], np.float64
        )

    @property
    def is_telling(self) -> bool:
        """Return whether there is enough detail outside the regions for a comparison."""
        seen = self._outside > 0
        return bool(seen.mean() >= MIN_OUTSIDE_SHARE and self._photo[seen].std() >= MIN_DETAIL)

    def guess(self) -> Matrix:
        """Return the most likely shift and scale."""
        return max((*self._guesses(), np.eye(3)), key=self.score)

    def refined(self, start: Matrix) -> Matrix:
        """Return a better matrix near `start`, or `start` itself if no better one is found."""
        try:
            _, found = cv2.findTransformECC(
                self._photo,
                self._picture,
                start[:2].astype(np.float32),
                cv2.MOTION_AFFINE,
                _REFINING,
                self._outside,
                5,
            )
        except cv2.error:  # The refinement did not converge.
            return start
        matrix = np.vstack([found, (0, 0, 1)]).astype(np.float64)
        return matrix if self.score(matrix) >= self.score(start) else start

    def score(self, matrix: Matrix) -> float:
        """Return the correlation of the details outside the regions after moving the picture back.

        The correlation ranges from -1 to 1.
        """
        size = self._photo.shape[1::-1]
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        moved = cv2.warpAffine(self._picture, matrix[:2], size, flags=how)
        is_there = cv2.warpAffine(
            self._outside, matrix[:2], size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        )
        seen = (is_there > 0) & (self._outside > 0)
        if seen.mean() < MIN_OUTSIDE_SHARE:
            return -1.0
        one, other = self._photo[seen], moved[seen]
        spread = float(one.std() * other.std())
        return float(((one - one.mean()) * (other - other.mean())).mean()) / spread if spread > 1e-6 else -1.0

    def to_full(self, matrix: Matrix) -> Matrix:
        return np.linalg.inv(self._shrink) @ matrix @ self._shrink

    def from_full(self, matrix: Matrix) -> Matrix:
        return self._shrink @ matrix @ np.linalg.inv(self._shrink)

    def _guesses(self) -> Iterator[Matrix]:
        height, width = self._photo.shape
        fade = cv2.GaussianBlur(self._outside, (0, 0), 2).astype(np.float32) / 255
        window = np.multiply(cv2.createHanningWindow((width, height), cv2.CV_32F), fade)
        for scale in SCALES:
            # Scale about the center.
            about = np.array(
                [
                    [scale, 0, (1 - scale) * (width - 1) / 2],
                    [0, scale, (1 - scale) * (height - 1) / 2],
                    [0, 0, 1],
                ],
                np.float64,
            )
            scaled = cv2.warpAffine(
                self._picture, about[:2], (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            )
            (x, y), _ = cv2.phaseCorrelate(self._photo * window, scaled * window)
            yield about @ np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64)


def _details(pixels: Pixels, size: tuple[int, int]) -> Detail:
    """Return the brightness without its large-scale variation, in 8-bit levels."""
    small = Picture(cast(Pixels, cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)))
    gray = cv2.cvtColor(flatten(eight_bits(small)), cv2.COLOR_RGB2GRAY).astype(np.float32)
    return cast(Detail, gray - cv2.GaussianBlur(gray, (0, 0), max(2.0, max(size) / 64)))


def _most_moved(matrix: Matrix, width: int, height: int) -> float:
    """Return how far, in pixels, the matrix moves the corner that it moves the farthest."""
    corners = [(x, y) for x in (0, width) for y in (0, height)]
    return max(float(np.hypot(*(matrix @ (x, y, 1) - (x, y)))) for x, y in corners)
