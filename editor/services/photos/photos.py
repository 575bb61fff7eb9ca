"""Stored photos, which are rebuilt from their pixels and have unguessable names.

A photo's `key` is its random name with an extension. Next to the photo, its derivatives are stored as
`<stem>-<width>.webp`, along with the two files of its analysis (`analysis`). Files are fsynced before a row
refers to them, and are deleted only after that row.

If a team requires approval, no result shows any part of a photo at a larger size than that photo's own
1600-pixel view. Without this rule, four crops of a withheld result, each with a view of 1600 pixels, would
add up to the whole original. Therefore, every photo has a view scale, which is the side length of its view
divided by the side length of its original. If an operation enlarges part of the photo, the engine divides the
view scale by the same factor. Crops and rotations keep the view scale. If several photos are combined, the
smallest scale counts. In this way, the scale is passed on through any number of edits that continue from a
result. If the scale makes a result's view smaller than 1600 pixels, the result gets one more derivative,
`<stem>-view.webp`. For people who may not have the original, this derivative replaces all larger ones.
Reviewers see the usual derivatives, and everybody else sees them once the edit is approved.
"""

import hashlib
import logging
import re
import secrets
import shutil
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from editor.crash_points import crash_point
from editor.engine.analyzing import VERSION
from editor.engine.onnx import MODELS_FOLDER
from editor.imaging.confinement import FolderAccess
from editor.imaging.errors import PhotoError, SandboxError
from editor.imaging.limits import derivative_scale
from editor.imaging.machine_lock import LOCK_FILE, MachineLock
from editor.imaging.memory import max_parallel_jobs
from editor.imaging.sandbox import DECODE, SandboxPool
from editor.models import DraftPhoto, Edit, Photo, RecipePhoto, ReferencePhoto, ResultPhoto
from editor.models.clock import database_now
from editor.models.wording import translate_text
from editor.options import Limits
from editor.services.core import disk_space
from editor.services.core.access import may_get_original
from editor.services.core.errors import Forbidden
from editor.services.core.tasks import stored_task
from editor.services.photos import storage

logger = logging.getLogger(__name__)

WIDTHS = (360, 800)  # widths, in pixels, of the derivatives that are created immediately
LARGE = 1600  # width, in pixels, of the derivative that is created in the background
VIEW = "view"  # name of the derivative that has size `view_size`
# The large derivative is made later, because showing the result comes first.
LARGE_DELAY = timedelta(seconds=3)
EXTENSIONS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}
ORPHAN_SECONDS = 3600
BACKGROUND_PRIORITY = -10  # queue priority for work that nobody is waiting for
LARGE_OVERDUE_AFTER = timedelta(minutes=10)
MISSING_PER_RUN = 100
_CHUNK = 256 * 1024
# Matches the keys of originals and derivatives, because a bucket may contain other files too.
_PART = r"(-\d+|-view|-analysis\d+|-embedding\d+)?\.\w+"
FILE_KEY = re.compile(rf"[0-9a-f]{{2}}/[0-9a-f]{{32}}{_PART}")


def reach() -> FolderAccess:
    """Return what a sandbox child may access in the data folder.

    The child can access the photos, the operator's models, and a work folder, but neither the secrets nor the
    database.
    """
    return FolderAccess(
        read=(settings.PHOTOS_DIR, settings.DATA_DIR / MODELS_FOLDER), write=(settings.WORK_DIR,)
    )


# Lock that lets only one child process on a machine run the large networks of an analysis.
large_child_lock = MachineLock(lambda: settings.DATA_DIR / LOCK_FILE)
# Child processes for uploads. If all of them remain busy for too long, the user gets an error message.
upload_pool = SandboxPool(DECODE, size=max_parallel_jobs(), access=reach)
# Child process for results. An edit waits for this process for as long as necessary, because the edit's
# credits are already on hold.
worker_pool = SandboxPool(DECODE, size=1, patience=None, access=reach)


class Withheld(Forbidden):
    """Raised when an original awaits approval and the user may not review it."""

    def __init__(self) -> None:
        super().__init__(
            _("This team's originals are available after the edit is approved. Request a review.")
        )


def limits() -> Limits:
    """Return this site's limits, which come from its settings."""
    return Limits(
        photo_bytes=settings.MAX_PHOTO_MEGABYTES * 1024 * 1024,
        photo_pixels=settings.MAX_PHOTO_MEGAPIXELS * 1_000_000,
        prompt_characters=settings.MAX_PROMPT_CHARACTERS,
        outputs=settings.MAX_OUTPUTS,
    )


