"""Tests for an edit's lease, fencing token, and heartbeat."""

import gc
import time
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from editor.models import Batch, Edit, User
from editor.models.clock import database_now
from editor.services.editing import leases
from tests import cast, clock

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _quick_beats(settings: object) -> None:
    settings.HEARTBEAT_SECONDS = 0.1  # type: ignore[attr-defined]


@pytest.fixture
def claimed(alice: User) -> Edit:
    edit = leases.claim(cast.make_edit(alice, state="RUNNING").id)
    assert edit is not None
    return edit


def lease_of(edit: Edit) -> timedelta | None:
    lease_until = Edit.objects.get(id=edit.id).lease_until
    return None if lease_until is None else lease_until - timezone.now()


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 300
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)
    assert holds()


def test_the_heartbeat_renews_the_lease_while_a_stage_runs(claimed: Edit) -> None:
    Edit.objects.filter(id=claimed.id).update(lease_until=timezone.now() + timedelta(seconds=1))
    with leases.Heartbeat(claimed):
        wait_until(lambda: (lease_of(claimed) or timedelta()) > timedelta(seconds=10))


def test_a_stage_that_ends_before_the_first_heartbeat_opens_no_connection(
    claimed: Edit, settings: Any
) -> None:
    settings.HEARTBEAT_SECONDS = 60
    gc.freeze()
    gc.disable()
    try:
        with leases.Heartbeat(claimed):
            pass
        # The list includes objects that have not been garbage-collected yet.
        made_since = gc.get_objects()
    finally:
        gc.enable()
        gc.unfreeze()
    assert not [made for made in made_since if isinstance(made, BaseDatabaseWrapper)]


