"""Vibrance: pale colors gain most, vivid ones and skin little."""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.operations.color.selective import tone
from editor.engine.pixels import in_strips
from editor.imaging.codecs import Pixels

_SKIN = (0.82, -0.57)
"""The direction of skin in Cr and Cb: nearly the same for all people, it is their brightness that differs."""

_VIVID = 0.32  # chroma in Cr and Cb from which on nothing is pale


@tone
def vibrance(pixels: Pixels, amount: float) -> Pixels:
    """Livelier or calmer colors that never turn garish; grey stays grey."""

    def change(colors: Floats, rows: slice) -> Floats:
        parts = cv2.cvtColor(colors, cv2.COLOR_RGB2YCrCb)
        red, blue = parts[:, :, 1] - np.float32(0.5), parts[:, :, 2] - np.float32(0.5)
        factor = _factor(red, blue, amount)
        parts[:, :, 1], parts[:, :, 2] = red * factor + 0.5, blue * factor + 0.5
        return cv2.cvtColor(parts, cv2.COLOR_YCrCb2RGB)

    return in_strips(pixels, change)


def _factor(red: Floats, blue: Floats, amount: float) -> Floats:
    chroma = cv2.magnitude(red, blue)
    pale = np.clip(1 - chroma / np.float32(_VIVID), 0, 1)
    along = (red * np.float32(_SKIN[0]) + blue * np.float32(_SKIN[1])) / (chroma + np.float32(1e-4))
    others = 1 - np.float32(0.7) * np.clip((along - np.float32(0.86)) / np.float32(0.08), 0, 1)
    reach = 1.3 * pale + 0.12 if amount > 0 else 0.55 * pale + 0.25
    return cast(Floats, 1 + np.float32(amount) * reach.astype(np.float32) * others)
