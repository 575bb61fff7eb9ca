"""Draw a sticker: another photo of the same edit, drawn small over the first photo."""

from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.drawing.layers import layers
from editor.engine.drawing.paint import paint_over, paint_picture, premultiplied, soft_shadow
from editor.engine.drawing.photos import reference_photo
from editor.engine.errors import OperationError
from editor.engine.operations.add.places import place_item, target_boxes
from editor.engine.pixels import Box, copy_size, top_value
from editor.engine.plan import Step
from editor.engine.targets.subject import subject_mask
from editor.imaging.picture import Picture, Pixels
from editor.sentences import Sentence

_USUAL = 0.36  # default width of a sticker, as a share of the photo's shorter side
_SOFT = 0.025  # blur of a sticker's shadow, as a share of the sticker's longer side
# Margin around a sticker, for the shadow of the next sticker, as a share of the sticker's sides.
_APART = 0.1
_VISIBLE = 0.02  # maximum alpha, from 0 to 1, at which a pixel counts as invisible


@operation
def sticker(canvas: Canvas, step: Step, *, cutout: bool) -> Canvas:
    """Draw photo 2, or the photo that the step names, at a small size and with a soft shadow.

    The small photo is at the requested place (by default the lower right) or inside the target. If `cutout`
    is true, only the subject of the small photo is drawn. Raises OperationError if the small photo was not
    supplied or its subject cannot be separated.
    """
    photo = reference_photo(canvas, step, Sentence("Attach the photo that you want to add."))
    if cutout:
        photo = _cut_out(canvas, photo, step.photo or 2)
    photo = _trimmed(photo)
    width, height = canvas.picture.width, canvas.picture.height
    aspect = photo.width / photo.height
    result = canvas.picture.pixels.copy()
    for target in target_boxes(canvas, step):
        box = place_item(canvas, step, target, aspect=aspect, share=_USUAL, place="bottom right", apart=True)
        is_inside = target is not None and step.target.what != "thing"
        if is_inside:
            box = box.grown(-2 * _SOFT, width, height)
        _lay(result, photo, box, target if target and is_inside else Box(0, 0, width, height))
        enlarged = max(box.width / photo.width, box.height / photo.height)
        canvas = canvas.limit_view_scale(photo.view_scale / enlarged)
        canvas = replace(canvas, occupied=(*canvas.occupied, box.grown(_APART, width, height)))
    return canvas.with_pixels(result)


def _cut_out(canvas: Canvas, photo: Picture, number: int) -> Picture:
    """Return the subject of a photo, at most as large as photo 1.

    The subject is cached for all variations.
    """
    key = ("sticker", number)
    if key not in canvas.cache:
        size = copy_size(max(canvas.picture.width, canvas.picture.height), photo.width, photo.height)
        pixels = cast(Pixels, cv2.resize(photo.pixels, size, interpolation=cv2.INTER_AREA))
        small = Picture(pixels, view_scale=photo.view_scale * photo.width / size[0])
        try:
            mask = subject_mask(canvas.showing(small))
        except OperationError as unable:
            sentence = Sentence(
                "I can't tell the subject of photo %(number)s from its background.", number=number
            )
            hint = Sentence("Use a photo with a plain background, or add the whole photo.")
            raise OperationError(unable.reason, sentence, hint) from None
        canvas.cache[key] = replace(small, pixels=layers(small, mask).cut_out())
    return cast(Picture, canvas.cache[key])


def _trimmed(photo: Picture) -> Picture:
    """Return the photo without the fully transparent rows and columns at its edges."""
    if not photo.has_alpha:
        return photo
    seen = Box.around((photo.pixels[:, :, 3] > _VISIBLE * top_value(photo.pixels)).astype(np.uint8))
    return replace(photo, pixels=photo.pixels[seen.slices]) if seen.width else photo


def _lay(pixels: Pixels, photo: Picture, box: Box, free: Box) -> None:
    """Paint the photo, scaled to the box, along with its shadow.

    The shadow must stay inside the `free` box.
    """
    sized = _sized(photo, box.width, box.height)
    view = pixels[free.slices]
    left, top = box.left - free.left, box.top - free.top
    sigma = max(0.5, _SOFT * max(box.width, box.height))
    reach = round(3 * sigma) + 1
    alpha = sized[:, :, 3] * np.float32(1 / top_value(sized))
    paint_over(
        view, soft_shadow(alpha, sigma, 0.5, pad=reach), (0, 0, 0), (left - reach, top - round(0.8 * reach))
    )
    paint_picture(view, sized, (left, top))


def _sized(photo: Picture, width: int, height: int) -> Pixels:
    """Return the photo, scaled to a size, with premultiplied alpha."""
    how = cv2.INTER_AREA if width < photo.width else cv2.INTER_LINEAR
    pixels = (
        premultiplied(photo.pixels) if photo.has_alpha else cv2.cvtColor(photo.pixels, cv2.COLOR_RGB2RGBA)
    )
    return cast(Pixels, cv2.resize(pixels, (width, height), interpolation=how))
