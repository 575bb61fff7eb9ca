"""Tests that `manage.py reset_sign_in` removes all second factors, ends all sessions, revokes all API keys,
and prints a link.
"""

from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.management import CommandError, call_command
from django.test import Client

from editor.models import ApiKey, AuditEntry, User, Workspace
from editor.services.core.errors import Forbidden
from editor.services.people import accounts
from tests.cast import PASSWORD, actor_of

pytestmark = pytest.mark.django_db
NEW = "a calm and quiet room 5"


def link(capsys: pytest.CaptureFixture[str], email: str = "alice@example.org") -> str:
    call_command("reset_sign_in", email)
    printed = capsys.readouterr()
    assert (printed.err, printed.out.count("\n")) == ("0 API keys were revoked.\n", 1), (
        "the output contains only the link"
    )
    return printed.out.strip()


def account_status(secret: str) -> int:
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    return client.get("/api/photo-editor/account").status_code


def test_the_link_sets_a_new_password_and_works_only_once(
    alice: User, client: Client, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.PUBLIC_URL = "https://photos.example.org"
    TOTP.activate(alice, generate_totp_secret())
    RecoveryCodes.activate(alice)
    address = link(capsys)
    assert address.startswith("https://photos.example.org/accounts/password/reset/key/")
    path = urlsplit(address).path
    form = client.get(path).headers["Location"]
    client.post(form, {"password1": NEW, "password2": NEW})
    assert not Authenticator.objects.exists()
    browser = Client()
    signed_in = browser.post("/accounts/login/", {"login": alice.email, "password": NEW})
    assert signed_in.headers["Location"] == "/"
    again = Client().get(path)
    assert (again.status_code, "Location" in again.headers) == (200, False), "a used link does not redirect"


def test_sessions_and_the_old_password_stop_working_immediately(
    alice: User, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    client.force_login(alice)
    link(capsys)
    assert client.get("/account/").status_code == 302
    answer = Client().post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    assert answer.status_code == 200


def test_api_keys_of_all_workspaces_are_revoked_immediately(
    alice: User, team: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    secrets = [accounts.create_api_key(actor_of(alice, place), name="k")[1] for place in (None, team)]
    assert [account_status(secret) for secret in secrets] == [200, 200]
    call_command("reset_sign_in", alice.email)
    assert capsys.readouterr().err == "2 API keys were revoked.\n"
    assert [account_status(secret) for secret in secrets] == [401, 401]
    entry = AuditEntry.objects.get(action="key_revoked")
    assert (entry.door, entry.subject_id, entry.detail) == ("command", str(alice.pk), {"keys": 2})


def test_keys_of_others_continue_to_work(
    alice: User, bob: User, team: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    _, secret = accounts.create_api_key(actor_of(bob, team), name="k")
    link(capsys)
    assert account_status(secret) == 200


def test_a_session_that_has_ended_cannot_create_a_key(
    alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    """The request starts before the reset, but reaches the database after it."""
    actor = actor_of(alice)
    link(capsys)
    with pytest.raises(Forbidden, match="signed out"):
        accounts.create_api_key(actor, name="k")
    assert not ApiKey.objects.exists()


def test_the_reset_is_recorded_in_the_audit_log(alice: User, capsys: pytest.CaptureFixture[str]) -> None:
    link(capsys)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.door, entry.subject_id) == ("sign_in_reset", "command", str(alice.pk))


def test_it_requires_an_open_account(alice: User) -> None:
    with pytest.raises(CommandError, match="no account"):
        call_command("reset_sign_in", "nobody@example.org")
    User.objects.filter(pk=alice.pk).update(is_active=False)
    with pytest.raises(CommandError, match="is closed"):
        call_command("reset_sign_in", alice.email)
