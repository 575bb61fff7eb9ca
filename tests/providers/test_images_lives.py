"""Tests for edits by an engine whose response contains the results.

Such an edit has one stage and is charged at most once, and nothing is sent twice.
"""

import base64
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.utils import timezone
from PIL import Image

from editor.imaging.errors import ChildLost
from editor.models import CreditEntry, Edit, User
from editor.options import Region
from editor.providers.contract import Fault
from editor.providers.engine_settings import EngineSettings
from editor.providers.openai_images import RESULT_LOST, OpenAIImagesProvider
from editor.services.editing import adapters, health, leases
from editor.services.photos import photos
from tests import cast, scenes
from tests.engines import configure
from tests.hostile_server import HostileServer, answer, silence
from tests.providers.conftest import Advance, Queue, Serve, stopped_during_the_request
from tests.providers.images_site import MODEL, ImagesSite
from tests.providers.provider_factory import KEY
from tests.providers.test_lives import balance_and_held, everything_about

pytestmark = pytest.mark.django_db
B64 = base64.b64encode(cast.photo_bytes(48, 32)).decode()
RESULT = answer(200, {"data": [{"b64_json": B64}]})
type PointAt = Callable[..., None]


@pytest.fixture
def point_at(settings: Any) -> Iterator[PointAt]:
    """Return a function that configures this server as the engine. The keyword arguments are options."""

    def set_up(server: HostileServer, *, seconds: int = 30, **options: Any) -> None:
        place: dict[str, Any] = {
            "base_url": server.origin,
            "api_key": KEY,
            "model": MODEL,
            "seconds": seconds,
        }
        configure(settings, EngineSettings("openai-images", "openai-images", options=options, **place))

    yield set_up
    adapters.provider_named.cache_clear()


@pytest.fixture
def site() -> Iterator[ImagesSite]:
    made = ImagesSite("xinference")
    with made.server:
        yield made


def raising(error: Exception) -> Callable[..., Any]:
    def call(*_: Any, **__: Any) -> Any:
        raise error

    return call


def entries_of(edit: Edit) -> list[str]:
    return sorted(CreditEntry.objects.filter(edit=edit).values_list("kind", flat=True))


def test_one_stage_sends_an_edit_and_stores_its_result_and_no_row_has_the_response(
    alice: User, site: ImagesSite, point_at: PointAt, queued: Queue, advance: Advance
) -> None:
    point_at(site.server, dialect="xinference")
    edit = advance(queued(alice))
    assert (edit.state, edit.failure_message) == ("SUCCESS", "")
    assert (site.edits, edit.results.count()) == (1, 1)
    assert B64[:40] not in everything_about(edit)


def test_the_box_is_changed_and_everything_else_is_the_stored_photo(
    alice: User, site: ImagesSite, point_at: PointAt, queued: Queue, advance: Advance
) -> None:
    point_at(site.server, dialect="xinference")
    edit = queued(alice, regions=[Region(0.25, 0.25, 0.5, 0.5).as_json()])
    stored = cast.path_of(edit.references.get())
    scenes.lake(320, 200).save(stored, quality=92)
    edit = advance(edit)
    assert edit.state == "SUCCESS", edit.failure_message
    before = np.asarray(Image.open(stored).convert("RGB"))
    after_ = np.asarray(Image.open(cast.path_of(edit.results.get())).convert("RGB"))
    is_outside = np.ones(before.shape[:2], bool)
    is_outside[50:150, 80:240] = False
    assert (before == after_)[is_outside].all()
    assert (before != after_)[~is_outside].mean() > 0.8


# ---- tests in which a worker dies or has to stop


def abandoned(edit: Edit, **columns: Any) -> None:
    """Leave the edit in the state in which a dead worker leaves it, with an expired lease."""
    past = timezone.now() - timedelta(seconds=60)
    Edit.objects.filter(id=edit.id).update(lease_until=past, token=1, attempts=1, **columns)


def test_a_response_left_by_a_dead_worker_is_recovered(
    alice: User, serve: Serve, point_at: PointAt, queued: Queue, advance: Advance
) -> None:
    server = serve(RESULT)
    point_at(server)
    edit = queued(alice)
    folder = photos.work_folder_of(edit)
    (folder / "answer.json").write_text(f'{{"data": [{{"b64_json": "{B64}"}}]}}')
    abandoned(edit, state="SENDING")
    edit = advance(edit)
    assert (edit.state, len(server.requests), balance_and_held(edit)) == ("SUCCESS", 0, (360, 0))


