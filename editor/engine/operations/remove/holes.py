"""Fill holes in a photo from their surroundings, and refuse if the filling would look broken."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.drawing.gaussian import blur_downscaled, blurred
from editor.engine.errors import MARK_IT, OperationError
from editor.engine.operations.remove.inpainting import INPUT_PIXELS, Inpainting, inpaint
from editor.engine.operations.remove.patches import Filling, fill, match_patches
from editor.engine.pixels import Box, copy_size, top_value
from editor.engine.plan import Reason
from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits
from editor.sentences import Sentence

type _Search = Callable[..., Filling]

LARGEST_HOLE = 0.25
"""Maximum share of the photo that a hole may cover."""
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
# Error score of a patch filling above which the network's maximum uncertainty is allowed in full.
_BAD = 350.0
# Share of the network's maximum uncertainty that is allowed if a patch filling is nearly good.
_SURE = 0.5
# Maximum uncertainty of the network: the mean difference between its two results, in 8-bit levels. The limit
# was chosen by examining 60 fillings. For 20 of them, the network was below the limit and better than
# patches, and 17 of these 20 look good or fair.
_DOUBT = 14.0
# Error score of a patch filling above which a smeared filling is refused.
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
_OFF = 24.0  # Minimum difference, in 8-bit levels, between a smooth surface and an object in front of it.
_HALO = np.ones((9, 9), np.uint8)  # Kernel that enlarges an object's mask to include its soft edge.
_MIDDLE = np.float32(128)  # Level added to colors after a smooth surface is subtracted from them.
_FINE = 1.5  # Sigma of the blur that separates fine detail, in pixels of the working copy.
_RIM = np.ones((5, 5), np.uint8)  # Kernel that removes the edge of a hole from its mask.
# Kernel that extends the mask of a hole to include the area around the hole.
_RING = np.ones((31, 31), np.uint8)
# Sigma, in working-copy pixels, below which detail comes from one patch instead of the mean of several.
_SOFT = 2.5


@dataclass(frozen=True, eq=False)
class _Copy:
    """A part of the photo that has a hole, along with a working copy of that part.

    `part` contains the full-size pixels, and `missing` is the full-size mask of the hole (0/1). `small` and
    `hole` are the pixels and the mask on the working copy. `inner` is the box that gets filled, in full-size
    pixels.
    """

    part: Pixels
    missing: Bytes
    small: Floats
    hole: Bytes
    inner: Box

    @property
    def scales(self) -> tuple[float, float]:
        """Return the width and height of one pixel of the working copy, in full-size pixels."""
        (height, width), (down, across) = self.missing.shape, self.hole.shape
        return width / across, height / down


def _copied(part: Pixels, missing: Bytes, side: int) -> _Copy:
    size = copy_size(side, *missing.shape[::-1])
    small = cv2.resize(_colors(part), size, interpolation=cv2.INTER_AREA).astype(np.float32)
    hole = (cv2.resize(missing.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0).astype(np.uint8)
    return _Copy(part, missing, small, hole, _rim(missing, round(5 * max(missing.shape) / max(size))))


class _Limits(NamedTuple):
    """The maximum error score of a patch filling, and the network's maximum uncertainty in 8-bit levels."""

    broken: float
    doubt: float


