"""Tests that a sign-in updates team memberships to match the groups that the issuer reports.

Memberships are granted for these groups, and end for groups that the user no longer has.
"""

from typing import Any

import pytest

from editor.models import Membership, User, Workspace
from editor.services.people import accounts, closing, groups
from tests.cast import actor_of, assert_ledger_balances, join, make_edit, make_workspace
from tests.faults.test_races import at_once

pytestmark = pytest.mark.django_db
RULES = [
    ("designers", "studio", "editor"),
    ("leads", "studio", "admin"),
    ("leads", "print", "viewer"),
    ("founders", "studio", "owner"),
    ("writers", "not-here", "editor"),
]


@pytest.fixture(autouse=True)
def rules(settings: Any) -> None:
    settings.OIDC_GROUPS = RULES


def roles_of(user: User) -> dict[str, str]:
    """Return the user's roles by team slug."""
    members = Membership.objects.filter(user=user, workspace__personal_user=None)
    return dict(members.values_list("workspace__slug", "role"))


def test_a_group_adds_its_user_to_the_team(team: Workspace, charlie: User) -> None:
    groups.apply_groups(charlie, ["designers"])
    assert roles_of(charlie) == {"studio": "editor"}


def test_several_groups_give_the_highest_of_their_roles(alice: User, team: Workspace, charlie: User) -> None:
    make_workspace(alice, name="Print")
    groups.apply_groups(charlie, ["leads", "designers"])
    assert roles_of(charlie) == {"studio": "admin", "print": "viewer"}


@pytest.mark.parametrize("unknown", [["guests"], ["writers"], [], ["Designers"]])
def test_a_group_without_a_rule_or_a_team_adds_no_membership(
    team: Workspace, charlie: User, unknown: list[str]
) -> None:
    assert not groups.has_member_group(unknown)
    groups.apply_groups(charlie, unknown)
    assert roles_of(charlie) == {}


def test_a_group_with_a_rule_is_recognized(team: Workspace) -> None:
    assert groups.has_member_group(["guests", "designers"])


def test_no_group_adds_members_to_a_personal_workspace(alice: User, bob: User, settings: Any) -> None:
    settings.OIDC_GROUPS = [("designers", alice.personal_workspace.slug, "owner")]
    assert not groups.has_member_group(["designers"])
    groups.apply_groups(bob, ["designers"])
    assert alice.personal_workspace.memberships.count() == 1


def test_a_different_group_changes_the_role(team: Workspace, charlie: User) -> None:
    for given, role in ((["leads"], "admin"), (["designers"], "editor"), (["founders"], "owner")):
        groups.apply_groups(charlie, given)
        assert roles_of(charlie)["studio"] == role


def test_doing_it_twice_changes_nothing(team: Workspace, charlie: User) -> None:
    groups.apply_groups(charlie, ["designers"])
    memberships = Membership.objects.filter(user=charlie).values_list("id", "role", "created")
    before = list(memberships)
    groups.apply_groups(charlie, ["designers"])
    assert list(memberships.all()) == before
    assert len(before) == 2


def test_losing_a_group_ends_the_membership_and_revokes_only_its_keys(team: Workspace, charlie: User) -> None:
    groups.apply_groups(charlie, ["designers"])
    edit = make_edit(charlie, workspace=team)
    there, _ = accounts.create_api_key(actor_of(charlie, team), name="There")
    at_home, _ = accounts.create_api_key(actor_of(charlie), name="At home")
    groups.apply_groups(charlie, [])
    assert roles_of(charlie) == {}
    there.refresh_from_db()
    at_home.refresh_from_db()
    assert there.revoked is not None
    assert at_home.revoked is None
    edit.refresh_from_db()
    assert edit.workspace == team, "edits made in the team stay there"
    assert_ledger_balances(team)


def test_removing_a_group_from_the_settings_ends_its_memberships(
    team: Workspace, charlie: User, settings: Any
) -> None:
    groups.apply_groups(charlie, ["designers"])
    settings.OIDC_GROUPS = []
    groups.apply_groups(charlie, ["designers"])
    assert roles_of(charlie) == {}


def test_a_manual_membership_stays_without_a_group(team: Workspace, bob: User) -> None:
    groups.apply_groups(bob, [])
    assert roles_of(bob) == {"studio": "editor"}


def test_a_manual_membership_that_a_group_raised_ends_with_the_group(team: Workspace, bob: User) -> None:
    groups.apply_groups(bob, ["leads"])
    assert roles_of(bob) == {"studio": "admin"}
    groups.apply_groups(bob, [])
    assert roles_of(bob) == {}


def test_a_group_does_not_lower_a_manual_role(team: Workspace, alice: User) -> None:
    groups.apply_groups(alice, ["designers"])
    assert roles_of(alice) == {"studio": "owner"}
    groups.apply_groups(alice, [])
    assert roles_of(alice) == {"studio": "owner"}


@pytest.mark.parametrize("then", [[], ["designers"]])
def test_the_last_owner_stays_an_owner_without_the_group(
    team: Workspace, alice: User, charlie: User, then: list[str]
) -> None:
    groups.apply_groups(charlie, ["founders"])
    key, _ = accounts.create_api_key(actor_of(charlie, team), name="Script")
    Membership.objects.filter(workspace=team, user=alice).delete()
    groups.apply_groups(charlie, then)
    assert roles_of(charlie) == {"studio": "owner"}
    key.refresh_from_db()
    assert key.revoked is None
    join(team, alice, Membership.Role.OWNER)
    groups.apply_groups(charlie, then)
    assert roles_of(charlie) == ({"studio": "editor"} if then else {}), (
        "an owner remains until there is another one"
    )


@pytest.mark.django_db(transaction=True)
def test_if_two_owners_lose_their_group_simultaneously_one_stays_an_owner(
    team: Workspace, bob: User, alice: User
) -> None:
    owners = [alice, bob]
    Membership.objects.filter(workspace=team).update(role="owner", by_group=True)
    outcomes = at_once(lambda number: groups.apply_groups(owners[number], []), times=2)
    assert outcomes == [None, None]
    assert list(team.memberships.values_list("role", flat=True)) == ["owner"]


def test_a_team_that_is_closed_stays_empty(team: Workspace, alice: User, bob: User) -> None:
    groups.apply_groups(bob, ["designers"])
    closing.close_team(actor_of(alice, team))
    groups.apply_groups(bob, ["designers"])
    assert not Membership.objects.filter(workspace=team).exists()
    assert not groups.has_member_group(["designers"])
