"""Carry out plans.

The same plan, photos, and seed always give the same bytes.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from editor.engine.analyzing import load_analysis
from editor.engine.canvas import Canvas, Variation, box_of
from editor.engine.drawing.crop_windows import crop_to_ratio, parse_ratio
from editor.engine.errors import OperationError, PlanRefused
from editor.engine.kinds import kinds_of
from editor.engine.networks import Models
from editor.engine.operations import find_operation
from editor.engine.pixels import Box, is_visible_change, top_value
from editor.engine.plan import BadStep, Plan, Reason, Refusal, Step, Way, WayKind
from editor.engine.seen import say_seen
from editor.engine.step_order import in_order, is_filled, layer_of, stacked, turned_later
from editor.engine.targets.analyzed import after_step, with_analysis
from editor.engine.targets.selection import select
from editor.engine.threads import has_room_for_two, two_threads
from editor.imaging.codecs import EXTENSIONS, STORED, load, save
from editor.imaging.picture import Picture
from editor.imaging.stored_photos import fit_file_size, save_with_derivatives
from editor.options import EditOptions, Limits, selection_number
from editor.sentences import EMPTY, Sentence, join_sentences, to_json_data

if TYPE_CHECKING:
    from editor.engine.vision.analysis import Analysis

type Progress = Callable[[float], None]

# The strength of amounts and the shift of crops in each variation, most likely first.
_VARIATIONS = ((1.0, 0.0), (0.7, -1.0), (1.35, 1.0), (0.5, -0.5))

_READ = 0.05  # share of the total progress that is reached once the photos have been read

_TWINS = Sentence("There is only one way to make this edit, so some of the results are the same.")
_UNSEEN = Sentence("This makes no visible difference in this photo.")
_QUALITY = 95  # quality of a file that has no size limit
_SMALLER = Sentence("I made the photo smaller, because its file would be too large otherwise.")
_ON_WHITE = Sentence("Transparent areas are now white because JPEG doesn't support transparency.")


def carry_out(
    plan: Plan,
    pictures: list[Picture],
    options: EditOptions,
    seed: int = 0,
    on_progress: Progress | None = None,
    models: Models | None = None,
    cache: dict[Any, Any] | None = None,
    analysis: "Analysis | None" = None,
) -> list[Picture]:
    """Return photo 1 after the steps of the plan, in as many variations as the options request.

    The most likely variation comes first. The other photos are material for the steps. Notices for the user
    are attached to the pictures. `cache` holds what other plans found in exactly the same pixels. `analysis`
    is the analysis of photo 1.

    Raises PlanRefused if a step is impossible on these photos or, for a partial plan, if all steps are
    impossible.
    """
    options = _with_its_format(options, plan)
    report = _Report(on_progress, options.outputs * len(plan.steps))
    variations = _variations(
        plan, pictures, options, seed=seed, report=report, models=models, cache=cache, analysis=analysis
    )
    results = [picture for picture, times in variations for _ in range(times)]
    report.more_done(report.total)
    is_twin = len(results) > 1 and len(results) > len({picture.pixels.tobytes() for picture in results})
    notices = (*([_TWINS] if is_twin else ()), *(models.notices if models else ()))
    return [replace(picture, notices=(*picture.notices, *notices)) for picture in results]


def _with_its_format(options: EditOptions, plan: Plan) -> EditOptions:
    """Return the options with the file format that the instruction asks for, if any."""
    return replace(options, output_format=plan.file_format or options.output_format)


class _Report:
    """A counter of finished steps that reports progress from 0 to 1.

    Reading the photos accounts for the share `read`.
    """

    def __init__(self, on_progress: Progress | None, total: int, read: float = 0.0) -> None:
        self.on_progress, self.total, self.done, self.read = on_progress, total, 0, read

    def more_done(self, count: int = 1) -> None:
        self.done = min(self.total, self.done + count)
        if self.on_progress is not None:
            self.on_progress(1 - (1 - self.read) * (1 - self.done / self.total))


def _variations(
    plan: Plan,
    pictures: list[Picture],
    options: EditOptions,
    *,
    seed: int,
    report: _Report,
    models: Models | None,
    cache: dict[Any, Any] | None = None,
    analysis: "Analysis | None" = None,
) -> Iterator[tuple[Picture, int]]:
    """Yield the variations one at a time, each with the number of results that it stands for.

    This way, two variations are never in memory at the same time. If nothing in the plan depends on the
    variation, the first variation stands for all requested results.
    """
    if not plan.accepted:
        raise PlanRefused.of(plan.message or Sentence("I don't understand this prompt."), plan.not_understood)
    if options.outputs > len(_VARIATIONS):
        raise PlanRefused.of(
            Sentence("I can make at most %(n)s results from one prompt. Ask for fewer.", n=len(_VARIATIONS)),
            (),
        )
    possible, troubles = _without_lost_cuts(plan, options)
    first = replace(first_canvas(plan, pictures, options, cache, analysis), models=models)
    for number, (strength, shift) in enumerate(_VARIATIONS[: options.outputs]):
        variation = Variation(seed + number, strength, shift)
        with two_threads() if has_room_for_two() else nullcontext():
            picture = _carry_out_variation(replace(first, variation=variation), possible, troubles, report)
        is_only = number == 0 and not variation.was_used
        yield _with_omissions(picture, plan, options), options.outputs if is_only else 1
        if is_only:
            return
        del picture


class _Trouble(NamedTuple):
    """A step that cannot be carried out, with the reason."""

    refusal: Refusal
    reason: Sentence

    @property
    def sentence(self) -> Sentence:
        """The sentence for an edit that is refused because of the step."""
        return Sentence("“%(quoted)s”: %(reason)s", quoted=self.refusal.words, reason=self.reason)

    @property
    def notice(self) -> Sentence:
        """The sentence for an edit that is carried out without the step."""
        return Sentence("I left out “%(quoted)s”: %(reason)s", quoted=self.refusal.words, reason=self.reason)


def words_of(plan: Plan, step: Step) -> str:
    """Return the words of the instruction that ask for a step.

    A refusal of the step quotes these words.
    """
    start, end = step.words
    return plan.instruction[start:end].strip() or step.says or step.operation


def _trouble(plan: Plan, step: Step, unable: OperationError, seen: Sentence = EMPTY) -> _Trouble:
    words = words_of(plan, step)
    hint = join_sentences(seen, unable.hint)
    boxes = (Way(WayKind.BOX, plan.instruction),) if unable.asks_for_box else ()
    return _Trouble(Refusal(words, unable.reason, hint, ways=boxes), join_sentences(unable.sentence, hint))


def _seen_instead(canvas: Canvas, step: Step, unable: OperationError) -> Sentence:
    """Return what the photo shows, as a sentence, if the step names a thing that is not in the photo."""
    is_missed = unable.reason is Reason.NO_SUCH_TARGET and step.target.what == "thing"
    return say_seen(canvas.analysis, kinds_of(step.target.noun)) if is_missed else EMPTY


def _without_lost_cuts(plan: Plan, options: EditOptions) -> tuple[Plan, list[_Trouble]]:
    """Remove cutouts that a JPEG would lose because no later step fills them.

    JPEG has no transparency. Return the remaining plan and an explanation for each removed step. Raises
    PlanRefused if the plan must be carried out completely.
    """
    if options.output_format != "jpeg":
        return plan, []
    lost = [
        number
        for number, step in enumerate(plan.steps)
        if step.declaration.ground == "none" and not is_filled(plan.steps, number)
    ]
    unable = OperationError(
        Reason.AMBIGUOUS, Sentence("JPEG doesn't support transparency."), Sentence("Choose PNG or WebP.")
    )
    troubles = [_trouble(plan, plan.steps[number], unable) for number in lost]
    _require_enough(plan, troubles)
    left = tuple(step for number, step in enumerate(plan.steps) if number not in lost)
    return replace(plan, steps=left), troubles


def _require_enough(plan: Plan, troubles: list[_Trouble]) -> None:
    """Raise PlanRefused if a step is impossible, unless the plan is partial and at least one step remains."""
    if troubles and (not plan.partial or len(troubles) >= len(plan.steps)):
        message = join_sentences(*(trouble.sentence for trouble in troubles))
        rest = (Way(WayKind.REST, plan.instruction),) if len(troubles) < len(plan.steps) else ()
        refusals = (trouble.refusal for trouble in troubles)
        raise PlanRefused.of(message, [replace(one, ways=(*one.ways, *rest)) for one in refusals])


def first_canvas(
    plan: Plan,
    pictures: list[Picture],
    options: EditOptions,
    cache: dict[Any, Any] | None = None,
    analysis: "Analysis | None" = None,
) -> Canvas:
    """Return the canvas on which a plan starts; see `carry_out`.

    Raises PlanRefused if points select nothing.
    """
    canvas = replace(_canvas(pictures, options, plan), cache={} if cache is None else cache)
    canvas = canvas if analysis is None else with_analysis(canvas, pictures[0], analysis)
    return _with_selection(canvas, options, plan)


def _canvas(pictures: list[Picture], options: EditOptions, plan: Plan) -> Canvas:
    boxes = tuple(box_of(region, pictures[0]) for region in options.regions)
    is_clicked = selection_number(options.regions, options.points) is not None
    boxes = (*boxes, None) if is_clicked else boxes  # `_with_selection` adds the box of the selection
    named = {number for step in plan.steps for target in step.targets for number in target.boxes}
    whole = any(step.target.what == "region" and not step.target.boxes for step in plan.steps)
    subject_box_numbers = () if whole else tuple(n for n in range(1, len(boxes) + 1) if n not in named)
    ratio = parse_ratio(options.aspect_ratio)
    return Canvas(pictures[0], tuple(pictures), boxes, subject_box_numbers, ratio=ratio)


def _with_selection(canvas: Canvas, options: EditOptions, plan: Plan) -> Canvas:
    """Return the canvas with the selection that the points on photo 1 make, if there are any points.

    Raises PlanRefused if the points select nothing or if the photo was not analyzed.
    """
    if selection_number(options.regions, options.points) is None:
        return canvas
    analysis, points = canvas.analysis, options.points
    if analysis is None or analysis.embedding is None:
        raise _unselected(
            plan, Sentence("I can't tell what you clicked in this photo. Draw a box around it instead.")
        )
    found = canvas.get_or_compute(("selection", points), lambda: select(analysis, points), of=analysis)
    if found is None:
        raise _unselected(
            plan, Sentence("I can't find anything where you clicked. Draw a box around it instead.")
        )
    across, down = canvas.picture.width / analysis.width, canvas.picture.height / analysis.height
    left, top, right, bottom = found.box
    box = Box(round(left * across), round(top * down), round(right * across), round(bottom * down))
    return replace(canvas, boxes=(*canvas.boxes[:-1], box), selected=found.mask)


def _unselected(plan: Plan, sentence: Sentence) -> PlanRefused:
    """Return the error for points that select nothing. A box is the way to continue."""
    box = Way(WayKind.BOX, plan.instruction)
    return PlanRefused.of(sentence, [Refusal(plan.instruction, Reason.NEEDS_REGION, sentence, ways=(box,))])


def _carry_out_variation(canvas: Canvas, plan: Plan, known: list[_Trouble], report: _Report) -> Picture:
    """Carry out the steps for one variation.

    Of the two possible orders, the one in which more steps succeed is used.
    """
    start = canvas
    canvas, troubles = _attempt(start, plan, list(plan.steps), report)
    order = turned_later(plan.steps)
    if troubles and order:
        other, fewer = _attempt(start, plan, order, report)
        if len(fewer) < len(troubles):
            canvas, troubles = other, fewer
    _require_enough(plan, troubles)
    for trouble in (*known, *troubles):
        canvas = canvas.with_notice(trouble.notice)
    try:
        return _shaped(canvas).picture
    except OperationError as unable:
        raise PlanRefused.of(join_sentences(unable.sentence, unable.hint), ()) from None


def _attempt(
    canvas: Canvas, plan: Plan, steps: Sequence[Step], report: _Report
) -> tuple[Canvas, list[_Trouble]]:
    """Carry out all possible steps. Return the canvas, and an explanation for each impossible step."""
    troubles: list[_Trouble] = []
    early, final = in_order(steps)

    def done(canvas: Canvas, step: Step, shaped: Callable[[Canvas], Canvas]) -> Canvas:
        try:
            before, is_one_of_several = shaped(canvas), len(plan.steps) > 1
            after = find_operation(step.operation)(before, step)
            # Nothing looks for anything after the only step, except a crop to the requested ratio.
            canvas = after_step(canvas, after, step) if is_one_of_several or canvas.ratio else after
            if is_one_of_several and _is_unseen(before.picture, canvas.picture, [step]):
                canvas = canvas.with_notice(_unseen(plan, step).sentence)
        except OperationError as unable:
            troubles.append(_trouble(plan, step, unable, _seen_instead(canvas, step, unable)))
        report.more_done()
        return canvas

    for step in early:
        canvas = done(canvas, step, lambda same: same)
    for _, drawn in groupby(final, layer_of):
        for step in stacked(list(drawn), canvas):
            canvas = done(canvas, step, _shaped)
    return canvas, troubles


def _is_unseen(before: Picture, after: Picture, steps: Sequence[Step]) -> bool:
    """Return whether the steps left both the visible picture and the file's properties unchanged."""
    is_converted = any(step.operation == "file_format" for step in steps)
    is_same_file = not is_converted and before.dots_per_inch == after.dots_per_inch
    return is_same_file and not is_visible_change(before.pixels, after.pixels)