def fill_hole(
    picture: Picture, hole: Bytes, seed: int = 0, *, is_marked: bool = True, barred: Bytes | None = None
) -> Pixels:
    """Return the pixels with the hole (0/1) filled.

    Pixels outside the hole do not change. If the user did not mark the hole, the limits for a good filling
    are stricter, because the user can still draw a box. No pixels are taken from the area `barred` (0/1).
    Raises OperationError if the hole is empty, is too large, or cannot be filled well.
    """
    share = float(hole.mean())
    if share == 0:
        raise OperationError(Reason.NO_SUCH_TARGET, Sentence("There is nothing to remove."), MARK_IT)
    if share > LARGEST_HOLE:
        raise OperationError(
            Reason.TOO_LARGE,
            Sentence("I would have to invent more than a quarter of the photo."),
            Sentence("Choose a smaller area."),
        )
    area = _surroundings(hole)
    part, missing = picture.pixels[area.slices], np.ascontiguousarray(hole[area.slices])
    other = np.zeros_like(missing) if barred is None else np.ascontiguousarray(barred[area.slices])
    search = partial(fill, seed=seed, in_pieces=share > _SMALL)
    if _is_thin(missing):
        copy = _copied(part, missing, _THIN_PIXELS)
        new = _smoothed_over(copy)
    else:
        copy = _copied(part, missing, _WORKING_PIXELS if share > _SMALL else _SMALL_PIXELS)
        new = _patched(copy, other, search, _limits(hole, is_marked=is_marked))
    result = picture.pixels.copy()  # Do not copy the photo earlier, because the network needs the memory.
    _put(result[area.slices], copy, new)
    return result


def _limits(hole: Bytes, *, is_marked: bool) -> _Limits:
    doubt = _DOUBT * min(1.0, (_WIDE / float(hole.mean())) ** 0.5)
    most = _BROKEN_AT_FRAME if _is_at_frame(hole) else MAX_BROKENNESS
    return _Limits(most if is_marked else broken_unmarked(hole), doubt)


def _surroundings(hole: Bytes) -> Box:
    box = Box.around(hole)
    return box.padded(round(_AROUND * max(box.width, box.height)) + 24, *hole.shape[::-1])


def _is_thin(missing: Bytes) -> bool:
    near = _rim(missing, 1)
    hole = np.ascontiguousarray(missing[near.slices])
    return float(cv2.distanceTransform(hole, cv2.DIST_L2, 3).max()) <= _THIN / 2


def _smoothed_over(copy: _Copy) -> Floats:
    """Return the filling of a thin hole.

    The method is that of Telea, "An image inpainting technique based on the fast marching method", 2004.
    """
    smooth = cv2.inpaint(copy.small.astype(np.uint8), copy.hole, 4, cv2.INPAINT_TELEA)
    return _enlarged(smooth.astype(np.float32), copy.inner, copy.scales, cv2.INTER_LINEAR)


def _colors(part: Pixels) -> Bytes:
    """Return the red, green, and blue of a part of a photo, in 8 bits."""
    return eight_bits(Picture(part))[:, :, :3]


def broken_unmarked(hole: Bytes) -> float:
    """Return the maximum error score of a filling for this hole if the user did not mark the hole."""
    least = _BROKEN_AT_FRAME if _is_at_frame(hole) else _BROKEN_UNMARKED
    return min(least, _BROKEN_WIDE / float(hole.mean()))


def _is_at_frame(hole: Bytes) -> bool:
    return bool(hole[[0, -1]].any() or hole[:, [0, -1]].any())


def _patched(copy: _Copy, barred: Bytes, search: _Search, limits: _Limits) -> Floats:
    """Return the full-size colors that fill the hole.

    The colors come from other pixels of the photo, which are selected on the working copy. If the patches fit
    badly, the network is tried instead. Raises OperationError if neither method fills the hole well, for
    example because many objects meet at its edge.
    """
    other = cv2.resize(barred, copy.hole.shape[::-1], interpolation=cv2.INTER_NEAREST)
    filling, broken = _fill_copy(copy.small, copy.hole, cast(Bytes, other), search)
    new = None
    if broken > _DOUBTFUL:
        doubt = limits.doubt * float(np.clip(broken / min(limits.broken, _BAD), _SURE, 1))
        new = _invented(copy, doubt)
    if new is None and (broken > limits.broken or (broken > _UNSURE and _is_smeared(filling, copy.hole))):
        raise OperationError(
            Reason.LOW_CONFIDENCE,
            Sentence("The surroundings are too varied for me to fill this area well."),
            Sentence("Draw a slightly wider box, with some of the surroundings."),
        )
    return _in_full(copy, filling) if new is None else new


