"""Tests for photos in an S3 bucket.

A bucket works like a folder, and an outage of the bucket only delays the work.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client
from django.utils import timezone

from editor.imaging.errors import PhotoError
from editor.models import CreditEntry, DraftPhoto, Edit, User
from editor.services.core import links
from editor.services.editing import results
from editor.services.maintenance import backup, exports, invariants
from editor.services.photos import analysis, drafts, photos, storage
from tests import cast, external_servers
from tests.ports import free_port
from tests.providers.provider_factory import Watching

pytestmark = pytest.mark.django_db
type Submit = Callable[..., Edit]
type Advance = Callable[..., Edit]
NAME = "darkroom-photos"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with external_servers.external_server(
        "s3", "python", "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port), url=url
    ):
        yield url


class Server:
    """A bucket for one test, which can become unavailable and available again."""

    def __init__(self, endpoint: str, settings: Any) -> None:
        storage.get_backend.cache_clear()
        self._endpoint, self._settings = endpoint, settings
        self.comes_back()
        self.bucket = storage.Bucket(**settings.BUCKET)._bucket
        self.bucket.create()

    def comes_back(self) -> None:
        self._lies_at(self._endpoint)

    def goes_away(self) -> None:
        self._lies_at(f"http://127.0.0.1:{free_port()}")

    def stored(self) -> set[str]:
        return {found.key for found in self.bucket.objects.all()}

    def _lies_at(self, endpoint: str) -> None:
        keys = {"access_key": "an id", "secret_key": "a secret", "region_name": "us-east-1"}
        self._settings.BUCKET = {"bucket_name": NAME, "endpoint_url": endpoint, **keys}
        if storage.get_backend.cache_info().currsize:
            place = storage.get_backend()
            assert isinstance(place, storage.Bucket)
            place._storage.connection.meta.client.close()
        storage.get_backend.cache_clear()


@pytest.fixture
def server(endpoint: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(storage, "MAX_ATTEMPTS", 1)
    server = Server(endpoint, settings)
    yield server
    server.bucket.objects.all().delete()
    storage.get_backend.cache_clear()


def keep(user: User) -> DraftPhoto:
    return drafts.create_draft(cast.actor_of(user), cast.photo_file(), name="a.jpg")


def make_older(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make everything in the bucket old enough for the sweep to delete."""
    monkeypatch.setattr(photos, "ORPHAN_SECONDS", -60)


def test_an_edit_lives_in_the_bucket_and_leaves_nothing_on_this_machine(
    alice: User, server: Server, submitted: Submit, advance: Advance
) -> None:
    edit = advance(submitted(alice, photo=cast.photo_bytes(2000, 1000)), times=3)
    assert edit.state == "SUCCESS", edit.failure_message
    result = edit.results.get()
    assert photos.sha256_of(result) == result.sha256
    photos.make_large.call("results", str(result.pk))
    reference = edit.references.get()
    assert server.stored() == {*photos.keys_of(result.key)[:4], *photos.keys_of(reference.key)[:3]}
    assert not list(site.PHOTOS_DIR.iterdir())
    assert invariants.find_violations() == []
    cast.assert_ledger_balances(edit.workspace)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("stages", [0, 1, 2], ids=["QUEUED", "RUNNING", "STORING"])
def test_an_edit_waits_for_an_unavailable_bucket_and_is_charged_once(
    alice: User, server: Server, submitted: Submit, advance: Advance, stages: int, caplog: Any
) -> None:
    edit = advance(submitted(alice), times=stages)
    state = edit.state
    soon = timezone.now() + timedelta(seconds=60)
    Edit.objects.filter(pk=edit.pk).update(deadline=soon)
    # Empty the folder, as it would be on another node that takes over the edit.
    photos.clear_work_folder(edit)
    server.goes_away()
    for _ in range(5):
        edit = advance(edit)
    assert (edit.state, edit.attempts, edit.lease_until) == (state, 0, None)
    assert edit.deadline > soon
    assert "waiting for the photo storage: the bucket is not responding" in caplog.text
    server.comes_back()
    edit = advance(edit, times=3 - stages)
    assert edit.state == "SUCCESS", edit.failure_message
    assert CreditEntry.objects.filter(edit=edit, kind="capture").count() == 1
    assert invariants.find_violations() == []


def test_while_the_bucket_is_unavailable_uploads_fail_and_photos_return_503(
    alice: User, server: Server, client_of: Callable[[User], Client]
) -> None:
    draft = keep(alice)
    client = client_of(alice)
    client.raise_request_exception = False
    address = f"/media/drafts/{draft.pk}/360/"
    server.goes_away()
    with pytest.raises(PhotoError, match="could not be saved"):
        keep(alice)
    answer: Any = client.get(address)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert "Nothing was lost" in answer.text
    server.comes_back()
    answer = client.get(address)
    assert (answer.status_code, bool(answer.getvalue())) == (200, True)
    photos.remove_files([draft])
    assert client.get(address).status_code == 404


def test_the_site_serves_the_photos_in_the_bucket(
    alice: User, server: Server, client_of: Callable[[User], Client]
) -> None:
    edit = cast.make_edit(alice, results=[photos.copy_files(keep(alice))])
    result = edit.results.get()
    until = timezone.now() + timedelta(days=1)
    signed = links.signed_photo_url(result, user_id=alice.pk, expires=until, site="")
    for address in (f"/media/results/{result.pk}/download/", signed):
        answer: Any = client_of(alice).get(address)
        assert answer.status_code == 200
        assert answer.headers["Content-Length"] == str(result.size)
        assert len(answer.getvalue()) == result.size


