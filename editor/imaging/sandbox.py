"""A warm child process for decoding and editing.

A hostile photo can crash the child but not the parent. The parent writes one line of JSON for each job, and
the child responds with lines of JSON; nothing is unpickled. The child does not receive any secrets: its
environment contains only the path, the language, and thread settings. If the system allows it, the child can
access only the files that it needs, but not the network or other programs (`confinement`). On Linux, the
kernel kills the child when its parent dies. On other systems, the child exits after the running job, when its
input ends.
"""

import atexit
import contextlib
import json
import logging
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, LifoQueue
from typing import IO, Any

from editor.imaging.child import INTERRUPT, import_object
from editor.imaging.confinement import FolderAccess
from editor.imaging.errors import ChildLost
from editor.imaging.errors import JobError as JobError
from editor.imaging.errors import SandboxError as SandboxError
from editor.imaging.machine_lock import WANTED_SECONDS, MachineLock
from editor.imaging.memory import (
    MIN_ANALYSIS_BYTES,
    PREVIEW_ADDRESS_BYTES,
    analysis_memory,
    child_memory,
)
from editor.sentences import Sentence, from_json_data

logger = logging.getLogger(__name__)

JOBS_PER_CHILD = 200
MAX_RESPONSE_BYTES = 16 * 1024 * 1024
OUR_PACKAGES = ("editor.imaging", "editor.engine")
_ROOT = Path(__file__).resolve().parents[2]
_MESSAGES = {
    "crashed": Sentence("This photo could not be processed: the program that reads it failed."),
    "timeout": Sentence("This photo could not be processed in time."),
    "memory": Sentence("This photo needs more memory than is allowed."),
    "full": Sentence("There is not enough disk space for this photo."),
    "stopped": Sentence("The work was stopped."),
    "busy": Sentence("The site is busy with other photos. Try again in a moment."),
}


@dataclass(frozen=True)
class Profile:
    """The limits for a child.

    `memory` is the address space in bytes. `cpu_seconds` and `wall_seconds` apply to each job: CPU time
    depends only on the job, while wall time also depends on how busy the machine is. `module` is imported
    before the first job. Unless `is_kept` is set, the child ends after its job, which frees its memory. It
    also ends after `jobs` jobs, by default JOBS_PER_CHILD. `niceness`, from 0 to 19, lowers the child's
    priority, as in nice(1).
    """

    name: str
    memory: int
    cpu_seconds: int
    wall_seconds: float
    module: str
    packages: tuple[str, ...] = OUR_PACKAGES
    is_kept: bool = True
    jobs: int | None = None
    niceness: int = 0

    def with_cpu_seconds(self, seconds: int) -> "Profile":
        """Return this profile with a different CPU limit for each job.

        The wall time limit changes accordingly.
        """
        more = max(1.0, seconds / self.cpu_seconds)
        return replace(self, cpu_seconds=seconds, wall_seconds=self.wall_seconds * more)


# Maximum seconds that a call waits for a free child. A web thread should not be blocked for longer.
PATIENCE = 10.0

# The CPU limit for decoding is 20 s, because rebuilding limits.MAX_MEGAPIXELS takes up to 12 s on an
# otherwise idle core (measured).
DECODE = Profile("decode", child_memory(), 20, 90, "editor.imaging.stored_photos")
EDIT = Profile("edit", child_memory(), 30, 150, "editor.engine.run")
# Trying ideas takes up to 5 s of CPU time on each new photo, while its user may already wait for an edit.
IDEAS = replace(EDIT, name="ideas", niceness=19)
# For 2 to 40 megapixels, an analysis takes 4 to 6 s of CPU time (measured). `memory.analysis_memory` tells
# whether the machine has enough memory for an analysis.
ANALYZE = Profile(
    "analyze", analysis_memory() or MIN_ANALYSIS_BYTES, 30, 90, "editor.engine.analyzing", is_kept=False
)
ANALYZER = "editor.engine.analyzing:analyze"
# A preview whose longer side is 640 pixels takes up to 1 s of CPU time. The child keeps photos and masks
# between jobs.
PREVIEW = Profile(
    "preview",
    PREVIEW_ADDRESS_BYTES,
    10,
    20,
    "editor.engine.run",
    jobs=2_000,
    niceness=19,
)
# Maximum seconds that an edit waits for its turn to analyze a photo. After that, it continues without.
ANALYSIS_PATIENCE = 60.0


