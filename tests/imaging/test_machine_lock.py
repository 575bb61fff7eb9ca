"""Tests for a lock that several processes share, and for child processes that wait for it."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from editor.imaging.errors import SandboxError
from editor.imaging.machine_lock import MachineLock
from editor.imaging.sandbox import Sandbox
from tests.imaging import jobs
from tests.imaging.test_sandbox import TRIAL, is_running
from tests.processes import ROOT

HOLDER = """
import sys, time
from pathlib import Path
from editor.imaging.machine_lock import MachineLock
with MachineLock(lambda: Path(sys.argv[1])).held(None, lambda: True) as is_held:
    print(is_held, flush=True)
    time.sleep(900)
"""


@pytest.fixture
def lock(tmp_path: Path) -> MachineLock:
    return MachineLock(lambda: tmp_path / "lock")


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Start another process that holds the lock."""
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        yield process
        process.kill()


def test_only_one_caller_holds_the_lock_at_a_time(lock: MachineLock) -> None:
    with lock.held(0, lambda: True) as first, lock.held(0.1, lambda: True) as second:
        assert (first, second) == (True, False)
    with lock.held(0, lambda: True) as again:
        assert again


def test_a_killed_process_releases_the_lock(lock: MachineLock, holder: subprocess.Popen[str]) -> None:
    with lock.held(0, lambda: True) as is_held:
        assert not is_held
    os.kill(holder.pid, signal.SIGKILL)
    with lock.held(60, lambda: True) as is_held:
        assert is_held


def test_the_lock_is_free_if_its_folder_does_not_exist(tmp_path: Path) -> None:
    lock = MachineLock(lambda: tmp_path / "none" / "lock")
    with lock.held(0, lambda: True) as is_held:
        assert is_held
        assert not lock.is_awaited()


def test_the_lock_shows_whether_another_caller_waits_for_it(lock: MachineLock) -> None:
    over = threading.Event()

    def wait() -> None:
        with lock.held(None, lambda: not over.is_set()):
            pass

    with lock.held(0, lambda: True), lock.held(0, lambda: True):
        assert not lock.is_awaited(), "only processes that wait for the lock count"
        waiter = threading.Thread(target=wait)
        waiter.start()
        until = time.monotonic() + 300
        while not lock.is_awaited() and time.monotonic() < until:
            time.sleep(0.01)
        assert lock.is_awaited()
        over.set()
        waiter.join()
        assert not lock.is_awaited()


def test_a_sandbox_waits_for_the_lock_or_gives_up_in_time(
    lock: MachineLock, holder: subprocess.Popen[str]
) -> None:
    hasty, patient = Sandbox(TRIAL, lock=lock, patience=0.1), Sandbox(TRIAL, lock=lock)
    with pytest.raises(SandboxError) as caught:
        hasty.call(jobs.echo)
    assert caught.value.kind == "busy"
    threading.Timer(0.5, holder.kill).start()
    assert patient.call(jobs.echo, a=1) == {"a": 1}
    for box in (hasty, patient):
        box.close()


def test_a_stop_ends_the_wait(lock: MachineLock, holder: subprocess.Popen[str]) -> None:
    box = Sandbox(TRIAL, lock=lock)

    def stop_while_it_waits() -> None:
        until = time.monotonic() + 300
        while not lock.is_awaited() and time.monotonic() < until:
            time.sleep(0.01)
        box.stop()

    threading.Thread(target=stop_while_it_waits, daemon=True).start()
    with pytest.raises(SandboxError) as caught:
        box.call(jobs.echo)
    assert caught.value.kind == "stopped"
    box.close()


def test_a_child_that_is_not_kept_ends_with_its_job(lock: MachineLock) -> None:
    box = Sandbox(replace(TRIAL, is_kept=False), lock=lock)
    first = box.call(jobs.process)
    assert not is_running(first)
    with pytest.raises(SandboxError):
        box.call(jobs.is_killed)
    assert box.call(jobs.process) != first
    box.close()


def test_a_job_that_is_no_longer_wanted_is_stopped() -> None:
    box = Sandbox(TRIAL)
    until = time.monotonic() + 1
    with pytest.raises(SandboxError) as caught:
        box.call(jobs.slow, is_wanted=lambda: time.monotonic() < until, seconds=100)
    assert caught.value.kind == "stopped"
    assert time.monotonic() - until < 60
    assert box.call(jobs.slow, is_wanted=lambda: True, seconds=0.6) == "done"
    box.close()
