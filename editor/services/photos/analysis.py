"""Analyses of photos: what the photos show, and the embedding from which outlines are created.

A sandboxed child analyzes a photo once, and every edit and preview of that photo reads the result. The result
is stored next to the photo in two files (`photos.analysis_key`, `photos.embedding_key`). These files are
deleted with the photo, and no backup, export, page, or API response contains them. An analysis is optional:
if it is missing or fails, edits continue without it.

Photos in an editor's tray are analyzed in the background, by a task that yields to all other work. Photos in
other trays are analyzed like this only when someone looks at them. All other photos are analyzed when an edit
first needs their analysis. Each machine runs only one analysis at a time
(`photos.large_child_lock`).
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.db import transaction

from editor.imaging.errors import JobError, SandboxError
from editor.imaging.memory import analysis_memory
from editor.imaging.sandbox import ANALYSIS_PATIENCE, ANALYZE, ANALYZER, Sandbox
from editor.models import DraftPhoto, Edit, Photo
from editor.models.clock import database_now
from editor.providers.contract import Watch
from editor.services.core import disk_space, rates
from editor.services.core.tasks import stored_task
from editor.services.photos import photos, storage

logger = logging.getLogger(__name__)

PER_MINUTE = 20  # maximum number of background analyses per minute for each person
PRIORITY = -20  # priority in the queue, lower than that of all other work
AGAIN_SECONDS = 5  # number of seconds until an analysis that yielded to an edit is tried again
_REQUEST_SECONDS = 30  # minimum number of seconds between two requests for the same missing analysis
LATE = timedelta(seconds=60)  # time after its upload when a draft's analysis counts as late
MAX_REQUESTS = 3  # maximum number of requests for a late analysis
_GIVEN_UP_SECONDS = 3600  # number of seconds for which an analysis is given up after its last request
WAITING_LONG = timedelta(seconds=0.5)  # If an edit has waited this long, no worker is free.
PROGRESS = 0.01  # an edit's progress while its photo is being analyzed

analyzer = Sandbox(ANALYZE, photos.reach, photos.large_child_lock, ANALYSIS_PATIENCE)
# The sandbox for the background task. The task itself already holds the lock.
background_analyzer = Sandbox(ANALYZE, photos.reach)


def is_available() -> bool:
    """Check whether this machine analyzes photos.

    Analyses need enough memory, and only our own engine uses them.
    """
    return any(engine.runs_here for engine in settings.ENGINES) and analysis_memory() is not None


def request_analyses(drafts: Sequence[DraftPhoto]) -> None:
    """Queue an analysis for each of these drafts that is in an editor's tray."""
    if is_available():
        for draft in drafts:
            if draft.tray == DraftPhoto.Tray.EDITOR:
                _enqueue(str(draft.pk), at=database_now())


def request_analysis(draft: DraftPhoto) -> bool:
    """Queue an analysis of a draft in any tray that someone is waiting for.

    Return whether it was queued now. A repeated request within _REQUEST_SECONDS has no effect.
    """
    is_new = is_available() and cache.add(_request_key(draft), True, _REQUEST_SECONDS)
    if is_new:
        _enqueue(str(draft.pk), at=database_now())
    return is_new


def is_expected(photo: Photo) -> bool:
    """Return whether the missing analysis of a photo may still arrive while someone waits for it.

    Only a draft gets one before an edit needs it. A late analysis is requested again, because its task may
    have been lost with a worker. After MAX_REQUESTS requests, it is given up for a while.
    """
    if not isinstance(photo, DraftPhoto) or not is_available():
        return False
    if database_now() - photo.created < LATE:
        return True
    name = f"late-analysis:{photo.pk}"
    requests: int = cache.get(name, 0)
    if requests < MAX_REQUESTS and request_analysis(photo):
        requests += 1
        cache.set(name, requests, _GIVEN_UP_SECONDS)
    return requests < MAX_REQUESTS or cache.get(_request_key(photo)) is not None


def _request_key(draft: DraftPhoto) -> str:
    return f"analysis:{draft.pk}"


@stored_task("editor.services.photos.analysis.analyze_draft")
def analyze_draft(draft_id: str) -> None:
    """Analyze a draft, unless it was deleted or is already analyzed. A second call has no effect."""
    draft = DraftPhoto.objects.filter(pk=draft_id).first()
    if draft is None or not is_available() or disk_space.is_low() or is_stored(draft):
        return
    # Do not wait for another analysis, because a waiting worker would also delay edits.
    with photos.large_child_lock.held(0, lambda: True) as is_held:
        wait = _analyze_draft(draft) if is_held else AGAIN_SECONDS
    if wait is not None:
        _enqueue(draft_id, at=database_now() + timedelta(seconds=wait))


