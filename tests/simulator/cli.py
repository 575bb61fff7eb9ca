"""The command `python -m tests.simulator`, which plays the schedules of many seeds or looks for planted bugs.

If a schedule violates an invariant, the command replays and shortens this schedule, prints its story, and
exits with code 1.
"""

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext

from tests.simulator import play
from tests.simulator.planted import BUGS, FOUND_BY, plant_bug

RENEW = (
    "If the simulator or the code has changed, the known seed is stale. Find a new seed with "
    "`python -m tests.simulator --planted BUG --fresh`, and write it to FOUND_BY in planted.py."
)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulator")
    parser.add_argument("--schedules", type=int, default=300, help="How many (300).")
    parser.add_argument("--seed", type=int, default=1, help="The first (1).")
    parser.add_argument("--processes", type=int, default=1, help="That share the work (1).")
    parser.add_argument("--planted", nargs="*", metavar="BUG", help="Plant these bugs, or all.")
    parser.add_argument(
        "--fresh", action="store_true", help="Leave out the seeds that are known to find them."
    )
    parser.add_argument("--tell", action="store_true", help="Tell the story of each, broken or not.")
    given = parser.parse_args(arguments)
    seeds = range(given.seed, given.seed + given.schedules)
    begun = time.perf_counter()
    if given.processes > 1:
        code = _shared(given.processes, seeds, arguments)
    else:
        play.prepare()
        names = given.planted if given.planted is None else given.planted or list(BUGS)
        code = (
            _play_all(seeds, told=given.tell) if names is None else _hunt(names, seeds, is_fresh=given.fresh)
        )
    if not given.tell:
        _say(f"{time.perf_counter() - begun:.0f} s.")
    return code


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


def _play_all(seeds: Sequence[int], *, told: bool) -> int:
    if told:
        for seed in seeds:
            _say("\n".join(play.play(play.schedule_of(seed)).story))
        return 0
    outcome = _first_broken(seeds)
    if outcome is None:
        _say(f"{len(seeds)} schedules from seed {seeds[0]} on: nothing is broken.")
        return 0
    _tell(outcome)
    return 1


def _first_broken(seeds: Iterable[int], bug: str = "") -> play.Outcome | None:
    played = (play.play(play.schedule_of(seed), plant_bug(bug) if bug else nullcontext()) for seed in seeds)
    return next((outcome for outcome in played if outcome.violations), None)


def _tell(outcome: play.Outcome) -> None:
    kind = _kind(outcome.violations[0])
    _say(f"Seed {outcome.played.seed} breaks: {outcome.violations[0]}")
    short = play.shorten(outcome.played, lambda one: kind in map(_kind, play.play(one).violations))
    again = play.play(short)
    _say(f"Of its {len(outcome.played)} acts and decisions these {len(short)} are enough:")
    _say("\n".join([*again.story, *again.violations]))


def _kind(sentence: str) -> str:
    """Return the sentence without IDs and numbers, so that violations of the same kind are equal."""
    return re.sub(r"[0-9a-f-]{8,}|[0-9]+", "#", sentence)


def _hunt(names: Sequence[str], seeds: Sequence[int], *, is_fresh: bool) -> int:
    """Look for each planted bug, using its known seed and then these seeds.

    Return 1 if a bug is not found.
    """
    missed = 0
    for name in names:
        begun = time.perf_counter()
        known = () if is_fresh else FOUND_BY.get(name, ())
        outcome = _first_broken((*known, *seeds), name)
        seconds = time.perf_counter() - begun
        if outcome is None:
            missed += 1
            _say(f"{name}: NOT FOUND in {len(known) + len(seeds)} schedules ({seconds:.0f} s). {RENEW}")
        else:
            seed = outcome.played.seed
            place = "known" if seed in known else f"after {seed - seeds[0] + 1}"
            _say(f"{name}: seed {seed}, {place} ({seconds:.1f} s): {outcome.violations[0][:120]}")
    return int(missed > 0)


def _shared(processes: int, seeds: Sequence[int], arguments: Sequence[str]) -> int:
    """Play the seeds in several processes. Each process prints its own output."""
    command = [sys.executable, "-m", "tests.simulator", *arguments, "--processes", "1"]
    children = [
        subprocess.Popen([*command, "--seed", str(part[0]), "--schedules", str(len(part))])
        for part in _parts(seeds, processes)
    ]
    return max(child.wait() for child in children)


def _parts(seeds: Sequence[int], count: int) -> Iterator[Sequence[int]]:
    size = -(-len(seeds) // count)
    yield from (seeds[at : at + size] for at in range(0, len(seeds), size))
