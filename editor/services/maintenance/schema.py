"""Check whether the database schema is up to date with the code."""

from functools import cache

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


@cache
def newest_migrations() -> frozenset[tuple[str, str]]:
    """Return the latest migration of each app in the code.

    The migrations cannot change while the process runs.
    """
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).graph.leaf_nodes())


def is_behind() -> bool:
    """Check whether the database lacks migrations, as it does during an upgrade. Raises DatabaseError."""
    return not newest_migrations() <= set(MigrationRecorder(connection).applied_migrations())
