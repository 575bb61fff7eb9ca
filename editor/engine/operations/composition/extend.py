"""Extend a photo by adding space around it, without changing the photo's own pixels.

Calm borders are continued directly, and a network generates everything else.
"""

from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Color, Floats, cielab, color_of
from editor.engine.drawing.crop_windows import parse_ratio, parse_size
from editor.engine.drawing.gaussian import blurred
from editor.engine.drawing.margins import Sides, add_margins
from editor.engine.errors import OperationError, name_of_place
from editor.engine.operations.composition.resize import require_size, resized
from editor.engine.operations.remove.holes import inpaint_if_certain
from editor.engine.operations.remove.inpainting import INPUT_PIXELS
from editor.engine.pixels import top_value, working_copy
from editor.engine.plan import Amount, Reason, Step
from editor.engine.targets.places import anchor_of
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.sentences import Sentence

# Factor that converts an amount to the share of the photo's width or height that is added. The default
# amount, 0.35, adds a quarter.
_SHARE = 0.7
# Longer side, in pixels, of the working copy on which borders are measured.
_WORKING_PIXELS = 480
# Depth of the border area that is measured, as a share of the photo's width or height.
_BAND = 0.14
# Maximum color deviation, in CIE 1976 units, at which a border is continued directly.
_CALM_PEAK = 3.0
# Maximum grain, in CIE 1976 units, at which a border is continued directly.
_CALM_GRAIN = 3.0
# Mean color deviation, in CIE 1976 units, above which a border shows objects.
_BUSY_MEAN = 4.5
# Grain, in CIE 1976 units, above which a border shows objects.
_BUSY_GRAIN = 7.0
# Maximum mean deviation, in CIE 1976 units, at which a lawn-like border is continued directly.
_PLAIN = 0.6
# Share of edges in the two main directions above which a border shows rows of windows.
_RULED_SHARE = 0.72
# Minimum grain, in CIE 1976 units, of a border that shows rows of windows.
_RULED_GRAIN = 9.0
# Minimum gradient of a strong edge, in 8-bit levels per pixel.
_STRONG_EDGE = 40.0
# Number of directions, over 180 degrees, that are distinguished when edges are counted.
_DIRECTIONS = 18
# Sigma of the blur that separates grain from colors, as a share of the longest side.
_GRAIN = 0.012
# Maximum slope, in rows per column, along which the colors of a border are continued.
_STEEP = 0.4
# Maximum margin that the network adds beside objects, as a share of the photo's width or height.
_INVENTED = 0.25
# Maximum uncertainty of the network, in 8-bit levels, at a border without objects. The limit was chosen by
# examining 36 sides of photos, 16 of which show objects.
_DOUBT = 42.0
# Maximum uncertainty of the network, in 8-bit levels, at a border with objects.
_DOUBT_OF_THINGS = 32.0
# Width that is generated beyond the margin and then cut off, as a share of the longest side. This is
# necessary because the network draws a line at the edge of its output.
_CUT_OFF = 0.016
# Maximum side, in pixels, of a photo that the network extends at a border with objects. In a larger photo,
# the network's output would look too soft next to the fine detail.
_MAX_SHARP_PIXELS = 3 * INPUT_PIXELS
# Maximum margin that may be mirrored from the photo in any case, as a share of the photo's width or height.
_NARROW = 0.05
_UNSEEN = 0.2  # maximum opacity, from 0 to 1, at which the soft edge of a cutout counts as transparent
# Maximum margin that the network adds to a photo, as a share of the photo's width or height.
_NETWORK_REACH = 0.34
# Maximum margin in which plain colors are continued, as a share of the photo's width or height.
_CALM_REACH = 1.0
_AS_IT_IS = Sentence("The photo already has this size.")


class BorderTexture(NamedTuple):
    """How uneven a photo's border is.

    `worst` and `mean` are the maximum and the mean deviation from a steady change in color away from the
    border, and `grain` is the strength of the border's grain. All three are CIE 1976 color differences.
    `ruled` is the share of the border's edges that run in two directions.
    """

    worst: float
    mean: float
    grain: float
    ruled: float

    @property
    def is_calm(self) -> bool:
        """Return whether the border shows only a steady change in color, as a plain wall does."""
        return self.worst <= _CALM_PEAK and self.grain <= _CALM_GRAIN

    @property
    def is_busy(self) -> bool:
        """Return whether the border shows objects rather than only a plain background."""
        return self.mean > _BUSY_MEAN or self.grain > _BUSY_GRAIN

    @property
    def is_ruled(self) -> bool:
        """Return whether the border shows rows of windows, where any interrupted line would be noticeable."""
        return self.grain > _RULED_GRAIN and self.ruled > _RULED_SHARE


