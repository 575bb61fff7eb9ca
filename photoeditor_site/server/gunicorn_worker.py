"""gunicorn's threaded worker, made patient: slow clients cost it a place, and the others nothing.

gunicorn's threads read requests and write answers themselves, so as many slow clients as there are threads
stop the site. Here the main loop collects each request whole, a large one in a file without a name, before a
thread sees it; and it sends what a client was too slow to take once the thread is done. No thread waits for
the network. Every phase of a connection has its deadline, and the connections are bounded, in all
(--worker-connections) and for each address that is no proxy of ours.
"""

import contextlib
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
from photoeditor_site.server.connection import Exchange, Phase

MEGABYTE = 1024 * 1024
FOR_AN_ADDRESS = 100  # connections
MOST_BODIES = 400 * MEGABYTE  # all at once, which is less than the room that the disk keeps free
SMALL_BODY = MEGABYTE
TICK_SECONDS = 0.5
READ_AHEAD_SECONDS = 2.0  # the site answers first
POLL = b"GET /s/"
_BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\n"
    b"Content-Type: text/plain\r\nContent-Length: 47\r\n\r\nToo much is being sent. Try again in a while.\r\n"
)


class PatientWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn ships no types
    """Chosen by gunicorn's option `-k`, with --threads and --worker-connections."""

    def init_process(self) -> None:
        self._connections: set[TConn] = set()
        self._of_address: Counter[str] = Counter()
        self._checked = 0.0
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        later = threading.Timer(READ_AHEAD_SECONDS, _read_ahead)
        later.daemon = True
        later.start()
        super().init_process()

    def accept(self, listener: socket.socket) -> None:
        try:
            client, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        address = _unmapped(address)
        if self._of_address[_host(address)] >= FOR_AN_ADDRESS and not _is_ours(_host(address)):
            client.close()
            return
        conn = TConn(self.cfg, Exchange(client), address, listener.getsockname())
        conn.initialized = True
        conn.parser = http.get_parser(self.cfg, conn.sock, address)
        self.nr_conns += 1
        self._of_address[_host(address)] += 1
        self._connections.add(conn)
        self._wait(conn, selectors.EVENT_READ, self._read)

    def finish_request(self, conn: TConn, done: "Future[bool]") -> None:
        """The thread has answered; what is left of the answer is sent from here."""
        conn.stays = not done.cancelled() and done.exception() is None and done.result() is True
        conn.sock.enter(Phase.SENDING)
        self._send(conn)

    def murder_keepalived(self, force: bool = False) -> None:
        """Called in every round of the main loop: closes what is past its deadline."""
        now = time.monotonic()
        if force or now - self._checked >= TICK_SECONDS:
            self._checked = now
            for conn in list(self._connections):
                is_over = conn.sock.is_late(now) or (conn.sock.phase is Phase.IDLE and not self.alive)
                if force or is_over:
                    self._drop(conn)

    def _read(self, conn: TConn, _: Any = None) -> None:
        data = conn.sock.read()
        if data == b"":
            self._drop(conn)
        elif data is not None:
            self._take(conn, data)

    def _take(self, conn: TConn, data: bytes) -> None:
        exchange: Exchange = conn.sock
        try:
            is_whole = exchange.take(data, most=(MAX_PHOTOS * settings.MAX_PHOTO_MEGABYTES + 1) * MEGABYTE)
        except OSError:  # the disk is full
            self._drop(conn)
            return
        if is_whole:
            self._stop_waiting(conn)
            exchange.enter(Phase.SERVED)
            if exchange.is_one_that_begins(POLL) and connection.vendor == "sqlite":
                self._answer(conn)
            else:
                self.enqueue_req(conn)
        elif exchange.expected > SMALL_BODY and self._under_way() > MOST_BODIES:
            exchange.refuse(_BUSY)
            conn.stays = False
            self._send(conn)

    def _answer(self, conn: TConn) -> None:
        """A poll takes less time than waking a thread for it. Another database is not waited for here: what
        it makes wait, waits in a thread."""
        done: Future[bool] = Future()
        done.set_result(self.handle(conn))
        self.finish_request(conn, done)

    def _under_way(self) -> int:
        """Bytes of all the bodies that are being sent."""
        return sum(conn.sock.expected for conn in self._connections)

    def _send(self, conn: TConn, _: Any = None) -> None:
        try:
            is_sent = conn.sock.flush()
        except OSError:
            self._drop(conn)
            return
        if not is_sent:
            self._wait(conn, selectors.EVENT_WRITE, self._send)
        elif conn.stays and self.alive:
            self._await_next(conn)
        else:
            self._say_goodbye(conn)

    def _await_next(self, conn: TConn) -> None:
        has_more = conn.sock.begin_next()
        self._wait(conn, selectors.EVENT_READ, self._read)
        if has_more:
            self._take(conn, b"")

    def _say_goodbye(self, conn: TConn) -> None:
        """Lets go what the client is still sending: closed at once, it would see a broken connection, and
        never learn that its key is wrong or its photos are too large."""
        conn.sock.enter(Phase.CLOSING)
        with contextlib.suppress(OSError):
            conn.sock.socket.shutdown(socket.SHUT_WR)
        self._wait(conn, selectors.EVENT_READ, self._let_go)

    def _let_go(self, conn: TConn, _: Any = None) -> None:
        if conn.sock.read() == b"":
            self._drop(conn)

    def _wait(self, conn: TConn, event: int, then: Callable[..., None]) -> None:
        self._stop_waiting(conn)
        self.poller.register(conn.sock, event, partial(then, conn))

    def _stop_waiting(self, conn: TConn) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self.poller.unregister(conn.sock)

    def _drop(self, conn: TConn) -> None:
        if conn in self._connections:
            self._stop_waiting(conn)
            self._connections.discard(conn)
            self._of_address[_host(conn.client)] -= 1
            self.nr_conns -= 1
            conn.sock.close()


def _read_ahead() -> None:
    from editor.services import routing  # gunicorn reads this module before the site is set up

    routing.read_ahead()


def _unmapped(address: Any) -> Any:
    """An IPv4 comes to a socket of IPv6 as ::ffff:10.0.0.1, a name by which no setting knows it."""
    ipv4 = IPv6Address(address[0]).ipv4_mapped if len(address) == 4 else None
    return (str(ipv4), address[1]) if ipv4 else address


def _host(address: Any) -> str:
    """A connection's other end; one by a Unix socket has none."""
    return str(address[0]) if address else ""


def _is_ours(host: str) -> bool:
    """Behind a proxy, and on this machine, one address speaks for many people."""
    from editor.services import rates  # gunicorn reads this module before the site is set up

    return not host or host.startswith("127.") or host == "::1" or rates.is_trusted_proxy(host)
