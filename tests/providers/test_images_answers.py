"""Tests for every kind of response from an images API, and for its outcome.

They also check that each request is sent only once.
"""

import base64
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from editor.imaging.sandbox import DECODE, Sandbox
from editor.outbound import Rules
from editor.providers import openai_images
from editor.providers.contract import (
    BUSY,
    NO_RESULT,
    NOT_A_PHOTO,
    REJECTED,
    UNAVAILABLE,
    UNCONFIRMED,
    Fault,
    ProviderError,
    Update,
)
from editor.providers.fetches import TOO_LARGE
from tests import cast
from tests.hostile_server import (
    End,
    HostileServer,
    Received,
    Script,
    after,
    answer,
    chunked,
    dripping_head,
    endless,
    flood_of_1xx,
    gzip_bomb,
    many_headers,
    raw,
    redirect,
    reset,
    silence,
)
from tests.providers.conftest import Requests, Serve
from tests.providers.create_responses import SHORT
from tests.providers.images_site import EDITS
from tests.providers.provider_factory import KEY, Watching, make_images_provider

PHOTO = cast.photo_bytes(48, 32)
B64 = base64.b64encode(PHOTO).decode()
SVG = base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>").decode()
HTML = "<!doctype html><title>502 Bad Gateway</title><h1>nginx</h1>"
JITTER = (1.0, 30.0)


@dataclass(frozen=True)
class Refused:
    """A failure. `again` is the range, in seconds, of the delay after which the request is sent again."""

    code: str
    message: str
    fault: Fault = Fault.ENGINE
    again: tuple[float, float] | None = None


@dataclass(frozen=True)
class Row:
    """A response, along with its outcome, where None means a result.

    `changes` modify the configuration of the server.
    """

    name: str
    script: Script
    outcome: Refused | None
    changes: dict[str, Any] = field(default_factory=dict)


UNKNOWN = Refused("unconfirmed", UNCONFIRMED)
OPERATOR = Refused("engine_unavailable", UNAVAILABLE, Fault.OPERATOR)
NOTHING = Refused("result_unavailable", NO_RESULT)
UNUSABLE = Refused("result_unavailable", NOT_A_PHOTO)
TOO_BIG = Refused("result_invalid", TOO_LARGE)
QUICK = {"seconds": SHORT}


def busy(least: float, most: float) -> Refused:
    return Refused("engine_unavailable", BUSY, Fault.REQUEST, (least, most))


def refused(message: str) -> Refused:
    return Refused("rejected", f"{message} You were not charged.", Fault.REQUEST)


def failure(message: str, **more: Any) -> dict[str, Any]:
    return {
        "error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}
    }


def data(*entries: Any, **more: Any) -> Script:
    return answer(200, {"created": 1, "data": list(entries), **more})


def rows() -> Iterator[Row]:
    yield from _results()
    yield from _operators()
    yield from _refusals()
    yield from _uncertain()
    yield from _unusable()


def _results() -> Iterator[Row]:
    yield Row("base64", data({"b64_json": B64}), None)
    yield Row("a data URI", data({"url": f"data:image/jpeg;base64,{B64}"}), None)
    yield Row("base64 in chunks", chunked(b'{"data": [{"b64_', f'json": "{B64}"}}]}}'.encode()), None)
    yield Row("after a while", after(1.0, data({"b64_json": B64})), None)
    yield Row(
        "as text/plain",
        answer(200, {"data": [{"b64_json": B64}]}, headers={"Content-Type": "text/plain"}),
        None,
    )
    yield Row("a wrong format", data({"b64_json": B64}, output_format="png"), None)
    yield Row("a result after a broken one", data({"b64_json": SVG}, {"b64_json": B64}), UNUSABLE)


