"""Previews, which show the result of an edit before it is submitted.

A preview is made from the 800-pixel derivatives of photos, in a child process (`photos.interactive`). Nothing
is stored, but an analysis that is late is requested again. A page that shows previews of photos outside the
editor first calls `request_analysis`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from editor.engine.analyzing import needs_analysis
from editor.engine.plan import Plan, Refusal
from editor.imaging.errors import ChildLost, JobError, SandboxError
from editor.models.photos import DraftPhoto, Photo
from editor.models.wording import TranslatedText, translate_text
from editor.options import EditOptions
from editor.services.core.access import Actor
from editor.services.photos import analysis, interactive, photos, storage

SHOWER = "editor.engine.changing_area:outlines_of_area"
PREVIEWER = "editor.engine.preview:preview_files"
PRECHECK_SECONDS = 2.0  # maximum number of seconds by which a submission is delayed
PLAN_SECONDS = 1.5  # maximum number of seconds by which a plan is delayed
_SIZE = "800"  # name of the derivative from which previews are created


class State(StrEnum):
    """The outcome of a request for a preview."""

    NONE = "none"  # there is nothing to preview
    READY = "ready"
    LOOKING = "looking"  # the first photo is still being analyzed
    # The preview is not finished, too many people are waiting, the same person's newer request replaced this
    # one, or the child process was lost. A later request may succeed.
    BUSY = "busy"


@dataclass(frozen=True)
class Outline:
    """The outline of the thing that step number `step` found, in pixels of the small photo.

    `path` contains SVG path data. `box` contains the thing's left, top, width, and height, as fractions of
    the photo.
    """

    step: int
    name: TranslatedText
    path: str
    box: tuple[float, float, float, float]

    @property
    def middle(self) -> tuple[int, int]:
        """The middle of the box, in percent of the photo's width and height."""
        left, top, width, height = self.box
        return round(100 * (left + width / 2)), round(100 * (top + height / 2))


@dataclass(frozen=True)
class Preview:
    """A preview of an edit.

    `image` is the result as a data: URI, or empty if no step is possible, and `size` is its width and height.
    `outlines` are in pixels of `photo_size`. `is_in_place` is true if the result shows the same part of the
    photo. `message` names, in the active language, the steps that are impossible on these photos, or is
    empty, and `refusals` has them with the ways to continue. `is_unsure` is true if only the full photo can
    show whether a step is possible.
    """

    state: State = State.NONE
    image: str = ""
    size: tuple[int, int] = (0, 0)
    photo_size: tuple[int, int] = (0, 0)
    is_in_place: bool = True
    outlines: tuple[Outline, ...] = ()
    message: str = ""
    refusals: tuple[Refusal, ...] = ()
    is_unsure: bool = False

    @property
    def is_refused(self) -> bool:
        """Whether no step is possible on these photos."""
        return bool(self.message) and not self.image

    @property
    def is_partly_refused(self) -> bool:
        """Whether only some of the steps are possible on these photos."""
        return bool(self.message and self.image)

    @property
    def is_pending(self) -> bool:
        """Whether the same request may return a preview soon."""
        return self.state in (State.LOOKING, State.BUSY)


def preview_edit(
    actor: Actor,
    plan: Plan | None,
    *,
    options: EditOptions,
    photos: Sequence[Photo],
    within: float | None = None,
    patience: float | None = None,
) -> Preview:
    """Return a preview of the understood steps of a plan on these photos, which the actor may see.

    If `within` is given and this many seconds pass, stops the work and returns a busy preview. If `patience`
    is given, the work continues after that many seconds, and the same call may return its result later.
    Raises no exceptions.
    """
    if plan is None or not plan.steps or not photos or not interactive.is_available():
        return Preview()
    try:
        with _files_of(photos, by=actor.user.pk) as (paths, analyzed):
            if analyzed is None and analysis.is_available() and needs_analysis(plan.steps, options):
                return _unanalyzed(photos[0])
            chosen = replace(options, output_format=plan.file_format or options.output_format)
            answer = _call(
                actor,
                within=within,
                patience=patience,
                plan=plan.as_json(),
                photo_paths=[str(path) for path in paths],
                options=chosen.as_json(),
                width=photos[0].width,
                analysis_path=str(analyzed) if analyzed else None,
            )
    except SandboxError as error:
        return Preview(State.BUSY) if _may_succeed_later(error) else Preview(is_unsure=True)
    except (JobError, OSError):
        return Preview()
    return _read(answer)


def _may_succeed_later(error: SandboxError) -> bool:
    """Return whether the same call may succeed later.

    A lost child was killed, or it got too little CPU time on a busy machine.
    """
    return isinstance(error, ChildLost) or error.kind in ("busy", "stopped")


def _unanalyzed(photo: Photo) -> Preview:
    """Return the preview of an edit to a photo that has no analysis yet."""
    return Preview(State.LOOKING) if analysis.is_expected(photo) else Preview(is_unsure=True)


def request_analysis(plan: Plan, *, options: EditOptions, photo: DraftPhoto) -> None:
    """Request the analysis that previews of this edit need, for a photo that is shown outside the editor."""
    if needs_analysis(plan.steps, options):
        analysis.request_analysis(photo)


