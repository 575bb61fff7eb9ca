"""Tests that kill processes whose engine is an upstream site.

Each edit is charged at most once, and the upstream site edits its photos at most once.
"""

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django_tasks_db.models import DBTaskResult

from editor import crash_points
from editor.models import CreditEntry, Edit, User
from editor.providers.contract import CREATE_SECONDS
from editor.services.editing import lifecycle
from editor.services.maintenance import invariants
from tests import cast, processes
from tests.engines import another_site, configure
from tests.faults.actions import ACTIONS
from tests.faults.test_kills import ELSEWHERE, kept_draft, killed_at, wait_for_end
from tests.hostile_server import HostileServer, after, answer, once, silence
from tests.providers.provider_factory import KEY
from tests.providers.upstream import Upstream

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 300
CREATE = "POST /api/photo-editor/generate"
TASK = {"code": 0, "success": True, "data": {"taskId": "task-1"}}
# The crash points that a worker passes. A worker claims the edit four times: to send it, to poll its task
# while the task runs and again when it has finished, and to store the result.
POINTS = [
    *(point for point in crash_points.POINTS if not point.startswith(ELSEWHERE)),
    "claim.leased:2",
    "claim.leased:3",
    "claim.leased:4",
    "running.polled:2",
]
# The crash points after which nobody can tell whether the create request has arrived, each with the number of
# create requests that did arrive.
AMBIGUOUS = {"sending.committed": 0, "sending.answer_read": 1}
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

    def worker(server: HostileServer, **extra: str) -> subprocess.Popen[str]:
        running.append(processes.start_worker(**variables(server) | extra))
        return running[-1]

    yield worker
    for process in running:
        if process.poll() is None:
            process.kill()
            process.communicate()


def variables(server: HostileServer) -> dict[str, str]:
    """Return the settings of a site whose engine is this server."""
    place = {"PHOTO_EDITOR_BASE_URL": server.origin, "PHOTO_EDITOR_API_KEY": KEY}
    return {"EDIT_PROVIDER": "photo-editor", "LEASE_SECONDS": "3"} | place


def queued(user: User, server: HostileServer) -> Edit:
    return cast.queue_edit(user, provider="photo-editor", base_url=server.origin)


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


def killed(worker: subprocess.Popen[str]) -> None:
    output, _ = worker.communicate(timeout=600)
    assert worker.returncode == -signal.SIGKILL, output
    assert KEY not in output


@pytest.mark.sampled(1)
@pytest.mark.parametrize("point", POINTS)
def test_the_create_request_is_sent_at_most_once_wherever_a_worker_dies(
    alice: User, upstream: Upstream, start: Start, point: str
) -> None:
    edit = queued(alice, upstream.server)
    killed(start(upstream.server, CRASH_AT=point))
    ended = ended_by(start(upstream.server), edit)
    is_known = point not in AMBIGUOUS
    assert (ended.state, ended.failure_code) == (("SUCCESS", "") if is_known else ("FAILED", "unconfirmed"))
    assert (upstream.creates, ended.results.count()) == (AMBIGUOUS.get(point, 1), is_known)
    assert Edit.objects.count() == 1
    assert_settled_once(ended, captured=is_known)
    assert not (settings.WORK_DIR / str(edit.id)).exists()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("point", AMBIGUOUS)
def test_another_darkroom_gets_an_ambiguous_request_again_and_edits_once(
    alice: User, upstream: Upstream, start: Start, point: str
) -> None:
    edit = queued(alice, upstream.server)
    darkroom = {"PHOTO_EDITOR_IS_DARKROOM": "true"}
    killed(start(upstream.server, CRASH_AT=point, **darkroom))
    ended = ended_by(start(upstream.server, **darkroom), edit)
    assert (ended.state, ended.results.count()) == ("SUCCESS", 1)
    assert (upstream.creates, list(upstream.tasks)) == (AMBIGUOUS[point] + 1, ["task-1"])
    keys = {request.headers["idempotency-key"] for request in upstream.server.requests if request.length}
    assert keys == {str(edit.id)}
    assert_settled_once(ended, captured=True)


@pytest.fixture
def configured(upstream: Upstream, settings: Any) -> dict[str, str]:
    """Configure the upstream site as the engine, and return the same settings for other processes."""
    configure(settings, another_site(upstream.server.origin, api_key=KEY))
    return variables(upstream.server)


@pytest.mark.slow
@pytest.mark.parametrize(
    "point", ["submit.photos_stored", "submit.edit_inserted", "submit.held", "submit.committed"]
)
def test_an_edit_whose_submit_was_killed_and_repeated_is_sent_once(
    alice: User, upstream: Upstream, configured: dict[str, str], start: Start, point: str
) -> None:
    kept_draft(alice)
    killed_at(point, **configured)
    ACTIONS["submit"]()
    assert upstream.creates == 0
    ended = ended_by(start(upstream.server), Edit.objects.get())
    assert (ended.state, upstream.creates) == ("SUCCESS", 1)
    assert_settled_once(ended, captured=True)


@pytest.mark.slow
@pytest.mark.parametrize("point", ["cancel.requested", "sweep.claimed"])
def test_a_killed_cancel_or_sweep_changes_nothing_and_the_edit_is_sent_once(
    alice: User, upstream: Upstream, configured: dict[str, str], start: Start, point: str
) -> None:
    edit = queued(alice, upstream.server)
    DBTaskResult.objects.all().delete()  # Only a sweep can wake the edit.
    killed_at(point, **configured)
    assert (upstream.creates, DBTaskResult.objects.count()) == (0, 0)
    ended = ended_by(start(upstream.server), edit)
    assert (ended.state, upstream.creates) == ("SUCCESS", 1)
    assert_settled_once(ended, captured=True)


@pytest.mark.slow
def test_a_worker_killed_during_the_create_request_does_not_send_it_twice(alice: User, start: Start) -> None:
    with HostileServer(silence()) as server:
        edit = queued(alice, server)
        doomed = start(server)
        server.wait_for(1, seconds=300)
        doomed.kill()
        doomed.communicate()
        ended = ended_by(start(server), edit)
        assert (ended.state, ended.failure_code, len(server.requests)) == ("FAILED", "unconfirmed", 1)
        assert_settled_once(ended, captured=False)


@pytest.mark.slow
def test_a_worker_that_is_asked_to_stop_completes_the_create_request_first(alice: User, start: Start) -> None:
    stopping = threading.Event()
    # The pause lets the worker notice the signal before the response comes.
    with HostileServer(by_path={CREATE: once(stopping, after(2.0, answer(200, TASK)))}) as server:
        edit = queued(alice, server)
        worker = start(server)
        server.wait_for(1, seconds=300)
        worker.terminate()
        stopping.set()
        output, _ = worker.communicate(timeout=600)
        edit.refresh_from_db()
        assert (edit.state, (edit.ticket or {})["task_id"]) == ("RUNNING", "task-1"), output
        assert (edit.lease_until, len(server.requests)) == (None, 1)


@pytest.mark.slow
def test_cancelling_an_edit_stops_its_hanging_create_request(alice: User, start: Start) -> None:
    with HostileServer(silence()) as server:
        edit = queued(alice, server)
        start(server)
        server.wait_for(1, seconds=300)
        cancelled = time.monotonic()
        assert lifecycle.cancel(cast.actor_of(alice), edit)
        other = queued(alice, server)
        server.wait_for(2, seconds=300)
        assert time.monotonic() - cancelled < CREATE_SECONDS - 30, "the request ends before its time limit"
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
