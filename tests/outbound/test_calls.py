import gzip
import socket
import threading
import time
import zlib
from pathlib import Path
from typing import Any

import pytest

from editor.outbound import OutboundError, Response, Rules, calls, wire
from tests.hostile_server import (
    Authority,
    End,
    HostileServer,
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
from tests.outbound.conftest import Network

# The maximum duration of a call in seconds, even on a busy machine. Without the deadline, these calls would
# take longer or never end.
OVERRUN = 60.0
# The deadline of calls that must have sent their request before it. A busy machine sends it this quickly.
DEADLINE = 3.0


def call(server: HostileServer, path: str = "/", method: str = "GET", **options: Any) -> Response:
    """Make a call to the server. The server's origin is on the list of allowed origins."""
    name = options.pop("name", "127.0.0.1")
    rules = Rules(
        allowed_origins=frozenset({server.origin_for(name)}),
        ca_file=options.pop("ca_file", None),
        resolve=lambda host, port: ["127.0.0.1"],
    )
    options = {"seconds": 60, "cap": 1_000_000, **options}
    return calls.call(method, server.origin_for(name) + path, rules=rules, **options)


def error_of(server: HostileServer, **options: Any) -> OutboundError:
    with pytest.raises(OutboundError) as error:
        call(server, **options)
    return error.value


def test_it_sends_json_and_a_key_and_reads_the_answer() -> None:
    with HostileServer(answer(201, {"taskId": "7"}, headers={"Retry-After": "3"})) as server:
        got = call(server, "/v1/edits", "POST", json={"prompt": "ü"}, headers={"Authorization": "Bearer k"})
    assert (got.status, got.content) == (201, b'{"taskId": "7"}')
    assert got.headers["retry-after"] == got.headers["RETRY-AFTER"] == "3"
    sent = server.requests[0]
    assert (sent.method, sent.path, sent.json()) == ("POST", "/v1/edits", {"prompt": "ü"})
    assert sent.headers["authorization"] == "Bearer k"
    assert sent.headers["accept-encoding"] == "identity"


def test_query_parameters_are_escaped() -> None:
    with HostileServer() as server:
        call(server, "/task?a=1", params={"taskId": "../x&admin=1#?"})
    assert server.requests[0].path == "/task?a=1&taskId=..%2Fx%26admin%3D1%23%3F"


def test_a_signed_query_is_sent_unchanged() -> None:
    with HostileServer() as server:
        call(server, "/a?X-Sig=a%2Fb%2b~c&d=%20+&e")
    assert server.requests[0].path == "/a?X-Sig=a%2Fb%2b~c&d=%20+&e"


def test_it_sends_fields_and_files_as_multipart(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"first photo")
    (tmp_path / "two").write_bytes(b"second photo")
    files = [("photo", (name, tmp_path / name, "image/png")) for name in ("one", "two")]
    with HostileServer() as server:
        call(server, method="POST", data={"prompt": "brighter", "tags": ["a", "b"]}, files=files)
    body = server.requests[0].body
    assert server.requests[0].headers["content-type"].startswith("multipart/form-data; boundary=")
    assert server.requests[0].length == int(server.requests[0].headers["content-length"])
    assert body.index(b"brighter") < body.index(b"first photo") < body.index(b"second photo")
    assert b'name="photo"; filename="two"\r\nContent-Type: image/png' in body


def test_an_unreadable_file_raises_an_error_before_any_connection(tmp_path: Path) -> None:
    with HostileServer() as server:
        with pytest.raises(FileNotFoundError):
            call(server, method="POST", files=[("photo", ("a", tmp_path / "none", "image/png"))])
        assert server.connections == 0


@pytest.mark.parametrize("status", [200, 204, 301, 302, 307, 400, 401, 404, 429, 500, 503])
def test_every_status_is_returned_without_redirects_or_retries(status: int) -> None:
    with HostileServer(answer(status, headers={"Location": "/elsewhere", "Set-Cookie": "a=b"})) as server:
        assert call(server).status == status
        assert call(server).status == status
    assert [request.path for request in server.requests] == ["/", "/"]
    assert "cookie" not in server.requests[1].headers
    assert server.connections == 2


def test_it_refuses_to_read_more_than_the_cap() -> None:
    with HostileServer(answer(200, b"x" * 101)) as server:
        assert call(server, cap=101).content == b"x" * 101
        error = error_of(server, cap=100)
    assert (error.kind, error.sent) == ("too_large", True)


def test_a_long_error_page_is_cut_and_keeps_its_status() -> None:
    with HostileServer(answer(401, b"x" * 300_000)) as server:
        got = call(server)
    assert (got.status, len(got.content)) == (401, calls.MAX_ERROR_BYTES)


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(b"hello" * 40_000)),
        ("gzip", gzip.compress(b"hello" * 30_000) + gzip.compress(b"hello" * 10_000)),
        ("Deflate", zlib.compress(b"hello" * 40_000)),
    ],
)
def test_a_compressed_body_is_decompressed_although_not_requested(encoding: str, packed: bytes) -> None:
    with HostileServer(answer(200, packed, headers={"Content-Encoding": encoding})) as server:
        assert call(server).content == b"hello" * 40_000
        assert error_of(server, cap=199_999).kind == "too_large"


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(reset(), id="reset"),
        pytest.param(raw(End.CLOSE), id="close without a word"),
        pytest.param(raw(b"HTTP/1.1 200 OK\r\nContent-Le", End.CLOSE), id="close in the head"),
        pytest.param(answer(200, b"abc", length=10), id="close in the body"),
        pytest.param(answer(200, b"abc", length=10, then=End.RESET), id="reset in the body"),
        pytest.param(raw(b"not http at all\r\n\r\n"), id="no http"),
        pytest.param(raw(b"HTTP/1.1 999999 What\r\n\r\n"), id="no status"),
        pytest.param(answer(101), id="upgrade"),
        pytest.param(many_headers(), id="too many headers"),
        pytest.param(answer(200, headers={"Transfer-Encoding": "gzip, chunked"}), id="transfer coding"),
        pytest.param(
            raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"), id="2 lengths"
        ),
        pytest.param(raw(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab"), id="negative length"),
        pytest.param(chunked(b"abc", ending=b""), id="no last chunk"),
        pytest.param(chunked(b"abc", ending=b"zz\r\nabc"), id="bad chunk"),
        pytest.param(chunked(b"abc", ending=b"f" * 30 + b"\r\n"), id="huge chunk size"),
        pytest.param(answer(200, b"abc", headers={"Content-Encoding": "gzip"}), id="not gzip"),
        pytest.param(
            answer(200, gzip.compress(b"a" * 99)[:-9], headers={"Content-Encoding": "gzip"}), id="cut"
        ),
        pytest.param(answer(200, b"abc", headers={"Content-Encoding": "br"}), id="unknown encoding"),
        pytest.param(gzip_bomb(1, layers=2), id="packed twice"),
    ],
)
def test_a_broken_response_means_that_the_request_may_have_been_received(script: Script) -> None:
    with HostileServer(script) as server:
        error = error_of(server, method="POST", json={})
        assert (error.kind, error.sent) == ("broken", True)
        assert len(server.requests) == server.connections == 1