def _operators() -> Iterator[Row]:
    for status in (301, 302, 307, 401, 402, 403, 404, 405, 407):
        yield Row(
            f"{status}",
            answer(status, failure("No."), headers={"Location": "https://x.example/"}),
            OPERATOR,
        )
    quota = failure("You exceeded your current quota.", type="insufficient_quota", code="insufficient_quota")
    for name, status, body in (
        ("quota", 429, quota),
        ("quota in words", 400, {"detail": "Quota exceeded for this key"}),
        (
            "billing",
            400,
            failure("Billing hard limit has been reached", code="billing_hard_limit_reached"),
        ),
        ("billing in words", 400, {"error": "Billing is not set up"}),
        ("budget", 400, failure("Budget has been exceeded!", type="budget_exceeded")),
        ("a wrong key at LiteLLM", 400, failure("No connected db.", type="no_db_connection")),
        ("unknown model", 400, failure("The model `flux` does not exist.", code="model_not_found")),
        ("unknown model in words", 400, {"detail": "Model flux-9 not found"}),
        ("unknown model at LiteLLM", 400, failure("Invalid model name passed in model=flux")),
        (
            "another model",
            400,
            {"detail": "Model mismatch: request specifies 'a' but server is running 'b'."},
        ),
    ):
        yield Row(f"{name} ({status})", answer(status, body), OPERATOR)
    yield Row(
        "429 with Retry-After",
        answer(429, failure("Slow down."), headers={"Retry-After": "7"}),
        busy(7, 7),
    )
    for words in ("Quota exceeded: 5 requests per minute.", "Rate limit reached. Check your billing plan."):
        yield Row(f"429 ({words})", answer(429, failure(words), headers={"Retry-After": "7"}), busy(7, 7))
    yield Row("429 without", answer(429, "busy"), busy(*JITTER))
    yield Row("429 with a long Retry-After", answer(429, headers={"Retry-After": "9999"}), busy(120, 120))


def _refusals() -> Iterator[Row]:
    reason = "Your request was rejected by the safety system."
    for name, body in (
        ("an object", failure(reason, code="moderation_blocked")),
        ("a string", {"error": reason}),
        ("a slug with a message", {"error": "moderation_blocked", "message": reason}),
        ("detail", {"detail": reason}),
        ("a list of details", {"detail": [{"loc": ["body", "prompt"], "msg": reason, "type": "value"}]}),
        ("text", reason),
        ("a message with markup", failure("Your <b>request</b> was rejected by the safety system.")),
        ("a message with a key", failure(f"Your request was rejected by the safety system. Bearer {KEY}")),
    ):
        for status in (400, 422):
            yield Row(f"{name} ({status})", answer(status, body), refused(reason))
    for host in ("10.0.0.7:8000", "127.0.0.1", "gpu-7.models.internal", "gpu-7:8000"):
        hidden = refused("No faces at [hidden], please.")
        yield Row(f"a refusal with {host}", answer(400, {"detail": f"No faces at {host}, please."}), hidden)
    yield Row("a refusal without a dot", answer(400, {"error": "No faces"}), refused("No faces."))
    yield Row(
        "a refusal with status 200", answer(200, {"data": [], "error": "No faces"}), refused("No faces.")
    )
    useless: tuple[tuple[str, Any], ...] = (
        ("nothing", b""),
        ("html", HTML),
        ("json without words", {"error": {}}),
        ("a trace", failure('Traceback (most recent call last): File "/app/server.py", line 7, in edit')),
        ("an exception", {"detail": "RuntimeError: CUDA out of memory at /opt/vllm/omni/worker.py"}),
    )
    for name, content in useless:
        yield Row(f"400 with {name}", answer(400, content), Refused("rejected", REJECTED, Fault.REQUEST))
    yield Row("413", answer(413, HTML), Refused("rejected", REJECTED, Fault.REQUEST))


def _uncertain() -> Iterator[Row]:
    for status in (408, 425, 500, 502, 503, 504, 529):
        yield Row(f"{status}", answer(status, HTML, headers={"Retry-After": "1"}), UNKNOWN)
    yield Row("500 with a reason", answer(500, {"error": "server_error", "message": "No faces"}), UNKNOWN)
    yield Row("reset", reset(), UNKNOWN)
    yield Row("closed", raw(End.CLOSE), UNKNOWN)
    yield Row("not HTTP", raw(b"SSH-2.0-OpenSSH_9.2\r\n", End.CLOSE), UNKNOWN)
    yield Row("broken off", answer(200, f'{{"data": [{{"b64_json": "{B64}"}}]}}', length=9999), UNKNOWN)
    yield Row("a broken chunk", chunked(b'{"data"', ending=b"zz\r\n"), UNKNOWN)
    yield Row("a dropped error", answer(400, b"No", length=99), UNKNOWN)
    yield Row("silence", silence(), UNKNOWN, QUICK)
    yield Row("a silent body", answer(200, b'{"data', length=99, then=End.STALL), UNKNOWN, QUICK)
    yield Row("a dripping body", answer(200, b" " * 500, drip=0.1), UNKNOWN, QUICK)
    yield Row("a dripping head", dripping_head(0.2), UNKNOWN, QUICK)
    yield Row("1xx forever", flood_of_1xx(pause=0.01), UNKNOWN, QUICK)
    yield Row("too many headers", many_headers(), UNKNOWN)
    yield Row(
        "502 at a repeatable server",
        answer(502),
        Refused("unconfirmed", UNCONFIRMED, again=JITTER),
        {"is_repeatable": True},
    )
    yield Row(
        "reset at a repeatable server",
        reset(),
        Refused("unconfirmed", UNCONFIRMED, again=JITTER),
        {"is_repeatable": True},
    )


