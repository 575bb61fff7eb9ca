"""Tests for edits whose upstream site disappears, never finishes the task, or contradicts itself."""

import logging
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image

from editor.imaging.errors import ChildLost
from editor.models import Edit, ProviderHealth, User
from editor.outbound import calls
from editor.providers import photo_editor
from editor.providers.contract import UNCONFIRMED
from editor.services.editing import health, lifecycle, pacing, results, routing
from editor.services.editing.leases import LeaseLost
from editor.services.photos import photos
from editor.services.photos.storage import StorageUnavailable
from tests import cast
from tests.clock import later
from tests.hostile_server import HostileServer, Script, answer, redirect, silence
from tests.providers.conftest import Advance, PointAt, Queue, Serve
from tests.providers.create_responses import HTML, PICTURE, envelope, task
from tests.providers.provider_factory import KEY
from tests.providers.test_lives import balance_and_held, everything_about
from tests.providers.test_statuses import state
from tests.providers.upstream import Upstream

pytestmark = pytest.mark.django_db
CREATE, STATUS = f"POST {photo_editor.CREATE_PATH}", photo_editor.STATUS_PATH
RUNNING = answer(200, state("RUNNING"))
FAILED = answer(200, state("FAILED", success=False, message="Too dark"))
type Tell = Callable[..., HostileServer]


@pytest.fixture
def tell(serve: Serve, point_at: PointAt) -> Tell:
    """Return a function that starts an upstream site.

    The site reports these successive states and serves a result at /r.png.
    """

    def start(*states: Script, create: Script | list[Script] | None = None, **settings: Any) -> HostileServer:
        result = answer(200, cast.photo_bytes(64, 48, format="PNG"))
        create = create or answer(200, task())
        server = serve(result, by_path={CREATE: create, STATUS: list(states) or RUNNING})
        point_at(server, **settings)
        return server

    return start


def done(server: HostileServer) -> Script:
    return answer(200, state("SUCCESS", f"{server.origin}/r.png"))


def creates(server: HostileServer) -> int:
    return len([request for request in server.requests if request.method == "POST"])


def ended(edit: Edit) -> tuple[str, str, tuple[int, int]]:
    return edit.state, edit.failure_code, balance_and_held(edit)


def test_an_edit_goes_through_all_states_until_its_result_is_stored(
    alice: User, queued: Queue, point_at: PointAt, advance: Advance
) -> None:
    upstream = Upstream(waits=2)
    with upstream.server:
        point_at(upstream.server)
        edit = queued(alice, prompt="turn it round", output_format="webp")
        states = []
        for _ in range(5):
            edit = advance(edit)
            states.append(edit.state)
    assert states == ["RUNNING", "RUNNING", "RUNNING", "STORING", "SUCCESS"]
    assert (balance_and_held(edit), upstream.creates, upstream.prompts) == ((360, 0), 1, ["turn it round"])
    with photos.open_photo(edit.results.get(), "original", by=None) as file, Image.open(file) as image:
        assert (image.format, image.size) == ("WEBP", (48, 32))
        red, _, blue = image.convert("RGB").getpixel((20, 20))  # type: ignore[misc]
    assert red > blue  # Inverting steel blue yields a color that has more red.


def test_a_later_failure_does_not_change_a_success(
    alice: User, queued: Queue, tell: Tell, advance: Advance
) -> None:
    server = tell()
    server.set_scripts(STATUS, done(server), FAILED)
    edit = advance(queued(alice), times=8)
    assert ended(edit) == ("SUCCESS", "", (360, 0))
    assert len(edit.results.all()) == 1


def test_a_later_success_does_not_change_a_failure(
    alice: User, queued: Queue, tell: Tell, advance: Advance
) -> None:
    server = tell()
    server.set_scripts(STATUS, FAILED, done(server))
    edit = advance(queued(alice), times=8)
    assert ended(edit) == ("FAILED", "engine_failed", (400, 0))
    assert edit.failure_message == "Too dark. You were not charged."
    assert len(server.requests) == 2


