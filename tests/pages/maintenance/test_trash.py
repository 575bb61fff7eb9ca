"""Tests for deleting edits, Undo, the trash pages, and all pages that must not show a deleted edit."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from editor.models import Edit, User, Workspace
from editor.services.core import links
from editor.services.maintenance import trash
from editor.services.people import accounts
from editor.services.photos import drafts, photos
from tests.cast import actor_of, make_edit, make_grant, photo_file

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


@pytest.fixture
def edit(alice: User) -> Edit:
    """Create an edit with stored files."""
    draft = drafts.create_draft(actor_of(alice), photo_file(), name="a.jpg")
    return make_edit(alice, references=[photos.copy_files(draft)], results=[photos.copy_files(draft)])


def read(client: Client, address: str) -> int:
    """Read a streamed response to its end, so that its file is closed, and return the status."""
    response: Any = client.get(address)
    if response.streaming:
        b"".join(response.streaming_content)
    return int(response.status_code)


def test_deleting_an_edit_leads_to_the_history_with_an_undo_button(
    client_of: SignIn, alice: User, edit: Edit
) -> None:
    client = client_of(alice)
    assert "Delete" in client.get(f"/edits/{edit.pk}/").text
    response = client.post(f"/edits/{edit.pk}/delete/", follow=True)
    assert response.redirect_chain == [("/w/alice/history/", 302)]
    assert "Moved to the trash." in response.text
    assert f'action="/edits/{edit.pk}/restore/"' in response.text
    assert f'href="/edits/{edit.pk}/"' not in response.text
    undone = client.post(f"/edits/{edit.pk}/restore/", {"next": "/w/alice/history/"}, follow=True)
    assert "The edit was restored." in undone.text
    assert f"/edits/{edit.pk}/" in undone.text


def test_a_deleted_edit_is_nowhere_but_in_the_trash(client_of: SignIn, alice: User, edit: Edit) -> None:
    client, result, reference = client_of(alice), edit.results.all()[0], edit.references.all()[0]
    _, secret = accounts.create_api_key(actor_of(alice), name="Script")
    api = {"HTTP_AUTHORIZATION": f"Bearer {secret}"}
    signed = links.signed_photo_url(
        result, user_id=alice.pk, expires=timezone.now() + timedelta(days=1), site=""
    )
    places = [
        f"/edits/{edit.pk}/",
        f"/edits/{edit.pk}/zip/",
        f"/s/{links.sign_status(edit, alice)}/",
        f"/media/results/{result.pk}/360/",
        f"/media/references/{reference.pk}/original/",
        signed,
    ]
    for place in places:
        assert read(client, place) == 200, place
    trash.delete(actor_of(alice), edit)
    for place in places:
        assert read(client, place) == 404, place
    assert client.get(f"/api/photo-editor/status?taskId={edit.pk}", **api).status_code == 404  # type: ignore[arg-type]
    listed = client.get("/api/photo-editor/edits", **api).json()  # type: ignore[arg-type]
    assert listed["data"]["edits"] == []
    assert "sky" not in client.get("/w/alice/history/").text
    assert f"edit-{edit.pk}" not in client.get("/w/alice/history/?q=sky").text
    assert "A deleted edit" in client.get("/w/alice/credits/").text
    assert "sky" in client.get("/w/alice/trash/").text
    assert read(client, f"/edits/{edit.pk}/trash/") == 200


def test_a_running_edit_is_not_deleted(client_of: SignIn, alice: User) -> None:
    edit = make_edit(alice, state="RUNNING")
    response = client_of(alice).post(f"/edits/{edit.pk}/delete/", follow=True)
    assert "still running. Cancel it" in response.text
    edit.refresh_from_db()
    assert edit.trashed is None


def test_the_trash_shows_the_days_left(client_of: SignIn, alice: User, edit: Edit) -> None:
    trash.delete(actor_of(alice), edit)
    Edit.objects.update(purge_due=timezone.now() + timedelta(days=25, hours=3))
    page = client_of(alice).get("/w/alice/trash/").text
    assert "26 days left" in page
    assert "Deleted by you" in page
    Edit.objects.update(purge_due=timezone.now() + timedelta(hours=3))
    assert "1 day left" in client_of(alice).get("/w/alice/trash/").text


def test_permanent_deletion_shows_its_extent_first(client_of: SignIn, alice: User, edit: Edit) -> None:
    trash.delete(actor_of(alice), edit)
    client = client_of(alice)
    for address in (f"/edits/{edit.pk}/purge/", "/w/alice/trash/empty/"):
        page = client.get(address).text
        assert "<dd>1</dd>" in page
        assert "bytes" in page or "KB" in page
    response = client.post("/w/alice/trash/empty/", follow=True)
    assert "1 edit permanently deleted." in response.text
    assert "The trash is empty" in response.text
    assert client.post(f"/edits/{edit.pk}/restore/").status_code == 404


def test_a_legal_hold_is_shown_and_prevents_emptying_the_trash(
    client_of: SignIn, alice: User, edit: Edit
) -> None:
    trash.delete(actor_of(alice), edit)
    Workspace.objects.update(held_since=timezone.now())
    client = client_of(alice)
    page = client.get("/w/alice/trash/").text
    assert "under a legal hold" in page
    assert "On hold" in page
    assert "Empty trash" not in page
    refused = client.post("/w/alice/trash/empty/", follow=True)
    assert "until the hold is lifted" in refused.text
    assert Edit.objects.get().purged is None


def test_a_member_cannot_delete_the_edits_of_others(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    hers = make_edit(alice, workspace=team)
    assert f"/edits/{hers.pk}/delete/" not in client_of(bob).get(f"/edits/{hers.pk}/").text
    assert client_of(bob).post(f"/edits/{hers.pk}/delete/").status_code == 403
    assert f"/edits/{hers.pk}/delete/" in client_of(alice).get(f"/edits/{hers.pk}/").text


def test_deleting_does_not_redirect_to_another_site(client_of: SignIn, alice: User, edit: Edit) -> None:
    response = client_of(alice).post(f"/edits/{edit.pk}/delete/", {"next": "https://evil.example.org/"})
    assert response.headers["Location"] == "/w/alice/history/"


@pytest.mark.parametrize("address", ["delete", "restore", "purge"])
def test_an_unknown_edit_is_not_found(client_of: SignIn, alice: User, address: str) -> None:
    assert client_of(alice).post(f"/edits/{uuid.uuid4()}/{address}/").status_code == 404


def test_the_number_of_queries_is_constant(client_of: SignIn, alice: User) -> None:
    client, counts = client_of(alice), []
    make_grant(alice.personal_workspace, 4000)
    for _ in range(3):
        for _ in range(10):
            trash.delete(actor_of(alice), make_edit(alice))
        with CaptureQueriesContext(connection) as queries:
            client.get("/w/alice/trash/")
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts
    assert counts[0] <= 8, counts
