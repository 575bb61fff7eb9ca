"""Measure the memory of the process for previews.

Every sentence is previewed on each of six photos, in several rounds. The growth from one round to the next is
extrapolated to 2,000 previews.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks import Row
from tests.benchmarks._previewed import PHOTOS, TARGETS, TONES, Subject, draw
from tests.benchmarks.upstream import descendants
from tests.portal import ROOT

ROUNDS = 3  # The first round fills the memory for photos and findings, so its growth does not count.
PREVIEWS = 2_000  # number of previews to which the growth is extrapolated, and after which the child ends
MOST_MEGABYTES = 400.0
MOST_GROWTH = 0.1  # maximum growth over these previews, as a share
MOST_LOST = 0.02  # maximum share of previews that have no result, because the machine is too busy
ATTEMPTS = 3
SENTENCES = (*TARGETS, *TONES, "remove the {}", "blur the background", "replace the background with a beach")
PREVIEWER = "editor.engine.preview:preview_files"
PREPARE = """
import sys
from pathlib import Path
from editor.engine.vision.analysis import analyze
from editor.imaging.codecs import read, save
from editor.imaging.limits import STORED
from editor.engine.remembered import LONGEST_SIDE, reduced
photo, folder = Path(sys.argv[1]), Path(sys.argv[2])
picture = read(photo.read_bytes(), STORED)
analyze(picture).save(folder / f"{photo.stem}.npz")
save(reduced(picture, LONGEST_SIDE), folder / f"{photo.stem}.webp", "webp")
"""


class Use(NamedTuple):
    """The child's memory after a preview and its peak, in megabytes."""

    pid: int
    now: float
    peak: float


def run() -> list[Row]:
    """Run the previews in a child process, started as on the site, and measure its memory after each."""
    from editor.imaging.confinement import FolderAccess
    from editor.imaging.interactive import InteractivePool
    from editor.imaging.sandbox import PREVIEW

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for photo in PHOTOS:
            _run(PREPARE, draw(photo, folder, megapixels=2), folder)
        pool = InteractivePool(PREVIEW, 1, lambda: FolderAccess(read=(folder,)))
        try:
            return _rows([[_used_after(pool, *turn, folder) for turn in _turns()] for _ in range(ROUNDS)])
        finally:
            pool.close()


def _rows(rounds: list[list[Use | None]]) -> list[Row]:
    every = [use for uses in rounds for use in uses]
    known = [use for use in every if use]
    most = max(use.peak for use in known)
    early, late = (statistics.median(use.now for use in rounds[at] if use) for at in (1, -1))
    growth = (late / early - 1) * PREVIEWS / (len(every) - 2 * len(rounds[0]))
    lost = 1 - len(known) / len(every)
    return [
        Row("peak of the process for previews", most, MOST_MEGABYTES, "MB", most <= MOST_MEGABYTES),
        Row(f"growth over {PREVIEWS} previews", growth, MOST_GROWTH, "", growth <= MOST_GROWTH),
        Row(f"lost of {len(every)} previews", lost, MOST_LOST, "", lost <= MOST_LOST),
        Row("processes that were needed", len({use.pid for use in known}), None, "", True),
    ]


def _used_after(pool: Any, photo: Subject, plan: Any, folder: Path) -> Use | None:
    """Make a preview and measure the child. Return None if several attempts have no result."""
    from editor.imaging.errors import SandboxError
    from editor.options import EditOptions

    for _ in range(ATTEMPTS):  # Another attempt gets another child, as on the site.
        with suppress(SandboxError):
            pool.call(
                1,
                PREVIEWER,
                plan=plan.as_json(),
                photo_paths=[str(folder / f"{photo.name}.webp")],
                options=EditOptions().as_json(),
                width=1800,
                analysis_path=str(folder / f"{photo.name}.npz"),
            )
            (child,) = descendants([os.getpid()]) - {os.getpid()}
            return Use(child, _megabytes(child, "VmRSS"), _megabytes(child, "VmHWM"))
    return None


def _turns() -> Iterator[tuple[Subject, Any]]:
    """Yield each photo with the plan of each sentence that is accepted.

    A sentence in which "it" follows the background is refused, because it is ambiguous.
    """
    from editor.engine.language.explain import explain

    for words in SENTENCES:
        for photo in PHOTOS:
            plan = explain(words.format(photo.thing))
            if plan.accepted:
                yield photo, plan


def _run(code: str, *arguments: Path) -> None:
    subprocess.run([sys.executable, "-c", code, *map(str, arguments)], cwd=ROOT, check=True)


def _megabytes(pid: int, field: str) -> float:
    """Return "VmRSS", the memory of the process, or "VmHWM", the peak of it, in megabytes.

    The libraries are left out, because all processes of the site share them.
    """
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    values = {
        name: value.split()[0] for name, _, value in (line.partition(":") for line in lines) if value.strip()
    }
    return (int(values[field]) - int(values["RssFile"])) / 1024