@operation
def extend(
    canvas: Canvas, step: Step, *, ratio: str | None, size: str | None, color: str | None, amount: Amount
) -> Canvas:
    """Add space on the requested sides, or on all sides if none is requested.

    The size of the space is an exact number, the size that a ratio requires, or the amount. If a size in
    pixels is given, the photo is extended to the ratio of that size and then resized to that size. The space
    has the requested color or, if no color is requested, continues the photo. Raises OperationError if a side
    has too much detail to be continued, or if the photo would be too large.
    """
    exact = parse_size(size)
    shape = exact[0] / exact[1] if exact else parse_ratio(ratio)
    margins = _margins(canvas, amount, shape, step.place)
    canvas = _plain(canvas, margins, color_of(color)) if color else extended(canvas, margins)
    return resized(canvas, *exact) if exact else canvas


def _plain(canvas: Canvas, margins: Sides, color: Color) -> Canvas:
    """Return the photo surrounded by solid-color margins."""
    require_size(canvas.picture.width + margins.across, canvas.picture.height + margins.down)
    return add_margins(canvas, margins, color) if any(margins) else canvas.with_notice(_AS_IT_IS)


def _margins(canvas: Canvas, amount: Amount, ratio: float | None, place: str | None) -> Sides:
    if ratio:
        return margins_to_ratio(canvas.picture, ratio, place)
    named = [side for side in Sides._fields if side in (place or "").split()] or Sides._fields
    number, unit = amount.measured(lambda: 100 * abs(canvas.amount(amount)) * _SHARE)
    half = 2 if len(named) == 4 and unit == "percent" else 1
    return Sides.of(canvas.picture, abs(number) / half, unit, named)


def margins_to_ratio(picture: Picture, ratio: float, place: str | None = None) -> Sides:
    """Return the margins that give the photo the requested ratio.

    The space is on the named side. If no side is named, the space is divided equally between two opposite
    sides.
    """
    width, height = picture.width, picture.height
    across = max(0, round(height * ratio) - width)
    down = 0 if across else max(0, round(width / ratio) - height)
    # If `end` is 0, all of the space is before the photo; if `end` is 1, all of it is after the photo. If
    # `end` is None, the space is divided equally between both sides.
    ways = zip((across, down), anchor_of(place), strict=True)
    left, top = (round(added * (1 - (0.5 if end is None else end))) for added, end in ways)
    return Sides(left, top, across - left, down - top)


def extended(canvas: Canvas, margins: Sides) -> Canvas:
    """Return the canvas with the margins added, one side after the other.

    The photo's own pixels do not change. Raises OperationError if a side has too much detail to be continued,
    or if the photo would be too large.
    """
    picture = canvas.picture
    require_size(picture.width + margins.across, picture.height + margins.down)
    if not any(margins):
        return canvas.with_notice(_AS_IT_IS)
    small, pixels = working_copy(picture, _WORKING_PIXELS), picture.pixels
    # Rotate the pixels by `turn` quarter turns so that each side in turn becomes the left one.
    sides = [(turn, side, margins[turn]) for turn, side in enumerate(Sides._fields) if margins[turn]]
    signs = {side: measure_border(np.rot90(small, turn)) for turn, side, _ in sides}
    for turn, side, margin in sides:
        _require_calm(np.rot90(pixels, turn), side, margin, signs[side])
    for turn, side, margin in sides:
        wider = _extended_left(np.rot90(pixels, turn), margin, signs[side])
        if wider is None:
            raise _too_much(side)
        pixels = cast(Pixels, np.ascontiguousarray(np.rot90(wider, -turn)))
    return canvas.moved(pixels, np.array([[1, 0, margins.left], [0, 1, margins.top]], np.float32))


def _require_calm(pixels: Pixels, side: str, margin: int, signs: BorderTexture) -> None:
    length = pixels.shape[1]
    if margin <= _NARROW * length or _is_empty(pixels).all():
        return
    if signs.is_ruled or (signs.is_busy and margin > _INVENTED * length):
        raise _too_much(side)
    if margin > (_CALM_REACH if signs.is_calm else _NETWORK_REACH) * length:
        raise OperationError(
            Reason.TOO_LARGE, Sentence("I can't extend the photo that far."), Sentence("Extend it less.")
        )


def _too_much(side: str) -> OperationError:
    return OperationError(
        Reason.NEEDS_GENERATION,
        Sentence(
            "The %(side)s edge of the photo has too much detail for me to continue it.",
            side=name_of_place(side),
        ),
        Sentence("Extend it less, extend another side, or add a border."),
    )


