"""Frames: a polaroid, a film strip, rounded corners, two lines, or a molding with a mat."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Color, Floats, color_of, contrasting
from editor.engine.drawing.margins import Sides
from editor.engine.drawing.paint import paint_over
from editor.engine.operations.add.frame_margins import (
    add_border,
    add_frame_margins,
    crop_for_margins,
    inner_box,
    shaded_edges,
    thickness,
)
from editor.engine.pixels import Box
from editor.engine.plan import Step
from editor.imaging.picture import Pixels

_PAPER: Color = (250, 248, 242)
_FILM: Color = (26, 22, 20)
_HOLE: Color = (246, 242, 232)
_WOOD: Color = (58, 42, 32)


@operation
def frame(canvas: Canvas, step: Step, *, style: str) -> Canvas:
    """Put the photo into a frame of the given style; the requested color is the frame's main color."""
    return _FRAMES[style](canvas, step)


def _polaroid(canvas: Canvas, step: Step) -> Canvas:
    """Frame the photo in white paper with a wide lower border for a caption.

    The photo appears slightly recessed.
    """
    side = thickness(canvas, step, 0.16)
    foot = round(3.6 * side)
    sides = Sides(side, side, side, foot)
    framed = add_border(canvas, sides, color_of(step.color) if step.color else _PAPER)
    photo = inner_box(framed, sides)
    pixels = framed.picture.pixels
    shaded_edges(pixels[photo.slices], max(1, side // 9), _sunk(max(1, side // 9)))
    shaded_edges(pixels, max(1, side // 40), lambda name, depth: np.full_like(depth, 0.9))
    caption = Box(photo.left, photo.bottom + foot // 8, photo.right, pixels.shape[0] - foot // 8)
    return replace(framed, caption=caption)


def _sunk(depth: int) -> Callable[[str, Floats], Floats]:
    """Return the factors that darken a recessed surface in the shadow of its rim.

    The shadow is darkest at the top.
    """
    darkness = {"top": 0.45, "left": 0.32, "right": 0.22, "bottom": 0.12}

    def light(side: str, distance: Floats) -> Floats:
        near = np.clip(1 - distance / depth, 0, 1)
        return 1 - np.float32(darkness[side]) * near * near

    return light


def _film(canvas: Canvas, step: Step) -> Canvas:
    """Frame the photo as a piece of film with perforated bands along its longer sides.

    The amount sets the width of the bands. The proportions are those of 35 mm film (ISO 1007), which has a
    5.5 mm band on each side of the picture. The holes in a band measure 2.8 x 1.98 mm, are spaced 4.75 mm
    apart, and are 2 mm from the edge.
    """
    band = thickness(canvas, step, 0.34)
    narrow = max(1, round(band * 0.3))
    lies = canvas.picture.width >= canvas.picture.height
    sides = Sides(narrow, band, narrow, band) if lies else Sides(band, narrow, band, narrow)
    framed = add_border(canvas, sides, color_of(step.color) if step.color else _FILM)
    pixels = framed.picture.pixels
    _round_corners(pixels, inner_box(framed, sides), band // 6, pixels[0, 0].copy())
    strip = pixels if lies else pixels.transpose(1, 0, 2)
    _punch(strip, band)
    return framed


def _punch(strip: Pixels, band: int) -> None:
    """Draw evenly spaced holes, in place, in the upper and lower bands of a horizontal film strip.

    No hole is cut off.
    """
    width, height = max(1, round(band * 0.509)), max(1, round(band * 0.36))
    count = max(1, round(strip.shape[1] / (band * 0.864)))
    pitch = strip.shape[1] / count
    hole = _round_box(width, height, max(1, round(height * 0.26)))
    for number in range(count):
        left = round((number + 0.5) * pitch - width / 2)
        for top in (round(band * 0.34), strip.shape[0] - round(band * 0.34) - height):
            paint_over(strip, hole, _HOLE, (left, top))


def _rounded(canvas: Canvas, step: Step) -> Canvas:
    """Add a solid-color border and round the photo's corners."""
    sides = Sides.all(thickness(canvas, step, 0.12))
    framed = add_border(canvas, sides, color_of(step.color or "white"))
    photo = inner_box(framed, sides)
    radius = round(0.09 * min(photo.width, photo.height))
    _round_corners(framed.picture.pixels, photo, radius, framed.picture.pixels[0, 0].copy())
    return framed


def _round_corners(pixels: Pixels, box: Box, radius: int, color: Pixels) -> None:
    """Cover the corners of a box with a color, in place, so that the box looks rounded."""
    radius = min(radius, box.width // 2, box.height // 2)
    free = 1 - _round_box(2 * radius, 2 * radius, radius)[:radius, :radius, None]
    for turns in range(4):
        corner = np.rot90(pixels[box.slices], turns)[:radius, :radius]
        corner[:] = corner + free * (color.astype(np.float32) - corner) + np.float32(0.5)


def _round_box(width: int, height: int, radius: int) -> Floats:
    """Return the coverage, from 0 to 1, of a rounded rectangle of the given size."""
    down, across = (np.arange(height) + 0.5)[:, None], (np.arange(width) + 0.5)[None]
    beyond_x = np.maximum(np.abs(across - width / 2) - (width / 2 - radius), 0)
    beyond_y = np.maximum(np.abs(down - height / 2) - (height / 2 - radius), 0)
    return np.clip(radius - np.hypot(beyond_x, beyond_y) + 0.5, 0, 1).astype(np.float32)


def _double(canvas: Canvas, step: Step) -> Canvas:
    """Frame the photo with a thin inner line and a thick outer line in one color, with a gap between them."""
    color = color_of(step.color or "black")
    full = thickness(canvas, step, 0.17)
    thin = max(1, round(full * 0.1))
    gap = max(1, round(full * 0.35))
    broad = max(1, full - thin - gap)
    canvas = crop_for_margins(canvas, Sides.all(thin + gap + broad))
    for width, paint in ((thin, color), (gap, contrasting(color)), (broad, color)):
        canvas = add_frame_margins(canvas, Sides.all(width), paint)
    return canvas


def _classic(canvas: Canvas, step: Step) -> Canvas:
    """Put a white mat and a wooden molding around the photo, which appears recessed."""
    full = thickness(canvas, step, 0.36)
    wood = max(1, round(full * 0.42))
    mat = max(1, full - wood)
    framed = add_frame_margins(crop_for_margins(canvas, Sides.all(mat + wood)), Sides.all(mat), _PAPER)
    sunk, thrown = max(1, full // 30), max(1, full // 9)
    shaded_edges(framed.picture.pixels[inner_box(framed, Sides.all(mat)).slices], sunk, _sunk(sunk))
    shaded_edges(framed.picture.pixels, thrown, _sunk(thrown))
    framed = add_frame_margins(framed, Sides.all(wood), color_of(step.color) if step.color else _WOOD)
    shaded_edges(framed.picture.pixels, wood, _molding(wood))
    return framed


def _molding(width: int) -> Callable[[str, Floats], Floats]:
    """Return the brightness factors of a rounded wooden profile that is lit from the upper left."""
    tilt = {"top": 0.25, "left": 0.14, "right": -0.12, "bottom": -0.2}

    def light(side: str, distance: Floats) -> Floats:
        across = (distance + 0.5) / width
        swell = np.cos((across - 0.42) * 3.4) * 0.45 + 0.72
        slope = np.sin((0.5 - across) * 3.0) * np.float32(tilt[side])
        groove = 1 - 0.4 * np.exp(-(((across - 0.8) / 0.035) ** 2))
        return ((swell + slope) * (1 + tilt[side] * 0.5) * groove).astype(np.float32)

    return light


_FRAMES: dict[str, Callable[[Canvas, Step], Canvas]] = {
    "classic": _classic,
    "polaroid": _polaroid,
    "film": _film,
    "rounded": _rounded,
    "double": _double,
}
