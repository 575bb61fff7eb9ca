"""A warm child process in which every decode and every edit happens, so that a hostile or unlucky photo
can end the child but never its parent.

The parent writes one JSON line for each job, the child answers in JSON lines; nothing is unpickled. The
child knows no secret: its environment is empty but for the path and the language. Where the system allows it,
it reaches no file but those that it is for, no network and no other program (`confinement`). Linux ends the
child when its parent dies; elsewhere it ends at the end of its input, after the running job.
"""

import atexit
import contextlib
import ctypes
import errno
import gc
import importlib
import json
import logging
import os
import resource
import selectors
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, LifoQueue
from typing import IO, Any

from editor.imaging.confinement import Reach, confine, cut_off
from editor.imaging.errors import ChildLost, is_about_memory
from editor.imaging.errors import JobError as JobError
from editor.imaging.errors import SandboxError as SandboxError
from editor.imaging.memory import child_memory

logger = logging.getLogger(__name__)

JOBS_PER_CHILD = 200
LONGEST_ANSWER = 16 * 1024 * 1024
LARGEST_FILE = 250 * 1024 * 1024
OUR_PACKAGES = ("editor.imaging", "editor.engine")
_ROOT = Path(__file__).resolve().parents[2]
_MESSAGES = {
    "crashed": "This photo could not be processed: the program that reads it failed.",
    "timeout": "This photo could not be processed in time.",
    "memory": "This photo needs more memory than is allowed.",
    "full": "There is no room on the disk for this photo.",
    "stopped": "The work was stopped.",
    "busy": "The site is busy with other photos. Try again in a moment.",
}


@dataclass(frozen=True)
class Profile:
    """The limits of a child: bytes of address space, and seconds for each job: of CPU, which are the job's
    own, and of wall time, which a busy machine takes; and the module that is imported ahead of the first
    job."""

    name: str
    memory: int
    cpu_seconds: int
    wall_seconds: float
    module: str
    packages: tuple[str, ...] = OUR_PACKAGES


PATIENCE = 10.0
"""Seconds that a call waits for a free child: a web thread that waits longer serves nobody."""

# Measured: rebuilding limits.MOST_MEGAPIXELS takes up to 12 s on a core of its own.
DECODE = Profile("decode", child_memory(), 20, 90, "editor.imaging.codecs")
EDIT = Profile("edit", child_memory(), 30, 150, "editor.engine.run")


