"""Tests that workers in one process run in parallel and stop together, and that failures are noticed."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from queue import Queue
from typing import Any

import pytest

from editor.management.commands import start
from editor.management.commands import worker as worker_command
from editor.management.commands.worker import WakeableWorker, make_worker, run_workers
from editor.models import Edit, User
from editor.providers.contract import CREATE_SECONDS
from editor.services.editing import leases
from photoeditor_site.server.supervisor import GRACE_SECONDS
from tests import cast, processes
from tests.engines import EMBEDDED, another_site
from tests.hostile_server import HostileServer, after, answer, once

# Maximum seconds for a stop, even on a busy machine. A worker that waits for its last call takes longer.
STOP_SECONDS = 60
CREATE = "POST /api/photo-editor/generate"
TASK = {"code": 0, "success": True, "data": {"taskId": "task-1"}}


def queued(user: User, server: HostileServer) -> Edit:
    return cast.queue_edit(user, provider="photo-editor", base_url=server.origin, price=1)


@pytest.fixture
def crew() -> Iterator[Callable[[HostileServer], subprocess.Popen[str]]]:
    """Yield a function that starts a process with four workers that use the given upstream site."""
    running: list[subprocess.Popen[str]] = []

    def start_crew(server: HostileServer) -> subprocess.Popen[str]:
        place = {"EDIT_PROVIDER": "photo-editor", "PHOTO_EDITOR_BASE_URL": server.origin}
        limits = {"RUNNING_PER_USER": "9", "UPSTREAM_IN_FLIGHT": "9"}
        running.append(processes.start_worker("--threads", "4", **place, **limits))
        return running[-1]

    yield start_crew
    for process in running:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_four_workers_of_one_process_send_in_parallel_and_finish_before_stopping(
    alice: User, crew: Callable[[HostileServer], subprocess.Popen[str]]
) -> None:
    stopping = threading.Event()
    # The pause lets the workers notice the signal before the responses come.
    with HostileServer(by_path={CREATE: once(stopping, after(2.5, answer(200, TASK)))}) as server:
        edits = [queued(alice, server) for _ in range(5)]
        process = crew(server)
        server.wait_for(4, seconds=300)
        started = time.monotonic()
        process.terminate()
        stopping.set()
        output, _ = process.communicate(timeout=600)
        assert (process.returncode, len(server.requests)) == (0, 4), output
        assert time.monotonic() - started < STOP_SECONDS
    states = sorted(Edit.objects.get(id=edit.id).state for edit in edits)
    assert states == ["QUEUED"] + ["RUNNING"] * 4
    assert not Edit.objects.filter(lease_until__isnull=False).exists()


@pytest.mark.django_db(transaction=True)
def test_idle_workers_of_one_process_stop_at_once(
    alice: User, crew: Callable[[HostileServer], subprocess.Popen[str]]
) -> None:
    with HostileServer(by_path={CREATE: answer(200, TASK)}) as server:
        queued(alice, server)
        process = crew(server)
        server.wait_for(1, seconds=300)
        time.sleep(0.5)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=600)
        assert process.returncode == 0, output
        assert time.monotonic() - started < STOP_SECONDS


class Failing(WakeableWorker):
    def run(self) -> None:
        raise RuntimeError("a bug of ours")


class Idle(WakeableWorker):
    def run(self) -> None:
        while self.running:
            time.sleep(0.01)


def made(kind: type[WakeableWorker]) -> WakeableWorker:
    worker = make_worker()
    worker.__class__ = kind
    return worker


@pytest.fixture
def handlers(monkeypatch: pytest.MonkeyPatch) -> dict[int, Any]:
    """Record signal handlers instead of installing them. Return the handlers by signal number."""
    kept: dict[int, Any] = {}
    monkeypatch.setattr(signal, "signal", lambda number, handler: kept.update({number: handler}))
    return kept


def test_a_worker_that_fails_stops_the_others(
    handlers: dict[int, Any], caplog: pytest.LogCaptureFixture
) -> None:
    assert run_workers([made(Idle), made(Failing), made(Idle)]) is False
    assert "a bug of ours" in caplog.text


def test_a_second_signal_ends_the_process_at_once(
    handlers: dict[int, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    monkeypatch.setattr(worker_command, "schedule_lease_release", lambda: None)
    worker_command._install_signal_handlers([made(Idle)])
    handlers[signal.SIGTERM](signal.SIGTERM, None)
    assert codes == []
    handlers[signal.SIGTERM](signal.SIGTERM, None)
    assert codes == [1]


def test_a_stop_releases_leases_and_gives_up_requests_before_the_process_is_killed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both timers may be late on a busy machine, so the order of their calls says nothing."""
    calls: Queue[bool] = Queue()
    monkeypatch.setattr(leases, "release_all", lambda *, is_last_call: calls.put(is_last_call))
    assert worker_command.LEASE_RELEASE_SECONDS < CREATE_SECONDS < worker_command.LAST_CALL_SECONDS
    assert worker_command.LAST_CALL_SECONDS < CREATE_SECONDS + GRACE_SECONDS == 115
    never = threading.TIMEOUT_MAX
    for name, is_last_call in (("LEASE_RELEASE_SECONDS", False), ("LAST_CALL_SECONDS", True)):
        others = {"LEASE_RELEASE_SECONDS": never, "LAST_CALL_SECONDS": never} | {name: 0.0}
        for constant, seconds in others.items():
            monkeypatch.setattr(worker_command, constant, seconds)
        worker_command.schedule_lease_release()
        assert calls.get(timeout=60) is is_last_call
    assert calls.empty()


