"""Tests that photos are analyzed in real child processes, and that no edit depends on its analysis."""

import io
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.conf import settings as site
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from editor.engine.analyzing import VERSION
from editor.engine.vision.analysis import Analysis
from editor.imaging.errors import SandboxError
from editor.imaging.memory import MIN_ANALYSIS_BYTES
from editor.imaging.sandbox import ANALYZE, Sandbox
from editor.management.commands.worker import make_worker
from editor.models import DraftPhoto, Edit, Photo, User
from editor.options import Region
from editor.services.core import rates
from editor.services.editing import lifecycle, results
from editor.services.maintenance import invariants
from editor.services.photos import analysis, drafts, photos
from tests import cast, clock, scenes
from tests.engines import another_site, configure
from tests.imaging import jobs
from tests.imaging.running import during_next_job
from tests.providers.provider_factory import Watching

pytestmark = pytest.mark.django_db
type Submit = Callable[..., Edit]
type Advance = Callable[..., Edit]
type Analyzing = Callable[[Callable[..., Any]], None]
BOXED = "make the marked area darker"  # This prompt's plan uses an analysis.
BOX = (Region(0.25, 0.25, 0.5, 0.5),)


def small(photo: Photo) -> Path:
    path: Path = site.PHOTOS_DIR / photos.analysis_key(photo.key)
    return path


def whole(photo: Photo) -> Path:
    path: Path = site.PHOTOS_DIR / photos.embedding_key(photo.key)
    return path


def keep(user: User, tray: str = "editor") -> DraftPhoto:
    kind = DraftPhoto.Tray(tray)
    return drafts.create_draft(cast.actor_of(user), cast.photo_file(), name="a.jpg", tray=kind)


def analyze(draft: DraftPhoto) -> None:
    analysis.analyze_draft.call(str(draft.pk))


