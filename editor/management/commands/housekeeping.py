"""Run periodic duties until SIGTERM: manage.py housekeeping.

Several of these processes can run, on one or more machines, but only the process that holds the lease
performs the duties.
"""

import contextlib
import logging
import os
import platform
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NoReturn

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connections
from django.tasks import TaskResultStatus
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from editor.services.billing import credits
from editor.services.core import audit, rates
from editor.services.editing import engines, idempotency, lifecycle, results, webhooks
from editor.services.library import recipes
from editor.services.maintenance import checkups, exports, retention, trash, workers
from editor.services.people import closing, invitations
from editor.services.photos import drafts, photos

logger = logging.getLogger(__name__)

MINUTE = 60
HOUR = 60 * MINUTE
FINISHED_TASK_RETENTION = timedelta(days=1)
STRANDED_AFTER = timedelta(hours=1)
MAX_WORKER_DEATHS = 3
LEASE_RENEWAL_SECONDS = 4  # seconds between attempts to take or renew the housekeeping lease


@dataclass(frozen=True)
class Duty:
    """A function that housekeeping calls once when it starts and then every `every` seconds."""

    every: float
    do: Callable[[], object]


def duties() -> tuple[tuple[Duty, ...], ...]:
    """Return the schedule.

    Each group runs in its own thread, so a slow duty does not delay the sweep, which frees the edits of dead
    workers.
    """
    return (
        (Duty(settings.SWEEP_SECONDS, lifecycle.sweep),),
        (Duty(1, webhooks.deliver_due),),
        (Duty(MINUTE / 4, audit.extend_chain),),
        (
            Duty(MINUTE, credits.top_up_all),
            Duty(MINUTE, exports.fail_crashed),
            Duty(5 * MINUTE, checkups.check),
            Duty(HOUR, prune_finished_tasks),
            Duty(HOUR, requeue_stranded_tasks),
            Duty(HOUR, drafts.discard_old),
            Duty(HOUR, closing.wind_up_all),
            Duty(HOUR, exports.delete_expired),
            Duty(HOUR, recipes.purge_deleted),
            Duty(HOUR, retention.apply_all),
            Duty(HOUR, trash.purge_all_due),
            Duty(MINUTE, engines.assign_engines),
            Duty(HOUR, results.remove_all_unpaid),
            Duty(HOUR, photos.remove_orphans),
            Duty(HOUR, photos.make_missing_large),
            Duty(HOUR, clear_expired_sessions),
            Duty(HOUR, idempotency.delete_expired_claims),
            Duty(HOUR, rates.delete_old_rates),
            Duty(HOUR, webhooks.delete_old_deliveries),
            Duty(HOUR, invitations.delete_old_addresses),
        ),
    )


class Command(BaseCommand):
    help = (
        "Resumes edits of crashed workers, checks data integrity, and deletes expired data. `start` runs "
        "this command."
    )
    requires_system_checks: list[str] = []  # noqa: RUF012 - The tests run the system checks.

    def handle(self, **options: Any) -> None:
        # Use daemon threads, because a duty must tolerate being interrupted at any point, as by a crash.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: sys.exit(0))
        house = HousekeepingLease(f"{platform.node()[:48]}-{os.getpid()}")
        for line in duties():
            threading.Thread(target=_repeat, args=(line, house), daemon=True).start()
        house.hold()


class HousekeepingLease:
    """The lease on housekeeping, which only one process can hold at a time."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._safe_until = 0.0

    @property
    def is_held(self) -> bool:
        return time.monotonic() < self._safe_until

    def hold(self) -> NoReturn:
        """Take the lease and renew it until this process is stopped, then release it."""
        try:
            while True:
                self.renew()
                time.sleep(LEASE_RENEWAL_SECONDS)
        finally:
            if self.is_held:
                with contextlib.suppress(DatabaseError):
                    workers.release_housekeeping_lease(self._name)

    def renew(self) -> None:
        """Take or renew the lease unless another process holds it."""
        started = time.monotonic()
        try:
            self._safe_until = (
                started + workers.HOUSEKEEPING_LEASE_SECONDS
                if workers.acquire_housekeeping_lease(self._name)
                else 0.0
            )
        except DatabaseError:
            logger.warning("Housekeeping is waiting for the database.")
            connections.close_all()


def run_due(due: dict[Duty, float], now: float) -> None:
    """Run every duty that is due.

    If a duty fails, the error is logged and the duty is scheduled again.
    """
    for duty in [duty for duty, time_due in due.items() if time_due <= now]:
        try:
            duty.do()
        except Exception:
            logger.exception("Housekeeping: %s failed and will be retried in %g s.", _name(duty), duty.every)
        due[duty] = now + duty.every


def prune_finished_tasks() -> None:
    """Delete old finished tasks, which would otherwise be kept forever. Every edit creates several tasks."""
    DBTaskResult.objects.finished().filter(finished_at__lt=timezone.now() - FINISHED_TASK_RETENTION).delete()


def requeue_stranded_tasks() -> None:
    """Queue tasks again that a killed worker left in the state RUNNING.

    If several workers died while running the same task, the task probably killed them, so the task is
    deleted. The sweep still wakes up the edit that the task belonged to.
    """
    stranded = DBTaskResult.objects.running().filter(started_at__lt=timezone.now() - STRANDED_AFTER)
    for row in stranded.only("id", "worker_ids"):
        unchanged = stranded.filter(id=row.id)
        if len(row.worker_ids) < MAX_WORKER_DEATHS:
            unchanged.update(status=TaskResultStatus.READY)
        else:
            unchanged.delete()


def clear_expired_sessions() -> None:
    """Delete expired sessions."""
    call_command("clearsessions")


def _repeat(line: Iterable[Duty], house: HousekeepingLease) -> None:
    due = dict.fromkeys(line, 0.0)
    while True:
        if house.is_held:
            run_due(due, time.monotonic())
            # Close the connections in case the database has restarted. The next pass opens new ones.
            connections.close_all()
        time.sleep(min(1.0, max(0.1, min(due.values()) - time.monotonic())))


def _name(duty: Duty) -> str:
    return getattr(duty.do, "__name__", "a duty")
