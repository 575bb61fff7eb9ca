"""Extend: more room around a photo. Calm borders go on, the rest comes from the network; what was there
stays."""

from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Color, Floats, cielab, color_of
from editor.engine.drawing.gaussian import blurred
from editor.engine.drawing.room import Sides, amid
from editor.engine.drawing.windows import parsed_ratio
from editor.engine.operations.composition.resize import require_size
from editor.engine.operations.remove.holes import gone_on
from editor.engine.operations.remove.inpainting import INPUT_PIXELS
from editor.engine.pixels import top_value, working_copy
from editor.engine.plan import Amount, Reason, Step
from editor.engine.refused import Unable
from editor.engine.targets.places import anchor_of
from editor.imaging.picture import Bytes, Picture, Pixels

_SHARE = 0.7  # of the amount: an unmarked "extend" (.35) makes room of a quarter
_WORKING_PIXELS = 480  # the longer side of the copy that borders are measured on
_BAND = 0.14  # of a side: how deep the photo is looked at beside its border
_CALM_PEAK = 3.0  # CIE 1976 color difference: the largest one in a border that is simply continued
_CALM_GRAIN = 3.0  # the same: its strongest grain
_BUSY_MEAN = 4.5  # the same: a larger mean is things, not a ground
_BUSY_GRAIN = 7.0  # the same: and so is a stronger grain
_PLAIN = 0.6  # the same: so plain a ground, a lawn, goes on with its own grain
_RULED_SHARE = 0.72  # of the edges: with more in two directions it is windows, which nobody can invent
_RULED_GRAIN = 9.0  # CIE 1976 color difference: the least grain of windows
_STRONG_EDGE = 40.0  # levels for each pixel
_DIRECTIONS = 18  # the number of directions, over 180 degrees, in which edges are counted
_GRAIN = 0.012  # of the longest side
_STEEP = 0.4  # rows for each column
_INVENTED = 0.25  # of a side: as far as the network may go on with things
_DOUBT = 42.0  # levels that the network may differ by; chosen on 36 sides, 16 of them busy
_DOUBT_OF_THINGS = 32.0  # the same, on a busy side
_CUT_OFF = 0.016  # of the longest side: the network ends in a line at the frame, so it makes more
# Pixels: in a larger photo what the network shows would be too soft beside fine things.
_LARGEST = 3 * INPUT_PIXELS
_NARROW = 0.05  # of a side: so little may be mirrored anywhere
_UNSEEN = 0.2  # alpha below it is the soft end of a cut-out
_NETWORK_REACH = 0.34  # of a side: the farthest that the network continues a photo
_CALM_REACH = 1.0  # of a side: the farthest that plain colors are continued
_AS_IT_IS = "The photo has this size already."


class Unrest(NamedTuple):
    """What happens away from a border, but for a steady course: its peak and its mean, and how strong the
    grain is; in CIE 1976 color differences. And how much of its edges lies in two directions."""

    worst: float
    mean: float
    grain: float
    ruled: float

    @property
    def is_calm(self) -> bool:
        """A clear sky, a plain wall: nothing but a steady course."""
        return self.worst <= _CALM_PEAK and self.grain <= _CALM_GRAIN

    @property
    def is_busy(self) -> bool:
        """Things, not a ground."""
        return self.mean > _BUSY_MEAN or self.grain > _BUSY_GRAIN

    @property
    def is_ruled(self) -> bool:
        """Rows of windows: where a line is not continued, everyone sees it."""
        return self.grain > _RULED_GRAIN and self.ruled > _RULED_SHARE


@operation
def extend(canvas: Canvas, step: Step, *, ratio: str | None, color: str | None, amount: Amount) -> Canvas:
    """More room at the sides that the place names, without one at all: by an exact number, until the photo
    has a ratio, or by the amount; of the step's color, or as the photo goes on."""
    margins = _margins(canvas, amount, parsed_ratio(ratio), step.place)
    return _plain(canvas, margins, color_of(color)) if color else extended(canvas, margins)


def _plain(canvas: Canvas, margins: Sides, color: Color) -> Canvas:
    """The photo amid margins of one color."""
    require_size(canvas.picture.width + margins.across, canvas.picture.height + margins.down)
    return amid(canvas, margins, color) if any(margins) else canvas.noticing(_AS_IT_IS)


