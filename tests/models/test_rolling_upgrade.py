"""Tests that nodes of the previous release work with the current schema during a rolling upgrade.

A migration only extends the schema. A later migration removes the parts that no release uses anymore.
"""

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db.migrations import Migration, operations
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

from tests.commands.test_start import plain_environment
from tests.processes import ROOT

SCHEMA = ("editor/migrations", "editor/models/triggers.py")
# These tests of the previous release show whether its services still work. The tests of bucket storage are
# left out, because they do not use the schema.
PROOF = ("tests/services", "--ignore-glob=*/test_storage.py")
# Names in `SCHEMA` that have changed since the previous release, mapped to that release's names.
FORMER_NAMES = {"HASHED_FIELDS": "SAID", "recreate": "put_back", "drop_before_migrations": "step_aside"}
SINCE = "0031"  # Earlier migrations were written for sites with one process.
TAKES_AWAY = (
    operations.RemoveField, operations.RenameField, operations.AlterModelTable, operations.DeleteModel,
    operations.RenameModel,
)  # fmt: skip


def breaks_older_code(operation: Operation) -> bool:
    """Return whether this change breaks code that does not know about the change.

    Older code reads and writes the columns that it knows, and omits all others.
    """
    if isinstance(operation, operations.AddField):
        field = operation.field
        return not (field.null or field.has_db_default() or field.many_to_many)
    return isinstance(operation, TAKES_AWAY)


def test_migrations_do_not_break_the_previous_releases_code() -> None:
    """A migration that removes something must name an earlier migration in `unused_since`.

    No release since that migration has used the removed part.
    """
    loader = MigrationLoader(None)
    ours = sorted(key for key in loader.disk_migrations if key[0] == "editor" and key[1] >= SINCE)
    assert ours
    for key in ours:
        migration = loader.disk_migrations[key]
        broken = [it.describe() for it in migration.operations if breaks_older_code(it)]
        assert not broken or is_late(migration), f"{key[1]}: {broken}"


def is_late(migration: Migration) -> bool:
    last_used: str = getattr(migration, "unused_since", migration.name)
    return last_used < migration.name


@pytest.fixture
def before(tmp_path: Path) -> Iterator[Path]:
    """Check out the code of the previous release, for use with the current schema.

    The previous release is the last tag. Without a tag, it is the code before the first migration that
    follows this rule, because the commits in between were not releases.
    """
    tree = tmp_path / "before"
    archive = git("archive", "--format=tar", release_before())
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(tree, filter="data")
    for path in SCHEMA:
        old, new = tree / path, ROOT / path
        if new.is_dir():
            shutil.rmtree(old)
            shutil.copytree(new, old, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            old.write_text(with_former_names(new.read_text()))
    yield tree
    shutil.rmtree(tree)


def with_former_names(code: str) -> str:
    """Return the code with the current names replaced by the previous release's names."""
    for name, former in FORMER_NAMES.items():
        code = re.sub(rf"\b{name}\b", former, code)
    return code


def release_before() -> str:
    tag = git("tag", "--list", "--merged", "HEAD^", "--sort=-version:refname").split()
    if tag:
        return tag[0].decode()
    first = next((ROOT / "editor/migrations").glob(f"{SINCE}*.py"))
    return git("log", "-1", "--diff-filter=A", "--format=%H^", "--", str(first)).decode().strip() or "HEAD"


def git(*arguments: str) -> bytes:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)
    if done.returncode != 0:
        pytest.xfail(f"This copy has no history to take the release before from: {done.stderr.decode()}")
    return done.stdout


@pytest.mark.slow
def test_the_previous_release_works_with_the_current_schema(before: Path) -> None:
    environment = {name: value for name, value in plain_environment().items() if "PYTEST" not in name}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-x", *PROOF],
        cwd=before,
        env=environment | {"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
