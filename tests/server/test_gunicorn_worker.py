"""Tests that slow clients of gunicorn occupy only connections and do not delay other clients."""

import contextlib
import errno
import gc
import http.client
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from gunicorn.workers.gthread import TConn

from editor.management.commands import start
from photoeditor_site.server import gunicorn_worker
from photoeditor_site.server.buffered_connection import (
    MIN_BYTES_PER_WINDOW,
    PHASE_SECONDS,
    BufferedConnection,
    Phase,
)
from tests.commands.test_start import plain_environment
from tests.faults import disk
from tests.ports import free_port

PROMPT = 8.0  # maximum seconds; a server that waits for slow clients would take twice as long
HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
FORM = (
    b"POST /api/photo-editor/generate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
)
DESCRIPTION = b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Web:
    """The web server without the site's other processes, in its own data folder."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", *, wrapper: Sequence[str] = ()) -> None:
        self.port = free_port()
        self.folder = folder
        (folder / "work").mkdir()
        (folder / "static").mkdir()
        command = [*wrapper, sys.executable, "-m", "gunicorn", *start.gunicorn_options(host, self.port)]
        environment = plain_environment() | {"DATA_DIR": str(folder), "TESTING": "1"}
        self.process = subprocess.Popen(
            command, cwd=settings.BASE_DIR, env=environment, stderr=subprocess.DEVNULL
        )
        until = time.monotonic() + 600
        while not start._answers("127.0.0.1", self.port):
            assert time.monotonic() < until
            time.sleep(0.1)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=120)

    def seconds_to_answer(self) -> float:
        began = time.monotonic()
        with self.connect() as client:
            client.sendall(HEAD + b"Connection: close\r\n\r\n")
            assert b"200 OK" in client.recv(65536)
        return time.monotonic() - began


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Yield a running web server, which is stopped after the last test in this file."""
    server = Web(tmp_path_factory.mktemp("data"))
    yield server
    server.process.kill()
    server.process.wait()


@contextlib.contextmanager
def dripping(clients: list[socket.socket]) -> Iterator[None]:
    """Send one byte from each client every half second until the block ends."""
    over = threading.Event()

    def drip() -> None:
        while not over.wait(0.5):
            for client in clients:
                with contextlib.suppress(OSError):
                    client.sendall(b"x")

    thread = threading.Thread(target=drip)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        for client in clients:
            client.close()


def has_been_closed(client: socket.socket) -> bool:
    client.settimeout(0.01)
    try:
        return client.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


@pytest.mark.sampled(1)
@pytest.mark.parametrize("count", [8, 200])
@pytest.mark.parametrize("begin", [HEAD, FORM], ids=["head", "body"])
def test_slow_clients_do_not_delay_other_responses(web: Web, begin: bytes, count: int) -> None:
    clients = [web.connect() for _ in range(count)]
    for client in clients:
        client.sendall(begin)
    with dripping(clients):
        for _ in range(5):
            assert web.seconds_to_answer() < PROMPT
            time.sleep(0.3)


@pytest.mark.slow
def test_a_connection_that_sends_its_headers_slowly_is_closed_in_time(web: Web) -> None:
    began = time.monotonic()
    clients = [web.connect() for _ in range(20)]
    for client in clients:
        client.sendall(HEAD)
    with dripping(clients):
        are_open = list(clients)
        while len(are_open) == len(clients):
            are_open = [client for client in clients if not has_been_closed(client)]
        assert time.monotonic() - began >= PHASE_SECONDS[Phase.HEAD]
        while are_open:
            are_open = [client for client in are_open if not has_been_closed(client)]
        assert time.monotonic() - began < PHASE_SECONDS[Phase.HEAD] + 30


def test_clients_that_do_not_read_responses_do_not_delay_others(web: Web) -> None:
    clients = [web.connect() for _ in range(40)]
    for client in clients:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(0.2)
        with contextlib.suppress(TimeoutError):
            client.sendall(DESCRIPTION * 300)
    for _ in range(5):
        assert web.seconds_to_answer() < PROMPT
    for client in clients:
        client.close()


def test_pipelined_requests_are_answered_in_order(web: Web) -> None:
    with web.connect() as client:
        client.sendall((HEAD + b"\r\n") + DESCRIPTION + HEAD + b"Connection: close\r\n\r\n")
        answers = b"".join(iter(lambda: client.recv(65536), b""))
    assert answers.count(b"HTTP/1.1 200 OK") == 3
    assert answers.index(b'"openapi"') > answers.index(b'{"status": "ok"}')
    assert answers.rstrip().endswith(b'{"status": "ok"}')