def test_an_early_answer_to_a_large_upload_is_read(tmp_path: Path) -> None:
    """A site may refuse a request after reading only the headers.

    The response is used even though the site then closes the connection.
    """
    (tmp_path / "photo").write_bytes(bytes(8_000_000))

    def refuse(listener: socket.socket) -> None:
        end, _ = listener.accept()
        with end:
            end.recv(1_000)
            end.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
            end.shutdown(socket.SHUT_WR)
            while end.recv(65_536):
                pass

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=refuse, args=(listener,), daemon=True).start()
        origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
        files = [("photo", ("photo", tmp_path / "photo", "image/png"))]
        rules = Rules(allowed_origins=frozenset({origin}))
        got = calls.call("POST", origin, rules=rules, seconds=60, cap=100, files=files)
    assert got.status == 413


def test_a_photo_that_shrinks_during_the_upload_breaks_the_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "photo"
    path.write_bytes(bytes(100_000))
    real = wire._for_httpcore

    def shrink(*arguments: Any) -> Any:
        path.write_bytes(b"")
        return real(*arguments)

    monkeypatch.setattr(wire, "_for_httpcore", shrink)
    with HostileServer() as server:
        error = error_of(server, method="POST", files=[("photo", ("photo", path, "image/png"))])
        assert (error.kind, error.sent) == ("broken", True)
        assert server.requests == []


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(silence(), id="silence"),
        pytest.param(after(300, answer()), id="late"),
        pytest.param(answer(200, b"x" * 10_000, drip=0.02), id="dripping body"),
        pytest.param(dripping_head(0.5), id="dripping head"),
        pytest.param(flood_of_1xx(), id="flood of 103"),
        pytest.param(flood_of_1xx(100, pause=0.02), id="drip of 100"),
        pytest.param(raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", End.STALL), id="stalled body"),
        pytest.param(raw(b"HTTP/1.1 200 OK\r\n", End.STALL), id="stalled head"),
    ],
)
def test_the_deadline_applies_to_slow_and_silent_servers(script: Script) -> None:
    with HostileServer(script) as server:
        began = time.monotonic()
        error = error_of(server, seconds=DEADLINE)
        took = time.monotonic() - began
    assert (error.kind, error.sent) == ("timeout", True)
    assert DEADLINE <= took <= DEADLINE + OVERRUN


