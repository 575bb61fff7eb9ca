"""Connections to remote sites, made only to checked IP addresses and limited by a deadline.

Names are looked up in a limited number of threads. The timeouts of httpx limit each read or write, so a site
that sends a byte now and then could keep a call open indefinitely. Therefore, every wait here is short, and
the clock is checked before each wait.
"""

import errno
import functools
import logging
import os
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

import httpcore
import httpx

from editor.outbound.addresses import (
    ALLOWED_PORTS,
    ParsedUrl,
    is_ip,
    is_listable,
    is_public,
    refusal,
)
from editor.outbound.contract import Resolver, Rules
from editor.outbound.errors import OutboundError

logger = logging.getLogger(__name__)

RESOLVE_SECONDS = 8.0
STEP_SECONDS = {"connect": 5.0, "write": 60.0, "read": 30.0, "pool": 5.0}
MAX_ADDRESSES = 4
# The maximum number of seconds until a call notices a request to stop.
_NOTICE_SECONDS = 0.05
# The maximum number of threads that look up names. A lookup cannot be aborted, so its thread keeps running
# after the call has given up.
_LOOKUPS = threading.BoundedSemaphore(16)

# Maps exception classes to the kinds of errors. An exception has the kind of its nearest base class. If
# nothing was sent, `_translated` reports "unreachable" instead.
ERROR_KINDS: dict[type[Exception], str] = {
    httpcore.TimeoutException: "timeout",
    httpcore.NetworkError: "broken",
    httpcore.ProtocolError: "broken",
    httpcore.ProxyError: "broken",
    httpcore.UnsupportedProtocol: "broken",
    httpcore.ConnectionNotAvailable: "broken",
}


@dataclass
class CallState:
    """The deadline and the state of a call.

    `deadline` is in monotonic seconds, and setting `stop` ends the call earlier. `sent` records whether a
    byte of the current request may have reached the remote site.
    """

    deadline: float
    stop: threading.Event | None = None
    is_secure: bool = False
    sent: bool = False

    def pauses(self, limit: float | None = None) -> Iterator[float]:
        """Yield short waits, in seconds, until `limit` seconds or the deadline have passed.

        Raises OutboundError if the call is stopped.
        """
        end = self.deadline if limit is None else min(self.deadline, time.monotonic() + limit)
        while True:
            if self.stop is not None and self.stop.is_set():
                raise OutboundError("stopped", sent=self.sent)
            left = end - time.monotonic()
            if left <= 0:
                return
            yield min(left, _NOTICE_SECONDS)

    def check(self) -> None:
        """Raise OutboundError if the deadline has passed or the call is stopped."""
        if next(self.pauses(), None) is None:
            raise self.out_of_time()

    def out_of_time(self) -> OutboundError:
        return OutboundError("timeout", sent=True) if self.sent else OutboundError("unreachable")


@contextmanager
def exchange(
    request: httpx.Request,
    target: ParsedUrl,
    state: CallState,
    *,
    rules: Rules,
    is_listed: bool,
    silence: float | None = None,
) -> Iterator[httpcore.Response]:
    """Send the request over a new connection and yield the response.

    `silence` is the longest allowed pause of the remote site, in seconds; None means the default.
    Raises only OutboundError, even while the response is read.
    """
    state.is_secure, state.sent = target.scheme == "https", False
    with _pool(target, state, rules=rules, is_listed=is_listed) as pool:
        response = _sent(pool, _for_httpcore(request, target, silence), state)
        try:
            yield response
        except tuple(ERROR_KINDS) as error:
            raise _translated(error, state) from error
        finally:
            response.close()


def _sent(pool: httpcore.ConnectionPool, request: httpcore.Request, state: CallState) -> httpcore.Response:
    try:
        return pool.handle_request(request)
    except OutboundError:
        raise
    # Errors other than network errors are also handled here. For example, if one of our files shrinks while
    # it is being sent, the remote site has already received part of the file.
    except Exception as error:
        raise _translated(error, state) from error