class Sandbox:
    """A child process that runs functions from editor.imaging and editor.engine, one at a time.

    This class is thread-safe. A child that has failed is replaced at the next call. `access` returns the
    folders that the jobs need. Without `access`, the child may use any folder. If there is a `lock`, each job
    waits for it for at most `patience` seconds or, if `patience` is None, as long as necessary.
    """

    def __init__(
        self,
        profile: Profile,
        access: Callable[[], FolderAccess] | None = None,
        lock: MachineLock | None = None,
        patience: float | None = None,
    ) -> None:
        self.profile = profile
        self._reach = access
        self._lock = lock
        self._patience = patience
        self._turn = threading.Lock()
        self._child: _Child | None = None
        self._stopping = threading.Event()
        # The kernel kills the child when the *thread* that started it ends, so this thread must live as long
        # as the child.
        self._starter = ThreadPoolExecutor(1, thread_name_prefix=f"sandbox-{profile.name}")
        atexit.register(self.close)

    def call(
        self,
        function: Callable[..., Any] | str,
        /,
        on_progress: Callable[[float], None] | None = None,
        time_factor: int = 1,
        deferred_arguments: Callable[[], dict[str, Any]] | None = None,
        is_wanted: Callable[[], bool] | None = None,
        **arguments: Any,
    ) -> Any:
        """Run a function in the child and return its result. Its arguments and result must be JSON-safe.

        The function may be given by name, such as "editor.imaging.stored_photos:rebuild", so that the caller
        does not have to import OpenCV.

        - `on_progress`, if given, is called in the caller's thread with the completed fraction, 0 to 1. The
          function must accept an `on_progress` argument.
        - `time_factor` multiplies the profile's CPU and wall time, for a job that repeats its work.
        - `deferred_arguments`, if given, computes further arguments while the child is already working. The
          function must accept a `deferred_arguments` argument, which it calls to get these arguments.
        - `is_wanted`, if given, is called in the caller's thread every WANTED_SECONDS. If it returns false,
          the job is stopped.

        If the function raises a JobError, raises the same error. Raises SandboxError if the child failed, and
        ChildLost if the failure may be unrelated to the job. Exceptions from `on_progress`,
        `deferred_arguments`, and `is_wanted` are raised unchanged.
        """
        job = {"function": _name_of(function), "arguments": arguments, "times": time_factor}
        with self._turn:
            self._stopping.clear()
            try:
                job |= {"reports": on_progress is not None, "waits": deferred_arguments is not None}
                with self._locked(is_wanted):
                    try:
                        return self._converse(job, on_progress, deferred_arguments, is_wanted)
                    finally:
                        if not self.profile.is_kept:
                            self._discard()
            except _Interrupted:
                raise failure("stopped") from None
            except SandboxError as error:
                self._discard()
                if self._stopping.is_set():
                    raise failure("stopped") from None
                if error.kind not in ("busy", "stopped"):
                    logger.warning("sandbox %s: %s in %s", self.profile.name, error.kind, job["function"])
                raise
            except JobError:
                raise
            # After an interrupt, or an exception in a callback, the child's response has not been read yet.
            except BaseException:
                self._discard()
                raise

    def warm(self) -> None:
        """Start the child and its imports in advance, without waiting for them."""
        with self._turn:
            self._ready_child()

    def stop(self) -> None:
        """Abort the running call from another thread. That call raises SandboxError("stopped")."""
        self._stopping.set()
        child = self._child
        if child is not None:
            child.kill()

    def interrupt(self) -> None:
        """Ask the running job, from another thread, to stop at its next progress report.

        The job's call then raises SandboxError("stopped"), and the child is kept.
        """
        child = self._child
        if child is not None:
            child.interrupt()

    def close(self) -> None:
        """Stop the child permanently."""
        self.stop()
        with self._turn:
            self._discard()
        self._starter.shutdown()

    @contextmanager
    def _locked(self, is_wanted: Callable[[], bool] | None) -> Iterator[None]:
        """Hold the machine's lock within the block, if the sandbox has a lock."""
        if self._lock is None:
            yield
            return

        def is_still_wanted() -> bool:
            return not self._stopping.is_set() and (is_wanted is None or is_wanted())

        with self._lock.held(self._patience, is_still_wanted) as is_held:
            if not is_held:
                raise failure("busy" if is_still_wanted() else "stopped")
            # The previous holder may have done the same work.
            if not is_still_wanted():
                raise failure("stopped")
            yield

    def _converse(
        self,
        job: dict[str, Any],
        on_progress: Callable[[float], None] | None,
        later: Callable[[], dict[str, Any]] | None,
        is_wanted: Callable[[], bool] | None,
    ) -> Any:
        child = self._ready_child()
        if self._stopping.is_set():
            raise failure("stopped")
        child.jobs += 1
        child.send(job)
        if later is not None:
            child.send(later())
        deadline = time.monotonic() + self.profile.wall_seconds * job["times"]
        answer = child.receive(deadline, is_wanted)
        while "progress" in answer:
            if on_progress is not None:
                on_progress(answer["progress"])
            answer = child.receive(deadline, is_wanted)
        return _result(answer)

    def _ready_child(self) -> "_Child":
        child = self._child
        reach = self._reach() if self._reach else None
        most = self.profile.jobs or JOBS_PER_CHILD
        if child is None or child.jobs >= most or not child.is_alive() or not child.has(reach):
            self._discard()
            child = self._child = self._starter.submit(_Child, self.profile, reach).result()
        return child

    def _discard(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.end()


class SandboxPool:
    """Several sandboxes that have the same profile.

    A call waits at most `patience` seconds for a free sandbox. If `patience` is None, it waits as long as
    necessary, which is meant for work that must not fail.
    """

    def __init__(
        self,
        profile: Profile,
        size: int,
        patience: float | None = PATIENCE,
        access: Callable[[], FolderAccess] | None = None,
        lock: MachineLock | None = None,
    ) -> None:
        self._patience = patience
        self._free: LifoQueue[Sandbox] = LifoQueue()
        for _ in range(size):
            self._free.put(Sandbox(profile, access, lock, patience))

    def call(self, function: Callable[..., Any] | str, /, **arguments: Any) -> Any:
        """Run a function as `Sandbox.call` does.

        Raises SandboxError("busy") if no child became free in time.
        """
        try:
            sandbox = self._free.get(timeout=self._patience)
        except Empty:
            raise failure("busy") from None
        try:
            return sandbox.call(function, **arguments)
        finally:
            self._free.put(sandbox)


class _Interrupted(Exception):
    """Raised when the child stopped its job as requested."""


def _name_of(function: Callable[..., Any] | str) -> str:
    return function if isinstance(function, str) else f"{function.__module__}:{function.__qualname__}"


def failure(kind: str) -> SandboxError:
    """Return the error of this kind, with a user-readable message."""
    return SandboxError(kind, _MESSAGES[kind])


def _result(answer: dict[str, Any]) -> Any:
    if "failed" in answer:
        if answer["failed"] == "interrupted":
            raise _Interrupted
        if answer.get("traceback"):
            logger.error("sandbox child failed:\n%s", answer["traceback"])
        raise failure(answer["failed"])
    if "error" in answer:
        raise _known_error(answer)
    return answer["result"]


def _known_error(answer: dict[str, Any]) -> JobError:
    try:
        found = import_object(str(answer["error"]), OUR_PACKAGES)
    except (ValueError, ImportError, AttributeError):
        raise failure("crashed") from None
    if not (isinstance(found, type) and issubclass(found, JobError)):
        raise failure("crashed")
    return found(from_json_data(answer["message"]), answer["details"])


class _Child:
    """A child process, as seen by its parent."""

    def __init__(self, profile: Profile, reach: FolderAccess | None) -> None:
        self.jobs = 0
        self._buffer = b""
        self._reach = (reach, reach.folder_ids()) if reach else None
        folders = [[str(path) for path in paths] for paths in (reach.read, reach.write)] if reach else None
        rules = [profile.memory, profile.cpu_seconds, profile.module, profile.packages, os.getpid(), folders]
        rules.append(profile.niceness)
        self._process = subprocess.Popen(  # noqa: S603 (our own module)
            [sys.executable, "-m", "editor.imaging.child", json.dumps(rules)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # Hostile files can make decoders print anything.
            cwd=_ROOT,
            env=_bare_environment(),
            close_fds=True,
            start_new_session=True,
            bufsize=0,
        )

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def has(self, reach: FolderAccess | None) -> bool:
        """Return whether the child has access to these folders.

        Returns false if one of the folders has been replaced since the child started.
        """
        return self._reach == ((reach, reach.folder_ids()) if reach else None)

    def send(self, line: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):  # `receive` reports that the child is dead.
            _stream(self._process.stdin).write(json.dumps(line).encode() + b"\n")

    def receive(self, deadline: float, is_wanted: Callable[[], bool] | None = None) -> dict[str, Any]:
        while b"\n" not in self._buffer:
            self._buffer += self._some_bytes(deadline, is_wanted)
            if len(self._buffer) > MAX_RESPONSE_BYTES:
                raise failure("crashed")
        line, self._buffer = self._buffer.split(b"\n", 1)
        try:
            return dict(json.loads(line))
        except ValueError:
            raise failure("crashed") from None

    def _some_bytes(self, deadline: float, is_wanted: Callable[[], bool] | None) -> bytes:
        stream = _stream(self._process.stdout)
        with selectors.DefaultSelector() as selector:
            selector.register(stream, selectors.EVENT_READ)
            while not selector.select(_wait_seconds(deadline, is_wanted)):
                if time.monotonic() >= deadline:
                    raise ChildLost("timeout", _MESSAGES["timeout"])
                if is_wanted is not None and not is_wanted():
                    raise failure("stopped")
        return os.read(stream.fileno(), 65536) or self._explain_end()

    def _explain_end(self) -> bytes:
        self._process.wait()
        if self._process.returncode == -signal.SIGXCPU:
            raise failure("timeout")
        raise ChildLost("crashed", _MESSAGES["crashed"])

    def interrupt(self) -> None:
        if self.is_alive():
            self._process.send_signal(INTERRUPT)

    def kill(self) -> None:
        if self.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            # Until the parent has waited for the dead child, the child counts as alive, and the next job
            # would be sent to it.
            self._process.wait()

    def end(self) -> None:
        self.kill()
        self._process.wait()
        _stream(self._process.stdin).close()
        _stream(self._process.stdout).close()


def _wait_seconds(deadline: float, is_wanted: Callable[[], bool] | None) -> float:
    left = max(0.0, deadline - time.monotonic())
    return left if is_wanted is None else min(left, WANTED_SECONDS)


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise failure("crashed")
    return stream


def _bare_environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return kept | threads
