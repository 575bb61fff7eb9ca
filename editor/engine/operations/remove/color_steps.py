"""Remove the steps of color at the edge of a filling and at the seams between its pieces.

The method is that of Perez et al., "Poisson image editing", 2003: the filling keeps the differences between
neighboring pixels of its sources, and its edge gets the colors around it. Strong steps remain, because they
are edges of objects.
"""

from collections.abc import Callable
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.operations.remove.shifts import Places

_SHADE = 30  # maximum step, in 8-bit levels, that different light can explain
_SOFT = 1.5  # sigma, in pixels, of the blur that removes grain before steps are measured
_BESIDE = 2  # distance from the hole at which its edge is measured, beyond the mixed pixels at the edge
_ROUNDS = 400  # maximum number of rounds in which the change of color is computed
_EXACT = 0.1  # maximum error of that change, in 8-bit levels
# Weight of no change. It is tiny, and matters only where a filling has strong steps all around.
_UNCHANGED = 1e-3


class _Steps(NamedTuple):
    """The steps of color between neighbors in the hole.

    `first` and `second` are the indexes of the neighbors, `steps` (n x 3) are the changes that remove the
    step between them, and `weights` are 0 where the step remains.
    """

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    steps: Floats
    weights: Floats


def without_steps(colors: Floats, hole: Places, sources: Places) -> Floats:
    """Return the colors of a filled picture (height x width x 3, 0 to 255) without steps in the filling.

    `hole` contains the filled pixels, and `sources` the pixels that they were copied from.
    """
    index = np.full(colors.shape[:2], -1, np.intp)
    index[tuple(hole.T)] = np.arange(len(hole))
    soft = cv2.GaussianBlur(colors, (0, 0), _SOFT)
    seams = [_steps_at_seams(soft, index, hole, sources, step) for step in ((0, 1), (1, 0))]
    result = colors.copy()
    result[tuple(hole.T)] += _change(seams, *_steps_at_edge(colors, index, hole, sources))
    return result


def _steps_at_seams(
    soft: Floats, index: NDArray[np.intp], hole: Places, sources: Places, step: tuple[int, int]
) -> _Steps:
    """Return the steps of color between each pixel of the hole and its neighbor at a step.

    The step that should be there is the mean of the steps that the sources of both pixels have.
    """
    last = np.array(index.shape) - 1
    neighbors = np.where((hole + step <= last).all(1), index[tuple(np.minimum(hole + step, last).T)], -1)
    first = np.flatnonzero(neighbors >= 0)
    second = neighbors[first]
    here, there = sources[first], sources[second]
    beyond, before = np.minimum(here + step, last), np.maximum(there - step, 0)
    steps = (_at(soft, beyond) - _at(soft, there) + _at(soft, here) - _at(soft, before)) / 2
    weights = (np.abs(steps).max(1) <= _SHADE).astype(np.float32)
    return _Steps(first, second, steps * weights[:, None], weights)


def _steps_at_edge(
    colors: Floats, index: NDArray[np.intp], hole: Places, sources: Places
) -> tuple[Floats, Floats]:
    """Return the sum (n x 3) and the number of the steps to known pixels beside each pixel of the hole."""
    total, count = np.zeros((len(hole), 3), np.float32), np.zeros(len(hole), np.float32)
    last = np.array(index.shape) - 1
    for step in _BESIDE * np.array([(0, 1), (1, 0), (0, -1), (-1, 0)]):
        outside = np.clip(hole + step, 0, last)
        known = (outside == hole + step).all(1) & (index[tuple(outside.T)] < 0)
        continued = np.clip(sources[known] + step, 0, last)
        apart = _at(colors, outside[known]) - _at(colors, continued)
        total[known] += np.clip(apart, -_SHADE, _SHADE)
        count[known] += 1
    return total, count


def _at(colors: Floats, places: NDArray[np.integer]) -> Floats:
    return cast(Floats, colors[places[:, 0], places[:, 1]])


def _change(seams: list[_Steps], edge: Floats, weight: Floats) -> Floats:
    """Return the change of each pixel (n x 3) that removes the steps, by least squares."""
    wanted, total = edge.copy(), weight + np.float32(_UNCHANGED)
    for first, second, steps, weights in seams:
        wanted[first] -= steps
        wanted[second] += steps
        total[first] += weights
        total[second] += weights

    def weighted(change: Floats) -> Floats:
        result = total[:, None] * change
        for first, second, _, weights in seams:
            result[first] -= weights[:, None] * change[second]
            result[second] -= weights[:, None] * change[first]
        return result

    return _solution(weighted, wanted, total[:, None])


def _solution(weighted: Callable[[Floats], Floats], wanted: Floats, scale: Floats) -> Floats:
    """Return the values for which `weighted` returns `wanted`, by the method of conjugate gradients.

    `scale` are the factors by which `weighted` multiplies each value itself.
    """
    values, rest = np.zeros_like(wanted), wanted.copy()
    way = scaled = rest / scale
    length = (rest * scaled).sum(0)
    for _ in range(_ROUNDS):
        if np.abs(rest).max() <= _EXACT:
            break
        along = weighted(way)
        share = length / np.maximum((way * along).sum(0), 1e-9)
        values += share * way
        rest -= share * along
        scaled, before = rest / scale, length
        length = (rest * scaled).sum(0)
        way = scaled + length / np.maximum(before, 1e-9) * way
    return values