def _translated(error: Exception, state: CallState) -> OutboundError:
    logger.info("An outgoing request failed: %r.", error)
    kind = next((ERROR_KINDS[cls] for cls in type(error).__mro__ if cls in ERROR_KINDS), "broken")
    return OutboundError(kind, sent=True) if state.sent else OutboundError("unreachable")


def _for_httpcore(request: httpx.Request, target: ParsedUrl, silence: float | None) -> httpcore.Request:
    url = httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target=request.url.raw_path)
    return httpcore.Request(
        request.method,
        url,
        headers=request.headers.raw,
        content=request.stream,
        extensions={"timeout": STEP_SECONDS | ({} if silence is None else {"read": silence})},
    )


def _pool(target: ParsedUrl, state: CallState, *, rules: Rules, is_listed: bool) -> httpcore.ConnectionPool:
    """Return a pool for one request.

    The pool is closed after the request, so that no connection is used twice.
    """
    if target.origin in rules.refused_origins:
        raise refusal(f"{target.origin} is our own")
    trust = _trust(rules.ca_file) if state.is_secure else None
    if rules.proxy is not None:
        return _proxied(rules.proxy, state, trust, rules.resolve)
    if not is_listed and target.port not in ALLOWED_PORTS:
        raise refusal(f"port {target.port} is not open to {target.host!r}")
    is_allowed = is_listable if is_listed else is_public
    route = _Route(target.host, target.port, is_allowed, rules.resolve)
    return httpcore.ConnectionPool(ssl_context=trust, network_backend=_GuardedBackend(route, state))


def _proxied(
    proxy: str, state: CallState, trust: ssl.SSLContext | None, resolve: Resolver
) -> httpcore.ConnectionPool:
    """Return a pool that uses the proxy.

    The proxy may have any address, because the operator configured it. The connection to the proxy uses plain
    HTTP.
    """
    at = httpx.URL(proxy)
    port = at.port or 80
    route = _Route(at.host, port, lambda address: True, resolve)
    return httpcore.HTTPProxy(
        httpcore.URL(scheme="http", host=at.host, port=port, target="/"),
        proxy_auth=(at.username, at.password) if at.username else None,
        ssl_context=trust,
        network_backend=_GuardedBackend(route, state),
    )


@functools.lru_cache(maxsize=8)
def _trust(ca_file: str | None) -> ssl.SSLContext:
    """Return a TLS context.

    It trusts the certificate authorities of certifi, the system, and the operator.
    """
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    if ca_file is not None:
        context.load_verify_locations(ca_file)
    return context


@dataclass(frozen=True)
class _Route:
    host: str
    port: int
    is_allowed: Callable[[str], bool]
    resolve: Resolver


class _GuardedBackend(httpcore.NetworkBackend):
    """A backend that connects to one host and port, and only through the checked IP addresses."""

    def __init__(self, route: _Route, state: CallState) -> None:
        self._route = route
        self._state = state

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        if (host, port) != (self._route.host, self._route.port):
            raise refusal("httpcore requested a different host")
        for address in _checked_addresses(self._route, self._state)[:MAX_ADDRESSES]:
            self._state.check()
            try:
                return TimedStream(_connected(address, port, self._state, timeout), self._state)
            except OSError as error:
                logger.info("No connection to %r at %s: %s.", host, address, error)
        raise OutboundError("unreachable")


def _checked_addresses(route: _Route, state: CallState) -> list[str]:
    """Return all IP addresses of the host, looked up once.

    If one of the addresses is not allowed, all of them are refused. Otherwise, the remote site could
    influence which address is used.
    """
    addresses = [route.host] if is_ip(route.host) else _looked_up(route, state)
    for address in addresses:
        if not route.is_allowed(address):
            raise refusal(f"{route.host!r} is at {address!r}")
    return addresses


