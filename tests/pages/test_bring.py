"""Tests for fetching a photo from a URL during the request. An error keeps all entries in the form."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from editor.models import DraftPhoto, Edit, User
from editor.services.core import links
from editor.services.editing import fetching
from editor.services.photos import drafts
from tests import cast
from tests.hostile_server import JPEG, HostileServer, answer, redirect

type SignIn = Callable[[User], Client]
type Serving = Callable[..., HostileServer]


@pytest.fixture
def client(client_of: SignIn, alice: User) -> Client:
    return client_of(alice)


def form(address: str, **fields: Any) -> dict[str, Any]:
    return {"address": address, "bring": "1", "prompt": "make it warmer", "aspect_ratio": "4:5", **fields}


def test_a_fetched_photo_is_added_to_the_tray_and_the_form_is_kept(
    client: Client, draft: DraftPhoto, serving: Serving
) -> None:
    address = f"{serving().origin}/albums/sea%20shore.jpg"
    response = client.post("/w/alice/", form(address, draft=[str(draft.id)]))
    text = response.content.decode()
    assert response.status_code == 200
    assert [one.name for one in response.context["tray"].drafts] == ["lake.jpg", "sea shore.jpg"]
    assert "make it warmer</textarea>" in text
    assert 'value="4:5" checked' in text
    assert address not in text
    assert not Edit.objects.exists()


def test_a_script_can_add_a_photo_to_the_tray_by_url(client: Client, serving: Serving) -> None:
    response = client.post("/w/alice/drafts/", {"address": f"{serving().origin}/sea.jpg"})
    assert response.status_code == 200
    assert f'data-draft="{DraftPhoto.objects.get().id}"' in response.content.decode()


def test_a_submitted_edit_includes_the_photo_at_the_entered_url(client: Client, serving: Serving) -> None:
    sent = form(f"{serving().origin}/sea.jpg", prompt="black and white")
    del sent["bring"]
    response = client.post("/w/alice/", sent)
    assert response.headers["Location"] == f"/edits/{Edit.objects.get().id}/"
    assert [photo.name for photo in Edit.objects.get().references.all()] == ["sea.jpg"]


def test_a_url_of_this_site_is_read_from_storage(client: Client, alice: User) -> None:
    kept = drafts.create_draft(cast.actor_of(alice), cast.photo_file(), name="result.jpg")
    edit = cast.make_edit(alice, results=[kept.file_fields()])
    kept.delete()
    until = timezone.now() + timedelta(days=1)
    address = links.signed_photo_url(
        edit.results.get(), user_id=alice.pk, expires=until, site="https://any.org"
    )
    response = client.post("/w/alice/", form(address))
    assert response.status_code == 200
    assert DraftPhoto.objects.count() == 1


REFUSED = [
    ("http://10.0.0.1/a.jpg", "This URL is not allowed."),
    ("http://169.254.169.254/latest/", "This URL is not allowed."),
    ("http://[::1]:8000/a.jpg", "This URL is not allowed."),
    ("file:///etc/passwd", "This URL is not allowed."),
    ("javascript://x", "This URL is not allowed."),
    ("http://2130706433/", "This URL is not allowed."),
    ("http://user:pw@example.org/", "This URL is not allowed."),
    ("a\x00b", "This URL is not allowed."),
    ("nothing", "This URL could not be reached."),
    ("h" * 9000, "This URL is not allowed."),
]


@pytest.mark.parametrize(("address", "sentence"), REFUSED)
def test_a_refused_url_gets_an_error_message_and_keeps_the_form(
    client: Client, draft: DraftPhoto, address: str, sentence: str
) -> None:
    response = client.post("/w/alice/", form(address, draft=[str(draft.id)]))
    text = response.content.decode()
    assert response.status_code == 422
    assert sentence in text
    assert [one.id for one in response.context["tray"].drafts] == [draft.id]
    assert response.context["tray"].url.endswith(address)
    assert "make it warmer</textarea>" in text
    assert client.post("/w/alice/drafts/", {"address": address}).status_code == 422
    assert DraftPhoto.objects.count() == 1


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (answer(404), "This URL did not return a file."),
        (answer(200, b"<html>"), "This file is not a supported photo"),
        (answer(200, b""), "This file is not a supported photo"),
        (answer(200, cast.photo_bytes(60, 40)[:200], headers=JPEG), "This file is damaged"),
        (redirect("http://10.0.0.1/"), "This URL is not allowed."),
    ],
)
def test_a_response_that_is_not_a_photo_gets_an_error_message(
    client: Client, serving: Serving, script: Any, sentence: str
) -> None:
    response = client.post("/w/alice/", form(f"{serving(x=script).origin}/x"))
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert not DraftPhoto.objects.exists()


def test_a_photo_over_the_size_limit_is_not_fetched(client: Client, serving: Serving, settings: Any) -> None:
    settings.MAX_PHOTO_MEGABYTES = 1
    huge = answer(200, b"\xff\xd8\xff" + bytes(1024 * 1024 + 10), headers=JPEG)
    response = client.post("/w/alice/", form(f"{serving(x=huge).origin}/x"))
    assert "The response is too large." in response.content.decode()


def test_an_empty_url_gets_an_error_message(client: Client) -> None:
    response = client.post("/w/alice/", form("  "))
    assert response.status_code == 422
    assert "Enter the web address of a photo first." in response.content.decode()


def test_a_full_tray_takes_no_more(client: Client, alice: User, serving: Serving) -> None:
    drafts = [str(cast.make_draft(alice).id) for _ in range(5)]
    response = client.post("/w/alice/", form(f"{serving().origin}/sea.jpg", draft=drafts))
    assert "<span>Maximum 5 images allowed</span>" in response.text
    assert len(response.context["tray"].drafts) == 5
    assert DraftPhoto.objects.count() == 5


def test_the_number_of_simultaneous_fetches_is_limited(
    client: Client, serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "_turns", threading.BoundedSemaphore(1))
    with fetching._turns:
        response = client.post("/w/alice/", form(f"{serving().origin}/sea.jpg"))
    assert response.status_code == 422
    assert "Try again in a moment." in response.content.decode()
    assert client.post("/w/alice/", form(f"{serving().origin}/sea.jpg")).status_code == 200


def test_nothing_is_left_in_the_work_folder(client: Client, serving: Serving, settings: Any) -> None:
    client.post("/w/alice/", form(f"{serving(x=answer(404)).origin}/x"))
    assert not list(settings.WORK_DIR.glob("upload-*"))


def test_without_enough_credits_the_url_stays_in_the_form(client: Client, alice: User) -> None:
    cast.make_edit(alice, state="RUNNING", price=400)
    sent = form("https://photos.example.org/sea.jpg")
    del sent["bring"]
    response = client.post("/w/alice/", sent)
    assert response.status_code == 422
    assert 'value="https://photos.example.org/sea.jpg"' in response.text
