"""Brightness, exposure, contrast, warmth, and how strong colors are. A tone is one table: every level of
every color is looked up once, so 8 and 16 bits cost alike and no step is lost between two of them."""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import LUMA, Floats, gamma, linear
from editor.engine.operations.color.selective import in_colors, tone
from editor.engine.pixels import top_value, working_copy
from editor.engine.plan import Reason
from editor.engine.refused import Unable
from editor.imaging.picture import Bytes, Picture, Pixels

_KEPT = 0.5  # of saturation that darkness takes
_SKIN = (0.82, -0.57)
"""The direction of skin in Cr and Cb: nearly the same for all people, it is their brightness that differs."""

_VIVID = 0.32  # chroma in Cr and Cb from which on nothing is pale
_WORKING_PIXELS = 256  # the longer side of the copy that colors are counted on
_LEAST = 3.0  # levels of 255 by which the colors of one brightness differ; a brown print stays below


@tone
def brightness(pixels: Pixels, amount: float) -> Pixels:
    """Lighter or darker; highlights roll off instead of clipping. Darkness takes less of the color: it would
    look grey."""
    levels = levels_of(pixels)
    curve = lifted(levels, 1 + 1.3 * amount) if amount >= 0 else levels * (1 + 0.75 * amount)
    changed = looked_up(pixels, curve)
    return changed if amount >= 0 else saturation(changed, _KEPT * -amount)


@tone
def exposure(pixels: Pixels, amount: float) -> Pixels:
    """More or less light, as if the shutter had stayed open longer: up to two stops, of which each doubles
    the light; what would pass white bends towards it instead."""
    light = linear(levels_of(pixels))
    return looked_up(pixels, gamma(rolled(light, 2.0 ** (2 * amount))))


@tone
def contrast(pixels: Pixels, amount: float) -> Pixels:
    """Around the middle grey: a logistic curve between fixed ends for more, a straight line towards grey for
    less."""
    levels = levels_of(pixels)
    if amount > 0:
        steepness = 9 * amount
        end = np.tanh(steepness / 4)
        curve = 0.5 + np.tanh(steepness * (levels - 0.5) / 2) / (2 * end)
    else:
        curve = 0.5 + (levels - 0.5) * (1 + 0.9 * amount)
    return looked_up(pixels, curve)


@tone
def saturation(pixels: Pixels, amount: float) -> Pixels:
    """Each color moved away from (or to) the grey of its own brightness; -1 leaves grey."""
    return colored(pixels, 1 + amount * (1.3 if amount > 0 else 1.0))


@tone
def warmth(pixels: Pixels, amount: float) -> Pixels:
    """Towards yellow and red, or towards blue: gains on red and blue that keep a grey's brightness about as
    it was."""
    levels = levels_of(pixels)
    return looked_up(pixels, *(gained(levels, 1 + share * amount) for share in (0.22, 0.02, -0.34)))


@tone
@in_colors
def vibrance(colors: Floats, amount: float) -> Floats:
    """Livelier or calmer colors that never turn garish; grey stays grey. Pale colors gain most, vivid ones
    and skin little."""
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
    """The colors that a photo has, made stronger. Raises Unable when it is gray, or brown throughout:
    coloring that is for a generative engine."""
    if not has_colors(working_copy(Picture(pixels), _WORKING_PIXELS)):
        sentence = "There are no colors here that could be made stronger."
        raise Unable(Reason.NEEDS_GENERATION, sentence, "Coloring it needs a generative engine.")
    return vibrance(pixels, amount)


def has_colors(pixels: Bytes) -> bool:
    """Whether color tells more than light does: in gray and in toned prints it follows from the light."""
    parts = cv2.cvtColor(pixels, cv2.COLOR_RGB2YCrCb).reshape(-1, 3).astype(np.float64)
    light, tones = parts[:, 0] / 255, parts[:, 1:]
    curve = np.stack([np.ones_like(light), light, light**2, light**3], 1)
    rest = tones - curve @ np.linalg.lstsq(curve, tones, rcond=None)[0]
    return float(np.hypot(*rest.std(0))) > _LEAST


def looked_up(pixels: Pixels, *curves: Floats) -> Pixels:
    """The pixels with each level replaced by its entry (0 to 1) in a curve of its color, or in the one of all
    three; alpha stays."""
    top, table = top_value(pixels), np.stack(curves if len(curves) == 3 else curves * 3, 1)
    entries = (np.clip(table, 0, 1) * top + 0.5).astype(pixels.dtype)
    if pixels.shape[2] == 4:
        entries = np.column_stack([entries, np.arange(top + 1, dtype=pixels.dtype)])
    if pixels.dtype == np.uint8:
        return cast(Bytes, cv2.LUT(pixels, cast(Bytes, entries[None])))
    return cast(Pixels, np.stack([entries[:, i][pixels[:, :, i]] for i in range(pixels.shape[2])], 2))


def mixed(pixels: Pixels, matrix: Floats) -> Pixels:
    """The pixels with each color a mix (3 x 3) of the old ones; alpha stays."""
    square = np.eye(pixels.shape[2], dtype=np.float32)
    square[:3, :3] = matrix
    return cast(Pixels, cv2.transform(pixels, square))


def colored(pixels: Pixels, factor: float) -> Pixels:
    """The pixels with colors so many times as strong, of the same brightness; 0 leaves grey."""
    grey = np.tile(np.array(LUMA), (3, 1))
    return mixed(pixels, (np.eye(3) * factor + grey * (1 - factor)).astype(np.float32))


def levels_of(pixels: Pixels) -> Floats:
    """Every level that the pixels can have, 0 to 1."""
    return np.linspace(0, 1, top_value(pixels) + 1, dtype=np.float32)


def rolled(light: Floats, gain: float) -> Floats:
    """Light (0 to 1, linear) times a gain that ends at white: dark and middle tones get all of it."""
    if gain <= 1:
        return light * np.float32(gain)
    room = light * np.float32(gain)
    # Reinhard's curve with a white point (2002), made gentler: what lies below a third stays straight.
    straight = np.float32(0.34)
    over = np.maximum(room - straight, 0) / (1 - straight)
    end = (gain - straight) / (1 - straight)
    bent = over * (1 + over / end**2) / (1 + over)
    return np.where(room < straight, room, straight + (1 - straight) * bent)


def lifted(levels: Floats, slope: float) -> Floats:
    """From 0 with the given slope to 1 with none: shadows gain, highlights keep their drawing."""
    return 1 - (1 - levels) ** slope


def gained(levels: Floats, gain: float) -> Floats:
    """Levels times a gain; above 1 it rolls off, so that white stays white."""
    return lifted(levels, gain) if gain > 1 else (levels * gain)
