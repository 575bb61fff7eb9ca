"""Tests for every stage of an edit and every kind of engine response."""

import errno
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from PIL import Image

from editor.engine.plan import Refusal
from editor.imaging.errors import SandboxError
from editor.models import Edit, ProviderHealth, User, Workspace
from editor.providers.contract import Fault, ProviderError, Ticket, Update
from editor.services.billing import credits
from editor.services.core.errors import Forbidden
from editor.services.editing import health, leases, lifecycle
from editor.services.editing.refusals import refusals_of
from editor.services.photos import photos
from tests import cast, clock
from tests.engines import row_of
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db
type Submit = Callable[..., Edit]
type Advance = Callable[..., Edit]


def balance_and_held(edit: Edit) -> tuple[int, int]:
    workspace = Workspace.objects.get(id=edit.workspace_id)
    cast.assert_ledger_balances(workspace)
    return workspace.balance, workspace.held


def raising(error: Exception) -> Callable[[Any], Any]:
    def answer(request: Any) -> Any:
        raise error

    return answer


def test_it_works_from_submit_to_success(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = submitted(alice, outputs=2)
    states = [(edit.state, balance_and_held(edit))]
    for _ in range(3):
        edit = advance(edit)
        states.append((edit.state, balance_and_held(edit)))
    assert states == [
        ("QUEUED", (400, 40)),
        ("RUNNING", (400, 40)),
        ("STORING", (400, 40)),
        ("SUCCESS", (360, 0)),
    ]
    assert engine.calls == ["submit", "poll", "collect"]
    assert [result.position for result in edit.results.all()] == [1, 2]
    for result in edit.results.all():
        assert photos.sha256_of(result) == result.sha256
        assert cast.path_of(result, "360").is_file()
        assert cast.path_of(result, "800").is_file()
    assert (edit.progress, edit.lease_until) == (100, None)
    assert edit.finished is not None


def test_the_embedded_engine_really_edits_the_photo(alice: User, submitted: Submit, advance: Advance) -> None:
    red = cast.photo_bytes(200, 100, color="red")
    edit = advance(submitted(alice, "make it black and white", photo=red), times=3)
    assert edit.state == "SUCCESS", edit.failure_message
    result = edit.results.get()
    assert (result.width, result.height, result.media_type) == (200, 100, "image/png")
    with photos.open_photo(result, "original", by=None) as file:
        pixel = Image.open(file).convert("RGB").getpixel((50, 50))
    assert isinstance(pixel, tuple)
    assert pixel[0] == pixel[1] == pixel[2]


def test_every_visible_change_raises_the_revision(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = submitted(alice)
    revisions = [edit.revision]
    for _ in range(3):
        revisions.append(advance(edit).revision)
    assert revisions == sorted(set(revisions))


def test_a_running_engine_is_polled_again_later(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    engine.on_poll = lambda request: Update(state="running", poll_after=5)
    edit = advance(submitted(alice))
    with clock.at(timezone.now(), tick=False):
        edit = advance(edit)
        assert edit.state == "RUNNING"
        assert timedelta(seconds=3) < edit.due - timezone.now() <= timedelta(seconds=5)
        lifecycle.advance.call(str(edit.id))
    assert engine.calls == ["submit", "poll"]


@pytest.mark.parametrize(
    ("stage", "answer", "code"),
    [
        ("on_submit", raising(ProviderError("rejected", "Too rude.")), "rejected"),
        ("on_submit", raising(ProviderError("unconfirmed", "Who knows?")), "unconfirmed"),
        ("on_poll", raising(ProviderError("timeout", "Too slow.")), "timeout"),
        ("on_poll", lambda request: Update(state="failed", message="No."), "engine_failed"),
        ("on_collect", raising(ProviderError("result_unavailable", "Gone.")), "result_unavailable"),
    ],
)
def test_a_failure_has_a_code_and_a_message_and_is_not_charged(
    alice: User,
    engine: ScriptedEngine,
    submitted: Submit,
    advance: Advance,
    stage: str,
    answer: Any,
    code: str,
) -> None:
    setattr(engine, stage, answer)
    edit = advance(submitted(alice), times=3)
    assert (edit.state, edit.failure_code) == ("FAILED", code)
    assert edit.failure_message
    assert balance_and_held(edit) == (400, 0)


def test_a_refusal_by_the_engine_is_stored_with_its_suggestions(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    way = {"kind": "box", "text": "remove the dog"}
    refused = {"words": "remove the dog", "reason": "no_such_target", "hint": "Draw a box.", "ways": [way]}
    engine.on_poll = raising(ProviderError("rejected", "I can't find the dog.", refusals=[refused]))
    edit = advance(submitted(alice), times=3)
    assert (edit.state, edit.failure_message) == ("FAILED", "I can't find the dog.")
    assert refusals_of(edit) == (Refusal.from_json(refused),)
    assert edit.plan is None or "steps" in edit.plan or set(edit.plan) == {"refused"}
    assert balance_and_held(edit) == (400, 0)


def test_a_result_that_is_not_a_photo_is_neither_stored_nor_charged(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    def junk(request: Any) -> list[Any]:
        (request.work_dir / "junk").write_bytes(b"<html>502 Bad Gateway</html>")
        return [request.work_dir / "junk"]

    engine.on_collect = junk
    edit = advance(submitted(alice), times=2 + settings.CRASHES_ALLOWED)
    assert (edit.state, edit.failure_code, edit.results.count()) == ("FAILED", "result_invalid", 0)
    assert balance_and_held(edit) == (400, 0)


@pytest.mark.parametrize("error", [PermissionError(13, "not ours"), SandboxError("crashed", "It failed.")])
def test_the_built_in_engine_runs_again_if_its_result_could_not_be_stored(
    alice: User, submitted: Submit, advance: Advance, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    store, failures = photos.store_result, [error]

    def fails_once(*arguments: Any, **more: Any) -> Any:
        if failures:
            raise failures.pop()
        return store(*arguments, **more)

    monkeypatch.setattr(photos, "store_result", fails_once)
    edit = advance(submitted(alice), times=3)
    assert (edit.state, edit.attempts, edit.lease_until) == ("STORING", 1, None)
    edit = advance(edit)
    assert (edit.state, edit.results.count()) == ("SUCCESS", 1)
    assert balance_and_held(edit) == (360, 0)


def test_the_built_in_engine_runs_again_if_its_result_is_damaged(
    alice: User, submitted: Submit, advance: Advance
) -> None:
    edit = advance(submitted(alice), times=2)
    path = Path(edit.arrivals[0]["path"])
    path.write_bytes(path.read_bytes()[:50])
    edit = advance(edit)
    assert (edit.state, edit.attempts) == ("STORING", 1)
    edit = advance(edit)
    assert (edit.state, edit.results.count()) == ("SUCCESS", 1)
    assert balance_and_held(edit) == (360, 0)


@pytest.mark.parametrize(
    ("error", "times"), [(PermissionError(13, "not ours"), 3), (OSError(errno.ENOSPC, "full"), 1)]
)
def test_a_result_that_can_never_be_stored_fails_the_edit_without_a_charge(
    alice: User,
    submitted: Submit,
    advance: Advance,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    times: int,
) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(photos, "store_result", fails)
    edit = advance(submitted(alice), times=1 + times)
    assert edit.state == "STORING"
    edit = advance(edit)
    assert (edit.state, edit.failure_code) == ("FAILED", "storage")
    assert balance_and_held(edit) == (400, 0)


def test_intact_results_are_kept_without_a_charge_if_others_are_broken(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    def half(request: Any) -> list[Any]:
        (request.work_dir / "whole").write_bytes(cast.photo_bytes())
        (request.work_dir / "junk").write_bytes(cast.photo_bytes(400, 300)[:700])
        return [request.work_dir / "whole", request.work_dir / "junk"]

    engine.on_collect = half
    edit = advance(submitted(alice, outputs=2), times=2 + settings.CRASHES_ALLOWED)
    assert (edit.state, edit.failure_code, edit.results.count()) == ("FAILED", "incomplete", 1)
    assert balance_and_held(edit) == (400, 0)


def test_received_results_are_kept_and_the_missing_one_is_named(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    def second_is_dead(request: Any) -> Any:
        came = {number: request.work_dir / f"{request.token}-{number}" for number in (1, 3)}
        for path in came.values():
            path.write_bytes(cast.photo_bytes())
        raise ProviderError("result_unavailable", "Gone.", retry_after=1, partial_results=came)

    engine.on_collect = second_is_dead
    edit = submitted(alice, outputs=3)
    for _ in range(2 + lifecycle.MAX_ATTEMPTS):
        assert edit.is_open
        Edit.objects.filter(id=edit.id).update(due=timezone.now())
        edit = advance(edit)
    assert engine.calls.count("collect") == lifecycle.MAX_ATTEMPTS
    assert (edit.state, edit.failure_code) == ("FAILED", "incomplete")
    assert (
        edit.failure_message
        == "Result 2 of 3 is missing. You can keep the other results. You were not charged."
    )
    assert [result.position for result in edit.results.all()] == [1, 3]
    assert balance_and_held(edit) == (400, 0)


def test_a_result_that_arrives_on_the_second_attempt_completes_the_edit(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    def first_alone(request: Any) -> Any:
        path = request.work_dir / f"{request.token}-1"
        path.write_bytes(cast.photo_bytes())
        engine.on_collect = None
        raise ProviderError("result_unavailable", "Gone.", retry_after=0, partial_results={1: path})

    engine.on_collect = first_alone
    edit = advance(submitted(alice, outputs=2), times=4)
    assert (edit.state, edit.results.count()) == ("SUCCESS", 2)
    assert balance_and_held(edit) == (360, 0)


def test_results_after_a_broken_one_are_still_stored(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    def broken_first(request: Any) -> list[Any]:
        (request.work_dir / "junk").write_bytes(b"no picture")
        (request.work_dir / "whole").write_bytes(cast.photo_bytes())
        return [request.work_dir / "junk", request.work_dir / "whole"]

    engine.on_collect = broken_first
    edit = advance(submitted(alice, outputs=2), times=2 + settings.CRASHES_ALLOWED)
    assert (edit.failure_code, [result.position for result in edit.results.all()]) == ("incomplete", [2])


def test_an_edit_found_in_sending_fails_as_unconfirmed_and_is_not_sent_again(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = submitted(alice)
    Edit.objects.filter(id=edit.id).update(state="SENDING")
    edit = advance(edit)
    assert (edit.state, edit.failure_code, engine.calls) == ("FAILED", "unconfirmed", [])
    assert "You were not charged" in edit.failure_message
    assert balance_and_held(edit) == (400, 0)


def test_an_edit_found_in_sending_is_sent_again_if_the_engine_allows_it(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    engine.idempotent_submit = True
    edit = submitted(alice)
    Edit.objects.filter(id=edit.id).update(state="SENDING")
    assert advance(edit).state == "RUNNING"


def test_the_third_crash_in_one_stage_ends_the_edit(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    engine.on_poll = raising(RuntimeError("a bug of ours"))
    edit = advance(submitted(alice), times=4)
    assert (edit.state, edit.attempts) == ("RUNNING", 3)
    edit = advance(edit)
    assert (edit.state, edit.failure_code) == ("FAILED", "engine_failed")
    assert engine.calls.count("poll") == 3
    assert balance_and_held(edit) == (400, 0)


def test_an_edit_that_is_retried_later_keeps_its_hold_and_its_state(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    engine.on_poll = raising(ProviderError("engine_unavailable", "Busy.", retry_after=30))
    edit, before = advance(submitted(alice)), timezone.now()
    edit = advance(edit)
    assert (edit.state, edit.lease_until) == ("RUNNING", None)
    assert edit.due - before > timedelta(seconds=25)
    assert balance_and_held(edit) == (400, 40)


@pytest.mark.parametrize("stages", [0, 1, 2])
def test_an_edit_past_its_deadline_fails_without_a_charge_in_any_state(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance, stages: int
) -> None:
    edit = submitted(alice)
    edit = advance(edit, times=stages) if stages else edit
    Edit.objects.filter(id=edit.id).update(deadline=timezone.now() - timedelta(seconds=1))
    edit = advance(edit)
    assert (edit.state, edit.failure_code) == ("FAILED", "timeout")
    assert balance_and_held(edit) == (400, 0)


@pytest.mark.parametrize("stages", [0, 1, 2])
def test_cancel_frees_the_hold_in_any_open_state(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance, stages: int
) -> None:
    edit = submitted(alice)
    edit = advance(edit, times=stages) if stages else edit
    assert lifecycle.cancel(cast.actor_of(alice), edit) is True
    assert lifecycle.cancel(cast.actor_of(alice), edit) is False
    edit.refresh_from_db()
    assert (edit.state, edit.failure_code) == ("CANCELLED", "cancelled")
    assert balance_and_held(edit) == (400, 0)
    assert advance(edit).state == "CANCELLED"


def test_cancel_after_success_changes_nothing(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = advance(submitted(alice), times=3)
    assert lifecycle.cancel(cast.actor_of(alice), edit) is False
    edit.refresh_from_db()
    assert edit.state == "SUCCESS"
    assert balance_and_held(edit) == (360, 0)


def test_a_viewer_may_not_cancel(viewer: User, team: Workspace, alice: User) -> None:
    edit = cast.make_edit(alice, workspace=team, state="RUNNING")
    with pytest.raises(Forbidden):
        lifecycle.cancel(cast.actor_of(viewer, team), edit)
    edit.refresh_from_db()
    assert edit.state == "RUNNING"


def test_a_cancel_while_the_engine_works_is_final(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    def cancelled_meanwhile(request: Any) -> Update:
        lifecycle.cancel(cast.actor_of(alice), Edit.objects.get(id=request.edit_id))
        return Update(state="succeeded", arrivals=({"n": 0},))

    engine.on_poll = cancelled_meanwhile
    edit = advance(submitted(alice), times=3)
    assert (edit.state, edit.results.count()) == ("CANCELLED", 0)
    assert balance_and_held(edit) == (400, 0)


def test_a_worker_that_slept_and_wakes_changes_nothing(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = advance(submitted(alice))
    asleep = leases.claim(edit.id)
    assert asleep is not None
    Edit.objects.filter(id=edit.id).update(lease_until=timezone.now() - timedelta(seconds=1))
    edit = advance(edit, times=2)
    assert edit.state == "SUCCESS"
    with pytest.raises(leases.LeaseLost):
        leases.update_leased(asleep, state="STORING")
    assert lifecycle.finish(asleep, Edit.State.FAILED, code="timeout") is False
    assert Edit.objects.get(id=edit.id).state == "SUCCESS"
    assert balance_and_held(edit) == (360, 0)


def test_an_edit_with_a_lease_cannot_be_claimed(
    alice: User, engine: ScriptedEngine, submitted: Submit
) -> None:
    edit = submitted(alice)
    assert leases.claim(edit.id) is not None
    assert leases.claim(edit.id) is None


def test_an_edit_that_is_not_due_is_not_claimed(
    alice: User, engine: ScriptedEngine, submitted: Submit
) -> None:
    edit = submitted(alice)
    Edit.objects.filter(id=edit.id).update(due=timezone.now() + timedelta(seconds=30))
    assert leases.claim(edit.id) is None


def test_only_a_limited_number_of_an_owners_edits_run_at_a_time(
    alice: User, charlie: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edits = [submitted(alice) for _ in range(3)]
    other = submitted(charlie)
    for edit in edits:  # one wake-up per edit, and a second one for the third edit
        advance(edit)
    before = timezone.now()
    advance(edits[2])
    states = [Edit.objects.get(id=edit.id).state for edit in [*edits, other]]
    assert states == ["RUNNING", "RUNNING", "QUEUED", "RUNNING"]
    waiting = Edit.objects.get(id=edits[2].id)
    assert waiting.due > before
    assert waiting.attempts == 0
    advance(edits[0], times=2)
    waiting.refresh_from_db()
    assert waiting.due <= timezone.now()
    assert advance(waiting).state == "RUNNING"


def test_the_sweep_wakes_due_edits_without_a_valid_lease(alice: User) -> None:
    past, future = timezone.now() - timedelta(seconds=1), timezone.now() + timedelta(minutes=1)
    cast.make_edit(alice, state="QUEUED", due=past)
    cast.make_edit(alice, state="RUNNING", due=past, lease_until=past)
    cast.make_edit(alice, state="RUNNING", due=past, lease_until=future)
    cast.make_edit(alice, state="RUNNING", due=future)
    cast.make_edit(alice, state="SUCCESS", due=past)
    assert lifecycle.sweep() == 2


def test_the_sweep_wakes_an_edit_past_its_deadline_although_it_is_not_due(alice: User) -> None:
    past, future = timezone.now() - timedelta(seconds=1), timezone.now() + timedelta(minutes=1)
    edit = cast.make_edit(alice, state="RUNNING", due=future, deadline=past)
    assert lifecycle.sweep() == 1
    lifecycle.advance.call(str(edit.id))
    edit.refresh_from_db()
    assert edit.failure_code == "timeout"


def test_an_edit_is_charged_at_its_submit_price_even_if_the_plan_changes(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = submitted(alice)
    Workspace.objects.filter(id=edit.workspace_id).update(plan="pro")
    assert advance(edit, times=3).state == "SUCCESS"
    assert balance_and_held(edit) == (360, 0)


def test_the_engines_ticket_is_stored_completely(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    engine.on_submit = lambda request: Ticket(task_id="abc", details={"queue": 7})
    edit = advance(submitted(alice))
    assert edit.ticket == {"task_id": "abc", "details": {"queue": 7}}


def test_an_edit_cannot_be_settled_twice(alice: User) -> None:
    edit = cast.make_edit(alice, state="SUCCESS")
    with pytest.raises(IntegrityError):
        credits.settle(edit, captured=False)


@pytest.mark.parametrize(("requested", "came", "code"), [(1, 0, "result_unavailable"), (3, 1, "incomplete")])
def test_fewer_results_than_were_asked_for_are_never_charged(
    alice: User,
    engine: ScriptedEngine,
    submitted: Submit,
    advance: Advance,
    requested: int,
    came: int,
    code: str,
) -> None:
    engine.on_poll = lambda request: Update(state="succeeded", arrivals=({"n": 0},) * came)
    edit = advance(submitted(alice, outputs=requested), times=3)
    assert (edit.state, edit.failure_code, edit.results.count()) == ("FAILED", code, came)
    assert "not charged" in edit.failure_message
    assert balance_and_held(edit) == (400, 0)


def test_more_results_than_were_asked_for_are_left_out(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    engine.on_poll = lambda request: Update(state="succeeded", arrivals=({"n": 0},) * 3)
    edit = advance(submitted(alice, outputs=2), times=3)
    assert (edit.state, edit.results.count()) == ("SUCCESS", 2)


def test_edits_that_end_together_wake_the_same_number_of_waiting_edits(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edits = [submitted(alice) for _ in range(4)]
    for edit in edits:
        advance(edit)
    waiting = [Edit.objects.get(id=edit.id) for edit in edits[2:]]
    assert [edit.state for edit in waiting] == ["QUEUED", "QUEUED"]
    lifecycle.finish(Edit.objects.get(id=edits[0].id), Edit.State.FAILED, code="timeout")
    lifecycle.finish(Edit.objects.get(id=edits[1].id), Edit.State.FAILED, code="timeout")
    now = timezone.now()
    assert all(Edit.objects.get(id=edit.id).due <= now for edit in waiting)


def test_an_edit_that_was_put_off_for_another_reason_is_not_woken_early(
    alice: User, engine: ScriptedEngine
) -> None:
    later = timezone.now() + timedelta(minutes=10)
    put_off = cast.make_edit(alice, state="QUEUED", due=later, attempts=1)
    running = cast.make_edit(alice, state="RUNNING")
    lifecycle.finish(running, Edit.State.FAILED, code="timeout")
    put_off.refresh_from_db()
    assert put_off.due == later


def test_the_sweep_ends_late_edits_without_a_worker(alice: User) -> None:
    past = timezone.now() - timedelta(seconds=1)
    edit = cast.make_edit(alice, state="RUNNING", due=past, deadline=past)
    assert lifecycle.sweep() == 1
    edit.refresh_from_db()
    assert (edit.state, edit.failure_code) == ("FAILED", "timeout")
    assert balance_and_held(edit) == (400, 0)


def test_the_sweep_also_ends_a_late_edit_that_waits_for_a_slot(alice: User) -> None:
    past = timezone.now() - timedelta(seconds=1)
    for _ in range(2):
        cast.make_edit(alice, state="RUNNING", due=timezone.now() + timedelta(minutes=1))
    waiting = cast.make_edit(alice, state="QUEUED", due=past, deadline=past)
    lifecycle.sweep()
    waiting.refresh_from_db()
    assert (waiting.state, waiting.failure_code) == ("FAILED", "timeout")
    assert balance_and_held(waiting) == (400, 80)


def test_the_sweep_wakes_a_limited_number_of_edits_longest_due_first(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "EDITS_PER_SWEEP", 2)
    woken: list[Any] = []
    monkeypatch.setattr(lifecycle, "wake", lambda edit, **_: woken.append(edit.id))
    now = timezone.now()
    edits = [cast.make_edit(alice, state="RUNNING", due=now - timedelta(seconds=n)) for n in (1, 9, 5)]
    assert lifecycle.sweep() == 2
    assert woken == [edits[1].id, edits[2].id]


@pytest.mark.django_db(transaction=True)
def test_the_next_stage_of_a_started_edit_is_queued_before_new_edits(
    alice: User, charlie: User, engine: ScriptedEngine, submitted: Submit
) -> None:
    first, second = submitted(alice), submitted(charlie)
    lifecycle.advance.call(str(first.id))
    queued = DBTaskResult.objects.ready().values_list("args_kwargs", flat=True)
    order = [task["args"][0] for task in queued]
    assert order.index(str(second.id)) > 0
    assert order[0] == str(first.id)


def at_another_site(edit: Edit) -> Edit:
    Edit.objects.filter(id=edit.id).update(engine=row_of("photo-editor", "https://photos.example.org"))
    return edit


def test_an_edit_that_cannot_be_sent_stays_queued_and_fails_after_four_attempts(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    engine.on_submit = raising(ProviderError("engine_unavailable", "Not reached.", retry_after=5))
    edit = submitted(alice)
    seen = []
    for _ in range(4):
        edit = advance(edit)
        seen.append((edit.state, edit.attempts))
    assert seen == [("QUEUED", 0), ("QUEUED", 0), ("QUEUED", 0), ("FAILED", 1)]
    assert (engine.calls.count("submit"), edit.failure_message) == (4, "Not reached.")
    assert balance_and_held(edit) == (400, 0)


def test_tries_are_counted_separately_in_each_stage(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    answers = [ProviderError("engine_unavailable", "Not reached.", retry_after=5)] * 3
    usual = engine.on_submit
    engine.on_submit = lambda request: raising(answers.pop())(request) if answers else usual(request)
    edit = advance(submitted(alice), times=4)
    assert (edit.state, edit.put_offs) == ("RUNNING", 0)


def test_an_edit_waits_until_its_deadline_while_its_engine_is_failing(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    wrong_key = ProviderError("engine_unavailable", "Not now.", fault=Fault.OPERATOR, detail="401")
    engine.on_submit = raising(wrong_key)
    first, second = (at_another_site(submitted(alice)) for _ in range(2))
    before = timezone.now()
    advance(first)
    edit = advance(second)
    assert (edit.state, engine.calls.count("submit"), balance_and_held(edit)) == ("QUEUED", 1, (400, 40))
    assert edit.due - before > timedelta(seconds=20)
    waits = edit.deadline - timezone.now()
    assert timedelta(minutes=14) < waits <= timedelta(minutes=15)
    Edit.objects.filter(id=edit.id).update(deadline=timezone.now())
    edit = advance(edit)
    assert (edit.failure_code, balance_and_held(edit)) == ("engine_unavailable", (400, 0))


def test_trouble_while_polling_counts_against_the_engine_but_not_the_edit(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    engine.on_poll = lambda request: Update("running", trouble="It answered 502.")
    edit = advance(at_another_site(submitted(alice)), times=4)
    assert (edit.state, edit.attempts) == ("RUNNING", 0)
    assert ProviderHealth.objects.get().failures == 3
    engine.on_poll = lambda request: Update("running")
    advance(edit)
    assert ProviderHealth.objects.get().failures == 0


def test_a_refused_status_request_for_one_edit_closes_the_breaker(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    engine.on_poll = lambda request: Update("running", trouble="It answered 502.")
    edit = advance(at_another_site(submitted(alice)), times=2 + health.FAILURES_IN_A_ROW)
    assert ProviderHealth.objects.get().times_opened == 1
    engine.on_poll = lambda request: Update("running", trouble="It answered 410.", fault=Fault.REQUEST)
    with clock.at(timezone.now() + timedelta(seconds=40)):
        advance(edit)
        sent = advance(at_another_site(submitted(alice)), times=2)
    assert (sent.state, ProviderHealth.objects.get().times_opened) == ("RUNNING", 0)


def test_a_new_ticket_from_a_poll_is_stored(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    engine.on_poll = lambda request: Update("running", ticket=Ticket("task-7", {"not_found": 1}))
    edit = advance(submitted(alice), times=2)
    assert edit.ticket == {"task_id": "task-7", "details": {"not_found": 1}}


def test_a_result_from_another_site_is_converted_to_the_requested_format(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = at_another_site(submitted(alice, output_format="webp"))
    edit = advance(edit, times=3)
    assert edit.state == "SUCCESS", edit.failure_message
    result, reference = edit.results.get(), edit.references.get()
    assert (result.media_type, result.sha256 == reference.sha256) == ("image/webp", False)
    with photos.open_photo(result, "original", by=None) as file:
        assert Image.open(file).format == "WEBP"
