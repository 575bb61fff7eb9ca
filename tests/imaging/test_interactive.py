"""Tests for the pool of child processes for interactive work.

Each person has at most one job, and a new request replaces a waiting one.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from editor.imaging import interactive, sandbox
from editor.imaging.confinement import FolderAccess
from editor.imaging.errors import ChildLost, Replaced, SandboxError
from editor.imaging.interactive import InteractivePool
from editor.imaging.memory import MIB, preview_memory
from editor.imaging.sandbox import PREVIEW
from tests.imaging import jobs

ALICE, BOB, CHARLIE, DORA, ERIN = range(1, 6)
# The child process has a low priority, so it is very slow on a busy machine.
PATIENCE = 600.0  # maximum wait in seconds
TRIAL = replace(
    PREVIEW, module="json", wall_seconds=PATIENCE, packages=(*sandbox.OUR_PACKAGES, "tests.imaging")
)
type Later = Callable[..., Future[Any]]


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractivePool]:
    """Return a pool of one child process, with limits of time that a busy machine does not reach."""
    monkeypatch.setattr(interactive, "PATIENCE", PATIENCE)
    monkeypatch.setattr(interactive, "STOP_SECONDS", PATIENCE)
    made = InteractivePool(TRIAL, 1)
    yield made
    made.close()


@pytest.fixture
def later(pool: InteractivePool) -> Iterator[Later]:
    """Return a function that calls the pool in another thread."""
    threads = ThreadPoolExecutor(8)
    yield lambda *positional, **arguments: threads.submit(pool.call, *positional, **arguments)
    pool.close()
    threads.shutdown()


def when_running(path: Path) -> None:
    until = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_the_child_process_is_kept_between_users(pool: InteractivePool) -> None:
    assert pool.call(ALICE, jobs.process_and_priority) == pool.call(BOB, jobs.process_and_priority)


def test_the_child_process_has_a_low_priority(pool: InteractivePool) -> None:
    process, niceness = pool.call(ALICE, jobs.process_and_priority)
    assert niceness == min(19, os.nice(0) + PREVIEW.niceness)
    group = Path(f"/proc/{process}/autogroup")  # absent if the kernel has no groups
    assert not group.exists() or group.read_text().endswith(f" nice {PREVIEW.niceness}\n")


def test_a_newer_request_stops_a_running_one_between_two_steps(
    pool: InteractivePool, later: Later, tmp_path: Path
) -> None:
    process, _ = pool.call(ALICE, jobs.process_and_priority)
    old = later(ALICE, jobs.takes_steps, path=str(tmp_path / "old"), seconds=PATIENCE)
    when_running(tmp_path / "old")
    assert pool.call(ALICE, jobs.process_and_priority)[0] == process, "the child and its memory are kept"
    with pytest.raises(Replaced):
        old.result(PATIENCE)


def test_a_newer_request_does_not_stop_those_of_other_users(later: Later, tmp_path: Path) -> None:
    old = later(ALICE, jobs.takes_steps, path=str(tmp_path / "old"), seconds=0.5)
    when_running(tmp_path / "old")
    new = later(BOB, jobs.process_and_priority)
    assert old.result(PATIENCE) == "done"
    assert new.result(PATIENCE)


def test_a_running_job_that_does_not_stop_is_killed(
    pool: InteractivePool, later: Later, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interactive, "STOP_SECONDS", 0.2)
    process, _ = pool.call(ALICE, jobs.process_and_priority)
    old = later(ALICE, jobs.ignores_reports, path=str(tmp_path / "old"), seconds=PATIENCE)
    when_running(tmp_path / "old")
    assert pool.call(ALICE, jobs.process_and_priority)[0] != process
    with pytest.raises(Replaced):
        old.result(PATIENCE)


def test_a_newer_request_drops_a_waiting_one(pool: InteractivePool, later: Later, tmp_path: Path) -> None:
    end = tmp_path / "end"
    running = later(BOB, jobs.takes_steps_until, path=str(tmp_path / "bob"), end=str(end))
    when_running(tmp_path / "bob")
    waiting = later(ALICE, jobs.takes_steps, path=str(tmp_path / "alice"), seconds=0)
    wait_for(lambda: list(pool._waiting) == [ALICE])
    new = later(ALICE, jobs.process_and_priority)
    with pytest.raises(Replaced):
        waiting.result(PATIENCE)
    end.touch()
    assert running.result(PATIENCE) == "done"
    assert new.result(PATIENCE)
    assert not (tmp_path / "alice").exists()


def test_at_most_three_people_wait(pool: InteractivePool, later: Later, tmp_path: Path) -> None:
    end = tmp_path / "end"
    running = later(ALICE, jobs.takes_steps_until, path=str(tmp_path / "a"), end=str(end))
    when_running(tmp_path / "a")
    waiting = [later(person, jobs.process_and_priority) for person in (BOB, CHARLIE)]
    wait_for(lambda: len(pool._waiting) == 2)
    with pytest.raises(SandboxError) as busy:
        pool.call(DORA, jobs.process_and_priority)
    assert busy.value.kind == "busy"
    # This call replaces a waiting request, so it does not need another place.
    again = later(CHARLIE, jobs.process_and_priority)
    with pytest.raises(Replaced):
        waiting[1].result(PATIENCE)
    end.touch()
    assert running.result(PATIENCE) == "done"
    assert waiting[0].result(PATIENCE)
    assert again.result(PATIENCE)


def test_a_request_waits_only_for_a_limited_time(
    pool: InteractivePool, later: Later, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interactive, "PATIENCE", 0.1)
    pool.call(ALICE, jobs.process_and_priority)
    end = tmp_path / "end"
    running = later(ALICE, jobs.takes_steps_until, path=str(tmp_path / "a"), end=str(end))
    when_running(tmp_path / "a")
    with pytest.raises(SandboxError) as busy:
        pool.call(BOB, jobs.process_and_priority)
    assert busy.value.kind == "busy"
    assert not pool._waiting
    end.touch()
    assert running.result(PATIENCE) == "done"


def test_after_a_kill_the_next_request_gets_a_new_child(
    pool: InteractivePool, later: Later, tmp_path: Path
) -> None:
    process, _ = pool.call(ALICE, jobs.process_and_priority)
    running = later(ALICE, jobs.takes_steps, path=str(tmp_path / "a"), seconds=PATIENCE)
    when_running(tmp_path / "a")
    os.kill(process, signal.SIGKILL)
    with pytest.raises(ChildLost):
        running.result(PATIENCE)
    assert pool.call(ALICE, jobs.process_and_priority)[0] != process


def test_requests_of_many_threads_leave_the_pool_in_its_initial_state(pool: InteractivePool) -> None:
    ends: list[str] = []

    def types(person: int) -> None:
        for _ in range(20):
            try:
                pool.call(person, jobs.process_and_priority)
                ends.append("done")
            except SandboxError as error:
                ends.append(error.kind)

    threads = [threading.Thread(target=types, args=[person]) for person in (ALICE, BOB, CHARLIE, DORA, ALICE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(ends) <= {"done", "busy", "stopped"}
    assert len(ends) == 100
    assert (len(pool._free), pool._waiting, pool._running) == (1, {}, [])


def test_the_child_process_can_read_photos_but_no_other_files(tmp_path: Path) -> None:
    (tmp_path / "photo").write_text("a photo")
    secret = tmp_path.parent / f"{tmp_path.name}-secret"
    secret.write_text("a secret")
    pool = InteractivePool(TRIAL, 1, lambda: FolderAccess(read=(tmp_path,)))
    assert pool.call(ALICE, jobs.reads_for, path=str(tmp_path / "photo")) == "a photo"
    with pytest.raises(SandboxError):
        pool.call(ALICE, jobs.reads_for, path=str(secret))
    with pytest.raises(SandboxError):
        pool.call(ALICE, jobs.writes_for, path=str(tmp_path / "new"))
    pool.close()
    assert not (tmp_path / "new").exists()


def test_its_memory_is_limited() -> None:
    assert PREVIEW.memory == preview_memory(8 * 1024 * MIB)
    assert preview_memory(1024 * MIB) is None


def wait_for(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.01)
