"""Fill a hole with a few whole pieces of the photo, joined along the least visible seams.

The pieces are copies of the photo that are shifted by a few offsets. At some of these offsets, the photo
repeats itself, as in He and Sun, "Statistics of patch offsets for image completion", 2012. Other offsets are
chosen because they best continue part of the hole's edge. Belief propagation chooses the piece for each
pixel, as in Szeliski et al., "A comparative study of energy minimization methods", 2008.
"""

from collections.abc import Iterator
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.masks import dilate_square
from editor.engine.pixels import Box
from editor.imaging.picture import Bytes

# Pairs of a row and a column. For an offset, these are the distances down and to the right, in pixels.
type Places = NDArray[np.int32]

type _Flags = NDArray[np.bool_]
type _Numbers = NDArray[np.intp]

_EDGE = 3  # width, in pixels, of the edge around the hole that a piece of the photo must continue
_SECTORS = 8  # number of sectors into which the edge around the hole is divided
_EDGE_OFFSETS = 6  # number of offsets that are tried for the whole edge of the hole
_SECTOR_OFFSETS = 4  # number of offsets that are tried for each sector of the hole's edge
# Number of offsets that are tried because the photo repeats itself at these offsets.
_REPEATED_OFFSETS = 12
_REST_OFFSETS = 6  # maximum number of offsets that are added for pixels that no other offset can fill
_SAME_HEIGHT_OFFSETS = 4  # number of offsets that are tried to each side at the same height
_INSIDE = 0.3  # minimum share of the hole that a piece of the photo must fill
_PATCH = 7  # side, in pixels, of the patches that are compared to find repetitions in the photo
_QUERIES = 400  # number of patches for which the most similar other patch is searched for
_COMPARED = 6000  # maximum number of patches among which the most similar patch is searched for
# Minimum distance between similar patches for them to count, as a share of the longest side.
_APART = 1 / 12
_WINDOW = 5  # side, in pixels, of the window in which a piece of the photo is compared with its surroundings

# Maximum squared color difference, in squared 8-bit levels; larger ones count the same.
_MAX_DIFFERENCE = 20000.0
# Cost, in squared 8-bit levels, of an offset up or down by the full height of the picture.
_HIGHER = 4000.0
# Number of rows above and below a pixel, as a share of the picture's height, that are at the same height.
_SAME_HEIGHT = 1 / 16
# Maximum cost, in squared 8-bit levels, of a color that does not occur at the height of the filled pixel.
_OUT_OF_PLACE = 4000.0
_SEAM = 12.0  # cost, in squared 8-bit levels, of any seam between two pieces of the photo
_ROUNDS = 6  # number of rounds of belief propagation
# Steps to the neighbors above, below, on the left, and on the right.
_STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def fill_with_shifts(
    image: Floats, missing: Bytes, usable: _Flags, random: np.random.Generator
) -> Places | None:
    """Return a usable source pixel for each pixel of the hole, in the order of np.argwhere.

    Returns None if some pixel of the hole has no usable source at any offset.
    """
    inner = np.argwhere(missing == 1).astype(np.int32)
    offsets = _offsets(image, missing, usable, random)
    sources, reached = _sources(inner, offsets, usable)
    if not len(offsets) or not reached.any(1).all():
        return None
    fit = _fit(image, missing, offsets) + _out_of_place(image, usable, inner, sources)
    fit[~reached] = _MAX_DIFFERENCE * _WINDOW**2
    labels = _best(missing, fit, _unlike(image, sources))
    return sources[np.arange(len(inner)), labels]


def _sources(inner: Places, offsets: Places, usable: _Flags) -> tuple[Places, _Flags]:
    """Return the source pixel of each hole pixel at each offset (n x offsets x 2).

    The second array (n x offsets) shows which of these sources are usable.
    """
    wanted = inner[:, None] + offsets
    inside = ((wanted >= 0) & (wanted < usable.shape)).all(2)
    safe = np.where(inside[:, :, None], wanted, 0)
    return cast(Places, safe), inside & usable[safe[:, :, 0], safe[:, :, 1]]


def _offsets(image: Floats, missing: Bytes, usable: _Flags, random: np.random.Generator) -> Places:
    candidates = {
        *_continuing(image, missing, usable),
        *_repeating(image, missing, usable, random),
        *_at_the_same_height(missing),
    }
    inner = np.argwhere(missing == 1).astype(np.int32)
    offsets = np.array(sorted(candidates), np.int32).reshape(-1, 2)
    for _ in range(_REST_OFFSETS):
        left = inner[~_sources(inner, offsets, usable)[1].any(1)]
        if not len(left):
            break
        offsets = np.concatenate([offsets, _reaching(left, usable)])
    return offsets


