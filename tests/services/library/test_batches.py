"""Tests for batches.

A batch has one price, one hold, and one edit for each photo. Its failed edits can be retried.
"""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from editor.models import Batch, CreditEntry, DraftPhoto, Edit, User, Workspace
from editor.options import EditOptions
from editor.services.billing import credits
from editor.services.core.access import Actor
from editor.services.core.errors import Forbidden, NotFound
from editor.services.editing import leases, lifecycle, submit
from editor.services.library import batches, recipes
from editor.services.library.batches import Order
from editor.services.library.recipes import RecipeInput
from editor.services.maintenance import invariants, trash
from editor.services.photos import drafts
from tests import cast
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db


def order_of(user: User, count: int = 3, **changes: Any) -> Order:
    drafts = [cast.make_draft(user, name=f"{number}.jpg") for number in range(1, count + 1)]
    return Order(**{"prompt": "make it sepia", "drafts": drafts} | changes)


def start(actor: Actor, order: Order) -> Batch:
    return cast.submit_batch(actor, order, agreed=batches.quote_batch(actor, order).price)


def fail(edit: Edit) -> None:
    lifecycle.finish(edit, Edit.State.FAILED, code="engine_failed", message="No.")


def test_a_batch_creates_an_edit_for_each_photo_and_holds_the_total_price(alice: User) -> None:
    order = order_of(alice, options=EditOptions(output_format="webp"))
    batch = start(cast.actor_of(alice), order)
    edits = list(batch.edits.order_by("batch_position"))
    assert [(edit.batch_position, edit.references.get().name) for edit in edits] == [
        (1, "1.jpg"),
        (2, "2.jpg"),
        (3, "3.jpg"),
    ]
    assert {(edit.prompt, edit.output_format, edit.state) for edit in edits} == {
        ("make it sepia", "webp", "QUEUED")
    }
    assert (batch.photos, batch.price) == (3, 120)
    alice.personal_workspace.refresh_from_db()
    assert (alice.personal_workspace.balance, alice.personal_workspace.held) == (400, 120)
    assert not alice.drafts.exists()
    cast.assert_ledger_balances(alice.personal_workspace)


def test_the_quote_contains_the_price_and_holds_nothing(alice: User) -> None:
    offer = batches.quote_batch(cast.actor_of(alice), order_of(alice))
    assert (offer.photos, offer.price_per_photo, offer.price, offer.prompt) == (3, 40, 120, "make it sepia")
    assert offer.plan is not None
    assert [step.operation for step in offer.plan.steps] == ["sepia"]
    assert not CreditEntry.objects.filter(kind="hold").exists()


def test_a_batch_is_held_completely_or_not_at_all(alice: User) -> None:
    with pytest.raises(submit.InsufficientCredits, match=r"^Insufficient credits$"):
        start(cast.actor_of(alice), order_of(alice, 11))
    assert not Edit.objects.exists()
    assert not Batch.objects.exists()
    assert alice.drafts.count() == 11
    assert start(cast.actor_of(alice), order_of(alice, 10)).photos == 10
    cast.assert_ledger_balances(alice.personal_workspace)


def test_the_balance_decides_if_credits_are_spent_between_the_quote_and_the_hold(alice: User) -> None:
    actor, order = cast.actor_of(alice), order_of(alice, 10)
    admission = submit.admit(actor, edits=10)
    credits.correct(None, alice.personal_workspace, amount=-1, reason="Spent meanwhile")
    with pytest.raises(credits.InsufficientCredits):
        batches.submit_batch(admission, order, agreed_price=400)
    assert not Batch.objects.exists()
    assert not Edit.objects.exists()
    cast.assert_ledger_balances(alice.personal_workspace)


@pytest.mark.parametrize(
    ("changes", "name", "sentence"),
    [
        ({"drafts": ()}, "photos", "Add the photos first."),
        ({"prompt": ""}, "prompt", "Prompt is required"),
        ({"options": EditOptions(outputs=9)}, "outputs", "Choose at most 4 results."),
    ],
)
def test_invalid_input_is_reported_instead_of_a_quote(
    alice: User, changes: dict[str, Any], name: str, sentence: str
) -> None:
    with pytest.raises(submit.InvalidSubmission) as refused:
        batches.quote_batch(cast.actor_of(alice), order_of(alice, **changes))
    assert refused.value.errors[name] == sentence


