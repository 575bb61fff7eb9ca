"""Tests that the supervisor restarts programs after increasing delays, and that it stops or kills them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings

from tests.processes import restore_hangup_handler

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="This test needs Unix signals.")

SUPERVISE = """
import os, sys
from photoeditor_site.server import supervisor
grace = float(sys.argv[2])
supervisor.RESTART_DELAY_RESET_SECONDS = 600  # Even on a busy machine, no child runs that long.
is_clean = supervisor.supervise(
    [supervisor.Program("child", lambda: os.execv("/bin/sh", ["/bin/sh", "-c", sys.argv[1]]), grace)],
    say=lambda text: print(text, flush=True),
    is_ready=lambda: True, announce=lambda: print("ready", flush=True),
)
sys.exit(0 if is_clean else 1)
"""

APART = """
import os, signal, sys, threading, time
from photoeditor_site.server.supervisor import run_in_fork
def prepare():
    threading.Thread(target=time.sleep, args=[1000], daemon=True).start()
    kept.extend(range(1_000_000, 3_000_000))
    eval(sys.argv[1])
    return "prepared"
kept = []
print(run_in_fork(prepare), len(kept), threading.active_count())
"""


def test_a_dead_child_is_restarted_after_increasing_delays() -> None:
    process = supervising("exit 3")
    output = [process.stdout.readline().strip() for _ in range(4)]  # type: ignore[union-attr]
    end(process, signal.SIGTERM)
    assert output == [
        "ready",
        "The child ended (exit code 3); it restarts in 0.5 s.",
        "The child ended (exit code 3); it restarts in 1 s.",
        "The child ended (exit code 3); it restarts in 2 s.",
    ]
    assert process.returncode == 0


def test_two_quick_signals_ask_a_child_to_stop_only_once(tmp_path: Path) -> None:
    note = tmp_path / "note"
    process = supervising(
        f"trap 'echo asked >> {note}' TERM; echo up > {note}; while :; do sleep 0.7; done", grace=12
    )
    wait_until(note.exists)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    end(process, None)
    assert note.read_text() == "up\nasked\n"
    assert process.returncode == 1  # The program was killed because it ignored the signal.


def test_a_later_second_signal_kills_the_child(tmp_path: Path) -> None:
    note = tmp_path / "note"
    process = supervising(f"trap '' TERM; echo up > {note}; while :; do sleep 1; done", grace=300)
    wait_until(note.exists)
    process.send_signal(signal.SIGINT)
    assert process.stdout is not None
    while not process.stdout.readline().startswith("Stopping."):
        pass
    time.sleep(1.5)  # A signal counts as a second one after a second.
    process.send_signal(signal.SIGINT)
    end(process, None)  # This fails if the process waits for the grace period.
    assert process.returncode == 1


def test_processes_left_by_a_dead_child_are_killed(tmp_path: Path) -> None:
    note = tmp_path / "note"
    process = supervising(f"sleep 1000 & echo $! >> {note}; wait")
    wait_until(lambda: note.exists() and note.read_text().endswith("\n"))
    grandchild = int(note.read_text())
    os.kill(parent_of(grandchild), signal.SIGKILL)
    wait_until(lambda: note.read_text().count("\n") == 2)
    wait_until(lambda: not is_alive(grandchild))
    end(process, signal.SIGHUP)
    assert process.returncode == 0
    wait_until(lambda: not is_alive(int(note.read_text().split()[1])))


@pytest.mark.skipif(
    sys.platform != "linux", reason="Only the Linux kernel notifies a child when its parent ends."
)
def test_the_child_of_a_killed_supervisor_ends_too(tmp_path: Path) -> None:
    note = tmp_path / "note"
    process = supervising(f"echo $$ > {note}; exec sleep 1000")
    wait_until(lambda: note.exists() and note.read_text().endswith("\n"))
    process.kill()
    wait_until(lambda: not is_alive(int(note.read_text())))
    end(process, None)


def test_under_nohup_a_hangup_is_ignored() -> None:
    process = supervising("exec sleep 1000", before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    end(process, signal.SIGTERM)
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("ending", "code", "output"),
    [
        ("None", 0, "prepared 0 1\n"),
        ("sys.exit(7)", 7, ""),
        ("1 / 0", 1, ""),
        ("os.kill(os.getpid(), signal.SIGKILL)", 137, ""),
    ],
)
def test_run_in_fork_returns_only_the_result_or_the_exit_code(ending: str, code: int, output: str) -> None:
    command = [sys.executable, "-c", APART, ending]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (code, output)
    assert ("ZeroDivisionError" in done.stderr) is (ending == "1 / 0")


def supervising(
    script: str, *, grace: float = 25, before: Callable[[], object] = restore_hangup_handler
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SUPERVISE, script, str(grace)],
        cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=before,
    )


def end(process: subprocess.Popen[str], number: signal.Signals | None) -> None:
    if number is not None:
        process.send_signal(number)
    process.wait(300)  # The limit is long because the machine may be busy.
    assert process.stdout is not None
    process.stdout.close()


def parent_of(pid: int) -> int:
    status = subprocess.run(["ps", "-o", "ppid=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(status.stdout)


def is_alive(pid: int) -> bool:
    """Return whether the process is running. A zombie counts as dead."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(done.stdout.strip()) and not done.stdout.startswith("Z")


def wait_until(is_so: Callable[[], object]) -> None:
    last = time.monotonic() + 300
    while not is_so():
        assert time.monotonic() < last
        time.sleep(0.05)
