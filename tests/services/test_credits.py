"""The purse and its ledger."""

import pytest

from editor.models import CreditEntry, User, Workspace
from editor.services import credits
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


def test_a_grant_that_is_sent_twice_arrives_once(alice: User) -> None:
    first = credits.grant(None, alice.personal_workspace, amount=50, reason="May", reference="2026-05")
    second = credits.grant(None, alice.personal_workspace, amount=50, reason="May", reference="2026-05")
    assert first.pk == second.pk
    assert free_of(alice.personal_workspace) == (450, 0)
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


def test_a_correction_never_takes_what_is_held(alice: User) -> None:
    cast.make_edit(alice, state="RUNNING")
    with pytest.raises(credits.PurseTooSmall):
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


def test_large_grants_do_not_overflow(alice: User) -> None:
    for _ in range(4):
        credits.grant(None, alice.personal_workspace, amount=1_000_000_000, reason="Much")
    assert free_of(alice.personal_workspace) == (4_000_000_400, 0)
    cast.assert_ledger_balances(alice.personal_workspace)