def test_each_worker_of_a_process_has_its_own_name() -> None:
    assert len({make_worker(number=number).worker_id for number in range(1, 9)}) == 8


@pytest.mark.parametrize(
    ("provider", "workers", "shares"),
    [
        ("embedded", 1, [1]),
        ("embedded", 3, [1, 1, 1]),
        ("photo-editor", 1, [1]),
        ("photo-editor", 2, [1, 1]),
        ("photo-editor", 8, [4, 4]),
        ("photo-editor", 9, [5, 4]),
        ("photo-editor", 32, [16, 16]),
    ],
)
def test_workers_that_mostly_wait_share_two_processes(
    settings: Any, provider: str, workers: int, shares: list[int]
) -> None:
    settings.ENGINES = (EMBEDDED if provider == "embedded" else another_site(),)
    assert [number for number, _ in start._shares(workers).values()] == shares


@pytest.mark.parametrize(("provider", "seconds"), [("embedded", None), ("photo-editor", 90 + 25)])
def test_the_grace_period_of_a_sending_worker_is_long_enough_for_a_response(
    settings: Any, provider: str, seconds: float | None
) -> None:
    settings.ENGINES = (EMBEDDED if provider == "embedded" else another_site(),)
    graces = {program.name: program.grace for program in start._programs(start.ROLES, "127.0.0.1", 8000, 1)}
    assert graces == {"web": None, start_name(provider): seconds, "housekeeping": None}


def start_name(provider: str) -> str:
    return "worker 1" if provider == "embedded" else "workers 1"


MIXED = (EMBEDDED, another_site(in_flight=12))


@pytest.mark.parametrize("backend", ["database", "celery"])
def test_a_site_with_both_kinds_of_engines_has_workers_for_each(settings: Any, backend: str) -> None:
    settings.TASK_BACKEND, settings.ENGINES = backend, MIXED
    pixels = {"worker 1": (1, "engine"), "worker 2": (1, "engine")}
    assert start._shares(2) == pixels | {"workers 1": (6, "upstream"), "workers 2": (6, "upstream")}
    programs = start._programs(start.ROLES, "127.0.0.1", 8000, 2)
    graces = {program.name: program.grace for program in programs if "worker" in program.name}
    assert graces == {"worker 1": None, "worker 2": None, "workers 1": 90 + 25, "workers 2": 90 + 25}


def test_each_kind_of_worker_reads_only_its_own_queue(settings: Any) -> None:
    settings.ENGINES = MIXED
    pixels, waiting = make_worker(queue="engine"), make_worker(queue="upstream")
    assert (pixels.queue_names, pixels.excluded_queue_names) == (["*"], ["upstream"])
    assert (waiting.queue_names, waiting.excluded_queue_names) == (["upstream"], [])
    for one in MIXED:
        settings.ENGINES = (one,)
        for queue in ("engine", "upstream"):
            assert make_worker(queue=queue).queue_names == ["*"]
            assert make_worker(queue=queue).excluded_queue_names == []


def test_with_celery_waiting_and_computing_workers_have_separate_queues(settings: Any) -> None:
    settings.TASK_BACKEND, settings.ENGINES = "celery", (another_site(),)
    waiting = {"workers 1": (4, "upstream"), "workers 2": (4, "upstream")}
    assert start._shares(8) == waiting | {"worker 1": (1, "engine")}
    settings.ENGINES = (EMBEDDED,)
    assert start._shares(2) == {"worker 1": (1, "engine"), "worker 2": (1, "engine")}