@pytest.mark.parametrize("state", ["SENDING", "RUNNING"])
@pytest.mark.parametrize("is_late", [False, True])
def test_a_local_response_is_stored_despite_an_open_breaker_or_a_missed_deadline(
    alice: User, serve: Serve, point_at: PointAt, queued: Queue, advance: Advance, state: str, is_late: bool
) -> None:
    server = serve(RESULT)
    point_at(server)
    edit = queued(alice)
    health.record_failure(edit, Fault.OPERATOR, "The engine returned 401.")
    folder = photos.work_folder_of(edit)
    (folder / "answer.json").write_text(f'{{"data": [{{"b64_json": "{B64}"}}]}}')
    ticket = {"task_id": str(edit.id), "details": {}} if state == "RUNNING" else None
    deadline = timezone.now() + timedelta(seconds=-60 if is_late else 60)
    abandoned(edit, state=state, ticket=ticket, deadline=deadline)
    edit = advance(edit)
    assert (edit.state, len(server.requests), balance_and_held(edit)) == ("SUCCESS", 0, (360, 0))


def test_losing_the_child_process_before_the_request_requeues_the_edit(
    alice: User,
    serve: Serve,
    point_at: PointAt,
    queued: Queue,
    advance: Advance,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = serve(RESULT)
    point_at(server)
    edit = queued(alice)
    with monkeypatch.context() as broken:
        broken.setattr(OpenAIImagesProvider, "_in_child", raising(ChildLost("crashed", "lost")))
        waiting = advance(edit)
    assert (waiting.state, waiting.attempts, len(server.requests)) == ("QUEUED", 1, 0)
    assert (advance(waiting).state, len(server.requests)) == ("SUCCESS", 1)


def test_a_worker_that_stops_while_preparing_photos_requeues_the_edit(
    alice: User,
    serve: Serve,
    point_at: PointAt,
    queued: Queue,
    advance: Advance,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = serve(RESULT)
    point_at(server)
    edit = queued(alice)
    prepare = OpenAIImagesProvider.prepare

    def stopped(self: Any, request: Any, watch: Any) -> Any:
        leases.release_all()
        return prepare(self, request, watch)

    with monkeypatch.context() as stopping:
        stopping.setattr(OpenAIImagesProvider, "prepare", stopped)
        waiting = advance(edit)
    assert (waiting.state, waiting.attempts, waiting.lease_until) == ("QUEUED", 0, None)
    assert len(server.requests) == 0
    assert (advance(waiting).state, len(server.requests)) == ("SUCCESS", 1)


@pytest.mark.parametrize("state", ["RUNNING", "STORING"])
def test_a_response_on_another_machine_is_lost_uncharged_and_never_requested_again(
    alice: User, serve: Serve, point_at: PointAt, queued: Queue, advance: Advance, state: str
) -> None:
    server = serve(RESULT)
    point_at(server)
    edit = queued(alice)
    arrivals = [{"path": "/on/another/machine/1-result-1", "view_scale": None}] if state == "STORING" else []
    abandoned(edit, state=state, ticket={"task_id": str(edit.id), "details": {}}, arrivals=arrivals)
    edit = advance(edit)
    assert (edit.state, edit.failure_code, edit.failure_message) == (
        "FAILED",
        "result_unavailable",
        RESULT_LOST,
    )
    assert (len(server.requests), balance_and_held(edit), entries_of(edit)) == (
        0,
        (400, 0),
        ["hold", "release"],
    )


@pytest.mark.parametrize(("repeatable", "state", "sent"), [(False, "FAILED", 0), (True, "SUCCESS", 1)])
def test_a_request_without_a_response_is_sent_again_only_to_your_own_engine(
    alice: User,
    serve: Serve,
    point_at: PointAt,
    queued: Queue,
    advance: Advance,
    repeatable: bool,
    state: str,
    sent: int,
) -> None:
    server = serve(RESULT)
    point_at(server, repeatable=repeatable)
    edit = queued(alice)
    abandoned(edit, state="SENDING")
    edit = advance(edit)
    assert (edit.state, len(server.requests)) == (state, sent)
    assert edit.failure_code == ("" if repeatable else "unconfirmed")


def test_the_last_call_leaves_a_repeatable_request_for_another_worker(
    alice: User, serve: Serve, point_at: PointAt, queued: Queue, advance: Advance
) -> None:
    server = serve(silence(), RESULT)
    point_at(server, repeatable=True)
    edit = stopped_during_the_request(queued(alice), server, advance, is_last_call=True)
    assert (edit.state, edit.lease_until, edit.attempts) == ("SENDING", None, 0)
    edit = advance(edit)
    assert (edit.state, len(server.requests), balance_and_held(edit)) == ("SUCCESS", 2, (360, 0))
