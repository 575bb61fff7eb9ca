"""Add margins so that photo and frame together have the requested aspect ratio."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Color, Floats
from editor.engine.drawing.crop_windows import crop_to_ratio
from editor.engine.drawing.margins import Sides, add_margins
from editor.engine.errors import OperationError
from editor.engine.pixels import Box, top_value
from editor.engine.plan import Reason, Step
from editor.imaging.picture import Picture, Pixels
from editor.sentences import Sentence


def add_border(canvas: Canvas, sides: Sides, color: Color) -> Canvas:
    """Return the photo with margins of the given color.

    If an aspect ratio was requested, the photo is first cropped so that it has that ratio together with its
    margins. Text that is added later stays at least as far from the edges as the narrowest margin is wide.
    """
    return add_frame_margins(crop_for_margins(canvas, sides), sides, color)


def crop_for_margins(canvas: Canvas, sides: Sides) -> Canvas:
    """Return the photo, cropped so that it will have the requested ratio (if any) with these margins."""
    if not canvas.ratio:
        return canvas
    return crop_to_ratio(canvas, _inner_ratio(canvas.picture, canvas.ratio, sides))


def add_frame_margins(canvas: Canvas, sides: Sides, color: Color, *, opaque: bool = True) -> Canvas:
    """Return the photo with margins of the given color, and mark the margins as a frame.

    If `opaque` is false and the photo has alpha, the margins are transparent.
    """
    return replace(add_margins(canvas, sides, color, opaque=opaque), frame=canvas.frame + min(sides))


def _inner_ratio(picture: Picture, ratio: float, sides: Sides) -> float:
    """Return the aspect ratio of the largest crop that has the ratio `ratio` together with its margins."""
    width = ratio * (picture.height + sides.down) - sides.across
    if 0 < width <= picture.width:
        return width / picture.height
    height = (picture.width + sides.across) / ratio - sides.down
    return picture.width / max(1.0, height)


def inner_box(canvas: Canvas, sides: Sides) -> Box:
    """Return the box of the photo inside the margins that were added most recently."""
    width, height = canvas.picture.width, canvas.picture.height
    return Box(sides.left, sides.top, width - sides.right, height - sides.bottom)


def thickness(canvas: Canvas, step: Step, usual: float) -> int:
    """Return the thickness of a border in pixels.

    The thickness is the exact number in the step or, if there is no number, `usual` (a share of the shorter
    side) times the amount. Raises OperationError if the border would cover the photo.
    """
    shorter = min(canvas.picture.width, canvas.picture.height)
    wanted = step.amount_or_default
    if wanted.number is None:
        pixels = max(1, round(usual * abs(canvas.amount(wanted)) * shorter))
    else:
        pixels = round(wanted.number / 100 * shorter if wanted.unit == "percent" else wanted.number)
    if not 0 < pixels * 2 < shorter:
        raise OperationError(
            Reason.TOO_LARGE,
            Sentence("This border would cover the photo."),
            Sentence("Choose a thinner one."),
        )
    return pixels


def shaded_edges(pixels: Pixels, depth: int, light: Callable[[str, Floats], Floats]) -> None:
    """Multiply the outermost `depth` pixels on each side, in place, by factors from `light`.

    `light` takes the name of the nearest side and each pixel's distance from that side, in pixels, and
    returns the factors.
    """
    depth, top = min(depth, (min(pixels.shape[:2]) + 1) // 2), top_value(pixels)
    rows = np.arange(depth, dtype=np.float32)[:, None]
    for turns, side in enumerate(("top", "right", "bottom", "left")):
        strip = np.rot90(pixels, turns)[:depth, :, :3]
        columns = np.arange(strip.shape[1])[None]
        # Pixels on a diagonal are equally near two sides, so assign them only to the top or the bottom.
        near = np.minimum(columns, columns[:, ::-1]) - turns % 2 >= rows
        lit = np.clip(strip * light(side, rows)[:, :, None] + np.float32(0.5), 0, top)
        np.copyto(strip, lit.astype(pixels.dtype), where=near[:, :, None])
