"""Run a command with a temporary PostgreSQL cluster: `python -m tests.postgres -- COMMAND...`.

The environment variable DATABASE_URL tells the command how to connect. The cluster uses Debian's binaries and
a temporary folder, which is deleted afterward.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.ports import free_port

_ROOT = Path("/usr/lib/postgresql")
_STARTED_SECONDS = 600
_PR_SET_PDEATHSIG = 1
# PostgreSQL refuses to run as root, so root switches to the user that Debian's package creates.
_USER = "postgres" if os.geteuid() == 0 else None


def binaries() -> Path | None:
    """Return the folder of the newest PostgreSQL programs, or None if PostgreSQL is not installed."""
    found = sorted(_ROOT.glob("*/bin"), key=lambda path: float(path.parent.name))
    return found[-1] if found else None


class Cluster:
    """A server on this machine with one database at `url`. It can be stopped as if by a power cut."""

    def __init__(self, programs: Path, folder: Path, *, is_durable: bool) -> None:
        self._programs, self._folder, self._port = programs, folder, free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._fsync = "on" if is_durable else "off"
        self.url = f"postgres://darkroom@127.0.0.1:{self._port}/darkroom"

    def make(self) -> None:
        """Create the files and the database, and leave the server running."""
        if _USER:
            shutil.chown(self._folder, _USER)
        init: list[str | Path] = [
            self._programs / "initdb",
            "-D",
            self._data,
            "-U",
            "darkroom",
            "-A",
            "trust",
        ]
        _run([*init, "-E", "UTF8", "--no-sync", "--locale=C"], cwd=self._folder)
        self.start()
        address = ["-h", "127.0.0.1", "-p", str(self._port), "-U", "darkroom"]
        _run([self._programs / "createdb", *address, "darkroom"], cwd=self._folder)

    def start(self) -> None:
        """Start the server and wait until it accepts connections.

        Call this method from the main thread, because the server stops when the thread that started it ends.
        """
        settings = {
            "port": self._port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "max_connections": 200,
            "fsync": self._fsync,
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, *options],
                cwd=self._folder,
                user=_USER,
                group=_USER,
                extra_groups=[] if _USER else None,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # This way, Ctrl-C stops the tests before it stops the database.
                preexec_fn=_stop_with_parent,
            )
        _wait_until_it_answers(self._programs, self._port, self._process, self._log)

    def stop(self) -> None:
        """Close the remaining sessions and stop the server."""
        self._end(signal.SIGINT)

    def crash(self) -> None:
        """Stop the server immediately, so that it must recover at the next start."""
        self._end(signal.SIGQUIT)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=600)

    @property
    def pid(self) -> int:
        """Return the ID of the process whose children serve the connections."""
        assert self._process is not None
        return self._process.pid

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    @property
    def _log(self) -> Path:
        return self._folder / "log"


@contextmanager
def cluster(*, is_durable: bool = True) -> Iterator[Cluster]:
    """Start a cluster with an empty database, and delete it afterward.

    If `is_durable` is false, the cluster never waits for the disk, so its data survives everything except a
    power cut. Raises FileNotFoundError if PostgreSQL is not installed.
    """
    programs = binaries()
    if programs is None:
        raise FileNotFoundError(f"PostgreSQL is not installed: there is nothing in {_ROOT}.")
    folder = Path(tempfile.mkdtemp(prefix="darkroom-postgres-"))
    made = Cluster(programs, folder, is_durable=is_durable)
    try:
        made.make()
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


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


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    command = arguments[1:] if arguments[:1] == ["--"] else arguments
    if not command:
        sys.exit("usage: python -m tests.postgres -- COMMAND...")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with cluster(is_durable=command[0] != "pytest") as made:
        return subprocess.run(command, env={**os.environ, "DATABASE_URL": made.url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
