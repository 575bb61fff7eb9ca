"""Tests for refunds.

Each edit has at most one refund entry. This entry also changes the daily totals and the spending that counts
toward caps.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from editor.models import (
    AuditEntry,
    CreditEntry,
    DailyUsage,
    Edit,
    Membership,
    Spending,
    User,
    Workspace,
    triggers,
)
from editor.services.billing import caps, credits
from editor.services.core import audit
from editor.services.core.access import reviewer_actor
from editor.services.maintenance import invariants
from tests import cast

pytestmark = pytest.mark.django_db


def balance_of(edit: Edit) -> tuple[int, int]:
    workspace = Workspace.objects.get(pk=edit.workspace_id)
    return workspace.balance, workspace.held


def test_a_refund_returns_the_price_in_a_new_entry(alice: User, staff: User) -> None:
    edit = cast.make_edit(alice)
    assert credits.refund(reviewer_actor(staff, edit.workspace), edit, reason="It was the wrong sky")
    assert balance_of(edit) == (400, 0)
    entry = CreditEntry.objects.get(kind="refund")
    assert (entry.edit, entry.amount, entry.balance, entry.actor) == (edit, 40, 400, staff)
    assert (entry.reason, entry.balance_change) == ("It was the wrong sky", 40)
    assert credits.statement(edit.workspace)[0] == entry
    assert CreditEntry.objects.filter(edit=edit, kind="capture", amount=40).exists(), "nothing was edited"
    cast.assert_ledger_balances(edit.workspace)
    assert invariants.find_violations(with_files=False) == []


def test_a_refund_is_in_the_audit_log_with_its_reason(alice: User, staff: User) -> None:
    edit = cast.make_edit(alice)
    credits.refund(reviewer_actor(staff, edit.workspace), edit, amount=15, reason="Half of it was right")
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.subject_id, entry.door) == ("refunded", str(edit.pk), "admin")
    assert (entry.user, entry.workspace, entry.detail) == (staff, edit.workspace, {"amount": 15})
    assert entry.reason == "Half of it was right"


def test_part_of_the_price_can_be_refunded_once(alice: User) -> None:
    edit = cast.make_edit(alice)
    assert credits.refund(None, edit, amount=15, reason="Half of it was right")
    assert not credits.refund(None, edit, amount=15, reason="The other half")
    assert not credits.refund(None, edit, reason="All of it")
    assert (balance_of(edit), edit.refunded_credits, edit.charged_credits) == ((375, 0), 15, 25)
    assert AuditEntry.objects.count() == 1
    assert invariants.find_violations(with_files=False) == []


@pytest.mark.parametrize("amount", [0, -1, 41, 10**30])
def test_a_refund_must_be_at_least_1_and_at_most_the_price(alice: User, amount: int) -> None:
    edit = cast.make_edit(alice)
    with pytest.raises(credits.NotRefundable, match="refund from 1 to 40"):
        credits.refund(None, edit, amount=amount, reason="Much")
    assert balance_of(edit) == (360, 0)


@pytest.mark.parametrize("state", ["QUEUED", "RUNNING", "FAILED", "CANCELLED"])
def test_it_requires_that_the_edit_was_charged(alice: User, state: str) -> None:
    edit = cast.make_edit(alice, state=state)
    before = balance_of(edit)
    with pytest.raises(credits.NotRefundable, match="was not charged"):
        credits.refund(None, edit, reason="It never came")
    assert balance_of(edit) == before
    assert not AuditEntry.objects.exists()
    cast.assert_ledger_balances(edit.workspace)


def test_it_requires_a_reason(alice: User) -> None:
    edit = cast.make_edit(alice)
    with pytest.raises(audit.ReasonMissing):
        credits.refund(None, edit, reason=" ")
    assert balance_of(edit) == (360, 0)


def test_a_refund_is_subtracted_from_the_spending_and_the_daily_totals(bob: User, team: Workspace) -> None:
    Membership.objects.filter(user=bob, workspace=team).update(cap=80)
    edit = cast.make_edit(bob, workspace=team)
    credits.refund(None, edit, amount=30, reason="Mostly wrong")
    cap = caps.caps_of(cast.actor_of(bob, team), edit.created)[0]
    assert cap.left == 70
    assert set(DailyUsage.objects.values_list("credits", flat=True)) == {10}
    assert set(DailyUsage.objects.values_list("successes", flat=True)) == {1}
    assert invariants.find_violations(with_files=False) == []


def test_a_refund_counts_in_the_month_of_its_edit(alice: User) -> None:
    edit = cast.make_edit(alice, created=datetime(2026, 1, 31, 23, tzinfo=UTC))
    credits.refund(None, edit, reason="Late, but right")
    assert list(Spending.objects.values_list("month", "amount")) == [(date(2026, 1, 1), 0)]
    assert invariants.find_violations(with_files=False) == []


def test_a_refund_of_a_stale_edit_object_updates_the_daily_totals(alice: User) -> None:
    read = Edit.objects.get(pk=cast.make_edit(alice).pk)
    read.state, read.finished = Edit.State.STORING, None
    assert credits.refund(None, read, reason="It was the wrong sky")
    assert set(DailyUsage.objects.values_list("credits", flat=True)) == {0}
    assert invariants.find_violations(with_files=False) == []


def test_a_purged_edit_can_still_be_refunded(alice: User) -> None:
    edit = cast.make_edit(alice, purged=datetime(2026, 1, 31, tzinfo=UTC))
    assert credits.refund(None, edit, reason="It was lost")
    assert invariants.find_violations(with_files=False) == []


ENTRY = (
    "INSERT INTO editor_creditentry"
    " (workspace_id, edit_id, kind, amount, balance, reference, reason, created)"
    " VALUES (%s, %s, 'refund', %s, 400, '', '', '2026-01-01')"
)


def insert(edit: Edit, amount: int, workspace: Workspace | None = None) -> None:
    key = Edit._meta.pk.get_db_prep_value(edit.pk, connection)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(ENTRY, [(workspace or edit.workspace).pk, key, amount])


@pytest.mark.parametrize(
    ("state", "amount"), [("RUNNING", 40), ("FAILED", 40), ("SUCCESS", 41), ("SUCCESS", 0), ("SUCCESS", -1)]
)
def test_the_database_refuses_a_refund_that_was_not_charged(alice: User, state: str, amount: int) -> None:
    with pytest.raises(DatabaseError):
        insert(cast.make_edit(alice, state=state), amount)


def test_the_database_refuses_a_second_refund_and_one_for_another_workspace(alice: User, bob: User) -> None:
    edit = cast.make_edit(alice)
    with pytest.raises(DatabaseError, match="refund follows"):
        insert(edit, 40, bob.personal_workspace)
    insert(edit, 1)
    with pytest.raises(DatabaseError):
        insert(edit, 1)


def test_i17_reports_a_refund_of_an_uncharged_edit(alice: User) -> None:
    triggers.drop()
    insert(cast.make_edit(alice, state="FAILED"), 40)
    assert any(line.startswith("I17: refund") for line in invariants.find_violations(with_files=False))


def test_a_plan_change_changes_the_price_and_is_in_the_audit_log(alice: User, staff: User) -> None:
    by = reviewer_actor(staff, alice.personal_workspace)
    assert credits.change_plan(by, alice.personal_workspace, plan=Workspace.Plan.PRO, reason="She paid")
    assert not credits.change_plan(by, alice.personal_workspace, plan=Workspace.Plan.PRO, reason="Again")
    assert Workspace.objects.get(personal_user=alice).price == 35
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.detail, entry.reason) == ("plan_changed", {"plan": "pro"}, "She paid")


def test_grants_by_people_are_in_the_audit_log_but_grants_by_the_site_are_not(
    alice: User, staff: User
) -> None:
    workspace = alice.personal_workspace
    by = reviewer_actor(staff, workspace)
    credits.grant(by, workspace, amount=100, reason="Thank you", reference="a")
    credits.grant(by, workspace, amount=100, reason="Thank you", reference="a")
    credits.correct("command", workspace, amount=-5, reason="A mistake")
    credits.grant(None, workspace, amount=7, reason="Allowance")
    entries = AuditEntry.objects.order_by("id").values_list("action", "door", "detail")
    assert list(entries) == [("granted", "admin", {"amount": 100}), ("corrected", "command", {"amount": -5})]


def test_the_statement_and_the_edits_page_show_the_refund(
    alice: User, client_of: Callable[..., Client]
) -> None:
    edit = cast.make_edit(alice)
    credits.refund(None, edit, amount=15, reason="Half of it was right")
    client = client_of(alice)
    assert "Refund (Half of it was right)" in client.get("/w/alice/credits/").content.decode()
    assert "<dd>15 credits</dd>" in client.get(f"/edits/{edit.pk}/").content.decode()
