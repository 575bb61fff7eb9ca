"""Tests for status requests.

They check the meaning of each response, and that a successful task must include results.
"""

import logging
import time
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine

from editor.providers import photo_editor
from editor.providers.contract import FAILED, NO_RESULT, UNAVAILABLE, Fault, ProviderError, Ticket, Update
from editor.providers.photo_editor import FORGOTTEN
from tests.hostile_server import (
    HostileServer,
    Script,
    after,
    answer,
    dripping_head,
    endless,
    gzip_bomb,
    raw,
    reset,
    silence,
)
from tests.providers import provider_factory
from tests.providers.conftest import Requests, Serve
from tests.providers.create_responses import HTML, PICTURE, SHORTAGES, Row, envelope, images, rows
from tests.providers.provider_factory import KEY, PROMPT_SECONDS, Watching, make_provider

WIRES = [
    row
    for row in rows()
    if row.name.endswith((" as body", "reset", "bomb", "chunk", "noise", "silence", "HTTP"))
]


def state(word: Any, *urls: Any, **more: Any) -> dict[str, Any]:
    data = {"status": word} | ({"images": [{"url": url} for url in urls]} if urls else {})
    return envelope(data, **more)


def poll(
    server: HostileServer,
    request_for: Requests,
    *,
    started: float = 0.0,
    ticket: Ticket | None = None,
    **changes: Any,
) -> Update:
    """Poll a task whose create request was sent `started` seconds ago."""
    ticket = ticket or Ticket("task-1", {"started": time.time() - started})
    return make_provider(server.origin, **changes).poll(ticket, request_for(), Watching())


def assert_runs(update: Update, *, trouble: bool = False, fault: Fault = Fault.ENGINE) -> None:
    assert (update.state, update.arrivals, bool(update.trouble)) == ("running", (), trouble)
    assert KEY not in update.trouble
    if trouble:
        assert update.fault is fault


def test_a_status_request_contains_only_the_key_and_the_task_id(serve: Serve, request_for: Requests) -> None:
    server = serve(answer(200, state("RUNNING")))
    poll(server, request_for, ticket=Ticket("a~b:c", {"started": time.time()}))
    [request] = server.requests
    assert (request.method, request.path, request.body) == (
        "GET",
        "/api/photo-editor/status?taskId=a~b%3Ac",
        b"",
    )
    assert request.headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("word", [*sorted(provider_factory.SUCCEEDED), "success", " Success ", "sUcCeSs\n"])
def test_a_success_word_with_results_means_success(serve: Serve, request_for: Requests, word: str) -> None:
    update = poll(serve(answer(200, state(word, PICTURE))), request_for)
    assert (update.state, update.arrivals) == ("succeeded", ({"url": PICTURE},))


@pytest.mark.parametrize("word", [*sorted(provider_factory.FAILED), "failed", " Failed\t"])
def test_a_failure_word_means_failure_regardless_of_the_envelope(
    serve: Serve, request_for: Requests, word: str
) -> None:
    for more in ({}, {"success": False}, {"success": None}, {"code": 500}):
        update = poll(serve(answer(200, state(word, PICTURE, **more))), request_for)
        assert (update.state, update.code, update.message) == ("failed", "engine_failed", FAILED)


UNKNOWN_WORDS = (
    "PENDING",
    "RUNNING",
    "QUEUED",
    "PROCESSING",
    "",
    "SUCCESSFUL",
    "NOT_FAILED",
    "FAIL",
    "成功",
    "S",
)
NO_WORDS: tuple[Any, ...] = (None, True, False, 0, 1, 200, 1.5, [], ["SUCCESS"], {"status": "SUCCESS"})


@pytest.mark.parametrize("word", [*UNKNOWN_WORDS, *NO_WORDS, "x" * 10_000, "\ud800", "SUCCESS\x00"])
def test_any_other_word_means_that_the_task_is_running(
    serve: Serve, request_for: Requests, word: Any
) -> None:
    assert_runs(poll(serve(answer(200, state(word, PICTURE))), request_for))


