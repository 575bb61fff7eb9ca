"""Tests that a small edit starts before another workspace's heavy edits, which fail.

Two real workers process the edits.
"""

import subprocess
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest

from editor.engine.language.explain import explain
from editor.models import Edit, User
from editor.services.editing import lifecycle
from tests import cast, processes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
# This prompt has slow steps, followed by a step that fails on this photo. The edit therefore takes a long
# time but costs nothing.
HEAVY = "make it an oil painting, remove the noise, sharpen it, add a vignette and make the red car blue"
SMALL = "make it brighter"
PATIENCE = 240.0  # maximum wait in seconds, which is enough on a busy machine


@pytest.fixture
def two_workers() -> Iterator[None]:
    running: list[subprocess.Popen[str]] = [processes.start_worker() for _ in range(2)]
    yield
    for worker in running:
        worker.kill()
        worker.communicate()


def queued(user: User, prompt: str, photo: bytes) -> Edit:
    """Create an edit of this photo. Its wake-up is in the queue, as after a submit."""
    plan = explain(prompt)
    assert plan.accepted, plan.message
    return cast.queue_edit(user, photo=photo, prompt=prompt, plan=plan.as_json(), price=1)


def wait_for(edit: Edit, *states: str) -> Edit:
    """Run sweeps as housekeeping does until the edit is in one of these states."""
    until = time.monotonic() + PATIENCE
    while edit.state not in states:
        assert time.monotonic() < until, edit.state
        time.sleep(0.5)
        lifecycle.sweep()
        edit.refresh_from_db()
    return edit


@pytest.mark.usefixtures("two_workers")
def test_a_small_edit_is_begun_within_five_seconds_of_the_next_free_worker(
    alice: User, charlie: User
) -> None:
    large = cast.photo_bytes(4000, 3000)
    heavy = [queued(alice, HEAVY, large) for _ in range(6)]
    for edit in heavy[:2]:
        wait_for(edit, "RUNNING")
    small = wait_for(queued(charlie, SMALL, cast.photo_bytes()), *Edit.TERMINAL)
    ends = [wait_for(edit, "FAILED").finished for edit in heavy]
    free = min(end for end in ends if end is not None and end > small.created)
    assert small.started is not None
    assert small.started - free < timedelta(seconds=5)
    assert small.state == "SUCCESS", small.failure_message
