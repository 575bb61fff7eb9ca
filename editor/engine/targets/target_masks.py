"""Find the mask of a plan's target.

A target that is not found is refused; it is never widened to the whole photo.
"""

from collections.abc import Callable

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError, mark, name_or_it
from editor.engine.kinds import PARTS, is_someone, kinds_of
from editor.engine.masks import upsample_mask
from editor.engine.pixels import Box
from editor.engine.plan import Reason, Step, Target
from editor.engine.targets.color import colored_mask, colored_thing
from editor.engine.targets.drawn_boxes import marked_boxes, marked_mask
from editor.engine.targets.faces import face_mask, faces_of, faces_seen
from editor.engine.targets.paint import colored_part, has_exact_outlines
from editor.engine.targets.parts import part_mask
from editor.engine.targets.places import place_mask
from editor.engine.targets.scenery import plants_mask, scenery_mask
from editor.engine.targets.subject import subject_mask
from editor.engine.targets.text_lines import find_text
from editor.engine.targets.thing_outlines import thing_hole, thing_mask
from editor.engine.targets.things import target_things
from editor.sentences import Sentence

type BoxMaskFinder = Callable[[Canvas, Target, list[Box]], Floats]

# Maximum number of pixels of a photo whose masks are kept for later steps and previews. Masks of a large
# photo would take too much memory.
_MAX_CACHED_PIXELS = 1_000_000


def step_mask(canvas: Canvas, step: Step, mask_of_boxes: BoxMaskFinder | None = None) -> Floats | None:
    """Return a mask, from 0 to 1, of where a step may change pixels, or None if it may change all pixels.

    The mask has the picture's size and excludes the targets to keep. `mask_of_boxes` computes the mask for
    marked boxes. By default, that mask covers the boxes themselves. Raises OperationError if a target is not
    found.
    """
    if step.target.what == "whole":
        mask = None
    elif mask_of_boxes and _is_marked(step.target):
        mask = mask_of_boxes(canvas, step.target, marked_boxes(canvas, step.target))
    else:
        mask = target_mask(canvas, step.target)
    return _without_kept(canvas, step, mask)


def _is_marked(target: Target) -> bool:
    return target.what == "region" or (target.what == "thing" and bool(target.boxes))


def step_hole(canvas: Canvas, step: Step) -> Floats | None:
    """Return a mask of the area to remove so that a step's target disappears from the photo.

    This is like `step_mask`, but covers all of a detected thing even if its outline is uncertain. Raises
    OperationError if the target is not found.
    """
    if not _is_detectable(step.target):
        return step_mask(canvas, step)
    try:
        hole = thing_hole(canvas, step.target, keep=[kept for kept in step.keep if _is_detectable(kept)])
    except OperationError as unable:
        if unable.reason is not Reason.NO_SUCH_TARGET:
            raise
        return step_mask(canvas, step)
    return _without_kept(canvas, step, hole)


def _without_kept(canvas: Canvas, step: Step, mask: Floats | None) -> Floats | None:
    for kept in step.keep:
        free = 1 - target_mask(canvas, kept)
        mask = free if mask is None else mask * free
    return mask


def target_mask(canvas: Canvas, target: Target) -> Floats:
    """Return the target's mask at the picture's size. Raises OperationError if the target is not found.

    Callers must not change the mask, because it is kept for later calls if the photo is small.
    """
    is_small = canvas.picture.width * canvas.picture.height <= _MAX_CACHED_PIXELS
    if canvas.selected is not None or not is_small:
        return _find_mask(canvas, target)
    return canvas.get_or_compute(("target", target, canvas.boxes), lambda: _find_mask(canvas, target))


def _find_mask(canvas: Canvas, target: Target) -> Floats:
    match target.what:
        case "subject":
            return _subject_mask(canvas)
        case "background":
            return 1 - _subject_mask(canvas)
        case "region":
            return marked_mask(canvas, marked_boxes(canvas, target))
        case "text":
            return _text_mask(canvas, target)
        case "face":
            return face_mask(canvas, faces_of(canvas, target))
        case "place":
            return place_mask(canvas.picture.height, canvas.picture.width, target.place or "center")
        case "thing":
            return _thing_mask(canvas, target)
    sentence = Sentence("I can't find the %(noun)s.", noun=target.what)
    raise OperationError(Reason.NEEDS_REGION, sentence, mark(target.what))


def _subject_mask(canvas: Canvas) -> Floats:
    return upsample_mask(subject_mask(canvas, strict=False), canvas.picture)


def _text_mask(canvas: Canvas, target: Target) -> Floats:
    """Return a mask of the lines of text, in which the whole box of each line is filled."""
    if target.boxes:
        return marked_mask(canvas, marked_boxes(canvas, target))
    size = canvas.picture.width, canvas.picture.height
    lines = find_text(canvas, place=target.place)
    return marked_mask(canvas, [line.box.grown(0.05, *size) for line in lines])


def _thing_mask(canvas: Canvas, target: Target) -> Floats:
    boxes = marked_boxes(canvas, target) if target.boxes else []
    part = PARTS.get(target.noun or "")
    if part and not boxes and not (target.color and not target.of):
        return part_mask(canvas, target, part)
    if _is_detectable(target):
        try:
            # A person who is described by the color of their clothes is selected as a whole.
            if not target.color or is_someone(target.noun):
                return thing_mask(canvas, target)
            if has_exact_outlines(canvas, target):
                return colored_part(canvas, target, thing_mask(canvas, target))
            seen = [thing.box for thing in target_things(canvas, target)]
            return upsample_mask(colored_thing(canvas, target.color, target.noun, seen), canvas.picture)
        except OperationError as unable:
            if unable.reason is not Reason.NO_SUCH_TARGET:
                raise
            if _is_anyone(target) and faces_seen(canvas):
                return _subject_mask(canvas)  # a face that fills the photo belongs to the target
            if not target.color or is_someone(target.noun):
                raise
    if not boxes and not target.place and (plants := plants_mask(canvas, target)) is not None:
        return upsample_mask(plants, canvas.picture)
    if target.color:
        mask = colored_mask(canvas, target.color, target.noun, boxes, None if boxes else target.place)
        return upsample_mask(mask, canvas.picture)
    if boxes:
        return marked_mask(canvas, boxes)
    scenery = scenery_mask(canvas, target.noun or "")
    if scenery is not None:
        return upsample_mask(scenery, canvas.picture)
    sentence = Sentence("I can't find %(what)s.", what=name_or_it(target.noun))
    raise OperationError(Reason.NO_SUCH_TARGET, sentence, mark(target.noun))


def _is_anyone(target: Target) -> bool:
    """Return whether the target is a person described by nothing except a noun."""
    return is_someone(target.noun) and target == Target("thing", noun=target.noun)


def _is_detectable(target: Target) -> bool:
    """Return whether the detector knows the kind of thing that an unmarked target names."""
    return target.what == "thing" and not target.boxes and bool(kinds_of(target.noun))