class Sandbox:
    """Runs functions of editor.imaging and editor.engine in a child process, one at a time.

    Threads may share it. A child that failed is replaced at the next call. `reach` answers with the folders
    that the jobs need; without it they may use any.
    """

    def __init__(self, profile: Profile, reach: Callable[[], Reach] | None = None) -> None:
        self.profile = profile
        self._reach = reach
        self._turn = threading.Lock()
        self._child: _Child | None = None
        self._stopping = threading.Event()
        # The kernel ends the child with the *thread* that started it, so that thread must live as long.
        self._starter = ThreadPoolExecutor(1, thread_name_prefix=f"sandbox-{profile.name}")
        atexit.register(self.close)

    def call(
        self,
        function: Callable[..., Any] | str,
        /,
        on_progress: Callable[[float], None] | None = None,
        times: int = 1,
        **arguments: Any,
    ) -> Any:
        """The function's JSON-safe answer to JSON-safe arguments.

        A function may be given by name, "editor.imaging.codecs:rebuild": so a parent that only calls it
        need not import OpenCV.
        `on_progress` is told how much is done, 0 to 1, in the caller's thread; a function that takes
        `on_progress` gets one. A job that does its work several times may take so many `times` the
        profile's CPU and wall time. Raises the JobError that the function raised, else SandboxError;
        ChildLost where the job itself need not be the reason.
        """
        job = {"function": _name_of(function), "arguments": arguments, "times": times}
        with self._turn:
            self._stopping.clear()
            try:
                return self._converse(job | {"reports": on_progress is not None}, on_progress)
            except SandboxError as error:
                self._discard()
                if self._stopping.is_set():
                    raise _failure("stopped") from None
                logger.warning("sandbox %s: %s in %s", self.profile.name, error.kind, job["function"])
                raise
            except JobError:
                raise
            except BaseException:  # on_progress or an interrupt left an answer unread
                self._discard()
                raise

    def warm(self) -> None:
        """Starts the child and its imports ahead; returns at once."""
        with self._turn:
            self._ready_child()

    def stop(self) -> None:
        """Ends the running call, from another thread: it raises SandboxError("stopped")."""
        self._stopping.set()
        child = self._child
        if child is not None:
            child.kill()

    def close(self) -> None:
        """Ends the child for good."""
        self.stop()
        with self._turn:
            self._discard()
        self._starter.shutdown()

    def _converse(self, job: dict[str, Any], on_progress: Callable[[float], None] | None) -> Any:
        child = self._ready_child()
        if self._stopping.is_set():
            raise _failure("stopped")
        child.send(job)
        deadline = time.monotonic() + self.profile.wall_seconds * job["times"]
        answer = child.receive(deadline)
        while "progress" in answer:
            if on_progress is not None:
                on_progress(answer["progress"])
            answer = child.receive(deadline)
        return _result(answer)

    def _ready_child(self) -> "_Child":
        child = self._child
        reach = self._reach() if self._reach else None
        if child is None or child.jobs >= JOBS_PER_CHILD or not child.is_alive() or not child.has(reach):
            self._discard()
            child = self._child = self._starter.submit(_Child, self.profile, reach).result()
        return child

    def _discard(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.end()


class SandboxPool:
    """Several sandboxes of one profile; a call waits until one is free, at most `patience` seconds.

    Without patience (None) it waits as long as it takes, for work that must not fail.
    """

    def __init__(
        self,
        profile: Profile,
        size: int,
        patience: float | None = PATIENCE,
        reach: Callable[[], Reach] | None = None,
    ) -> None:
        self._patience = patience
        self._free: LifoQueue[Sandbox] = LifoQueue()
        for _ in range(size):
            self._free.put(Sandbox(profile, reach))

    def call(self, function: Callable[..., Any] | str, /, **arguments: Any) -> Any:
        """As `Sandbox.call`; raises SandboxError("busy") when no child became free in time."""
        try:
            sandbox = self._free.get(timeout=self._patience)
        except Empty:
            raise _failure("busy") from None
        try:
            return sandbox.call(function, **arguments)
        finally:
            self._free.put(sandbox)


def _name_of(function: Callable[..., Any] | str) -> str:
    return function if isinstance(function, str) else f"{function.__module__}:{function.__qualname__}"


def _failure(kind: str) -> SandboxError:
    return SandboxError(kind, _MESSAGES[kind])


def _result(answer: dict[str, Any]) -> Any:
    if "failed" in answer:
        if answer.get("traceback"):
            logger.error("sandbox child failed:\n%s", answer["traceback"])
        raise _failure(answer["failed"])
    if "error" in answer:
        raise _known_error(answer)
    return answer["result"]


def _known_error(answer: dict[str, Any]) -> JobError:
    try:
        found = _find(str(answer["error"]), OUR_PACKAGES)
    except (ValueError, ImportError, AttributeError):
        raise _failure("crashed") from None
    if not (isinstance(found, type) and issubclass(found, JobError)):
        raise _failure("crashed")
    return found(str(answer["message"]), answer["details"])


class _Child:
    """One child process, seen from its parent."""

    def __init__(self, profile: Profile, reach: Reach | None) -> None:
        self.jobs = 0
        self._buffer = b""
        self._reach = (reach, reach.marks()) if reach else None
        folders = [[str(path) for path in paths] for paths in (reach.read, reach.write)] if reach else None
        rules = [profile.memory, profile.cpu_seconds, profile.module, profile.packages, os.getpid(), folders]
        self._process = subprocess.Popen(  # noqa: S603 (our own module)
            [sys.executable, "-m", "editor.imaging.sandbox", json.dumps(rules)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # decoders write what hostile files make them say
            cwd=_ROOT,
            env=_bare_environment(),
            close_fds=True,
            start_new_session=True,
            bufsize=0,
        )

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def has(self, reach: Reach | None) -> bool:
        """Whether it was started with this reach, and its folders are still the same."""
        return self._reach == ((reach, reach.marks()) if reach else None)

    def send(self, job: dict[str, Any]) -> None:
        self.jobs += 1
        with contextlib.suppress(OSError):  # a dead child is found out by reading
            _stream(self._process.stdin).write(json.dumps(job).encode() + b"\n")

    def receive(self, deadline: float) -> dict[str, Any]:
        while b"\n" not in self._buffer:
            self._buffer += self._some_bytes(deadline)
            if len(self._buffer) > LONGEST_ANSWER:
                raise _failure("crashed")
        line, self._buffer = self._buffer.split(b"\n", 1)
        try:
            return dict(json.loads(line))
        except ValueError:
            raise _failure("crashed") from None

    def _some_bytes(self, deadline: float) -> bytes:
        stream = _stream(self._process.stdout)
        with selectors.DefaultSelector() as selector:
            selector.register(stream, selectors.EVENT_READ)
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise ChildLost("timeout", _MESSAGES["timeout"])
        return os.read(stream.fileno(), 65536) or self._explain_end()

    def _explain_end(self) -> bytes:
        self._process.wait()
        if self._process.returncode == -signal.SIGXCPU:
            raise _failure("timeout")
        raise ChildLost("crashed", _MESSAGES["crashed"])

    def kill(self) -> None:
        if self.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()  # until then it counts as alive, and the next job would be sent to it

    def end(self) -> None:
        self.kill()
        self._process.wait()
        _stream(self._process.stdin).close()
        _stream(self._process.stdout).close()


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise _failure("crashed")
    return stream


def _bare_environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return kept | threads


# The child's side


def main(argument: str) -> None:
    """Serves jobs from standard input until it ends."""
    memory, cpu_seconds, module, packages, parent, folders = json.loads(argument)
    answers = _private_output()
    _die_with(parent)
    os.umask(0o077)
    limit_process(memory)
    _confine(folders, packages)  # before OpenCV: threads that run already are not confined
    gc.disable()
    _use_one_thread()
    with contextlib.suppress(ImportError):  # the job itself will say what is missing
        importlib.import_module(module)
    gc.freeze()  # what is imported stays, and is not searched again and again for what may go
    gc.enable()
    for line in sys.stdin.buffer:
        job = json.loads(line)
        allow_cpu(cpu_seconds * job["times"])
        answer = _serve(job, tuple(packages), lambda part: _say(answers, {"progress": part}))
        _say(answers, answer)


def _private_output() -> IO[bytes]:
    """Standard output, which from now on nothing else can write to."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 1)
    return answers


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        set_death_signal = 1  # PR_SET_PDEATHSIG, prctl(2)
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it died before the line above
            os._exit(1)


def limit_process(memory: int) -> None:
    """Sets this process's limits: bytes of address space, size of a file, no core dumps. Where memory
    runs out all the same, this process is to go, not the site's."""
    _lower(resource.RLIMIT_FSIZE, LARGEST_FILE)
    _lower(resource.RLIMIT_CORE, 0)
    if sys.platform == "linux":
        _lower(resource.RLIMIT_AS, memory)
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")


def _confine(folders: list[list[str]] | None, packages: list[str]) -> None:
    cut_off()
    if folders is not None:
        read, write = (tuple(map(Path, paths)) for paths in folders)
        ours = {_ROOT / package.partition(".")[0] for package in packages}
        for package in ours:
            importlib.import_module(package.name)  # found while the folder around them can be listed
        confine(Reach(read, write), packages=ours)


def _use_one_thread() -> None:
    import cv2  # here: the parent, which imports this module too, should not carry it

    cv2.setNumThreads(1)


def _lower(kind: int, value: int) -> None:
    """The soft limit only: the hard one may not be raised again, and time is granted job by job."""
    hard = resource.getrlimit(kind)[1]
    allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (allowed, hard))


def allow_cpu(seconds: int) -> None:
    """Grants this process that much more CPU time: the kernel counts from its start."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _lower(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + seconds)


def _serve(job: dict[str, Any], packages: tuple[str, ...], report: Callable[[float], None]) -> dict[str, Any]:
    try:
        function = _find(job["function"], packages)
        reports = {"on_progress": report} if job["reports"] else {}
        return {"result": function(**job["arguments"], **reports)}
    except JobError as error:
        name = f"{type(error).__module__}:{type(error).__qualname__}"
        return {"error": name, "message": error.message, "details": error.details}
    except Exception as error:
        if is_about_memory(error):
            return {"failed": "memory"}
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return {"failed": "full"}
        return {"failed": "crashed", "traceback": traceback.format_exc()[-8000:]}


def _find(name: str, packages: tuple[str, ...]) -> Any:
    """What "package.module:name" stands for, if it lies in one of the packages."""
    module, _, attribute = name.partition(":")
    if not any(module == package or module.startswith(f"{package}.") for package in packages):
        raise ValueError(f"{name} is none of our functions.")
    return getattr(importlib.import_module(module), attribute)


def _say(answers: IO[bytes], answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])
