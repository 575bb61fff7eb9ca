"""Erase something from a photo and fill its place from its surroundings."""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats
from editor.engine.errors import MARK_IT, OperationError
from editor.engine.masks import boxes_to_mask, connected_components, dilate, mask_of
from editor.engine.operations.remove.attached_parts import attached_parts
from editor.engine.operations.remove.cut_things import is_cut, may_be_cut
from editor.engine.operations.remove.erase_text import erase_text
from editor.engine.operations.remove.holes import MAX_HOLE, fill_hole, is_large_but_fillable
from editor.engine.operations.remove.reflections import reflection_of
from editor.engine.operations.remove.separate_holes import HolePart, separate_holes
from editor.engine.operations.remove.shadows import in_view, shadow_of
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Step, Target
from editor.engine.targets.complete_outlines import boxed_outline, named_outlines
from editor.engine.targets.decoded_masks import selected_outline
from editor.engine.targets.detector import things_seen
from editor.engine.targets.outlines import Outline, part_of
from editor.engine.targets.target_masks import step_hole, step_mask
from editor.engine.targets.thing_outlines import FURNITURE, cut_out, exact_cut
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.sentences import Sentence

# Share of the photo above which a hole must not be filled from other objects. A smaller hole cannot show a
# whole object.
_MIN_GUARDED_HOLE_SHARE = 0.003
# Share of the hole that must be inside an object for the filling to continue that object.
_MIN_SHARE_IN_OTHER = 0.5
# Minimum overlap at which two boxes show the same object, as a share of the larger box.
_MIN_SAME_OVERLAP = 0.5
# Distance from an object, as a share of its longer side, within which another object may be in its shadow or
# in its reflection.
_MAX_NEIGHBOR_DISTANCE = 1.3
_FOOT_HEIGHT_SHARE = 0.3  # height of the lower part of an object, as a share of its height
# Height of the shadow directly below that part, as a share of the object's height.
_CONTACT_SHADOW_HEIGHT = 0.025
# Maximum area of an island in a hole that is removed, too, as a share of the hole's area.
_MAX_ISLAND_SHARE = 0.01
# Maximum distance between a box and the photo's edge at which the box is extended, as a share of the side.
_MAX_FRAME_DISTANCE = 0.022


class _Thing(NamedTuple):
    """An object to remove: its mask (0/1), and its opacity in the mask's box, from 0 to 1."""

    part: HolePart
    alpha: Floats


@operation
def erase(canvas: Canvas, step: Step) -> Canvas:
    """Remove the step's target and fill its place.

    Raises OperationError if the target covers more than a quarter of the photo and is not in front of a
    blurred or plain background, or if its place cannot be filled well.
    """
    if step.target.what == "text":
        return erase_text(canvas, step)
    return canvas.with_pixels(
        fill_erased(canvas, target_hole(canvas, step), is_marked=step.target.what == "region")
    )


def fill_erased(canvas: Canvas, hole: Bytes, *, is_marked: bool) -> Pixels:
    """Return the pixels with a hole (0/1) filled by the operator's model or by the engine.

    Raises OperationError in the same cases as `erase`.
    """
    pixels = canvas.models.inpaint(canvas.picture, hole) if canvas.models else None
    return _fill_without_model(canvas, hole, is_marked=is_marked) if pixels is None else pixels


def _fill_without_model(canvas: Canvas, hole: Bytes, *, is_marked: bool) -> Pixels:
    try:
        others = _others(canvas, hole) if hole.mean() > _MIN_GUARDED_HOLE_SHARE else None
        return fill_hole(
            canvas.picture,
            hole,
            canvas.seed,
            is_marked=is_marked,
            barred=others,
            may_invent=lambda: is_marked or not _cuts_a_thing(canvas, hole),
        )
    except OperationError as unable:
        if is_marked or unable.reason is not Reason.LOW_CONFIDENCE:
            raise
        raise OperationError(unable.reason, unable.sentence, MARK_IT) from None


def _cuts_a_thing(canvas: Canvas, hole: Bytes) -> bool:
    near = (other for other in _things_near(canvas, Box.around(hole)) if may_be_cut(hole, other.box))
    outlines = (exact_cut(canvas, other) for other in near)
    return any(is_cut(hole, outline) for outline in outlines if outline is not None)


