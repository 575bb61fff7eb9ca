"""Sharper and softer. What was never in focus stays so."""

from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation, strips, top_value
from editor.engine.operations.color.selective import within_target
from editor.engine.operations.color.tone import LUMA
from editor.engine.plan import Step
from editor.imaging.codecs import Pixels

_HALO = 64  # rows beyond a strip, more than any sharpening reaches


@operation
def sharpness(canvas: Canvas, step: Step) -> Canvas:
    """Positive amounts sharpen, negative ones blur."""
    amount = canvas.amount(step)
    change = sharpened if amount >= 0 else blurred
    return within_target(canvas, step, lambda pixels: change(pixels, amount=abs(amount)))


def sharpened(pixels: Pixels, *, amount: float) -> Pixels:
    """Unsharp mask on brightness alone, so that no color fringes appear; differences as small as noise are
    left alone. The radius grows with the photo: a twelve-megapixel edge is wider than a web-sized one."""
    radius = 0.8 + max(pixels.shape[:2]) / 3500
    result = pixels.copy()
    for rows in strips(pixels.shape[0]):
        start = max(0, rows.start - _HALO)
        around = pixels[start : rows.stop + _HALO, :, :3] * np.float32(1 / top_value(pixels))
        more = _detail(around, radius)[rows.start - start : rows.stop - start]
        colors = around[rows.start - start : rows.stop - start] + 2.2 * amount * more[:, :, None]
        result[rows, :, :3] = (np.clip(colors, 0, 1) * top_value(pixels) + 0.5).astype(pixels.dtype)
    return result


def _detail(colors: "np.typing.NDArray[np.float32]", radius: float) -> "np.typing.NDArray[np.float32]":
    light = cv2.transform(colors, np.array([LUMA], np.float32))
    detail = light - cv2.GaussianBlur(light, (0, 0), radius)
    noise = 0.006
    return cast("np.typing.NDArray[np.float32]", np.sign(detail) * np.maximum(np.abs(detail) - noise, 0))


def blurred(pixels: Pixels, *, amount: float) -> Pixels:
    """A Gaussian blur of up to 2% of the longest side."""
    sigma = max(0.6, amount * 0.02 * max(pixels.shape[:2]))
    shrink = max(1, int(sigma / 4))
    if shrink == 1:
        return cast(Pixels, cv2.GaussianBlur(pixels, (0, 0), sigma))
    # A wide blur leaves nothing that a smaller copy could not hold.
    height, width = pixels.shape[:2]
    small = cv2.resize(pixels, (-(-width // shrink), -(-height // shrink)), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), sigma / shrink)
    return cast(Pixels, cv2.resize(soft, (width, height), interpolation=cv2.INTER_CUBIC))
