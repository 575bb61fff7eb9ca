"""Tests for the server's handling of passkeys: who may create one, and invalid browser responses.

The tests in tests/journeys/test_passkeys.py sign in with real passkeys.
"""

import time
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from editor.models import User

pytestmark = pytest.mark.django_db
LOGIN, ADD = "/accounts/2fa/webauthn/login/", "/accounts/2fa/webauthn/add/"
LOCAL = {"Host": "localhost"}
PARTS = '"id":"AAAA","rawId":"AAAA","type":"public-key"'
NO_CREDENTIALS = [
    "",
    "nonsense",
    "null",
    "[]",
    "5",
    '"a word"',
    "{}",
    '{"response": 5}',
    '{"response": {"userHandle": "%%%"}}',
    f'{{{PARTS},"response":{{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA","userHandle":"MQ"}}}}',
    f'{{{PARTS},"response":{{"clientDataJSON":"e30","attestationObject":"o2NmbXRkbm9uZQ"}}}}',
    f'{{{PARTS},"response":{{"userHandle":"{"OTk5" * 9}"}}}}',
    '{"id":"\\u0000","rawId":"\\ud800","response":{"clientDataJSON":null,"userHandle":"\\u0000"}}',
]


@pytest.fixture
def at_home(client: Client, alice: User) -> Client:
    """Return the client that alice uses. She has recently confirmed her password."""
    client.force_login(alice)
    session = client.session
    session["account_authentication_methods"] = [
        {"method": "password", "at": time.time(), "reauthenticated": True}
    ]
    session["account_authentication_methods_user"] = str(alice.pk)
    session.save()
    return client


@pytest.mark.parametrize("sent", NO_CREDENTIALS)
def test_an_invalid_passkey_signs_nobody_in(client: Client, alice: User, sent: str) -> None:
    client.get(LOGIN, headers={**LOCAL, "Accept": "application/json"})
    response = client.post(LOGIN, {"credential": sent, "next": "/account/"}, headers=LOCAL)
    assert response.headers["Location"] == "/accounts/login/?next=%2Faccount%2F"
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("sent", NO_CREDENTIALS)
def test_an_invalid_passkey_is_not_stored(at_home: Client, sent: str) -> None:
    assert at_home.get(ADD, headers=LOCAL).status_code == 200
    response = at_home.post(ADD, {"credential": sent, "name": "Work laptop"}, headers=LOCAL)
    assert 'value="Work laptop"' in response.text, "the entered name is kept"
    assert not Authenticator.objects.exists()


def test_adding_a_passkey_requires_reauthentication(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert client.get(ADD).headers["Location"].startswith("/accounts/reauthenticate/")


def test_users_can_neither_see_nor_change_the_passkeys_of_others(at_home: Client, bob: User) -> None:
    data = {"name": "Bob's laptop", "credential": {}}
    passkey = Authenticator.objects.create(user=bob, type=Authenticator.Type.WEBAUTHN, data=data)
    assert "Bob" not in at_home.get("/accounts/2fa/webauthn/").text
    for act in ("edit", "remove"):
        path = f"/accounts/2fa/webauthn/keys/{passkey.pk}/{act}/"
        assert at_home.get(path).status_code == 404
        assert at_home.post(path, {"name": "Mine"}).status_code == 404
    passkey.refresh_from_db()
    assert passkey.data == data


@pytest.mark.parametrize(
    ("host", "secure", "offered"),
    [
        ("localhost:8000", False, True),
        ("127.0.0.1:8000", False, False),
        ("127.0.0.1", True, False),
        ("[::1]:8000", True, False),
        ("photos.example.org", True, True),
        ("photos.example.org", False, False),
    ],
)
def test_passkeys_are_offered_only_where_browsers_support_them(
    client: Client, settings: Any, host: str, secure: bool, offered: bool
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    page = client.get("/accounts/login/", headers={"Host": host}, secure=secure).text
    assert ("Use a passkey" in page) is offered
