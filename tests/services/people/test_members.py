"""Tests that creating a team twice has no effect, and that teams can be renamed and always have an owner."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.urls import get_resolver

from editor.models import ApiKey, Edit, Membership, RecipePhoto, User, Workspace
from editor.services.core.access import Actor
from editor.services.core.errors import Forbidden, NotFound
from editor.services.editing import webhooks
from editor.services.library import recipes
from editor.services.maintenance import invariants
from editor.services.people import accounts, closing, invitations, members
from editor.services.photos import drafts
from editor.services.sharing import shares
from tests.cast import (
    actor_of,
    assert_ledger_balances,
    join,
    make_edit,
    make_user,
    path_of,
    photo_file,
)

pytestmark = pytest.mark.django_db
Role = Membership.Role


def membership(user: User, team: Workspace) -> Membership:
    return Membership.objects.get(user=user, workspace=team)


def roles(team: Workspace) -> dict[str, str]:
    return {member.user.email.partition("@")[0]: member.role for member in team.memberships.all()}


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Halden Studio", "halden-studio"),
        ("  Ünïted_Colors! ", "united-colors"),
        ("日本", "team"),
        ("---", "team"),
        ("Admin", "admin-team"),
        ("API", "api-team"),
        ("x" * 100, "x" * 40),
    ],
)
def test_a_slug_comes_from_the_name(alice: User, name: str, slug: str) -> None:
    assert members.create_team(alice, name=name).slug == slug


def test_teams_with_the_same_name_have_different_slugs(alice: User, settings: Any) -> None:
    settings.TEAMS_PER_USER = 12
    slugs = [members.create_team(alice, name="Studio").slug for _ in range(12)]
    assert slugs[:3] == ["studio", "studio-2", "studio-3"]
    assert len(set(slugs)) == 12


def test_words_in_the_sites_urls_are_reserved_slugs() -> None:
    def words(patterns: list[Any]) -> set[str]:
        found = {str(pattern.pattern).strip("^").split("/")[0] for pattern in patterns}
        within = [pattern.url_patterns for pattern in patterns if hasattr(pattern, "url_patterns")]
        return found.union(*map(words, within)) if within else found

    ours = {word for word in words(get_resolver("editor.urls").url_patterns) if word.isalnum()}
    assert ours <= members.RESERVED_SLUGS


def test_a_new_team_has_its_owner_credits_and_plan(alice: User) -> None:
    team = members.create_team(alice, name="Studio", credits=500, plan="pro")
    assert (team.is_team, roles(team)) == (True, {"alice": "owner"})
    team.refresh_from_db()
    assert (team.balance, team.plan) == (500, "pro")
    assert_ledger_balances(team)


def test_a_setting_allows_only_staff_to_create_teams(alice: User, staff: User, settings: Any) -> None:
    settings.TEAMS_BY = "staff"
    with pytest.raises(Forbidden):
        members.create_team(alice, name="Studio")
    assert members.create_team(staff, name="Studio").is_team


def test_a_user_can_create_ten_teams_even_after_handing_one_over(alice: User, bob: User) -> None:
    teams = [members.create_team(alice, name="Studio") for _ in range(10)]
    with pytest.raises(members.TooManyTeams, match="10 teams that are still open"):
        members.create_team(alice, name="Studio")
    join(teams[0], bob)
    members.hand_over(actor_of(alice, teams[0]), membership(bob, teams[0]))
    members.leave(actor_of(alice, teams[0]))
    with pytest.raises(members.TooManyTeams):
        members.create_team(alice, name="Studio")
    assert members.create_team(bob, name="Studio").is_team, (
        "a team that was handed over to bob does not count as created by bob"
    )
    closing.close_team(actor_of(alice, teams[1]))
    assert members.create_team(alice, name="Studio").is_team


def test_staff_and_the_command_may_make_more_teams(alice: User, staff: User, settings: Any) -> None:
    settings.TEAMS_PER_USER = 1
    for _ in range(2):
        assert members.create_team(staff, name="Studio").is_team
        assert members.create_team(alice, name="Studio", by_command=True).is_team
    assert members.create_team(alice, name="Studio").is_team, "teams created by the command do not count"


def test_renaming_a_team_keeps_its_slug(alice: User, team: Workspace) -> None:
    members.rename(actor_of(alice, team), name="Atelier")
    team.refresh_from_db()
    assert (team.name, team.slug) == ("Atelier", "studio")


def test_an_owner_can_make_another_owner_and_step_down(alice: User, bob: User, team: Workspace) -> None:
    members.change_role(actor_of(alice, team), membership(bob, team), role=Role.OWNER)
    members.change_role(actor_of(alice, team), membership(alice, team), role=Role.VIEWER)
    assert roles(team) == {"alice": "viewer", "bob": "owner"}


@pytest.mark.parametrize("ends", ["leave", "remove", "demote", "by command", "by group"])
def test_the_last_owner_stays(alice: User, bob: User, team: Workspace, ends: str) -> None:
    actor, own = actor_of(alice, team), membership(alice, team)
    ways: dict[str, Callable[[], object]] = {
        "leave": partial(members.leave, actor),
        "remove": partial(members.remove, actor, own),
        "demote": partial(members.change_role, actor, own, role=Role.ADMIN),
        "by command": partial(members.set_role, team, alice, Role.EDITOR),
        "by group": partial(members.end_membership, team, alice),
    }
    with pytest.raises(members.LastOwner):
        ways[ends]()
    assert roles(team) == {"alice": "owner", "bob": "editor"}


def test_an_owner_with_an_inactive_account_does_not_count_as_an_owner(
    alice: User, bob: User, team: Workspace
) -> None:
    members.set_role(team, bob, Role.OWNER)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    with pytest.raises(members.LastOwner):
        members.leave(actor_of(alice, team))


def test_an_admin_can_neither_add_nor_demote_owners(alice: User, bob: User, team: Workspace) -> None:
    members.set_role(team, bob, Role.ADMIN)
    actor = actor_of(bob, team)
    attempts: list[Callable[[], object]] = [
        partial(members.change_role, actor, membership(bob, team), role=Role.OWNER),
        partial(members.change_role, actor, membership(alice, team), role=Role.VIEWER),
        partial(members.remove, actor, membership(alice, team)),
        partial(members.hand_over, actor, membership(bob, team)),
    ]
    for attempt in attempts:
        with pytest.raises(Forbidden):
            attempt()
    assert roles(team) == {"alice": "owner", "bob": "admin"}


def test_a_member_who_has_already_left_is_not_found(alice: User, bob: User, team: Workspace) -> None:
    stale = membership(bob, team)
    members.leave(actor_of(bob, team))
    actor = actor_of(alice, team)
    attempts: list[Callable[[], object]] = [
        partial(members.change_role, actor, stale, role=Role.VIEWER),
        partial(members.remove, actor, stale),
        partial(members.hand_over, actor, stale),
    ]
    for attempt in attempts:
        with pytest.raises(NotFound):
            attempt()
    assert roles(team) == {"alice": "owner"}


def test_permissions_depend_on_the_current_role(
    alice: User, bob: User, viewer: User, team: Workspace
) -> None:
    members.set_role(team, bob, Role.ADMIN)
    stale = actor_of(bob, team)
    members.set_role(team, bob, Role.EDITOR)
    with pytest.raises(Forbidden):
        members.remove(stale, membership(viewer, team))


def test_handing_over_a_team_makes_the_former_owner_an_admin(alice: User, bob: User, team: Workspace) -> None:
    members.hand_over(actor_of(alice, team), membership(bob, team))
    assert roles(team) == {"alice": "admin", "bob": "owner"}


def test_a_removed_member_loses_keys_and_webhooks_but_the_edits_stay(
    alice: User, bob: User, team: Workspace
) -> None:
    members.set_role(team, bob, Role.ADMIN)
    actor = actor_of(bob, team)
    key, _ = accounts.create_api_key(actor, name="Script")
    elsewhere, _ = accounts.create_api_key(actor_of(bob), name="Mine")
    endpoint = webhooks.add_endpoint(actor, url="https://a.example.org/told")
    edit = make_edit(bob, workspace=team)
    assert members.removal_impact(membership(bob, team)) == members.RemovalImpact(1, 0, 1, 1, 0, 0)
    members.remove(actor_of(alice, team), membership(bob, team))
    members.set_role(team, bob, Role.ADMIN)  # Joining again restores neither API keys nor webhooks.
    assert not ApiKey.objects.filter(pk=key.pk, revoked=None).exists()
    assert ApiKey.objects.filter(pk=elsewhere.pk, revoked=None).exists()
    endpoint.refresh_from_db()
    assert endpoint.removed is not None
    edit.refresh_from_db()
    assert edit.workspace == team
    assert_ledger_balances(team)


@pytest.mark.parametrize("ends", ["leave", "remove", "demote", "command"])
def test_invitations_of_a_member_who_may_no_longer_invite_stay_revoked(
    alice: User, bob: User, team: Workspace, ends: str
) -> None:
    members.set_role(team, bob, Role.ADMIN)
    by_bob = invitations.invite(actor_of(bob, team), team, role=Role.EDITOR)
    by_alice = invitations.invite(actor_of(alice, team), team, role=Role.EDITOR)
    acts: dict[str, Callable[[], object]] = {
        "leave": lambda: members.leave(actor_of(bob, team)),
        "remove": lambda: members.remove(actor_of(alice, team), membership(bob, team)),
        "demote": lambda: members.change_role(actor_of(alice, team), membership(bob, team), role=Role.EDITOR),
        "command": lambda: members.set_role(team, bob, Role.VIEWER),
    }
    acts[ends]()
    members.set_role(team, bob, Role.ADMIN)
    assert list(invitations.open_invitations(team)) == [by_alice]
    by_bob.refresh_from_db()
    assert by_bob.revoked is not None


def test_a_role_change_returns_what_else_has_ended(alice: User, bob: User, team: Workspace) -> None:
    members.set_role(team, bob, Role.ADMIN)
    invitations.invite(actor_of(bob, team), team, role=Role.EDITOR)
    for edit in (make_edit(bob, workspace=team), make_edit(alice, workspace=team)):
        shares.share(actor_of(bob, team), edit)
    shares.share(actor_of(alice, team), edit)
    assert members.removal_impact(membership(bob, team)).links == 2
    change = partial(members.change_role, actor_of(alice, team), membership(bob, team))
    assert change(role=Role.OWNER) == members.DemotionImpact(0, 0)
    assert change(role=Role.EDITOR) == members.DemotionImpact(0, 1)
    assert change(role=Role.VIEWER) == members.DemotionImpact(2, 0)
    assert members.removal_impact(membership(bob, team)).links == 0
    assert change(role=Role.EDITOR) == members.DemotionImpact(0, 0)
    assert members.removal_impact(membership(bob, team)).links == 2


@pytest.mark.parametrize("ends", ["leave", "remove"])
def test_a_former_members_private_recipes_are_deleted_and_shared_ones_stay(
    alice: User, bob: User, team: Workspace, ends: str
) -> None:
    actor = actor_of(bob, team)

    def kept(by: Actor, *, is_shared: bool = False) -> RecipePhoto:
        draft = drafts.create_draft(by, photo_file(), name="a.jpg")
        wording = recipes.RecipeInput(name="Suit", prompt="warmer", is_shared=is_shared, drafts=[draft])
        return recipes.save_recipe(by, wording).photos.get()

    private, shared = kept(actor), kept(actor, is_shared=True)
    elsewhere, of_alice = kept(actor_of(bob)), kept(actor_of(alice, team))
    assert members.removal_impact(membership(bob, team)).recipes == 1
    if ends == "leave":
        members.leave(actor)
    else:
        members.remove(actor_of(alice, team), membership(bob, team))
    recipes.purge_deleted()
    assert set(RecipePhoto.objects.all()) == {shared, elsewhere, of_alice}
    assert [path_of(photo).exists() for photo in (private, shared)] == [False, True]
    members.set_role(team, bob, Role.EDITOR)
    assert [card.version.recipe for card in recipes.cards_of(actor)] == [shared.version.recipe]
    assert invariants.find_violations() == []


def test_a_removed_members_ended_edits_can_be_moved_to_the_trash(
    alice: User, bob: User, team: Workspace
) -> None:
    ended, running = make_edit(bob, workspace=team), make_edit(bob, workspace=team, state="RUNNING")
    others = [make_edit(alice, workspace=team), make_edit(bob)]
    assert members.remove(actor_of(alice, team), membership(bob, team), with_edits=True) == 1
    assert list(Edit.objects.in_trash()) == [ended]
    assert set(Edit.objects.not_in_trash()) == {running, *others}
    assert_ledger_balances(team)


def test_setting_a_role_or_ending_a_membership_twice_has_no_further_effect(
    charlie: User, team: Workspace
) -> None:
    for _ in range(2):
        members.set_role(team, charlie, Role.VIEWER)
    assert roles(team)["charlie"] == "viewer"
    for _ in range(2):
        members.end_membership(team, charlie)
    assert "charlie" not in roles(team)


def test_a_personal_workspace_has_no_members(alice: User, bob: User) -> None:
    with pytest.raises(NotFound):
        members.set_role(alice.personal_workspace, bob, Role.EDITOR)
    with pytest.raises(NotFound):
        members.leave(actor_of(alice))


def test_a_manually_changed_role_no_longer_belongs_to_a_group(
    alice: User, bob: User, team: Workspace
) -> None:
    Membership.objects.filter(user=bob).update(by_group=True)
    members.change_role(actor_of(alice, team), membership(bob, team), role=Role.ADMIN)
    assert not membership(bob, team).by_group


def test_owners_come_first_in_the_list(alice: User, team: Workspace) -> None:
    late = make_user("late@example.org")
    join(team, late, Role.OWNER)
    assert [member.role for member in members.members_of(team)] == ["owner", "owner", "editor"]
