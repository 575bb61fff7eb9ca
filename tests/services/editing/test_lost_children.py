"""Tests that an edit loses only one attempt if its child process is killed or starved of CPU time."""

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from editor.imaging.errors import ChildLost
from editor.imaging.sandbox import Sandbox
from editor.models import CreditEntry, Edit, User
from editor.providers.embedded import EmbeddedProvider
from editor.services.editing import leases
from editor.services.editing.adapters import provider_named
from editor.services.maintenance import invariants
from editor.services.photos import photos
from tests import cast
from tests.imaging.running import during_next_job
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db
type Submit = Callable[..., Edit]
type Advance = Callable[..., Edit]


def sandbox_of_the_engine() -> Sandbox:
    provider = provider_named("embedded", "embedded", "")
    assert isinstance(provider, EmbeddedProvider)
    return provider._sandbox


def freeze(sandbox: Sandbox) -> int:
    """Stop the child process, so that its next job never returns, and return the process ID."""
    sandbox.warm()
    assert sandbox._child is not None
    process = sandbox._child._process.pid
    os.kill(process, signal.SIGSTOP)
    return process


def kill_in_its_next_job(sandbox: Sandbox) -> None:
    process = freeze(sandbox)
    during_next_job(sandbox, lambda: os.kill(process, signal.SIGKILL))


def assert_done_and_charged_once(edit: Edit) -> None:
    assert (edit.state, edit.results.count()) == ("SUCCESS", 1), edit.failure_message
    assert CreditEntry.objects.filter(edit=edit, kind="capture").count() == 1
    cast.assert_ledger_balances(edit.workspace)
    assert invariants.find_violations() == []


def test_an_edit_whose_child_process_is_killed_succeeds_on_the_next_attempt(
    alice: User, submitted: Submit, advance: Advance
) -> None:
    edit = advance(submitted(alice))
    kill_in_its_next_job(sandbox_of_the_engine())
    edit = advance(edit)
    assert (edit.state, edit.attempts, edit.lease_until) == ("RUNNING", 1, None)
    assert_done_and_charged_once(advance(edit, times=2))


def test_an_edit_whose_child_process_times_out_succeeds_on_the_next_attempt(
    alice: User, submitted: Submit, advance: Advance, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit, sandbox = advance(submitted(alice)), sandbox_of_the_engine()
    freeze(sandbox)
    with monkeypatch.context() as busy:
        busy.setattr(sandbox, "profile", replace(sandbox.profile, wall_seconds=0.3))
        edit = advance(edit)
    assert (edit.state, edit.attempts) == ("RUNNING", 1)
    assert_done_and_charged_once(advance(edit, times=2))


def test_an_edit_that_loses_three_child_processes_fails_without_a_charge(
    alice: User, submitted: Submit, advance: Advance
) -> None:
    edit = advance(submitted(alice))
    for tries in (1, 2, 3):
        kill_in_its_next_job(sandbox_of_the_engine())
        edit = advance(edit)
        assert (edit.state, edit.attempts) == ("RUNNING", tries)
    edit = advance(edit)
    assert (edit.state, edit.failure_code) == ("FAILED", "engine_failed")
    edit.workspace.refresh_from_db()
    assert (edit.workspace.balance, edit.workspace.held) == (400, 0)
    cast.assert_ledger_balances(edit.workspace)


@pytest.fixture
def _one_second_of_cpu(settings: Any) -> Iterator[None]:
    settings.EDIT_CPU_SECONDS_PER_RESULT = 1
    provider_named.cache_clear()
    yield
    sandbox_of_the_engine().close()
    provider_named.cache_clear()


@pytest.mark.usefixtures("_one_second_of_cpu")
def test_an_edit_that_uses_up_its_cpu_time_fails_without_a_retry_or_a_charge(
    alice: User, submitted: Submit, advance: Advance
) -> None:
    edit = advance(submitted(alice, "make it an oil painting"))
    cast.path_of(edit.references.get()).write_bytes(cast.photo_bytes(8000, 5000))
    edit = advance(edit)
    assert (edit.state, edit.failure_code, edit.attempts) == ("FAILED", "timeout", 1)
    assert edit.failure_message == (
        "This edit needed too much computing time and was stopped. You were not charged. "
        "Try a smaller photo, fewer steps, or fewer results."
    )
    assert not CreditEntry.objects.filter(edit=edit, kind="capture").exists()
    cast.assert_ledger_balances(edit.workspace)
    assert advance(submitted(alice), times=3).state == "SUCCESS", "the next edit has the full time"


def test_a_result_is_stored_on_the_next_attempt_if_the_storing_process_is_killed(
    alice: User, engine: ScriptedEngine, submitted: Submit, advance: Advance
) -> None:
    edit = advance(submitted(alice), times=2)
    keeper = photos.worker_pool._free.get()
    photos.worker_pool._free.put(keeper)
    kill_in_its_next_job(keeper)
    edit = advance(edit)
    assert (edit.state, edit.attempts) == ("STORING", 1)
    assert_done_and_charged_once(advance(edit))


def test_an_edit_stays_queued_if_the_process_that_decodes_its_photo_is_lost(
    alice: User, engine: ScriptedEngine, advance: Advance, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = cast.make_edit(alice, state="QUEUED", references=0, image_urls=["https://example.org/a.jpg"])

    def lost(*_: object) -> None:
        raise ChildLost("crashed", "This photo could not be processed.")

    monkeypatch.setattr("editor.services.editing.fetching._fetch", lost)
    edit = advance(edit)
    assert (edit.state, edit.attempts, engine.calls) == ("QUEUED", 1, [])


def test_a_worker_that_shuts_down_releases_its_edit_without_counting_a_crash(
    alice: User, submitted: Submit, advance: Advance
) -> None:
    edit = advance(submitted(alice))
    freeze(sandbox_of_the_engine())
    during_next_job(sandbox_of_the_engine(), leases.release_all)
    edit = advance(edit)
    assert (edit.state, edit.attempts, edit.lease_until) == ("RUNNING", 0, None)
    assert_done_and_charged_once(advance(edit, times=2))


def test_an_edit_that_is_being_sent_is_not_released_at_shutdown(alice: User) -> None:
    edit = cast.make_edit(alice, state="SENDING", provider="photo-editor", base_url="https://example.org")
    stops: list[str] = []
    with leases.Heartbeat(edit) as watch:
        watch.on_stop(lambda: stops.append("stopped"))
        leases.release_all()
        assert (watch.is_released, stops) == (False, [])
        edit.state = "RUNNING"
        leases.release_all()
        assert (watch.is_released, stops) == (True, ["stopped"])
