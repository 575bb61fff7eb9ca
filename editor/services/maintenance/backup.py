"""Backups: one file from which a whole site can be restored, created while the site is in use.

The file is a tar archive. It contains a description, the two secrets, a snapshot of the database, the photos
that the snapshot refers to, and a list of the digests of all entries. The photos may be copied after the
database, because a file is deleted only after its last row. If a file is missing by then, a user has deleted
it, and the backup lists it as deleted.
"""

import hashlib
import io
import json
import os
import re
import shutil
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import Q
from django.utils import timezone

from editor.models import DraftPhoto, Edit, Export, RecipePhoto
from editor.models.clock import consistent_snapshot
from editor.services.editing import lifecycle
from editor.services.maintenance import invariants, snapshots, trash
from editor.services.maintenance.schema import newest_migrations
from editor.services.maintenance.snapshots import SnapshotError
from editor.services.photos import photos
from editor.services.photos.storage import Bucket, StorageUnavailable, get_backend, older_than, sync

FORMAT = 1
# Names of the backup's entries, except the secrets and the photos.
DESCRIPTION = "darkroom.json"
DATABASE = "database"
DELETED_PHOTOS = "gone.txt"
CONTENTS = "contents.txt"
SECRETS = ("secret_key", "api_key_pepper")
DAMAGED = "This backup is damaged: {}. Nothing was restored."
_NAMES = re.compile(
    f"{DESCRIPTION}|{DATABASE}|{DELETED_PHOTOS}|{'|'.join(SECRETS)}|photos/{photos.FILE_KEY.pattern}"
)
_CHUNK = 1024 * 1024
# Prefixes of the folders in which commands work. A command that is killed leaves its folder.
_BACKING_UP, _RESTORING = ".darkroom-backup-", "restoring-"
_ABANDONED_SECONDS = 24 * 3600


class BackupError(Exception):
    """Raised when a backup could not be created or restored. The exception's message is for the operator."""


@dataclass(frozen=True)
class Backup:
    """A finished backup.

    `unreadable` contains the keys of photos that have a row but whose file could not be read.
    """

    path: Path
    photos: int
    size: int
    unreadable: list[str]


@dataclass(frozen=True)
class RestoreResult:
    """A restored site. `notes` are messages for the operator, and `violations` lists broken invariants."""

    created: datetime
    photos: int
    notes: list[str]
    violations: list[str]


def create_backup(path: Path) -> Backup:
    """Write a backup to the file `path`.

    If `path` is a folder, the backup is written to a new file in this folder, named after the current time.
    Only the current user can read the file, and it appears only once it is complete. Raises BackupError.
    """
    now = timezone.now()
    target = path / f"darkroom-{now:%Y-%m-%d-%H%M%S}.tar" if path.is_dir() else path
    if target.exists():
        raise BackupError(f"{target} already exists. Name another file, or a folder in which to create one.")
    try:
        _require_site()
        _remove_abandoned(target.parent.glob(f"{_BACKING_UP}*"))
        with tempfile.TemporaryDirectory(prefix=_BACKING_UP, dir=target.parent) as folder:
            draft = Path(folder) / "backup.tar"
            draft.touch(mode=0o600)
            with tarfile.open(draft, "w") as tar:
                writer = _Writer(tar, Path(folder) / CONTENTS)
                lost = _write(writer, Path(folder), now)
            sync(draft)
            draft.rename(target)
        sync(target.parent)
    except SnapshotError as error:
        raise BackupError(str(error)) from error
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise BackupError(f"The backup could not be created: {error.strerror or error}{where}.") from error
    return Backup(target, writer.photos, target.stat().st_size, lost)


def restore(path: Path, *, replace: bool = False) -> RestoreResult:
    """Restore a site from a backup into an empty data folder and database.

    The database is then migrated, and all invariants are checked. With `replace`, an existing site is first
    moved aside. Raises BackupError. In this case, nothing has changed, unless the error's message says
    otherwise.
    """
    notes: list[str] = []
    if not path.is_file():
        raise BackupError(f"There is no backup file {path}.")
    try:
        settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        snapshots.require_tools()
        _require_unused(replace)
        with tempfile.TemporaryDirectory(prefix=_RESTORING, dir=settings.DATA_DIR) as folder:
            created, count = _unpack(path, Path(folder))
            _require_unused(replace)  # Another process may have restored a site in the meantime.
            if _is_in_use():
                _put_aside(notes)
            notes += _put_in_place(Path(folder))
            deleted_keys = (Path(folder) / DELETED_PHOTOS).read_text().split()
        os.sync()
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
    except SnapshotError as error:
        raise BackupError("\n".join([str(error), *notes])) from error
    except (OSError, DatabaseError) as error:
        why = getattr(error, "strerror", None) or str(error).strip()
        raise BackupError("\n".join([f"The backup could not be restored: {why}.", *notes])) from error
    notes += _settle(deleted_keys)
    return RestoreResult(created, count, notes, invariants.find_violations(is_stopped=True))


