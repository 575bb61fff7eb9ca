"""Tests for which sites offer previews and selections, and for what their child processes may do."""

from typing import Any

import pytest

from editor.imaging.errors import SandboxError
from editor.services.photos import interactive, photos
from tests.engines import EMBEDDED, another_site


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
