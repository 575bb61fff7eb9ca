"""Tests for the page of an edit that was submitted through the API.

The edit's photos may not have been fetched yet or may be unavailable.
"""

import uuid
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from editor.models import Edit, User
from editor.services.core import links
from tests import cast

pytestmark = pytest.mark.django_db
ADDRESSES = ["https://example.org/lake.jpg?size=<large>", "https://example.org/boat.jpg"]
STATES = ["QUEUED", "SENDING", "FAILED", "CANCELLED"]


def make(user: User, state: str, **fields: Any) -> Edit:
    facts: dict[str, Any] = {
        "image_urls": ADDRESSES,
        "source": "api",
        "references": 0,
        "prompt": "black and white",
    }
    return cast.make_edit(user, state=state, **facts | fields)


@pytest.fixture
def client(client_of: Callable[[User], Client], alice: User) -> Client:
    return client_of(alice)


@pytest.mark.parametrize("state", STATES)
def test_the_edits_page_lists_the_urls_before_the_photos_are_fetched(
    client: Client, alice: User, state: str
) -> None:
    text = client.get(f"/edits/{make(alice, state).id}/").text
    assert "<large>" not in text
    for address in ADDRESSES:
        assert address in unescape(text)


def test_its_page_shows_the_photos_once_they_are_there(client: Client, alice: User) -> None:
    text = client.get(f"/edits/{make(alice, 'RUNNING', references=2).id}/").text
    assert ADDRESSES[1] not in text
    assert "/media/references/" in text


@pytest.mark.parametrize("state", STATES)
def test_every_list_shows_an_edit_without_photos(
    client: Client, client_of: Callable[[User], Client], alice: User, staff: User, state: str, settings: Any
) -> None:
    settings.REVIEW_PERSONAL = "open"
    edit = make(alice, state)
    for path in ("/w/alice/", "/w/alice/history/"):
        response = client.get(path)
        assert response.status_code == 200
        assert "black and white" in response.text
    admin = client_of(staff)
    for path in ("/admin/editor/edit/", f"/admin/editor/edit/{edit.id}/change/"):
        response = admin.get(path)
        assert response.status_code == 200
        assert "black and white" in response.text


def test_the_status_of_the_edit_can_be_polled(client: Client, alice: User) -> None:
    response = client.get(f"/s/{links.sign_status(make(alice, 'QUEUED'), alice)}/")
    assert response.status_code == 200
    assert 'data-state="QUEUED"' in response.text


def test_there_is_nothing_to_download_yet(client: Client, alice: User) -> None:
    assert client.get(f"/edits/{make(alice, 'QUEUED').id}/zip/").status_code == 404


def test_it_can_be_cancelled(client: Client, alice: User) -> None:
    edit = make(alice, "QUEUED")
    client.post(f"/edits/{edit.id}/cancel/")
    edit.refresh_from_db()
    assert edit.state == "CANCELLED"
    cast.assert_ledger_balances(edit.workspace)


def test_running_again_uses_the_same_urls(client: Client, alice: User) -> None:
    edit = make(alice, "FAILED", outputs=2, output_format="webp")
    response = client.post(f"/edits/{edit.id}/again/", {"submit_id": str(uuid.uuid4())})
    repeated = Edit.objects.newest_first()[0]
    assert response.headers["Location"] == f"/edits/{repeated.id}/"
    assert repeated.image_urls == ADDRESSES
    assert (repeated.outputs, repeated.output_format, repeated.state) == (2, "webp", "QUEUED")
    assert (repeated.source, repeated.api_key) == ("page", None)
    cast.assert_ledger_balances(edit.workspace)


def test_the_prompt_can_be_changed_and_the_tray_is_empty(client: Client, alice: User) -> None:
    edit = make(alice, "FAILED")
    response = client.post(f"/edits/{edit.id}/revise/", follow=True)
    assert response.status_code == 200
    assert "black and white</textarea>" in response.text
    assert response.context["tray"].drafts == []
