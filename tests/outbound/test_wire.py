"""Tests for the layer between our code and httpcore.

They cover errors, the network backend, the proxy, and the threads that look up host names.
"""

import inspect
import select
import socket
import threading
import time
from typing import Any

import httpcore
import pytest

from editor.outbound import OutboundError, Response, Rules, calls
from tests.hostile_server import Authority, HostileServer, answer, raw
from tests.outbound.conftest import Network

ERRORS = sorted(
    (item for _, item in inspect.getmembers(httpcore, inspect.isclass) if issubclass(item, Exception)),
    key=lambda item: item.__name__,
)


def get(url: str, rules: Rules, **options: Any) -> Response:
    return calls.call("GET", url, rules=rules, **{"seconds": 60, "cap": 10_000, **options})


def test_httpcore_has_the_expected_number_of_errors() -> None:
    assert len(ERRORS) == 15


@pytest.mark.parametrize("error", ERRORS)
def test_an_httpcore_error_before_sending_means_that_nothing_was_sent(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(pool: httpcore.ConnectionPool, request: httpcore.Request) -> httpcore.Response:
        raise error("for a test")

    monkeypatch.setattr(httpcore.ConnectionPool, "handle_request", fails)
    with pytest.raises(OutboundError) as raised:
        get("http://1.1.1.1/", Rules())
    assert (raised.value.kind, raised.value.sent) == ("unreachable", False)


@pytest.mark.parametrize("when", ["sending", "reading"])
@pytest.mark.parametrize("error", ERRORS)
def test_every_error_of_httpcore_after_sending_is_ambiguous(
    error: type[Exception], when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = httpcore.ConnectionPool.handle_request

    def fails(pool: httpcore.ConnectionPool, request: httpcore.Request) -> httpcore.Response:
        response = real(pool, request)
        if when == "sending":
            response.close()
            raise error("for a test")
        monkeypatch.setattr(response, "iter_stream", breaks)
        return response

    def breaks() -> Any:
        yield b"some"
        raise error("for a test")

    monkeypatch.setattr(httpcore.ConnectionPool, "handle_request", fails)
    with HostileServer(answer(200, b"abc")) as server, pytest.raises(OutboundError) as raised:
        get(server.origin, Rules(frozenset({server.origin})))
    expected = "timeout" if issubclass(error, httpcore.TimeoutException) else "broken"
    assert (raised.value.kind, raised.value.sent) == (expected, True)


def test_proxy_variables_in_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    with HostileServer() as proxy, HostileServer(answer(200, b"direct")) as server:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.origin)
        assert get(server.origin, Rules(frozenset({server.origin}))).content == b"direct"
        assert proxy.connections == 0


def test_a_configured_proxy_gets_the_request_for_a_private_address(network: Network) -> None:
    with HostileServer(answer(407, b"no")) as proxy:
        rules = Rules(proxy=f"http://user:word@127.0.0.1:{proxy.port}", resolve=lambda host, port: [])
        assert get("http://10.0.0.9:8188/prompt?a=b", rules).status == 407
    assert proxy.requests[0].path == "http://10.0.0.9:8188/prompt?a=b"
    assert proxy.requests[0].headers["proxy-authorization"] == "Basic dXNlcjp3b3Jk"
    assert proxy.requests[0].headers["host"] == "10.0.0.9:8188"
    assert network.dialled == [("127.0.0.1", proxy.port)]


@pytest.mark.parametrize("url", ["http://user@example.org/", "http://2130706433/", "file:///a"])
def test_an_unusual_url_is_not_sent_to_a_proxy_either(url: str) -> None:
    with HostileServer() as proxy:
        with pytest.raises(OutboundError) as raised:
            get(url, Rules(proxy=proxy.origin))
        assert proxy.connections == 0
    assert raised.value.kind == "refused"


def test_a_proxy_that_refuses_a_tunnel_does_not_get_the_request() -> None:
    with HostileServer(raw(b"HTTP/1.1 403 Forbidden\r\n\r\n")) as proxy:
        with pytest.raises(OutboundError) as raised:
            get("https://example.org/?key", Rules(proxy=proxy.origin), headers={"Authorization": "key"})
        assert proxy.requests[0].path == "example.org:443"
        assert "authorization" not in proxy.requests[0].headers
    assert (raised.value.kind, raised.value.sent) == ("unreachable", False)


def test_tls_works_through_a_proxy_tunnel(authority: Authority) -> None:
    with HostileServer(answer(200, b"inside"), tls=authority.server_context("engine.test")) as server:
        proxy = _tunnel_to(server)
        rules = Rules(proxy=f"http://127.0.0.1:{proxy}", ca_file=str(authority.trust))
        assert get("https://engine.test/a", rules).content == b"inside"
    assert server.requests[0].headers["host"] == "engine.test"


def test_hanging_dns_lookups_are_limited_and_do_not_block_others() -> None:
    go_on, lock = threading.Event(), threading.Lock()
    at_once: list[int] = [0, 0]  # the current and the maximum number of parallel lookups

    def hang(host: str, port: int) -> list[str]:
        with lock:
            at_once[0] += 1
            at_once[1] = max(at_once)
        go_on.wait(60)
        with lock:
            at_once[0] -= 1
        return []

    def caller() -> None:
        with pytest.raises(OutboundError):
            get("http://example.org/", Rules(resolve=hang), seconds=0.3)

    callers = [threading.Thread(target=caller) for _ in range(24)]
    began = time.monotonic()
    for thread in callers:
        thread.start()
    for thread in callers:
        thread.join()
    assert time.monotonic() - began <= 30
    while at_once[1] < 16 and time.monotonic() - began <= 50:  # A lookup may begin late on a busy machine.
        time.sleep(0.01)
    assert at_once[1] == 16
    go_on.set()
    with pytest.raises(OutboundError):
        get("http://example.org/", Rules(resolve=hang))


def _tunnel_to(server: HostileServer) -> int:
    """Return the port of a proxy that connects one CONNECT request to this server.

    The proxy ignores the target of the request.
    """
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        end, _ = listener.accept()
        with listener, end, socket.create_connection(("127.0.0.1", server.port)) as far:
            assert end.recv(4_096).startswith(b"CONNECT ")
            end.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            while True:
                for ready in select.select([end, far], [], [], 5)[0]:
                    data = ready.recv(65_536)
                    if not data:
                        return
                    (far if ready is end else end).sendall(data)

    threading.Thread(target=serve, daemon=True).start()
    port: int = listener.getsockname()[1]
    return port