def test_the_deadline_applies_to_an_endless_body() -> None:
    with HostileServer(endless()) as server:
        began = time.monotonic()
        assert error_of(server, seconds=DEADLINE, cap=10**12).kind == "timeout"
        assert time.monotonic() - began <= DEADLINE + OVERRUN


def test_the_deadline_applies_while_the_server_does_not_read_an_upload(tmp_path: Path) -> None:
    with (tmp_path / "photo").open("wb") as file:
        file.truncate(50_000_000)
    files = [("photo", ("photo", tmp_path / "photo", "image/png"))]
    with HostileServer(greeting=[End.PARK]) as server:
        began = time.monotonic()
        error = error_of(server, method="POST", files=files, seconds=DEADLINE)
        took = time.monotonic() - began
    assert (error.kind, error.sent) == ("timeout", True)
    assert took <= DEADLINE + OVERRUN


def test_a_single_step_may_not_exceed_its_own_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(wire.STEP_SECONDS, "read", 0.2)
    with HostileServer(silence()) as server:
        began = time.monotonic()
        assert error_of(server).kind == "timeout"
        assert time.monotonic() - began <= 0.2 + OVERRUN


def test_nothing_is_sent_if_the_port_is_closed() -> None:
    with HostileServer() as server:
        pass
    error = error_of(server)
    assert (error.kind, error.sent) == ("unreachable", False)