def _others(canvas: Canvas, hole: Bytes) -> Bytes:
    """Return a mask (0/1) of the other objects, which the filling must not use as sources.

    The removed object must not be replaced with another object, or with the rest of an object that the hole
    cuts. An object that contains most of the hole is not in the mask, because the filling must continue that
    object. Neither is furniture, because the removed object may stand on it.
    """
    others = np.zeros_like(hole)
    for thing in _things_besides_furniture(canvas):
        cover = _whole_box(thing)
        # Compute outlines only where they could change the result, because computing them takes time.
        if _goes_on(cover, hole):
            cover = cut_out(canvas, thing) or cover
        # An exact outline has a dent where the removed object is in front.
        if not _goes_on(cover.hull, hole):
            others[cover.view.slices] |= _solid(cover.full_mask)
    return others & (1 - hole)


def _whole_box(thing: Thing) -> Outline:
    return Outline(thing.box, np.ones((1, 1), np.float32), thing.score)


def _goes_on(cover: Outline, hole: Bytes) -> bool:
    """Return whether more than half of the hole is inside the area that an object covers."""
    return float((cover.full_mask * hole[cover.view.slices]).sum()) > _MIN_SHARE_IN_OTHER * float(hole.sum())


def target_hole(canvas: Canvas, step: Step) -> Bytes:
    """Return a mask (0/1) of what the step removes, with its shadow. Raises OperationError if it is not
    found.
    """
    is_marked = step.target.what == "region"
    mask = step_mask(canvas, step, _emptied) if is_marked else step_hole(canvas, step)
    if mask is None:
        raise OperationError(Reason.NEEDS_REGION, Sentence("I can't tell what to remove."), MARK_IT)
    if is_marked:
        return _solid(mask)
    is_thing = step.target.what in ("thing", "subject")
    return _with_shadows(canvas, _things_in(mask)) if is_thing else grown_hole(mask)


def _emptied(canvas: Canvas, target: Target, boxes: list[Box]) -> Floats:
    """Return a mask of the area to remove from the marked boxes.

    In each box, this is the area of the object in the box or, if no object is found, the whole box. If the
    prompt names the object, the parts of it that the box leaves out are removed, too. A box that nearly
    touches the photo's edge is extended to that edge.
    """
    hole = np.zeros((canvas.picture.height, canvas.picture.width), np.uint8)
    for box in boxes:
        selected = selected_outline(canvas, box)
        outlines = [selected] if selected else named_outlines(canvas, target, box)
        hole |= hole_of(canvas, outlines) if outlines else _emptied_box(canvas, target, box)
    return hole.astype(np.float32)


def _emptied_box(canvas: Canvas, target: Target, box: Box) -> Bytes:
    shape = canvas.picture.height, canvas.picture.width
    marked = boxes_to_mask([_to_the_frame(box, canvas.picture)], shape)
    cut = boxed_outline(canvas, box) if marked.mean() > _MIN_GUARDED_HOLE_SHARE else None
    if cut is None:
        return marked
    whole = hole_of(canvas, [cut])
    return whole if target.noun else marked & whole


def hole_of(canvas: Canvas, outlines: Sequence[Outline]) -> Bytes:
    """Return a mask (0/1), slightly enlarged, of outlined objects with their parts, shadows, and reflections.

    The shadows and the reflections are left out if the hole would be too large to fill only because of them.
    """
    return _with_shadows(canvas, [_solid_part(outline) for outline in outlines])


def _solid_part(outline: Outline) -> _Thing:
    """Return an outlined object, cut to the box that it fills."""
    alpha = outline.full_mask
    solid = _solid(alpha)
    box = Box.around(solid)
    part = HolePart(box.moved(outline.view.left, outline.view.top), solid[box.slices])
    return _Thing(part, alpha[box.slices] * part.mask)


def _things_in(mask: Floats) -> list[_Thing]:
    """Return the objects in a mask that are far from each other."""
    return [_Thing(part, mask[part.box.slices] * part.mask) for part in separate_holes(_solid(mask))]


def _with_shadows(canvas: Canvas, things: Sequence[_Thing]) -> Bytes:
    shape = canvas.picture.height, canvas.picture.width
    hole, bare = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    edge = _edge_width(shape)
    for thing in things:
        box = thing.part.box
        view = box.padded(_MAX_NEIGHBOR_DISTANCE * max(box.width, box.height) + edge, *shape[::-1])
        whole = _with_its_shadow(canvas, thing, view)
        hole[view.slices] |= _without_islands(_grown(whole, edge))
        bare[view.slices] |= _grown(thing.part.seen_from(view), edge)
    is_too_large = bare.mean() <= MAX_HOLE < hole.mean() and not is_large_but_fillable(canvas.picture, hole)
    return bare if is_too_large else hole


