"""Determine which workers are alive and which process does the housekeeping.

Each process on every machine regularly records the current time.
"""

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Q

from editor.models import Housekeeper, WorkerSign
from editor.models.clock import database_now

HEARTBEAT_SECONDS = 15
ALIVE_FOR = timedelta(seconds=3 * HEARTBEAT_SECONDS)
FORGOTTEN_AFTER = timedelta(days=1)
HOUSEKEEPING_LEASE_SECONDS = 15  # number of seconds after which another process may take over housekeeping


def record_heartbeats(names: Sequence[str]) -> None:
    """Record that these workers are alive at this moment."""
    now = database_now()
    rows = [WorkerSign(name=name, seen=now) for name in names]
    WorkerSign.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["name"], update_fields=["seen"]
    )
    WorkerSign.objects.filter(seen__lt=now - FORGOTTEN_AFTER).delete()


def unregister(names: Sequence[str]) -> None:
    """Remove workers that were stopped intentionally."""
    WorkerSign.objects.filter(name__in=names).delete()


def count_alive() -> int:
    """Return the number of workers that were alive recently."""
    return WorkerSign.objects.filter(seen__gt=database_now() - ALIVE_FOR).count()


def acquire_housekeeping_lease(name: str) -> bool:
    """Try to become or remain the housekeeping process until the lease ends.

    Returns whether this succeeded.
    """
    now = database_now()
    term = {"name": name, "until": now + timedelta(seconds=HOUSEKEEPING_LEASE_SECONDS)}
    free = Housekeeper.objects.filter(Q(name=name) | Q(until__lt=now), id=1)
    return bool(free.update(**term)) or Housekeeper.objects.get_or_create(id=1, defaults=term)[1]


def release_housekeeping_lease(name: str) -> None:
    """Release the housekeeping lease, so that the next process need not wait."""
    Housekeeper.objects.filter(name=name).update(until=database_now() - timedelta(seconds=1))