POLL = b"GET /s/nobody-has-signed-this/ HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "vendor", "by"),
    [
        pytest.param(POLL, "sqlite", ["here", "finished"], id="a poll"),
        pytest.param(POLL + POLL, "sqlite", ["thread"], id="one with another behind it"),
        pytest.param(POLL, "postgresql", ["thread"], id="one that may have to wait for the network"),
        pytest.param(POLL.replace(b"GET", b"POST"), "sqlite", ["thread"], id="no poll"),
        pytest.param(HEAD + b"\r\n", "sqlite", ["thread"], id="a page"),
    ],
)
def test_only_a_single_poll_on_sqlite_is_answered_without_a_thread(
    ends: tuple[BufferedConnection, socket.socket],
    monkeypatch: pytest.MonkeyPatch,
    sent: bytes,
    vendor: str,
    by: list[str],
) -> None:
    taken: list[str] = []
    worker: Any = gunicorn_worker.BufferingWorker.__new__(gunicorn_worker.BufferingWorker)
    worker._stop_waiting = lambda conn: None
    worker.handle = lambda conn: not taken.append("here")  # type: ignore[func-returns-value]
    worker.finish_request = lambda conn, done: taken.append("finished" if done.result() else "broken")
    worker.enqueue_req = lambda conn: taken.append("thread")
    monkeypatch.setattr(gunicorn_worker, "connection", SimpleNamespace(vendor=vendor))
    worker._receive(SimpleNamespace(sock=ends[0]), sent)
    assert taken == by


def test_pipelined_polls_are_all_answered_on_one_open_connection(web: Web) -> None:
    with web.connect() as client:
        for _ in range(3):
            client.sendall(POLL)
            answer = http.client.HTTPResponse(client)
            answer.begin()
            assert answer.read()
        client.sendall(POLL * 40 + HEAD + b"Connection: close\r\n\r\n")
        answers = b"".join(iter(lambda: client.recv(65536), b""))
    assert answers.count(b"HTTP/1.1 ") == 41
    assert answers.rstrip().endswith(b'{"status": "ok"}')


def test_an_ipv4_client_on_an_ipv6_socket_counts_as_this_machine(tmp_path: Path) -> None:
    server = Web(tmp_path, "::")
    try:
        with server.connect() as client:
            client.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            answer = b"".join(iter(lambda: client.recv(65536), b""))
    finally:
        server.process.kill()
        server.process.wait()
    assert b"from another machine" not in answer


@pytest.mark.parametrize(
    ("address", "known_as"),
    [
        (("::ffff:10.0.0.1", 5, 0, 0), ("10.0.0.1", 5)),
        (("2001:db8::5", 5, 0, 0), ("2001:db8::5", 5, 0, 0)),
        (("fe80::1%eth0", 5, 0, 3), ("fe80::1%eth0", 5, 0, 3)),
        (("10.0.0.1", 5), ("10.0.0.1", 5)),
        ("", ""),
    ],
)
def test_only_ipv4_mapped_addresses_are_converted(address: Any, known_as: Any) -> None:
    assert gunicorn_worker._as_ipv4(address) == known_as


def test_a_large_body_gets_100_continue_and_leaves_no_file(web: Web) -> None:
    body = b"login=" + b"x" * 900_000
    with web.connect() as client:
        client.sendall(
            FORM.replace(b"100000", b"%d" % len(body)).replace(
                b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n"
            )
        )
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(body)
        assert b" 401 " in client.recv(65536).splitlines()[0]
    assert not list((web.folder / "work").iterdir())


def test_a_body_that_is_far_too_large_is_refused_by_its_headers(web: Web) -> None:
    with web.connect() as client:
        client.sendall(FORM.replace(b"100000", b"1%012d" % 0) + b"x" * 100_000)
        assert b" 401 " in client.recv(65536).splitlines()[0]


@pytest.fixture
def web_with_full_disk(tmp_path: Path) -> Iterator[Web]:
    """Yield a web server whose work folder is on a disk of only 256 KB.

    No other process sees this disk.
    """
    if not disk.can_mount():
        pytest.xfail("This system does not let a process mount a private disk.")
    mount = f"mount -t tmpfs -o size=256k none {tmp_path / 'work'}"
    server = Web(tmp_path, wrapper=[*disk.UNSHARE_COMMAND, "sh", "-c", f'{mount} && exec "$@"', "sh"])
    yield server
    server.process.kill()
    server.process.wait()


