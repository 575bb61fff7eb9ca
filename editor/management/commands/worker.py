"""A worker: takes wake-ups from the database's queue and advances edits."""

import logging
import os
import platform
import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError
from django_tasks_db.management.commands.db_worker import Worker

from editor.services import routing

logger = logging.getLogger(__name__)
LOOK_SECONDS = 0.1  # between two looks at an empty queue


class PatientWorker(Worker):
    """django-tasks-db's worker ends when another process holds SQLite's write lock for too long; this one
    tries again."""

    def run(self) -> None:
        while self.running:
            try:
                super().run()
            except OperationalError:
                logger.warning("The database is busy; the worker tries again.")
                time.sleep(1)
            else:
                return


class Command(BaseCommand):
    help = "Runs one worker. `manage.py start` runs several."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--batch", action="store_true", help="End when there is nothing to do.")

    def handle(self, *, batch: bool, **options: Any) -> None:
        routing.provider_named(settings.EDIT_PROVIDER).warm()
        worker = make_worker(batch=batch)
        worker.configure_signals()
        worker.run()


def make_worker(*, batch: bool = False) -> PatientWorker:
    """A worker of all queues; `batch`: one that ends when there is nothing to do."""
    return PatientWorker(
        queue_names=["*"],
        interval=LOOK_SECONDS,
        batch=batch,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=f"{platform.node()[:50]}-{os.getpid()}",
        excluded_queue_names=[],
    )
