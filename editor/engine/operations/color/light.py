"""Change highlights, shadows, and local contrast, separately or together as in an HDR photo."""

from typing import cast

import numpy as np

from editor.engine.colors import Floats, light_of, ramp
from editor.engine.masks import linear_model, map_strips_with
from editor.engine.operations.color.selective import look, tone
from editor.engine.operations.color.tone import vibrance
from editor.engine.pixels import working_copy
from editor.imaging.picture import Picture, Pixels, smoothstep

_WORKING_PIXELS = 800  # longer side, in pixels, of the copy on which brightness is measured
_REACH = 0.035  # radius of the guided filter, as a share of the photo's longest side
# Variance of brightness from which an area counts as containing an edge.
_EDGE_VARIANCE = 0.012
# Factors for less and for more local contrast. A face without any local contrast would look like wax.
_DETAIL = (0.6, 1.15)


@tone
def highlights(pixels: Pixels, amount: float) -> Pixels:
    """Brighten the bright parts of the photo, or darken them so that their detail shows."""
    return relit(pixels, highlights=amount)


@tone
def shadows(pixels: Pixels, amount: float) -> Pixels:
    """Brighten or darken the dark parts of the photo."""
    return relit(pixels, shadows=amount)


@tone
def clarity(pixels: Pixels, amount: float) -> Pixels:
    """Strengthen or soften the local contrast of the photo."""
    return relit(pixels, detail=amount)


@look
def hdr(pixels: Pixels, depth: float) -> Pixels:
    """Show detail in both shadows and highlights, as merged exposures do."""
    broad, fine = min(1.0, 0.6 * depth), min(1.0, 0.65 * depth)
    return vibrance(relit(pixels, shadows=broad, highlights=-broad, detail=fine), min(1.0, 0.4 * depth))


def relit(pixels: Pixels, *, shadows: float = 0, highlights: float = 0, detail: float = 0) -> Pixels:
    """Return the pixels with changed shadows, highlights, and local contrast, each by an amount from -1 to 1.

    Hues do not change. The changes follow a smoothed brightness that stays sharp at edges to avoid halos. The
    filter is from He and Sun, "Fast guided filter", 2015.
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

    return map_strips_with(pixels, change, *model)


def _shadow_gain(broad: Floats, amount: float) -> Floats:
    dark = 1 - broad
    if amount >= 0:
        return 1 + np.float32(1.7 * amount) * dark**4
    return 1 + np.float32(0.75 * amount) * dark**3


def _highlight_gain(broad: Floats, amount: float) -> Floats:
    share = smoothstep(ramp(broad, 0.35, 1))
    if amount <= 0:
        return 1 + np.float32(0.3 * amount) * share
    room = (1 - broad) / np.maximum(broad, np.float32(0.2))
    return 1 + np.float32(0.75 * amount) * share * room


def _middle(broad: Floats) -> Floats:
    """Return a factor for local contrast that is lower near black and near white.

    More contrast would amplify noise near black and clip near white.
    """
    return cast(Floats, np.clip(np.float32(4.4) * broad * (1 - broad), np.float32(0.25), 1))
