"""A backup: one file from which a whole site comes back, taken while people use it.

It is a tar: a description, the two secrets, the database as it was at one moment, then the photos that it
names, and last the digest of everything. The photos may be copied later than the database, because a file is
removed only after its last row: what is missing by then was deleted by somebody, and is noted as such.
"""

import hashlib
import io
import json
import os
import re
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
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
from editor.models.clock import one_moment
from editor.services.editing import lifecycle
from editor.services.maintenance import invariants, snapshots, trash
from editor.services.maintenance.schema import newest_migrations
from editor.services.maintenance.snapshots import SnapshotError
from editor.services.photos import photos
from editor.services.photos.storage import StorageAway, place, sync

FORMAT = 1
# The names of the entries of a backup, beside the secrets and the photos.
DESCRIPTION = "darkroom.json"
DATABASE = "database"
GONE = "gone.txt"
CONTENTS = "contents.txt"
SECRETS = ("secret_key", "api_key_pepper")
DAMAGED = "This backup is damaged: {}. Nothing was restored."
_NAMES = re.compile(
    rf"{DESCRIPTION}|{DATABASE}|{GONE}|{'|'.join(SECRETS)}|photos/[0-9a-f]{{2}}/[0-9a-f]{{32}}(-\d+)?\.\w+"
)
_CHUNK = 1024 * 1024


class BackupError(Exception):
    """A backup could not be made or restored. Its text is a sentence for people."""


@dataclass(frozen=True)
class Backup:
    """What was written: `lost` photos have a row, but their file could not be read."""

    path: Path
    photos: int
    size: int
    lost: list[str]


@dataclass(frozen=True)
class Restored:
    """What came back: `notes` are sentences for whoever runs the site, `broken` those of the invariants."""

    made: datetime
    photos: int
    notes: list[str]
    broken: list[str]


def make(path: Path) -> Backup:
    """Writes a backup to the file `path`, or into the folder `path` under a name with the time. Nobody else
    may read it, and it appears when it is whole. Raises BackupError."""
    now = timezone.now()
    target = path / f"darkroom-{now:%Y-%m-%d-%H%M%S}.tar" if path.is_dir() else path
    if target.exists():
        raise BackupError(f"{target} is there already: name another file, or a folder to make one in.")
    try:
        with tempfile.TemporaryDirectory(prefix=".darkroom-backup-", dir=target.parent) as folder:
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
        raise BackupError(f"The backup could not be written: {error.strerror or error}.") from error
    return Backup(target, writer.photos, target.stat().st_size, lost)


def restore(path: Path, *, replace: bool = False) -> Restored:
    """Brings a site back from a backup, into an empty data folder and database, brings the database up to
    this code and checks every invariant. With `replace` what is there is put aside first. Raises BackupError:
    then nothing has changed, unless it says so."""
    notes: list[str] = []
    try:
        settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        snapshots.tools_are_there()
        if not replace and _is_in_use():
            raise BackupError(
                f"There is a site in {settings.DATA_DIR} or its database already. Restore into an empty "
                "DATA_DIR and an empty database, or add --replace to put what is there aside."
            )
        with tempfile.TemporaryDirectory(prefix="restoring-", dir=settings.DATA_DIR) as folder:
            made, count = _unpack(path, Path(folder))
            if _is_in_use():
                _put_aside(notes)
            notes += _put_in_place(Path(folder))
            gone = (Path(folder) / GONE).read_text().split()
        os.sync()
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
    except SnapshotError as error:
        raise BackupError("\n".join([str(error), *notes])) from error
    except (OSError, DatabaseError) as error:
        why = getattr(error, "strerror", None) or str(error).strip()
        raise BackupError("\n".join([f"The backup could not be restored: {why}.", *notes])) from error
    notes += _settle(gone)
    return Restored(made, count, notes, invariants.broken(at_rest=True))


class _Writer:
    """Fills the tar and notes the digest of each file in it."""

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


