"""Crashes with real kills: a worker process is ended with SIGKILL at a named point; another finishes the
edit, once, and charges it once."""

import time
from collections.abc import Callable

import pytest

from editor import crash_points
from editor.models import CreditEntry, Edit, User
from editor.services import invariants, lifecycle
from tests import processes

pytestmark = pytest.mark.django_db(transaction=True)
PROMISE_SECONDS = 30
WORKER_POINTS = [
    "claim.leased:1",
    "claim.leased:2",
    "claim.leased:3",
    "sending.committed",
    "sending.answer_read",
    "sending.task_saved",
    "running.polled",
    "running.word_written",
    "storing.collected",
    "storing.file_synced",
    "storing.row_written",
    "settle.edit_updated",
    "settle.purse_updated",
    "settle.committed",
]


def wait_for_end(edit: Edit, seconds: float) -> Edit:
    """Sweeps as housekeeping does until the edit has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        edit.refresh_from_db()
        if not edit.is_open:
            return edit
        lifecycle.sweep()
        time.sleep(0.5)
    raise AssertionError(f"The edit is {edit.state} after {seconds} s, attempts {edit.attempts}.")


@pytest.mark.parametrize("point", WORKER_POINTS)
def test_a_killed_workers_edit_finishes_once_and_is_charged_once(
    alice: User, submitted: Callable[..., Edit], point: str
) -> None:
    edit = submitted(alice)
    doomed = processes.start_worker(CRASH_AT=point)
    doomed.wait(timeout=60)
    assert doomed.returncode == -9, doomed.communicate()[0]
    killed = time.monotonic()
    rescuer = processes.start_worker()
    try:
        ended = wait_for_end(edit, PROMISE_SECONDS)
    finally:
        rescuer.terminate()
        rescuer.communicate(timeout=30)
    assert time.monotonic() - killed < PROMISE_SECONDS
    assert ended.state == "SUCCESS", ended.failure_message
    assert ended.results.count() == 1
    assert CreditEntry.objects.filter(edit=edit, kind="capture").count() == 1
    alice.personal_workspace.refresh_from_db()
    assert (alice.personal_workspace.balance, alice.personal_workspace.held) == (360, 0)
    assert not invariants.broken()


def test_every_crash_point_of_a_worker_is_tried() -> None:
    tried = {point.partition(":")[0] for point in WORKER_POINTS}
    elsewhere = {point for point in crash_points.POINTS if point.startswith(("submit.", "cancel.", "sweep."))}
    assert tried | elsewhere == set(crash_points.POINTS)


def test_an_unknown_crash_point_is_refused() -> None:
    with pytest.raises(ValueError, match="no crash point"):
        crash_points.arm("settle.everything:1")
