"""Tests for authentication with API keys, including the errors for invalid keys."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from editor.models import ApiKey, Membership, RateCount, User, Workspace
from editor.services.people import accounts
from tests import cast
from tests.api.calls import (
    ACCOUNT,
    CANCEL,
    EDITS,
    GENERATE,
    STATUS,
    assert_nothing_happened,
    data_of,
    json_fields,
    message_of,
    send,
)
from tests.api.conftest import Program

pytestmark = pytest.mark.django_db
ADDRESSES = [("post", GENERATE), ("get", STATUS), ("post", CANCEL), ("get", EDITS), ("get", ACCOUNT)]


@pytest.fixture
def secret(alice: User) -> str:
    return accounts.create_api_key(cast.actor_of(alice), name="laptop")[1]


def call(authorization: str | None, path: str = ACCOUNT, method: str = "get") -> Any:
    headers = {} if authorization is None else {"Authorization": authorization}
    return getattr(Client(), method)(path, headers=headers)


@pytest.mark.parametrize(("method", "path"), ADDRESSES)
def test_every_endpoint_requires_a_key(alice: User, method: str, path: str) -> None:
    response = call(None, path, method)
    assert "Authorization: Bearer" in message_of(response, 401)
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="Darkroom"'
    assert_nothing_happened(alice)


@pytest.mark.parametrize(("method", "path"), ADDRESSES)
def test_a_web_session_does_not_replace_a_key(
    client_of: Callable[..., Client], alice: User, method: str, path: str
) -> None:
    response = getattr(client_of(alice, enforce_csrf_checks=True), method)(path)
    assert message_of(response, 401)
    assert_nothing_happened(alice)


@pytest.mark.parametrize("form", ["Bearer {}", "bearer {}", "BEARER  {} "])
def test_the_bearer_scheme_is_case_insensitive(secret: str, form: str) -> None:
    assert data_of(call(form.format(secret)))["balance"] == 400


@pytest.mark.parametrize("form", ["{}", "Token {}", "Basic {}", "Bearer", "Bearer ", "Bearer {} {}", ""])
def test_other_authorization_schemes_are_rejected(secret: str, form: str) -> None:
    assert "Authorization: Bearer" in message_of(call(form.format(secret, secret)), 401)
    assert not RateCount.objects.exists(), "no failed attempt is counted"


def test_a_key_in_a_query_parameter_is_rejected(secret: str) -> None:
    assert call(None, f"{ACCOUNT}?api_key={secret}&access_token={secret}").status_code == 401


def test_a_mistyped_key_is_rejected_without_a_database_query(
    secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "_find_key", lambda _: pytest.fail("a query was sent to the database"))
    for wrong in (secret[:-1] + ("0" if secret[-1] != "0" else "1"), "drk_x", "x", secret + "0", "é"):
        response = call(f"Bearer {wrong}")
        assert "begin with drk_" in message_of(response, 401)
        assert 'error="invalid_token"' in response.headers["WWW-Authenticate"]


def test_a_forged_key_with_a_valid_checksum_is_rejected(secret: str) -> None:
    forged, unknown = (f"drk_{public}_{'A' * 32}" for public in (secret[4:12], "00000000"))
    answers = [call(f"Bearer {body}{accounts._checksum(body)}") for body in (forged, unknown)]
    assert [message_of(answer, 401) for answer in answers] == ["This API key is not valid."] * 2


def test_a_revoked_key_is_rejected_in_the_next_request(alice: User, secret: str) -> None:
    assert call(f"Bearer {secret}").status_code == 200
    accounts.revoke_key(cast.actor_of(alice), ApiKey.objects.get())
    assert message_of(call(f"Bearer {secret}"), 401) == "This API key has been revoked."


def test_an_expired_key_is_rejected(alice: User) -> None:
    soon = timezone.now() + timedelta(minutes=1)
    _, secret = accounts.create_api_key(cast.actor_of(alice), name="for a minute", expires=soon)
    assert call(f"Bearer {secret}").status_code == 200
    ApiKey.objects.update(expires=timezone.now())
    assert message_of(call(f"Bearer {secret}"), 401) == "This API key has expired."


def test_the_key_of_a_closed_account_is_rejected(alice: User, secret: str) -> None:
    User.objects.filter(id=alice.id).update(is_active=False)
    assert "closed" in message_of(call(f"Bearer {secret}"), 401)


def test_the_key_of_a_former_member_is_rejected(bob: User, team: Workspace) -> None:
    _, secret = accounts.create_api_key(cast.actor_of(bob, team), name="k")
    assert data_of(call(f"Bearer {secret}"))["workspace"] == "Studio"
    Membership.objects.filter(user=bob, workspace=team).delete()
    assert "has left" in message_of(call(f"Bearer {secret}"), 401)


def test_the_key_of_a_viewer_can_read_but_not_change_anything(
    program: Program, viewer: User, alice: User, team: Workspace
) -> None:
    client = program(viewer, team)
    running = cast.make_edit(alice, workspace=team, state="RUNNING")
    assert "does not allow you to edit" in message_of(send(client, json_fields()), 403)
    cancel = client.post(CANCEL, {"taskId": str(running.id)}, content_type="application/json")
    assert "does not allow you to edit" in message_of(cancel, 403)
    assert data_of(client.get(STATUS, {"taskId": str(running.id)})) == {"status": "RUNNING"}
    team.refresh_from_db()
    assert (team.balance, team.held) == (400, 40)


def test_permissions_are_checked_for_each_request(program: Program, bob: User, team: Workspace) -> None:
    client = program(bob, team)
    assert send(client, json_fields()).status_code == 200
    Membership.objects.filter(user=bob, workspace=team).update(role=Membership.Role.VIEWER)
    assert send(client, json_fields()).status_code == 403


@pytest.mark.usefixtures("new_minute")
def test_invalid_keys_from_one_address_are_limited_but_valid_keys_are_not(secret: str) -> None:
    answers = [call("Bearer wrong") for _ in range(32)]
    assert [answer.status_code for answer in answers] == [401] * 30 + [429] * 2
    assert "invalid API keys" in message_of(answers[-1], 429)
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60
    assert call(f"Bearer {secret}").status_code == 200
    assert RateCount.objects.get(name="wrong-key:127.0.0.1").count == 31, (
        "requests beyond the limit write nothing"
    )


def test_invalid_keys_are_counted_per_client_address(settings: Any) -> None:
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    for number in range(3):
        Client().get(
            ACCOUNT, headers={"Authorization": "Bearer x", "X-Forwarded-For": f"spoofed, 203.0.113.{number}"}
        )
    assert set(RateCount.objects.values_list("name", "count")) == {
        (f"wrong-key:203.0.113.{number}", 1) for number in range(3)
    }