def test_a_shortage_on_the_other_site_is_logged_and_opens_the_breaker(
    alice: User, queued: Queue, tell: Tell, advance: Advance, caplog: pytest.LogCaptureFixture
) -> None:
    tell(answer(200, envelope({"status": "FAILED", "message": "Insufficient credits"})))
    edit, waiting = queued(alice), queued(alice)
    edit = advance(edit, times=3)
    assert ended(edit) == ("FAILED", "engine_unavailable", (400, 40))
    assert "credits" not in edit.failure_message
    assert [record.levelname for record in caplog.records if "Insufficient credits" in record.message] == [
        "ERROR"
    ]
    assert (advance(waiting).state, health.is_breaker_open(waiting)) == ("QUEUED", True)


def test_success_without_result_urls_costs_nothing(
    alice: User, queued: Queue, tell: Tell, advance: Advance
) -> None:
    tell(answer(200, state("SUCCESS")))
    assert ended(advance(queued(alice), times=3)) == ("FAILED", "result_unavailable", (400, 0))


def test_a_task_that_is_not_known_yet_gets_more_time(
    alice: User, queued: Queue, tell: Tell, advance: Advance
) -> None:
    server = tell()
    unknown = answer(404, HTML)
    server.set_scripts(STATUS, unknown, unknown, unknown, unknown, RUNNING, done(server))
    edit = advance(queued(alice), times=8)
    assert ended(edit) == ("SUCCESS", "", (360, 0))


def test_a_task_that_is_never_known_fails_after_a_minute(
    alice: User, queued: Queue, tell: Tell, advance: Advance
) -> None:
    tell(answer(404, HTML))
    edit = advance(queued(alice), times=4)
    assert (edit.state, balance_and_held(edit)) == ("RUNNING", (400, 40))
    with later(61):
        edit = advance(edit)
    assert ended(edit) == ("FAILED", "engine_failed", (400, 0))
    assert edit.failure_message == photo_editor.FORGOTTEN


def test_a_task_that_never_ends_fails_at_the_deadline(
    alice: User, queued: Queue, tell: Tell, advance: Advance
) -> None:
    server = tell()
    edit = advance(queued(alice), times=6)
    assert edit.state == "RUNNING"
    with later(15 * 60 + 1):
        lifecycle.sweep()
    edit.refresh_from_db()
    assert ended(edit) == ("FAILED", "timeout", (400, 0))
    server.set_scripts(STATUS, done(server))
    assert ended(advance(edit)) == ("FAILED", "timeout", (400, 0))


@pytest.mark.parametrize("status", [404, 403, 410, 500])
def test_a_missing_result_is_requested_four_times_within_a_minute(
    alice: User, queued: Queue, tell: Tell, advance: Advance, status: int
) -> None:
    server = tell()
    server.set_scripts(STATUS, done(server))
    server.set_scripts("/r.png", answer(status))
    edit, waits = advance(queued(alice), times=2), []
    for _ in range(3):
        edit = advance(edit)
        assert edit.state == "STORING"
        waits.append((edit.due - timezone.now()).total_seconds())
    assert sum(waits) < 60
    assert ended(advance(edit)) == ("FAILED", "result_unavailable", (400, 0))
    assert len([request for request in server.requests if request.path == "/r.png"]) == 4


def test_missing_results_of_several_edits_do_not_delay_each_other(
    alice: User, queued: Queue, tell: Tell, advance: Advance, settings: Any
) -> None:
    settings.RUNNING_PER_USER = 10
    server = tell()
    server.set_scripts(STATUS, done(server))
    server.set_scripts("/r.png", answer(404))
    for _ in range(3):
        edit = advance(queued(alice), times=5)
        assert edit.due - timezone.now() < timedelta(seconds=16)


