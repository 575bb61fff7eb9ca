"""Tests that kill processes, with each engine.

However they die, there is one edit, it is charged at most once, and nothing is sent twice.
"""

import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings
from django_tasks_db.models import DBTaskResult

from editor.models import Edit, User
from editor.providers.contract import CREATE_SECONDS
from editor.providers.engine_settings import EngineSettings
from editor.services.editing import adapters, lifecycle
from editor.services.maintenance import invariants
from tests import cast, processes
from tests.engines import configure
from tests.faults.actions import ACTIONS
from tests.faults.killing import (
    SUBMIT_POINTS,
    WORKER_POINTS,
    assert_killed,
    assert_settled_once,
    ended_by,
    keep_draft,
    kill_at,
)
from tests.hostile_server import after, once
from tests.providers.far_ends import FAR_ENDS, Child, FarEnd, Site

pytestmark = pytest.mark.django_db(transaction=True)
ENGINES, SITES = list(FAR_ENDS), ["photo-editor", "openai-images"]
REPEATABLE = "openai-images, repeatable"
SENT = ["sending.committed", "sending.answer_read", "running.polled"]
# The crash points that a worker passes. It claims the edit of another site four times: to send it, to poll
# its task while the task runs and again when it has finished, and to store the result. The last two engines
# differ only in what happens to a request that may have been received.
POINTS = {
    "embedded": [*WORKER_POINTS, "claim.leased:2", "claim.leased:3"],
    "photo-editor": [
        *WORKER_POINTS,
        *("claim.leased:2", "claim.leased:3", "claim.leased:4", "running.polled:2"),
    ],
    "openai-images": WORKER_POINTS,
    "another Darkroom": SENT,
    REPEATABLE: SENT,
}
# The crash points after which nobody can tell whether the request has arrived, each with the number of
# requests that did arrive.
UNCONFIRMED = {
    ("photo-editor", "sending.committed"): 0,
    ("photo-editor", "sending.answer_read"): 1,
    ("openai-images", "sending.committed"): 0,
}
KILLS = [(name, point, UNCONFIRMED.get((name, point))) for name in POINTS for point in POINTS[name]]
# The crash points at which the response exists only on the worker's machine.
UNSTORED = {
    "sending.answer_read": "unconfirmed",
    "sending.task_saved": "result_unavailable",
    "running.polled": "result_unavailable",
    "running.word_written": "result_unavailable",
    "storing.collected": "result_unavailable",
}
# Nobody dies in tests with these settings, and a busy machine must not end a lease.
UNHURRIED = {"LEASE_SECONDS": "30"}
type Submitted = Callable[..., Edit]
type Start = Callable[..., subprocess.Popen[str]]

every_engine = pytest.mark.parametrize("far_end", ENGINES, indirect=True)
every_site = pytest.mark.parametrize("far_end", SITES, indirect=True)


@pytest.fixture
def far_end(request: pytest.FixtureRequest, settings: Any) -> Iterator[FarEnd]:
    """Start what is behind the adapter of the site's only engine."""
    name, _, option = request.param.partition(", ")
    with FAR_ENDS[name](Child()) as made:
        options = {**made.engine.options, **({option: True} if option else {})}
        made.engine = replace(made.engine, seconds=900, options=options)
        configure(settings, made.engine)
        yield made
    adapters.provider_named.cache_clear()


@pytest.fixture
def start() -> Iterator[Start]:
    """Return a function that starts workers. They are killed when the test ends."""
    running: list[subprocess.Popen[str]] = []

    def worker(far_end: FarEnd, **extra: str) -> subprocess.Popen[str]:
        running.append(processes.start_worker(**variables(far_end.engine) | extra))
        return running[-1]

    yield worker
    for process in running:
        if process.poll() is None:
            process.kill()
            process.communicate()


def variables(engine: EngineSettings) -> dict[str, str]:
    """Return the settings of a site that has only this engine."""
    values = {
        "BASE_URL": engine.base_url,
        "API_KEY": engine.api_key,
        "MODEL": engine.model,
        "SECONDS": engine.seconds,
        **{option.upper(): value for option, value in engine.options.items()},
    }
    named = {engine.variable(name): str(value) for name, value in values.items()}
    return {"EDIT_PROVIDER": engine.provider, "LEASE_SECONDS": "3", **named}


def assert_received(far_end: FarEnd, edits: int) -> None:
    """Check how many edits the site has received. The embedded engine runs in the worker, so nothing is
    sent.
    """
    assert not isinstance(far_end, Site) or far_end.received == edits


# ---- a worker dies


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("far_end", "point", "unconfirmed"), KILLS, indirect=["far_end"])
def test_an_edit_is_sent_and_charged_at_most_once_wherever_a_worker_dies(
    alice: User, far_end: FarEnd, submitted: Submitted, start: Start, point: str, unconfirmed: int | None
) -> None:
    edit = submitted(alice)
    assert_killed(start(far_end, CRASH_AT=point))
    edit = ended_by(start(far_end), edit)
    is_success = unconfirmed is None
    assert (edit.state, edit.failure_code) == (("SUCCESS", "") if is_success else ("FAILED", "unconfirmed"))
    assert_received(far_end, 1 if unconfirmed is None else unconfirmed)
    assert (Edit.objects.count(), edit.results.count()) == (1, is_success)
    assert_settled_once(edit, captured=is_success)
    assert not (settings.WORK_DIR / str(edit.id)).exists()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("far_end", ["openai-images"], indirect=True)
