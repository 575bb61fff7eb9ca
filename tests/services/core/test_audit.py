"""Tests for the audit log: its entries, the chain built by housekeeping, and the errors found by `verify`."""

import csv
import hashlib
import io
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from editor.models import Action, AuditEntry, AuditHead, User, Workspace, triggers
from editor.models.audit import HASHED_FIELDS
from editor.services.core import audit
from editor.services.core.access import reviewer_actor
from editor.services.maintenance import invariants
from tests import cast

pytestmark = pytest.mark.django_db


def record_some(user: User, count: int) -> list[AuditEntry]:
    for number in range(count):
        audit.record(user, Action.USER_CHANGED, subject=user, detail={"turn": number})
    return list(AuditEntry.objects.order_by("id")[:count])


def run(sql: str, *parameters: str | int | None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)


def broken() -> list[str]:
    return list(audit.chain_errors())


def test_an_entry_says_who_did_what_to_which_row_where_and_why(alice: User, staff: User) -> None:
    workspace = alice.personal_workspace
    edit = cast.make_edit(alice)
    audit.record(
        reviewer_actor(staff, workspace),
        Action.EDIT_HIDDEN,
        subject=edit,
        reason="Not for here",
        detail={"n": 1},
    )
    entry = AuditEntry.objects.get()
    assert (entry.user, entry.door, entry.workspace, entry.reason) == (
        staff,
        "admin",
        workspace,
        "Not for here",
    )
    assert (entry.action, entry.subject_kind, entry.subject_id) == ("edit_hidden", "edit", str(edit.pk))
    assert (entry.detail, entry.number, entry.hash) == ({"n": 1}, None, "")
    assert entry.words == "Hid an edit"


def test_an_entry_stores_its_entry_point(alice: User) -> None:
    who: list[audit.AuditActor] = [None, "command", alice, cast.actor_of(alice, entry_point="api")]
    for by in who:
        audit.record(by, Action.USER_CHANGED, subject=alice)
    entries = AuditEntry.objects.order_by("id")
    assert [entry.door for entry in entries] == ["site", "command", "page", "api"]
    assert [entry.user for entry in entries] == [None, None, alice, alice]


@pytest.mark.parametrize("reason", ["", " \n ", "\x00", "x" * 301])
def test_a_missing_or_overlong_reason_is_refused(reason: str) -> None:
    with pytest.raises(audit.ReasonMissing, match="Enter a reason"):
        audit.require_reason(reason)


def test_a_reason_is_kept_as_one_line() -> None:
    assert audit.require_reason(" Not\x00 for\nhere ") == "Not for here"


def test_the_workspace_defaults_to_the_subjects_and_then_to_the_actors(
    alice: User, bob: User, team: Workspace
) -> None:
    actor = cast.actor_of(alice)
    audit.record(actor, Action.USER_CHANGED, subject=bob, workspace=team)
    audit.record(actor, Action.PLAN_CHANGED, subject=team)
    audit.record(actor, Action.EDIT_DELETED, subject=cast.make_edit(bob, workspace=team))
    audit.record(actor, Action.USER_CHANGED, subject=bob)
    places = list(AuditEntry.objects.order_by("id").values_list("workspace_id", flat=True))
    assert places == [team.pk, team.pk, team.pk, alice.personal_workspace.pk]


def test_invalid_characters_are_removed_and_a_long_reason_is_cut(alice: User) -> None:
    audit.record(
        alice, Action.GRANTED, reason="a\x00b\ud800" + "c" * 400, detail={"a": "\x00x", "b": ["\x00"]}
    )
    entry = AuditEntry.objects.get()
    assert (entry.reason[:4], len(entry.reason)) == ("ab?c", 300)
    assert entry.detail == {"a": "x", "b": [""]}


@pytest.mark.django_db(transaction=True)
def test_recording_requires_a_transaction(alice: User) -> None:
    with pytest.raises(AssertionError, match="transaction"):
        audit.record(alice, Action.USER_CHANGED)


def test_entries_are_chained_once_and_in_order(alice: User) -> None:
    record_some(alice, 3)
    assert (audit.extend_chain(), audit.extend_chain()) == (3, 0)
    record_some(alice, 2)
    assert audit.extend_chain() == 2
    entries = list(AuditEntry.objects.order_by("id"))
    assert [entry.number for entry in entries] == [1, 2, 3, 4, 5]
    assert len({entry.hash for entry in entries}) == 5
    head = AuditHead.objects.get()
    assert (head.number, head.hash) == (5, entries[-1].hash)
    assert invariants.find_violations() == []


