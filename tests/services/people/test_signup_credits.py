"""Tests that nobody gets unlimited sign-up credits.

Users could try to invite their own accounts or to sign up again.
"""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from allauth.account.models import EmailAddress

from editor.models import CreditEntry, FormerAddress, User, Workspace
from editor.services.billing import credits
from editor.services.core import links
from editor.services.maintenance import invariants
from editor.services.people import accounts, closing, identities, invitations, members
from editor.services.people.identities import Identity
from tests import clock
from tests.cast import PASSWORD, actor_of, assert_ledger_balances
from tests.services.billing.test_caps import send

pytestmark = pytest.mark.django_db
NEW = "new@example.org"
NOVEMBER, DECEMBER = (datetime(2026, month, 1, tzinfo=UTC) for month in (11, 12))


def join_by_link(inviter: User, team: Workspace, email: str = NEW, *, is_mailed: bool = False) -> User:
    """Create an account with an invitation whose link was either copied or sent by email."""
    address = email if is_mailed else ""
    invitation = invitations.invite(
        actor_of(inviter, team), team, role=invitations.Role.EDITOR, email=address
    )
    if is_mailed:
        invitations.send(invitation, site="https://photos.example.org")
    found = invitations.find(links.invitation_token(invitation.seed), attempt="1.2.3.4")
    return invitations.accept_with_new_account(found, email=email, password=PASSWORD)


def sign_up_by_oidc(email: str = NEW) -> User:
    subject = f"{email} {User.objects.count()}"
    return identities.admit(Identity(subject, email, True, "Nora", ()))


def balance(user: User) -> int:
    return Workspace.objects.get(personal_user=user).balance


def monthly_grants(user: User) -> list[str]:
    entries = user.personal_workspace.credit_entries.filter(reference__startswith="allowance-")
    return list(entries.order_by("id").values_list("reference", flat=True))


# Invitations


@pytest.mark.parametrize("signup", ["invite", "open"])
@pytest.mark.parametrize("is_mailed", [False, True])
def test_an_invited_account_gets_no_opening_credits(
    alice: User, team: Workspace, settings: Any, signup: str, is_mailed: bool
) -> None:
    settings.SIGNUP = signup
    user = join_by_link(alice, team, is_mailed=is_mailed)
    assert balance(user) == 0
    assert not user.personal_workspace.credit_entries.exists()


def test_an_invited_member_works_with_the_credits_of_the_team(alice: User, team: Workspace) -> None:
    user = join_by_link(alice, team)
    send(actor_of(user, team))
    team.refresh_from_db()
    assert (team.balance, team.held) == (400, 40)
    with pytest.raises(credits.InsufficientCredits):
        send(actor_of(user))
    assert invariants.find_violations(with_files=False) == []


def test_inviting_invented_addresses_yields_no_credits(charlie: User, settings: Any) -> None:
    """Without a limit, a user could get 40,000 credits from 100 invented addresses.

    In addition, each account would get MONTHLY_CREDITS every month.
    """
    settings.MONTHLY_CREDITS = 400
    team = members.create_team(charlie, name="Mine alone")
    invented = [join_by_link(charlie, team, f"invented{number}@example.org") for number in range(10)]
    for user in invented:
        members.create_team(user, name="And another")
    credits.top_up_all()
    own = [
        credits_of for user in invented for credits_of in user.workspaces.values_list("balance", flat=True)
    ]
    assert set(own) == {0}
    assert team.balance == 0


def test_a_setting_allows_credits_by_invitation(alice: User, team: Workspace, settings: Any) -> None:
    settings.CREDITS_BY_INVITATION, settings.MONTHLY_CREDITS = True, 450
    user = join_by_link(alice, team)
    assert balance(user) == 400
    credits.top_up_all()
    assert balance(user) == user.personal_workspace.monthly_credits == 450
    assert_ledger_balances(user.personal_workspace)


# Tests for email addresses


def test_monthly_credits_are_for_people_with_a_verified_address(
    alice: User, team: Workspace, settings: Any
) -> None:
    settings.MONTHLY_CREDITS = 450
    copied = join_by_link(alice, team)
    mailed = join_by_link(alice, team, "mailed@example.org", is_mailed=True)
    with clock.at(NOVEMBER):
        credits.top_up_all()
        with pytest.raises(credits.InsufficientCredits):
            send(actor_of(copied))  # The first edit of a month usually tops up the workspace, but not here.
        send(actor_of(mailed))
    assert (balance(copied), balance(mailed), balance(alice)) == (0, 450, 450)
    assert copied.personal_workspace.monthly_credits == 0
    assert mailed.personal_workspace.monthly_credits == 450


