"""Find the outline of the thing in a box, so that a new color or light does not fill the whole box."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats, oklab_from_8_bit
from editor.engine.errors import OperationError
from editor.engine.kinds import LIVING, PARTS, is_plural, kinds_of, takes_them
from editor.engine.masks import (
    ALPHA_SIDE,
    BoolMask,
    boxes_of,
    boxes_to_mask,
    connected_components,
    dilate,
    keep_large_components,
    mask_of,
    upsample_mask,
)
from editor.engine.pixels import Box, working_copy
from editor.engine.plan import Reason, Target
from editor.engine.targets.color import SURFACE_NOUNS, colored_mask, likeness, main_color
from editor.engine.targets.complete_outlines import exact_outline_in, marked_outline
from editor.engine.targets.decoded_masks import selected_outline
from editor.engine.targets.detector import things_seen
from editor.engine.targets.drawn_boxes import feathered_box_mask, marked_mask
from editor.engine.targets.eyes import EYE_NOUNS as EYES
from editor.engine.targets.eyes import eyes_mask
from editor.engine.targets.face_features import eyes_of_faces
from editor.engine.targets.faces import face_mask, faces_in, faces_seen
from editor.engine.targets.outlines import VIEW_MARGIN, combine_outlines, part_of
from editor.engine.targets.parts import part_mask
from editor.engine.targets.scenery import scenery_mask
from editor.engine.targets.thing_outlines import covered_share, cut_out, outline_in_box
from editor.imaging.picture import Bytes
from editor.sentences import Sentence

_INDISTINCT = (
    Sentence("I can't tell the %(noun)s from what is around it."),
    Sentence("I can't tell the %(noun)s from what is around them."),
)
_NAME_COLOR = (
    Sentence("Name its color, for example “the red %(noun)s”, or draw the box around all of it."),
    Sentence("Name their color, for example “the red %(noun)s”, or draw the box around all of them."),
)
_MIN_THING_SHARE = 0.06  # minimum share of a box that a thing must cover for the box to mark it
# A box itself is the target if it covers this share of the photo, or if one color covers this share of the
# box.
_MIN_WHOLE_BOX_SHARE = 0.9
_MAX_OUTLINE_SHARE = 0.93  # maximum share of a box that the outline of a thing can cover
_MAX_BORDER_SHARE = 0.25  # maximum share of a box's border that the mask of a complete thing covers
_BORDER_WIDTH = 0.04  # width of a box's border, as a share of the box's shorter side
_MIN_SHARE_RATIO = 2.0  # minimum ratio of a color's share in a thing to its share in other areas
_MIN_CONNECTED_SHARE = 0.6  # minimum share of a colored area that its large connected pieces must hold
_MIN_SPAN = 0.65  # minimum width and height of a colored thing, as a share of its box's sides
# Margin by which a thing may extend beyond a drawn box, as a share of the box's sides.
_MAX_END_BEYOND_BOX = 0.1
_MIN_LIKENESS = 0.5  # minimum likeness, from 0 to 1, at which a pixel has a color
_MIN_BOX_OVERLAP = 0.5  # minimum overlap of a box and a detected thing at which the box marks the thing
# Width of the soft edge of a mask that is only a box, as a share of the box's shorter side.
_FALLBACK_EDGE_WIDTH = 0.3
# Minimum share of a box that scenery, such as the sky, must cover for the box to mark it.
_MIN_SCENERY_SHARE = 0.05
# Minimum share of a box inside a face at which the search ignores color. Eyes and lips have no color of
# their own.
_MIN_SHARE_IN_FACE = 0.6
# Maximum standard deviation of the OKLab chroma in a box that shows a single color.
_MAX_PLAIN_CHROMA_DEVIATION = 0.045
# Maximum standard deviation of the OKLab lightness in a box that shows a single color.
_MAX_PLAIN_LIGHTNESS_DEVIATION = 0.12
# The colors that each kind of scenery naturally has.
_NATURAL_COLORS = {
    "sky": frozenset({"blue", "white", "gray", "silver"}),
    **dict.fromkeys(("grass", "lawn", "field"), frozenset({"green"})),
    **dict.fromkeys(("water", "sea", "ocean", "lake", "river"), frozenset({"blue", "green"})),
}


def box_contents_mask(canvas: Canvas, target: Target, boxes: Sequence[Box]) -> Floats:
    """Return the mask, at the picture's size, of the things that the boxes mark.

    Raises OperationError if it is unclear what a box marks.
    """
    return _combine_boxes(canvas, target, boxes, _thing_mask_in_box)


def tone_mask(canvas: Canvas, target: Target, boxes: list[Box]) -> Floats:
    """Return the mask for a change in light or for a look.

    If a thing or color is named, the mask covers all such things, or all areas of that color, that a box
    contains or touches. Otherwise, the mask covers the boxes themselves, with soft edges. Raises
    OperationError if the thing is not found.
    """
    if not (target.noun or target.color):
        return feathered_box_mask(canvas, boxes)
    return _combine_boxes(canvas, target, boxes, _tone_mask_in_box)


def _combine_boxes(
    canvas: Canvas, target: Target, boxes: Sequence[Box], find: Callable[[Canvas, Target, Box], Floats]
) -> Floats:
    """Call `find` for each box and combine the resulting masks into one."""
    whole = Box(0, 0, canvas.picture.width, canvas.picture.height)
    return mask_of(canvas.picture.pixels.shape, ((whole, find(canvas, target, box)) for box in boxes))


def fallback_box_mask(canvas: Canvas, target: Target, boxes: list[Box]) -> Floats:
    """Return a mask of the boxes around a thing that was not found.

    The edges of the mask are too soft to be visible.
    """
    return feathered_box_mask(canvas, boxes, rim=_FALLBACK_EDGE_WIDTH)


def _tone_mask_in_box(canvas: Canvas, target: Target, box: Box) -> Floats:
    if not target.color and (selected := selected_outline(canvas, box)):
        return combine_outlines(canvas.picture, [selected])
    for find in (
        _faces_in_box,
        _eyes_in_box,
        _scenery_in_box,
        _detected_in_box,
        _color_in_box,
        _prominent_in_box,
    ):
        mask = find(canvas, target, box)
        if mask is not None:
            return mask * _selection_limit(canvas, box)
    if target.noun in PARTS and faces_in(canvas, box):
        sentence = Sentence("I can't tell the %(noun)s from the face.", noun=target.noun)
        hint = Sentence("Draw the box around the %(noun)s only, without the face.", noun=target.noun)
        raise OperationError(Reason.NEEDS_REGION, sentence, hint)
    raise OperationError(Reason.LOW_CONFIDENCE, _indistinct_sentence(target))


def _indistinct_sentence(target: Target) -> Sentence:
    if target.noun:
        return Sentence(_INDISTINCT[takes_them(target.noun)].template, noun=target.noun)
    return Sentence("I can't tell what is in the box from what is around it.")


def _faces_in_box(canvas: Canvas, target: Target, box: Box) -> Floats | None:
    if target.noun != "face":
        return None
    faces = [face for face in _faces(canvas) if box.holds_center_of(face) or face.holds_center_of(box)]
    return face_mask(canvas, faces) if faces else None


def _eyes_in_box(canvas: Canvas, target: Target, box: Box) -> Floats | None:
    """Find the eyes of people in a box, between their lids."""
    if not _is_eye_noun(target.noun):
        return None
    return eyes_of_faces(canvas.picture, [face for face in _faces(canvas) if box.overlap(face)], box)


def _scenery_in_box(canvas: Canvas, target: Target, box: Box) -> Floats | None:
    """Find scenery or clothing that a box touches, without cutting it off at the box's sides."""
    mask = _mask_by_name(canvas, target.noun or "")
    # Teeth are only a small part of a box around a mouth or a face.
    return (
        None
        if mask is None
        else _pieces_in_box(mask, box, least=0.0 if target.noun == "teeth" else _MIN_SCENERY_SHARE)
    )


