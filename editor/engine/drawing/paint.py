"""Paint colors over pixels in proportion to a coverage mask."""

from collections.abc import Callable
from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Color, Floats, contrasting
from editor.engine.drawing.gaussian import blurred
from editor.engine.pixels import Box, strips, top_value
from editor.imaging.picture import Picture, Pixels, eight_bits

_MIN_SMOOTHED_SCALE = 1.5  # enlargement factor above which the outline of a bitmap is smoothed


def paint_over(pixels: Pixels, coverage: Floats, paint: Color | Floats, at: tuple[int, int]) -> None:
    """Paint over pixels in place; parts of the coverage outside the pixels are cut off.

    `coverage` is a mask (height x width, 0 to 1), and `at` is the position of its top left corner (x, y).
    `paint` is one color, or an image (height x width x 3, 0 to 1). This is the "over" operator for alpha that
    is not premultiplied: Porter and Duff, "Compositing digital images", 1984.
    """
    (left, top), (height, width) = at, coverage.shape
    box = Box(left, top, left + width, top + height).within(pixels.shape[1], pixels.shape[0])
    if box.width <= 0 or box.height <= 0:
        return
    inside, view = box.moved(-left, -top).slices, pixels[box.slices]
    part, colors = coverage[inside], _colors(paint, inside)
    for rows in strips(box.height):
        view[rows] = _over(view[rows], part[rows], colors if colors.shape[0] == 1 else colors[rows])


def _colors(paint: Color | Floats, inside: tuple[slice, slice]) -> Floats:
    if isinstance(paint, tuple):
        return np.array([[paint]], np.float32) / np.float32(255)
    return paint[inside]


def _over(background: Pixels, coverage: Floats, colors: Floats) -> Pixels:
    top = np.float32(top_value(background))
    share = coverage[:, :, None]
    below = background[:, :, :3].astype(np.float32)
    if background.shape[2] == 3:
        return cast(
            Pixels, (below + share * (colors * top - below) + np.float32(0.5)).astype(background.dtype)
        )
    alpha = background[:, :, 3:] / top
    result = share + alpha * (1 - share)
    mixed = below + share / np.maximum(result, 1e-6) * (colors * top - below)
    full = np.concatenate([mixed, result * top], axis=2)
    return cast(Pixels, np.where(share > 0, (full + np.float32(0.5)).astype(background.dtype), background))


def scaled(sprite: Floats, width: int, height: int) -> tuple[Floats, Floats]:
    """Return the colors and the coverage of a bitmap at the given size.

    The bitmap (height x width x 4, 0 to 1) has premultiplied alpha. If the bitmap is greatly enlarged, its
    jagged outline is smoothed and then sharpened again.
    """
    scale = width / sprite.shape[1]
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    sized = cv2.resize(sprite, (width, height), interpolation=how)
    coverage = np.clip(sized[:, :, 3], 0, 1)
    if scale > _MIN_SMOOTHED_SCALE:
        sized = blurred(sized, 0.4 * scale)
        soft = blurred(coverage, 0.8 * scale)
        coverage = np.clip((soft - 0.5) * scale * 1.2 + 0.5, 0, 1)
    colors = sized[:, :, :3] / np.maximum(sized[:, :, 3:], 1e-3)
    return np.clip(colors, 0, 1), coverage


def rotate_expanded(sprite: Floats, degrees: float) -> Floats:
    """Return a bitmap rotated clockwise, in a square that is large enough for any angle."""
    height, width = sprite.shape[:2]
    side = int(np.ceil(np.hypot(height, width))) + 2
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1.0)
    matrix[:, 2] += (side - width) / 2, (side - height) / 2
    return cv2.warpAffine(sprite, matrix, (side, side), flags=cv2.INTER_LINEAR)


def premultiplied(pixels: Pixels) -> Pixels:
    """Return pixels with their colors multiplied by their alpha.

    Transparent pixels then add no color to an edge when the picture is scaled.
    """
    result = pixels.copy()
    for rows in strips(pixels.shape[0]):
        share = pixels[rows, :, 3:] * np.float32(1 / top_value(pixels))
        result[rows, :, :3] = (pixels[rows, :, :3] * share + np.float32(0.5)).astype(pixels.dtype)
    return result


def paint_picture(pixels: Pixels, picture: Pixels, at: tuple[int, int]) -> None:
    """Paint a picture with premultiplied alpha over pixels in place; `at` is its top left corner (x, y)."""
    for rows in strips(picture.shape[0]):
        part = picture[rows] * np.float32(1 / top_value(picture))
        coverage = np.ascontiguousarray(part[:, :, 3])
        colors = part[:, :, :3] / np.maximum(coverage, 1e-3)[:, :, None]
        paint_over(pixels, coverage, np.minimum(colors, 1), (at[0], at[1] + rows.start))


def soft_shadow(coverage: Floats, sigma: float, strength: float, *, pad: int) -> Floats:
    """Return a blurred copy of the coverage, multiplied by `strength`.

    `pad` pixels are added on each side for the blur, so the result is (height + 2 pad) x (width + 2 pad).
    """
    wide = cv2.copyMakeBorder(coverage, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    return blurred(wide, sigma) * np.float32(strength)


def paint_shadowed(
    pixels: Pixels, box: Box, draw: Callable[[int, int], Floats], color: Color, *, reach: float
) -> None:
    """Paint a shape and its soft shadow into the box, in place.

    `draw(width, height)` returns the coverage of the shape. `reach` sets the width of the shadow, in pixels;
    the shadow is narrower in a small box.
    """
    pad = max(0, min(round(1.5 * reach), (min(box.width, box.height) - 1) // 4))
    coverage = draw(box.width - 2 * pad, box.height - 2 * pad)
    if pad > 0:
        paint_over(pixels, soft_shadow(coverage, pad / 2.5, 0.5, pad=pad), (0, 0, 0), (box.left, box.top))
    paint_over(pixels, coverage, color, (box.left + pad, box.top + pad))


def contrasting_at(picture: Picture, box: Box) -> Color:
    """Return a readable color of letters that are written into the box."""
    part = Picture(picture.pixels[box.within(picture.width, picture.height).slices])
    red, green, blue, *_ = (round(level) for level in cv2.mean(eight_bits(part)))
    return contrasting((red, green, blue))
