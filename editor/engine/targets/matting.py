"""Hair and fur: how much of each pixel along an outline belongs to the subject.

He, Rhemann, Rother, Tang and Sun, "A global sampling method for alpha matting", 2011: a pixel there is a mix
of a color known inside and one known outside, and the pair of these that explains it best says the share.
"""

from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.pixels import copy_size
from editor.imaging.codecs import Bytes

type Numbers = NDArray[np.int32]

_SIDE = 600  # pixels: the pairs are sought on a copy of that size
_IN, _OUT = 0.012, 0.022  # half the width of the unsure band, as shares of the longest side
_SMOOTH = 0.006  # of the same: where colors tell nothing the outline is as smooth, and as soft, as that
_SOFT = 1.7
_FETCHED = 0.06  # of the same: pairs come from as far at first
_ROUNDS = 2
_MISFIT, _FAR, _UNLIKELY = 400.0, 0.02, 0.3  # what a wrong color, a far one and an odd share cost
_DOUBT = 300.0  # how fast trust falls with a wrong color
_TOLD_APART, _FARTHER, _RANGE = 0.05, 0.15, 0.15  # of white: how far two colors must be apart to be trusted


class _Pairs(NamedTuple):
    """Height x width x 3: the colors that mix; height x width: how far that is to be trusted, 0 to 1."""

    front: Floats
    behind: Floats
    trust: Floats


def matted(mask: Floats, guide: Bytes) -> Floats:
    """The mask (0 to 1), its outline shared out in a band: strands are in it by themselves. Where the colors
    of both sides are alike it stays, smooth. `guide` holds the colors, 8-bit RGB, of the same size."""
    size = copy_size(_SIDE, *mask.shape[::-1])
    small = cv2.resize(guide, size, interpolation=cv2.INTER_AREA).astype(np.float32) * np.float32(1 / 255)
    depth = _depth(cv2.resize(mask, size, interpolation=cv2.INTER_AREA))
    if not ((depth >= 1).any() and (depth <= -1).any() and (np.abs(depth) < 1).any()):
        return mask
    pairs = _Search(small, depth).found()
    return _shared_out(mask, guide, _Pairs(*(_enlarged(part, mask) for part in pairs)))


def _depth(mask: Floats) -> Floats:
    """How far inside the outline a pixel is (below 0: outside), 1 at the end of the unsure band."""
    solid = (mask > 0.5).astype(np.uint8)
    inside, outside = (cv2.distanceTransform(part, cv2.DIST_L2, 5) for part in (solid, 1 - solid))
    side = max(mask.shape)
    near, far = np.clip(inside / max(2.0, _IN * side), 0, 1), np.clip(outside / max(3.0, _OUT * side), 0, 1)
    return cast(Floats, near - far)


def _enlarged(part: Floats, mask: Floats) -> Floats:
    return cv2.resize(part, (mask.shape[1], mask.shape[0]), interpolation=cv2.INTER_LINEAR)


def _shared_out(mask: Floats, guide: Bytes, pairs: _Pairs) -> Floats:
    depth = _depth(mask)
    wide = cv2.GaussianBlur((mask > 0.5).astype(np.float32), (0, 0), max(0.8, _SMOOTH * max(mask.shape)))
    usual = np.clip((wide - 0.5) * _SOFT + 0.5, 0, 1)
    way = pairs.front - pairs.behind
    colors = guide.astype(np.float32) * np.float32(1 / 255) - pairs.behind
    share = np.clip((colors * way).sum(2) / ((way * way).sum(2) + 1e-4), 0, 1)
    mixed = cv2.ximgproc.guidedFilter(guide, usual + pairs.trust * (share - usual), 4, 1e-4 * 255**2)
    return np.where(depth >= 1, 1, np.where(depth <= -1, 0, np.clip(mixed, 0, 1))).astype(np.float32)


