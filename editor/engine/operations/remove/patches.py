"""Fill a hole with patches from the pixels around it.

The method is that of Wexler, Shechtman and Irani, "Space-time completion of video", 2007, with the search of
Barnes et al., "PatchMatch", 2009. At each level, from coarse to fine, the most similar patch outside the hole
is found for each pixel of the hole. Then the pixel's color is set to the mean of all overlapping patches.
"""

from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.masks import dilate_square
from editor.engine.operations.remove.color_steps import without_steps
from editor.engine.operations.remove.reference_misfit import reference_misfit
from editor.engine.operations.remove.shifts import Places, fill_with_shifts
from editor.imaging.picture import Bytes

_PATCH_PIXELS = 7  # side of a patch, in pixels
_HALF = _PATCH_PIXELS // 2  # distance, in pixels, from the center of a patch to its edge
_COMPONENTS = 20  # number of principal components by which patches are compared
_COARSEST = 48  # minimum length, in pixels, of the shorter side of the coarsest level
_ROUNDS = 5  # number of rounds of matching and averaging patches at each level
_IN_PIECES = 2500  # maximum number of hole pixels at a level that is filled with whole pieces of the photo
# Minimum number of allowed source pixels per hole pixel. If there are fewer, barred pixels are used, too.
_LEFT = 0.7
_AT_ONCE = 8192  # maximum number of patches that are in memory at the same time


@dataclass(frozen=True, eq=False)
class Filling:
    """The filling of a hole in a working copy.

    `sources` (n x 2) are the pixels that fill the pixels `holes` (n x 2). `colors` is the whole working copy
    with the hole filled. `misfit` is the RMS difference, in 8-bit levels, between the patches across the edge
    of the hole and the sources of these patches. `usual` is the difference that is usual among the photo's
    patches near the hole.
    """

    holes: Places
    sources: Places
    colors: Floats
    misfit: float
    usual: float = 1.0

    @property
    def strain(self) -> float:
        """The misfit as a multiple of the usual difference. It is about 1 for a filling that fits."""
        return self.misfit / self.usual


def fill(
    small: Floats | Bytes, hole: Bytes, seed: int, *, barred: Bytes | None = None, in_pieces: bool = True
) -> Filling:
    """Fill the hole (0/1) of an RGB working copy (0 to 255).

    The same seed gives the same filling. The area `barred` (0/1) is not used as a source unless little else
    is available. If `in_pieces` is true, the filling starts with whole pieces of the photo. Such pieces join
    lines that the hole cuts, but they take half a second and may repeat other objects.
    """
    random = np.random.default_rng(seed)
    levels = _pyramid(small.astype(np.float32), hole)
    usable = [_usable(missing, barred) for _, missing in levels]
    filling = None
    if in_pieces:
        while len(levels) > 1 and levels[1][1].sum() <= _IN_PIECES:
            del levels[0], usable[0]
        filling = _in_pieces(*levels[0], usable[0], random)
    for (image, missing), sources in zip(levels, usable, strict=True):
        colors = image if filling else _smeared(image, missing)
        filling = _filled_level(colors, missing, sources, filling, random, is_last=missing is hole)
    return cast(Filling, filling)


def match_patches(colors: Floats, hole: Bytes) -> Filling:
    """Match a hole that is already filled with the most similar patches outside the hole.

    `colors` is the whole working copy, from 0 to 255.
    """
    random = np.random.default_rng(0)
    return _filled_level(colors, hole, _usable(hole, None), None, random)


def _usable(missing: Bytes, barred: Bytes | None) -> NDArray[np.bool_]:
    """Return a mask of the pixels that may be centers of source patches."""
    usable = dilate_square(missing, _HALF) == 0
    usable[:_HALF] = usable[-_HALF:] = usable[:, :_HALF] = usable[:, -_HALF:] = False
    if barred is not None:
        size = (missing.shape[1], missing.shape[0])
        free = usable & (cv2.resize(barred, size, interpolation=cv2.INTER_NEAREST) == 0)
        usable = free if free.sum() > _LEFT * missing.sum() else usable
    return cast(NDArray[np.bool_], usable if usable.any() else missing == 0)


