"""Measure how soon a free worker claims a new edit.

This is measured both on an idle site and while the worker polls twenty other edits.
"""

import threading
import time
from datetime import timedelta
from unittest import mock

from tests.benchmarks import Row

RUNS = 12
POLLED = 20
POLL_SECONDS = 2.0
LIMIT = 0.3


def run() -> list[Row]:
    """Return the duration of the slowest of twelve claims.

    One real worker loop runs on a real SQLite file.
    """
    from django.core.management import call_command

    from editor import wakeups
    from editor.services.editing import adapters
    from tests import cast
    from tests.scripted_engine import ScriptedEngine

    call_command("migrate", verbosity=0)
    wakeups.create_wakeup_pipe()
    engine = ScriptedEngine(on_poll=_still_running)
    with mock.patch.object(adapters, "provider_named", return_value=engine), _Worker():
        idle = max(_pickup(cast.make_user(f"idle{n}@example.org")) for n in range(RUNS))
        _polled_edits()
        busy = max(_pickup(cast.make_user(f"busy{n}@example.org")) for n in range(RUNS))
    return [
        Row("slowest pick-up, idle", idle, LIMIT, "s", idle <= LIMIT),
        Row(f"slowest pick-up, {POLLED} edits polled every 2 s", busy, LIMIT, "s", busy <= LIMIT),
    ]


def _still_running(request: object) -> object:
    from editor.providers.contract import Update

    time.sleep(0.01)  # duration of a status request on a fast network, in seconds
    return Update(state="running", poll_after=POLL_SECONDS)


class _Worker:
    """Run the worker loop of `manage.py worker` in a thread."""

    def __enter__(self) -> None:
        from editor.management.commands.worker import make_worker

        self._worker = make_worker()
        self._thread = threading.Thread(target=self._worker.run)
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._worker.running = False
        self._thread.join()


def _pickup(user: object) -> float:
    """Return the number of seconds from when an edit is submitted until a worker claims it."""
    from django.db import connection

    from editor.models import Edit
    from editor.services.editing import submit
    from tests import cast

    edit = cast.submit_edit(
        cast.actor_of(user),  # type: ignore[arg-type]
        submit.Submission(prompt="black and white", drafts=[cast.make_draft(user)]),  # type: ignore[arg-type]
    )
    committed = time.monotonic()
    with connection.cursor() as cursor:
        while True:
            cursor.execute("SELECT token FROM editor_edit WHERE id = %s", [edit.id.hex])
            if cursor.fetchone()[0]:
                break
            time.sleep(0.002)
    taken = time.monotonic() - committed
    Edit.objects.filter(id=edit.id).update(due=edit.due + timedelta(hours=1))
    time.sleep(0.2)
    return taken


def _polled_edits() -> None:
    from editor.services.editing import lifecycle
    from tests import cast

    for number in range(POLLED):
        user = cast.make_user(f"polled{number}@example.org")
        edit = cast.make_edit(user, state="RUNNING", ticket={"task_id": "t", "details": {}})
        lifecycle.wake(edit, at=edit.due)
