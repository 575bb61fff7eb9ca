"""One connection's requests and answers, so kept that a thread of the web server never waits for the client.

To the thread it looks like a socket on which all has arrived and which takes all; the main loop moves the
bytes. More than a little waits in files without a name, on its way in and on its way out.
"""

import errno
import io
import os
import re
import socket
import tempfile
import threading
import time
from collections import deque
from enum import Enum
from typing import IO, Any

from django.conf import settings

IN_MEMORY = 64 * 1024
LONGEST_HEAD = 64 * 1024
WINDOW_BYTES = 64 * 1024  # that a body, or an answer, moves at least in each of its windows
_HEAD_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r$", re.IGNORECASE | re.MULTILINE)
_EXPECTS = re.compile(rb"^expect[ \t]*:[ \t]*100-continue", re.IGNORECASE | re.MULTILINE)


class Phase(Enum):
    """What a connection does at the moment."""

    HEAD, BODY, SERVED, SENDING, IDLE, CLOSING = range(6)


# How long each may take. A body and an answer get as long again and again, for as long as they move.
SECONDS = {
    Phase.HEAD: 15.0,
    Phase.BODY: 20.0,
    Phase.SERVED: float("inf"),
    Phase.SENDING: 30.0,
    Phase.IDLE: 20.0,
    Phase.CLOSING: 15.0,
}


