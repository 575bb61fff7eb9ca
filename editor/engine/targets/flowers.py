"""Find flowers by their color, which must be the only color in the photo besides green."""

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, chroma_of, hue_of, hues_apart, oklab_from_8_bit
from editor.engine.errors import OperationError
from editor.engine.masks import (
    ALPHA_SIDE,
    BoolMask,
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
from editor.engine.vision.things import SURE
from editor.imaging.picture import Bytes
from editor.sentences import Sentence

_WORKING_PIXELS = 400  # longer side, in pixels, of the working copy that is searched for flowers
_MIN_COPY_PIXELS = 24  # minimum width and height, in pixels, of a working copy that is searched
_MIN_PETAL_CHROMA = 0.085  # minimum OKLab chroma of a petal
_MAX_PETAL_DEGREES = 30.0  # maximum difference between a petal's hue and the usual hue, in degrees
# Minimum OKLab lightness of a petal, because the hue of darker pixels is unreliable.
_MIN_PETAL_LIGHTNESS = 0.25
_MIN_PETAL_SHARE = 0.75  # minimum share of all colored pixels that must be petals
_MAX_TOP_EDGE_SHARE = 0.3  # maximum share of the top edge that blue petals may cover; the sky covers more
_GREEN_HUES = (100.0, 178.0)  # range of green hues, in degrees
_SKY_HUES = (205.0, 275.0)  # range of the sky's hues, in degrees
_MIN_FLOWER_SHARE = 0.004  # minimum share of the photo that flowers cover
_MAX_FLOWER_SHARE = 0.65  # maximum share of the photo that flowers cover; the ground covers more
_MIN_OUTLINE_CONTRAST = 0.62  # minimum share of the flowers' outline at which the colors on both sides differ
_MIN_MEDIAN_CHROMA = 0.1  # minimum median OKLab chroma of flowers; bricks and soil have less
_MIN_GREEN_SHARE = 0.12  # minimum share of green in the photo outside the flowers
_MIN_GREEN_CHROMA = 0.04  # minimum OKLab chroma of green around flowers
_MAX_SHARE_ON_THINGS = 0.4  # maximum share of the flowers that may be on things other than plants
_PLANT_KINDS = frozenset({"potted plant", "vase"})  # kinds of detected things that may hold flowers


def flowers_mask(canvas: Canvas, target: Target) -> Floats:
    """Return the mask of the flowers at the picture's size. Raises OperationError if they are uncertain."""
    small = working_copy(canvas.picture, _WORKING_PIXELS)
    flowers = find_flowers(small) if min(small.shape[:2]) >= _MIN_COPY_PIXELS else None
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
    colored = (
        (chroma > _MIN_PETAL_CHROMA)
        & (lab[:, :, 0] > _MIN_PETAL_LIGHTNESS)
        & ~_in_hue_range(hue, _GREEN_HUES)
    )
    if not _MIN_FLOWER_SHARE < colored.mean() < _MAX_FLOWER_SHARE:
        return None
    main_hue = _usual_hue(hue[colored], chroma[colored])
    difference = hues_apart(hue, main_hue)
    petals = colored & (difference < _MAX_PETAL_DEGREES)
    is_sky = _SKY_HUES[0] < main_hue < _SKY_HUES[1] and petals[:3].mean() > _MAX_TOP_EDGE_SHARE
    if np.count_nonzero(petals) < _MIN_PETAL_SHARE * np.count_nonzero(colored) or is_sky:
        return None
    solid = _join_petals(petals, (difference < 1.4 * _MAX_PETAL_DEGREES) & (chroma > 0.5 * _MIN_PETAL_CHROMA))
    if (
        not _MIN_FLOWER_SHARE < solid.mean() < _MAX_FLOWER_SHARE
        or outline_contrast(small, solid) < _MIN_OUTLINE_CONTRAST
    ):
        return None
    is_vivid = bool(np.median(chroma[solid == 1]) > _MIN_MEDIAN_CHROMA)
    return solid if is_vivid and _is_amid_green(solid, hue, chroma) else None


def _in_hue_range(hue: Floats, bounds: tuple[float, float]) -> BoolMask:
    return (hue > bounds[0]) & (hue < bounds[1])


def _usual_hue(hue: Floats, chroma: Floats) -> int:
    """Return the center, in degrees, of the 30-degree range of hues that has the largest sum of chroma."""
    counts = np.bincount(hue.astype(np.intp) // 10, chroma, minlength=36)
    return 10 * int(np.argmax(counts + np.roll(counts, 1) + np.roll(counts, -1))) + 5


def _join_petals(petals: BoolMask, wide: BoolMask) -> Bytes:
    """Add to the petals' mask the paler and darker pixels that touch it, and remove specks."""
    core = opened(petals.astype(np.uint8), 3)
    near = cv2.dilate(core, np.ones((9, 9), np.uint8)) == 1
    joined = touching(core | (wide & near).astype(np.uint8), core == 1)
    return keep_large_components(closed(joined, 5), 0.02)


def _is_amid_green(solid: Bytes, hue: Floats, chroma: Floats) -> bool:
    green = (chroma > _MIN_GREEN_CHROMA) & _in_hue_range(hue, _GREEN_HUES)
    return bool(green[solid == 0].mean() > _MIN_GREEN_SHARE)


def _is_on_other_things(canvas: Canvas, flowers: Bytes) -> bool:
    """Return whether much of the mask is on things that are not plants, such as people, cars, or fruit."""
    things = [t.box for t in things_seen(canvas) if t.score >= SURE and t.kind not in _PLANT_KINDS]
    inside = boxes_to_mask(things, flowers.shape, flowers.shape[1] / canvas.picture.width)
    return bool(inside[flowers == 1].mean() > _MAX_SHARE_ON_THINGS)