def _is_smeared(filling: Filling, hole: Bytes) -> bool:
    """Return whether a filling has much less fine detail than the pixels around it."""
    fine = np.abs(filling.colors - cv2.GaussianBlur(filling.colors, (0, 0), _FINE)).mean(2)
    inside, outside = cv2.erode(hole, _RIM) == 1, cv2.dilate(hole, _RING) > hole
    return bool(inside.any() and fine[inside].mean() < _SMEARED * fine[outside].mean())


def inpaint_if_certain(part: Pixels, missing: Bytes, doubt: float) -> Pixels | None:
    """Return the pixels with a hole (0/1) filled by the network, or None if the network is too uncertain.

    `doubt` is the maximum uncertainty of the network, in 8-bit levels.
    """
    copy = _copied(part, missing, _WORKING_PIXELS)
    colors = _invented(copy, doubt)
    if colors is None:
        return None
    result = part.copy()
    _put(result, copy, colors)
    return result


def _invented(copy: _Copy, doubt: float) -> Floats | None:
    """Return the network's filling of the hole, at full size, for the copy's `inner` box.

    If the network's output is coarser than the photo, detail from similar areas of the photo is added.
    Returns None if the network's uncertainty, in 8-bit levels, is larger than `doubt`.
    """
    invention = inpaint(copy.part, copy.missing)
    if invention.doubt > doubt:
        return None
    seen = _seen(invention, copy.inner, (1.0, 1.0))
    finest = invention.view.width / INPUT_PIXELS
    if finest <= _SHARP:
        return seen
    whole = Box(0, 0, *copy.hole.shape[::-1])
    new = np.where(copy.hole[:, :, None] == 1, _seen(invention, whole, copy.scales), copy.small)
    filling = match_patches(new, copy.hole)
    share = _enlarged(_alike(new, filling), copy.inner, copy.scales, cv2.INTER_LINEAR)
    return cast(Floats, seen + share[:, :, None] * _fetched(copy, filling, seen, finest))


def _alike(new: Floats, filling: Filling) -> Floats:
    """Return how similar each pixel of the hole is to the source of its patch, from 0 to 1."""
    soft = cv2.GaussianBlur(new, (0, 0), _SOFT)
    apart = np.abs(soft[tuple(filling.holes.T)] - soft[tuple(filling.sources.T)]).max(1)
    share = np.zeros(soft.shape[:2], np.float32)
    share[tuple(filling.holes.T)] = np.clip(1 - apart / _UNLIKE, 0, 1)
    return cv2.GaussianBlur(share, (0, 0), _SOFT)


def _seen(invention: Inpainting, box: Box, scales: tuple[float, float]) -> Floats:
    """Return the network's output for a box on a working copy.

    A pixel of the copy is as wide and high as `scales` pixels of the photo.
    """
    view, (across, down) = invention.view, scales
    finer = view.width / INPUT_PIXELS / across, view.height / INPUT_PIXELS / down
    return _enlarged(invention.colors, box, finer, origin=(view.left / across, view.top / down))


def _fill_copy(small: Floats, hole: Bytes, barred: Bytes, search: _Search) -> tuple[Filling, float]:
    """Return the patch filling of a working copy, along with its error score.

    The score is the misfit of the patches, multiplied by the RMS error of a smooth surface that is fitted
    around the hole. On a smooth background, such as a sky, a wall, or a shaded area, the score is 0, and only
    pixels of that background are used.
    """
    course, rest = smooth_course(small, hole)
    if rest > _SMOOTH:
        filling = search(small, hole, barred=barred)
        return filling, rest * filling.misfit
    off = (np.abs(small - course).max(2) > _OFF).astype(np.uint8)
    barred = barred | cast(Bytes, cv2.dilate(off, _HALO))
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
    return cast(NDArray[np.bool_], (cv2.dilate(hole, np.ones((2 * reach + 1,) * 2, np.uint8)) - hole) == 1)


