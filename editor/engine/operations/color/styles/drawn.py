"""Hand-drawn styles: graphite, colored pencils, charcoal, ink, and the white lines of a blueprint."""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats, light_of, scale_saturation
from editor.engine.operations.color.styles import sheet
from editor.engine.operations.color.styles.sheet import style

_GRAPHITE = np.array((0.17, 0.17, 0.19), np.float32)
_COAL = np.array((0.09, 0.085, 0.08), np.float32)
_INK = np.array((0.06, 0.06, 0.09), np.float32)
_BLOT = 45  # longest side of the photo divided by the maximum width of an area that is filled with ink
_BLUE = np.array((0.07, 0.27, 0.52), np.float32)
_WHITE_LINE = np.array((0.9, 0.96, 1.0), np.float32)


@style
def line_drawing(colors: Floats, side: float, _seed: int, strength: float) -> Floats:
    """Draw outlines in black ink, and fill small dark areas."""
    return sheet.on_paper(inked(colors, side, strength), _INK)


@style
def blueprint(colors: Floats, side: float, _seed: int, strength: float) -> Floats:
    """Draw white outlines on a blue background."""
    line = sheet.outlines(light_of(sheet.smoothed(colors, side)), side, width=strength)
    return sheet.on_paper(
        line, _WHITE_LINE, _BLUE * (1 + 0.03 * sheet.noise(line.shape[:2], side / 300, 1)[:, :, None])
    )


@style
def pencil_sketch(colors: Floats, side: float, seed: int, depth: float) -> Floats:
    """Draw outlines and hatch the shadows in graphite on paper."""
    light = _spread(light_of(colors))
    calm = light_of(sheet.smoothed(colors, side, times=1))
    lines = sheet.outlines(calm, side)
    dark = (1 - _spread(sheet.soft(light, side / 1400))) ** np.float32(1.5)
    # Leave nearly white areas as bare paper. Darker areas get two more layers of hatching, at other angles.
    shade = _hatched(dark, side, seed, ((0.06, 48, 0.5), (0.4, 62, 0.42), (0.7, 118, 0.34)), depth)
    fine = 0.5 * np.clip(1 - light / (sheet.soft(light, side / 120) + 0.05), 0, 1)
    cover = 1 - (1 - 0.9 * lines) * (1 - 0.86 * shade) * (1 - fine)
    teeth = sheet.paper(light.shape[:2], side, seed + 9)
    return sheet.on_paper(np.clip(cover * (1 - 0.07 * teeth), 0, 0.97), _GRAPHITE)


def _spread(light: Floats) -> Floats:
    """Return the brightness, stretched so that the brightest part of the photo is as white as paper."""
    low, high = (float(value) for value in np.quantile(light[::4, ::4], (0.02, 0.97)))
    # Make sure that a photo of a plain white wall gets no dark parts.
    low, high = min(low, 0.35), max(high, 0.5)
    return np.clip((light - low) / (high - low), 0, 1)


def _hatched(
    dark: Floats, side: float, seed: int, layers: tuple[tuple[float, float, float], ...], depth: float
) -> Floats:
    """Return the coverage (0 to 1) of hatching, which is denser in darker areas.

    Each layer has three values: the minimum darkness, the angle of the strokes in degrees, and the maximum
    coverage.
    """
    left = np.ones_like(dark)
    for number, (begins, angle, most) in enumerate(layers):
        strokes = sheet.hatching(dark.shape[:2], side, angle, seed + number)
        wanted = np.clip((dark - begins) / (1 - begins), 0, 1)
        # Darker areas get denser strokes with less paper between them, as if the pencil were pressed harder.
        pressed = sheet.step_between(-0.3, 0.3, 1.25 * wanted - strokes)
        left *= 1 - min(1.0, most * depth) * np.minimum(1, 1.6 * wanted) * (0.35 * wanted + 0.65 * pressed)
    return 1 - left


@style
def colored_pencil(colors: Floats, side: float, seed: int, depth: float) -> Floats:
    """Hatch the whole photo in its own colors, with paper showing between the strokes."""
    calm = sheet.smoothed(colors, side, times=1)
    light = light_of(calm)
    pure = np.clip(scale_saturation(calm, 1.25 + 0.2 * depth), 0, 1)
    dark = np.maximum(1 - _spread(light), 0.9 * (pure.max(2) - pure.min(2)))
    layers = ((0.0, 48, 0.8), (0.2, 66, 0.75), (0.5, 112, 0.6))
    cover = _hatched(np.clip(0.16 + dark, 0, 1), side, seed, layers, 1.0)
    lines = sheet.outlines(light, side, width=0.9)
    strokes = sheet.on_paper(0.9 * cover, pure ** np.float32(0.72))
    return sheet.on_paper(0.75 * lines, 0.35 * pure, strokes)


@style
def charcoal(colors: Floats, side: float, seed: int, depth: float) -> Floats:
    """Draw broad, dark, smudged strokes that leave the hollows of the paper white."""
    calm = light_of(sheet.smoothed(colors, side, times=2))
    dark = (1 - _spread(sheet.soft(calm, side / 500))) ** np.float32(1.5)
    teeth = sheet.paper(calm.shape[:2], side, seed)
    strokes = sheet.hatching(calm.shape[:2], 1.8 * side, 40, seed + 2) - 0.5
    smudged = np.clip(dark * (0.72 + 0.22 * depth) + 0.09 * strokes * (dark > 0.06), 0, 1)
    rough = sheet.step_between(-0.42, 0.42, 1.5 * smudged - 0.62 + 0.16 * teeth + 0.3 * strokes)
    lines = sheet.outlines(calm, side, width=1.6)
    broken = lines * np.clip(0.9 + 0.25 * teeth, 0, 1)
    cover = 1 - (1 - 0.55 * smudged) * (1 - 0.72 * rough * np.minimum(1, 2.2 * smudged)) * (1 - 0.9 * broken)
    return sheet.on_paper(np.clip(cover, 0, 1), _COAL, sheet.PAPER * np.float32(0.97))


def inked(colors: Floats, side: float, width: float = 1.0) -> Floats:
    """Return the coverage (0 to 1) of ink that draws outlines and fills small dark areas."""
    light = light_of(sheet.smoothed(colors, side))
    lines = sheet.step_between(0.2, 0.6, sheet.outlines(light, side, width=1.1 * width))
    filled = 1 - sheet.step_between(0.035, 0.075, sheet.soft(_spread(light), side / 900))
    return cast(Floats, np.maximum(lines, filled * (1 - _wide(filled, side / _BLOT))))


def _wide(filled: Floats, width: float) -> Floats:
    """Return a 0/1 mask of dark areas that are wider than `width` pixels.

    In ink, such areas would be large blots.
    """
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(width / 2) + 1,) * 2)
    blots = cv2.morphologyEx((filled > 0.1).astype(np.uint8), cv2.MORPH_OPEN, kernel)
    return cv2.dilate(blots, np.ones((5, 5), np.uint8)).astype(np.float32)