def test_it_takes_two_hundred_photos_and_no_more(alice: User) -> None:
    drafts = [DraftPhoto(**cast.photo_facts()) for _ in range(201)]
    actor = cast.actor_of(alice)
    assert batches.quote_batch(actor, Order(prompt="make it sepia", drafts=drafts[:200])).price == 8000
    with pytest.raises(submit.InvalidSubmission, match="at most 200 photos"):
        batches.quote_batch(actor, Order(prompt="make it sepia", drafts=drafts))


def test_a_prompt_that_the_engine_refuses_starts_no_batch(alice: User) -> None:
    with pytest.raises(submit.PromptRefused, match="flobberwick"):
        start(cast.actor_of(alice), order_of(alice, prompt="add a flobberwick"))
    assert not Batch.objects.exists()


def test_a_price_that_differs_from_the_quote_starts_no_batch(alice: User) -> None:
    order = order_of(alice)
    with pytest.raises(batches.PriceChanged):
        cast.submit_batch(cast.actor_of(alice), order, agreed=119)
    assert not Batch.objects.exists()


def test_submitting_the_same_form_twice_creates_one_batch(alice: User) -> None:
    order, actor = order_of(alice), cast.actor_of(alice)
    first = start(actor, order)
    assert batches.find_submitted(actor, order.submit_id) == first
    assert start(actor, order) == first
    assert Edit.objects.count() == 3
    cast.assert_ledger_balances(alice.personal_workspace)


def test_a_missing_photo_starts_no_batch(alice: User) -> None:
    order, actor = order_of(alice), cast.actor_of(alice)
    DraftPhoto.objects.filter(id=order.drafts[1].id).delete()
    with pytest.raises(submit.DraftGone):
        start(actor, order)
    assert not Batch.objects.exists()
    assert alice.drafts.count() == 2
    cast.assert_ledger_balances(alice.personal_workspace)


def test_a_batch_needs_room_in_the_queue_for_all_its_photos(alice: User, settings: Any) -> None:
    settings.MAX_QUEUED_EDITS = 2
    with pytest.raises(submit.QueueFull):
        start(cast.actor_of(alice), order_of(alice))
    assert start(cast.actor_of(alice), order_of(alice, 2)).photos == 2


def test_a_viewer_may_neither_quote_start_retry_nor_cancel(
    alice: User, viewer: User, team: Workspace
) -> None:
    batch = start(cast.actor_of(alice, team), order_of_team(alice, team))
    looker = cast.actor_of(viewer, team)
    for act in (
        lambda: batches.quote_batch(looker, order_of(viewer)),
        lambda: start(looker, order_of(viewer)),
        lambda: submit.admit(looker, edits=1),
        lambda: batches.cancel_rest(looker, batch),
    ):
        with pytest.raises(Forbidden):
            act()
    assert Edit.objects.open().count() == 2


def test_a_batch_of_another_workspace_is_not_found(alice: User, team: Workspace) -> None:
    batch = start(cast.actor_of(alice, team), order_of_team(alice, team))
    assert batches.find_batch(cast.actor_of(alice, team), batch.id) == batch
    with pytest.raises(NotFound):
        batches.find_batch(cast.actor_of(alice), batch.id)


def test_only_the_failed_edits_of_a_batch_are_retried(alice: User) -> None:
    actor = cast.actor_of(alice)
    batch = start(actor, order_with_files(actor))
    one, two, three = batch.edits.order_by("batch_position")
    lifecycle.finish(one, Edit.State.SUCCESS)
    fail(two)
    lifecycle.cancel(actor, three)
    progress = batches.progress_of(batch)
    assert (len(progress.succeeded), len(progress.failed), len(progress.cancelled)) == (1, 1, 1)
    assert (progress.captured_credits, progress.held_credits, progress.returned_credits, progress.ended) == (
        40,
        0,
        80,
        3,
    )
    assert cast.retry_batch(actor, batch) == 1
    progress = batches.progress_of(batch)
    assert [edit.state for edit in progress.edits] == ["SUCCESS", "QUEUED", "CANCELLED"]
    assert progress.edits[1].references.get().sha256 == two.references.get().sha256
    assert (progress.captured_credits, progress.held_credits, progress.returned_credits) == (40, 40, 40)
    cast.assert_ledger_balances(alice.personal_workspace)