class _Search:
    """The unsure pixels of a copy (0 to 1), and for each the numbers of the two that it may be a mix of."""

    def __init__(self, colors: Floats, depth: Floats) -> None:
        self.shape = depth.shape
        self.colors = cv2.blur(colors, (3, 3)).reshape(-1, 3)
        self.rows, self.columns = (places.astype(np.int32) for places in np.nonzero(np.abs(depth) < 1))
        self.count = len(self.rows)
        self.own = colors[self.rows, self.columns]
        self.depth = depth[self.rows, self.columns]
        self.usual = (1 + np.sign(self.depth) * (1 - (1 - np.abs(self.depth)) ** 3)) / 2
        self.index = np.full(self.shape, -1, np.int32)
        self.index[self.rows, self.columns] = np.arange(self.count, dtype=np.int32)
        self.inside, self.outside = _nearest(depth >= 1), _nearest(depth <= -1)
        self.front, self.behind = self._at(self.inside), self._at(self.outside)
        self.nearest = self._apart(self.front), self._apart(self.behind)
        self.cost, self.misfit = self._costs(self.front, self.behind)

    def found(self) -> _Pairs:
        """The best pairs, by random tries nearer and nearer, and by what fits the neighbors."""
        random = np.random.default_rng(0)
        for _ in range(_ROUNDS):
            reach = round(_FETCHED * max(self.shape))
            while reach >= 3:
                for is_front in (True, False):
                    step = random.integers(-reach, reach + 1, (2, self.count), np.int32)
                    tried = self._at(self.inside if is_front else self.outside, *step)
                    self._try(tried if is_front else self.front, self.behind if is_front else tried)
                reach //= 2
            for length in (4, 1):
                for step in ((0, length), (length, 0), (0, -length), (-length, 0)):
                    other = self._at(self.index, *step)
                    other = np.where(other < 0, np.arange(self.count, dtype=np.int32), other)
                    self._try(self.front[other], self.behind[other])
        return self._spread()

    def _at(self, numbers: Numbers, down: Numbers | int = 0, across: Numbers | int = 0) -> Numbers:
        """The numbers at a place beside each pixel."""
        rows = np.clip(self.rows + down, 0, self.shape[0] - 1)
        return cast(Numbers, numbers[rows, np.clip(self.columns + across, 0, self.shape[1] - 1)])

    def _apart(self, numbers: Numbers) -> Floats:
        """How far the pixels with these numbers are."""
        rows, columns = np.divmod(numbers, np.int32(self.shape[1]))
        return np.hypot((rows - self.rows).astype(np.float32), (columns - self.columns).astype(np.float32))

    def _costs(self, front: Numbers, behind: Numbers) -> tuple[Floats, Floats]:
        """What a pair costs, and how far its mix is from the pixel's own color, squared."""
        far = self.colors.take(behind, axis=0)
        way, own = self.colors.take(front, axis=0) - far, self.own - far
        share = np.clip(_dot(own, way) / (_dot(way, way) + np.float32(1e-4)), 0, 1)
        rest = own - share[:, None] * way
        misfit = _dot(rest, rest)
        farther = self._apart(front) / self.nearest[0] + self._apart(behind) / self.nearest[1]
        odd = (share - self.usual) ** 2
        return (_MISFIT * misfit + _FAR * farther + _UNLIKELY * odd), misfit

    def _try(self, front: Numbers, behind: Numbers) -> None:
        """Takes these pairs where they cost less."""
        cost, misfit = self._costs(front, behind)
        better = cost < self.cost
        self.front, self.behind = np.where(better, front, self.front), np.where(better, behind, self.behind)
        self.cost, self.misfit = np.where(better, cost, self.cost), np.where(better, misfit, self.misfit)

    def _spread(self) -> _Pairs:
        """The pairs as maps, a little smoothed, so that no single pixel is odd. The farther from the outline,
        the clearer the colors must differ."""
        front, behind = self.colors.take(self.front, axis=0), self.colors.take(self.behind, axis=0)
        least = _TOLD_APART + _FARTHER * np.abs(self.depth)
        apart = np.sqrt(((front - behind) ** 2).sum(1))
        trust = np.clip((apart - least) / _RANGE, 0, 1) * np.exp(-_DOUBT * self.misfit)
        maps = np.zeros((*self.shape, 7), np.float32)
        weighted = np.concatenate([front, behind, np.ones((self.count, 1), np.float32)], 1)
        maps[self.rows, self.columns] = weighted * np.maximum(trust, 1e-4)[:, None]
        shown = np.zeros(self.shape, np.float32)
        shown[self.rows, self.columns] = trust
        maps = cv2.blur(maps, (3, 3))
        colors = maps[:, :, :6] / np.maximum(maps[:, :, 6:], np.float32(1e-6))
        return _Pairs(colors[:, :, :3], colors[:, :, 3:], cv2.blur(shown, (3, 3)))


def _dot(one: Floats, other: Floats) -> Floats:
    return cast(Floats, np.einsum("ij,ij->i", one, other))


def _nearest(known: NDArray[np.bool_]) -> Numbers:
    """For each pixel the number of the nearest known one, itself where it is one."""
    _, labels = cv2.distanceTransformWithLabels(
        (~known).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    numbers = np.zeros(int(labels.max()) + 1, np.int32)
    numbers[labels[known]] = np.flatnonzero(known)
    return cast(Numbers, numbers[labels])
