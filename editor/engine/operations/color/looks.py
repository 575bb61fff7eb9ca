"""Looks: black and white, sepia, negative, faded, cinematic, duotone."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, color_of, eased, lab_of, rgb
from editor.engine.operations.color.selective import depth_of, look, partly, share_of, within_target
from editor.engine.operations.color.tone import LUMA, colored, levels_of, looked_up, mixed
from editor.engine.plan import Amount, Step
from editor.imaging.codecs import Bytes, Pixels

_SEPIA_GAINS = (0.76, 1.05, 1.6)
"""Exponents for red, green and blue over grey: black and white stay, the tones between turn brown."""

_RED_FILTER = (0.62, 0.33, 0.05)
_BLUE_FILTER = (0.12, 0.5, 0.38)
"""What red, green and blue add to grey behind such a filter: dark skies, or pale ones and dark lips."""

_DARK, _LIGHT = "navy", "cream"
_TEAL_TO_ORANGE = (0.72, -0.69)
"""The axis from teal to orange, in Cr and Cb; skin lies on it."""


@look
def black_and_white(pixels: Pixels, depth: float, _side: int) -> Pixels:
    """Grey of the same brightness; other variations look through a colored filter."""
    return to_grey(pixels, _filter(depth))


@operation
def duotone(
    canvas: Canvas, step: Step, *, color: str | None, light: str | None, amount: Amount | None
) -> Canvas:
    """Light and dark as two colors: `color` is the dark one."""
    ends = _ends(color, light)
    share, depth = share_of(canvas, amount), depth_of(canvas, amount)
    return within_target(
        canvas, step, lambda pixels: partly(pixels, in_two_tones(pixels, *ends, depth), share)
    )


def _filter(depth: float) -> Floats:
    """From a blue filter at 0.5 over none at 1 to a red one at 1.35."""
    none, other = np.array(LUMA), np.array(_RED_FILTER if depth > 1 else _BLUE_FILTER)
    share = min(1.0, (depth - 1) / 0.35 if depth > 1 else (1 - depth) / 0.5)
    return cast(Floats, (none + share * (other - none)).astype(np.float32))


def to_grey(pixels: Pixels, weights: Floats | None = None) -> Pixels:
    """All three colors the same, by weights that add up to 1; alpha stays."""
    if weights is None or np.allclose(weights, LUMA):
        weights = np.array(LUMA, np.float32)
        if pixels.shape[2] == 3 and pixels.dtype == np.uint8:
            # The quick way for most photos; the mix below gives the same within rounding.
            grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
            return cast(Bytes, cv2.cvtColor(grey, cv2.COLOR_GRAY2RGB))
    return mixed(pixels, np.tile(weights, (3, 1)))


@look
def sepia(pixels: Pixels, depth: float, _side: int) -> Pixels:
    """The brown of old prints."""
    levels = levels_of(pixels)
    table = np.stack([levels ** (1 + depth * (gain - 1)) for gain in _SEPIA_GAINS], 1)
    return looked_up(to_grey(pixels), table)


@operation
def negative(canvas: Canvas, step: Step, *, amount: Amount | None) -> Canvas:
    """Each color to its opposite, in every variation."""
    share = share_of(canvas, amount)
    return within_target(canvas, step, lambda pixels: partly(pixels, _inverted(pixels), share))


def _inverted(pixels: Pixels) -> Pixels:
    return looked_up(pixels, np.stack([1 - levels_of(pixels)] * 3, 1))


@look
def faded(pixels: Pixels, depth: float, _side: int) -> Pixels:
    """Matte, like a print that has seen years of light: black lifted, white lowered, colors paler; shadows a
    little blue, lights a little yellow."""
    paler = colored(pixels, 1 - 0.28 * depth)
    levels = levels_of(pixels)
    ends = ((0.115, 0.965), (0.105, 0.945), (0.125, 0.875))
    table = [levels + depth * (low + (high - low) * levels - levels) for low, high in ends]
    return looked_up(paler, np.stack(table, 1).astype(np.float32))


@look
def cinematic(pixels: Pixels, depth: float, _side: int) -> Pixels:
    """Teal shadows, orange lights, and colors drawn towards these two."""
    levels = levels_of(pixels)
    curve = levels + 0.16 * depth * levels * (1 - levels) * (2 * levels - 1) * 2
    shadow, light = levels * (1 - levels) ** 3, levels**2 * (1 - levels)
    shifts = ((-0.34, 0.22), (0.06, 0.05), (0.30, -0.30))
    table = [curve + depth * (low * shadow + high * light) for low, high in shifts]
    return looked_up(mixed(pixels, _drawn_to_axis(depth)), np.stack(table, 1).astype(np.float32))


def _drawn_to_axis(depth: float) -> Floats:
    """Mixes colors so that, of chroma, what lies across the axis from teal to orange weakens."""
    to_parts = np.array([LUMA, (0.5, -0.418688, -0.081312), (-0.168736, -0.331264, 0.5)])
    along = np.array(_TEAL_TO_ORANGE) / np.hypot(*_TEAL_TO_ORANGE)
    drawn = np.eye(3)
    drawn[1:, 1:] = (1 - 0.32 * depth) * np.eye(2) + 0.4 * depth * np.outer(along, along)
    return cast(Floats, (np.linalg.inv(to_parts) @ drawn @ to_parts).astype(np.float32))


def _ends(dark: str | None, light: str | None) -> tuple[Floats, Floats]:
    """OKLab of the two tones, the darker one first. One color alone meets cream, or black when it is pale."""
    if dark and not light and lab_of(color_of(dark))[0] > 0.72:
        dark, light = "#10131c", dark
    ends = [lab_of(color_of(name)) for name in (dark or _DARK, light or _LIGHT)]
    first, second = sorted(ends, key=lambda lab: float(lab[0]))
    return first, second


def in_two_tones(pixels: Pixels, dark: Floats, light: Floats, depth: float = 1.0) -> Pixels:
    """A straight way in OKLab from one to the other; `depth` steepens it in the middle."""
    levels = levels_of(pixels)
    steep = np.clip(0.5 + (levels - 0.5) * (1 + 0.35 * depth), 0, 1)
    way = (eased(steep) * 0.4 + 0.6 * steep)[:, None]
    tones = rgb(np.ascontiguousarray((dark + way * (light - dark))[None].astype(np.float32)))[0]
    return looked_up(to_grey(pixels), tones)
