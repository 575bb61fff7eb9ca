"""Tests of a complete site whose real processes are killed and stopped, on both databases.

The command `python -m tests.faults.kills` runs a longer test of the same kind.
"""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import httpx
import pytest

from editor.pages.errors import BUSY
from tests import postgres
from tests.faults import disk
from tests.faults.killable_site import LOCKED_SECONDS
from tests.faults.kills import KILL_POINTS, KillRun, kill_run
from tests.portal import ROOT

pytestmark = pytest.mark.slow
STRIKES = 2 * len(KILL_POINTS)  # At each crash point, a process is killed once and stopped once.
EACH = {f"{how} at {where}" for where in KILL_POINTS for how in ("SIGKILL", "SIGSTOP")}
AWAY_SECONDS = 4


def answers(fire: KillRun) -> list[httpx.Response]:
    """Return the site's responses to two requests.

    A person sends the first request in a web session, and a program sends the second.
    """
    cookies = {"darkroom_session": "a" * 32}
    page = httpx.get(f"{fire.site.url}/accounts/login/", cookies=cookies, timeout=60)
    headers = {"Authorization": f"Bearer {fire.key}"}
    cancel = f"{fire.site.url}/api/photo-editor/cancel"
    return [page, httpx.post(cancel, headers=headers, json={"taskId": next(iter(fire.tasks))}, timeout=60)]


def await_edits(fire: KillRun) -> None:
    while not fire.tasks and not fire.errors:
        time.sleep(0.1)


def test_on_sqlite_nothing_is_lost_when_processes_die_or_the_database_is_locked() -> None:
    calls: list[httpx.Response] = []

    def lock(fire: KillRun) -> None:
        await_edits(fire)
        with closing(sqlite3.connect(fire.site.data_dir / "darkroom.sqlite3", timeout=60)) as database:
            database.execute("BEGIN IMMEDIATE")
            time.sleep(2 * LOCKED_SECONDS)
            calls.extend(answers(fire))

    with kill_run(STRIKES, disruption=lock) as fire:
        assert fire.errors == []
        assert fire.kills.keys() == EACH
    page, program = calls
    assert page.status_code == 200, "requests that only read are not blocked"
    assert (program.status_code, program.json()["message"]) == (503, BUSY)


@pytest.mark.skipif(postgres.binaries() is None, reason="PostgreSQL is not installed.")
def test_on_postgresql_nothing_is_lost_when_processes_die_or_the_database_stops() -> None:
    calls: list[httpx.Response] = []
    with postgres.cluster() as cluster:

        def stop(fire: KillRun) -> None:
            await_edits(fire)
            cluster.crash()
            time.sleep(AWAY_SECONDS)
            calls.extend(answers(fire))
            cluster.start()

        with kill_run(STRIKES, cluster.url, disruption=stop) as fire:
            assert fire.errors == []
            assert fire.kills.keys() == EACH
    page, program = calls
    assert (page.status_code, BUSY in page.text) == (503, True)
    assert (program.status_code, program.json()["message"]) == (503, BUSY)


def test_nothing_is_lost_when_the_disk_is_full_or_read_only() -> None:
    if not disk.can_mount():
        pytest.xfail("This system does not let a process mount a private disk.")
    command = [*disk.UNSHARE_COMMAND, sys.executable, "-m", "tests.faults.disk"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
