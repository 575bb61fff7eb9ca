"""Team memberships that are granted at sign-in.

OIDC_GROUPS maps groups at the OpenID Connect issuer to these memberships.
"""

from collections.abc import Iterable
from contextlib import suppress

from django.conf import settings
from django.db.models import Q

from editor.models import Membership, User, Workspace
from editor.services.people import members

Role = Membership.Role


def has_member_group(groups: Iterable[str]) -> bool:
    """Check whether one of these groups gives its members a role in an existing team."""
    return Workspace.objects.filter(personal_user=None, closed=None, slug__in=_roles_of(groups)).exists()


def apply_groups(user: User, groups: Iterable[str]) -> None:
    """Give the user the memberships that their groups grant, and end memberships from former groups.

    If several groups grant roles in the same team, the highest role applies. When a membership ends, the
    user's API keys in the team are revoked. A team's last owner remains its owner until there is another one.
    A second call has no effect.
    """
    roles = _roles_of(groups)
    came_by_group = Q(memberships__user=user, memberships__by_group=True)
    teams = Workspace.objects.filter(Q(slug__in=roles) | came_by_group, personal_user=None)
    for team in teams.order_by("id").distinct():
        with suppress(members.LastOwner, members.TeamClosed):
            members.apply_group_role(team, user, roles.get(team.slug))


def _roles_of(groups: Iterable[str]) -> dict[str, Role]:
    """Return the highest role that these groups grant in each workspace, keyed by the workspace's slug."""
    theirs, highest_last = set(groups), list(reversed(Role))
    given = [(slug, Role(role)) for group, slug, role in settings.OIDC_GROUPS if group in theirs]
    return dict(sorted(given, key=lambda place: highest_last.index(place[1])))
