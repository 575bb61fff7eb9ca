"""Groups of the issuer as members of teams: what OIDC_GROUPS gives is given, and taken, at each sign-in."""

from collections.abc import Iterable

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from editor.models import ApiKey, Membership, User, Workspace

_LOWEST_FIRST = (
    Membership.Role.VIEWER,
    Membership.Role.EDITOR,
    Membership.Role.ADMIN,
    Membership.Role.OWNER,
)


def have_place(groups: Iterable[str]) -> bool:
    """Whether one of these groups is a member of a team that there is."""
    return Workspace.objects.filter(personal_user=None, slug__in=_roles_of(groups)).exists()


def apply_groups(user: User, groups: Iterable[str]) -> None:
    """Makes the person a member where a group of theirs is one, with the highest role that it gives, and ends
    what came by a group that is lost, with the person's API keys there.

    A membership that was given by hand stays as it is unless a group raises it: then it goes by the group.
    The last owner of a team stays one. Doing it twice changes nothing.
    """
    roles = _roles_of(groups)
    came_by_group = Q(memberships__user=user, memberships__by_group=True)
    teams = Workspace.objects.filter(Q(slug__in=roles) | came_by_group, personal_user=None)
    for team_id in teams.order_by("id").values_list("id", flat=True).distinct():
        with transaction.atomic():
            team = Workspace.objects.select_for_update().get(id=team_id)
            _apply(team, user, roles.get(team.slug))


def _roles_of(groups: Iterable[str]) -> dict[str, Membership.Role]:
    """The slugs of the workspaces in which one of these groups is a member, with the highest role there."""
    theirs = set(groups)
    given = [(slug, Membership.Role(role)) for group, slug, role in settings.OIDC_GROUPS if group in theirs]
    return dict(sorted(given, key=lambda place: _LOWEST_FIRST.index(place[1])))


def _apply(team: Workspace, user: User, role: Membership.Role | None) -> None:
    member = Membership.objects.filter(workspace=team, user=user).first()
    if member is None:
        if role is not None:
            Membership.objects.create(workspace=team, user=user, role=role, by_group=True)
    elif role is not None:
        _change(member, role)
    elif member.by_group and not _is_last_owner(member):
        _end(member)


def _change(member: Membership, role: Membership.Role) -> None:
    is_raise = _LOWEST_FIRST.index(role) > _LOWEST_FIRST.index(Membership.Role(member.role))
    if is_raise or (member.by_group and not _is_last_owner(member)):
        member.role, member.by_group = role, True
        member.save(update_fields=["role", "by_group"])


def _end(member: Membership) -> None:
    keys = ApiKey.objects.filter(user=member.user, workspace=member.workspace, revoked=None)
    keys.update(revoked=timezone.now())
    member.delete()


def _is_last_owner(member: Membership) -> bool:
    others = Membership.objects.filter(workspace=member.workspace, role=Membership.Role.OWNER)
    return member.role == Membership.Role.OWNER and not others.exclude(pk=member.pk).exists()
