"""The way to the far end: names resolved in bounded threads, sockets that open only to checked IPs, and a
stream that never waits past the deadline or a stop.

httpx's timeouts bound one read or write each, so a far end that drips a byte now and then holds a call for as
long as it likes. Here every wait is a short one, and each begins with a look at the clock.
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
    OPEN_PORTS,
    Target,
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
MOST_ADDRESSES = 4
_NOTICE_SECONDS = 0.05  # a stop is noticed this soon
# A lookup cannot be ended, so its thread outlives a call that gave up: this many and no more.
_LOOKUPS = threading.BoundedSemaphore(16)

# By the nearest class; `_translated` says "unreachable" instead while nothing was sent.
ERROR_KINDS: dict[type[Exception], str] = {
    httpcore.TimeoutException: "timeout",
    httpcore.NetworkError: "broken",
    httpcore.ProtocolError: "broken",
    httpcore.ProxyError: "broken",
    httpcore.UnsupportedProtocol: "broken",
    httpcore.ConnectionNotAvailable: "broken",
}


@dataclass
class Course:
    """How a call stands: until when it may last (monotonic seconds), what ends it before, and whether a byte
    of the present request can have reached the far end."""

    deadline: float
    stop: threading.Event | None = None
    is_secure: bool = False
    sent: bool = False

    def pauses(self, limit: float | None = None) -> Iterator[float]:
        """How long to wait next, again and again until `limit` seconds or the deadline are over. Raises
        OutboundError at a stop."""
        end = self.deadline if limit is None else min(self.deadline, time.monotonic() + limit)
        while True:
            if self.stop is not None and self.stop.is_set():
                raise OutboundError("stopped", sent=self.sent)
            left = end - time.monotonic()
            if left <= 0:
                return
            yield min(left, _NOTICE_SECONDS)

    def check(self) -> None:
        """Raises OutboundError when there is no time left, or at a stop."""
        if next(self.pauses(), None) is None:
            raise self.out_of_time()

    def out_of_time(self) -> OutboundError:
        return OutboundError("timeout", sent=True) if self.sent else OutboundError("unreachable")


@contextmanager
def exchange(
    request: httpx.Request, target: Target, course: Course, *, rules: Rules, is_listed: bool
) -> Iterator[httpcore.Response]:
    """Sends the request over a connection of its own and lets the answer be read; OutboundError is all that
    can be raised here or while reading."""
    course.is_secure, course.sent = target.scheme == "https", False
    with _pool(target, course, rules=rules, is_listed=is_listed) as pool:
        response = _sent(pool, _for_httpcore(request, target), course)
        try:
            yield response
        except tuple(ERROR_KINDS) as error:
            raise _translated(error, course) from error
        finally:
            response.close()


def _sent(pool: httpcore.ConnectionPool, request: httpcore.Request, course: Course) -> httpcore.Response:
    try:
        return pool.handle_request(request)
    except OutboundError:
        raise
    except Exception as error:  # a file of ours that shrinks meanwhile, too: the far end has had a part
        raise _translated(error, course) from error


def _translated(error: Exception, course: Course) -> OutboundError:
    logger.info("An outgoing request broke: %r.", error)
    kind = next((ERROR_KINDS[cls] for cls in type(error).__mro__ if cls in ERROR_KINDS), "broken")
    return OutboundError(kind, sent=True) if course.sent else OutboundError("unreachable")


def _for_httpcore(request: httpx.Request, target: Target) -> httpcore.Request:
    url = httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target=request.url.raw_path)
    return httpcore.Request(
        request.method,
        url,
        headers=request.headers.raw,
        content=request.stream,
        extensions={"timeout": STEP_SECONDS},
    )


def _pool(target: Target, course: Course, *, rules: Rules, is_listed: bool) -> httpcore.ConnectionPool:
    """For one request: it is closed with it, so no connection is ever used twice."""
    if target.origin in rules.refused_origins:
        raise refusal(f"{target.origin} is our own")
    trust = _trust(rules.ca_file) if course.is_secure else None
    if rules.proxy is not None:
        return _proxied(rules.proxy, course, trust, rules.resolve)
    if not is_listed and target.port not in OPEN_PORTS:
        raise refusal(f"port {target.port} is not open to {target.host!r}")
    is_allowed = is_listable if is_listed else is_public
    route = _Route(target.host, target.port, is_allowed, rules.resolve)
    return httpcore.ConnectionPool(ssl_context=trust, network_backend=_GuardedBackend(route, course))


def _proxied(
    proxy: str, course: Course, trust: ssl.SSLContext | None, resolve: Resolver
) -> httpcore.ConnectionPool:
    """The operator named the proxy, so it may stand anywhere; it is spoken to in plain http."""
    at = httpx.URL(proxy)
    port = at.port or 80
    route = _Route(at.host, port, lambda address: True, resolve)
    return httpcore.HTTPProxy(
        httpcore.URL(scheme="http", host=at.host, port=port, target="/"),
        proxy_auth=(at.username, at.password) if at.username else None,
        ssl_context=trust,
        network_backend=_GuardedBackend(route, course),
    )


@functools.lru_cache(maxsize=8)
def _trust(ca_file: str | None) -> ssl.SSLContext:
    """certifi's authorities, the system's, and an operator's own."""
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
    """Opens sockets to the checked IPs of one host and port, and to nothing else."""

    def __init__(self, route: _Route, course: Course) -> None:
        self._route = route
        self._course = course

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        if (host, port) != (self._route.host, self._route.port):
            raise refusal("httpcore asked for another host than we did")
        for address in _checked_addresses(self._route, self._course)[:MOST_ADDRESSES]:
            self._course.check()
            try:
                return TimedStream(_connected(address, port, self._course, timeout), self._course)
            except OSError as error:
                logger.info("No connection to %r at %s: %s.", host, address, error)
        raise OutboundError("unreachable")


