"""Tests that the simulator finds no violations in a short run, and that it finds every planted bug."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulator.planted import BUGS
from tests.simulator.scheduler import Chance

ROOT = Path(__file__).resolve().parents[2]


def simulated(*arguments: str) -> str:
    """Run the simulator, check that it succeeds, and return its output.

    The simulator runs in a separate process, because it has its own settings and clock.
    """
    kept = {
        name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "PYTHONHASHSEED")
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.simulator", *arguments],
        cwd=ROOT,
        env=kept,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.slow
def test_schedules_violate_no_invariants() -> None:
    output = simulated("--schedules", "300", "--processes", "2")
    assert output.count("150 schedules") == 2


@pytest.mark.slow
def test_every_planted_bug_is_found() -> None:
    """Only a few schedules are played after the known seeds, so that stale seeds fail within minutes."""
    assert simulated("--planted", "--schedules", "25").count(": seed ") == len(BUGS) >= 12


@pytest.mark.slow
def test_the_same_seed_gives_the_same_story() -> None:
    assert simulated("--schedules", "1", "--seed", "7", "--tell") == simulated(
        "--schedules", "1", "--seed", "7", "--tell"
    )


def test_chance_depends_only_on_the_seed_and_the_name() -> None:
    odds = {"kill": 0.5}
    names = [f"submit.{number}" for number in range(40)]
    first = Chance(3)
    picked = {name: first.pick(name, odds) for name in names}
    backwards = Chance(3)
    assert {name: backwards.pick(name, odds) for name in reversed(names)} == picked
    only = next(name for name, word in picked.items() if word)
    replayed = Chance(3, {only: "kill"})
    assert [name for name in names if replayed.pick(name, odds)] == [only]
