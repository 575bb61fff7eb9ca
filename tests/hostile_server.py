"""An HTTP server on raw sockets that misbehaves as a test requires.

A script is a function from the received request to the pieces of its response: bytes are sent, a float is a
pause in seconds, and an `End` ends the connection. After the last piece, the connection is closed.

    with HostileServer(answer(429, headers={"Retry-After": "5"}), answer(200, b"{}")) as server:
        ...                              # first request 429, every later one 200
        assert server.requests[0].path == "/task"
"""

import datetime
import functools
import gzip
import ipaddress
import itertools
import json
import socket
import ssl
import struct
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

# The number of bytes of a received body that are kept; `Received.length` counts all of them.
MAX_STORED_BODY_BYTES = 1024 * 1024
_PATIENCE = 600.0  # A forgotten connection is closed after this number of seconds.


JPEG = {"Content-Type": "image/jpeg"}


class End(Enum):
    CLOSE = "close"
    RESET = "reset"
    STALL = "stall"  # The server keeps the connection open and reads, but sends nothing.
    PARK = "park"  # The server keeps the connection open and does not even read from it.


type Piece = bytes | float | End
type Script = Callable[[Received], Iterable[Piece]]


@dataclass(frozen=True)
class Received:
    """A complete request. The header names are lowercase, and `number` counts requests from 0."""

    number: int
    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    length: int
    is_secure: bool = False

    def json(self) -> Any:
        return json.loads(self.body)


def answer(
    status: int = 200,
    body: bytes | str | dict[str, Any] | list[Any] = b"",
    *,
    headers: Mapping[str, str] | None = None,
    length: int | None = None,
    drip: float | None = None,
    then: End = End.CLOSE,
) -> Script:
    """Return a script for an ordinary response.

    `length` declares a wrong Content-Length; -1 omits the header. With `drip`, the body is sent one byte at a
    time, with pauses of `drip` seconds.
    """
    content = _bytes(body)
    declared = len(content) if length is None else length
    head = _head(status, {**({} if declared < 0 else {"Content-Length": str(declared)}), **(headers or {})})
    pieces: list[Piece] = [head, *(_dripped(content, drip) if drip else [content]), then]
    return lambda request: pieces


def raw(*pieces: Piece) -> Script:
    """Return a script that sends exactly these pieces."""
    return lambda request: pieces


def redirect(place: str, status: int = 302) -> Script:
    return answer(status, headers={"Location": place})


def after(seconds: float, script: Script) -> Script:
    """Return a script that waits before it responds."""
    return lambda request: itertools.chain([seconds], script(request))


def once(event: threading.Event, script: Script) -> Script:
    """Return a script that responds once the event has been set."""

    def pieces(request: Received) -> Iterator[Piece]:
        event.wait(_PATIENCE)
        yield from script(request)

    return pieces


def dripping_head(seconds: float) -> Script:
    return lambda request: _dripped(_head(200, {"Content-Length": "2"}) + b"{}", seconds)


def flood_of_1xx(status: int = 103, pause: float = 0.0) -> Script:
    line = f"HTTP/1.1 {status} Again\r\n\r\n".encode()
    return lambda request: (piece for _ in itertools.count() for piece in (line, pause))


def endless(headers: Mapping[str, str] | None = None) -> Script:
    """Return a script that sends an endless body without a Content-Length."""
    return lambda request: itertools.chain([_head(200, headers or {})], itertools.repeat(b"x" * 65_536))


def gzip_bomb(megabytes: int, *, layers: int = 1) -> Script:
    """Return a script that sends this many megabytes of zeros, compressed `layers` times."""
    content = _packed_zeros(megabytes)
    for _ in range(layers - 1):
        content = gzip.compress(content)
    return answer(200, content, headers={"Content-Encoding": ", ".join(["gzip"] * layers)})


def many_headers(count: int = 200, size: int = 4_096) -> Script:
    return answer(200, b"{}", headers={f"X-{n}": "x" * size for n in range(count)})


