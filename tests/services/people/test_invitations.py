"""Tests for invitations: recipients, number of uses, expiration, and inviters who lose their rights."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.db import IntegrityError, transaction
from django.utils import timezone

from editor.models import Action, AuditEntry, Invitation, Membership, RateCount, User, Workspace
from editor.services.core import links, rates
from editor.services.core.errors import Forbidden
from editor.services.people import accounts, invitations, members
from tests.cast import PASSWORD, actor_of

pytestmark = pytest.mark.django_db
Role = Membership.Role
SITE = "https://photos.example.org"


def invited(user: User, team: Workspace, **wanted: Any) -> Invitation:
    return invitations.invite(actor_of(user, team), team, **{"role": Role.EDITOR, **wanted})


def token_of(invitation: Invitation) -> str:
    return links.invitation_token(invitation.seed)


def found(invitation: Invitation) -> Invitation:
    return invitations.find(token_of(invitation), attempt="1.2.3.4")


def test_a_user_with_the_link_joins_with_its_role(alice: User, charlie: User, team: Workspace) -> None:
    invitation = invited(alice, team, role=Role.VIEWER)
    invitations.accept(found(invitation), charlie)
    assert Membership.objects.get(user=charlie, workspace=team).role == "viewer"
    with pytest.raises(invitations.InvitationGone):
        found(invitation)


@pytest.mark.parametrize(("days", "is_kept"), [(29, True), (31, False)])
@pytest.mark.parametrize("end", ["expires", "revoked"])
def test_the_address_of_an_invitation_is_deleted_a_month_after_its_end(
    alice: User, team: Workspace, end: str, days: int, is_kept: bool
) -> None:
    ended, valid = (invited(alice, team, email=f"{name}@example.org") for name in ("ended", "valid"))
    Invitation.objects.filter(pk=ended.pk).update(**{end: timezone.now() - timedelta(days=days)})
    invitations.delete_old_addresses()
    left = [Invitation.objects.get(pk=one.pk).email for one in (ended, valid)]
    assert left == ["ended@example.org" if is_kept else "", "valid@example.org"]


def test_a_legal_hold_keeps_the_addresses_of_invitations(alice: User, team: Workspace) -> None:
    ended = invited(alice, team, email="ended@example.org")
    Invitation.objects.update(expires=timezone.now() - timedelta(days=31))
    Workspace.objects.update(held_since=timezone.now())
    invitations.delete_old_addresses()
    ended.refresh_from_db()
    assert ended.email == "ended@example.org"


def test_the_token_is_not_stored_in_the_database(alice: User, team: Workspace) -> None:
    invitation = invited(alice, team)
    kept = Invitation.objects.values().get()
    assert token_of(invitation) not in str(kept)
    assert invitations.link_of(invitation, site=SITE) == f"{SITE}/join/{token_of(invitation)}/"


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"role": Role.OWNER}, "You can't invite an owner"),
        ({"uses": 0}, "1 to 100 people"),
        ({"uses": 101}, "1 to 100 people"),
        ({"days": 0}, "1 to 30 days"),
        ({"days": 31}, "1 to 30 days"),
        ({"uses": 2, "email": "new@example.org"}, "for one person"),
        ({"uses": 2, "role": Role.ADMIN}, "editors or viewers"),
        ({"uses": 2, "days": 8}, "at most 7 days"),
        ({"email": "Bob@example.org"}, "is already a member"),
    ],
)
def test_an_invalid_invitation_is_refused_with_a_message(
    alice: User, bob: User, team: Workspace, wanted: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(invitations.InvitationRefused, match=sentence):
        invited(alice, team, **wanted)
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(
    "bad",
    [{"used": 2}, {"role": "owner"}, {"uses": 2, "role": "admin"}, {"uses": 2, "email": "a@example.org"}],
)
def test_the_database_refuses_an_invalid_invitation(
    alice: User, team: Workspace, bad: dict[str, Any]
) -> None:
    invitation = invited(alice, team)
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.filter(pk=invitation.pk).update(**bad)


@pytest.mark.parametrize("role", [Role.EDITOR, Role.VIEWER])
def test_editors_and_viewers_cannot_invite(alice: User, bob: User, team: Workspace, role: Role) -> None:
    members.set_role(team, bob, role)
    with pytest.raises(Forbidden):
        invited(bob, team)


def test_a_link_for_two_lets_two_in(alice: User, charlie: User, staff: User, team: Workspace) -> None:
    invitation = invited(alice, team, uses=2)
    for user in (charlie, charlie, staff):  # A second use by the same member is not counted.
        invitations.accept(invitation, user)
    assert Invitation.objects.get().used == 2
    assert not invitations.open_invitations(team)


@pytest.mark.parametrize("how", ["expired", "revoked", "its maker removed", "its maker demoted", "closed"])
def test_an_invalidated_invitation_cannot_be_used(
    alice: User, bob: User, charlie: User, team: Workspace, how: str
) -> None:
    members.set_role(team, bob, Role.ADMIN)
    invitation = found(invited(bob, team))
    if how == "expired":
        Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    elif how == "revoked":
        invitations.revoke(actor_of(alice, team), invitation)
    elif how == "its maker removed":
        members.end_membership(team, bob)
    elif how == "its maker demoted":
        members.set_role(team, bob, Role.EDITOR)
    else:
        User.objects.filter(pk=bob.pk).update(is_active=False)
    for use in (lambda: found(invitation), lambda: invitations.accept(invitation, charlie)):
        with pytest.raises(invitations.InvitationGone):
            use()
    assert not Membership.objects.filter(user=charlie, workspace=team).exists()


def test_an_invitation_for_an_email_is_only_for_that_account(
    alice: User, charlie: User, staff: User, team: Workspace
) -> None:
    invitation = invited(alice, team, email="Charlie@example.org")
    with pytest.raises(invitations.InvitationRefused, match=r"is for charlie@example\.org"):
        invitations.accept(invitation, staff)
    invitations.accept(invitation, charlie)
    assert Membership.objects.filter(user=charlie, workspace=team).exists()


@pytest.mark.parametrize("token", ["", "x", "ü" * 43, "a\x00b", "x" * 5000, "\ud800"])
def test_an_invalid_token_finds_no_invitation(db: None, token: str) -> None:
    with pytest.raises(invitations.InvitationGone):
        invitations.find(token, attempt="1.2.3.4")


@pytest.mark.usefixtures("new_minute")
def test_failed_attempts_are_limited_per_ip_address(alice: User, team: Workspace) -> None:
    invitation = invited(alice, team)
    for _ in range(invitations.FAILURES_PER_MINUTE + 1):
        with pytest.raises(invitations.InvitationGone):
            invitations.find("wrong", attempt="6.6.6.6")
    with pytest.raises(rates.TooManyAttempts):
        invitations.find(token_of(invitation), attempt="6.6.6.6")
    assert found(invitation) == invitation


def test_the_link_of_an_emailed_invitation_is_not_shown(alice: User, team: Workspace, settings: Any) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    invitation = invited(alice, team, email="new@example.org")
    invitations.send(invitation, site=SITE)
    invitation.refresh_from_db()
    assert invitations.link_of(invitation, site=SITE) == ""
    assert f"{SITE}/join/{token_of(invitation)}/" in mail.outbox[0].body
    assert mail.outbox[0].to == ["new@example.org"]


@pytest.mark.parametrize("error", [ConnectionRefusedError, ValueError("no address")])
def test_an_invitation_that_cannot_be_emailed_is_revoked(
    alice: User, team: Workspace, monkeypatch: Any, error: Exception
) -> None:
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(EmailMultiAlternatives, "send", fail)
    with pytest.raises(invitations.InvitationRefused, match="could not be sent"):
        invitations.send(invited(alice, team, email="new@example.org"), site=SITE)
    assert not invitations.open_invitations(team)


@pytest.mark.parametrize(("has_mail", "is_mailed"), [(False, False), (True, True), (True, False)])
def test_a_new_address_counts_as_verified_if_the_invitation_was_mailed_to_it(
    alice: User, team: Workspace, settings: Any, has_mail: bool, is_mailed: bool
) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org" if has_mail else ""
    invitation = invited(alice, team, email="new@example.org")
    if is_mailed:
        invitations.send(invitation, site=SITE)
    user = invitations.accept_with_new_account(found(invitation), email="new@example.org", password=PASSWORD)
    assert EmailAddress.objects.get(user=user).verified == is_mailed
    assert Membership.objects.filter(user=user, workspace=team).exists()


def test_no_account_is_created_if_the_invitation_is_used_up(
    alice: User, charlie: User, team: Workspace
) -> None:
    invitation = found(invited(alice, team))
    invitations.accept(invitation, charlie)
    with pytest.raises(invitations.InvitationGone):
        invitations.accept_with_new_account(invitation, email="new@example.org", password=PASSWORD)
    assert not User.objects.filter(email="new@example.org").exists()


def test_signing_up_with_an_existing_email_does_not_use_the_invitation(
    alice: User, charlie: User, team: Workspace
) -> None:
    invitation = found(invited(alice, team))
    with pytest.raises(accounts.AccountExists):
        invitations.accept_with_new_account(invitation, email="Charlie@example.org", password=PASSWORD)
    assert found(invitation).used == 0


@pytest.mark.parametrize("how", ["removed", "left"])
def test_a_former_member_can_return_only_with_a_new_invitation(
    alice: User, charlie: User, staff: User, team: Workspace, how: str
) -> None:
    """A removed member can't return with an old link, because this would remove their cap and change their
    role.
    """
    shared = invited(alice, team, uses=5)
    invitations.accept(found(shared), charlie)
    member = Membership.objects.get(user=charlie, workspace=team)
    members.change_role(actor_of(alice, team), member, role=Role.VIEWER)
    if how == "left":
        members.leave(actor_of(charlie, team))
    else:
        members.remove(actor_of(alice, team), member)
    with pytest.raises(invitations.InvitationGone):
        invitations.accept(found(shared), charlie)
    assert not Membership.objects.filter(user=charlie, workspace=team).exists()
    invitations.accept(found(shared), staff)
    shared.refresh_from_db()
    assert shared.used == 2
    invitations.accept(found(invited(alice, team)), charlie)
    assert Membership.objects.get(user=charlie, workspace=team).role == "editor"


def test_an_invitation_creates_no_account_if_sign_up_is_closed(
    alice: User, team: Workspace, settings: Any
) -> None:
    settings.SIGNUP = "closed"
    with pytest.raises(invitations.InvitationRefused, match="does not accept new accounts"):
        invitations.accept_with_new_account(invited(alice, team), email="n@example.org", password=PASSWORD)


def test_only_invitations_by_email_are_limited(alice: User, team: Workspace, settings: Any) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    settings.INVITATIONS_PER_USER = 1
    invited(alice, team, email="new@example.org")
    with pytest.raises(invitations.InvitationRefused, match=r"copy the link"):
        invited(alice, team, email="other@example.org")
    assert AuditEntry.objects.filter(action=Action.INVITED).count() == Invitation.objects.count() == 1
    assert invited(alice, team)
    settings.EMAIL_URL = ""
    assert invited(alice, team, email="other@example.org"), (
        "without a mail server, invitations are not limited because links are copied"
    )


def test_an_invitation_refused_for_another_reason_does_not_count(
    alice: User, team: Workspace, settings: Any
) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    with pytest.raises(invitations.InvitationRefused, match="is already a member"):
        invited(alice, team, email="bob@example.org")
    assert not RateCount.objects.exists()


def test_the_invitation_limit_applies_per_day(alice: User, team: Workspace, settings: Any) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    settings.INVITATIONS_PER_USER = 1
    with time_machine.travel("2026-05-04 00:00:30Z", tick=False) as clock:
        invited(alice, team, email="new@example.org")
        clock.move_to("2026-05-04 23:59Z")
        rates.delete_old_rates()
        with pytest.raises(invitations.InvitationRefused, match="invitations"):
            invited(alice, team, email="other@example.org")
        clock.move_to("2026-05-05 00:00Z")
        invited(alice, team, email="other@example.org")
        clock.move_to("2026-05-05 01:01Z")
        rates.delete_old_rates()
    assert set(RateCount.objects.values_list("window__day", flat=True)) == {5}


def test_no_counter_contains_an_address(alice: User, team: Workspace, settings: Any) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    invited(alice, team, email="new@example.org")
    names = list(RateCount.objects.values_list("name", flat=True))
    assert len(names) == 3
    assert not [name for name in names if "new" in name or "@" in name]


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("Your bank https://evil.example/path", "[Darkroom] Join Your bank"),
        ("evil.example", "[Darkroom] Join studio"),
        ("x" * 60, f"[Darkroom] Join {'x' * 39}…"),
    ],
)
def test_the_email_omits_urls_from_the_names_of_the_team_and_the_inviter(
    alice: User, team: Workspace, settings: Any, name: str, subject: str
) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    Workspace.objects.filter(pk=team.pk).update(name=name)
    User.objects.filter(pk=alice.pk).update(name="Alice www.evil.example")
    team.refresh_from_db()
    alice.refresh_from_db()
    invitations.send(invited(alice, team, email="new@example.org"), site=SITE)
    assert mail.outbox[0].subject == subject
    assert "evil.example" not in mail.outbox[0].body
    assert "Alice invited you" in mail.outbox[0].body
