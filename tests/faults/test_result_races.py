"""Tests of a race between a user who cancels an edit and a worker that stores its results.

Whatever the order, no result remains.
"""

import time

import pytest

from editor.models import CreditEntry, Edit, ResultPhoto, User
from editor.services.editing import leases, lifecycle, results
from editor.services.maintenance import invariants
from editor.services.photos import photos
from tests import cast
from tests.faults.test_races import at_once, crossing

pytestmark = pytest.mark.django_db(transaction=True)
WRITES_EDIT, ADDS_RESULT = 'UPDATE "editor_edit"', 'INSERT INTO "editor_resultphoto"'
OUTPUTS, ROUNDS = 4, 8


@pytest.fixture(autouse=True)
def _results_without_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not store files, because the race is about rows and child processes would only slow it down."""
    monkeypatch.setattr(photos, "store_result", lambda *_, **__: (cast.photo_facts(), ""))


def storing(alice: User) -> Edit:
    return Edit.objects.get(pk=cast.make_edit(alice, state="STORING", outputs=OUTPUTS).pk)


def store(edit: Edit, *positions: int) -> None:
    for position in positions:
        results._keep(edit, position, cast.path_of(edit.references.get()))


def cancel(alice: User, edit: Edit) -> bool:
    return lifecycle.cancel(cast.actor_of(alice), Edit.objects.get(pk=edit.pk))


def assert_cancelled_without_results(edit: Edit) -> None:
    edit.refresh_from_db()
    assert edit.state == "CANCELLED"
    assert not ResultPhoto._base_manager.exists()
    assert list(CreditEntry.objects.filter(edit=edit).values_list("kind", flat=True)) == ["hold", "release"]
    cast.assert_ledger_balances(edit.workspace)
    assert invariants.find_violations(with_files=False) == []


def test_a_cancel_while_a_result_is_being_written_also_removes_that_result(alice: User) -> None:
    """The worker has locked the edit and is about to add the row, while the cancel is about to end the
    edit.
    """
    edit = storing(alice)
    answers = crossing(
        (ADDS_RESULT, lambda: store(edit, 1)),
        (WRITES_EDIT, lambda: cancel(alice, edit)),
    )
    assert answers[1] is True, answers
    assert answers[0] is None or isinstance(answers[0], leases.LeaseLost), answers
    assert_cancelled_without_results(edit)


def test_a_worker_adds_no_result_while_the_edit_is_being_cancelled(alice: User) -> None:
    """The cancel has ended the edit and is about to commit, while the worker is about to lock the edit."""
    edit = storing(alice)
    answers = crossing(
        (WRITES_EDIT, lambda: store(edit, 1)),
        ('INSERT INTO "editor_creditentry"', lambda: cancel(alice, edit)),
    )
    assert answers[1] is True, answers
    assert answers[0] is None or isinstance(answers[0], leases.LeaseLost), answers
    assert_cancelled_without_results(edit)


@pytest.mark.parametrize("head_start", range(ROUNDS))
def test_a_worker_that_stores_results_during_a_cancel_leaves_none(alice: User, head_start: int) -> None:
    edit = storing(alice)

    def work(number: int) -> object:
        if number == 1:
            time.sleep(head_start / 500)
            return cancel(alice, edit)
        store(edit, *range(1, OUTPUTS + 1))
        return None

    stored, cancelled = at_once(work, times=2)
    assert cancelled is True, cancelled
    assert stored is None or isinstance(stored, leases.LeaseLost), stored
    assert_cancelled_without_results(edit)


def test_a_worker_with_an_outdated_token_adds_no_result(alice: User) -> None:
    edit = storing(alice)
    Edit.objects.filter(pk=edit.pk).update(token=edit.token + 1)
    with pytest.raises(leases.LeaseLost):
        store(edit, 1)
    assert not ResultPhoto._base_manager.exists()
