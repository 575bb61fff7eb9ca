"""Whether the database has what this code knows."""

from functools import cache

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


@cache
def newest_migrations() -> frozenset[tuple[str, str]]:
    """The last migration of each app, as the code has them: they change only with the process."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).graph.leaf_nodes())


def is_behind() -> bool:
    """Whether the database lacks migrations of the code, as in an upgrade. Raises DatabaseError."""
    return not newest_migrations() <= set(MigrationRecorder(connection).applied_migrations())
