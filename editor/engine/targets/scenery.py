"""Find sky, grass, water, and skin by their characteristic colors and positions."""

from collections.abc import Callable
from typing import Literal, cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, chroma_of, hue_of, oklab_from_8_bit
from editor.engine.errors import OperationError, click_or_mark
from editor.engine.kinds import is_plural
from editor.engine.masks import ALPHA_SIDE, BoolMask, closed, keep_large_components, opened
from editor.engine.pixels import working_copy
from editor.engine.plan import Reason, Target
from editor.engine.targets.color import likeness
from editor.engine.targets.faces import faces_seen
from editor.engine.targets.grounds import ground_mask, has_grounds, open_land_mask
from editor.engine.targets.people import skin_likelihood
from editor.engine.targets.sky_mask import (
    MIN_COPY_PIXELS,
    MIN_HORIZON_WIDTH,
    MIN_MAJORITY_SHARE,
    MIN_POSSIBLE_CERTAINTY,
    WORKING_PIXELS,
    add_gaps,
    find_sky,
    refine_sky,
    sky_by_both,
    sky_or_marked_sky,
    sky_with_edges,
    soften,
)
from editor.engine.targets.subject import find_subject
from editor.engine.vision.grounds import Kind
from editor.imaging.picture import Bytes
from editor.sentences import Sentence

# Maximum share of the upper half of a photo that plants cover if all of them are grass.
_MAX_UPRIGHT_SHARE = 0.05
_WATER_HUES = (165.0, 275.0)  # range of the hues of blue and turquoise water, in degrees
_MAX_WATER_GAP = 0.1  # maximum width of water that the analysis misses, as a share of the photo's longer side
_MIN_WATER_CHROMA = 0.02  # minimum OKLab chroma of blue water
_MIN_WATER_ROW_SHARE = 0.5  # minimum share of a row that a horizon, or the water below it, covers
_MIN_HORIZON_DROP = 0.03  # minimum decrease in OKLab lightness at a horizon
# Height of the area above a horizon that shows the sky, as a share of the photo's height.
_ABOVE_HORIZON = 0.15
_MIN_SKY_ABOVE_HORIZON = 0.3  # minimum share of this area that is sky
_MIN_BAND_HEIGHT = 0.01  # minimum height of a band of water, as a share of the photo's height
_MIN_FIELD_SHARE = 0.06  # minimum share of the photo that a field covers
_MIN_GRASS_CHROMA = 0.04  # minimum OKLab chroma of grass, which sand and stone do not have
# Lowest hue of grass, which may be dry, and lowest hue of green grass, in degrees.
_MIN_GRASS_HUES = (60.0, 95.0)
_MAX_GRASS_HUE = 160.0  # highest hue of grass, in degrees
# Minimum share of a field that has the hue of grass, and minimum share that has the hue of green grass. Sand
# and soil have no green.
_MIN_GRASS_SHARE, _MIN_GREEN_SHARE = 0.7, 0.15
# For each noun, the kind of ground that the photo's analysis finds for it.
_GROUND_OF: dict[str, Kind] = {
    "sky": "sky",
    "water": "water",
    "grass": "plants",
    **dict.fromkeys(("wall", "walls"), "wall"),
    **dict.fromkeys(("ground", "floor", "street", "road", "pavement", "sidewalk", "path"), "ground"),
    **dict.fromkeys(("sand", "beach"), "ground"),
}

# Nouns that mean all plants in a photo. The language gives most of them the color green.
PLANT_NOUNS = frozenset(
    {"trees", "plants", "forest", "woods", "bushes", "foliage", "greenery", "vegetation", "jungle", "leaves"}
)

SCENERY_NOUNS = frozenset({"sky", "grass", "water", "skin"})


def scenery_mask(canvas: Canvas, noun: str) -> Floats | None:
    """Return a mask, on a working copy, of the scenery that a noun names.

    Return None for nouns of other things. Raises OperationError if the scenery is not found.
    """
    if noun not in SCENERY_NOUNS and noun not in _GROUND_OF:
        return None
    small = working_copy(canvas.picture, WORKING_PIXELS)
    finders: dict[str, Callable[[], Bytes | None]] = {
        "sky": lambda: sky_or_marked_sky(canvas, small),
        "grass": lambda: find_grass(small),
        "water": lambda: find_water(small),
        "skin": lambda: _find_skin(canvas, small),
    }
    if noun in _GROUND_OF and has_grounds(canvas):
        mask = _ground_by_analysis(canvas, noun, small)
        if mask is not None:
            return mask
        if not any(canvas.boxes):
            raise _not_found_error(canvas, noun)
    solid = finders[noun]() if noun in finders and min(small.shape[:2]) >= MIN_COPY_PIXELS else None
    if solid is None:
        raise _not_found_error(canvas, noun)
    if noun == "sky":
        return sky_with_edges(canvas, add_gaps(solid, working_copy(canvas.picture, ALPHA_SIDE)))
    return soften(canvas, solid)


