"""The one clock by which leases and deadlines run out, a moment at which it stands still, and a turn."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import connection
from django.utils import timezone


def database_now() -> datetime:
    """The database's time, so that a jumping host clock expires nothing. On SQLite it is the host's own."""
    if connection.vendor == "sqlite":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


@contextmanager
def one_moment() -> Iterator[None]:
    """All that is read in it is as it was at one moment, while others write on. For reading alone; inside a
    transaction it is that transaction's business."""
    if connection.in_atomic_block:
        yield
        return
    begin = {"sqlite": "BEGIN DEFERRED", "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}
    with connection.cursor() as cursor:
        cursor.execute(begin[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def lock_until_commit(name: str) -> None:
    """Wait until no other transaction holds this lock, and hold it until this one ends.

    SQLite needs none: its transactions that may write already run one after another.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"darkroom {name}"])


@contextmanager
def one_at_a_time(what: str) -> Iterator[None]:
    """On PostgreSQL only one process at a time is in such a block of this name; on SQLite the file's own lock
    must do. The lock is a transaction's, of a connection of its own, so that poolers do not lose it."""
    if connection.vendor != "postgresql":
        yield
        return
    turn = connection.copy()
    try:
        turn.set_autocommit(False)
        with turn.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"darkroom {what}"])
        yield
    finally:
        turn.close()
