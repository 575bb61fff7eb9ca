"""Tests for which sites offer previews and selections, and for what their child processes may do."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from editor.imaging.errors import Replaced, SandboxError
from editor.imaging.interactive import InteractivePool
from editor.services.photos import interactive, photos
from tests.engines import EMBEDDED, another_site
from tests.imaging import jobs
from tests.imaging.test_interactive import ALICE, BOB, PATIENCE, TRIAL, when_running


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let calls run in a child process that may also run this project's test jobs."""
    made = InteractivePool(TRIAL, 1)
    monkeypatch.setattr(interactive, "_pool", lambda: made)
    yield
    made.close()


def test_previews_require_the_built_in_engine_and_enough_memory(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PREVIEW_WORKERS = 1
    assert interactive.is_available()
    monkeypatch.setattr(interactive, "preview_memory", lambda: None)
    assert not interactive.is_available()
    monkeypatch.undo()
    settings.ENGINES = (another_site(),)
    assert not interactive.is_available()
    settings.ENGINES = (another_site(), EMBEDDED)
    assert interactive.is_available(), "a person can choose it"


def test_without_preview_workers_there_are_no_previews(settings: Any) -> None:
    settings.PREVIEW_WORKERS = 0
    assert not interactive.is_available()
    with pytest.raises(SandboxError) as busy:
        interactive.call(1, "editor.engine.run:brightens_gray", plan={})
    assert busy.value.kind == "busy"


def test_the_child_process_can_read_photos_but_write_nothing() -> None:
    access = interactive._access()
    assert set(photos.reach().read) <= set(access.read)
    assert access.write == ()


@pytest.mark.usefixtures("pool")
def test_work_that_takes_longer_continues_and_the_same_call_gets_its_result(tmp_path: Path) -> None:
    files = {"path": str(tmp_path / "begun"), "end": str(tmp_path / "end")}
    with pytest.raises(SandboxError) as busy:
        interactive.call_briefly(ALICE, 0, jobs.takes_steps_until, **files)
    assert busy.value.kind == "busy"
    when_running(tmp_path / "begun")
    with pytest.raises(SandboxError, match="busy"):
        interactive.call_briefly(ALICE, 0, jobs.takes_steps_until, **files)
    Path(files["end"]).touch()
    work = interactive._newest[ALICE]
    work.result.result(PATIENCE)  # Nobody waits at the moment when the work ends.
    (tmp_path / "begun").unlink()
    assert interactive.call_briefly(ALICE, 0, jobs.takes_steps_until, **files) == "done"
    assert not (tmp_path / "begun").exists(), "it is the result of the first call"
    assert ALICE not in interactive._newest


@pytest.mark.usefixtures("pool")
def test_only_some_results_that_nobody_fetches_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interactive, "_newest", {})
    monkeypatch.setattr(interactive, "_MAX_WORKS", 1)
    for person in (ALICE, BOB):
        with pytest.raises(SandboxError):
            interactive.call_briefly(person, 0, jobs.process_and_priority)
    assert list(interactive._newest) == [BOB]
    interactive._newest[BOB].result.result(PATIENCE)


@pytest.mark.usefixtures("pool")
def test_another_call_of_the_same_person_replaces_the_work(tmp_path: Path) -> None:
    files = {"path": str(tmp_path / "begun"), "end": str(tmp_path / "end")}
    with pytest.raises(SandboxError):
        interactive.call_briefly(ALICE, 0, jobs.takes_steps_until, **files)
    when_running(tmp_path / "begun")
    work = interactive._newest[ALICE]
    assert interactive.call_briefly(ALICE, PATIENCE, jobs.process_and_priority)
    with pytest.raises(Replaced):
        work.result.result(PATIENCE)
