"""Tests for stored photos."""

import io
import os
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from PIL import Image

from editor.imaging.errors import PhotoError, SandboxError
from editor.models import DraftPhoto, Edit, User
from editor.services.core.disk_space import DiskFull
from editor.services.photos import drafts, photos, storage
from tests import cast

pytestmark = pytest.mark.django_db


def keep(user: User, data: bytes | None = None, name: str = "me.jpg", **options: Any) -> DraftPhoto:
    return drafts.create_draft(cast.actor_of(user), cast.photo_file(data=data, **options), name=name)


def stored_files() -> set[str]:
    return {path.name for path in settings.PHOTOS_DIR.rglob("*") if path.is_file()}


def test_a_draft_is_rebuilt_and_kept_under_an_unguessable_name(alice: User) -> None:
    before = stored_files()
    draft = keep(alice, width=1000, height=500)
    assert (draft.width, draft.height, draft.media_type) == (1000, 500, "image/jpeg")
    assert photos.sha256_of(draft) == draft.sha256
    assert draft.placeholder.startswith("data:image/webp;base64,")
    stem = draft.key.split("/")[1].removesuffix(".jpg")
    assert len(stem) == 32
    assert stored_files() - before == {f"{stem}.jpg", f"{stem}-360.webp", f"{stem}-800.webp"}
    assert cast.path_of(draft).stat().st_mode & 0o777 == 0o600


def test_metadata_written_by_the_camera_is_removed(alice: User) -> None:
    file = io.BytesIO()
    exif = Image.Exif()
    exif[0x8825] = {1: "N", 2: (52.0, 31.0, 12.0)}
    exif[0x010F] = "SecretCamera"
    Image.new("RGB", (80, 60), "green").save(file, "JPEG", exif=exif, comment=b"<?php secret")
    draft = keep(alice, file.getvalue())
    data = cast.path_of(draft).read_bytes()
    for trace in (b"Exif", b"SecretCamera", b"<?php"):
        assert trace not in data


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "not a supported photo"),
        (b"<svg onload='alert(1)'/>", "not a supported photo"),
        (cast.photo_bytes(300, 200)[:500], "damaged"),
    ],
)
def test_an_invalid_file_gets_an_error_message_and_leaves_no_files(
    alice: User, data: bytes, sentence: str
) -> None:
    before = stored_files()
    with pytest.raises(PhotoError) as error:
        keep(alice, data)
    assert sentence in error.value.message
    assert stored_files() == before
    assert not DraftPhoto.objects.exists()
    assert not list(settings.WORK_DIR.glob("upload-*"))


