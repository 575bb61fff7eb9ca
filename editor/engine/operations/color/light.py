"""Light in parts: highlights, shadows, the fine contrast between, and all of them as in HDR photos."""

from typing import cast

import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, eased
from editor.engine.operations.color.base_light import base_light, light_of
from editor.engine.operations.color.selective import depth_of, partly, share_of, within_target
from editor.engine.operations.color.vibrance import enliven
from editor.engine.pixels import in_strips
from editor.engine.plan import Amount, Step
from editor.imaging.codecs import Pixels

_DETAIL = (0.6, 1.15)
"""What an amount of 1 takes from local contrast, and what it adds: without any, a face is wax."""


@operation
def highlights(canvas: Canvas, step: Step, *, amount: float) -> Canvas:
    """Bright parts brighter, or darker so that their drawing shows."""
    return within_target(canvas, step, lambda pixels: relit(pixels, highlights=amount))


@operation
def shadows(canvas: Canvas, step: Step, *, amount: float) -> Canvas:
    """Dark parts opened, or deepened."""
    amount = amount
    return within_target(canvas, step, lambda pixels: relit(pixels, shadows=amount))


@operation
def clarity(canvas: Canvas, step: Step, *, amount: float) -> Canvas:
    """Local contrast: surfaces and their drawing stronger, or softer."""
    amount = amount
    return within_target(canvas, step, lambda pixels: relit(pixels, detail=amount))


@operation
def hdr(canvas: Canvas, step: Step, *, amount: Amount | None) -> Canvas:
    """Drawing in shadows and highlights at once, as merged exposures show it."""
    share, depth = share_of(canvas, amount), depth_of(canvas, amount)
    return within_target(canvas, step, lambda pixels: partly(pixels, _merged_look(pixels, depth), share))


def _merged_look(pixels: Pixels, depth: float) -> Pixels:
    lit = relit(
        pixels,
        shadows=min(1.0, 0.6 * depth),
        highlights=-min(1.0, 0.6 * depth),
        detail=min(1.0, 0.65 * depth),
    )
    return enliven(lit, amount=min(1.0, 0.4 * depth))


def relit(pixels: Pixels, *, shadows: float = 0, highlights: float = 0, detail: float = 0) -> Pixels:
    """Each -1 to 1; 0 leaves that part as it is. Hues stay."""
    base = base_light(pixels)

    def change(colors: Floats, rows: slice) -> Floats:
        light = light_of(colors)
        broad = base.of(light, rows)
        gain = _shadow_gain(broad, shadows) * _highlight_gain(broad, highlights)
        changed = colors * gain[:, :, None]
        if detail:
            strength = _middle(broad) * np.float32(_DETAIL[detail > 0] * detail)
            changed += (strength * (light - broad))[:, :, None]
        return changed

    return in_strips(pixels, change)


def _shadow_gain(broad: Floats, amount: float) -> Floats:
    dark = 1 - broad
    if amount >= 0:
        return cast(Floats, 1 + np.float32(1.7 * amount) * dark**4)
    return cast(Floats, 1 + np.float32(0.75 * amount) * dark**3)


def _highlight_gain(broad: Floats, amount: float) -> Floats:
    share = eased(np.clip((broad - np.float32(0.35)) / np.float32(0.65), 0, 1))
    if amount <= 0:
        return cast(Floats, 1 + np.float32(0.3 * amount) * share)
    room = (1 - broad) / np.maximum(broad, np.float32(0.2))
    return cast(Floats, 1 + np.float32(0.75 * amount) * share * room)


def _middle(broad: Floats) -> Floats:
    """Less where there is little room: near black, where there is noise, and near white."""
    return cast(Floats, np.clip(np.float32(4.4) * broad * (1 - broad), np.float32(0.25), 1))
