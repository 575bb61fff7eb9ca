"""Measure one worker node that has a thousand edits in flight at an upstream site and more in the queue.

The benchmark measures how late the status requests are, and how much memory the node uses.
"""

import itertools
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from editor.providers import waits
from editor.services.editing import pacing
from tests.benchmarks import Row
from tests.benchmarks._nodes import Site, site
from tests.benchmarks.upstream import cpu_of_all, far_end, json_at, weighed
from tests.load import growth

IN_FLIGHT = 1000  # number of edits that the upstream site processes in parallel
WAITING = 200  # number of additional edits in the queue
WORKERS = 16
SETTLE_SECONDS = 60.0  # number of seconds until the node has received the wake-ups of all edits
SECONDS = 80.0  # duration of the measurement, in seconds
# The duration of an upstream task, in seconds. It is longer than the whole benchmark.
TASK_SECONDS = 900.0
LIMIT_LATE = 3.0  # maximum delay of a status request, in seconds
LIMIT_MEGABYTES = 400.0
LIMIT_GROWTH = 0.05  # maximum growth of the node's memory, as a fraction of the initial memory
MAKE = """
import sys
import django; django.setup()
from editor.services.editing import lifecycle
from tests import cast
photo = cast.photo_bytes()
user = cast.make_user("many@example.org", credits=1_000_000)
for _ in range(int(sys.argv[2])):
    edit = cast.make_edit(user, state="QUEUED", provider="photo-editor", base_url=sys.argv[1], price=1)
    file = cast.path_of(edit.references.get())
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(photo)
    lifecycle.wake(edit, at=edit.due)
"""
_RUNNING = "SELECT count(*) FROM editor_edit WHERE state = 'RUNNING'"
_QUEUED = "SELECT count(*) FROM editor_edit WHERE state = 'QUEUED'"


def run() -> list[Row]:
    """Measure for five minutes.

    With this number of edits in flight, the polling interval is at its maximum.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        far_end(Path(folder), task_seconds=TASK_SECONDS) as base_url,
        site(
            EDIT_PROVIDER="photo-editor",
            PHOTO_EDITOR_BASE_URL=base_url,
            PHOTO_EDITOR_API_KEY="a-key",
            UPSTREAM_IN_FLIGHT=str(IN_FLIGHT),
            RUNNING_PER_USER=str(10 * IN_FLIGHT),
        ) as there,
        there.node("workers", workers=WORKERS) as node,
        there.node("housekeeping"),
    ):
        there.wait_for_workers(WORKERS + 1)
        there.run(MAKE, base_url, str(IN_FLIGHT + WAITING))
        there.wait(_RUNNING, IN_FLIGHT)
        return _watched(there, node, base_url)


def _watched(there: Site, node: subprocess.Popen[bytes], base_url: str) -> list[Row]:
    time.sleep(SETTLE_SECONDS)
    began, before = time.time(), _used(there, node)
    with weighed(lambda: [node.pid]) as weights:
        time.sleep(SECONDS)
    used = [now - then for now, then in zip(_used(there, node), before, strict=True)]
    calls: dict[str, list[float]] = json_at(f"{base_url}/asked")
    waiting = there.ask(_QUEUED)[0]
    questions = sum(at >= began for times in calls.values() for at in times)
    late = [over for times in calls.values() for over in _late(times, began, began + SECONDS)]
    p99, grown = statistics.quantiles(late, n=100)[-1], growth(weights[1:])
    name = f"{len(calls)} in flight, asked about every {pacing.MAX_POLL_SECONDS:g} s"
    return [
        Row(f"{name}: p99 of how late", p99, LIMIT_LATE, "s", p99 <= LIMIT_LATE),
        Row(f"{name}: median of it", statistics.median(late), None, "s", True),
        Row("memory of the node", max(weights), LIMIT_MEGABYTES, "MB", max(weights) <= LIMIT_MEGABYTES),
        Row("growth of it", 100 * grown, 100 * LIMIT_GROWTH, "%", grown <= LIMIT_GROWTH),
        Row("edits that wait in the queue", waiting, WAITING, "", waiting == WAITING),
        Row("questions", questions / SECONDS, None, "a second", True),
        *(
            Row(f"CPU of {what} for a question", 1000 * seconds / questions, None, "ms", True)
            for what, seconds in zip(("the node", "PostgreSQL"), used, strict=True)
        ),
    ]


def _used(there: Site, node: subprocess.Popen[bytes]) -> list[float]:
    return [cpu_of_all([pid]) for pid in (node.pid, there.database.pid)]


def _late(times: list[float], began: float, ended: float) -> list[float]:
    """Return the delay of each of an edit's status requests, in seconds.

    If a request is still missing, its delay so far is used.
    """
    over = [
        then - at - _interval(at - times[0])
        for at, then in itertools.pairwise([*times, ended])
        if then >= began
    ]
    return over if over[-1] > 0 else over[:-1]


def _interval(age: float) -> float:
    """Return the polling interval, in seconds, `age` seconds after the first status request for an edit."""
    usual = next(seconds for until, seconds in waits.POLL_INTERVALS if age < until)
    return max(pacing.MAX_POLL_SECONDS, 1.1 * usual)
