"""The values that describe a request: allowed addresses, files to send, and the response."""

import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# (field, (file name, path, media type)) in order; the files are read from disk while they are sent.
type Files = Sequence[tuple[str, tuple[str, Path, str]]]

# A function from host and port to IP addresses as text; raises OSError if there are none.
type Resolver = Callable[[str, int], list[str]]


def system_resolver(host: str, port: int) -> list[str]:
    """Return the IP addresses that the system resolver finds, in the resolver's order.

    The lookup has no time limit. Raises OSError.
    """
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


@dataclass(frozen=True)
class Rules:
    """The addresses that a request may reach.

    Origins are written in the format that `origin_of` returns. A listed origin may use private addresses,
    loopback addresses, and its own port. `refused_origins`, which are the origins of this site, take
    precedence over the list. With `proxy` ("http://user:password@host:port"), the proxy decides which
    addresses are allowed, but refused origins remain refused. `ca_file` contains additional trusted
    certificate authorities.
    """

    allowed_origins: frozenset[str] = frozenset()
    refused_origins: frozenset[str] = frozenset()
    proxy: str | None = None
    ca_file: str | None = None
    resolve: Resolver = system_resolver


@dataclass(frozen=True)
class Response:
    """The response to a request.

    Header names are case-insensitive. `content` is decoded. If the status is not 2xx, `content` is cut to
    calls.MAX_ERROR_BYTES bytes.
    """

    status: int
    headers: Mapping[str, str]
    content: bytes
