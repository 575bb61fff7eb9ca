"""Carries out a plan: the same plan, photos and seed give the same bytes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from editor.engine.canvas import Canvas, box_of
from editor.engine.networks import Models
from editor.engine.operations import OPERATIONS
from editor.engine.operations.composition.crop import crop_to_ratio, parsed_ratio
from editor.engine.plan import Kind, Plan, Reason, Refusal, Step
from editor.engine.refused import Refused as Refused
from editor.engine.refused import Unable
from editor.imaging.codecs import EXTENSIONS, STORED, Picture, load, save
from editor.options import EditOptions, Limits

type Progress = Callable[[float], None]

_VARIATIONS = ((1.0, 0.0), (0.7, -1.0), (1.35, 1.0), (0.5, -0.5))
"""Strength of amounts, and shift of crops: the likeliest first."""

_NEEDS_ALPHA = "transparent_background"
_FILLS = {"solid_background", "gradient_background", "photo_background"}
_FINISHING = ("border", "frame", "shadow", "shape", "arrow", "emoji", "text", "watermark")
"""Drawn last, in this order, on the final shape: a later crop would cut a border, a border cover a text."""

_PIXEL_SHARE = 0.8  # of the work; the rest is reading and writing


def carry_out(
    plan: Plan,
    pictures: list[Picture],
    options: EditOptions,
    seed: int = 0,
    on_progress: Progress | None = None,
    models: Models | None = None,
) -> list[Picture]:
    """Photo 1 after the plan's steps, in as many variations as the options ask for, the likeliest first.

    The other photos are material for steps. What people should know stands in the pictures' notices.
    Raises Refused when a step is impossible on these photos; with a partial plan only when all are.
    """
    _require_accepted(plan)
    _require_enough_variations(options)
    _require_alpha_format(plan, options)
    first = replace(_canvas(pictures, options, plan, seed), models=models)
    report = _Report(on_progress, options.outputs * len(plan.steps))
    made = [
        _one(replace(first, seed=seed + number, strength=strength, shift=shift), plan, report)
        for number, (strength, shift) in enumerate(_VARIATIONS[: options.outputs])
    ]
    return _with_notices(_with_notice_of_twins(made), models.notices if models else [])


class _Report:
    """Counts finished steps and tells how much is done."""

    def __init__(self, on_progress: Progress | None, total: int) -> None:
        self.on_progress, self.total, self.done = on_progress, total, 0

    def step_done(self) -> None:
        self.done += 1
        if self.on_progress is not None:
            self.on_progress(self.done / self.total)


def _require_accepted(plan: Plan) -> None:
    if not plan.accepted:
        message = plan.message or "This instruction was not understood."
        raise Refused.of(message, plan.not_understood)


def _require_enough_variations(options: EditOptions) -> None:
    if options.outputs > len(_VARIATIONS):
        raise Refused.of(f"At most {len(_VARIATIONS)} results can be made at once. Ask for fewer.", ())


def _require_alpha_format(plan: Plan, options: EditOptions) -> None:
    """JPEG has no transparency; nothing is flattened behind anyone's back."""
    cuts = [number for number, step in enumerate(plan.steps) if step.operation == _NEEDS_ALPHA]
    if cuts and options.output_format == "jpeg":
        later = plan.steps[cuts[-1] + 1 :]
        if not any(step.operation in _FILLS for step in later):
            unable = Unable(Reason.AMBIGUOUS, "JPEG cannot be transparent.", "Choose PNG or WebP.")
            raise _refused([_refusal(plan, plan.steps[cuts[-1]], unable)], [unable])


def _canvas(pictures: list[Picture], options: EditOptions, plan: Plan, seed: int) -> Canvas:
    boxes = tuple(box_of(region, pictures[0]) for region in options.regions)
    named = {number for step in plan.steps for target in (step.target, *step.keep) for number in target.boxes}
    whole = any(step.target.what == "region" and not step.target.boxes for step in plan.steps)
    seeds = () if whole else tuple(n for n in range(1, len(boxes) + 1) if n not in named)
    ratio = parsed_ratio(options.aspect_ratio)
    return Canvas(pictures[0], tuple(pictures), boxes, seeds, seed, ratio=ratio)


def _one(canvas: Canvas, plan: Plan, report: _Report) -> Picture:
    """One variation."""
    refusals: list[Refusal] = []
    reasons: list[Unable] = []
    finishing = _finishing(plan)
    for step in (*_before_the_shape(plan), *finishing):
        try:
            canvas = _done(_shaped(canvas) if step in finishing else canvas, step)
        except Unable as unable:
            refusals.append(_refusal(plan, step, unable))
            reasons.append(unable)
        report.step_done()
    if refusals and (not plan.partial or len(refusals) == len(plan.steps)):
        raise _refused(refusals, reasons)
    for refusal, reason in zip(refusals, reasons, strict=True):
        canvas = canvas.noticing(f"Left out: {_sentence(refusal, reason)}")
    try:
        return _shaped(canvas).picture
    except Unable as unable:
        raise Refused.of(f"{unable.sentence} {unable.hint}".rstrip(), ()) from None


