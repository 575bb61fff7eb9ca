"""Code that the drawn styles share: working size, paper, strokes, and outlines."""

from collections.abc import Callable
from functools import wraps
from math import ceil
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import OPERATIONS, Canvas
from editor.engine.colors import Floats, ramp
from editor.engine.operations.color.selective import longest_side, mix, within_target
from editor.engine.pixels import top_value
from editor.engine.plan import Amount, Step
from editor.imaging.picture import Pixels, smoothstep

# Minimum longer side, in pixels, of the copy on which a style is drawn. On a smaller copy, strokes would be
# narrower than pixels.
_MIN_PIXELS = 1200
_MAX_PIXELS = 2000  # maximum longer side, in pixels, of the copy on which a style is drawn
_HATCHED_PIXELS = 1200  # longer side, in pixels, of the copy on which strokes are drawn
_STROKE_PIXELS = 27  # length of a stroke, in pixels of that copy
_SLIGHTEST = 0.4  # share of a style that is mixed in at the smallest amount, so that the style stays visible
PAPER = np.array((0.985, 0.978, 0.96), np.float32)

# A function that draws an image (height x width x 3, 0 to 1) in a style and returns it in the same size.
# Its second argument is the longest side of the whole photo, in pixels of the copy that is drawn.
type Drawing = Callable[[Floats, float], Floats]


def style[F: Callable[..., Floats]](draw: F) -> F:
    """Register the decorated function as the operation of the same name.

    The function gets the arguments of a `Drawing`, a seed, and the strength of the variation (usually 1). It
    may also take `canvas`. If the step has an amount, the photo partly shows through the drawing.
    """

    @wraps(draw)
    def carry(canvas: Canvas, step: Step) -> Canvas:
        given, longest = step.values.get("amount"), longest_side(canvas)
        share = (
            _SLIGHTEST + (1 - _SLIGHTEST) * abs(canvas.amount(given)) if isinstance(given, Amount) else 1.0
        )
        how, others = (canvas.seed, canvas.strength), canvas.parameters(step, draw)

        def change(pixels: Pixels) -> Pixels:
            made = apply_style(pixels, longest, lambda colors, side: draw(colors, side, *how, **others))
            return mix(pixels, made, share)

        return within_target(canvas, step, change)

    OPERATIONS[draw.__name__] = carry
    return draw


def apply_style(pixels: Pixels, side: int, draw: Drawing) -> Pixels:
    """Return the pixels drawn in a style.

    Alpha does not change. `side` is the longest side of the whole photo, in pixels.
    """
    top, scale = top_value(pixels), float(np.clip(side, _MIN_PIXELS, _MAX_PIXELS)) / side
    height, width = pixels.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small = cv2.resize(pixels[:, :, :3], size, interpolation=way) * np.float32(1 / top)
    colors = np.clip(draw(small, side * scale), 0, 1) * top + 0.5
    levels = cast(Pixels, colors.astype(pixels.dtype))
    back = cv2.INTER_CUBIC if scale < 1 else cv2.INTER_AREA
    result = pixels.copy()
    result[:, :, :3] = cv2.resize(levels, (width, height), interpolation=back)
    return result


def on_paper(cover: Floats, ink: Floats, ground: Floats = PAPER) -> Floats:
    """Return ink drawn over a background, in proportion to the ink's coverage (height x width).

    The ink has one color, or one color per pixel.
    """
    return cast(Floats, ground + cover[:, :, None] * (ink - ground))


def soft(values: Floats, sigma: float) -> Floats:
    return cv2.GaussianBlur(values, (0, 0), max(0.3, sigma))


def step_between(low: float, high: float, values: Floats) -> Floats:
    """Return 0 for values below `low`, 1 above `high`, and a smooth transition in between."""
    return smoothstep(ramp(values, low, high))


def noise(shape: tuple[int, int], size: float, seed: int) -> Floats:
    """Return smooth random noise with blobs of about `size` pixels.

    The noise has a mean of 0 and a standard deviation of 1. If a photo is drawn at another size, and the size
    of the blobs changes accordingly, the blobs are at the same places.
    """
    size = max(1.0, size)
    cells = [ceil(round(side / size, 3)) for side in shape]
    # The longer side is the last axis, so that a different number of cells on the shorter side, due to
    # rounding, changes no other cell.
    values = np.random.default_rng(seed).standard_normal((min(cells), max(cells)), np.float32)
    values = values if cells[1] >= cells[0] else values.T
    whole = (round(cells[1] * size), round(cells[0] * size))
    large = cv2.resize(values, whole, interpolation=cv2.INTER_CUBIC)[: shape[0], : shape[1]]
    return large * np.float32(1 / max(1e-3, float(large.std())))