def _analyze_draft(draft: DraftPhoto) -> float | None:
    """Analyze a draft.

    Returns the number of seconds after which to try again, or None if no further attempt is needed.
    """
    rate = rates.count(f"analyses:{draft.user_id}", limit=PER_MINUTE)
    if rate.is_over:
        return rate.seconds
    try:
        with photos.work_folder() as folder:
            source = photos.local_copy(draft, folder)
            small, whole = _analyze(background_analyzer, draft, source, folder, lambda: _is_wanted(draft))
            _keep(draft, {photos.analysis_key(draft.key): small, photos.embedding_key(draft.key): whole})
    except SandboxError as error:
        return AGAIN_SECONDS if error.kind == "stopped" else None
    except (JobError, OSError) as error:
        logger.info("A draft was not analyzed: %s", type(error).__name__)
    return None


def for_edit(photo: Photo, source: Path, folder: Path, watch: Watch) -> Path | None:
    """Return the file that contains a photo's analysis and embedding, or None if it is not available.

    If necessary, the photo is analyzed now from the local copy `source`. The result is written to the edit's
    work `folder`, where the embedding stays until the edit ends. Raises SandboxError("stopped").
    """
    if not is_available():
        return None
    if there := _found(photo, folder):
        return there
    watch.on_stop(analyzer.stop)
    watch.report(PROGRESS)
    try:
        small, whole = _analyze(analyzer, photo, source, folder, lambda: not is_stored(photo))
    except SandboxError as error:
        # A background analysis of the same photo may have finished first.
        there = _found(photo, folder) if error.kind == "stopped" else None
        if error.kind == "stopped" and there is None:
            raise
        return there
    except (JobError, OSError):
        return None
    _keep(photo, {photos.analysis_key(photo.key): small})
    return whole


def stored(photo: Photo, folder: Path) -> Path | None:
    """Return a local file that contains a photo's analysis, or None if there is no analysis.

    The file with the embedding is preferred. A file in a bucket is first downloaded into the folder.
    """
    return _local(photos.embedding_key(photo.key), folder) or _local(photos.analysis_key(photo.key), folder)


def with_embedding(photo: Photo, folder: Path) -> Path | None:
    """Return a local file as `stored` does, or None if the file has no embedding."""
    return _local(photos.embedding_key(photo.key), folder)


def _analyze(
    sandbox: Sandbox, photo: Photo, source: Path, folder: Path, is_wanted: Callable[[], bool]
) -> tuple[Path, Path]:
    """Analyze a photo, and write the result into the folder. Raises JobError and SandboxError."""
    small, whole = folder / f"new-{photo.pk}.npz", _own_file(photo, folder)
    unfinished = whole.with_suffix(".part.npz")
    sandbox.call(
        ANALYZER,
        is_wanted=is_wanted,
        photo_path=str(source),
        output_path=str(small),
        embedding_path=str(unfinished),
    )
    return small, unfinished.rename(whole)


def _own_file(photo: Photo, folder: Path) -> Path:
    return folder / f"analyzed-{photo.pk}.npz"


def _found(photo: Photo, folder: Path) -> Path | None:
    """Return the analysis that was created for this edit or, before that, by the background task."""
    own = _own_file(photo, folder)
    return own if own.is_file() else _local(photos.embedding_key(photo.key), folder)


def _is_wanted(draft: DraftPhoto) -> bool:
    """Check whether a background analysis should continue.

    It should stop if the photo was deleted, if an edit is waiting for a worker, or if an edit is waiting to
    analyze a photo itself. It should continue if an edit has taken over the photo, because that edit will
    need the analysis.
    """
    if not DraftPhoto.objects.filter(pk=draft.pk).exists():
        return Edit.objects.open().filter(references__key=draft.key).exists()
    is_awaited = photos.large_child_lock.is_awaited()
    return not is_awaited and not Edit.objects.due(database_now() - WAITING_LONG).exists()


def is_stored(photo: Photo) -> bool:
    """Return whether a photo's analysis and embedding are stored."""
    try:
        return bool(storage.get_backend().size(photos.embedding_key(photo.key)))
    except OSError:
        return False


def _keep(photo: Photo, files: dict[str, Path]) -> None:
    """Store an analysis's files, and delete those files that are not currently needed."""
    place = storage.get_backend()
    try:
        place.save(files)
        is_kept = photos.is_referenced(photo.key)
        if not is_kept:
            place.remove(photos.analysis_key(photo.key))
        if not is_kept or not _needs_embedding(photo):
            place.remove(photos.embedding_key(photo.key))
    except OSError as error:
        logger.warning("An analysis could not be stored: %s", error.strerror or type(error).__name__)


def _needs_embedding(photo: Photo) -> bool:
    is_draft = DraftPhoto.objects.filter(key=photo.key).exists()
    return is_draft or Edit.objects.open().filter(references__key=photo.key).exists()


def _local(key: str, folder: Path) -> Path | None:
    try:
        path = storage.get_backend().local_path(key, folder)
    except OSError:
        return None
    return path if path.is_file() else None


def _enqueue(draft_id: str, *, at: datetime) -> None:
    task = analyze_draft.using(run_after=at, priority=PRIORITY)
    # If the task queue is unavailable, the photo is analyzed when an edit needs it.
    transaction.on_commit(lambda: task.enqueue(draft_id), robust=True)
