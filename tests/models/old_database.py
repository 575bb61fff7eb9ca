"""An additional database that can be migrated to any state, as the starting point of a tested upgrade."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor

from editor.models import triggers
from tests.processes import extra_database_name

ALIAS = "old"
ISSUED = "0002_programs_webhooks_and_health"  # the last migration before teams


class OldDatabase:
    """A database created in the state of one migration. `upgrade` migrates it further, without triggers."""

    def __init__(self, name: str) -> None:
        self.models = self._migrate([("editor", name)])

    def upgrade(self, name: str = "") -> None:
        """Migrate the database to this migration, by default to the newest one."""
        executor = MigrationExecutor(connections[ALIAS])
        leaves = executor.loader.graph.leaf_nodes("editor")
        self.models = self._migrate([("editor", name)] if name else leaves)

    def rows(self, model: str) -> Any:
        return self.models.get_model("editor", model).objects.using(ALIAS)

    def _migrate(self, targets: list[tuple[str, str]]) -> Any:
        # Drop the triggers, as the site does before every migration.
        triggers.drop_before_migrations(using=ALIAS)
        return MigrationExecutor(connections[ALIAS]).migrate(targets).apps


@contextmanager
def old_database(folder: Path, name: str = ISSUED) -> Iterator[OldDatabase]:
    """Create the database in the state of this migration, and delete the database afterward."""
    is_sqlite = connection.vendor == "sqlite"
    database = str(folder / "old.sqlite3") if is_sqlite else extra_database_name("darkroom_old")
    connections.databases[ALIAS] = {**connections.databases["default"], "NAME": database}
    try:
        if not is_sqlite:
            _run(f"DROP DATABASE IF EXISTS {database}", f"CREATE DATABASE {database}")
        yield OldDatabase(name)
    finally:
        connections[ALIAS].close()
        del connections[ALIAS], connections.databases[ALIAS]
        if not is_sqlite:
            _run(f"DROP DATABASE {database}")


def _run(*statements: str) -> None:
    """Run the statements outside of a transaction, because PostgreSQL allows them only there."""
    with connection._nodb_cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
