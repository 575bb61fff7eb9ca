"""Tests that `manage.py backup` and `restore` preserve a complete site, even while it is in use."""

import errno
import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command, load_command_class
from django.db import DatabaseError, connection, connections
from django.utils import timezone

from editor.models import Edit, Export, ResultPhoto, User
from editor.services.editing import lifecycle, submit
from editor.services.maintenance import backup, snapshots, trash
from editor.services.photos import drafts, photos, storage
from tests import cast, processes
from tests.models.old_database import _run
from tests.providers.upstream import Upstream

pytestmark = pytest.mark.django_db(transaction=True)
OTHER = processes.extra_database_name("darkroom_restored")


class Elsewhere:
    """An empty data folder and an empty database, for running commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.is_sqlite = connection.vendor == "sqlite"
        url = processes.database_url()
        file = f"sqlite:///{folder / 'darkroom.sqlite3'}"
        self.database_url = file if self.is_sqlite else f"{url.rpartition('/')[0]}/{OTHER}"

    def manage(self, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
        environment = {**processes.environment(), "DATA_DIR": str(self.folder), **extra}
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=processes.ROOT,
            env={**environment, "DATABASE_URL": self.database_url},
            capture_output=True,
            text=True,
            timeout=1200,
            check=False,
        )


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Elsewhere]:
    place = Elsewhere(tmp_path / "elsewhere")
    if not place.is_sqlite:
        _run(f"DROP DATABASE IF EXISTS {OTHER}", f"CREATE DATABASE {OTHER}")
    yield place
    if not place.is_sqlite:
        _run(f"DROP DATABASE {OTHER}")


@pytest.fixture
def finished(alice: User, submitted: Callable[..., Edit], advance: Callable[..., Edit]) -> Edit:
    return advance(submitted(alice), times=3)


def test_a_restored_site_is_complete(finished: Edit, tmp_path: Path, elsewhere: Elsewhere) -> None:
    made = backup.create_backup(tmp_path / "site.tar")
    assert (made.photos, made.unreadable) == (2, [])
    assert made.path.stat().st_mode & 0o777 == 0o600
    done = elsewhere.manage("restore", str(made.path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All checks passed" in done.stdout
    assert '"balance": 360' in elsewhere.manage("credits", "alice@example.org").stdout
    for photo in (finished.references.get(), finished.results.get()):
        for size in ("original", "360", "800"):
            stored = cast.path_of(photo, size)
            there = elsewhere.folder / stored.relative_to(settings.DATA_DIR)
            assert there.read_bytes() == stored.read_bytes()
    assert (elsewhere.folder / "secret_key").read_text() == str(settings.SECRET_KEY)
    assert (elsewhere.folder / "api_key_pepper").stat().st_mode & 0o777 == 0o600
    assert {path.name for path in elsewhere.folder.iterdir()} <= {
        "photos",
        "secret_key",
        "api_key_pepper",
        "darkroom.sqlite3",
        "darkroom.sqlite3-wal",
        "darkroom.sqlite3-shm",
    }


@pytest.mark.slow
def test_every_derivative_of_a_photo_is_restored(
    finished: Edit, tmp_path: Path, elsewhere: Elsewhere
) -> None:
    result = finished.results.get()
    for key in photos.keys_of(result.key):
        (settings.PHOTOS_DIR / key).write_bytes(cast.photo_bytes())
    made = backup.create_backup(tmp_path / "site.tar")
    done = elsewhere.manage("restore", str(made.path))
    assert "is damaged" not in done.stdout + done.stderr
    for key in photos.keys_of(result.key):
        assert (elsewhere.folder / "photos" / key).read_bytes() == cast.photo_bytes()


def test_a_backup_under_load_is_consistent(alice: User, tmp_path: Path, elsewhere: Elsewhere) -> None:
    """Two users submit, cancel, and delete edits during the backup. The restored site must still be
    consistent.
    """
    over = threading.Event()
    users = [alice, cast.make_user("dora@example.org", credits=4000)]
    threads = [threading.Thread(target=use, args=(user, over)) for user in users]
    worker = processes.start_worker()
    for thread in threads:
        thread.start()
    try:
        made = [processes.start("manage.py", "backup", str(tmp_path / f"{n}.tar")) for n in range(2)]
        output = [process.communicate(timeout=1200)[0] for process in made]
    finally:
        over.set()
        for thread in threads:
            thread.join()
        worker.terminate()
        worker.communicate(timeout=600)
    assert [process.returncode for process in made] == [0, 0], output
    done = elsewhere.manage("restore", str(tmp_path / "1.tar"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All checks passed" in done.stdout


def use(user: User, over: threading.Event) -> None:
    actor = cast.actor_of(user)
    while not over.is_set():
        draft = drafts.create_draft(actor, cast.photo_file(width=320, height=240), name="photo.jpg")
        try:
            edit = cast.submit_edit(actor, submit.Submission(prompt="black and white", drafts=[draft]))
            if int(edit.submit_id) % 2:
                lifecycle.cancel(actor, edit)
                trash.move(Edit.objects.filter(pk=edit.pk), by=user.pk)
                trash.purge(actor, Edit.objects.filter(pk=edit.pk))
        except submit.InsufficientCredits:
            drafts.discard(actor, draft.id)
    connections.close_all()


def deleted_meanwhile(monkeypatch: pytest.MonkeyPatch, delete: Callable[[], object]) -> None:
    """Call `delete` during a backup, between the copy of the database and the copy of the first photo."""
    add, left = backup._add_photo, [delete]

    def added(writer: Any, key: str) -> bool:
        while left:
            left.pop()()
        return add(writer, key)

    monkeypatch.setattr(backup, "_add_photo", added)


@pytest.mark.slow
def test_edits_and_drafts_deleted_during_a_backup_stay_deleted(
    alice: User,
    finished: Edit,
    submitted: Callable[..., Edit],
    tmp_path: Path,
    elsewhere: Elsewhere,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    actor = cast.actor_of(alice)
    draft = drafts.create_draft(actor, cast.photo_file(), name="draft.jpg")
    waiting = submitted(alice)

    def delete() -> None:
        drafts.discard(actor, draft.id)
        lifecycle.cancel(actor, waiting)
        trash.move(Edit.objects.all(), by=alice.pk)
        trash.purge(actor, Edit.objects.all())

    deleted_meanwhile(monkeypatch, delete)
    made = backup.create_backup(tmp_path / "site.tar")
    assert (made.photos, made.unreadable) == (0, [])
    done = elsewhere.manage("restore", str(made.path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All checks passed" in done.stdout
    assert '"balance": 360' in elsewhere.manage("credits", "alice@example.org").stdout


@pytest.mark.slow
def test_an_edit_cancelled_during_a_backup_keeps_its_prompt_and_photo(
    alice: User,
    submitted: Callable[..., Edit],
    advance: Callable[..., Edit],
    tmp_path: Path,
    elsewhere: Elsewhere,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cancelling the edit deletes only its stored result. The backup keeps the prompt and the photo."""
    edit = advance(submitted(alice), times=2)
    assert edit.state == "STORING"
    upload = photos.store_uploaded(cast.photo_file(), "result.jpg")
    facts = {name: value for name, value in upload.items() if name in ResultPhoto.FILE_FIELDS}
    ResultPhoto.objects.create(edit=edit, position=1, **facts)
    deleted_meanwhile(monkeypatch, lambda: lifecycle.cancel(cast.actor_of(alice), edit))
    made = backup.create_backup(tmp_path / "site.tar")
    assert (made.photos, made.unreadable) == (1, [])
    done = elsewhere.manage("restore", str(made.path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All checks passed" in done.stdout
    look = (
        "from editor.models import Edit, ResultPhoto\n"
        "edit = Edit.objects.get()\n"
        "print(edit.state, edit.prompt, edit.trashed, edit.purged, ResultPhoto.stored.count())"
    )
    output = elsewhere.manage("shell", "-v", "0", "-c", look).stdout
    assert output.strip() == "CANCELLED black and white None None 0"


def test_a_missing_photo_is_reported_by_the_backup(finished: Edit, tmp_path: Path, capsys: Any) -> None:
    cast.path_of(finished.results.get()).unlink()
    with pytest.raises(SystemExit):
        call_command("backup", str(tmp_path))
    (made,) = tmp_path.glob("darkroom-*.tar")
    output = capsys.readouterr()
    assert str(made) in output.out
    assert "1 photos could not be read" in output.err


class Bad(io.FileIO):
    """A file that cannot be read beyond its first kilobyte, as on a damaged disk."""

    def readinto(self, buffer: Any) -> int:
        if self.tell():
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return super().readinto(memoryview(buffer)[:1024])

    def readall(self) -> bytes:
        data = bytearray(1024)
        while self.readinto(data):
            pass
        return bytes(data)


@pytest.mark.parametrize(("size", "count"), [("original", 1), ("800", 2)])
def test_an_unreadable_photo_does_not_affect_the_others_in_a_backup(
    finished: Edit,
    tmp_path: Path,
    elsewhere: Elsewhere,
    monkeypatch: pytest.MonkeyPatch,
    size: str,
    count: int,
) -> None:
    damaged = cast.path_of(finished.references.get(), size)
    whole = storage.Folder.open

    def opened(place: storage.Folder, key: str) -> BinaryIO:
        return io.BufferedReader(Bad(damaged)) if damaged.name == Path(key).name else whole(place, key)

    monkeypatch.setattr(storage.Folder, "open", opened)
    made = backup.create_backup(tmp_path / "site.tar")
    assert (made.photos, made.unreadable) == (count, [finished.references.get().key])
    done = elsewhere.manage("restore", str(made.path))
    assert f"{count} photos" in done.stdout, done.stdout + done.stderr
    there = elsewhere.folder / cast.path_of(finished.results.get()).relative_to(settings.DATA_DIR)
    assert there.read_bytes() == cast.path_of(finished.results.get()).read_bytes()
    assert not (elsewhere.folder / damaged.relative_to(settings.DATA_DIR)).exists()


def test_a_backup_is_never_overwritten(alice: User, tmp_path: Path) -> None:
    (tmp_path / "site.tar").write_text("precious")
    with pytest.raises(CommandError, match="already exists"):
        call_command("backup", str(tmp_path / "site.tar"))
    assert (tmp_path / "site.tar").read_text() == "precious"


def test_a_backup_of_an_empty_data_folder_is_refused_and_creates_nothing(
    tmp_path: Path, elsewhere: Elsewhere
) -> None:
    for secret_key in ("", "a key"):
        done = elsewhere.manage("backup", str(tmp_path), SECRET_KEY=secret_key)
        assert done.returncode == 1
        assert done.stderr.startswith(f"CommandError: There is no site in {elsewhere.folder}.")
    assert not elsewhere.folder.exists()
    assert list(tmp_path.iterdir()) == []


def test_the_folders_of_killed_commands_are_deleted_after_a_day(
    alice: User, tmp_path: Path, settings: Any
) -> None:
    settings.DATA_DIR = tmp_path / "data"
    (tmp_path / "data").mkdir()
    names = ("data/restoring-1", ".darkroom-backup-1", "other", "restoring-the-barn")
    folders = [tmp_path / name for name in names]
    for folder in folders:
        folder.mkdir()
        (folder / "secret_key").write_text("secret")
    backup.clear_abandoned()
    backup.create_backup(tmp_path / "1.tar")
    assert all(folder.exists() for folder in folders)
    then = time.time() - 25 * 3600
    for folder in folders:
        os.utime(folder, (then, then))
    backup.clear_abandoned()
    backup.create_backup(tmp_path / "2.tar")
    assert [folder.exists() for folder in folders] == [False, False, True, True]


def test_a_backup_that_cannot_be_written_leaves_no_file(alice: User, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"could not be created: No such file or directory \(.+/no/"):
        call_command("backup", str(tmp_path / "no" / "site.tar"))
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def whole(finished: Edit, tmp_path: Path) -> Path:
    return backup.create_backup(tmp_path / "site.tar").path


def flip(path: Path, member: str, bit: int = 1) -> None:
    with tarfile.open(path) as tar:
        found = next(one for one in tar if one.name.startswith(member))
    with path.open("r+b") as file:
        file.seek(found.offset_data + found.size // 2)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ bit]))


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "half of it": (lambda path: os.truncate(path, path.stat().st_size // 2), "is incomplete"),
    "without its end": (
        lambda path: os.truncate(path, path.stat().st_size // 10240 * 10240 - 20480),
        "is incomplete",
    ),
    "a bit of a photo": (lambda path: flip(path, "photos/"), "was changed after the backup was written"),
    "a bit of the database": (
        lambda path: flip(path, "database"),
        "database was changed after the backup was written",
    ),
    "a bit of a secret": (
        lambda path: flip(path, "secret_key"),
        "secret_key was changed after the backup was written",
    ),
    "a bit of the list": (
        lambda path: flip(path, "contents.txt", 0x80),
        "was changed after the backup was written",
    ),
    "no tar": (lambda path: path.write_bytes(b"\0\1" * 5000), "is not a backup"),
    "empty": (lambda path: path.write_bytes(b""), "is not a backup"),
    "another tar": (lambda path: other_tar(path, "readme.txt"), "not a Darkroom backup"),
    "a way out": (lambda path: add_to(path, "../outside"), "does not belong in a backup"),
    "described without its format": (
        lambda path: described(path, format=None),
        "darkroom.json cannot be read",
    ),
    "described without its time": (lambda path: described(path, made=None), "darkroom.json cannot be read"),
    "described with no time": (lambda path: described(path, made="soon"), "darkroom.json cannot be read"),
    "without its database": (lambda path: remade(path, database=None), "database is missing"),
    "without what is gone": (lambda path: remade(path, **{"gone.txt": None}), "gone.txt is missing"),
    "without a secret": (lambda path: remade(path, secret_key=None), "secret_key is missing"),
}


def described(path: Path, **facts: str | None) -> None:
    """Change these values in the backup's description. Remove any value that is given as None."""
    with tarfile.open(path) as tar:
        description = json.load(tar.extractfile("darkroom.json"))  # type: ignore[arg-type]
    kept = {name: fact for name, fact in (description | facts).items() if fact is not None}
    remade(path, **{"darkroom.json": json.dumps(kept).encode()})


def remade(path: Path, **files: bytes | None) -> None:
    """Replace these files in the backup and write correct digests. Remove any file that is given as None."""
    with tarfile.open(path) as tar:
        held = {member.name: tar.extractfile(member).read() for member in tar}  # type: ignore[union-attr]
    del held["contents.txt"]
    kept = {name: data for name, data in (held | files).items() if data is not None}
    lines = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in kept.items()]
    with tarfile.open(path, "w") as tar:
        for name, data in (kept | {"contents.txt": "".join(lines).encode()}).items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))


def other_tar(path: Path, name: str) -> None:
    with tarfile.open(path, "w") as tar:
        tar.add(__file__, name)


def add_to(path: Path, name: str) -> None:
    with tarfile.open(path, "a") as tar:
        tar.add(__file__, name)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_backup_is_refused_and_changes_nothing(
    whole: Path, elsewhere: Elsewhere, damage: str
) -> None:
    ruin, sentence = DAMAGES[damage]
    ruin(whole)
    done = elsewhere.manage("restore", str(whole))
    assert done.returncode == 1
    assert sentence in done.stderr, done.stderr
    assert "Traceback" not in done.stderr
    assert list(elsewhere.folder.iterdir()) == []


@pytest.mark.slow
def test_an_existing_site_is_moved_aside_only_with_replace_and_when_stopped(
    whole: Path, elsewhere: Elsewhere
) -> None:
    assert elsewhere.manage("restore", str(whole)).returncode == 0
    assert "--replace" in elsewhere.manage("restore", str(whole)).stderr
    with another_process_on(elsewhere):
        assert "Stop it first" in elsewhere.manage("restore", str(whole), "--replace").stderr
    elsewhere.manage("create_user", "later@example.org", "--password", "a quiet and calm room 7")
    done = elsewhere.manage("restore", str(whole), "--replace")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The previous site is now in" in done.stdout
    assert "no account" in elsewhere.manage("credits", "later@example.org").stderr
    (aside,) = elsewhere.folder.glob("replaced-*")
    assert (aside / "secret_key").is_file()
    assert (aside / "photos").is_dir()
    assert (aside / "darkroom.sqlite3").is_file() == elsewhere.is_sqlite


A_DISK_OF_ITS_OWN = """
import errno, os

photos = os.path.join(os.environ["DATA_DIR"], "photos")


def refused(call):
    def as_by_the_system(*paths, **named):
        places = [os.path.abspath(path) for path in paths]
        if photos in places:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), photos)
        if len({place.startswith(photos + os.sep) for place in places}) > 1:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), photos)
        return call(*paths, **named)

    return as_by_the_system


os.rename, os.replace = refused(os.rename), refused(os.replace)
os.rmdir = refused(os.rmdir)
"""


@pytest.mark.slow
def test_a_photo_folder_that_is_a_mount_point_stays_in_place(
    whole: Path, finished: Edit, tmp_path: Path, elsewhere: Elsewhere
) -> None:
    """If the photo folder is a mount point, it stays in place.

    It cannot be removed or renamed, and no file can be renamed into it from outside.
    """
    (tmp_path / "sitecustomize.py").write_text(A_DISK_OF_ITS_OWN)
    stored = cast.path_of(finished.results.get())
    there = elsewhere.folder / stored.relative_to(settings.DATA_DIR)
    (elsewhere.folder / "photos").mkdir(parents=True)
    for options in ([], ["--replace"]):
        done = elsewhere.manage("restore", str(whole), *options, PYTHONPATH=str(tmp_path))
        assert done.returncode == 0, done.stdout + done.stderr
        assert "All checks passed" in done.stdout
        assert there.read_bytes() == stored.read_bytes()
    (aside,) = elsewhere.folder.glob("replaced-*")
    assert (aside / stored.relative_to(settings.DATA_DIR)).read_bytes() == stored.read_bytes()


def test_a_site_that_appears_during_a_restore_is_not_moved_aside(
    whole: Path, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path / "data"
    settings.PHOTOS_DIR = settings.DATA_DIR / "photos"
    monkeypatch.setattr(snapshots, "has_tables", lambda: False)
    unpack = backup._unpack

    def restored_meanwhile(path: Path, folder: Path) -> Any:
        (settings.DATA_DIR / "secret_key").write_text("of the other restore")
        return unpack(path, folder)

    monkeypatch.setattr(backup, "_unpack", restored_meanwhile)
    with pytest.raises(CommandError, match="There is already a site"):
        call_command("restore", str(whole))
    assert [path.name for path in settings.DATA_DIR.iterdir()] == ["secret_key"]


def test_a_failed_database_restore_leaves_no_photos(
    whole: Path, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the database cannot be restored, no photos are left behind.

    Otherwise, the next restore would mistake them for a site.
    """
    settings.DATA_DIR = tmp_path / "data"
    settings.PHOTOS_DIR = settings.DATA_DIR / "photos"
    unpacked = settings.DATA_DIR / "restoring"
    unpacked.mkdir(parents=True)
    backup._unpack(whole, unpacked)

    def fails(source: Path) -> None:
        assert any(settings.PHOTOS_DIR.glob("*/*"))
        raise snapshots.SnapshotError("pg_restore failed")

    monkeypatch.setattr(snapshots, "restore_snapshot", fails)
    with pytest.raises(snapshots.SnapshotError):
        backup._put_in_place(unpacked)
    assert not [path for path in settings.PHOTOS_DIR.rglob("*") if path.is_file()]
    assert not (settings.DATA_DIR / "secret_key").exists()


@pytest.mark.parametrize(
    ("module", "step", "error", "sentence"),
    [
        (backup, "_move_photos", OSError(errno.ENOSPC, "No space left"), "restored: No space left."),
        (snapshots, "restore_snapshot", snapshots.SnapshotError("pg_restore failed"), "pg_restore failed"),
        (backup, "call_command", DatabaseError("no such column"), "restored: no such column."),
    ],
)
def test_a_failed_restore_says_where_the_previous_site_is(
    whole: Path,
    tmp_path: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    step: str,
    error: Exception,
    sentence: str,
) -> None:
    settings.DATA_DIR = tmp_path / "data"
    settings.PHOTOS_DIR = settings.DATA_DIR / "photos"
    (settings.PHOTOS_DIR / "ab").mkdir(parents=True)
    old = f"{'ab' * 16}.jpg"
    (settings.PHOTOS_DIR / "ab" / old).write_bytes(b"old")
    monkeypatch.setattr(snapshots, "move_aside", lambda folder, now: "the schema replaced_1 of the database")
    monkeypatch.setattr(snapshots, "restore_snapshot", lambda source: None)

    def fails(*given: Any, **options: Any) -> None:
        raise error

    monkeypatch.setattr(module, step, fails)
    with pytest.raises(CommandError) as refused:
        call_command("restore", str(whole), "--replace")
    (aside,) = settings.DATA_DIR.glob("replaced-*")
    first, last = str(refused.value).split("\n")
    assert first.endswith(sentence)
    assert last == f"The previous site is now in {aside} and the schema replaced_1 of the database."
    assert [file.read_bytes() for file in settings.DATA_DIR.rglob(old)] == [b"old"]


@pytest.mark.slow
def test_a_backup_made_after_a_replacement_can_be_restored(
    whole: Path, elsewhere: Elsewhere, tmp_path: Path
) -> None:
    later = tmp_path / "later.tar"
    assert elsewhere.manage("restore", str(whole)).returncode == 0
    assert elsewhere.manage("restore", str(whole), "--replace").returncode == 0
    assert elsewhere.manage("backup", str(later)).returncode == 0
    if not elsewhere.is_sqlite:
        with tarfile.open(later) as tar:
            tar.extract("database", tmp_path, filter="data")
        listing = subprocess.run(
            ["pg_restore", "--list", str(tmp_path / "database")],
            capture_output=True,
            text=True,
            check=True,
        )
        assert "COMMENT" not in listing.stdout, "only the owner of the schema could restore it"
    done = elsewhere.manage("restore", str(later), "--replace")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All checks passed" in done.stdout


@contextmanager
def another_process_on(elsewhere: Elsewhere) -> Iterator[None]:
    if elsewhere.is_sqlite:
        running: Any = sqlite3.connect(elsewhere.folder / "darkroom.sqlite3")
    else:
        import psycopg

        running = psycopg.connect(elsewhere.database_url)
    running.execute("SELECT count(*) FROM editor_edit").fetchone()
    yield
    running.close()


@pytest.mark.slow
def test_a_different_secret_key_in_the_environment_is_reported(whole: Path, elsewhere: Elsewhere) -> None:
    done = elsewhere.manage("restore", str(whole), SECRET_KEY="another-key" * 6)
    assert done.returncode == 0
    assert "SECRET_KEY is not set to the value that the site had" in done.stdout


def test_a_backup_of_a_newer_darkroom_is_refused(
    alice: User, tmp_path: Path, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "_newest_migrations", lambda: [["editor", "9999_later"]])
    made = backup.create_backup(tmp_path / "site.tar")
    done = elsewhere.manage("restore", str(made.path))
    assert done.returncode == 1
    assert "newer version of Darkroom" in done.stderr


def test_a_queued_edit_of_an_external_engine_is_ended_by_a_restore(
    alice: User, tmp_path: Path, elsewhere: Elsewhere
) -> None:
    """The other engine may have received the create request after the backup.

    It must not receive the request twice.
    """
    cast.make_edit(alice, state="QUEUED", references=0, provider="photo-editor", base_url="http://other.test")
    cast.make_edit(alice, state="QUEUED", references=0)
    made = backup.create_backup(tmp_path / "site.tar")
    done = elsewhere.manage("restore", str(made.path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 edits that were waiting for an external engine were ended without a charge" in done.stdout
    assert "1 edits will continue" in done.stdout
    printed = elsewhere.manage("credits", "alice@example.org").stdout
    assert '"balance": 400' in printed
    assert '"held": 40' in printed


@pytest.mark.slow
def test_a_running_edit_of_an_external_engine_is_polled_and_paid_for_once(
    alice: User, tmp_path: Path, elsewhere: Elsewhere
) -> None:
    """The edit finished after the backup, so the restored site must request the edit's status again."""
    upstream = Upstream(waits=0, tasks={"task-1": cast.photo_bytes()}, counts={"task-1": 1})
    with upstream.server as server:
        place: dict[str, Any] = {"provider": "photo-editor", "base_url": server.origin}
        cast.make_edit(alice, state="RUNNING", references=0, ticket={"task_id": "task-1"}, **place)
        made = backup.create_backup(tmp_path / "site.tar")
        assert elsewhere.manage("restore", str(made.path)).returncode == 0
        settings = {"EDIT_PROVIDER": "photo-editor", "PHOTO_EDITOR_API_KEY": "k3y"}
        settings["PHOTO_EDITOR_BASE_URL"] = server.origin
        elsewhere.manage("shell", "-c", "from editor.services.editing import lifecycle; lifecycle.sweep()")
        done = elsewhere.manage("worker", "--batch", **settings)
        assert upstream.creates == 0
    assert '"balance": 360' in elsewhere.manage("credits", "alice@example.org").stdout, done.stderr
    assert elsewhere.manage("verify").returncode == 0


def test_a_missing_pg_dump_is_reported(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda tool: None)
    with pytest.raises(snapshots.SnapshotError, match="pg_dump is not installed"):
        snapshots._program("pg_dump")


@pytest.mark.slow
def test_exports_are_not_restored(alice: User, tmp_path: Path, elsewhere: Elsewhere) -> None:
    Export.objects.create(user=alice, state="ready", edits=1, expires=timezone.now() + timedelta(days=1))
    made = backup.create_backup(tmp_path / "site.tar")
    assert elsewhere.manage("restore", str(made.path)).returncode == 0
    count = "from editor.models import Export; print(Export.objects.count())"
    assert elsewhere.manage("shell", "-v", "0", "-c", count).stdout.strip() == "0"


def test_the_help_of_restore_says_that_digests_do_not_prove_who_made_a_backup() -> None:
    output = load_command_class("editor", "restore").create_parser("manage.py", "restore").format_help()
    assert "digests in a backup detect damage, not forgery" in " ".join(output.split())


@pytest.mark.parametrize("name", ["none.tar", "."])
def test_a_missing_backup_file_is_named(name: str, tmp_path: Path, elsewhere: Elsewhere) -> None:
    answer = elsewhere.manage("restore", str(tmp_path / name))
    assert answer.returncode == 1
    assert answer.stderr.strip() == f"CommandError: There is no backup file {tmp_path / name}."
