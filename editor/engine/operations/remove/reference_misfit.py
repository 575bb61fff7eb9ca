"""Measure how much patches of a photo differ where nothing was filled, to judge the misfit of a filling."""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.masks import dilate_square
from editor.engine.operations.remove.shifts import Places
from editor.imaging.picture import Bytes

_NEAR, _FAR = 4, 12  # minimum and maximum distance of the measured patches from the hole, in pixels
_MEASURED = 300  # maximum number of patches that are measured
_COMPARED = 6000  # maximum number of patches among which the most similar one is searched for
_APART = 8  # minimum distance between two compared patches, in pixels
# Minimum result, in 8-bit levels, because smaller differences are invisible.
MIN_MISFIT = 5.0


def reference_misfit(features: Floats, usable: NDArray[np.bool_], missing: Bytes, values: int) -> float:
    """Return the usual RMS difference between a patch near the hole and the most similar other patch.

    `features` are the patches' principal components at each pixel, `usable` is a mask of the known patches,
    and `values` is the number of color values of a patch. A meadow has no two equal patches, so a filling of
    a meadow fits even if its patches differ from their sources.
    """
    ring = dilate_square(missing, _FAR) - dilate_square(missing, _NEAR)
    random = np.random.default_rng(0)
    measured = _some((ring == 1) & usable, _MEASURED, random)
    compared = _some(usable, _COMPARED, random)
    if not len(measured):
        return MIN_MISFIT
    ours, theirs = features[tuple(measured.T)], features[tuple(compared.T)]
    apart = (ours**2).sum(1)[:, None] + (theirs**2).sum(1) - 2 * ours @ theirs.T
    # Overlapping patches are similar only because they share pixels.
    apart[np.abs(measured[:, None] - compared).max(2) < _APART] = np.inf
    nearest = apart.min(1)
    mean = np.clip(nearest[np.isfinite(nearest)], 0, None).mean() if np.isfinite(nearest).any() else 0.0
    return max(MIN_MISFIT, float(np.sqrt(mean / values)))


def _some(mask: NDArray[np.bool_], count: int, random: np.random.Generator) -> Places:
    places = np.argwhere(mask).astype(np.int32)
    return cast(Places, random.permutation(places)[:count])
