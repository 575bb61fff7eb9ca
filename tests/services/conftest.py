"""Fixtures for the service tests."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from editor.imaging.memory import analysis_memory
from editor.imaging.sandbox import ANALYZE, OUR_PACKAGES, Sandbox
from editor.models import Edit, User
from editor.options import EditOptions
from editor.providers.engine_settings import EngineSettings
from editor.services.editing import adapters, lifecycle, submit
from editor.services.photos import analysis, drafts, photos
from tests import cast
from tests.imaging import jobs
from tests.scripted_engine import ScriptedEngine


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, settings: Any) -> ScriptedEngine:
    """Replace the site's engine with a scripted one."""
    scripted = ScriptedEngine()
    monkeypatch.setattr(adapters, "provider_named", lambda *_: scripted)
    settings.ENGINES = (EngineSettings("scripted", "scripted", runs_here=True),)
    return scripted


@pytest.fixture
def analyzing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[..., Any]], None]]:
    """Turn on analyses, and yield a function that replaces the analysis job in the child process.

    By default, a quick substitute replaces the job.
    """
    profile = replace(ANALYZE, module="json", packages=(*OUR_PACKAGES, "tests.imaging"))
    boxes = [Sandbox(profile, photos.reach, photos.large_child_lock), Sandbox(profile, photos.reach)]
    monkeypatch.setattr(analysis, "analysis_memory", analysis_memory)
    monkeypatch.setattr(analysis, "analyzer", boxes[0])
    monkeypatch.setattr(analysis, "background_analyzer", boxes[1])

    def run(job: Callable[..., Any]) -> None:
        monkeypatch.setattr(analysis, "ANALYZER", f"{job.__module__}:{job.__name__}")

    run(jobs.analyzes)
    yield run
    for box in boxes:
        box.close()


@pytest.fixture
def submitted() -> Callable[..., Edit]:
    """Return a function that submits an edit with one small photo, as the page does."""

    def make(user: User, prompt: str = "black and white", photo: bytes | None = None, **options: Any) -> Edit:
        actor = cast.actor_of(user)
        draft = drafts.create_draft(actor, cast.photo_file(data=photo), name="photo.jpg")
        return cast.submit_edit(
            actor,
            submit.Submission(prompt=prompt, options=EditOptions(**options), drafts=[draft]),
        )

    return make


@pytest.fixture
def advance() -> Callable[..., Edit]:
    """Return a function that runs an edit's stages, regardless of its due time and lease."""

    def once(edit: Edit, times: int = 1) -> Edit:
        for _ in range(times):
            Edit.objects.open().filter(id=edit.id).update(due=timezone.now() - timedelta(seconds=1))
            lifecycle.advance.call(str(edit.id))
        return Edit.objects.get(id=edit.id)

    return once
