"""Holes in a photo, filled from around them; refused where the filling would look broken."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.drawing.gaussian import blurred, softly_small
from editor.engine.operations.remove.inpainting import INPUT_PIXELS, Invention, invented
from editor.engine.operations.remove.patches import Filling, fill, likened
from editor.engine.pixels import Box, copy_size, top_value
from editor.engine.plan import Reason
from editor.engine.refused import MARK_IT, Unable
from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits

type _Search = Callable[..., Filling]

_TOO_MUCH = 0.25
_THIN = 4  # pixels: what is wider Telea's method smears
_THIN_PIXELS = 800  # the longer side of the copy that a thin hole is filled on
_WORKING_PIXELS = 420  # the longer side of the copy that a hole is filled on
_SMALL = 0.003  # of the photo: such a hole is filled on a smaller copy, in less time
_SMALL_PIXELS = 220  # the longer side of that copy
_AROUND = 1.5  # how far around the hole is looked for what may fill it, in its own sizes
_SMOOTH = 8.0  # levels from a smooth course of colors: grain, not things
BROKEN = 640.0  # chosen on 42 fillings: the four that look worst are above it, and none of the good ones
_BROKEN_UNMARKED = 250.0  # chosen on 60 fillings of things seen: those above it, up to 410, were all poor
_BROKEN_AT_FRAME = 240.0  # the same, where nothing beyond the frame says how it goes on
_DOUBTFUL = 80.0  # of brokenness: above it the network is asked, and used if it is sure
_BAD = 350.0  # of brokenness: from here on the network may doubt as much as the limit allows
_SURE = 0.5  # of the doubt that is allowed where patches are bad
_DOUBT = 14.0  # levels; chosen on 60 fillings: of 20 below it that patches do worse, 17 look good or fair
_UNSURE = 180.0  # of brokenness: above it the filling may be a smear
_SMEARED = 0.5  # of the detail around it: a smear has less
_WIDE = 0.1  # of the photo: in a wider hole less doubt is allowed
_UNLIKE = 16.0  # levels: detail of what is so far off in color would be clutter
_SHARP = 1.5  # so much larger than it is the network's picture may be shown
_BROKEN_WIDE = 25.0  # over the share of the photo: across a wide hole things come twice, or half
_OFF = 24.0  # levels: what is so far from a smooth course is a thing before it
_HALO = np.ones((9, 9), np.uint8)  # of the small copy: so far the detail beside a thing shows its edge
_MIDDLE = np.float32(128)
_FINE = 1.5  # pixels of the small copy
_RIM = np.ones((5, 5), np.uint8)  # what is inside the hole, away from its edge
_RING = np.ones((31, 31), np.uint8)  # what is around the hole
_SOFT = 2.5  # pixels of the small copy: what is finer than that comes from one patch, not from their mean


@dataclass(frozen=True, eq=False)
class _Copy:
    """A part of the photo with a hole (0/1), both on a small copy, and the box of the part's pixels that is
    filled."""

    part: Pixels
    missing: Bytes
    small: Floats
    hole: Bytes
    inner: Box

    @property
    def scales(self) -> tuple[float, float]:
        """How many pixels of the part each of the small copy is, across and down."""
        (height, width), (down, across) = self.missing.shape, self.hole.shape
        return width / across, height / down


def _copied(part: Pixels, missing: Bytes, side: int) -> _Copy:
    size = copy_size(side, *missing.shape[::-1])
    small = cv2.resize(_colors(part), size, interpolation=cv2.INTER_AREA).astype(np.float32)
    hole = (cv2.resize(missing.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0).astype(np.uint8)
    return _Copy(part, missing, small, hole, _rim(missing, round(5 * max(missing.shape) / max(size))))


class _Limits(NamedTuple):
    """The most that a filling of patches may be broken, and that the network may doubt its own."""

    broken: float
    doubt: float


def fill_hole(
    picture: Picture, hole: Bytes, seed: int = 0, *, is_marked: bool = True, barred: Bytes | None = None
) -> Pixels:
    """The pixels with the hole (0/1) filled: outside it nothing changes. What nobody marked has to fit
    better, since a box can still be drawn. Nothing is taken from what is barred (0/1)."""
    share = float(hole.mean())
    if share == 0:
        raise Unable(Reason.NO_SUCH_TARGET, "There is nothing to remove.", MARK_IT)
    if share > _TOO_MUCH:
        raise Unable(
            Reason.TOO_LARGE, "More than a quarter of the photo would have to be invented.", "Mark less."
        )
    area = _surroundings(hole)
    part, missing = picture.pixels[area.part], np.ascontiguousarray(hole[area.part])
    other = np.zeros_like(missing) if barred is None else np.ascontiguousarray(barred[area.part])
    search = partial(fill, seed=seed, in_pieces=share > _SMALL)
    if _is_thin(missing):
        copy = _copied(part, missing, _THIN_PIXELS)
        new = _smoothed_over(copy)
    else:
        copy = _copied(part, missing, _WORKING_PIXELS if share > _SMALL else _SMALL_PIXELS)
        new = _patched(copy, other, search, _limits(hole, is_marked=is_marked))
    result = picture.pixels.copy()  # not before: the network needs the memory
    _put(result[area.part], copy, new)
    return result


def _limits(hole: Bytes, *, is_marked: bool) -> _Limits:
    doubt = _DOUBT * min(1.0, (_WIDE / float(hole.mean())) ** 0.5)
    most = _BROKEN_AT_FRAME if _is_at_frame(hole) else BROKEN
    return _Limits(most if is_marked else broken_unmarked(hole), doubt)


def _surroundings(hole: Bytes) -> Box:
    box = Box.around(hole)
    return box.widened(round(_AROUND * max(box.width, box.height)) + 24, *hole.shape[::-1])


def _is_thin(missing: Bytes) -> bool:
    near = _rim(missing, 1)
    hole = np.ascontiguousarray(missing[near.part])
    return float(cv2.distanceTransform(hole, cv2.DIST_L2, 3).max()) <= _THIN / 2


def _smoothed_over(copy: _Copy) -> Floats:
    """Telea, "An image inpainting technique based on the fast marching method", 2004."""
    smooth = cv2.inpaint(copy.small.astype(np.uint8), copy.hole, 4, cv2.INPAINT_TELEA)
    return _enlarged(smooth.astype(np.float32), copy.inner, copy.scales, cv2.INTER_LINEAR)


def _colors(part: Pixels) -> Bytes:
    """The RGB."""
    return eight_bits(Picture(part))[:, :, :3]


def broken_unmarked(hole: Bytes) -> float:
    """The most that a filling of this hole may be broken when nobody marked it."""
    least = _BROKEN_AT_FRAME if _is_at_frame(hole) else _BROKEN_UNMARKED
    return min(least, _BROKEN_WIDE / float(hole.mean()))


def _is_at_frame(hole: Bytes) -> bool:
    return bool(hole[[0, -1]].any() or hole[:, [0, -1]].any())


def _patched(copy: _Copy, barred: Bytes, search: _Search, limits: _Limits) -> Floats:
    """The filling is found on a small copy; its pixels come from the photo itself. Where patches fit badly,
    the network is asked. Unable when many things meet at the hole's edge, and neither joins them."""
    other = cv2.resize(barred, copy.hole.shape[::-1], interpolation=cv2.INTER_NEAREST)
    filling, broken = _fill_copy(copy.small, copy.hole, cast(Bytes, other), search)
    new = None
    if broken > _DOUBTFUL:
        doubt = limits.doubt * float(np.clip(broken / min(limits.broken, _BAD), _SURE, 1))
        new = _invented(copy, doubt)
    if new is None and (broken > limits.broken or (broken > _UNSURE and _is_smeared(filling, copy.hole))):
        raise Unable(
            Reason.LOW_CONFIDENCE,
            "What is around this place is too varied to fill it well.",
            "Mark a smaller box, close around what is to go.",
        )
    return _in_full(copy, filling) if new is None else new


