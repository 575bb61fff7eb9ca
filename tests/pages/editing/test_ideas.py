"""Tests for the ideas that the editor shows for the photos in the tray, with and without JavaScript."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from editor.imaging.errors import SandboxError
from editor.imaging.sandbox import EDIT, IDEAS
from editor.models import DraftPhoto, User
from editor.services.library import ideas as service
from editor.services.photos import analysis, drafts, photos
from tests import cast

type SignIn = Callable[[User], Client]


@pytest.fixture(autouse=True)
def _nothing_tried_yet() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def client(client_of: SignIn, alice: User) -> Client:
    return client_of(alice)


def words_of(text: str) -> list[str]:
    return [part.split('"')[0] for part in text.split('name="idea" value="')[1:]]


def test_an_empty_editor_has_an_idea_of_each_kind(client: Client) -> None:
    text = client.get("/w/alice/").content.decode()
    assert len(words_of(text)) == 5
    assert "Ideas by type" in text


def test_more_ideas_differ_from_the_first_ones(client: Client) -> None:
    first = words_of(client.get("/w/alice/").content.decode())
    response = client.post("/w/alice/ideas/", {"others": "1"})
    assert response.headers["Cache-Control"] == "no-store"
    assert words_of(response.content.decode()) != first
    assert 'value="2"' in response.content.decode()


def test_ideas_for_a_photo_were_tried_on_it(
    client: Client, draft: DraftPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "IDEAS_PER_KIND", 1)
    text = client.post("/w/alice/ideas/", {"draft": str(draft.id)}).content.decode()
    assert "Ideas for this photo" in text
    assert words_of(text)
    monkeypatch.setattr(service.trial_pool, "call", None)  # At this point, the results are already cached.
    assert words_of(client.get("/w/alice/").content.decode()) == words_of(text)


def test_ideas_are_not_tried_again_for_the_same_photo(
    client: Client, draft: DraftPhoto, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "IDEAS_PER_KIND", 1)
    found = words_of(client.post("/w/alice/ideas/", {"draft": str(draft.id)}).content.decode())
    again = drafts.create_draft(cast.actor_of(alice), cast.photo_file(), name="again.jpg")
    assert again.sha256 == draft.sha256
    monkeypatch.setattr(service.trial_pool, "call", None)
    text = client.post("/w/alice/ideas/", {"draft": str(again.id)}).content.decode()
    assert words_of(text) == found


def test_ideas_are_tried_with_the_analysis_of_the_photo(
    client: Client, draft: DraftPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str | None] = []

    def call(*_: Any, analysis_path: str | None, **given: Any) -> dict[str, list[str]]:
        calls.append(analysis_path)
        return {}

    monkeypatch.setattr(service.trial_pool, "call", call)
    client.post("/w/alice/ideas/", {"draft": str(draft.id)})
    path = settings.PHOTOS_DIR / photos.analysis_key(draft.key)
    path.write_text("analysis")
    cache.clear()
    client.post("/w/alice/ideas/", {"draft": str(draft.id)})
    assert calls == [None, str(path)]


def test_ideas_for_a_new_photo_wait_for_its_analysis_but_not_forever(
    client: Client, draft: DraftPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "is_available", lambda: True)
    calls: list[object] = []

    def call(*_: object, **given: object) -> dict[str, list[str]]:
        calls.append(given)
        return {}

    monkeypatch.setattr(service.trial_pool, "call", call)
    DraftPhoto.objects.filter(pk=draft.pk).update(created=timezone.now())
    text = client.post("/w/alice/ideas/", {"draft": str(draft.id)}).content.decode()
    assert not calls
    assert "every 2s" in text, "the page asks again"
    assert len(words_of(text)) == 5, "until then, there are general ideas"
    DraftPhoto.objects.filter(pk=draft.pk).update(created=timezone.now() - service.ANALYSIS_WAIT)
    client.post("/w/alice/ideas/", {"draft": str(draft.id)})
    assert len(calls) == 1


def test_trying_ideas_yields_to_edits(client: Client, draft: DraftPhoto) -> None:
    with photos.large_child_lock.held(0, lambda: True):
        waiting = threading.Thread(target=wait_for_the_lock, args=(over := threading.Event(),))
        waiting.start()
        while not photos.large_child_lock.is_awaited():
            time.sleep(0.01)
        text = client.post("/w/alice/ideas/", {"draft": str(draft.id)}).content.decode()
        over.set()
        waiting.join()
    assert "Ideas by type" in text
    assert "every 2s" in text, "the page asks again"
    assert IDEAS.niceness > EDIT.niceness


def test_ideas_are_no_longer_tried_on_a_photo_that_was_submitted(
    client: Client, draft: DraftPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[bool] = []

    def submit_meanwhile(*_: Any, is_wanted: Callable[[], bool], **__: Any) -> None:
        wanted.append(is_wanted())
        sent = {"prompt": "make it warmer", "draft": str(draft.id), "submit_id": str(uuid4())}
        assert client.post("/w/alice/", sent).status_code == 302
        wanted.append(is_wanted())
        raise SandboxError("stopped", "It was stopped.")

    monkeypatch.setattr(service.trial_pool, "call", submit_meanwhile)
    client.post("/w/alice/ideas/", {"draft": str(draft.id)})
    assert wanted == [True, False]


def wait_for_the_lock(over: threading.Event) -> None:
    with photos.large_child_lock.held(None, lambda: not over.is_set()):
        pass


def test_cached_ideas_are_not_shared_between_workspaces(
    client: Client, client_of: SignIn, draft: DraftPhoto, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "IDEAS_PER_KIND", 1)
    client.post("/w/alice/ideas/", {"draft": str(draft.id)})
    drafts.create_draft(cast.actor_of(bob), cast.photo_file(), name="mine.jpg")
    assert "Ideas for this photo" not in client_of(bob).get("/w/bob/").content.decode()


def test_ideas_are_cached_per_box(client: Client, draft: DraftPhoto, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[dict[str, float]]] = []

    def call(_: str, *, regions: list[dict[str, float]], **__: object) -> dict[str, list[str]]:
        calls.append(regions)
        return {"color": ["make it warmer"]}

    monkeypatch.setattr(service.trial_pool, "call", call)
    for box in ("0.1,0.1,0.3,0.3", "0.6,0.6,0.3,0.3", "0.1,0.1,0.3,0.3"):
        client.post("/w/alice/ideas/", {"draft": str(draft.id), "region": box})
    assert [[box["x"] for box in boxes] for boxes in calls] == [[0.1], [0.6]]


def test_a_failed_trial_is_cached_only_briefly(
    client: Client, draft: DraftPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[int] = []
    monkeypatch.setattr(cache, "set", lambda key, found, seconds: kept.append(seconds))

    def call(*_: object, **__: object) -> None:
        raise SandboxError("crashed", "The child ended.")

    monkeypatch.setattr(service.trial_pool, "call", call)
    text = client.post("/w/alice/ideas/", {"draft": str(draft.id)}).content.decode()
    assert kept == [service.FAILURE_CACHE_SECONDS]
    assert len(words_of(text)) == 5
    assert "every 2s" not in text


def test_while_no_process_is_free_the_page_requests_the_ideas_again(
    client: Client, draft: DraftPhoto
) -> None:
    busy = service.trial_pool._free.get()
    try:
        text = client.post("/w/alice/ideas/", {"draft": str(draft.id)}).content.decode()
    finally:
        service.trial_pool._free.put(busy)
    assert "every 2s" in text
    assert "Ideas by type" in text
    assert len(words_of(text)) == 5


def test_a_photo_with_a_missing_file_gets_general_ideas(client: Client, draft: DraftPhoto) -> None:
    photos.remove_files([draft])
    text = client.post("/w/alice/ideas/", {"draft": str(draft.id)}).content.decode()
    assert "every 2s" not in text
    assert len(words_of(text)) == 5


@pytest.mark.parametrize("sent", [{"others": "x"}, {"others": "-1"}, {"others": "9" * 400}, {"others": "²"}])
def test_invalid_input_is_ignored(client: Client, sent: dict[str, str]) -> None:
    response = client.post("/w/alice/ideas/", sent | {"draft": "x", "region": "\x00"})
    assert response.status_code == 200
    assert len(words_of(response.content.decode())) == 5


@pytest.mark.parametrize(
    ("written", "idea", "then"),
    [
        ("", "add fog", "add fog"),
        ("make it warmer. ", "add fog", "make it warmer, add fog"),
    ],
)
def test_without_javascript_an_idea_is_added_to_the_prompt(
    client: Client, draft: DraftPhoto, written: str, idea: str, then: str
) -> None:
    sent = {"draft": str(draft.id), "prompt": written, "idea": idea, "region": ["0.1,0.2,0.3,0.4"]}
    response = client.post("/w/alice/", sent | {"aspect_ratio": "4:5"})
    text = response.content.decode()
    assert response.status_code == 200
    assert f"{then}</textarea>" in text
    assert f'value="{draft.id}"' in text
    assert 'value="0.1,0.2,0.3,0.4"' in text
    assert 'value="4:5" checked' in text
    assert 'role="alert"' not in text


def test_without_javascript_requesting_more_ideas_keeps_the_prompt(client: Client) -> None:
    text = client.post("/w/alice/", {"prompt": "make it warmer", "others": "3"}).content.decode()
    assert "make it warmer</textarea>" in text
    assert 'value="4"' in text