def test_a_worker_that_sleeps_after_its_claim_keeps_its_own_token(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = cast.make_edit(alice, state="RUNNING")
    others: list[Edit | None] = []

    def sleep(point: str) -> None:
        monkeypatch.undo()
        Edit.objects.filter(id=edit.id).update(lease_until=timezone.now() - timedelta(seconds=1))
        others.append(leases.claim(edit.id))

    monkeypatch.setattr(leases, "crash_point", sleep)
    ours = leases.claim(edit.id)
    assert ours is not None
    assert [other.token for other in others if other] == [ours.token + 1]
    with pytest.raises(leases.LeaseLost):
        leases.update_leased(ours, progress=50)


@pytest.mark.parametrize("taken", [{"token": 99}, {"state": "CANCELLED", "finished": timezone.now()}])
def test_work_is_stopped_when_the_edit_is_no_longer_ours(claimed: Edit, taken: dict[str, object]) -> None:
    stops: list[str] = []
    with leases.Heartbeat(claimed) as watch:
        watch.on_stop(lambda: stops.append("stopped"))
        Edit.objects.filter(id=claimed.id).update(**taken)
        wait_until(lambda: bool(stops))


def test_a_progress_report_also_stops_work_when_the_lease_is_lost(claimed: Edit, settings: object) -> None:
    settings.HEARTBEAT_SECONDS = 60  # type: ignore[attr-defined]
    stops: list[str] = []
    with leases.Heartbeat(claimed) as watch:
        watch.on_stop(lambda: stops.append("stopped"))
        Edit.objects.filter(id=claimed.id).update(token=99)
        watch.report(0.5)
    assert stops == ["stopped"]


def test_progress_is_shown_a_few_times_a_second_at_most(
    claimed: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert leases.PROGRESS_SECONDS >= 0.2
    # Even on a busy machine, all steps below take less time than this in total.
    monkeypatch.setattr(leases, "PROGRESS_SECONDS", 60)
    before = Edit.objects.get(id=claimed.id).revision
    with leases.Heartbeat(claimed) as watch:
        for step in range(50):
            watch.report(step / 50)
    after = Edit.objects.get(id=claimed.id)
    assert after.revision == before + 1


def seconds_until_recheck(edit: Edit) -> float:
    before = timezone.now()
    Edit.objects.filter(id=edit.id).update(due=before)
    with clock.at(before, tick=False):
        assert leases.claim(edit.id) is None
    edit.refresh_from_db()
    return round((edit.due - before).total_seconds())


def test_edits_further_back_in_the_queue_check_less_often_for_a_free_slot(
    alice: User, bob: User, settings: Any
) -> None:
    settings.RUNNING_PER_USER = 2
    for user in (alice, alice, bob, bob):
        cast.make_edit(user, state="RUNNING", price=1)
    line = [cast.make_edit(alice, state="QUEUED", price=1) for _ in range(22)]
    assert [seconds_until_recheck(line[place]) for place in (0, 9, 15, 20)] == [2, 2, 3, 4]
    other = cast.make_edit(bob, state="QUEUED", price=1)
    assert seconds_until_recheck(other) == 2, "of another user's edits, only as many count as may run"
    batch = Batch.objects.create(
        workspace=alice.personal_workspace, owner=alice, photos=1, price=1, submit_id=uuid4()
    )
    Edit.objects.filter(id=line[21].id).update(batch=batch, batch_position=1)
    assert seconds_until_recheck(line[21]) == leases.MAX_RECHECK_SECONDS


def test_each_ended_edit_wakes_the_next_few_waiting_edits_and_none_twice(alice: User, settings: Any) -> None:
    settings.RUNNING_PER_USER = 1000
    ended = [cast.make_edit(alice, state="FAILED", price=1) for _ in range(3)]
    for _ in range(20):
        # These edits are already due, so there is no need to make them due.
        cast.make_edit(alice, state="QUEUED", price=1)
    later = timezone.now() + timedelta(seconds=30)
    line = [cast.make_edit(alice, state="QUEUED", due=later, price=1) for _ in range(10)]
    woken = [[one.id for one in leases.make_next_due(edit)] for edit in ended]
    assert [len(some) for some in woken] == [4, 4, 2]
    assert [one for some in woken for one in some] == [edit.id for edit in line], (
        "each edit is woken once, in order"
    )


def test_the_heartbeat_does_not_renew_a_released_lease(claimed: Edit) -> None:
    with leases.Heartbeat(claimed):
        leases.finish_stage(claimed, state="STORING")
        time.sleep(0.35)
    assert lease_of(claimed) is None


def test_work_is_stopped_before_the_lease_expires_if_the_database_is_unavailable(
    claimed: Edit, settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LEASE_SECONDS, settings.HEARTBEAT_SECONDS = 12.0, 4.0  # type: ignore[attr-defined]
    clock, stops = SimpleNamespace(seconds=0.0), list[float]()
    monkeypatch.setattr(leases, "time", SimpleNamespace(monotonic=lambda: clock.seconds))
    monkeypatch.setattr(leases, "_wait_briefly_for_locks", _database_is_away)
    watch = leases.Heartbeat(claimed)
    watch.on_stop(lambda: stops.append(clock.seconds))
    for clock.seconds in (4.0, 8.0, 12.0):
        watch._renew()
    assert stops[0] == 8.0, "after the second failure, the next heartbeat would come too late"


def test_the_database_clock_is_close_to_the_machines_clock() -> None:
    before, now, after = timezone.now(), database_now(), timezone.now()
    assert before - timedelta(seconds=2) < now < after + timedelta(seconds=2)
    assert connection.vendor in ("sqlite", "postgresql")


def _database_is_away() -> None:
    raise DatabaseError("gone")


def test_the_heartbeat_comes_back_when_the_database_does(
    claimed: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    Edit.objects.filter(id=claimed.id).update(lease_until=timezone.now() + timedelta(seconds=1))
    ready = leases._wait_briefly_for_locks
    failures = iter([_database_is_away, _cut_the_connection])
    monkeypatch.setattr(leases, "_wait_briefly_for_locks", lambda: next(failures, ready)())
    with leases.Heartbeat(claimed):
        wait_until(lambda: (lease_of(claimed) or timedelta()) > timedelta(seconds=10))


def _cut_the_connection() -> None:
    """Close the connection as the database server might, so that it can no longer be used."""
    connection.ensure_connection()
    connection.connection.close()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
