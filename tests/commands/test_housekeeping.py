"""Tests that `manage.py housekeeping` runs every job on schedule, even if other jobs fail."""

import os
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.tasks import TaskResultStatus
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from editor.management.commands import housekeeping
from editor.management.commands.housekeeping import Duty, run_due
from editor.models import Housekeeper, User
from editor.services.core import audit
from editor.services.editing import lifecycle, webhooks
from editor.services.maintenance import workers
from tests.cast import make_edit


def test_the_schedule_has_the_expected_duties_and_intervals() -> None:
    prompt, telling, chaining, patient = housekeeping.duties()
    assert [(duty.every, duty.do) for duty in prompt] == [(settings.SWEEP_SECONDS, lifecycle.sweep)]
    assert [(duty.every, duty.do) for duty in telling] == [(1, webhooks.deliver_due)]
    assert [(duty.every, duty.do) for duty in chaining] == [(15, audit.extend_chain)]
    assert {duty.do.__name__: duty.every for duty in patient} == {
        "check": 300,
        "fail_crashed": 60,
        "top_up_all": 60,
        "prune_finished_tasks": 3600,
        "requeue_stranded_tasks": 3600,
        "discard_old": 3600,
        "wind_up_all": 3600,
        "delete_expired": 3600,
        "purge_deleted": 3600,
        "apply_all": 3600,
        "purge_all_due": 3600,
        "assign_engines": 60,
        "remove_all_unpaid": 3600,
        "remove_orphans": 3600,
        "make_missing_large": 3600,
        "clear_expired_sessions": 3600,
        "delete_expired_claims": 3600,
        "delete_old_rates": 3600,
        "delete_old_deliveries": 3600,
        "delete_old_addresses": 3600,
    }


@pytest.mark.django_db
def test_every_duty_runs_on_an_empty_site() -> None:
    for line in housekeeping.duties():
        for duty in line:
            duty.do()


def test_a_duty_runs_at_the_start_and_then_at_its_interval() -> None:
    runs: list[float] = []
    due = {Duty(10, lambda: runs.append(now)): 0.0}
    for now in (5.0, 14.0, 15.0, 24.0, 30.0):
        run_due(due, now)
    assert runs == [5.0, 15.0, 30.0]


def test_a_duty_that_fails_is_logged_and_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    done: list[str] = []

    def fail() -> None:
        raise OperationalError("the database is away")

    due = {Duty(10, fail): 0.0, Duty(20, lambda: done.append("other")): 0.0}
    run_due(due, 1.0)
    assert done == ["other"]
    assert sorted(due.values()) == [11.0, 21.0]
    assert "fail failed" in caplog.text
    assert "the database is away" in caplog.text


@pytest.mark.django_db
def test_finished_tasks_are_deleted_after_a_day() -> None:
    old = timezone.now() - timedelta(hours=25)
    make_task(TaskResultStatus.SUCCESSFUL, finished_at=old)
    make_task(TaskResultStatus.FAILED, finished_at=old)
    kept = [
        make_task(TaskResultStatus.SUCCESSFUL, finished_at=timezone.now()),
        make_task(TaskResultStatus.READY),
        make_task(TaskResultStatus.RUNNING, started_at=old),
    ]
    housekeeping.prune_finished_tasks()
    assert set(DBTaskResult.objects.values_list("id", flat=True)) == {task.id for task in kept}


@pytest.mark.django_db
def test_a_task_of_a_dead_worker_is_requeued_after_an_hour() -> None:
    stranded = make_task(TaskResultStatus.RUNNING, started_at=timezone.now() - timedelta(minutes=61))
    running = make_task(TaskResultStatus.RUNNING, started_at=timezone.now() - timedelta(minutes=59))
    housekeeping.requeue_stranded_tasks()
    stranded.refresh_from_db()
    running.refresh_from_db()
    assert stranded.status == TaskResultStatus.READY
    assert running.status == TaskResultStatus.RUNNING


@pytest.mark.django_db
def test_a_task_that_outlived_three_workers_is_dropped() -> None:
    old = timezone.now() - timedelta(hours=2)
    make_task(TaskResultStatus.RUNNING, started_at=old, worker_ids=["a", "b", "c"])
    housekeeping.requeue_stranded_tasks()
    assert not DBTaskResult.objects.exists()


@pytest.mark.django_db
def test_the_sweep_enqueues_an_edit_that_no_worker_holds(
    alice: User, django_capture_on_commit_callbacks: Any
) -> None:
    make_edit(alice, state="QUEUED", results=0)
    with django_capture_on_commit_callbacks(execute=True):
        housekeeping.duties()[0][0].do()
    assert DBTaskResult.objects.ready().count() == 1


@pytest.mark.django_db
def test_expired_sessions_are_cleared() -> None:
    now = timezone.now()
    Session.objects.create(session_key="old", session_data="", expire_date=now - timedelta(days=1))
    Session.objects.create(session_key="new", session_data="", expire_date=now + timedelta(days=1))
    housekeeping.clear_expired_sessions()
    assert [session.session_key for session in Session.objects.all()] == ["new"]


@pytest.mark.django_db
def test_only_one_process_holds_the_housekeeping_lease_until_release_or_expiry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert workers.acquire_housekeeping_lease("first")
    assert not workers.acquire_housekeeping_lease("second")
    assert workers.acquire_housekeeping_lease("first")
    workers.release_housekeeping_lease("second")
    assert not workers.acquire_housekeeping_lease("second")
    workers.release_housekeeping_lease("first")
    assert workers.acquire_housekeeping_lease("second")
    later = timezone.now() + timedelta(seconds=workers.HOUSEKEEPING_LEASE_SECONDS + 1)
    monkeypatch.setattr(workers, "database_now", lambda: later)
    assert workers.acquire_housekeeping_lease("first")
    assert Housekeeper.objects.get().name == "first"


@pytest.mark.django_db
def test_a_housekeeping_lease_that_cannot_be_renewed_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    house = housekeeping.HousekeepingLease("first")
    assert not house.is_held
    house.renew()
    assert house.is_held

    def fail(name: str) -> bool:
        raise OperationalError("the database is away")

    monkeypatch.setattr(workers, "acquire_housekeeping_lease", fail)
    monkeypatch.setattr(housekeeping.connections, "close_all", lambda: None)
    house.renew()
    assert house.is_held
    later = time.monotonic() + workers.HOUSEKEEPING_LEASE_SECONDS
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert not house.is_held


def make_task(status: TaskResultStatus, **fields: Any) -> DBTaskResult[Any, Any]:
    return DBTaskResult.objects.create(
        status=status,
        task_path="editor.services.lifecycle.advance",
        args_kwargs={"args": [], "kwargs": {}},
        backend_name="default",
        run_after=timezone.now(),
        **fields,
    )


def test_the_process_waits_for_a_missing_database_and_stops_on_request(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "housekeeping"],
            cwd=settings.BASE_DIR,
            env=os.environ
            | {
                "DJANGO_SETTINGS_MODULE": "photoeditor_site.settings",
                "DATA_DIR": str(tmp_path),
                "DATABASE_URL": f"sqlite:///{tmp_path}/empty.sqlite3",
            },
            stderr=output,
        )
    last = time.monotonic() + 600
    while "Housekeeping is waiting for the database." not in log.read_text():
        assert process.poll() is None
        assert time.monotonic() < last, log.read_text()
        time.sleep(0.1)
    process.terminate()
    assert process.wait(600) == 0