def _margins(canvas: Canvas, amount: Amount, ratio: float | None, place: str | None) -> Sides:
    if ratio:
        return margins_to_ratio(canvas.picture, ratio, place)
    named = [side for side in Sides._fields if side in (place or "").split()] or Sides._fields
    number, unit = amount.measured(lambda: 100 * abs(canvas.amount(amount)) * _SHARE)
    half = 2 if len(named) == 4 and unit == "percent" else 1
    return Sides.of(canvas.picture, abs(number) / half, unit, named)


def margins_to_ratio(picture: Picture, ratio: float, place: str | None = None) -> Sides:
    """What must be added to get the ratio: at the named side, else half at each of two."""
    width, height = picture.width, picture.height
    across = max(0, round(height * ratio) - width)
    down = 0 if across else max(0, round(width / ratio) - height)
    # All comes before the photo when the room shall be at its start.
    ways = zip((across, down), anchor_of(place), strict=True)
    left, top = (round(added * (1 - (0.5 if end is None else end))) for added, end in ways)
    return Sides(left, top, across - left, down - top)


def extended(canvas: Canvas, margins: Sides) -> Canvas:
    """With the margins added, one side after the other; the photo itself stays to the bit.

    Unable where a side shows too much.
    """
    picture = canvas.picture
    require_size(picture.width + margins.across, picture.height + margins.down)
    if not any(margins):
        return canvas.noticing(_AS_IT_IS)
    small, pixels = working_copy(picture, _WORKING_PIXELS), picture.pixels
    # Turned by so many quarters each side is the left one.
    sides = [(turn, side, margins[turn]) for turn, side in enumerate(Sides._fields) if margins[turn]]
    signs = {side: unrest(np.rot90(small, turn)) for turn, side, _ in sides}
    for turn, side, margin in sides:
        _require_calm(np.rot90(pixels, turn), side, margin, signs[side])
    for turn, side, margin in sides:
        wider = _extended_left(np.rot90(pixels, turn), margin, signs[side])
        if wider is None:
            raise _too_much(side)
        pixels = cast(Pixels, np.ascontiguousarray(np.rot90(wider, -turn)))
    return canvas.moved(pixels, np.array([[1, 0, margins.left], [0, 1, margins.top]], np.float32))


def _require_calm(pixels: Pixels, side: str, margin: int, signs: Unrest) -> None:
    length = pixels.shape[1]
    if margin <= _NARROW * length or _is_empty(pixels).all():
        return
    if signs.is_ruled or (signs.is_busy and margin > _INVENTED * length):
        raise _too_much(side)
    if margin > (_CALM_REACH if signs.is_calm else _NETWORK_REACH) * length:
        raise Unable(Reason.TOO_LARGE, "That is more than the photo can be continued by.", "Extend it less.")


def _too_much(side: str) -> Unable:
    return Unable(
        Reason.NEEDS_GENERATION,
        f"There is too much to be seen at the {side} to be continued.",
        "Extend it less, extend another side, or add a border.",
    )


def unrest(small: Bytes) -> Unrest:
    """How much goes on beside the left border of a working copy."""
    lab = cielab(np.ascontiguousarray(small))
    band = np.ascontiguousarray(lab[:, : max(2, round(_BAND * lab.shape[1]))])
    soft = cv2.GaussianBlur(band, (0, 0), _reach(small, _GRAIN))
    way = np.linspace(-1, 1, band.shape[1], dtype=np.float32)[None, :, None]
    slope = (soft * way).mean(1, keepdims=True) / (way**2).mean()
    off = np.linalg.norm(soft - soft.mean(1, keepdims=True) - slope * way, axis=2)
    grain = np.linalg.norm(band - soft, axis=2)
    mean, rough = (float((values**2).mean() ** 0.5) for values in (off, grain))
    return Unrest(float(off.max()), mean, rough, _ruled(np.ascontiguousarray(band[:, :, 0])))


