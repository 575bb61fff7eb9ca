"""Brightness, exposure, contrast, saturation and warmth. A tone is one table: every level of every color is
looked up once, so 8 and 16 bits cost alike and no step is lost between two of them."""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats, gamma, linear
from editor.engine.operations.color.selective import tone
from editor.engine.pixels import top_value
from editor.imaging.codecs import Bytes, Pixels

_KEPT = 0.5  # of saturation that darkness takes
LUMA = (0.299, 0.587, 0.114)
"""ITU-R BT.601: what red, green and blue add to brightness."""


@tone
def brightness(pixels: Pixels, amount: float) -> Pixels:
    """Lighter or darker; highlights roll off instead of clipping. Darkness takes less of the color: it would
    look grey."""
    levels = levels_of(pixels)
    curve = lifted(levels, 1 + 1.3 * amount) if amount >= 0 else levels * (1 + 0.75 * amount)
    changed = looked_up(pixels, np.stack([curve] * 3, 1))
    return changed if amount >= 0 else saturation(changed, _KEPT * -amount)


@tone
def exposure(pixels: Pixels, amount: float) -> Pixels:
    """More or less light, as if the shutter had stayed open longer: up to two stops, of which each doubles
    the light; what would pass white bends towards it instead."""
    light = linear(levels_of(pixels))
    return looked_up(pixels, np.stack([gamma(rolled(light, 2.0 ** (2 * amount)))] * 3, 1))


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
    return looked_up(pixels, np.stack([curve] * 3, 1))


@tone
def saturation(pixels: Pixels, amount: float) -> Pixels:
    """Each color moved away from (or to) the grey of its own brightness; -1 leaves grey."""
    return colored(pixels, 1 + amount * (1.3 if amount > 0 else 1.0))


@tone
def warmth(pixels: Pixels, amount: float) -> Pixels:
    """Towards yellow and red, or towards blue: gains on red and blue that keep a grey's brightness about as
    it was."""
    levels = levels_of(pixels)
    red, green, blue = 1 + 0.22 * amount, 1 + 0.02 * amount, 1 - 0.34 * amount
    return looked_up(pixels, np.stack([gained(levels, gain) for gain in (red, green, blue)], 1))


def looked_up(pixels: Pixels, table: Floats) -> Pixels:
    """The pixels with each color replaced by its entry in a table (levels x 3, 0 to 1); alpha stays."""
    top = top_value(pixels)
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


def steepened(levels: Floats, steepness: float, middle: float = 0.5) -> Floats:
    """A logistic curve through levels from 0 to 1, whose ends stay."""
    steep = 1 / (1 + np.exp(-steepness * (levels - middle)))
    return cast(Floats, (steep - steep[0]) / (steep[-1] - steep[0]))


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
