"""Tests of races between actions on batches, with real threads and the test run's database."""

import uuid

import pytest

from editor.models import Batch, Edit, Membership, User, Workspace
from editor.services.billing import credits
from editor.services.core.access import Actor
from editor.services.editing import lifecycle
from editor.services.library import batches
from editor.services.library.batches import Order
from editor.services.maintenance import invariants
from editor.services.photos import drafts
from tests import cast
from tests.faults.test_races import CROWD, at_once

pytestmark = pytest.mark.django_db(transaction=True)


def order_of(user: User, workspace: Workspace, count: int, submit_id: uuid.UUID | None = None) -> Order:
    made = [cast.make_draft(user, workspace=workspace) for _ in range(count)]
    return Order(prompt="make it sepia", drafts=made, submit_id=submit_id or uuid.uuid4())


def batch_with_files(actor: Actor, count: int) -> Batch:
    """Submit a batch that can be retried.

    The batch has files, because a retry copies the photos.
    """
    kept = [drafts.create_draft(actor, cast.photo_file(), name=f"{number}.jpg") for number in range(count)]
    order = Order(prompt="make it sepia", drafts=kept)
    return cast.submit_batch(actor, order, agreed=40 * count)


def test_submitting_one_form_eight_times_simultaneously_creates_one_batch(alice: User) -> None:
    workspace, submit_id = alice.personal_workspace, uuid.uuid4()
    order = order_of(alice, workspace, 3, submit_id)

    def send(_: int) -> uuid.UUID:
        return cast.submit_batch(cast.actor_of(alice), order, agreed=120).id

    answers = at_once(send)
    assert len({answer for answer in answers if isinstance(answer, uuid.UUID)}) == 1, answers
    assert (Batch.objects.count(), Edit.objects.count()) == (1, 3)
    workspace.refresh_from_db()
    assert (workspace.balance, workspace.held) == (400, 120)
    assert not invariants.find_violations(with_files=False)


def test_batches_that_share_a_balance_are_each_held_completely_or_not_at_all(
    alice: User, team: Workspace
) -> None:
    orders = [order_of(alice, team, 4) for _ in range(CROWD)]
    answers = at_once(
        lambda number: (
            cast.submit_batch(
                cast.actor_of(alice, team),
                orders[number],
                agreed=160,
            ).photos
        )
    )
    refused = [answer for answer in answers if isinstance(answer, credits.InsufficientCredits)]
    # 400 credits are enough for two batches that cost 160 credits each.
    assert (answers.count(4), len(refused)) == (2, CROWD - 2), answers
    assert (Batch.objects.count(), Edit.objects.count()) == (2, 8)
    assert alice.drafts.count() == 4 * (CROWD - 2)
    assert not invariants.find_violations(with_files=False)


def test_simultaneous_batches_do_not_exceed_a_members_cap(bob: User, team: Workspace) -> None:
    Membership.objects.filter(user=bob, workspace=team).update(cap=120)
    orders = [order_of(bob, team, 2) for _ in range(CROWD)]
    answers = at_once(
        lambda number: (
            cast.submit_batch(
                cast.actor_of(bob, team),
                orders[number],
                agreed=80,
            ).photos
        )
    )
    assert answers.count(2) == 1, answers
    assert Edit.objects.count() == 2
    assert not invariants.find_violations(with_files=False)


def test_simultaneous_retries_of_a_batch_retry_the_failed_edits_once(alice: User, team: Workspace) -> None:
    batch = batch_with_files(cast.actor_of(alice, team), 3)
    for edit in batch.edits.all():
        lifecycle.finish(edit, Edit.State.FAILED, code="engine_failed", message="No.")

    def again(_: int) -> int:
        return cast.retry_batch(cast.actor_of(alice, team), batch)

    answers = at_once(again)
    assert sorted(map(str, answers)) == ["0"] * (CROWD - 1) + ["3"]
    assert Edit.objects.open().count() == 3
    team.refresh_from_db()
    assert (team.balance, team.held) == (400, 120)
    assert not invariants.find_violations(with_files=False)


def test_cancelling_a_batch_while_it_is_retried_leaves_no_open_edits_or_holds(
    alice: User, team: Workspace
) -> None:
    actor = cast.actor_of(alice, team)
    batch = batch_with_files(actor, 4)
    for edit in batch.edits.filter(batch_position__lte=2):
        lifecycle.finish(edit, Edit.State.FAILED, code="engine_failed", message="No.")

    def work(number: int) -> int:
        if number % 2:
            return batches.cancel_rest(cast.actor_of(alice, team), batch)
        return cast.retry_batch(cast.actor_of(alice, team), batch)

    answers = at_once(work)
    assert all(isinstance(answer, int) for answer in answers), answers
    batches.cancel_rest(actor, batch)
    assert not Edit.objects.open().exists()
    team.refresh_from_db()
    assert (team.balance, team.held) == (400, 0)
    assert not invariants.find_violations(with_files=False)
