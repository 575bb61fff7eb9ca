"""The background in one color or two, drawn, blurred, gone, or another photo."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, color_of
from editor.engine.drawing.layers import Layers, alpha_sized, layers
from editor.engine.drawing.photos import supplied
from editor.engine.drawing.windows import fitted_cover
from editor.engine.operations.background.gradient import gradient
from editor.engine.operations.background.lens import film_grain
from editor.engine.operations.background.light import relit
from editor.engine.operations.background.scenes import PLACES, drawn_scene
from editor.engine.pixels import STRIP, top_value, working_copy
from editor.engine.plan import Step
from editor.engine.targets.find import target_mask
from editor.engine.targets.masks import enlarged_rows
from editor.engine.targets.subject import subject_mask
from editor.engine.targets.things import thing_mask
from editor.imaging.codecs import Bytes, Picture, eight_bits, flatten

_BLUR_SIDE = 1000
_RELIT = "The subject was brought nearer to the light of the new background; it may still differ."


@operation
def solid_background(canvas: Canvas, step: Step, *, color: str) -> Canvas:
    """Everything behind the subject in one color."""
    pixels = canvas.picture.pixels
    paint = np.array(color_of(color)) * (top_value(pixels) // 255)
    sheet = np.empty((min(STRIP, pixels.shape[0]), pixels.shape[1], 3), pixels.dtype)
    sheet[:] = paint
    return canvas.with_pixels(_layers(canvas, step).over(lambda rows: sheet[: rows.stop - rows.start]))


@operation
def gradient_background(canvas: Canvas, step: Step, *, end: str | None) -> Canvas:
    """Everything behind the subject from one color (at the step's place, else at the top) to another."""
    rows_of = gradient(canvas.picture.width, canvas.picture.height, step, end)
    parts = _layers(canvas, step)
    return canvas.with_pixels(parts.over_colors(rows_of))


@operation
def drawn_background(canvas: Canvas, step: Step, *, scene: str) -> Canvas:
    """A ground of Darkroom's own behind the subject: one of scenes.py."""
    ground = drawn_scene(canvas, step, scene)
    if scene in PLACES:
        return _in_a_place(canvas, step, ground)
    parts = _layers(canvas, step)
    return canvas.with_pixels(parts.over_colors(_enlarged(ground, parts)))


def _in_a_place(canvas: Canvas, step: Step, ground: Floats) -> Canvas:
    """With the grain of film, and the subject partly matched in light, if it is not to stay as it is."""
    photo = canvas.picture if step.keep else relit(canvas.picture, _shown(ground))
    parts = layers(photo, _kept_mask(canvas, step, strict=True))
    grain = film_grain(STRIP, canvas.picture.width, np.random.default_rng(canvas.seed))
    soft = _enlarged(ground, parts)
    blended = parts.over_colors(lambda rows: soft(rows) + grain[: rows.stop - rows.start])
    return canvas.with_pixels(blended) if step.keep else canvas.with_pixels(blended).noticing(_RELIT)


def _enlarged(ground: Floats, parts: Layers) -> Callable[[slice], Floats]:
    """Rows of a small ground at the picture's size."""
    height, width = parts.alpha.shape
    return lambda rows: enlarged_rows(ground, rows, height, width)


@operation
def blur_background(canvas: Canvas, step: Step, *, amount: float) -> Canvas:
    """Everything behind the subject out of focus, by its own colors only: no halo of the subject."""
    parts = _layers(canvas, step, strict=False)
    soft = _blurred_behind(parts, amount)
    return canvas.with_pixels(parts.over_colors(_enlarged(soft, parts)))


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
    blended = parts.over_colors(lambda rows: ground[rows] * np.float32(1 / 255))
    return canvas.with_pixels(blended).noticing(_RELIT)


def _shown(ground: Floats) -> Picture:
    return Picture((np.clip(ground, 0, 1) * np.float32(255) + np.float32(0.5)).astype(np.uint8))


def _layers(canvas: Canvas, step: Step, *, strict: bool = True) -> Layers:
    return layers(canvas.picture, _kept_mask(canvas, step, strict=strict))


def _kept_mask(canvas: Canvas, step: Step, *, strict: bool) -> Floats:
    """The subject, or the thing that is named instead, and what the step keeps besides."""
    mask = _named_mask(canvas, step) if step.target.noun else subject_mask(canvas, strict=strict)
    for kept in step.keep:
        if kept.what != "subject":
            size = (mask.shape[1], mask.shape[0])
            more = cv2.resize(target_mask(canvas, kept), size, interpolation=cv2.INTER_AREA)
            mask = np.maximum(mask, more)
    return mask


def _named_mask(canvas: Canvas, step: Step) -> Floats:
    """A thing that was looked for, on a working copy."""
    return alpha_sized(thing_mask(canvas, replace(step.target, what="thing")))


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
    far = _filled(total, weight)
    return cv2.GaussianBlur(far, (0, 0), radius / 4) ** np.float32(1 / 2.2)


def _filled(total: Floats, weight: Floats) -> Floats:
    """Deep inside the subject nothing of the background is near; what is there is never seen."""
    return np.maximum(total, 0) / np.maximum(weight, 1e-3)[:, :, None]


def _ground(photo: Picture, picture: Picture) -> Bytes:
    """The other photo at the picture's size, 8-bit RGB."""
    filled = fitted_cover(photo.pixels, picture.width, picture.height)
    return flatten(eight_bits(Picture(filled)))
