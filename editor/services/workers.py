"""Which workers are alive: each writes down the time, every few seconds, on whatever machine it runs."""

from collections.abc import Sequence
from datetime import timedelta

from editor.models import WorkerSign
from editor.models.clock import database_now

SIGN_SECONDS = 15
ALIVE_FOR = timedelta(seconds=3 * SIGN_SECONDS)
FORGOTTEN_AFTER = timedelta(days=1)


def sign(names: Sequence[str]) -> None:
    """These workers are alive now."""
    now = database_now()
    rows = [WorkerSign(name=name, seen=now) for name in names]
    WorkerSign.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["name"], update_fields=["seen"]
    )
    WorkerSign.objects.filter(seen__lt=now - FORGOTTEN_AFTER).delete()


def leave(names: Sequence[str]) -> None:
    """These workers have stopped as they were asked to."""
    WorkerSign.objects.filter(name__in=names).delete()


def alive() -> int:
    """How many have given a sign lately."""
    return WorkerSign.objects.filter(seen__gt=database_now() - ALIVE_FOR).count()
