"""Tests of wake-ups through Celery with a real Redis server and real workers.

Messages may be lost, duplicated, or late, the broker may be down, and workers may die. Every edit must end
exactly once.
"""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from editor import broker as wakes
from editor.models import CreditEntry, Edit, User
from editor.services.editing import lifecycle
from tests import cast, processes
from tests.engines import another_site, configure
from tests.hostile_server import HostileServer, after, answer, once, silence
from tests.ports import free_port
from tests.redis_server import SERVER, RedisServer

pytestmark = [
    pytest.mark.skipif(SERVER is None, reason="Redis is not installed (Debian: redis-server)."),
    pytest.mark.django_db(transaction=True),
]
CREATE, STATUS = "POST /api/photo-editor/generate", "GET /api/photo-editor/status"
TASK = {"code": 0, "success": True, "data": {"taskId": "task-1"}}
FAILED = {"code": 0, "success": True, "data": {"taskId": "task-1", "status": "FAILED", "message": "No."}}
PATIENCE = 300.0


@pytest.fixture
def broker(tmp_path: Path, settings: Any) -> Iterator[RedisServer]:
    """Start a Redis server that receives the wake-ups of this test's site."""
    running = RedisServer(tmp_path, port=free_port())
    settings.CELERY_BROKER_URL = running.url
    settings.TASKS = {
        "default": {"BACKEND": "editor.broker.CeleryBackend", "QUEUES": ["default", "upstream"]}
    }
    wakes.app.cache_clear()
    yield running
    running.stop()
    wakes.app().close()
    wakes.app.cache_clear()


SENDS_BY_EIGHT_THREADS = """
import threading
import django; django.setup()
from editor.broker import CeleryBackend
from editor.services.editing.lifecycle import advance
backend, together = CeleryBackend("default", {}), threading.Barrier(8)
def send():
    together.wait()
    backend._send(advance, ["an edit"], {})
    print("sent", flush=True)
threads = [threading.Thread(target=send) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def test_eight_threads_can_send_the_first_wake_ups_simultaneously(broker: RedisServer) -> None:
    place = {"TASK_BACKEND": "celery", "CELERY_BROKER_URL": broker.url}
    environment = processes.environment(DJANGO_SETTINGS_MODULE="tests.settings", **place)
    command = [sys.executable, "-c", SENDS_BY_EIGHT_THREADS]
    sent = subprocess.run(command, cwd=processes.ROOT, env=environment, capture_output=True, text=True)
    assert sent.stdout.count("sent") == 8, sent.stderr


@pytest.fixture
def worker(broker: RedisServer, settings: Any) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Return a function that starts workers for our own engine or for the given upstream site."""
    running: list[subprocess.Popen[str]] = []

    def start(server: HostileServer | None = None, **extra: str) -> subprocess.Popen[str]:
        place = {"TASK_BACKEND": "celery", "CELERY_BROKER_URL": broker.url, "RUNNING_PER_USER": "9"}
        queue = wakes.ENGINE
        if server:
            configure(settings, another_site(server.origin))
            queue = wakes.UPSTREAM
            place |= {"EDIT_PROVIDER": "photo-editor", "PHOTO_EDITOR_BASE_URL": server.origin}
        running.append(processes.start_worker("--threads", "4", "--queue", queue, **place, **extra))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.communicate()


def queued(user: User, server: HostileServer, *, times: int = 1, after: timedelta = timedelta()) -> Edit:
    place: dict[str, Any] = {"provider": "photo-editor", "base_url": server.origin}
    return cast.queue_edit(user, wake_ups=times, after=after, price=1, **place)


def wait_for(edit: Edit, *states: str) -> Edit:
    """Wait until the edit is in one of these states.

    Meanwhile, run the sweep as housekeeping does, but more often.
    """
    until = time.monotonic() + PATIENCE
    while edit.state not in states:
        assert time.monotonic() < until, (edit.state, edit.attempts, edit.lease_until)
        time.sleep(0.2)
        lifecycle.sweep()
        edit.refresh_from_db()
    return edit


