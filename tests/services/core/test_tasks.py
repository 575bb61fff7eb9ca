"""Tests that queued tasks are found by their paths, even if they were queued by another release."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.tasks import Task
from django.utils import timezone
from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult

from editor import broker
from editor.management.commands.worker import make_worker
from editor.models import CreditRequest, Edit, Export, User, Workspace
from editor.models.clock import database_now
from editor.services.billing import low_balance
from editor.services.editing import lifecycle
from editor.services.maintenance import exports
from editor.services.photos import analysis, photos
from tests import cast

# The import paths that tasks had in earlier releases. Rows and messages that these releases have queued
# contain these paths.
TASKS = {
    "editor.services.lifecycle.advance": lifecycle.advance,
    "editor.services.photos.make_large": photos.make_large,
    "editor.services.photos.analysis.analyze_draft": analysis.analyze_draft,
    "editor.services.exports.build": exports.build,
    "editor.services.notices.tell_of_low_balance": low_balance.tell_of_low_balance,
    "editor.services.notices.tell_of_request": low_balance.tell_of_request,
}


@pytest.mark.parametrize("path", TASKS)
def test_a_task_is_queued_under_the_path_that_earlier_releases_know(path: str) -> None:
    task = TASKS[path]
    assert isinstance(task, Task)
    assert task.module_path == path
    assert task.using(priority=3).module_path == path, "the path is the same with other task options"
    assert import_string(path) is task


def test_the_broker_recognizes_a_wake_up_by_this_path() -> None:
    assert lifecycle.advance.module_path == broker.WAKEUP_TASK


@pytest.mark.django_db(transaction=True)
def test_a_worker_runs_the_rows_that_an_earlier_release_has_queued(
    alice: User, bob: User, team: Workspace, mailoutbox: list[Any]
) -> None:
    edit = cast.make_edit(alice, state="QUEUED", deadline=database_now() - timedelta(hours=1))
    photo = cast.make_edit(alice, state="SUCCESS").results.get()
    cast.path_of(photo).parent.mkdir(parents=True, exist_ok=True)
    cast.path_of(photo).write_bytes(cast.photo_bytes())
    request = CreditRequest.objects.create(
        workspace=team, user=bob, note="", day=timezone.now().date(), created=timezone.now()
    )
    arguments: dict[str, list[Any]] = {
        "editor.services.lifecycle.advance": [str(edit.id)],
        "editor.services.photos.make_large": ["results", str(photo.id)],
        "editor.services.photos.analysis.analyze_draft": [str(uuid.uuid4())],
        "editor.services.exports.build": [str(uuid.uuid4()), 0],
        "editor.services.notices.tell_of_low_balance": [team.pk, 7],
        "editor.services.notices.tell_of_request": [request.pk],
    }
    assert arguments.keys() == TASKS.keys()
    rows = {path: _queue(path, given) for path, given in arguments.items()}
    make_worker(batch=True).run()
    for path, row in rows.items():
        row.refresh_from_db()
        assert row.status == "SUCCESSFUL", (path, row.exception_class_path, row.traceback)
    edit.refresh_from_db()
    assert edit.state == Edit.State.FAILED, "its deadline had passed"
    photo.refresh_from_db()
    assert photo.has_large
    assert not Export.objects.exists()
    assert [mail.to for mail in mailoutbox] == [[alice.email], [alice.email]]


def _queue(path: str, given: list[Any]) -> "DBTaskResult[..., Any]":
    return DBTaskResult.objects.create(
        task_path=path,
        args_kwargs={"args": given, "kwargs": {}},
        queue_name="default",
        backend_name="default",
        run_after=timezone.now(),
    )