class Exchange:
    """What gunicorn takes for the client's socket. `expected`: bytes of the body under way, as announced."""

    def __init__(self, client: socket.socket) -> None:
        client.setblocking(False)
        self.socket = client
        self.expected = 0
        self._arrived = bytearray()
        self._start = b""
        self._request: IO[bytes] | None = None
        self._missing = 0
        self._outgoing: deque[tuple[Any, int, int]] = deque()
        self._lock = threading.Lock()
        self.enter(Phase.HEAD)

    def enter(self, phase: Phase) -> None:
        """Begins a phase, or its next window."""
        self.phase = phase
        self._until = time.monotonic() + SECONDS[phase]
        self._moved = 0

    def is_late(self, now: float) -> bool:
        """Whether the phase is past its deadline; one that moves gets another window."""
        if now <= self._until:
            return False
        if self.phase in (Phase.BODY, Phase.SENDING) and self._moved >= WINDOW_BYTES:
            self.enter(self.phase)
            return False
        return True

    # ---- the main loop's side

    def read(self) -> bytes | None:
        """What has come; empty when the client has gone, None when there is nothing yet."""
        try:
            data = self.socket.recv(IN_MEMORY)
        except BlockingIOError:
            return None
        except OSError:
            return b""
        self._moved += len(data)
        return data

    def take(self, data: bytes, *, most: int) -> bool:
        """Adds what came, and says whether a request is whole. One whose body is larger than `most` counts as
        whole without it: the site refuses it by its head."""
        self._arrived += data
        if self._request is None:
            if self.phase is Phase.IDLE:
                self.enter(Phase.HEAD)
            end = self._arrived.find(_HEAD_END)
            if end < 0 and len(self._arrived) <= LONGEST_HEAD:
                return False
            self._request = self._begin(end + len(_HEAD_END) if end >= 0 else len(self._arrived), most)
        return self._take_body(self._request)

    def is_one_that_begins(self, start: bytes) -> bool:
        """Whether the request that is whole does, and nothing has come behind it."""
        return self._start.startswith(start) and not self._arrived

    def begin_next(self) -> bool:
        """Forgets the request that was answered; says whether bytes of the next one have come."""
        self._close_request()
        self.enter(Phase.IDLE)
        return bool(self._arrived)

    def refuse(self, answer: bytes) -> None:
        """Answers at once, in the midst of a request."""
        self._close_request()
        self.enter(Phase.SENDING)
        with self._lock:
            self._outgoing.append((memoryview(answer), 0, len(answer)))

    def flush(self) -> bool:
        """Sends as much as the client takes now; says whether that was all."""
        with self._lock:
            return self._flush()

    # ---- the thread's side, as a socket has it

    def recv(self, size: int) -> bytes:
        return self._request.read(size) if self._request else b""

    def send(self, data: bytes) -> int:
        """gunicorn's own "100 Continue", which the client has had."""
        return len(data)

    def sendall(self, data: bytes) -> None:
        with self._lock:
            self._outgoing.append((memoryview(data), 0, len(data)))
            if not self._flush():
                _, at, end = self._outgoing.pop()
                self._put_by(memoryview(data)[at:end])

    def sendfile(self, file: IO[bytes], offset: int = 0, count: int = 0) -> None:
        with self._lock:
            self._outgoing.append((io.FileIO(os.dup(file.fileno())), offset, offset + count))
            self._flush()

    def fileno(self) -> int:
        return self.socket.fileno()

    def setblocking(self, flag: bool) -> None:
        """It never blocks."""

    def settimeout(self, seconds: float | None) -> None:
        """It never waits."""

    def gettimeout(self) -> None:
        """It never waits."""

    def shutdown(self, how: int) -> None:
        """The main loop ends it."""

    def close(self) -> None:
        with self._lock:
            for source, _, _ in self._outgoing:
                if isinstance(source, io.FileIO):
                    source.close()
            self._outgoing.clear()
            self.socket.close()
        self._close_request()

    def _begin(self, end: int, most: int) -> IO[bytes]:
        """A body of unknown length is not waited for: Django takes none."""
        head = bytes(self._arrived[:end])
        self._start = head[:16]
        length = _LENGTH.search(head)
        announced = int(length[1]) if length else 0
        self.expected = self._missing = announced if announced <= most else 0
        in_memory = self.expected <= IN_MEMORY
        request = io.BytesIO() if in_memory else tempfile.TemporaryFile(dir=settings.WORK_DIR)  # noqa: SIM115
        request.write(head)
        del self._arrived[:end]
        self.enter(Phase.BODY)
        if self._missing and _EXPECTS.search(head):
            self.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        return request

    def _take_body(self, request: IO[bytes]) -> bool:
        taken = min(self._missing, len(self._arrived))
        request.write(self._arrived[:taken])
        del self._arrived[:taken]
        self._missing -= taken
        if not self._missing:
            request.seek(0)
        return not self._missing

    def _put_by(self, rest: memoryview) -> None:
        """What the client was too slow to take: a download of gigabytes would fill the memory."""
        held = sum(len(source) for source, _, _ in self._outgoing if isinstance(source, memoryview))
        if self._ends_in_spool() or held + len(rest) > IN_MEMORY:
            self._spool(rest)
        else:  # a copy, since the end of a large piece would keep all of it
            self._outgoing.append((memoryview(bytes(rest)), 0, len(rest)))

    def _ends_in_spool(self) -> bool:
        """Whether what is sent last is a file of our own, which can grow."""
        last = self._outgoing[-1][0] if self._outgoing else None
        return isinstance(last, io.FileIO) and last.writable()

    def _spool(self, rest: memoryview) -> None:
        from editor.services import space  # gunicorn reads this module before the site is set up

        if space.is_nearly_out():
            raise OSError(errno.ENOSPC, "no room for what a client has not taken")
        if not self._ends_in_spool():
            self._outgoing.append((tempfile.TemporaryFile("w+b", 0, dir=settings.WORK_DIR), 0, 0))  # noqa: SIM115
        file, at, end = self._outgoing[-1]
        while rest:
            written = os.pwrite(file.fileno(), rest, end)
            rest, end = rest[written:], end + written
            self._outgoing[-1] = (file, at, end)

    def _flush(self) -> bool:
        while self._outgoing:
            source, at, end = self._outgoing[0]
            try:
                if isinstance(source, io.FileIO):
                    sent = os.sendfile(self.socket.fileno(), source.fileno(), at, end - at)
                else:
                    sent = self.socket.send(source[at:end])
            except BlockingIOError:
                return False
            self._moved += sent
            if at + sent < end and sent:
                self._outgoing[0] = (source, at + sent, end)
            else:
                self._outgoing.popleft()
                if isinstance(source, io.FileIO):
                    source.close()
        return True

    def _close_request(self) -> None:
        self.expected = 0
        if self._request is not None:
            self._request.close()
            self._request = None