def _in_pieces(
    image: Floats, missing: Bytes, usable: NDArray[np.bool_], random: np.random.Generator
) -> Filling | None:
    """Return an initial filling made of whole pieces of the photo.

    Returns None if some pixels of the hole cannot be reached by any piece.
    """
    sources = fill_with_shifts(image, missing, usable, random)
    if sources is None:
        return None
    holes = np.argwhere(missing == 1).astype(np.int32)
    return Filling(holes, sources, _copied(image, holes, sources), 0.0)


def _pyramid(small: Floats, hole: Bytes) -> list[tuple[Floats, Bytes]]:
    """Return the working copy and its hole at each level, from coarse to fine.

    Each level is twice as wide and high as the one before.
    """
    levels = [(small, hole)]
    while min(levels[0][1].shape) > 2 * _COARSEST:
        image, missing = levels[0]
        size = (image.shape[1] // 2, image.shape[0] // 2)
        # A coarse pixel that is only partly in the hole counts as part of the hole. Otherwise, the hole's
        # colors would mix into this pixel.
        coarse = (cv2.resize(missing.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0).astype(
            np.uint8
        )
        levels.insert(0, (_known_means(image, missing, size), coarse))
    return levels


def _known_means(image: Floats, missing: Bytes, size: tuple[int, int]) -> Floats:
    known = (1 - missing).astype(np.float32)
    total = cv2.resize(image * known[:, :, None], size, interpolation=cv2.INTER_AREA)
    share = cv2.resize(known, size, interpolation=cv2.INTER_AREA)[:, :, None]
    return total / np.maximum(share, 1e-3)


def _smeared(image: Floats, missing: Bytes) -> Floats:
    """Return, as a first guess, the working copy with its hole filled by Telea's method."""
    eight = np.clip(image, 0, 255).astype(np.uint8)
    return cv2.inpaint(eight, missing, 3, cv2.INPAINT_TELEA).astype(np.float32)


def _filled_level(
    colors: Floats,
    missing: Bytes,
    usable: NDArray[np.bool_],
    before: Filling | None,
    random: np.random.Generator,
    *,
    is_last: bool = False,
) -> Filling:
    """Return the filling of a level, which starts from the filling of the next coarser level, if any.

    It starts with copies of the sources. The coarser level's enlarged colors would be blurred, and the search
    would then prefer sources without detail.
    """
    search = _Search(colors, missing, usable, random)
    sources = search.started(before)
    if before is not None:
        colors = _copied(colors, search.inner, sources)
    for _ in range(_ROUNDS):
        search.describe_hole(colors)
        sources = search.improved(sources)
        colors = search.voted(colors, sources)
    filling = Filling(search.inner, sources, colors, search.misfit(colors, sources))
    if not is_last:
        return filling
    evened = without_steps(colors, search.inner, sources)
    usual = reference_misfit(search.features, search.usable, missing, 3 * _PATCH_PIXELS**2)
    return replace(filling, colors=evened, usual=usual)


class _Search:
    """The nearest-neighbor search at one level.

    For each pixel of the hole, the search finds the most similar usable patch outside the hole. `Places` are
    the centers of patches.
    """

    def __init__(
        self, colors: Floats, missing: Bytes, usable: NDArray[np.bool_], random: np.random.Generator
    ) -> None:
        self.random = random
        self.shape = missing.shape
        self.usable = usable
        self.allowed = np.argwhere(usable).astype(np.int32)
        self.inner = np.argwhere(missing == 1).astype(np.int32)
        self.index = np.full(self.shape, -1, np.int32)
        self.index[tuple(self.inner.T)] = np.arange(len(self.inner))
        self.neighbors: dict[tuple[int, int], tuple[NDArray[np.int32], Places]] = {}
        self.basis = self._basis(colors)
        self.features = np.empty((*self.shape, _COMPONENTS), np.float32)
        self._describe(colors, slice(0, self.shape[0]), slice(0, self.shape[1]))

    def _basis(self, colors: Floats) -> Floats:
        """Return the principal components of a random sample of known patches."""
        chosen = self.allowed[self.random.integers(0, len(self.allowed), 2500)]
        patches = self._patches(colors, chosen)
        centered = patches - patches.mean(0)
        _, vectors = np.linalg.eigh(centered.T @ centered)
        return vectors[:, ::-1][:, :_COMPONENTS].astype(np.float32)

    def _patches(self, colors: Floats, places: Places) -> Floats:
        windows = np.lib.stride_tricks.sliding_window_view(
            _padded(colors), (_PATCH_PIXELS, _PATCH_PIXELS), axis=(0, 1)
        )
        return windows[places[:, 0], places[:, 1]].reshape(len(places), -1)

    def describe_hole(self, colors: Floats) -> None:
        """Update the features of the patches in the hole, which are the only patches that change."""
        (top, left), (bottom, right) = self.inner.min(0), self.inner.max(0) + 1
        self._describe(colors, slice(top, bottom), slice(left, right))

    def _describe(self, colors: Floats, rows: slice, columns: slice) -> None:
        """Compute the features of all patches in an area, a few rows at a time.

        All patches together would need 49 times as much memory as the working copy.
        """
        padded = _padded(colors)[:, columns.start : columns.stop + _PATCH_PIXELS - 1]
        width = columns.stop - columns.start
        step = max(1, _AT_ONCE // width)
        for row in range(rows.start, rows.stop, step):
            end = min(row + step, rows.stop)
            windows = np.lib.stride_tricks.sliding_window_view(
                padded[row : end + _PATCH_PIXELS - 1], (_PATCH_PIXELS, _PATCH_PIXELS), axis=(0, 1)
            )
            patches = windows.reshape((end - row) * width, -1) @ self.basis
            self.features[row:end, columns] = patches.reshape(end - row, width, _COMPONENTS)

    def started(self, before: Filling | None) -> Places:
        """Return initial source pixels for the hole.

        The sources come from the next coarser level. Where that level has no source, they are random.
        """
        guess = self.allowed[self.random.integers(0, len(self.allowed), len(self.inner))]
        if before is None:
            return guess
        height, width = before.colors.shape[:2]
        coarse = np.full((height, width, 2), -1, np.int32)
        coarse[tuple(before.holes.T)] = before.sources
        scale = np.array([self.shape[0] / height, self.shape[1] / width])
        parents = np.minimum((self.inner / scale).astype(np.int32), (height - 1, width - 1))
        offset = coarse[tuple(parents.T)] - parents
        wanted = np.rint(self.inner + offset * scale).astype(np.int32)
        known = (coarse[tuple(parents.T)][:, 0] >= 0) & self._is_usable(wanted)
        return np.where(known[:, None], wanted, guess)

    def _is_usable(self, places: Places) -> NDArray[np.bool_]:
        rows, columns = places[:, 0], places[:, 1]
        inside = (rows >= 0) & (rows < self.shape[0]) & (columns >= 0) & (columns < self.shape[1])
        return cast(NDArray[np.bool_], inside & self.usable.take(self._flat(places), mode="clip"))

    def _flat(self, places: Places) -> NDArray[np.intp]:
        return cast(NDArray[np.intp], places[:, 0].astype(np.intp) * self.shape[1] + places[:, 1])

    def improved(self, sources: Places) -> Places:
        """Return better source pixels for all pixels of the hole.

        Candidates come from the sources of neighbors, distant neighbors first. Further candidates come from a
        random search within a shrinking radius.
        """
        wanted = self.features[tuple(self.inner.T)]
        costs = self._costs(wanted, sources)
        for distance in (8, 4, 2, 1, 1):
            for step in ((0, distance), (distance, 0), (0, -distance), (-distance, 0)):
                sources, costs = self._better(wanted, sources, costs, self._neighbors(sources, step))
        radius = max(self.shape)
        while radius >= 1:
            jump = self.random.integers(-radius, radius + 1, sources.shape, np.int32)
            sources, costs = self._better(wanted, sources, costs, sources + jump)
            radius //= 2
        return sources

    def _neighbors(self, sources: Places, step: tuple[int, int]) -> Places:
        """Return the source of each pixel's neighbor at `step`, shifted back by that step."""
        if step not in self.neighbors:
            self.neighbors[step] = self._found_neighbors(step)
        neighbor, apart = self.neighbors[step]
        return cast(Places, sources.take(neighbor, axis=0) - apart)

    def _found_neighbors(self, step: tuple[int, int]) -> tuple[NDArray[np.int32], Places]:
        """Return the index of each pixel's neighbor at `step`, and the offset to that neighbor.

        A pixel whose neighbor is not in the hole gets its own index and the offset 0.
        """
        places = np.clip(self.inner + step, 0, np.array(self.shape) - 1)
        neighbor = self.index[tuple(places.T)]
        known = neighbor >= 0
        own = np.arange(len(self.inner), dtype=np.int32)
        apart = (known[:, None] * np.array(step)).astype(np.int32)
        return np.where(known, neighbor, own), apart

    def _costs(self, wanted: Floats, sources: Places) -> Floats:
        """Return the squared distance between each source's patch features and the wanted features."""
        difference = self.features.reshape(-1, _COMPONENTS).take(self._flat(sources), axis=0)
        difference -= wanted
        return cast(Floats, np.einsum("ij,ij->i", difference, difference))

    def _better(
        self, wanted: Floats, sources: Places, costs: Floats, candidates: Places
    ) -> tuple[Places, Floats]:
        """Return the sources and their costs, with sources replaced by candidates that cost less.

        Only candidates that are usable and differ from the source are compared.
        """
        changed = (candidates[:, 0] != sources[:, 0]) | (candidates[:, 1] != sources[:, 1])
        usable = self._is_usable(candidates) & changed
        safe = np.where(usable[:, None], candidates, sources)
        new = self._costs(wanted, safe)
        wins = new < costs
        return np.where(wins[:, None], safe, sources), np.where(wins, new, costs)

    def misfit(self, colors: Floats, sources: Places) -> float:
        """Return the RMS difference between patches and their sources, in 8-bit levels.

        Only patches that extend across the hole's edge count.
        """
        self.describe_hole(colors)
        places = tuple(self.inner.T)
        deep = cv2.erode((self.index >= 0).astype(np.uint8), np.ones((3, 3), np.uint8))[places]
        costs = self._costs(self.features[places], sources)[deep == 0]
        if not len(costs):
            return 0.0
        return float(np.sqrt(costs.mean() / (3 * _PATCH_PIXELS**2)))

    def voted(self, colors: Floats, sources: Places) -> Floats:
        """Return the colors with each pixel of the hole replaced by the mean of all overlapping patches."""
        total = np.zeros((len(self.inner), 3), np.float32)
        weight = np.float32(0)
        flat = colors.reshape(-1, 3)
        for down in range(-_HALF, _HALF + 1):
            for across in range(-_HALF, _HALF + 1):
                near = np.float32(np.exp(-(down**2 + across**2) / 2))
                places = np.clip(self._neighbors(sources, (down, across)), 0, np.array(self.shape) - 1)
                total += near * flat.take(self._flat(places), axis=0)
                weight += near
        result = colors.copy()
        result[tuple(self.inner.T)] = total / weight
        return result


def _copied(colors: Floats, holes: Places, sources: Places) -> Floats:
    """Return the colors with each pixel of the hole replaced by its source."""
    result = colors.copy()
    result[tuple(holes.T)] = colors[tuple(sources.T)]
    return result


def _padded(colors: Floats) -> Floats:
    return cv2.copyMakeBorder(colors, _HALF, _HALF, _HALF, _HALF, cv2.BORDER_REFLECT_101)