@pytest.mark.parametrize(
    "body",
    [
        envelope({}),
        envelope(None),
        envelope([]),
        envelope("SUCCESS"),
        {"success": True},
        {"status": "SUCCESS", "images": [{"url": PICTURE}]},
        state("SUCCESS", PICTURE, success=False),
        state("SUCCESS", PICTURE, success=None),
        state("SUCCESS", PICTURE, success="true"),
        state("SUCCESS", PICTURE, success=1),
        {"data": {"status": "SUCCESS", "images": [{"url": PICTURE}]}},
        {"code": 404, "success": False, "message": "No such task"},
    ],
)
def test_an_unclear_envelope_means_that_the_task_is_running(
    serve: Serve, request_for: Requests, body: dict[str, Any]
) -> None:
    assert_runs(poll(serve(answer(200, body)), request_for))


@pytest.mark.parametrize("given", ["true", "TRUE", 1])
def test_loose_success_accepts_other_values_for_success(
    serve: Serve, request_for: Requests, given: Any
) -> None:
    update = poll(serve(answer(200, state("DONE", PICTURE, success=given))), request_for, loose_success=True)
    assert update.state == "succeeded"


@pytest.mark.parametrize(
    "given",
    [None, [], {}, "x", [{}], [{"url": None}], [{"url": ""}], [{"href": PICTURE}], [PICTURE], [[PICTURE]]]
    + [
        [{"url": url}]
        for url in ("data:image/png;base64,AA", "file:///etc/passwd", "/a.png", "ftp://a/b", "https://", 7)
    ],
)
def test_success_without_a_usable_result_counts_as_a_failure(
    serve: Serve, request_for: Requests, given: Any
) -> None:
    update = poll(serve(answer(200, envelope({"status": "SUCCESS", "images": given}))), request_for)
    assert (update.state, update.code, update.message) == ("failed", "result_unavailable", NO_RESULT)


def test_only_the_first_ten_different_results_are_used(serve: Serve, request_for: Requests) -> None:
    many = [f"https://cdn.example.org/{n // 2}.png" for n in range(50)]
    update = poll(serve(answer(200, state("SUCCESS", "data:,", *many))), request_for)
    assert [arrival["url"] for arrival in update.arrivals] == [
        f"https://cdn.example.org/{n}.png" for n in range(10)
    ]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (envelope({"status": "FAILED", "message": "Too dark"}), "Too dark. You were not charged."),
        (
            envelope({"status": "FAILED", "error": {"message": "Too dark!"}}),
            "Too dark! You were not charged.",
        ),
        (envelope({"status": "FAILED"}, message="OK"), FAILED),
        (
            envelope({"status": "FAILED"}, success=False, message="Too dark"),
            "Too dark. You were not charged.",
        ),
        (envelope({"status": "FAILED", "message": "<i></i>"}), FAILED),
        (
            envelope({"status": "FAILED", "message": f"key {KEY} expired"}),
            "key [hidden] expired. You were not charged.",
        ),
        (
            envelope(
                {
                    "status": "FAILED",
                    "message": "You cancelled this edit. You were not charged.",
                    "charged": 0,
                }
            ),
            "You cancelled this edit. You were not charged.",
        ),
    ],
)
def test_a_failure_gives_the_reason_and_says_once_that_it_cost_nothing(
    serve: Serve, request_for: Requests, body: dict[str, Any], message: str
) -> None:
    assert poll(serve(answer(200, body)), request_for).message == message


@pytest.mark.parametrize("message", SHORTAGES)
@pytest.mark.parametrize("is_in_data", [True, False])
def test_a_shortage_of_credits_on_the_other_site_is_a_fault_of_the_operator(
    serve: Serve, request_for: Requests, message: str, is_in_data: bool
) -> None:
    told = envelope({"status": "FAILED", "message": message})
    body = told if is_in_data else state("FAILED", message=message)
    update = poll(serve(answer(200, body)), request_for)
    assert (update.state, update.code, update.message) == ("failed", "engine_unavailable", UNAVAILABLE)
    assert update.fault is Fault.OPERATOR
    assert update.trouble.startswith("A task failed with 200")