def store_uploaded(source: BinaryIO, name: str) -> dict[str, Any]:
    """Rebuild an uploaded file (any bytes) from its pixels, store it, and return the draft's columns.

    Raises PhotoError, with a user-readable message, if the file is not a photo that can be edited or stored.
    Also raises DiskFull.
    """
    disk_space.require_free_disk()
    try:
        facts = _rebuilt(source, upload_pool)
    except SandboxError as error:
        if error.kind == "full":
            raise disk_space.DiskFull from error
        raise PhotoError(translate_text(error.message)) from error
    except OSError as error:
        if disk_space.is_disk_error(error):
            raise disk_space.DiskFull from error
        logger.exception("An uploaded photo could not be stored.")
        raise PhotoError(_("This photo could not be saved. Try again later.")) from error
    return {"name": clean_name(name), "notices": facts["notices"], **_row_facts(facts)}


def remove_files(photos: Iterable[Photo]) -> None:
    """Delete the files of photos whose rows are deleted or purged. A second call has no effect."""
    place = storage.get_backend()
    for photo in photos:
        for key in (*keys_of(photo.key), analysis_key(photo.key), embedding_key(photo.key)):
            place.remove(key)


def store_fetched(path: Path) -> dict[str, Any]:
    """Rebuild a fetched file from its pixels, store it, and return the columns for its row.

    The columns include the user-readable `notices`. Raises PhotoError and SandboxError.
    """
    with path.open("rb") as source:
        facts = _rebuilt(source, worker_pool)
    return _row_facts(facts) | {"notices": facts["notices"]}


def copy_files(photo: Photo, *, by: int | None = None) -> dict[str, Any]:
    """Copy a photo's files and its analysis under a new name.

    Returns the columns for the row that will own the copies. `by` is the user who takes the photo out of its
    workspace, or None if it stays in the workspace. A copy of an approved result has the usual view. Raises
    Withheld and OSError.
    """
    # A photo without a view may not have a row yet, in which case it does not have a workspace.
    view_size = photo.view_size if photo.view_size and photo.is_withheld else None
    with work_folder() as folder:
        original = folder / f"photo.{EXTENSIONS[photo.media_type]}"
        copies = {"original": original} | {str(width): _beside(original, width) for width in WIDTHS}
        if view_size is not None:
            copies[VIEW] = _beside(original, VIEW)
        for size, copy in copies.items():
            with open_photo(photo, size, by=by) as stored, copy.open("wb") as file:
                shutil.copyfileobj(stored, file)
        _copy_analysis(photo, original)
        return photo.file_fields() | {"key": _take_in(original), "has_large": False, "view_size": view_size}


def copy_view(photo: ResultPhoto, name: str, *, by: int) -> dict[str, Any]:
    """Create a draft from a result's largest view that this user may see, and return the draft's columns.

    Raises OSError and the same exceptions as `store_uploaded`.
    """
    if not photo.has_large:
        make_large.call("results", str(photo.pk))
        photo.refresh_from_db(fields=["has_large"])
    with open_photo(photo, str(LARGE), by=by) as view:
        return store_uploaded(view, name)


def store_result(
    edit: Edit, position: int, arrived: Path, *, view_scale: float | None = None
) -> tuple[dict[str, Any], str]:
    """Check that a result is a complete image, store it, and return the columns for its row.

    The derivatives for the gallery are stored with the result. A result that comes from another site is
    rebuilt from its pixels. Therefore, the format in which it arrived is returned, too; for a result of our
    own engine, it is empty. `view_scale` is the scale that the engine derived from the view scales of the
    edit's photos, or None if the engine cannot provide one. Raises PhotoError if the file is broken.
    """
    stem = arrived.with_suffix("")
    if not edit.runs_here:
        stem = stem.with_name(f"{stem.name}-adopted")
        how = {"source": str(arrived), "target_stem": str(stem), "output_format": edit.output_format}
        facts = worker_pool.call("editor.imaging.stored_photos:reencode_result", **how)
    else:
        facts = worker_pool.call(
            "editor.imaging.stored_photos:verify_result", source=str(arrived), target_stem=str(stem)
        )
        arrived.rename(stem.with_suffix(f".{EXTENSIONS[facts['media_type']]}"))
    original = stem.with_suffix(f".{EXTENSIONS[facts['media_type']]}")
    view_size = _view_size(facts, view_scale) if edit.workspace.requires_approval else None
    if view_size is not None:
        _make_view(original, view_size)
    key = _take_in(original)
    crash_point("storing.file_synced")
    columns = _row_facts(facts | {"key": key}) | {"view_size": view_size}
    return columns, "" if edit.runs_here else facts["kind"]


