"""Find the area of a photo that a plan names. This runs in the sandbox."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np

from editor.engine.analyzing import load_analysis
from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError
from editor.engine.language.describe import target_words
from editor.engine.masks import boxes_to_mask, upsample_mask
from editor.engine.operations.remove.erase import target_hole
from editor.engine.pixels import Box
from editor.engine.plan import Plan, Reason, Step, Target
from editor.engine.preview import Outline, outline_of
from editor.engine.remembered import forget_surplus, look_at, reduced
from editor.engine.run import first_canvas
from editor.engine.targets.places import in_place
from editor.engine.targets.subject import subject_mask
from editor.engine.targets.target_masks import step_mask, target_mask
from editor.engine.targets.text_lines import find_text
from editor.imaging.codecs import STORED, load
from editor.imaging.picture import Bytes
from editor.options import EditKind, EditOptions
from editor.sentences import Sentence, SentenceData, to_json_data

_LONGEST_SIDE = 1600  # maximum side, in pixels, of the copy on which the area is found
_MARGIN = 0.03  # distance that the area extends beyond what was found, as a share of the photo's shorter side
_SEEN = 0.1  # minimum value of a mask that counts as part of what was found
_LARGEST = 0.95  # maximum share of the photo that an area may have
_AROUND_LINE = 0.3  # distance that the area extends beyond a line of text, as a share of the line's sides
# Distance that the area for an addition extends beyond the thing beside it, as shares of the thing's sides
# and of the photo's sides. The larger distance is used.
_AROUND_THING = (1.0, 0.15)


def write_mask(
    plan: Mapping[str, Any],
    photo_path: str,
    analysis_path: str | None,
    mask_path: str,
) -> dict[str, Any]:
    """Write a gray PNG file that is white in the area that a plan names, with a margin, and black elsewhere.

    `plan` is the result of Plan.as_json. Return {"message"}: why the area cannot be determined, as
    `to_json_data` returns it, or "" if the file was written. Raises PhotoError if the photo cannot be read.
    """
    wanted, picture = Plan.from_json(plan), reduced(load(photo_path, STORED), _LONGEST_SIDE)
    canvas = first_canvas(wanted, [picture], EditOptions(), analysis=load_analysis(analysis_path))
    try:
        area = _joined([_area_of(canvas, step) for step in wanted.steps])
    except OperationError as unable:
        return {"message": to_json_data(unable.sentence)}
    _, encoded = cv2.imencode(".png", 255 * area)
    Path(mask_path).write_bytes(encoded.tobytes())
    return {"message": ""}


def outlines_of_area(
    plan: Mapping[str, Any],
    photo_path: str,
    analysis_path: str | None,
    *,
    on_progress: Callable[[float], None],
) -> dict[str, Any]:
    """Return the outlines of the area that a plan names in a small copy of the photo.

    Return {"photo_size", "outlines", "message"}. They are as `preview.preview_files` returns them, and the
    message is that of `write_mask`. Raises PhotoError if the photo cannot be read.
    """
    wanted, photo = Plan.from_json(plan), look_at(photo_path, analysis_path)
    found: list[Outline] = []
    message: SentenceData = ""
    try:
        canvas = first_canvas(wanted, [photo.picture], EditOptions(), photo.findings, photo.analysis)
        masks = [_area_of(canvas, step) for step in wanted.steps]
        _joined(masks)  # raises the same errors as `write_mask`
        for number, (step, mask) in enumerate(zip(wanted.steps, masks, strict=True), 1):
            on_progress(1.0)
            if outline := outline_of(mask.astype(np.float32)):
                found.append(Outline(number, _name(step), *outline))
    except OperationError as unable:
        message = to_json_data(unable.sentence)
    finally:
        forget_surplus()
    size = [photo.picture.width, photo.picture.height]
    return {"photo_size": size, "outlines": [one.as_json() for one in found], "message": message}


def _area_of(canvas: Canvas, step: Step) -> Bytes:
    """Return a mask (0/1) of what a step names, at the picture's size.

    Raises OperationError if it is not found with confidence.
    """
    return _seen(_find(canvas, step))


def _find(canvas: Canvas, step: Step) -> Floats | Bytes:
    if step.kind is EditKind.REMOVE:
        return _removed(canvas, step)
    if step.kind is EditKind.ADD:
        return _added(canvas, step)
    if step.target.what in ("subject", "background"):
        subject = upsample_mask(subject_mask(canvas), canvas.picture)
        return subject if step.target.what == "subject" else 1 - subject
    mask = step_mask(canvas, step)
    if mask is None:
        raise OperationError(Reason.NEEDS_REGION, Sentence("I can't tell what to change."))
    return mask


def _removed(canvas: Canvas, step: Step) -> Floats | Bytes:
    uses = step.declaration.uses
    if "faces" in uses:
        return target_mask(canvas, step.target if step.target.what == "face" else Target("face"))
    if "text" in uses or step.target.what == "text":
        return _lettering(canvas, step)
    return target_hole(canvas, step)


def _lettering(canvas: Canvas, step: Step) -> Bytes:
    width, height = canvas.picture.width, canvas.picture.height
    sort = cast(str | None, step.values.get("sort"))
    lines = find_text(canvas, sort=sort, place=step.place or step.target.place, text=step.text)
    return boxes_to_mask((line.box.grown(_AROUND_LINE, width, height) for line in lines), (height, width))


def _added(canvas: Canvas, step: Step) -> Floats | Bytes:
    width, height = canvas.picture.width, canvas.picture.height
    if step.target.what == "whole":
        return in_place(height, width, step.place or "")
    thing = Box.around(_seen(target_mask(canvas, step.target)))
    own, photo = _AROUND_THING
    across, down = max(own * thing.width, photo * width), max(own * thing.height, photo * height)
    sides = thing.left - across, thing.top - down, thing.right + across, thing.bottom + down
    return boxes_to_mask([Box(*map(round, sides)).within(width, height)], (height, width))


def _seen(mask: Floats | Bytes) -> Bytes:
    return (mask > _SEEN).astype(np.uint8)


def _joined(masks: Sequence[Bytes]) -> Bytes:
    """Return one mask (0/1) of all areas with their margins.

    Raises OperationError if it is empty, or if nothing remains outside it.
    """
    area: Bytes = np.maximum.reduce([_with_margin(mask) for mask in masks])
    if not 0 < float(area.mean()) <= _LARGEST:
        sentence = Sentence("I can't tell what your prompt names from the rest of the photo.")
        raise OperationError(Reason.LOW_CONFIDENCE, sentence)
    return area


def _with_margin(mask: Bytes) -> Bytes:
    far = cv2.distanceTransform(1 - mask, cv2.DIST_L2, 5)
    return (far <= _MARGIN * min(mask.shape)).astype(np.uint8) if mask.any() else mask


def _name(step: Step) -> Sentence:
    if step.target.what == "whole" and not step.place:
        return Sentence("the rest of the photo")
    return target_words(Target("place", place=step.place) if step.target.what == "whole" else step.target)
