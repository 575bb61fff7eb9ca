"""Printed styles: cartoons, comics, pop art, halftone dots, and posters."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, light_of
from editor.engine.operations.color.selective import longest_side, look
from editor.engine.operations.color.styles import sheet
from editor.engine.operations.color.styles.drawn import inked
from editor.engine.operations.color.styles.sheet import style
from editor.engine.pixels import in_strips
from editor.engine.targets.shades import few_colors
from editor.imaging.picture import Pixels

_BLACK = np.array((0.05, 0.04, 0.06), np.float32)
# Palettes of pop art, one for each variation: four flat colors from dark to light.
_POP = (
    ((0.13, 0.05, 0.36), (0.90, 0.10, 0.45), (1.00, 0.55, 0.10), (1.00, 0.92, 0.25)),
    ((0.05, 0.12, 0.45), (0.05, 0.60, 0.75), (0.98, 0.36, 0.55), (1.00, 0.93, 0.60)),
    ((0.30, 0.02, 0.25), (0.87, 0.12, 0.15), (0.15, 0.75, 0.70), (0.98, 0.95, 0.35)),
    ((0.02, 0.22, 0.30), (0.45, 0.20, 0.75), (0.95, 0.35, 0.70), (0.75, 0.98, 0.55)),
)


@style
def posterize(colors: Floats, side: float, _seed: int, strength: float) -> Floats:
    """Reduce the photo to the few flat colors that represent it best."""
    return in_few_colors(sheet.smoothed(colors, side), round(8 / strength))


@look
def halftone(pixels: Pixels, size: float, *, canvas: Canvas, inks: str | None) -> Pixels:
    """Print black dots on newsprint; the darker the photo, the larger the dots.

    If `inks` is "color", the dots are cyan, magenta, yellow, and black.
    """
    draw = _in_printing_inks if inks == "color" else _as_newsprint
    cell = max(3.0, longest_side(canvas) / 170 * size)
    return in_strips(pixels, lambda colors, rows: draw(colors, cell, rows.start))


@style
def cartoon(colors: Floats, side: float, _seed: int, strength: float) -> Floats:
    """Draw flat colors with a few soft steps of brightness, and dark outlines.

    The method follows Winnemöller, Olsen and Gooch, "Real-time video abstraction", 2006.
    """
    calm = sheet.smoothed(colors, side, times=4, strength=0.12)
    lab = cv2.cvtColor(calm, cv2.COLOR_RGB2Lab)
    tall = np.float32(100 / 7)
    level = np.floor(lab[:, :, 0] / tall)
    within = lab[:, :, 0] / tall - level
    stepped = tall * (level + sheet.step_between(0.38, 0.62, within))
    lab[:, :, 0] = 100 * np.minimum(1, stepped * np.float32(0.0106)) ** np.float32(0.85)
    lab[:, :, 1:] = lab[:, :, 1:] * np.float32(1.2 + 0.15 * strength)
    flat = cv2.cvtColor(lab, cv2.COLOR_Lab2RGB)
    line = sheet.step_between(0.25, 0.8, sheet.outlines(light_of(calm), side, width=1.3 * strength))
    return sheet.on_paper(0.93 * line, _BLACK, np.clip(flat, 0, 1))


@style
def comic(colors: Floats, side: float, _seed: int, strength: float) -> Floats:
    """Draw flat colors with dots in the shadows and outlines in black ink."""
    calm = sheet.smoothed(colors, side, times=4, strength=0.12).clip(0, 1) ** np.float32(0.8)
    flat = in_few_colors(calm, 14, vivid=1.5)
    shade = np.clip((0.5 - sheet.soft(light_of(calm), side / 500)) / 0.4, 0, 0.6)
    dots = _dots(flat.shape[:2], side / 210, 45, shade)
    shaded = sheet.on_paper(0.55 * dots, flat * 0.35, flat)
    return sheet.on_paper(inked(colors, side, 1.15 * strength), _BLACK, shaded)


@style
def pop_art(colors: Floats, side: float, seed: int, _strength: float) -> Floats:
    """Draw in four loud, flat colors and black ink, with dots as a transition in the lighter half."""
    tones = np.array(_POP[seed % len(_POP)], np.float32)
    light = sheet.soft(light_of(sheet.smoothed(colors, side, times=3, strength=0.14)), side / 700)
    limits = np.quantile(light[::4, ::4], (0.2, 0.5, 0.8))
    flat = tones[np.digitize(light, limits)]
    between = np.clip((light - limits[1]) / max(0.05, float(limits[2] - limits[1])), 0, 1)
    brighter = tones[np.clip(np.digitize(light, limits) + 1, 0, 3)]
    is_middle = (np.digitize(light, limits) == 2).astype(np.float32)
    dots = _dots(light.shape[:2], side / 150, 45, 0.6 * between) * is_middle
    return sheet.on_paper(inked(colors, side, 1.2), _BLACK, sheet.on_paper(dots, brighter, flat))


def in_few_colors(colors: Floats, count: int, vivid: float = 1.15) -> Floats:
    """Return the photo reduced to `count` colors found by k-means; `vivid` is a factor for their chroma."""
    lab = cv2.cvtColor(colors, cv2.COLOR_RGB2Lab)
    few = cv2.resize(lab, (120, 120), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    _, centers = few_colors(few, count)
    nearest = np.zeros(lab.shape[:2], np.uint8)
    least = np.full(lab.shape[:2], np.inf, np.float32)
    for number, center in enumerate(centers):
        far = ((lab - center) ** 2).sum(2)
        nearest[far < least] = number
        least = np.minimum(least, far)
    centers[:, 1:] = centers[:, 1:] * vivid
    tones = cv2.cvtColor(centers[None].astype(np.float32), cv2.COLOR_Lab2RGB)[0]
    return cast(Floats, np.clip(tones, 0, 1)[nearest])


def _dots(shape: tuple[int, int], cell: float, angle: float, cover: Floats, first: int = 0) -> Floats:
    """Return the coverage of halftone dots in a grid that is rotated by an angle in degrees.

    `cover` is the share of the area that the dots cover at each pixel. `first` is the index, in the whole
    photo, of the first row.
    """
    rows, columns = np.indices(shape, np.float32)
    turn = np.float32(np.pi / cell)
    cosine, sine = np.float32(np.cos(np.radians(angle))), np.float32(np.sin(np.radians(angle)))
    rows += first
    across = np.cos(turn * (cosine * columns - sine * rows))
    across *= np.cos(turn * (sine * columns + cosine * rows))
    # The square root spreads the product of the cosines evenly over 0 to 1, so each dot covers the requested
    # area.
    rank = np.sign(across) * np.sqrt(np.abs(across)) / 2 + np.float32(0.5)
    edge = np.float32(1.6 / cell)
    return sheet.step_between(-float(edge), float(edge), cover - (1 - rank))


_NEWSPRINT = np.array((0.945, 0.925, 0.87), np.float32)
# Color channel and screen angle, in degrees, for cyan, magenta, and yellow, as in offset printing.
_SCREENS = ((0, 15.0), (1, 75.0), (2, 0.0))


def _as_newsprint(colors: Floats, cell: float, first: int) -> Floats:
    dark = 1 - np.clip((light_of(colors) - 0.04) * 1.12, 0, 1)
    return sheet.on_paper(0.92 * _dots(colors.shape[:2], cell, 45, dark, first), _BLACK, _NEWSPRINT)


def _in_printing_inks(colors: Floats, cell: float, first: int) -> Floats:
    missing = 1 - np.clip(colors * np.float32(1.05), 0, 1)
    key = missing.min(2) ** np.float32(1.6)
    printed = np.ones_like(colors) * _NEWSPRINT ** np.float32(0.5)
    for ink, angle in _SCREENS:
        cover = (missing[:, :, ink] - key) / np.maximum(1 - key, 0.02)
        printed[:, :, ink] *= 1 - 0.92 * _dots(colors.shape[:2], cell, angle, cover, first)
    black = _dots(colors.shape[:2], cell, 45, key, first)
    return cast(Floats, printed * (1 - 0.88 * black[:, :, None]))
