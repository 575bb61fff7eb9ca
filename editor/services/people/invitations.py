"""Invitations to a team, which people can accept with or without an existing account.

An invitation is valid as long as its creator may still invite people. A conditional UPDATE counts each use,
so that two people cannot both claim the last use.
"""

import logging
import secrets
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.models import Action, AuditEntry, Invitation, Membership, User, Workspace
from editor.models.accounts import normalized_email
from editor.services.core import audit, links, rates
from editor.services.core.access import Actor, Right, user_has_right
from editor.services.core.emails import mailbox_digest, name_in_mail, render_mail, workspace_in_mail
from editor.services.people import accounts, members

logger = logging.getLogger(__name__)
Role = Membership.Role

ROLES = (Role.EDITOR, Role.VIEWER, Role.ADMIN)
SHARED_ROLES = (Role.EDITOR, Role.VIEWER)
MAX_DAYS, MAX_SHARED_DAYS = 30, 7
MAX_USES, MAX_OPEN = 100, 100
ADDRESS_RETENTION = timedelta(days=30)  # how long the email address stays after the invitation has ended
FAILURES_PER_MINUTE = 30


class InvitationRefused(Exception):
    """Raised when an invitation cannot be created or this person cannot accept it.

    The exception's message is shown to users.
    """


class InvitationGone(Exception):
    """Raised when an invitation is used up, has expired, was revoked, or never existed."""


def invite(
    actor: Actor | None,
    workspace: Workspace,
    *,
    role: Role,
    email: str = "",
    uses: int = 1,
    days: int = MAX_SHARED_DAYS,
) -> Invitation:
    """Create an invitation to the team.

    `actor` is None if a command creates the invitation. An invitation for an email address can be accepted
    only once, and only by the account with that address. If the site can send email, such an invitation
    counts toward the daily limits. Raises NotFound for a personal workspace. Also raises InvitationRefused
    and Forbidden. In all these cases, nothing has been written.
    """
    members.require_team(workspace)
    if actor is not None:
        actor.require(Right.MANAGE_MEMBERS)
    email = normalized_email(email)
    wrong = _validation_error(role=role, email=email, uses=uses, days=days)
    if wrong:
        raise InvitationRefused(wrong)
    seed = secrets.token_hex(16)
    with transaction.atomic():
        # Lock the workspace, so that simultaneous requests cannot exceed the maximum number of invitations.
        Workspace.objects.locked().get(pk=workspace.pk)
        _require_room(workspace, email)
        if actor is not None and is_to_be_mailed(email):
            _count_mail(actor, email)
        invitation = Invitation.objects.create(
            workspace=workspace,
            made_by=actor.user if actor else None,
            role=role,
            email=email,
            seed=seed,
            digest=links.digest_of(links.invitation_token(seed)),
            uses=uses,
            expires=timezone.now() + timedelta(days=days),
        )
        detail: audit.Detail = {"role": role.value, "uses": uses, "days": days}
        audit.record(actor or "command", Action.INVITED, subject=invitation, detail=detail)
    return invitation


def is_to_be_mailed(email: str) -> bool:
    """Check whether an invitation for this email address, which may be empty, will be sent by email."""
    return bool(email and settings.EMAIL_URL)


def send(invitation: Invitation, *, site: str) -> None:
    """Send the link to the invitation's email address.

    From then on, the link is not shown to anyone else. If the mail server rejects the email, the invitation
    is revoked and InvitationRefused is raised.
    """
    try:
        letter = _letter_context(invitation, site)
        render_mail("invitation", letter, invitation.email, button=gettext_lazy("Join the team")).send()
    except (OSError, ValueError):  # network errors, errors from smtplib, and invalid addresses
        logger.exception("An invitation could not be sent.")
        Invitation.objects.filter(pk=invitation.pk).update(revoked=timezone.now())
        raise InvitationRefused(
            _("The email could not be sent. Try again later, or leave the address empty and copy the link.")
        ) from None
    Invitation.objects.filter(pk=invitation.pk).update(is_mailed=True)


