"""Crashes with real kills: a worker process is ended with SIGKILL at a named point; another finishes the
edit, once, and charges it once."""

import signal
import time
from collections.abc import Callable

import pytest

from editor import crash_points
from editor.models import CreditEntry, Edit, User
from editor.services import invariants, lifecycle
from tests import processes

pytestmark = pytest.mark.django_db(transaction=True)
PROMISE_SECONDS = 30
ELSEWHERE = (
    "submit.",
    "cancel.",
    "sweep.",
    "webhook.",
    "purge.",
)  # the web process and housekeeping pass these
WORKER_POINTS = [
    *(name for name in crash_points.POINTS if not name.startswith(ELSEWHERE)),
    "claim.leased:2",
    "claim.leased:3",
]


def wait_for_end(edit: Edit, seconds: float, sweep_every: float) -> Edit:
    """Sweeps as housekeeping does until the edit has ended."""
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


def kill_and_rescue(edit: Edit, point: str, *, sweep_every: float = 0.5, **settings: str) -> Edit:
    """One worker dies at the point; another, and sweeps, bring the edit to its end in the promised time."""
    doomed = processes.start_worker(CRASH_AT=point, **settings)
    output, _ = doomed.communicate(timeout=60)
    assert doomed.returncode == -signal.SIGKILL, output
    rescuer = processes.start_worker(**settings)
    try:
        return wait_for_end(edit, PROMISE_SECONDS, sweep_every)
    finally:
        rescuer.terminate()
        rescuer.communicate(timeout=30)


def test_with_the_figures_of_production_a_killed_workers_edit_is_done_within_30_seconds(
    alice: User, submitted: Callable[..., Edit]
) -> None:
    ended = kill_and_rescue(submitted(alice), "running.polled", sweep_every=15, LEASE_SECONDS="12")
    assert ended.state == "SUCCESS", ended.failure_message


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
    assert not invariants.broken()


def test_an_unknown_crash_point_is_refused() -> None:
    with pytest.raises(ValueError, match="no crash point"):
        crash_points.arm("settle.everything:1")
