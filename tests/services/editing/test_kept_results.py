"""Tests for results that are stored before their edit ends.

They check the outcome of the edit, and that no result is stored twice.
"""

import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from editor.models import DraftPhoto, Edit, ResultPhoto, User, Workspace
from editor.providers.contract import ProviderError
from editor.services.core import access
from editor.services.editing import lifecycle, results
from editor.services.library import batches
from editor.services.maintenance import invariants
from editor.services.people import closing
from editor.services.photos import photos
from tests import cast
from tests.scripted_engine import ScriptedEngine
from tests.services.editing.test_lifecycle import Advance, Submit, balance_and_held

pytestmark = pytest.mark.django_db
LATE = {"deadline": datetime(2026, 1, 1, tzinfo=UTC)}
CRASHING = {"attempts": 9}


def keep(edit: Edit, *positions: int) -> Edit:
    """Simulate a worker that stores these results and dies before it can end the edit."""
    for position in positions:
        path = photos.work_folder_of(edit) / f"another-{position}"
        path.write_bytes(cast.photo_bytes())
        columns, _ = photos.store_result(edit, position, path)
        ResultPhoto.objects.create(edit=edit, position=position, **columns)
    return edit


@pytest.mark.parametrize("columns", [LATE, CRASHING], ids=["late", "crashing"])
def test_an_edit_with_all_results_stored_succeeds_and_is_charged_once(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance, columns: dict[str, Any]
) -> None:
    edit = keep(advance(submitted(alice, outputs=2), times=2), 1, 2)
    Edit.objects.filter(id=edit.id).update(**columns)
    for _ in range(2):
        edit = advance(edit)
        assert (edit.state, edit.failure_code, edit.failure_message) == ("SUCCESS", "", "")
        assert (edit.progress, balance_and_held(edit)) == (100, (360, 0))
    assert list(edit.credit_entries.order_by("id").values_list("kind", flat=True)) == ["hold", "capture"]
    assert "collect" not in engine.calls


@pytest.mark.parametrize("columns", [LATE, CRASHING], ids=["late", "crashing"])
def test_an_edit_with_some_results_stored_fails_uncharged_and_lists_the_missing(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance, columns: dict[str, Any]
) -> None:
    edit = keep(advance(submitted(alice, outputs=3), times=2), 2)
    Edit.objects.filter(id=edit.id).update(**columns)
    edit = advance(edit)
    assert (edit.state, edit.failure_code) == ("FAILED", "incomplete")
    assert (
        edit.failure_message
        == "Results 1, 3 of 3 are missing. You can keep the other results. You were not charged."
    )
    assert [result.position for result in edit.results.all()] == [2]
    assert balance_and_held(edit) == (400, 0)


