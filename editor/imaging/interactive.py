"""Child processes for work that people wait for while they type or point at a photo.

Only each person's newest request counts, and it replaces any older request. If the older request is waiting,
it is dropped. If it is running, it stops at its next progress report. If it does not stop in time, its child
is killed.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from editor.imaging.confinement import FolderAccess
from editor.imaging.errors import Replaced, SandboxError
from editor.imaging.machine_lock import MachineLock
from editor.imaging.sandbox import Profile, Sandbox, failure

MAX_CALLS = 3  # maximum number of threads, and thus of people, that wait for a result simultaneously
PATIENCE = 5.0  # maximum seconds that a call waits for its turn
STOP_SECONDS = 2.0  # seconds after which a replaced job that is still running is killed


class _Job:
    def __init__(self) -> None:
        self.is_replaced = False
        self.sandbox: Sandbox | None = None  # set while the job runs
        self.kill_at = float("inf")

    def replace(self) -> None:
        self.is_replaced = True
        self.kill_at = time.monotonic() + STOP_SECONDS
        if self.sandbox is not None:
            self.sandbox.interrupt()


class InteractivePool:
    """Sandboxes that all people share, with at most one job per person. This class is thread-safe."""

    def __init__(
        self,
        profile: Profile,
        size: int,
        access: Callable[[], FolderAccess] | None = None,
        lock: MachineLock | None = None,
    ) -> None:
        # The sandboxes do not wait for the lock, because an edit must not have to wait for a preview.
        self._free = [Sandbox(profile, access, lock, patience=0) for _ in range(size)]
        self._changed = threading.Condition()
        self._waiting: dict[int, _Job] = {}  # each person's waiting job, in the order of their turns
        self._running: list[tuple[int, _Job]] = []

    def call(
        self,
        person: int,
        function: Callable[..., Any] | str,
        /,
        within: float | None = None,
        **arguments: Any,
    ) -> Any:
        """Run a function in a child and return its result, as `Sandbox.call` does.

        `person` is the ID of the person who is waiting. The function must accept an `on_progress` argument.
        Once the job has been replaced, calling `on_progress` stops the job. If `within` is given, the call
        ends after that many seconds.

        Raises Replaced for a job that was replaced, SandboxError("busy") if too many people are waiting, and
        SandboxError("stopped") if the time is up. Also raises the other exceptions of `Sandbox.call`.
        """
        job, until = _Job(), None if within is None else time.monotonic() + within
        sandbox = self._sandbox_for(person, job, until)
        in_time = None if until is None else lambda: time.monotonic() < until
        try:
            return sandbox.call(function, on_progress=lambda part: None, is_wanted=in_time, **arguments)
        except SandboxError as error:
            if job.is_replaced:
                raise _replaced() from error
            raise
        finally:
            with self._changed:
                self._running.remove((person, job))
                self._free.append(sandbox)
                self._changed.notify_all()

    def close(self) -> None:
        """Stop all children permanently."""
        with self._changed:
            for sandbox in [*self._free, *(job.sandbox for _, job in self._running if job.sandbox)]:
                sandbox.close()

    def _sandbox_for(self, person: int, job: _Job, until: float | None) -> Sandbox:
        """Wait for a job's turn, and take a free sandbox. Raises Replaced and SandboxError("busy")."""
        until = until or time.monotonic() + PATIENCE
        with self._changed:
            self._take_place(person, job)
            try:
                while not (self._free and next(iter(self._waiting.values())) is job):
                    self._changed.wait(self._kill_late_jobs(until))
                    if job.is_replaced:
                        raise _replaced()
                    if time.monotonic() >= until:
                        raise failure("busy")
                sandbox = job.sandbox = self._free.pop()
                self._running.append((person, job))
                return sandbox
            finally:
                if self._waiting.get(person) is job:
                    del self._waiting[person]
                self._changed.notify_all()

    def _take_place(self, person: int, job: _Job) -> None:
        """Add a job to the waiting jobs, replacing the same person's older job, if any."""
        running = [(who, other) for who, other in self._running if not other.is_replaced]
        others = {who for who, _ in running if who != person} | self._waiting.keys() - {person}
        if len(others) >= MAX_CALLS:
            raise failure("busy")
        for replaced in [self._waiting.get(person), *(other for who, other in running if who == person)]:
            if replaced is not None:
                replaced.replace()
        self._waiting[person] = job  # Assigning to an existing key keeps its position in the dictionary.
        self._changed.notify_all()

    def _kill_late_jobs(self, until: float) -> float:
        """Kill the replaced jobs whose time is up. Return the number of seconds until the next check."""
        now = time.monotonic()
        for _, job in self._running:
            if job.sandbox is not None and now >= job.kill_at:
                job.kill_at = float("inf")
                with suppress(OSError):
                    job.sandbox.stop()
        return max(0.0, min([until, *(job.kill_at for _, job in self._running)]) - now)


def _replaced() -> Replaced:
    return Replaced("stopped", failure("stopped").message)