def preview_area(
    actor: Actor, plan: Plan | None, *, photos: Sequence[Photo], patience: float | None = None
) -> Preview:
    """Return a preview without an image, with the outlines of the area that a plan names on the first photo.

    It has no outlines if the area is not found with confidence. `patience` is as in `preview_edit`. Raises no
    exceptions.
    """
    if plan is None or not photos or not interactive.is_available() or not analysis.is_available():
        return Preview()
    try:
        with _files_of(photos[:1], by=actor.user.pk) as (paths, analyzed):
            if analyzed is None:
                return replace(_unanalyzed(photos[0]), is_unsure=False)
            answer = _wait_for(
                actor,
                patience,
                SHOWER,
                plan=plan.as_json(),
                photo_path=str(paths[0]),
                analysis_path=str(analyzed),
            )
    except SandboxError as error:
        return Preview(State.BUSY if _may_succeed_later(error) else State.NONE)
    except (JobError, OSError):
        return Preview()
    width, height = answer["photo_size"]
    found = () if answer["message"] else tuple(_outline(one, width, height) for one in answer["outlines"])
    return Preview(State.READY, photo_size=(width, height), outlines=found)


def can_precheck() -> bool:
    """Check whether this site can tell, before submission, that an edit is impossible on its photos."""
    return interactive.is_available() and analysis.is_available()


def precheck_refusal(
    actor: Actor, plan: Plan | None, *, options: EditOptions, photos: Sequence[Photo]
) -> Preview | None:
    """Return the preview of an edit that is impossible on these photos, or None if it may be submitted.

    A partial edit is impossible if all its steps are impossible. If the check takes longer than
    PRECHECK_SECONDS, the edit counts as possible. An edit with boxes also counts as possible, because only
    the full photo shows the boxes' contents well.
    """
    if plan is None or not plan.accepted or options.regions:
        return None
    if not needs_analysis(plan.steps, options):
        return None
    found = preview_edit(actor, plan, options=options, photos=photos, within=PRECHECK_SECONDS)
    is_impossible = found.is_refused or (found.is_partly_refused and not options.partial)
    return found if is_impossible else None


def _call(actor: Actor, **arguments: Any) -> dict[str, Any]:
    """Create a preview.

    If memory runs out, tries once more in a new child process, which has an empty cache.
    """
    try:
        return _wait_for(actor, function=PREVIEWER, **arguments)
    except SandboxError as error:
        if error.kind != "memory":
            raise
        return _wait_for(actor, function=PREVIEWER, **arguments)


def _wait_for(actor: Actor, patience: float | None, function: str, **arguments: Any) -> dict[str, Any]:
    """Run a function in a child process. With `patience`, wait at most that many seconds for its result.

    Files from a bucket are deleted when the request ends, so their previews are always waited for.
    """
    person, is_kept = actor.user.pk, not storage.get_backend().is_shared
    answer: dict[str, Any] = (
        interactive.call(person, function, **arguments)
        if patience is None or not is_kept
        else interactive.call_briefly(person, patience, function, **arguments)
    )
    return answer


@contextmanager
def _files_of(wanted: Sequence[Photo], *, by: int) -> Iterator[tuple[list[Path], Path | None]]:
    """Provide local files of the photos that this user may see, and that of the first one's analysis.

    Files are downloaded only if they are stored in a bucket. Raises OSError.
    """
    with photos.work_folder() if storage.get_backend().is_shared else _nowhere() as folder:
        keys = [photos.key_of(photo, _SIZE, by=by) for photo in wanted]
        yield (
            [storage.get_backend().local_path(key, folder) for key in keys],
            _analysis_of(wanted[0], folder),
        )


def _analysis_of(photo: Photo, folder: Path) -> Path | None:
    """Return a local file of a photo's analysis, which is without the embedding only if none is coming.

    A draft that was copied from an edit has such an analysis first. Without the embedding, clicks select
    nothing, so the preview would be refused.
    """
    whole = analysis.with_embedding(photo, folder)
    is_coming = whole is None and analysis.is_expected(photo)
    return whole if whole or is_coming else analysis.stored(photo, folder)


@contextmanager
def _nowhere() -> Iterator[Path]:
    yield Path()


def _read(answer: dict[str, Any]) -> Preview:
    width, height = answer["photo_size"]
    return Preview(
        state=State.READY,
        image=f"data:image/webp;base64,{answer['image']}" if answer["image"] else "",
        size=(answer["size"][0], answer["size"][1]),
        photo_size=(width, height),
        is_in_place=answer["is_in_place"],
        outlines=tuple(_outline(found, width, height) for found in answer["outlines"]),
        message=translate_text(answer["message"]),
        refusals=tuple(map(Refusal.from_json, answer["refusals"])),
        is_unsure=answer["is_unsure"],
    )


def _outline(found: dict[str, Any], width: int, height: int) -> Outline:
    left, top, right, bottom = found["box"]
    box = (left / width, top / height, (right - left) / width, (bottom - top) / height)
    return Outline(found["step"], translate_text(found["name"]), found["path"], box)
