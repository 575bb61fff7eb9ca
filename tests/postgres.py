"""A throw-away PostgreSQL cluster of our own: `python -m tests.postgres -- COMMAND...` runs the command with
DATABASE_URL set. It stands on Debian's binaries, in a temporary folder, and is gone afterwards."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_ROOT = Path("/usr/lib/postgresql")
_STARTED_SECONDS = 30
_PR_SET_PDEATHSIG = 1
# PostgreSQL refuses to run as root, so root lends it the user that Debian's package makes.
_USER = "postgres" if os.geteuid() == 0 else None


def binaries() -> Path | None:
    """The folder of the newest version's programs; None where PostgreSQL is not installed."""
    found = sorted(_ROOT.glob("*/bin"), key=lambda path: float(path.parent.name))
    return found[-1] if found else None


@contextmanager
def cluster() -> Iterator[str]:
    """Starts a cluster with an empty database and gives its DATABASE_URL; stops and removes it afterwards.

    Raises FileNotFoundError where PostgreSQL is not installed.
    """
    programs = binaries()
    if programs is None:
        raise FileNotFoundError(f"PostgreSQL is not installed: there is nothing in {_ROOT}.")
    folder = Path(tempfile.mkdtemp(prefix="darkroom-postgres-"))
    try:
        if _USER:
            shutil.chown(folder, _USER)
        data = folder / "data"
        init: list[str | Path] = [
            programs / "initdb",
            "-D",
            data,
            "-U",
            "darkroom",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
        ]
        _run([*init, "--locale=C"], cwd=folder)
        port = _free_port()
        with _server(programs, data, port):
            address = ["-h", "127.0.0.1", "-p", str(port), "-U", "darkroom"]
            _run([programs / "createdb", *address, "darkroom"], cwd=folder)
            yield f"postgres://darkroom@127.0.0.1:{port}/darkroom"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _server(programs: Path, data: Path, port: int) -> Iterator[None]:
    settings = {
        "port": port,
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "max_connections": 200,
        "fsync": "on",
    }
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    log = data.parent / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, *options],
            cwd=data.parent,
            user=_USER,
            group=_USER,
            extra_groups=[] if _USER else None,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C stops the tests first, then the database
            preexec_fn=_stop_with_parent,
        )
    try:
        _wait_until_it_answers(programs, port, server, log)
        yield
    finally:
        server.send_signal(signal.SIGINT)  # "fast": ends the sessions that are left
        server.wait(timeout=30)


def _wait_until_it_answers(programs: Path, port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    ask: list[str | Path] = [programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]
    last = time.monotonic() + _STARTED_SECONDS
    while subprocess.run(ask, check=False).returncode != 0:
        if server.poll() is not None or time.monotonic() > last:
            raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text()}")
        time.sleep(0.1)


def _run(command: list[str | Path], *, cwd: Path) -> None:
    done = subprocess.run(
        command,
        cwd=cwd,
        user=_USER,
        group=_USER,
        extra_groups=[] if _USER else None,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{Path(command[0]).name} failed:\n{done.stderr}")


def _stop_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGINT)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def main(arguments: list[str]) -> int:
    """Runs the command and answers with its exit code."""
    command = arguments[1:] if arguments[:1] == ["--"] else arguments
    if not command:
        sys.exit("usage: python -m tests.postgres -- COMMAND...")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with cluster() as url:
        return subprocess.run(command, env={**os.environ, "DATABASE_URL": url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
