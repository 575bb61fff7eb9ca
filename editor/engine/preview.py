"""Make previews: carry out an edit on a small copy of the photo, and outline what its steps found."""

import base64
import io
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import cv2
import numpy as np
from PIL import Image

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.errors import OperationError, PlanRefused
from editor.engine.kinds import PARTS
from editor.engine.language.describe import target_words
from editor.engine.pixels import Box
from editor.engine.plan import Amount, Plan, Step, Value
from editor.engine.remembered import (
    LONGEST_SIDE,
    RememberedPhoto,
    forget_surplus,
    look_at,
)
from editor.engine.run import carry_out, first_canvas, words_of
from editor.engine.targets.box_contents import box_contents_mask
from editor.engine.targets.target_masks import step_mask
from editor.imaging.picture import Picture, eight_bits
from editor.options import EditKind, EditOptions
from editor.sentences import Sentence, to_json_data

_QUALITY = 90  # WebP quality for previews
_ROUGH = 0.8  # maximum distance in pixels between an outline and its simplified form
_SPECK = 0.0004  # minimum area of an outlined part, as a share of the photo
_MOST_POINTS = 600  # maximum number of points of an outline
_WHOLE = 0.98  # minimum share of the photo at which an outlined part counts as the whole photo
# Maximum total size of photos and findings while a hole is filled, in bytes. Measured: of the 400 MB that the
# child may use (see imaging.memory), filling needs 310 MB, and the process itself needs up to 70 MB.
_LEFT_TO_FINDINGS = 8 * 1024**2
_NOT_OUTLINED = ("whole", "place")
# targets whose search uses more pixels than a small photo has
_DETAILED = frozenset({"faces", "text"})


class Outline(NamedTuple):
    """The outline of what a step found, in pixels of the small photo.

    `step` is the number of the step, from 1. `path` is the data of an SVG path. `box` is the bounding box of
    the largest part.
    """

    step: int
    name: Sentence
    path: str
    box: Box

    def as_json(self) -> dict[str, Any]:
        return self._asdict() | {"name": to_json_data(self.name)}


def preview_files(
    plan: Mapping[str, Any],
    photo_paths: Sequence[str],
    options: Mapping[str, Any],
    width: int,
    analysis_path: str | None = None,
    *,
    on_progress: Callable[[float], None],
) -> dict[str, Any]:
    """Return a preview of an edit to the photos in these files.

    This runs in the sandbox, so arguments and results are JSON-safe. `plan` is the result of Plan.as_json,
    `options` is the result of EditOptions.as_json, and `width` is the original width of photo 1. If some
    steps are impossible on these photos, the preview shows the others. Raises PhotoError if a photo cannot be
    read. The newest preview of each photo is remembered, because a submit asks for it again. Returns a
    dictionary:

    - "image": the result as a base64-encoded WebP file, or "" if no step is possible
    - "size": the [width, height] of the result
    - "photo_size": the [width, height] of the small photo
    - "is_in_place": whether the result shows the same part of the photo
    - "outlines": [{step, name, path, box}] of what the steps found, as in Outline, but with the name as
      `to_json_data` returns it
    - "message": why steps are impossible, as `to_json_data` returns it, or ""
    - "refusals": the impossible steps, as Refusal.as_json returns them
    - "is_unsure": whether some steps need more detail than the small photo has
    """
    paths = [(path, None if number else analysis_path) for number, path in enumerate(photo_paths)]
    photo, *others = [look_at(*one) for one in paths]
    request = json.dumps([plan, list(photo_paths), options, width], sort_keys=True)
    if photo.newest_preview[0] != request:
        photo.newest_preview = request, _preview(plan, photo, others, options, width, on_progress)
    return photo.newest_preview[1]


def _preview(
    plan: Mapping[str, Any],
    photo: RememberedPhoto,
    others: list[RememberedPhoto],
    options: Mapping[str, Any],
    width: int,
    on_progress: Callable[[float], None],
) -> dict[str, Any]:
    chosen = replace(EditOptions.from_json(dict(options)), outputs=1)
    wanted = scaled(Plan.from_json(plan), photo.picture.width / width)
    if any("fill" in step.declaration.uses for step in wanted.steps):
        forget_surplus(_LEFT_TO_FINDINGS)
    try:
        result, refused = _carry_out(wanted, [photo, *others], chosen, on_progress)
        found: list[Outline] = []
        with suppress(PlanRefused):  # If points select nothing, `refused` already says so.
            found = outlines(wanted, photo, chosen, on_progress)
    finally:
        forget_surplus()
    before = photo.picture
    is_unsure = refused is not None and width > before.width and _is_about_details(wanted, refused)
    image, size = _webp(result) if result else ("", (before.width, before.height))
    return {
        "image": image,
        "size": list(size),
        "photo_size": [before.width, before.height],
        "is_in_place": result is None or _is_in_place(wanted, before, result),
        "outlines": [outline.as_json() for outline in found],
        "message": to_json_data(refused.message) if refused and not is_unsure else "",
        "refusals": [part.as_json() for part in refused.refusals] if refused and not is_unsure else [],
        "is_unsure": is_unsure,
    }