def revoke(actor: Actor, invitation: Invitation) -> None:
    """Revoke an invitation. A second call has no effect. Raises Forbidden."""
    actor.require(Right.MANAGE_MEMBERS)
    own = Invitation.objects.filter(pk=invitation.pk, workspace=actor.workspace, revoked=None)
    with transaction.atomic():
        if own.update(revoked=timezone.now()):
            audit.record(actor, Action.INVITATION_REVOKED, subject=invitation)


def delete_old_addresses() -> None:
    """Empty the email addresses of invitations that expired or were revoked long ago.

    Workspaces under a legal hold are skipped.
    """
    old = timezone.now() - ADDRESS_RETENTION
    ended = Invitation.objects.filter(Q(expires__lt=old) | Q(revoked__lt=old), workspace__held_since=None)
    ended.exclude(email="").update(email="")


def open_invitations(workspace: Workspace) -> QuerySet[Invitation]:
    """Return the valid invitations of a team, newest first."""
    return _valid().filter(workspace=workspace).order_by("-id")


def link_of(invitation: Invitation, *, site: str) -> str:
    """Return the invitation's URL, or an empty string if the invitation was sent by email.

    A link that was sent by email is known only to its recipient.
    """
    is_ours = invitation.digest == links.digest_of(links.invitation_token(invitation.seed))
    return site + _path(invitation) if is_ours and not invitation.is_mailed else ""


def find(token: str, *, attempt: str) -> Invitation:
    """Return the valid invitation that has this token.

    Failed attempts are counted under `attempt`, the visitor's network address. Raises InvitationGone and
    rates.TooManyAttempts.
    """
    invitations = _valid().filter(digest=links.digest_of(token)).select_related("workspace", "made_by")
    found = rates.look_up_secret(f"join:{attempt}", invitations.first, limit=FAILURES_PER_MINUTE)
    if found is None:
        raise InvitationGone
    return found


def team_of_member(token: str, user: User) -> Workspace | None:
    """Return the team of the invitation that has this token, valid or not, if the user is a member of it."""
    teams = Workspace.objects.filter(memberships__user=user)
    return teams.filter(invitations__digest=links.digest_of(token)).first()


def accept(invitation: Invitation, user: User) -> None:
    """Make the user a member. An existing member keeps their role and does not use up the invitation.

    Raises InvitationGone if the invitation is no longer valid. Also raises it if the user has left or was
    removed since the invitation was created. Otherwise, users could change their role and remove their cap by
    leaving and rejoining. Raises InvitationRefused if the invitation is for an email address and the user's
    account has a different one.
    """
    if not invitation.is_for(user.email):
        raise InvitationRefused(
            _("This invitation is for %(email)s. Sign in with that account.") % {"email": invitation.email}
        )
    with transaction.atomic():
        workspace = Workspace.objects.locked().get(pk=invitation.workspace_id)
        if not Membership.objects.filter(workspace=workspace, user=user).exists():
            left = AuditEntry.objects.filter(action=Action.MEMBER_REMOVED, workspace=workspace)
            left = left.filter(subject_kind="user", subject_id=str(user.pk), created__gt=invitation.created)
            if left.exists() or not _valid().filter(pk=invitation.pk).update(used=F("used") + 1):
                raise InvitationGone
            Membership.objects.create(workspace=workspace, user=user, role=invitation.role)
            detail: audit.Detail = {"role": invitation.role, "invitation": invitation.pk}
            audit.record(user, Action.MEMBER_ADDED, subject=user, workspace=workspace, detail=detail)


def accepts_new_accounts() -> bool:
    return settings.SIGNUP != "closed"


