"""Teams and their members.

A team always has an owner. To ensure this, every function that ends a membership or changes a role first
locks the workspace's row and then counts the owners.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Case, QuerySet, When
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from editor.models import (
    Action,
    ApiKey,
    AuditEntry,
    Edit,
    Invitation,
    Membership,
    Recipe,
    User,
    WebhookEndpoint,
    Workspace,
)
from editor.models.ids import random_slug
from editor.services.billing.credits import grant
from editor.services.core import audit
from editor.services.core.access import RIGHTS, Actor, Right, actor_in
from editor.services.core.errors import Forbidden, NotFound
from editor.services.editing import webhooks
from editor.services.maintenance import trash
from editor.services.sharing import shares

Role = Membership.Role

SLUG_LENGTH = 40
# Maximum length of a team's name, in characters.
MAX_NAME_LENGTH = 60
# Words that the site's URLs use now or may use later. If a team's name is one of these words, the team gets a
# longer slug.
_OUR_WORDS = """
    account accounts admin api apps assets auth batches billing blog comments contact credits
    darkroom demo docs drafts edit editor edits favicon healthz help history home ideas invitations
    invite join keys leave login logout mail mcp me media members metrics new old owner plan preview pricing
    readyz recipes robots root s search select settings setup share signin signup site start static status
    support system teams terms trash usage user users v1 w webhooks workspace workspaces www
"""
RESERVED_SLUGS = frozenset(_OUR_WORDS.split())


class LastOwner(Exception):
    """Raised when a team would be left without an owner."""

    def __init__(self) -> None:
        super().__init__(_("A team needs an owner. Make someone else an owner first."))


class TeamClosed(NotFound):
    """Raised when a user cannot join a team or get a different role in it, because the team is closed."""


class TeamsAreForStaff(Forbidden):
    """Raised when a user may not create teams, because only staff may do so on this site."""

    def __init__(self) -> None:
        super().__init__(
            _("Only administrators can create teams on this site. Ask an administrator for one.")
        )


class TooManyTeams(Exception):
    """Raised when a user has created TEAMS_PER_USER teams that are still open."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "You have created %(most)s teams that are still open, which is the maximum. Close one "
                "that nobody needs, or ask an administrator for another one."
            )
            % {"most": settings.TEAMS_PER_USER}
        )


def may_create_teams(user: User) -> bool:
    return settings.TEAMS_BY == "everybody" or user.is_staff


def create_team(
    owner: User,
    *,
    name: str,
    plan: Workspace.Plan | str = Workspace.Plan.FREE,
    credits: int = 0,
    by_command: bool = False,
) -> Workspace:
    """Create a team that this user owns and that has this number of `credits`.

    The slug is derived from the name. It is unique, even if two teams with the same name are created
    simultaneously. Raises TeamsAreForStaff and TooManyTeams.
    """
    if not (by_command or may_create_teams(owner)):
        raise TeamsAreForStaff
    for slug in _slugs(name):
        try:
            with transaction.atomic():
                if not (by_command or owner.is_staff):
                    _require_team_left(owner)
                team = Workspace.objects.create(name=name, slug=slug, plan=plan)
                Membership.objects.create(workspace=team, user=owner, role=Role.OWNER)
                audit.record("command" if by_command else owner, Action.TEAM_MADE, subject=team)
                if credits:
                    grant(
                        None, team, amount=credits, reason=gettext_noop("Opening grant"), reference="opening"
                    )
                return team
        except IntegrityError:
            continue  # Another team already has this slug.
    raise AssertionError("Slugs do not run out.")


def rename(actor: Actor, *, name: str) -> None:
    """Rename a team without changing its slug.

    Raises NotFound for a personal workspace. Also raises Forbidden.
    """
    actor.require(Right.SET_WORKSPACE)
    require_team(actor.workspace)
    with transaction.atomic():
        Workspace.objects.filter(pk=actor.workspace.pk).update(name=name)
        audit.record(actor, Action.TEAM_RENAMED, subject=actor.workspace)


def members_of(workspace: Workspace) -> QuerySet[Membership]:
    """Return the members and their users, sorted by role (owners first) and then by the time they joined."""
    rank = Case(*(When(role=role, then=place) for place, role in enumerate(Role)))
    return workspace.memberships.select_related("user").order_by(rank, "created", "id")


def successors_of(member: Membership) -> QuerySet[Membership]:
    """Return the other members who can sign in, to whom an owner can hand over the team."""
    return members_of(member.workspace).exclude(pk=member.pk).filter(user__is_active=True)


def is_last_owner(member: Membership) -> bool:
    """Return whether this is the last owner who can sign in."""
    owners = Membership.objects.filter(workspace=member.workspace_id, role=Role.OWNER)
    is_owner = owners.filter(pk=member.pk).exists()
    return is_owner and not owners.exclude(pk=member.pk).filter(user__is_active=True).exists()