def _is_smeared(filling: Filling, hole: Bytes) -> bool:
    """Whether a filling has lost most of the detail that is around it."""
    fine = np.abs(filling.colors - cv2.GaussianBlur(filling.colors, (0, 0), _FINE)).mean(2)
    inside, outside = cv2.erode(hole, _RIM) == 1, cv2.dilate(hole, _RING) > hole
    return bool(inside.any() and fine[inside].mean() < _SMEARED * fine[outside].mean())


def gone_on(part: Pixels, missing: Bytes, doubt: float) -> Pixels | None:
    """The pixels with a hole (0/1) that the network fills; None where it doubts by more levels than that."""
    copy = _copied(part, missing, _WORKING_PIXELS)
    colors = _invented(copy, doubt)
    if colors is None:
        return None
    result = part.copy()
    _put(result, copy, colors)
    return result


def _invented(copy: _Copy, doubt: float) -> Floats | None:
    """What the network fills the hole with, inside a box of full-size pixels; None when it doubts more. What
    it shows coarser than the photo gets its detail from where the photo looks like it."""
    invention = invented(copy.part, copy.missing)
    if invention.doubt > doubt:
        return None
    seen = _seen(invention, copy.inner, (1.0, 1.0))
    finest = invention.view.width / INPUT_PIXELS
    if finest <= _SHARP:
        return seen
    whole = Box(0, 0, *copy.hole.shape[::-1])
    new = np.where(copy.hole[:, :, None] == 1, _seen(invention, whole, copy.scales), copy.small)
    filling = likened(new, copy.hole)
    share = _enlarged(_alike(new, filling), copy.inner, copy.scales, cv2.INTER_LINEAR)
    return cast(Floats, seen + share[:, :, None] * _fetched(copy, filling, seen, finest))