def test_a_retry_asked_for_twice_happens_once(alice: User) -> None:
    """The database must recognize that both retries are for the same photo.

    The retries come from two browser tabs, which send different submit IDs.
    """
    actor = cast.actor_of(alice)
    batch = start(actor, order_with_files(actor))
    failed = list(batch.edits.order_by("batch_position"))
    for edit in failed:
        fail(edit)
    assert cast.retry_batch(actor, batch) == 3
    admission = submit.admit(actor, edits=len(failed))
    assert batches.retry_failed(admission, batch, failed, submit_id=uuid.uuid4()) == 0
    assert batch.edits.count() == 6
    assert not alice.drafts.exists()
    cast.assert_ledger_balances(alice.personal_workspace)
    assert not invariants.find_violations()


def test_a_deleted_retry_is_not_repeated_and_does_not_block_other_retries(alice: User) -> None:
    actor = cast.actor_of(alice)
    batch = start(actor, order_with_files(actor))
    fail(batch.edits.get(batch_position=1))
    assert cast.retry_batch(actor, batch) == 1
    again = batch.edits.filter(batch_position=1).latest("id")
    lifecycle.finish(again, Edit.State.SUCCESS)
    trash.delete(actor, Edit.objects.get(pk=again.pk))
    fail(batch.edits.get(batch_position=2))
    assert [edit.batch_position for edit in batches.progress_of(batch).edits] == [2, 3]
    assert cast.retry_batch(actor, batch) == 1
    assert batch.edits.filter(batch_position=2).count() == 2
    cast.assert_ledger_balances(alice.personal_workspace)


def test_deleted_edits_still_count_in_the_credits_of_the_batch(alice: User) -> None:
    actor = cast.actor_of(alice)
    batch = start(actor, order_with_files(actor))
    done, failed, _waiting = batch.edits.order_by("batch_position")
    lifecycle.finish(done, Edit.State.SUCCESS)
    fail(failed)
    trash.move(Edit.objects.filter(pk__in=[done.pk, failed.pk]), by=alice.pk)
    progress = batches.progress_of(batch)
    assert [edit.batch_position for edit in progress.edits] == [3]
    assert (progress.captured_credits, progress.held_credits, progress.returned_credits) == (40, 40, 40)


def test_a_refund_counts_as_returned_credits_of_the_batch(alice: User) -> None:
    batch = start(cast.actor_of(alice), order_of(alice, count=2))
    for edit in batch.edits.all():
        lifecycle.finish(edit, Edit.State.SUCCESS)
    credits.refund(None, edit, amount=15, reason="Half of it was right")
    progress = batches.progress_of(batch)
    assert (progress.captured_credits, progress.held_credits, progress.returned_credits) == (65, 0, 15)


def test_a_retry_without_enough_credits_changes_nothing(alice: User) -> None:
    actor = cast.actor_of(alice)
    batch = start(actor, order_with_files(actor))
    for edit in batch.edits.all():
        fail(edit)
    Workspace.objects.filter(id=batch.workspace_id).update(held=0)
    credits.correct(None, alice.personal_workspace, amount=-300, reason="Too much")
    with pytest.raises(submit.InsufficientCredits):
        cast.retry_batch(actor, batch)
    assert batch.edits.count() == 3
    cast.assert_ledger_balances(alice.personal_workspace)


def test_cancelling_the_rest_keeps_the_finished_edits(alice: User) -> None:
    actor = cast.actor_of(alice)
    batch = start(actor, order_of(alice))
    first = batch.edits.get(batch_position=1)
    lifecycle.finish(first, Edit.State.SUCCESS)
    assert batches.cancel_rest(actor, batch) == 2
    assert batches.cancel_rest(actor, batch) == 0
    assert [edit.state for edit in batches.progress_of(batch).edits] == ["SUCCESS", "CANCELLED", "CANCELLED"]
    cast.assert_ledger_balances(alice.personal_workspace)


