"""Painted styles: oil painting, watercolor, and pointillism."""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats, light_of, scale_saturation
from editor.engine.operations.color.styles import sheet
from editor.engine.operations.color.styles.sheet import style
from editor.imaging.picture import Bytes

# Widths of the brushes, from coarse to fine, as shares of the longest side.
_BRUSHES = (1 / 70, 1 / 140, 1 / 280, 1 / 560)
_SHEET = np.array((0.985, 0.98, 0.965), np.float32)
_BRISTLES = 1200  # longest side of the photo divided by the width of a bristle of the brush
_POINTS = 5  # number of points on the curve of a brush stroke


@style
def oil_painting(colors: Floats, side: float, seed: int, breadth: float) -> Floats:
    """Paint layers of strokes, from coarse to fine.

    Each finer layer is painted only where the layers below it differ too much from the photo. Variations use
    broader or finer brushes. The method follows Hertzmann, "Painterly rendering with curved brush strokes of
    multiple sizes", 1998.
    """
    random = np.random.default_rng(seed)
    rich = np.clip(scale_saturation(colors, 1.18), 0, 1)
    flow = sheet.flow_of(light_of(sheet.soft(colors, side / 700)), side / 160)
    painted: Bytes | None = None
    for brush in _BRUSHES:
        thick = brush * breadth * side
        wanted = sheet.soft(rich, thick / 4)
        painted = _layer(painted, wanted, flow, thick, random)
    assert painted is not None
    paint = painted[:, :, :3] * np.float32(1 / 255)
    bristles = sheet.smooth_along(sheet.noise(colors.shape[:2], side / _BRISTLES, seed + 1), flow, side / 130)
    relief = painted[:, :, 3] * np.float32(1 / 255) + 0.5 * bristles
    return _lit(paint, relief)


def _layer(
    painted: Bytes | None, wanted: Floats, flow: Floats, thick: float, random: np.random.Generator
) -> Bytes:
    """Return the painting with one brush's strokes added.

    Each pixel holds red, green, blue, and the thickness of the paint.
    """
    height, width = wanted.shape[:2]
    starts = _starts(height, width, thick, random)
    if painted is None:
        mean = (wanted.reshape(-1, 3).mean(0) * 255).astype(np.uint8)
        painted = cast(Bytes, np.tile(np.array([*mean, 128], np.uint8), (height, width, 1)))
    else:
        missed = cv2.blur(np.abs(wanted * 255 - painted[:, :, :3]).sum(2), (max(1, round(thick)),) * 2)
        at = starts.round().astype(int)
        starts = starts[missed[at[:, 1], at[:, 0]] > _MISSED]
    paths = _paths(starts, flow, 1.15 * thick)
    at = starts.round().astype(int)
    tints = (
        wanted[at[:, 1], at[:, 0]] * 255
        + random.normal(0, 5, (len(at), 1))
        + random.normal(0, 2, (len(at), 3))
    )
    heights = random.integers(60, 200, (len(at), 1))
    values = np.column_stack([np.clip(tints, 0, 255), heights]).round().astype(int).tolist()
    for path, value in zip(paths, values, strict=True):
        cv2.polylines(painted, [path], False, value, max(1, round(thick)))
    return painted


# Difference between the painting and the photo above which an area is painted over again. The difference is
# the sum over red, green, and blue, in 8-bit levels.
_MISSED = 34


def _starts(height: int, width: int, thick: float, random: np.random.Generator) -> Floats:
    """Return the start points (x, y) of strokes on a jittered grid, in random order."""
    gap = max(1.5, 0.8 * thick)
    grid = np.mgrid[gap / 2 : height : gap, gap / 2 : width : gap].reshape(2, -1).T[:, ::-1]
    shaken = grid + random.uniform(-0.5, 0.5, grid.shape) * gap
    random.shuffle(shaken)
    return np.clip(shaken, 0, (width - 1, height - 1))


