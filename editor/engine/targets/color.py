"""Find things that are named by their color, using OKLab.

A color that is scattered over the photo is refused.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import (
    Floats,
    base_name,
    chroma_of,
    color_of,
    hue_of,
    hues_apart,
    lab_of,
    oklab_from_8_bit,
)
from editor.engine.errors import OperationError, mark
from editor.engine.kinds import PARTS
from editor.engine.masks import (
    ALPHA_SIDE,
    BoolMask,
    boxes_to_mask,
    closed,
    connected_components,
    dilate,
    frame_coverage,
    keep_large_components,
    opened,
    refine_mask,
    remove_small_components,
    touching,
)
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason
from editor.engine.targets.decoded_masks import prominent_mask
from editor.engine.targets.edges import closer_in_hue, unmix_edge
from editor.engine.targets.grabcut import run_grabcut
from editor.engine.targets.grabcut_candidates import rough_subject
from editor.engine.targets.materials import (
    MAX_SAME_HUE_DEGREES,
    material_of_hue,
    mean_hue,
    saturation_of,
    watershed_masks,
)
from editor.engine.targets.places import in_place
from editor.imaging.picture import Bytes, Picture
from editor.sentences import Sentence

_MIN_COLOR_SHARE = 0.0008  # minimum share of the working copy that the named color must cover
# Minimum share of a color's pixels that must be in the largest piece for them all to belong to one thing.
_MIN_LARGEST_PIECE_SHARE = 0.6
_MIN_CERTAIN_LIKENESS = 0.85  # minimum likeness, from 0 to 1, at which a pixel certainly has the named color
_MIN_PROMINENT_CERTAINTY = 0.5  # minimum certainty, from 0 to 1, of the prominent part in the analysis
_MIN_SHARE_IN_SUBJECT = 0.45  # minimum share of the color's certain pixels that the subject must contain
# Minimum share of the frame that a color must cover to count as surrounding the named thing.
_MIN_FRAME_SHARE = 0.7
# Maximum growth of a thing into a wider range of tones, as a share of the photo's longer side.
_MAX_GROWTH = 0.06
_HALF_GAP = 0.012  # half the maximum width of a gap that is closed, as a share of the photo's longer side
# Maximum width of the gaps in one thing, as a share of the photo's longer side. A collar, a tie, or a strap
# makes the gaps in clothes wider.
_MAX_GAP_IN_THING, _MAX_GAP_IN_CLOTHES = 1 / 60, 1 / 8
_GARMENTS = frozenset({"top", "over", "all", "clothes"})
_MAX_SHADOW_LIGHTNESS = 60  # maximum CIELAB lightness of deep shadow, from 0 to 255
_SUBJECT_PIXELS = 300  # longer side, in pixels, of the working copy that is searched for the subject
# Minimum share of a colored piece in the subject at which the subject contains all of it.
_MIN_PIECE_SHARE_IN_SUBJECT = 0.7
# Minimum area of a separate piece, as a share of the largest piece's area. Smaller pieces belong to something
# else.
_MIN_PIECE_AREA = 0.08
# Margin by which a thing may extend beyond its detected box, as a share of the box's sides.
_MAX_END_BEYOND_BOX = 0.1
# Maximum share of a detected box's border that the color of a thing inside the box covers.
_MAX_BORDER_SHARE = 0.2
_PLURAL_NOUNS = frozenset(
    {
        "flowers",
        "leaves",
        "trees",
        "petals",
        "balls",
        "balloons",
        "lights",
        "cars",
        "apples",
        "clothes",
        "things",
        "parts",
        "areas",
    }
)
# Things whose colors differ so much that no usual color says which pixels belong to them.
_PLANT_NOUNS = frozenset({"leaves", "trees"})
# Nouns of surfaces that surround the subject and are never the subject themselves.
SURFACE_NOUNS = frozenset(
    {
        "sky",
        "water",
        "sea",
        "ocean",
        "lake",
        "river",
        "grass",
        "lawn",
        "field",
        "wall",
        "floor",
        "ground",
        "sand",
        "snow",
        "road",
        "street",
        "curtain",
        "carpet",
        "background",
    }
)


@dataclass(frozen=True)
class _ColorRange:
    """The appearance of a named color in OKLab.

    `hue` and its tolerance `reach` are in degrees. `lightness` and `chroma` each hold a minimum and a
    maximum.
    """

    hue: float | None
    reach: float = 26.0
    lightness: tuple[float, float] = (0.0, 1.0)
    chroma: tuple[float, float] = (0.055, 1.0)

    def widened(self) -> "_ColorRange":
        """Return a wider range of colors that includes paler colors and any lightness."""
        return _ColorRange(self.hue, self.reach * 1.6, (0.0, 1.0), (0.045, 1.0))


_COLOR_RANGES = {
    "white": _ColorRange(None, lightness=(0.78, 1.0), chroma=(0.0, 0.045)),
    "silver": _ColorRange(None, lightness=(0.6, 0.92), chroma=(0.0, 0.04)),
    "gray": _ColorRange(None, lightness=(0.35, 0.8), chroma=(0.0, 0.035)),
    "black": _ColorRange(None, lightness=(0.0, 0.32), chroma=(0.0, 0.05)),
    "red": _ColorRange(27, 20, lightness=(0.2, 0.75), chroma=(0.09, 1.0)),
    "pink": _ColorRange(0, 30, lightness=(0.6, 1.0), chroma=(0.05, 1.0)),
    "orange": _ColorRange(55, 20, lightness=(0.5, 0.9), chroma=(0.09, 1.0)),
    "brown": _ColorRange(58, 24, lightness=(0.15, 0.58), chroma=(0.03, 0.14)),
    "yellow": _ColorRange(97, 22, lightness=(0.55, 1.0), chroma=(0.07, 1.0)),
    "gold": _ColorRange(85, 20, lightness=(0.45, 0.9), chroma=(0.06, 1.0)),
    "green": _ColorRange(142, 34, lightness=(0.12, 0.95), chroma=(0.05, 1.0)),
    "blue": _ColorRange(245, 42, lightness=(0.1, 0.95), chroma=(0.05, 1.0)),
}

_VIVID_COLORS = frozenset(name for name, look in _COLOR_RANGES.items() if look.hue is not None)
_MIN_LIKENESS = 0.5  # minimum likeness, from 0 to 1, at which a pixel has a color
_SEED_PERCENTILE = 90  # percentile of the differences in hue between the certain pixels of several things
# Minimum ratio of chroma to lightness of a pixel that certainly is a material, and of one that may be, as
# shares of the usual ratio.
_MIN_CERTAIN_SATURATION, _MIN_POSSIBLE_SATURATION = 0.8, 0.45
# Distance from flowers up to which leaves are searched, as a share of the photo's longer side.
_LEAF_DISTANCE = 0.04
# Minimum share of leaves around flowers, as a share of the largest one around such a color.
_MIN_LEAF_SHARE = 0.3
_MIN_VIVID_SHARE = 0.06  # minimum share of an area that a vivid color must cover to be its main color
_MIN_GRAY_SHARE = 0.4  # minimum share of an area that a gray color must cover to be its main color
_MIN_SHARE_RATIO = 1.6  # minimum ratio of the main color's share to the share of any other color


def colored_mask(canvas: Canvas, color: str, noun: str | None, boxes: list[Box], place: str | None) -> Floats:
    """Return a mask, on a working copy, of everything in the boxes that has the color.

    Without boxes, the mask shows the only thing that has the color or, for a plural, all things that have it.
    Raises OperationError if nothing has the color, or if too many things have it.
    """
    small = working_copy(canvas.picture, ALPHA_SIDE)
    allowed = _allowed_area(small, canvas, boxes, place)
    likely = likeness(small, color) * allowed
    solid = _clean((likely > 0.5).astype(np.uint8))
    if float(solid.mean()) < _MIN_COLOR_SHARE:
        raise OperationError(
            Reason.NO_SUCH_TARGET, Sentence("I can't find anything %(color)s here.", color=color), mark(noun)
        )
    is_plural = noun in _PLURAL_NOUNS or (noun is None and not boxes and not place)  # "the red parts"
    is_one = noun not in SURFACE_NOUNS and not is_plural
    subject = (
        _subject_with_color(canvas, likely, solid, small, allowed if boxes else None) if is_one else None
    )
    if subject is not None:
        subject = subject | _pieces_within(solid, subject)
        solid = keep_large_components(solid & subject, _MIN_PIECE_AREA)
    is_around = is_one and noun is not None and frame_coverage(solid) >= _MIN_FRAME_SHARE
    if not boxes and not is_plural and (is_around or not _is_one_thing(solid, noun)):
        raise OperationError(
            Reason.LOW_CONFIDENCE, Sentence("Several things here are %(color)s.", color=color), mark(noun)
        )
    if is_plural and base_name(color) in _VIVID_COLORS and noun not in _PLANT_NOUNS:
        mask = _mask_of_hue(small, solid == 1)
        if PARTS.get(noun or "") == "flowers":
            mask = mask * _groups_among_leaves(small, mask)
        return mask * allowed
    inside = allowed if subject is None else allowed * subject
    wide = likeness(small, color, is_wide=True) * inside
    joined = _with_connected_pixels(
        small, solid, wide, _MAX_GROWTH if subject is not None else _MAX_GROWTH / 2
    )
    mask = refine_mask(_steepened(np.maximum(likely * dilate(solid, max(solid.shape) // 300), joined)), small)
    # A pale pixel that has the color is not a mix of two colors, so it counts in full.
    return np.maximum(unmix_edge(mask, small), np.minimum(mask, _steepened(joined))) * allowed


def colored_thing(canvas: Canvas, color: str, noun: str | None, boxes: list[Box]) -> Floats:
    """Return a mask, as `colored_mask` does, of a thing that was detected in boxes.

    If the color continues across the edges of a box, as from a cup to its saucer, the mask follows the color
    instead of ending at the box. A part that extends a little beyond its box, such as the handle of a cup, is
    included.
    """
    wide = [box.grown(_MAX_END_BEYOND_BOX, canvas.picture.width, canvas.picture.height) for box in boxes]
    mask = colored_mask(canvas, color, noun, wide, None)
    inside = boxes_to_mask(boxes, mask.shape, mask.shape[1] / canvas.picture.width)
    edge = inside - cv2.erode(inside, np.ones((5, 5), np.uint8))
    over = float((mask[edge == 1] > 0.5).mean()) if edge.any() else 0.0
    return colored_mask(canvas, color, noun, [], None) if over > _MAX_BORDER_SHARE else mask


def _mask_of_hue(small: Bytes, seeds: BoolMask) -> Floats:
    """Return a mask of all pieces of the material that certain pixels show, in light and shade.

    Reflections of the material on other things are paler, so they keep their color.
    """
    lab = oklab_from_8_bit(small)
    main = mean_hue(lab, seeds)
    spread = max(
        0.0,
        float(np.percentile(hues_apart(hue_of(lab)[seeds], main), _SEED_PERCENTILE)) - MAX_SAME_HUE_DEGREES,
    )
    material = material_of_hue(lab, main, seeds, spread=spread).mask
    relative = saturation_of(lab) / max(1e-3, float(np.median(saturation_of(lab)[seeds])))
    strong, weak = (
        (material > _MIN_LIKENESS) & (relative > _MIN_CERTAIN_SATURATION),
        (material < 1 - _MIN_CERTAIN_LIKENESS) | (relative < _MIN_POSSIBLE_SATURATION),
    )
    own, edges = watershed_masks(small, strong, weak)
    pieces = touching((own | edges).astype(np.uint8), own & seeds)
    return material * pieces


def _groups_among_leaves(small: Bytes, mask: Floats) -> Bytes:
    """Return a 0/1 mask of the groups of colored pieces that leaves surround, or of all pieces if none do.

    A scarf in the color of the flowers is not a flower.
    """
    pieces = (mask > _MIN_LIKENESS).astype(np.uint8)
    labels, stats = connected_components(dilate(pieces, _LEAF_DISTANCE * max(pieces.shape)))
    areas = np.maximum(np.bincount(labels.ravel(), pieces.ravel(), len(stats)), 1)
    leaves = (
        np.bincount(labels.ravel(), (likeness(small, "green") > _MIN_LIKENESS).ravel(), len(stats)) / areas
    )
    is_among = leaves >= _MIN_LEAF_SHARE * leaves[1:].max(initial=0)
    return is_among.astype(np.uint8)[labels]


def main_color(
    small: Bytes,
    where: BoolMask,
    names: Collection[str] | None = None,
    others: Sequence[tuple[BoolMask, float]] = (),
) -> str | None:
    """Return the name of the main color of the area `where`, or None if other colors cover about as much.

    A vivid color is preferred to gray ones. Each item of `others` is a mask of another area and a factor. The
    color's share of that area, multiplied by the factor, must be lower than the color's share of the area
    `where`.
    """
    likes = {name: likeness(small, name) > _MIN_LIKENESS for name in names or _COLOR_RANGES}
    shares = {name: float(like[where].mean()) for name, like in likes.items()}
    for other, times in others:
        if other.any():
            shares = {name: own for name, own in shares.items() if own > times * likes[name][other].mean()}
    for is_vivid, min_share in ((True, _MIN_VIVID_SHARE), (False, _MIN_GRAY_SHARE)):
        kin = [name for name in shares if (name in _VIVID_COLORS) == is_vivid]
        first = max(kin, key=lambda name: shares[name], default=None)
        if first and shares[first] > min_share:
            rivals = ((likes[name] & ~likes[first])[where].mean() for name in kin)
            return first if shares[first] > _MIN_SHARE_RATIO * max(rivals) else None
    return None


def _steepened(likely: Floats) -> Floats:
    """Raise high values to 1 and low values to 0, because a half-mixed new color looks muddy."""
    return np.clip((likely - 0.2) / 0.45, 0, 1)


def likeness(small: Bytes, color: str, *, is_wide: bool = False) -> Floats:
    """Return how much each pixel looks like the named color, from 0 to 1.

    If `is_wide` is true, shadows, highlights, and edges in that color count as well.
    """
    color_range = _COLOR_RANGES.get(base_name(color)) or _range_around(color)
    color_range = color_range.widened() if is_wide and color_range.hue is not None else color_range
    lab = oklab_from_8_bit(small)
    light, chroma = lab[:, :, 0], chroma_of(lab)
    likely = _soft_range(light, *color_range.lightness, soft=0.08) * _soft_range(
        chroma, *color_range.chroma, soft=0.03
    )
    if color_range.hue is not None:
        difference = hues_apart(hue_of(lab), color_range.hue)
        likely = likely * np.clip((color_range.reach * 1.35 - difference) / (color_range.reach * 0.5), 0, 1)
    return cv2.GaussianBlur(likely.astype(np.float32), (0, 0), 1.2)


def _range_around(color: str) -> _ColorRange:
    """Return the range of similar colors for a color that has no entry in _COLOR_RANGES."""
    light, a, b = (float(value) for value in lab_of(color_of(color)))
    chroma = float(np.hypot(a, b))
    if chroma < 0.04:
        return _ColorRange(None, lightness=(light - 0.15, light + 0.15), chroma=(0.0, 0.05))
    return _ColorRange(
        float(np.degrees(np.arctan2(b, a))), 24, (light - 0.3, light + 0.3), (chroma * 0.4, 1.0)
    )


def _soft_range(values: Floats, low: float, high: float, *, soft: float) -> Floats:
    rising = np.clip((values - low) / soft + 0.5, 0, 1) if low > 0 else 1.0
    falling = np.clip((high - values) / soft + 0.5, 0, 1) if high < 1 else 1.0
    return np.broadcast_to(rising * falling, values.shape)


def _allowed_area(small: Bytes, canvas: Canvas, boxes: list[Box], place: str | None) -> Floats:
    """Return a mask of where the thing may be: in the boxes or, without boxes, at the named place."""
    height, width = small.shape[:2]
    if not boxes:
        return in_place(height, width, place or "")
    return boxes_to_mask(boxes, small.shape, width / canvas.picture.width).astype(np.float32)


def _clean(solid: Bytes) -> Bytes:
    """Remove specks, and close gaps caused by seams and highlights."""
    side = max(3, round(max(solid.shape) / 200) | 1)
    return closed(opened(solid, side), side)


def _subject_with_color(
    canvas: Canvas, likely: Floats, solid: Bytes, small: Bytes, boxed: Floats | None
) -> Bytes | None:
    """Return a 0/1 mask of the subject if it contains most of the pixels that certainly have the color.

    The subject of the marked area is tried first, and then the subject of the whole photo. This selects a red
    cup but not the brown wood under it. Return None if neither subject contains enough of these pixels.
    """
    tiny = working_copy(Picture(small), _SUBJECT_PIXELS)
    sure = (solid == 1) & (likely > _MIN_CERTAIN_LIKENESS)
    sure = sure if np.count_nonzero(sure) > 0.1 * np.count_nonzero(solid) else solid == 1
    for candidate in _subject_candidates(canvas, tiny, boxed):
        if candidate is not None:
            subject = _fill_holes((refine_mask(candidate.astype(np.float32), small) > 0.5).astype(np.uint8))
            if np.count_nonzero(sure & (subject == 1)) >= _MIN_SHARE_IN_SUBJECT * np.count_nonzero(sure):
                return subject
    return None


def _subject_candidates(canvas: Canvas, tiny: Bytes, boxed: Floats | None) -> Iterator[Bytes | Floats | None]:
    """Yield masks that may show the subject: in the marked area, from the analysis, and from the colors."""
    yield None if boxed is None else _cut_out_marked(tiny, boxed)
    prominent = prominent_mask(canvas)
    yield prominent.mask if prominent and prominent.certainty > _MIN_PROMINENT_CERTAINTY else None
    yield rough_subject(tiny)


def _fill_holes(solid: Bytes) -> Bytes:
    """Fill all areas that a 0/1 mask encloses, such as a deep shadow."""
    outlines, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return cast(Bytes, cv2.drawContours(np.zeros_like(solid), outlines, -1, 1, -1))


def _cut_out_marked(tiny: Bytes, boxed: Floats) -> Bytes:
    """Return a 0/1 mask of the part of a marked area that differs from its surroundings.

    `boxed` is 1 inside the marked area.
    """
    inside = cv2.resize(boxed, (tiny.shape[1], tiny.shape[0]), interpolation=cv2.INTER_AREA) > 0.5
    return remove_small_components(
        run_grabcut(tiny, np.where(inside, cv2.GC_PR_FGD, cv2.GC_BGD).astype(np.uint8), 3)
    )


def _pieces_within(solid: Bytes, subject: Bytes) -> Bytes:
    """Return a 0/1 mask of the pieces of a color that are mostly inside the subject.

    These pieces may include a part, such as an arm, that the cutout of the subject lacks.
    """
    labels, stats = connected_components(solid)
    covered = np.bincount(labels.ravel(), subject.ravel(), len(stats))
    share = covered / np.maximum(stats[:, cv2.CC_STAT_AREA], 1)
    share[0] = 0
    return (share >= _MIN_PIECE_SHARE_IN_SUBJECT).astype(np.uint8)[labels]


def _is_one_thing(solid: Bytes, noun: str | None) -> bool:
    """Return whether most of the colored pixels form one thing.

    Pieces that are separated only by narrow gaps count as one.
    """
    if not solid.any():
        return True
    share = _MAX_GAP_IN_CLOTHES if PARTS.get(noun or "") in _GARMENTS else _MAX_GAP_IN_THING
    side = max(3, round(max(solid.shape) * share) | 1)
    labels, _ = connected_components(closed(solid, side))
    weights = np.bincount(labels.ravel(), solid.ravel())
    return bool(weights[1:].max() >= _MIN_LARGEST_PIECE_SHARE * weights.sum())


def _with_connected_pixels(small: Bytes, solid: Bytes, wide: Floats, reach: float) -> Floats:
    """Extend a mask by connected pixels that look roughly like the thing.

    Such pixels are highlights, the center of a flower, lace, and enclosed deep shadows. Pixels that look more
    like the surroundings, such as skin next to a red dress, are not added.
    """
    longest = max(solid.shape)
    near = cv2.distanceTransform(1 - solid, cv2.DIST_L2, 3) <= reach * longest
    likely = (wide > 0.5) & near
    side = 2 * round(_HALF_GAP * longest) + 1
    gaps = closed(solid, side) == 1
    around = ((wide <= 0.5) & (solid == 0)).astype(np.uint8)
    shadow = (_fill_holes(solid) == 1) & (
        cv2.cvtColor(small, cv2.COLOR_RGB2LAB)[:, :, 0] < _MAX_SHADOW_LIGHTNESS
    )
    own = gaps | closer_in_hue(small, solid, around, max(1, round(reach * longest)))
    within = (likely & own | (wide > 0.5) & shadow | (solid == 1)).astype(np.uint8)
    return wide * touching(within, solid == 1)
