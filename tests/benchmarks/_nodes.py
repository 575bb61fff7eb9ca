"""Run a site that has several nodes on this machine, as in photoeditor_site/deploy.

The nodes share PostgreSQL, Redis, and a folder of photos.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from tests.portal import ROOT
from tests.ports import free_port
from tests.postgres import Cluster, cluster
from tests.redis_server import RedisServer

PATIENCE = 600.0
_MIGRATE = """
import django; django.setup()
from django.core.management import call_command; call_command("migrate", verbosity=0)
"""
_ALIVE = "SELECT count(*) FROM editor_workersign"
_OPEN = "SELECT count(*) FROM editor_edit WHERE finished IS NULL"


@dataclass(frozen=True)
class Site:
    """The environment variables and the database that all nodes share."""

    environment: dict[str, str]
    database: Cluster

    @contextmanager
    def node(
        self, role: str, *, core: int | None = None, workers: int = 1
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Run `start --only ROLE` until the block ends. If `core` is given, use only this core."""
        start = [sys.executable, "manage.py", "start", "--only", role, "--workers", str(workers)]
        pinned = [] if core is None else ["taskset", "--cpu-list", str(core)]
        with subprocess.Popen([*pinned, *start], cwd=ROOT, env=self.environment) as process:
            try:
                yield process
            finally:
                process.send_signal(signal.SIGTERM)

    def run(self, code: str, *arguments: str) -> None:
        """Run Python code in the site's environment."""
        subprocess.run([sys.executable, "-c", code, *arguments], cwd=ROOT, env=self.environment, check=True)

    def ask(self, sql: str) -> tuple[Any, ...]:
        """Return the first row of a query's result."""
        with psycopg.connect(self.database.url) as connection:
            row: tuple[Any, ...] = connection.execute(sql.encode()).fetchone() or ()
        return row

    def wait_for_workers(self, count: int) -> None:
        """Wait until this many workers have sent a heartbeat."""
        self.wait(_ALIVE, count)

    def wait_for_all(self) -> None:
        """Wait until every edit has ended."""
        self.wait(_OPEN, 0)

    def wait(self, sql: str, figure: int) -> None:
        """Wait until the query returns this number."""
        until = time.monotonic() + PATIENCE
        while (found := self.ask(sql)) != (figure,):
            assert time.monotonic() < until, f"{sql}: {found}, and not {figure}"
            time.sleep(0.5)


@contextmanager
def site(**extra: str) -> Iterator[Site]:
    """Start the database and the broker, but no nodes. Delete everything when the block ends."""
    with cluster() as database, tempfile.TemporaryDirectory(prefix="darkroom-nodes-") as folder:
        broker = RedisServer(Path(folder), port=free_port())
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "photoeditor_site.settings",
            "DATA_DIR": f"{folder}/data",
            "DATABASE_URL": database.url,
            "TASK_BACKEND": "celery",
            "CELERY_BROKER_URL": broker.url,
            "SECRET_KEY": "of-a-site-that-is-measured-once-and-then-gone-0123456789",
            "API_KEY_PEPPER": "of-a-site-that-is-measured-once-and-then-gone-9876543210",
            "TESTING": "1",
            **extra,
        }
        there = Site(environment, database)
        try:
            there.run(_MIGRATE)
            yield there
        finally:
            broker.stop()