@stored_task("editor.services.photos.make_large")
def make_large(kind: str, photo_id: str) -> None:
    """Create the 1600-pixel derivative of an edit's photo. A second call has no effect."""
    rows = _LARGE_MODELS[kind].objects.filter(id=photo_id, has_large=False, edit__purged=None)
    photo = rows.first()
    if photo is not None:
        with work_folder() as folder:
            target, original = folder / "photo", local_copy(photo, folder)
            worker_pool.call(
                "editor.imaging.stored_photos:derive",
                source=str(original),
                target_stem=str(target),
                widths=[LARGE],
            )
            storage.get_backend().save({_derivative(photo.key, LARGE): folder / f"photo-{LARGE}.webp"})
        rows.update(has_large=True)


def open_photo(photo: Photo, size: str, *, by: int | None) -> BinaryIO:
    """Open the stored bytes of a photo.

    `size` is "original" or the width of a derivative. Until the 1600-pixel derivative exists, the 800-pixel
    one is used. `by` is the user who receives the bytes, or None if the bytes do not leave the site. Raises
    Withheld and OSError.
    """
    if size == "original" and not may_get_original(by, photo):
        raise Withheld
    return storage.get_backend().open(key_of(photo, size, by=by))


def local_copy(photo: Photo, folder: Path) -> Path:
    """Return the path of the original on this machine.

    If the photo is stored in a bucket, it is first downloaded into the folder. Raises OSError.
    """
    return storage.get_backend().local_path(photo.key, folder)


@contextmanager
def small_copies(photos: Iterable[Photo]) -> Iterator[list[str]]:
    """Provide, within the block, the local paths of the photos' 800-pixel derivatives.

    Raises OSError.
    """
    with work_folder() as folder:
        yield [
            str(storage.get_backend().local_path(key_of(photo, "800", by=None), folder)) for photo in photos
        ]


def media_type_of(photo: Photo, size: str) -> str:
    """Return the content type of the original or a derivative."""
    return photo.media_type if size == "original" else "image/webp"


def key_of(photo: Photo, size: str, *, by: int | None) -> str:
    """Return the storage key of the original or a derivative, for a user or, if `by` is None, for the site.

    Until the 1600-pixel derivative exists, the 800-pixel one is used.
    """
    if size == "original":
        return photo.key
    if size == VIEW or (_exceeds_view(photo, int(size)) and not may_get_original(by, photo)):
        return _derivative(photo.key, VIEW)
    return _derivative(photo.key, 800 if size == str(LARGE) and not photo.has_large else int(size))


def keys_of(key: str) -> list[str]:
    """Return the key of an original and the keys of all derivatives that it may have.

    The keys of the analysis are not included, because an analysis can be created again and is not part of
    backups.
    """
    return [key, *(_derivative(key, size) for size in (*WIDTHS, LARGE, VIEW))]


def analysis_key(key: str) -> str:
    """Return the key of a photo's analysis without the embedding.

    This file is kept for as long as the photo.
    """
    return f"{_stem(key)}-analysis{VERSION}.npz"


def embedding_key(key: str) -> str:
    """Return the key of a photo's analysis with the embedding.

    This file is kept while the photo is a draft or its edit is open.
    """
    return f"{_stem(key)}-embedding{VERSION}.npz"


def view_scale(photo: Photo) -> float:
    """Return the factor by which this photo's sides are scaled for its largest view.

    People see this view while the original is withheld.
    """
    return derivative_scale(photo.width, photo.height, photo.view_size or LARGE)


def stored_keys() -> Iterator[str]:
    """Yield the keys of all photos whose files should exist."""
    for model in _PHOTO_MODELS:
        yield from _unpurged(model).values_list("key", flat=True).iterator(chunk_size=2000)


def is_referenced(key: str) -> bool:
    """Check whether a row refers to the file that has this key."""
    return any(_unpurged(model).filter(key=key).exists() for model in _PHOTO_MODELS)


def work_folder_of(edit: Edit) -> Path:
    """Return the edit's own work folder, which is deleted once the edit ends."""
    folder: Path = settings.WORK_DIR / str(edit.id)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def tidy_up(edit: Edit) -> None:
    """Clean up after an edit that has ended.

    Deletes the edit's work folder and its photos' embeddings, and requests its large derivatives.
    """
    clear_work_folder(edit)
    if edit.runs_here:
        _remove_embeddings(edit)
    _ask_for_large(Q(edit=edit), database_now())