def _checked_addresses(route: _Route, course: Course) -> list[str]:
    """All IPs of the host, asked for once. One bad among them refuses all: picking the good ones would let
    the far end decide which is used."""
    addresses = [route.host] if is_ip(route.host) else _looked_up(route, course)
    for address in addresses:
        if not route.is_allowed(address):
            raise refusal(f"{route.host!r} is at {address!r}")
    return addresses


def _looked_up(route: _Route, course: Course) -> list[str]:
    if not any(_LOOKUPS.acquire(timeout=pause) for pause in course.pauses(RESOLVE_SECONDS)):
        raise course.out_of_time()
    answers: SimpleQueue[list[str] | Exception] = SimpleQueue()
    threading.Thread(target=_look_up, args=(route, answers), daemon=True).start()
    for pause in course.pauses(RESOLVE_SECONDS):
        try:
            answer = answers.get(timeout=pause)
        except Empty:
            continue
        if isinstance(answer, Exception) or not answer:
            logger.info("No address of %r was found: %r.", route.host, answer)
            raise OutboundError("unreachable")
        return answer
    raise course.out_of_time()


def _look_up(route: _Route, answers: SimpleQueue[list[str] | Exception]) -> None:
    try:
        answers.put(route.resolve(route.host, route.port))
    except Exception as error:  # whatever a resolver raises means that there is no address
        answers.put(error)
    finally:
        _LOOKUPS.release()


def _connected(address: str, port: int, course: Course, timeout: float | None) -> socket.socket:
    """A socket that never blocks. Raises OSError."""
    end = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    try:
        end.setblocking(False)
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        code = end.connect_ex((address, port))
        if code == errno.EINPROGRESS:
            if not any(_is_ready(end, select.POLLOUT, pause) for pause in course.pauses(timeout)):
                raise TimeoutError("no answer in time")
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
    """Reads and writes a socket that never blocks, within a step's timeout and the call's deadline."""

    def __init__(self, end: socket.socket, course: Course) -> None:
        self._end = end
        self._course = course

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            return self._perform(lambda: self._end.recv(max_bytes), select.POLLIN, timeout)
        except OSError as error:
            raise httpcore.ReadError(error) from error

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """httpcore reads on after a WriteError: the far end may have answered early and closed."""
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
        # What a proxy is told before TLS begins is not yet the request.
        self._course.sent |= self._is_tls() or not self._course.is_secure
        return self._end.send(data)

    def _is_tls(self) -> bool:
        return isinstance(self._end, ssl.SSLSocket)

    def _perform[T](self, operation: Callable[[], T], event: int, timeout: float | None) -> T:
        for pause in self._course.pauses(timeout):
            try:
                return operation()
            except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError) as error:
                _is_ready(self._end, _awaited(error, event), pause)
        raise self._course.out_of_time()


def _awaited(error: OSError, event: int) -> int:
    """TLS may have to write before it can read, and the other way round."""
    if isinstance(error, ssl.SSLWantReadError):
        return select.POLLIN
    return select.POLLOUT if isinstance(error, ssl.SSLWantWriteError) else event


def _kind_of_handshake(error: OSError) -> str:
    """A connection that ends in the midst of the handshake says nothing about the certificate."""
    is_about_tls = isinstance(error, ssl.SSLError) and not isinstance(error, ssl.SSLEOFError)
    return "tls" if is_about_tls else "unreachable"