def _unusable() -> Iterator[Row]:
    small = {"result_bytes": 300_000}
    yield Row("endless", endless(), TOO_BIG, small)
    yield Row("a bomb", gzip_bomb(50), TOO_BIG, small)
    yield Row("a result that is too large", data({"b64_json": "A" * 404_000}), TOO_BIG, small)
    for name, body in (
        ("nothing", b""),
        ("html", HTML),
        ("a list", [1]),
        ("junk", b"\x89PNG\r\n"),
        ("half", b'{"data": ['),
    ):
        yield Row(f"200 with {name}", answer(200, body), NOTHING)
    yield Row("no results", data(), NOTHING)
    yield Row("null", answer(200, {"data": None}), NOTHING)
    yield Row("a trace with status 200", answer(200, {"error": "ValueError: x in /a/b/c.py"}), NOTHING)
    for name, entry in (
        ("an empty entry", {}),
        ("SVG", {"b64_json": SVG}),
        ("HTML as a photo", {"b64_json": base64.b64encode(HTML.encode()).decode()}),
        ("no base64", {"b64_json": "%%%"}),
        ("half a photo's header", {"b64_json": base64.b64encode(PHOTO[:20]).decode()}),
        ("a bare path", {"url": "/root/.xinference/image/0.jpg"}),
        ("a path from its root", {"url": "/images/0.jpg"}),
        ("a file", {"url": "file:///etc/passwd"}),
        ("another origin", {"url": "https://cdn.example.org/a.png"}),
        ("this machine", {"url": "http://127.0.0.1:1/a.png"}),
        ("metadata", {"url": "http://169.254.169.254/latest/meta-data"}),
    ):
        yield Row(name, data(entry), UNUSABLE)


ROWS = list(rows())


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    box = Sandbox(DECODE)
    yield box
    box.close()


def outcome_of(
    row: Row, server: HostileServer, request_for: Requests, sandbox: Sandbox
) -> Update | ProviderError:
    provider = make_images_provider(server.origin, sandbox=sandbox, **{"seconds": 600.0} | row.changes)
    request = request_for()
    try:
        return provider.poll(provider.submit(request, Watching()), request, Watching())
    except ProviderError as error:
        return error


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_a_request_is_sent_once_and_its_response_handled_as_listed(
    serve: Serve, request_for: Requests, sandbox: Sandbox, row: Row
) -> None:
    server = serve(row.script)
    got = outcome_of(row, server, request_for, sandbox)
    assert [(request.method, request.path) for request in server.requests] == [("POST", "/v1/images/edits")]
    assert server.connections == 1
    if row.outcome is None:
        assert isinstance(got, Update), got
        assert (got.state, len(got.arrivals)) == ("succeeded", 1)
        return
    state = (got.code, got.message, got.fault) if isinstance(got, ProviderError) else (got.code, got.message)
    expected = row.outcome
    assert state == (expected.code, expected.message, expected.fault)[: len(state)]
    assert_again(getattr(got, "retry_after", None), expected.again)
    detail = got.detail if isinstance(got, ProviderError) else got.trouble
    assert KEY not in got.message + detail
    assert "127.0.0.1" not in got.message


def assert_again(given: float | None, expected: tuple[float, float] | None) -> None:
    if expected is None:
        assert given is None
    else:
        assert given is not None
        assert expected[0] - 0.01 <= given <= expected[1] + 0.01


def test_an_unreachable_server_can_be_tried_again(request_for: Requests, sandbox: Sandbox) -> None:
    with HostileServer() as server:
        origin = server.origin
    with pytest.raises(ProviderError) as error:
        make_images_provider(origin, sandbox=sandbox).submit(request_for(), Watching())
    assert (error.value.code, error.value.fault) == ("engine_unavailable", Fault.ENGINE)
    assert_again(error.value.retry_after, JITTER)


def test_a_quoted_prompt_in_an_error_is_not_taken_for_a_billing_problem(
    serve: Serve, request_for: Requests, sandbox: Sandbox
) -> None:
    server = serve(answer(400, failure("I will not draw a billing department.")))
    with pytest.raises(ProviderError) as error:
        make_images_provider(server.origin, sandbox=sandbox).submit(
            request_for("add a billing department"), Watching()
        )
    assert (error.value.code, error.value.message) == ("rejected", REJECTED)


