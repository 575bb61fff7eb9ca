"""A client's connection whose requests and responses are buffered, so that no thread waits for the client.

A request thread uses the connection like a socket that has already received the whole request and accepts the
whole response. The worker's main loop moves the bytes between the buffers and the real socket. Large requests
and responses are buffered in unnamed temporary files.
"""

import contextlib
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

# The maximum number of bytes of a request or response that are kept in memory. The rest is in a file.
MAX_BYTES_IN_MEMORY = 64 * 1024
MAX_HEAD_BYTES = 64 * 1024
# minimum bytes per time window; connections that transfer a body or response more slowly are closed
MIN_BYTES_PER_WINDOW = 64 * 1024
_HEAD_END = b"\r\n\r\n"
_CONTENT_LENGTH = re.compile(
    rb"^content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r$", re.IGNORECASE | re.MULTILINE
)
_EXPECT_CONTINUE = re.compile(rb"^expect[ \t]*:[ \t]*100-continue", re.IGNORECASE | re.MULTILINE)


class Phase(Enum):
    """The current activity of a connection."""

    HEAD = "receiving the head of a request"
    BODY = "receiving the body of a request"
    SERVED = "waiting for a thread to answer"
    SENDING = "sending a response"
    IDLE = "waiting for the next request"
    CLOSING = "waiting for the client to close"


# The time limit of each phase. Receiving a body or sending a response may take several such windows, as long
# as at least MIN_BYTES_PER_WINDOW bytes are transferred in each window.
PHASE_SECONDS = {
    Phase.HEAD: 15.0,
    Phase.BODY: 20.0,
    Phase.SERVED: float("inf"),
    Phase.SENDING: 30.0,
    Phase.IDLE: 20.0,
    Phase.CLOSING: 15.0,
}