def test_nothing_is_sent_if_the_connection_is_not_accepted() -> None:
    """The listening socket's backlog is full, so the connection is never established."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        address = listener.getsockname()
        fillers = [socket.socket() for _ in range(3)]
        for filler in fillers:
            filler.setblocking(False)
            socket.socket.connect_ex(filler, address)
        origin = f"http://127.0.0.1:{address[1]}"
        began = time.monotonic()
        with pytest.raises(OutboundError) as error:
            calls.call("GET", origin, rules=Rules(frozenset({origin})), seconds=0.3, cap=9)
        assert time.monotonic() - began <= 0.3 + OVERRUN
        for filler in fillers:
            filler.close()
    assert (error.value.kind, error.value.sent) == ("unreachable", False)


def test_it_checks_the_certificate_against_the_name(authority: Authority, network: Network) -> None:
    names: list[str | None] = []
    context = authority.server_context("engine.test")
    context.sni_callback = lambda end, name, context: names.append(name)
    with HostileServer(answer(200, b"secret"), tls=context) as server:
        assert call(server, name="engine.test", ca_file=str(authority.trust)).content == b"secret"
    assert names == ["engine.test"]
    assert network.dialled == [("127.0.0.1", server.port)]
    assert server.requests[0].headers["host"] == f"engine.test:{server.port}"


def test_it_accepts_a_certificate_for_an_ip(authority: Authority) -> None:
    with HostileServer(tls=authority.server_context("127.0.0.1")) as server:
        assert call(server, ca_file=str(authority.trust)).status == 200


@pytest.mark.parametrize("fault", ["foreign", "other name", "expired", "not yet valid"])
def test_nothing_is_sent_after_a_bad_certificate(authority: Authority, fault: str) -> None:
    context = {
        "foreign": authority.server_context("engine.test"),
        "other name": authority.server_context("other.test"),
        "expired": authority.server_context("engine.test", days=(-9, -2)),
        "not yet valid": authority.server_context("engine.test", days=(2, 9)),
    }[fault]
    trust = None if fault == "foreign" else str(authority.trust)
    with HostileServer(tls=context) as server:
        origin = f"https://engine.test:{server.port}"
        rules = Rules(frozenset({origin}), ca_file=trust, resolve=lambda host, port: ["127.0.0.1"])
        with pytest.raises(OutboundError) as error:
            calls.call("GET", origin, rules=rules, seconds=60, cap=9, headers={"Authorization": "key"})
        assert server.requests == []
    assert (error.value.kind, error.value.sent) == ("tls", False)


def test_nothing_is_sent_to_a_server_without_tls() -> None:
    with HostileServer(greeting=[b"HTTP/1.1 400 Bad Request\r\n\r\n", End.STALL]) as server:
        origin = f"https://127.0.0.1:{server.port}"
        with pytest.raises(OutboundError) as error:
            calls.call("GET", origin, rules=Rules(frozenset({origin})), seconds=60, cap=9)
    assert (error.value.kind, error.value.sent) == ("tls", False)


@pytest.mark.parametrize("greeting", [End.CLOSE, End.RESET, End.STALL])
def test_nothing_is_sent_if_the_connection_ends_during_the_handshake(
    authority: Authority, greeting: End
) -> None:
    context = authority.server_context("127.0.0.1")
    with HostileServer(tls=context, greeting=[greeting]) as server:
        began = time.monotonic()
        error = error_of(server, seconds=0.25, ca_file=str(authority.trust))
        assert time.monotonic() - began <= 0.25 + OVERRUN
    assert (error.kind, error.sent) == ("unreachable", False)


@pytest.mark.parametrize("script", [answer(200, b"x" * 10_000, drip=0.02), silence(), dripping_head(0.5)])
def test_the_deadline_applies_with_tls(authority: Authority, script: Script) -> None:
    with HostileServer(script, tls=authority.server_context("127.0.0.1")) as server:
        began = time.monotonic()
        error = error_of(server, seconds=DEADLINE, ca_file=str(authority.trust))
        assert time.monotonic() - began <= DEADLINE + OVERRUN
    assert (error.kind, error.sent) == ("timeout", True)


def test_a_large_upload_and_response_work_with_tls(authority: Authority, tmp_path: Path) -> None:
    (tmp_path / "photo").write_bytes(bytes(range(256)) * 20_000)
    files = [("photo", ("photo", tmp_path / "photo", "image/png"))]
    with HostileServer(answer(200, b"y" * 900_000), tls=authority.server_context("127.0.0.1")) as server:
        got = call(server, method="POST", files=files, ca_file=str(authority.trust))
    assert got.content == b"y" * 900_000
    assert server.requests[0].length > 5_000_000


@pytest.mark.parametrize("script", [silence(), answer(200, b"x" * 9_999, drip=0.01)])
def test_a_stop_ends_a_request_quickly(script: Script) -> None:
    stop, stopped_at = threading.Event(), [0.0]

    def stop_when_sent() -> None:
        server.wait_for(1)
        stopped_at[0] = time.monotonic()
        stop.set()

    with HostileServer(script) as server:
        threading.Thread(target=stop_when_sent, daemon=True).start()
        error = error_of(server, seconds=600, stop=stop)
        assert time.monotonic() - stopped_at[0] <= OVERRUN
    assert (error.kind, error.sent) == ("stopped", True)


def test_a_key_with_a_line_break_is_never_sent() -> None:
    with HostileServer() as server:
        error = error_of(server, headers={"Authorization": "key\r\nX-Admin: 1"})
        assert server.requests == []
    assert (error.kind, error.sent) == ("unreachable", False)


def test_a_stop_ends_a_request_during_the_handshake(authority: Authority) -> None:
    stop = threading.Event()
    with HostileServer(tls=authority.server_context("127.0.0.1"), greeting=[End.STALL]) as server:
        threading.Timer(0.2, stop.set).start()
        error = error_of(server, seconds=600, stop=stop)
    assert (error.kind, error.sent) == ("stopped", False)


def test_a_stop_before_the_request_prevents_it() -> None:
    stop = threading.Event()
    stop.set()
    with HostileServer() as server:
        error = error_of(server, stop=stop)
        assert server.connections == 0
    assert (error.kind, error.sent) == ("stopped", False)


def test_a_stop_ends_a_request_during_the_name_lookup() -> None:
    stop, lookup_started, go_on = threading.Event(), threading.Event(), threading.Event()

    def resolve(host: str, port: int) -> list[str]:
        lookup_started.set()
        go_on.wait(600)
        return []

    def stop_when_asked() -> None:
        lookup_started.wait(60)
        stop.set()

    threading.Thread(target=stop_when_asked, daemon=True).start()
    with pytest.raises(OutboundError) as error:
        calls.call("GET", "http://example.org/", rules=Rules(resolve=resolve), seconds=600, cap=9, stop=stop)
    go_on.set()
    assert (error.value.kind, error.value.sent) == ("stopped", False)


def test_a_redirect_is_returned_as_a_response() -> None:
    with HostileServer(redirect("http://169.254.169.254/")) as server:
        assert call(server).headers["location"] == "http://169.254.169.254/"


def test_a_body_can_be_written_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "answer"
    target.write_bytes(b"an older one")
    with HostileServer(chunked(b"{", b"}")) as server:
        got = call(server, target=target)
    assert (got.status, got.content, target.read_bytes()) == (200, b"", b"{}")
    assert target.stat().st_mode & 0o777 == 0o600


def test_an_error_is_not_written_to_a_file(tmp_path: Path) -> None:
    with HostileServer(answer(400, b"No.")) as server:
        assert call(server, target=tmp_path / "answer").content == b"No."
    assert not (tmp_path / "answer").exists()


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (endless(), "too_large"),
        (gzip_bomb(100), "too_large"),
        (answer(200, b"half", length=8), "broken"),
        (answer(200, b"half", length=8, then=End.STALL), "timeout"),
    ],
    ids=["endless", "bomb", "broken off", "stalled"],
)
def test_no_partial_file_remains(tmp_path: Path, script: Script, kind: str) -> None:
    with HostileServer(script) as server:
        error = error_of(server, target=tmp_path / "answer", seconds=3 if kind == "timeout" else 60)
    assert (error.kind, error.sent, list(tmp_path.iterdir())) == (kind, True, [])


def test_a_site_may_be_silent_as_long_as_the_caller_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(wire.STEP_SECONDS, "read", 0.2)
    with HostileServer(after(0.8, answer(200, b"{}"))) as server:
        assert error_of(server).kind == "timeout"
        assert call(server, silence=60).content == b"{}"
