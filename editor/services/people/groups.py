"""Groups of the issuer as members of teams: what OIDC_GROUPS gives is given, and taken, at each sign-in."""

from collections.abc import Iterable
from contextlib import suppress

from django.conf import settings
from django.db.models import Q

from editor.models import Membership, User, Workspace
from editor.services.people import members

Role = Membership.Role


def have_place(groups: Iterable[str]) -> bool:
    """Whether one of these groups is a member of a team that there is."""
    return Workspace.objects.filter(personal_user=None, closed=None, slug__in=_roles_of(groups)).exists()


def apply_groups(user: User, groups: Iterable[str]) -> None:
    """Makes the person a member where a group of theirs is one, with the highest role that it gives, and ends
    what came by a group that is lost, with the person's API keys there.

    The last owner of a team stays one, until there is another. Doing it twice changes nothing.
    """
    roles = _roles_of(groups)
    came_by_group = Q(memberships__user=user, memberships__by_group=True)
    teams = Workspace.objects.filter(Q(slug__in=roles) | came_by_group, personal_user=None)
    for team in teams.order_by("id").distinct():
        with suppress(members.LastOwner, members.TeamClosed):
            members.follow_group(team, user, roles.get(team.slug))


def _roles_of(groups: Iterable[str]) -> dict[str, Role]:
    """The slugs of the workspaces in which one of these groups is a member, with the highest role there."""
    theirs, highest_last = set(groups), list(reversed(Role))
    given = [(slug, Role(role)) for group, slug, role in settings.OIDC_GROUPS if group in theirs]
    return dict(sorted(given, key=lambda place: highest_last.index(place[1])))