def _mask_by_name(canvas: Canvas, noun: str) -> Floats | None:
    """Find scenery, or a part of a person, by name anywhere in the photo."""
    part = PARTS.get(noun)
    try:
        if part:
            return part_mask(canvas, Target("thing", noun=noun), part)
        mask = scenery_mask(canvas, noun)
    except OperationError:
        return None
    return None if mask is None else upsample_mask(mask, canvas.picture)


def _pieces_in_box(mask: Floats, box: Box, *, least: float) -> Floats | None:
    """Keep the pieces of a mask that are in a box or reach into it.

    Return None unless these pieces cover more than the share `least` of the box.
    """
    labels, _ = connected_components((mask > 0.5).astype(np.uint8))
    inside = labels[box.slices]
    if (inside > 0).mean() <= least:
        return None
    others = (labels > 0) & ~np.isin(labels, np.unique(inside))
    return np.where(cv2.dilate(others.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0, 0, mask)


def _detected_in_box(canvas: Canvas, target: Target, box: Box) -> Floats | None:
    """Find the detected things that have the target's name and that fill a box or are inside it.

    For a singular noun, use only the best match. Return None if any outline is uncertain.
    """
    kinds = kinds_of(target.noun)
    things = [thing for thing in things_seen(canvas) if thing.kind in kinds]
    overlaps = [
        (max(covered_share(thing.box, box), covered_share(box, thing.box)), thing) for thing in things
    ]
    matches = [thing for overlap, thing in sorted(overlaps, reverse=True) if overlap > _MIN_BOX_OVERLAP]
    cuts = [cut_out(canvas, thing) for thing in matches[: None if is_plural(target.noun or "") else 1]]
    outlines = [cut for cut in cuts if cut is not None]
    return combine_outlines(canvas.picture, outlines) if outlines and len(outlines) == len(cuts) else None


def _prominent_in_box(canvas: Canvas, target: Target, box: Box) -> Floats | None:
    """Find the prominent thing in a box, with an outline that is good enough for a change in light."""
    if target.noun in SURFACE_NOUNS or target.noun in PARTS or target.noun == "face":
        return None
    exact = exact_outline_in(canvas, box)
    if exact is not None:
        return combine_outlines(canvas.picture, [exact])
    cut = outline_in_box(canvas, box, is_rough=True)
    if cut is None:
        return None
    mask = combine_outlines(canvas.picture, [cut]) * marked_mask(canvas, [box])
    return mask if _MIN_THING_SHARE < mask[box.slices].mean() < _MAX_OUTLINE_SHARE else None


def _color_in_box(canvas: Canvas, target: Target, box: Box) -> Floats | None:
    if not target.color:
        return None
    try:
        mask = colored_mask(canvas, target.color, target.noun, [box], None)
    except OperationError:
        return None
    return upsample_mask(mask, canvas.picture)


def _thing_mask_in_box(canvas: Canvas, target: Target, box: Box) -> Floats:
    if target.color:
        colored = colored_mask(canvas, target.color, target.noun, [box], None)
        return upsample_mask(colored, canvas.picture) * _selection_limit(canvas, box)
    if selected := selected_outline(canvas, box):
        return combine_outlines(canvas.picture, [selected])
    is_small = target.noun == "teeth" or _is_eye_noun(target.noun)
    for find in (_named_in_box,) if is_small else (_named_in_box, _mask_by_main_color):
        mask = find(canvas, target, box)
        if mask is not None:
            return mask
    hint = Sentence("Draw the box around all of it, with a little space on each side.")
    if target.noun == "teeth":
        raise OperationError(Reason.LOW_CONFIDENCE, Sentence("I can't find any teeth in the box."))
    if target.noun and target.noun not in SURFACE_NOUNS:
        hint = Sentence(_NAME_COLOR[takes_them(target.noun)].template, noun=target.noun)
    raise OperationError(Reason.LOW_CONFIDENCE, _indistinct_sentence(target), hint)


def _selection_limit(canvas: Canvas, box: Box) -> Floats | float:
    """Return the mask of the selected part if the box is the one around that part.

    For any other box, return 1, which limits nothing.
    """
    selected = selected_outline(canvas, box)
    return combine_outlines(canvas.picture, [selected]) if selected else 1.0


def _named_in_box(canvas: Canvas, target: Target, box: Box) -> Floats | None:
    """Find scenery, or a part of a person, by name inside the box.

    Return None if it is not found.
    """
    noun = target.noun or ""
    if _is_eye_noun(noun):
        irises = eyes_mask(canvas, box, both=noun.endswith("s") and len(target.boxes) == 1)
        return None if irises is None else mask_of(canvas.picture.pixels.shape, [(box, irises)])
    mask = _mask_by_name(canvas, noun)
    if mask is None:
        return None
    inside = mask * feathered_box_mask(canvas, [box])
    return (
        inside if inside[box.slices].mean() > (0.0 if target.noun == "teeth" else _MIN_THING_SHARE) else None
    )


def _is_eye_noun(noun: str | None) -> bool:
    """Return whether the noun names eyes, such as "the cat's eyes"."""
    return (noun or "").rpartition(" ")[2] in EYES


def _mask_by_main_color(canvas: Canvas, target: Target, box: Box) -> Floats | None:
    """Find everything in a box that has the main color of the prominent thing or of the box.

    If the thing has several colors, return the mask of the whole thing. Return None if nothing is certain.
    """
    if target.noun and any(covered_share(box, face) > _MIN_SHARE_IN_FACE for face in _faces(canvas)):
        return None
    is_all = (
        target.noun is None and box.area > _MIN_WHOLE_BOX_SHARE * canvas.picture.width * canvas.picture.height
    )
    if is_all or ((target.noun is None or target.noun in SURFACE_NOUNS) and _is_plain(canvas, box)):
        return feathered_box_mask(canvas, [box])
    exact = _exact_in_box(canvas, target, box)
    if exact is not None:
        return exact
    outline = _marked_in_box(canvas, target, box)
    is_living = any(kind in LIVING for kind in kinds_of(target.noun))
    color = None if is_living else _name_main_color(canvas, target, box, outline)
    if color is None:
        return outline
    try:
        mask = _color_with_ends(canvas, color, target.noun, box)
    except OperationError:
        return outline
    if target.noun in SURFACE_NOUNS or (
        target.noun is None and mask[box.slices].mean() > _MIN_WHOLE_BOX_SHARE
    ):
        return mask * feathered_box_mask(canvas, [box])
    return mask if _is_one_thing(mask, box) else outline


def _color_with_ends(canvas: Canvas, color: str, noun: str | None, box: Box) -> Floats:
    """Return the mask of a color in a box, including pieces that end just outside the box.

    A user's box often cuts off a part of the thing. A piece that continues further, such as a wall, ends at
    the box.
    """
    mask, small = colored_mask(canvas, color, noun, [box], None), working_copy(canvas.picture, ALPHA_SIDE)
    scale, size = small.shape[1] / canvas.picture.width, (small.shape[1], small.shape[0])
    wide = box.grown(_MAX_END_BEYOND_BOX, canvas.picture.width, canvas.picture.height).sized(scale)
    like = likeness(small, color, is_wide=True)
    outside = (like > _MIN_LIKENESS).astype(np.uint8) * boxes_to_mask([wide], small.shape)
    outside[box.sized(scale).slices] = 0
    labels, stats = connected_components(outside)
    at_core = np.unique(labels[dilate((mask > _MIN_LIKENESS).astype(np.uint8), 2) == 1])
    is_end = np.isin(np.arange(len(stats)), at_core[at_core > 0])
    is_end &= [_is_end_in(piece, wide, size) for piece in boxes_of(stats)]
    ends = dilate(is_end.astype(np.uint8)[labels], 1)
    return upsample_mask(np.maximum(mask, like * ends), canvas.picture)


def _is_end_in(piece: Box, wide: Box, size: tuple[int, int]) -> bool:
    """Return whether a piece ends inside a box or at the frame of the photo."""
    return (
        (piece.left > wide.left or wide.left == 0)
        and (piece.top > wide.top or wide.top == 0)
        and (piece.right < wide.right or wide.right >= size[0])
        and (piece.bottom < wide.bottom or wide.bottom >= size[1])
    )


def _exact_in_box(canvas: Canvas, target: Target, box: Box) -> Floats | None:
    """Return the exact mask of the thing in a box.

    Return None if there is no exact mask, or if the target names something else.
    """
    if target.noun in PARTS or target.noun in SURFACE_NOUNS or _has_other_thing(canvas, target, box):
        return None
    cut = exact_outline_in(canvas, box)
    return None if cut is None else combine_outlines(canvas.picture, [cut])


def _is_plain(canvas: Canvas, box: Box) -> bool:
    """Return whether a box shows only one color, in light and shade, because the box is inside one thing."""
    small = working_copy(part_of(canvas.picture, box), 100)
    light, *color = oklab_from_8_bit(small).reshape(-1, 3).std(0)
    return bool(light < _MAX_PLAIN_LIGHTNESS_DEVIATION and np.hypot(*color) < _MAX_PLAIN_CHROMA_DEVIATION)


def _marked_in_box(canvas: Canvas, target: Target, box: Box) -> Floats | None:
    """Return a mask of the prominent thing in a box.

    Return None if the mask is uncertain, or if the target names something else.
    """
    if target.noun in PARTS or target.noun in SURFACE_NOUNS or _has_other_thing(canvas, target, box):
        return None
    try:
        cut = marked_outline(canvas, box)
    except OperationError:
        return None
    mask = combine_outlines(canvas.picture, [cut]) * marked_mask(canvas, [box])
    return mask if mask[box.slices].mean() < _MAX_OUTLINE_SHARE else None


def _has_other_thing(canvas: Canvas, target: Target, box: Box) -> bool:
    """Return whether a box shows something other than what the target names.

    For example, the box may show a woman instead of her hat.
    """
    kinds = [thing.kind for thing in things_seen(canvas) if box.overlap_ratio(thing.box) > _MIN_BOX_OVERLAP]
    return bool(target.noun) and bool(kinds) and not set(kinds) & set(kinds_of(target.noun))


def _name_main_color(canvas: Canvas, target: Target, box: Box, outline: Floats | None) -> str | None:
    """Return the name of the color that a thing has but its surroundings do not."""
    small = working_copy(canvas.picture, ALPHA_SIDE)
    where = _shrink(marked_mask(canvas, [box]) if outline is None else outline, small)
    if target.noun in SURFACE_NOUNS:
        return main_color(small, where, _NATURAL_COLORS.get(target.noun or ""))
    if outline is not None:
        return main_color(small, where)
    view = box.grown(VIEW_MARGIN, canvas.picture.width, canvas.picture.height)
    around = _shrink(marked_mask(canvas, [view]), small) & ~_shrink(marked_mask(canvas, [box]), small)
    faces = [face.grown(-0.2, canvas.picture.width, canvas.picture.height) for face in _faces(canvas)]
    skin = _shrink(marked_mask(canvas, faces if target.noun else []), small)
    return main_color(small, where, others=[(around, _MIN_SHARE_RATIO), (skin, _MIN_SHARE_RATIO)])


def _shrink(mask: Floats, small: Bytes) -> BoolMask:
    return cv2.resize(mask, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_AREA) > 0.5


def _is_one_thing(mask: Floats, box: Box) -> bool:
    """Return whether a mask in a box shows one complete thing.

    Such a mask is connected, spans most of the box, and covers little of the box's border.
    """
    solid = (mask[box.slices] > 0.5).astype(np.uint8)
    if solid.mean() < _MIN_THING_SHARE:
        return False
    around = Box.around(solid)
    span = min(around.width / solid.shape[1], around.height / solid.shape[0])
    connected = np.count_nonzero(keep_large_components(solid, 0.3)) / np.count_nonzero(solid)
    border_share = _border_share(solid, box, (mask.shape[1], mask.shape[0]))
    return bool(border_share < _MAX_BORDER_SHARE and span > _MIN_SPAN and connected > _MIN_CONNECTED_SHARE)


def _border_share(solid: Bytes, box: Box, size: tuple[int, int]) -> float:
    """Return the share of a box's border that the mask covers, ignoring sides on the photo's frame."""
    wide = max(1, round(_BORDER_WIDTH * min(solid.shape)))
    is_free = (box.left > 0, box.top > 0, box.right < size[0], box.bottom < size[1])
    sides = (solid[:, :wide], solid[:wide], solid[:, -wide:], solid[-wide:])
    free = [side.ravel() for side, free in zip(sides, is_free, strict=True) if free]
    return float(np.concatenate(free).mean()) if free else 0.0


def _faces(canvas: Canvas) -> list[Box]:
    return faces_seen(canvas)
