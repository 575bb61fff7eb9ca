"""Tests that `verify` reports each invariant that a test deliberately breaks."""

import errno
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from editor.models import CreditEntry, Edit, ResultPhoto, User, Workspace, triggers
from editor.services.billing import credits
from editor.services.maintenance import invariants
from editor.services.photos import photos
from tests import cast
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db


def named(*, with_files: bool = False) -> set[str]:
    return {sentence.split(":")[0] for sentence in invariants.find_violations(with_files=with_files)}


def run(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.fixture
def _without_triggers(db: None) -> None:
    triggers.drop()


def test_normal_use_violates_no_invariant(
    alice: User, engine: ScriptedEngine, submitted: Callable[..., Edit], advance: Callable[..., Edit]
) -> None:
    advance(submitted(alice), times=3)
    advance(submitted(alice), times=2)
    assert invariants.find_violations() == []


def test_i1_reports_a_balance_that_does_not_match_its_entries(alice: User) -> None:
    Workspace.objects.update(balance=F("balance") + 1)
    assert named() == {"I1"}


def test_i2_reports_held_credits_that_do_not_match_the_entries(alice: User) -> None:
    Workspace.objects.update(held=40)
    assert named() == {"I2"}


@pytest.mark.usefixtures("_without_triggers")
def test_i4_reports_an_edit_without_its_hold(alice: User) -> None:
    edit = cast.make_edit(alice)
    CreditEntry.objects.filter(edit=edit, kind="hold").delete()
    assert "I4" in named()


@pytest.mark.usefixtures("_without_triggers")
def test_i5_reports_an_ended_edit_without_its_settlement(alice: User) -> None:
    edit = cast.make_edit(alice, state="FAILED")
    CreditEntry.objects.filter(edit=edit, kind="release").delete()
    assert "I5" in named()


@pytest.mark.usefixtures("_without_triggers")
def test_i5_reports_an_open_edit_with_a_settlement(alice: User) -> None:
    edit = cast.make_edit(alice, state="RUNNING")
    CreditEntry.objects.create(
        workspace=edit.workspace, edit=edit, kind="release", amount=edit.price, balance=400
    )
    assert "I5" in named()


@pytest.mark.usefixtures("_without_triggers")
def test_i6_reports_a_success_that_was_not_captured(alice: User) -> None:
    cast.make_edit(alice)
    CreditEntry.objects.filter(kind="capture").update(kind="release")
    assert "I6" in named()


def test_i7_reports_a_success_without_a_result(alice: User) -> None:
    cast.make_edit(alice, results=0)
    assert named() == {"I7"}


def test_i7_reports_a_result_whose_file_was_changed(
    alice: User, engine: ScriptedEngine, submitted: Callable[..., Edit], advance: Callable[..., Edit]
) -> None:
    edit = advance(submitted(alice), times=3)
    with cast.path_of(edit.results.get()).open("r+b") as file:
        file.seek(40)
        file.write(b"\0")
    assert named(with_files=True) == {"I7"}


def test_i7_reports_a_result_whose_file_is_missing_or_unreadable(
    alice: User,
    engine: ScriptedEngine,
    submitted: Callable[..., Edit],
    advance: Callable[..., Edit],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = advance(submitted(alice), times=3).results.get()
    path = cast.path_of(result)
    path.unlink()
    assert invariants.find_violations() == [
        f"I7: the file of result {result.key} is missing.",
        f"I11: {result.key} is missing.",
    ]

    def broken(photo: ResultPhoto) -> str:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(photos, "sha256_of", broken)
    assert (
        f"I7: the file of result {result.key} cannot be read: Input/output error."
        in invariants.find_violations()
    )


@pytest.mark.usefixtures("_without_triggers")
def test_i8_reports_an_entry_with_the_wrong_price(alice: User) -> None:
    cast.make_edit(alice)
    CreditEntry.objects.filter(kind="hold").update(amount=39)
    assert "I8" in named()


def test_i10_reports_an_open_edit_past_its_deadline(alice: User) -> None:
    cast.make_edit(alice, state="RUNNING", deadline=timezone.now() - timedelta(seconds=61))
    assert named() == {"I10"}


def test_i11_reports_a_row_without_its_file(alice: User) -> None:
    cast.make_draft(alice)
    assert named(with_files=True) == {"I11"}


@pytest.mark.parametrize("code", ["cancelled", "engine_failed"])
def test_i18_reports_an_uncharged_edit_that_still_has_results(alice: User, code: str) -> None:
    edit = cast.make_edit(alice, state="STORING", outputs=4, results=3)
    assert named() == set(), "an edit that is storing results may already have some"
    state = "CANCELLED" if code == "cancelled" else "FAILED"
    Edit.objects.filter(pk=edit.pk).update(state=state, failure_code=code, finished=timezone.now())
    violation = f"I18: edit {edit.pk} is {state} and still has unpaid results: 3."
    assert violation in invariants.find_violations(with_files=False)


@pytest.mark.parametrize("ended", [{"state": "SUCCESS"}, {"state": "FAILED", "failure_code": "incomplete"}])
def test_i18_allows_results_of_a_success_and_of_an_incomplete_edit(
    alice: User, ended: dict[str, Any]
) -> None:
    cast.make_edit(alice, outputs=4, results=3, **ended)
    assert "I18" not in named()


@pytest.mark.usefixtures("_without_triggers")
@pytest.mark.parametrize("kind", CreditEntry.Kind.values)
def test_i12_reports_an_entry_with_the_wrong_balance(alice: User, kind: str) -> None:
    credits.refund(None, cast.make_edit(alice), amount=3, reason="A little wrong")
    cast.make_edit(alice, state="FAILED")
    credits.correct(None, alice.personal_workspace, amount=-5, reason="A mistake")
    assert "I12" not in named()
    entry = CreditEntry.objects.filter(kind=kind)[0]
    CreditEntry.objects.filter(id=entry.pk).update(balance=7)
    violation = f"I12: entry {entry.pk} has a balance of 7; the entries total {entry.balance}."
    assert violation in invariants.find_violations(with_files=False)


@pytest.mark.parametrize("name", triggers.TRIGGERS)
def test_a_missing_trigger_is_reported(db: None, name: str) -> None:
    table = triggers.TRIGGERS[name][0]
    run(f"DROP TRIGGER {name}" + (f" ON {table}" if connection.vendor == "postgresql" else ""))
    assert invariants.find_violations(with_files=False) == [
        f"The trigger {name} is missing. Run manage.py migrate."
    ]
