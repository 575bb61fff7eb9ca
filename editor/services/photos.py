"""Photos in the storage: kept under unguessable names, rebuilt from pixels, served from their rows.

A photo's `key` is its random name with its ending; its derivatives stand beside it as `<stem>-<width>.webp`.
Files are fsynced before a row names them, and removed after the row that named them.
"""

import hashlib
import logging
import re
import secrets
import shutil
import time
import unicodedata
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.tasks import task
from django.utils import timezone

from editor.crash_points import crash_point
from editor.engine.onnx import MODELS_FOLDER
from editor.imaging.confinement import Reach
from editor.imaging.errors import PhotoError, SandboxError
from editor.imaging.memory import at_once
from editor.imaging.sandbox import DECODE, SandboxPool
from editor.models import DraftPhoto, Edit, Photo, RecipePhoto, ReferencePhoto, ResultPhoto
from editor.options import MAX_BATCH_PHOTOS, Limits
from editor.services import space, storage
from editor.services.access import Actor, may_take

logger = logging.getLogger(__name__)

WIDTHS = (360, 800)  # made before anybody waits for them
LARGE = 1600  # made afterwards
MAX_DRAFTS = 50  # ten full trays; without a limit, unused uploads could fill the disk before they are old
MAX_BATCH_DRAFTS = MAX_BATCH_PHOTOS + MAX_DRAFTS
EXTENSIONS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}
ORPHAN_SECONDS = 3600
MAKE_LAST = -10  # the queue's priority of what nobody waits for
LARGE_LATE = timedelta(minutes=10)
MISSING_AT_ONCE = 100
_CHUNK = 256 * 1024
_PHOTO = re.compile(r"[0-9a-f]{2}/[0-9a-f]{32}(-\d+)?\.\w+")  # a bucket may hold other things, too


def reach() -> Reach:
    """What a child that makes pictures needs of the data folder: photos, the operator's models and a place
    to work; not the secrets, nor the database."""
    return Reach(read=(settings.PHOTOS_DIR, settings.DATA_DIR / MODELS_FOLDER), write=(settings.WORK_DIR,))


# Uploads. Who comes when all are busy for long gets a sentence.
decoders = SandboxPool(DECODE, size=at_once(), reach=reach)
# Results wait as long as it takes: the edit is paid for by then.
keepers = SandboxPool(DECODE, size=1, patience=None, reach=reach)


class Withheld(PermissionDenied):
    """The original waits for approval, and is for those alone who may review."""

    def __init__(self) -> None:
        super().__init__("Originals of this team can be had once the edit is approved. Ask for a review.")


def limits() -> Limits:
    """The limits of this site, from its settings."""
    return Limits(
        photo_bytes=settings.MAX_PHOTO_MEGABYTES * 1024 * 1024,
        photo_pixels=settings.MAX_PHOTO_MEGAPIXELS * 1_000_000,
        prompt_characters=settings.MAX_PROMPT_CHARACTERS,
        outputs=settings.MAX_OUTPUTS,
    )


def keep_draft(
    actor: Actor, source: BinaryIO, *, name: str, tray: DraftPhoto.Tray = DraftPhoto.Tray.EDITOR
) -> DraftPhoto:
    """Rebuilds an uploaded file (any bytes) from its pixels and keeps it for this tray of the user's, which
    holds the newest MAX_DRAFTS, that of a batch MAX_BATCH_DRAFTS.

    Raises PhotoError, with a sentence for people, when it is not a photo that can be edited or kept, and
    DiskFull.
    """
    return _add_draft(actor, tray=tray, **_kept(source, name))


def keep_upload(source: BinaryIO, *, name: str) -> DraftPhoto:
    """As `keep_draft`, for a request that makes its edit at once: a draft without a row, in nobody's tray.
    Whoever keeps it discards it, unless an edit took it over."""
    return DraftPhoto(**_kept(source, name))