@pytest.mark.parametrize("kind", ["crashed", "timeout", "memory"])
def test_a_photo_that_stops_its_decoder_gets_an_error_message(
    alice: User, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    def ends(*_: Any, **__: Any) -> None:
        raise SandboxError(kind, "This photo could not be processed.")

    monkeypatch.setattr(photos.upload_pool, "call", ends)
    with pytest.raises(PhotoError, match="could not be processed"):
        keep(alice)
    assert not DraftPhoto.objects.exists()


@pytest.mark.parametrize(
    ("where", "broken", "error"),
    [
        (storage, "sync", OSError(28, "No space left on device")),
        (storage, "sync", OSError(30, "Read-only file system")),
        (photos, "_rebuilt", SandboxError("full", "There is no room.")),
    ],
)
def test_a_full_disk_gets_an_error_message(
    alice: User, monkeypatch: pytest.MonkeyPatch, where: ModuleType, broken: str, error: Exception
) -> None:
    def is_full(*_: object) -> None:
        raise error

    monkeypatch.setattr(where, broken, is_full)
    with pytest.raises(DiskFull, match="disk of this site is full"):
        keep(alice)
    assert not DraftPhoto.objects.exists()
    assert not list(settings.WORK_DIR.glob("upload-*"))


class Disk:
    """A record of the fsync and rename calls, which shows which files would survive a power cut."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._events: list[tuple[str, int]] = []
        self._sync, self._replace = os.fsync, os.replace
        monkeypatch.setattr(os, "fsync", self._note_sync)
        monkeypatch.setattr(os, "replace", self._note_move)

    def has_for_good(self, path: Path) -> bool:
        """Return whether the file would survive a power cut.

        The file's bytes must be synced before the file is renamed. Afterward, its folder and the folder's
        parent must be synced.
        """
        file, folder = path.stat().st_ino, path.parent.stat().st_ino
        named = self._events.index(("named", file))
        before, after = self._events[:named], self._events[named:]
        above = path.parent.parent.stat().st_ino
        is_named = ("synced", folder) in after and ("synced", above) in self._events
        return is_named and ("synced", file) in before

    def _note_sync(self, handle: int) -> None:
        self._sync(handle)
        self._events.append(("synced", os.fstat(handle).st_ino))

    def _note_move(self, source: Path, target: Path) -> None:
        self._replace(source, target)
        self._events.append(("named", target.stat().st_ino))


@pytest.mark.parametrize("size", ["original", "360", "800"])
def test_a_stored_draft_survives_a_power_cut(alice: User, monkeypatch: pytest.MonkeyPatch, size: str) -> None:
    disk = Disk(monkeypatch)
    draft = keep(alice)
    assert disk.has_for_good(cast.path_of(draft, size))


def test_a_result_and_its_large_derivative_outlive_a_power_cut(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = cast.make_edit(alice, results=0)
    arrived = photos.work_folder_of(edit) / "1-result-1"
    arrived.write_bytes(cast.photo_bytes(2000, 1000))
    disk = Disk(monkeypatch)
    columns, _ = photos.store_result(edit, 1, arrived)
    result = edit.results.create(position=1, **columns)
    assert disk.has_for_good(cast.path_of(result))
    photos.make_large.func("results", str(result.id))
    assert disk.has_for_good(cast.path_of(result, "1600"))


def test_a_file_over_the_size_limit_is_not_read_completely(alice: User, settings: object) -> None:
    settings.MAX_PHOTO_MEGABYTES = 1  # type: ignore[attr-defined]
    huge = io.BytesIO(b"\xff\xd8\xff" + b"x" * 3 * 1024 * 1024)
    with pytest.raises(PhotoError, match="larger than 1 MB"):
        drafts.create_draft(cast.actor_of(alice), huge, name="huge.jpg")
    assert huge.tell() < 2 * 1024 * 1024


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("a\u202egpj.exe\x00\n", "agpj.exe"),
        ("x" * 400, "x" * 200),
        ("Straße 日本.jpg", "Straße 日本.jpg"),
    ],
)
def test_a_name_is_cleaned_for_display(given: str, kept: str) -> None:
    assert photos.clean_name(given) == kept


def test_orphans_are_removed_after_an_hour_and_other_files_stay(alice: User) -> None:
    kept, orphan = keep(alice), keep(alice)
    DraftPhoto.objects.filter(id=orphan.id).delete()
    fresh = settings.PHOTOS_DIR / "ab" / ("0" * 32 + ".jpg")
    fresh.parent.mkdir(exist_ok=True)
    fresh.write_bytes(b"on its way")
    long_ago = time.time() - 2 * photos.ORPHAN_SECONDS
    for draft in (kept, orphan):
        for size in ("original", "360", "800"):
            os.utime(cast.path_of(draft, size), (long_ago, long_ago))
    photos.remove_orphans()
    assert cast.path_of(kept).exists()
    assert cast.path_of(kept, "360").exists()
    assert not cast.path_of(orphan).exists()
    assert not cast.path_of(orphan, "800").exists()
    assert fresh.exists()
    fresh.unlink()


def test_leftovers_of_interrupted_uploads_are_removed_after_an_hour(db: None) -> None:
    folder, file, fresh = (settings.WORK_DIR / name for name in ("upload-1", "tmp1", "upload-2"))
    for made in (folder, fresh):
        made.mkdir(parents=True)
        (made / "upload").write_bytes(b"with its GPS")
    file.write_bytes(b"with its GPS")
    long_ago = time.time() - 2 * photos.ORPHAN_SECONDS
    for left in (folder, file):
        os.utime(left, (long_ago, long_ago))
    assert photos.remove_orphans() == 2
    assert list(settings.WORK_DIR.iterdir()) == [fresh]


def test_the_large_derivative_is_served_once_it_has_been_created(
    alice: User, submitted: Callable[..., Edit]
) -> None:
    edit = submitted(alice, photo=cast.photo_bytes(2000, 1000))
    photo = edit.references.get()
    with photos.open_photo(photo, "1600", by=None) as file:
        assert Image.open(file).size == (800, 400)
    photos.make_large.call("references", str(photo.id))
    photos.make_large.call("references", str(photo.id))
    photo.refresh_from_db()
    with photos.open_photo(photo, "1600", by=None) as file:
        assert Image.open(file).size == (1600, 800)
    assert photos.media_type_of(photo, "1600") == "image/webp"


def test_a_symbolic_link_in_place_of_a_photo_is_not_followed(alice: User) -> None:
    draft = keep(alice)
    path = cast.path_of(draft)
    path.unlink()
    path.symlink_to("/etc/passwd")
    with pytest.raises(FileNotFoundError, match="not a stored photo"):
        photos.open_photo(draft, "original", by=None)


def test_orphans_are_listed_and_a_vanished_file_raises_no_error(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = keep(alice)
    long_ago = time.time() - 2 * photos.ORPHAN_SECONDS
    os.utime(cast.path_of(draft), (long_ago, long_ago))
    assert draft.key not in photos.orphans()
    DraftPhoto.objects.filter(id=draft.id).delete()
    assert draft.key in photos.orphans()
    assert not storage.is_older(cast.path_of(draft).with_name("gone.jpg"), time.time())


def test_missing_large_derivatives_are_requested_again(alice: User) -> None:
    an_hour_ago = timezone.now() - timedelta(hours=1)
    cast.make_edit(alice, finished=an_hour_ago)
    cast.make_edit(alice)  # The task for this newer edit may still be queued, so it is not requested again.
    # one derivative each for the reference and the result of the first edit
    assert photos.make_missing_large() == 2


def test_large_derivatives_are_queued_with_a_delay(alice: User) -> None:
    edit, ended = cast.make_edit(alice), timezone.now()
    photos.tidy_up(edit)
    tasks = DBTaskResult.objects.filter(task_path__endswith="make_large")
    assert [task.run_after >= ended + timedelta(seconds=2) for task in tasks] == [True, True]
