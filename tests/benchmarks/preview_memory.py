"""Measure the memory of the process for previews, over 2,000 previews of six photos."""

import itertools
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks import Row
from tests.benchmarks._previewed import PHOTOS, TARGETS, TONES, Subject, draw
from tests.benchmarks.upstream import descendants
from tests.portal import ROOT

PREVIEWS = 2_000
MOST_MEGABYTES = 400.0
MOST_GROWTH = 0.1  # maximum growth between the second and the last tenth of the previews, as a share
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
            return _rows([_used_after(pool, *turn, folder) for turn in itertools.islice(_turns(), PREVIEWS)])
        finally:
            pool.close()


def _rows(used: list[tuple[int, float, float]]) -> list[Row]:
    tenth = max(1, len(used) // 10)
    most = max(peak for _, _, peak in used)
    early, late = (
        statistics.median(now for _, now, _ in part) for part in (used[tenth : 2 * tenth], used[-tenth:])
    )
    growth = late / early - 1
    return [
        Row("peak of the process for previews", most, MOST_MEGABYTES, "MB", most <= MOST_MEGABYTES),
        Row(f"growth over {len(used)} previews", growth, MOST_GROWTH, "", growth <= MOST_GROWTH),
        Row("processes that were needed", len({pid for pid, _, _ in used}), None, "", True),
    ]


def _used_after(pool: Any, photo: Subject, words: str, folder: Path) -> tuple[int, float, float]:
    """Make a preview, and return the child and its memory and peak in megabytes."""
    from editor.engine.language.explain import explain
    from editor.imaging.errors import SandboxError
    from editor.options import EditOptions

    plan = explain(words)
    assert plan.accepted, words
    for is_last in (False, False, True):  # Another attempt gets another child, as on the site.
        try:
            pool.call(
                1,
                PREVIEWER,
                plan=plan.as_json(),
                photo_paths=[str(folder / f"{photo.name}.webp")],
                options=EditOptions().as_json(),
                width=1800,
                analysis_path=str(folder / f"{photo.name}.npz"),
            )
        except SandboxError:
            if is_last:
                raise
        else:
            break
    (child,) = descendants([os.getpid()]) - {os.getpid()}
    return child, _megabytes(child, "VmRSS"), _megabytes(child, "VmHWM")


def _turns() -> Iterator[tuple[Subject, str]]:
    """Yield a photo and a sentence without end. Every photo gets every sentence."""
    for words in itertools.cycle(SENTENCES):
        for photo in PHOTOS:
            yield photo, words.format(photo.thing)


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
