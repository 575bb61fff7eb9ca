"""Tests of crashes during a create request. The upstream site must receive each edit only once."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest

from editor.models import CreditEntry, Edit, User
from editor.services.editing import lifecycle
from editor.services.maintenance import invariants
from tests import cast, processes
from tests.faults.test_kills import wait_for_end
from tests.hostile_server import HostileServer, after, answer, silence
from tests.providers.upstream import Upstream

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "k3y-CANARY-of-the-operator"
PATIENCE = 300
CREATE = "POST /api/photo-editor/generate"
TASK = {"code": 0, "success": True, "data": {"taskId": "task-1"}}
type Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    site = Upstream()
    with site.server:
        yield site


@pytest.fixture
def start() -> Iterator[Start]:
    """Return a function that starts workers for this upstream site.

    The workers are killed when the test ends.
    """
    running: list[subprocess.Popen[str]] = []

    def worker(server: HostileServer, **settings: str) -> subprocess.Popen[str]:
        place = {"PHOTO_EDITOR_BASE_URL": server.origin, "PHOTO_EDITOR_API_KEY": KEY}
        settings = {"EDIT_PROVIDER": "photo-editor", "LEASE_SECONDS": "3"} | place | settings
        running.append(processes.start_worker(**settings))
        return running[-1]

    yield worker
    for process in running:
        if process.poll() is None:
            process.kill()
            process.communicate()


def queued(user: User, server: HostileServer) -> Edit:
    edit = cast.make_edit(user, state="QUEUED", provider="photo-editor", base_url=server.origin)
    reference = edit.references.get()
    reference.key = f"aa/{reference.id.hex}.jpg"
    reference.save()
    cast.path_of(reference).parent.mkdir(parents=True, exist_ok=True)
    cast.path_of(reference).write_bytes(cast.photo_bytes())
    lifecycle.wake(edit, at=edit.due)
    return edit


def ended_by(worker: subprocess.Popen[str], edit: Edit) -> Edit:
    """Return the edit after this worker has ended it.

    If the worker does not end the edit, fail the test with the worker's output.
    """
    try:
        return wait_for_end(edit, PATIENCE, 0.5)
    except AssertionError as error:
        worker.kill()
        raise AssertionError(f"{error}\n{worker.communicate()[0]}") from None


def assert_settled_once(edit: Edit, *, captured: bool) -> None:
    kind = "capture" if captured else "release"
    assert CreditEntry.objects.filter(edit=edit, kind__in=["capture", "release"]).get().kind == kind
    cast.assert_ledger_balances(edit.workspace)
    assert not invariants.find_violations(with_files=False)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("point", "state", "creates"),
    [
        ("sending.answer_read", "FAILED", 1),
        ("claim.leased", "SUCCESS", 1),
        ("sending.prepared", "SUCCESS", 1),
        ("sending.committed", "FAILED", 0),
        ("sending.task_saved", "SUCCESS", 1),
        ("running.polled", "SUCCESS", 1),
        ("running.word_written", "SUCCESS", 1),
        ("storing.collected", "SUCCESS", 1),
        ("storing.row_written", "SUCCESS", 1),
        ("settle.edit_updated", "SUCCESS", 1),
    ],
)
def test_the_create_request_is_sent_at_most_once_wherever_a_worker_dies(
    alice: User, upstream: Upstream, start: Start, point: str, state: str, creates: int
) -> None:
    edit = queued(alice, upstream.server)
    doomed = start(upstream.server, CRASH_AT=point)
    output, _ = doomed.communicate(timeout=180)
    assert doomed.returncode == -signal.SIGKILL, output
    ended = ended_by(start(upstream.server), edit)
    assert (ended.state, upstream.creates) == (state, creates)
    assert ended.failure_code == ("" if state == "SUCCESS" else "unconfirmed")
    assert_settled_once(ended, captured=state == "SUCCESS")
    assert KEY not in output


@pytest.mark.slow
def test_a_worker_killed_during_the_create_request_does_not_send_it_twice(alice: User, start: Start) -> None:
    with HostileServer(silence()) as server:
        edit = queued(alice, server)
        doomed = start(server)
        server.wait_for(1, seconds=120)
        doomed.kill()
        doomed.communicate()
        ended = ended_by(start(server), edit)
        assert (ended.state, ended.failure_code, len(server.requests)) == ("FAILED", "unconfirmed", 1)
        assert_settled_once(ended, captured=False)


@pytest.mark.slow
def test_a_worker_that_is_asked_to_stop_completes_the_create_request_first(alice: User, start: Start) -> None:
    with HostileServer(by_path={CREATE: after(2.0, answer(200, TASK))}) as server:
        edit = queued(alice, server)
        worker = start(server)
        server.wait_for(1, seconds=120)
        worker.terminate()
        output, _ = worker.communicate(timeout=120)
        edit.refresh_from_db()
        assert (edit.state, (edit.ticket or {})["task_id"]) == ("RUNNING", "task-1"), output
        assert (edit.lease_until, len(server.requests)) == (None, 1)


@pytest.mark.slow
def test_cancelling_an_edit_stops_its_hanging_create_request(alice: User, start: Start) -> None:
    with HostileServer(silence()) as server:
        edit = queued(alice, server)
        start(server)
        server.wait_for(1, seconds=120)
        cancelled = time.monotonic()
        assert lifecycle.cancel(cast.actor_of(alice), edit)
        other = queued(alice, server)
        server.wait_for(2, seconds=120)
        assert time.monotonic() - cancelled < 30
        lifecycle.cancel(cast.actor_of(alice), other)
        edit.refresh_from_db()
        assert edit.state == "CANCELLED"
        assert_settled_once(edit, captured=False)


@pytest.mark.slow
def test_three_workers_with_duplicate_wake_ups_send_each_edit_once(
    alice: User, upstream: Upstream, start: Start
) -> None:
    edits = [queued(alice, upstream.server) for _ in range(8)]
    for edit in edits * 3:
        lifecycle.wake(edit, at=edit.due)
    for _ in range(3):
        start(upstream.server, RUNNING_PER_USER="8", UPSTREAM_IN_FLIGHT="8")
    for edit in edits:
        assert wait_for_end(edit, PATIENCE, 1.0).state == "SUCCESS"
    assert upstream.creates == 8
    cast.assert_ledger_balances(edits[0].workspace)
