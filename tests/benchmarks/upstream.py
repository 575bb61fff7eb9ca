"""Measure the delay between an upstream SUCCESS and the end of the edit on this site.

There are 100 edits in flight. The benchmark also measures the memory of the workers. All measurements are
repeated with an upstream site that responds slowly to create requests.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks import Row
from tests.benchmarks.startup import cpu
from tests.portal import ROOT, Portal, portal

EDITS = 100
ARRIVE_SECONDS = 60.0  # time within which all edits are submitted, in seconds
TASK_SECONDS = 20.0
WORKERS = 8
BLOCKED_EDITS = 48
BLOCKED_ARRIVE_SECONDS = 30.0
BLOCKED_SECONDS = 20.0  # duration of each create request, in seconds
BLOCKED_WORKERS = (8, 16, 32)
LIMIT_SECONDS = 4.0
LIMIT_MEGABYTES = 600.0
PATIENCE = 600.0
# A script that submits edits. Its arguments are the number of edits, the number of seconds within which to
# submit them, the width of the photos, and the prompt.
SUBMIT = """
import io, sys, time
import django; django.setup()
from editor.models import User
from editor.services.photos import drafts
from editor.services.editing import submit
from tests import cast, scenes
count, seconds, width, prompt = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
file = io.BytesIO(); scenes.lake(width, width * 3 // 4).save(file, "JPEG", quality=90)
users = [cast.make_user(f"load{n}.{time.time()}@example.org", credits=4000) for n in range(4)]
uploads = [drafts.store_upload(io.BytesIO(file.getvalue()), name="photo.jpg") for _ in range(count)]
started = time.monotonic()
for number, upload in enumerate(uploads):
    time.sleep(max(0, started + seconds * number / count - time.monotonic()))
    cast.submit_edit(
        cast.actor_of(users[number % 4]), submit.Submission(prompt=prompt, drafts=[upload])
    )
"""
ENDED = """
import json
import django; django.setup()
from editor.models import Edit, Workspace
from tests import cast
edits = list(Edit.objects.all())
if not any(edit.is_open for edit in edits):
    for workspace in Workspace.objects.all():
        cast.assert_ledger_balances(workspace)
spent = sum(edit.price for edit in edits if edit.is_success)
print(json.dumps({
    "open": sum(edit.is_open for edit in edits),
    "spent": spent,
    "captured": 5 * 4000 - sum(w.balance for w in Workspace.objects.all()),
    "finished": {e.ticket["task_id"]: e.finished.timestamp() for e in edits if e.is_success},
    "failed": [e.failure_code for e in edits if e.state == "FAILED"],
}))
"""


@dataclass(frozen=True)
class Outcome:
    """The measured values of a run.

    They are the number of seconds from the upstream SUCCESS to the end of each edit on this site, and the
    workers' peak memory in megabytes.
    """

    late: list[float]
    megabytes: float
    lost: int
    is_balance_right: bool


def run() -> list[Row]:
    """Run all measurements. This takes nine minutes."""
    plain = _measure(EDITS, ARRIVE_SECONDS, workers=WORKERS, create_seconds=0)
    median, lost = statistics.median(plain.late), plain.lost + (not plain.is_balance_right)
    rows = [
        Row(
            f"{EDITS} edits: median from SUCCESS to finished",
            median,
            LIMIT_SECONDS,
            "s",
            median <= LIMIT_SECONDS,
        ),
        Row(f"{EDITS} edits: slowest", max(plain.late), None, "s", True),
        Row(
            f"{EDITS} edits: {WORKERS} workers",
            plain.megabytes,
            LIMIT_MEGABYTES,
            "MB",
            plain.megabytes <= LIMIT_MEGABYTES,
        ),
        Row(f"{EDITS} edits: lost, or wrong balance", lost, 0, "", lost == 0),
    ]
    for workers in BLOCKED_WORKERS:
        rows += _blocked_rows(workers)
    return rows


def _blocked_rows(workers: int) -> list[Row]:
    name = f"creates of {BLOCKED_SECONDS:g} s, {workers} workers"
    outcome = _measure(BLOCKED_EDITS, BLOCKED_ARRIVE_SECONDS, workers=workers, create_seconds=BLOCKED_SECONDS)
    lost = outcome.lost + (not outcome.is_balance_right)
    return [
        Row(f"{name}: median", statistics.median(outcome.late), None, "s", True),
        Row(f"{name}: slowest", max(outcome.late), None, "s", True),
        Row(f"{name}: memory", outcome.megabytes, None, "MB", True),
        Row(f"{name}: lost, or wrong balance", lost, 0, "", lost == 0),
    ]


def _measure(edits: int, seconds: float, *, workers: int, create_seconds: float) -> Outcome:
    with (
        tempfile.TemporaryDirectory() as folder,
        far_end(Path(folder), task_seconds=TASK_SECONDS, create_seconds=create_seconds) as base_url,
    ):
        settings: dict[str, Any] = {
            "EDIT_PROVIDER": "photo-editor",
            "PHOTO_EDITOR_BASE_URL": base_url,
            "PHOTO_EDITOR_API_KEY": "a-key",
            "UPSTREAM_IN_FLIGHT": "100",
            "RUNNING_PER_USER": "100",
        }
        with portal(workers=workers, **settings) as site, weighed(lambda: site.pids("worker")) as weights:
            _submit(site, edits, seconds)
            ended = _wait_for_all(site, edits)
        return _outcome(ended, json_at(f"{base_url}/log"), edits, max(weights))


def _outcome(ended: dict[str, Any], done: dict[str, float], edits: int, megabytes: float) -> Outcome:
    late = [ended["finished"][task] - done[task] for task in ended["finished"]]
    return Outcome(
        late=late,
        megabytes=megabytes,
        lost=edits - len(late) + (len(done) != edits),
        is_balance_right=ended["captured"] == ended["spent"] == 40 * len(late),
    )


@contextmanager
def far_end(
    folder: Path, *, task_seconds: float, create_seconds: float = 0, fault_every: int = 0
) -> Iterator[str]:
    """Start an upstream site in a separate process.

    One in `fault_every` tasks fails, and every result has one megapixel.
    """
    result = folder / "result.png"
    draw = f"from tests import scenes; scenes.lake(1200, 834).save({str(result)!r})"
    subprocess.run([sys.executable, "-c", draw], cwd=ROOT, check=True)
    figures = [str(figure) for figure in (task_seconds, create_seconds, fault_every)]
    command = [sys.executable, "-m", "tests.benchmarks._upstream_site", str(result), *figures]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.kill()


def _submit(site: Portal, edits: int, seconds: float) -> None:
    command = [sys.executable, "-c", SUBMIT, str(edits), str(seconds), "1200", "black and white"]
    subprocess.run(command, cwd=ROOT, env=site.environment, check=True)


def _wait_for_all(site: Portal, edits: int) -> dict[str, Any]:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        command = [sys.executable, "-c", ENDED]
        answer = subprocess.run(
            command, cwd=ROOT, env=site.environment, check=True, capture_output=True, text=True
        )
        ended: dict[str, Any] = json.loads(answer.stdout)
        if not ended["open"]:
            return ended
        time.sleep(5)
    return ended


def json_at(url: str) -> dict[str, Any]:
    """Return what the upstream site reports about its tasks."""
    with urllib.request.urlopen(url, timeout=10) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


@contextmanager
def weighed(pids: Callable[[], Iterable[int]]) -> Iterator[list[float]]:
    """Measure, every second, the total memory of these processes and their children, in megabytes."""
    weights, over = [0.0], threading.Event()

    def weigh() -> None:
        while not over.wait(1):
            weights.append(sum(map(megabytes, descendants(pids()))))

    thread = threading.Thread(target=weigh)
    thread.start()
    try:
        yield weights
    finally:
        over.set()
        thread.join()


def descendants(pids: Iterable[int]) -> set[int]:
    """Return these processes and all their descendants."""
    parents, found = _parents(), set[int]()
    ours = set(pids)
    while ours - found:
        found |= ours
        ours = {pid for pid, parent in parents.items() if parent in found}
    return found


def cpu_of_all(pids: Iterable[int]) -> float:
    """Return the CPU seconds that these processes and their children have used so far.

    Children that have ended are included in their parents' times.
    """
    total = 0.0
    for one in descendants(pids):
        with suppress(OSError):
            total += cpu(one)
    return total


def _parents() -> dict[int, int]:
    pids = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
    stats = {pid: _read(pid, "stat") for pid in pids}
    return {pid: int(stat.rpartition(b")")[2].split()[1]) for pid, stat in stats.items() if stat}


def megabytes(pid: int) -> float:
    """Return the proportional set size of a process, in megabytes.

    In a total of these sizes, memory pages that several processes share are counted only once.
    """
    lines = _read(pid, "smaps_rollup").decode().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""
