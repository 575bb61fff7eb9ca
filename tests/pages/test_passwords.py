"""Tests that no page or command hashes a password inside a transaction.

Hashing takes a considerable part of a second. On SQLite, the transaction would block all other writers during
this time.
"""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.db import connection
from django.test import Client, override_settings

from editor.models import User
from editor.services.core.links import owner_link_token
from editor.services.people import accounts
from tests import cast
from tests.cast import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "quite another 55 thing"
TWICE = {"password1": NEW, "password2": NEW}


def by_command() -> None:
    accounts.open_account(email="new@example.org", password=NEW)


def by_owner_link() -> None:
    Client().post(f"/setup/{owner_link_token()}/", {"email": "owner@example.org", "password": NEW})


def by_sign_up() -> None:
    Client().post("/accounts/signup/", {"email": "new@example.org", "password1": NEW})


def by_change() -> None:
    client = Client()
    client.force_login(cast.make_user())
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, **TWICE})


def by_reset() -> None:
    client, user = Client(), cast.make_user()
    client.post("/accounts/password/reset/", {"email": user.email})
    link = re.search(r"http\S+/reset/key/\S+/", str(mail.outbox[0].body))
    assert link
    client.post(client.get(link[0], follow=True).redirect_chain[-1][0], TWICE)


def by_admin() -> None:
    client = Client()
    client.force_login(staff := cast.make_staff())
    cast.show_second_factor(client, staff, at=time.time())
    given = {"email": "new@example.org", "name": "", "password": NEW, "plan": "free", "credits": ""}
    client.post("/admin/editor/user/add/", given)


@override_settings(
    EMAIL_URL="smtp://mail.example.org",
    MAILERS={"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}},
    SIGNUP_IS_OPEN=True,
    ACCOUNT_EMAIL_VERIFICATION="mandatory",
)
@pytest.mark.parametrize("door", [by_command, by_owner_link, by_sign_up, by_change, by_reset, by_admin])
def test_passwords_are_hashed_outside_of_transactions(
    door: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_transaction: list[bool] = []
    encode = MD5PasswordHasher.encode

    def noticed(hasher: MD5PasswordHasher, password: str, *rest: Any) -> str:
        in_transaction.append(connection.in_atomic_block)
        return encode(hasher, password, *rest)

    monkeypatch.setattr(MD5PasswordHasher, "encode", noticed)
    door()
    assert in_transaction
    assert not any(in_transaction)
    assert any(user.check_password(NEW) for user in User.objects.all())


@pytest.mark.django_db
def test_emails_have_the_sites_own_text_and_design(client: Client, alice: User, settings: Any) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    for address in (alice.email, "nobody@example.org"):
        client.post("/accounts/password/reset/", {"email": address})
    known, unknown = mail.outbox
    assert known.subject == "[Darkroom] Choose a new password"
    assert "/accounts/password/reset/key/" in known.body
    assert "Hello from" not in known.body
    assert unknown.subject == "[Darkroom] There is no account with this address"
    for message, button in ((known, "Choose a new password"), (unknown, "Create account")):
        assert f"{button}</a>" in str(message.alternatives[0][0])  # type: ignore[attr-defined]


@pytest.mark.django_db
def test_every_form_uses_the_same_label_for_the_email_address(client: Client, settings: Any) -> None:
    settings.EMAIL_URL, settings.SIGNUP_IS_OPEN = "smtp://mail.example.org", True
    for path in ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"):
        page = client.get(path).text
        assert ">Email address</label>" in page
        assert ">Email<" not in page


@pytest.mark.django_db
def test_a_password_can_be_shown(client: Client) -> None:
    assert 'data-peek="id_password"' in client.get("/accounts/login/").text
