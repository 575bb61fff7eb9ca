"""Load a whole site with submits, polls, and pages at a steady rate, while one in ten upstream tasks fails.

The command `python -m tests.load` finds the highest rate at which 95 of 100 submits take at most 400 ms. Then
it runs at 60% of this rate for 30 minutes. `--seconds N` sets a shorter duration, and `--rate R` skips the
search.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from editor.imaging.samples import landscape
from tests.api.plain_client import FAILED, SUCCESS, PhotoEditor
from tests.benchmarks.upstream import far_end, megabytes
from tests.portal import EMAIL, Portal, portal

SUBMIT_SECONDS = 0.4  # maximum seconds for 95 of 100 submits
PAGE_SECONDS = 0.2  # maximum seconds for 95 of 100 pages
HELD_SHARE = 0.6  # load during the test, as a fraction of the highest rate
HOLD_SECONDS = 1800
# Maximum wait for open tasks, in seconds.
PATIENCE_SECONDS = 300
# Number of submits per second before the measurement starts. These first requests import modules and fill
# caches.
WARM_RATE = 2.0
WARM_SECONDS = 30
FIRST_RATE = 4.0  # submits per second
STEP_SECONDS = 20  # minimum duration for trying a rate, in seconds
STEP_SUBMITS = 100  # minimum number of submits for trying a rate
POLL_INTERVAL_SECONDS = 2.0
SENDERS = 48  # threads
FAULT_EVERY = 10
MIN_STEP = 0.1
CREDITS = 100_000_000
PROGRAMS = ("web", "worker", "housekeeping")
SETTINGS = {
    "EDIT_PROVIDER": "photo-editor",
    "PHOTO_EDITOR_API_KEY": "a-key",
    "UPSTREAM_IN_FLIGHT": "1000",
    "RUNNING_PER_USER": "100000",
    "MAX_QUEUED_EDITS": "1000000",
    "API_CREATES_PER_MINUTE": "1000000",
    "API_READS_PER_MINUTE": "1000000",
}
SESSION = (
    "from django.test import Client; from editor.models import User; client = Client(); "
    "client.force_login(User.objects.get()); print(client.cookies['darkroom_session'].value)"
)
STATES = (
    "import json, collections; from editor.models import Edit; "
    "print(json.dumps(collections.Counter(Edit.objects.values_list('state', flat=True))))"
)


@dataclass
class Measurements:
    """Measurements from a period under load: call durations in seconds, memory, and open files."""

    submits: list[float] = field(default_factory=list)
    polls: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    tasks: dict[str, str] = field(default_factory=dict)
    refused: int = 0
    megabytes: list[float] = field(default_factory=list)
    handles: list[int] = field(default_factory=list)

    @property
    def open(self) -> list[str]:
        return [task for task, status in list(self.tasks.items()) if status not in (SUCCESS, FAILED)]


class Load:
    """Clients that use a site with one account, which has practically unlimited credits."""

    def __init__(self, site: Portal) -> None:
        self._site = site
        self._photo = landscape(1)
        self._editor = PhotoEditor(site.url, site.manage("create_api_key", EMAIL).strip())
        site.manage("credits", EMAIL, "--grant", str(CREDITS), "--reason", "load")
        self._cookie = f"darkroom_session={site.manage('shell', '-v', '0', '-c', SESSION).strip()}"

    def run(self, rate: float, seconds: float) -> Measurements:
        """Send this number of submits and page requests per second, and poll each task every two seconds.

        Afterward, wait until every task has ended.
        """
        held, over = Measurements(), threading.Event()
        watchers = [threading.Thread(target=watch, args=(held, over)) for watch in (self._poll, self._weigh)]
        for watcher in watchers:
            watcher.start()
        started = time.monotonic()
        with ThreadPoolExecutor(SENDERS) as senders:
            for number in range(int(rate * seconds)):
                time.sleep(max(0.0, started + number / rate - time.monotonic()))
                due = time.monotonic()
                senders.submit(self._submit, held, due)
                senders.submit(_timed, held.pages, self._page, due)
        until = time.monotonic() + PATIENCE_SECONDS
        while held.open and time.monotonic() < until:
            time.sleep(1)
        over.set()
        for watcher in watchers:
            watcher.join()
        return held

    def _submit(self, held: Measurements, due: float) -> None:
        try:
            task = self._editor.generate_from_files("black and white", [self._photo])
        except Exception:  # A refused submit counts as a slow submit.
            held.refused += 1
            held.submits.append(SUBMIT_SECONDS * 10)
        else:
            held.submits.append(time.monotonic() - due)
            held.tasks[task["taskId"]] = "PENDING"

    def _page(self) -> None:
        request = urllib.request.Request(f"{self._site.url}/", headers={"Cookie": self._cookie})
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert b"Sign out" in answer.read()

    def _poll(self, held: Measurements, over: threading.Event) -> None:
        while not over.is_set():
            begun = time.monotonic()
            for task in held.open:
                started = time.monotonic()
                held.tasks[task] = self._editor.status(task)["status"]
                held.polls.append(time.monotonic() - started)
            over.wait(max(0.1, begun + POLL_INTERVAL_SECONDS - time.monotonic()))

    def _weigh(self, held: Measurements, over: threading.Event) -> None:
        while not over.wait(5):
            pids = [pid for name in PROGRAMS for pid in self._site.pids(name)]
            held.megabytes.append(sum(map(megabytes, pids)))
            held.handles.append(sum(map(_handles, pids)))


@contextmanager
def loaded_site() -> Iterator[tuple[Portal, Load]]:
    """Start a site with an upstream engine. Each task takes a second, and one in ten fails."""
    with (
        tempfile.TemporaryDirectory() as folder,
        far_end(Path(folder), task_seconds=1, fault_every=FAULT_EVERY) as base_url,
    ):
        settings: dict[str, Any] = {**SETTINGS, "PHOTO_EDITOR_BASE_URL": base_url}
        with portal(workers=8, **settings) as site:
            yield site, Load(site)


def find_rate(load: Load, say: Callable[[str], object]) -> float:
    """Return the highest rate, to within 10%, at which 95 of 100 submits take at most SUBMIT_SECONDS."""
    load.run(WARM_RATE, WARM_SECONDS)
    low, high = 0.0, FIRST_RATE
    while _carries(load, high, say):
        low, high = high, high * 2
    while high - low > max(high / 10, MIN_STEP):
        middle = (low + high) / 2
        low, high = (middle, high) if _carries(load, middle, say) else (low, middle)
    return max(low, MIN_STEP)


def violations(site: Portal, measurements: Measurements, *, credits: int = CREDITS + 4000) -> list[str]:
    """Return a sentence for each invariant that the load has violated.

    `credits` is the number of credits at the start.
    """
    states: dict[str, int] = json.loads(site.manage("shell", "-v", "0", "-c", STATES))
    # The `credits` command works with both databases.
    printed: dict[str, int] = json.loads(site.manage("credits", EMAIL))
    balance, reserved = printed["balance"], printed["held"]
    sentences = [f"task {task} has not ended" for task in measurements.open]
    ended = sum(states.get(state, 0) for state in ("SUCCESS", "FAILED", "CANCELLED"))
    if ended != sum(states.values()) or ended < len(measurements.tasks):
        sentences.append(f"{len(measurements.tasks)} were accepted, and the edits are {states}")
    if reserved or balance != credits - 40 * states.get("SUCCESS", 0):
        sentences.append(f"the balance is {balance}, {reserved} of it held, with edits {states}")
    try:
        site.manage("verify")
    except subprocess.CalledProcessError as error:
        sentences.append(error.stdout)
    return sentences


def growth(figures: list[float] | list[int]) -> float:
    """Return the growth of these values over time, as a fraction.

    It compares the median of the second fifth of the values with the median of the last fifth.
    """
    fifth = max(1, len(figures) // 5)
    first, last = statistics.median(figures[fifth : 2 * fifth]), statistics.median(figures[-fifth:])
    return last / first - 1


def p95(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 1 else max(seconds, default=0.0)


def _carries(load: Load, rate: float, say: Callable[[str], object]) -> bool:
    held = load.run(rate, max(STEP_SECONDS, STEP_SUBMITS / rate))
    submits, pages = (p95(seconds) * 1000 for seconds in (held.submits, held.pages))
    say(f"{rate:.2f} submits/s: p95 {submits:.0f} ms, pages {pages:.0f} ms\n")
    return p95(held.submits) <= SUBMIT_SECONDS


def _timed(into: list[float], call: Callable[[], None], due: float) -> None:
    call()
    into.append(time.monotonic() - due)


def _handles(pid: int) -> int:
    try:
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:
        return 0


def main(rate: float | None, seconds: float) -> int:
    """Run the load, and return 1 if a check fails and 0 otherwise.

    A check fails if an edit was lost or wrong, if the site was slow, or if its memory or open files grew.
    """
    say = sys.stdout.write
    with loaded_site() as (site, load):
        rate = rate or HELD_SHARE * find_rate(load, say)
        say(f"holding {rate:.2f} submits/s for {seconds:.0f} s\n")
        held = load.run(rate, seconds)
        faults = violations(site, held)
    figures: dict[str, Any] = {
        "submits": len(held.submits),
        "refused": held.refused,
        "p95 of submits, ms": round(p95(held.submits) * 1000),
        "p95 of polls, ms": round(p95(held.polls) * 1000),
        "p95 of pages, ms": round(p95(held.pages) * 1000),
        "growth of memory, %": round(growth(held.megabytes) * 100, 1),
        "growth of handles, %": round(growth(held.handles) * 100, 1),
        "wrong": faults,
    }
    say("".join(f"{name}: {value}\n" for name, value in figures.items()))
    is_flat = max(growth(held.megabytes), growth(held.handles)) < 0.05
    return int(bool(faults or held.refused) or p95(held.pages) > PAGE_SECONDS or not is_flat)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, help="submits a second; without it the rate is found first")
    parser.add_argument(
        "--seconds", type=float, default=HOLD_SECONDS, help="how long to hold it (%(default)s)"
    )
    asked = parser.parse_args()
    sys.exit(main(asked.rate, asked.seconds))
