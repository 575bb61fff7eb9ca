"""Fill holes in a photo from their surroundings, and refuse if the filling would look broken."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.errors import MARK_IT, OperationError
from editor.engine.masks import dilate_square
from editor.engine.operations.remove.hole_copies import (
    SOFT,
    HoleCopy,
    box_around,
    copied,
    detail_from_sources,
    enlarged,
    full_size_filling,
    put_into,
)
from editor.engine.operations.remove.inpainting import INPUT_PIXELS, Inpainting, inpaint, views_around
from editor.engine.operations.remove.patches import Filling, fill, match_patches
from editor.engine.operations.remove.reference_misfit import MIN_MISFIT
from editor.engine.operations.remove.separate_holes import HolePart, separate_holes
from editor.engine.operations.remove.smooth_fill import spread_known
from editor.engine.pixels import Box
from editor.engine.plan import Reason
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.sentences import Sentence

type _Search = Callable[..., Filling]

# Maximum share of the photo that a hole may cover, except on a background where patches fit exactly.
MAX_HOLE = 0.25
# Maximum share of the photo that a hole may cover on such a background, for example a blurred one.
_MAX_EXACT_HOLE = 0.45
# Maximum width, in pixels, of a hole that is filled with Telea's method, which smears wider holes.
_THIN = 4
# Longer side, in pixels, of the working copy on which a thin hole is filled.
_THIN_PIXELS = 800
# Longer side, in pixels, of the working copy on which any other hole is filled.
_WORKING_PIXELS = 420
# A hole that covers less than this share of the photo is filled on a smaller working copy, to save time.
_SMALL = 0.003
# Longer side, in pixels, of the working copy on which a small hole is filled.
_SMALL_PIXELS = 220
# Distance from the hole within which pixels are taken, as a multiple of the hole's longer side.
_AROUND = 1.5
# Maximum RMS error, in 8-bit levels, at which a fitted smooth surface shows that the background is even.
_SMOOTH = 8.0
# Maximum error score of a patch filling (see `_fill_copy`). The limit was chosen by examining 42 fillings:
# the four worst are above the limit, and all good ones are below it.
MAX_BROKENNESS = 640.0
# Maximum error score of the filling for a detected object that the user did not mark. The limit was chosen by
# examining 60 fillings: all fillings with scores between the limit and 410 were poor.
_BROKEN_UNMARKED = 250.0
# Maximum error score of a filling at the photo's edge, where no pixels beyond the hole show how the photo
# continues.
_BROKEN_AT_FRAME = 240.0
# Error score of a patch filling above which the network is tried. The network's filling is used if it is
# certain enough.
_DOUBTFUL = 80.0
# Maximum strain of a patch filling (see `Filling.strain`) that fits, whatever its error score is, and its
# minimum share of the detail around the hole.
_FITTING, _DETAILED = 1.15, 0.55
# Factor by which the strain may be larger if the network is too uncertain and the hole is not wide.
_BARELY = 1.1
# Maximum share of the hole's edge that may be at the photo's edge, where the strain is unknown.
_MAX_SHARE_AT_FRAME = 0.25
# Maximum strain of a patch filling at which the network is tried. If nothing in the photo is like the edge of
# the hole, the network invents something as well.
_STRAINED = 2.0
# Error score of a patch filling above which the network's maximum uncertainty is allowed in full.
_BAD = 350.0
# Share of the network's maximum uncertainty that is allowed if a patch filling is nearly good.
_SURE = 0.5
# Maximum uncertainty of the network: the mean difference between its two results, in 8-bit levels. The limit
# was chosen by examining 60 fillings. For 20 of them, the network was below the limit and better than
# patches, and 17 of these 20 look good or fair.
_DOUBT = 14.0
# Share of the contrast around a hole that the network's uncertainty may reach in any case, and the maximum
# factor by which its maximum uncertainty increases because of this, if the hole is not wide.
_OF_CONTRAST, _VARIED = 0.45, 1.43
# Minimum contrast around a hole, in 8-bit levels, at which a filling is refused if the network is too
# uncertain, even if the patches seem to fit. In such a cluttered scene, all patches of the photo fit badly.
_CLUTTERED = 40.0
# Error score of a patch filling above which a smeared filling is refused, and above which the network's
# filling is used instead of patches that fit if it is certain.
_UNSURE = 180.0
# Share of the detail around the hole below which a filling is smeared.
_SMEARED = 0.5
# Share of the photo above which a hole counts as wide, so that the network must be more certain.
_WIDE = 0.1
# Maximum color difference, in 8-bit levels, at which an area's detail is added to the network's filling.
# Detail from a more different area would look like clutter.
_UNLIKE = 16.0
# Maximum factor by which the network's output is enlarged without adding detail.
_SHARP = 1.5
# Limit for filling a hole that the user did not mark: the maximum product of the filling's error score and
# the hole's share of the photo. In a wide hole, poor patches show objects twice or cut in half.
_BROKEN_WIDE = 25.0
_OFF = 24.0  # minimum difference, in 8-bit levels, between a smooth surface and an object in front of it
_HALO = np.ones((9, 9), np.uint8)  # kernel that enlarges an object's mask to include its soft edge
_MIDDLE = np.float32(128)  # level added to colors after a smooth surface is subtracted from them
_FINE = 1.5  # sigma of the blur that separates fine detail, in pixels of the working copy
_RIM = np.ones((5, 5), np.uint8)  # kernel that removes the edge of a hole from its mask
# Kernel that extends the mask of a hole to include the area around the hole.
_RING = np.ones((31, 31), np.uint8)


class _Limits(NamedTuple):
    """The limits for a good filling.

    These are the maximum error score and the maximum strain of a patch filling, and the network's maximum
    uncertainty in 8-bit levels. In surroundings with strong contrasts, that uncertainty may be larger by the
    factor `varied`. `may_invent` returns whether the network may be used at all. If `is_exact` is true, the
    hole is so large that the patches must fit exactly.
    """

    is_exact: bool
    broken: float
    strain: float
    doubt: float
    varied: float
    may_invent: Callable[[], bool]


def fill_hole(
    picture: Picture,
    hole: Bytes,
    seed: int = 0,
    *,
    is_marked: bool = True,
    barred: Bytes | None = None,
    may_invent: Callable[[], bool] = lambda: True,
) -> Pixels:
    """Return the pixels with the hole (0/1) filled.

    Pixels outside the hole do not change. If the user did not mark the hole, the limits for a good filling
    are stricter, because the user can still draw a box. No pixels are taken from the area `barred` (0/1).
    `may_invent` returns false if the network must not be used, because it would have to complete an object.
    Raises OperationError if the hole is empty, is too large, or cannot be filled well.
    """
    share = float(hole.mean())
    if share == 0:
        raise OperationError(Reason.NO_SUCH_TARGET, Sentence("There is nothing to remove."), MARK_IT)
    if share > _MAX_EXACT_HOLE:
        raise _too_large()
    others = np.zeros_like(hole) if barred is None else barred
    # Do not copy the photo before all holes are filled, because the network needs the memory.
    limits = partial(
        _limits, shape=hole.shape, may_invent=may_invent, is_marked=is_marked, is_exact=share > MAX_HOLE
    )
    fillings = [_filled(picture, own, hole, others, seed, limits(own)) for own in separate_holes(hole)]
    result = picture.pixels.copy()
    for area, copy, new in fillings:
        put_into(result[area.slices], copy, new)
    return result


def is_large_but_fillable(picture: Picture, hole: Bytes) -> bool:
    """Return whether a large hole (0/1) can be filled because the ground around it is smooth."""
    if hole.mean() > _MAX_EXACT_HOLE:
        return False
    area = _surroundings(Box.around(hole), hole.shape)
    copy = copied(picture.pixels[area.slices], np.ascontiguousarray(hole[area.slices]), _WORKING_PIXELS)
    return smooth_course(copy.small, copy.hole)[1] <= _SMOOTH


def _too_large() -> OperationError:
    return OperationError(
        Reason.TOO_LARGE,
        Sentence("I would have to invent more than a quarter of the photo."),
        Sentence("Choose a smaller area."),
    )


def _filled(
    picture: Picture, own: HolePart, hole: Bytes, barred: Bytes, seed: int, limits: _Limits
) -> tuple[Box, HoleCopy, Floats]:
    """Return the colors that fill one part of a hole, and the area and the copy that they are for.

    `hole` is a mask (0/1) of all parts.
    """
    area, share = _surroundings(own.box, hole.shape), own.share(hole.shape)
    part, missing = picture.pixels[area.slices], own.seen_from(area)
    lost = hole[area.slices] - missing
    if _is_thin(missing):
        copy = copied(part, missing, _THIN_PIXELS)
        return area, copy, _smoothed_over(copy)
    search = partial(fill, seed=seed, in_pieces=share > _SMALL)
    copy = copied(part, missing, _WORKING_PIXELS if share > _SMALL else _SMALL_PIXELS, lost)
    return area, copy, _patched(copy, barred[area.slices] | lost, search, limits)


def _limits(
    hole: HolePart,
    shape: tuple[int, ...],
    may_invent: Callable[[], bool],
    *,
    is_marked: bool,
    is_exact: bool = False,
) -> _Limits:
    share, at_frame = hole.share(shape), _share_at_frame(hole, shape)
    doubt = _DOUBT * min(1.0, (_WIDE / share) ** 0.5)
    most = _BROKEN_AT_FRAME if at_frame > 0 else MAX_BROKENNESS
    strain = _FITTING if at_frame <= _MAX_SHARE_AT_FRAME else 0.0
    varied = _VARIED if share < _WIDE else 1.0
    broken = most if is_marked else broken_unmarked(hole, shape)
    return _Limits(is_exact, broken, strain, doubt, varied, may_invent)


def _surroundings(box: Box, shape: tuple[int, ...]) -> Box:
    return box.padded(round(_AROUND * max(box.width, box.height)) + 24, *shape[::-1])


def _is_thin(missing: Bytes) -> bool:
    near = box_around(missing, 1)
    hole = np.ascontiguousarray(missing[near.slices])
    return float(cv2.distanceTransform(hole, cv2.DIST_L2, 3).max()) <= _THIN / 2


def _smoothed_over(copy: HoleCopy) -> Floats:
    """Return the filling of a thin hole.

    The method is that of Telea, "An image inpainting technique based on the fast marching method", 2004.
    """
    smooth = cv2.inpaint(copy.small.astype(np.uint8), copy.hole, 4, cv2.INPAINT_TELEA)
    return enlarged(smooth.astype(np.float32), copy.inner, copy.scales, cv2.INTER_LINEAR)


def broken_unmarked(hole: HolePart, shape: tuple[int, ...]) -> float:
    """Return the maximum error score of a filling for this hole if the user did not mark the hole.

    `shape` is the height and width of the photo.
    """
    least = _BROKEN_AT_FRAME if _share_at_frame(hole, shape) > 0 else _BROKEN_UNMARKED
    return min(least, _BROKEN_WIDE / hole.share(shape))


def _share_at_frame(hole: HolePart, shape: tuple[int, ...]) -> float:
    """Return the share of the hole's edge that is at the photo's edge."""
    box, mask = hole.box, hole.seen_from(hole.box.padded(1, *shape[::-1]))
    sides = (
        (mask[0], box.top == 0),
        (mask[-1], box.bottom == shape[0]),
        (mask[:, 0], box.left == 0),
        (mask[:, -1], box.right == shape[1]),
    )
    at_frame = sum(int(side.sum()) for side, is_at_frame in sides if is_at_frame)
    edge = mask - cv2.erode(mask, np.ones((3, 3), np.uint8), borderValue=1)
    return at_frame / max(1, at_frame + int(edge.sum()))


def _patched(copy: HoleCopy, barred: Bytes, search: _Search, limits: _Limits) -> Floats:
    """Return the full-size colors that fill the hole.

    The colors come from other pixels of the photo, which are selected on the working copy. If the patches
    differ invisibly from them, they are used in any case. If the patches fit badly, the network is tried
    instead. If they fit, but differ much from their surroundings, the network is used if it is certain.
    Raises OperationError if neither method fills the hole well, for example because many objects meet at its
    edge.
    """
    other = cv2.resize(barred, copy.hole.shape[::-1], interpolation=cv2.INTER_NEAREST)
    filling, broken = _fill_copy(copy.small, copy.hole, cast(Bytes, other), search)
    detail = _detail(filling, copy.hole)
    if broken == 0 or (filling.misfit <= MIN_MISFIT and detail >= _DETAILED):
        return full_size_filling(copy, filling)
    if limits.is_exact:
        raise _too_large()
    fits = filling.strain <= limits.strain and detail >= _DETAILED
    if broken <= _DOUBTFUL or (fits and broken <= _UNSURE):
        return full_size_filling(copy, filling)
    most = min(_BARELY, limits.varied) * limits.strain
    fits_barely = filling.strain <= most and detail >= _DETAILED
    is_bad = broken > limits.broken or (broken > _UNSURE and detail < _SMEARED)
    new, invention = None, None
    if filling.strain <= _STRAINED and limits.may_invent():
        share = _SURE if fits else float(np.clip(broken / min(limits.broken, _BAD), _SURE, 1))
        new, invention = _invented(copy, share * limits.doubt, 1.0 if fits else limits.varied, is_quick=fits)
    is_lost = broken > _BAD and invention is not None and _is_cluttered(invention)
    if new is None and (is_lost or (is_bad and not fits_barely)):
        raise OperationError(
            Reason.LOW_CONFIDENCE,
            Sentence("The surroundings are too varied for me to fill this area well."),
            Sentence("Draw a slightly wider box, with some of the surroundings."),
        )
    return full_size_filling(copy, filling) if new is None else new


def _is_cluttered(invention: Inpainting) -> bool:
    """Return whether many different surfaces meet at a hole, so that no patch of the photo fits well.

    The network does not know how to continue them either. It is as uncertain about a hedge, but the colors
    around a hole in a hedge are all similar.
    """
    return invention.doubt > _DOUBT and invention.contrast > _CLUTTERED


def _detail(filling: Filling, hole: Bytes) -> float:
    """Return the amount of fine detail in a filling, as a share of the detail around it."""
    fine = np.abs(filling.colors - cv2.GaussianBlur(filling.colors, (0, 0), _FINE)).mean(2)
    inside, outside = cv2.erode(hole, _RIM) == 1, cv2.dilate(hole, _RING) > hole
    return float(fine[inside].mean() / max(fine[outside].mean(), 1e-3)) if inside.any() else 1.0


def inpaint_if_certain(part: Pixels, missing: Bytes, doubt: float) -> Pixels | None:
    """Return the pixels with a hole (0/1) filled by the network, or None if the network is too uncertain.

    `doubt` is the maximum uncertainty of the network, in 8-bit levels.
    """
    copy = copied(part, missing, _WORKING_PIXELS)
    colors, _ = _invented(copy, doubt)
    if colors is None:
        return None
    result = part.copy()
    put_into(result, copy, colors)
    return result


def _invented(
    copy: HoleCopy, most: float, varied: float = 1.0, *, is_quick: bool = False
) -> tuple[Floats | None, Inpainting]:
    """Return the network's filling of the hole, at full size, for the copy's `inner` box, and its output.

    If the network is too uncertain, it is tried with a larger part of the photo, except if `is_quick` is
    true. The filling is None if its uncertainty, in 8-bit levels, is larger than `most` even then. In
    surroundings with strong contrasts, it may be larger by the factor `varied`.
    """
    first, *larger = views_around(copy.missing)
    invention = inpaint(copy.part, copy.missing, first, copy.lost)
    for view in () if is_quick else larger:
        if _is_certain(invention, most, varied):
            break
        invention = inpaint(copy.part, copy.missing, view, copy.lost)
    return _with_detail(copy, invention) if _is_certain(invention, most, varied) else None, invention


def _is_certain(invention: Inpainting, most: float, varied: float) -> bool:
    return invention.doubt <= min(varied * most, max(most, _OF_CONTRAST * invention.contrast))


def _with_detail(copy: HoleCopy, invention: Inpainting) -> Floats:
    """Return the network's filling at full size.

    If the network's output is coarser than the photo, detail from similar areas of the photo is added.
    """
    seen = _seen(invention, copy.inner, (1.0, 1.0))
    finest = invention.view.width / INPUT_PIXELS
    if finest <= _SHARP:
        return seen
    whole = Box(0, 0, *copy.hole.shape[::-1])
    new = np.where(copy.hole[:, :, None] == 1, _seen(invention, whole, copy.scales), copy.small)
    filling = match_patches(new, copy.hole)
    share = enlarged(_alike(new, filling), copy.inner, copy.scales, cv2.INTER_LINEAR)
    return cast(Floats, seen + share[:, :, None] * detail_from_sources(copy, filling, seen, finest))


def _alike(new: Floats, filling: Filling) -> Floats:
    """Return how similar each pixel of the hole is to the source of its patch, from 0 to 1."""
    soft = cv2.GaussianBlur(new, (0, 0), SOFT)
    apart = np.abs(soft[tuple(filling.holes.T)] - soft[tuple(filling.sources.T)]).max(1)
    share = np.zeros(soft.shape[:2], np.float32)
    share[tuple(filling.holes.T)] = np.clip(1 - apart / _UNLIKE, 0, 1)
    return cv2.GaussianBlur(share, (0, 0), SOFT)


def _seen(invention: Inpainting, box: Box, scales: tuple[float, float]) -> Floats:
    """Return the network's output for a box on a working copy.

    A pixel of the copy is as wide and high as `scales` pixels of the photo.
    """
    view, (across, down) = invention.view, scales
    finer = view.width / INPUT_PIXELS / across, view.height / INPUT_PIXELS / down
    return enlarged(invention.colors, box, finer, origin=(view.left / across, view.top / down))


def _fill_copy(small: Floats, hole: Bytes, barred: Bytes, search: _Search) -> tuple[Filling, float]:
    """Return the patch filling of a working copy, along with its error score.

    The score is the misfit of the patches, multiplied by the RMS error of a smooth surface that is fitted
    around the hole. On a smooth background, such as a sky, a wall, or a shaded area, the score is 0, only
    pixels of that background are used, and the colors at the edge of the hole continue into it.
    """
    course, rest = smooth_course(small, hole)
    if rest > _SMOOTH:
        filling = search(small, hole, barred=barred)
        return filling, rest * filling.misfit
    off = cast(Bytes, cv2.dilate((np.abs(small - course).max(2) > _OFF).astype(np.uint8), _HALO))
    known = ((hole | off | barred) == 0).astype(np.float32)
    course = course + spread_known(small - course, known, np.zeros_like(course))
    barred = barred | off
    filling = search(small - course + _MIDDLE, hole, barred=barred)
    return replace(filling, colors=filling.colors + course - _MIDDLE), 0.0


def smooth_course(small: Floats, hole: Bytes) -> tuple[Floats, float]:
    """Return a quadratic surface fitted to the colors around the hole, and its RMS error.

    The surface is fitted by least squares. The error is in 8-bit levels. The surface is constant beyond the
    known pixels, such as between the known pixels and the photo's edge.
    """
    near = _around(hole, 0.15)
    rows, columns = np.nonzero(near)
    y = np.arange(hole.shape[0], dtype=np.float32).clip(rows.min(), rows.max())[:, None]
    x = np.arange(hole.shape[1], dtype=np.float32).clip(columns.min(), columns.max())[None]
    y, x = y / hole.shape[0] - np.float32(0.5), x / hole.shape[1] - np.float32(0.5)
    terms = np.stack(np.broadcast_arrays(np.float32(1), x, y, x * x, x * y, y * y), 2)
    factors = np.linalg.lstsq(terms[near], small[near], rcond=None)[0]
    course = (terms @ factors).astype(np.float32)
    return course, float(np.sqrt(((small - course)[near] ** 2).mean()))


def _around(hole: Bytes, share: float) -> NDArray[np.bool_]:
    """Return a mask of the pixels around the hole, up to a certain distance.

    The distance is `share` times the hole's longer side.
    """
    reach = max(6, round(share * max(cv2.boundingRect(hole)[2:])))
    return cast(NDArray[np.bool_], (dilate_square(hole, reach) - hole) == 1)
