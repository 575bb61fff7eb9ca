"""Adjust brightness, exposure, contrast, warmth, and the strength of colors.

For each color, most of these operations use a single lookup table from old to new levels.
"""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import LUMA, Floats, gamma, linear
from editor.engine.errors import OperationError
from editor.engine.operations.color.selective import in_colors, tone
from editor.engine.pixels import top_value, working_copy
from editor.engine.plan import Reason
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.sentences import Sentence

_KEPT = 0.5  # saturation added per unit of darkening, because darkened colors look gray
# Direction of skin colors in Cr and Cb, which is nearly the same for all people, unlike brightness.
_SKIN = (0.82, -0.57)

_VIVID = 0.32  # chroma, in Cr and Cb, from which a color counts as vivid
_WORKING_PIXELS = 256  # longer side, in pixels, of the copy on which colors are searched for
# Minimum spread of colors at equal brightness, in 8-bit levels; a brown print has less.
_MIN_COLOR_SPREAD = 3.0


@tone
def brightness(pixels: Pixels, amount: float) -> Pixels:
    """Lighten or darken the photo; highlights roll off instead of clipping.

    Darkening also raises the saturation, because the colors would otherwise look gray.
    """
    levels = levels_of(pixels)
    curve = lift_curve(levels, 1 + 1.3 * amount) if amount >= 0 else levels * (1 + 0.75 * amount)
    changed = apply_curves(pixels, curve)
    return changed if amount >= 0 else saturation(changed, _KEPT * -amount)


@tone
def exposure(pixels: Pixels, amount: float) -> Pixels:
    """Simulate a longer or shorter exposure, by up to two stops.

    Each stop doubles or halves the light. Values that would exceed white roll off toward white instead.
    """
    light = linear(levels_of(pixels))
    return apply_curves(pixels, gamma(roll_off(light, 2.0 ** (2 * amount))))


@tone
def contrast(pixels: Pixels, amount: float) -> Pixels:
    """Change the contrast around middle gray.

    To raise the contrast, a logistic curve is used, which leaves black and white unchanged. To lower it, all
    levels are moved linearly toward gray.
    """
    levels = levels_of(pixels)
    if amount > 0:
        steepness = 9 * amount
        end = np.tanh(steepness / 4)
        curve = 0.5 + np.tanh(steepness * (levels - 0.5) / 2) / (2 * end)
    else:
        curve = 0.5 + (levels - 0.5) * (1 + 0.9 * amount)
    return apply_curves(pixels, curve)


@tone
def saturation(pixels: Pixels, amount: float) -> Pixels:
    """Make colors stronger or weaker at the same brightness. At -1, the photo is gray."""
    return scale_chroma(pixels, 1 + amount * (1.3 if amount > 0 else 1.0))


@tone
def warmth(pixels: Pixels, amount: float) -> Pixels:
    """Shift the colors toward yellow and red, or toward blue.

    The brightness of gray does not change.
    """
    levels = levels_of(pixels)
    return apply_curves(pixels, *(gain_curve(levels, 1 + share * amount) for share in (0.22, 0.02, -0.34)))


@tone
@in_colors
def vibrance(colors: Floats, amount: float) -> Floats:
    """Make colors more or less vivid without making them garish; gray stays gray.

    Pale colors change the most, whereas vivid colors and skin change little.
    """
    light, red, blue = cv2.split(cv2.cvtColor(colors, cv2.COLOR_RGB2YCrCb))
    red, blue = red - np.float32(0.5), blue - np.float32(0.5)
    chroma = cv2.magnitude(red, blue)
    pale = np.clip(1 - chroma / np.float32(_VIVID), 0, 1)
    along = (red * np.float32(_SKIN[0]) + blue * np.float32(_SKIN[1])) / (chroma + np.float32(1e-4))
    others = 1 - np.float32(0.7) * np.clip((along - np.float32(0.86)) / np.float32(0.08), 0, 1)
    reach = 1.3 * pale + 0.12 if amount > 0 else 0.55 * pale + 0.25
    factor = 1 + np.float32(amount) * reach.astype(np.float32) * others
    return cv2.cvtColor(cv2.merge([light, red * factor + 0.5, blue * factor + 0.5]), cv2.COLOR_YCrCb2RGB)