def test_silent_result_urls_do_not_block_others_and_only_they_are_tried_again(
    alice: User, queued: Queue, tell: Tell, advance: Advance, monkeypatch: pytest.MonkeyPatch
) -> None:
    def download(url: str, *arguments: Any, seconds: float, **options: Any) -> str:
        is_silent = url.endswith(("/1.png", "/2.png"))
        return calls.download(url, *arguments, seconds=2.0 if is_silent else seconds, **options)

    monkeypatch.setattr(photo_editor, "download", download)
    server = tell()
    urls = [f"{server.origin}/{number}.png" for number in (1, 2, 3, 4)]
    server.set_scripts(STATUS, answer(200, state("SUCCESS", *urls)))
    for path in ("/1.png", "/2.png"):
        server.set_scripts(path, silence())
    edit = advance(queued(alice, outputs=4), times=3)
    assert (edit.state, sorted(results.stored_positions(edit))) == ("STORING", [3, 4])
    assert ended(advance(edit, times=3)) == ("FAILED", "incomplete", (400, 0))
    asked = Counter(request.path for request in server.requests if request.path.endswith(".png"))
    assert asked == {"/1.png": 4, "/2.png": 4, "/3.png": 1, "/4.png": 1}


def test_a_late_result_is_accepted(alice: User, queued: Queue, tell: Tell, advance: Advance) -> None:
    server = tell()
    server.set_scripts(STATUS, done(server))
    server.set_scripts("/r.png", answer(404), answer(404), answer(200, cast.photo_bytes()))
    assert ended(advance(queued(alice), times=5)) == ("SUCCESS", "", (360, 0))


@pytest.mark.parametrize(
    "result",
    [
        answer(200, HTML, headers={"Content-Type": "image/png"}),
        answer(200, b""),
        answer(200, cast.photo_bytes(400, 300)[:900]),
        answer(200, b"x" * 1_200_000),
        answer(200, cast.photo_bytes(40, 30, format="TIFF")),
    ],
    ids=["html", "nothing", "half a picture", "too large", "a tiff"],
)
def test_a_result_that_is_not_a_valid_picture_costs_nothing(
    alice: User, queued: Queue, tell: Tell, advance: Advance, result: Script
) -> None:
    server = tell(MAX_RESULT_MEGABYTES=1)
    server.set_scripts(STATUS, done(server))
    server.set_scripts("/r.png", result)
    edit = advance(queued(alice), times=4)
    assert ended(edit) == ("FAILED", "result_invalid", (400, 0))
    assert edit.results.count() == 0


def test_a_result_that_redirects_to_a_forbidden_url_is_not_fetched(
    alice: User, queued: Queue, tell: Tell, serve: Serve, advance: Advance
) -> None:
    server, inner = tell(), serve(answer(200, cast.photo_bytes()))
    server.set_scripts(STATUS, done(server))
    server.set_scripts("/r.png", redirect(f"{inner.origin}/secret"))
    edit = advance(queued(alice), times=4)
    assert (ended(edit)[:2], inner.connections) == (("FAILED", "result_unavailable"), 0)


def test_running_edits_stay_at_the_old_base_url_and_never_send_it_the_new_key(
    alice: User, queued: Queue, tell: Tell, point_at: PointAt, advance: Advance
) -> None:
    first = tell()
    edit = advance(queued(alice), times=2)
    second = tell()
    first.set_scripts(STATUS, done(first))
    point_at(second, api_key="another-key")
    edit = advance(edit, times=3)
    assert ended(edit) == ("SUCCESS", "", (360, 0))
    assert second.connections == 0
    keys = [request.headers.get("authorization") for request in first.requests]
    assert keys[:2] == [f"Bearer {KEY}"] * 2
    assert keys[2:] == [None] * (len(keys) - 2)