def assert_settled_once(edit: Edit) -> None:
    kinds = list(CreditEntry.objects.filter(edit=edit).values_list("kind", flat=True))
    assert sorted(kinds) == sorted(["hold", "capture" if edit.state == "SUCCESS" else "release"])
    cast.assert_ledger_balances(edit.workspace)


@pytest.mark.slow
def test_an_edit_is_completed_by_messages_without_sweeps(
    alice: User, broker: RedisServer, worker: Callable[..., Any], submitted: Callable[..., Edit]
) -> None:
    worker()
    edit = submitted(alice)
    until = time.monotonic() + PATIENCE
    while edit.state != "SUCCESS":
        assert time.monotonic() < until, (edit.state, edit.failure_message)
        time.sleep(0.1)
        edit.refresh_from_db()
    assert_settled_once(edit)
    wait_until(lambda: photos_are_whole(edit))


def asked_for(server: HostileServer, what: str) -> int:
    return sum(f"{request.method} {request.path}".startswith(what) for request in server.requests)


def photos_are_whole(edit: Edit) -> bool:
    return edit.results.get().has_large


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.slow
def test_lost_duplicate_and_early_messages_change_nothing(
    alice: User, broker: RedisServer, worker: Callable[..., Any]
) -> None:
    with HostileServer(by_path={CREATE: answer(200, TASK), STATUS: answer(200, FAILED)}) as server:
        worker(server)
        doubled = queued(alice, server, times=5)
        lost = queued(alice, server, times=0)
        for edit in [wait_for(edit, "FAILED") for edit in (doubled, lost)]:
            assert_settled_once(edit)
        # No other edit may end now, because that would make this edit due early.
        early = queued(alice, server, times=0, after=timedelta(seconds=3))
        due = early.due
        lifecycle.wake(early, at=timezone.now())
        assert_settled_once(wait_for(early, "FAILED"))
        assert Edit.objects.get(pk=early.pk).sent >= due  # type: ignore[operator]
        assert asked_for(server, CREATE) == 3


@pytest.mark.slow
def test_edits_survive_a_flushed_broker_a_stopped_broker_and_a_killed_worker(
    alice: User, broker: RedisServer, worker: Callable[..., Any]
) -> None:
    with HostileServer(by_path={CREATE: answer(200, TASK), STATUS: silence()}) as server:
        settled = [queued(alice, server)]
        broker.flush()
        first = worker(server)
        wait_for(settled[0], "RUNNING")
        wait_until(lambda: asked_for(server, STATUS) > 0)
        first.kill()  # The worker is waiting for the response to a status request.
        server.set_scripts(STATUS, answer(200, FAILED))
        broker.stop()
        began = time.monotonic()
        settled.append(queued(alice, server))
        settled.append(queued(alice, server))
        assert time.monotonic() - began < 60, "a submit does not wait for the broker"
        worker(server)
        time.sleep(3)
        broker.start()
        for edit in [wait_for(edit, "FAILED") for edit in settled]:
            assert_settled_once(edit)


@pytest.mark.slow
def test_a_worker_that_is_told_to_stop_waits_for_its_create_response(
    alice: User, broker: RedisServer, worker: Callable[..., Any]
) -> None:
    stopping = threading.Event()
    # The pause lets the worker notice the signal before the response comes.
    with HostileServer(by_path={CREATE: once(stopping, after(3, answer(200, TASK)))}) as server:
        process = worker(server)
        edit = queued(alice, server)
        server.wait_for(1, seconds=300)
        process.send_signal(signal.SIGTERM)
        stopping.set()
        output, _ = process.communicate(timeout=600)
    edit.refresh_from_db()
    assert (process.returncode, edit.state, edit.lease_until) == (0, "RUNNING", None), output
