"""Light in parts: highlights, shadows, the fine contrast between, and all of them as in HDR photos."""

from typing import cast

import numpy as np

from editor.engine.colors import Floats, eased, light_of, ramp
from editor.engine.operations.color.selective import look, tone
from editor.engine.operations.color.tone import vibrance
from editor.engine.pixels import working_copy
from editor.engine.targets.masks import linear_model, with_maps
from editor.imaging.picture import Picture, Pixels

_WORKING_PIXELS = 800  # the longer side of the copy that light is measured on
_REACH = 0.035  # of the longest side: the radius of the guided filter
_EDGE_VARIANCE = 0.012  # from this variance on, a step in light is an edge
_DETAIL = (0.6, 1.15)
"""What an amount of 1 takes from local contrast, and what it adds: without any, a face is wax."""


@tone
def highlights(pixels: Pixels, amount: float) -> Pixels:
    """Bright parts brighter, or darker so that their drawing shows."""
    return relit(pixels, highlights=amount)


@tone
def shadows(pixels: Pixels, amount: float) -> Pixels:
    """Dark parts opened, or deepened."""
    return relit(pixels, shadows=amount)


@tone
def clarity(pixels: Pixels, amount: float) -> Pixels:
    """Local contrast: surfaces and their drawing stronger, or softer."""
    return relit(pixels, detail=amount)


@look
def hdr(pixels: Pixels, depth: float) -> Pixels:
    """Drawing in shadows and highlights at once, as merged exposures show it."""
    broad, fine = min(1.0, 0.6 * depth), min(1.0, 0.65 * depth)
    return vibrance(relit(pixels, shadows=broad, highlights=-broad, detail=fine), min(1.0, 0.4 * depth))


def relit(pixels: Pixels, *, shadows: float = 0, highlights: float = 0, detail: float = 0) -> Pixels:
    """Each -1 to 1; 0 leaves that part as it is. Hues stay.

    All go by the broad light, smooth within things and sharp at their edges, so that no halos are drawn: He
    and Sun, "Fast guided filter", 2015.
    """
    light = light_of(working_copy(Picture(pixels), _WORKING_PIXELS) * np.float32(1 / 255))
    model = linear_model(light, light, max(1, round(_REACH * max(light.shape))), _EDGE_VARIANCE)

    def change(colors: Floats, slope: Floats, offset: Floats) -> Floats:
        light = light_of(colors)
        broad = np.clip(slope * light + offset, 0, 1)
        gain = _shadow_gain(broad, shadows) * _highlight_gain(broad, highlights)
        changed = colors * gain[:, :, None]
        if detail:
            strength = _middle(broad) * np.float32(_DETAIL[detail > 0] * detail)
            changed += (strength * (light - broad))[:, :, None]
        return cast(Floats, changed)

    return with_maps(pixels, change, *model)


def _shadow_gain(broad: Floats, amount: float) -> Floats:
    dark = 1 - broad
    if amount >= 0:
        return 1 + np.float32(1.7 * amount) * dark**4
    return 1 + np.float32(0.75 * amount) * dark**3


def _highlight_gain(broad: Floats, amount: float) -> Floats:
    share = eased(ramp(broad, 0.35, 1))
    if amount <= 0:
        return 1 + np.float32(0.3 * amount) * share
    room = (1 - broad) / np.maximum(broad, np.float32(0.2))
    return 1 + np.float32(0.75 * amount) * share * room


def _middle(broad: Floats) -> Floats:
    """Less where there is little room: near black, where there is noise, and near white."""
    return cast(Floats, np.clip(np.float32(4.4) * broad * (1 - broad), np.float32(0.25), 1))
