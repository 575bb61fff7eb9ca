"""Tests that kill a worker at a crash point. Another worker must finish the edit and charge for it only
once."""

import signal
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from editor import crash_points
from editor.models import CreditEntry, Edit, User, WebhookDelivery
from editor.services.editing import lifecycle, webhooks
from editor.services.maintenance import invariants
from editor.services.photos import drafts
from tests import cast, processes
from tests.faults.actions import ACTIONS
from tests.faults.test_audit import AUDIT_POINTS
from tests.faults.test_purge import PURGE_POINTS
from tests.hostile_server import HostileServer, answer

pytestmark = pytest.mark.django_db(transaction=True)
PROMISE_SECONDS = 30
# Maximum wait in seconds. It is long, because the test must not fail on a slow machine.
PATIENCE = 300
# Crash points that the web process and housekeeping pass.
ELSEWHERE = ("submit.", "cancel.", "sweep.", "webhook.", "purge.", "audit.")
WORKER_POINTS = [
    *(name for name in crash_points.POINTS if not name.startswith(ELSEWHERE)),
    "claim.leased:2",
    "claim.leased:3",
]


def wait_for_end(edit: Edit, seconds: float, sweep_every: float) -> Edit:
    """Run sweeps as housekeeping does until the edit has ended."""
    now = time.monotonic()
    until, sweep_at = now + seconds, now
    while (now := time.monotonic()) < until:
        edit.refresh_from_db()
        if not edit.is_open:
            return edit
        if now >= sweep_at:
            lifecycle.sweep()
            sweep_at = now + sweep_every
        time.sleep(0.1)
    raise AssertionError(f"The edit is {edit.state} after {seconds} s, attempts {edit.attempts}.")


def kill_and_rescue(
    edit: Edit, point: str, *, seconds: float = PATIENCE, sweep_every: float = 0.5, **settings: str
) -> Edit:
    """Kill a worker at a crash point, and let another worker and sweeps end the edit.

    The time limit is `seconds`, plus the time that a worker takes to start on this machine.
    """
    began = time.monotonic()
    doomed = processes.start_worker(CRASH_AT=point, **settings)
    output, _ = doomed.communicate(timeout=600)
    assert doomed.returncode == -signal.SIGKILL, output
    starting = time.monotonic() - began
    rescuer = processes.start_worker(**settings)
    try:
        return wait_for_end(edit, seconds + starting, sweep_every)
    finally:
        rescuer.terminate()
        rescuer.communicate(timeout=600)


@pytest.mark.slow
def test_a_killed_workers_edit_ends_within_30_seconds_with_production_settings(
    alice: User, submitted: Callable[..., Edit]
) -> None:
    edit, figures = submitted(alice), {"LEASE_SECONDS": "12"}
    ended = kill_and_rescue(edit, "running.polled", seconds=PROMISE_SECONDS, sweep_every=15, **figures)
    assert ended.state == "SUCCESS", ended.failure_message


@pytest.mark.sampled(1)
@pytest.mark.parametrize("point", WORKER_POINTS)
def test_a_killed_workers_edit_finishes_once_and_is_charged_once(
    alice: User, submitted: Callable[..., Edit], point: str
) -> None:
    edit = submitted(alice)
    ended = kill_and_rescue(edit, point, LEASE_SECONDS="3")
    assert ended.state == "SUCCESS", ended.failure_message
    assert ended.results.count() == 1
    assert CreditEntry.objects.filter(edit=edit, kind="capture").count() == 1
    alice.personal_workspace.refresh_from_db()
    assert (alice.personal_workspace.balance, alice.personal_workspace.held) == (360, 0)
    assert not invariants.find_violations()


def killed_at(point: str, **settings: str) -> None:
    """Run the action that reaches this crash point, and check that its process dies there.

    The action runs in a separate process.
    """
    act = processes.start("-m", "tests.faults.actions", point.partition(".")[0], CRASH_AT=point, **settings)
    output, _ = act.communicate(timeout=600)
    assert act.returncode == -signal.SIGKILL, output


def done_by_a_worker(edit: Edit) -> Edit:
    worker = processes.start_worker()
    try:
        return wait_for_end(edit, PATIENCE, 0.5)
    finally:
        worker.terminate()
        worker.communicate(timeout=600)


def kept_draft(user: User) -> None:
    drafts.create_draft(cast.actor_of(user), cast.photo_file(width=640, height=480), name="photo.jpg")


