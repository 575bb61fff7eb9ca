"""Tests for photos that are given as URLs.

A worker fetches the photos, or the edit fails with a reason and without a charge.
"""

from collections.abc import Callable, Iterable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings as site
from django.utils import timezone

from editor.models import Edit, User, Workspace
from editor.outbound import OutboundError
from editor.providers.contract import EditRequest, Ticket
from editor.services.core import links
from editor.services.editing import fetching, submit
from editor.services.photos import photos
from tests import cast
from tests.engines import row_of
from tests.hostile_server import JPEG, HostileServer, Piece, Received, answer, redirect
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db
type Advance = Callable[..., Edit]
type Serving = Callable[..., HostileServer]


def edit_of_urls(user: User, *urls: str, prompt: str = "black and white") -> Edit:
    submission = submit.Submission(prompt=prompt, image_urls=urls, source=Edit.Source.API)
    return cast.submit_edit(cast.actor_of(user, entry_point="api"), submission)


def signed_result(edit: Edit) -> str:
    """Return the URL of an edit's result in the form that API responses contain."""
    until = timezone.now() + timedelta(days=1)
    return links.signed_photo_url(
        edit.results.get(), user_id=edit.owner_id, expires=until, site="https://any.org"
    )


def balance_and_held(edit: Edit) -> tuple[int, int]:
    workspace = Workspace.objects.get(id=edit.workspace_id)
    cast.assert_ledger_balances(workspace)
    return workspace.balance, workspace.held


def stored_files() -> set[str]:
    return {path.name for path in site.PHOTOS_DIR.rglob("*") if path.is_file()}


def test_it_fetches_the_photos_in_order_before_anything_is_sent(
    alice: User, engine: ScriptedEngine, serving: Serving, advance: Advance
) -> None:
    server = serving(wide=answer(200, cast.photo_bytes(200, 50), headers=JPEG))
    edit = advance(edit_of_urls(alice, f"{server.origin}/albums/tall.jpg", f"{server.origin}/wide"))
    assert (edit.state, engine.calls) == ("QUEUED", [])
    assert [(photo.position, photo.name, photo.width) for photo in edit.references.all()] == [
        (1, "tall.jpg", 120),
        (2, "wide", 200),
    ]
    assert all(photos.sha256_of(photo) == photo.sha256 for photo in edit.references.all())
    edit = advance(edit, times=3)
    assert (edit.state, balance_and_held(edit)) == ("SUCCESS", (360, 0))
    assert len(server.requests) == 2


def test_a_url_of_this_site_is_read_from_storage(
    alice: User, engine: ScriptedEngine, serving: Serving, advance: Advance
) -> None:
    server = serving()
    first = advance(edit_of_urls(alice, f"{server.origin}/a.jpg"), times=4)
    address = signed_result(first)
    edit = advance(edit_of_urls(alice, address), times=4)
    assert edit.state == "SUCCESS", edit.failure_message
    assert edit.references.get().sha256 == first.results.get().sha256
    assert edit.references.get().key != first.results.get().key
    assert len(server.requests) == 1


def test_a_signed_url_of_a_purged_photo_fails_the_edit_with_that_reason(
    alice: User, engine: ScriptedEngine, serving: Serving, advance: Advance
) -> None:
    server = serving()
    first = advance(edit_of_urls(alice, f"{server.origin}/a.jpg"), times=4)
    address = signed_result(first)
    Edit.objects.filter(id=first.id).update(purged=timezone.now())
    edit = advance(edit_of_urls(alice, address))
    assert (
        edit.failure_message
        == "Photo 1 could not be used: This photo is no longer available. You were not charged."
    )


def test_a_signed_url_of_an_unapproved_result_fails_the_edit_with_that_reason(
    alice: User, bob: User, team: Workspace, engine: ScriptedEngine, serving: Serving, advance: Advance
) -> None:
    server = serving()
    address = signed_result(advance(edit_of_urls(bob, f"{server.origin}/a.jpg"), times=4))
    # Move the edit to a team in which bob may not review.
    Edit.objects.filter(owner=bob).update(workspace=team)
    Workspace.objects.filter(pk=team.pk).update(approval_since=timezone.now())
    edit = advance(edit_of_urls(bob, address))
    assert "available after the edit is approved" in edit.failure_message
    assert not edit.references.exists()


def test_a_signed_url_whose_file_is_missing_fails_the_edit_with_that_reason(
    alice: User, engine: ScriptedEngine, serving: Serving, advance: Advance
) -> None:
    server = serving()
    first = advance(edit_of_urls(alice, f"{server.origin}/a.jpg"), times=4)
    address = signed_result(first)
    cast.path_of(first.results.get()).unlink()
    edit = advance(edit_of_urls(alice, address))
    assert (edit.state, edit.attempts) == ("FAILED", 1)
    assert "This photo is no longer available." in edit.failure_message