@pytest.mark.parametrize("path", [b"/accounts/login/", b"/api/photo-editor/generate"])
def test_an_upload_on_a_full_disk_returns_507_with_a_message(web_with_full_disk: Web, path: bytes) -> None:
    body = os.urandom(2 * gunicorn_worker.MEGABYTE)
    head = FORM.replace(b"/api/photo-editor/generate", path).replace(b"100000", b"%d" % len(body))
    with web_with_full_disk.connect() as client:
        client.sendall(head + body)
        response = http.client.HTTPResponse(client)
        response.begin()
        text = response.read().decode()
    assert response.status == 507
    assert gunicorn_worker.DISK_FULL in text
    assert response.headers["Connection"] == "close"
    if path.startswith(b"/api/"):
        assert json.loads(text) == {
            "code": 507,
            "success": False,
            "message": gunicorn_worker.DISK_FULL,
            "data": None,
            "requestId": "",
        }
    assert web_with_full_disk.seconds_to_answer() < PROMPT, "the space of buffered data is free again"


# The following tests use one connection and no server.


@pytest.fixture
def ends() -> Iterator[tuple[BufferedConnection, socket.socket]]:
    ours, theirs = socket.socketpair()
    connection = BufferedConnection(ours)
    yield connection, theirs
    connection.close()
    theirs.close()