def find_on_copy(canvas: Canvas, noun: Literal["sky", "water"], small: Bytes) -> Bytes | None:
    """Return a 0/1 mask, on a working copy, of the sky or the water in the whole photo, or None."""
    if min(small.shape[:2]) < MIN_COPY_PIXELS:
        return None
    if not has_grounds(canvas):
        return find_sky(small) if noun == "sky" else find_water(small)
    likely = ground_mask(canvas, noun)
    return None if likely is None else (cv2.resize(likely, small.shape[1::-1]) > 0.5).astype(np.uint8)


def plants_mask(canvas: Canvas, target: Target) -> Floats | None:
    """Return a mask, on a working copy, of the plants that a target means, such as "the trees".

    Return None if the target is something else, or if the analysis is not certain of the plants.
    """
    is_meant = target.noun in PLANT_NOUNS and target.color in (None, "green")
    return ground_mask(canvas, "plants") if is_meant else None


def _ground_by_analysis(canvas: Canvas, noun: str, small: Bytes) -> Floats | None:
    """Return a mask of the kind of ground that a noun names, or None if the analysis is not certain of it."""
    if noun == "grass":
        return _grass_by_analysis(canvas, small)
    likely = ground_mask(canvas, _GROUND_OF[noun])
    if noun == "sky" and likely is None:
        return sky_by_both(canvas, small)
    if noun == "water":
        return _water_at_the_horizon(canvas, small) if likely is None else _water_with_gaps(canvas, likely)
    return refine_sky(canvas, likely, small) if noun == "sky" and likely is not None else likely


def _water_with_gaps(canvas: Canvas, likely: Floats) -> Floats:
    """Return the mask of the water with what looks like it nearby, such as a strip along a pier."""
    solid = cast(Bytes, (likely > 0.5).astype(np.uint8))
    whole = add_gaps(solid, working_copy(canvas.picture, ALPHA_SIDE), _MAX_WATER_GAP)
    whole[: np.flatnonzero(solid.any(1))[0]] = 0
    return np.maximum(likely, soften(canvas, whole))


