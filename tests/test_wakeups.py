"""Tests that a process waiting for a task wakes up as soon as the task is queued, and not before."""

import contextlib
import os
import threading
import time
import uuid
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connections
from django.tasks.signals import task_enqueued
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from editor import wakeups
from editor.management.commands.worker import WakeableWorker, make_worker
from editor.services.editing import lifecycle

LONG = 60.0  # maximum wait in seconds; if nothing ends the wait earlier, the test fails


@pytest.fixture(autouse=True)
def _new_wakeup_pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(wakeups._Pipe, "ends", None)
    wakeups.create_wakeup_pipe()
    yield
    task_enqueued.disconnect(dispatch_uid="wakeup")
    for end in wakeups._Pipe.ends or ():
        os.close(end)


def waited(seconds: float) -> float:
    began = time.monotonic()
    wakeups.wait_for_wakeup(seconds)
    return time.monotonic() - began


def enqueue(*, seconds: float = 0) -> str:
    task = lifecycle.advance.using(run_after=timezone.now() + timedelta(seconds=seconds))
    return task.enqueue(str(uuid.uuid4())).id


def _run(worker: WakeableWorker) -> None:
    worker.run()
    connections.close_all()


@pytest.mark.django_db(transaction=True)
def test_a_waiting_worker_takes_a_new_task_immediately() -> None:
    worker = make_worker()
    worker.interval = LONG
    thread = threading.Thread(target=_run, args=(worker,))
    thread.start()
    time.sleep(0.5)
    began = time.monotonic()
    first = DBTaskResult.objects.filter(id=enqueue())
    while not first.filter(finished_at__isnull=False).exists():
        assert time.monotonic() - began < LONG / 2
        time.sleep(0.01)
    worker.running = False
    enqueue()
    thread.join()


@pytest.mark.django_db
def test_a_forked_process_is_woken_up_too() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0 if waited(LONG) < LONG / 2 else 1)
    enqueue()
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


@pytest.mark.django_db
def test_one_task_causes_only_one_wakeup() -> None:
    enqueue()
    assert waited(LONG) < LONG / 2
    assert waited(0.2) >= 0.2


@pytest.mark.django_db
def test_a_task_for_later_causes_no_wakeup() -> None:
    enqueue(seconds=600)
    assert waited(0.2) >= 0.2


def _ring_until_it_is_full() -> None:
    assert wakeups._Pipe.ends
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(wakeups._Pipe.ends[1], b"!")


@pytest.mark.django_db
def test_a_full_wakeup_pipe_does_not_block_enqueuing() -> None:
    _ring_until_it_is_full()
    enqueue()
    assert DBTaskResult.objects.count() == 1


def test_without_a_wakeup_pipe_the_full_time_is_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wakeups._Pipe, "ends", None)
    assert waited(0.2) >= 0.2
