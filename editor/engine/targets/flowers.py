"""Finds flowers by their color, which must be the only color in the photo besides green."""

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, chroma_of, hue_of, hues_apart, oklab_from_8_bit
from editor.engine.errors import OperationError
from editor.engine.masks import (
    ALPHA_SIDE,
    boxes_to_mask,
    closed,
    keep_large_components,
    opened,
    refine_mask,
    touching,
    upsample_mask,
)
from editor.engine.pixels import working_copy
from editor.engine.plan import Reason, Target
from editor.engine.targets.cutout_quality import outline_contrast
from editor.engine.targets.detector import things_seen
from editor.engine.targets.people import Mask
from editor.engine.vision.things import SURE
from editor.imaging.picture import Bytes
from editor.sentences import Sentence

_WORKING_PIXELS = 400  # longer side, in pixels, of the working copy that is searched for flowers
_SMALLEST = 24  # minimum width and height, in pixels, of a working copy that is searched
_COLORED = 0.085  # minimum OKLab chroma of a petal
_PETAL = 30.0  # maximum difference between a petal's hue and the usual hue, in degrees
_DARKEST = 0.25  # minimum OKLab lightness of a petal, because the hue of darker pixels is unreliable
_ALONE = 0.75  # minimum share of all colored pixels that must be petals
_SKYLINE = 0.3  # maximum share of the top edge that blue petals may cover; the sky covers more
_GREEN = (100.0, 178.0)  # range of green hues, in degrees
_SKY = (205.0, 275.0)  # range of the sky's hues, in degrees
_LEAST = 0.004  # minimum share of the photo that flowers cover
_MOST = 0.65  # maximum share of the photo that flowers cover; the ground covers more
_CLEAR = 0.62  # minimum share of the flowers' outline at which the colors on both sides differ
_VIVID = 0.1  # minimum median OKLab chroma of flowers; bricks and soil have less
_AMID = 0.12  # minimum share of green in the photo outside the flowers
_GRASSY = 0.04  # minimum OKLab chroma of green around flowers
_OTHERS = 0.4  # maximum share of the flowers that may be on things other than plants
_PLANTS = frozenset({"potted plant", "vase"})  # kinds of detected things that may hold flowers


def flowers_mask(canvas: Canvas, target: Target) -> Floats:
    """Return the mask of the flowers at the picture's size. Raises OperationError if they are uncertain."""
    small = working_copy(canvas.picture, _WORKING_PIXELS)
    flowers = find_flowers(small) if min(small.shape[:2]) >= _SMALLEST else None
    if flowers is None or _is_on_other_things(canvas, flowers):
        hint = Sentence(
            "Name the color, for example “the red %(noun)s”, or draw a box around the %(noun)s.",
            noun=target.noun,
        )
        raise OperationError(
            Reason.LOW_CONFIDENCE, Sentence("I can't clearly make out the %(noun)s.", noun=target.noun), hint
        )
    soft = cv2.GaussianBlur(flowers.astype(np.float32), (0, 0), 0.8)
    return upsample_mask(
        refine_mask(soft, working_copy(canvas.picture, ALPHA_SIDE), radius=6), canvas.picture
    )


def find_flowers(small: Bytes) -> Bytes | None:
    """Return a 0/1 mask of the pixels that have the only color besides green.

    Return None if there are other colors or if there is too little green.
    """
    lab = oklab_from_8_bit(small)
    chroma, hue = chroma_of(lab), hue_of(lab)
    colored = (chroma > _COLORED) & (lab[:, :, 0] > _DARKEST) & ~_in_hue_range(hue, _GREEN)
    if not _LEAST < colored.mean() < _MOST:
        return None
    main_hue = _usual_hue(hue[colored], chroma[colored])
    difference = hues_apart(hue, main_hue)
    petals = colored & (difference < _PETAL)
    is_sky = _SKY[0] < main_hue < _SKY[1] and petals[:3].mean() > _SKYLINE
    if np.count_nonzero(petals) < _ALONE * np.count_nonzero(colored) or is_sky:
        return None
    solid = _join_petals(petals, (difference < 1.4 * _PETAL) & (chroma > 0.5 * _COLORED))
    if not _LEAST < solid.mean() < _MOST or outline_contrast(small, solid) < _CLEAR:
        return None
    is_vivid = bool(np.median(chroma[solid == 1]) > _VIVID)
    return solid if is_vivid and _is_amid_green(solid, hue, chroma) else None


def _in_hue_range(hue: Floats, bounds: tuple[float, float]) -> Mask:
    return (hue > bounds[0]) & (hue < bounds[1])


def _usual_hue(hue: Floats, chroma: Floats) -> int:
    """Return the center, in degrees, of the 30-degree range of hues that has the largest sum of chroma."""
    counts = np.bincount(hue.astype(np.intp) // 10, chroma, minlength=36)
    return 10 * int(np.argmax(counts + np.roll(counts, 1) + np.roll(counts, -1))) + 5


def _join_petals(petals: Mask, wide: Mask) -> Bytes:
    """Add to the petals' mask the paler and darker pixels that touch it, and remove specks."""
    core = opened(petals.astype(np.uint8), 3)
    near = cv2.dilate(core, np.ones((9, 9), np.uint8)) == 1
    joined = touching(core | (wide & near).astype(np.uint8), core == 1)
    return keep_large_components(closed(joined, 5), 0.02)


def _is_amid_green(solid: Bytes, hue: Floats, chroma: Floats) -> bool:
    green = (chroma > _GRASSY) & _in_hue_range(hue, _GREEN)
    return bool(green[solid == 0].mean() > _AMID)


def _is_on_other_things(canvas: Canvas, flowers: Bytes) -> bool:
    """Return whether much of the mask is on things that are not plants, such as people, cars, or fruit."""
    things = [t.box for t in things_seen(canvas) if t.score >= SURE and t.kind not in _PLANTS]
    inside = boxes_to_mask(things, flowers.shape, flowers.shape[1] / canvas.picture.width)
    return bool(inside[flowers == 1].mean() > _OTHERS)