def _alike(new: Floats, filling: Filling) -> Floats:
    """How much each pixel of the hole looks like where its patch comes from, 0 to 1."""
    soft = cv2.GaussianBlur(new, (0, 0), _SOFT)
    apart = np.abs(soft[tuple(filling.holes.T)] - soft[tuple(filling.sources.T)]).max(1)
    share = np.zeros(soft.shape[:2], np.float32)
    share[tuple(filling.holes.T)] = np.clip(1 - apart / _UNLIKE, 0, 1)
    return cv2.GaussianBlur(share, (0, 0), _SOFT)


def _seen(invention: Invention, box: Box, scales: tuple[float, float]) -> Floats:
    """The invention inside a box of pixels, of which each is so many of the photo's."""
    view, (across, down) = invention.view, scales
    finer = view.width / INPUT_PIXELS / across, view.height / INPUT_PIXELS / down
    return _enlarged(invention.colors, box, finer, origin=(view.left / across, view.top / down))


def _fill_copy(small: Floats, hole: Bytes, barred: Bytes, search: _Search) -> tuple[Filling, float]:
    """The filling, and how broken it may look; on a sky, a wall or a shade only of what lies on the smooth
    course of its colors."""
    course, rest = smooth_course(small, hole)
    if rest > _SMOOTH:
        filling = search(small, hole, barred=barred)
        return filling, rest * filling.misfit
    off = (np.abs(small - course).max(2) > _OFF).astype(np.uint8)
    barred = barred | cast(Bytes, cv2.dilate(off, _HALO))
    filling = search(small - course + _MIDDLE, hole, barred=barred)
    return replace(filling, colors=filling.colors + course - _MIDDLE), 0.0


def smooth_course(small: Floats, hole: Bytes) -> tuple[Floats, float]:
    """The colors as a surface of the second degree, by least squares around the hole, and how far, in levels,
    the known colors are from it. Beyond all that is known around, at the frame, it goes on level."""
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
    """What lies around the hole, as far as a share of its longest side."""
    reach = max(6, round(share * max(cv2.boundingRect(hole)[2:])))
    return cast(NDArray[np.bool_], (cv2.dilate(hole, np.ones((2 * reach + 1,) * 2, np.uint8)) - hole) == 1)


def _rim(missing: Bytes, reach: int) -> Box:
    """The hole with a little around it: only there full-size floats are needed."""
    return Box.around(missing).widened(reach, *missing.shape[::-1])


def _in_full(copy: _Copy, filling: Filling) -> Floats:
    """Full-resolution pixels from the sources, with the low frequencies that the patches agreed on."""
    sigma = _SOFT * max(copy.scales)
    agreed = _enlarged(filling.colors, copy.inner, copy.scales)
    return blurred(agreed, sigma) + _fetched(copy, filling, agreed, sigma)


def _fetched(copy: _Copy, filling: Filling, colors: Floats, sigma: float) -> Floats:
    """What is finer than sigma, from where the filling's patches come from; `colors` stand in the hole."""
    whole, inner = _colors(copy.part).copy(), copy.inner
    inside = copy.missing[inner.part][:, :, None] == 1
    np.copyto(whole[inner.part], np.clip(colors, 0, 255), where=inside, casting="unsafe")
    x, y = _ways(copy, filling)
    # What is soft is fetched, too: taken from what was fetched, detail would hold the seams between patches.
    soft = softly_small(whole, sigma)
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
    """What a smaller map is inside a box of pixels, among which its corner lies at `origin` (x, y)."""
    matrix = np.array([[1 / scales[0], 0, 0], [0, 1 / scales[1], 0]])
    matrix[:, 2] = (np.array(inner[:2]) + 0.5 - origin) / scales - 0.5
    size, flags = (inner.width, inner.height), how | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(small, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def _ways(copy: _Copy, filling: Filling) -> tuple[Floats, Floats]:
    """For each full pixel of the box where its color is fetched from, x and y."""
    offset = np.zeros((*copy.hole.shape, 2), np.float32)
    offset[tuple(filling.holes.T)] = filling.sources - filling.holes
    offset = np.rint(offset * np.array(copy.scales[::-1], np.float32))  # between pixels grain would blur
    full = _enlarged(offset, copy.inner, copy.scales, cv2.INTER_NEAREST)
    rows, columns = np.indices((copy.inner.height, copy.inner.width), np.float32)
    return columns + (copy.inner.left + full[:, :, 1]), rows + (copy.inner.top + full[:, :, 0])


def _put(part: Pixels, copy: _Copy, new: Floats) -> None:
    """What is new (RGB, 0 to 255, of the inner box) stands in the hole; its rim is softened inwards, so
    nothing outside changes."""
    place = copy.inner.part
    hole = np.ascontiguousarray(copy.missing[place])
    reach = max(1, round(max(hole.shape) / 400))
    share = np.clip(cv2.distanceTransform(hole, cv2.DIST_L2, 3) / reach, 0, 1)[:, :, None]
    mixed = share * new + (1 - share) * blurred(new, reach)
    full = np.clip(mixed, 0, 255) * np.float32(top_value(part) / 255) + np.float32(0.5)
    np.copyto(part[place][:, :, :3], full, where=hole[:, :, None] > 0, casting="unsafe")