@tone
def colorize(pixels: Pixels, amount: float) -> Pixels:
    """Strengthen the colors of a photo.

    Raises OperationError if the photo is all gray or all brown, because only a generative engine can add
    colors to such a photo.
    """
    if not has_colors(working_copy(Picture(pixels), _WORKING_PIXELS)):
        sentence = Sentence("I can't find any colors to make stronger.")
        raise OperationError(
            Reason.NEEDS_GENERATION, sentence, Sentence("Adding colors needs a generative engine.")
        )
    return vibrance(pixels, amount)


def has_colors(pixels: Bytes) -> bool:
    """Return whether the photo has more colors than a gray photo or a toned print.

    In gray photos and toned prints, the brightness of a pixel determines its color.
    """
    parts = cv2.cvtColor(pixels, cv2.COLOR_RGB2YCrCb).reshape(-1, 3).astype(np.float64)
    light, tones = parts[:, 0] / 255, parts[:, 1:]
    curve = np.stack([np.ones_like(light), light, light**2, light**3], 1)
    rest = tones - curve @ np.linalg.lstsq(curve, tones, rcond=None)[0]
    return float(np.hypot(*rest.std(0))) > _MIN_COLOR_SPREAD


def apply_curves(pixels: Pixels, *curves: Floats) -> Pixels:
    """Return the pixels with each level replaced by the value (0 to 1) that a curve assigns to it.

    Pass one curve for all colors, or three curves for red, green, and blue. Alpha does not change.
    """
    top, table = top_value(pixels), np.stack(curves if len(curves) == 3 else curves * 3, 1)
    entries = (np.clip(table, 0, 1) * top + 0.5).astype(pixels.dtype)
    if pixels.shape[2] == 4:
        entries = np.column_stack([entries, np.arange(top + 1, dtype=pixels.dtype)])
    if pixels.dtype == np.uint8:
        return cast(Bytes, cv2.LUT(pixels, cast(Bytes, entries[None])))
    return cast(Pixels, np.stack([entries[:, i][pixels[:, :, i]] for i in range(pixels.shape[2])], 2))


def mix_channels(pixels: Pixels, matrix: Floats) -> Pixels:
    """Return the pixels with their colors multiplied by a 3 x 3 matrix.

    Alpha does not change.
    """
    square = np.eye(pixels.shape[2], dtype=np.float32)
    square[:3, :3] = matrix
    return cast(Pixels, cv2.transform(pixels, square))


def scale_chroma(pixels: Pixels, factor: float) -> Pixels:
    """Return the pixels with their chroma multiplied by a factor, at the same brightness.

    A factor of 0 turns the pixels gray.
    """
    gray = np.tile(np.array(LUMA), (3, 1))
    return mix_channels(pixels, (np.eye(3) * factor + gray * (1 - factor)).astype(np.float32))


def levels_of(pixels: Pixels) -> Floats:
    """Return all levels that these pixels can have at their bit depth, scaled to the range 0 to 1."""
    return np.linspace(0, 1, top_value(pixels) + 1, dtype=np.float32)


def roll_off(light: Floats, gain: float) -> Floats:
    """Return linear light (0 to 1) multiplied by a gain.

    Bright tones roll off so that no tone exceeds white.
    """
    if gain <= 1:
        return light * np.float32(gain)
    room = light * np.float32(gain)
    # Use the tone curve of Reinhard et al. (2002) with a white point, but a straight line below one third.
    straight = np.float32(0.34)
    over = np.maximum(room - straight, 0) / (1 - straight)
    end = (gain - straight) / (1 - straight)
    bent = over * (1 + over / end**2) / (1 + over)
    return np.where(room < straight, room, straight + (1 - straight) * bent)


def lift_curve(levels: Floats, slope: float) -> Floats:
    """Return levels mapped by a curve with the given slope at black and a slope of 0 at white.

    Shadows become lighter, and highlights keep their detail.
    """
    return 1 - (1 - levels) ** slope


def gain_curve(levels: Floats, gain: float) -> Floats:
    """Return levels multiplied by a gain. A gain above 1 rolls off so that white stays white."""
    return lift_curve(levels, gain) if gain > 1 else (levels * gain)
