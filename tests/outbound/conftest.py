"""Remote sites for tests of outgoing requests. No test sends a request beyond this machine."""

import errno
import socket
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from tests.hostile_server import Authority, HostileServer

type Dial = tuple[str, int]


@dataclass
class Network:
    """All addresses to which connections were made, and the servers that stand in for public addresses."""

    dialled: list[Dial] = field(default_factory=list)
    servers: dict[str, HostileServer] = field(default_factory=dict)


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    """Replace socket connections, so that only this machine and the addresses in `servers` are reachable."""
    made = Network()
    real: Callable[[socket.socket, Dial], int] = socket.socket.connect_ex

    def connect_ex(end: socket.socket, address: Dial) -> int:
        made.dialled.append(address)
        if address[0] in made.servers:
            return real(end, ("127.0.0.1", made.servers[address[0]].port))
        return real(end, address) if address[0].startswith("127.") else errno.ENETUNREACH

    monkeypatch.setattr(socket.socket, "connect_ex", connect_ex)
    return made


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))