def test_the_sweep_ends_a_late_edit_whose_results_are_all_kept_as_a_success(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = keep(advance(submitted(alice), times=2), 1)
    Edit.objects.filter(id=edit.id).update(**LATE)
    assert [lifecycle.sweep() for _ in range(2)] == [1, 0]
    edit.refresh_from_db()
    assert (edit.state, balance_and_held(edit)) == ("SUCCESS", (360, 0))


def test_a_late_edit_whose_worker_died_while_storing_can_still_succeed(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = advance(submitted(alice), times=2)
    past = timezone.now() - timedelta(seconds=1)
    Edit.objects.update(lease_until=past, deadline=past, attempts=1, due=past)
    assert lifecycle.sweep() == 1
    edit.refresh_from_db()
    assert edit.state == "STORING", "the sweep wakes the edit and does not end it"
    assert (advance(edit).state, balance_and_held(edit)) == ("SUCCESS", (360, 0))


def test_a_late_edit_fails_after_three_workers_died_while_storing(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = advance(submitted(alice), times=2)
    past = timezone.now() - timedelta(seconds=1)
    Edit.objects.update(lease_until=past, deadline=past, attempts=3)
    edit = advance(edit)
    assert (edit.state, edit.failure_code, balance_and_held(edit)) == ("FAILED", "engine_failed", (400, 0))


def test_a_broken_result_is_logged_even_if_another_result_is_unavailable(
    alice: User,
    engine: ScriptedEngine,
    submitted: Submit,
    advance: Advance,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken_and_dead(request: Any) -> Any:
        (request.work_dir / "junk").write_bytes(b"no picture")
        raise ProviderError("result_unavailable", "Gone.", partial_results={2: request.work_dir / "junk"})

    engine.on_collect = broken_and_dead
    edit = advance(submitted(alice, outputs=2), times=3)
    assert edit.failure_code == "result_unavailable"
    assert f"Edit {edit.id}: result 2 is not an image" in caplog.text


def test_stored_results_are_not_collected_again(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    calls: list[frozenset[int]] = []

    def the_rest(request: Any) -> list[Any]:
        calls.append(request.kept)
        (request.work_dir / "rest").write_bytes(cast.photo_bytes())
        return [request.work_dir / "rest"]

    engine.on_collect = the_rest
    edit = advance(keep(advance(submitted(alice, outputs=2), times=2), 2))
    assert (edit.state, calls) == ("SUCCESS", [frozenset({2})])


type Commit = Callable[..., AbstractContextManager[Any]]


def files_of(edit: Edit) -> list[Path]:
    return [
        cast.path_of(result, size)
        for result in ResultPhoto._base_manager.filter(edit=edit)
        for size in ("original", "360", "800")
    ]


def keeping(advance: Advance, edit: Edit) -> Edit:
    """Advance the edit, and store three of its four results without ending it."""
    return keep(advance(edit, times=2), 1, 2, 3)


def assert_nothing_is_left(edit: Edit, files: list[Path]) -> None:
    edit.refresh_from_db()
    assert (edit.state, balance_and_held(edit)) == ("CANCELLED", (400, 0))
    assert not ResultPhoto._base_manager.exists()
    assert not [path for path in files if path.exists()]
    assert cast.path_of(edit.references.get()).exists()


CANCELS: dict[str, Callable[[User, Edit], object]] = {
    "its owner": lambda alice, edit: lifecycle.cancel(cast.actor_of(alice), edit),
    "a program": lambda alice, edit: lifecycle.cancel(cast.actor_of(alice, entry_point="api"), edit),
    "an administrator": lambda alice, edit: lifecycle.cancel(
        access.reviewer_actor(cast.make_staff(), alice.personal_workspace), edit, reason="Abuse"
    ),
    "a restored backup": lambda alice, edit: lifecycle.finish(
        edit, Edit.State.CANCELLED, code="cancelled", message=lifecycle.CANCELLED
    ),
}


@pytest.mark.parametrize("cancel", CANCELS)
def test_a_cancelled_edit_keeps_none_of_the_results_that_were_stored(
    alice: User,
    engine: ScriptedEngine,
    submitted: Submit,
    advance: Advance,
    django_capture_on_commit_callbacks: Commit,
    cancel: str,
) -> None:
    edit = keeping(advance, submitted(alice, outputs=4))
    files = files_of(edit)
    assert len(files) == 9
    assert all(path.exists() for path in files)
    with django_capture_on_commit_callbacks(execute=True):
        assert CANCELS[cancel](alice, edit)
    assert_nothing_is_left(edit, files)
    assert invariants.find_violations() == []


def test_a_closed_account_keeps_no_results_that_were_stored(
    alice: User,
    engine: ScriptedEngine,
    submitted: Submit,
    advance: Advance,
    django_capture_on_commit_callbacks: Commit,
) -> None:
    edit = keeping(advance, submitted(alice, outputs=4))
    files = files_of(edit)
    with django_capture_on_commit_callbacks(execute=True):
        closing.close_account(alice)
    edit.refresh_from_db()
    assert (edit.state, ResultPhoto._base_manager.count()) == ("CANCELLED", 0)
    assert not [path for path in files if path.exists()]


def test_cancelling_the_rest_of_a_batch_deletes_its_stored_results(
    alice: User, engine: ScriptedEngine, advance: Advance
) -> None:
    actor = cast.actor_of(alice)
    order = batches.Order(prompt="black and white", drafts=[cast.make_draft(alice)])
    batch = cast.submit_batch(actor, order, agreed=40)
    edit = batch.edits.get()
    Edit.objects.filter(pk=edit.pk).update(state="STORING")
    ResultPhoto.objects.create(edit=edit, position=1, **cast.photo_facts())
    assert batches.cancel_rest(actor, batch) == 1
    assert not ResultPhoto._base_manager.exists()


def test_a_worker_stores_no_more_results_after_its_edit_is_cancelled(
    alice: User,
    engine: ScriptedEngine,
    submitted: Submit,
    advance: Advance,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Commit,
) -> None:
    edit = advance(submitted(alice, outputs=4), times=2)
    kept: list[Path] = []

    def cancel_after_the_third(point: str) -> None:
        if point == "storing.row_written" and len(results.stored_positions(edit)) == 3:
            kept.extend(files_of(edit))
            assert lifecycle.cancel(cast.actor_of(alice), Edit.objects.get(pk=edit.pk))

    monkeypatch.setattr(results, "crash_point", cancel_after_the_third)
    with django_capture_on_commit_callbacks(execute=True):
        advance(edit)
    assert len(kept) == 9
    assert_nothing_is_left(edit, kept)


def test_files_left_by_a_crash_after_a_cancel_are_removed_as_orphans(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    """The transaction is never committed in this test, so its callbacks do not run.

    A crash has the same effect.
    """
    edit = keeping(advance, submitted(alice, outputs=4))
    files = files_of(edit)
    lifecycle.cancel(cast.actor_of(alice), edit)
    assert all(path.exists() for path in files)
    two_hours_ago = time.time() - 2 * photos.ORPHAN_SECONDS
    for path in settings.PHOTOS_DIR.glob("*/*"):
        os.utime(path, (two_hours_ago, two_hours_ago))
    photos.remove_orphans()
    assert_nothing_is_left(edit, files)
    assert invariants.find_violations() == []


def test_results_of_an_open_edit_are_hidden_but_are_not_removed_as_orphans(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = keeping(advance, submitted(alice, outputs=4))
    two_hours_ago = time.time() - 2 * photos.ORPHAN_SECONDS
    for path in settings.PHOTOS_DIR.glob("*/*"):
        os.utime(path, (two_hours_ago, two_hours_ago))
    photos.remove_orphans()
    assert all(path.exists() for path in files_of(edit))
    assert {result.key for result in ResultPhoto._base_manager.all()} < set(photos.stored_keys())
    assert (invariants.find_violations(), edit.results.count()) == ([], 0)


def continued(result: ResultPhoto, user: User) -> tuple[DraftPhoto, Edit]:
    """Create a draft and an edit that continue a result.

    Earlier releases allowed this while the result was still being stored.
    """
    copy = cast.make_draft(user)
    DraftPhoto.objects.filter(pk=copy.pk).update(parent=result)
    return copy, cast.make_edit(user, parent=result)


def test_an_edit_can_be_cancelled_even_if_another_edit_continues_its_result(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = keeping(advance, submitted(alice, outputs=4))
    draft, later = continued(ResultPhoto._base_manager.earliest("position"), alice)
    assert lifecycle.cancel(cast.actor_of(alice), edit)
    for row in (draft, later):
        row.refresh_from_db()
        assert row.parent is None
    assert not ResultPhoto._base_manager.filter(edit=edit).exists()


def cancelled_by_an_earlier_release(user: User) -> Edit:
    """Create a cancelled edit whose result still exists, as in a database from an earlier release."""
    upload = cast.photo_file()
    facts = photos.store_uploaded(upload, "a.jpg")
    facts = {name: facts[name] for name in ResultPhoto.FILE_FIELDS if name in facts}
    edit = cast.make_edit(user, state="STORING", results=[facts])
    lifecycle_left_them = {"state": "CANCELLED", "finished": timezone.now(), "failure_code": "cancelled"}
    Edit.objects.filter(pk=edit.pk).update(**lifecycle_left_them)
    return edit


def test_results_of_cancelled_edits_from_an_earlier_release_are_removed(alice: User, team: Workspace) -> None:
    left, storing = cancelled_by_an_earlier_release(alice), cast.make_edit(alice, state="STORING", results=1)
    cast.make_edit(alice, state="FAILED", failure_code="incomplete", outputs=2, results=1)
    cast.make_edit(alice)
    files = files_of(left)
    continued(ResultPhoto._base_manager.get(edit=left), alice)
    assert [path.exists() for path in files] == [True] * 3
    assert [results.remove_all_unpaid() for _ in range(2)] == [1, 0]
    assert [path.exists() for path in files] == [False] * 3
    assert not ResultPhoto._base_manager.filter(edit=left).exists()
    assert ResultPhoto._base_manager.filter(edit=storing).exists()
    assert ResultPhoto._base_manager.count() == 4
