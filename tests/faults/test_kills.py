"""Tests that kill processes where the engine makes no difference. `test_engine_kills` has the others."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from editor import crash_points
from editor.models import Edit, User, WebhookDelivery
from editor.services.editing import lifecycle, webhooks
from tests import cast, processes
from tests.faults.actions import ACTIONS
from tests.faults.killing import (
    SUBMIT_POINTS,
    WORKER_POINTS,
    assert_killed,
    assert_settled_once,
    ended_by,
    kill_at,
    wait_for_end,
)
from tests.faults.test_audit import AUDIT_POINTS
from tests.faults.test_purge import PURGE_POINTS
from tests.hostile_server import HostileServer, answer

pytestmark = pytest.mark.django_db(transaction=True)
PROMISE_SECONDS = 30


@pytest.mark.slow
def test_a_killed_workers_edit_ends_within_30_seconds_with_production_settings(
    alice: User, submitted: Callable[..., Edit]
) -> None:
    edit, began = submitted(alice), time.monotonic()
    assert_killed(processes.start_worker(CRASH_AT="running.polled", LEASE_SECONDS="12"))
    starting = time.monotonic() - began  # Another worker takes as long to start on this machine.
    with worker(LEASE_SECONDS="12"):
        edit = wait_for_end(edit, PROMISE_SECONDS + starting, sweep_every=15)
    assert edit.state == "SUCCESS", edit.failure_message


@contextmanager
def worker(**settings: str) -> Iterator[subprocess.Popen[str]]:
    """Run a worker during the block."""
    running = processes.start_worker(**settings)
    try:
        yield running
    finally:
        running.terminate()
        running.communicate(timeout=600)


def test_a_cancel_that_is_killed_changes_nothing_and_the_next_one_releases_once(
    alice: User, submitted: Callable[..., Edit]
) -> None:
    edit = submitted(alice)
    kill_at("cancel.requested")
    edit.refresh_from_db()
    assert edit.state == "QUEUED"
    ACTIONS["cancel"]()
    edit.refresh_from_db()
    assert edit.state == "CANCELLED"
    assert_settled_once(edit, captured=False)


def test_a_killed_webhook_delivery_is_retried_after_its_lease(
    alice: User, submitted: Callable[..., Edit], settings: Any
) -> None:
    with HostileServer(answer(200, b"")) as server:
        settings.OUTBOUND_ALLOWED_ORIGINS = [server.origin]
        webhooks.add_endpoint(cast.actor_of(alice), url=f"{server.origin}/told")
        lifecycle.cancel(cast.actor_of(alice), submitted(alice))
        kill_at("webhook.claimed")
        delivery = WebhookDelivery.objects.get()
        assert (delivery.state, delivery.attempts, len(server.requests)) == ("WAITING", 1, 0)
        assert webhooks.deliver_due() == 0
        WebhookDelivery.objects.update(due=timezone.now() - timedelta(seconds=1))
        assert webhooks.deliver_due() == 1
    assert (WebhookDelivery.objects.get().state, len(server.requests)) == ("DELIVERED", 1)


def test_every_crash_point_is_tested() -> None:
    acts = {*SUBMIT_POINTS, "cancel.requested", "sweep.claimed", "webhook.claimed"}
    armed = {point.partition(":")[0] for point in (*WORKER_POINTS, *PURGE_POINTS, *AUDIT_POINTS)}
    assert acts | armed == set(crash_points.POINTS)


@pytest.mark.slow
def test_an_edit_whose_workers_die_while_storing_succeeds_after_its_deadline(
    alice: User, submitted: Callable[..., Edit]
) -> None:
    """After each crash, the time limit for storing results and the lease have passed."""
    edit = submitted(alice)
    for point in ("storing.file_synced", "storing.collected"):
        assert_killed(processes.start_worker(CRASH_AT=point))
        past = timezone.now() - timedelta(seconds=1)
        Edit.objects.filter(pk=edit.pk).update(lease_until=past, deadline=past)
        lifecycle.sweep()
    edit.refresh_from_db()
    assert (edit.state, edit.deadline < timezone.now()) == ("STORING", True)
    with worker() as rescuer:
        assert ended_by(rescuer, edit).state == "SUCCESS"
    assert_settled_once(edit, captured=True)


def test_an_unknown_crash_point_is_refused() -> None:
    with pytest.raises(ValueError, match="no crash point"):
        crash_points.arm("settle.everything:1")
