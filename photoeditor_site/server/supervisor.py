"""Keep child processes running until asked to stop.

No child process outlives the supervisor, however the supervisor ends. Children are forks of the supervisor,
so that shared modules are imported only once. Therefore, the caller of `supervise` must not have threads, a
database connection, or OpenCV loaded; it uses `run_in_fork` for its preparations. Every child leads its own
session, so that Ctrl-C reaches only the supervisor, because a worker that receives two signals abandons its
task. On Linux, the kernel sends SIGTERM to a child whose supervisor is killed.
"""

import contextlib
import ctypes
import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType

GRACE_SECONDS = 25.0  # seconds from the request to stop a child until it is killed
MIN_RESTART_DELAY_SECONDS = 0.5
MAX_RESTART_DELAY_SECONDS = 30.0
# A child that has run for at least this number of seconds is restarted with the shortest delay.
RESTART_DELAY_RESET_SECONDS = 10.0
REPEATED_SIGNAL_SECONDS = 1.0
TICK_SECONDS = 0.1

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# Options of prctl(2).
_PR_SET_PDEATHSIG, _PR_SET_NAME = 1, 15
# Options of mallopt(3). By default, glibc uses one arena per thread. Freed memory is then not returned, and
# memory use grows for hours.
_M_ARENA_MAX, _ARENAS = -8, 2
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None

type Say = Callable[[str], None]


@dataclass(frozen=True)
class Program:
    """A child process.

    It has the name that `top` shows, the function that it runs until it receives SIGTERM, and its grace
    period in seconds if it needs more than GRACE_SECONDS.
    """

    name: str
    run: Callable[[], object]
    grace: float | None = None


def supervise(
    programs: Sequence[Program],
    *,
    say: Say,
    is_ready: Callable[[], bool],
    announce: Callable[[], None],
) -> bool:
    """Run the programs until SIGINT, SIGTERM, or SIGHUP, and restart programs that end.

    Must be called from the main thread, because the kernel's death signal follows the thread that forked the
    child. Calls `announce` once, as soon as `is_ready` returns True. In this process, the function returns
    whether every child stopped by itself. In a child, it never returns.
    """
    # Freeze shared objects, so that garbage collection in a child does not copy the memory pages that it
    # shares with others.
    gc.freeze()
    signals = _StopSignals()
    children = [_Child(program, say) for program in programs]
    is_announced = False
    while signals.first is None:
        for child in children:
            child.check()
        if not is_announced and is_ready():
            announce()
            is_announced = True
        time.sleep(TICK_SECONDS)
    longest = max(child.grace for child in children)
    say(f"Stopping. Running work may finish within {longest:.0f} s; press Ctrl-C again to stop immediately.")
    return _stop(children, signals)


def _stop(children: Sequence["_Child"], signals: "_StopSignals") -> bool:
    for child in children:
        child.ask_to_stop()
    started, is_clean = time.monotonic(), True
    while alive := [child for child in children if child.is_alive]:
        for child in alive:
            if signals.is_forced or time.monotonic() > started + child.grace:
                child.kill()
                is_clean = False
        time.sleep(TICK_SECONDS)
    for child in children:  # This includes processes that children left behind when they ended.
        child.kill()
    return is_clean


class _StopSignals:
    """The signals received so far.

    The first signal asks the site to stop, and a later signal forces it to stop. `uv run` forwards Ctrl-C, so
    the signal arrives twice: from `uv run` and from the terminal. Therefore, a second signal within
    REPEATED_SIGNAL_SECONDS counts as the same signal.
    """

    def __init__(self) -> None:
        self.first: float | None = None
        self.is_forced = False
        for number in _SIGNALS:
            under_nohup = number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN
            if not under_nohup:
                signal.signal(number, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first = now
        elif now - self.first > REPEATED_SIGNAL_SECONDS:
            self.is_forced = True


class _Child:
    """One program, with its process while it runs, or otherwise the time of its next start."""

    def __init__(self, program: Program, say: Say) -> None:
        self._program = program
        self._say = say
        # Keep the process ID until the ended process has been waited for.
        self._pid: int | None = None
        self._started = 0.0
        self._due = 0.0
        self._delay = MIN_RESTART_DELAY_SECONDS

    def check(self) -> None:
        """Start the program if it is due, and schedule a restart if it has ended."""
        now = time.monotonic()
        if self._pid is None:
            if now >= self._due:
                self._start(now)
        elif not self.is_alive:
            self._schedule_restart(now, self.kill())

    @property
    def grace(self) -> float:
        return self._program.grace or GRACE_SECONDS

    @property
    def is_alive(self) -> bool:
        # WNOWAIT keeps the ended leader as a zombie. This reserves its process group number until the
        # processes that it left behind, such as a web process that still holds the port, have been killed.
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return self._pid is not None and os.waitid(os.P_PID, self._pid, flags) is None

    def ask_to_stop(self) -> None:
        if self._pid is not None:
            os.kill(self._pid, signal.SIGTERM)

    def kill(self) -> str:
        """Kill the child and every process that it started, and return how the child ended."""
        pid, self._pid = self._pid, None
        if pid is None:
            return "not started"
        with contextlib.suppress(ProcessLookupError):  # The child is not a group leader yet.
            os.killpg(pid, signal.SIGKILL)
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        return _reason(os.waitstatus_to_exitcode(status))

    def _start(self, now: float) -> None:
        self._started = now
        supervisor = os.getpid()
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # Signals wait until the child can handle them.
        try:
            self._pid = os.fork()
        except OSError as error:  # The machine has too little memory or too many processes.
            self._schedule_restart(now, str(error))
        if self._pid == 0:
            _prepare_child(self._program.name, supervisor)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        if self._pid == 0:
            self._program.run()
            sys.exit()

    def _schedule_restart(self, now: float, reason: str) -> None:
        lived = now - self._started
        self._delay = MIN_RESTART_DELAY_SECONDS if lived >= RESTART_DELAY_RESET_SECONDS else self._delay
        self._due = now + self._delay
        self._say(f"The {self._program.name} ended ({reason}); it restarts in {self._delay:g} s.")
        self._delay = min(self._delay * 2, MAX_RESTART_DELAY_SECONDS)


def run_in_fork(function: Callable[[], str]) -> str:
    """Call the function in a forked process and return its result.

    Any threads, connections, and fragmented memory that the function leaves behind end with the fork, so
    later forks do not inherit them. If the function fails, the fork prints the error, and this process exits
    with the exit code of the fork.
    """
    supervisor = os.getpid()
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        _end_with(supervisor)
        os.write(write_end, function().encode())
        sys.exit()
    os.close(write_end)
    with open(read_end, encoding="utf-8") as pipe:
        result = pipe.read()
    if code := os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        sys.exit(code if code > 0 else 128 - code)
    return result


def _prepare_child(name: str, supervisor: int) -> None:
    """Set up a new child process.

    Detach the child from the terminal, restore the default signal handlers, and make the child end when the
    supervisor dies.
    """
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    if _libc is not None:
        _libc.prctl(_PR_SET_NAME, name.encode())
        if hasattr(_libc, "mallopt"):  # Only glibc has this function.
            _libc.mallopt(_M_ARENA_MAX, _ARENAS)
    _end_with(supervisor)


def _end_with(supervisor: int) -> None:
    """Make the kernel send SIGTERM when the supervisor dies, and exit if the supervisor is already dead."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != supervisor:
        os._exit(1)


def _reason(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {-code}, {signal.strsignal(-code)}"