def test_accounts_created_by_the_operator_get_their_grants(settings: Any, db: None) -> None:
    settings.MONTHLY_CREDITS = 450
    owner = accounts.create_owner(email="owner@example.org", password=PASSWORD)
    user = accounts.open_account(email=NEW, password=PASSWORD, credits=10, by="command")
    assert (balance(owner), balance(user)) == (400, 10)
    credits.top_up_all()
    assert (balance(owner), balance(user)) == (450, 450)


def test_linking_an_oidc_identity_verifies_the_email_of_an_account(
    alice: User, team: Workspace, settings: Any
) -> None:
    """The account was created through an invitation. It now gets MONTHLY_CREDITS, but no opening credits."""
    settings.MONTHLY_CREDITS = 120
    user = join_by_link(alice, team)
    identities.link_identity(user, Identity("n", NEW, True, "Nora", ()))
    assert EmailAddress.objects.get(user=user).verified
    assert balance(user) == 0
    credits.top_up_all()
    assert balance(user) == 120


def test_an_account_created_by_oidc_gets_its_credits_once(settings: Any, db: None) -> None:
    settings.SIGNUP = "open"
    user = sign_up_by_oidc()
    assert balance(user) == 400
    accounts.grant_awaited_credits(user, former=user.email)
    assert balance(user) == 400
    assert_ledger_balances(user.personal_workspace)


def test_an_invited_account_created_by_oidc_gets_credits_because_its_address_is_verified(
    alice: User, team: Workspace, settings: Any
) -> None:
    settings.SIGNUP = "invite"
    invitation = invitations.invite(actor_of(alice, team), team, role=invitations.Role.EDITOR, email=NEW)
    user = identities.admit(Identity("nora", NEW, True, "Nora", ()), invitation)
    assert (balance(user), user.workspaces.filter(pk=team.pk).exists()) == (400, True)


# Tests for closing an account and signing up again


def test_signing_up_again_after_closing_an_account_gives_no_second_grant(settings: Any, db: None) -> None:
    settings.SIGNUP = "open"
    for expected in (400, 0, 0):
        user = sign_up_by_oidc("Nora@example.org")
        assert balance(user) == expected
        closing.close_account(user)
    assert invariants.find_violations(with_files=False) == []


def test_closing_an_account_and_joining_again_gives_one_allowance_a_month(
    alice: User, team: Workspace, settings: Any
) -> None:
    settings.MONTHLY_CREDITS = 450
    with clock.at(NOVEMBER):
        first = join_by_link(alice, team, is_mailed=True)
        credits.top_up_all()
        assert monthly_grants(first) == ["allowance-2026-11"]
        closing.close_account(first)
        second = join_by_link(alice, team, is_mailed=True)
        credits.top_up_all()
        assert monthly_grants(second) == []
    with clock.at(DECEMBER):
        credits.top_up_all()
    assert monthly_grants(second) == ["allowance-2026-12"]


def test_a_former_email_of_an_account_gives_no_second_grant(settings: Any, db: None) -> None:
    """A user who has two mailboxes must not collect grants by switching between them."""
    settings.SIGNUP = "open"
    user = sign_up_by_oidc("first@example.org")
    User.objects.filter(pk=user.pk).update(email="second@example.org")
    EmailAddress.objects.filter(user=user).update(email="second@example.org")
    user.refresh_from_db()
    accounts.grant_awaited_credits(user, former="first@example.org")
    assert balance(sign_up_by_oidc("first@example.org")) == 0
    closing.close_account(user)
    assert balance(sign_up_by_oidc("second@example.org")) == 0
    assert CreditEntry.objects.filter(kind="grant").count() == 1


def test_a_user_who_never_had_credits_gets_them_at_a_later_sign_up(
    alice: User, team: Workspace, settings: Any
) -> None:
    settings.SIGNUP = "open"
    closing.close_account(join_by_link(alice, team))
    assert not FormerAddress.objects.exists()
    assert balance(sign_up_by_oidc()) == 400


def test_the_operator_can_grant_credits_to_a_former_email(settings: Any, db: None) -> None:
    for _ in range(2):
        user = accounts.open_account(email=NEW, password=PASSWORD, credits=70, by="command")
        assert balance(user) == 70
        closing.close_account(user)


def test_a_former_address_is_kept_as_a_digest(alice: User) -> None:
    Workspace.objects.filter(personal_user=alice).update(topped_up=date(2026, 11, 1))
    alice.refresh_from_db()
    closing.close_account(alice)
    kept = FormerAddress.objects.values().get()
    assert "alice" not in str(kept)
    assert (len(kept["digest"]), kept["topped_up"]) == (64, date(2026, 11, 1))
