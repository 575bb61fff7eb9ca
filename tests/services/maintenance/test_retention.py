"""Tests for retention and legal hold.

Both are off by default, a preview shows what will be deleted, and starred edits are kept.
"""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from editor.models import Edit, Favorite, User, Workspace
from editor.models.ids import uuid7_floor
from editor.services.core.errors import Forbidden
from editor.services.library import history
from editor.services.maintenance import invariants, retention, trash
from editor.services.people import members
from tests import cast
from tests.cast import actor_of

pytestmark = pytest.mark.django_db


def old_edit(user: User, workspace: Workspace | None = None, *, days: int = 100, number: int = 1) -> Edit:
    then = timezone.now() - timedelta(days=days)
    first = uuid7_floor(then).int
    return cast.make_edit(user, workspace=workspace, id=uuid.UUID(int=first + number), created=then)


def trashed() -> set[Edit]:
    return set(Edit.objects.in_trash())


def test_by_default_old_edits_are_not_moved_to_the_trash(alice: User) -> None:
    old_edit(alice, days=3000)
    assert retention.apply_all() == 0
    assert trashed() == set()


def test_edits_older_than_the_retention_period_are_moved_to_the_trash(alice: User) -> None:
    old, young = old_edit(alice), cast.make_edit(alice)
    retention.set_retention(actor_of(alice), 90)
    assert retention.apply_all() == 1
    assert retention.apply_all() == 0
    assert trashed() == {old}
    assert Edit.objects.get(pk=old.pk).trashed_by is None
    assert young not in trashed()
    retention.set_retention(actor_of(alice), None)
    assert invariants.find_violations(with_files=False) == []


def test_starred_edits_are_not_moved_to_the_trash(alice: User, bob: User, team: Workspace) -> None:
    old = old_edit(alice, team)
    history.toggle_favorite(actor_of(bob, team), old)
    retention.set_retention(actor_of(alice, team), 90)
    assert retention.forecast(actor_of(alice, team), 90).starred == 1
    assert retention.apply_all() == 0


def test_a_former_members_star_does_not_keep_an_edit(alice: User, bob: User, team: Workspace) -> None:
    """A former member's star does not keep an edit, because nobody can see or remove the star."""
    old = old_edit(alice, team)
    history.toggle_favorite(actor_of(bob, team), old)
    members.leave(actor_of(bob, team))
    assert retention.forecast(actor_of(alice, team), 90).starred == 0
    retention.set_retention(actor_of(alice, team), 90)
    assert retention.apply_all() == 1
    assert trashed() == {old}


def test_an_edit_that_is_restored_after_retention_is_not_moved_again(alice: User) -> None:
    old = old_edit(alice)
    retention.set_retention(actor_of(alice), 90)
    retention.apply_all()
    old.refresh_from_db()
    assert trash.restore(actor_of(alice), old)
    assert Favorite.objects.filter(user=alice, edit=old).exists()
    assert retention.apply_all() == 0


def test_the_forecast_matches_what_retention_then_does(alice: User) -> None:
    for number in range(3):
        old_edit(alice, days=100, number=number)
    old_edit(alice, days=70)
    cast.make_edit(alice)
    forecast = retention.forecast(actor_of(alice), 90)
    assert (forecast.immediately.edits, forecast.in_a_month.edits, forecast.starred) == (3, 4, 0)
    assert (
        forecast.immediately.bytes
        == trash.amount_of(Edit.objects.filter(created__lt=timezone.now() - timedelta(90))).bytes
    )
    retention.set_retention(actor_of(alice), 90)
    assert retention.apply_all() == forecast.immediately.edits


def test_only_an_owner_can_set_retention_or_a_legal_hold(alice: User, bob: User, team: Workspace) -> None:
    cast.join(team, cast.make_user("admin@example.org"), "admin")
    admin = actor_of(User.objects.get(email="admin@example.org"), team)
    with pytest.raises(Forbidden):
        retention.set_retention(admin, 1)
    with pytest.raises(Forbidden):
        retention.set_hold(admin, reason="Mine")


def test_retention_is_applied_in_limited_steps(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "EDITS_PER_STATEMENT", 2)
    monkeypatch.setattr(retention, "MAX_STATEMENTS", 2)
    for number in range(5):
        old_edit(alice, number=number)
    retention.set_retention(actor_of(alice), 90)
    assert [retention.apply_all() for _ in range(3)] == [4, 1, 0]


def test_a_legal_hold_stops_retention_and_pauses_the_days_in_the_trash(alice: User) -> None:
    before, during, old = cast.make_edit(alice), cast.make_edit(alice), old_edit(alice)
    actor = actor_of(alice)
    trash.delete(actor, before)
    retention.set_retention(actor, 90)
    retention.set_hold(actor, reason="A lawsuit")
    actor.workspace.refresh_from_db()
    assert actor.workspace.hold_reason == "A lawsuit"
    assert retention.apply_all() == 0
    trash.delete(actor, during)
    ago = timezone.now() - timedelta(days=10)
    Workspace.objects.filter(pk=actor.workspace.pk).update(held_since=ago)
    Edit.objects.filter(pk=before.pk).update(
        trashed=ago - timedelta(days=5), purge_due=ago + timedelta(days=25)
    )
    retention.lift_hold(actor)
    retention.lift_hold(actor)
    left = {edit.pk: edit.days_left for edit in Edit.objects.in_trash()}
    assert left == {before.pk: 25, during.pk: 30}
    assert retention.apply_all() == 1
    assert old in trashed()