def test_all_photos_together_have_one_time_limit(
    alice: User,
    engine: ScriptedEngine,
    serving: Serving,
    advance: Advance,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two photos would each take more than half of the time. The clock moves when one is requested."""
    now = 0.0

    def slow(request: Received) -> Iterable[Piece]:
        nonlocal now
        now += 0.7 * fetching.FETCH_SECONDS
        return answer(200, cast.photo_bytes(), headers=JPEG)(request)

    download, left = fetching._download, list[float]()

    def timed(*given: Any, seconds: float, **how: Any) -> None:
        left.append(seconds)
        began = now
        download(*given, seconds=600, **how)
        if now - began > seconds:
            raise OutboundError("timeout", sent=True)

    monkeypatch.setattr(fetching, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(fetching, "_download", timed)
    server = serving(a=slow, b=slow)
    edit = advance(edit_of_urls(alice, f"{server.origin}/a", f"{server.origin}/b"))
    assert edit.failure_message.startswith("Photo 2 could not be used")
    assert left == pytest.approx([fetching.FETCH_SECONDS, 0.3 * fetching.FETCH_SECONDS])


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (answer(404, b"gone"), "This URL did not return a file."),
        (answer(500, b"oh"), "This URL did not return a file."),
        (answer(200, b"<html>no photo</html>"), "This file is not a supported photo"),
        (answer(200, b""), "This file is not a supported photo"),
        (answer(200, cast.photo_bytes(300, 200)[:700]), "damaged"),
        (answer(200, b"x" * 2_000_000), "The response is too large."),
        (redirect("http://169.254.169.254/latest"), "This URL is not allowed."),
        (redirect("http://10.0.0.1/"), "This URL is not allowed."),
    ],
)
def test_a_photo_that_cannot_be_fetched_fails_the_edit_without_a_charge(
    alice: User,
    engine: ScriptedEngine,
    serving: Serving,
    advance: Advance,
    settings: Any,
    script: Any,
    sentence: str,
) -> None:
    settings.MAX_PHOTO_MEGABYTES = 1
    before = stored_files()
    server = serving(second=script)
    edit = advance(edit_of_urls(alice, f"{server.origin}/first", f"{server.origin}/second"))
    assert (edit.state, edit.failure_code, engine.calls) == ("FAILED", "not_fetched", [])
    assert edit.failure_message.startswith("Photo 2 could not be used: ")
    assert sentence in edit.failure_message
    assert edit.failure_message.endswith("You were not charged.")
    assert balance_and_held(edit) == (400, 0)
    assert edit.references.count() == 0
    # The only orphans are the first photo's files, which the sweep deletes.
    assert len(stored_files() - before) == 3


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/a.jpg", "http://localhost/a.jpg", "http://[::1]/"])
def test_a_private_address_that_is_not_listed_is_refused(
    alice: User, engine: ScriptedEngine, advance: Advance, url: str
) -> None:
    edit = advance(edit_of_urls(alice, url))
    assert edit.failure_message == "Photo 1 could not be used: This URL is not allowed. You were not charged."
    assert balance_and_held(edit) == (400, 0)


def test_a_second_wake_up_does_not_fetch_the_photos_again(
    alice: User, engine: ScriptedEngine, serving: Serving, advance: Advance
) -> None:
    server = serving()
    edit = advance(advance(edit_of_urls(alice, f"{server.origin}/a.jpg")))
    assert edit.state == "RUNNING"
    assert (len(server.requests), edit.references.count()) == (1, 1)


def test_an_external_engine_receives_signed_urls_of_the_photos(
    alice: User, engine: ScriptedEngine, serving: Serving, advance: Advance, settings: Any
) -> None:
    server = serving()
    settings.PUBLIC_URL = "https://darkroom.example.org"
    lent: list[tuple[str, ...]] = []

    def lends(request: EditRequest) -> Ticket:
        lent.append(request.photo_urls)
        return Ticket("task-1")

    engine.on_submit = lends
    edit = edit_of_urls(alice, f"{server.origin}/a.jpg")
    Edit.objects.filter(id=edit.id).update(engine=row_of("photo-editor", "https://photos.example.org"))
    edit = advance(edit, times=2)
    [[address]] = lent
    assert address.startswith("https://darkroom.example.org/media/signed/")
    signed = links.unsign_photo_url(address)
    assert signed is not None
    assert signed.photo_id == edit.references.get().id
