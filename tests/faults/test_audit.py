"""Tests that the audit log's chain remains complete during races and when any process is killed."""

import signal

import pytest
from django.db import transaction

from editor.models import Action, AuditEntry, AuditHead, User
from editor.services.core import audit
from editor.services.maintenance import invariants
from tests import cast, processes
from tests.faults.test_races import CROWD, at_once

pytestmark = pytest.mark.django_db(transaction=True)
AUDIT_POINTS = ("audit.entry_chained", "audit.entry_chained:3", "audit.head_moved")
CHAIN = "import django; django.setup(); from editor.services.core import audit; audit.extend_chain()"
FIFTY = 50


def act(user: User, number: int = 0) -> None:
    """Change a row and record the change, in one transaction."""
    with transaction.atomic():
        User.objects.filter(pk=user.pk).update(name=f"{number}")
        audit.record(user, Action.USER_CHANGED, subject=user, detail={"turn": number})


def numbers() -> list[int | None]:
    return list(AuditEntry.objects.chained().values_list("number", flat=True))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("point", AUDIT_POINTS)
def test_the_chain_can_be_continued_after_housekeeping_is_killed(alice: User, point: str) -> None:
    for number in range(5):
        act(alice, number)
    doomed = processes.start("-c", CHAIN, CRASH_AT=point)
    output, _ = doomed.communicate(timeout=600)
    assert doomed.returncode == -signal.SIGKILL, output
    act(alice, 5)
    audit.extend_chain()
    assert numbers() == [1, 2, 3, 4, 5, 6]
    assert list(audit.chain_errors()) == []


def test_fifty_simultaneous_actions_are_all_chained_while_housekeeping_runs(alice: User) -> None:
    people = [alice, *(cast.make_user(f"u{number}@example.org") for number in range(4))]

    def work(number: int) -> object:
        if number >= FIFTY:
            return audit.extend_chain()
        act(people[number % len(people)], number)
        return None

    answers = at_once(work, times=FIFTY + CROWD)
    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    audit.extend_chain()
    assert numbers() == list(range(1, FIFTY + 1))
    turns = {entry.detail["turn"] for entry in AuditEntry.objects.all()}
    assert turns == set(range(FIFTY))
    assert AuditHead.objects.get().number == FIFTY
    assert invariants.find_violations() == []


def test_eight_simultaneous_housekeepers_chain_each_entry_once(alice: User) -> None:
    for number in range(20):
        act(alice, number)
    answers = at_once(lambda _: audit.extend_chain())
    assert sum(answers) == 20
    assert numbers() == list(range(1, 21))
    assert list(audit.chain_errors()) == []


def test_verify_reports_no_errors_while_entries_are_being_added_and_chained(alice: User) -> None:
    def work(number: int) -> list[str]:
        found: list[str] = []
        for turn in range(10):
            if number % 2:
                act(alice, turn)
                audit.extend_chain()
            else:
                found += audit.chain_errors()
        return found

    assert at_once(work, times=4) == [[]] * 4