def _write(writer: _Writer, folder: Path, now: datetime) -> list[str]:
    """Answers the keys of photos that should be there and are not."""
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
    with one_moment():
        snapshots.take(snapshot)
        with keys.open("w") as file:
            file.writelines(f"{key}\n" for key in photos.stored_keys())
    with snapshot.open("rb") as source:
        writer.add(DATABASE, source, snapshot.stat().st_size)
    snapshot.unlink()
    with keys.open() as file:
        missing = [key for line in file if not _add_photo(writer, key := line.strip())]
    lost = [key for key in missing if photos.is_kept(key)]
    writer.add_bytes(GONE, "\n".join(set(missing) - set(lost)).encode())
    writer.finish()
    return lost


def _add_photo(writer: _Writer, key: str) -> bool:
    """False when one of its files cannot be read. Of its derivatives those that are made."""
    original, *derivatives = photos.keys_of(key)
    if not _add_file(writer, original):
        return False
    writer.photos += 1
    are_there = [_add_file(writer, derivative, may_lack=True) for derivative in derivatives]
    return all(are_there)


def _add_file(writer: _Writer, key: str, *, may_lack: bool = False) -> bool:
    """All of it is read first: of what has begun in the tar there is no way back."""
    try:
        with place().open(key) as source:
            data = source.read()
    except FileNotFoundError:
        return may_lack
    except StorageAway:
        raise
    except OSError:
        return False
    writer.add_bytes(f"photos/{key}", data)
    return True


def _newest_migrations() -> list[list[str]]:
    return sorted([app, name] for app, name in newest_migrations())


def _is_in_use() -> bool:
    kept = [settings.DATA_DIR / name for name in SECRETS]
    return any(place().keys()) or any(path.exists() for path in kept) or snapshots.has_tables()


def _unpack(path: Path, folder: Path) -> tuple[datetime, int]:
    """Takes the backup apart into the folder and compares every digest; answers when it was made, and how
    many originals it has."""
    found = folder / "found.txt"
    try:
        with tarfile.open(path, "r:") as tar, found.open("w") as lines:
            members = iter(tar)
            description, made = _described(tar, next(members, None))
            lines.write(f"{hashlib.sha256(description).hexdigest()}  {DESCRIPTION}\n")
            last = ""
            for member in members:
                last = member.name
                digest = _take_out(tar, member, folder)
                if last != CONTENTS:
                    lines.write(f"{digest}  {last}\n")
    except (tarfile.TarError, EOFError) as error:
        raise BackupError(DAMAGED.format(f"{path.name} breaks off or is no backup")) from error
    if last != CONTENTS:
        raise BackupError(DAMAGED.format(f"{path.name} breaks off"))
    _compare(folder / CONTENTS, found)
    for name in (DATABASE, GONE, *SECRETS):
        if not (folder / name).is_file():
            raise BackupError(DAMAGED.format(f"{name} is missing"))
    with found.open() as lines:
        count = sum("  photos/" in line and "-" not in line for line in lines)
    return made, count