def discard_uploads(uploads: Sequence[DraftPhoto]) -> None:
    """Removes the files of those that no edit or recipe took over. Doing it twice changes nothing."""
    keys = [upload.key for upload in uploads]
    owners = (model._default_manager.filter(key__in=keys) for model in (ReferencePhoto, RecipePhoto))
    taken = {key for owner in owners for key in owner.values_list("key", flat=True)}
    remove_files(upload for upload in uploads if upload.key not in taken)


def remove_files(photos: Iterable[Photo]) -> None:
    """Removes the files of photos whose rows are gone or purged. Doing it twice changes nothing."""
    place = storage.place()
    for photo in photos:
        for key in keys_of(photo.key):
            place.remove(key)


def keep_fetched(path: Path) -> dict[str, Any]:
    """Rebuilds a fetched file from its pixels and keeps it; answers with the facts for its row, and the
    `notices` for people. Raises PhotoError and SandboxError."""
    with path.open("rb") as source:
        facts = _rebuilt(source, keepers)
    return _row_facts(facts) | {"notices": facts["notices"]}


def draft_from_result(
    actor: Actor, result: ResultPhoto, *, tray: DraftPhoto.Tray = DraftPhoto.Tray.EDITOR
) -> DraftPhoto:
    """Puts a result into a tray of the actor's, to edit it further. In another workspace than its own it
    begins anew: who works there need not see where it came from. Out of its workspace goes only what the
    actor may take: raises Withheld, and OSError when it can't be read."""
    is_home = result.edit.workspace_id == actor.workspace.pk
    copied = copy_files(result, by=None if is_home else actor.user.pk)
    name = f"result {result.position}.{EXTENSIONS[result.media_type]}"
    return _add_draft(actor, tray=tray, parent=result if is_home else None, name=name, **copied)


def draft_from_reference(actor: Actor, reference: ReferencePhoto) -> DraftPhoto:
    """Puts a photo that an edit started from into the user's tray, to ask for something else."""
    # An edit continues what its photo 1 continued.
    parent = reference.edit.parent if reference.position == 1 else None
    return _add_draft(actor, parent=parent, name=reference.name, **copy_files(reference))


def drafts_from_edit(actor: Actor, edit: Edit) -> list[DraftPhoto]:
    """Puts the photos that an edit started from into the user's tray, in their order, if they arrived; none
    of them when one can't be read: raises OSError."""
    drafts: list[DraftPhoto] = []
    try:
        for reference in () if edit.awaits_photos else edit.references.all():
            drafts.append(draft_from_reference(actor, reference))
    except OSError:
        for draft in drafts:
            _discard(draft)
        raise
    return drafts


@contextmanager
def copies(originals: Iterable[ReferencePhoto | RecipePhoto]) -> Iterator[list[DraftPhoto]]:
    """Copies of photos, as drafts without rows, for an edit to take over within the block; what it leaves is
    removed. Raises OSError when one can't be read; then no copy is left."""
    made: list[DraftPhoto] = []
    try:
        for original in originals:
            parent = original.edit.parent if isinstance(original, ReferencePhoto) else None
            made.append(DraftPhoto(name=original.name, parent=parent, **copy_files(original)))
        yield made
    finally:
        discard_uploads(made)


def copy_files(photo: Photo, *, by: int | None = None) -> dict[str, Any]:
    """Copies a photo's files under a new name; answers with the facts for the row that will own them. `by` is
    the user who takes it out of its workspace, None where it stays there. Raises Withheld and OSError."""
    with _work_folder() as folder:
        original = folder / f"photo.{EXTENSIONS[photo.media_type]}"
        copies = {"original": original} | {str(width): _beside(original, width) for width in WIDTHS}
        for size, copy in copies.items():
            with open_photo(photo, size, by=by) as stored, copy.open("wb") as file:
                shutil.copyfileobj(stored, file)
        return photo.facts() | {"key": _take_in(original), "has_large": False}