def test_one_call_chains_more_entries_than_fit_in_a_transaction(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "ENTRIES_PER_TRANSACTION", 2)
    record_some(alice, 5)
    assert audit.extend_chain() == 5
    assert broken() == []


def test_the_hash_can_be_recomputed_from_the_entrys_fields(alice: User) -> None:
    first, second = record_some(alice, 2)
    audit.extend_chain()
    first.refresh_from_db()
    second.refresh_from_db()
    content = {
        "action": "user_changed",
        "created": second.created.isoformat(timespec="microseconds"),
        "detail": {"turn": 1},
        "door": "page",
        "id": second.pk,
        "number": 2,
        "previous": first.hash,
        "reason": "",
        "subject_id": str(alice.pk),
        "subject_kind": "user",
        "user_id": alice.pk,
        "workspace_id": None,
    }
    text = json.dumps(content, separators=(",", ":"))
    assert second.hash == hashlib.sha256(text.encode()).hexdigest()


REFUSED = [
    "UPDATE editor_auditentry SET reason = 'x'",
    "UPDATE editor_auditentry SET detail = '{}'",
    "UPDATE editor_auditentry SET user_id = NULL",
    "UPDATE editor_auditentry SET number = 9, hash = 'h', action = 'granted'",
    "DELETE FROM editor_auditentry",
]


@pytest.mark.parametrize("sql", REFUSED)
@pytest.mark.parametrize("is_chained", [False, True])
def test_the_database_refuses_a_changed_or_deleted_entry(alice: User, sql: str, is_chained: bool) -> None:
    record_some(alice, 1)
    if is_chained:
        audit.extend_chain()
    with pytest.raises(DatabaseError, match="audit entry is never"), transaction.atomic():
        run(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE editor_auditentry SET number = 9, hash = 'h'",
        "UPDATE editor_auditentry SET number = NULL, hash = ''",
        "UPDATE editor_audithead SET number = 1",
        "UPDATE editor_audithead SET hash = 'h'",
        "DELETE FROM editor_audithead",
    ],
)
def test_the_database_refuses_to_renumber_entries_or_change_the_chain_head(alice: User, sql: str) -> None:
    record_some(alice, 2)
    audit.extend_chain()
    with pytest.raises(DatabaseError, match="never"), transaction.atomic():
        run(sql)


def put_in(alice: User, number: int | None, hash: str = "h") -> None:
    run(
        "INSERT INTO editor_auditentry (number, hash, action, user_id, door, subject_kind, subject_id,"
        " reason, detail, created) VALUES (%s, %s, 'granted', %s, 'page', '', '', '', '{}', '2026-01-01')",
        number,
        hash,
        alice.pk,
    )


def test_the_database_refuses_a_new_entry_with_a_number_or_a_hash(alice: User) -> None:
    with pytest.raises(DatabaseError, match="chained later"), transaction.atomic():
        put_in(alice, 1)
    with pytest.raises(DatabaseError), transaction.atomic():
        put_in(alice, None, hash="h")


def change(alice: User) -> None:
    run("UPDATE editor_auditentry SET reason = 'x' WHERE number = 2")


def change_with_its_hash(alice: User) -> None:
    AuditEntry.objects.filter(number=2).update(reason="x")
    first, second = AuditEntry.objects.chained()[:2]
    AuditEntry.objects.filter(number=2).update(hash=second.hash_after(first.hash))


def remove(alice: User) -> None:
    run("DELETE FROM editor_auditentry WHERE number = 2")


def remove_the_last(alice: User) -> None:
    run("DELETE FROM editor_auditentry WHERE number = 4")


def remove_all(alice: User) -> None:
    run("DELETE FROM editor_auditentry")


def put_between(alice: User) -> None:
    run("UPDATE editor_auditentry SET number = 5 WHERE number = 4")
    run("UPDATE editor_auditentry SET number = 4 WHERE number = 3")
    put_in(alice, 3)


def put_behind(alice: User) -> None:
    put_in(alice, 5)


