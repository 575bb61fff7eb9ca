"""Tests of simultaneous sign-ins and sign-ups through the real pages."""

from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.test import Client

from editor.models import CreditEntry, User, Workspace
from editor.services.people import closing, identities
from editor.services.people.identities import Identity
from tests.cast import PASSWORD, assert_ledger_balances
from tests.faults.test_races import CROWD, at_once

pytestmark = pytest.mark.django_db(transaction=True)
LOGIN = "/accounts/login/"
MISMATCH, LOCKED = "is incorrect", "Wait five minutes"


class SlowHasher(PBKDF2PasswordHasher):
    """A password hasher that is slow enough for attempts to overlap, as on a real site."""

    iterations = 200_000


@pytest.fixture
def owner(alice: User, settings: Any) -> User:
    settings.PASSWORD_HASHERS = [f"{__name__}.SlowHasher"]
    alice.set_password(PASSWORD)
    alice.save(update_fields=["password"])
    return alice


def sign_in(password: str) -> str:
    """Return the outcome of an attempt to sign in.

    The outcome is signed in, mismatch, locked, or the text of the page.
    """
    response = Client().post(LOGIN, {"login": "alice@example.org", "password": password})
    if response.status_code == 302:
        return "signed in"
    return "mismatch" if MISMATCH in response.text else "locked" if LOCKED in response.text else response.text


def test_eight_simultaneous_correct_sign_ins_all_succeed(owner: User) -> None:
    assert Counter(at_once(lambda _: sign_in(PASSWORD))) == {"signed in": 8}
    assert sign_in(PASSWORD) == "signed in"


def test_simultaneous_correct_sign_ins_do_not_forgive_failures(owner: User) -> None:
    for _ in range(3):
        assert sign_in("wrong") == "mismatch"
    assert Counter(at_once(lambda _: sign_in(PASSWORD))) == {"signed in": 8}
    assert [sign_in("wrong") for _ in range(3)] == ["mismatch", "mismatch", "locked"]
    assert sign_in(PASSWORD) == "locked"


def test_only_five_of_twenty_simultaneous_guesses_are_checked(owner: User) -> None:
    outcomes = at_once(lambda number: sign_in(f"wrong {number}"), times=20)
    assert Counter(outcomes) == {"mismatch": 5, "locked": 15}
    assert sign_in(PASSWORD) == "locked"


def test_a_correct_password_does_not_open_an_account_that_was_locked_meanwhile(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When several guesses are checked simultaneously, no guess is accepted after the fifth failure."""
    check_password = User.check_password

    def slow(user: User, password: str) -> bool:
        if password == PASSWORD:
            monkeypatch.undo()
            assert [sign_in("wrong") for _ in range(5)] == ["mismatch"] * 5
        return check_password(user, password)

    monkeypatch.setattr(User, "check_password", slow)
    assert sign_in(PASSWORD) == "locked"
    cache.clear()
    assert sign_in(PASSWORD) == "signed in"


def test_simultaneous_confirmations_of_an_email_give_one_opening_grant(
    transactional_db: None, settings: Any
) -> None:
    settings.EMAIL_URL, settings.ACCOUNT_EMAIL_VERIFICATION = "smtp://mail.example.org", "mandatory"
    settings.SIGNUP_IS_OPEN = True
    Client().post("/accounts/signup/", {"email": "new@example.org", "password1": PASSWORD})
    link = next(word for word in mail.outbox[0].body.split() if "/accounts/confirm-email/" in word)
    statuses = at_once(lambda _: Client().post(link[link.index("/accounts") :]).status_code)
    # Once the address is verified, the link no longer works.
    assert set(statuses) <= {200, 302, 404}
    assert 302 in statuses
    workspace = Workspace.objects.get(personal_user__email="new@example.org")
    assert workspace.balance == settings.SIGNUP_CREDITS
    assert_ledger_balances(workspace)


def test_signing_in_while_an_account_is_being_closed_gives_one_opening_grant(
    transactional_db: None, settings: Any
) -> None:
    """Eight sign-ins race with the closing of the account. Another sign-in follows it."""
    settings.SIGNUP = "open"
    user = admit(0)

    def work(number: int) -> None:
        with suppress(identities.SignInRequired, identities.NotAdmitted):
            admit(number) if number else closing.close_account(user)

    assert at_once(work) == [None] * CROWD
    with suppress(identities.SignInRequired):
        admit(9)
    assert User.objects.get(email="nora@example.org").pk != user.pk
    assert CreditEntry.objects.filter(kind="grant").count() == 1


def admit(number: int) -> User:
    return identities.admit(Identity(f"nora {number}", "nora@example.org", True, "Nora", ()))
