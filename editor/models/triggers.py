"""The triggers that enforce invariants in the database.

They reject changes to ledger and audit entries, changes to an edit after its final state, and results for
unpaid edits. On SQLite, they also keep the search index up to date. When a migration rebuilds a table, SQLite
drops the table's triggers. Therefore, the triggers are recreated after every migrate, and `verify` fails if
one is missing.
"""

from collections.abc import Collection
from typing import Any

from django.db import connections

from editor.models.audit import HASHED_FIELDS

_AUDIT = "editor_auditentry"
_TERMINAL = "('SUCCESS', 'FAILED', 'CANCELLED')"
_IS_CHANGED = f"OLD.state IN {_TERMINAL} AND (NEW.state <> OLD.state OR NEW.price <> OLD.price)"
# An audit entry may change exactly once: when it enters the chain and gets its number and hash.
_SAID_OTHERWISE = " OR ".join(
    f"NEW.{name} IS DISTINCT FROM OLD.{name}" for name in (*HASHED_FIELDS[1:], "created")
)
_IS_NOT_CHAINED = f"OLD.number IS NOT NULL OR NEW.number IS NULL OR {_SAID_OTHERWISE}"
_GOES_BACK = (
    "NEW.id <> OLD.id OR NEW.number < OLD.number OR (NEW.number = OLD.number AND NEW.hash <> OLD.hash)"
)

_IS_NO_REFUND = """NEW.kind = 'refund' AND NOT EXISTS (
    SELECT 1 FROM editor_creditentry captured
    WHERE captured.edit_id = NEW.edit_id AND captured.workspace_id = NEW.workspace_id
    AND captured.kind = 'capture' AND NEW.amount BETWEEN 1 AND captured.amount)"""

# Invariant I18, in a form that works with earlier releases, which may still run during an upgrade. These
# releases insert results only while the edit is STORING, but they end edits without deleting the results.
# Therefore, the database rejects a result that arrives after an unpaid end, but does not reject the end
# itself.
_COMES_AFTER_AN_UNPAID_END = """EXISTS (
    SELECT 1 FROM editor_edit ended WHERE ended.id = NEW.edit_id
    AND (ended.state = 'CANCELLED' OR ended.state = 'FAILED' AND ended.failure_code <> 'incomplete'))"""

# Maps each trigger's name to its table, event, condition, and error message.
TRIGGERS = {
    "credit_entry_is_not_changed": ("editor_creditentry", "UPDATE", "", "a credit entry is never changed"),
    "credit_entry_is_not_deleted": ("editor_creditentry", "DELETE", "", "a credit entry is never deleted"),
    "refund_follows_its_capture": (
        "editor_creditentry",
        "INSERT",
        _IS_NO_REFUND,
        "a refund follows the capture of its edit and is at most that",
    ),
    "final_state_is_final": ("editor_edit", "UPDATE", _IS_CHANGED, "the first terminal state is final"),
    "edit_is_not_deleted": ("editor_edit", "DELETE", "", "an edit is purged, never deleted"),
    "result_is_not_added_after_an_unpaid_end": (
        "editor_resultphoto",
        "INSERT",
        _COMES_AFTER_AN_UNPAID_END,
        "an edit that ended uncharged gets no result",
    ),
    "audit_entry_is_not_changed": (_AUDIT, "UPDATE", _IS_NOT_CHAINED, "an audit entry is never changed"),
    "audit_entry_is_not_deleted": (_AUDIT, "DELETE", "", "an audit entry is never deleted"),
    "audit_entry_comes_last": (_AUDIT, "INSERT", "NEW.number IS NOT NULL", "an audit entry is chained later"),
    "audit_head_goes_forward": ("editor_audithead", "UPDATE", _GOES_BACK, "the chain never goes back"),
    "audit_head_is_not_deleted": ("editor_audithead", "DELETE", "", "the chain is never deleted"),
}
# On SQLite, REPLACE INTO deletes a row without firing its DELETE triggers, so inserting an existing ID is
# rejected.
_NEVER_REPLACED = {
    "credit_entry_is_not_replaced": ("editor_creditentry", "a credit entry is never changed"),
    "edit_is_not_replaced": ("editor_edit", "an edit is purged, never deleted"),
    "audit_entry_is_not_replaced": (_AUDIT, "an audit entry is never changed"),
    "audit_head_is_not_replaced": ("editor_audithead", "the chain never goes back"),
}
_NO_TRUNCATE = ("editor_creditentry", "editor_edit", _AUDIT, "editor_audithead")

_ADDED = (
    "INSERT INTO editor_wordindex (rowid, edit_id, workspace_id, text) "
    "VALUES (NEW.id, NEW.edit_id, NEW.workspace_id, NEW.text);"
)
_TAKEN = (
    "INSERT INTO editor_wordindex (editor_wordindex, rowid, edit_id, workspace_id, text) "
    "VALUES ('delete', OLD.id, OLD.edit_id, OLD.workspace_id, OLD.text);"
)
# An FTS5 table that indexes another table must be updated explicitly. PostgreSQL updates its index
# automatically.
_INDEXED = {
    "edit_words_are_added": ("INSERT", _ADDED),
    "edit_words_are_taken": ("DELETE", _TAKEN),
    "edit_words_are_changed": ("UPDATE", _TAKEN + _ADDED),
}


