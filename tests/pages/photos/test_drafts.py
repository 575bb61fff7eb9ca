"""Tests for uploading photos into the tray."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from editor.models import CreditEntry, DraftPhoto, User, Workspace
from editor.services.photos import drafts, photos
from tests import cast
from tests.hostile_server import HostileServer
from tests.imaging import bad_images

SignIn = Callable[[User], Client]


def test_an_upload_returns_its_tile(client_of: SignIn, alice: User) -> None:
    response = client_of(alice).post("/w/alice/drafts/", {"photo": cast.photo_file("lake.jpg", width=900)})
    draft = DraftPhoto.objects.get()
    text = response.content.decode()
    assert response.status_code == 200
    assert f'name="draft" value="{draft.id}"' in text
    assert f"/media/drafts/{draft.id}/800/" in text
    assert "<html" not in text
    assert (draft.user, draft.name, draft.width) == (alice, "lake.jpg", 900)
    assert cast.path_of(draft).is_file()


def test_an_upload_costs_nothing(client_of: SignIn, alice: User) -> None:
    client_of(alice).post("/w/alice/drafts/", {"photo": cast.photo_file()})
    assert CreditEntry.objects.exclude(kind="grant").count() == 0
    cast.assert_ledger_balances(alice.personal_workspace)


def test_a_file_that_is_not_a_photo_gets_an_error_message(client_of: SignIn, alice: User) -> None:
    response = client_of(alice).post(
        "/w/alice/drafts/", {"photo": cast.photo_file("lake.jpg", b"not a photo")}
    )
    assert response.status_code == 422
    assert response.headers["Content-Type"].startswith("text/plain")
    assert response.content.decode().endswith(".")
    assert not DraftPhoto.objects.exists()


def test_it_rejects_a_request_without_a_photo(client_of: SignIn, alice: User) -> None:
    assert client_of(alice).post("/w/alice/drafts/").status_code == 422
    assert client_of(alice).get("/w/alice/drafts/").status_code == 405


def test_it_requires_a_signed_in_user(client: Client, db: None) -> None:
    response = client.post("/w/alice/drafts/", {"photo": cast.photo_file()})
    assert response.status_code == 302
    assert not DraftPhoto.objects.exists()


def test_it_requires_a_csrf_token(client_of: Callable[..., Client], alice: User) -> None:
    client = client_of(alice, enforce_csrf_checks=True)
    assert client.post("/w/alice/drafts/", {"photo": cast.photo_file()}).status_code == 403
    assert not DraftPhoto.objects.exists()


def test_removing_discards_the_photo_and_its_file(client_of: SignIn, alice: User) -> None:
    draft = drafts.create_draft(cast.actor_of(alice), cast.photo_file(), name="lake.jpg")
    path = cast.path_of(draft)
    response = client_of(alice).post(f"/w/alice/drafts/{draft.id}/remove/", headers={"X-Tray": "1"})
    assert response.status_code == 204
    assert not DraftPhoto.objects.exists()
    assert not path.exists()


def test_removing_without_javascript_leads_back_to_the_editor(client_of: SignIn, alice: User) -> None:
    draft = cast.make_draft(alice)
    response = client_of(alice).post(f"/w/alice/drafts/{draft.id}/remove/")
    assert response.status_code == 302
    assert response.headers["Location"] == "/w/alice/"


def test_another_user_cannot_remove_a_draft(client_of: SignIn, alice: User, charlie: User) -> None:
    draft = cast.make_draft(alice)
    assert client_of(charlie).post(f"/w/charlie/drafts/{draft.id}/remove/").status_code == 404
    assert DraftPhoto.objects.filter(id=draft.id).exists()


@pytest.mark.slow
def test_bad_files_get_only_an_error_message(client_of: SignIn, alice: User) -> None:
    client = client_of(alice)
    for name, data in bad_images.by_hand():
        response = client.post("/w/alice/drafts/", {"photo": cast.photo_file("lake.jpg", data)})
        assert response.status_code in (200, 422), name
        assert response.status_code == 200 or response.content.decode().endswith("."), name
    response = client.post("/w/alice/drafts/", {"photo": cast.photo_file()})
    assert response.status_code == 200


def test_an_upload_beyond_the_limit_is_refused_with_a_message(
    client_of: SignIn, alice: User, team: Workspace, settings: Any
) -> None:
    settings.DRAFTS_PER_USER = 1
    kept = cast.make_draft(alice, team)
    response = client_of(alice).post("/w/alice/drafts/", {"photo": cast.photo_file()})
    assert response.status_code == 422
    assert response.text == (
        "Your photos that are not submitted yet have reached the limit of 1 across all your workspaces. "
        "Submit or delete some of them first."
    )
    assert list(DraftPhoto.objects.all()) == [kept]


@pytest.mark.parametrize("sent", ["photos", "sample", "address"])
def test_a_form_beyond_the_limit_keeps_its_photos_and_its_prompt(
    client_of: SignIn,
    alice: User,
    settings: Any,
    serving: Callable[..., HostileServer],
    sent: str,
) -> None:
    settings.DRAFTS_PER_USER = 1
    kept = cast.make_draft(alice)
    more: dict[str, Any] = {
        "photos": {"photos": cast.photo_file()},
        "sample": {"sample": "pier"},
        "address": {"bring": "1", "address": f"{serving().origin}/lake.jpg"},
    }
    response = client_of(alice).post(
        "/w/alice/", {"draft": kept.id, "prompt": "make it warmer", **more[sent]}
    )
    assert response.status_code == 422
    assert "Your photos that are not submitted yet" in response.text
    assert f'name="draft" value="{kept.id}"' in response.text
    assert "make it warmer" in response.text
    assert list(DraftPhoto.objects.all()) == [kept]


@pytest.mark.parametrize("way", ["revise", "further", "batch"])
def test_a_copy_beyond_the_limit_is_refused_with_a_message(
    client_of: SignIn, alice: User, settings: Any, way: str
) -> None:
    facts = photos.copy_files(drafts.create_draft(cast.actor_of(alice), cast.photo_file(), name="a.jpg"))
    edit = cast.make_edit(alice, references=[facts], results=1)
    settings.DRAFTS_PER_USER = 1
    address, data = {
        "revise": (f"/edits/{edit.id}/revise/", {}),
        "further": (f"/edits/{edit.id}/results/1/further/", {}),
        "batch": ("/w/alice/history/batch/", {"edit": [edit.pk]}),
    }[way]
    response = client_of(alice).post(address, data, follow=True)
    assert response.status_code == 200
    assert "Your photos that are not submitted yet" in response.text
    assert DraftPhoto.objects.count() == 1
