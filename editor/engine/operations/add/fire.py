"""Draw fire with flames that rise from below."""

from math import ceil, log2
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, Stops, color_of, interpolate_gradient
from editor.engine.drawing.cloud_noise import cloud_noise
from editor.engine.drawing.gaussian import blurred
from editor.engine.masks import map_strips_with
from editor.engine.operations.add.places import target_boxes, within_place
from editor.engine.pixels import Box
from editor.engine.plan import Step
from editor.imaging.picture import Pixels

_DRAWN_PIXELS = 1100  # longer side, in pixels, of the working copy on which flames are drawn
_ACROSS, _UP = 110, 40  # size of a tongue of flame in the noise, in pixels
_SWELL = 55  # height of the largest blobs in the noise, in pixels
# Colors of glowing gas, from cold to hot.
_HEAT: Stops = (
    (0.0, (0, 0, 0)),
    (0.16, (87, 8, 0)),
    (0.38, (219, 51, 3)),
    (0.62, (255, 133, 15)),
    (0.85, (255, 209, 77)),
    (1.0, (255, 247, 199)),
)


@operation
def fire(canvas: Canvas, step: Step, *, color: str | None, amount: float, place: str | None) -> Canvas:
    """Draw flames along the bottom of the photo, or along the bottom of each marked box.

    The amount sets the height of flames at the bottom of the photo. Flames in a marked box always fill the
    box.
    """
    picture = canvas.picture
    scale = min(1.0, _DRAWN_PIXELS / max(picture.width, picture.height))
    size = max(8, round(picture.height * scale)), max(8, round(picture.width * scale))
    light = np.zeros((*size, 3), np.float32)
    for target in target_boxes(canvas, step):
        box = target or Box(0, 0, picture.width, picture.height)
        left, top, right, bottom = (round(edge * scale) for edge in box)
        height = (0.95 if target else 0.32 + 0.55 * abs(amount)) * (bottom - top)
        flames = _flames(right - left, max(8, round(height)), canvas.seed, color)
        part = light[max(top, bottom - flames.shape[0]) : bottom, left:right]
        np.maximum(part, flames[-part.shape[0] :], out=part)
    glow = blurred(light, 0.02 * max(size))
    sideways = step.at(next((side for side in ("left", "right") if side in (place or "")), None))
    return within_place(canvas, sideways, _burning(canvas, light, glow))


def _burning(canvas: Canvas, light: Floats, glow: Floats) -> Pixels:
    """Return the photo with flames that hide the background and light up their surroundings.

    The brighter a flame is, the more of the background it hides.
    """

    def change(colors: Floats, shown: Floats, glow: Floats) -> Floats:
        behind = 1 - (1 - colors) * (1 - np.clip(np.float32(0.35) * glow, 0, 1))
        share = np.clip(np.float32(1.15) * shown.max(2, keepdims=True), 0, 1)
        return behind * (1 - share) + np.clip(shown, 0, 1)

    return map_strips_with(canvas.picture.pixels, change, light, glow)


def _flames(width: int, height: int, seed: int, color: str | None) -> Floats:
    """Return the light that the flames give off (height x width x 3).

    The light has three layers of tongues, each narrower and lower than the one before.
    """
    random = np.random.default_rng(seed)
    heat = np.zeros((height, width), np.float32)
    for tongues, reach in ((0.42, 1.0), (0.26, 0.8), (0.16, 0.55)):
        np.maximum(heat, np.float32(reach**0.25) * _tongues(width, height, random, tongues, reach), out=heat)
    light = interpolate_gradient(heat, _HEAT)
    if color:
        tone = np.array(color_of(color), np.float32) / 255
        core = np.clip((heat - 0.55) / 0.6, 0, 1)[:, :, None]
        light = light.max(2, keepdims=True) * (tone + core * (1 - tone))
    return light


def _tongues(width: int, height: int, random: np.random.Generator, wide: float, reach: float) -> Floats:
    """Return the heat of one layer of flames, from 0 to 1.

    The heat decreases with height, and vertically stretched noise divides it into tongues.
    """
    unit = max(16.0, wide * height)
    swells, eddies = (_noise(width, height, random, unit, blob) for blob in (_SWELL, 0.7 * _SWELL))
    up = np.linspace(1, 0, height, dtype=np.float32)[:, None]
    columns = np.arange(width, dtype=np.float32)[None] + (eddies - 0.5) * (0.5 * unit) * up
    rows = np.repeat(np.arange(height, dtype=np.float32)[:, None], width, axis=1)
    torn = cv2.remap(
        swells, columns.astype(np.float32), rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    ridge = np.clip((torn - 0.2) / 0.62, 0, 1)
    body = ridge - (up / reach) ** 0.85 * 0.98 + 0.16
    body *= np.clip((1 - up) * 5, 0, 1)  # Fade out all tongues toward the top so that none is cut off.
    return cast(Floats, 0.92 * np.clip(body / 0.75, 0, 1) ** 0.9)


def _noise(width: int, height: int, random: np.random.Generator, unit: float, blob: float) -> Floats:
    """Return noise with blobs of this size on the sheet, stretched to `unit` pixels across and up.

    The sides of the sheet are powers of two, so that a small photo and a large one use the same sheet.
    """
    across, up = unit / _ACROSS, unit / _UP
    wide, high = (2 ** ceil(log2(sides)) for sides in (width / across, height / up))
    sheet = cloud_noise(wide, high, random, scale=blob / max(wide, high))
    placed = np.array([[across, 0, (across - 1) / 2], [0, up, (up - 1) / 2]])
    return cv2.warpAffine(
        sheet, placed, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
