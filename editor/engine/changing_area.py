"""Finds the area of a photo that a plan names. Runs in the sandbox."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np

from editor.engine.analyzing import load_analysis
from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError
from editor.engine.language.describe import target_words
from editor.engine.operations.remove.erase import target_hole
from editor.engine.pixels import Box
from editor.engine.plan import Plan, Reason, Step, Target
from editor.engine.preview import Outline, outline_of
from editor.engine.remembered import forget_surplus, look_at, reduced
from editor.engine.run import first_canvas
from editor.engine.targets.find import step_mask, target_mask
from editor.engine.targets.masks import mask_of, upsample_mask
from editor.engine.targets.places import in_place
from editor.engine.targets.subject import subject_mask
from editor.engine.targets.writing import find_text
from editor.imaging.codecs import STORED, load
from editor.imaging.picture import Bytes
from editor.options import EditKind, EditOptions

LONGEST_SIDE = 1600  # maximum side, in pixels, of the copy on which the area is found
MARGIN = 0.03  # distance that the area extends beyond what was found, as a share of the photo's shorter side
_SEEN = 0.1  # minimum value of a mask that counts as part of what was found
_LARGEST = 0.95  # maximum share of the photo that an area may have
_AROUND = (1.0, 0.15)
"""Distance that the area for an addition extends beyond the thing beside it, as shares of the thing's sides
and of the photo's sides. The larger distance is used."""


def write_mask(
    plan: Mapping[str, Any],
    photo_path: str,
    analysis_path: str | None,
    mask_path: str,
) -> dict[str, Any]:
    """Write a gray PNG file that is white in the area that a plan names, with a margin, and black elsewhere.

    `plan` is the result of Plan.as_json. Return {"message"}: why the area cannot be told, in English, or ""
    if the file was written. Raises PhotoError if the photo cannot be read.
    """
    wanted, picture = Plan.from_json(plan), reduced(load(photo_path, STORED), LONGEST_SIDE)
    canvas = first_canvas(wanted, [picture], EditOptions(), analysis=load_analysis(analysis_path))
    try:
        area = np.maximum.reduce([_with_margin(find_area(canvas, step)) for step in wanted.steps])
        _require_rest(area)
    except OperationError as unable:
        return {"message": unable.sentence}
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
    message = ""
    try:
        canvas = first_canvas(wanted, [photo.picture], EditOptions(), photo.findings, photo.analysis)
        masks = [find_area(canvas, step) for step in wanted.steps]
        _require_rest(np.maximum.reduce([_with_margin(mask) for mask in masks]))
        for number, (step, mask) in enumerate(zip(wanted.steps, masks, strict=True), 1):
            on_progress(1.0)
            if outline := outline_of(mask.astype(np.float32)):
                found.append(Outline(number, _name(step), *outline))
    except OperationError as unable:
        message = unable.sentence
    finally:
        forget_surplus()
    size = [photo.picture.width, photo.picture.height]
    return {"photo_size": size, "outlines": [one._asdict() for one in found], "message": message}


def find_area(canvas: Canvas, step: Step) -> Bytes:
    """Return a mask (0/1) of what a step names, at the picture's size.

    Raises OperationError if it is not found with confidence.
    """
    mask = _area_of(canvas, step)
    return (mask > _SEEN).astype(np.uint8)


def _area_of(canvas: Canvas, step: Step) -> Floats | Bytes:
    if step.kind is EditKind.REMOVE:
        return _removed(canvas, step)
    if step.kind is EditKind.ADD:
        return _added(canvas, step)
    if step.target.what in ("subject", "background"):
        subject = upsample_mask(subject_mask(canvas), canvas.picture)
        return subject if step.target.what == "subject" else 1 - subject
    mask = step_mask(canvas, step)
    if mask is None:
        raise OperationError(Reason.NEEDS_REGION, "I can't tell what to change.")
    return mask


def _removed(canvas: Canvas, step: Step) -> Floats | Bytes:
    if step.operation == "hide_faces":
        faces = step.target if step.target.what == "face" else Target("face")
        return target_mask(canvas, faces)
    if step.operation == "erase_text" or step.target.what == "text":
        named = {name: step.parameters.get(name) for name in ("sort", "text")}
        place = step.place or step.target.place
        lines = find_text(canvas, place=place, **cast(dict[str, Any], named))
        boxes = [line.box.grown(0.3, canvas.picture.width, canvas.picture.height) for line in lines]
        return mask_of(canvas.picture, [(box, np.ones((1, 1), np.float32)) for box in boxes])
    return target_hole(canvas, step)


def _added(canvas: Canvas, step: Step) -> Floats | Bytes:
    height, width = canvas.picture.height, canvas.picture.width
    if step.target.what == "whole":
        return in_place(height, width, step.place or "")
    box = Box.around((target_mask(canvas, step.target) > _SEEN).astype(np.uint8))
    own, photo = _AROUND
    across, down = max(own * box.width, photo * width), max(own * box.height, photo * height)
    grown = Box(
        round(box.left - across), round(box.top - down), round(box.right + across), round(box.bottom + down)
    )
    mask = np.zeros((height, width), np.uint8)
    mask[grown.within(width, height).slices] = 1
    return mask


def _with_margin(mask: Bytes) -> Bytes:
    far = cv2.distanceTransform(1 - mask, cv2.DIST_L2, 5)
    return (far <= MARGIN * min(mask.shape)).astype(np.uint8) if mask.any() else mask


def _require_rest(area: Bytes) -> None:
    """Raise OperationError if the area is empty, or if nothing remains outside it."""
    if not 0 < float(area.mean()) <= _LARGEST:
        sentence = "I can't tell what your prompt names from the rest of the photo."
        raise OperationError(Reason.LOW_CONFIDENCE, sentence)


def _name(step: Step) -> str:
    if step.target.what != "whole":
        return target_words(step.target)
    return f"the {step.place} part of the photo" if step.place else "the rest of the photo"
