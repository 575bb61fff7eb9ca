"""Sharpen, blur, and pixelate photos or parts of photos."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, light_of
from editor.engine.drawing import gaussian
from editor.engine.kinds import kinds_of
from editor.engine.operations import find_operation
from editor.engine.operations.color.selective import canvas_and_mask, longest_side, tone
from editor.engine.pixels import Box, blended, in_strips
from editor.engine.plan import Step
from editor.engine.targets.scenery import SCENERY_NOUNS
from editor.engine.targets.target_masks import step_mask
from editor.imaging.picture import Pixels

_WHOLE = 0.02
# Standard deviation of the widest blur, as a share of the longest side of the photo or the blurred part.
_PART = 0.1

# Number of rows added above and below a strip of pixels. Even the widest sharpening needs fewer rows.
_HALO = 64
_NOISE = 0.006  # brightness difference below which detail is noise, as a share of white
_COARSE = 8  # cell size, in pixels, of the grid in which the connected pieces of a mask are found


@tone
def sharpness(pixels: Pixels, amount: float, *, canvas: Canvas) -> Pixels:
    """Sharpen the photo if the amount is positive, and blur it if the amount is negative.

    Sharpening applies an unsharp mask to the brightness alone to avoid color fringes.
    """
    side = longest_side(canvas)
    if amount < 0:
        return blurred(pixels, sigma=max(0.6, -amount * _WHOLE * side))
    radius = 0.8 + side / 3500  # Large photos have wider edges, in pixels, than small photos.

    def change(colors: Floats, rows: slice) -> Floats:
        light = light_of(colors)
        detail = light - cv2.GaussianBlur(light, (0, 0), radius)
        strong = np.sign(detail) * np.maximum(np.abs(detail) - _NOISE, 0)
        return colors + 2.2 * amount * strong[:, :, None]

    return in_strips(pixels, change, halo=_HALO)


@operation
def blur(canvas: Canvas, step: Step, *, amount: float) -> Canvas:
    """Blur the target. A blurred background gets no halo from the subject.

    If the step blurs everything except a thing, the rest of the photo is the background.
    """
    if around := _background_step(step):
        return find_operation("blur_background")(canvas, around)
    amount, side = abs(amount), longest_side(canvas)

    def change(part: Pixels) -> Pixels:
        return blurred(part, sigma=amount * max(_WHOLE * side, _PART * max(part.shape[:2])))

    return _piece_by_piece(canvas, step, lambda whole: blurred(whole, sigma=amount * _WHOLE * side), change)


def _background_step(step: Step) -> Step | None:
    """Return the step that blurs only the background, or None if the step blurs something else."""
    if step.target.what == "background":
        return step
    if step.target.what != "whole" or len(step.keep) != 1:
        return None
    (kept,) = step.keep
    is_seen = kept.what == "thing" and kinds_of(kept.noun) and not (kept.color or kept.boxes)
    if is_seen or kept.what == "subject":
        return replace(step, target=replace(kept, what="background"), keep=())
    return None


@operation
def pixelate(canvas: Canvas, step: Step, *, amount: float) -> Canvas:
    """Turn the target into square blocks; the larger the amount, the larger the blocks."""
    left = (1 - abs(amount)) ** 2
    return _piece_by_piece(
        canvas,
        step,
        lambda whole: in_blocks(whole, across=round(16 + 104 * left)),
        lambda part: in_blocks(part, across=round(6 + 20 * left)),
    )


def _piece_by_piece(
    canvas: Canvas, step: Step, whole: Callable[[Pixels], Pixels], part: Callable[[Pixels], Pixels]
) -> Canvas:
    """Return the canvas with `whole` applied to the photo or `part` applied to each piece of the target.

    A piece is a connected area, such as one face.
    """
    canvas, mask = _masked(canvas, step)
    pixels = canvas.picture.pixels
    if mask is None:
        return canvas.with_pixels(whole(pixels))
    result = pixels.copy()
    for box in pieces(mask):
        place = box.slices
        before = cast(Pixels, np.ascontiguousarray(result[place]))
        result[place] = blended(before, part(before), mask[place])
    return canvas.with_pixels(result)


def _masked(canvas: Canvas, step: Step) -> tuple[Canvas, Floats | None]:
    """Return the canvas and a mask of the target.

    If the kind of the target is known, the mask is the outline of the target; otherwise, it is the whole box.
    The outline of an unknown object is unreliable and could leave a visible rim around what must be hidden.
    """
    is_known = bool(kinds_of(step.target.noun)) or step.target.noun in SCENERY_NOUNS
    return canvas_and_mask(canvas, step) if is_known else (canvas, step_mask(canvas, step))


def pieces(mask: Floats) -> list[Box]:
    """Return boxes around the connected areas of a mask.

    Together, the boxes contain the whole mask.
    """
    height, width = mask.shape
    rough = np.zeros((-(-height // _COARSE), -(-width // _COARSE)), np.uint8)
    for row in range(len(rough)):
        band = mask[row * _COARSE : (row + 1) * _COARSE].any(0)
        rough[row] = np.maximum.reduceat(band, np.arange(0, width, _COARSE))
    _, _, stats, _ = cv2.connectedComponentsWithStats(rough)
    scaled = np.asarray(stats)[1:, :4] * _COARSE
    return [
        Box(int(x), int(y), min(width, int(x + across)), min(height, int(y + down)))
        for x, y, across, down in scaled
    ]


def blurred(pixels: Pixels, *, sigma: float) -> Pixels:
    """Return the pixels with their colors blurred by a Gaussian filter.

    Alpha does not change, and transparent pixels add no color to their neighbors.
    """
    if sigma < 0.3:
        return pixels
    if pixels.shape[2] == 3:
        return gaussian.blurred(pixels, sigma)
    share = pixels[:, :, 3:].astype(np.float32) + np.float32(1e-3)
    total = gaussian.blurred(pixels[:, :, :3] * share, sigma)
    soft = total / gaussian.blurred(share, sigma).reshape(share.shape)
    return cast(Pixels, np.dstack([(soft + 0.5).astype(pixels.dtype), pixels[:, :, 3]]))


def in_blocks(pixels: Pixels, *, across: int) -> Pixels:
    """Return the pixels as square, solid-color blocks, with `across` blocks along the longest side."""
    height, width = pixels.shape[:2]
    block = max(1, round(max(height, width) / max(1, across)))
    size = (-(-width // block), -(-height // block))
    padded = cv2.copyMakeBorder(
        pixels, 0, size[1] * block - height, 0, size[0] * block - width, cv2.BORDER_REPLICATE
    )
    small = cv2.resize(padded, size, interpolation=cv2.INTER_AREA)
    whole = np.repeat(np.repeat(small, block, 0), block, 1)[:height, :width]
    return cast(Pixels, np.ascontiguousarray(whole))