def scaled(plan: Plan, factor: float) -> Plan:
    """Return the plan with its pixel lengths scaled by a factor, for an equally scaled copy of the photo."""
    return replace(plan, steps=tuple(_scaled_step(step, factor) for step in plan.steps))


def outlines(
    plan: Plan, photo: RememberedPhoto, options: EditOptions, on_progress: Callable[[float], None]
) -> list[Outline]:
    """Return the outlines of the areas that the steps change, unless a step changes the whole photo."""
    canvas = first_canvas(plan, [photo.picture], options, photo.findings, photo.analysis)
    found = []
    for number, step in enumerate(plan.steps, 1):
        on_progress(1.0)
        mask, is_background = _found_by(canvas, step), step.target.what == "background"
        if mask is None or not (outline := outline_of(1 - mask if is_background else mask)):
            continue
        path, box = outline
        if is_background:  # Its box marks the subject, and its area reaches to the edges of the photo.
            path = f"M0 0H{photo.picture.width}V{photo.picture.height}H0Z{path}"
        found.append(Outline(number, target_words(step.target), path, box))
    return found


def outline_of(mask: Floats) -> tuple[str, Box] | None:
    """Return an SVG path around a mask (0 to 1), and the box of its largest part.

    Return None if the mask is empty.
    """
    solid = (mask > 0.5).astype(np.uint8)
    if not _SPECK < solid.mean() < _WHOLE:
        return None
    lines, _ = cv2.findContours(solid, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    parts = [line for line in lines if cv2.contourArea(line) > _SPECK * mask.size]
    if not parts:
        return None
    rough = _ROUGH
    while True:
        simple = [cv2.approxPolyDP(line, rough, closed=True)[:, 0] for line in parts]
        if sum(map(len, simple)) <= _MOST_POINTS:
            break
        rough *= 1.5
    path = "".join("M" + "L".join(f"{x} {y}" for x, y in line.tolist()) + "Z" for line in simple)
    left, top, width, height = cv2.boundingRect(max(parts, key=cv2.contourArea))
    return path, Box(left, top, left + width, top + height)


def _carry_out(
    plan: Plan, photos: list[RememberedPhoto], options: EditOptions, on_progress: Callable[[float], None]
) -> tuple[Picture | None, PlanRefused | None]:
    """Return the result of the possible steps, along with an error that describes the impossible steps."""

    def run(plan: Plan) -> Picture:
        pictures = [photo.picture for photo in photos]
        first = photos[0]
        results = carry_out(
            plan,
            pictures,
            options,
            on_progress=on_progress,
            cache=first.findings,
            analysis=first.analysis,
        )
        return results[0]

    complete = replace(plan, not_understood=(), partial=False)
    try:
        return run(complete), None
    except PlanRefused as refused:
        if not 0 < len(refused.refusals) < len(plan.steps):
            return None, refused
        try:
            return run(replace(complete, partial=True)), refused
        except PlanRefused:
            return None, refused


def _scaled_step(step: Step, factor: float) -> Step:
    types = {name: spec.type for name, spec in step.declaration.fields.items()}
    return replace(
        step, values={name: _scaled_value(types[name], value, factor) for name, value in step.values.items()}
    )


def _scaled_value(kind: str, value: Value, factor: float) -> Value:
    if isinstance(value, Amount) and value.unit == "pixels" and value.number is not None:
        return replace(value, number=value.number * factor)
    if kind == "size" and isinstance(value, str):
        before, _, size = value.rpartition("within ")
        sides = [max(1, round(int(side) * factor)) for side in size.lower().split("x")]
        return f"{'within ' if before or value != size else ''}{'x'.join(map(str, sides))}"
    return value


def _found_by(canvas: Canvas, step: Step) -> Floats | None:
    if step.target.what in _NOT_OUTLINED or step.declaration.finds == "frame":
        return None
    try:
        return step_mask(canvas, replace(step, keep=()), box_contents_mask)
    except OperationError:
        return None


def _is_about_details(plan: Plan, refused: PlanRefused) -> bool:
    """Return whether any of the refused steps might succeed on a photo with more detail."""
    words = {refusal.words for refusal in refused.refusals}
    return any(_needs_details(step) for step in plan.steps if words_of(plan, step) in words)


def _needs_details(step: Step) -> bool:
    is_small = any(target.what in ("face", "text") or target.noun in PARTS for target in step.targets)
    return is_small or bool(step.declaration.uses & _DETAILED)


def _is_in_place(plan: Plan, before: Picture, after: Picture) -> bool:
    is_same_size = (before.width, before.height) == (after.width, after.height)
    return is_same_size and not any(step.kind is EditKind.COMPOSITION for step in plan.steps)


def _webp(picture: Picture) -> tuple[str, tuple[int, int]]:
    """Return a picture as a base64-encoded WebP, along with its size."""
    image = Image.fromarray(eight_bits(picture))
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.BOX)
    file = io.BytesIO()
    image.save(file, "webp", quality=_QUALITY, method=0)  # the fastest method
    return base64.b64encode(file.getvalue()).decode(), image.size