def test_an_edits_photo_is_analyzed_once_and_its_embedding_is_not_kept(
    alice: User,
    submitted: Submit,
    advance: Advance,
    analyzing: Analyzing,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    edit = submitted(alice, BOXED, regions=BOX)
    reference, request = edit.references.get(), results.request_of(edit)
    assert request.analyze is not None
    first = request.analyze(Watching())
    assert first is not None
    assert first.read_text() == f"whole {reference.sha256}"
    assert small(reference).read_text() == f"small {reference.sha256}"
    assert not whole(reference).exists(), "the embedding stays in the work folder"
    monkeypatch.setattr(analysis, "ANALYZER", "none:none")
    assert request.analyze(Watching()) == first
    with django_capture_on_commit_callbacks(execute=True):
        edit = advance(edit, times=3)
    assert edit.state == "SUCCESS", edit.failure_message
    assert not first.exists()
    assert small(reference).exists()
    assert invariants.find_violations() == []


def test_the_photo_of_an_edit_that_needs_no_analysis_is_not_analyzed(
    alice: User, submitted: Submit, advance: Advance, analyzing: Analyzing
) -> None:
    edit = advance(submitted(alice, "black and white"), times=3)
    assert edit.state == "SUCCESS"
    assert not small(edit.references.get()).exists()


@pytest.mark.parametrize("job", [jobs.analyzes_until_killed, jobs.analyzes_with_too_little_memory])
def test_a_failed_analysis_does_not_fail_the_edit(
    alice: User,
    submitted: Submit,
    advance: Advance,
    analyzing: Analyzing,
    job: Callable[..., Any],
    caplog: Any,
) -> None:
    analyzing(job)
    caplog.set_level(logging.DEBUG)
    edit = advance(submitted(alice, BOXED, regions=BOX), times=3)
    assert (edit.state, edit.results.count()) == ("SUCCESS", 1), edit.failure_message
    reference = edit.references.get()
    assert not small(reference).exists()
    assert not whole(reference).exists()
    assert reference.key not in caplog.text
    cast.assert_ledger_balances(edit.workspace)


def test_without_enough_memory_nothing_is_analyzed(
    alice: User, submitted: Submit, advance: Advance, analyzing: Analyzing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "analysis_memory", lambda: None)
    analyze(draft := keep(alice))
    assert not whole(draft).exists()
    edit = advance(submitted(alice, BOXED, regions=BOX), times=3)
    assert edit.state == "SUCCESS", edit.failure_message
    assert not small(edit.references.get()).exists()


def test_an_edit_that_is_stopped_stops_its_analysis(
    alice: User, submitted: Submit, analyzing: Analyzing
) -> None:
    analyzing(jobs.analyzes_slowly)
    request, watch = results.request_of(submitted(alice, BOXED, regions=BOX)), Watching()
    assert request.analyze is not None
    during_next_job(analysis.analyzer, lambda: watch.stops[0]())
    with pytest.raises(SandboxError) as caught:
        request.analyze(watch)
    assert caught.value.kind == "stopped"
    assert watch.reports == [analysis.PROGRESS]


def test_an_edit_uses_what_was_analyzed_in_the_background(
    alice: User,
    submitted: Submit,
    advance: Advance,
    analyzing: Analyzing,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    edit = submitted(alice, BOXED, regions=BOX)
    reference = edit.references.get()
    whole(reference).write_text("whole, from the tray")
    request = results.request_of(edit)
    assert request.analyze is not None
    assert request.analyze(Watching()) == whole(reference)
    with django_capture_on_commit_callbacks(execute=True):
        assert advance(edit, times=3).state == "SUCCESS"
    assert not whole(reference).exists(), "the embedding is deleted when the edit ends"


def test_an_edit_that_waited_for_the_background_analysis_does_not_analyze_again(
    alice: User, submitted: Submit, analyzing: Analyzing, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = submitted(alice, BOXED, regions=BOX)
    reference, request = edit.references.get(), results.request_of(edit)
    monkeypatch.setattr(analysis.analyzer, "_converse", Mock(side_effect=AssertionError("analyzed again")))

    def finish_when_awaited() -> None:
        with photos.large_child_lock.held(0, lambda: True) as is_held:
            holds.set()
            assert is_held
            until = time.monotonic() + 300
            while not photos.large_child_lock.is_awaited() and time.monotonic() < until:
                time.sleep(0.05)
            whole(reference).write_text("whole, from the tray")

    holds = threading.Event()
    background = threading.Thread(target=finish_when_awaited)
    background.start()
    holds.wait()
    assert request.analyze is not None
    assert request.analyze(Watching()) == whole(reference)
    background.join()


def test_a_draft_is_analyzed_once_and_its_analysis_is_deleted_with_it(
    alice: User, analyzing: Analyzing
) -> None:
    analyze(draft := keep(alice))
    assert small(draft).read_text() == f"small {draft.sha256}"
    assert whole(draft).read_text() == f"whole {draft.sha256}"
    analyzing(jobs.analyzes_until_killed)
    analyze(draft)
    assert whole(draft).exists()
    drafts.discard(cast.actor_of(alice), draft.id)
    assert not small(draft).exists()
    assert not whole(draft).exists()


def test_the_analysis_of_a_deleted_draft_is_stopped_and_not_stored(alice: User, analyzing: Analyzing) -> None:
    analyzing(jobs.analyzes_slowly)
    draft = keep(alice)

    def is_wanted(_: DraftPhoto) -> bool:
        drafts.discard(cast.actor_of(alice), draft.id)
        return real(draft)

    real = analysis._is_wanted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "_is_wanted", is_wanted)
        analyze(draft)
    assert not whole(draft).exists()
    assert not list(site.WORK_DIR.iterdir())


def test_an_analysis_that_ends_after_its_photo_was_deleted_is_deleted_too(
    alice: User, analyzing: Analyzing, tmp_path: Path
) -> None:
    draft = keep(alice)
    drafts.discard(cast.actor_of(alice), draft.id)
    for name in ("small", "whole"):
        (tmp_path / name).write_text("late")
    keys = (photos.analysis_key(draft.key), photos.embedding_key(draft.key))
    analysis._keep(draft, dict(zip(keys, (tmp_path / "small", tmp_path / "whole"), strict=True)))
    assert not small(draft).exists()
    assert not whole(draft).exists()


def test_a_background_analysis_yields_to_a_waiting_edit(alice: User, bob: User, analyzing: Analyzing) -> None:
    draft = keep(alice)
    assert analysis._is_wanted(draft)
    edit = cast.make_edit(bob, state="QUEUED", due=timezone.now() - timedelta(seconds=9))
    assert not analysis._is_wanted(draft)
    analyzing(jobs.analyzes_slowly)
    analyze(draft)
    assert not whole(draft).exists()
    edit.references.update(key=draft.key)
    draft.delete()
    assert analysis._is_wanted(draft), "the waiting edit needs this analysis"


def test_an_analysis_whose_worker_ends_is_queued_again(
    alice: User, analyzing: Analyzing, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    draft = keep(alice)
    analyzing(jobs.analyzes_slowly)
    during_next_job(analysis.background_analyzer, analysis.background_analyzer.stop)
    with django_capture_on_commit_callbacks() as queued:
        analyze(draft)
    assert len(queued) == 1
    assert not whole(draft).exists()


def test_a_background_analysis_yields_to_the_analysis_of_an_edit(alice: User) -> None:
    draft, over = keep(alice), threading.Event()

    def wait_as_an_edit_does() -> None:
        with photos.large_child_lock.held(None, lambda: not over.is_set()):
            pass

    with photos.large_child_lock.held(0, lambda: True):
        assert analysis._is_wanted(draft)
        edit = threading.Thread(target=wait_as_an_edit_does)
        edit.start()
        until = time.monotonic() + 300
        while analysis._is_wanted(draft) and time.monotonic() < until:
            time.sleep(0.05)
        assert not analysis._is_wanted(draft)
        over.set()
        edit.join()


def test_embeddings_that_nobody_needs_are_swept(
    alice: User, analyzing: Analyzing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photos, "ORPHAN_SECONDS", -60)
    analyze(draft := keep(alice))
    facts = photos.copy_files(draft)
    edit = cast.make_edit(alice, references=[facts], results=0)
    ended = edit.references.get()
    assert whole(ended).exists()
    old = small(draft).with_name(small(draft).name.replace("-analysis", "-analysis0"))
    old.write_text("of another version")
    photos.remove_orphans()
    assert small(draft).exists()
    assert whole(draft).exists()
    assert small(ended).exists()
    assert not whole(ended).exists()
    assert not old.exists()


def test_copying_a_photo_copies_its_analysis(alice: User, analyzing: Analyzing) -> None:
    analyze(draft := keep(alice))
    copy = cast.make_draft(alice, **photos.copy_files(draft))
    assert whole(copy).read_text() == whole(draft).read_text()
    assert small(copy).read_text() == small(draft).read_text()


def test_a_confined_child_analyzes_a_real_photo_within_its_memory(alice: User) -> None:
    """The analysis loads all networks. Its memory limit is the smallest one that any machine has."""
    profile = replace(ANALYZE, memory=MIN_ANALYSIS_BYTES)
    box = Sandbox(profile, photos.reach)
    file = io.BytesIO()
    scenes.lake(2000, 1500).save(file, "JPEG")
    draft = drafts.create_draft(cast.actor_of(alice), cast.photo_file(data=file.getvalue()), name="lake.jpg")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "analysis_memory", lambda: MIN_ANALYSIS_BYTES)
        patch.setattr(analysis, "background_analyzer", box)
        analyze(draft)
    box.close()
    seen, kept = Analysis.load(whole(draft)), Analysis.load(small(draft))
    assert (seen.width, seen.height, seen.version) == (2000, 1500, VERSION)
    assert seen.embedding is not None
    assert kept.embedding is None
    assert kept.things == seen.things
    assert small(draft).stat().st_size < 200_000 < whole(draft).stat().st_size < 4_000_000


def test_analyses_cannot_be_downloaded(
    alice: User, client_of: Callable[..., Client], analyzing: Analyzing
) -> None:
    analyze(draft := keep(alice))
    assert not {photos.analysis_key(draft.key), photos.embedding_key(draft.key)} & {
        *photos.keys_of(draft.key)
    }
    for size in ("analysis", "analysis1", "embedding", "embedding1"):
        answer = client_of(alice).get(f"/media/drafts/{draft.pk}/{size}/")
        assert answer.status_code == 404


@pytest.mark.django_db(transaction=True)
def test_photos_in_the_editor_s_tray_are_analyzed_after_their_upload(
    alice: User, analyzing: Analyzing
) -> None:
    shown, other = keep(alice), keep(alice, tray="batch")
    rows = DBTaskResult.objects.filter(task_path=analysis.analyze_draft.path)
    assert [row.priority for row in rows] == [analysis.PRIORITY]
    assert lifecycle.POLL_PRIORITY > analysis.PRIORITY
    make_worker(batch=True).run()
    assert whole(shown).exists()
    assert not whole(other).exists()
    edit = cast.make_edit(alice, references=[photos.copy_files(other)], results=[photos.copy_files(other)])
    actor = cast.actor_of(alice)
    copies = [*drafts.from_edit(actor, edit), drafts.from_result(actor, edit.results.get())]
    make_worker(batch=True).run()
    assert all(whole(copy).exists() for copy in copies)


@pytest.mark.django_db(transaction=True)
def test_the_number_of_photos_analyzed_per_user_and_minute_is_limited(
    alice: User, bob: User, analyzing: Analyzing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "PER_MINUTE", 1)
    monkeypatch.setattr(rates, "WINDOW_SECONDS", 3600)
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    with clock.at(hour + timedelta(hours=1)):  # The test ends before the next window begins.
        first, second, bobs = keep(alice), keep(alice), keep(bob)
        make_worker(batch=True).run()
        assert [whole(draft).exists() for draft in (first, second, bobs)] == [True, False, True]
        [waiting] = DBTaskResult.objects.filter(status="READY")
        assert waiting.args_kwargs["args"] == [str(second.pk)]
        assert waiting.run_after > timezone.now()


@pytest.mark.django_db(transaction=True)
def test_a_worker_does_not_wait_for_another_analysis(alice: User, analyzing: Analyzing) -> None:
    draft = keep(alice)
    with photos.large_child_lock.held(0, lambda: True):
        make_worker(batch=True).run()
    assert not whole(draft).exists()
    DBTaskResult.objects.update(run_after=timezone.now())
    make_worker(batch=True).run()
    assert whole(draft).exists()


def test_no_analysis_is_queued_for_another_engine(
    alice: User, settings: Any, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    configure(settings, another_site())
    with django_capture_on_commit_callbacks() as queued:
        keep(alice)
    assert queued == []
