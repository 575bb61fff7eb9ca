"""Measure the time of `manage.py check`, and the time until the site listens after a second `start`.

Both times are compared with the time that `manage.py check` takes in an empty Django project.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import Row
from tests.portal import ROOT, Portal, portal

ROUNDS = 5
CHECK_LIMIT = 2.5  # maximum time of our `check`, as a multiple of the time that it takes in an empty project
START_LIMIT = 4.0  # maximum time of `start`, as a multiple of the time that `check` takes in an empty project


class Cost(NamedTuple):
    """The wall-clock time, and the CPU time of all processes, both in seconds."""

    wall: float
    cpu: float


def run() -> list[Row]:
    """Measure the best of five alternating runs, as multiples of the empty project's best time."""
    check = [sys.executable, "manage.py", "check"]
    empty, ours, starts = [], [], []
    # The first start compiles the code, so that the second start does not need to.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder, portal(account=False) as site:
        site.stop()
        subprocess.run([sys.executable, "-m", "django", "startproject", "empty", folder], check=True)
        for _ in range(ROUNDS):
            empty.append(
                _cost(check, Path(folder), dict(os.environ, DJANGO_SETTINGS_MODULE="empty.settings"))
            )
            ours.append(_cost(check, ROOT, site.environment))
            starts.append(_cost_of_start(site))
    return [
        Row(f"{name}, {measure}", ratio, limit, "x", ratio <= limit)
        for name, costs, limit in (("check", ours, CHECK_LIMIT), ("second start", starts, START_LIMIT))
        for measure, ratio in _ratios(costs, empty).items()
    ]


def _ratios(costs: list[Cost], empty: list[Cost]) -> dict[str, float]:
    return {
        name: min(getattr(cost, name) for cost in costs) / min(getattr(cost, name) for cost in empty)
        for name in Cost._fields
    }


def _cost(command: list[str], folder: Path, environment: dict[str, str]) -> Cost:
    began = time.perf_counter()
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return Cost(time.perf_counter() - began, usage.ru_utime + usage.ru_stime)


def _cost_of_start(site: Portal) -> Cost:
    """Measure `start` until the site listens, not including the child processes that decode photos."""
    began = time.perf_counter()
    site.start()
    cost = Cost(time.perf_counter() - began, sum(map(cpu, site.pids(""))))
    site.stop()
    return cost


def cpu(pid: int) -> float:
    """Return the user and system time, in seconds, of a process and of the children it has waited for.

    The times come from /proc (proc_pid_stat(5)).
    """
    facts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, facts[11:15])) / os.sysconf("SC_CLK_TCK")
