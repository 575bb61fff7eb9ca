"""Tests for the balance and the ledger."""

import pytest
from django.db import transaction

from editor.models import CreditEntry, User, Workspace
from editor.services.billing import credits
from tests import cast

pytestmark = pytest.mark.django_db


def free_of(workspace: Workspace) -> tuple[int, int]:
    workspace.refresh_from_db()
    return workspace.balance, workspace.held


def test_a_grant_adds_credits_and_an_entry_with_its_reason(alice: User, staff: User) -> None:
    credits.grant(staff, alice.personal_workspace, amount=100, reason="Thank you")
    assert free_of(alice.personal_workspace) == (500, 0)
    entry = credits.statement(alice.personal_workspace)[0]
    assert (entry.kind, entry.amount, entry.reason, entry.actor) == ("grant", 100, "Thank you", staff)
    cast.assert_ledger_balances(alice.personal_workspace)


def test_a_grant_with_a_used_reference_is_ignored(alice: User) -> None:
    workspace = alice.personal_workspace
    assert credits.grant(None, workspace, amount=50, reason="May", reference="2026-05")
    assert not credits.grant(None, workspace, amount=50, reason="May", reference="2026-05")
    assert not credits.grant(None, workspace, amount=70, reason="June", reference="2026-05")
    assert free_of(alice.personal_workspace) == (450, 0)
    cast.assert_ledger_balances(workspace)


def test_two_workspaces_can_use_the_same_reference(alice: User, bob: User) -> None:
    for user in (alice, bob):
        assert credits.grant(None, user.personal_workspace, amount=50, reason="May", reference="2026-05")
        assert free_of(user.personal_workspace) == (450, 0)


def test_a_repeated_correction_is_ignored_even_if_the_balance_is_too_low_for_it(alice: User) -> None:
    workspace = alice.personal_workspace
    assert credits.correct(None, workspace, amount=-300, reason="Too many", reference="form-1")
    assert not credits.correct(None, workspace, amount=-300, reason="Too many", reference="form-1")
    assert free_of(workspace) == (100, 0)
    cast.assert_ledger_balances(alice.personal_workspace)


@pytest.mark.parametrize("amount", [0, -5])
def test_a_grant_requires_at_least_one_credit(alice: User, amount: int) -> None:
    with pytest.raises(ValueError, match="at least 1 credit"):
        credits.grant(None, alice.personal_workspace, amount=amount, reason="?")
    assert free_of(alice.personal_workspace) == (400, 0)


def test_a_correction_is_a_signed_entry_with_its_reason(alice: User, staff: User) -> None:
    credits.correct(staff, alice.personal_workspace, amount=-150, reason="Granted to the wrong account")
    assert free_of(alice.personal_workspace) == (250, 0)
    cast.assert_ledger_balances(alice.personal_workspace)


def test_a_correction_cannot_take_held_credits(alice: User) -> None:
    cast.make_edit(alice, state="RUNNING")
    with pytest.raises(credits.CorrectionTooLarge):
        credits.correct(None, alice.personal_workspace, amount=-361, reason="Too much")
    assert free_of(alice.personal_workspace) == (400, 40)
    assert not CreditEntry.objects.filter(kind="adjustment").exists()


def test_a_hold_requires_the_whole_price_to_be_free(alice: User) -> None:
    workspace = alice.personal_workspace
    edit = cast.make_edit(alice, state="RUNNING", price=360)
    edit.price = 41
    with pytest.raises(credits.InsufficientCredits, match="Insufficient credits"):
        credits.hold([edit])
    assert free_of(workspace) == (400, 360)
    cast.assert_ledger_balances(workspace)


def test_every_entry_carries_the_balance_after_it(alice: User) -> None:
    workspace = alice.personal_workspace
    kept, given_back = (cast.make_edit(alice, state="RUNNING") for _ in range(2))
    credits.settle(kept, captured=True)
    credits.grant(None, workspace, amount=25, reason="A gift")
    credits.settle(given_back, captured=False)
    credits.correct(None, workspace, amount=-5, reason="A mistake")
    entries = CreditEntry.objects.filter(workspace=workspace).order_by("id")
    assert [(entry.kind, entry.balance_change, entry.balance) for entry in entries] == [
        ("grant", 400, 400),
        ("hold", 0, 400),
        ("hold", 0, 400),
        ("capture", -40, 360),
        ("grant", 25, 385),
        ("release", 0, 385),
        ("adjustment", -5, 380),
    ]


def test_several_edits_are_held_together_or_not_at_all(alice: User) -> None:
    edits = [cast.make_edit(alice, state="RUNNING", price=0) for _ in range(3)]
    for edit in edits:
        edit.price = 150
    with pytest.raises(credits.InsufficientCredits), transaction.atomic():
        credits.hold(edits)
    assert free_of(alice.personal_workspace) == (400, 0)


def test_large_grants_do_not_overflow(alice: User) -> None:
    for _ in range(4):
        credits.grant(None, alice.personal_workspace, amount=1_000_000_000, reason="Much")
    assert free_of(alice.personal_workspace) == (4_000_000_400, 0)
    cast.assert_ledger_balances(alice.personal_workspace)