def accept_with_new_account(invitation: Invitation, *, email: str, password: str) -> User:
    """Create an account and its membership in the team, in one transaction.

    The account gets no credits unless CREDITS_BY_INVITATION is set. The email address counts as verified only
    if the invitation was sent to it. Raises AccountExists, InvitationGone, and InvitationRefused.
    """
    if not accepts_new_accounts():
        raise InvitationRefused(
            _("This site does not accept new accounts. Sign in with your existing account.")
        )
    if not invitation.is_for(email):
        raise InvitationRefused(
            _("This invitation is for %(email)s. Use that address.") % {"email": invitation.email}
        )
    user = User.objects.build_user(email, password)
    with transaction.atomic():
        accounts.save_account(user, credits=0, is_verified=invitation.is_mailed)
        if settings.CREDITS_BY_INVITATION:
            accounts.grant_signup_credits(user)
        accept(invitation, user)
    return user


def _validation_error(*, role: Role, email: str, uses: int, days: int) -> str:
    """Return the reason why an invitation with these values is not allowed, or an empty string."""
    wrong = ""
    if role not in ROLES:
        wrong = _("You can't invite an owner. Invite an admin, then hand the team over.")
    elif not 1 <= uses <= MAX_USES:
        wrong = _("A link can be for 1 to %(most)s people.") % {"most": MAX_USES}
    elif not 1 <= days <= MAX_DAYS:
        wrong = _("An invitation can be valid for 1 to %(most)s days.") % {"most": MAX_DAYS}
    elif uses > 1 and email:
        wrong = _("An invitation to an email address is for one person.")
    elif uses > 1 and role not in SHARED_ROLES:
        wrong = _(
            "A link for several people can only invite editors or viewers. Invite admins one at a time."
        )
    elif uses > 1 and days > MAX_SHARED_DAYS:
        wrong = _("A link for several people can be valid for at most %(most)s days.") % {
            "most": MAX_SHARED_DAYS
        }
    return wrong


def _require_room(workspace: Workspace, email: str) -> None:
    if email and workspace.memberships.filter(user__email__iexact=email).exists():
        raise InvitationRefused(_("%(email)s is already a member.") % {"email": email})
    if open_invitations(workspace).count() >= MAX_OPEN:
        raise InvitationRefused(
            _("This team already has %(most)s open invitations. Revoke one first.") % {"most": MAX_OPEN}
        )


def _count_mail(actor: Actor, email: str) -> None:
    """Count one email for the inviter, the team, and the recipient.

    If one of the three has reached its limit for today, counts nothing and raises InvitationRefused.
    """
    refusals = {
        f"invitations-by:{actor.user.pk}": (
            settings.INVITATIONS_PER_USER,
            _("You have reached today's limit of %(most)s invitations by email."),
        ),
        f"invitations-in:{actor.workspace.pk}": (
            settings.INVITATIONS_PER_TEAM,
            _("This team has reached today's limit of %(most)s invitations by email."),
        ),
        f"invitations-to:{mailbox_digest(email)}": (
            settings.INVITATIONS_PER_ADDRESS,
            _("Today's limit of %(most)s invitations to %(email)s is reached."),
        ),
    }
    try:
        rates.count_today({name: most for name, (most, _sentence) in refusals.items()})
    except rates.DayLimitReached as error:
        most, sentence = refusals[error.name]
        advice = _("Leave the address empty and copy the link, or try again tomorrow.")
        raise InvitationRefused(f"{sentence % {'most': most, 'email': email}} {advice}") from None


def _letter_context(invitation: Invitation, site: str) -> dict[str, object]:
    maker = invitation.made_by
    return {
        "invitation": invitation,
        "team": workspace_in_mail(invitation.workspace),
        "person": maker and (name_in_mail(maker.name) or maker.email),
        "address": site + _path(invitation),
    }


def _valid() -> QuerySet[Invitation]:
    """Return the valid invitations. Invitations from removed or demoted members are not valid."""
    may_invite = user_has_right(Right.MANAGE_MEMBERS, user="made_by", workspace="workspace")
    return Invitation.objects.filter(
        Q(made_by=None) | may_invite, revoked=None, expires__gt=timezone.now(), used__lt=F("uses")
    )


def _path(invitation: Invitation) -> str:
    return reverse("join", args=[links.invitation_token(invitation.seed)])