def _with_its_shadow(canvas: Canvas, thing: _Thing, view: Box) -> Bytes:
    """Return a mask (0/1), in a view of the picture, of an object with its parts, shadow, and reflection."""
    box, there, own = thing.part.box, thing.part.box.seen_from(view), thing.alpha
    whole = thing.part.seen_from(view)
    if box.bottom == canvas.picture.height:
        return whole
    part, others = part_of(canvas.picture, view), outlines_of_others(canvas, box)
    is_other = np.zeros_like(whole)
    for other in others:
        is_other |= _solid(in_view(other.full_mask, other.view, view))
    whole |= attached_parts(part, whole, is_other)
    if shadow := shadow_of(canvas.picture, box, own, others):
        whole |= shadow.hole(there, *whole.shape)
    if reflection := reflection_of(part, there, own, is_other):
        whole |= _solid(mask_of(part.pixels.shape, [(reflection.view, reflection.mask)]))
    return _with_contact_shadow(whole, there)


def _with_contact_shadow(thing: Bytes, box: Box) -> Bytes:
    """Return the mask (0/1) of an object with the dark line on the ground directly below its lower part."""
    low = round(box.bottom - _FOOT_HEIGHT_SHARE * box.height)
    reach = max(1, round(_CONTACT_SHADOW_HEIGHT * box.height))
    whole = thing.copy()
    whole[low + reach :] |= thing[low:-reach]
    return whole


def _without_islands(hole: Bytes) -> Bytes:
    """Return a hole (0/1) with small islands in it, which show only remains of the object, added to it."""
    view = Box.around(hole).padded(1, *hole.shape[::-1])
    labels, stats = connected_components(1 - hole[view.slices])
    is_small = stats[:, cv2.CC_STAT_AREA] < _MAX_ISLAND_SHARE * int(hole.sum())
    whole = hole.copy()
    whole[view.slices] |= is_small[labels]
    return whole


def outlines_of_others(canvas: Canvas, box: Box) -> list[Outline]:
    """Return the outlines of detected objects near the object in a box, or their boxes as outlines.

    The box is enough for an object that does not reach the ground below the object's lower part, where the
    shadow and the reflection are.
    """
    ground = box.bottom - round(_FOOT_HEIGHT_SHARE * box.height)
    return [
        (exact_cut(canvas, other) if other.box.bottom > ground else None) or _whole_box(other)
        for other in _things_near(canvas, box)
    ]


def _things_near(canvas: Canvas, box: Box) -> list[Thing]:
    """Return the detected objects near the object in a box.

    Furniture is left out, because the object's shadow may fall on it.
    """
    near = box.padded(
        _MAX_NEIGHBOR_DISTANCE * max(box.width, box.height), canvas.picture.width, canvas.picture.height
    )
    others = (thing for thing in _things_besides_furniture(canvas) if near.overlap(thing.box))
    return [other for other in others if box.overlap_ratio(other.box) < _MIN_SAME_OVERLAP]


def _things_besides_furniture(canvas: Canvas) -> list[Thing]:
    return [thing for thing in things_seen(canvas) if thing.kind not in FURNITURE]


def _solid(mask: Floats | Bytes) -> Bytes:
    return (mask > 0.2).astype(np.uint8)


def grown_hole(mask: Floats | Bytes) -> Bytes:
    """Return the mask of a detected object as a hole (0/1).

    The hole is enlarged to include the object's soft edge and halo.
    """
    return _grown(_solid(mask), _edge_width(mask.shape))


def _edge_width(shape: tuple[int, ...]) -> int:
    """Return the width, in pixels, of the soft edge and halo of an object in a photo of the given shape."""
    return max(2, round(0.006 * max(shape)))


def _grown(hole: Bytes, reach: int) -> Bytes:
    near, whole = Box.around(hole).padded(reach, *hole.shape[::-1]), hole.copy()
    whole[near.slices] = dilate(hole[near.slices], reach)
    return whole


def _to_the_frame(box: Box, picture: Picture) -> Box:
    """Return the box, extended to each edge of the photo that it nearly touches."""
    width, height = picture.width, picture.height
    across, down = round(_MAX_FRAME_DISTANCE * width), round(_MAX_FRAME_DISTANCE * height)
    left, top = box.left * (box.left > across), box.top * (box.top > down)
    is_near = width - box.right <= across, height - box.bottom <= down
    return Box(left, top, width if is_near[0] else box.right, height if is_near[1] else box.bottom)
