"""A gunicorn worker in which slow clients do not delay other clients.

gunicorn's threaded worker reads requests and writes responses in its threads. If there are as many slow
clients as threads, the site stops responding. This worker buffers requests and responses instead. The main
loop receives each request completely before a thread handles it, and stores large requests in temporary
files. After the thread has finished, the main loop sends the rest of the response to a slow client. Every
phase of a connection has a time limit. The number of connections is limited, both in total
(--worker-connections) and per client address.

We looked for a library that does this. waitress stops responding when eight clients do not read a large
response, and it has no limit per address. granian stops responding at 50 slow uploads. Django over ASGI needs
five times as much CPU time per request.
"""

import contextlib
import json
import resource
import selectors
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from ipaddress import IPv6Address
from typing import Any

from django.conf import settings
from django.db import connection
from gunicorn import http
from gunicorn.workers.gthread import TConn, ThreadWorker

from editor.options import MAX_PHOTOS
from photoeditor_site.server.buffered_connection import BufferedConnection, Phase

MEGABYTE = 1024 * 1024
MAX_CONNECTIONS_PER_ADDRESS = 100
# The maximum total size of all requests, in bytes. This is less than the disk space that is kept free.
MAX_BODY_BYTES = 400 * MEGABYTE
SMALL_BODY_BYTES = MEGABYTE  # Smaller bodies are accepted even beyond MAX_BODY_BYTES.
DEADLINE_CHECK_SECONDS = 0.5
WARM_UP_DELAY_SECONDS = 2.0  # The first requests must not wait for the warm-up.
STATUS_POLL = b"GET /s/"
API_PREFIX = b"/api/"
TOO_BUSY = "Too much is being uploaded at the moment. Try again in a few seconds."
DISK_FULL = "The disk of this site is full, so your upload was not accepted. Try again later."


class BufferingWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no type hints
    """The worker class that `manage.py start` passes to gunicorn's `-k` option."""

    def init_process(self) -> None:
        self._connections: set[TConn] = set()
        self._connections_by_address: Counter[str] = Counter()
        self._deadlines_checked = 0.0
        _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))
        timer = threading.Timer(WARM_UP_DELAY_SECONDS, _warm_up)
        timer.daemon = True
        timer.start()
        super().init_process()

    def accept(self, listener: socket.socket) -> None:
        try:
            client, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        address = _as_ipv4(address)
        if self._has_too_many_connections(_host(address)):
            client.close()
            return
        conn = TConn(self.cfg, BufferedConnection(client), address, listener.getsockname())
        conn.initialized = True
        conn.parser = http.get_parser(self.cfg, conn.sock, address)
        self.nr_conns += 1
        self._connections_by_address[_host(address)] += 1
        self._connections.add(conn)
        self._wait_for(selectors.EVENT_READ, conn, self._read)

    def finish_request(self, conn: TConn, done: "Future[bool]") -> None:
        """Send the rest of the response. gunicorn calls this after the thread has finished."""
        conn.stays = not done.cancelled() and done.exception() is None and done.result() is True
        conn.sock.enter(Phase.SENDING)
        self._send(conn)

    def murder_keepalived(self, force: bool = False) -> None:
        """Close the connections that have exceeded their time limit.

        gunicorn calls this method in every iteration of its main loop.
        """
        now = time.monotonic()
        if force or now - self._deadlines_checked >= DEADLINE_CHECK_SECONDS:
            self._deadlines_checked = now
            for conn in list(self._connections):
                is_stopping = conn.sock.phase is Phase.IDLE and not self.alive
                if force or is_stopping or conn.sock.is_late(now):
                    self._drop(conn)

    def _has_too_many_connections(self, host: str) -> bool:
        return self._connections_by_address[host] >= MAX_CONNECTIONS_PER_ADDRESS and not _is_shared(host)

    def _read(self, conn: TConn, _: Any = None) -> None:
        data = conn.sock.read()
        if data == b"":
            self._drop(conn)
        elif data is not None:
            self._receive(conn, data)

    def _receive(self, conn: TConn, data: bytes) -> None:
        buffered: BufferedConnection = conn.sock
        max_body_bytes = (MAX_PHOTOS * settings.MAX_PHOTO_MEGABYTES + 1) * MEGABYTE
        try:
            is_complete = buffered.feed(data, max_body_bytes=max_body_bytes)
        except OSError as error:
            self._fail_to_buffer(conn, error)
            return
        if is_complete:
            self._handle_request(conn)
        elif buffered.expected > SMALL_BODY_BYTES and self._body_bytes_in_transit() > MAX_BODY_BYTES:
            self._refuse(conn, "503 Service Unavailable", TOO_BUSY)

    def _fail_to_buffer(self, conn: TConn, error: OSError) -> None:
        # imported here because gunicorn imports this module before Django is set up
        from editor.services.core import disk_space

        if disk_space.is_disk_error(error):
            self._refuse(conn, "507 Insufficient Storage", DISK_FULL)
        else:
            self.log.warning("An upload could not be buffered: %s", error)
            self._drop(conn)

    def _refuse(self, conn: TConn, status: str, message: str) -> None:
        """Respond before the body has been received, without passing the request on to the site."""
        is_api = conn.sock.is_request_to(API_PREFIX)
        conn.sock.respond(_response(status, message, is_api=is_api))
        conn.stays = False
        self._send(conn)

    def _handle_request(self, conn: TConn) -> None:
        self._stop_waiting(conn)
        conn.sock.enter(Phase.SERVED)
        # A status poll takes less time than waking a thread. If the database is on another machine, the poll
        # would have to wait for the network, and only a thread may wait.
        if conn.sock.is_single_request(STATUS_POLL) and connection.vendor == "sqlite":
            self._handle_here(conn)
        else:
            self.enqueue_req(conn)

    def _handle_here(self, conn: TConn) -> None:
        done: Future[bool] = Future()
        done.set_result(self.handle(conn))
        self.finish_request(conn, done)

    def _body_bytes_in_transit(self) -> int:
        return sum(conn.sock.expected for conn in self._connections)

    def _send(self, conn: TConn, _: Any = None) -> None:
        try:
            is_sent = conn.sock.flush()
        except OSError:
            self._drop(conn)
            return
        if not is_sent:
            self._wait_for(selectors.EVENT_WRITE, conn, self._send)
        elif conn.stays and self.alive:
            self._await_next_request(conn)
        else:
            self._close_gracefully(conn)

    def _await_next_request(self, conn: TConn) -> None:
        has_more = conn.sock.start_next_request()
        self._wait_for(selectors.EVENT_READ, conn, self._read)
        if has_more:
            self._receive(conn, b"")

    def _close_gracefully(self, conn: TConn) -> None:
        """Discard what the client is still sending.

        If the socket were closed immediately, the client would see a reset connection instead of the
        response, which says what is wrong with the request.
        """
        conn.sock.enter(Phase.CLOSING)
        with contextlib.suppress(OSError):
            conn.sock.socket.shutdown(socket.SHUT_WR)
        self._wait_for(selectors.EVENT_READ, conn, self._discard)

    def _discard(self, conn: TConn, _: Any = None) -> None:
        if conn.sock.read() == b"":
            self._drop(conn)

    def _wait_for(self, event: int, conn: TConn, callback: Callable[..., None]) -> None:
        self._stop_waiting(conn)
        self.poller.register(conn.sock, event, partial(callback, conn))

    def _stop_waiting(self, conn: TConn) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self.poller.unregister(conn.sock)

    def _drop(self, conn: TConn) -> None:
        if conn in self._connections:
            self._stop_waiting(conn)
            self._connections.discard(conn)
            self._connections_by_address[_host(conn.client)] -= 1
            self.nr_conns -= 1
            conn.sock.close()


def _response(status: str, message: str, *, is_api: bool) -> bytes:
    """Return a complete HTTP response, in the API's JSON format or as plain text."""
    body, content_type = f"{message}\n", "text/plain; charset=utf-8"
    if is_api:
        code = int(status.split()[0])
        envelope = {"code": code, "success": False, "message": message, "data": None, "requestId": ""}
        body, content_type = json.dumps(envelope), "application/json"
    return (
        f"HTTP/1.1 {status}\r\nRetry-After: 5\r\nConnection: close\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode("ascii")


def _warm_up() -> None:
    # imported here because gunicorn imports this module before Django is set up
    from editor.services.editing import routing

    routing.preload_engine()


def _as_ipv4(address: Any) -> Any:
    """Convert an IPv4 client's address to the form that settings contain.

    On an IPv6 socket, such an address has the form ::ffff:10.0.0.1.
    """
    ipv4 = IPv6Address(address[0]).ipv4_mapped if len(address) == 4 else None
    return (str(ipv4), address[1]) if ipv4 else address


def _host(address: Any) -> str:
    """Return the client's IP address, or an empty string if the client uses a Unix socket."""
    return str(address[0]) if address else ""


def _is_shared(host: str) -> bool:
    """Check whether many people share this address.

    This is true of this machine, of a Unix socket, and of a trusted proxy.
    """
    # imported here because gunicorn imports this module before Django is set up
    from editor.services.core import rates

    return not host or host.startswith("127.") or host == "::1" or rates.is_trusted_proxy(host)
