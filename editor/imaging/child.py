"""The sandbox's child process, run as `python -m editor.imaging.child RULES`.

Users wait for the process to start, so this module avoids heavy imports.
"""

import contextlib
import ctypes
import errno
import gc
import importlib
import json
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from functools import cache
from math import ceil
from pathlib import Path
from typing import IO, Any

from editor.imaging.confinement import FolderAccess, apply_seccomp, confine
from editor.imaging.errors import JobError, is_about_memory
from editor.sentences import to_json_data

INTERRUPT = signal.SIGUSR1  # signal that asks a job to stop at its next progress report
MAX_FILE_BYTES = 250 * 1024 * 1024
_ROOT = Path(__file__).resolve().parents[2]


class _Interrupted(Exception):
    """Raised in a job that the parent asks to stop."""


class _Interruption:
    """A flag that is set when the parent asks the running job to stop."""

    def __init__(self) -> None:
        self._is_requested = False

    def request(self, *_signal: object) -> None:
        self._is_requested = True

    def clear(self) -> None:
        self._is_requested = False

    def checked(self, report: Callable[[float], None]) -> Callable[[float], None]:
        """Return a function that reports progress, but raises _Interrupted if the job should stop."""

        def checked_report(part: float) -> None:
            if self._is_requested:
                raise _Interrupted
            report(part)

        return checked_report


_interruption = _Interruption()


def main(argument: str) -> None:
    """Serve jobs from standard input until the input ends.

    `argument` contains the rules as a JSON list.
    """
    signal.signal(INTERRUPT, _interruption.request)
    memory, cpu_seconds, module, packages, parent, folders, niceness = json.loads(argument)
    answers = _private_output()
    _die_with(parent)
    os.umask(0o077)
    _lower_priority(niceness)
    limit_process(memory)
    # This must precede the import of OpenCV, because threads that are already running are not confined.
    _confine(folders, packages)
    gc.disable()
    _use_one_thread()
    with contextlib.suppress(ImportError):  # The job itself reports a missing module.
        importlib.import_module(module)
    # Imported objects remain in memory permanently, so the garbage collector need not examine them
    # repeatedly.
    gc.freeze()
    gc.enable()
    for line in sys.stdin.buffer:
        job = json.loads(line)
        _interruption.clear()
        allow_cpu(cpu_seconds * job["times"])
        later = cache(lambda: json.loads(sys.stdin.buffer.readline()))
        answer = _serve(job, tuple(packages), lambda part: _say(answers, {"progress": part}), later)
        if job["waits"]:
            # Read the deferred arguments even if the job ended without using them, because the parent has
            # already sent them.
            later()
        _say(answers, answer)


def _private_output() -> IO[bytes]:
    """Return a copy of standard output, and redirect the original to /dev/null.

    Otherwise, a library's output would be mixed with the responses.
    """
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 1)
    return answers


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        set_death_signal = 1  # PR_SET_PDEATHSIG from prctl(2)
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # The parent ended before the prctl call.
            os._exit(1)


def _lower_priority(niceness: int) -> None:
    """Lower the priority of this process and of its session.

    The child has its own session. Linux shares the CPU among sessions first, so a process's niceness
    counts only within its session ("autogroup" in sched(7)).
    """
    os.nice(niceness)
    if niceness:
        with contextlib.suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(niceness))


def limit_process(memory: int) -> None:
    """Limit this process to `memory` bytes of address space.

    Also limits the file size and disables core dumps. If the machine still runs out of memory, the kernel
    should kill this process rather than the site's processes.
    """
    _lower(resource.RLIMIT_FSIZE, MAX_FILE_BYTES)
    _lower(resource.RLIMIT_CORE, 0)
    if sys.platform == "linux":
        _lower(resource.RLIMIT_AS, memory)
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")


def _confine(folders: list[list[str]] | None, packages: list[str]) -> None:
    apply_seccomp()
    if folders is not None:
        read, write = (tuple(map(Path, paths)) for paths in folders)
        ours = {_ROOT / package.partition(".")[0] for package in packages}
        for package in ours:
            # Resolve the import now, while the folder that contains the package can still be listed.
            importlib.import_module(package.name)
        confine(FolderAccess(read, write), packages=ours)


def _use_one_thread() -> None:
    import cv2  # Imported here because the parent also imports this module and should not load OpenCV.

    cv2.setNumThreads(1)


def _lower(kind: int, value: int) -> None:
    """Lower only the soft limit on CPU time.

    A lowered hard limit could not be raised again to grant each job its CPU time.
    """
    hard = resource.getrlimit(kind)[1]
    allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (allowed, hard))


def allow_cpu(seconds: int) -> None:
    """Allow this process `seconds` more seconds of CPU time.

    The kernel counts whole seconds from the start of the process, so the job gets up to one extra second.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    _lower(resource.RLIMIT_CPU, ceil(used.ru_utime + used.ru_stime) + seconds)


def _serve(
    job: dict[str, Any],
    packages: tuple[str, ...],
    report: Callable[[float], None],
    later: Callable[[], dict[str, Any]],
) -> dict[str, Any]:
    try:
        function = import_object(job["function"], packages)
        reports = {"on_progress": _interruption.checked(report)} if job["reports"] else {}
        waits = {"deferred_arguments": later} if job["waits"] else {}
        return {"result": function(**job["arguments"], **reports, **waits)}
    except _Interrupted:
        return {"failed": "interrupted"}
    except JobError as error:
        name = f"{type(error).__module__}:{type(error).__qualname__}"
        return {"error": name, "message": to_json_data(error.message), "details": error.details}
    except Exception as error:
        if is_about_memory(error):
            return {"failed": "memory"}
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return {"failed": "full"}
        return {"failed": "crashed", "traceback": traceback.format_exc()[-8000:]}


def import_object(name: str, packages: tuple[str, ...]) -> Any:
    """Return the object named "package.module:name".

    Raises ValueError if the module is not in one of these packages.
    """
    module, _, attribute = name.partition(":")
    if not any(module == package or module.startswith(f"{package}.") for package in packages):
        raise ValueError(f"{name} is not an allowed function.")
    return getattr(importlib.import_module(module), attribute)


def _say(answers: IO[bytes], answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])
