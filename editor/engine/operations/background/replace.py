"""The background in one color or two, drawn, blurred, gone, or another photo."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import STRIP, Canvas, operation, top_value, working_copy
from editor.engine.colors import Floats, color_of
from editor.engine.operations.background.gradient import gradient
from editor.engine.operations.background.layers import Layers, layers
from editor.engine.operations.background.light import relit
from editor.engine.operations.background.photos import supplied
from editor.engine.operations.background.scenes import scene
from editor.engine.operations.composition.crop import fitted_cover
from editor.engine.plan import Step
from editor.engine.targets.find import target_mask
from editor.engine.targets.masks import ALPHA_SIDE, enlarged_rows
from editor.engine.targets.subject import subject_mask
from editor.engine.targets.things import thing_mask
from editor.imaging.codecs import Bytes, Picture, Pixels, eight_bits, flatten

_BLUR_SIDE = 1000


@operation
def solid_background(canvas: Canvas, step: Step) -> Canvas:
    """Everything behind the subject in one color."""
    pixels = canvas.picture.pixels
    color = np.array(color_of(step.color or "white")) * (top_value(pixels) // 255)
    sheet = np.empty((min(STRIP, pixels.shape[0]), pixels.shape[1], 3), pixels.dtype)
    sheet[:] = color
    return canvas.with_pixels(_layers(canvas, step).over(lambda rows: sheet[: rows.stop - rows.start]))


@operation
def gradient_background(canvas: Canvas, step: Step) -> Canvas:
    """Everything behind the subject from one color (at the step's place, else at the top) to another."""
    rows_of = gradient(canvas.picture.width, canvas.picture.height, step)
    parts = _layers(canvas, step)
    return canvas.with_pixels(parts.over(_in_depth(parts, rows_of)))


@operation
def drawn_background(canvas: Canvas, step: Step) -> Canvas:
    """A ground that is drawn behind the subject: its choice is one of scenes.SCENES."""
    ground, parts = scene(canvas, step), _layers(canvas, step)
    height, width = parts.alpha.shape
    return canvas.with_pixels(
        parts.over(_in_depth(parts, lambda rows: enlarged_rows(ground, rows, height, width)))
    )


@operation
def blur_background(canvas: Canvas, step: Step) -> Canvas:
    """Everything behind the subject out of focus, by its own colors only: no halo of the subject."""
    parts = _layers(canvas, step, strict=False)
    soft = _blurred_behind(parts, canvas.amount(step))
    height, width = parts.alpha.shape
    ground = _in_depth(parts, lambda rows: enlarged_rows(soft, rows, height, width))
    return canvas.with_pixels(parts.over(ground))


@operation
def transparent_background(canvas: Canvas, step: Step) -> Canvas:
    """Nothing behind the subject: alpha 0 there, and the subject's own colors along its edge."""
    return canvas.with_pixels(_layers(canvas, step).cut_out())


@operation
def photo_background(canvas: Canvas, step: Step) -> Canvas:
    """Another of the supplied photos behind the subject, scaled to fill, and partly matched in light."""
    photo = supplied(canvas, step, "Attach the photo of the background.")
    ground = _ground(photo, canvas.picture)
    parts = layers(relit(canvas.picture, Picture(ground)), _kept_mask(canvas, step, strict=True))
    blended = parts.over(_in_depth(parts, lambda rows: ground[rows] * np.float32(1 / 255)))
    notice = "The subject was brought nearer to the light of the new background; it may still differ."
    return canvas.with_pixels(blended).noticing(notice)


def _in_depth(parts: Layers, ground: Callable[[slice], Floats]) -> Callable[[slice], Pixels]:
    """Rows of 0 to 1 as rows of the picture's pixels."""
    kind, top = parts.picture.pixels.dtype, np.float32(top_value(parts.picture.pixels))
    return lambda rows: cast(Pixels, (np.clip(ground(rows), 0, 1) * top + np.float32(0.5)).astype(kind))


def _layers(canvas: Canvas, step: Step, *, strict: bool = True) -> Layers:
    return layers(canvas.picture, _kept_mask(canvas, step, strict=strict))


def _kept_mask(canvas: Canvas, step: Step, *, strict: bool) -> Floats:
    """The subject, or the thing that is named instead, and what the step keeps besides."""
    mask = _named_mask(canvas, step) if step.target.noun else subject_mask(canvas, strict=strict)
    for kept in step.keep:
        if kept.what != "subject":
            size = (mask.shape[1], mask.shape[0])
            more = cv2.resize(target_mask(canvas, kept), size, interpolation=cv2.INTER_AREA)
            mask = cast(Floats, np.maximum(mask, more))
    return mask


def _named_mask(canvas: Canvas, step: Step) -> Floats:
    """A thing that was looked for, on a working copy."""
    mask = thing_mask(canvas, replace(step.target, what="thing"))
    scale = min(1.0, ALPHA_SIDE / max(mask.shape))
    size = (max(1, round(mask.shape[1] * scale)), max(1, round(mask.shape[0] * scale)))
    return cast(Floats, cv2.resize(mask, size, interpolation=cv2.INTER_AREA))


def _blurred_behind(parts: Layers, amount: float) -> Floats:
    """The background alone, as a lens would draw it far away: a disc, softened, in linear-like light."""
    small = working_copy(parts.picture, _BLUR_SIDE) * np.float32(1 / 255)
    size = (small.shape[1], small.shape[0])
    free = np.clip(1 - cv2.resize(parts.alpha, size, interpolation=cv2.INTER_AREA), 0, 1)
    radius = max(2, round((0.008 + 0.035 * min(1.0, abs(amount))) * max(size)))
    light = (small**2.2) * free[:, :, None]
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1,) * 2).astype(np.float32)
    disc /= disc.sum()
    total, weight = cv2.filter2D(light, -1, disc), cv2.filter2D(free, -1, disc)
    far = _filled(cast(Floats, total), cast(Floats, weight))
    return cast(Floats, cv2.GaussianBlur(far, (0, 0), radius / 4) ** np.float32(1 / 2.2))


def _filled(total: Floats, weight: Floats) -> Floats:
    """Deep inside the subject nothing of the background is near; what is there is never seen."""
    return cast(Floats, np.maximum(total, 0) / np.maximum(weight, 1e-3)[:, :, None])


def _ground(photo: Picture, picture: Picture) -> Bytes:
    """The other photo at the picture's size, 8-bit RGB."""
    filled = fitted_cover(photo.pixels, picture.width, picture.height)
    return flatten(eight_bits(Picture(filled)))
