"""Results that are kept before the edit ends: what they make of its end, and that they come but once."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from editor.models import Edit, ResultPhoto, User
from editor.providers.contract import ProviderError
from editor.services import lifecycle, photos
from tests import cast
from tests.scripted_engine import ScriptedEngine
from tests.services.test_lifecycle import Advance, Submit, purse

pytestmark = pytest.mark.django_db
LATE = {"deadline": datetime(2026, 1, 1, tzinfo=UTC)}
CRASHING = {"attempts": 9}


def keep(edit: Edit, *positions: int) -> Edit:
    """Stores these results, as a worker does that dies before it ends the edit."""
    for position in positions:
        path = photos.work_folder_of(edit) / f"another-{position}"
        path.write_bytes(cast.photo_bytes())
        ResultPhoto.objects.create(edit=edit, position=position, **photos.keep_result(edit, position, path))
    return edit


@pytest.mark.parametrize("columns", [LATE, CRASHING], ids=["late", "crashing"])
def test_when_all_results_are_kept_it_is_a_success_charged_once_whatever_became_of_the_worker(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance, columns: dict[str, Any]
) -> None:
    edit = keep(advance(submitted(alice, outputs=2), times=2), 1, 2)
    Edit.objects.filter(id=edit.id).update(**columns)
    for _ in range(2):
        edit = advance(edit)
        assert (edit.state, edit.failure_code, edit.failure_message) == ("SUCCESS", "", "")
        assert (edit.progress, purse(edit)) == (100, (360, 0))
    assert list(edit.credit_entries.order_by("id").values_list("kind", flat=True)) == ["hold", "capture"]
    assert "collect" not in engine.calls


@pytest.mark.parametrize("columns", [LATE, CRASHING], ids=["late", "crashing"])
def test_when_some_results_are_kept_the_missing_ones_are_named_and_nothing_is_charged(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance, columns: dict[str, Any]
) -> None:
    edit = keep(advance(submitted(alice, outputs=3), times=2), 2)
    Edit.objects.filter(id=edit.id).update(**columns)
    edit = advance(edit)
    assert (edit.state, edit.failure_code) == ("FAILED", "incomplete")
    assert edit.failure_message == "Results 1, 3 of 3 are missing. Here is what came; you were not charged."
    assert purse(edit) == (400, 0)


def test_the_sweep_ends_a_late_edit_whose_results_are_all_kept_as_a_success(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = keep(advance(submitted(alice), times=2), 1)
    Edit.objects.filter(id=edit.id).update(**LATE)
    assert [lifecycle.sweep() for _ in range(2)] == [1, 0]
    edit.refresh_from_db()
    assert (edit.state, purse(edit)) == ("SUCCESS", (360, 0))


def test_a_late_edit_whose_worker_died_while_it_stored_has_its_time_again(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = advance(submitted(alice), times=2)
    past = timezone.now() - timedelta(seconds=1)
    Edit.objects.update(lease_until=past, deadline=past, attempts=1, due=past)
    assert lifecycle.sweep() == 1
    edit.refresh_from_db()
    assert edit.state == "STORING", "it is woken, not ended"
    assert (advance(edit).state, purse(edit)) == ("SUCCESS", (360, 0))


def test_an_edit_that_ends_three_workers_while_it_is_stored_has_no_more_time(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = advance(submitted(alice), times=2)
    past = timezone.now() - timedelta(seconds=1)
    Edit.objects.update(lease_until=past, deadline=past, attempts=3)
    edit = advance(edit)
    assert (edit.state, edit.failure_code, purse(edit)) == ("FAILED", "engine_failed", (400, 0))


def test_a_broken_result_beside_one_that_does_not_come_is_told_to_the_operator(
    alice: User,
    engine: ScriptedEngine,
    submitted: Submit,
    advance: Advance,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken_and_dead(request: Any) -> Any:
        (request.work_dir / "junk").write_bytes(b"no picture")
        raise ProviderError("result_unavailable", "Gone.", came={2: request.work_dir / "junk"})

    engine.on_collect = broken_and_dead
    edit = advance(submitted(alice, outputs=2), times=3)
    assert edit.failure_code == "result_unavailable"
    assert f"Edit {edit.id}: result 2 is no picture" in caplog.text


def test_what_is_kept_is_not_asked_for_again(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    asked: list[frozenset[int]] = []

    def the_rest(request: Any) -> list[Any]:
        asked.append(request.kept)
        (request.work_dir / "rest").write_bytes(cast.photo_bytes())
        return [request.work_dir / "rest"]

    engine.on_collect = the_rest
    edit = advance(keep(advance(submitted(alice, outputs=2), times=2), 2))
    assert (edit.state, asked) == ("SUCCESS", [frozenset({2})])