def _reaching(left: Places, usable: _Flags) -> Places:
    """Return the offset (1 x 2) at which most of the pixels in `left` have a usable source."""
    low, high = left.min(0), left.max(0)
    part = np.zeros(high - low + 1, np.float32)
    part[tuple((left - low).T)] = 1
    down, across = (size // 2 for size in part.shape)
    there = cv2.copyMakeBorder(usable.astype(np.float32), down, down, across, across, cv2.BORDER_CONSTANT)
    reached = cv2.matchTemplate(there, part, cv2.TM_CCORR)
    best = np.array(np.unravel_index(int(reached.argmax()), reached.shape))
    return cast(Places, (best - (down, across) - low).astype(np.int32)[None])


def _continuing(image: Floats, missing: Bytes, usable: _Flags) -> Iterator[tuple[int, int]]:
    """Yield the offsets that best continue the edge of the hole.

    Some offsets continue the whole edge, and others continue a sector of the edge.
    """
    place = Box.around(missing).padded(_EDGE, *missing.shape[::-1])
    hole, there = missing[place.slices], image[place.slices]
    down, across = hole.shape[0] // 2, hole.shape[1] // 2
    colors = cv2.copyMakeBorder(image, down, down, across, across, cv2.BORDER_REPLICATE)
    known = cv2.copyMakeBorder(usable.astype(np.float32), down, down, across, across, cv2.BORDER_CONSTANT)
    inside = cv2.matchTemplate(known, hole.astype(np.float32), cv2.TM_CCORR) / hole.sum()
    rows = np.arange(inside.shape[0], dtype=np.float32)[:, None] - (down + place.top)
    near = max(1, min(hole.shape) // 8)
    for part, count in _edges(hole):
        apart = cv2.matchTemplate(colors, there, cv2.TM_SQDIFF, mask=np.dstack([part] * 3)) / part.sum()
        apart += _HIGHER * (rows / missing.shape[0]) ** 2
        whole = cv2.matchTemplate(known, part, cv2.TM_CCORR) > part.sum() - 0.5
        apart[~whole | (inside < _INSIDE)] = np.inf
        for row, column in _lowest(apart, count, near):
            yield row - down - place.top, column - across - place.left


def _at_the_same_height(missing: Bytes) -> Iterator[tuple[int, int]]:
    """Yield offsets to the left and to the right, up to the width of the hole."""
    width = Box.around(missing).width
    for number in range(1, _SAME_HEIGHT_OFFSETS + 1):
        across = max(1, round(width * number / _SAME_HEIGHT_OFFSETS))
        yield from ((0, -across), (0, across))


def _edges(hole: Bytes) -> Iterator[tuple[Floats, int]]:
    """Yield masks (0/1) of the known pixels around a hole, each with the number of offsets to try.

    The first mask is the whole edge, and the others are its sectors.
    """
    ring = dilate_square(hole, _EDGE) - hole
    yield ring.astype(np.float32), _EDGE_OFFSETS
    rows, columns = np.indices(hole.shape) - np.argwhere(hole == 1).mean(0)[:, None, None]
    sectors = np.floor((np.arctan2(rows, columns) / np.pi + 1) * _SECTORS / 2) % _SECTORS
    for sector in range(_SECTORS):
        part = ring * (sectors == sector)
        if part.sum() > _EDGE:
            yield part.astype(np.float32), _SECTOR_OFFSETS


def _lowest(values: Floats, count: int, apart: int) -> Iterator[tuple[int, int]]:
    """Yield the positions of the `count` lowest finite values, more than `apart` pixels from each other.

    The values around each position are overwritten with infinity.
    """
    for _ in range(count):
        row, column = (int(at) for at in np.unravel_index(int(values.argmin()), values.shape))
        if not np.isfinite(values[row, column]):
            break
        yield row, column
        values[max(0, row - apart) : row + apart + 1, max(0, column - apart) : column + apart + 1] = np.inf


def _repeating(
    image: Floats, missing: Bytes, usable: _Flags, random: np.random.Generator
) -> Iterator[tuple[int, int]]:
    """Yield the offsets at which patches with strong detail are repeated most often in the photo."""
    height, width = missing.shape
    inside = cv2.erode(usable.astype(np.uint8), np.ones((_PATCH, _PATCH), np.uint8), borderValue=0)
    places = random.permutation(np.argwhere(inside == 1))[:_COMPARED].astype(np.int32)
    if not len(places):
        return
    half = _PATCH // 2
    windows = np.lib.stride_tricks.sliding_window_view(image.mean(2), (_PATCH, _PATCH))[:, :, ::2, ::2]
    patches = windows[tuple((places - half).T)].reshape(len(places), -1)
    clearest = np.argsort(-patches.std(1), kind="stable")
    places, patches = places[clearest], patches[clearest]
    votes = np.zeros((2 * height + 1, 2 * width + 1), np.float32)
    for first in range(0, min(_QUERIES, len(places)), 200):
        queries = slice(first, min(first + 200, _QUERIES))
        ways = places - places[queries, None]
        costs = (patches**2).sum(1) - 2 * patches[queries] @ patches.T
        costs[np.hypot(ways[:, :, 0], ways[:, :, 1]) < _APART * max(missing.shape)] = np.inf
        best = ways[np.arange(len(costs)), costs.argmin(1)]
        np.add.at(votes, (best[:, 0] + height, best[:, 1] + width), 1)
    votes = cv2.GaussianBlur(votes + votes[::-1, ::-1], (0, 0), 1.4)
    for row, column in _lowest(np.where(votes > 0, -votes, np.inf), _REPEATED_OFFSETS, 2):
        yield row - height, column - width


def _fit(image: Floats, missing: Bytes, offsets: Places) -> Floats:
    """Return the cost of each piece at each pixel of the hole (n x offsets), in squared 8-bit levels.

    The cost is the difference between the piece and the known pixels near that pixel, plus a penalty for the
    vertical part of the offset.
    """
    inner, known = missing == 1, missing == 0
    result = np.empty((int(inner.sum()), len(offsets)), np.float32)
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    size = missing.shape[::-1]
    for number, (down, across) in enumerate(offsets.tolist()):
        matrix = np.array([[1, 0, across], [0, 1, down]], np.float32)
        other = cv2.warpAffine(image, matrix, size, flags=flags)
        there = cv2.warpAffine(known.astype(np.uint8), matrix, size, flags=flags) == 1
        apart = np.minimum(((image - other) ** 2).sum(2), _MAX_DIFFERENCE)
        apart[~there] = _MAX_DIFFERENCE / 2
        apart[inner] = 0
        window = (_WINDOW, _WINDOW)
        around = cv2.boxFilter(apart, -1, window, normalize=False, borderType=cv2.BORDER_CONSTANT)
        result[:, number] = around[inner] / _WINDOW + _HIGHER / 2 * (down / missing.shape[0]) ** 2
    return result


def _out_of_place(image: Floats, usable: _Flags, inner: Places, sources: Places) -> Floats:
    """Return how far each source's color is from the colors at the height of the pixel that it fills.

    The costs (n x offsets) are in squared 8-bit levels. Most photos consist of layers, such as sky, trees,
    and grass, so the sky should not fill a hole in the grass, however well its edge fits.
    """
    result = np.zeros(sources.shape[:2], np.float32)
    reach = max(1, round(_SAME_HEIGHT * len(image)))
    for row in np.unique(inner[:, 0]):
        near = slice(max(0, row - reach), row + reach + 1)
        known = image[near][usable[near]]
        if len(known):
            own = inner[:, 0] == row
            colors = image[sources[own, :, 0], sources[own, :, 1]]
            # |color - known|^2 as |known|^2 - 2 color * known + |color|^2: one product of matrices.
            nearest = ((known**2).sum(1) - 2 * colors @ known.T).min(2)
            result[own] = np.clip(nearest + (colors**2).sum(2), 0, _OUT_OF_PLACE)
    return result


def _unlike(image: Floats, sources: Places) -> Floats:
    """Return the cost of a seam between any two pieces at each pixel (n x offsets x offsets).

    The cost is the visible difference between the two pieces, in squared 8-bit levels.
    """
    light = image.mean(2)
    slopes = (cv2.Sobel(light, cv2.CV_32F, 1, 0) / 4, cv2.Sobel(light, cv2.CV_32F, 0, 1) / 4)
    seen = np.dstack([image, *slopes])[sources[:, :, 0], sources[:, :, 1]]
    squares = (seen**2).sum(2)
    apart = squares[:, :, None] + squares[:, None] - 2 * seen @ seen.transpose(0, 2, 1)
    np.clip(apart, 0, _MAX_DIFFERENCE, out=apart)
    apart += _SEAM * (1 - np.eye(sources.shape[1], dtype=np.float32))
    return cast(Floats, apart)


def _best(missing: Bytes, fit: Floats, unlike: Floats) -> _Numbers:
    """Return the index of each pixel's piece, chosen so that the total cost of pieces and seams is low.

    The pieces are chosen by min-sum belief propagation along rows and columns.
    """
    inner = np.argwhere(missing == 1).astype(np.int32)
    index = np.full(np.array(missing.shape) + 2, -1, np.intp)
    index[tuple((inner + 1).T)] = np.arange(len(inner))
    messages = np.zeros((len(_STEPS), *fit.shape), np.float32)  # Messages to each pixel from its neighbors.
    sweeps = [_sweep(inner, index, step) for step in _STEPS]
    for _ in range(_ROUNDS):
        for number, sweep in enumerate(sweeps):
            for own, neighbor in sweep:
                belief = fit[neighbor] + messages[:, neighbor].sum(0) - messages[number ^ 1, neighbor]
                costs = (belief[:, :, None] + unlike[neighbor] + unlike[own]).min(1)
                messages[number, own] = costs - costs.min(1, keepdims=True)
    return cast(_Numbers, (fit + messages.sum(0)).argmin(1))


def _sweep(inner: Places, index: _Numbers, step: tuple[int, int]) -> list[tuple[_Numbers, _Numbers]]:
    """Return the indexes of the pixels that have a neighbor at a step, and their neighbors' indexes.

    Both are grouped by line, in the order in which messages travel. This order is opposite to the step.
    """
    neighbors = index[tuple((inner + 1 + step).T)]
    axis, sign = (0, -step[0]) if step[0] else (1, -step[1])
    lines = inner[:, axis] * sign
    chosen = (np.flatnonzero((lines == line) & (neighbors >= 0)) for line in np.unique(lines))
    return [(own, neighbors[own]) for own in chosen if len(own)]