def test_a_new_key_is_used_from_the_next_request_on_and_is_not_stored(
    alice: User, queued: Queue, tell: Tell, point_at: PointAt, advance: Advance
) -> None:
    server = tell()
    edit = advance(queued(alice), times=2)
    point_at(server, api_key="rotated-CANARY-key")
    edit = advance(edit)
    sent = [request.headers["authorization"] for request in server.requests]
    assert sent == [f"Bearer {KEY}", f"Bearer {KEY}", "Bearer rotated-CANARY-key"]
    assert "CANARY" not in everything_about(edit)


def test_keys_and_signatures_do_not_appear_in_logs_rows_or_messages(
    alice: User, queued: Queue, tell: Tell, advance: Advance, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = {
        "message": f"Bearer {KEY} / {KEY} may not fetch https://x.example.org/a?sig=SIGNATURE-CANARY",
        "success": False,
    }
    for status in (400, 401, 409, 422, 429, 500):
        server = tell(create=answer(status, echo), PUBLIC_URL="https://darkroom.example.org")
        edit = advance(queued(alice, outputs=2, price=1))
        assert "media/signed" in server.requests[0].body.decode()
        assert "CANARY" not in edit.failure_message + everything_about(edit) + caplog.text
        assert "media/signed" not in edit.failure_message + everything_about(edit) + caplog.text
    for status in (200, 401, 500):
        tell(answer(status, echo))
        edit = advance(queued(alice, price=1), times=2)
        assert "CANARY" not in everything_about(edit) + caplog.text


def test_the_site_s_breaker_opens_waits_probes_once_and_closes(
    alice: User, queued: Queue, tell: Tell, advance: Advance, settings: Any
) -> None:
    settings.RUNNING_PER_USER = 50
    server = tell(create=[*[answer(500)] * 5, answer(200, task())], in_flight=50)
    for _ in range(5):
        assert advance(queued(alice, price=1)).failure_code == "unconfirmed"
    waiting = [queued(alice, price=1) for _ in range(3)]
    assert [advance(edit).state for edit in waiting] == ["QUEUED"] * 3
    assert creates(server) == 5
    with later(40):
        for _ in range(2):
            advance(Edit.objects.filter(state="QUEUED").earliest("due"))
        states = sorted(Edit.objects.get(pk=edit.pk).state for edit in waiting)
        assert states == ["QUEUED", "RUNNING", "RUNNING"]
    assert creates(server) == 7
    assert ProviderHealth.objects.get().times_opened == 0


def test_a_refused_edit_resets_the_count_of_failures(
    alice: User, queued: Queue, tell: Tell, advance: Advance
) -> None:
    tell(create=[*[answer(500)] * 4, answer(400, {"message": "Too dark"}), answer(500)])
    for _ in range(6):
        advance(queued(alice, price=1))
    health_row = ProviderHealth.objects.get()
    assert (health_row.failures, health_row.times_opened) == (1, 0)


def test_during_a_probe_nothing_else_is_sent(
    alice: User, queued: Queue, tell: Tell, advance: Advance, settings: Any
) -> None:
    settings.RUNNING_PER_USER = 50
    server = tell(create=[answer(401), answer(200, task())])
    advance(queued(alice, price=1))
    with later(40):
        probe_ends = timezone.now() + timedelta(seconds=60)
        ProviderHealth.objects.update(probing_until=probe_ends)
        assert [advance(queued(alice, price=1)).state for _ in range(2)] == ["QUEUED"] * 2
        assert creates(server) == 1


@pytest.mark.parametrize(
    "script", [answer(400, {"message": "Too dark"}), answer(429)], ids=["refused", "busy"]
)
def test_a_rejected_probe_allows_the_next_probe(
    alice: User, queued: Queue, tell: Tell, advance: Advance, settings: Any, script: Script
) -> None:
    settings.RUNNING_PER_USER = 50
    tell(create=[answer(401), script, answer(200, task())])
    advance(queued(alice, price=1))
    with later(40):
        advance(queued(alice, price=1))
        assert advance(queued(alice, price=1)).state == "RUNNING"


@pytest.mark.parametrize(
    "error", [LeaseLost(), ChildLost("crashed", "Killed."), StorageUnavailable("Down."), ValueError("A bug.")]
)
def test_a_probe_that_ends_before_the_call_allows_the_next_probe(
    alice: User,
    queued: Queue,
    tell: Tell,
    advance: Advance,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    settings.RUNNING_PER_USER = 50
    server = tell(create=[answer(401), answer(200, task())])
    advance(queued(alice, price=1))
    with later(40):
        with monkeypatch.context() as patch:
            patch.setattr(photo_editor.PhotoEditorProvider, "prepare", Mock(side_effect=error))
            advance(queued(alice, price=1))
        assert creates(server) == 1
        assert advance(queued(alice, price=1)).state == "RUNNING"


def test_fetching_photos_does_not_count_as_a_probe(
    alice: User, queued: Queue, tell: Tell, serve: Serve, advance: Advance, settings: Any
) -> None:
    settings.RUNNING_PER_USER = 50
    tell(create=[answer(401), answer(200, task())])
    advance(queued(alice, price=1))
    album = serve(answer(200, cast.photo_bytes()))
    settings.OUTBOUND_ALLOWED_ORIGINS = [album.origin]
    with later(40):
        edit = advance(queued(alice, price=1, references=0, image_urls=[f"{album.origin}/a.jpg"]))
        assert (edit.state, edit.references.count()) == ("QUEUED", 1)
        assert advance(edit).state == "RUNNING"


def test_an_edit_that_waits_for_a_broken_site_fails_after_15_minutes(
    alice: User, queued: Queue, tell: Tell, advance: Advance
) -> None:
    server = tell(create=answer(401))
    advance(queued(alice, price=1))
    edit, began = queued(alice), timezone.now()
    edit = advance(edit)
    assert (edit.state, edit.due > began + timedelta(seconds=20)) == ("QUEUED", True)
    with later(15 * 60 + 1):
        lifecycle.sweep()
    edit.refresh_from_db()
    assert ended(edit) == ("FAILED", "engine_unavailable", (400, 0))
    assert creates(server) == 1


def test_an_edit_keeps_waiting_if_the_site_is_healthy_again(
    alice: User, queued: Queue, tell: Tell, advance: Advance
) -> None:
    server = tell(create=[answer(401), answer(200, task())])
    advance(queued(alice, price=1))
    edit = advance(queued(alice))
    ProviderHealth.objects.update(times_opened=0, failures=0, open_until=None)
    with later(15 * 60 + 1):
        lifecycle.sweep()
        edit.refresh_from_db()
        assert (edit.state, balance_and_held(edit)) == ("QUEUED", (400, 40))
        assert edit.deadline > timezone.now() + timedelta(hours=23)
        assert advance(edit).state == "RUNNING"
    assert creates(server) == 2


@pytest.mark.parametrize("broken", ["record_call", "request_of"])
def test_an_error_before_the_create_request_leaves_the_edit_queued(
    alice: User, queued: Queue, tell: Tell, advance: Advance, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    server, edit = tell(), queued(alice)
    module = health if broken == "record_call" else results
    with monkeypatch.context() as patch:
        patch.setattr(module, broken, full)
        assert advance(edit).state == "QUEUED"
    assert creates(server) == 0
    assert advance(edit).state == "RUNNING"


def test_an_error_after_the_create_response_does_not_lose_the_task(
    alice: User, queued: Queue, tell: Tell, advance: Advance, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise OSError("the database is away")

    tell()
    monkeypatch.setattr(health, "record_success", away)
    edit = advance(queued(alice))
    assert (edit.state, (edit.ticket or {})["task_id"]) == ("RUNNING", "task-1")


def test_the_limit_of_running_edits_per_site_applies_across_users(
    alice: User,
    bob: User,
    charlie: User,
    queued: Queue,
    tell: Tell,
    advance: Advance,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # On a busy machine, the test itself polls late, and then no further edit would start.
    monkeypatch.setattr(pacing, "LATE_AFTER", timedelta(hours=1))
    server = tell(in_flight=3)
    server.set_scripts(STATUS, done(server))
    edits = [queued(owner) for owner in (alice, bob, charlie, alice, bob, charlie)]
    assert [advance(edit).state for edit in edits] == ["RUNNING"] * 3 + ["QUEUED"] * 3
    assert creates(server) == 3
    advance(edits[0], times=2)
    assert [advance(edit).state for edit in edits[3:]] == ["RUNNING", "QUEUED", "QUEUED"]


@pytest.mark.parametrize("status", [200, 500])
def test_an_unconfirmed_edit_fails_and_a_new_edit_gets_a_new_submit_id(
    alice: User, queued: Queue, tell: Tell, advance: Advance, status: int
) -> None:
    server = tell(create=[answer(status), answer(200, task())])
    edit = advance(queued(alice), times=3)
    assert ended(edit) == ("FAILED", "unconfirmed", (400, 0))
    assert edit.failure_message == UNCONFIRMED
    again = advance(queued(alice))
    assert (again.state, creates(server)) == ("RUNNING", 2)
    assert again.submit_id != edit.submit_id


def test_a_darkroom_is_tried_four_times_with_the_same_idempotency_key(
    alice: User, queued: Queue, tell: Tell, advance: Advance
) -> None:
    server = tell(create=answer(502), is_darkroom=True)
    edit = queued(alice)
    for number in range(4):
        edit = advance(edit)
        assert (edit.state == "FAILED") is (number == 3)
    assert ended(edit) == ("FAILED", "unconfirmed", (400, 0))
    keys = {request.headers["idempotency-key"] for request in server.requests}
    assert (len(server.requests), keys) == (4, {str(edit.id)})


def test_the_other_site_can_fetch_the_photos_at_the_given_urls(
    alice: User, queued: Queue, tell: Tell, advance: Advance
) -> None:
    server = tell(PUBLIC_URL="https://darkroom.example.org")
    edit = advance(queued(alice, outputs=2, references=2))
    assert edit.state == "RUNNING"
    sent = server.requests[0].json()
    assert (sent["numImages"], len(sent["imageUrls"])) == (2, 2)
    for position, url in enumerate(sent["imageUrls"], start=1):
        path = url.removeprefix("https://darkroom.example.org")
        response = Client(SERVER_NAME="localhost").get(path)
        assert response.status_code == 200
        fetched = b"".join(response.streaming_content)  # type: ignore[attr-defined]
        assert fetched == cast.path_of(edit.references.get(position=position)).read_bytes()


def test_photo_urls_for_the_other_site_have_expired_after_16_minutes(
    alice: User, queued: Queue, tell: Tell, advance: Advance
) -> None:
    server = tell(PUBLIC_URL="https://darkroom.example.org")
    advance(queued(alice, outputs=2))
    [url] = server.requests[0].json()["imageUrls"]
    path = url.removeprefix("https://darkroom.example.org")
    with later(16 * 60):
        assert Client(SERVER_NAME="localhost").get(path).status_code in (403, 404, 410)


def test_the_capabilities_depend_on_the_settings_for_the_other_site(tell: Tell) -> None:
    tell()
    assert routing.capabilities().max_outputs == 1
    tell(PUBLIC_URL="https://darkroom.example.org")
    assert routing.capabilities().max_outputs == 4
    tell(is_darkroom=True)
    assert routing.capabilities().regions


def test_results_in_the_create_response_are_stored_like_others(
    alice: User, queued: Queue, serve: Serve, point_at: PointAt, advance: Advance
) -> None:
    server = serve(answer(200, cast.photo_bytes(64, 48, format="PNG")))
    at_once = envelope({"images": [{"url": f"{server.origin}/r.png"}]})
    server.set_scripts(CREATE, answer(200, at_once))
    point_at(server)
    assert ended(advance(queued(alice), times=3)) == ("SUCCESS", "", (360, 0))
    assert PICTURE not in str(server.requests)