def tray_of(actor: Actor, tray: DraftPhoto.Tray, *, most: int) -> list[DraftPhoto]:
    """This tray as it was left: the newest photos, `most` of them, the oldest first."""
    drafts = _drafts(actor).filter(tray=tray).select_related("parent")
    return list(reversed(drafts.order_by("-id")[:most]))


def drafts_of(actor: Actor, ids: Sequence[uuid.UUID]) -> list[DraftPhoto]:
    """The actor's drafts in this workspace with these ids, in this order, unknown ones left out."""
    drafts = _drafts(actor).select_related("parent")
    found = {draft.id: draft for draft in drafts.filter(id__in=ids)}
    return [found[draft_id] for draft_id in dict.fromkeys(ids) if draft_id in found]


def discard_draft(actor: Actor, draft_id: uuid.UUID) -> None:
    """Takes a photo out of the tray for good. Doing it twice changes nothing."""
    for draft in _drafts(actor).filter(id=draft_id):
        _discard(draft)


def discard_old_drafts() -> int:
    """Discards what lay unused for DRAFT_HOURS; answers how many."""
    old = timezone.now() - timedelta(hours=settings.DRAFT_HOURS)
    return discard_drafts(DraftPhoto.objects.filter(created__lt=old))


def discard_drafts(drafts: QuerySet[DraftPhoto]) -> int:
    """Discards these, whosever they are; answers how many."""
    found = list(drafts)
    for draft in found:
        _discard(draft)
    return len(found)


def keep_result(edit: Edit, position: int, arrived: Path) -> dict[str, Any]:
    """Proves that a result is a whole picture, makes the derivatives that the gallery waits for, and
    keeps the files; what another site sent is made anew from its pixels. Answers with the facts for its row;
    raises PhotoError for a broken file."""
    stem = arrived.with_suffix("")
    if edit.base_url:
        stem = stem.with_name(f"{stem.name}-adopted")
        how = {"source": str(arrived), "target_stem": str(stem), "output_format": edit.output_format}
        facts = keepers.call("editor.imaging.codecs:adopt", **how)
    else:
        facts = keepers.call("editor.imaging.codecs:accept", source=str(arrived), target_stem=str(stem))
        arrived.rename(stem.with_suffix(f".{EXTENSIONS[facts['media_type']]}"))
    key = _take_in(stem.with_suffix(f".{EXTENSIONS[facts['media_type']]}"))
    crash_point("storing.file_synced")
    return _row_facts(facts | {"key": key})


@task
def make_large(kind: str, photo_id: str) -> None:
    """Makes the 1600-pixel derivative of a finished edit's photo. Doing it twice changes nothing."""
    rows = _LARGE_MODELS[kind].objects.filter(id=photo_id, has_large=False, edit__purged=None)
    photo = rows.first()
    if photo is not None:
        with _work_folder() as folder:
            target, original = folder / "photo", local_copy(photo, folder)
            keepers.call(
                "editor.imaging.codecs:derive", source=str(original), target_stem=str(target), widths=[LARGE]
            )
            storage.place().keep({_derivative(photo.key, LARGE): folder / f"photo-{LARGE}.webp"})
        rows.update(has_large=True)


def open_photo(photo: Photo, size: str, *, by: int | None) -> BinaryIO:
    """The stored bytes: "original", or a derivative by its width. Until the 1600 is made, the 800 serves.
    `by` is the user who gets them, None where they do not leave the site. Raises Withheld and OSError."""
    if size == "original" and not may_take(by, photo):
        raise Withheld
    return storage.place().open(key_of(photo, size))


def local_copy(photo: Photo, folder: Path) -> Path:
    """A file of this machine's with the original's bytes, made in this folder where there is none. Raises
    OSError."""
    return storage.place().local(photo.key, folder)


def media_type_of(photo: Photo, size: str) -> str:
    """The content type of these bytes, by our own row."""
    return photo.media_type if size == "original" else "image/webp"


