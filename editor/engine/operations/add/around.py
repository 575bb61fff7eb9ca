"""Room around the photo, for borders and frames: photo and frame together have the shape asked for."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from editor.engine.canvas import Canvas
from editor.engine.colors import Color, Floats
from editor.engine.drawing.room import Sides, amid
from editor.engine.drawing.windows import crop_to_ratio
from editor.engine.pixels import Box, top_value
from editor.engine.plan import Reason, Step
from editor.engine.refused import Unable
from editor.imaging.codecs import Picture, Pixels


def surrounded(canvas: Canvas, sides: Sides, color: Color) -> Canvas:
    """The photo, whole, amid that color; only where a shape was asked for is so much cropped that photo and
    room together have it. Texts stand inside the narrowest side."""
    return widened(shaped_for(canvas, sides), sides, color)


def shaped_for(canvas: Canvas, sides: Sides) -> Canvas:
    """So cropped that with room at its sides it will have the shape that was asked for, if any."""
    if not canvas.ratio:
        return canvas
    return crop_to_ratio(canvas, _inner_ratio(canvas.picture, canvas.ratio, sides))


def widened(canvas: Canvas, sides: Sides, color: Color, *, opaque: bool = True) -> Canvas:
    """As `amid`, where nothing else is drawn."""
    return replace(amid(canvas, sides, color, opaque=opaque), frame=canvas.frame + min(sides))


def _inner_ratio(picture: Picture, ratio: float, sides: Sides) -> float:
    """The shape of the photo inside room that has the ratio outside, as large as the picture allows."""
    width = ratio * (picture.height + sides.down) - sides.across
    if 0 < width <= picture.width:
        return width / picture.height
    height = (picture.width + sides.across) / ratio - sides.down
    return picture.width / max(1.0, height)


def inside(canvas: Canvas, sides: Sides) -> Box:
    """Where the photo lies inside the room that was added last."""
    width, height = canvas.picture.width, canvas.picture.height
    return Box(sides.left, sides.top, width - sides.right, height - sides.bottom)


def thickness(canvas: Canvas, step: Step, usual: float) -> int:
    """Of a border, in pixels: exact, or `usual` (of the shorter side, at full amount) by the amount.

    Unable where two of them would cover the photo.
    """
    shorter = min(canvas.picture.width, canvas.picture.height)
    wanted = step.how_much
    if wanted.number is None:
        pixels = max(1, round(usual * abs(canvas.amount(wanted)) * shorter))
    else:
        pixels = round(wanted.number / 100 * shorter if wanted.unit == "percent" else wanted.number)
    if not 0 < pixels * 2 < shorter:
        raise Unable(Reason.TOO_LARGE, "This border would cover the photo.", "Choose a thinner one.")
    return pixels


class Edge(NamedTuple):
    """A strip along one side: where it is, how far each of its pixels is from the outside (from 0, in
    pixels), and whether that side is the nearest."""

    part: tuple[slice, slice]
    depth: Floats
    is_nearest: NDArray[np.bool_]


def edges(height: int, width: int, depth: int) -> Iterator[tuple[str, Edge]]:
    """The four strips, `depth` wide, along the outside of height x width; corners belong to two."""
    depth = min(depth, height, width)
    down, across = np.arange(height, dtype=np.float32), np.arange(width, dtype=np.float32)
    beside, below = np.minimum(across, across[::-1]), np.minimum(down, down[::-1])
    for name, part in (
        ("top", (slice(0, depth), slice(None))),
        ("bottom", (slice(height - depth, height), slice(None))),
        ("left", (slice(None), slice(0, depth))),
        ("right", (slice(None), slice(width - depth, width))),
    ):
        own = {"top": down, "bottom": down[::-1], "left": across, "right": across[::-1]}[name]
        rows, columns = part
        from_own = own[rows, None] if name in ("top", "bottom") else own[None, columns]
        nearest = np.minimum(below[rows, None], beside[None, columns])
        # On the diagonal both are as near: it belongs to top and bottom alone.
        limit = nearest if name in ("top", "bottom") else np.minimum(nearest, below[rows, None] - 1)
        yield name, Edge(part, nearest, from_own <= limit)


def shaded_edges(pixels: Pixels, depth: int, light: Callable[[str, Floats], Floats]) -> None:
    """Multiplies, in place, the light of the outermost `depth` pixels by `light(side, depth)`."""
    top = top_value(pixels)
    before = pixels[:, :, :3]
    for side, edge in edges(pixels.shape[0], pixels.shape[1], depth):
        part = before[edge.part]
        factor = light(side, edge.depth)[:, :, None]
        lit = np.clip(part * factor + np.float32(0.5), 0, top).astype(pixels.dtype)
        part[edge.is_nearest] = lit[edge.is_nearest]
