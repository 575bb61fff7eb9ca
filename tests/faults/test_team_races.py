"""Tests of races that change the members of a team, with real threads and the test run's database."""

import pytest

from editor.models import Edit, Invitation, Membership, User, Workspace
from editor.services.editing import leases, lifecycle
from editor.services.people import invitations, members
from tests import cast
from tests.faults.test_races import CROWD, at_once

pytestmark = pytest.mark.django_db(transaction=True)
Role = Membership.Role


def test_only_one_of_eight_users_joins_with_the_last_use_of_a_link(alice: User, team: Workspace) -> None:
    people = [cast.make_user(f"new{number}@example.org") for number in range(CROWD)]
    invitation = invitations.invite(cast.actor_of(alice, team), team, role=Role.EDITOR)
    answers = at_once(lambda number: invitations.accept(invitation, people[number]))
    assert answers.count(None) == 1, answers
    assert all(isinstance(answer, invitations.InvitationGone) for answer in answers if answer), answers
    assert Membership.objects.filter(user__in=people, workspace=team).count() == 1
    assert Invitation.objects.get().used == 1


def test_the_last_use_of_a_link_creates_only_one_of_eight_new_accounts(alice: User, team: Workspace) -> None:
    invitation = invitations.invite(cast.actor_of(alice, team), team, role=Role.EDITOR)

    def come(number: int) -> User:
        address = f"new{number}@example.org"
        return invitations.accept_with_new_account(invitation, email=address, password=cast.PASSWORD)

    answers = at_once(come)
    assert len([answer for answer in answers if isinstance(answer, User)]) == 1, answers
    assert User.objects.filter(email__startswith="new").count() == 1
    assert Workspace.objects.filter(personal_user__email__startswith="new").count() == 1


def test_joining_eight_times_simultaneously_takes_one_use(
    alice: User, charlie: User, team: Workspace
) -> None:
    invitation = invitations.invite(cast.actor_of(alice, team), team, role=Role.EDITOR, uses=5)
    assert at_once(lambda _: invitations.accept(invitation, charlie)) == [None] * CROWD
    assert Invitation.objects.get().used == 1


def test_if_two_owners_leave_simultaneously_one_stays(alice: User, bob: User) -> None:
    for turn in range(5):
        team = cast.make_workspace(alice, name=f"Team {turn}")
        cast.join(team, bob, Role.OWNER)
        actors = [cast.actor_of(alice, team), cast.actor_of(bob, team)]
        answers = at_once(lambda number, actors=actors: members.leave(actors[number]), times=2)  # type: ignore[misc]
        assert sorted(type(answer).__name__ for answer in answers) == ["LastOwner", "NoneType"], answers
        assert Membership.objects.filter(workspace=team, role=Role.OWNER).count() == 1


def test_eight_teams_created_simultaneously_have_different_slugs(alice: User) -> None:
    teams = at_once(lambda _: members.create_team(alice, name="Studio", credits=100))
    assert len({team.slug for team in teams}) == CROWD, teams
    for team in teams:
        cast.assert_ledger_balances(team)


@pytest.mark.parametrize("ending", [Edit.State.SUCCESS, Edit.State.FAILED])
def test_the_edit_of_a_member_who_is_being_removed_is_settled_once(
    alice: User, bob: User, team: Workspace, ending: Edit.State
) -> None:
    queued = cast.make_edit(bob, workspace=team, state="QUEUED")
    storing = cast.make_edit(bob, workspace=team, state="STORING")

    def act(number: int) -> bool:
        if number:
            return lifecycle.finish(Edit.objects.get(id=storing.id), ending)
        members.remove(cast.actor_of(alice, team), Membership.objects.get(user=bob, workspace=team))
        return False

    answers = at_once(act, times=4)
    assert answers.count(True) == 1, answers
    assert not Membership.objects.filter(user=bob, workspace=team).exists()
    assert Edit.objects.get(id=storing.id).state == ending
    assert leases.claim(queued.id) is not None, "a waiting edit still gets its turn"
    cast.assert_ledger_balances(team)
