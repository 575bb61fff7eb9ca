"""Keeps child processes running until it is told to stop, and leaves none behind however it ends itself.

A child is a fork of the supervisor, so that what all of them need is imported once: whoever calls `supervise`
has no thread, no connection to a database and nothing of OpenCV, and so prepares by `apart`. Every child
leads a session of its own, so that Ctrl-C reaches the supervisor alone: a worker that gets two signals gives
up its running task. On Linux the kernel sends a child SIGTERM when its supervisor is killed.
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

GRACE_SECONDS = 25.0
SHORTEST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
SETTLED_SECONDS = 10.0
SAME_SIGNAL_SECONDS = 1.0
TICK_SECONDS = 0.1

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PR_SET_PDEATHSIG, _PR_SET_NAME = 1, 15  # prctl(2)
_M_ARENA_MAX, _ARENAS = -8, 2  # mallopt(3): one for each thread keeps what was freed, and grows for hours
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None

type Say = Callable[[str], None]


@dataclass(frozen=True)
class Program:
    """What a child does until it is asked to stop, and what people call it: so does `top`. One whose work
    must not be cut short has a `grace` of its own, in seconds."""

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
    """Runs the programs until SIGINT, SIGTERM or SIGHUP; a dead one is started again. To be called from the
    main thread: the kernel's signal at death follows the thread that made the child.

    Calls `announce` once, when `is_ready` first says so. Returns whether every child stopped by itself; in a
    child it never returns.
    """
    gc.freeze()  # the children share what is there; a search for garbage would write to all of it
    signals = _StopSignals()
    children = [_Child(program, say) for program in programs]
    is_announced = False
    while signals.first is None:
        for child in children:
            child.tend()
        if not is_announced and is_ready():
            announce()
            is_announced = True
        time.sleep(TICK_SECONDS)
    longest = max(child.grace for child in children)
    say(f"Stopping. What runs may finish, for up to {longest:.0f} s; a second Ctrl-C ends it at once.")
    return _stop(children, signals)


def _stop(children: Sequence["_Child"], signals: "_StopSignals") -> bool:
    for child in children:
        child.ask_to_stop()
    asked, is_clean = time.monotonic(), True
    while alive := [child for child in children if child.is_alive]:
        for child in alive:
            if signals.is_forced or time.monotonic() > asked + child.grace:
                child.kill()
                is_clean = False
        time.sleep(TICK_SECONDS)
    for child in children:  # and what the dead have left behind
        child.kill()
    return is_clean


class _StopSignals:
    """The first signal asks to stop. `uv run` forwards Ctrl-C on top of the terminal's own, so a repeat
    within a second is the same wish; a later one forces."""

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
        elif now - self.first > SAME_SIGNAL_SECONDS:
            self.is_forced = True


class _Child:
    """One program: its process while it lives, and when to start the next one when it is dead."""

    def __init__(self, program: Program, say: Say) -> None:
        self._program = program
        self._say = say
        self._pid: int | None = None  # of the living, and of the dead until they are collected
        self._started = 0.0
        self._due = 0.0
        self._pause = SHORTEST_PAUSE

    def tend(self) -> None:
        """Starts what is due and notices what has died."""
        now = time.monotonic()
        if self._pid is None:
            if now >= self._due:
                self._start(now)
        elif not self.is_alive:
            self._plan_restart(now, self.kill())

    @property
    def grace(self) -> float:
        return self._program.grace or GRACE_SECONDS

    @property
    def is_alive(self) -> bool:
        # WNOWAIT leaves the dead leader a zombie, which reserves the number of its group until
        # what it left behind (a web process that still holds the port) is killed.
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return self._pid is not None and os.waitid(os.P_PID, self._pid, flags) is None

    def ask_to_stop(self) -> None:
        if self._pid is not None:
            os.kill(self._pid, signal.SIGTERM)

    def kill(self) -> str:
        """Ends the child and all that it has started; answers how it ended."""
        pid, self._pid = self._pid, None
        if pid is None:
            return "not started"
        with contextlib.suppress(ProcessLookupError):  # it has not come so far as to lead a group
            os.killpg(pid, signal.SIGKILL)
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        return _reason(os.waitstatus_to_exitcode(status))

    def _start(self, now: float) -> None:
        self._started = now
        supervisor = os.getpid()
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # a child that is told to stop knows how to
        try:
            self._pid = os.fork()
        except OSError as error:  # no memory, too many processes
            self._plan_restart(now, str(error))
        if self._pid == 0:
            _settle_in(self._program.name, supervisor)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        if self._pid == 0:
            self._program.run()
            sys.exit()

    def _plan_restart(self, now: float, reason: str) -> None:
        lived = now - self._started
        self._pause = SHORTEST_PAUSE if lived >= SETTLED_SECONDS else self._pause
        self._due = now + self._pause
        self._say(f"The {self._program.name} ended ({reason}); it starts again in {self._pause:g} s.")
        self._pause = min(self._pause * 2, LONGEST_PAUSE)


def apart(do: Callable[[], str]) -> str:
    """What `do` answers, done in a fork that takes along what it has filled: threads, connections, and the
    holes in memory that all later forks would inherit and fill again, page by page. What goes wrong there is
    said there, and ends this process with the same code."""
    supervisor = os.getpid()
    answers, answer = os.pipe()
    pid = os.fork()
    if pid == 0:
        _end_with(supervisor)
        os.write(answer, do().encode())
        sys.exit()
    os.close(answer)
    with open(answers, encoding="utf-8") as said:
        text = said.read()
    if code := os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        sys.exit(code if code > 0 else 128 - code)
    return text


def _settle_in(name: str, supervisor: int) -> None:
    """What a child does before it runs its program: it leaves the terminal, takes signals as any process
    does, and asks for one when its supervisor dies; it gives up if that has happened already."""
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    if _libc is not None:
        _libc.prctl(_PR_SET_NAME, name.encode())
        if hasattr(_libc, "mallopt"):  # glibc's
            _libc.mallopt(_M_ARENA_MAX, _ARENAS)
    _end_with(supervisor)


def _end_with(supervisor: int) -> None:
    """The kernel sends this process SIGTERM when its supervisor dies; if it has died, this one ends."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != supervisor:
        os._exit(1)


def _reason(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {-code}, {signal.strsignal(-code)}"