def recreate(sender: Any = None, *, using: str = "default", **_: Any) -> None:
    """Recreate all triggers. Running this twice is harmless.

    Django calls this function for the post_migrate signal.
    """
    connection = connections[using]
    present = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for statement in _STATEMENTS[connection.vendor](present):
            cursor.execute(statement)


def drop_before_migrations(sender: Any = None, *, using: str = "default", **_: Any) -> None:
    """Drop the trigger on results that reads `editor_edit`; `recreate` restores it after the migrations.

    SQLite cannot rebuild `editor_edit` while another table's trigger refers to it. Django calls this function
    for the pre_migrate signal.
    """
    connection = connections[using]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("DROP TRIGGER IF EXISTS result_is_not_added_after_an_unpaid_end")


def drop(using: str = "default") -> None:
    """Drop the triggers that reject changes, for tests that empty tables or insert invalid data."""
    connection = connections[using]
    with connection.cursor() as cursor:
        for name, (table, *_) in TRIGGERS.items():
            on = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")
        if connection.vendor == "sqlite":
            for name in _NEVER_REPLACED:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
        else:
            for table in _NO_TRUNCATE:
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_is_not_truncated ON {table}")


def missing(using: str = "default") -> list[str]:
    """Return the sorted names of the triggers that are missing from the database."""
    connection = connections[using]
    catalogue = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }
    with connection.cursor() as cursor:
        cursor.execute(catalogue[connection.vendor])
        present = {row[0] for row in cursor.fetchall()}
    return sorted(_wanted(connection.vendor) - present)


def _wanted(vendor: str) -> set[str]:
    of_one_vendor = {
        "sqlite": set(_NEVER_REPLACED) | set(_INDEXED),
        "postgresql": {f"{table}_is_not_truncated" for table in _NO_TRUNCATE},
    }
    return set(TRIGGERS) | of_one_vendor[vendor]


def _of(present: Collection[str]) -> list[tuple[str, tuple[str, str, str, str]]]:
    """Return the triggers whose tables exist. An older schema may not have all the tables."""
    return [(name, trigger) for name, trigger in TRIGGERS.items() if trigger[0] in present]


def _sqlite(present: Collection[str]) -> list[str]:
    statements = []
    for name, (table, event, condition, words) in _of(present):
        when = f"WHEN {condition}" if condition else ""
        statements += [
            f"DROP TRIGGER IF EXISTS {name}",
            f"CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW {when} "
            f"BEGIN SELECT RAISE(ABORT, '{words}'); END",
        ]
    for name, (table, words) in _NEVER_REPLACED.items():
        if table in present:
            statements += [
                f"DROP TRIGGER IF EXISTS {name}",
                f"CREATE TRIGGER {name} BEFORE INSERT ON {table} FOR EACH ROW "  # noqa: S608 - only our text
                f"WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id) "
                f"BEGIN SELECT RAISE(ABORT, '{words}'); END",
            ]
    return statements + (_indexing() if "editor_wordindex" in present else [])


def _indexing() -> list[str]:
    statements = []
    for name, (event, what) in _INDEXED.items():
        statements += [
            f"DROP TRIGGER IF EXISTS {name}",
            f"CREATE TRIGGER {name} AFTER {event} ON editor_editwords FOR EACH ROW BEGIN {what} END",
        ]
    return statements


def _postgresql(present: Collection[str]) -> list[str]:
    statements = []
    for name, (table, event, condition, words) in _of(present):
        # PostgreSQL does not allow a subquery in WHEN, so the trigger function itself checks any condition
        # that contains one.
        asks_rows = "SELECT" in condition
        when = f"WHEN ({condition})" if condition and not asks_rows else ""
        statements += [
            _refusing_function(name, words, condition if asks_rows else "TRUE"),
            f"CREATE OR REPLACE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW {when} "
            f"EXECUTE FUNCTION {name}()",
        ]
    for table in (table for table in _NO_TRUNCATE if table in present):
        name = f"{table}_is_not_truncated"
        statements += [
            _refusing_function(name, "this table is never emptied", "TRUE"),
            f"CREATE OR REPLACE TRIGGER {name} BEFORE TRUNCATE ON {table} FOR EACH STATEMENT "
            f"EXECUTE FUNCTION {name}()",
        ]
    return statements


def _refusing_function(name: str, words: str, condition: str) -> str:
    return (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF {condition} "
        f"THEN RAISE EXCEPTION '{words}' USING ERRCODE = 'integrity_constraint_violation'; END IF; "
        "RETURN NEW; END $$"
    )


_STATEMENTS = {"sqlite": _sqlite, "postgresql": _postgresql}
