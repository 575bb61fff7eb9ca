"""Ports on loopback for the servers of tests."""

import socket

# Sockets that reserve the free ports for this process.
_reserved: list[socket.socket] = []


def free_port() -> int:
    """Return a port that no other program gets until this process ends.

    A server that sets SO_REUSEADDR, as most do, can listen on it.
    """
    probe = socket.socket()
    _reserved.append(probe)
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    probe.bind(("127.0.0.1", 0))
    port: int = probe.getsockname()[1]
    return port