def _described(tar: tarfile.TarFile, first: tarfile.TarInfo | None) -> tuple[bytes, datetime]:
    """The description, if this code can restore what it describes, and when that was made."""
    if first is None or first.name != DESCRIPTION or not first.isfile() or first.size > _CHUNK:
        raise BackupError("This is not a backup of Darkroom.")
    data = _file_in(tar, first).read()
    try:
        manifest = json.loads(data)
        vendor, known = manifest["database"], {tuple(name) for name in manifest["migrations"]}
        form, made = manifest["format"], datetime.fromisoformat(manifest["made"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BackupError(DAMAGED.format(f"{DESCRIPTION} cannot be read")) from None
    if vendor != connection.vendor:
        raise BackupError(f"This backup holds a database of {vendor}: set DATABASE_URL to one of that kind.")
    ours = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    if form != FORMAT or not known <= set(ours):
        raise BackupError("This backup was made by a newer Darkroom: restore it with that version.")
    return data, made


def _take_out(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> str:
    """Writes one file of the backup into the folder; answers its digest. A name leads nowhere else."""
    if not member.isfile() or not (_NAMES.fullmatch(member.name) or member.name == CONTENTS):
        raise BackupError(DAMAGED.format(f"it holds {member.name[:80]!r}, which belongs to no backup"))
    target = folder / member.name
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest = _Digest(_file_in(tar, member))
    with open(target, "wb", opener=_private) as file:
        shutil.copyfileobj(digest, file, _CHUNK)
    return digest.hexdigest()


def _file_in(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    file = tar.extractfile(member)
    if file is None:
        raise BackupError(DAMAGED.format(f"{member.name} is no file"))
    return file


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _compare(contents: Path, found: Path) -> None:
    with contents.open(errors="replace") as expected, found.open() as actual:  # it may be what is damaged
        for line, own in _pairs(expected, actual):
            if line != own:
                name = (own or line).partition("  ")[2].strip()
                raise BackupError(DAMAGED.format(f"{name} is not as it was written"))


def _pairs(expected: IO[str], actual: IO[str]) -> Iterator[tuple[str, str]]:
    while (pair := (expected.readline(), actual.readline())) != ("", ""):
        yield pair


def _bring_photos(unpacked: Path) -> None:
    unpacked.mkdir(exist_ok=True)
    if settings.BUCKET:
        for path in unpacked.glob("*/*"):
            place().keep({path.relative_to(unpacked).as_posix(): path})
        return
    _move_photos(unpacked, settings.PHOTOS_DIR)


def _move_photos(source: Path, target: Path) -> None:
    """The files, one by one, since either folder may be a disk of its own, which stays where it is."""
    target.mkdir(mode=0o700, exist_ok=True)
    for path in source.glob("*/*"):
        there = target / path.relative_to(source)
        there.parent.mkdir(mode=0o700, exist_ok=True)
        shutil.move(path, there)


def _put_aside(notes: list[str]) -> None:
    """Moves the site that is there out of the way, and notes where it is now."""
    now = timezone.now()
    folder = settings.DATA_DIR / f"replaced-{now:%Y-%m-%d-%H%M%S}"
    folder.mkdir(mode=0o700)
    try:
        where = [snapshots.put_aside(folder, now)] if snapshots.has_tables() else []
    except SnapshotError:
        folder.rmdir()
        raise
    # Before the rest of it is moved: that may go wrong half-way.
    notes.append(f"What was there is now in {' and '.join(dict.fromkeys([str(folder), *where]))}.")
    _move_photos(settings.PHOTOS_DIR, folder / settings.PHOTOS_DIR.name)
    for path in (settings.DATA_DIR / name for name in SECRETS):
        if path.exists():
            path.rename(folder / path.name)


def _put_in_place(folder: Path) -> list[str]:
    """Moves what was unpacked to where the site looks for it; answers what is worth knowing."""
    is_bare = not any(place().keys())
    try:
        _bring_photos(folder / "photos")
        snapshots.bring_back(folder / DATABASE)  # last, since it cannot be taken back
    except (OSError, SnapshotError):
        if is_bare:  # then no photo is the site's that was there, and restoring can be tried again
            _remove_photos()
        raise
    notes = []
    for name in SECRETS:
        (folder / name).rename(settings.DATA_DIR / name)
        if (settings.DATA_DIR / name).read_text().strip() != str(getattr(settings, name.upper())):
            notes.append(f"{name.upper()} is set to another value than the site had: set it to that of the")
            notes[-1] += f" backup, which is now in {settings.DATA_DIR / name}, or unset it."
    return notes


def _remove_photos() -> None:
    for key in list(place().keys()):
        place().remove(key)


def _settle(gone: list[str]) -> list[str]:
    """Does again what people deleted while the photos were copied; and what may have been sent to another
    engine after this moment is not sent again. Answers what is worth knowing."""
    Export.objects.all().delete()  # their files are no part of a backup, and are made again
    for model in (DraftPhoto, RecipePhoto):
        model._default_manager.filter(key__in=gone).delete()
    emptied = Edit.objects.filter(Q(references__key__in=gone) | Q(results__key__in=gone)).distinct()
    for edit in list(emptied):
        lifecycle.finish(edit, Edit.State.CANCELLED, code="cancelled", message=lifecycle.CANCELLED)
    # Ending an edit uncharged removes its results: if only those were gone, it lost nothing else and stays.
    trash.purge_again(Edit.objects.filter(pk__in=[edit.pk for edit in emptied.all()]))
    unsent = Edit.objects.filter(state=Edit.State.QUEUED).exclude(base_url="")
    ended = [lifecycle.end_unconfirmed(edit) for edit in list(unsent)]
    running = Edit.objects.open().count()
    notes = [f"{len(ended)} edits that waited for another engine ended without a charge."] if ended else []
    return notes + ([f"{running} edits go on when the site starts."] if running else [])
