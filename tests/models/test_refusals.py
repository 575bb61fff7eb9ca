"""Tests for changes that the database itself refuses.

They use raw SQL to bypass the app's code.
"""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from editor.models import Action, Edit, ResultPhoto, User, triggers
from editor.models.ids import uuid7
from editor.services.core import audit
from tests.cast import assert_ledger_balances, make_edit, make_user

pytestmark = pytest.mark.django_db


def refused(sql: str, *parameters: Any) -> str:
    """Run a statement in a savepoint, check that the database refuses it, and return the error message."""
    with pytest.raises(DatabaseError) as error, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, parameters)
    return str(error.value)


def key(edit: Edit) -> Any:
    return Edit._meta.pk.get_db_prep_value(edit.pk, connection)


ENTRY = (
    "INSERT INTO editor_creditentry"
    " (workspace_id, edit_id, kind, amount, balance, reference, reason, created) "
)


@pytest.mark.parametrize(
    "sql", ["UPDATE editor_creditentry SET amount = 1", "DELETE FROM editor_creditentry"]
)
def test_an_entry_is_never_changed_or_deleted(alice: User, sql: str) -> None:
    assert "a credit entry is never" in refused(sql)
    assert_ledger_balances(alice.personal_workspace)


@pytest.mark.parametrize(
    "change",
    ["balance = -1", "held = -1", "held = balance + 1", "balance = held - 1"],
)
def test_balances_and_held_credits_cannot_be_invalid(alice: User, change: str) -> None:
    make_edit(alice, state="RUNNING")
    refused(f"UPDATE editor_workspace SET {change}")


def test_an_edit_is_held_once(alice: User) -> None:
    edit = make_edit(alice, state="RUNNING")
    refused(ENTRY + "VALUES (%s, %s, 'hold', 40, 400, '', '', '2026-01-01')", edit.workspace_id, key(edit))


@pytest.mark.parametrize("state", ["SUCCESS", "FAILED", "CANCELLED"])
@pytest.mark.parametrize("kind", ["capture", "release"])
def test_an_edit_is_settled_once(alice: User, state: str, kind: str) -> None:
    edit = make_edit(alice, state=state)
    sql = ENTRY + f"VALUES (%s, %s, '{kind}', 40, 400, '', '', '2026-01-01')"
    refused(sql, edit.workspace_id, key(edit))


def test_a_grant_with_a_used_reference_is_refused(alice: User) -> None:
    sql = ENTRY + "VALUES (%s, NULL, 'grant', 40, 400, 'order 7', '', '2026-01-01')"
    with connection.cursor() as cursor:
        cursor.execute(sql, [alice.personal_workspace.pk])
    refused(sql, alice.personal_workspace.pk)


@pytest.mark.parametrize(
    ("kind", "amount", "has_edit"),
    [("grant", -5, False), ("capture", -5, True), ("capture", 5, False), ("grant", 5, True)],
)
def test_an_entry_that_does_not_fit_its_kind_is_refused(
    alice: User, kind: str, amount: int, has_edit: bool
) -> None:
    edit = make_edit(alice, state="RUNNING")
    sql = ENTRY + f"VALUES (%s, %s, '{kind}', {amount}, 400, '', '', '2026-01-01')"
    refused(sql, edit.workspace_id, key(edit) if has_edit else None)


@pytest.mark.parametrize("state", ["SUCCESS", "FAILED", "CANCELLED"])
@pytest.mark.parametrize("change", ["state = 'QUEUED', finished = NULL", "state = 'RUNNING'", "price = 1"])
def test_the_first_terminal_state_is_final(alice: User, state: str, change: str) -> None:
    edit = make_edit(alice, state=state)
    refused(f"UPDATE editor_edit SET {change} WHERE id = %s", key(edit))


def test_a_final_state_cannot_change_to_another_final_state(alice: User) -> None:
    edit = make_edit(alice, state="FAILED")
    words = refused("UPDATE editor_edit SET state = 'SUCCESS' WHERE id = %s", key(edit))
    assert "final" in words


def test_a_finished_edit_may_still_be_purged(alice: User) -> None:
    edit = make_edit(alice)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE editor_edit SET purged = '2026-01-01' WHERE id = %s", [key(edit)])
        assert cursor.rowcount == 1


@pytest.mark.parametrize("state", ["RUNNING", "SUCCESS"])
def test_an_edit_is_never_deleted(alice: User, state: str) -> None:
    edit = make_edit(alice, state=state)
    assert "purged, never deleted" in refused("DELETE FROM editor_edit WHERE id = %s", key(edit))


def test_only_an_ended_edit_has_an_end_time_and_progress_is_at_most_100(alice: User) -> None:
    edit = make_edit(alice, state="RUNNING")
    refused("UPDATE editor_edit SET state = 'FAILED' WHERE id = %s", key(edit))
    refused("UPDATE editor_edit SET finished = '2026-01-01' WHERE id = %s", key(edit))
    refused("UPDATE editor_edit SET progress = 101 WHERE id = %s", key(edit))


def test_two_edits_cannot_have_the_same_submit_id(alice: User) -> None:
    first, second = make_edit(alice), make_edit(alice)
    refused(
        "UPDATE editor_edit SET submit_id = (SELECT submit_id FROM editor_edit WHERE id = %s) WHERE id = %s",
        key(first),
        key(second),
    )