def paper(shape: tuple[int, int], side: float, seed: int) -> Floats:
    """Return the grain of rough paper as heights with a mean of 0 and a standard deviation of about 1."""
    rough = noise(shape, side / 900, seed) + 0.6 * noise(shape, side / 350, seed + 1)
    return rough * np.float32(0.85)


def hatching(shape: tuple[int, int], side: float, angle: float, seed: int) -> Floats:
    """Return parallel strokes at an angle in degrees, as values that are evenly distributed from 0 to 1.

    The strokes are drawn on a copy of a fixed size and then scaled, so that a photo has the same strokes at
    any size.
    """
    height, width = shape
    wide = ceil(_HATCHED_PIXELS * 2**0.5)
    rows = np.random.default_rng(seed).standard_normal((wide, wide), np.float32)
    long = cv2.blur(cv2.GaussianBlur(rows, (0, 0), 1, sigmaY=_HATCHED_PIXELS / 2200), (_STROKE_PIXELS, 1))
    matrix = cv2.getRotationMatrix2D((wide / 2, wide / 2), angle, side / _HATCHED_PIXELS)
    matrix[:, 2] -= np.array(((wide - width) / 2, (wide - height) / 2))
    turned = cv2.warpAffine(long, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
    # The logistic curve of 1.7 times a normally distributed value approximates the rank (0 to 1) of that
    # value.
    return 1 / (1 + np.exp(-1.7 / max(1e-6, float(turned.std())) * turned))


def flow_of(light: Floats, sigma: float) -> Floats:
    """Return the direction of brush strokes at each pixel, which follows the edges.

    The result (height x width x 2) contains unit vectors (x, y) derived from the structure tensor.
    """
    across, down = cv2.Sobel(light, cv2.CV_32F, 1, 0), cv2.Sobel(light, cv2.CV_32F, 0, 1)
    tensor = soft(np.dstack([across * across, across * down, down * down]), sigma)
    xx, xy, yy = cv2.split(tensor)
    angle = 0.5 * np.arctan2(2 * xy, xx - yy + np.float32(1e-9)) + np.float32(np.pi / 2)
    return np.dstack([np.cos(angle), np.sin(angle)])


def smooth_along(values: Floats, flow: Floats, length: float) -> Floats:
    """Return the mean of the values along the stroke directions, over `length` pixels each way."""
    rows, columns = np.indices(values.shape[:2], np.float32)
    steps = max(1, round(length / 2))
    total = values.copy()
    for at in range(1, steps + 1):
        reach = np.float32(at * length / steps)
        for way in (reach, -reach):
            x, y = columns + way * flow[:, :, 0], rows + way * flow[:, :, 1]
            total += cv2.remap(values, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return total * np.float32(1 / (2 * steps + 1))


def slope_of(height: Floats) -> Floats:
    """Return how directly each point of a relief faces a light at the upper left."""
    return cv2.filter2D(height, -1, np.array([[-2, -1, 0], [-1, 0, 1], [0, 1, 2]], np.float32))


def outlines(light: Floats, side: float, *, width: float = 1.0) -> Floats:
    """Return the coverage (0 to 1) of fine and broad ink lines along edges; a `width` of 1 is a fine pen.

    The method follows Winnemöller, Kyprianidis and Olsen, "XDoG: an extended difference-of-Gaussians", 2012.
    """
    # The square root makes edges in shadows about as strong as edges in highlights.
    shown = np.sqrt(np.clip(light, 0, 1))
    fine = max(0.7, width * side / 2200)
    flow = flow_of(soft(shown, fine), 3 * fine)
    return np.maximum(_ridges(shown, flow, fine), _ridges(shown, flow, 2.5 * fine))


def _ridges(shown: Floats, flow: Floats, sigma: float) -> Floats:
    edges = soft(shown, 1.6 * sigma) - soft(shown, sigma)
    ridges = np.maximum(smooth_along(edges, flow, 4 * sigma), 0)
    # The threshold adapts to the photo so that the strongest three percent of its pixels fully count as
    # edges.
    strong = max(0.004, float(np.quantile(ridges[::3, ::3], 0.97)))
    return step_between(0.22, 1.0, ridges * np.float32(1 / strong))


def smoothed(colors: Floats, side: float, *, times: int = 2, strength: float = 0.1) -> Floats:
    """Return the colors with their texture smoothed away but their edges kept sharp."""
    height, width = colors.shape[:2]
    shrink = max(1.0, side / 1000)
    small = cv2.resize(
        colors, (max(1, round(width / shrink)), max(1, round(height / shrink))), interpolation=cv2.INTER_AREA
    )
    for _ in range(times):
        small = cv2.bilateralFilter(small, 9, strength, 4)
    large = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    # Sharpen the edges that scaling the copy softened, but do not bring back texture.
    return cv2.bilateralFilter(large, 5, strength, 2)