def _unseen(plan: Plan, step: Step) -> _Trouble:
    return _trouble(plan, step, OperationError(Reason.NO_SUCH_TARGET, _UNSEEN))


def _shaped(canvas: Canvas) -> Canvas:
    """Return the canvas cropped to the requested aspect ratio, if any."""
    return crop_to_ratio(canvas, canvas.ratio) if canvas.ratio else canvas


def _with_omissions(picture: Picture, plan: Plan, options: EditOptions) -> Picture:
    """Add notices about anything that the language left out or that the file format cannot store."""
    left_out = [
        join_sentences(Sentence("I left out “%(quoted)s”.", quoted=refusal.words), refusal.hint)
        for refusal in plan.not_understood
    ]
    flattened = [_ON_WHITE] if options.output_format == "jpeg" and _is_seen_through(picture) else []
    return replace(picture, notices=(*picture.notices, *left_out, *flattened))


def _is_seen_through(picture: Picture) -> bool:
    return picture.has_alpha and bool(picture.pixels[:, :, 3].min() < top_value(picture.pixels))


def edit_files(
    plan: Mapping[str, Any] | None,
    photo_paths: list[str],
    options: Mapping[str, Any],
    output_stem: str,
    limits: Mapping[str, int] | None = None,
    seed: int = 0,
    models_dir: str | None = None,
    with_derivatives: bool = False,
    view_scales: Sequence[float] = (),
    analysis_path: str | None = None,
    on_progress: Progress | None = None,
    deferred_arguments: Callable[[], Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Carry out an edit from files to files.

    This runs in the sandbox, so arguments and results are JSON-safe. `plan` is the result of Plan.as_json
    (`partial` is taken from the options), and `options` is the result of EditOptions.as_json. `models_dir` is
    the folder of the operator's models. `analysis_path` is the file of photo 1's analysis; an unreadable file
    is ignored.

    If `deferred_arguments` is given, `plan` and `analysis_path` are ignored. Instead, `deferred_arguments` is
    called after the photos have been read and returns {"plan": ..., "analysis_path": ...}, so the caller can
    prepare both in the meantime. `view_scales` are the view scales of the photos (see Picture), by default 1
    for each photo.

    Write `<output_stem>-1.png` and so on, with derivatives if `with_derivatives` is true. Return {"outputs":
    [{path, media_type, width, height, size, sha256, view_scale}], "notices": [...]}, with
    notices as `to_json_data` returns them. Raises PhotoError if a photo cannot be read, and PlanRefused if
    the plan is impossible on these photos or changes nothing visible.
    """
    requested = EditOptions.from_json(dict(options))
    pictures = _read(photo_paths, Limits(**limits) if limits else STORED, view_scales)
    if deferred_arguments is not None:
        given = deferred_arguments()
        plan, analysis_path = given["plan"], given.get("analysis_path")
    wanted = _plan(plan or {}, partial=requested.partial)
    analysis = load_analysis(analysis_path)
    chosen = _with_its_format(requested, wanted)
    models = Models(Path(models_dir)) if models_dir else None
    report = _Report(on_progress, chosen.outputs * (len(wanted.steps) + 1), _READ)
    outputs: list[dict[str, Any]] = []
    notices = [notice for picture in pictures for notice in picture.notices]
    found = _variations(wanted, pictures, chosen, seed=seed, report=report, models=models, analysis=analysis)
    for picture, times in found:
        if not outputs:
            _require_visible_change(pictures[0], picture, wanted)
        numbers = range(len(outputs) + 1, len(outputs) + 1 + times)
        paths = [f"{output_stem}-{number}.{EXTENSIONS[chosen.output_format]}" for number in numbers]
        picture, quality = _fitted(picture, chosen.output_format, wanted.most_bytes)
        outputs += _write(picture, paths, chosen.output_format, quality, with_derivatives=with_derivatives)
        notices += picture.notices
        del picture  # free the memory for the next variation
        report.more_done(times)
    report.more_done(report.total)
    notices += [_TWINS] if len({output["sha256"] for output in outputs}) < len(outputs) else []
    notices += models.notices if models else []
    return {"outputs": outputs, "notices": [to_json_data(notice) for notice in dict.fromkeys(notices)]}


def _read(photo_paths: list[str], limits: Limits, view_scales: Sequence[float]) -> list[Picture]:
    scales = view_scales or [1.0] * len(photo_paths)
    found = zip(photo_paths, scales, strict=True)
    return [replace(load(path, limits), view_scale=scale) for path, scale in found]


def _require_visible_change(before: Picture, after: Picture, plan: Plan) -> None:
    """Raise PlanRefused if nobody could tell the result from the photo."""
    if _is_unseen(before, after, plan.steps):
        troubles = [_unseen(plan, step) for step in plan.steps]
        message = troubles[0].sentence if len(troubles) == 1 else _UNSEEN
        raise PlanRefused.of(message, [trouble.refusal for trouble in troubles])


def _write(
    picture: Picture, paths: list[str], output_format: str, quality: int, *, with_derivatives: bool
) -> list[dict[str, Any]]:
    """Write the same result to all of these paths, encoded once, and return what is known about each file."""
    write = save_with_derivatives if with_derivatives else save
    facts = write(picture, paths[0], output_format, quality)
    for path in paths[1:]:
        shutil.copyfile(paths[0], path)
    return [{"path": path, "view_scale": picture.view_scale} | facts for path in paths]


def _fitted(picture: Picture, output_format: str, most_bytes: int | None) -> tuple[Picture, int]:
    """Return the picture, and the quality at which its file has at most `most_bytes` bytes (if given).

    If the picture had to be made smaller, a notice on the picture says so.
    """
    if most_bytes is None:
        return picture, _QUALITY
    fitted, quality = fit_file_size(picture, output_format, most_bytes)
    if fitted.width < picture.width:
        fitted = replace(fitted, notices=(*fitted.notices, _SMALLER))
    return fitted, quality


def _plan(data: Mapping[str, Any], *, partial: bool) -> Plan:
    try:
        return Plan.from_json(data, partial=partial)
    except BadStep as error:
        sentence = join_sentences(Sentence("I can't carry out this plan."), error.sentence)
        raise PlanRefused.of(sentence, ()) from None


def brightens_gray(plan: Mapping[str, Any]) -> bool:
    """Return whether the engine works, that is, whether it brightens a small gray picture."""
    gray = Picture(np.full((16, 16, 3), 100, np.uint8))
    results = carry_out(Plan.from_json(plan), [gray], EditOptions())
    return bool(results[0].pixels.min() > 100)
