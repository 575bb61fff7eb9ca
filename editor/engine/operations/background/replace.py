"""Replace, blur, or remove the background."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, color_of
from editor.engine.drawing.crop_windows import fitted_cover
from editor.engine.drawing.layers import Layers, layers
from editor.engine.drawing.photos import reference_photo
from editor.engine.errors import OperationError
from editor.engine.masks import box_of, enlarged_rows
from editor.engine.operations.background.gradient import gradient
from editor.engine.operations.background.lens import film_grain, out_of_focus
from editor.engine.operations.background.light import pictured, relit
from editor.engine.operations.background.scenes import PLACES, SKIES, drawn_scene
from editor.engine.pixels import STRIP, copy_size, top_value, working_copy
from editor.engine.plan import Reason, Step, Target
from editor.engine.targets.detector import things_seen
from editor.engine.targets.grounds import ground_mask
from editor.engine.targets.outlines import combine_outlines
from editor.engine.targets.subject import large_people_and_animals, subject_mask
from editor.engine.targets.target_masks import target_mask
from editor.engine.targets.thing_outlines import exact_cut, thing_mask_on_copy, things_in_front
from editor.engine.targets.things import target_things
from editor.engine.threads import in_threads
from editor.imaging.picture import Picture, Pixels, eight_bits, flatten
from editor.sentences import Sentence

_WORKING_PIXELS = 1000  # Longer side, in pixels, of the copy on which the blurred background is computed.
# Distances above the lower edge of the photo at which a person or an animal is moved down to that edge, as
# shares of the photo's height.
_NEAR, _FAR = 0.01, 0.2
_GRAIN_ROWS = 8 * STRIP  # height, in pixels, at which drawn film grain repeats
_HIDDEN_FEET = 0.06  # Height of the end of a subject that plants hide, as a share of the photo's height.
_RELIT = Sentence("I matched the light on the subject to the new background. It may still look different.")


@operation
def solid_background(canvas: Canvas, step: Step, *, color: str) -> Canvas:
    """Replace the background with a solid color.

    Raises OperationError if no subject is found.
    """
    pixels = canvas.picture.pixels
    paint = np.array(color_of(color)) * (top_value(pixels) // 255)
    sheet = np.full((STRIP, pixels.shape[1], 3), paint, pixels.dtype)
    return canvas.with_pixels(_layers(canvas, step).over(lambda rows: sheet[: rows.stop - rows.start]))


@operation
def gradient_background(canvas: Canvas, step: Step, *, end: str | None) -> Canvas:
    """Replace the background with a gradient that starts at the requested place, or at the top by default.

    Raises OperationError if no subject is found.
    """
    rows_of = gradient(canvas.picture.width, canvas.picture.height, step, end)
    return canvas.with_pixels(_layers(canvas, step).over_colors(rows_of))


@operation
def drawn_background(canvas: Canvas, step: Step, *, scene: str) -> Canvas:
    """Put a drawn scene, such as a studio or a sky, behind the subject.

    Raises OperationError if no subject is found.
    """
    ground = drawn_scene(canvas, step, scene)
    if scene in SKIES:
        return _in_the_sky(canvas, step, ground)
    if scene not in PLACES:
        return canvas.with_pixels(_layers(canvas, step).over_small(ground))
    height, width = canvas.picture.height, canvas.picture.width
    grain = film_grain(_GRAIN_ROWS, width, np.random.default_rng(canvas.seed))

    def rows_of(rows: slice) -> Floats:
        top = rows.start % _GRAIN_ROWS
        own = grain[top : top + rows.stop - rows.start]
        return enlarged_rows(ground, rows, height, width) + own

    return _in_a_place(canvas, step, pictured(ground), rows_of)


def _in_the_sky(canvas: Canvas, step: Step, sky: Floats) -> Canvas:
    """Return the photo with its subject in front of a drawn sky.

    A person or an animal would float in a sky without ground. It is moved down to the lower edge if it is not
    far above that edge, and farther if plants hide its feet. A subject that the upper edge cuts stays.
    """
    mask = _kept_mask(canvas, step)
    rows = np.flatnonzero((mask > 0.5).any(1))
    free = 1 - (rows[-1] + 1) / len(mask) if rows.size else 0.0
    is_cut, is_named = bool((mask[0] > 0.5).any()), bool(step.keep or step.target.noun)
    if is_cut or is_named or not _NEAR < free < _FAR or not _is_standing(canvas):
        return canvas.with_pixels(layers(canvas.picture, mask).over_small(sky))
    share = free + _HIDDEN_FEET * _is_in_plants(canvas, mask)
    down, matrix = round(share * canvas.picture.height), np.eye(2, 3, dtype=np.float32)
    matrix[1, 2] = down
    lower = canvas.moved(_moved_down(canvas.picture.pixels, down), matrix)
    parts = layers(lower.picture, _moved_down(mask, round(share * len(mask))))
    return lower.with_pixels(parts.over_small(sky))


def _is_in_plants(canvas: Canvas, mask: Floats) -> bool:
    """Return whether plants are right below the lower end of the subject."""
    plants = ground_mask(canvas, "plants")
    if plants is None:
        return False
    box = box_of(mask, canvas.picture).sized(plants.shape[1] / canvas.picture.width)
    below = plants[box.bottom :, box.left : box.right]
    return bool(below.size and below.mean() > 0.5)


def _is_standing(canvas: Canvas) -> bool:
    """Return whether the subject is people or animals other than birds."""
    subjects = large_people_and_animals(canvas.picture, things_seen(canvas))
    return bool(subjects) and all(thing.kind != "bird" for thing in subjects)


def _moved_down[A: (Floats, Pixels)](values: A, rows: int) -> A:
    """Return a picture or a mask moved down. Its first row fills the rows above it."""
    return np.concatenate([np.repeat(values[:1], rows, 0), values[: len(values) - rows]])


def _in_a_place(canvas: Canvas, step: Step, place: Picture, rows_of: Callable[[slice], Floats]) -> Canvas:
    """Return the photo with its subject in front of a new background.

    `rows_of` returns rows of pixels of the new background. Unless the step names objects to keep, the light
    on the subject is partly matched to the new background.
    """
    photo = canvas.picture if step.keep else relit(canvas.picture, place)
    result = canvas.with_pixels(layers(photo, _kept_mask(canvas, step)).over_colors(rows_of))
    return result if step.keep else result.with_notice(_RELIT)


@operation
def blur_background(canvas: Canvas, step: Step, *, amount: float) -> Canvas:
    """Blur the background without a halo of the subject's colors.

    If the step names what stays sharp, the things in front of it are blurred, too. Transparent areas stay
    transparent.
    """
    parts = _layers(canvas, step, strict=False)
    blurred = _blurred_behind(parts, amount)
    in_front = _blur_in_front(canvas, step.target, amount) if step.target.noun else None
    if in_front is not None:
        parts = replace(parts, alpha=parts.alpha * (1 - in_front))
    return canvas.with_pixels(parts.over_small(blurred, fills=False))


@operation
def transparent_background(canvas: Canvas, step: Step) -> Canvas:
    """Make the background transparent.

    The old background's color is removed from the edge of the subject. Raises OperationError if no subject is
    found.
    """
    return canvas.with_pixels(_layers(canvas, step).cut_out())


@operation
def photo_background(canvas: Canvas, step: Step) -> Canvas:
    """Put another photo behind the subject, scaled to cover the whole background.

    The light on the subject is partly matched to that photo. Raises OperationError if the photo was not
    supplied or no subject is found.
    """
    photo = reference_photo(canvas, step, Sentence("Attach the photo to use as the background."))
    filled = fitted_cover(photo.pixels, canvas.picture.width, canvas.picture.height)
    ground = flatten(eight_bits(Picture(filled)))
    enlarged = max(canvas.picture.width / photo.width, canvas.picture.height / photo.height)
    result = _in_a_place(canvas, step, Picture(ground), lambda rows: ground[rows] * np.float32(1 / 255))
    return result.limit_view_scale(photo.view_scale / enlarged)


def _layers(canvas: Canvas, step: Step, *, strict: bool = True) -> Layers:
    return layers(canvas.picture, _kept_mask(canvas, step, strict=strict))


def _kept_mask(canvas: Canvas, step: Step, *, strict: bool = True) -> Floats:
    """Return a mask, as large as a working copy, of the subject and the objects that the step keeps.

    If the step names an object, that object is used instead of the subject. If `strict`, raises
    OperationError if something hides a part of it: in front of a new background, the part would be missing.
    """
    if step.target.noun:
        named = replace(step.target, what="thing")
        if strict:
            _require_unhidden(canvas, named)
        mask = thing_mask_on_copy(canvas, named)
    else:
        mask = subject_mask(canvas, strict=strict)
    for kept in step.keep:
        if kept.what != "subject":
            size = (mask.shape[1], mask.shape[0])
            more = cv2.resize(target_mask(canvas, kept), size, interpolation=cv2.INTER_AREA)
            mask = np.maximum(mask, more)
    return mask


def _require_unhidden(canvas: Canvas, target: Target) -> None:
    """Raise OperationError if something hides a part of the things that a target names."""
    if things_in_front(canvas, target_things(canvas, target)):
        sentence = Sentence("Something else is in front of the %(noun)s.", noun=target.noun)
        hint = Sentence("Don't name what to keep. Then everything in the foreground stays.")
        raise OperationError(Reason.LOW_CONFIDENCE, sentence, hint)


def _blurred_behind(parts: Layers, amount: float) -> Floats:
    """Return the background, out of focus and without the subject.

    Each point becomes a disc in roughly linear light. Deep inside the subject, there is no nearby background
    to blur, but that area is never visible.
    """
    small = working_copy(parts.picture, _WORKING_PIXELS) * np.float32(1 / 255)
    free = np.clip(1 - cv2.resize(parts.alpha, small.shape[1::-1], interpolation=cv2.INTER_AREA), 0, 1)
    radius = _blur_radius(amount, small)
    lights = cv2.pow(small, 2.2) * free[:, :, None], free
    total, weight = in_threads(lambda light: out_of_focus(light, radius), lights)
    return cast(Floats, cv2.pow(total / np.maximum(weight, 1e-3)[:, :, None], 1 / 2.2))


def _blur_in_front(canvas: Canvas, target: Target, amount: float) -> Floats | None:
    """Return how much of each pixel the things in front of the named things cover once they are blurred.

    Return None if nothing is in front of them. Out of focus, a thing covers more than its outline, but less
    and less toward the end of the blur.
    """
    named = target_things(canvas, replace(target, what="thing"))
    cuts = [cut for thing in things_in_front(canvas, named) if (cut := exact_cut(canvas, thing))]
    if not cuts:
        return None
    mask = combine_outlines(canvas.picture, cuts)
    size = copy_size(_WORKING_PIXELS, *mask.shape[::-1])
    small: Floats = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    spread = np.clip(2 * out_of_focus(small, _blur_radius(amount, small)), 0, 1)
    return cast(Floats, cv2.resize(spread, mask.shape[::-1], interpolation=cv2.INTER_LINEAR))


def _blur_radius(amount: float, small: Floats) -> int:
    """Return the radius of the discs that points out of focus become, in pixels of a small copy."""
    share = 0.008 + 0.035 * min(1.0, abs(amount))
    height, width = small.shape[:2]
    return int(max(2, round(share * max(height, width))))