def _grass_by_analysis(canvas: Canvas, small: Bytes) -> Floats | None:
    """Return a mask of low plants, of green ground that the analysis holds for plants, or of a field."""
    plants = ground_mask(canvas, "plants", least=MIN_POSSIBLE_CERTAINTY)
    if plants is None:
        return _field(canvas)
    green = find_grass(small) if min(small.shape[:2]) >= MIN_COPY_PIXELS else None
    if green is not None and cv2.resize(plants, green.shape[::-1])[green == 1].mean() > MIN_MAJORITY_SHARE:
        return soften(canvas, green)
    is_low = plants[: len(plants) // 2].mean() < _MAX_UPRIGHT_SHARE
    low = ground_mask(canvas, "plants") if is_low else None
    return _field(canvas) if low is None else low


def _field(canvas: Canvas) -> Floats | None:
    """Return a mask of open land that has the colors of grass, which may be dry, or None."""
    land = open_land_mask(canvas)
    if land is None or (land > 0.5).mean() < _MIN_FIELD_SHARE:
        return None
    lab = oklab_from_8_bit(working_copy(canvas.picture, ALPHA_SIDE))[land > 0.5]
    hue, is_vivid = hue_of(lab), chroma_of(lab) > _MIN_GRASS_CHROMA
    grassy, green = (
        float((is_vivid & (hue > low) & (hue < _MAX_GRASS_HUE)).mean()) for low in _MIN_GRASS_HUES
    )
    return land if grassy > _MIN_GRASS_SHARE and green > _MIN_GREEN_SHARE else None


def _water_at_the_horizon(canvas: Canvas, small: Bytes) -> Floats | None:
    """Return a mask of the band of blue water below a level horizon, or None.

    The cells of the analysis are too large for such a band.
    """
    sky, plants = (ground_mask(canvas, kind, least=MIN_POSSIBLE_CERTAINTY) for kind in ("sky", "plants"))
    if sky is None or min(small.shape[:2]) < MIN_COPY_PIXELS:
        return None
    size, lab = small.shape[1::-1], oklab_from_8_bit(small)
    free = np.ones(small.shape[:2], bool) if plants is None else cv2.resize(plants, size) < 0.5
    horizon = _horizon(lab[:, :, 0], free)
    if horizon is None or not _is_below_sky(cv2.resize(sky, size), horizon):
        return None
    hue, chroma = hue_of(lab), chroma_of(lab)
    blue = free & (hue > _WATER_HUES[0]) & (hue < _WATER_HUES[1]) & (chroma > _MIN_WATER_CHROMA)
    is_water = blue.sum(1) > _MIN_WATER_ROW_SHARE * np.maximum(free.sum(1), 1)
    end = horizon + int(np.argmin(np.append(is_water[horizon:], False)))
    blue[:horizon], blue[end:] = False, False
    if end - horizon < _MIN_BAND_HEIGHT * len(lab):
        return None
    return soften(canvas, closed(blue.astype(np.uint8), 3))


def _horizon(light: Floats, free: BoolMask) -> int | None:
    """Return the first row below a level edge at which most of the photo gets darker, or None."""
    drop = np.zeros_like(light)
    drop[1:-1] = light[:-2] - light[2:]
    level = ((drop > _MIN_HORIZON_DROP) & free).sum(1) / np.maximum(
        free.sum(1), MIN_HORIZON_WIDTH * light.shape[1]
    )
    row = int(level.argmax())
    return row + 1 if level[row] > _MIN_WATER_ROW_SHARE else None


def _is_below_sky(sky: Floats, horizon: int) -> bool:
    """Return whether there is sky right above a row and none below it."""
    reach = round(_ABOVE_HORIZON * len(sky))
    above, below = sky[max(0, horizon - reach) : horizon - 1], sky[horizon + 1 :]
    return bool(
        above.size and below.size and above.mean() > _MIN_SKY_ABOVE_HORIZON and (below > 0.5).mean() < 0.01
    )


def _not_found_error(canvas: Canvas, noun: str) -> OperationError:
    if noun == "sky" and any(canvas.boxes):
        return OperationError(
            Reason.LOW_CONFIDENCE, Sentence("I can't tell the sky from what is in front of it.")
        )
    sentence = Sentence("I can't tell where the %(noun)s is.", noun=noun)
    if is_plural(noun):
        sentence = Sentence("I can't tell where the %(noun)s are.", noun=noun)
    return OperationError(Reason.LOW_CONFIDENCE, sentence, click_or_mark(noun, is_plural=is_plural(noun)))


def find_grass(small: Bytes) -> Bytes | None:
    """Return a 0/1 mask of the green ground in the lower part of the photo.

    Return None if there is also much green elsewhere.
    """
    return _ground_pieces(cast(Bytes, (likeness(small, "green") > 0.5).astype(np.uint8)))


def find_water(small: Bytes) -> Bytes | None:
    """Return a 0/1 mask of the blue area below a sky or a shore, or None if the area is uncertain."""
    blue = (likeness(small, "blue", is_wide=True) > 0.5).astype(np.uint8)
    sky = find_sky(small)
    if sky is not None:
        blue[cv2.dilate(sky, np.ones((5, 5), np.uint8)) == 1] = 0
    return _ground_pieces(blue)


def _ground_pieces(likely: Bytes) -> Bytes | None:
    """Return the large pieces of a mask if they are ground, and None otherwise.

    Ground contains most of the likely pixels, covers most of the bottom of the photo, and is not at the top.
    """
    side = max(5, round(max(likely.shape) / 60) | 1)
    ground = keep_large_components(opened(closed(likely, side), 5), 0.3)
    share = float(ground.mean())
    if share < 0.06 or np.count_nonzero(ground & likely) < 0.7 * np.count_nonzero(likely):
        return None
    height = ground.shape[0]
    at_bottom, at_top = ground[-height // 4 :].mean(), ground[: height // 3].mean()
    is_low = at_bottom > 0.5 and at_top < 0.1
    return ground if is_low else None


def _find_skin(canvas: Canvas, small: Bytes) -> Bytes | None:
    """Return a 0/1 mask of the subject's pixels that have a face's color, or None if there is no face."""
    scale, lab = small.shape[1] / canvas.picture.width, oklab_from_8_bit(small)
    faces = [face.sized(scale) for face in faces_seen(canvas)]
    if not faces:
        return None
    skin = np.max([skin_likelihood(lab, face) for face in faces], axis=0) > 0.5
    subject = find_subject(canvas.picture, models=canvas.models).mask
    solid = opened((skin & (cv2.resize(subject, small.shape[1::-1]) > 0.5)).astype(np.uint8), 3)
    return solid if solid.any() else None