def assignable_roles(actor: Actor) -> list[Role]:
    """Return the roles that this actor may assign and revoke.

    Only owners may assign and revoke the owner role.
    """
    return [role for role in Role if role != Role.OWNER or actor.has(Right.HAND_OVER)]


@dataclass(frozen=True)
class DemotionImpact:
    """How many of a member's guest links stopped working, and how many invitations were revoked."""

    links: int
    invitations: int


def change_role(actor: Actor, member: Membership, *, role: Role) -> DemotionImpact:
    """Change a member's role, and return what else has ended. Raises Forbidden and LastOwner."""
    with locked_team(actor, Right.MANAGE_MEMBERS) as decider:
        _require_command_over(decider, member, role)
        links, invitations = shares.working_shares_of(member), _open_invitations_of(member)
        links_before, invitations_before = links.count(), invitations.count()
        _give(actor, member, role)
        return DemotionImpact(
            links=max(0, links_before - links.count()),  # A promotion makes links work again.
            invitations=invitations_before - invitations.count(),
        )


@dataclass(frozen=True)
class RemovalImpact:
    """The consequences of ending a membership.

    API keys, webhooks, and guest links stop working, and private recipes are deleted. All edits remain, even
    running ones.
    """

    edits: int
    running: int
    keys: int
    webhooks: int
    links: int
    recipes: int


def removal_impact(member: Membership) -> RemovalImpact:
    there = {"workspace": member.workspace_id}
    edits = Edit.objects.filter(owner=member.user_id, **there).not_in_trash()
    return RemovalImpact(
        edits=edits.count(),
        running=edits.open().count(),
        keys=ApiKey.objects.filter(user=member.user_id, revoked=None, **there).count(),
        webhooks=WebhookEndpoint.objects.filter(made_by=member.user_id, removed=None, **there).count(),
        links=shares.working_shares_of(member).count(),
        recipes=Recipe.objects.private_to(member.user_id).filter(**there).count(),
    )


def remove(actor: Actor, member: Membership, *, with_edits: bool = False) -> int:
    """End a membership along with the member's API keys, webhooks, and private recipes in the team.

    The member's invitations are revoked, and their guest links stop working. The edits remain with the team.
    With `with_edits`, the edits that have ended are moved to the trash, and their number is returned. Raises
    Forbidden and LastOwner.
    """
    with locked_team(actor, Right.MANAGE_MEMBERS) as decider:
        _require_command_over(decider, member)
        _end(actor, member)
        if not with_edits:
            return 0
        decider.require(Right.DELETE_ANY)
        edits = Edit.objects.filter(owner=member.user_id, workspace=member.workspace_id)
        return trash.move(edits, by=actor.user.pk)


def leave(actor: Actor) -> None:
    """End the actor's own membership. Raises LastOwner."""
    with locked_team(actor, Right.VIEW):
        _end(actor, Membership.objects.get(user=actor.user, workspace=actor.workspace))


def hand_over(actor: Actor, member: Membership) -> None:
    """Make a member the owner in place of the actor, who becomes an admin.

    Raises NotFound if the member has left in the meantime or cannot sign in. Also raises Forbidden.
    """
    with locked_team(actor, Right.HAND_OVER):
        _require_there(member)
        if not member.user.is_active:
            raise NotFound("This account is closed.")
        _give(actor, member, Role.OWNER)
        _give(actor, Membership.objects.get(user=actor.user, workspace=actor.workspace), Role.ADMIN)
        audit.record(actor, Action.TEAM_HANDED_OVER, subject=member.user)


def set_role(workspace: Workspace, user: User, role: Role) -> None:
    """Make the user a member with this role, or change an existing member's role.

    Only commands use this function. A second call has no effect. Raises LastOwner.
    """
    require_team(workspace)
    with _held(workspace):
        member, is_new = Membership.objects.get_or_create(
            workspace=workspace, user=user, defaults={"role": role}
        )
        if is_new:
            _record_new("command", member)
        else:
            _give("command", member, role)


def apply_group_role(workspace: Workspace, user: User, role: Role | None) -> None:
    """Give the user the role in the team that their groups at the issuer grant.

    None means that the groups do not grant a role. A membership that a person granted remains unchanged,
    unless the groups grant a higher role. From then on, the membership depends on the groups. A second call
    has no effect. Raises LastOwner and TeamClosed.
    """
    with _held(workspace):
        member = Membership.objects.filter(workspace=workspace, user=user).first()
        if member is None:
            if role is not None:
                _record_new(
                    None,
                    Membership.objects.create(workspace=workspace, user=user, role=role, by_group=True),
                )
        elif role is None:
            if member.by_group:
                _end(None, member)
        elif member.by_group or _is_above(role, Role(member.role)):
            _give(None, member, role, by_group=True)


