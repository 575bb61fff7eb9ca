"""Props: images that ship with Darkroom and can be added to the scene of a photo."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import cast

import numpy as np
from PIL import Image

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, chroma_of, color_of, oklab
from editor.engine.drawing.paint import paint_over, scaled
from editor.engine.errors import OperationError
from editor.engine.operations.add.prop_light import SceneLight, grainy, reflect_in_water, relight_prop, shadow
from editor.engine.operations.add.prop_places import Spot, spots
from editor.engine.operations.add.worn_props import Fit, Hat, find_fits, put_on
from editor.engine.operations.color.recolor import recolored
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Step
from editor.engine.props import FOLDER, PROPS, Prop
from editor.imaging.picture import Pixels
from editor.sentences import Sentence

_TURNED = 0.08  # OKLab distance from the main hue over which recoloring fades out.
_GRAY = 0.04  # maximum median OKLab chroma of a mostly gray object
_FAINT = 0.008  # maximum OKLab chroma of a gray pixel on a mostly gray object
# Maximum difference, in radians, between two hues that count as the same on a mostly gray object.
_LIKE = 0.8
_GRAYS = frozenset({"gray", "black", "white", "silver"})
_MIN_PHOTO_PIXELS = 24  # minimum shorter side, in pixels, of a photo to which props can be added
_SEEN = 0.02  # maximum alpha, from 0 to 1, at which a pixel counts as invisible
_APART = 0.03  # margin around a prop that later drawings leave free, as a share of the prop's sides


@operation
def prop(canvas: Canvas, step: Step, *, prop: str, color: str | None, count: int, aloft: bool) -> Canvas:
    """Add `count` copies of the requested prop to the photo, in the photo's light and with shadows.

    Hats go on heads, and glasses go over eyes. Raises OperationError if there is no room.
    """
    chosen = PROPS[prop]
    if min(canvas.picture.width, canvas.picture.height) < _MIN_PHOTO_PIXELS:
        raise OperationError(
            Reason.TOO_LARGE,
            Sentence("There isn't enough room for it in this photo."),
            Sentence("Use a larger photo."),
        )
    sprite = sprite_of(chosen, color)
    if chosen.is_worn and (step.place == chosen.sits or step.target.what == "region"):
        hat = Hat(chosen.hairline, chosen.head, chosen.middle)
        worn = find_fits(canvas, step.at(chosen.sits), aspect_of(sprite), hat)
        if worn:
            result = canvas.picture.pixels.copy()
            _wear(worn, sprite, _air(canvas), result)
            return canvas.with_pixels(result)
    placed = spots(canvas, step, chosen, aspect_of(sprite), count=count, is_aloft=aloft)
    return with_props(canvas, sprite, placed)


def sprite_of(prop: Prop, color: str | None) -> Floats:
    """Return the image of a prop, recolored if a color is given.

    The image is an array of height x width x 4 with values from 0 to 1 and premultiplied colors.
    """
    return _picture(prop.name) if color is None else _in_color(prop.name, color)


def _air(canvas: Canvas) -> SceneLight:
    return canvas.get_or_compute("air", lambda: SceneLight.of(canvas.picture))


def with_props(canvas: Canvas, sprite: Floats, placed: Sequence[Spot]) -> Canvas:
    """Return the photo with the prop's image at each place; nearer props cover more distant ones.

    The places are marked as occupied, so that later drawings do not overlap them.
    """
    air, random = _air(canvas), np.random.default_rng(canvas.seed)
    result = canvas.picture.pixels.copy()
    for spot in sorted(placed, key=lambda spot: spot.box.bottom):
        _stand(result, sprite, spot, air, random)
        grown = spot.box.grown(_APART, canvas.picture.width, canvas.picture.height)
        canvas = replace(canvas, occupied=(*canvas.occupied, grown))
    return canvas.with_pixels(result)


@lru_cache(24)
def _picture(name: str) -> Floats:
    """Return the image of a prop.

    The image is an array of height x width x 4 with values from 0 to 1 and premultiplied colors.
    """
    with Image.open(FOLDER / f"{name}.webp") as image:
        straight = np.asarray(image.convert("RGBA"), np.float32) / np.float32(255)
    seen = straight[Box.around((straight[:, :, 3] > _SEEN).astype(np.uint8)).slices]
    return np.dstack([seen[:, :, :3] * seen[:, :, 3:], seen[:, :, 3]])


@lru_cache(24)
def _in_color(name: str, color: str) -> Floats:
    """Return the image of a prop with its main color changed to another color."""
    sprite = _picture(name)
    alpha = np.ascontiguousarray(sprite[:, :, 3])
    straight = np.clip(sprite[:, :, :3] / np.maximum(alpha, 1e-3)[:, :, None], 0, 1)
    is_gray = not _GRAYS.isdisjoint(PROPS[name].colors.split())
    share = _of_the_main_color(straight, alpha, is_gray=is_gray)
    pixels = cast(Pixels, (straight * 255 + 0.5).astype(np.uint8))
    new = recolored(pixels, color_of(color), mask=share * alpha, follows=0.7)
    mixed = straight + share[:, :, None] * (new * np.float32(1 / 255) - straight)
    return np.dstack([mixed * alpha[:, :, None], alpha])


def _of_the_main_color(colors: Floats, alpha: Floats, *, is_gray: bool) -> Floats:
    """Return how much each pixel belongs to the object's main color, from 0 to 1.

    The main color is the most frequent hue, unless the object is mostly gray. For a mostly gray object, the
    main color is gray if `is_gray` is true. If `is_gray` is false, as for a colored bicycle, it is the hue of
    the object's few colored pixels.
    """
    lab = oklab(colors)
    chroma = chroma_of(lab)
    solid = alpha > 0.5
    is_mostly_gray = float(np.median(chroma[solid])) < _GRAY
    if is_mostly_gray and is_gray:
        share = np.where(chroma < 2 * _GRAY, np.float32(1), np.clip(3 - chroma / _GRAY, 0, 1))
        return share.astype(np.float32)
    hues = np.arctan2(lab[:, :, 2], lab[:, :, 1])
    counts, edges = np.histogram(hues[solid], 36, (-np.pi, np.pi), weights=chroma[solid])
    main = float(edges[int(counts.argmax())] + np.pi / 36)
    far = np.abs(np.angle(np.exp(1j * (hues - main)))) * np.minimum(chroma, 0.12)
    share = np.clip(2 - far / _TURNED * 2.4, 0, 1)
    if is_mostly_gray:
        share *= np.clip(chroma / _FAINT - 1, 0, 1) * (np.abs(np.angle(np.exp(1j * (hues - main)))) < _LIKE)
    return share.astype(np.float32)


def _stand(pixels: Pixels, sprite: Floats, spot: Spot, air: SceneLight, random: np.random.Generator) -> None:
    """Paint one prop and its shadow or reflection onto the pixels in place."""
    if spot.is_mirrored != air.is_from_the_right:
        sprite = np.ascontiguousarray(sprite[:, ::-1])
    box = spot.box
    colors, coverage = scaled(sprite, box.width, box.height)
    colors, coverage = relight_prop(colors, coverage, air, pixels, box)
    if spot.has_shadow:
        shadow(pixels, coverage, spot.box, air)
    if spot.is_afloat:
        reflect_in_water(pixels, colors, coverage, spot.box)
    paint_over(pixels, coverage, grainy(colors, air, random), (box.left, box.top))


def _wear(worn: Sequence[Fit], sprite: Floats, air: SceneLight, pixels: Pixels) -> None:
    """Paint hats on the heads, or glasses over the eyes, in place."""
    for fit in worn:
        box = Box.centered(fit.at, max(1, round(fit.width)), max(1, round(fit.width / aspect_of(sprite))))
        put_on(pixels, *relight_prop(*scaled(sprite, box.width, box.height), air, pixels, box), fit)


def aspect_of(sprite: Floats) -> float:
    """Return the width of a prop's image divided by its height."""
    height, width = sprite.shape[:2]
    return float(width / height)
