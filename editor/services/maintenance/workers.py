"""Which workers are alive, and which process keeps house: each writes down the time, every few seconds, on
whatever machine it runs."""

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Q

from editor.models import Housekeeper, WorkerSign
from editor.models.clock import database_now

SIGN_SECONDS = 15
ALIVE_FOR = timedelta(seconds=3 * SIGN_SECONDS)
FORGOTTEN_AFTER = timedelta(days=1)
HOUSE_SECONDS = 15  # after which another process keeps house in the place of a dead one


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


def keep_house(name: str) -> bool:
    """Whether this process does the duties that are done once, for HOUSE_SECONDS from now."""
    now = database_now()
    term = {"name": name, "until": now + timedelta(seconds=HOUSE_SECONDS)}
    free = Housekeeper.objects.filter(Q(name=name) | Q(until__lt=now), id=1)
    return bool(free.update(**term)) or Housekeeper.objects.get_or_create(id=1, defaults=term)[1]


def leave_house(name: str) -> None:
    """The next process need not wait."""
    Housekeeper.objects.filter(name=name).update(until=database_now() - timedelta(seconds=1))