def chunked(*chunks: bytes, ending: bytes = b"0\r\n\r\n", status: int = 200) -> Script:
    """Return a script that sends a chunked body.

    `ending` replaces the end of the body and may be invalid.
    """
    framed = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    return raw(_head(status, {"Transfer-Encoding": "chunked"}), framed + ending, End.CLOSE)


def reset() -> Script:
    """Return a script that reads the request and resets the connection."""
    return raw(End.RESET)


def silence() -> Script:
    """Return a script that reads the request and sends nothing."""
    return raw(End.STALL)


class HostileServer:
    """A server that plays one script for each complete request, and then repeats the last script.

    `by_path` has priority: it maps "/task" or "GET /task", without a query, to one script or to a list of
    scripts that are played in turn. If `greeting` is set, the server sends these pieces before it reads
    anything.

    `connections` is the number of connections, `requests` contains the complete requests, and `partial` is
    the number of requests that broke off.
    """

    def __init__(
        self,
        *scripts: Script,
        by_path: Mapping[str, Script | Sequence[Script]] | None = None,
        tls: ssl.SSLContext | None = None,
        greeting: Sequence[Piece] = (),
        host: str = "127.0.0.1",
    ) -> None:
        turns: dict[str, Sequence[Script]] = {"": scripts or (answer(),)}
        for path, played in (by_path or {}).items():
            turns[path] = [played] if callable(played) else played
        self._turns = turns
        self._played: Counter[str] = Counter()
        self.tls = tls
        self.greeting = greeting
        self.connections = 0
        self.partial = 0
        self.requests: list[Received] = []
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.create_server((host, 0), family=family, backlog=128)
        self.port: int = self._listener.getsockname()[1]
        self._acceptor = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> Self:
        self._acceptor.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        with suppress(OSError):
            # This connection wakes up the accepting thread.
            self._listener.shutdown(socket.SHUT_RDWR)
        self._acceptor.join()
        self._listener.close()
        with self._lock:
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    @property
    def origin(self) -> str:
        return self.origin_for("127.0.0.1")

    def origin_for(self, name: str) -> str:
        """Return the server's origin with a host name that a scripted resolver maps to this server."""
        return f"{'https' if self.tls else 'http'}://{name}:{self.port}"

    def set_scripts(self, place: str, *scripts: Script) -> None:
        """Replace the scripts for a path. The path has the same format as the keys of `by_path`."""
        with self._lock:
            self._turns[place] = scripts
            self._played[place] = 0

    def wait_for(self, count: int, *, seconds: float = 60.0) -> None:
        """Wait until this number of complete requests have arrived. Raises AssertionError after the
        timeout.
        """
        pause = threading.Event()
        for _ in range(int(seconds / 0.005)):
            if len(self.requests) >= count:
                return
            pause.wait(0.005)
        raise AssertionError(f"{len(self.requests)} of {count} requests came.")

    def _accept(self) -> None:
        while not self._over.is_set():
            try:
                end, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self.connections += 1
                self._open.add(end)
            threading.Thread(target=self._serve, args=(end,), daemon=True).start()

    def _serve(self, end: socket.socket) -> None:
        end.settimeout(_PATIENCE)
        try:
            self._converse(end)
        except (OSError, ValueError):  # The client disconnected or did not speak HTTP.
            with self._lock:
                self.partial += 1
        finally:
            with self._lock:
                self._open.discard(end)
            end.close()

    def _converse(self, end: socket.socket) -> None:
        if self.greeting:
            self._play(self.greeting, end)
            return
        if self.tls is not None:
            plain, end = end, self.tls.wrap_socket(end, server_side=True)
            with self._lock:
                self._open.discard(plain)
                self._open.add(end)
        with end.makefile("rb") as stream:
            request = _read(stream, is_secure=self.tls is not None)
        with self._lock:
            request = replace(request, number=len(self.requests))
            self.requests.append(request)
            script = self._next_script(request)
        with suppress(OSError):  # A client may close the connection in the middle of a response.
            self._play(script(request), end)
        end.close()

    def _next_script(self, request: Received) -> Script:
        path = request.path.partition("?")[0]
        place = next((place for place in (f"{request.method} {path}", path) if place in self._turns), "")
        turn = self._played[place]
        self._played[place] += 1
        return self._turns[place][min(turn, len(self._turns[place]) - 1)]

    def _play(self, pieces: Iterable[Piece], end: socket.socket) -> None:
        for piece in pieces:
            if self._over.is_set():
                return
            if isinstance(piece, bytes):
                end.sendall(piece)
            elif isinstance(piece, End):
                self._finish(piece, end)
                return
            else:
                self._over.wait(piece)

    def _finish(self, how: End, end: socket.socket) -> None:
        if how is End.STALL:
            with suppress(OSError):
                while end.recv(65_536):  # The loop ends when the client or the server stops.
                    pass
        elif how is End.PARK:
            self._over.wait(_PATIENCE)
        elif how is End.RESET:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            end.close()