def clear_work_folder(edit: Edit) -> None:
    """Delete the work folder that belongs to an edit that has ended."""
    shutil.rmtree(settings.WORK_DIR / str(edit.id), ignore_errors=True)


def orphans() -> list[str]:
    """Return the keys of stored files that are older than an hour and that no row refers to."""
    old = list(storage.get_backend().keys(older=ORPHAN_SECONDS))
    named = (_with_files(model).values_list("key", flat=True) for model in _PHOTO_MODELS)
    stems = {_stem(key) for keys in named for key in keys}
    return [key for key in old if FILE_KEY.fullmatch(key) and _stem(key) not in stems]


def remove_orphans() -> int:
    """Delete files that are no longer needed, and return their number.

    These are orphaned files, unneeded embeddings, analyses from other versions, and files that crashed
    processes left in the work folder.
    """
    stored = {*orphans(), *_old_analyses()}
    for key in stored:
        storage.get_backend().remove(key)
    return len(stored) + clear_work()


def clear_work() -> int:
    """Delete the files that crashed processes left in this machine's work folder, and return their number."""
    left = list(storage.older_than(ORPHAN_SECONDS, settings.WORK_DIR.glob("*")))
    for path in left:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(left)


def make_missing_large() -> int:
    """Request large derivatives again if the first request was lost, and return the number of requests.

    Only edits that ended between a day and LARGE_OVERDUE_AFTER ago are considered.
    """
    now = database_now()
    ended_lately = (now - timedelta(days=1), now - LARGE_OVERDUE_AFTER)
    return _ask_for_large(Q(edit__purged=None, edit__finished__range=ended_lately), now)


def sha256_of(photo: Photo) -> str:
    """Return the hexadecimal digest of the stored original. Raises OSError if it cannot be read."""
    digest = hashlib.sha256()
    with storage.get_backend().open(photo.key) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def broken_files(photos: Iterator[Photo]) -> Iterator[str]:
    """Yield a description of each row whose file is missing or does not have the recorded size."""
    place = storage.get_backend()
    for photo in photos:
        try:
            if place.size(photo.key) != photo.size:
                yield f"{photo.key} does not have the recorded size"
        except FileNotFoundError:
            yield f"{photo.key} is missing"