def test_two_photos_of_an_edit_cannot_have_the_same_position(alice: User) -> None:
    make_edit(alice, references=2, outputs=2)
    refused("UPDATE editor_referencephoto SET position = 1")
    refused("UPDATE editor_resultphoto SET position = 1")
    refused("UPDATE editor_referencephoto SET position = 6 WHERE position = 1")


UNPAID = [("CANCELLED", "cancelled"), ("FAILED", "engine_failed"), ("FAILED", "")]


def late_result(edit: Edit) -> tuple[str, list[Any]]:
    """Return a statement that adds a second result, along with the statement's parameters."""
    columns = "media_type, width, height, size, sha256, placeholder, has_large, created, edit_id"
    sql = (
        f"INSERT INTO editor_resultphoto (id, key, position, {columns})"
        f" SELECT %s, 'late', 2, {columns} FROM editor_resultphoto WHERE edit_id = %s"
    )
    return sql, [ResultPhoto._meta.pk.get_db_prep_value(uuid7(), connection), key(edit)]


@pytest.mark.parametrize(("state", "code"), UNPAID)
def test_no_result_can_be_added_to_an_edit_that_ended_uncharged(alice: User, state: str, code: str) -> None:
    """The edit may end although results exist, because earlier releases leave results behind."""
    edit = make_edit(alice, state="STORING", outputs=2, results=1)
    Edit.objects.filter(pk=edit.pk).update(state=state, failure_code=code, finished=timezone.now())
    sql, parameters = late_result(edit)
    assert "gets no result" in refused(sql, *parameters)


@pytest.mark.parametrize(("state", "code"), [("STORING", ""), ("SUCCESS", ""), ("FAILED", "incomplete")])
def test_results_can_be_added_to_all_other_edits(alice: User, state: str, code: str) -> None:
    edit = make_edit(alice, state=state, failure_code=code, outputs=2, results=1)
    sql, parameters = late_result(edit)
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        assert cursor.rowcount == 1


def test_two_accounts_cannot_have_emails_that_differ_only_in_case(alice: User) -> None:
    make_user("other@example.org")
    refused("UPDATE editor_user SET email = 'ALICE@example.org' WHERE email = 'other@example.org'")


def test_a_user_cannot_have_two_memberships_in_a_workspace(alice: User) -> None:
    refused(
        "INSERT INTO editor_membership (workspace_id, user_id, role, created) "
        "SELECT workspace_id, user_id, 'viewer', created FROM editor_membership"
    )


@pytest.mark.django_db(transaction=True)  # PostgreSQL cannot truncate while constraint checks are pending.
@pytest.mark.parametrize(
    "table", ["editor_creditentry", "editor_edit", "editor_auditentry", "editor_audithead"]
)
def test_tables_of_permanent_rows_cannot_be_emptied(alice: User, table: str) -> None:
    make_edit(alice)
    with transaction.atomic():
        audit.record(alice, Action.USER_CHANGED)
    audit.extend_chain()
    emptying = {"postgresql": f"TRUNCATE {table} CASCADE", "sqlite": f"DELETE FROM {table}"}
    assert "never" in refused(emptying[connection.vendor])


def test_missing_triggers_are_listed_until_they_are_recreated() -> None:
    assert triggers.missing() == []
    triggers.drop()
    assert set(triggers.TRIGGERS) <= set(triggers.missing())
    triggers.recreate()
    triggers.recreate()
    assert triggers.missing() == []


def test_migrate_recreates_the_triggers() -> None:
    triggers.drop()
    call_command("migrate", verbosity=0)
    assert triggers.missing() == []


@pytest.mark.django_db(transaction=True)
def test_a_test_with_real_transactions_has_the_triggers(alice: User) -> None:
    assert triggers.missing() == []
    refused("DELETE FROM editor_creditentry")


def test_identifiers_are_unique_version_7_uuids() -> None:
    made = [uuid7() for _ in range(3)]
    assert all(one.version == 7 and one.variant == "specified in RFC 4122" for one in made)
    assert len(set(made)) == 3


@pytest.mark.parametrize(
    ("table", "changed"),
    [
        ("editor_creditentry", "amount = 1"),
        ("editor_edit", "price = 1"),
        ("editor_auditentry", "reason = 'x'"),
        ("editor_audithead", "number = 0"),
    ],
)
def test_permanent_rows_cannot_be_replaced_by_rows_with_the_same_id(
    alice: User, table: str, changed: str
) -> None:
    make_edit(alice)
    audit.record(alice, Action.USER_CHANGED)
    audit.extend_chain()
    again = f"INTO {table} SELECT * FROM {table}"
    refused(
        {
            "sqlite": f"INSERT OR REPLACE {again}",
            "postgresql": f"INSERT {again} ON CONFLICT (id) DO UPDATE SET {changed}",
        }[connection.vendor]
    )
    assert_ledger_balances(alice.personal_workspace)


def test_a_site_has_one_owner(alice: User, staff: User) -> None:
    User.objects.filter(pk=alice.pk).update(owns_site=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM editor_user WHERE owns_site")
        assert cursor.fetchall() == [(alice.pk,)]
    refused("UPDATE editor_user SET owns_site = %s WHERE id = %s", True, staff.pk)