def test_a_result_is_fetched_from_the_same_origin_without_the_key(
    serve: Serve, request_for: Requests, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_images, "DOWNLOAD_PAUSES", (0.0, 0.0))
    server = serve(by_path={"/images/0": [answer(503), answer(200, PHOTO)]})
    server.set_scripts(EDITS, data({"url": f"{server.origin}/images/0"}))
    got = outcome_of(Row("", answer(), None), server, request_for, sandbox)
    assert isinstance(got, Update)
    assert (got.state, len(server.requests)) == ("succeeded", 3)
    assert all("authorization" not in request.headers for request in server.requests[1:])


def test_a_result_is_fetched_from_a_listed_origin_but_from_no_other(
    serve: Serve, request_for: Requests, sandbox: Sandbox
) -> None:
    store = serve(answer(200, PHOTO))
    server = serve(data({"url": f"{store.origin}/0"}))
    other = outcome_of(Row("", answer(), None), server, request_for, sandbox)
    assert isinstance(other, Update)
    assert (other.state, len(store.requests)) == ("failed", 0)
    assert other.trouble == "The engine sent no usable result: other_origin."
    listed = {"rules": Rules(allowed_origins=frozenset((store.origin,)))}
    got = outcome_of(Row("", answer(), None, listed), server, request_for, sandbox)
    assert isinstance(got, Update)
    assert (got.state, len(store.requests)) == ("succeeded", 1)
    assert "authorization" not in store.requests[0].headers


def test_results_are_fetched_in_parallel(
    serve: Serve, request_for: Requests, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_images, "DOWNLOAD_PAUSES", ())
    arrivals = threading.Barrier(3)

    def together(received: Received) -> Any:
        arrivals.wait(30)
        return answer(200, PHOTO)(received)

    server = serve(together)
    server.set_scripts(EDITS, data(*[{"url": f"{server.origin}/images/{n}"} for n in range(3)]))
    provider, request = make_images_provider(server.origin, sandbox=sandbox), request_for(outputs=3)
    update = provider.poll(provider.submit(request, Watching()), request, Watching())
    assert (update.state, len(update.arrivals)) == ("succeeded", 3)


@pytest.mark.parametrize(
    "script",
    [answer(404), redirect("/images/1"), answer(200, HTML), answer(200, b""), gzip_bomb(2)],
    ids=["404", "redirect", "html", "nothing", "bomb"],
)
def test_a_result_that_cannot_be_fetched_fails_the_edit(
    serve: Serve, request_for: Requests, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, script: Script
) -> None:
    monkeypatch.setattr(openai_images, "DOWNLOAD_PAUSES", (0.0, 0.0))
    server = serve(by_path={"/images/0": script, "/images/1": answer(200, PHOTO)})
    server.set_scripts(EDITS, data({"url": f"{server.origin}/images/0"}))
    row = Row("", answer(), None, {"result_bytes": 1_000_000})
    got = outcome_of(row, server, request_for, sandbox)
    assert isinstance(got, Update)
    assert (got.state, got.code) == ("failed", "result_unavailable")
    assert len([request for request in server.requests if request.method == "POST"]) == 1


def test_a_stored_response_is_recovered_without_sending_a_request(
    serve: Serve, request_for: Requests, sandbox: Sandbox
) -> None:
    server = serve(data({"b64_json": B64}))
    request = request_for()
    provider = make_images_provider(server.origin, sandbox=sandbox)
    assert provider.recover(request) is None
    ticket = provider.submit(request, Watching())
    another = make_images_provider(server.origin, sandbox=sandbox)
    assert another.recover(request) == ticket
    assert another.poll(ticket, request, Watching()).state == "succeeded"
    (request.work_dir / "answer.json").unlink()
    lost = another.poll(ticket, request, Watching())
    assert (lost.state, lost.code, lost.message) == (
        "failed",
        "result_unavailable",
        openai_images.RESULT_LOST,
    )
    assert len(server.requests) == 1


def test_the_work_folder_of_an_old_edit_is_touched_before_the_request(
    serve: Serve, request_for: Requests, sandbox: Sandbox
) -> None:
    request = request_for()
    os.utime(request.work_dir, (0, 0))
    ages: list[float] = []

    def answering(received: Received) -> Any:
        ages.append(time.time() - request.work_dir.stat().st_mtime)
        return data({"b64_json": B64})(received)

    make_images_provider(serve(answering).origin, sandbox=sandbox).submit(request, Watching())
    assert ages[0] < 60


def test_an_incomplete_response_is_not_recovered(
    serve: Serve, request_for: Requests, sandbox: Sandbox
) -> None:
    server = serve(answer(200, b'{"data": [', length=99))
    request = request_for()
    provider = make_images_provider(server.origin, sandbox=sandbox)
    with pytest.raises(ProviderError):
        provider.submit(request, Watching())
    assert provider.recover(request) is None