def clean_name(name: str) -> str:
    """Return a file name for display: without path or control characters, and cut to 200 characters."""
    last = re.split(r"[/\\]", name)[-1]
    kept = (c for c in last if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
    return "".join(kept).strip()[:200]


_PHOTO_MODELS: tuple[type[Photo], ...] = (DraftPhoto, RecipePhoto, ReferencePhoto, ResultPhoto)
_LARGE_MODELS: dict[str, type[ReferencePhoto] | type[ResultPhoto]] = {
    "references": ReferencePhoto,
    "results": ResultPhoto,
}


def _with_files(model: type[Photo]) -> QuerySet[Any]:
    """Return the rows that own files.

    This includes the rows of edits that were purged less than an hour ago, because the purging process may
    still have to delete their files.
    """
    rows = model._base_manager.all()
    late = {"edit__purged__lt": timezone.now() - timedelta(seconds=ORPHAN_SECONDS)}
    return rows.exclude(**late) if model in _LARGE_MODELS.values() else rows


def _unpurged(model: type[Photo]) -> QuerySet[Any]:
    rows = model._base_manager.all()  # The base manager includes results that are still being stored.
    purged = {"edit__purged__isnull": False}
    return rows.exclude(**purged) if model in _LARGE_MODELS.values() else rows


def _remove_embeddings(edit: Edit) -> None:
    """Delete the embeddings of an edit's photos. If this fails, `remove_orphans` deletes them later."""
    try:
        for key in edit.references.values_list("key", flat=True):
            storage.get_backend().remove(embedding_key(key))
    except storage.StorageUnavailable as away:
        logger.warning("The embeddings of edit %s are deleted later: %s.", edit.id, away)


def _old_analyses() -> Iterator[str]:
    """Yield the keys of unneeded analyses and embeddings whose files are older than an hour.

    An analysis is not needed if it comes from another version. An embedding is not needed if its photo is
    neither a draft nor in an open edit.
    """
    old = [key for key in storage.get_backend().keys(older=ORPHAN_SECONDS) if key.endswith(".npz")]
    rows = (DraftPhoto.objects.all(), ReferencePhoto.objects.filter(edit__in=Edit.objects.open()))
    needed = {_stem(key) for found in rows for key in found.values_list("key", flat=True)}
    for key in old:
        is_current = key == analysis_key(key) or (key == embedding_key(key) and _stem(key) in needed)
        if FILE_KEY.fullmatch(key) and not is_current:
            yield key


def _ask_for_large(of: Q, now: datetime) -> int:
    missing = [
        (kind, photo.id)
        for kind, model in _LARGE_MODELS.items()
        for photo in model.objects.filter(of, has_large=False).only("id")[:MISSING_PER_RUN]
    ]
    for kind, photo_id in missing:
        make_large.using(run_after=now + LARGE_DELAY, priority=BACKGROUND_PRIORITY).enqueue(
            kind, str(photo_id)
        )
    return len(missing)


def _rebuilt(source: BinaryIO, pool: SandboxPool) -> dict[str, Any]:
    """Rebuild an upload from its pixels, store it, and return its key and properties."""
    with work_folder() as folder:
        upload = folder / "upload"
        _write_capped(source, upload, limits().photo_bytes)
        facts: dict[str, Any] = pool.call(
            "editor.imaging.stored_photos:rebuild",
            source=str(upload),
            target_stem=str(folder / "photo"),
            limits=asdict(limits()),
        )
        return facts | {"key": _take_in(folder / f"photo.{facts['extension']}")}


def _row_facts(facts: dict[str, Any]) -> dict[str, Any]:
    columns = ("key", "media_type", "width", "height", "size", "sha256", "placeholder")
    return {name: facts[name] for name in columns}


def _write_capped(source: BinaryIO, target: Path, cap: int) -> None:
    written = 0
    with target.open("wb") as file:
        while chunk := source.read(_CHUNK):
            written += len(chunk)
            if written > cap:
                raise PhotoError(_("This photo is larger than %(most)s MB.") % {"most": cap // 1024**2})
            file.write(chunk)


def _take_in(original: Path) -> str:
    """Move a photo and the derivatives next to it into storage, and return the photo's key."""
    name = secrets.token_hex(16)
    key = f"{name[:2]}/{name}{original.suffix}"
    sizes = (*WIDTHS, VIEW) if _beside(original, VIEW).exists() else WIDTHS
    files = {_derivative(key, size): _beside(original, size) for size in sizes}
    analyses = {part(key): original.with_name(part(original.name)) for part in (analysis_key, embedding_key)}
    files |= {part: file for part, file in analyses.items() if file.exists()}
    storage.get_backend().save(files | {key: original})
    return key


def _copy_analysis(photo: Photo, original: Path) -> None:
    """Copy the existing files of a photo's analysis so that they are next to the copy of the original."""
    for part in (analysis_key, embedding_key):
        with suppress(FileNotFoundError), storage.get_backend().open(part(photo.key)) as stored:
            original.with_name(part(original.name)).write_bytes(stored.read())


def _view_size(facts: dict[str, Any], view_scale: float | None) -> int | None:
    """Return the size, in pixels, of a result's view at this scale.

    Returns None if the usual view is small enough.
    """
    width, height = facts["width"], facts["height"]
    if view_scale is None or view_scale >= derivative_scale(width, height, LARGE):
        return None
    # Round down, but do not let a floating-point error reduce an exact integer.
    return max(1, int(view_scale * max(width, height / 4) + 1e-6))


def _make_view(original: Path, view_size: int) -> None:
    stem = original.with_name(f"{original.stem}-{VIEW}")
    worker_pool.call(
        "editor.imaging.stored_photos:derive", source=str(original), target_stem=str(stem), widths=[view_size]
    )
    stem.with_name(f"{stem.name}-{view_size}.webp").rename(_beside(original, VIEW))


def _exceeds_view(photo: Photo, size: int) -> bool:
    return photo.view_size is not None and size > photo.view_size


@contextmanager
def work_folder() -> Iterator[Path]:
    """Provide, within the block, a temporary folder for files in progress."""
    folder: Path = settings.WORK_DIR / f"upload-{secrets.token_hex(8)}"
    folder.mkdir(parents=True, mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _beside(path: Path, size: int | str) -> Path:
    return path.with_name(_derivative(path.name, size))


def _derivative(key: str, size: int | str) -> str:
    return f"{key.rpartition('.')[0]}-{size}.webp"


def _stem(key: str) -> str:
    return re.sub(rf"{_PART}$", "", key)
