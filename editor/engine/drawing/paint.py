"""Painting over pixels: color by coverage, in the place it takes and nowhere else."""

from collections.abc import Callable
from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Color, Floats, lightness
from editor.engine.drawing.gaussian import blurred
from editor.engine.pixels import Box, strips, top_value
from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits

_SMOOTHED = 1.5  # times enlarged


def lay(pixels: Pixels, coverage: Floats, paint: Color | Floats, at: tuple[int, int]) -> None:
    """Paints, in place, what of the coverage (height x width, 0 to 1) lies inside the pixels; `at` is its
    left and top. `paint` is one color, or height x width x 3, 0 to 1.

    Porter and Duff, "Compositing digital images", 1984: "over", with alpha that is not premultiplied.
    """
    (left, top), (height, width) = at, coverage.shape
    box = Box(left, top, left + width, top + height).within(pixels.shape[1], pixels.shape[0])
    if box.width <= 0 or box.height <= 0:
        return
    inside, view = box.moved(-left, -top).part, pixels[box.part]
    part, colors = coverage[inside], _colors(paint, inside)
    for rows in strips(box.height):
        view[rows] = _over(view[rows], part[rows], colors if colors.shape[0] == 1 else colors[rows])


def _colors(paint: Color | Floats, inside: tuple[slice, slice]) -> Floats:
    if isinstance(paint, tuple):
        return np.array([[paint]], np.float32) / np.float32(255)
    return paint[inside]


def _over(ground: Pixels, coverage: Floats, colors: Floats) -> Pixels:
    top = np.float32(top_value(ground))
    share = coverage[:, :, None]
    below = ground[:, :, :3].astype(np.float32)
    if ground.shape[2] == 3:
        return cast(Pixels, (below + share * (colors * top - below) + np.float32(0.5)).astype(ground.dtype))
    alpha = ground[:, :, 3:] / top
    result = share + alpha * (1 - share)
    mixed = below + share / np.maximum(result, 1e-6) * (colors * top - below)
    full = np.concatenate([mixed, result * top], axis=2)
    return cast(Pixels, np.where(share > 0, (full + np.float32(0.5)).astype(ground.dtype), ground))


def scaled(sprite: Floats, width: int, height: int) -> tuple[Floats, Floats]:
    """Colors and coverage, at that size, of a bitmap (height x width x 4, premultiplied, 0 to 1). Where it is
    enlarged, its stairs are smoothed, and its outline is drawn sharp again."""
    scale = width / sprite.shape[1]
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    sized = cv2.resize(sprite, (width, height), interpolation=how)
    coverage = np.clip(sized[:, :, 3], 0, 1)
    if scale > _SMOOTHED:
        sized = blurred(sized, 0.4 * scale)
        soft = blurred(coverage, 0.8 * scale)
        coverage = np.clip((soft - 0.5) * scale * 1.2 + 0.5, 0, 1)
    colors = sized[:, :, :3] / np.maximum(sized[:, :, 3:], 1e-3)
    return np.clip(colors, 0, 1), coverage


def turned_on_a_sheet(sprite: Floats, degrees: float) -> Floats:
    """A bitmap turned clockwise, on a square as wide as its diagonal."""
    height, width = sprite.shape[:2]
    side = int(np.ceil(np.hypot(height, width))) + 2
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1.0)
    matrix[:, 2] += (side - width) / 2, (side - height) / 2
    return cv2.warpAffine(sprite, matrix, (side, side), flags=cv2.INTER_LINEAR)


def premultiplied(pixels: Pixels) -> Pixels:
    """Pixels with alpha, their colors times their alpha: what no one sees gives no color to an edge that is
    scaled."""
    result = pixels.copy()
    for rows in strips(pixels.shape[0]):
        share = pixels[rows, :, 3:] * np.float32(1 / top_value(pixels))
        result[rows, :, :3] = (pixels[rows, :, :3] * share + np.float32(0.5)).astype(pixels.dtype)
    return result


def lay_picture(pixels: Pixels, picture: Pixels, at: tuple[int, int]) -> None:
    """Paints, in place, other pixels with premultiplied alpha; `at` is their left and top."""
    for rows in strips(picture.shape[0]):
        part = picture[rows] * np.float32(1 / top_value(picture))
        coverage = np.ascontiguousarray(part[:, :, 3])
        colors = part[:, :, :3] / np.maximum(coverage, 1e-3)[:, :, None]
        lay(pixels, coverage, np.minimum(colors, 1), (at[0], at[1] + rows.start))


def soft_shadow(coverage: Floats, sigma: float, strength: float, *, pad: int) -> Floats:
    """The coverage blurred, with room for that on each side: (height + 2 pad) x (width + 2 pad)."""
    wide = cv2.copyMakeBorder(coverage, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    return blurred(wide, sigma) * np.float32(strength)


def lay_shadowed(
    pixels: Pixels, box: Box, draw: Callable[[int, int], Floats], color: Color, *, reach: float
) -> None:
    """Paints, in place, what is drawn at a width and a height into the box, over its own soft shadow, which
    reaches so far where the box has room."""
    pad = max(0, min(round(1.5 * reach), (min(box.width, box.height) - 1) // 4))
    coverage = draw(box.width - 2 * pad, box.height - 2 * pad)
    if pad > 0:
        lay(pixels, soft_shadow(coverage, pad / 2.5, 0.5, pad=pad), (0, 0, 0), (box.left, box.top))
    lay(pixels, coverage, color, (box.left + pad, box.top + pad))


def ground_at(picture: Picture, box: Box) -> Bytes:
    """What is painted on, 8-bit RGB."""
    part = picture.pixels[max(0, box.top) : box.bottom, max(0, box.left) : box.right]
    return eight_bits(Picture(part))[:, :, :3]


def readable(ground: Bytes) -> Color:
    """White, unless the ground is very light."""
    return (20, 20, 20) if ground.size and float(ground.mean()) > 200 else (255, 255, 255)


def contrary(color: Color) -> Color:
    """Nearly black for light colors, nearly white for dark ones."""
    return (15, 15, 15) if lightness(color) > 0.55 else (250, 250, 250)