def key_of(photo: Photo, size: str) -> str:
    """Under which these bytes are stored. Until the 1600 is made, the 800 serves."""
    if size == "original":
        return photo.key
    return _derivative(photo.key, 800 if size == str(LARGE) and not photo.has_large else int(size))


def keys_of(key: str) -> list[str]:
    """The key of an original, then those of the derivatives that it may have."""
    return [key, *(_derivative(key, width) for width in (*WIDTHS, LARGE))]


def stored_keys() -> Iterator[str]:
    """Those of all photos that should have their file."""
    for model in _PHOTO_MODELS:
        yield from _unpurged(model).values_list("key", flat=True).iterator(chunk_size=2000)


def is_kept(key: str) -> bool:
    """Whether a row says that the photo with this key has its file."""
    return any(_unpurged(model).filter(key=key).exists() for model in _PHOTO_MODELS)


def work_folder_of(edit: Edit) -> Path:
    """The edit's own folder for files on their way; it vanishes when the edit ends."""
    folder: Path = settings.WORK_DIR / str(edit.id)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def clear_work_folder(edit: Edit) -> None:
    """Removes what an ended edit left behind."""
    shutil.rmtree(settings.WORK_DIR / str(edit.id), ignore_errors=True)


def orphans() -> list[str]:
    """Keys of stored files, older than an hour, that no row names."""
    old = list(storage.place().keys(older=ORPHAN_SECONDS))
    named = (_with_files(model).values_list("key", flat=True) for model in _PHOTO_MODELS)
    stems = {_stem(key) for keys in named for key in keys}
    return [key for key in old if _PHOTO.fullmatch(key) and _stem(key) not in stems]


def remove_orphans() -> int:
    """Removes orphans, and what the dead left in the work folder; answers how many."""
    stored = orphans()
    for key in stored:
        storage.place().remove(key)
    return len(stored) + clear_work()


def clear_work() -> int:
    """Removes what the dead left in this machine's work folder; answers how many."""
    oldest = time.time() - ORPHAN_SECONDS
    left = [path for path in settings.WORK_DIR.glob("*") if storage.is_older(path, oldest)]
    for path in left:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(left)


def make_missing_large() -> int:
    """Asks again for the large derivatives of ended edits whose first asking was lost; answers how many."""
    now = timezone.now()
    ended_lately = Q(edit__purged=None, edit__finished__range=(now - timedelta(days=1), now - LARGE_LATE))
    missing = [
        (kind, photo.id)
        for kind, model in _LARGE_MODELS.items()
        for photo in model.objects.filter(ended_lately, has_large=False).only("id")[:MISSING_AT_ONCE]
    ]
    for kind, photo_id in missing:
        make_large.using(run_after=now, priority=MAKE_LAST).enqueue(kind, str(photo_id))
    return len(missing)


def sha256_of(photo: Photo) -> str:
    """The digest of the stored file, in hexadecimal. Raises OSError when it cannot be read."""
    digest = hashlib.sha256()
    with storage.place().open(photo.key) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def broken_files(photos: Iterator[Photo]) -> Iterator[str]:
    """Names what is wrong with the files of these rows: not there, or of another size."""
    place = storage.place()
    for photo in photos:
        try:
            if place.size(photo.key) != photo.size:
                yield f"{photo.key} has another size than its row says"
        except FileNotFoundError:
            yield f"{photo.key} is not there"