class Authority:
    """A certificate authority for tests. `trust` is the path of its certificate, a PEM file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named("An authority for tests")
        certificate = self._signed(
            self._name, self._key.public_key(), x509.BasicConstraints(ca=True, path_length=None), days=(-1, 1)
        )
        self.trust = folder / "authority.pem"
        self.trust.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def server_context(self, *names: str, days: tuple[int, int] = (-1, 1)) -> ssl.SSLContext:
        """Return the TLS context of a server with these names or IP addresses.

        `days` gives the start and the end of the certificate's validity, in days from now.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        others = x509.SubjectAlternativeName([_general(name) for name in names])
        certificate = self._signed(_named(names[0]), key.public_key(), usage, others, days=days)
        path = self._folder / f"{names[0]}{days}.pem"
        path.write_bytes(
            certificate.public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    def _signed(
        self,
        subject: x509.Name,
        public: ec.EllipticCurvePublicKey,
        *extensions: x509.ExtensionType,
        days: tuple[int, int],
    ) -> x509.Certificate:
        now = datetime.datetime.now(datetime.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + datetime.timedelta(days=days[0]))
            .not_valid_after(now + datetime.timedelta(days=days[1]))
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False
            )
        )
        for extension in extensions:
            is_critical = isinstance(extension, x509.BasicConstraints)
            builder = builder.add_extension(extension, critical=is_critical)
        if any(isinstance(extension, x509.BasicConstraints) for extension in extensions):
            builder = builder.add_extension(_SIGNS_CERTIFICATES, critical=True)
        return builder.sign(self._key, hashes.SHA256())


_SIGNS_CERTIFICATES = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=True,
    encipher_only=False,
    decipher_only=False,
)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _read(stream: BinaryIO, *, is_secure: bool) -> Received:
    """Read one complete request. Raises ValueError if the request is cut off."""
    method, path, _ = stream.readline(65_536).decode("latin-1").split(" ")
    headers = {}
    while line := stream.readline(65_536).decode("latin-1").rstrip("\r\n"):
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    declared = int(headers.get("content-length", "0"))
    body, length = bytearray(), 0
    while length < declared:
        part = stream.read(min(65_536, declared - length))
        if not part:
            raise ValueError("the body broke off")
        length += len(part)
        body += part[: MAX_STORED_BODY_BYTES - len(body)]
    return Received(0, method, path, headers, bytes(body), length, is_secure)


def _bytes(body: bytes | str | dict[str, Any] | list[Any]) -> bytes:
    if isinstance(body, bytes):
        return body
    return (body if isinstance(body, str) else json.dumps(body)).encode()


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} Whatever", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1")


def _dripped(content: bytes, seconds: float) -> Iterator[Piece]:
    for byte in content:
        yield bytes([byte])
        yield seconds


@functools.cache
def _packed_zeros(megabytes: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    zeros = bytes(1024 * 1024)
    return b"".join([*(packer.compress(zeros) for _ in range(megabytes)), packer.flush()])