@pytest.mark.parametrize(
    ("tamper", "named"),
    [
        (change, ["I16: audit entry 2 was changed"]),
        (change_with_its_hash, ["I16: audit entry 3 was changed"]),
        (remove, ["I16: audit entry 2 is missing"]),
        (remove_the_last, ["I16: the last audit entry has number 3"]),
        (remove_all, ["I16: the last audit entry has number 0"]),
        (
            put_between,
            [
                "I16: audit entry 3 was changed",
                "I16: audit entry 4 was changed",
                "I16: audit entry 5 was changed",
            ],
        ),
        (put_behind, ["I16: audit entry 5 was changed", "I16: the last audit entry has number 5"]),
    ],
)
def test_tampering_without_triggers_is_reported(
    alice: User, tamper: Callable[[User], None], named: list[str]
) -> None:
    record_some(alice, 4)
    audit.extend_chain()
    triggers.drop()
    tamper(alice)
    found = [line for line in invariants.find_violations() if line.startswith("I16")]
    assert [any(line.startswith(name) for line in found) for name in named] == [True] * len(named), found


def found(**filters: Any) -> list[str]:
    return [entry.action for entry in audit.search(audit.Search(**filters), size=50).rows]


@pytest.fixture
def recorded(alice: User, bob: User, team: Workspace) -> None:
    audit.record(cast.actor_of(alice, team), Action.INVITED, subject=team)
    audit.record("command", Action.USER_BLOCKED, subject=bob, reason="He sent =SUM(A1) around")
    audit.record(None, Action.EDITS_PURGED, subject=cast.make_edit(bob), detail={"count": 3})
    audit.extend_chain()


@pytest.mark.usefixtures("recorded")
def test_the_audit_log_can_be_searched_by_action_and_words(bob: User) -> None:
    edit = bob.personal_workspace.edits.get()
    assert found() == ["edits_purged", "user_blocked", "invited"]
    assert found(action="invited") == found(words="ALICE@example.org") == found(words="studio") == ["invited"]
    assert found(words="bob@example.org") == found(words="around") == found(words=" 2 ") == ["user_blocked"]
    assert found(words=str(edit.pk).upper()) == ["edits_purged"]
    assert found(words="nobody@example.org") == found(words="9" * 30) == found(words="\x00x%_") == []


@pytest.mark.usefixtures("recorded")
def test_the_audit_log_can_be_searched_by_day() -> None:
    today = timezone.now().date()
    a_day = timedelta(days=1)
    assert len(found(first=today, last=today)) == 3
    assert found(first=today + a_day) == found(last=today - a_day) == []
    assert len(found(first=today - a_day, last=today + a_day)) == 3


def test_a_page_of_the_audit_log_takes_one_query(alice: User, django_assert_num_queries: Any) -> None:
    record_some(alice, 30)
    with django_assert_num_queries(1):
        page = audit.search(audit.Search(), size=10)
        assert [entry.user.email for entry in page.rows if entry.user] == [alice.email] * 10
    older = audit.search(audit.Search(), size=10, before=page.older)
    assert [entry.detail["turn"] for entry in older.rows] == list(range(19, 9, -1))


@pytest.mark.usefixtures("recorded")
def test_an_export_contains_everything_needed_to_verify_the_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "ENTRIES_PER_TRANSACTION", 2)
    lines = [json.loads(line) for line in "".join(audit.export(audit.Search(), "jsonl")).splitlines()]
    previous = ""
    for number, line in enumerate(lines, start=1):
        content = {name: line[name] for name in (*HASHED_FIELDS, "created")} | {"previous": previous}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        previous = hashlib.sha256(text.encode()).hexdigest()
        assert (line["number"], line["hash"]) == (number, previous)
    assert [line["email"] for line in lines] == ["alice@example.org", "", ""]


@pytest.mark.usefixtures("recorded")
def test_a_csv_export_contains_a_row_for_each_entry(bob: User) -> None:
    audit.record("command", Action.USER_BLOCKED, subject=bob, reason="=SUM(A1)")
    audit.extend_chain()
    text = "".join(audit.export(audit.Search(), "csv"))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["number"] for row in rows] == ["1", "2", "3", "4"]
    assert rows[3]["reason"] == "'=SUM(A1)"
    assert rows[1]["reason"] == "He sent =SUM(A1) around"
    assert (rows[2]["detail"], rows[0]["slug"]) == ('{"count": 3}', "studio")


@pytest.mark.usefixtures("recorded")
def test_the_command_prints_the_audit_log(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("audit", "--last", "2999-01-01")
    assert len(capsys.readouterr().out.splitlines()) == 3
    call_command("audit", "--csv", "--first", "2999-01-01")
    assert capsys.readouterr().out.startswith("number,id,action")