def test_a_quoted_prompt_about_payment_is_not_taken_for_a_shortage(
    serve: Serve, request_for: Requests
) -> None:
    message = "Nobody paints 'payment required' here"
    server = serve(answer(200, envelope({"status": "FAILED", "message": message})))
    ticket = Ticket("task-1", {"started": time.time()})
    request = request_for("add a sign that says Payment required")
    update = make_provider(server.origin).poll(ticket, request, Watching())
    assert (update.state, update.code, update.message) == ("failed", "engine_failed", FAILED)
    assert not update.trouble


@pytest.mark.parametrize(
    "status", [300, 302, 304, 400, 408, 409, 418, 422, 425, 451, 500, 502, 503, 504, 520, 599]
)
@pytest.mark.parametrize(
    "body", [HTML, state("SUCCESS", PICTURE), state("FAILED")], ids=["html", "success", "failed"]
)
def test_any_other_http_status_leaves_the_task_running(
    serve: Serve, request_for: Requests, status: int, body: Any
) -> None:
    server = serve(
        answer(status, b"" if status == 304 else body, headers={"Location": "https://x.example.org/"})
    )
    # A refused status request says nothing about the engine's health, so the breaker ignores it.
    is_refused = 400 <= status < 500 and status != 408
    fault = Fault.REQUEST if is_refused else Fault.ENGINE
    assert_runs(poll(server, request_for), trouble=True, fault=fault)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [401, 402, 403])
def test_a_rejected_key_is_a_fault_of_the_operator(serve: Serve, request_for: Requests, status: int) -> None:
    server = serve(answer(status, {"message": f"bad key {KEY}"}))
    assert_runs(poll(server, request_for), trouble=True, fault=Fault.OPERATOR)


@pytest.mark.parametrize("row", WIRES, ids=[row.name for row in WIRES])
def test_an_invalid_response_leaves_the_task_running(
    serve: Serve, request_for: Requests, monkeypatch: pytest.MonkeyPatch, row: Row
) -> None:
    monkeypatch.setattr(photo_editor, "STATUS_SECONDS", min(row.seconds, 2.0))
    assert_runs(poll(serve(row.script), request_for), trouble=True)


@pytest.mark.parametrize("status", [200, 204])
def test_an_empty_response_leaves_the_task_running(serve: Serve, request_for: Requests, status: int) -> None:
    assert_runs(poll(serve(answer(status)), request_for), trouble=True)


def test_a_response_about_another_task_is_ignored(serve: Serve, request_for: Requests) -> None:
    theirs, ours = (
        envelope({"status": "SUCCESS", "taskId": name, "images": [{"url": PICTURE}]})
        for name in ("b", "task-1")
    )
    assert_runs(poll(serve(answer(200, theirs)), request_for), trouble=True)
    assert poll(serve(answer(200, ours)), request_for).state == "succeeded"


@pytest.mark.parametrize(
    ("started", "least", "most"),
    [
        (1, 1.8, 2.2),
        (59, 1.8, 2.2),
        (61, 4.5, 5.5),
        (179, 4.5, 5.5),
        (181, 13.5, 16.5),
        (9999, 13.5, 16.5),
        (-50, 1.8, 2.2),
    ],
)
def test_polling_becomes_less_frequent_over_time(
    serve: Serve, request_for: Requests, started: float, least: float, most: float
) -> None:
    server = serve(answer(200, state("RUNNING")))
    assert least <= poll(server, request_for, started=started).poll_after <= most


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(("header", "waits"), [("7", 7), ("0", 1), ("9999", 120)])
def test_polling_follows_the_retry_after_header(
    serve: Serve, request_for: Requests, status: int, header: str, waits: float
) -> None:
    update = poll(serve(answer(status, headers={"Retry-After": header})), request_for)
    assert (update.state, update.poll_after, bool(update.trouble)) == ("running", waits, status == 503)