def test_orphans_in_the_bucket_are_removed_but_other_objects_stay(
    alice: User, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, orphan = keep(alice), keep(alice)
    server.bucket.put_object(Key="logs/yesterday.jpg", Body=b"of somebody else")
    before = server.stored()
    DraftPhoto.objects.filter(pk=orphan.pk).delete()
    assert photos.remove_orphans() == 0, "a new file may still be waiting for its row"
    make_older(monkeypatch)
    assert photos.remove_orphans() == 3
    assert server.stored() == before - set(photos.keys_of(orphan.key))
    assert photos.sha256_of(kept) == kept.sha256


def test_missing_and_changed_photos_in_the_bucket_are_reported(alice: User, server: Server) -> None:
    gone, changed = keep(alice), keep(alice)
    photos.remove_files([gone])
    server.bucket.put_object(Key=changed.key, Body=b"short")
    assert sorted(invariants.find_violations()) == sorted(
        [f"I11: {gone.key} is missing.", f"I11: {changed.key} does not have the recorded size."]
    )


def test_an_export_is_built_by_one_worker_and_stored_in_the_bucket(
    alice: User, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "EDITS_PER_RUN", 1)
    for _ in range(2):
        cast.make_edit(alice, results=[photos.copy_files(keep(alice))])
    export = exports.request_export(alice)
    exports.build.call(str(export.pk), 0)
    with exports.open_export(alice, export.pk)[1] as file, zipfile.ZipFile(io.BytesIO(file.read())) as folder:
        data = [json.loads(folder.read(name)) for name in folder.namelist() if name.endswith("edit.json")]
    assert [edit["files"] for edit in data] == [["result-1.jpg"]] * 2
    assert not list((site.DATA_DIR / "exports").glob(f"{export.pk}*"))
    type(export).objects.update(expires=timezone.now())
    exports.delete_expired()
    assert not any(key.startswith("exports/") for key in server.stored())


@pytest.mark.django_db(transaction=True)
def test_a_backup_contains_and_restores_the_photos_in_the_bucket(
    alice: User, server: Server, tmp_path: Path
) -> None:
    draft = keep(alice)
    made = backup.create_backup(tmp_path / "backup.tar")
    assert (made.photos, made.unreadable) == (1, [])
    photos.remove_files([draft])
    restored = backup.restore(tmp_path / "backup.tar", replace=True)
    assert (restored.photos, restored.violations) == (1, [])
    assert photos.sha256_of(draft) == draft.sha256


@pytest.mark.django_db(transaction=True)
def test_a_replaced_site_keeps_its_photos_in_the_bucket(
    alice: User, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup.create_backup(tmp_path / "backup.tar")
    server.bucket.put_object(Key="logs/yesterday.jpg", Body=b"of somebody else")
    digest = keep(alice).sha256
    before = server.stored()
    [note] = backup.restore(tmp_path / "backup.tar", replace=True).notes
    make_older(monkeypatch)
    photos.remove_orphans()
    [prefix] = {key.partition("/")[0] for key in server.stored() if key.startswith("replaced-")}
    assert note.endswith(f"and under {prefix}/ in the bucket {NAME}.")
    assert server.stored() == {key if key.startswith("logs/") else f"{prefix}/{key}" for key in before}, (
        "the photos of the previous site"
    )
    stored = [server.bucket.Object(key).get()["Body"].read() for key in server.stored()]
    assert digest in [hashlib.sha256(data).hexdigest() for data in stored]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [(NAME, ""), ("no-such-bucket", "the bucket no-such-bucket does not exist; create it")],
)
def test_a_bucket_that_does_not_exist_is_reported(
    server: Server, settings: Any, name: str, sentence: str
) -> None:
    assert storage.Bucket(**settings.BUCKET | {"bucket_name": name}).problem() == sentence


def test_a_bucket_that_does_not_respond_is_reported(alice: User, server: Server) -> None:
    keep(alice)
    server.goes_away()
    sentence = "the bucket is not responding (EndpointConnectionError)"
    assert storage.get_backend().problem() == sentence
    assert invariants.find_violations() == [f"I11: the photos could not be checked: {sentence}."]


def test_analyses_are_stored_in_the_bucket_and_deleted_with_their_photos(
    alice: User, server: Server, analyzing: Callable[..., None], tmp_path: Path
) -> None:
    draft = keep(alice)
    analysis.analyze_draft.call(str(draft.pk))
    files = {photos.analysis_key(draft.key), photos.embedding_key(draft.key)}
    assert server.stored() == {*photos.keys_of(draft.key)[:3], *files}
    found = analysis.stored(draft, tmp_path)
    assert found is not None
    assert found.read_text() == f"whole {draft.sha256}"
    copy = photos.copy_files(draft)
    assert photos.embedding_key(copy["key"]) in server.stored()
    photos.remove_files([cast.make_draft(alice, **copy), draft])
    assert server.stored() == set()


def test_an_analysis_that_cannot_be_stored_is_used_all_the_same(
    alice: User, server: Server, submitted: Submit, analyzing: Callable[..., None]
) -> None:
    request = results.request_of(submitted(alice))
    server.goes_away()
    assert request.analyze is not None
    made = request.analyze(Watching())
    assert made is not None
    assert made.read_text().startswith("whole")
