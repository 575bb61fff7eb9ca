"""Tests for the pages that close accounts and teams, including warnings, permissions, and exports."""

from collections.abc import Callable

import pytest
from django.test import Client

from editor.models import Export, User, Workspace
from editor.services.maintenance import exports
from tests.cast import PASSWORD, make_edit

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


def sure(client: Client) -> Client:
    """Confirm the password of the user who is signed in, and return the client."""
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def test_closing_an_account_requires_reauthentication(client_of: SignIn, alice: User) -> None:
    response = client_of(alice).post("/account/close/", {"read": "yes"})
    assert response.headers["Location"].startswith("/accounts/reauthenticate/")
    alice.refresh_from_db()
    assert alice.is_active


def test_the_page_lists_the_consequences_before_an_account_is_closed(
    client_of: SignIn, bob: User, team: Workspace
) -> None:
    make_edit(bob)
    client = sure(client_of(bob))
    page = client.get("/account/close/").text
    assert "<dt>Edits that are moved to the trash and later permanently deleted</dt>\n  <dd>1</dd>" in page
    assert "<dt>Credits that are forfeited</dt><dd>360</dd>" in page
    assert "You leave <b>Studio</b>." in page
    unread = client.post("/account/close/")
    assert unread.status_code == 422
    assert "Select the checkbox" in unread.text
    assert "Your account is closed" in client.post("/account/close/", {"read": "yes"}).text
    assert client.get("/account/").status_code == 302
    assert not client.login(email=bob.email, password=PASSWORD)


def test_an_owner_is_told_what_to_hand_over(client_of: SignIn, alice: User, team: Workspace) -> None:
    client = sure(client_of(alice))
    page = client.get("/account/close/").text
    assert "Hand over these teams first" in page
    assert "/w/studio/members/" in page
    refused = client.post("/account/close/", {"read": "yes"})
    assert refused.status_code == 422
    assert "Hand over Studio first" in refused.text


def test_a_team_is_closed_from_its_settings(client_of: SignIn, alice: User, team: Workspace) -> None:
    client = sure(client_of(alice))
    assert "/w/studio/settings/close/" in client.get("/w/studio/settings/").text
    assert "Close Studio?" in client.get("/w/studio/settings/close/").text
    response = client.post("/w/studio/settings/close/", {"read": "yes"}, follow=True)
    assert "Studio was closed." in response.text
    assert client.get("/w/studio/").status_code == 404


def test_an_export_can_be_requested_and_downloaded(client_of: SignIn, alice: User) -> None:
    make_edit(alice)
    client = client_of(alice)
    assert "In progress, 0%" in client.post("/account/export/", follow=True).text
    assert "Your export is being prepared." in client.post("/account/export/", follow=True).text
    export = Export.objects.get()
    assert client.get(f"/account/export/{export.pk}/").status_code == 404
    exports.build.call(str(export.pk), 0)
    assert f"/account/export/{export.pk}/" in client.get("/account/export/").text
    response = client.get(f"/account/export/{export.pk}/")
    assert response.headers["Content-Type"] == "application/zip"
    assert b"".join(response.streaming_content)[:2] == b"PK"  # type: ignore[attr-defined]