def _ruled(light: Floats) -> float:
    """How much of the strong edges of a light (0 to 100) lies in two directions, 0 to 1."""
    soft = cv2.GaussianBlur(light * np.float32(2.55), (0, 0), 0.8)
    across, down = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    turns = (np.arctan2(down, across) % np.pi)[np.hypot(across, down) > _STRONG_EDGE]
    counts = np.histogram(turns, _DIRECTIONS, (0, np.pi))[0]
    near = counts + np.roll(counts, 1) + np.roll(counts, -1)
    best = int(near.argmax())
    others = np.delete(near, [(best + step) % _DIRECTIONS for step in range(-2, 3)])
    return float((near[best] + others.max()) / max(1, turns.size))


def _reach(pixels: Pixels, share: float) -> float:
    """The sigma of a blur over that share of the longest side."""
    return max(0.5, share * float(max(pixels.shape[:2])))


def _is_empty(pixels: Pixels) -> NDArray[np.bool_]:
    """Which rows are (nearly) transparent at the left border."""
    if pixels.shape[2] == 3:
        return np.zeros(pixels.shape[0], np.bool_)
    return pixels[:, 0, 3] < _UNSEEN * top_value(pixels)


def _extended_left(pixels: Pixels, margin: int, signs: Unrest) -> Pixels | None:
    """With a margin at the left: where nothing is seen at the border, nothing goes on. None where the network
    doubts."""
    empty = _is_empty(pixels)
    if empty.all():
        return cast(Pixels, cv2.copyMakeBorder(pixels, 0, 0, margin, 0, cv2.BORDER_CONSTANT, value=0))
    wider = _continued(pixels, margin, signs)
    if wider is not None:
        wider[empty, :margin] = 0
    return wider


def _continued(pixels: Pixels, margin: int, signs: Unrest) -> Pixels | None:
    if signs.is_calm or (signs.mean <= _PLAIN and not signs.is_busy):
        return _calmly(pixels, margin)
    if margin <= _NARROW * pixels.shape[1]:
        return cast(Pixels, cv2.copyMakeBorder(pixels, 0, 0, margin, 0, cv2.BORDER_REFLECT))
    is_soft = signs.is_busy and max(pixels.shape[0], pixels.shape[1] + margin) > _LARGEST
    return None if is_soft else _invented(pixels, margin, _DOUBT_OF_THINGS if signs.is_busy else _DOUBT)


def _invented(pixels: Pixels, margin: int, doubt: float) -> Pixels | None:
    """What the network goes on with stands in the margin; None where it doubts more."""
    more = round(_CUT_OFF * max(pixels.shape))
    wider = cast(Pixels, cv2.copyMakeBorder(pixels, more, more, margin + more, 0, cv2.BORDER_REFLECT))
    missing = np.zeros(wider.shape[:2], np.uint8)
    missing[:, : margin + more] = 1
    result = gone_on(wider, missing, doubt)
    if result is None:
        return None
    return cast(Pixels, np.ascontiguousarray(result[more : more + pixels.shape[0], more:]))


def _calmly(pixels: Pixels, margin: int) -> Pixels:
    """The colors of the border go on, along their slope; their grain is that of the band beside it."""
    depth = max(1, round(_BAND * pixels.shape[1]))
    reach = _reach(pixels, _GRAIN)
    near = np.ascontiguousarray(pixels[:, : depth + round(3 * reach)], np.float32)
    soft = blurred(near, reach)
    bounced = np.pad(np.arange(depth), (margin, 0), "symmetric")[:margin]
    added = _sheared(soft[:, 0], margin, _slope(soft[:, :depth].mean(2)))
    added += (near - soft)[:, bounced]
    new = np.clip(added + 0.5, 0, top_value(pixels)).astype(pixels.dtype)
    return cast(Pixels, np.concatenate([new, pixels], 1))


def _slope(light: Floats) -> float:
    """By how many rows what lies beside the border goes down for each column; 0 where that is steep."""
    if min(light.shape) < 2:
        return 0.0
    down, across = np.gradient(light)
    slope = -float((across * down).sum()) / max(1e-6, float((down * down).sum()))
    return slope if abs(slope) < _STEEP else 0.0


def _sheared(edge: Floats, margin: int, slope: float) -> Floats:
    """The colors of a column (height x channels) spread over the margin at its left, along the slope."""
    matrix = np.array([[0, 0, 0], [-slope, 1, slope * margin]], np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (margin, edge.shape[0])
    column = np.ascontiguousarray(edge[:, None])
    return cv2.warpAffine(column, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