def _paths(starts: Floats, flow: Floats, reach: float) -> list[Bytes]:
    """Return the curve of each brush stroke.

    From its start, a stroke follows the edges of the photo in both directions.
    """
    height, width = flow.shape[:2]

    def walked(way: float) -> list[Floats]:
        places, heading, steps = starts, None, []
        for _ in range(_POINTS // 2):
            at = np.clip(places, 0, (width - 1, height - 1)).round().astype(int)
            turn = flow[at[:, 1], at[:, 0]] * way
            if heading is not None:
                turn = turn * np.where((turn * heading).sum(1, keepdims=True) < 0, -1, 1)
            heading = turn
            places = places + turn * reach
            steps.append(places)
        return steps

    curve = np.stack([*reversed(walked(-1.0)), starts, *walked(1.0)], 1)
    return list(curve.round().astype(np.int32))


def _lit(paint: Floats, relief: Floats) -> Floats:
    """Return the painting with the relief of its paint lit from the upper left."""
    shine = np.clip(sheet.slope_of(relief) * np.float32(0.035), -0.09, 0.09)[:, :, None]
    return cast(Floats, paint * (1 + shine) + 0.45 * shine)


@style
def watercolor(colors: Floats, side: float, seed: int, depth: float) -> Floats:
    """Paint in thin washes on rough paper, with pigment that collects at wobbly edges.

    The pigment density follows Bousseau and others, "Interactive watercolor rendering", 2006.
    """
    shape = colors.shape[:2]
    washes = _wobbled(sheet.smoothed(colors, side, times=4, strength=0.13), side, seed)
    pale = np.clip(scale_saturation(washes, 1.4), 0.02, 1)
    pale = 1 - (1 - pale ** np.float32(0.62)) * np.float32(0.93)
    layered = light_of(washes)
    edges = np.clip(7 * (sheet.soft(layered, side / 380) - layered) - 0.03, 0, 0.8)
    pools = 0.55 * sheet.noise(shape, side / 12, seed + 2) + 0.3 * sheet.noise(shape, side / 40, seed + 3)
    teeth = sheet.paper(shape, side, seed + 4)
    density = 1 + depth * (0.2 * pools + 0.95 * edges + 0.085 * teeth)
    density = density[:, :, None]
    wet = pale * (1 - (1 - pale) * (density - 1))
    # Leave the brightest areas as bare paper.
    bare = sheet.step_between(0.82, 1.02, layered + 0.035 * teeth + 0.04 * pools)[:, :, None]
    return wet + bare * (_SHEET - wet)


def _wobbled(colors: Floats, side: float, seed: int) -> Floats:
    """Return the colors with small random distortions, because a wet brush does not draw straight lines."""
    rows, columns = np.indices(colors.shape[:2], np.float32)
    far = np.float32(side / 900)
    x = columns + far * sheet.noise(colors.shape[:2], side / 110, seed)
    y = rows + far * sheet.noise(colors.shape[:2], side / 110, seed + 1)
    return cv2.remap(colors, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


@style
def pointillism(colors: Floats, side: float, seed: int, size: float) -> Floats:
    """Paint points of strong color: large points everywhere, and small points for details."""
    random = np.random.default_rng(seed)
    rich = np.clip(scale_saturation(colors, 1.45), 0, 1)
    height, width = colors.shape[:2]
    painted = np.full((height, width, 3), 235, np.uint8)
    for thick in (side / 95 * size, side / 150 * size, side / 260 * size):
        starts = _starts(height, width, thick, random)
        at = starts.round().astype(int)
        wanted = sheet.soft(rich, thick / 3)
        if thick < side / 200:
            missed = np.abs(wanted * 255 - painted).sum(2)
            at = at[cv2.blur(missed, (5, 5))[at[:, 1], at[:, 0]] > 70]
        tints = wanted[at[:, 1], at[:, 0]] * 255 + random.normal(0, 17, (len(at), 3))
        values = np.clip(tints, 0, 255).round().astype(int).tolist()
        for (x, y), value in zip(at.tolist(), values, strict=True):
            cv2.circle(painted, (x, y), max(1, round(0.52 * thick)), value, -1, cv2.LINE_AA)
    return painted * np.float32(1 / 255)
