"""Tests for the API key page. A new key is shown once and works until it is revoked."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from editor.models import ApiKey, User, Workspace
from editor.services.people import accounts, blocks
from editor.services.sharing import reviews
from tests import cast

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]
KEY = re.compile(r"\bdrk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}\b")


def make(client: Client, **fields: str) -> Any:
    return client.post("/w/alice/keys/", {"name": "Script", **fields})


def account_as(client: Client, secret: str) -> int:
    answer = client.get("/api/photo-editor/account", headers={"Authorization": f"Bearer {secret}"})
    return answer.status_code


def test_a_key_is_shown_once_and_works(client_of: SignIn, alice: User, client: Client) -> None:
    person = client_of(alice)
    made = make(person)
    [secret] = set(KEY.findall(made.text))
    assert made.headers["Cache-Control"] == "no-store"
    assert account_as(client, secret) == 200
    page = person.get("/w/alice/keys/").text
    assert not KEY.search(page)
    assert f"drk_{ApiKey.objects.get().public_id}_…" in page
    assert secret not in str(list(ApiKey.objects.values()))


def test_a_revoked_key_stops_working_immediately(client_of: SignIn, alice: User, client: Client) -> None:
    person = client_of(alice)
    secret = KEY.findall(make(person).text)[0]
    key = ApiKey.objects.get()
    response = person.post(f"/w/alice/keys/{key.public_id}/revoke/", follow=True)
    assert "The API key “Script” has been revoked." in response.text
    assert "No API keys yet." in response.text
    assert account_as(client, secret) == 401


def test_a_member_who_can_no_longer_create_keys_can_still_revoke_theirs(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    key, _ = accounts.create_api_key(cast.actor_of(bob, team), name="Nightly")
    reviews.require_approval(cast.actor_of(alice, team), is_required=True)
    person = client_of(bob)
    page = person.get("/w/studio/keys/")
    assert (page.status_code, "Nightly" in page.text, "Inactive" in page.text) == (200, True, True)
    assert "Create key" not in page.text
    assert person.post("/w/studio/keys/", {"name": "Other"}).status_code == 403
    page = person.post(f"/w/studio/keys/{key.public_id}/revoke/", follow=True)
    assert "No API keys yet." in page.text


def test_an_owner_sees_whose_keys_do_not_work(
    client_of: SignIn, alice: User, bob: User, viewer: User, team: Workspace
) -> None:
    for user in (alice, bob, viewer):
        accounts.create_api_key(cast.actor_of(user, team), name=f"Script of {user.email}")
    person = client_of(alice)
    assert "Inactive" not in person.get("/w/studio/keys/").text
    reviews.require_approval(cast.actor_of(alice, team), is_required=True)
    rows = re.findall(r'<li class="setting">.*?</li>', person.get("/w/studio/keys/").text, re.DOTALL)
    assert len(rows) == 3
    for user, is_inactive in ((alice, False), (bob, True), (viewer, True)):
        [row] = [row for row in rows if f"Script of {user.email}" in row]
        assert ("Inactive" in row) is is_inactive, user.email


def test_the_key_of_a_blocked_member_is_inactive(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    accounts.create_api_key(cast.actor_of(bob, team), name="Nightly")
    blocks.block_user(cast.make_staff(), bob, reason="Spam")
    assert "Inactive" in client_of(alice).get("/w/studio/keys/").text


def test_the_page_says_what_a_key_may_do_and_whose_credits_it_spends(
    client_of: SignIn, alice: User, bob: User, viewer: User, team: Workspace
) -> None:
    for user, path, sentence in (
        (alice, "/w/alice/keys/", "a program can edit photos in your name and with your credits."),
        (bob, "/w/studio/keys/", "a program can edit photos in your name and with the team's credits."),
        (viewer, "/w/studio/keys/", "It can't edit photos, because you are a viewer."),
    ):
        assert sentence in client_of(user).get(path).text


def test_the_heading_says_whose_keys_are_listed(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    for user, path, heading in (
        (alice, "/w/studio/keys/", "All members' keys"),
        (bob, "/w/studio/keys/", "Your keys"),
        (alice, "/w/alice/keys/", "Your keys"),
    ):
        text = client_of(user).get(path).text
        assert re.search(rf'<h2 id="active-keys">\s*{heading}\s*</h2>', text), path


@pytest.mark.parametrize(("days", "lasts"), [("", None), ("30", 30), ("365", 365)])
def test_a_key_can_have_an_expiration_date(
    client_of: SignIn, alice: User, days: str, lasts: int | None
) -> None:
    make(client_of(alice), days=days)
    expires = ApiKey.objects.get().expires
    if lasts is None:
        assert expires is None
    else:
        assert expires is not None
        assert abs(expires - timezone.now() - timedelta(days=lasts)) < timedelta(minutes=1)


def test_an_expired_key_says_so_on_the_page(client_of: SignIn, alice: User) -> None:
    accounts.create_api_key(cast.actor_of(alice), name="Old", expires=timezone.now() - timedelta(days=1))
    assert "Expired" in client_of(alice).get("/w/alice/keys/").text


@pytest.mark.parametrize("fields", [{"name": ""}, {"name": "\u200b"}, {"name": "x" * 101}, {"days": "7"}])
def test_an_invalid_form_creates_no_key(client_of: SignIn, alice: User, fields: dict[str, str]) -> None:
    response = make(client_of(alice), **fields)
    assert response.status_code == 422
    assert not ApiKey.objects.exists()


def test_the_number_of_keys_is_limited(
    client_of: SignIn, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "MAX_KEYS", 2)
    person = client_of(alice)
    statuses = [make(person).status_code for _ in range(3)]
    assert statuses == [200, 200, 422]
    assert ApiKey.objects.count() == 2


def test_another_person_can_neither_see_nor_revoke_it(client_of: SignIn, alice: User, charlie: User) -> None:
    make(client_of(alice), name="Private script")
    stranger = client_of(charlie)
    assert "Private script" not in stranger.get("/w/alice/keys/").text
    assert stranger.post(f"/w/alice/keys/{ApiKey.objects.get().public_id}/revoke/").status_code == 404
    assert ApiKey.objects.get().revoked is None


def test_revoking_an_invalid_key_returns_404(client_of: SignIn, alice: User) -> None:
    assert client_of(alice).post("/w/alice/keys/a%00b/revoke/").status_code == 404


def test_a_name_is_shown_as_text(client_of: SignIn, alice: User) -> None:
    page = make(client_of(alice), name="<script>alert(1)</script>").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_changing_the_password_revokes_the_keys(client_of: SignIn, alice: User, client: Client) -> None:
    person = client_of(alice)
    secret = KEY.findall(make(person).text)[0]
    changed = person.post(
        "/accounts/password/change/",
        {
            "oldpassword": cast.PASSWORD,
            "password1": "another calm room 7",
            "password2": "another calm room 7",
        },
    )
    assert changed.status_code == 302
    assert account_as(client, secret) == 401


def test_a_key_with_a_cap_shows_how_much_it_has_spent(client_of: SignIn, alice: User) -> None:
    client = client_of(alice)
    made = make(client, cap="500")
    assert "0 of 500 credits this month" in made.text
    key = ApiKey.objects.get()
    cast.make_edit(alice, state="RUNNING", api_key=key)
    assert "40 of 500 credits this month" in client.get("/w/alice/keys/").text


def test_only_the_owner_can_change_the_caps_of_keys(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    key, _ = accounts.create_api_key(cast.actor_of(bob, team), name="Script")
    address = f"/w/{team.slug}/keys/{key.public_id}/cap/"
    for given, cap in (("500", 500), ("0", 0), ("", None)):
        assert client_of(alice).post(address, {"cap": given}).status_code == 302
        key.refresh_from_db()
        assert key.cap == cap
    assert client_of(bob).post(address, {"cap": "1"}).status_code == 403


@pytest.mark.parametrize("cap", ["-1", "x", "1e3", "9" * 30, "9" * 5000, "\x00", "1.5"])
def test_an_invalid_cap_gets_an_error_message(client_of: SignIn, alice: User, cap: str) -> None:
    client = client_of(alice)
    assert make(client, cap=cap).status_code == 422
    assert not ApiKey.objects.exists()
    key, _ = accounts.create_api_key(cast.actor_of(alice), name="Script", cap=7)
    address = f"/w/{alice.personal_workspace.slug}/keys/{key.public_id}/cap/"
    assert "Enter a cap from 0 to 2,000,000,000" in client.post(address, {"cap": cap}, follow=True).text
    key.refresh_from_db()
    assert key.cap == 7