class BufferedConnection:
    """The object that gunicorn uses as the client's socket.

    `expected` is the announced length, in bytes, of the body that is being received.
    """

    def __init__(self, client: socket.socket) -> None:
        client.setblocking(False)
        self.socket = client
        self.expected = 0
        self._received = bytearray()
        self._first_bytes = b""
        self._request: IO[bytes] | None = None
        self._missing = 0
        # Each item contains the memory buffer or file that holds the bytes, the position of the next byte,
        # and the end position.
        self._outgoing: deque[tuple[Any, int, int]] = deque()
        self._lock = threading.Lock()
        self.enter(Phase.HEAD)

    def enter(self, phase: Phase) -> None:
        """Start a phase of the connection, or another time window of the current phase."""
        self.phase = phase
        self._deadline = time.monotonic() + PHASE_SECONDS[phase]
        self._moved = 0

    def is_late(self, now: float) -> bool:
        """Return whether the phase has exceeded its time limit.

        If enough bytes were transferred in the current time window, another window is started.
        """
        if now <= self._deadline:
            return False
        if self.phase in (Phase.BODY, Phase.SENDING) and self._moved >= MIN_BYTES_PER_WINDOW:
            self.enter(self.phase)
            return False
        return True

    # The main loop calls the following methods.

    def read(self) -> bytes | None:
        """Return the bytes received, or None if nothing has arrived yet.

        If the client has closed the connection, the result is empty.
        """
        try:
            data = self.socket.recv(MAX_BYTES_IN_MEMORY)
        except BlockingIOError:
            return None
        except OSError:
            return b""
        self._moved += len(data)
        return data

    def feed(self, data: bytes, *, max_body_bytes: int) -> bool:
        """Add received bytes, and return whether the request is complete.

        If the announced body is larger than `max_body_bytes`, the request counts as complete without its
        body, because the site refuses the request after reading the headers. Raises OSError if the body
        cannot be written to the disk.
        """
        self._received += data
        if self._request is None:
            if self.phase is Phase.IDLE:
                self.enter(Phase.HEAD)
            end = self._received.find(_HEAD_END)
            if end < 0 and len(self._received) <= MAX_HEAD_BYTES:
                return False
            head_bytes = end + len(_HEAD_END) if end >= 0 else len(self._received)
            self._request = self._start_request(head_bytes, max_body_bytes)
        return self._receive_body(self._request)

    def is_single_request(self, prefix: bytes) -> bool:
        """Return whether the complete request starts with `prefix` and no other request has followed yet."""
        return self._first_bytes.startswith(prefix) and not self._received

    def is_request_to(self, prefix: bytes) -> bool:
        """Return whether the path of the request that is being received starts with `prefix`."""
        return self._first_bytes.partition(b" ")[2].startswith(prefix)

    def start_next_request(self) -> bool:
        """Discard the answered request, and return whether bytes of the next request have been received."""
        self._close_request()
        self.enter(Phase.IDLE)
        return bool(self._received)

    def respond(self, response: bytes) -> None:
        """Send a complete HTTP response before the request has been received completely."""
        self._close_request()
        self.enter(Phase.SENDING)
        with self._lock:
            self._outgoing.append((memoryview(response), 0, len(response)))

    def flush(self) -> bool:
        """Send as much as the client currently accepts, and return whether everything has been sent."""
        with self._lock:
            return self._flush()

    # A request thread calls the following methods, which are those of a socket.

    def recv(self, size: int) -> bytes:
        return self._request.read(size) if self._request else b""

    def send(self, data: bytes) -> int:
        """Ignore gunicorn's own "100 Continue", because the client has already received this response."""
        return len(data)

    def sendall(self, data: bytes) -> None:
        with self._lock:
            self._outgoing.append((memoryview(data), 0, len(data)))
            if not self._flush():
                _, start, end = self._outgoing.pop()
                self._buffer(memoryview(data)[start:end])

    def sendfile(self, file: IO[bytes], offset: int = 0, count: int = 0) -> None:
        with self._lock:
            self._outgoing.append((io.FileIO(os.dup(file.fileno())), offset, offset + count))
            self._flush()

    def fileno(self) -> int:
        return self.socket.fileno()

    def setblocking(self, flag: bool) -> None:
        """Do nothing, because the connection never blocks."""

    def settimeout(self, seconds: float | None) -> None:
        """Do nothing, because the connection never waits."""

    def gettimeout(self) -> None:
        """Return None, because the connection never waits."""

    def shutdown(self, how: int) -> None:
        """Do nothing, because the main loop closes the connection."""

    def close(self) -> None:
        with self._lock:
            for source, _, _ in self._outgoing:
                if isinstance(source, io.FileIO):
                    source.close()
            self._outgoing.clear()
            self.socket.close()
        self._close_request()

    def _start_request(self, head_bytes: int, max_body_bytes: int) -> IO[bytes]:
        """Create the buffer for a request.

        A body without a Content-Length is ignored, because Django does not accept such bodies.
        """
        head = bytes(self._received[:head_bytes])
        self._first_bytes = head[:16]
        length = _CONTENT_LENGTH.search(head)
        announced = int(length[1]) if length else 0
        self.expected = self._missing = announced if announced <= max_body_bytes else 0
        is_small = self.expected <= MAX_BYTES_IN_MEMORY
        request = io.BytesIO() if is_small else tempfile.TemporaryFile(dir=settings.WORK_DIR)  # noqa: SIM115
        request.write(head)
        del self._received[:head_bytes]
        self.enter(Phase.BODY)
        if self._missing and _EXPECT_CONTINUE.search(head):
            self.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        return request

    def _receive_body(self, request: IO[bytes]) -> bool:
        taken = min(self._missing, len(self._received))
        request.write(self._received[:taken])
        del self._received[:taken]
        self._missing -= taken
        if not self._missing:
            # This writes the buffered data, so if the disk is full, an error is raised here at the latest.
            request.seek(0)
        return not self._missing

    def _buffer(self, rest: memoryview) -> None:
        """Keep the bytes that the client is not ready to accept.

        If there are too many bytes for memory, they are kept in a file.
        """
        held = sum(len(source) for source, _, _ in self._outgoing if isinstance(source, memoryview))
        if self._last_is_temporary_file() or held + len(rest) > MAX_BYTES_IN_MEMORY:
            self._write_to_temporary_file(rest)
        # Copy the bytes, because a slice of a large chunk would keep the whole chunk in memory.
        else:
            self._outgoing.append((memoryview(bytes(rest)), 0, len(rest)))

    def _last_is_temporary_file(self) -> bool:
        last = self._outgoing[-1][0] if self._outgoing else None
        return isinstance(last, io.FileIO) and last.writable()

    def _write_to_temporary_file(self, rest: memoryview) -> None:
        # imported here because gunicorn imports this module before Django is set up
        from editor.services.core import disk_space

        if disk_space.is_nearly_full():
            raise OSError(errno.ENOSPC, "no space for the response of a slow client")
        if not self._last_is_temporary_file():
            self._outgoing.append((tempfile.TemporaryFile("w+b", 0, dir=settings.WORK_DIR), 0, 0))  # noqa: SIM115
        file, start, end = self._outgoing[-1]
        while rest:
            written = os.pwrite(file.fileno(), rest, end)
            rest, end = rest[written:], end + written
            self._outgoing[-1] = (file, start, end)

    def _flush(self) -> bool:
        while self._outgoing:
            source, start, end = self._outgoing[0]
            try:
                if isinstance(source, io.FileIO):
                    sent = os.sendfile(self.socket.fileno(), source.fileno(), start, end - start)
                else:
                    sent = self.socket.send(source[start:end])
            except BlockingIOError:
                return False
            self._moved += sent
            if start + sent < end and sent:
                self._outgoing[0] = (source, start + sent, end)
            else:
                self._outgoing.popleft()
                if isinstance(source, io.FileIO):
                    source.close()
        return True

    def _close_request(self) -> None:
        self.expected = 0
        if self._request is not None:
            # If the disk is full, closing a file raises another error, because some data is still buffered.
            with contextlib.suppress(OSError):
                self._request.close()
            self._request = None