def _rim(missing: Bytes, reach: int) -> Box:
    """Return the bounding box of the hole, padded by `reach` pixels.

    Full-size floats are needed only inside this box.
    """
    return Box.around(missing).padded(reach, *missing.shape[::-1])


def _in_full(copy: _Copy, filling: Filling) -> Floats:
    """Return the patch filling at full size.

    The fine detail comes from the sources of the patches, and the low frequencies come from the mean of the
    patches.
    """
    sigma = _SOFT * max(copy.scales)
    agreed = _enlarged(filling.colors, copy.inner, copy.scales)
    return blurred(agreed, sigma) + _fetched(copy, filling, agreed, sigma)


def _fetched(copy: _Copy, filling: Filling, colors: Floats, sigma: float) -> Floats:
    """Return the detail finer than `sigma` pixels from the patches' source areas.

    `colors` are the colors that are put into the hole before the detail is measured.
    """
    whole, inner = _colors(copy.part).copy(), copy.inner
    inside = copy.missing[inner.slices][:, :, None] == 1
    np.copyto(whole[inner.slices], np.clip(colors, 0, 255), where=inside, casting="unsafe")
    x, y = _ways(copy, filling)
    # Subtract the low frequencies at the source. If they were computed from the copied pixels, the seams
    # between the patches would remain in the detail.
    soft = blur_downscaled(whole, sigma)
    down, across = (soft.shape[axis] / whole.shape[axis] for axis in (0, 1))
    there = (x + 0.5) * np.float32(across) - 0.5, (y + 0.5) * np.float32(down) - 0.5
    low = cv2.remap(soft, *there, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    fetched = cv2.remap(whole, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REFLECT)
    return cv2.subtract(fetched, low, dtype=cv2.CV_32F)


def _enlarged(
    small: Floats,
    inner: Box,
    scales: tuple[float, float],
    how: int = cv2.INTER_CUBIC,
    origin: tuple[float, float] = (0, 0),
) -> Floats:
    """Return the part of a small array that corresponds to the box `inner`, enlarged by `scales`.

    The top left corner of the array is at `origin` (x, y), in enlarged pixels.
    """
    matrix = np.array([[1 / scales[0], 0, 0], [0, 1 / scales[1], 0]])
    matrix[:, 2] = (np.array(inner[:2]) + 0.5 - origin) / scales - 0.5
    size, flags = (inner.width, inner.height), how | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(small, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def _ways(copy: _Copy, filling: Filling) -> tuple[Floats, Floats]:
    """Return the x and y of each full-size pixel's source pixel, for the copy's `inner` box."""
    offset = np.zeros((*copy.hole.shape, 2), np.float32)
    offset[tuple(filling.holes.T)] = filling.sources - filling.holes
    # Round offsets to whole pixels, because interpolation between pixels would blur the grain.
    offset = np.rint(offset * np.array(copy.scales[::-1], np.float32))
    full = _enlarged(offset, copy.inner, copy.scales, cv2.INTER_NEAREST)
    rows, columns = np.indices((copy.inner.height, copy.inner.width), np.float32)
    return columns + (copy.inner.left + full[:, :, 1]), rows + (copy.inner.top + full[:, :, 0])


def _put(part: Pixels, copy: _Copy, new: Floats) -> None:
    """Fill the hole, in place, with new colors, which cover the inner box (RGB, 0 to 255).

    The new colors are blurred just inside the hole's edge. Pixels outside the hole do not change.
    """
    place = copy.inner.slices
    hole = np.ascontiguousarray(copy.missing[place])
    reach = max(1, round(max(hole.shape) / 400))
    share = np.clip(cv2.distanceTransform(hole, cv2.DIST_L2, 3) / reach, 0, 1)[:, :, None]
    mixed = share * new + (1 - share) * blurred(new, reach)
    full = np.clip(mixed, 0, 255) * np.float32(top_value(part) / 255) + np.float32(0.5)
    np.copyto(part[place][:, :, :3], full, where=hole[:, :, None] > 0, casting="unsafe")
