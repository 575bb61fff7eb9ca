"""A lock that all processes on a machine share, for work that must not run twice simultaneously."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOCK_FILE = "large_child.lock"  # lock file for large child processes, in the data folder
RETRY_SECONDS = 0.05
# The seconds between two checks whether a lock or a job is still wanted. A check may ask a database.
WANTED_SECONDS = 0.25


class MachineLock:
    """A lock on a file. The kernel releases the lock when its holder's process ends for any reason.

    `path` returns the path of the file, which is created if necessary. If the file cannot be created, no site
    runs in its folder, and the lock counts as free. A waiting process locks a second file, so that the lock's
    holder can detect the waiting process and make room.
    """

    def __init__(self, path: Callable[[], Path]) -> None:
        self._path = path

    @contextmanager
    def held(self, patience: float | None, is_wanted: Callable[[], bool]) -> Iterator[bool]:
        """Try to hold the lock during the `with` block, and yield whether the lock is held.

        Yields False after `patience` seconds, or when `is_wanted` returns false, which is called every
        WANTED_SECONDS. If `patience` is None, waits as long as necessary.
        """
        with _opened(self._path()) as file:
            yield file is None or _is_locked(file) or self._wait(file, patience, is_wanted)

    def is_awaited(self) -> bool:
        """Return whether another process is waiting for the lock."""
        with _opened(self._waiting_path) as file:
            return file is not None and not _is_locked(file)

    @property
    def _waiting_path(self) -> Path:
        return self._path().with_suffix(".waiting")

    def _wait(self, file: int, patience: float | None, is_wanted: Callable[[], bool]) -> bool:
        until = time.monotonic() + (float("inf") if patience is None else patience)
        next_check = 0.0
        with _opened(self._waiting_path) as waiting:
            while not _is_locked(file):
                if time.monotonic() >= until:
                    return False
                if time.monotonic() >= next_check:
                    if not is_wanted():
                        return False
                    next_check = time.monotonic() + WANTED_SECONDS
                if waiting is not None:
                    # The holder briefly locks this file to check whether another process is waiting.
                    with suppress(BlockingIOError):
                        fcntl.flock(waiting, fcntl.LOCK_SH | fcntl.LOCK_NB)
                time.sleep(RETRY_SECONDS)
        return True


@contextmanager
def _opened(path: Path) -> Iterator[int | None]:
    """Provide the open file, or None if the file cannot be opened.

    Closing the file releases its locks.
    """
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:
        yield None
        return
    try:
        yield file
    finally:
        os.close(file)


def _is_locked(file: int) -> bool:
    """Try to lock the file for this process alone, and return whether this succeeded."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
