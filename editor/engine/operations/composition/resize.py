"""Resize the photo, stretch it, or crop it to the size of a print."""

from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.drawing.crop_windows import crop_to_ratio, parse_size
from editor.engine.errors import OperationError
from editor.engine.plan import Amount, Reason, Step
from editor.engine.units import PAPER_SIZE
from editor.imaging.picture import Pixels
from editor.options import Limits
from editor.sentences import Sentence

_LIMITS = Limits()  # size limits for a photo
# Maximum factor by which a photo is enlarged without a notice that enlarging adds no detail.
_SHARP_UP_TO = 2.0
_DOTS = 300  # default resolution of a print, in dots per inch
_MIN_DPI, _MAX_DPI = 36, 1200  # minimum and maximum resolution of a print, in dots per inch
_MILLIMETERS = 25.4  # number of millimeters per inch
_STRETCHED = 0.7  # change in the length of a stretched side at an amount of 1, as a share of that side


@operation
def resize(
    canvas: Canvas, step: Step, *, size: str | None, side: str | None, original: bool, amount: Amount
) -> Canvas:
    """Resize the photo.

    The new size is an exact size ("800x600" crops to that ratio, and "within 800x600" does not crop), the
    original size (`original`, without cropping), a percentage, the pixels of a side, or the old size
    scaled by the amount. Raises OperationError if the size is not possible.
    """
    if original:
        return _as_large_as_before(canvas)
    if wanted := parse_size(size):
        return (_resized_within if "within" in (size or "") else _filling)(canvas, *wanted)
    width, height = canvas.picture.width, canvas.picture.height
    in_pixels = amount.number is not None and amount.unit != "percent"
    sides = {"height": height, "long side": max(width, height), "short side": min(width, height)}
    scale = (amount.number or 0) / sides.get(side or "", width) if in_pixels else canvas.factor(amount)
    return _scaled(canvas, scale, scale)


def _as_large_as_before(canvas: Canvas) -> Canvas:
    """Return the canvas, resized without cropping to fit into the original size of the photo."""
    before = canvas.photos[0] if canvas.photos else canvas.picture
    if (before.width, before.height) == (canvas.picture.width, canvas.picture.height):
        raise OperationError(
            Reason.AMBIGUOUS,
            Sentence("The photo already has its original size."),
            Sentence("Give the size in pixels or percent."),
        )
    return _resized_within(canvas, before.width, before.height)


def _resized_within(canvas: Canvas, width: int, height: int) -> Canvas:
    scale = min(width / canvas.picture.width, height / canvas.picture.height)
    return _scaled(canvas, scale, scale)


def _filling(canvas: Canvas, width: int, height: int) -> Canvas:
    """Return the canvas, cropped to the ratio of the given size and resized to that size."""
    return resized(crop_to_ratio(canvas, width / max(1, height)), width, height)


def _scaled(canvas: Canvas, across: float, down: float) -> Canvas:
    width, height = canvas.picture.width, canvas.picture.height
    return resized(canvas, max(1, round(width * across)), max(1, round(height * down)))


@operation
def stretch(canvas: Canvas, step: Step, *, size: str | None, side: str | None, amount: Amount) -> Canvas:
    """Change the aspect ratio of the photo without cropping it.

    If a size such as "800x600" is given, the photo is stretched to that size. Otherwise, the amount scales
    the width, or the height if `side` is "height". Raises OperationError if the size is not possible.
    """
    if wanted := parse_size(size):
        return resized(canvas, *wanted)
    share = canvas.factor(amount, _STRETCHED)
    return _scaled(canvas, *((1, share) if side == "height" else (share, 1)))


@operation
def print_size(canvas: Canvas, step: Step, *, paper: str | None, amount: Amount | None) -> Canvas:
    """Crop to the shape of a print ("4 x 6 inches", "210 x 297 mm") and resize it to a resolution.

    The resolution is the amount in dots per inch (300 by default) and is written into the file. If no size is
    given, only the resolution in the file changes. The print has the orientation of the photo. If the photo
    is square, the width of the print comes first in its size. Raises OperationError if neither a size nor a
    resolution is given, or if the resolution is unusual.
    """
    resolution = round(_DOTS if amount is None else amount.number or 0)
    if not _MIN_DPI <= resolution <= _MAX_DPI:
        hint = Sentence("Ask for %(least)s to %(most)s dpi.", least=_MIN_DPI, most=_MAX_DPI)
        raise OperationError(Reason.AMBIGUOUS, Sentence("I can't use this resolution."), hint)
    canvas = replace(canvas, picture=replace(canvas.picture, dots_per_inch=resolution))
    size = PAPER_SIZE.fullmatch(paper or "")
    if size is None and amount:
        return canvas
    if size is None:
        raise OperationError(
            Reason.AMBIGUOUS,
            Sentence("A print needs a size."),
            Sentence("Name it, for example “4x6 inches”."),
        )
    dots = resolution / (_MILLIMETERS if size[3] == "mm" else 1)
    width, height = (round(float(size[side]) * dots) for side in (1, 2))
    is_turned = (canvas.picture.width - canvas.picture.height) * (width - height) < 0
    return _filling(canvas, *((height, width) if is_turned else (width, height)))


def resized(canvas: Canvas, width: int, height: int) -> Canvas:
    """Return the canvas, resized to exactly the given width and height, in pixels.

    Raises OperationError if photos of that size are not allowed.
    """
    require_size(width, height)
    picture = canvas.picture
    across, down = width / picture.width, height / picture.height
    how = cv2.INTER_AREA if max(across, down) <= 1 else cv2.INTER_LANCZOS4
    pixels = cast(Pixels, cv2.resize(picture.pixels, (width, height), interpolation=how))
    moved = canvas.moved(pixels, np.array([[across, 0, 0], [0, down, 0]], np.float32))
    if max(across, down) > _SHARP_UP_TO:
        return moved.with_notice(Sentence("I enlarged the photo more than twice. This doesn't add detail."))
    return moved


def require_size(width: int, height: int) -> None:
    """Raise OperationError if photos of this width and height, in pixels, are not allowed."""
    if min(width, height) < 1:
        raise OperationError(
            Reason.AMBIGUOUS,
            Sentence("A photo needs a size."),
            Sentence("Give the size in pixels or percent."),
        )
    if width * height > _LIMITS.photo_pixels or max(width, height) > _LIMITS.photo_side:
        raise OperationError(
            Reason.TOO_LARGE,
            Sentence("%(width)s by %(height)s pixels is too large.", width=width, height=height),
            Sentence("Stay below 40 megapixels."),
        )
