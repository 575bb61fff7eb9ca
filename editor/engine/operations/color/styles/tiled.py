"""Put together: pixel art, mosaics of stones, stained glass."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.operations.color.styles.printed import in_few_colors
from editor.engine.operations.color.styles.sheet import (
    light_of,
    noise,
    restyled,
    smoothed,
    soft,
    step_between,
)
from editor.engine.plan import Step
from editor.imaging.codecs import Bytes

_ACROSS = 120  # blocks of pixel art along the longest side
_GROUT = np.array((0.80, 0.78, 0.73), np.float32)
_LEAD = np.array((0.045, 0.045, 0.05), np.float32)
_LEAST_SIDE = 12


@operation
def pixel_art(canvas: Canvas, step: Step) -> Canvas:
    """Large square pixels in few colors, as in old games."""
    across = _ACROSS / canvas.strength
    return restyled(canvas, step, lambda colors, side: in_large_pixels(colors, side / across))


@operation
def mosaic(canvas: Canvas, step: Step) -> Canvas:
    """Small stones of one color each, laid along the edges, with grout between them."""
    seed, size = canvas.seed, canvas.strength
    return restyled(canvas, step, lambda colors, side: in_stones(colors, side, seed, size))


@operation
def stained_glass(canvas: Canvas, step: Step) -> Canvas:
    """Panes of glowing color between strips of lead."""
    seed, size = canvas.seed, canvas.strength
    return restyled(canvas, step, lambda colors, side: in_glass(colors, side, seed, size))


def in_large_pixels(colors: Floats, block: float) -> Floats:
    """Squares of `block` pixels, drawn from 24 colors."""
    height, width = colors.shape[:2]
    size = (max(1, round(width / block)), max(1, round(height / block)))
    small = cv2.resize(colors, size, interpolation=cv2.INTER_AREA)
    crisp = np.clip(small + 0.6 * (small - cv2.GaussianBlur(small, (0, 0), 1)), 0, 1)
    few = in_few_colors(cast(Floats, crisp), 24, vivid=1.25)
    return cast(Floats, cv2.resize(few, (width, height), interpolation=cv2.INTER_NEAREST))


def _pieces(
    colors: Floats, across: float, *, ruler: float, swell: Floats | float = 0.0
) -> tuple[np.ndarray, Floats, Floats]:
    """The photo in pieces of about `across` pixels that follow its edges, and those of a `swell` (height x
    width x 1) where it is plain: the number of the piece at each pixel, how far it is from the border of its
    piece in pixels, and the mean color of each piece."""
    height, width = colors.shape[:2]
    lab = cv2.cvtColor((np.clip(colors + swell, 0, 1) * 255).astype(np.uint8), cv2.COLOR_RGB2Lab)
    # OpenCV's superpixels end the process on a side that is shorter than one of them, or than 12 pixels.
    beyond = (max(0, _LEAST_SIDE - height), max(0, _LEAST_SIDE - width))
    lab = cast(Bytes, cv2.copyMakeBorder(lab, 0, beyond[0], 0, beyond[1], cv2.BORDER_REPLICATE))
    cell = min(max(4, round(across)), *lab.shape[:2])
    slic = cv2.ximgproc.createSuperpixelSLIC(lab, cv2.ximgproc.SLIC, cell, ruler)
    slic.iterate(6)
    slic.enforceLabelConnectivity(30)
    labels = np.asarray(slic.getLabels()).astype(np.intp)[:height, :width]
    border = np.asarray(slic.getLabelContourMask(thick_line=True))[:height, :width]
    inside = cv2.distanceTransform((border == 0).astype(np.uint8), cv2.DIST_L2, 5)
    count = int(labels.max()) + 1
    sizes = np.maximum(np.bincount(labels.ravel(), minlength=count), 1)
    means = np.stack(
        [np.bincount(labels.ravel(), colors[:, :, i].ravel(), count) / sizes for i in range(3)], 1
    )
    return labels, cast(Floats, inside), cast(Floats, means.astype(np.float32))


def in_stones(colors: Floats, side: float, seed: int, size: float = 1.0) -> Floats:
    across = side / 85 * size
    rich = smoothed(colors, side, times=1)
    labels, inside, means = _pieces(rich, across, ruler=28)
    random = np.random.default_rng(seed)
    light = light_of(means[None])[0][:, None]
    stones = np.clip(light + 1.25 * (means - light), 0, 1) * random.normal(1, 0.07, (len(means), 1))
    grout = _GROUT * (1 + 0.05 * noise(colors.shape[:2], side / 900, seed)[:, :, None])
    height = step_between(0.0, 0.22, cast(Floats, soft(inside, 1) / np.float32(across)))
    slope = cv2.filter2D(height, -1, np.array([[-2, -1, 0], [-1, 0, 1], [0, 1, 2]], np.float32))
    lit = stones.astype(np.float32)[labels] + 0.09 * np.clip(slope, -1.2, 1.2)[:, :, None]
    cover = step_between(0.03, 0.09, cast(Floats, soft(inside, 0.8) / np.float32(across)))
    return cast(Floats, grout + cover[:, :, None] * (lit - grout))


def in_glass(colors: Floats, side: float, seed: int, size: float = 1.0) -> Floats:
    across = side / 28 * size
    swell = 0.06 * noise(colors.shape[:2], side / 14, seed)[:, :, None]
    calm = smoothed(colors, side, times=4, strength=0.14)
    labels, inside, means = _pieces(calm, across, ruler=14, swell=cast(Floats, swell))
    light = light_of(means[None])[0][:, None]
    panes = np.clip(light + 1.7 * (means - light), 0, 1) ** 0.9
    random = np.random.default_rng(seed)
    panes = np.clip(panes * random.normal(1.02, 0.06, (len(panes), 1)), 0, 1).astype(np.float32)[labels]
    wavy = 1 + 0.045 * noise(colors.shape[:2], side / 160, seed)[:, :, None]
    glow = 0.86 + 0.28 * step_between(0, 0.35, cast(Floats, inside / np.float32(across)))[:, :, None]
    lead = 1 - step_between(side / 520, side / 520 + 1.6, soft(inside, 1.2))
    shine = cast(Floats, panes * wavy * glow)
    return shine + lead[:, :, None] * (_LEAD - shine)
