"""Measure the delay that the site adds to edits by an upstream engine.

Each of fifty edits is sent through the site and, at the same moment, directly to the engine. The direct
client polls every second.
"""

import sqlite3
import statistics
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from editor.imaging.samples import landscape
from tests.api.plain_client import SUCCESS, PhotoEditor
from tests.benchmarks import Row
from tests.benchmarks.upstream import far_end
from tests.portal import EMAIL, Portal, portal

EDITS = 50
EDIT_INTERVAL_SECONDS = 1.0
TASK_SECONDS = 20.0
POLL_INTERVAL_SECONDS = 1.0  # polling interval of the direct client, in seconds
LIMIT = 1.08
PATIENCE = 120.0


def run() -> list[Row]:
    """Measure the mean time from sending the create request to receiving the result.

    This takes a minute and a half.
    """
    with tempfile.TemporaryDirectory() as folder, far_end(Path(folder), task_seconds=TASK_SECONDS) as far:
        settings: dict[str, Any] = {
            "EDIT_PROVIDER": "photo-editor",
            "PHOTO_EDITOR_BASE_URL": far,
            "PHOTO_EDITOR_API_KEY": "a-key",
            "UPSTREAM_IN_FLIGHT": "100",
            "RUNNING_PER_USER": "100",
        }
        with portal(workers=8, **settings) as site, ThreadPoolExecutor(2 * EDITS) as senders:
            site.manage("credits", EMAIL, "--grant", "4000", "--reason", "benchmark")
            key = site.manage("create_api_key", EMAIL).strip()
            clients = PhotoEditor(far, "a-key"), PhotoEditor(site.url, key)
            bare, through = _both(senders, *clients, site)
    ratio = statistics.mean(through) / statistics.mean(bare)
    return [
        Row("bare client", statistics.mean(bare), None, "s", True),
        Row("through the portal", statistics.mean(through), None, "s", True),
        Row(f"the portal to the bare client, {EDITS} edits", ratio, LIMIT, "x", ratio <= LIMIT),
    ]


def _both(
    senders: ThreadPoolExecutor, bare: PhotoEditor, through: PhotoEditor, site: Portal
) -> tuple[list[float], list[float]]:
    """Return the number of seconds that each edit takes with the direct client and through the site."""
    photo, there, here = landscape(1), [], []
    began = time.monotonic()
    for number in range(EDITS):
        time.sleep(max(0.0, began + number * EDIT_INTERVAL_SECONDS - time.monotonic()))
        there.append(senders.submit(_by_bare_client, bare, photo))
        here.append(senders.submit(_sent, through, photo))
    sent = dict(edit.result() for edit in here)
    finished = _finished(site)
    return [edit.result() for edit in there], [finished[edit] - at for edit, at in sent.items()]


def _by_bare_client(client: PhotoEditor, photo: bytes) -> float:
    began = time.time()
    task = client.generate_from_files("black and white", [photo])["taskId"]
    while (answer := client.status(task))["status"] != SUCCESS:
        time.sleep(POLL_INTERVAL_SECONDS)
    with urllib.request.urlopen(answer["images"][0]["url"], timeout=60) as result:
        result.read()
    return time.time() - began


def _sent(client: PhotoEditor, photo: bytes) -> tuple[UUID, float]:
    """Return the ID of the edit, and the time at which the client began to send the edit."""
    began = time.time()
    return UUID(client.generate_from_files("black and white", [photo])["taskId"]), began


def _finished(site: Portal) -> dict[UUID, float]:
    """Wait until all edits have finished, and return the time at which each edit finished."""
    until = time.monotonic() + PATIENCE
    with closing(sqlite3.connect(site.data_dir / "darkroom.sqlite3", timeout=20)) as database:
        while True:
            rows = database.execute("SELECT id, state, finished FROM editor_edit").fetchall()
            if all(state == SUCCESS for _, state, _ in rows):
                return {UUID(edit): _moment(finished) for edit, _, finished in rows}
            assert time.monotonic() < until, rows
            time.sleep(1)


def _moment(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
