"""Kill the processes of a site at crash points, and check how an edit ends."""

import signal
import subprocess
import time

from editor import crash_points
from editor.models import CreditEntry, Edit, User
from editor.services.editing import lifecycle
from editor.services.maintenance import invariants
from editor.services.photos import drafts
from tests import cast, processes
from tests.providers.provider_factory import KEY

# Maximum wait in seconds. It is long, because the test must not fail on a slow machine.
PATIENCE = 300
# Crash points that the web process and housekeeping pass.
ELSEWHERE = ("submit.", "cancel.", "sweep.", "webhook.", "purge.", "audit.")
# Crash points of a submit, and those that a worker passes with every engine.
SUBMIT_POINTS = [point for point in crash_points.POINTS if point.startswith("submit.")]
WORKER_POINTS = [point for point in crash_points.POINTS if not point.startswith(ELSEWHERE)]


def assert_killed(process: subprocess.Popen[str]) -> None:
    """Wait until the process has killed itself at its crash point."""
    output, _ = process.communicate(timeout=600)
    assert process.returncode == -signal.SIGKILL, output
    assert KEY not in output


def kill_at(point: str, **settings: str) -> None:
    """Run the action that reaches this crash point, and check that its process dies there.

    The action runs in a separate process.
    """
    action = point.partition(".")[0]
    assert_killed(processes.start("-m", "tests.faults.actions", action, CRASH_AT=point, **settings))


def wait_for_end(edit: Edit, seconds: float = PATIENCE, sweep_every: float = 0.5) -> Edit:
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


def ended_by(worker: subprocess.Popen[str], edit: Edit) -> Edit:
    """Return the edit after this worker has ended it.

    If the worker does not end the edit, fail the test with the worker's output.
    """
    try:
        return wait_for_end(edit)
    except AssertionError as error:
        worker.kill()
        raise AssertionError(f"{error}\n{worker.communicate()[0]}") from None


def assert_settled_once(edit: Edit, *, captured: bool) -> None:
    kind = "capture" if captured else "release"
    assert CreditEntry.objects.filter(edit=edit, kind__in=["capture", "release"]).get().kind == kind
    cast.assert_ledger_balances(edit.workspace)
    assert not invariants.find_violations()


def keep_draft(user: User) -> None:
    drafts.create_draft(cast.actor_of(user), cast.photo_file(width=640, height=480), name="photo.jpg")
