"""Tests that a block ends sessions, stops API keys until it is lifted, and is explained at sign-in."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from editor.models import ApiKey, AuditEntry, User
from editor.services.core import audit
from editor.services.core.access import reviewer_actor
from editor.services.core.errors import Forbidden
from editor.services.people import accounts, blocks
from tests import cast

pytestmark = pytest.mark.django_db
SIGN_IN = reverse("account_login")
NEW = "quite another 55 thing"


def by(staff: User, user: User) -> audit.AuditActor:
    return reviewer_actor(staff, user.personal_workspace)


def make_key(user: User) -> tuple[ApiKey, str]:
    return accounts.create_api_key(cast.actor_of(user), name="Script")


def test_a_blocked_users_sessions_end_and_stay_ended(
    alice: User, staff: User, client_of: Callable[..., Client]
) -> None:
    client, page = client_of(alice), "/w/alice/"
    assert client.get(page).status_code == 200
    assert blocks.block_user(by(staff, alice), alice, reason="Spam")
    assert client.get(page).status_code == 302
    assert blocks.unblock_user(by(staff, alice), alice, reason="It was not hers")
    assert client.get(page).status_code == 302, "an ended session does not come back"
    assert client_of(User.objects.get(pk=alice.pk)).get(page).status_code == 200


@pytest.mark.parametrize(
    ("address", "given"),
    [
        ("/accounts/password/change/", {"oldpassword": cast.PASSWORD, "password1": NEW, "password2": NEW}),
        ("/account/", {"name": "Alice B."}),
    ],
)
def test_a_form_submitted_during_a_block_does_not_undo_the_block(
    alice: User,
    client_of: Callable[..., Client],
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    given: dict[str, str],
) -> None:
    client, save = client_of(alice), User.save

    def late(user: User, *arguments: Any, **options: Any) -> None:
        blocks.block_user("command", User.objects.get(pk=alice.pk), reason="Spam")
        save(user, *arguments, **options)

    monkeypatch.setattr(User, "save", late)
    assert client.post(address, given).status_code == 302
    monkeypatch.undo()
    alice.refresh_from_db()
    assert (alice.is_active, alice.block_reason, alice.sign_outs) == (False, "Spam", 1)
    assert client.get("/w/alice/").status_code == 302
    assert alice.name == given.get("name", alice.name)
    assert alice.check_password(given.get("password1", cast.PASSWORD))


def test_the_sign_in_page_shows_the_reason_for_a_block(alice: User, staff: User, client: Client) -> None:
    blocks.block_user(by(staff, alice), alice, reason="Photos of <others>")
    response = client.post(SIGN_IN, {"login": alice.email, "password": cast.PASSWORD})
    assert response.status_code == 403
    assert "Photos of &lt;others&gt;" in response.content.decode()
    assert "This account is blocked" in response.content.decode()
    wrong = client.post(SIGN_IN, {"login": alice.email, "password": "a guess of nothing"})
    assert "blocked" not in wrong.content.decode(), (
        "someone with a wrong password does not learn about the block"
    )


def test_a_blocked_users_keys_are_refused_until_the_block_is_lifted(alice: User, staff: User) -> None:
    _, secret = make_key(alice)
    blocks.block_user(by(staff, alice), alice, reason="Spam")
    with pytest.raises(accounts.KeyRefused, match="blocked this API key's account"):
        accounts.authenticate_key(secret)
    blocks.unblock_user(by(staff, alice), alice, reason="Talked to her")
    assert accounts.authenticate_key(secret).user == alice


def test_a_block_and_its_lifting_are_in_the_audit_log_once(alice: User, staff: User) -> None:
    assert blocks.block_user(by(staff, alice), alice, reason="Spam")
    assert not blocks.block_user(by(staff, alice), alice, reason="Again")
    assert blocks.unblock_user(by(staff, alice), alice, reason="Sorry")
    assert not blocks.unblock_user(by(staff, alice), alice, reason="Again")
    entries = AuditEntry.objects.order_by("id").values_list("action", "subject_id", "reason", "user")
    assert list(entries) == [
        ("user_blocked", str(alice.pk), "Spam", staff.pk),
        ("user_unblocked", str(alice.pk), "Sorry", staff.pk),
    ]


def test_a_closed_account_can_be_neither_blocked_nor_unblocked(alice: User, staff: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert not blocks.block_user(by(staff, alice), alice, reason="Spam")
    assert not blocks.unblock_user(by(staff, alice), alice, reason="Come back")
    assert not User.objects.get(pk=alice.pk).is_active


def test_nobody_blocks_themselves_or_the_last_superuser(staff: User) -> None:
    with pytest.raises(blocks.MayNotBlock, match="your own account"):
        blocks.block_user(by(staff, staff), staff, reason="Enough")
    with pytest.raises(blocks.MayNotBlock, match="This is the only superuser account"):
        blocks.block_user("command", staff, reason="Enough")
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("verb", [blocks.block_user, blocks.unblock_user])
def test_only_superusers_can_block_or_unblock_other_staff(staff: User, verb: Callable[..., bool]) -> None:
    limited = cast.make_user("limited@example.org", is_staff=True)
    with pytest.raises(Forbidden, match="Only superusers"):
        verb(by(limited, staff), staff, reason="Mine now")


@pytest.mark.parametrize(
    "verb", [blocks.block_user, blocks.unblock_user, blocks.block_key, blocks.unblock_key]
)
def test_every_block_requires_a_reason(alice: User, staff: User, verb: Callable[..., bool]) -> None:
    with pytest.raises(audit.ReasonMissing):
        verb(by(staff, alice), make_key(alice)[0] if "key" in verb.__name__ else alice, reason="")


def test_a_blocked_key_says_why_while_the_others_work(alice: User, staff: User) -> None:
    (key, secret), (_, other) = make_key(alice), make_key(alice)
    assert blocks.block_key(by(staff, alice), key, reason="It runs wild")
    assert not blocks.block_key(by(staff, alice), key, reason="Again")
    with pytest.raises(accounts.KeyRefused, match="It runs wild"):
        accounts.authenticate_key(secret)
    assert accounts.authenticate_key(other).user == alice
    assert blocks.unblock_key(by(staff, alice), key, reason="Mended")
    assert not blocks.unblock_key(by(staff, alice), key, reason="Again")
    assert accounts.authenticate_key(secret).user == alice
    actions = AuditEntry.objects.filter(subject_id=str(key.pk), subject_kind="apikey").order_by("id")
    assert [entry.action for entry in actions] == ["key_made", "key_blocked", "key_unblocked"]


def test_its_owner_sees_that_a_key_is_blocked_and_why(
    alice: User, staff: User, client_of: Callable[..., Client]
) -> None:
    key, _ = make_key(alice)
    blocks.block_key(by(staff, alice), key, reason="It runs wild")
    page = client_of(alice).get("/w/alice/keys/").content.decode()
    assert "Blocked" in page
    assert "It runs wild" in page