@pytest.mark.slow
@pytest.mark.parametrize("point", ["submit.photos_stored", "submit.edit_inserted", "submit.held"])
def test_a_submit_killed_before_its_commit_leaves_nothing_and_can_be_repeated(
    alice: User, point: str
) -> None:
    kept_draft(alice)
    killed_at(point)
    alice.personal_workspace.refresh_from_db()
    assert (alice.personal_workspace.held, Edit.objects.count(), alice.drafts.count()) == (0, 0, 1)
    assert not invariants.find_violations()
    ACTIONS["submit"]()
    assert done_by_a_worker(Edit.objects.get()).state == "SUCCESS"
    cast.assert_ledger_balances(alice.personal_workspace)


@pytest.mark.slow
def test_repeating_a_submit_killed_after_its_commit_creates_no_second_edit(alice: User) -> None:
    kept_draft(alice)
    killed_at("submit.committed")
    ACTIONS["submit"]()
    edit = Edit.objects.get()
    assert (edit.state, alice.drafts.count()) == ("QUEUED", 0)
    assert done_by_a_worker(edit).state == "SUCCESS"
    assert not invariants.find_violations()


def test_a_cancel_that_is_killed_changes_nothing_and_the_next_one_releases_once(
    alice: User, submitted: Callable[..., Edit]
) -> None:
    edit = submitted(alice)
    killed_at("cancel.requested")
    edit.refresh_from_db()
    assert edit.state == "QUEUED"
    ACTIONS["cancel"]()
    edit.refresh_from_db()
    assert edit.state == "CANCELLED"
    assert CreditEntry.objects.filter(edit=edit, kind="release").count() == 1
    assert not invariants.find_violations()


@pytest.mark.slow
def test_an_edit_claimed_by_a_killed_sweep_is_woken_by_the_next_sweep(
    alice: User, submitted: Callable[..., Edit]
) -> None:
    edit = submitted(alice)
    DBTaskResult.objects.all().delete()  # Lose the wake-up.
    killed_at("sweep.claimed")
    assert not DBTaskResult.objects.exists()
    assert done_by_a_worker(edit).state == "SUCCESS"
    assert not invariants.find_violations()


def test_a_killed_webhook_delivery_is_retried_after_its_lease(
    alice: User, submitted: Callable[..., Edit], settings: Any
) -> None:
    with HostileServer(answer(200, b"")) as server:
        settings.OUTBOUND_ALLOWED_ORIGINS = [server.origin]
        webhooks.add_endpoint(cast.actor_of(alice), url=f"{server.origin}/told")
        lifecycle.cancel(cast.actor_of(alice), submitted(alice))
        killed_at("webhook.claimed")
        delivery = WebhookDelivery.objects.get()
        assert (delivery.state, delivery.attempts, len(server.requests)) == ("WAITING", 1, 0)
        assert webhooks.deliver_due() == 0
        WebhookDelivery.objects.update(due=timezone.now() - timedelta(seconds=1))
        assert webhooks.deliver_due() == 1
    assert (WebhookDelivery.objects.get().state, len(server.requests)) == ("DELIVERED", 1)


def test_every_crash_point_is_tested() -> None:
    acts = {"submit.photos_stored", "submit.edit_inserted", "submit.held", "submit.committed"}
    acts |= {"cancel.requested", "sweep.claimed", "webhook.claimed"}
    armed = {point.partition(":")[0] for point in (*WORKER_POINTS, *PURGE_POINTS, *AUDIT_POINTS)}
    assert acts | armed == set(crash_points.POINTS)


@pytest.mark.slow
def test_an_edit_whose_workers_die_while_storing_succeeds_after_its_deadline(
    alice: User, submitted: Callable[..., Edit]
) -> None:
    """After each crash, the time limit for storing results and the lease have passed."""
    edit = submitted(alice)
    for point in ("storing.file_synced", "storing.collected"):
        doomed = processes.start_worker(CRASH_AT=point)
        output, _ = doomed.communicate(timeout=600)
        assert doomed.returncode == -signal.SIGKILL, output
        past = timezone.now() - timedelta(seconds=1)
        Edit.objects.filter(pk=edit.pk).update(lease_until=past, deadline=past)
        lifecycle.sweep()
    edit.refresh_from_db()
    assert (edit.state, edit.deadline < timezone.now()) == ("STORING", True)
    assert done_by_a_worker(edit).state == "SUCCESS"
    assert CreditEntry.objects.filter(edit=edit, kind="capture").count() == 1
    assert not invariants.find_violations()


def test_an_unknown_crash_point_is_refused() -> None:
    with pytest.raises(ValueError, match="no crash point"):
        crash_points.arm("settle.everything:1")
