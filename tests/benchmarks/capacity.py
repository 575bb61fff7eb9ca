"""Measure the number of edits per minute that one machine processes with our own engine and two workers.

Each worker has its own core. A program submits the edits. The time includes the uploads, the processing, and
the derivatives.
"""

import sqlite3
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from tests.api.plain_client import PhotoEditor
from tests.benchmarks import Row
from tests.benchmarks.edit_command import drawn
from tests.benchmarks.upstream import cpu_of_all
from tests.portal import EMAIL, Portal, portal

EDITS = 24
SENDERS = 2  # number of threads that submit edits
WIDTHS = {"1 megapixel": 1200, "12 megapixels": 4000}
PATIENCE = 300.0
_ENDED = "SELECT count(*) FROM editor_edit WHERE state = 'SUCCESS'"


def run() -> list[Row]:
    """Measure the time from the first submit to the last result. This takes a minute.

    All edits are in the queue from the beginning.
    """
    with portal(RUNNING_PER_USER="100") as site, tempfile.TemporaryDirectory() as folder:
        editor = PhotoEditor(site.url, site.manage("create_api_key", EMAIL).strip())
        photos = {name: drawn(Path(folder) / f"{width}.jpg", width) for name, width in WIDTHS.items()}
        return [
            row for name, photo in photos.items() for row in _rows(name, site, editor, photo.read_bytes())
        ]


def _rows(name: str, site: Portal, editor: PhotoEditor, photo: bytes) -> list[Row]:
    before = cpu_of_all(site.pids(""))
    seconds = _seconds(site, editor, photo)
    used = cpu_of_all(site.pids("")) - before
    return [
        Row(name, 60 * EDITS / seconds, None, "edits a minute", True),
        Row(f"{name}: CPU of the whole site for an edit", used / EDITS, None, "s", True),
    ]


def _seconds(site: Portal, editor: PhotoEditor, photo: bytes) -> float:
    began, before = time.monotonic(), _ended(site)
    with ThreadPoolExecutor(SENDERS) as senders:
        sent = [senders.submit(editor.generate_from_files, "black and white", [photo]) for _ in range(EDITS)]
    for each in sent:
        each.result()
    while _ended(site) < before + EDITS:
        assert time.monotonic() < began + PATIENCE
        time.sleep(0.1)
    return time.monotonic() - began


def _ended(site: Portal) -> int:
    with closing(sqlite3.connect(site.data_dir / "darkroom.sqlite3", timeout=20)) as database:
        count: int = database.execute(_ENDED).fetchone()[0]
    return count