@pytest.mark.parametrize("phase", [Phase.BODY, Phase.SENDING])
def test_a_fast_transfer_gets_more_time_and_a_slow_one_does_not(
    ends: tuple[BufferedConnection, socket.socket], phase: Phase
) -> None:
    connection, theirs = ends
    connection.enter(phase)
    over = time.monotonic() + PHASE_SECONDS[phase] + 1
    assert not connection.is_late(time.monotonic())
    assert connection.is_late(over)
    for _ in range(MIN_BYTES_PER_WINDOW // 8192):
        theirs.sendall(b"x" * 8192)
        assert connection.read()
    assert not connection.is_late(over)
    assert connection.is_late(over), "transferred bytes count only once"


def test_a_large_response_is_buffered_without_waiting_for_the_client(
    ends: tuple[BufferedConnection, socket.socket], tmp_path: Path
) -> None:
    connection, theirs = ends
    photo = tmp_path / "photo"
    photo.write_bytes(os.urandom(8 * 1024 * 1024))
    connection.sendall(b"head")
    with photo.open("rb") as file:
        connection.sendfile(file, 0, photo.stat().st_size)
    arrived = bytearray()
    while not connection.flush() or len(arrived) < photo.stat().st_size + 4:
        arrived += theirs.recv(1 << 20)
    assert arrived == b"head" + photo.read_bytes()


def pieces(count: int) -> Iterator[bytes]:
    """Yield this number of one-megabyte pieces, all of which are different."""
    return (bytes([number]) * gunicorn_worker.MEGABYTE for number in range(count))


def descriptors() -> int:
    gc.collect()  # Files of earlier tests might be closed only by the garbage collection.
    return len(os.listdir("/proc/self/fd"))


def all_that_comes(connection: BufferedConnection, theirs: socket.socket) -> bytes:
    theirs.setblocking(False)
    arrived, is_sent = bytearray(), False
    while not is_sent:
        is_sent = connection.flush()
        with contextlib.suppress(BlockingIOError):
            while data := theirs.recv(1 << 20):
                arrived += data
    return bytes(arrived)


def test_unread_responses_are_buffered_on_disk_and_sent_in_order(
    ends: tuple[BufferedConnection, socket.socket], tmp_path: Path
) -> None:
    connection, theirs = ends
    photo = tmp_path / "photo"
    photo.write_bytes(os.urandom(gunicorn_worker.MEGABYTE))
    open_before = descriptors()
    tracemalloc.start()
    try:
        connection.sendall(b"head")
        for piece in pieces(60):
            connection.sendall(piece)
        with photo.open("rb") as file:
            connection.sendfile(file, 0, gunicorn_worker.MEGABYTE)
        connection.sendall(b"little")
        for piece in pieces(3):
            connection.sendall(piece)
        connection.sendall(b"tail")
        del piece
        assert tracemalloc.get_traced_memory()[0] < gunicorn_worker.MEGABYTE
    finally:
        tracemalloc.stop()
    assert descriptors() == open_before + 3, "one open file for each series of pieces, and one for the photo"
    large, small = b"".join(pieces(60)), b"".join(pieces(3))
    assert all_that_comes(connection, theirs) == (
        b"head" + large + photo.read_bytes() + b"little" + small + b"tail"
    )
    assert descriptors() == open_before


def test_a_small_page_needs_no_file(ends: tuple[BufferedConnection, socket.socket]) -> None:
    connection, theirs = ends
    while connection.flush():
        with contextlib.suppress(BlockingIOError):
            connection.sendall(b"x" * 1000)
    open_before = descriptors()
    connection.sendall(b"head")
    connection.sendall(b"page" * 10_000)
    assert descriptors() == open_before
    assert all_that_comes(connection, theirs).endswith(b"xhead" + b"page" * 10_000)


def test_partial_disk_writes_lose_no_data(
    ends: tuple[BufferedConnection, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda file, data, at: whole(file, data[:300_000], at))
    for piece in pieces(4):
        ends[0].sendall(piece)
    assert all_that_comes(*ends) == b"".join(pieces(4))


def test_the_response_for_a_client_that_goes_away_is_discarded(
    ends: tuple[BufferedConnection, socket.socket],
) -> None:
    connection, theirs = ends
    worker: Any = gunicorn_worker.BufferingWorker.__new__(gunicorn_worker.BufferingWorker)
    conn = TConn(SimpleNamespace(protocol="http"), connection, ("203.0.113.7", 1), ("", 0))
    worker._connections, worker._connections_by_address, worker.nr_conns = {conn}, Counter(), 1
    worker._stop_waiting = lambda conn: None
    open_before = descriptors()
    for piece in pieces(4):
        connection.sendall(piece)
    assert descriptors() == open_before + 1
    theirs.close()
    worker._send(conn)
    assert descriptors() == open_before - 2


def test_a_response_that_does_not_fit_on_the_disk_raises_enospc_and_leaves_no_file(
    ends: tuple[BufferedConnection, socket.socket], settings: Any
) -> None:
    connection, _ = ends
    open_before = descriptors()
    settings.MIN_FREE_MEGABYTES = 1_000_000_000
    with pytest.raises(OSError, match="no space") as raised:
        connection.sendall(b"x" * 4 * gunicorn_worker.MEGABYTE)
    assert raised.value.errno == errno.ENOSPC
    assert descriptors() == open_before


@pytest.mark.parametrize(("address", "is_closed"), [("203.0.113.7", True), ("127.0.0.1", False)])
def test_the_number_of_connections_per_foreign_address_is_limited(address: str, is_closed: bool) -> None:
    worker: Any = gunicorn_worker.BufferingWorker.__new__(gunicorn_worker.BufferingWorker)
    worker._connections, worker._connections_by_address, worker.nr_conns = set(), Counter(), 0
    worker.poller, worker.cfg = selectors.DefaultSelector(), SimpleNamespace(protocol="http")
    pairs = [socket.socketpair() for _ in range(gunicorn_worker.MAX_CONNECTIONS_PER_ADDRESS + 1)]
    for ours, _ in pairs:
        listener = SimpleNamespace(accept=lambda: (ours, (address, 1)), getsockname=lambda: ("", 0))  # noqa: B023
        worker.accept(listener)
    assert has_been_closed(pairs[-1][1]) is is_closed
    assert worker.nr_conns == len(pairs) - is_closed
    for conn in list(worker._connections):
        worker._drop(conn)
    assert (worker.nr_conns, worker._connections_by_address[address]) == (0, 0)
    worker.poller.close()
    for _, theirs in pairs:
        theirs.close()


@pytest.mark.slow
def test_the_server_stops_in_time_despite_slow_clients(web: Web) -> None:
    idle = web.connect()
    idle.sendall(HEAD + b"\r\n")
    assert b"200 OK" in idle.recv(65536)
    clients = [web.connect() for _ in range(20)]
    for client in clients:
        client.sendall(FORM)
    with dripping(clients):
        began = time.monotonic()
        web.process.send_signal(signal.SIGTERM)
        assert web.process.wait(timeout=600) == 0
    assert time.monotonic() - began < 15
    idle.close()
