"""Snapshots of the database in a single file, taken with SQLite's backup API or with pg_dump.

A snapshot from pg_dump is restored with pg_restore.
"""

import os
import shutil
import sqlite3
import subprocess
from datetime import datetime
from pathlib import Path

from django.db import DatabaseError, connection, connections

RUNNING = "The site is running. Stop it first."
_LOCKED_SECONDS = 2
_ASIDE = "replaced_"  # prefix of the schemas that hold earlier sites
_TOOLS = (
    "{} is not installed. Install PostgreSQL's client programs in the version of the server or a newer one."
)


class SnapshotError(Exception):
    """Raised when the database could not be saved or restored.

    The exception's message is for the operator.
    """


def take(target: Path) -> None:
    """Write a snapshot of the database to a file.

    Call this function within `models.clock.consistent_snapshot`, which determines the moment of the snapshot.
    Other processes can write in the meantime. Raises SnapshotError.
    """
    {"sqlite": _copy_sqlite, "postgresql": _dump_postgresql}[connection.vendor](target)


def has_tables() -> bool:
    """Check whether the database has any tables, without creating a database file. Raises SnapshotError."""
    if connection.vendor == "sqlite" and not _sqlite_file().exists():
        return False
    try:
        return bool(connection.introspection.table_names())
    except DatabaseError as error:
        raise SnapshotError(f"The database is not responding: {str(error).strip()}") from error


def move_aside(folder: Path, now: datetime) -> str:
    """Move the database's content to another location, and return that location.

    Raises SnapshotError, for example if another process is using the database.
    """
    if connection.vendor == "sqlite":
        return _move_sqlite(folder)
    return _rename_schema(f"{_ASIDE}{now:%Y%m%d_%H%M%S}")


def restore_snapshot(source: Path) -> None:
    """Fill an empty database from a snapshot. Raises SnapshotError."""
    if connection.vendor == "sqlite":
        connections.close_all()
        shutil.move(source, _sqlite_file())
        _sqlite_file().chmod(0o600)
    else:
        _run("pg_restore", "--single-transaction", "--exit-on-error", str(source))


def require_tools() -> None:
    """Raise SnapshotError if a program that the database needs is missing."""
    if connection.vendor == "postgresql":
        for tool in ("pg_dump", "pg_restore"):
            _program(tool)


def _copy_sqlite(target: Path) -> None:
    with connection.cursor() as cursor:
        # A transaction's snapshot is taken at its first read.
        cursor.execute("SELECT name FROM sqlite_master LIMIT 1")
    copy = sqlite3.connect(target)
    try:
        connection.connection.backup(copy)
    except sqlite3.Error as error:
        raise SnapshotError(f"The database could not be copied: {error}.") from error
    finally:
        copy.close()


def _dump_postgresql(target: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        moment = cursor.fetchone()[0]
    # Earlier sites are not part of the backup, and would obstruct the next restore.
    aside = f"--exclude-schema={_ASIDE}*"
    # Only the owner of a schema can restore the comment on it, and a schema that `_rename_schema` created has
    # another comment than PostgreSQL's.
    _run("pg_dump", "--format=custom", f"--snapshot={moment}", aside, "--no-comments", f"--file={target}")


def _sqlite_file() -> Path:
    return Path(str(connection.settings_dict["NAME"]))


def _move_sqlite(folder: Path) -> str:
    """Move the database into the folder.

    Leaving WAL mode merges the database into one file. This fails if another process is using the database.
    """
    connections.close_all()
    alone = sqlite3.connect(_sqlite_file(), timeout=_LOCKED_SECONDS)
    try:
        mode = alone.execute("PRAGMA journal_mode=DELETE").fetchone()[0]
    except sqlite3.OperationalError as error:
        raise SnapshotError(RUNNING) from error
    except sqlite3.DatabaseError:  # The database may be damaged, which may be the reason for the restore.
        mode = "delete"
    finally:
        alone.close()
    if mode != "delete":
        raise SnapshotError(RUNNING)
    file = _sqlite_file()
    for part in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
        if part.exists():
            shutil.move(part, folder / part.name)
    return str(folder / file.name)


def _rename_schema(name: str) -> str:
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    try:
        with connection.cursor() as cursor:
            cursor.execute(others)
            if cursor.fetchone()[0]:
                raise SnapshotError(RUNNING)
            cursor.execute(f"ALTER SCHEMA public RENAME TO {name}")
            cursor.execute("CREATE SCHEMA public")
    except DatabaseError as error:
        raise SnapshotError(f"The schema of the database could not be renamed: {error}".strip()) from error
    return f"the schema {name} of the database"


def _program(tool: str) -> str:
    found = shutil.which(tool)
    if found is None:
        raise SnapshotError(_TOOLS.format(tool))
    return found


def _run(tool: str, *arguments: str) -> None:
    """Run a PostgreSQL tool.

    The password is passed in the environment, because all users can read command lines.
    """
    values = connection.settings_dict
    environment = {**os.environ, "PGPASSWORD": str(values["PASSWORD"])}
    command = [_program(tool), "--no-owner", "--no-privileges", f"--dbname={_address()}", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise SnapshotError(f"{tool} failed: {done.stderr.strip()[-500:]}")


def _address() -> str:
    # This package is installed with the optional `team` dependencies.
    from psycopg.conninfo import make_conninfo

    values = connection.settings_dict
    options = {name: value for name, value in values["OPTIONS"].items() if name.startswith("ssl")}
    place = {"dbname": values["NAME"], "host": values["HOST"], "port": values["PORT"], "user": values["USER"]}
    return make_conninfo(**{name: str(value) for name, value in (place | options).items() if value})