def clear_abandoned() -> None:
    """Delete the copies of secrets and photos that killed commands left in the data folder."""
    for prefix in (_BACKING_UP, _RESTORING):
        _remove_abandoned(settings.DATA_DIR.glob(f"{prefix}*"))


def _remove_abandoned(folders: Iterable[Path]) -> None:
    for folder in older_than(_ABANDONED_SECONDS, folders):
        shutil.rmtree(folder, ignore_errors=True)


class _Writer:
    """A writer for the tar file's entries that also records each entry's digest."""

    def __init__(self, tar: tarfile.TarFile, contents: Path) -> None:
        self.photos = 0
        self._tar = tar
        self._contents = contents
        self._lines = contents.open("w")

    def add(self, name: str, source: IO[bytes], size: int) -> None:
        info = tarfile.TarInfo(name)
        info.size = size
        info.mode, info.mtime = 0o600, int(timezone.now().timestamp())
        digest = _Digest(source)
        self._tar.addfile(info, digest)
        self._lines.write(f"{digest.hexdigest()}  {name}\n")

    def add_bytes(self, name: str, data: bytes) -> None:
        self.add(name, io.BytesIO(data), len(data))

    def finish(self) -> None:
        self._lines.close()
        self._tar.add(self._contents, CONTENTS)


