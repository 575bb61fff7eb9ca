"""Tests that the per-user limits also hold during races.

They use real threads and the test run's database.
"""

from typing import Any

import pytest
from django.core import mail

from editor.models import Invitation, Membership, RateCount, User, Workspace
from editor.services.people import invitations, members
from editor.services.photos import drafts
from editor.services.photos.storage import get_backend
from tests import cast
from tests.faults.test_races import CROWD, at_once

pytestmark = pytest.mark.django_db(transaction=True)
SITE = "https://photos.example.org"
Role = Membership.Role


def upload(user: User, workspace: Workspace) -> None:
    drafts.create_draft(cast.actor_of(user, workspace), cast.photo_file(), name="a.jpg")


def test_three_of_eight_simultaneous_uploads_fit_the_number_limit(
    alice: User, team: Workspace, settings: Any
) -> None:
    settings.DRAFTS_PER_USER = 3
    places = [alice.personal_workspace, team]
    answers = at_once(lambda number: upload(alice, places[number % 2]))
    assert [type(answer).__name__ for answer in answers if answer] == ["TooManyDrafts"] * 5, answers
    assert alice.drafts.count() == 3
    assert len(list(get_backend().keys())) == 9, "each photo has an original and two derivatives"


def test_three_of_eight_simultaneous_uploads_fit_the_size_limit(
    alice: User, team: Workspace, settings: Any
) -> None:
    settings.DRAFT_MEGABYTES_PER_USER = 1
    upload(alice, team)
    size = alice.drafts.get().size
    alice.drafts.update(size=1024**2 - 3 * size)
    answers = at_once(lambda _: upload(alice, team))
    assert [type(answer).__name__ for answer in answers if answer] == ["TooManyDrafts"] * 5, answers
    assert sum(alice.drafts.values_list("size", flat=True)) == 1024**2


def test_simultaneously_created_teams_do_not_exceed_the_limit(alice: User, settings: Any) -> None:
    settings.TEAMS_PER_USER = 3
    answers = at_once(lambda number: members.create_team(alice, name=f"Team {number}"))
    assert len([answer for answer in answers if isinstance(answer, Workspace)]) == 3, answers
    assert len([answer for answer in answers if isinstance(answer, members.TooManyTeams)]) == CROWD - 3
    assert Membership.objects.filter(user=alice, workspace__personal_user=None).count() == 3


def invite_many(actors: list[Any], emails: list[str]) -> list[Any]:
    """Invite each address by email, using 20 threads. The actors take turns."""

    def invite(number: int) -> str:
        actor, email = actors[number % len(actors)], emails[number]
        try:
            invitation = invitations.invite(actor, actor.workspace, role=Role.EDITOR, email=email)
            invitations.send(invitation, site=SITE)
        except invitations.InvitationRefused as error:
            return str(error)
        return ""

    each = len(emails) // 20
    answers = at_once(lambda thread: [invite(thread * each + turn) for turn in range(each)], times=20)
    return [outcome for answer in answers for outcome in answer]


def test_simultaneous_invitations_do_not_exceed_the_limit_per_inviter(
    alice: User, team: Workspace, settings: Any
) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    outcomes = invite_many([cast.actor_of(alice, team)], [f"new{n}@example.org" for n in range(100)])
    assert outcomes.count("") == len(mail.outbox) == Invitation.objects.count() == 50
    assert {answer for answer in outcomes if answer} == {
        "You have reached today's limit of 50 invitations by email. Leave the address empty and copy the "
        "link, or try again tomorrow."
    }


def test_simultaneous_invitations_do_not_exceed_the_limit_per_mailbox(
    alice: User, bob: User, team: Workspace, settings: Any
) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    other = cast.make_workspace(bob, name="Other")
    actors = [cast.actor_of(alice, team), cast.actor_of(bob, other)]
    emails = [("new@bücher.example", "New+1@xn--bcher-kva.example")[n % 3 == 0] for n in range(100)]
    outcomes = invite_many(actors, emails)
    assert outcomes.count("") == len(mail.outbox) == Invitation.objects.count() == 3
    assert all("Today's limit of 3 invitations" in answer for answer in outcomes if answer)
    by_inviter = RateCount.objects.filter(name__startswith="invitations-by:").values_list("count", flat=True)
    assert sum(by_inviter) == 3, "a refused invitation counts for nobody"


def test_simultaneous_invitations_do_not_exceed_the_limit_per_team(
    alice: User, bob: User, team: Workspace, settings: Any
) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    settings.INVITATIONS_PER_TEAM = 60
    Membership.objects.filter(user=bob, workspace=team).update(role=Role.ADMIN)
    actors = [cast.actor_of(alice, team), cast.actor_of(bob, team)]
    outcomes = invite_many(actors, [f"new{n}@example.org" for n in range(100)])
    assert outcomes.count("") == len(mail.outbox) == Invitation.objects.count() == 60
    assert any("This team has reached today's limit of 60" in answer for answer in outcomes)
