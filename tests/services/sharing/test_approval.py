"""Tests for approval in a team.

They cover who may take each step of a review, and when originals become available.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from editor.models import AuditEntry, Edit, Review, User, Workspace
from editor.services.core.access import may_get_original
from editor.services.core.errors import Forbidden
from editor.services.maintenance import trash
from editor.services.sharing import reviews
from editor.services.sharing.comments import CommentRefused
from editor.services.sharing.reviews import ReviewRefused
from tests import cast

pytestmark = pytest.mark.django_db
Step = Callable[..., None]


@pytest.fixture
def edit(bob: User, team: Workspace) -> Edit:
    return cast.make_edit(bob, workspace=team)


def put(edit: Edit, state: str) -> None:
    Edit.objects.filter(pk=edit.pk).update(review_state=state)
    edit.refresh_from_db()


def test_the_review_history_contains_every_step_with_its_comment(
    alice: User, bob: User, team: Workspace, edit: Edit
) -> None:
    maker, reviewer = cast.actor_of(bob, team), cast.actor_of(alice, team)
    reviews.send(maker, edit, comment="For the cover.")
    reviews.decline(reviewer, edit, comment="Too dark.")
    reviews.send(maker, edit)
    reviews.approve(reviewer, edit)
    edit.refresh_from_db()
    assert edit.is_approved
    assert [(step.actor, step.state, step.comment) for step in reviews.history_of(edit)] == [
        (bob, "in_review", "For the cover."),
        (alice, "declined", "Too dark."),
        (bob, "in_review", ""),
        (alice, "approved", ""),
    ]
    actions = ["review_asked", "edit_declined", "review_asked", "edit_approved"]
    recorded = AuditEntry.objects.order_by("id")
    assert list(recorded.values_list("action", flat=True)) == actions
    assert set(recorded.values_list("reason", flat=True)) == {""}, (
        "comments are deleted with the edit, so the audit log does not contain them"
    )


def test_reopening_an_approved_edit_puts_it_in_review(alice: User, team: Workspace, edit: Edit) -> None:
    put(edit, "approved")
    reviews.reopen(cast.actor_of(alice, team), edit, comment="The logo is old.")
    edit.refresh_from_db()
    assert edit.is_in_review


def test_the_creator_can_withdraw_an_edit_from_review(bob: User, team: Workspace, edit: Edit) -> None:
    put(edit, "in_review")
    reviews.take_back(cast.actor_of(bob, team), edit)
    edit.refresh_from_db()
    assert edit.review_state == "draft"


@pytest.mark.parametrize("step", [reviews.approve, reviews.decline, reviews.reopen])
def test_only_reviewers_can_approve_decline_or_reopen(
    bob: User, team: Workspace, edit: Edit, step: Step
) -> None:
    put(edit, "approved" if step is reviews.reopen else "in_review")
    with pytest.raises(Forbidden):
        step(cast.actor_of(bob, team), edit, comment="mine")
    assert not Review.objects.exists()


@pytest.mark.parametrize("step", [reviews.send, reviews.take_back])
def test_only_the_creator_and_reviewers_can_send_or_withdraw_an_edit(
    alice: User, viewer: User, team: Workspace, edit: Edit, step: Step
) -> None:
    other = cast.make_user("other@example.org")
    cast.join(team, other)
    put(edit, "draft" if step is reviews.send else "in_review")
    for user in (viewer, other):
        with pytest.raises(Forbidden):
            step(cast.actor_of(user, team), edit)
    step(cast.actor_of(alice, team), edit)
    assert Review.objects.count() == 1


@pytest.mark.parametrize(
    ("step", "state"),
    [
        (reviews.send, "in_review"),
        (reviews.send, "approved"),
        (reviews.take_back, "draft"),
        (reviews.take_back, "approved"),
        (reviews.approve, "approved"),
        (reviews.approve, "declined"),
        (reviews.decline, "draft"),
        (reviews.decline, "approved"),
        (reviews.reopen, "in_review"),
        (reviews.reopen, "draft"),
    ],
)
def test_a_step_that_does_not_fit_the_review_state_is_refused(
    alice: User, team: Workspace, edit: Edit, step: Step, state: str
) -> None:
    put(edit, state)
    with pytest.raises(ReviewRefused):
        step(cast.actor_of(alice, team), edit, comment="now")
    edit.refresh_from_db()
    assert edit.review_state == state


def test_a_second_reviewer_is_told_who_decided_first(
    alice: User, bob: User, team: Workspace, edit: Edit
) -> None:
    reviews.send(cast.actor_of(bob, team), edit)
    seen = Edit.objects.get(pk=edit.pk)
    reviews.approve(cast.actor_of(alice, team), edit)
    with pytest.raises(ReviewRefused, match="Alice Ames approved it in the meantime"):
        reviews.decline(cast.actor_of(alice, team), seen, comment="No.")


def test_a_decline_requires_a_comment(alice: User, team: Workspace, edit: Edit) -> None:
    put(edit, "in_review")
    with pytest.raises(CommentRefused, match="Describe what should change"):
        reviews.decline(cast.actor_of(alice, team), edit, comment="")
    with pytest.raises(IntegrityError), transaction.atomic():
        Review.objects.create(edit=edit, actor=alice, state="declined")


def test_the_length_of_a_review_comment_is_limited(alice: User, team: Workspace, edit: Edit) -> None:
    with pytest.raises(CommentRefused, match="at most 2,000"):
        reviews.approve(cast.actor_of(alice, team), edit, comment="x" * 2001)


@pytest.mark.parametrize("fields", [{"state": "FAILED"}, {"state": "RUNNING"}])
def test_only_a_successful_edit_can_be_reviewed(alice: User, team: Workspace, fields: dict[str, Any]) -> None:
    edit = cast.make_edit(alice, workspace=team, **fields)
    with pytest.raises(ReviewRefused, match="Only a finished edit"):
        reviews.approve(cast.actor_of(alice, team), edit)
    with pytest.raises(IntegrityError), transaction.atomic():
        put(edit, "approved")


def test_an_edit_in_the_trash_cannot_be_reviewed(alice: User, team: Workspace, edit: Edit) -> None:
    trash.delete(cast.actor_of(alice, team), edit)
    with pytest.raises(ReviewRefused, match="not in the trash"):
        reviews.approve(cast.actor_of(alice, team), edit)


def test_there_is_no_review_outside_a_team(alice: User) -> None:
    edit = cast.make_edit(alice)
    with pytest.raises(ReviewRefused, match="only in teams"):
        reviews.approve(cast.actor_of(alice), edit)
    assert not any(vars(reviews.steps_of(cast.actor_of(alice), edit)).values())


def test_an_edit_of_another_workspace_cannot_be_reviewed(alice: User, charlie: User, edit: Edit) -> None:
    theirs = cast.make_workspace(charlie, name="Theirs")
    with pytest.raises(ReviewRefused):
        reviews.approve(cast.actor_of(charlie, theirs), edit)
    edit.refresh_from_db()
    assert edit.review_state == "draft"


@pytest.mark.parametrize(
    ("role", "state", "can"),
    [
        ("viewer", "in_review", set()),
        ("editor", "draft", {"send"}),
        ("editor", "in_review", {"take_back"}),
        ("editor", "approved", set()),
        ("admin", "draft", {"send", "approve"}),
        ("admin", "in_review", {"take_back", "approve", "decline"}),
        ("admin", "approved", {"reopen"}),
        ("admin", "declined", {"send"}),
    ],
)
def test_the_offered_steps_match_the_role_and_the_review_state(
    viewer: User, bob: User, team: Workspace, edit: Edit, role: str, state: str, can: set[str]
) -> None:
    admin = cast.make_user("admin@example.org")
    cast.join(team, admin, "admin")
    put(edit, state)
    actor = cast.actor_of({"viewer": viewer, "editor": bob, "admin": admin}[role], team)
    assert {name for name, yes in vars(reviews.steps_of(actor, edit)).items() if yes} == can


def test_members_get_originals_only_after_approval_if_it_is_required(
    alice: User, bob: User, viewer: User, team: Workspace, edit: Edit
) -> None:
    def takers() -> set[User]:
        result = Edit.objects.get(pk=edit.pk).results.get()
        return {user for user in (alice, bob, viewer) if may_get_original(user.pk, result)}

    assert takers() == {alice, bob, viewer}
    reviews.require_approval(cast.actor_of(alice, team), is_required=True)
    assert takers() == {alice}
    reviews.approve(cast.actor_of(alice, team), edit)
    assert takers() == {alice, bob, viewer}
    reviews.reopen(cast.actor_of(alice, team), edit)
    assert takers() == {alice}
    reviews.require_approval(cast.actor_of(alice, team), is_required=False)
    assert takers() == {alice, bob, viewer}


def test_references_and_drafts_stay_withheld_after_approval(
    alice: User, bob: User, team: Workspace, edit: Edit
) -> None:
    reviews.require_approval(cast.actor_of(alice, team), is_required=True)
    reviews.approve(cast.actor_of(alice, team), edit)
    draft = cast.make_draft(bob, team)
    for photo in (Edit.objects.get(pk=edit.pk).references.get(), draft):
        assert not may_get_original(bob.pk, type(photo)._default_manager.get(pk=photo.pk))
        assert may_get_original(alice.pk, photo)


def test_only_an_owner_can_require_approval_and_only_in_a_team(
    alice: User, bob: User, team: Workspace
) -> None:
    with pytest.raises(Forbidden):
        reviews.require_approval(cast.actor_of(bob, team), is_required=True)
    with pytest.raises(Forbidden, match="Only teams"):
        reviews.require_approval(cast.actor_of(alice), is_required=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        Workspace.objects.filter(pk=alice.personal_workspace.pk).update(approval_since=team.created)


def test_requiring_approval_twice_keeps_the_first_time(alice: User, team: Workspace) -> None:
    actor = cast.actor_of(alice, team)
    reviews.require_approval(actor, is_required=True)
    first = Workspace.objects.get(pk=team.pk).approval_since
    reviews.require_approval(actor, is_required=True)
    assert Workspace.objects.get(pk=team.pk).approval_since == first is not None
    assert AuditEntry.objects.get().detail == {"required": True}
