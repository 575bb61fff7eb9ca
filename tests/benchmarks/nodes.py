"""Compare two worker nodes with one node, for edits that need seconds of processing.

Each node has its own core. For comparison, two bare processes do the same processing on this machine.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import Row
from tests.benchmarks._nodes import Site, site
from tests.benchmarks.upstream import SUBMIT, cpu_of_all
from tests.portal import ROOT

EDITS = 6
ROUNDS = 2
LEAST_TIMES = 1.7  # minimum throughput of two nodes, as a multiple of the throughput of one node
LEAST_SECONDS = 3.0  # minimum processing time of an edit, in seconds
WIDTH = 7000  # width of the photo in pixels
PROMPT = "make it look like an oil painting"
BARE_EDITS = 3
LATEST = f"""
    SELECT EXTRACT(EPOCH FROM max(finished) - min(sent)), EXTRACT(EPOCH FROM avg(arrived - started))
    FROM (SELECT * FROM editor_edit ORDER BY id DESC LIMIT {EDITS}) AS latest
"""
BARE = """
import sys
from editor.engine.language.explain import explain
from editor.engine.run import edit_files
from editor.options import EditOptions
from tests import scenes
stem, count, width, prompt = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
scenes.lake(width, width * 3 // 4).save(f"{stem}.jpg", quality=90)
print("drawn", flush=True)
sys.stdin.readline()
for _ in range(count):
    edit_files(explain(prompt).as_json(), [f"{stem}.jpg"], EditOptions().as_json(), stem)
"""


class Cost(NamedTuple):
    """The results of one round of edits.

    They are the duration in seconds, and the CPU seconds per edit of processing and of PostgreSQL.
    """

    seconds: float
    pixels: float
    database: float


def run() -> list[Row]:
    """Measure the best of two rounds with one node and with two nodes, alternating.

    This takes three minutes.
    """
    one, two = [], []
    with site(RUNNING_PER_USER="100") as there, there.node("workers", core=0):
        for _ in range(ROUNDS):
            one.append(_round(there, nodes=1))
            with there.node("workers", core=1):
                two.append(_round(there, nodes=2))
    best, pixels = min(one), min(cost.pixels for cost in one)
    times, machine = best.seconds / min(two).seconds, _machine()
    return [
        Row("seconds of pixels in an edit (least)", pixels, LEAST_SECONDS, "s", pixels >= LEAST_SECONDS),
        Row("two nodes to one (least)", times, LEAST_TIMES, "x", times >= LEAST_TIMES),
        Row("two bare processes to one, here", machine, None, "x", True),
        Row("one node", 60 * EDITS / best.seconds, None, "edits a minute", True),
        Row("PostgreSQL's CPU for an edit", 1000 * best.database, None, "ms", True),
    ]


def _round(there: Site, *, nodes: int) -> Cost:
    """Measure a round after warming up each node with one edit."""
    there.wait_for_workers(nodes)
    _submit(there, nodes)
    before = cpu_of_all([there.database.pid])
    _submit(there, EDITS)
    used = cpu_of_all([there.database.pid]) - before
    seconds, pixels = there.ask(LATEST)
    return Cost(float(seconds), float(pixels), used / EDITS)


def _submit(there: Site, edits: int) -> None:
    there.run(SUBMIT, str(edits), "0", str(WIDTH), PROMPT)
    there.wait_for_all()


def _machine() -> float:
    return 2 * _bare(1) / _bare(2)


def _bare(count: int) -> float:
    """Return the number of seconds for BARE_EDITS edits in each of several processes.

    Each process has its own core.
    """
    with tempfile.TemporaryDirectory() as folder:
        processes = [_drawn(Path(folder) / str(core), core) for core in range(count)]
        began = time.monotonic()
        for process in processes:
            assert process.stdin is not None
            process.stdin.close()  # The process starts when its input is closed.
        for process in processes:
            process.wait()
    return time.monotonic() - began


def _drawn(stem: Path, core: int) -> "subprocess.Popen[str]":
    arguments = [sys.executable, "-c", BARE, str(stem), str(BARE_EDITS), str(WIDTH), PROMPT]
    process = subprocess.Popen(
        ["taskset", "--cpu-list", str(core), *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process