class _Digest(io.RawIOBase):
    """A file whose bytes are hashed as they are read."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source = source
        self._sha256 = hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        data = self._source.read(size)
        self._sha256.update(data)
        return data

    def hexdigest(self) -> str:
        return self._sha256.hexdigest()


def _require_site() -> None:
    """Raise BackupError before a backup would create secrets and a database in an empty data folder."""
    has_key = "SECRET_KEY" in settings.GIVEN_SECRETS or (settings.DATA_DIR / "secret_key").exists()
    if not (has_key and snapshots.has_tables()):
        raise BackupError(f"There is no site in {settings.DATA_DIR}. Check DATA_DIR and DATABASE_URL.")


def _write(writer: _Writer, folder: Path, now: datetime) -> list[str]:
    """Write all entries, and return the keys of the photos that should be stored but are missing."""
    description = {
        "format": FORMAT,
        "made": now.isoformat(),
        "database": connection.vendor,
        "migrations": _newest_migrations(),
    }
    writer.add_bytes(DESCRIPTION, json.dumps(description, indent=1).encode())
    for name in SECRETS:
        writer.add_bytes(name, str(getattr(settings, name.upper())).encode())
    snapshot, keys = folder / DATABASE, folder / "keys.txt"
    with consistent_snapshot():
        snapshots.take(snapshot)
        with keys.open("w") as file:
            file.writelines(f"{key}\n" for key in photos.stored_keys())
    with snapshot.open("rb") as source:
        writer.add(DATABASE, source, snapshot.stat().st_size)
    snapshot.unlink()
    with keys.open() as file:
        missing = [key for line in file if not _add_photo(writer, key := line.strip())]
    lost = [key for key in missing if photos.is_referenced(key)]
    writer.add_bytes(DELETED_PHOTOS, "\n".join(set(missing) - set(lost)).encode())
    writer.finish()
    return lost


def _add_photo(writer: _Writer, key: str) -> bool:
    """Add a photo and its existing derivatives. Return False if one of the files cannot be read."""
    original, *derivatives = photos.keys_of(key)
    if not _add_file(writer, original):
        return False
    writer.photos += 1
    are_there = [_add_file(writer, derivative, may_lack=True) for derivative in derivatives]
    return all(are_there)


def _add_file(writer: _Writer, key: str, *, may_lack: bool = False) -> bool:
    """Add a file. The whole file is read first, because an entry cannot be removed from a tar file."""
    try:
        with get_backend().open(key) as source:
            data = source.read()
    except FileNotFoundError:
        return may_lack
    except StorageUnavailable:
        raise
    except OSError:
        return False
    writer.add_bytes(f"photos/{key}", data)
    return True


def _newest_migrations() -> list[list[str]]:
    return sorted([app, name] for app, name in newest_migrations())


def _require_unused(replace: bool) -> None:
    if not replace and _is_in_use():
        raise BackupError(
            f"There is already a site in {settings.DATA_DIR} or in the database. Restore into an empty "
            "DATA_DIR and an empty database, or add --replace to move the existing site aside."
        )


def _is_in_use() -> bool:
    kept = [settings.DATA_DIR / name for name in SECRETS]
    return any(_stored_keys()) or any(path.exists() for path in kept) or snapshots.has_tables()


def _stored_keys() -> Iterator[str]:
    """Yield the keys of all stored photos. A bucket may contain other files, too, such as a previous site."""
    return filter(photos.FILE_KEY.fullmatch, get_backend().keys())


def _unpack(path: Path, folder: Path) -> tuple[datetime, int]:
    """Unpack the backup into the folder, and compare every digest.

    Returns the time of the backup and the number of originals.
    """
    found = folder / "found.txt"
    try:
        with tarfile.open(path, "r:") as tar, found.open("w") as lines:
            members = iter(tar)
            description, created = _described(tar, next(members, None))
            lines.write(f"{hashlib.sha256(description).hexdigest()}  {DESCRIPTION}\n")
            last = ""
            for member in members:
                last = member.name
                digest = _take_out(tar, member, folder)
                if last != CONTENTS:
                    lines.write(f"{digest}  {last}\n")
    except (tarfile.TarError, EOFError) as error:
        raise BackupError(DAMAGED.format(f"{path.name} is incomplete or is not a backup")) from error
    if last != CONTENTS:
        raise BackupError(DAMAGED.format(f"{path.name} is incomplete"))
    _compare(folder / CONTENTS, found)
    for name in (DATABASE, DELETED_PHOTOS, *SECRETS):
        if not (folder / name).is_file():
            raise BackupError(DAMAGED.format(f"{name} is missing"))
    with found.open() as lines:
        count = sum("  photos/" in line and "-" not in line for line in lines)
    return created, count


def _described(tar: tarfile.TarFile, first: tarfile.TarInfo | None) -> tuple[bytes, datetime]:
    """Return the backup's description and time.

    Raises BackupError if this code cannot restore the backup.
    """
    if first is None or first.name != DESCRIPTION or not first.isfile() or first.size > _CHUNK:
        raise BackupError("This is not a Darkroom backup.")
    data = _file_in(tar, first).read()
    try:
        manifest = json.loads(data)
        vendor, known = manifest["database"], {tuple(name) for name in manifest["migrations"]}
        form, created = manifest["format"], datetime.fromisoformat(manifest["made"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BackupError(DAMAGED.format(f"{DESCRIPTION} cannot be read")) from None
    if vendor != connection.vendor:
        raise BackupError(
            f"This backup contains a {vendor} database. Set DATABASE_URL to a database of that kind."
        )
    ours = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    if form != FORMAT or not known <= set(ours):
        raise BackupError(
            "This backup was created by a newer version of Darkroom. Restore it with that version."
        )
    return data, created


def _take_out(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> str:
    """Write one entry into the folder, and return its digest.

    An entry's name cannot lead outside the folder.
    """
    if not member.isfile() or not (_NAMES.fullmatch(member.name) or member.name == CONTENTS):
        raise BackupError(
            DAMAGED.format(f"it contains {member.name[:80]!r}, which does not belong in a backup")
        )
    target = folder / member.name
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest = _Digest(_file_in(tar, member))
    with open(target, "wb", opener=_private) as file:
        shutil.copyfileobj(digest, file, _CHUNK)
    return digest.hexdigest()


def _file_in(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    file = tar.extractfile(member)
    if file is None:
        raise BackupError(DAMAGED.format(f"{member.name} is not a file"))
    return file


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _compare(contents: Path, found: Path) -> None:
    # The list of digests may itself be damaged.
    with contents.open(errors="replace") as expected, found.open() as actual:
        for line, own in _pairs(expected, actual):
            if line != own:
                name = (own or line).partition("  ")[2].strip()
                raise BackupError(DAMAGED.format(f"{name} was changed after the backup was written"))


def _pairs(expected: IO[str], actual: IO[str]) -> Iterator[tuple[str, str]]:
    while (pair := (expected.readline(), actual.readline())) != ("", ""):
        yield pair


def _bring_photos(unpacked: Path) -> None:
    unpacked.mkdir(exist_ok=True)
    if settings.BUCKET:
        for path in unpacked.glob("*/*"):
            get_backend().save({path.relative_to(unpacked).as_posix(): path})
        return
    _move_photos(unpacked, settings.PHOTOS_DIR)


def _move_photos(source: Path, target: Path) -> None:
    """Move the files one by one, because either folder may be a mount point, which cannot be moved."""
    target.mkdir(mode=0o700, exist_ok=True)
    for path in source.glob("*/*"):
        there = target / path.relative_to(source)
        there.parent.mkdir(mode=0o700, exist_ok=True)
        shutil.move(path, there)


def _put_aside(notes: list[str]) -> None:
    """Move the existing site to another location, and record this location in `notes`."""
    now = timezone.now()
    folder = settings.DATA_DIR / f"replaced-{now:%Y-%m-%d-%H%M%S}"
    folder.mkdir(mode=0o700)
    try:
        where = [snapshots.move_aside(folder, now)] if snapshots.has_tables() else []
    except SnapshotError:
        folder.rmdir()
        raise
    backend = get_backend()
    if isinstance(backend, Bucket):
        where.append(f"under {folder.name}/ in the bucket {settings.BUCKET['bucket_name']}")
    # Record the location before moving the other files, because a move may fail halfway.
    notes.append(f"The previous site is now in {' and '.join(dict.fromkeys([str(folder), *where]))}.")
    if isinstance(backend, Bucket):
        for key in list(_stored_keys()):
            backend.rename(key, f"{folder.name}/{key}")
    else:
        _move_photos(settings.PHOTOS_DIR, folder / settings.PHOTOS_DIR.name)
    for path in (settings.DATA_DIR / name for name in SECRETS):
        if path.exists():
            path.rename(folder / path.name)


def _put_in_place(folder: Path) -> list[str]:
    """Move the unpacked files to their final locations, and return notes for the operator."""
    is_bare = not any(_stored_keys())
    try:
        _bring_photos(folder / "photos")
        snapshots.restore_snapshot(folder / DATABASE)  # The last step cannot be undone.
    except (OSError, SnapshotError):
        # All photos come from the backup, so they can be deleted and the restore can be tried again.
        if is_bare:
            _remove_photos()
        raise
    notes = []
    for name in SECRETS:
        (folder / name).rename(settings.DATA_DIR / name)
        if (settings.DATA_DIR / name).read_text().strip() != str(getattr(settings, name.upper())):
            notes.append(f"{name.upper()} is not set to the value that the site had. Set it to the value in")
            notes[-1] += f" {settings.DATA_DIR / name}, which comes from the backup, or unset it."
    return notes


def _remove_photos() -> None:
    for key in list(_stored_keys()):
        get_backend().remove(key)


def _settle(keys: list[str]) -> list[str]:
    """Repeat deletions that users made while photos were being copied, and end edits that were not sent.

    After the snapshot was taken, an external engine may have received edits that were still waiting in the
    snapshot. These edits are ended instead of being sent again. Returns notes for the operator.
    """
    # Backups do not contain the files of exports. Users can request their exports again.
    Export.objects.all().delete()
    for model in (DraftPhoto, RecipePhoto):
        model._default_manager.filter(key__in=keys).delete()
    emptied = Edit.objects.filter(Q(references__key__in=keys) | Q(results__key__in=keys)).distinct()
    for edit in list(emptied):
        lifecycle.finish(edit, Edit.State.CANCELLED, code="cancelled", message=lifecycle.CANCELLED)
    # Ending an edit without a charge deletes its results. Therefore, if only its result files were missing,
    # the edit no longer matches and is not purged.
    trash.purge_again(Edit.objects.filter(pk__in=[edit.pk for edit in emptied.all()]))
    unsent = Edit.objects.filter(state=Edit.State.QUEUED).exclude(engine__runs_here=True)
    ended = [lifecycle.end_unconfirmed(edit) for edit in list(unsent)]
    running = Edit.objects.open().count()
    notes = (
        [f"{len(ended)} edits that were waiting for an external engine were ended without a charge."]
        if ended
        else []
    )
    return notes + ([f"{running} edits will continue when the site starts."] if running else [])
