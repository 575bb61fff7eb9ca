"""Tests of races for a team's credits.

They use real threads and processes, and the test run's database.
"""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from django.db import connection

from editor.models import (
    ApiKey,
    CreditEntry,
    CreditRequest,
    DailyUsage,
    Edit,
    Membership,
    ResultPhoto,
    Spending,
    User,
    Workspace,
)
from editor.services.billing import caps, credit_requests, credits
from editor.services.editing import lifecycle
from editor.services.maintenance import invariants
from tests import cast, clock, processes
from tests.faults.test_races import CROWD, at_once
from tests.services.billing.test_caps import keyed, send

pytestmark = pytest.mark.django_db(transaction=True)
TURN = datetime(2026, 12, 1, tzinfo=UTC)
TOP_UP = "import django; django.setup(); from editor.services.billing import credits; credits.top_up_all()"


@pytest.fixture
def paid(team: Workspace) -> Workspace:
    Workspace.objects.filter(pk=team.pk).update(allowance=1_000)
    return Workspace.objects.get(pk=team.pk)


def allowances(workspace: Workspace) -> list[int]:
    given = CreditEntry.objects.filter(workspace=workspace, reference__startswith="allowance-")
    return list(given.order_by("id").values_list("amount", flat=True))


def test_eight_threads_grant_one_allowance_at_the_start_of_a_month(alice: User, paid: Workspace) -> None:
    """Workers grant the allowance both in the sweep and at its first use.

    Meanwhile, edits from the previous month are still ending.
    """
    credits.top_up(paid, caps.month_of(datetime(2026, 11, 1, tzinfo=UTC)))
    running = [cast.make_edit(alice, workspace=paid, state="STORING", results=1) for _ in range(CROWD)]

    def work(number: int) -> None:
        with clock.in_this_thread():
            lifecycle.finish(running[number], Edit.State.SUCCESS)
            if number % 2:
                send(cast.actor_of(alice, paid))
            else:
                credits.top_up_all()

    with clock.at(TURN):
        answers = at_once(work)
    assert answers == [None] * CROWD
    assert len(allowances(paid)) == 2
    cast.assert_ledger_balances(paid)
    assert not invariants.find_violations(with_files=False)


@pytest.mark.slow
def test_eight_processes_give_one_allowance(alice: User, paid: Workspace) -> None:
    workers = [processes.start("-c", TOP_UP) for _ in range(CROWD)]
    for worker in workers:
        output, _ = worker.communicate(timeout=300)
        assert worker.returncode == 0, output
    assert allowances(paid) == [600]
    cast.assert_ledger_balances(paid)


@pytest.mark.parametrize("capped", ["member", "key", "both"])
def test_a_cap_allows_five_of_twenty_simultaneous_submits(bob: User, team: Workspace, capped: str) -> None:
    credits.grant(None, team, amount=1_000, reason="Enough for all")
    bobs = keyed(bob, team, 239 if capped != "member" else None)
    if capped != "key":
        Membership.objects.filter(user=bob, workspace=team).update(cap=200)
    else:
        ApiKey.objects.filter(user=bob).update(cap=200)
    answers = at_once(lambda number: send(bobs), times=20)
    refused = [answer for answer in answers if isinstance(answer, credits.InsufficientCredits)]
    assert len(refused) == 15, answers
    assert Edit.objects.filter(workspace=team).count() == 5
    assert set(Spending.objects.filter(workspace=team).values_list("amount", flat=True)) == {200}
    cast.assert_ledger_balances(team)
    assert not invariants.find_violations(with_files=False)


def test_simultaneous_submits_and_endings_never_exceed_a_cap(bob: User, team: Workspace) -> None:
    Membership.objects.filter(user=bob, workspace=team).update(cap=80)
    bobs = cast.actor_of(bob, team)

    def work(number: int) -> int:
        done = 0
        for turn in range(4):
            with suppress(credits.InsufficientCredits):
                edit = send(bobs)
                ResultPhoto.objects.create(edit=edit, position=1, **cast.photo_facts())
                done += lifecycle.finish(edit, Edit.State.SUCCESS if turn == 3 else Edit.State.FAILED)
        return done

    answers = at_once(work)
    assert all(isinstance(answer, int) for answer in answers), answers
    assert CreditEntry.objects.filter(workspace=team, kind="capture").count() <= 2
    cast.assert_ledger_balances(team)
    assert not invariants.find_violations(with_files=False)


def test_edits_that_end_simultaneously_are_all_in_the_daily_totals(
    alice: User, bob: User, team: Workspace
) -> None:
    edits = [cast.make_edit(user, workspace=team, state="STORING", results=1) for user in (alice, bob) * 4]
    states = (Edit.State.SUCCESS, Edit.State.FAILED)
    answers = at_once(lambda number: lifecycle.finish(edits[number], states[number // 4]))
    assert answers == [True] * CROWD
    assert sum(DailyUsage.objects.filter(axis="person").values_list("edits", flat=True)) == CROWD
    assert not invariants.find_violations(with_files=False)


def test_eight_simultaneous_credit_requests_create_one_request(bob: User, team: Workspace) -> None:
    credits.correct(None, team, amount=-400, reason="Spent")
    bobs = cast.actor_of(bob, team)
    assert sorted(at_once(lambda number: credit_requests.request_credits(bobs))) == [False] * 7 + [True]
    assert CreditRequest.objects.count() == 1


def test_the_invariants_hold_while_edits_are_being_submitted_and_ended(alice: User, team: Workspace) -> None:
    broken: list[list[str]] = []

    def work_or_watch(number: int) -> None:
        for _ in range(6):
            if number % 2:
                lifecycle.finish(send(cast.actor_of(alice, team)), Edit.State.FAILED)
            else:
                broken.append(invariants.find_violations(with_files=False))

    assert at_once(work_or_watch, times=4) == [None] * 4
    assert len(broken) == 12
    assert not any(broken), broken


def test_the_run_uses_real_transactions() -> None:
    assert not connection.in_atomic_block