def _looked_up(route: _Route, state: CallState) -> list[str]:
    if not any(_LOOKUPS.acquire(timeout=pause) for pause in state.pauses(RESOLVE_SECONDS)):
        raise state.out_of_time()
    answers: SimpleQueue[list[str] | Exception] = SimpleQueue()
    threading.Thread(target=_look_up, args=(route, answers), daemon=True).start()
    for pause in state.pauses(RESOLVE_SECONDS):
        try:
            answer = answers.get(timeout=pause)
        except Empty:
            continue
        if isinstance(answer, Exception) or not answer:
            logger.info("No address of %r was found: %r.", route.host, answer)
            raise OutboundError("unreachable")
        return answer
    raise state.out_of_time()


def _look_up(route: _Route, answers: SimpleQueue[list[str] | Exception]) -> None:
    try:
        answers.put(route.resolve(route.host, route.port))
    except Exception as error:  # Any exception raised by a resolver means that there is no address.
        answers.put(error)
    finally:
        _LOOKUPS.release()


def _connected(address: str, port: int, state: CallState, timeout: float | None) -> socket.socket:
    """Return a connected, non-blocking socket. Raises OSError."""
    end = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    try:
        end.setblocking(False)
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        code = end.connect_ex((address, port))
        if code == errno.EINPROGRESS:
            if not any(_is_ready(end, select.POLLOUT, pause) for pause in state.pauses(timeout)):
                raise TimeoutError("no response in time")
            code = end.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            raise OSError(code, os.strerror(code))
    except BaseException:
        end.close()
        raise
    return end


def _is_ready(end: socket.socket, event: int, seconds: float) -> bool:
    poller = select.poll()
    poller.register(end, event)
    return bool(poller.poll(seconds * 1000))


class TimedStream(httpcore.NetworkStream):
    """A non-blocking socket whose reads and writes respect both their own timeout and the call's deadline."""

    def __init__(self, end: socket.socket, state: CallState) -> None:
        self._end = end
        self._state = state

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            return self._perform(lambda: self._end.recv(max_bytes), select.POLLIN, timeout)
        except OSError as error:
            raise httpcore.ReadError(error) from error

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all bytes. Raises WriteError on failure.

        After a WriteError, httpcore still reads the response, because the remote site may have responded
        early and closed the connection.
        """
        rest = memoryview(buffer)
        try:
            while rest:
                rest = rest[self._perform(functools.partial(self._send, rest), select.POLLOUT, timeout) :]
        except OSError as error:
            raise httpcore.WriteError(error) from error

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        try:
            self._end = ssl_context.wrap_socket(
                self._end, server_hostname=server_hostname, do_handshake_on_connect=False
            )
            self._perform(self._end.do_handshake, select.POLLIN, timeout)
        except OSError as error:
            self.close()
            logger.warning("No TLS with %r: %s.", server_hostname, error)
            raise OutboundError(_kind_of_handshake(error)) from error
        except OutboundError:
            self.close()
            raise
        return self

    def close(self) -> None:
        self._end.close()

    def get_extra_info(self, info: str) -> Any:
        return self._end if info == "ssl_object" and self._is_tls() else None

    def _send(self, data: memoryview) -> int:
        # Bytes sent to a proxy before TLS begins do not count as the request.
        self._state.sent |= self._is_tls() or not self._state.is_secure
        return self._end.send(data)

    def _is_tls(self) -> bool:
        return isinstance(self._end, ssl.SSLSocket)

    def _perform[T](self, operation: Callable[[], T], event: int, timeout: float | None) -> T:
        for pause in self._state.pauses(timeout):
            try:
                return operation()
            except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError) as error:
                _is_ready(self._end, _awaited(error, event), pause)
        raise self._state.out_of_time()


def _awaited(error: OSError, event: int) -> int:
    """Return the socket event to wait for. TLS may have to write before it can read, and vice versa."""
    if isinstance(error, ssl.SSLWantReadError):
        return select.POLLIN
    return select.POLLOUT if isinstance(error, ssl.SSLWantWriteError) else event


def _kind_of_handshake(error: OSError) -> str:
    """Return the kind of a failed TLS handshake: "unreachable" if the connection ended, otherwise "tls"."""
    is_about_tls = isinstance(error, ssl.SSLError) and not isinstance(error, ssl.SSLEOFError)
    return "tls" if is_about_tls else "unreachable"
