"""Keeps child processes running until it is told to stop, and leaves none behind however it ends itself.

Every child leads a session of its own, so that Ctrl-C reaches the supervisor alone: a worker that gets two
signals gives up its running task. On Linux the kernel sends a child SIGTERM when its supervisor is killed.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FrameType

GRACE_SECONDS = 25.0
SHORTEST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
SETTLED_SECONDS = 10.0
SAME_SIGNAL_SECONDS = 1.0
TICK_SECONDS = 0.1

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None

type Say = Callable[[str], None]


@dataclass(frozen=True)
class Program:
    """What a child runs, and what people call it."""

    name: str
    command: tuple[str, ...]


def supervise(
    programs: Sequence[Program],
    *,
    environment: Mapping[str, str],
    say: Say,
    is_ready: Callable[[], bool],
    announce: Callable[[], None],
) -> bool:
    """Runs the programs until SIGINT, SIGTERM or SIGHUP; a dead one is started again. To be called from the
    main thread: the kernel's signal at death follows the thread that made the child.

    Calls `announce` once, when `is_ready` first says so. Returns whether every child stopped by itself.
    """
    signals = _StopSignals()
    children = [_Child(program, environment, say) for program in programs]
    is_announced = False
    while signals.first is None:
        for child in children:
            child.tend()
        if not is_announced and is_ready():
            announce()
            is_announced = True
        time.sleep(TICK_SECONDS)
    say(f"Stopping. What runs may finish, for up to {GRACE_SECONDS:.0f} s; a second Ctrl-C ends it at once.")
    return _stop([child for child in children if child.is_alive], signals)


def _stop(children: Sequence["_Child"], signals: "_StopSignals") -> bool:
    for child in children:
        child.ask_to_stop()
    last = time.monotonic() + GRACE_SECONDS
    while (alive := [child for child in children if child.is_alive]) and time.monotonic() < last:
        if signals.is_forced:
            break
        time.sleep(TICK_SECONDS)
    for child in alive:
        child.kill()
    return not alive


class _StopSignals:
    """The first signal asks to stop. `uv run` forwards Ctrl-C on top of the terminal's own, so a repeat
    within a second is the same wish; a later one forces."""

    def __init__(self) -> None:
        self.first: float | None = None
        self.is_forced = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
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

    def __init__(self, program: Program, environment: Mapping[str, str], say: Say) -> None:
        self._program = program
        self._environment = environment
        self._say = say
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._due = 0.0
        self._pause = SHORTEST_PAUSE

    def tend(self) -> None:
        """Starts what is due and notices what has died."""
        now = time.monotonic()
        if self._process is None:
            if now >= self._due:
                self._start(now)
        elif not self.is_alive:
            self._plan_restart(now, _reason(self._process.returncode))

    @property
    def is_alive(self) -> bool:
        if self._process is None or self._process.returncode is not None:
            return False
        # WNOWAIT leaves the dead leader a zombie, which reserves the number of its group until
        # what it left behind (a web process that still holds the port) is killed.
        if os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return True
        self.kill()
        return False

    def ask_to_stop(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def kill(self) -> None:
        """Ends the child and all that it has started."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _start(self, now: float) -> None:
        self._started = now
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own programs
                self._program.command,
                env=dict(self._environment),
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=_die_with(os.getpid()),
            )
        except (OSError, subprocess.SubprocessError) as error:  # no memory, too many processes
            self._plan_restart(now, str(error))

    def _plan_restart(self, now: float, reason: str) -> None:
        lived = now - self._started
        self._pause = SHORTEST_PAUSE if lived >= SETTLED_SECONDS else self._pause
        self._due = now + self._pause
        self._say(f"The {self._program.name} ended ({reason}); it starts again in {self._pause:g} s.")
        self._pause = min(self._pause * 2, LONGEST_PAUSE)
        self._process = None


def _die_with(supervisor: int) -> Callable[[], None] | None:
    """What a child does before it becomes its program: asks for a signal when its supervisor dies, and
    gives up if that has happened already."""
    if _libc is None:
        return None
    libc = _libc

    def ask_the_kernel() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != supervisor:
            os._exit(1)

    return ask_the_kernel


def _reason(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {-code}, {signal.strsignal(-code)}"
