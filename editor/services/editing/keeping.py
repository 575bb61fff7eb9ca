"""Keep everything else: while another engine carries out a prompt, everything outside the area that the
prompt names is put back from the photo.

The area is what the plan of the embedded engine names. The plan is made when the edit is submitted and is
stored with it, and the worker finds the area in the photo's analysis.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from editor.engine.keeping import FINDER, Area, area_of
from editor.imaging.errors import JobError
from editor.models import Edit, Photo
from editor.options import KEEP_EVERYTHING_ELSE, EditOptions
from editor.providers.contract import Capabilities, ProviderError, Watch
from editor.sentences import Sentence, from_json_data
from editor.services.photos import analysis

AREA = "area"  # Key in the stored plan for the plan that names the area.
NOT_NAMED = Sentence(
    "I can't tell which part of the photo your prompt names. Draw a box around it, or turn off “Keep "
    "everything else”."
)
NOT_SUPPORTED = Sentence("This engine can't keep everything else. Turn off “Keep everything else”.")
_NOT_ANALYZED = Sentence("I can't look at this photo.")


def area_for(prompt: str, options: EditOptions, photos: int, can: Capabilities) -> Area | None:
    """Return the area that the prompt changes, or None if it cannot be told.

    It is needed only for an engine that puts photos back and makes no plans. Boxes mark an area themselves,
    and in another shape the photo cannot be put back.
    """
    is_useful = can.puts_back and not options.regions and not options.points and not options.aspect_ratio
    if not is_useful or not prompt.strip() or not analysis.is_available():
        return None
    from editor.engine.language.explain import explain  # This import takes half a second.

    return area_of(prompt, partial(explain, photos=max(photos, 1)))


def is_on(area: Area, options: EditOptions) -> bool:
    """Return whether everything else is kept: as a person decided, or by default."""
    chosen = options.keep_everything_else
    return area.is_kept_by_default if chosen is None else chosen


def error(area: Area | None, options: EditOptions, can: Capabilities) -> str:
    """Return why everything else cannot be kept although a person decided so, or an empty string."""
    is_kept_anyway = can.plans or bool(can.puts_back and options.regions)
    if not options.keep_everything_else or area is not None or is_kept_anyway:
        return ""
    return NOT_NAMED if can.puts_back and analysis.is_available() else NOT_SUPPORTED


def stored(area: Area | None, options: EditOptions) -> dict[str, Any] | None:
    """Return what an edit stores about keeping everything else in place of a plan, or None for nothing."""
    chosen = options.keep_everything_else
    decision = {} if chosen is None else {KEEP_EVERYTHING_ELSE: chosen}
    named = {AREA: area.plan.as_json()} if area is not None and is_on(area, options) else {}
    return decision | named or None


def is_requested(edit: Edit) -> bool:
    """Return whether everything else is kept in this edit: as a person decided, or by default."""
    return bool(edit.options.keep_everything_else) or AREA in (edit.plan or {})


def finder(edit: Edit, photo: Photo, source: Path, folder: Path) -> Callable[[Watch], Path | None] | None:
    """Return a function that finds the area of an edit in its photo, or None if the edit stores none.

    `source` is a local copy of the photo, and `folder` the work folder of the edit. The function returns the
    file of the mask, or None if the area is not found. It raises SandboxError, and ProviderError if the area
    is not found although a person decided to keep everything else.
    """
    plan = (edit.plan or {}).get(AREA)
    return plan and partial(_find, edit, plan, photo, source, folder)


def _find(
    edit: Edit, plan: Mapping[str, Any], photo: Photo, source: Path, folder: Path, watch: Watch
) -> Path | None:
    mask = folder / "area.png"
    if mask.is_file():
        return mask
    unable = _write(plan, photo, source, folder / f"{edit.token}-area.part.png", mask, watch)
    if unable and edit.options.keep_everything_else:
        raise ProviderError("rejected", _not_found(unable))
    return None if unable else mask


def _write(
    plan: Mapping[str, Any], photo: Photo, source: Path, part: Path, mask: Path, watch: Watch
) -> Sentence:
    """Write the mask. Returns why that is impossible, or an empty sentence. Raises SandboxError."""
    analyzed = analysis.for_edit(photo, source, mask.parent, watch)
    if analyzed is None:
        return _NOT_ANALYZED
    watch.on_stop(analysis.analyzer.stop)
    try:
        answer = analysis.analyzer.call(
            FINDER, plan=plan, photo_path=str(source), analysis_path=str(analyzed), mask_path=str(part)
        )
    except JobError:
        return _NOT_ANALYZED
    if not answer["message"]:
        part.replace(mask)
    return from_json_data(answer["message"])


def _not_found(why: Sentence) -> Sentence:
    return Sentence(
        "%(why)s You were not charged. Draw a box around it, or turn off “Keep everything else”.", why=why
    )
