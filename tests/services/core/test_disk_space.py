"""Tests that a site with a full disk starts nothing new, charges nothing, stays readable, and recovers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.db import OperationalError, connection
from django.test import Client

from editor.models import DraftPhoto, Edit, User
from editor.providers.contract import ProviderError, Update
from editor.services.core import disk_space
from editor.services.editing import lifecycle, submit
from editor.services.maintenance import metrics
from editor.services.people import accounts
from editor.services.photos import photos
from tests import cast
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db
type Submit = Callable[..., Edit]
type Advance = Callable[..., Edit]
MORE_THAN_THERE_IS = 1_000_000_000


@contextmanager
def full_database() -> Iterator[None]:
    """Make every write statement fail, as on a full disk."""

    def refuse(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.split()[0].upper() in ("INSERT", "UPDATE", "DELETE"):
            raise OperationalError("database or disk is full")
        return execute(sql, *rest)

    with connection.execute_wrapper(refuse):
        yield


def ended(edit: Edit) -> tuple[str, str, str]:
    cast.assert_ledger_balances(edit.workspace)
    return edit.state, edit.failure_code, edit.failure_message


@pytest.mark.parametrize("stages", [0, 1, 2])
def test_a_full_disk_ends_an_edit_without_a_charge_and_deletes_its_work_folder(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance, settings: Any, stages: int
) -> None:
    edit = submitted(alice)
    edit = advance(edit, times=stages) if stages else edit
    (photos.work_folder_of(edit) / "half").write_bytes(b"half a result")
    settings.MIN_FREE_MEGABYTES = MORE_THAN_THERE_IS
    assert ended(advance(edit)) == ("FAILED", "storage", lifecycle.DISK_FULL)
    edit.workspace.refresh_from_db()
    assert (edit.workspace.balance, edit.workspace.held) == (400, 0)
    assert not (site.WORK_DIR / str(edit.id)).exists()


def test_the_free_space_is_that_of_the_fuller_disk(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PHOTOS_DIR = tmp_path
    free = {site.DATA_DIR: 7, tmp_path: 5}
    monkeypatch.setattr(disk_space, "_free_bytes", lambda folder: free[folder])
    [metric, _] = metrics.disk()
    assert [sample.value for sample in metric.samples] == [5]
    free[site.DATA_DIR] = 3
    assert disk_space.free_bytes() == 3


def test_an_edit_on_another_site_is_still_polled_when_the_disk_is_full(
    alice: User, engine: ScriptedEngine, advance: Advance, settings: Any
) -> None:
    engine.on_poll = lambda request: Update(state="running", poll_after=2)
    ticket = {"task_id": "task-1"}
    edit = cast.make_edit(alice, state="RUNNING", base_url="https://other.example.org", ticket=ticket)
    settings.MIN_FREE_MEGABYTES = MORE_THAN_THERE_IS
    assert (advance(edit).state, engine.calls) == ("RUNNING", ["poll"])


@pytest.mark.parametrize(
    "error",
    [
        ProviderError("storage", "Could not store the result.", retry_after=15),
        ProviderError("storage", "Could not store the result."),
        OSError(28, "No space left on device"),
        OperationalError("database or disk is full"),
    ],
)
def test_unfinished_files_are_deleted_when_the_disk_fills_up_during_a_stage(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance, error: Exception
) -> None:
    edit = advance(submitted(alice), times=2)

    def fills_up(request: Any) -> None:
        (request.work_dir / "half").write_bytes(b"half a result")
        raise error

    engine.on_collect = fills_up
    advance(edit)
    assert not (site.WORK_DIR / str(edit.id)).exists()
    engine.on_collect = None
    edit.refresh_from_db()
    if edit.is_open:
        assert advance(edit).state == "SUCCESS"


def test_new_edits_and_uploads_are_refused_until_there_is_space_again(
    alice: User, client_of: Callable[[User], Client], settings: Any
) -> None:
    client = client_of(alice)
    settings.MIN_FREE_MEGABYTES = MORE_THAN_THERE_IS
    given = {"prompt": "warmer", "photos": cast.photo_file()}
    page = client.post("/w/alice/", given, follow=True)
    assert page.status_code == 507
    assert page.text.count(disk_space.FULL_MESSAGE) == 2, (
        "the message is at the top of the page and next to the button"
    )
    assert "warmer" in page.text
    tile = client.post("/w/alice/drafts/", {"photo": cast.photo_file()}, follow=True)
    assert (tile.status_code, tile.text) == (507, disk_space.FULL_MESSAGE)
    with pytest.raises(disk_space.DiskFull):
        submit.admit(cast.actor_of(alice))
    assert not DraftPhoto.objects.exists()
    settings.MIN_FREE_MEGABYTES = 0
    assert disk_space.FULL_MESSAGE not in client.get("/", follow=True).text
    given["photos"] = cast.photo_file()
    assert client.post("/w/alice/", given).status_code == 302
    assert Edit.objects.count() == 1


def test_pages_and_the_probe_report_the_full_disk(
    alice: User, client_of: Callable[[User], Client], settings: Any
) -> None:
    client = client_of(alice)
    assert client.get("/readyz").json()["data_folder"] == "ok"
    settings.MIN_FREE_MEGABYTES = MORE_THAN_THERE_IS
    assert client.get("/readyz").json()["data_folder"] == "full"
    assert client.get("/readyz").status_code == 503
    for address in ("/account/", "/accounts/login/"):
        assert disk_space.FULL_MESSAGE in client.get(address, follow=True).text


@pytest.mark.django_db(transaction=True)
def test_existing_data_can_be_read_when_nothing_can_be_written(
    alice: User, client_of: Callable[[User], Client]
) -> None:
    edit = cast.make_edit(alice)
    _, secret = accounts.create_api_key(cast.actor_of(alice), name="reader")
    program = Client(headers={"Authorization": f"Bearer {secret}"})
    person = client_of(alice)
    with full_database():
        answer = program.get("/api/photo-editor/status", {"taskId": str(edit.id)})
        assert (answer.status_code, answer.json()["data"]["status"]) == (200, "SUCCESS")
        assert program.get("/api/photo-editor/account").status_code == 200
        for address in (f"/edits/{edit.id}/", "/w/alice/history/", "/w/alice/credits/"):
            assert person.get(address, follow=True).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_write_to_a_full_disk_returns_507_on_pages_and_in_the_api(
    alice: User, client_of: Callable[[User], Client]
) -> None:
    _, secret = accounts.create_api_key(cast.actor_of(alice), name="writer")
    program = Client(headers={"Authorization": f"Bearer {secret}"})
    person = client_of(alice)
    program.raise_request_exception = person.raise_request_exception = False
    edit = cast.make_edit(alice, state="QUEUED")
    with full_database():
        page = person.post(f"/edits/{edit.id}/cancel/")
        answer = program.post(
            "/api/photo-editor/cancel", {"taskId": str(edit.id)}, content_type="application/json"
        )
    assert (page.status_code, disk_space.FULL_MESSAGE in page.text) == (507, True)
    assert (answer.status_code, answer.json()["code"]) == (507, 507)
    assert "disk of this site is full" in answer.json()["message"]


@pytest.mark.parametrize(
    ("error", "is_about"),
    [
        (OperationalError("database or disk is full"), True),
        (OperationalError("attempt to write a readonly database"), True),
        (OperationalError('could not extend file "base/1": No space left on device'), True),
        (OperationalError("database is locked"), False),
        (OSError(28, ""), True),
        (OSError(2, ""), False),
        (ValueError("disk is full"), False),
        (None, False),
    ],
)
def test_errors_of_a_full_disk_are_recognized(error: BaseException | None, is_about: bool) -> None:
    assert disk_space.is_disk_error(error) is is_about
