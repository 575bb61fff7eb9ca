"""Fog and smoke, which absorb a share of the light from everything behind them."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, color_of, ramp
from editor.engine.drawing.cloud_noise import cloud_noise
from editor.engine.masks import map_strips_with
from editor.engine.operations.add.places import within_target
from editor.engine.pixels import copy_size, working_copy
from editor.engine.plan import Step
from editor.imaging.picture import Pixels, smoothstep

_DRAWN_PIXELS = 700  # longer side, in pixels, of the working copy on which fog and smoke are drawn
_GRAY = (0.83, 0.85, 0.88)  # color of fog under a bright sky (RGB, 0 to 1)
_SMOKE = (0.8, 0.8, 0.81)


@operation
def fog(canvas: Canvas, step: Step, *, color: str | None, amount: float) -> Canvas:
    """Add drifts of fog or mist that are thicker near the ground; the amount sets the density."""
    amount = abs(amount)
    width, height = _small(canvas)
    drifts = cloud_noise(width, height, np.random.default_rng(canvas.seed), scale=0.5, wide=2.4)
    down = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    lying = 0.55 + 0.45 * smoothstep(ramp(down, 0.1, 0.6))
    veil = lying * (0.45 + 1.1 * drifts) * (0.3 + 0.95 * amount)
    thick = np.clip(veil, 0, 0.96).astype(np.float32)
    return within_target(canvas, step, _veiled(canvas, thick, _air(canvas, color, _GRAY)))


@operation
def smoke(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Add smoke that rises from the requested place or from the bottom; the amount sets the density."""
    amount = abs(amount)
    width, height = _small(canvas)
    random = np.random.default_rng(canvas.seed)
    swathes = _swirled(cloud_noise(width, height, random, scale=0.45), random)
    thick = smoothstep(np.clip((swathes - 0.5) / 0.36 + 0.4 + 0.5 * amount, 0, 1)) * _rising(
        width, height, place
    )
    thick = np.clip(thick * (0.55 + 0.5 * amount), 0, 0.92).astype(np.float32)
    return within_target(canvas, step, _veiled(canvas, thick, _air(canvas, color, _SMOKE)))


def _small(canvas: Canvas) -> tuple[int, int]:
    return copy_size(_DRAWN_PIXELS, canvas.picture.width, canvas.picture.height, least=8)


def _swirled(values: Floats, random: np.random.Generator) -> Floats:
    """Return an image of smoke that noise distorts twice, as eddies distort real smoke."""
    height, width = values.shape
    rows, columns = np.indices((height, width), np.float32)
    reach = 0.22 * max(width, height)
    for _ in range(2):
        away, along = (cloud_noise(width, height, random, scale=0.35) - np.float32(0.5) for _ in range(2))
        values = cv2.remap(
                values, columns + reach * away, rows + reach * along, cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REFLECT,
            )  # fmt: skip
        reach *= 0.6
    return values


def _rising(width: int, height: int, place: str | None) -> Floats:
    """Return the density of the smoke, from 0 to 1.

    The higher the smoke is above its source, the wider and thinner it is.
    """
    across = np.linspace(0, 1, width, dtype=np.float32)[None]
    up = np.linspace(1, 0, height, dtype=np.float32)[:, None]
    if place is None or place in ("bottom", "center", "all"):
        return cast(Floats, np.clip(1.15 - 0.75 * up, 0, 1) + 0 * across)
    source = 0.12 if "left" in place else 0.88 if "right" in place else 0.5
    breadth = 0.16 + 0.3 * up
    return cast(Floats, np.exp(-(((across - source) / breadth) ** 2)) * np.clip(1.1 - 0.6 * up, 0, 1))


def _air(canvas: Canvas, color: str | None, usual: tuple[float, float, float]) -> Floats:
    """Return the requested color (RGB, 0 to 1), or `usual` if no color is requested.

    In a dark photo, the color is dimmed.
    """
    if color:
        return np.array(color_of(color), np.float32) / np.float32(255)
    small = working_copy(canvas.picture, 200).reshape(-1, 3).astype(np.float32) / np.float32(255)
    brightest = float(np.percentile(small.mean(1), 92))
    return np.array(usual, np.float32) * np.float32(np.clip(0.35 + 0.75 * brightest, 0.4, 1.0))


def _veiled(canvas: Canvas, thick: Floats, air: Floats) -> Pixels:
    pixels = canvas.picture.pixels
    return map_strips_with(pixels, lambda colors, share: colors + share[:, :, None] * (air - colors), thick)