def _before_the_shape(plan: Plan) -> list[Step]:
    return [step for step in plan.steps if not _is_finishing(step)]


def _finishing(plan: Plan) -> list[Step]:
    steps = [step for step in plan.steps if _is_finishing(step)]
    return sorted(steps, key=lambda step: _FINISHING.index(step.operation))


def _is_finishing(step: Step) -> bool:
    """The shadow of a subject is drawn where it is found, before there is a border."""
    return step.operation in _FINISHING and not (step.operation == "shadow" and step.target.what == "subject")


def _shaped(canvas: Canvas) -> Canvas:
    """In the shape that was asked for, if any."""
    return crop_to_ratio(canvas, canvas.ratio) if canvas.ratio else canvas


def _done(canvas: Canvas, step: Step) -> Canvas:
    carry = OPERATIONS.get(step.operation)
    if carry is None:
        raise Unable(Reason.UNKNOWN_WORD, f"There is no operation “{step.operation}”.")
    return carry(canvas, step)


def _refusal(plan: Plan, step: Step, unable: Unable) -> Refusal:
    start, end = step.words
    words = plan.instruction[start:end].strip() or step.says or step.operation
    return Refusal(words, unable.reason, unable.hint)


def _refused(refusals: list[Refusal], reasons: list[Unable]) -> Refused:
    message = " ".join(_sentence(refusal, unable) for refusal, unable in zip(refusals, reasons, strict=True))
    return Refused.of(message, refusals)


def _sentence(refusal: Refusal, unable: Unable) -> str:
    return f"“{refusal.words}”: {unable.sentence} {unable.hint}".rstrip()


def _with_notice_of_twins(made: list[Picture]) -> list[Picture]:
    """Says so where variations came out alike."""
    notice = "This edit can be done in one way only: some of the results are the same."
    return [
        replace(picture, notices=(*picture.notices, notice))
        if any(np.array_equal(picture.pixels, other.pixels) for other in made if other is not picture)
        else picture
        for picture in made
    ]


def _with_notices(made: list[Picture], notices: list[str]) -> list[Picture]:
    return [replace(picture, notices=(*picture.notices, *notices)) for picture in made]


def edit_files(
    plan: Mapping[str, Any],
    photo_paths: list[str],
    options: Mapping[str, Any],
    output_stem: str,
    limits: Mapping[str, int] | None = None,
    seed: int = 0,
    models_dir: str | None = None,
    on_progress: Progress | None = None,
) -> dict[str, Any]:
    """An edit from files to files; for the sandbox, so all that goes in and out is JSON-safe.

    `plan` is Plan.as_json (with `partial` taken from the options), `options` EditOptions.as_json;
    `models_dir` is where the operator's models lie.
    Writes `<output_stem>-1.png` and so on, and answers {"outputs": [{path, media_type, width, height,
    size, sha256}], "notices": [...]}. Raises PhotoError and Refused.
    """
    chosen = EditOptions.from_json(dict(options))
    allowed = Limits(**limits) if limits else STORED
    pictures = [load(path, allowed) for path in photo_paths]
    report = _scaled(on_progress, 0.05, _PIXEL_SHARE)
    models = Models(Path(models_dir)) if models_dir else None
    made = carry_out(Plan.from_json(plan, partial=chosen.partial), pictures, chosen, seed, report, models)
    outputs = []
    for number, picture in enumerate(made, 1):
        path = f"{output_stem}-{number}.{EXTENSIONS[chosen.output_format]}"
        outputs.append({"path": path} | save(picture, path, chosen.output_format))
        if on_progress is not None:
            on_progress(_PIXEL_SHARE + (1 - _PIXEL_SHARE) * number / len(made))
    return {"outputs": outputs, "notices": _notices(pictures, made)}


def brightens_grey() -> bool:
    """Whether a small grey picture comes out brighter: a look at the engine without an edit."""
    grey = Picture(np.full((16, 16, 3), 100, np.uint8))
    step = Step(Kind.COLOR, "brightness", amount=0.5)
    made = carry_out(Plan("", (step,)), [grey], EditOptions())
    return bool(made[0].pixels.min() > 100)


def _scaled(on_progress: Progress | None, start: float, end: float) -> Progress | None:
    if on_progress is None:
        return None
    return lambda part: on_progress(start + (end - start) * part)


def _notices(pictures: list[Picture], made: list[Picture]) -> list[str]:
    every = (notice for picture in (*pictures, *made) for notice in picture.notices)
    return list(dict.fromkeys(every))
