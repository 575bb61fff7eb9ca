"""Tests of races with real threads and processes, on the test run's database."""

import threading
import uuid
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import DatabaseError, connection, connections
from django.test import Client

from editor.models import CreditEntry, Edit, Membership, User, Workspace
from editor.services.billing import credits
from editor.services.editing import leases, lifecycle, submit
from editor.services.maintenance import exports, invariants, retention, trash
from editor.services.people import accounts, blocks, members
from editor.services.sharing import reviews, shares
from tests import cast, processes
from tests.faults.spend import spend

pytestmark = pytest.mark.django_db(transaction=True)
CROWD = 8
WRITES_EDITS, RECORDS = 'UPDATE "editor_edit"', 'INSERT INTO "editor_auditentry"'


def at_once(work: Callable[[int], Any], times: int = CROWD) -> list[Any]:
    """Run `work` in this many threads that start together, and return the results or exceptions."""
    gate = threading.Barrier(times)

    def one(number: int) -> Any:
        gate.wait()
        try:
            return work(number)
        except Exception as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(times) as crowd:
        return list(crowd.map(one, range(times)))


def crossing(*works: tuple[str, Callable[[], Any]]) -> list[Any]:
    """Run these functions in threads, as `at_once` does, and make them overlap.

    Each function is paired with the beginning of an SQL statement. The function stops before that statement
    until all other functions have reached theirs. The wait is limited to a short time, because writers cannot
    overlap on SQLite.
    """
    gate = threading.Barrier(len(works))

    def stops(begin: str, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith(begin):
            with suppress(threading.BrokenBarrierError):
                gate.wait(timeout=1)
        return execute(sql, *rest)

    def one(number: int) -> Any:
        begin, work = works[number]
        with connection.execute_wrapper(partial(stops, begin)):
            return work()

    return at_once(one, times=len(works))


def _claim(edit: Edit, number: int) -> Edit | None:
    return leases.claim(edit.id)


def test_eight_threads_never_spend_more_than_the_balance(alice: User) -> None:
    drafts = [[cast.make_draft(alice) for _ in range(4)] for _ in range(CROWD)]
    # 400 credits are enough for 10 edits that cost 40 credits each.
    assert sum(at_once(lambda number: spend(alice, drafts[number]))) == 10
    alice.personal_workspace.refresh_from_db()
    assert (alice.personal_workspace.balance, alice.personal_workspace.held) == (400, 400)
    assert Edit.objects.count() == 10
    assert alice.drafts.count() == 4 * CROWD - 10
    assert not invariants.find_violations(with_files=False)


@pytest.mark.slow
def test_eight_processes_never_spend_more_than_the_balance(alice: User) -> None:
    spenders = [processes.start("-m", "tests.faults.spend", alice.email, "4") for _ in range(CROWD)]
    accepted = [int(spender.communicate(timeout=300)[0]) for spender in spenders]
    assert sum(accepted) == 10
    assert Edit.objects.count() == 10
    assert not invariants.find_violations(with_files=False)


def test_sending_one_submit_twenty_times_simultaneously_creates_one_edit(alice: User) -> None:
    submit_id = uuid.uuid4()
    drafts = [cast.make_draft(alice) for _ in range(20)]

    def send(number: int) -> uuid.UUID:
        submission = submit.Submission(prompt="black and white", drafts=[drafts[number]], submit_id=submit_id)
        return cast.submit_edit(cast.actor_of(alice), submission).id

    answers = at_once(send, times=20)
    assert len(set(answers)) == 1, answers
    assert Edit.objects.count() == 1
    assert alice.drafts.count() == 19
    assert not invariants.find_violations(with_files=False)


def test_only_one_of_eight_workers_can_claim_an_edit(alice: User) -> None:
    edits = [cast.make_edit(alice, state="RUNNING", references=0) for _ in range(8)]
    for edit in edits:
        claims = at_once(partial(_claim, edit))
        assert len([claim for claim in claims if claim is not None]) == 1, claims
        edit.refresh_from_db()
        assert (edit.token, edit.attempts) == (1, 1)


def test_only_one_of_eight_workers_builds_an_export(alice: User) -> None:
    edits = [cast.make_edit(alice) for _ in range(10)]
    export = exports.request_export(alice)
    ledgers_read: list[str] = []

    def records(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith('SELECT "editor_creditentry"'):
            ledgers_read.append(sql)
        return execute(sql, *rest)

    def build() -> None:
        with connection.execute_wrapper(records):
            exports.build.call(str(export.pk), 0)

    assert crossing(*[('UPDATE "editor_export"', build)] * CROWD) == [None] * CROWD
    assert len(ledgers_read) == 1
    with exports.open_export(alice, export.pk)[1] as file, zipfile.ZipFile(file) as folder:
        assert folder.testzip() is None
        assert sum(name.endswith("edit.json") for name in folder.namelist()) == len(edits)


def test_eight_workers_never_run_more_of_one_owners_edits_than_allowed(alice: User) -> None:
    edits = [cast.make_edit(alice, state="QUEUED", references=0, price=10) for _ in range(CROWD)]
    claims = at_once(lambda number: leases.claim(edits[number].id))
    assert len([claim for claim in claims if claim is not None]) == 2, claims
    assert Edit.objects.filter(token=1).count() == 2


def test_six_workers_begin_ten_edits_once_each_and_the_workspaces_take_turns(
    alice: User, bob: User, charlie: User, settings: Any
) -> None:
    settings.RUNNING_PER_USER = 10
    owners = [alice] * 4 + [bob] * 3 + [charlie] * 3
    edits = [cast.make_edit(owner, state="QUEUED", references=0, price=10) for owner in owners]
    wake_ups = [edit.id for edit in edits]

    def work(number: int) -> list[Edit | None]:
        claims = []
        while wake_ups:
            with suppress(IndexError):  # Another worker has received the last wake-up.
                claims.append(leases.claim(wake_ups.pop(0)))
        return claims

    claims = [claim for claims in at_once(work, times=6) for claim in claims]
    assert sorted(claim.id for claim in claims if claim) == sorted(edit.id for edit in edits), claims
    assert set(Edit.objects.values_list("token", flat=True)) == {1}
    in_order = list(Edit.objects.order_by("claimed").values_list("owner_id", flat=True))
    for start in (0, 3, 6):
        assert set(in_order[start : start + 3]) == {alice.pk, bob.pk, charlie.pk}, in_order


def test_eight_simultaneous_settlements_settle_an_edit_once(alice: User) -> None:
    edit = cast.make_edit(alice, state="STORING")

    def settle(number: int) -> bool:
        fresh = Edit.objects.get(id=edit.id)
        if number % 2:
            return lifecycle.cancel(cast.actor_of(alice), fresh)
        return lifecycle.finish(fresh, Edit.State.SUCCESS)

    answers = at_once(settle)
    assert answers.count(True) == 1, answers
    assert CreditEntry.objects.filter(edit=edit, kind__in=["capture", "release"]).count() == 1
    cast.assert_ledger_balances(edit.workspace)


def test_eight_simultaneous_grants_with_one_reference_are_added_once(alice: User) -> None:
    answers = at_once(
        lambda number: credits.grant(
            None, alice.personal_workspace, amount=100, reason="May", reference="2026-05"
        )
    )
    assert sorted(answers) == [False] * 7 + [True]
    alice.personal_workspace.refresh_from_db()
    assert alice.personal_workspace.balance == 500
    cast.assert_ledger_balances(alice.personal_workspace)


@pytest.mark.parametrize("amount", [100, -100])
def test_an_admin_form_posted_twice_simultaneously_changes_credits_once(
    alice: User, staff: User, client_of: Callable[[User], Client], amount: int
) -> None:
    client = client_of(staff)
    client.post("/accounts/reauthenticate/", {"password": cast.PASSWORD})
    address = f"/admin/editor/workspace/{alice.personal_workspace.pk}/credits/"
    token = client.get(address).context["form"]["token"].value()

    def post(number: int) -> int:
        browser = Client()
        browser.cookies = client.cookies
        return browser.post(address, {"amount": amount, "reason": "A gift", "token": token}).status_code

    assert at_once(post, times=2) == [302, 302]
    alice.personal_workspace.refresh_from_db()
    assert alice.personal_workspace.balance == 400 + amount
    assert LogEntry.objects.count() == 1
    cast.assert_ledger_balances(alice.personal_workspace)


def test_simultaneous_ledger_entries_store_the_correct_balance_after_each(alice: User) -> None:
    edits = [cast.make_edit(alice, state="STORING", references=0, price=20) for _ in range(CROWD)]

    def move(number: int) -> None:
        credits.grant(None, alice.personal_workspace, amount=number + 1, reason="A gift")
        lifecycle.finish(edits[number], Edit.State.SUCCESS if number % 2 else Edit.State.FAILED)
        credits.correct(None, alice.personal_workspace, amount=-1, reason="A mistake")

    assert at_once(move) == [None] * CROWD
    cast.assert_ledger_balances(alice.personal_workspace)


def test_only_one_of_eight_simultaneous_reviews_takes_effect(alice: User, team: Workspace) -> None:
    edit = cast.make_edit(alice, workspace=team, references=0)
    Edit.objects.filter(pk=edit.pk).update(review_state="in_review")

    def decide(number: int) -> None:
        seen = Edit.objects.get(pk=edit.pk)
        step = reviews.approve if number % 2 else reviews.decline
        step(cast.actor_of(alice, team), seen, comment=f"as {number} sees it")

    answers = at_once(decide)
    assert answers.count(None) == 1, answers
    assert all(isinstance(answer, reviews.ReviewRefused) for answer in answers if answer is not None)
    edit.refresh_from_db()
    assert [edit.review_state] == [step.state for step in reviews.history_of(edit)]


def test_the_run_uses_real_transactions() -> None:
    assert not connection.in_atomic_block


def test_only_one_of_eight_simultaneous_requests_creates_the_owner(db: None) -> None:
    def own(number: int) -> User:
        return accounts.create_owner(email=f"owner{number}@example.org", password="x")

    answers = at_once(own)
    assert len([answer for answer in answers if isinstance(answer, User)]) == 1, answers
    assert all(isinstance(answer, (User, accounts.OwnerExists)) for answer in answers), answers
    assert User.objects.filter(is_superuser=True).count() == 1


def test_eight_simultaneous_sign_ups_with_one_email_create_one_account(db: None) -> None:
    answers = at_once(lambda number: accounts.open_account(email="new@example.org", password="x"))
    assert len([answer for answer in answers if isinstance(answer, User)]) == 1, answers
    assert all(isinstance(answer, (User, accounts.AccountExists)) for answer in answers), answers


def test_the_invariants_hold_while_grants_are_being_added(alice: User) -> None:
    workspace = alice.personal_workspace
    broken: list[list[str]] = []

    def grant_or_watch(number: int) -> None:
        for turn in range(10):
            if number % 2:
                credits.grant(None, workspace, amount=10, reason=f"{number} {turn}")
            else:
                broken.append(invariants.find_violations(with_files=False))

    at_once(grant_or_watch, times=4)
    assert len(broken) == 20
    assert not any(broken), broken


def test_only_one_of_eight_simultaneous_refunds_takes_effect(alice: User) -> None:
    edit = cast.make_edit(alice)
    answers = at_once(lambda number: credits.refund(None, edit, amount=number + 1, reason="A mistake"))
    assert sorted(answers) == [False] * 7 + [True], answers
    refund = CreditEntry.objects.get(kind="refund")
    alice.personal_workspace.refresh_from_db()
    assert alice.personal_workspace.balance == 360 + refund.amount
    cast.assert_ledger_balances(alice.personal_workspace)
    assert not invariants.find_violations(with_files=False)


def test_the_ledger_balances_after_simultaneous_refunds_and_spending(alice: User) -> None:
    edits = [cast.make_edit(alice) for _ in range(4)]
    drafts = [[cast.make_draft(alice) for _ in range(3)] for _ in range(4)]

    def work(number: int) -> object:
        if number < 4:
            return credits.refund(None, edits[number], reason="A mistake")
        return spend(alice, drafts[number - 4])

    answers = at_once(work)
    assert not [answer for answer in answers if isinstance(answer, Exception)], answers
    cast.assert_ledger_balances(alice.personal_workspace)
    assert not invariants.find_violations(with_files=False)


def test_if_two_superusers_block_each_other_one_stays_active(staff: User) -> None:
    other = cast.make_staff("other@example.org")
    pair = [staff, other]
    at_once(lambda number: blocks.block_user(pair[number], pair[1 - number], reason="Away"), times=2)
    assert User.objects.filter(is_superuser=True, is_active=True).count() == 1


@pytest.mark.parametrize("step", [reviews.approve, shares.share])
def test_a_member_is_removed_with_their_edits_while_one_is_approved_or_shared(
    alice: User, bob: User, team: Workspace, step: Callable[..., Any]
) -> None:
    edit, member = cast.make_edit(bob, workspace=team), Membership.objects.get(user=bob, workspace=team)
    actor = cast.actor_of(alice, team)
    removed, stepped = crossing(
        (WRITES_EDITS, lambda: members.remove(actor, member, with_edits=True)),
        (RECORDS, lambda: step(actor, edit)),
    )
    assert removed == 1
    assert not isinstance(stepped, DatabaseError), stepped
    assert list(Edit.objects.in_trash()) == [edit]
    assert not team.memberships.filter(user=bob).exists()


def test_an_edit_can_be_restored_while_the_legal_hold_is_lifted(
    alice: User, bob: User, team: Workspace
) -> None:
    edit, actor = cast.make_edit(bob, workspace=team), cast.actor_of(alice, team)
    trash.delete(cast.actor_of(bob, team), edit)
    retention.set_hold(actor, reason="A lawsuit")
    edit.refresh_from_db()
    answers = crossing(
        (WRITES_EDITS, lambda: retention.lift_hold(actor)), (RECORDS, lambda: trash.restore(actor, edit))
    )
    assert answers == [None, True]
    assert list(Edit.objects.not_in_trash()) == [edit]
    team.refresh_from_db()
    assert not team.is_on_hold