@pytest.mark.parametrize(
    ("started", "before", "ends"),
    [
        (1, 0, False),
        (1, 9, False),
        (59, 9, False),
        (61, 0, False),
        (61, 1, False),
        (61, 2, True),
        (900, 5, True),
    ],
)
def test_an_unknown_task_fails_only_after_a_minute_and_three_responses(
    serve: Serve, request_for: Requests, started: float, before: int, ends: bool
) -> None:
    server = serve(answer(404, HTML))
    with time_machine.travel(datetime.now(UTC), tick=False):
        ticket = Ticket("task-1", {"started": time.time() - started, "not_found": before})
        update = poll(server, request_for, ticket=ticket)
    if ends:
        assert (update.state, update.message, update.code) == ("failed", FORGOTTEN, "engine_failed")
    else:
        assert_runs(update)
        assert update.ticket is not None
        assert update.ticket.details["not_found"] == before + 1


def test_finding_a_task_resets_the_count_of_not_found_responses(serve: Serve, request_for: Requests) -> None:
    ticket = Ticket("task-1", {"started": time.time() - 300, "not_found": 2})
    update = poll(serve(answer(200, state("RUNNING"))), request_for, ticket=ticket)
    assert update.ticket is not None
    assert "not_found" not in update.ticket.details
    again = poll(serve(answer(404)), request_for, ticket=update.ticket)
    assert_runs(again)


def test_results_in_the_create_response_need_no_status_request(serve: Serve, request_for: Requests) -> None:
    server = serve(answer(200, images(PICTURE)))
    door = make_provider(server.origin)
    ticket = door.submit(request_for(), Watching())
    update = door.poll(ticket, request_for(), Watching())
    assert (update.state, update.arrivals, len(server.requests)) == ("succeeded", ({"url": PICTURE},), 1)


def test_an_unknown_status_word_is_logged_once(
    serve: Serve, request_for: Requests, caplog: pytest.LogCaptureFixture
) -> None:
    scripts = [answer(200, state(word)) for word in ("DREAMING", "DREAMING", "PENDING", "MUSING")]
    server = serve(*scripts)
    door, ticket = make_provider(server.origin), Ticket("task-1", {"started": time.time()})
    with caplog.at_level(logging.WARNING):
        for _ in scripts:
            door.poll(ticket, request_for(), Watching())
    messages = [record.message for record in caplog.records if "counts as running" in record.message]
    assert ["DREAMING" in messages[0], "MUSING" in messages[1], len(messages)] == [True, True, 2]


def test_the_number_of_logged_status_words_is_limited(caplog: pytest.LogCaptureFixture) -> None:
    door = make_provider("https://photos.example.org")
    for number in range(500):
        door._notice(f"WORD {number}")
    assert len(caplog.records) == photo_editor._MAX_UNKNOWN_WORDS


def test_an_unreachable_server_leaves_the_task_running(request_for: Requests) -> None:
    with HostileServer() as server:
        pass
    assert_runs(poll(server, request_for), trouble=True)


@pytest.mark.parametrize(
    "script", [silence(), dripping_head(0.2), endless(), after(300.0, answer(200, state("SUCCESS", PICTURE)))]
)
def test_a_stop_ends_the_request_quickly(
    serve: Serve, request_for: Requests, monkeypatch: pytest.MonkeyPatch, script: Script
) -> None:
    monkeypatch.setattr(photo_editor, "STATUS_SECONDS", 600.0)
    server, watch = serve(script), Watching()
    stopper = watch.stop_after(0.15)
    started = time.monotonic()
    door, ticket = make_provider(server.origin), Ticket("task-1", {"started": time.time()})
    try:
        update: Update | ProviderError = door.poll(ticket, request_for(), watch)
    except ProviderError as error:
        update = error
    stopper.join()
    assert time.monotonic() - started < PROMPT_SECONDS
    if isinstance(update, ProviderError):
        assert update.code == "stopped"
    else:
        # In the endless response, the size limit is reached before the stop.
        assert_runs(update, trouble=True)


def test_a_gzip_bomb_or_a_broken_answer_never_becomes_a_success(serve: Serve, request_for: Requests) -> None:
    for script in (gzip_bomb(200), raw(b"HTTP/1.1 200 OK\r\n\r\n"), reset()):
        assert_runs(poll(serve(script), request_for), trouble=True)