def end_membership(workspace: Workspace, user: User) -> None:
    """End the membership, if any, of a user who closes their account.

    The user's API keys and webhooks in the team also stop working. Raises LastOwner.
    """
    require_team(workspace)
    with _held(workspace):
        member = Membership.objects.filter(workspace=workspace, user=user).first()
        if member is not None:
            _end(user, member)


def require_team(workspace: Workspace) -> None:
    """Raise NotFound for a personal workspace, which has no other members."""
    if not workspace.is_team:
        raise NotFound("This is a personal workspace. Create a team to work with other people.")


@contextmanager
def locked_team(actor: Actor, right: Right) -> Iterator[Actor]:
    """Lock the team, and yield the actor with their current role.

    Within the block, nobody else can change the team. Raises NotFound for a personal or closed workspace and
    for a user who is not a member. Also raises Forbidden.
    """
    require_team(actor.workspace)
    with _held(actor.workspace):
        decider = actor_in(actor.user, actor.workspace, entry_point=actor.entry_point)
        decider.require(right)
        yield decider


@contextmanager
def _held(workspace: Workspace) -> Iterator[None]:
    with transaction.atomic():
        if Workspace.objects.locked().get(pk=workspace.pk).closed is not None:
            raise TeamClosed(_("This team is closed."))
        yield


def _require_team_left(user: User) -> None:
    """Check that the user may create another team.

    Teams that the user created and handed over also count. Call this function in the transaction that creates
    the next team. Raises TooManyTeams.
    """
    # Lock the user, so that simultaneous requests cannot exceed the maximum number of teams.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    created = AuditEntry.objects.filter(user=user, action=Action.TEAM_MADE).values("workspace")
    if Workspace.objects.filter(pk__in=created, closed=None).count() >= settings.TEAMS_PER_USER:
        raise TooManyTeams


def _require_there(member: Membership) -> None:
    """Reload the membership. Raises NotFound if it has ended in the meantime."""
    try:
        member.refresh_from_db()
    except Membership.DoesNotExist:
        raise NotFound("This person is no longer a member.") from None


def _require_command_over(decider: Actor, member: Membership, role: Role | None = None) -> None:
    _require_there(member)
    if Role.OWNER in (member.role, role) and not decider.has(Right.HAND_OVER):
        raise Forbidden(_("Only owners can appoint and remove owners."))


def _record_new(by: audit.AuditActor, member: Membership) -> None:
    _record(by, Action.MEMBER_ADDED, member, role=member.role)


def _record(by: audit.AuditActor, action: Action, member: Membership, **detail: str) -> None:
    audit.record(by, action, subject=member.user, workspace=member.workspace, detail=detail)


def _give(by: audit.AuditActor, member: Membership, role: Role, *, by_group: bool = False) -> None:
    """Change a member's role, and revoke the invitations of a member who may no longer invite.

    A role granted by a person is marked as such, so that no group at the issuer can end it.
    """
    if role != Role.OWNER:
        _require_another_owner(member)
    same = Membership.objects.filter(pk=member.pk)
    if same.exclude(role=role).update(role=role):
        _record(by, Action.ROLE_CHANGED, member, role=role.value)
    if role not in RIGHTS[Right.MANAGE_MEMBERS]:
        _open_invitations_of(member).update(revoked=timezone.now())
    same.update(by_group=by_group)


def _is_above(role: Role, other: Role) -> bool:
    highest_first = list(Role)
    return highest_first.index(role) < highest_first.index(other)


def _end(by: audit.AuditActor, member: Membership) -> None:
    _require_another_owner(member)
    now, workspace, user = timezone.now(), member.workspace, member.user
    ApiKey.objects.filter(user=user, workspace=workspace, revoked=None).update(revoked=now)
    webhooks.remove_endpoints_of(user, workspace)
    _open_invitations_of(member).update(revoked=now)
    Recipe.objects.private_to(user.pk).filter(workspace=workspace).update(deleted=now)
    Membership.objects.filter(pk=member.pk).delete()
    _record(by, Action.MEMBER_REMOVED, member)


def _open_invitations_of(member: Membership) -> QuerySet[Invitation]:
    """Return the member's invitations to this team that have neither been revoked nor expired."""
    return Invitation.objects.filter(
        made_by=member.user_id, workspace=member.workspace_id, revoked=None, expires__gt=timezone.now()
    )


def _require_another_owner(member: Membership) -> None:
    if is_last_owner(member):
        raise LastOwner


def _slugs(name: str) -> Iterator[str]:
    """Yield longer and longer slugs, until the caller finds one that is free."""
    plain = slugify(name).replace("_", "-")[:SLUG_LENGTH].strip("-") or "team"
    if plain in RESERVED_SLUGS:
        plain = f"{plain}-team"
    yield plain
    yield from (f"{plain}-{number}" for number in range(2, 10))
    while True:
        yield f"{plain[: 50 - 11]}-{random_slug()}"
