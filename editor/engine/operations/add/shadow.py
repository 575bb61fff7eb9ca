"""A drop shadow: of the photo, on a margin around it, or of its subject."""

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Color, Floats, color_of
from editor.engine.drawing.gaussian import blurred
from editor.engine.drawing.paint import lay
from editor.engine.drawing.room import Sides
from editor.engine.operations.add.around import inside, shaped_for, widened
from editor.engine.pixels import copy_size, strips, top_value
from editor.engine.plan import Step
from editor.engine.targets.masks import brought_up, enlarged_rows
from editor.engine.targets.subject import subject_mask
from editor.imaging.codecs import Picture

_MARGIN = 0.085  # of the photo's shorter side
_CUT = 0.02  # the share of transparent pixels that makes a photo a cut-out
_MASK_SIDE = 600


@operation
def shadow(canvas: Canvas, step: Step, *, color: str, amount: float) -> Canvas:
    """The photo's shadow on a white (transparent, where the photo can be) margin; with the subject as its
    target, the shadow of the subject on what is behind it. The amount is its strength."""
    strength = min(0.95, 0.3 + 0.7 * abs(amount))
    if step.target.what == "whole" and not _is_cut_out(canvas.picture):
        return _of_photo(canvas, color_of(color), strength)
    return _of_subject(canvas, color_of(color), strength)


def _is_cut_out(picture: Picture) -> bool:
    if not picture.has_alpha:
        return False
    return bool((picture.pixels[:, :, 3] == 0).mean() > _CUT)


def _of_photo(canvas: Canvas, color: Color, strength: float) -> Canvas:
    shorter = min(canvas.picture.width, canvas.picture.height)
    sides = Sides.all(max(2, round(_MARGIN * shorter)))
    made = widened(shaped_for(canvas, sides), sides, (255, 255, 255), opaque=False)
    photo = inside(made, sides)
    sigma = _MARGIN * shorter / 4.2
    drop = round(0.9 * sigma)
    across = _soft_span(made.picture.width, photo.left, photo.right, sigma)
    down = _soft_span(made.picture.height, photo.top + drop, photo.bottom + drop, sigma)
    for rows, columns in (
        (slice(0, photo.top), slice(None)),
        (slice(photo.bottom, None), slice(None)),
        (slice(photo.top, photo.bottom), slice(0, photo.left)),
        (slice(photo.top, photo.bottom), slice(photo.right, None)),
    ):
        coverage = down[rows, None] * across[None, columns] * np.float32(strength)
        lay(made.picture.pixels[rows, columns], coverage, color, (0, 0))
    return made


def _soft_span(length: int, start: int, end: int, sigma: float) -> Floats:
    """A bar from start to end after a Gaussian blur: a rectangle's blur is the product of two."""
    bar = np.zeros((1, length), np.float32)
    bar[0, start:end] = 1
    across = (2 * round(4 * sigma) + 1, 1)
    return cv2.GaussianBlur(bar, across, sigma, borderType=cv2.BORDER_CONSTANT).ravel()


def _of_subject(canvas: Canvas, color: Color, strength: float) -> Canvas:
    picture = canvas.picture
    if _is_cut_out(picture):
        subject = picture.pixels[:, :, 3] * np.float32(1 / top_value(picture.pixels))
    else:
        subject = brought_up(subject_mask(canvas), picture)
    thrown = _thrown(subject) * np.float32(strength)
    result = picture.pixels.copy()
    for rows in strips(picture.height):
        share = enlarged_rows(thrown, rows, picture.height, picture.width) * (1 - subject[rows])
        lay(result[rows], share, color, (0, 0))
    return canvas.with_pixels(result)


def _thrown(subject: Floats) -> Floats:
    """The subject's shadow on a small copy: lower, to the right, and soft."""
    height, width = subject.shape
    size = copy_size(_MASK_SIDE, width, height)
    small = cv2.resize(subject, size, interpolation=cv2.INTER_AREA)
    reach = 0.02 * max(size)
    matrix = np.array([[1, 0, 0.7 * reach], [0, 1, reach]], np.float32)
    return blurred(cv2.warpAffine(small, matrix, size), reach)