@pytest.mark.parametrize("point", UNSTORED)
def test_a_response_that_only_a_dead_machine_has_is_lost_and_never_requested_again(
    alice: User, far_end: FarEnd, submitted: Submitted, start: Start, point: str
) -> None:
    edit = submitted(alice)
    assert_killed(start(far_end, CRASH_AT=point))
    # The next worker runs on another machine, which does not have this folder.
    shutil.rmtree(settings.WORK_DIR / str(edit.id))
    edit = ended_by(start(far_end), edit)
    assert (edit.state, edit.failure_code) == ("FAILED", UNSTORED[point])
    assert_received(far_end, 1)
    assert_settled_once(edit, captured=False)


@pytest.mark.slow
@every_site
def test_a_worker_killed_during_the_request_does_not_send_it_twice(
    alice: User, far_end: Site, submitted: Submitted, start: Start
) -> None:
    far_end.hang()
    edit = submitted(alice)
    doomed = start(far_end)
    far_end.server.wait_for(1, seconds=300)
    doomed.kill()
    doomed.communicate()
    edit = ended_by(start(far_end), edit)
    assert (edit.state, edit.failure_code, far_end.received) == ("FAILED", "unconfirmed", 1)
    assert_settled_once(edit, captured=False)


@pytest.mark.slow
@every_site
def test_a_worker_that_is_asked_to_stop_receives_the_response_first(
    alice: User, far_end: Site, submitted: Submitted, start: Start
) -> None:
    stopping = threading.Event()
    # The pause lets the worker notice the signal before the response comes.
    far_end.play(once(stopping, after(2.0, far_end.edit)))
    edit = submitted(alice)
    worker = start(far_end, **UNHURRIED)
    far_end.server.wait_for(1, seconds=300)
    worker.terminate()
    stopping.set()
    output, _ = worker.communicate(timeout=600)
    edit.refresh_from_db()
    has_result = far_end.make_provider().capabilities().answers_directly
    assert (edit.state, edit.lease_until) == ("SUCCESS" if has_result else "RUNNING", None), output
    edit = ended_by(start(far_end), edit)
    assert (edit.state, far_end.received) == ("SUCCESS", 1)
    assert_settled_once(edit, captured=True)


@pytest.mark.slow
@every_site
def test_cancelling_an_edit_stops_its_hanging_request(
    alice: User, far_end: Site, submitted: Submitted, start: Start
) -> None:
    far_end.hang()
    edit = submitted(alice)
    start(far_end)
    far_end.server.wait_for(1, seconds=300)
    cancelled = time.monotonic()
    assert lifecycle.cancel(cast.actor_of(alice), edit)
    other = submitted(alice)
    far_end.server.wait_for(2, seconds=300)
    assert time.monotonic() - cancelled < CREATE_SECONDS - 30, "the request ends before its time limit"
    lifecycle.cancel(cast.actor_of(alice), other)
    edit.refresh_from_db()
    assert edit.state == "CANCELLED"
    assert_settled_once(edit, captured=False)


@pytest.mark.slow
@every_site
def test_three_workers_with_duplicate_wake_ups_send_each_edit_once(
    alice: User, far_end: Site, submitted: Submitted, start: Start
) -> None:
    edits = [submitted(alice) for _ in range(8)]
    for edit in edits * 3:
        lifecycle.wake(edit, at=edit.due)
    workers = [start(far_end, RUNNING_PER_USER="8", **UNHURRIED) for _ in range(3)]
    ended = [ended_by(workers[0], edit) for edit in edits]
    for edit in ended:
        assert (edit.state, edit.failure_message) == ("SUCCESS", "")
        assert_settled_once(edit, captured=True)
    assert far_end.received == 8


# ---- the web process or housekeeping dies


@pytest.mark.slow
@every_engine
@pytest.mark.parametrize("point", SUBMIT_POINTS)
def test_a_submit_that_is_killed_and_repeated_makes_one_edit(
    alice: User, far_end: FarEnd, start: Start, point: str
) -> None:
    keep_draft(alice)
    kill_at(point, **variables(far_end.engine))
    alice.personal_workspace.refresh_from_db()
    before = (alice.personal_workspace.held, Edit.objects.count(), alice.drafts.count())
    assert before == ((40, 1, 0) if point == "submit.committed" else (0, 0, 1))
    assert not invariants.find_violations()
    ACTIONS["submit"]()
    edit = Edit.objects.get()
    assert (edit.state, alice.drafts.count()) == ("QUEUED", 0)
    assert_received(far_end, 0)
    assert ended_by(start(far_end, **UNHURRIED), edit).state == "SUCCESS"
    assert_received(far_end, 1)
    assert_settled_once(edit, captured=True)


@pytest.mark.slow
@every_engine
@pytest.mark.parametrize("point", ["cancel.requested", "sweep.claimed"])
def test_a_killed_cancel_or_sweep_changes_nothing_and_the_edit_is_sent_once(
    alice: User, far_end: FarEnd, submitted: Submitted, start: Start, point: str
) -> None:
    edit = submitted(alice)
    DBTaskResult.objects.all().delete()  # Only a sweep can wake the edit.
    kill_at(point, **variables(far_end.engine))
    edit.refresh_from_db()
    assert (edit.state, DBTaskResult.objects.count()) == ("QUEUED", 0)
    assert_received(far_end, 0)
    assert ended_by(start(far_end, **UNHURRIED), edit).state == "SUCCESS"
    assert_received(far_end, 1)
    assert_settled_once(edit, captured=True)