def measure_border(small: Bytes) -> BorderTexture:
    """Measure the texture of the left border of a working copy."""
    lab = cielab(np.ascontiguousarray(small))
    band = np.ascontiguousarray(lab[:, : max(2, round(_BAND * lab.shape[1]))])
    soft = cv2.GaussianBlur(band, (0, 0), _reach(small, _GRAIN))
    way = np.linspace(-1, 1, band.shape[1], dtype=np.float32)[None, :, None]
    slope = (soft * way).mean(1, keepdims=True) / (way**2).mean()
    off = np.linalg.norm(soft - soft.mean(1, keepdims=True) - slope * way, axis=2)
    grain = np.linalg.norm(band - soft, axis=2)
    mean, rough = (float((values**2).mean() ** 0.5) for values in (off, grain))
    return BorderTexture(float(off.max()), mean, rough, _ruled(np.ascontiguousarray(band[:, :, 0])))


def _ruled(light: Floats) -> float:
    """Return the share (0 to 1) of the strong edges that run in the two most frequent directions.

    `light` is the lightness of a border, from 0 to 100.
    """
    soft = cv2.GaussianBlur(light * np.float32(2.55), (0, 0), 0.8)
    across, down = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    turns = (np.arctan2(down, across) % np.pi)[np.hypot(across, down) > _STRONG_EDGE]
    counts = np.histogram(turns, _DIRECTIONS, (0, np.pi))[0]
    near = counts + np.roll(counts, 1) + np.roll(counts, -1)
    best = int(near.argmax())
    others = np.delete(near, [(best + step) % _DIRECTIONS for step in range(-2, 3)])
    return float((near[best] + others.max()) / max(1, turns.size))


def _reach(pixels: Pixels, share: float) -> float:
    """Return the sigma, in pixels, of a blur that reaches as far as a share of the longest side."""
    return max(0.5, share * float(max(pixels.shape[:2])))


def _is_empty(pixels: Pixels) -> NDArray[np.bool_]:
    """Return a mask of the rows that are nearly transparent at the left border."""
    if pixels.shape[2] == 3:
        return np.zeros(pixels.shape[0], np.bool_)
    return pixels[:, 0, 3] < _UNSEEN * top_value(pixels)


def _extended_left(pixels: Pixels, margin: int, signs: BorderTexture) -> Pixels | None:
    """Return the pixels with a margin added on the left, or None if the network is too uncertain.

    Rows that are transparent at the border are transparent in the margin, too.
    """
    empty = _is_empty(pixels)
    if empty.all():
        return cast(Pixels, cv2.copyMakeBorder(pixels, 0, 0, margin, 0, cv2.BORDER_CONSTANT, value=0))
    wider = _continued(pixels, margin, signs)
    if wider is not None:
        wider[empty, :margin] = 0
    return wider


def _continued(pixels: Pixels, margin: int, signs: BorderTexture) -> Pixels | None:
    if signs.is_calm or (signs.mean <= _PLAIN and not signs.is_busy):
        return _calmly(pixels, margin)
    if margin <= _NARROW * pixels.shape[1]:
        return cast(Pixels, cv2.copyMakeBorder(pixels, 0, 0, margin, 0, cv2.BORDER_REFLECT))
    is_soft = signs.is_busy and max(pixels.shape[0], pixels.shape[1] + margin) > _MAX_SHARP_PIXELS
    return None if is_soft else _invented(pixels, margin, _DOUBT_OF_THINGS if signs.is_busy else _DOUBT)


def _invented(pixels: Pixels, margin: int, doubt: float) -> Pixels | None:
    """Return the pixels with a margin that the network generates on the left.

    Returns None if the network's uncertainty, in 8-bit levels, is larger than `doubt`.
    """
    more = round(_CUT_OFF * max(pixels.shape))
    wider = cast(Pixels, cv2.copyMakeBorder(pixels, more, more, margin + more, 0, cv2.BORDER_REFLECT))
    missing = np.zeros(wider.shape[:2], np.uint8)
    missing[:, : margin + more] = 1
    result = inpaint_if_certain(wider, missing, doubt)
    if result is None:
        return None
    return cast(Pixels, np.ascontiguousarray(result[more : more + pixels.shape[0], more:]))


def _calmly(pixels: Pixels, margin: int) -> Pixels:
    """Return the pixels with a margin on the left that continues the colors of the border.

    The colors follow the slope of the border's pattern, and the grain is that of the strip beside the border.
    """
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
    """Return the slope of the pattern beside the border, as the number of rows down per column.

    Returns 0 if the slope is too steep.
    """
    if min(light.shape) < 2:
        return 0.0
    down, across = np.gradient(light)
    slope = -float((across * down).sum()) / max(1e-6, float((down * down).sum()))
    return slope if abs(slope) < _STEEP else 0.0


def _sheared(edge: Floats, margin: int, slope: float) -> Floats:
    """Return the colors of a column (height x channels), spread along a slope over the margin to its left."""
    matrix = np.array([[0, 0, 0], [-slope, 1, slope * margin]], np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (margin, edge.shape[0])
    column = np.ascontiguousarray(edge[:, None])
    return cv2.warpAffine(column, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
