"""Find parts of an object that its mask leaves out, such as a foot, a tail, a strap, or hair.

The networks' masks are coarse, and miss small and thin parts.
"""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.masks import connected_components, dilate, local_mean, off_surroundings
from editor.engine.pixels import Box, copy_size, working_copy
from editor.engine.targets.cutout_quality import COLOR_BINS, color_bins
from editor.engine.targets.matting import estimate_alpha
from editor.engine.targets.outlines import part_of
from editor.imaging.picture import Bytes, Picture

_WORKING_PIXELS = 500  # longer side, in pixels, of the working copy on which parts are searched for
# Maximum distance from an object at which its parts end, as a share of its longer side. What continues beyond
# belongs to the background, such as a branch on which a bird sits.
_REACH = 0.15
_BEHIND = 0.4  # distance up to which the colors of the background are measured, as a share of that side
_GAP = 0.02  # maximum width of a gap between an object and its part, as a share of that side
# Minimum ratio of a color's share in the object to its share in the background, and minimum share of such a
# color in the object.
_OWN, _MIN_SHARE = 4.0, 0.001
_HAIR = 0.3  # minimum share of an object's color in a pixel that shows the object's hair
# Minimum difference between hair and what is behind it, in standard deviations of the latter.
_DISTINCT = 2.0
# Minimum share of the object's color in a pixel that belongs to a soft edge or a thin part, and its minimum
# difference from what is behind, in the same units.
_TRACE, _CLEARLY_DISTINCT = 0.2, 3.0
_EDGE = 0.04  # distance from an object at which what is behind its hair is measured, as a share of that side
_MAX_AREA = 0.15  # maximum area of a part, as a share of the object's area


def attached_parts(picture: Picture, thing: Bytes, others: Bytes) -> Bytes:
    """Return a mask (0/1) of the parts attached to an object, at the picture's size.

    `thing` and `others` are masks (0/1) of the object and of other objects. A part has colors that the
    background around does not have, touches the object, and ends near it without touching another object.
    Soft edges and thin ends that differ clearly from what is behind them are parts, too.
    """
    parts = np.zeros_like(thing)
    box = Box.around(thing)
    side = max(box.width, box.height)
    view = box.padded(_BEHIND * side, *thing.shape[::-1])
    small = working_copy(part_of(picture, view), _WORKING_PIXELS)
    own, other = (_shrunk(mask[view.slices]) for mask in (thing, others))
    small_parts = _parts(small, own, other, side * max(small.shape) / max(view.width, view.height))
    if small_parts.any():
        size = view.width, view.height
        full = cv2.resize(small_parts * np.uint8(255), size, interpolation=cv2.INTER_LINEAR)
        parts[view.slices] = full > 60
    return parts


def _shrunk(mask: Bytes) -> Bytes:
    size = copy_size(_WORKING_PIXELS, *mask.shape[::-1])
    return (cv2.resize(255 * mask, size, interpolation=cv2.INTER_AREA) > 127).astype(np.uint8)


def _parts(small: Bytes, thing: Bytes, others: Bytes, side: float) -> Bytes:
    bins, near = color_bins(small), dilate(thing, _REACH * side)
    own, behind = _shares(bins[thing == 1]), _shares(bins[((near | others) == 0)])
    is_rare = (own > _MIN_SHARE) & (own > _OWN * behind)
    hair, traces = (
        mask & (1 - others) & (1 - thing) for mask in _hair_and_traces(small, thing, others, side)
    )
    core = thing | hair
    parts = _ending_nearby(is_rare[bins].astype(np.uint8), core, others, near, side)
    return hair | parts | _ending_nearby(traces, core, others, dilate(core, _EDGE * side), side)


def _ending_nearby(mask: Bytes, core: Bytes, others: Bytes, near: Bytes, side: float) -> Bytes:
    """Return the pieces of a mask that hang on an object.

    `core` is the mask of the object, and `near` is its surroundings. A piece that continues beyond them or
    touches another object does not hang on the object.
    """
    labels, stats = connected_components(mask & near & (1 - others) & (1 - core))
    touches = np.bincount(labels[dilate(core, _GAP * side) == 1], minlength=len(stats)) > 0
    beyond = dilate((1 - near) | (others & (1 - core)), 1)
    goes_on = np.bincount(labels[beyond == 1], minlength=len(stats)) > 0
    is_part = touches & ~goes_on & (stats[:, cv2.CC_STAT_AREA] < _MAX_AREA * int(core.sum()))
    is_part[0] = False
    return cast(Bytes, is_part[labels].astype(np.uint8))


def _hair_and_traces(small: Bytes, thing: Bytes, others: Bytes, side: float) -> tuple[Bytes, Bytes]:
    """Return masks of an object's hair outside its outline and of pixels that show some of its color.

    Both differ clearly from what is behind the object nearby.
    """
    alpha = estimate_alpha(thing.astype(np.float32), small)
    colors, behind = small.astype(np.float32), 1 - dilate(thing | others, _EDGE * side)
    window = 2 * round(_REACH * side) + 1
    off, unlikeness = off_surroundings(colors, behind, window)
    way = local_mean(colors, thing, window) - (colors - off)
    share = (off * way).sum(2) / np.maximum((way**2).sum(2), 1)
    hair = (alpha > _HAIR) & (unlikeness > _DISTINCT**2)
    traces = (share > _TRACE) & (unlikeness > _CLEARLY_DISTINCT**2)
    return hair.astype(np.uint8), traces.astype(np.uint8)


def _shares(bins: NDArray[np.intp]) -> Floats:
    return (np.bincount(bins, minlength=COLOR_BINS) / max(1, bins.size)).astype(np.float32)
