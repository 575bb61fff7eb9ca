"""The database clock, which is used for leases and deadlines, plus consistent snapshots and locks."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import connection
from django.utils import timezone


def database_now() -> datetime:
    """Return the database's time.

    As a result, changes to a host's clock do not cause anything to expire. SQLite uses the host's clock.
    """
    if connection.vendor == "sqlite":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


@contextmanager
def consistent_snapshot() -> Iterator[None]:
    """Within the block, read from a consistent snapshot of the database while others write.

    The block may only read. If a transaction is already open, that transaction's isolation level applies.
    """
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
    """Wait until no other transaction holds this lock, then hold it until the current transaction ends.

    SQLite does not need this lock, because it already runs write transactions one after another.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"darkroom {name}"])


@contextmanager
def exclusive_lock(name: str) -> Iterator[None]:
    """Let only one process at a time run a block with this name.

    SQLite does not need this, because it locks the database file. The lock belongs to a transaction on a
    separate connection, so that it also works with connection poolers.
    """
    if connection.vendor != "postgresql":
        yield
        return
    turn = connection.copy()
    try:
        turn.set_autocommit(False)
        with turn.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"darkroom {name}"])
        yield
    finally:
        turn.close()
