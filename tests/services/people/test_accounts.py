"""Tests for accounts and API keys."""

import re
import zlib

import pytest
from allauth.account.models import EmailAddress

from editor.models import ApiKey, User, Workspace
from editor.services.core.errors import Forbidden
from editor.services.people import accounts
from tests import cast

pytestmark = pytest.mark.django_db


def test_an_account_has_a_workspace_an_opening_grant_and_a_verified_address(settings: object) -> None:
    settings.SIGNUP_CREDITS = 120  # type: ignore[attr-defined]
    user = accounts.open_account(email="New@Example.org", password="x")
    assert user.email == "new@example.org"
    assert EmailAddress.objects.get(user=user).verified
    workspace = user.personal_workspace
    assert (workspace.balance, workspace.plan) == (120, "free")
    assert workspace.memberships.get().role == "owner"
    cast.assert_ledger_balances(workspace)


def test_an_address_may_be_longer_than_the_name_of_a_workspace(db: None) -> None:
    user = accounts.open_account(email=f"{'a' * 60}@{'b' * 60}.example.org", password="x")
    assert (len(user.email), len(user.personal_workspace.name)) == (133, 100)


def test_the_amount_of_the_opening_grant_can_be_specified(db: None) -> None:
    assert accounts.open_account(email="a@b.org", password=None, credits=7).personal_workspace.balance == 7
    assert accounts.open_account(email="c@d.org", password=None, credits=0).personal_workspace.balance == 0


def test_emails_that_differ_only_in_case_belong_to_one_account(alice: User) -> None:
    with pytest.raises(accounts.AccountExists, match=r"(?i)alice"):
        accounts.open_account(email="ALICE@example.org", password="x")
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "spelling", ["Zoe@Bücher.example", "zoe@xn--bcher-kva.example", "zoe@BU\u0308CHER.example"]
)
def test_one_address_has_one_account_in_any_spelling_of_its_domain(db: None, spelling: str) -> None:
    accounts.open_account(email="zoe@bücher.example", password="x")
    with pytest.raises(accounts.AccountExists, match=r"zoe@xn--bcher-kva\.example"):
        accounts.open_account(email=spelling, password="x")
    assert User.objects.with_email(spelling).get().email == "zoe@xn--bcher-kva.example"


def test_completing_an_account_twice_changes_nothing(alice: User) -> None:
    user = User.objects.create_user("fresh@example.org", "x")
    accounts.complete_account(user)
    accounts.complete_account(user)
    assert user.personal_workspace.balance == 400
    assert user.memberships.count() == 1


def test_only_one_owner_account_can_be_created_and_it_is_a_superuser(db: None) -> None:
    owner = accounts.create_owner(email="owner@example.org", password="x")
    assert owner.is_superuser
    assert owner.is_staff
    with pytest.raises(accounts.OwnerExists):
        accounts.create_owner(email="second@example.org", password="x")


def test_a_key_has_the_published_form_and_only_its_digest_is_kept(alice: User) -> None:
    key, secret = accounts.create_api_key(cast.actor_of(alice), name="laptop")
    assert re.fullmatch(r"drk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}", secret)
    assert secret[4:12] == key.public_id
    assert key.digest == accounts.digest_of(secret)
    assert secret not in str(vars(key))
    number = 0
    for digit in secret[-6:]:
        number = number * 62 + accounts.BASE62.index(digit)
    assert number == zlib.crc32(secret[:-6].encode())


def test_two_keys_are_never_alike(alice: User) -> None:
    made = {accounts.create_api_key(cast.actor_of(alice), name="k")[1] for _ in range(20)}
    assert len(made) == 20


def test_a_key_authenticates_as_its_user_in_its_workspace(alice: User, bob: User, team: Workspace) -> None:
    key, secret = accounts.create_api_key(cast.actor_of(bob, team), name="k")
    actor = accounts.authenticate_key(secret)
    assert (actor.user, actor.workspace, actor.role, actor.entry_point) == (bob, team, "editor", "api")
    assert actor.key == key


@pytest.mark.parametrize("text", ["", "drk_", "drk_12345678_" + "A" * 38, "\ud800", "\x00", "x" * 10_000])
def test_an_invalid_key_is_refused(db: None, text: str) -> None:
    with pytest.raises(accounts.KeyRefused):
        accounts.authenticate_key(text)


def test_only_its_user_or_an_owner_can_revoke_a_key_and_only_once(
    alice: User, bob: User, viewer: User, team: Workspace
) -> None:
    def revoked(key: ApiKey) -> bool:
        key.refresh_from_db()
        return key.revoked is not None

    of_alice, of_bob = (
        accounts.create_api_key(cast.actor_of(user, team), name="k")[0] for user in (alice, bob)
    )
    for stranger in (cast.actor_of(bob, team), cast.actor_of(viewer, team), cast.actor_of(bob)):
        with pytest.raises(Forbidden):
            accounts.revoke_key(stranger, of_alice)
    assert not revoked(of_alice)
    # Alice owns the workspace, so she may revoke bob's key.
    accounts.revoke_key(cast.actor_of(alice, team), of_bob)
    # This is alice's own key, so she may revoke it anywhere.
    accounts.revoke_key(cast.actor_of(alice), of_alice)
    assert revoked(of_bob)
    assert revoked(of_alice)
    first = of_bob.revoked
    accounts.revoke_key(cast.actor_of(bob, team), of_bob)
    of_bob.refresh_from_db()
    assert of_bob.revoked == first