def clean_name(name: str) -> str:
    """A file's name for display: without path, control and direction characters, cut to 200."""
    last = re.split(r"[/\\]", name)[-1]
    kept = (c for c in last if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
    return "".join(kept).strip()[:200]


_PHOTO_MODELS: tuple[type[Photo], ...] = (DraftPhoto, RecipePhoto, ReferencePhoto, ResultPhoto)
_LARGE_MODELS: dict[str, type[ReferencePhoto] | type[ResultPhoto]] = {
    "references": ReferencePhoto,
    "results": ResultPhoto,
}


def _with_files(model: type[Photo]) -> QuerySet[Any]:
    """Those of a purged edit have an hour, too: whoever purges it is about to remove them."""
    rows = model._default_manager.all()
    late = {"edit__purged__lt": timezone.now() - timedelta(seconds=ORPHAN_SECONDS)}
    return rows.exclude(**late) if model in _LARGE_MODELS.values() else rows


def _unpurged(model: type[Photo]) -> QuerySet[Any]:
    rows = model._default_manager.all()
    purged = {"edit__purged__isnull": False}
    return rows.exclude(**purged) if model in _LARGE_MODELS.values() else rows


def _add_draft(actor: Actor, *, tray: DraftPhoto.Tray = DraftPhoto.Tray.EDITOR, **columns: Any) -> DraftPhoto:
    """The newest draft of this tray; those that are too many make room."""
    draft = DraftPhoto.objects.create(user=actor.user, workspace=actor.workspace, tray=tray, **columns)
    most = MAX_BATCH_DRAFTS if tray == DraftPhoto.Tray.BATCH else MAX_DRAFTS
    for surplus in _drafts(actor).filter(tray=tray).order_by("-id")[most:]:
        _discard(surplus)
    return draft


def _drafts(actor: Actor) -> QuerySet[DraftPhoto]:
    """The tray: of a person and a workspace, so that what is meant for one team is sent to no other."""
    return actor.user.drafts.filter(workspace=actor.workspace)


def _discard(draft: DraftPhoto) -> None:
    """The row first: a file without a row is swept later, a row without its file would be broken."""
    with transaction.atomic():
        deleted, _ = DraftPhoto.objects.filter(id=draft.id).delete()
    if deleted:
        remove_files([draft])


def _kept(source: BinaryIO, name: str) -> dict[str, Any]:
    """The columns of a draft whose file was rebuilt and taken in. Raises PhotoError and DiskFull."""
    space.require()
    try:
        facts = _rebuilt(source, decoders)
    except SandboxError as error:
        if error.kind == "full":
            raise space.DiskFull from error
        raise PhotoError(error.message) from error
    except OSError as error:
        if space.is_about(error):
            raise space.DiskFull from error
        logger.exception("An uploaded photo could not be kept.")
        raise PhotoError("This photo could not be stored. Try again later.") from error
    return {"name": clean_name(name), "notices": facts["notices"], **_row_facts(facts)}


def _rebuilt(source: BinaryIO, pool: SandboxPool) -> dict[str, Any]:
    """The facts of an upload that was rebuilt and taken in, its key among them."""
    with _work_folder() as folder:
        upload = folder / "upload"
        _write_capped(source, upload, limits().photo_bytes)
        facts: dict[str, Any] = pool.call(
            "editor.imaging.codecs:rebuild",
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
                raise PhotoError(f"This photo is larger than {cap // 1024**2} MB.")
            file.write(chunk)


def _take_in(original: Path) -> str:
    """Moves a photo and the derivatives beside it into the storage; answers with its key."""
    name = secrets.token_hex(16)
    key = f"{name[:2]}/{name}{original.suffix}"
    made = {_derivative(key, width): _beside(original, width) for width in WIDTHS}
    storage.place().keep(made | {key: original})
    return key


@contextmanager
def _work_folder() -> Iterator[Path]:
    folder: Path = settings.WORK_DIR / f"upload-{secrets.token_hex(8)}"
    folder.mkdir(parents=True, mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _beside(path: Path, width: int) -> Path:
    return path.with_name(_derivative(path.name, width))


def _derivative(key: str, width: int) -> str:
    return f"{key.rpartition('.')[0]}-{width}.webp"


def _stem(key: str) -> str:
    return re.sub(r"(-\d+)?\.\w+$", "", key)
