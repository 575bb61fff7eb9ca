"""Time the statements of the migrations since the previous release: `python -m tests.migration_times`.

The command fills a database of the previous release with edits, each with a photo and its words, migrates it,
and prints every statement that takes longer than 0.1 s. It exits with code 1 if one takes longer than a
second, except for building an index and for SQLite's check of all foreign keys at the end of a migration. To
time them on PostgreSQL, run `python -m tests.postgres -- python -m tests.migration_times`.
"""

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

RELEASED = "0041_reworded_labels"  # the last migration of the previous release
LONGEST_SECONDS = 1.0
SHOWN_SECONDS = 0.1
# Statements that build an index, or check the foreign keys of the whole database.
EXCEPTED = re.compile(
    r"(CREATE (UNIQUE )?INDEX|REINDEX|PRAGMA foreign_key_check|INSERT INTO .*'rebuild')", re.I
)
# Expressions for a UUID and for the numbers from 1 to n.
DIALECTS = {
    "sqlite": (
        "printf('%032x', n)",
        "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})",
        "numbers",
    ),
    "postgresql": ("lpad(to_hex(n), 32, '0')::uuid", "", "generate_series(1, {count}) AS n"),
}


class Stopwatch:
    """Collects the seconds that each statement takes. It can wrap the execution of statements."""

    def __init__(self) -> None:
        self.times: list[tuple[float, str]] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        begun = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.times.append((time.perf_counter() - begun, " ".join(str(sql).split())[:160]))


def main(edits: int) -> int:
    """Return 1 if a statement takes too long."""
    from django.db import connections

    from tests.models.old_database import ALIAS, old_database

    watch = Stopwatch()
    with tempfile.TemporaryDirectory() as folder, old_database(Path(folder), RELEASED) as database:
        begun = time.perf_counter()
        fill(database, edits)
        _say(f"{edits} edits in {time.perf_counter() - begun:.0f} s")
        begun = time.perf_counter()
        with connections[ALIAS].execute_wrapper(watch):
            database.upgrade()
        _say(f"Migrated in {time.perf_counter() - begun:.0f} s, {len(watch.times)} statements")
    return _report(watch.times)


def fill(database: Any, edits: int) -> None:
    """Insert this many edits of another site, each with a photo and its words, as copies of one edit."""
    from django.utils import timezone

    now = timezone.now()
    owner = database.rows("User").create(email="alice@example.org", password="")
    place = database.rows("Workspace").create(name="alice", slug="alice", personal_user_id=owner.pk)
    edit = database.rows("Edit").create(
        workspace_id=place.pk,
        owner_id=owner.pk,
        prompt="make the sky darker",
        provider="photo-editor",
        base_url="https://photos.example.org",
        price=40,
        state="SUCCESS",
        progress=100,
        due=now,
        deadline=now,
        finished=now,
        submit_id="0198c0de-0000-7000-8000-000000000001",
    )
    photo = {"media_type": "image/jpeg", "width": 4, "height": 3, "size": 1, "sha256": "0" * 64}
    reference = database.rows("ReferencePhoto").create(
        edit_id=edit.pk, position=1, name="cat.jpg", key="aa/cat.jpg", **photo
    )
    words = database.rows("EditWords").create(
        edit_id=edit.pk, workspace_id=place.pk, text="make the sky darker"
    )
    _copy(edit, edits, made=("id", "submit_id"))
    _copy(reference, edits, made=("id", "edit_id"), unique={"key": "'aa/' || n || '.jpg'"})
    _copy(words, edits, made=("edit_id",), skipped=("id",))


def _copy(
    row: Any,
    count: int,
    *,
    made: Sequence[str],
    unique: dict[str, str] | None = None,
    skipped: Sequence[str] = (),
) -> None:
    """Insert copies of a row. The columns `made` get the UUID that belongs to the number of the copy."""
    from django.db import connections

    from tests.models.old_database import ALIAS

    connection = connections[ALIAS]
    uuid, prefix, numbers = DIALECTS[connection.vendor]
    columns = [field.column for field in row._meta.concrete_fields if field.column not in skipped]
    new = dict.fromkeys(made, uuid) | (unique or {})
    table = connection.ops.quote_name(row._meta.db_table)
    names = ", ".join(map(connection.ops.quote_name, columns))
    values = ", ".join(new.get(column, f"t.{connection.ops.quote_name(column)}") for column in columns)
    key = connection.ops.quote_name(row._meta.pk.column)
    with connection.cursor() as cursor:
        value = row._meta.pk.get_db_prep_value(row.pk, connection)
        cursor.execute(
            f"{prefix.format(count=count - 1)} INSERT INTO {table} ({names}) "
            f"SELECT {values} FROM {table} t, {numbers.format(count=count - 1)} WHERE t.{key} = %s".replace(
                "%032x", "%%032x"
            ),
            [value],
        )


def _report(times: Sequence[tuple[float, str]]) -> int:
    slow = sorted((one for one in times if one[0] >= SHOWN_SECONDS), reverse=True)
    for seconds, sql in slow:
        _say(f"{seconds:8.2f} s{' (excepted)' if EXCEPTED.match(sql) else ''}  {sql}")
    longest = max((one for one in times if not EXCEPTED.match(one[1])), default=(0.0, ""))
    _say(f"The longest other statement takes {longest[0]:.2f} s.")
    return int(longest[0] > LONGEST_SECONDS)


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=1_000_000, help="how many (%(default)s)")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    sys.exit(main(asked.edits))
