"""What is said of a request without making one: who may be reached, what is sent, and what came back."""

import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

type Files = Sequence[tuple[str, tuple[str, Path, str]]]
"""(field, (name of the file, where it lies, media type)) in order; read from disk while they are sent."""

type Resolver = Callable[[str, int], list[str]]
"""Host and port -> its IPs as text; raises OSError when there are none."""


def system_resolver(host: str, port: int) -> list[str]:
    """What the system's resolver says, in its order. May take as long as it likes; raises OSError."""
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


@dataclass(frozen=True)
class Rules:
    """Who may be reached. Origins are written as `origin_of` answers them.

    Of a listed origin the private ranges, loopback and its port pass; `refused_origins` (our own) win over
    the list. With `proxy` ("http://user:password@host:port") that proxy decides instead of our guard, the
    refused origins excepted. `ca_file` is trusted beside the usual authorities.
    """

    allowed_origins: frozenset[str] = frozenset()
    refused_origins: frozenset[str] = frozenset()
    proxy: str | None = None
    ca_file: str | None = None
    resolve: Resolver = system_resolver


@dataclass(frozen=True)
class Answer:
    """What the far end said. The names of `headers` are found in any case; `content` is decoded, and cut to
    calls.LARGEST_ERROR when the status is not 2xx."""

    status: int
    headers: Mapping[str, str]
    content: bytes
