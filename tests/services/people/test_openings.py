"""Tests for opening a personal workspace.

Staff must give a reason, access ends after half an hour, and each opening is recorded.
"""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from editor.models import AuditEntry, Edit, Opening, User, Workspace
from editor.services.core.errors import Forbidden, NotFound
from editor.services.people import openings
from tests.cast import make_edit, make_staff

pytestmark = pytest.mark.django_db


def seen_by(user: User) -> set[Edit]:
    return set(openings.review_access_of(user).filter(Edit.objects.all()))


def test_staff_see_teams_and_their_own_workspace(alice: User, team: Workspace, staff: User) -> None:
    hers, teams, own = make_edit(alice), make_edit(alice, workspace=team), make_edit(staff)
    assert seen_by(staff) == {teams, own}
    access = openings.review_access_of(staff)
    assert not access.allows(hers.workspace)
    assert access.allows(team)
    assert access.allows(staff.personal_workspace)


def test_a_reason_opens_one_workspace_to_one_reviewer_for_half_an_hour(
    alice: User, bob: User, staff: User
) -> None:
    hers, his = make_edit(alice), make_edit(bob)
    openings.open_workspace(staff, alice.personal_workspace, reason="She asked for help")
    assert seen_by(staff) == {hers}
    assert seen_by(make_staff("other@example.org")) == set()
    opening = Opening.objects.get()
    assert timedelta(minutes=29) < opening.expires - timezone.now() <= timedelta(minutes=30)
    Opening.objects.update(expires=timezone.now())
    assert seen_by(staff) == set()
    assert his not in seen_by(staff)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.user, entry.door, entry.reason) == (
        "personal_opened",
        staff,
        "admin",
        "She asked for help",
    )
    assert entry.workspace == alice.personal_workspace
    assert list(openings.openings_of(alice.personal_workspace)) == [opening]


def test_an_opening_can_be_ended_early_once(alice: User, staff: User) -> None:
    edit = make_edit(alice)
    openings.open_workspace(staff, alice.personal_workspace, reason="x")
    assert openings.end_opening(staff, alice.personal_workspace)
    assert not openings.end_opening(staff, alice.personal_workspace)
    assert edit not in seen_by(staff)
    done = [entry.action for entry in AuditEntry.objects.order_by("id")]
    assert done == ["personal_opened", "personal_shut"]


def test_only_active_staff_can_open_a_workspace(alice: User, bob: User) -> None:
    with pytest.raises(Forbidden):
        openings.review_access_of(bob)
    with pytest.raises(Forbidden):
        openings.open_workspace(bob, alice.personal_workspace, reason="x")
    bob.is_staff, bob.is_active = True, False
    with pytest.raises(Forbidden):
        openings.review_access_of(bob)
    assert not Opening.objects.exists()


def test_a_workspace_that_staff_already_see_is_not_opened(team: Workspace, staff: User) -> None:
    for workspace in (team, staff.personal_workspace):
        with pytest.raises(openings.AlreadyOpen, match="already see the edits"):
            openings.open_workspace(staff, workspace, reason="x")


def test_a_setting_makes_all_personal_workspaces_visible_to_staff(
    alice: User, staff: User, settings: Any
) -> None:
    settings.REVIEW_PERSONAL = "open"
    edit = make_edit(alice)
    assert seen_by(staff) == {edit}
    assert openings.find_reviewed_photo(staff, "results", edit.results.all()[0].pk)
    with pytest.raises(openings.AlreadyOpen):
        openings.open_workspace(staff, alice.personal_workspace, reason="x")


def test_staff_can_see_photos_only_in_workspaces_open_to_them(
    alice: User, bob: User, team: Workspace, staff: User
) -> None:
    hers, teams = make_edit(alice), make_edit(alice, workspace=team)
    assert openings.find_reviewed_photo(staff, "results", teams.results.all()[0].pk)
    photo = hers.results.all()[0]
    with pytest.raises(Forbidden, match="give a reason"):
        openings.find_reviewed_photo(staff, "results", photo.pk)
    with pytest.raises(Forbidden):
        openings.find_reviewed_photo(bob, "results", teams.results.all()[0].pk)
    openings.open_workspace(staff, alice.personal_workspace, reason="x")
    assert openings.find_reviewed_photo(staff, "results", photo.pk) == photo
    for kind, photo_id in (("drafts", photo.pk), ("results", uuid.uuid4())):
        with pytest.raises(NotFound):
            openings.find_reviewed_photo(staff, kind, photo_id)
