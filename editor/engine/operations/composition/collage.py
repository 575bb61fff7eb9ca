"""Make a collage: arrange all photos in a single image, in rows or columns with equally wide gutters."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast

import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Color, color_of
from editor.engine.drawing.crop_windows import cropped, window
from editor.engine.errors import OperationError
from editor.engine.operations.composition.resize import require_size, resized
from editor.engine.pixels import Box, top_value
from editor.engine.plan import Amount, Reason, Step
from editor.imaging.picture import Picture, Pixels, eight_bits
from editor.sentences import Sentence

_GUTTER = 0.012  # default width of the gutters in a collage, as a share of the collage's longest side
_MAX_SIDE_PIXELS = 6000  # maximum length of the collage's longest side, in pixels
_NARROWEST = 0.62  # minimum aspect ratio (width / height) of a photo's place; a narrower photo is cropped
_WIDEST = 1.7  # maximum aspect ratio (width / height) of a photo's place; a wider photo is cropped
# Maximum aspect ratio (width / height) of a collage. In a wider one, the photos would be too small to see.
_FLATTEST = 16 / 9
# Minimum aspect ratio (width / height) of a collage. In a narrower one, the photos would be too small to see.
_TALLEST = 3 / 4
# Possible numbers of photos in each row or column of a collage, by the number of photos.
_SPLITS = {
    2: ((2,),),
    3: ((1, 2), (2, 1), (3,)),
    4: ((2, 2), (1, 3), (3, 1), (4,)),
    5: ((2, 3), (3, 2), (1, 4), (1, 2, 2), (5,)),
}
# Maximum factor by which the aspect ratios of a photo and of its place may differ if the middle of the photo
# is kept.
_ALIKE = 1.05
# Rank of the collage layout that each shift of a variation selects; rank 0 is the best layout.
_RANKS = {0.0: 0, -1.0: 1, 1.0: 2, -0.5: 3}


@dataclass(frozen=True)
class _Layout:
    """A layout of photos in rows, or in columns if `upright` is true.

    For each row or column, `lines` contains the length of each photo along the line, divided by the photo's
    depth. `ratio` is the width of the collage divided by its height. The better the layout, the lower its
    `loss`.
    """

    lines: list[list[float]]
    upright: bool
    ratio: float
    loss: float


@operation
def collage(canvas: Canvas, step: Step, *, layout: str | None, color: str, amount: Amount | None) -> Canvas:
    """Put all photos into one collage, starting with photo 1.

    The step's color and amount are the color and the width of the gutters. Raises OperationError if there are
    fewer than two photos, or if the gutters or the result would be too large.
    """
    pictures = [canvas.picture, *canvas.photos[1:]]
    if len(pictures) < 2:
        raise OperationError(
            Reason.NEEDS_REFERENCE,
            Sentence("A collage needs at least two photos."),
            Sentence("Attach more photos."),
        )
    # Each photo's place in the collage has the aspect ratio of the photo, unless the photo is very long.
    ratios = [min(max(one.width / one.height, _NARROWEST), _WIDEST) for one in pictures]
    layouts = sorted(_layouts(ratios, layout, canvas.ratio), key=lambda one: one.loss)
    chosen = layouts[min(_RANKS.get(canvas.shift, 0), len(layouts) - 1)]
    size, gutter = _measured(amount, chosen, pictures)
    return _laid_out(canvas, pictures, _places(chosen, size, gutter), size, color_of(color))


def _layouts(ratios: list[float], choice: str | None, ratio: float | None) -> Iterator[_Layout]:
    for split in _SPLITS[len(ratios)]:
        for upright in (False, True):
            line = "column" if upright else "row"
            kinds = {line if len(split) == 1 else "grid"} | ({"grid"} if len(ratios) == 2 else set())
            if choice not in ("row", "column", "grid") or choice in kinds:
                lengths = [1 / ratio for ratio in ratios] if upright else ratios
                lines = [lengths[start:end] for start, end in pairwise(np.cumsum((0, *split)))]
                yield _judged(lines, upright, ratio)


def _judged(lines: list[list[float]], upright: bool, wanted: float | None) -> _Layout:
    """Return a collage layout along with its loss.

    The loss is higher if the layout must be changed more to get the requested aspect ratio, if the collage is
    a long strip, or if the places of the photos differ in size.
    """
    depth = sum(1 / sum(line) for line in lines)
    natural = depth if upright else 1 / depth
    shape = wanted or min(max(natural, _TALLEST), _FLATTEST)
    areas = [part * (1 / sum(line)) ** 2 for line in lines for part in line]
    unlike = float(np.log(max(areas) / min(areas)))
    bent = abs(float(np.log(shape / natural)))
    return _Layout(lines, upright, shape if wanted else natural, 2 * bent + 0.5 * unlike)


def _measured(amount: Amount | None, layout: _Layout, pictures: list[Picture]) -> tuple[tuple[int, int], int]:
    """Return the width and height of the collage and the width of its gutters, in pixels.

    The size is chosen so that half of the photos are not enlarged. Raises OperationError if the gutters would
    cover the photos.
    """
    shares = [length / sum(line) for line in layout.lines for length in line]
    sides = [picture.height if layout.upright else picture.width for picture in pictures]
    along = float(np.median([side / share for side, share in zip(sides, shares, strict=True)]))
    width = along * layout.ratio if layout.upright else along
    height = width / layout.ratio
    smaller = min(1.0, _MAX_SIDE_PIXELS / max(width, height))
    size = max(1, round(width * smaller)), max(1, round(height * smaller))
    number, unit = (amount or Amount(0.0)).measured(lambda: 100 * _GUTTER)
    gutter = round(number / 100 * max(size) if unit == "percent" else number)
    if not 0 <= gutter * 2 * len(pictures) < min(size):
        raise OperationError(
            Reason.TOO_LARGE,
            Sentence("Gaps this wide would cover the photos."),
            Sentence("Choose narrower ones."),
        )
    return size, gutter


def _places(layout: _Layout, size: tuple[int, int], gutter: int) -> list[Box]:
    """Return the box of each photo, in pixels.

    The gutters between and around the photos are all equally wide.
    """
    along, depth = size[::-1] if layout.upright else size
    depths = _parts(depth, [1 / sum(line) for line in layout.lines], gutter)
    return [
        Box(top, left, bottom, right) if layout.upright else Box(left, top, right, bottom)
        for (top, bottom), line in zip(depths, layout.lines, strict=True)
        for left, right in _parts(along, line, gutter)
    ]


def _parts(length: int, weights: list[float], gutter: int) -> list[tuple[int, int]]:
    """Divide a length into parts by weight, with gutters before, between, and after the parts.

    Return the start and end of each part, in pixels.
    """
    room = length - gutter * (len(weights) + 1)
    ends = np.rint(np.cumsum([0.0, *weights]) / sum(weights) * room).astype(int)
    return [
        (int(start) + gutter * number, int(end) + gutter * number)
        for number, (start, end) in enumerate(pairwise(ends), 1)
    ]


def _laid_out(
    canvas: Canvas, pictures: list[Picture], places: list[Box], size: tuple[int, int], color: Color
) -> Canvas:
    require_size(*size)
    is_deep, has_alpha = canvas.picture.is_deep, any(picture.has_alpha for picture in pictures)
    ground = np.empty((size[1], size[0], 4 if has_alpha else 3), np.uint16 if is_deep else np.uint8)
    ground[:] = [channel * (top_value(ground) // 255) for channel in (*color, 255)][: ground.shape[2]]
    parts = [
        _filling(canvas.showing(picture), place) for picture, place in zip(pictures, places, strict=True)
    ]
    for part, place in zip(parts, places, strict=True):
        ground[place.slices] = _alike(part.picture, is_deep, has_alpha)
    first = places[0]
    result = parts[0].moved(ground, np.array([[1, 0, first.left], [0, 1, first.top]], np.float32))
    notices = dict.fromkeys(notice for part in parts for notice in part.picture.notices)
    result = result.with_view_scale(min(part.picture.view_scale for part in parts))
    return replace(result, picture=replace(result.picture, notices=tuple(notices)))


def _filling(canvas: Canvas, place: Box) -> Canvas:
    """Return a photo, cropped and resized to its place in the collage.

    The crop keeps the middle of the photo or, if much must be cut off, the most important part.
    """
    ratio, own = place.width / place.height, canvas.picture.width / canvas.picture.height
    seen = window(canvas, ratio, None, "center" if max(own / ratio, ratio / own) < _ALIKE else None)
    return resized(cropped(canvas, seen), place.width, place.height)


def _alike(picture: Picture, is_deep: bool, has_alpha: bool) -> Pixels:
    """Return the pixels with 16 bits per color if `is_deep` is true, and with 8 bits otherwise.

    The result has an alpha channel if `has_alpha` is true.
    """
    pixels = picture.pixels if picture.is_deep == is_deep else eight_bits(picture)
    if is_deep and not picture.is_deep:
        pixels = cast(Pixels, pixels.astype(np.uint16) * np.uint16(257))
    if has_alpha and not picture.has_alpha:
        opaque = np.full((*pixels.shape[:2], 1), top_value(pixels), pixels.dtype)
        pixels = cast(Pixels, np.concatenate([pixels, opaque], 2))
    return pixels
