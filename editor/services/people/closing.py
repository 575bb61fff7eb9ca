"""Close accounts and teams, with a preview of the consequences.

Closing is one transaction, after which nobody can sign in. Then the workspaces are wound up: running edits
are cancelled, all edits are moved to the trash, recipes lose their photos, and free credits are forfeited.
Housekeeping winds up whatever remains after a crash or after a submission that was in progress.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from editor.models import (
    Action,
    ApiKey,
    Edit,
    Export,
    Favorite,
    Invitation,
    Membership,
    Recipe,
    User,
    WebhookEndpoint,
    Workspace,
)
from editor.services.billing import credits
from editor.services.core import audit
from editor.services.core.access import Actor, Right
from editor.services.editing import lifecycle
from editor.services.library import recipes
from editor.services.maintenance import trash
from editor.services.people import blocks, former_addresses, members
from editor.services.photos import drafts

FORMER_MEMBER = gettext_noop("A former member")
FORFEITED = gettext_noop("Credits left when the workspace was closed")
Role = Membership.Role


class MayNotClose(Exception):
    """Raised when other people still need this account.

    The exception's message says what must be done first.
    """


@dataclass(frozen=True)
class ClosurePreview:
    """A preview of what happens when an account or a team is closed.

    Workspaces in `closing` will be closed. Workspaces in `to_hand_over` would have no owner left. Workspaces
    in `remaining` continue with their other members and keep all edits.
    """

    closing: list[Workspace]
    to_hand_over: list[Workspace]
    remaining: list[Workspace]
    edits: int
    running: int
    credits: int

    @property
    def teams(self) -> list[Workspace]:
        return [workspace for workspace in self.closing if workspace.is_team]

    @property
    def is_on_hold(self) -> bool:
        return any(workspace.is_on_hold for workspace in self.closing)


def preview_account_closure(user: User) -> ClosurePreview:
    """Return what `close_account` would do. Uses a constant number of queries."""
    others = Membership.objects.filter(workspace=OuterRef("pk"), user__is_active=True).exclude(user=user)
    mine = Workspace.objects.filter(memberships__user=user).order_by("pk")
    owned = mine.filter(memberships__user=user, memberships__role=Role.OWNER)
    alone = list(owned.exclude(Exists(others)))
    needed = list(owned.filter(Exists(others)).exclude(Exists(others.filter(role=Role.OWNER))))
    staying = list(mine.exclude(pk__in=[workspace.pk for workspace in (*alone, *needed)]))
    return _preview(alone, to_hand_over=needed, staying=staying)


def preview_team_closure(actor: Actor) -> ClosurePreview:
    """Return what `close_team` would do.

    Raises NotFound for a personal workspace. Also raises Forbidden.
    """
    actor.require(Right.CLOSE)
    members.require_team(actor.workspace)
    return _preview([actor.workspace])


def close_account(user: User) -> None:
    """Close an account, its personal workspace, and the teams that have no other members.

    The user's row remains, but without anything that identifies the person. Raises MayNotClose.
    """
    sessions = _sessions_of(user)  # Reading all sessions takes long, so it is not part of the transaction.
    with transaction.atomic():
        places = Membership.objects.filter(user=user).values("workspace")
        list(Workspace.objects.locked().filter(pk__in=places).order_by("pk"))
        preview = preview_account_closure(user)
        _require_closable(user, preview)
        _close(user, preview.closing)
        for workspace in preview.remaining:
            members.end_membership(workspace, user)
        former_addresses.remember(user, user.email)
        _anonymize(user)
        Session.objects.filter(pk__in=sessions).delete()
        audit.record(user, Action.ACCOUNT_CLOSED, subject=user)
    drafts.discard_all(user.drafts.all())
    for workspace in preview.closing:
        wind_up(workspace)


def close_team(actor: Actor) -> None:
    """Close a team for all its members. Raises the same exceptions as `members.locked_team`."""
    with members.locked_team(actor, Right.CLOSE):
        _close(actor, [actor.workspace])
    wind_up(actor.workspace)


def wind_up(workspace: Workspace) -> None:
    """Cancel a closed workspace's open edits, move its edits to the trash, and forfeit its free credits.

    A second call has no effect.
    """
    for edit in workspace.edits.open().select_related("owner"):
        lifecycle.cancel(Actor(edit.owner, workspace, Role.OWNER, entry_point="command"), edit)
    trash.move(workspace.edits.all(), by=None)
    trash.unhide_all(workspace)
    recipes.purge_deleted()
    with transaction.atomic():
        locked = Workspace.objects.locked().get(pk=workspace.pk)
        if locked.free_credits:
            credits.correct(None, locked, amount=-locked.free_credits, reason=FORFEITED)


def wind_up_all() -> None:
    """Finish closing all closed workspaces that still have visible edits or credits."""
    left = Exists(Edit.objects.not_in_trash().filter(workspace=OuterRef("pk"), purged=None))
    for workspace in Workspace.objects.filter(Q(balance__gt=0) | left, closed__isnull=False):
        wind_up(workspace)


def _preview(
    closing: list[Workspace], *, to_hand_over: Iterable[Workspace] = (), staying: Iterable[Workspace] = ()
) -> ClosurePreview:
    edits: QuerySet[Edit] = Edit.objects.not_in_trash().filter(workspace__in=closing)
    return ClosurePreview(
        closing=closing,
        to_hand_over=list(to_hand_over),
        remaining=list(staying),
        edits=edits.count(),
        running=edits.exclude(state__in=Edit.TERMINAL).count(),
        credits=sum(workspace.balance for workspace in closing),
    )


def _require_closable(user: User, preview: ClosurePreview) -> None:
    if preview.to_hand_over:
        names = ", ".join(workspace.name for workspace in preview.to_hand_over)
        raise MayNotClose(
            _("Other people depend on you as the only owner. Hand over %(names)s first.") % {"names": names}
        )
    if blocks.is_only_superuser(user):
        raise MayNotClose(str(blocks.ONLY_SUPERUSER))


def _close(by: audit.AuditActor, workspaces: Iterable[Workspace]) -> None:
    now = timezone.now()
    for workspace in workspaces:
        name = workspace.name if workspace.is_team else "A closed account"
        ApiKey.objects.filter(workspace=workspace, revoked=None).update(revoked=now)
        WebhookEndpoint.objects.filter(workspace=workspace, removed=None).update(removed=now)
        Invitation.objects.filter(workspace=workspace, revoked=None).update(revoked=now)
        Recipe.objects.filter(workspace=workspace, deleted=None).update(deleted=now)
        Membership.objects.filter(workspace=workspace).delete()
        Workspace.objects.filter(pk=workspace.pk).update(closed=now, allowance=0, name=name)
        audit.record(by, Action.WORKSPACE_CLOSED, subject=workspace)


def _anonymize(user: User) -> None:
    for model in (EmailAddress, Authenticator, SocialAccount, Favorite):
        model._default_manager.filter(user=user).delete()
    user.groups.clear()
    user.user_permissions.clear()
    user.api_keys.update(name="")
    Export.objects.filter(user=user).update(expires=timezone.now())
    Recipe.objects.private_to(user.pk).update(deleted=timezone.now())
    nobody = f"closed-{user.pk}@closed.invalid"
    to_them = Invitation.objects.filter(email__iexact=user.email)
    to_them.update(email=nobody, revoked=Coalesce("revoked", timezone.now()))
    # The Django admin's log identifies people, and personal workspaces, by their email addresses.
    about = Q(content_type__model="user", object_id=str(user.pk)) | Q(object_repr=user.email)
    about |= Q(content_type__model="workspace", object_id=str(user.personal_workspace.pk))
    LogEntry.objects.filter(about).update(object_repr=nobody)
    user.email, user.name, user.language, user.time_zone = nobody, FORMER_MEMBER, "", ""
    user.is_active = user.is_staff = user.is_superuser = user.owns_site = False
    user.set_unusable_password()  # Changing the password ends all sessions.
    user.save()


def _sessions_of(user: User) -> list[str]:
    """Return the keys of the user's sessions, which contain the email address.

    Only the content of a session names its user.
    """
    own = str(user.pk)
    return [one.pk for one in Session.objects.iterator() if one.get_decoded().get(SESSION_KEY) == own]
