"""Tests that closing an account or a team leaves no personal data behind and keeps the ledger balanced."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from editor.models import (
    Action,
    AuditEntry,
    CreditEntry,
    DraftPhoto,
    Edit,
    Favorite,
    Invitation,
    Membership,
    RecipePhoto,
    User,
    Workspace,
)
from editor.services.billing import credits
from editor.services.core.errors import Forbidden, NotFound
from editor.services.library import history, recipes
from editor.services.maintenance import exports, invariants, retention, trash
from editor.services.people import accounts, closing, members
from editor.services.photos import drafts, photos
from tests import cast
from tests.cast import actor_of, assert_ledger_balances

pytestmark = pytest.mark.django_db


def closed(user: User) -> User:
    closing.close_account(user)
    return User.objects.get(pk=user.pk)


def test_closing_an_account_removes_all_personal_data(alice: User) -> None:
    key, _ = accounts.create_api_key(actor_of(alice), name="Ames's script")
    drafts.create_draft(actor_of(alice), cast.photo_file(), name="a.jpg")
    edit, running = cast.make_edit(alice), cast.make_edit(alice, state="RUNNING")
    history.toggle_favorite(actor_of(alice), edit)
    client = Client()
    client.force_login(alice)
    user = closed(alice)
    assert (user.is_active, user.name) == (False, closing.FORMER_MEMBER)
    assert "alice" not in f"{user.email}{user.personal_workspace.name}".lower()
    assert not EmailAddress.objects.filter(user=user).exists()
    assert not Membership.objects.filter(user=user).exists()
    assert not Favorite.objects.exists()
    assert not DraftPhoto.objects.exists()
    key.refresh_from_db()
    assert key.revoked is not None
    assert key.name == ""
    assert client.get("/account/").status_code == 302
    assert set(Edit.objects.in_trash()) == {edit, running}
    running.refresh_from_db()
    assert running.state == "CANCELLED"
    assert running.failure_message == "This edit was cancelled. You were not charged."


def test_closing_an_account_deletes_its_sessions(alice: User, bob: User) -> None:
    for user in (alice, bob, alice):
        Client().force_login(user)
    closed(alice)
    assert [session.get_decoded()[SESSION_KEY] for session in Session.objects.all()] == [str(bob.pk)]


def test_closing_an_account_removes_its_email_from_the_admin_log(alice: User, bob: User, staff: User) -> None:
    """The user's former addresses are also removed from the audit log, but other users' addresses remain."""
    for row, named in (
        (alice, "ames@example.org"),
        (alice.personal_workspace, "ames@example.org"),
        (bob, alice.email),
        (bob, f"m{alice.email}"),
    ):
        LogEntry.objects.create(
            user=staff,
            content_type=ContentType.objects.get_for_model(row),
            object_id=str(row.pk),
            object_repr=named,
            action_flag=CHANGE,
        )
    user = closed(alice)
    entries = list(LogEntry.objects.order_by("id").values_list("object_repr", flat=True))
    assert entries == [user.email, user.email, user.email, "malice@example.org"]


def kept_recipe(user: User, workspace: Workspace | None = None, *, is_shared: bool = False) -> RecipePhoto:
    """Create a recipe whose photo has a file, and return the photo."""
    actor = actor_of(user, workspace)
    draft = drafts.create_draft(actor, cast.photo_file(), name="a.jpg")
    wording = recipes.RecipeInput(name="Suit", prompt="warmer", is_shared=is_shared, drafts=[draft])
    return recipes.save_recipe(actor, wording).photos.get()


def test_closing_an_account_deletes_recipe_photos_except_in_shared_recipes(
    alice: User, bob: User, team: Workspace
) -> None:
    own, private = kept_recipe(bob), kept_recipe(bob, team)
    shared = kept_recipe(bob, team, is_shared=True)
    closed(bob)
    assert set(RecipePhoto.objects.all()) == {shared}
    assert [cast.path_of(photo).exists() for photo in (own, private, shared)] == [False, False, True]
    closing.close_team(actor_of(alice, team))
    assert not RecipePhoto.objects.exists()
    assert not cast.path_of(shared).exists()


def test_remaining_credits_are_forfeited_in_a_ledger_entry(alice: User) -> None:
    cast.make_edit(alice, state="RUNNING")
    closed(alice)
    last = CreditEntry.objects.filter(workspace=alice.personal_workspace).latest("id")
    assert (last.kind, last.amount, last.reason) == ("adjustment", -400, closing.FORFEITED)
    assert_ledger_balances(alice.personal_workspace)
    assert Workspace.objects.get(personal_user=alice).balance == 0
    assert invariants.find_violations(with_files=False) == []


def test_team_edits_of_a_closed_account_remain_under_a_former_member(
    alice: User, bob: User, team: Workspace
) -> None:
    edit = cast.make_edit(bob, workspace=team)
    preview = closing.preview_account_closure(bob)
    assert (preview.remaining, preview.teams, preview.to_hand_over) == ([team], [], [])
    closed(bob)
    shown = history.edits_of(team).get()
    assert (shown, shown.owner.name) == (edit, closing.FORMER_MEMBER)


def test_the_only_owner_of_a_team_must_hand_it_over_before_closing_an_account(
    alice: User, team: Workspace
) -> None:
    assert closing.preview_account_closure(alice).to_hand_over == [team]
    with pytest.raises(closing.MayNotClose, match="Hand over Studio first"):
        closing.close_account(alice)
    alice.refresh_from_db()
    assert alice.is_active


def test_a_team_without_other_members_is_closed_with_its_owners_account(alice: User) -> None:
    team = cast.make_workspace(alice, name="Alone")
    assert closing.preview_account_closure(alice).teams == [team]
    closed(alice)
    team.refresh_from_db()
    assert team.closed is not None
    assert (team.balance, team.name) == (0, "Alone")


def test_the_only_superuser_cannot_close_their_account(staff: User) -> None:
    with pytest.raises(closing.MayNotClose, match="This is the only superuser account"):
        closing.close_account(staff)
    cast.make_staff("second@example.org")
    assert not closed(staff).is_superuser


def test_closing_a_team_ends_access_for_all_members(alice: User, bob: User, team: Workspace) -> None:
    edit = cast.make_edit(bob, workspace=team)
    Invitation.objects.create(workspace=team, role="editor", digest="d", expires=timezone.now())
    with pytest.raises(Forbidden):
        closing.close_team(actor_of(bob, team))
    closing.close_team(actor_of(alice, team))
    assert not Membership.objects.filter(workspace=team).exists()
    assert set(Edit.objects.in_trash()) == {edit}
    assert Invitation.objects.get().revoked is not None
    client = Client()
    client.force_login(bob)
    assert client.get("/w/studio/").status_code == 404
    assert_ledger_balances(team)
    credits.top_up_all()
    team.refresh_from_db()
    assert team.balance == 0


def test_only_the_current_owner_can_close_a_team(alice: User, bob: User, team: Workspace) -> None:
    edit, read_before = cast.make_edit(bob, workspace=team), actor_of(alice, team)
    members.hand_over(actor_of(alice, team), Membership.objects.get(user=bob, workspace=team))
    with pytest.raises(Forbidden):
        closing.close_team(read_before)
    team.refresh_from_db()
    assert (team.closed, team.balance) == (None, 360)
    assert set(Edit.objects.not_in_trash()) == {edit}
    closing.close_team(actor_of(bob, team))
    with pytest.raises(NotFound):
        closing.close_team(read_before)
    assert AuditEntry.objects.filter(action=Action.WORKSPACE_CLOSED).count() == 1
    assert_ledger_balances(team)


def test_a_personal_workspace_cannot_be_closed_as_a_team(alice: User) -> None:
    with pytest.raises(NotFound):
        closing.close_team(actor_of(alice))


def test_a_closing_interrupted_by_a_crash_is_completed_later(alice: User, team: Workspace) -> None:
    edit = cast.make_edit(alice, workspace=team)
    running = cast.make_edit(alice, workspace=team, state="QUEUED")
    closing._close(None, [team])
    closing.wind_up_all()
    closing.wind_up_all()
    team.refresh_from_db()
    assert (team.balance, team.held) == (0, 0)
    assert set(Edit.objects.in_trash()) == {edit, running}
    assert_ledger_balances(team)


def test_a_legal_hold_outlives_the_closing(alice: User) -> None:
    edit = cast.make_edit(alice)
    retention.set_hold(actor_of(alice), reason="A lawsuit")
    photo = kept_recipe(alice)
    draft = drafts.create_draft(actor_of(alice), cast.photo_file(), name="a.jpg")
    assert closing.preview_account_closure(User.objects.get(pk=alice.pk)).is_on_hold
    closed(alice)
    Edit.objects.update(purge_due=edit.created)
    assert trash.purge_all_due() == 0
    assert [cast.path_of(kept).exists() for kept in (photo, draft)] == [True, True]


def test_no_invariant_is_violated_over_the_lifetime_of_a_team(
    alice: User, bob: User, team: Workspace
) -> None:
    """Edits are deleted, restored, purged, and expired. The team is exported, transferred, and closed."""
    draft = drafts.create_draft(actor_of(alice, team), cast.photo_file(), name="a.jpg")
    made = [
        cast.make_edit(
            who, workspace=team, references=[photos.copy_files(draft)], results=[photos.copy_files(draft)]
        )
        for who in (alice, alice, bob, bob)
    ]
    trash.delete(actor_of(alice, team), made[0])
    trash.restore(actor_of(alice, team), made[0])
    trash.delete(actor_of(alice, team), made[2])
    trash.purge(actor_of(alice, team), Edit.objects.all())
    export = exports.request_export(alice, actor_of(alice, team))
    exports.build.call(str(export.pk), 0)
    retention.set_retention(actor_of(alice, team), 1)
    retention.apply_all()
    closed(bob)
    closing.close_account(alice)
    Edit.objects.in_trash().update(purge_due=made[0].created)
    assert trash.purge_all_due() == 3
    assert invariants.find_violations() == []
    assert_ledger_balances(team)