def test_a_recipe_runs_on_every_photo_together_with_the_recipes_photos(alice: User) -> None:
    actor = cast.actor_of(alice)
    logo = drafts.create_draft(actor, cast.photo_file(color="red"), name="logo.jpg")
    wording = RecipeInput(
        name="Tone", prompt="make it {tone}", options=EditOptions(output_format="jpeg"), drafts=[logo]
    )
    version = recipes.save_recipe(actor, wording)
    order = order_with_files(actor, 2, prompt="", recipe_version=version, variables={"tone": "sepia"})
    batch = start(actor, order)
    assert (batch.prompt, batch.recipe_version, batch.variables) == (
        "make it ‹sepia›",
        version,
        {"tone": "sepia"},
    )
    for edit in batch.edits.all():
        assert (edit.recipe_version, edit.output_format) == (version, "jpeg")
        assert [photo.name for photo in edit.references.all()][1:] == ["logo.jpg"]
    with pytest.raises(recipes.InvalidVariables):
        batches.quote_batch(actor, Order(recipe_version=version, drafts=order.drafts))
    assert not invariants.find_violations()


def test_the_progress_of_a_batch_takes_a_constant_number_of_queries(
    alice: User, django_assert_num_queries: Any
) -> None:
    batch = start(cast.actor_of(alice), order_of(alice, 10))
    for edit in batch.edits.all()[1:4]:
        lifecycle.finish(edit, Edit.State.SUCCESS)
    with django_assert_num_queries(3):
        progress = batches.progress_of(batch)
        for edit in progress.edits:
            list(edit.references.all()), list(edit.results.all())
        assert progress.captured_credits == 120
    with django_assert_num_queries(1):
        mark = batches.etag_of(batch)
    lifecycle.finish(batch.edits.all()[0], Edit.State.SUCCESS)
    assert batches.etag_of(batch) != mark


def test_a_single_edit_is_woken_with_priority_over_a_batch(
    alice: User, bob: User, engine: ScriptedEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single edit starts before the next photo in a batch, no matter who owns the batch."""
    woken: list[tuple[uuid.UUID, int]] = []
    actor = cast.actor_of(alice)
    batch = start(actor, order_of(alice, 6))
    first = leases.claim(batch.edits.get(batch_position=1).id)
    assert first is not None
    single = cast.submit_edit(actor, submit.Submission(prompt="sepia", drafts=[cast.make_draft(alice)]))
    # None of the other edits could start when they were last checked. They become due again later.
    Edit.objects.exclude(id=first.id).update(due=timezone.now() + timedelta(seconds=30))
    monkeypatch.setattr(lifecycle, "wake", lambda edit, *, at, priority=0: woken.append((edit.id, priority)))
    lifecycle.finish(first, Edit.State.SUCCESS)
    assert (single.id, lifecycle.START_PRIORITY) in woken
    assert {priority for edit_id, priority in woken if edit_id != single.id} == {
        lifecycle.BATCH_START_PRIORITY
    }
    assert len(woken) == 2


def test_only_a_limited_number_of_a_batchs_edits_run_at_a_time(
    alice: User, advance: Callable[..., Edit]
) -> None:
    batch = start(cast.actor_of(alice), order_of(alice, 4))
    claimed = [leases.claim(edit.id) for edit in batch.edits.order_by("batch_position")]
    assert [edit is not None for edit in claimed] == [True, True, False, False]
    waiting = batch.edits.get(batch_position=3)
    assert (waiting.due - waiting.created).total_seconds() > 30


def order_of_team(user: User, team: Workspace) -> Order:
    drafts = [cast.make_draft(user, team), cast.make_draft(user, team)]
    return Order(prompt="make it sepia", drafts=drafts)


def order_with_files(actor: Actor, count: int = 3, **changes: Any) -> Order:
    kept = [drafts.create_draft(actor, cast.photo_file(), name=f"{n}.jpg") for n in range(1, count + 1)]
    return Order(**{"prompt": "make it sepia", "drafts": kept} | changes)
