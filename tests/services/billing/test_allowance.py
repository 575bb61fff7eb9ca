"""Tests for the monthly allowance, which tops up the balance once a month."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from editor.models import CreditEntry, User, Workspace
from editor.services.billing import credits
from tests import cast, clock
from tests.services.billing.test_caps import send

pytestmark = pytest.mark.django_db
NOVEMBER, DECEMBER = date(2026, 11, 1), date(2026, 12, 1)


@pytest.fixture
def paid(team: Workspace) -> Workspace:
    """Return alice's team, which has 400 credits and an allowance of 1,000."""
    Workspace.objects.filter(pk=team.pk).update(allowance=1_000)
    team.refresh_from_db()
    return team


def given(workspace: Workspace) -> list[tuple[int, str, str]]:
    entries = CreditEntry.objects.filter(workspace=workspace, reference__startswith="allowance-")
    return list(entries.order_by("id").values_list("amount", "reference", "reason"))


def test_a_top_up_fills_the_free_credits_up_to_the_allowance(alice: User, paid: Workspace) -> None:
    cast.make_edit(alice, workspace=paid, state="RUNNING")
    credits.top_up(paid, NOVEMBER)
    assert given(paid) == [(640, "allowance-2026-11", "Allowance of November 2026")]
    assert (paid.balance, paid.held, paid.free_credits) == (1_040, 40, 1_000)
    cast.assert_ledger_balances(paid)


def test_the_allowance_is_granted_once_a_month_regardless_of_spending(alice: User, paid: Workspace) -> None:
    credits.top_up(paid, NOVEMBER)
    credits.correct(None, paid, amount=-500, reason="Spent")
    for _ in range(3):
        credits.top_up(Workspace.objects.get(pk=paid.pk), NOVEMBER)
    credits.top_up(Workspace.objects.get(pk=paid.pk), DECEMBER)
    assert given(paid) == [
        (600, "allowance-2026-11", "Allowance of November 2026"),
        (500, "allowance-2026-12", "Allowance of December 2026"),
    ]


def test_a_full_balance_gets_no_allowance_even_if_it_is_spent_in_the_same_month(paid: Workspace) -> None:
    credits.grant(None, paid, amount=2_000, reason="A gift")
    credits.top_up(paid, NOVEMBER)
    credits.correct(None, paid, amount=-2_400, reason="Spent")
    credits.top_up(Workspace.objects.get(pk=paid.pk), NOVEMBER)
    assert given(paid) == []


def test_a_stale_workspace_object_never_grants_an_earlier_months_allowance(paid: Workspace) -> None:
    credits.top_up(Workspace.objects.get(pk=paid.pk), DECEMBER)
    credits.top_up(paid, NOVEMBER)  # This object predates December's allowance.
    assert [reference for _, reference, _ in given(paid)] == ["allowance-2026-12"]


def test_the_first_edit_of_a_month_grants_the_allowance(alice: User, paid: Workspace) -> None:
    credits.correct(None, paid, amount=-400, reason="Spent")
    with clock.at(datetime(2026, 11, 1, tzinfo=UTC)):
        send(cast.actor_of(alice, paid))
    paid.refresh_from_db()
    assert (paid.balance, paid.held) == (1_000, 40)
    with clock.at(datetime(2026, 12, 1, tzinfo=UTC)):
        send(cast.actor_of(alice, paid))
    paid.refresh_from_db()
    assert (paid.balance, paid.held) == (1_040, 80)
    cast.assert_ledger_balances(paid)


def test_the_hold_grants_the_allowance_when_a_month_begins_after_the_credit_check(
    alice: User, paid: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    credits.top_up(paid, NOVEMBER)
    credits.correct(None, paid, amount=-990, reason="Spent")
    monkeypatch.setattr(credits, "require_credits", lambda actor, **_: None)
    with clock.at(datetime(2026, 12, 1, tzinfo=UTC)):
        send(cast.actor_of(alice, paid))
    assert [reference for _, reference, _ in given(paid)] == ["allowance-2026-11", "allowance-2026-12"]
    cast.assert_ledger_balances(paid)


def test_the_sweep_grants_the_allowance_once_to_every_team_that_has_one(alice: User, paid: Workspace) -> None:
    poor = cast.make_workspace(alice, name="Without")
    credits.top_up_all()
    credits.top_up_all()
    assert [amount for amount, _, _ in given(paid)] == [600]
    assert given(poor) == given(alice.personal_workspace) == []


def test_personal_workspaces_get_the_allowance_in_the_settings(
    alice: User, bob: User, paid: Workspace, settings: Any
) -> None:
    settings.MONTHLY_CREDITS = 450
    # An allowance has no effect on a personal workspace.
    Workspace.objects.filter(pk=bob.personal_workspace.pk).update(allowance=9_999)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    credits.top_up_all()
    assert [amount for amount, _, _ in given(alice.personal_workspace)] == [50]
    assert given(bob.personal_workspace) == []
    bob.refresh_from_db()
    credits.top_up(bob.personal_workspace, DECEMBER)
    assert [amount for amount, _, _ in given(bob.personal_workspace)] == [50]


def test_the_allowance_is_not_granted_if_its_reference_is_already_used(paid: Workspace) -> None:
    credits.grant(None, paid, amount=1, reason="By hand", reference="allowance-2026-11")
    credits.top_up(paid, NOVEMBER)
    paid.refresh_from_db()
    assert paid.balance == 401
    cast.assert_ledger_balances(paid)
