"""Tests for `manage.py start` with real processes: its output, its child processes, and a clean stop."""

import contextlib
import http.client
import os
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.finders import FileSystemFinder
from django.test import override_settings
from django.utils.functional import SimpleLazyObject

from editor.management.commands import start
from photoeditor_site.environment import load_or_create_secret
from tests.ports import free_port
from tests.processes import memory_of, restore_hangup_handler, site_processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="It reads /proc to find every process.")

PATIENCE = 600.0  # maximum wait in seconds; the test must not fail on a slow machine


class Site:
    """A site with its own data folder and port, and with its own `start` process."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.port = free_port()
        self._log = folder / "output"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str, **environment: str) -> None:
        """Start the site in a separate process group, as a shell does."""
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "start", "--workers", "1", *options]
        with self._log.open("wb") as output:
            self._process = subprocess.Popen(
                [*command, "--port", str(self.port)],
                env=plain_environment() | {"DATA_DIR": str(self.data)} | environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=restore_hangup_handler,
            )
        self.wait_for("Press Ctrl-C to stop.")
        wait_until(lambda: self._has_ended() or self._are_children_named(), "children with names")

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def said(self) -> str:
        return self._log.read_text()

    def wait_for(self, text: str) -> None:
        wait_until(lambda: text in self.said or self._has_ended(), f"{text!r} in:\n{self.said}")
        assert text in self.said

    def wait_for_end(self) -> int:
        assert self._process is not None
        return self._process.wait(PATIENCE)

    def processes(self) -> dict[int, str]:
        return site_processes(self.data)

    def family(self) -> set[tuple[int, str]]:
        """Return all processes that `start` has started, including sandboxes, whose environments are empty.

        Each process ID comes with its start time, because the system reuses IDs.
        """
        return _descendants(self.pid, _living())

    def pids_of(self, name: str) -> list[int]:
        return sorted(pid for pid, known_as in self.processes().items() if known_as == name)

    def wait_for_pids(self, name: str, count: int) -> list[int]:
        """Wait until this number of processes have this name, and return their IDs.

        A child process has its parent's name and environment until it runs its own program.
        """
        wait_until(lambda: len(self.pids_of(name)) == count, f"{count} processes with the name {name}")
        return self.pids_of(name)

    def wait_for_none(self) -> None:
        wait_until(lambda: not self.processes(), "all processes of the site to end")

    def answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def add_account(self) -> None:
        file = self.data / "darkroom.sqlite3"
        with contextlib.closing(sqlite3.connect(file, timeout=PATIENCE)) as database, database:
            database.execute(
                "INSERT INTO editor_user"
                " (email, name, password, is_active, is_staff, is_superuser, owns_site, block_reason,"
                " sign_outs, created) VALUES ('alice@example.org', '', '!', 1, 1, 1, 1, '', 0, '2026-01-01')"
            )

    def clear(self) -> None:
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self._process is not None:
            self._process.wait(PATIENCE)

    def _are_children_named(self) -> bool:
        """Check that there are child processes, and that each has a name other than its parent's."""
        children = [pid for pid, (parent, _) in _living().items() if parent == self.pid]
        names = self.processes()
        unnamed = {None, names.get(self.pid)}
        return bool(children) and all(names.get(child) not in unnamed for child in children)

    def _has_ended(self) -> bool:
        return self._process is not None and self._process.poll() is not None


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.clear()


def test_it_starts_without_a_data_folder_and_ctrl_c_stops_every_process(site: Site) -> None:
    site.start()
    assert f"Listening on http://127.0.0.1:{site.port}/\n" in site.said
    assert re.search(rf"http://127\.0\.0\.1:{site.port}/setup/[\w:-]{{20,}}/\n", site.said)
    assert site.answers()
    assert stat.S_IMODE(site.data.stat().st_mode) == 0o700
    readable_by_others = [path for path in site.data.iterdir() if path.stat().st_mode & 0o077]
    assert readable_by_others == []
    for name, count in {"web": 2, "worker 1": 1, "housekeeping": 1}.items():
        site.wait_for_pids(name, count)
    family = site.family()
    assert len(family) >= 4

    os.killpg(site.pid, signal.SIGINT)
    os.kill(site.pid, signal.SIGINT)  # `uv run` forwards the signal a second time.
    assert site.wait_for_end() == 0
    assert site.said.endswith("Stopped.\n")
    assert site.processes() == {}
    require_gone(family)
    assert "Traceback" not in site.said
    assert "ERROR" not in site.said


@pytest.mark.slow
def test_it_starts_again_on_the_same_data_and_replaces_a_dead_worker(site: Site) -> None:
    site.start()
    [worker] = site.wait_for_pids("worker 1", 1)
    os.kill(worker, signal.SIGKILL)
    site.wait_for("The worker 1 ended (signal 9, Killed); it restarts in 0.5 s.\n")
    wait_until(lambda: set(site.pids_of("worker 1")) - {worker}, "a new worker")
    weight = memory_of(site.pid, "VmRSS")
    site.add_account()
    os.kill(site.pid, signal.SIGTERM)
    assert site.wait_for_end() == 0
    assert site.processes() == {}

    site.start(SIGNUP="open", PUBLIC_URL="https://photos.example.org")
    assert "/setup/" not in site.said
    assert "https://photos.example.org/" in site.said
    assert "SIGNUP=open is ignored" in site.said
    assert "Static files ... unchanged\n" in site.said
    # The work done at the first start must not leave its processes larger than those of later starts.
    assert weight < 1.1 * memory_of(site.pid, "VmRSS")
    web = site.wait_for_pids("web", 2)
    os.kill(web[0], signal.SIGKILL)  # the main web process, which does not serve requests itself
    site.wait_for("The web ended")
    wait_until(lambda: not set(web) & set(site.processes()), "the former web processes to end")
    wait_until(site.answers, "the web to be back")
    os.kill(site.pid, signal.SIGHUP)
    assert site.wait_for_end() == 0
    assert site.processes() == {}


@pytest.mark.slow
def test_workers_for_another_site_share_two_processes_and_stop_with_the_rest(site: Site) -> None:
    site.start("--workers", "5", EDIT_PROVIDER="photo-editor", PHOTO_EDITOR_BASE_URL="http://127.0.0.1:9")
    for name in ("workers 1", "workers 2"):
        site.wait_for_pids(name, 1)
    os.killpg(site.pid, signal.SIGINT)
    assert site.wait_for_end() == 0
    assert site.said.endswith("Stopped.\n")
    assert site.processes() == {}


@pytest.mark.slow
def test_each_role_can_run_separately(site: Site, tmp_path: Path) -> None:
    secrets = {"SECRET_KEY": "the same for all nodes", "API_KEY_PEPPER": "this too"}
    site.start("--only", "workers", **secrets)
    assert site.said.endswith("Running: workers.\nPress Ctrl-C to stop.\n")
    assert "Static files" not in site.said
    names = set(site.processes().values())
    assert "worker 1" in names
    assert not {"web", "housekeeping"} & names
    assert not site.answers()

    desk = Site(tmp_path / "another")  # This site uses the same data folder.
    desk.data = site.data
    (tmp_path / "another").mkdir()
    desk.start("--only", "web", **secrets)
    assert desk.answers()
    assert "/setup/" in desk.said
    assert not site.pids_of("housekeeping")
    for node in (desk, site):
        os.kill(node.pid, signal.SIGTERM)
        assert node.wait_for_end() == 0
    assert site.processes() == {}


def test_a_node_without_shared_secrets_is_refused(site: Site) -> None:
    done = refused_start(site, "--only", "housekeeping")
    assert done.returncode == 1
    assert done.stderr == (
        "CommandError: --only is for a site of several nodes, which share their secrets. Set "
        "SECRET_KEY and API_KEY_PEPPER to the same value on each of them.\n"
    )
    assert not site.data.exists()


@pytest.mark.slow
def test_a_killed_start_leaves_no_process_behind(site: Site) -> None:
    site.start()
    family = site.family()
    os.kill(site.pid, signal.SIGKILL)
    assert site.wait_for_end() == -signal.SIGKILL
    require_gone(family)
    site.wait_for_none()
    require_free(site.port)


def test_a_port_in_use_gives_a_one_line_message_before_anything_else(site: Site) -> None:
    with socket.create_server(("127.0.0.1", site.port)):
        done = refused_start(site, "--port", str(site.port))
    assert done.returncode == 1
    assert done.stderr == (
        f"CommandError: Port {site.port} is in use. Stop the program that uses it, or choose another one "
        "with --port.\n"
    )
    assert done.stdout == ""
    assert not site.data.exists()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--host", "no.such.host.invalid"], "The host 'no.such.host.invalid' does not exist"),
        (["--host", "203.0.113.7"], "203.0.113.7 is not an address of this machine"),
        (["--port", "70000"], "must be a number from 1 to 65535"),
        (["--workers", "0"], "must be a whole number of at least 1"),
    ],
)
def test_a_bad_option_gives_a_message(site: Site, options: list[str], sentence: str) -> None:
    done = refused_start(site, *options)
    assert done.returncode != 0
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert not site.data.exists()


def test_an_unusable_data_folder_gives_a_message(site: Site) -> None:
    site.data.write_text("a file")
    done = refused_start(site, "--port", str(site.port))
    assert done.returncode == 1
    assert f"The data folder {site.data} cannot be used: " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_damaged_database_gives_a_message(site: Site) -> None:
    site.data.mkdir()
    (site.data / "darkroom.sqlite3").write_bytes(b"no database " * 9_000)
    done = refused_start(site, "--port", str(site.port))
    assert done.returncode == 1
    assert "is damaged (file is not a database). Stop the site and restore the last backup." in done.stderr
    assert "Traceback" not in done.stderr


def test_a_new_data_folder_and_its_secret_are_synced_to_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
    folder = tmp_path / "data"
    secret = SimpleLazyObject(lambda: load_or_create_secret("A_SECRET", folder))
    folders = {"DATA_DIR": folder, "PHOTOS_DIR": folder / "photos", "WORK_DIR": folder / "work"}
    with override_settings(**folders, SECRET_KEY=secret, API_KEY_PEPPER="given"):
        start._prepare_data_folder()
    assert synced == [(folder / "a_secret").stat().st_ino, folder.stat().st_ino]


def test_a_data_folder_that_cannot_hold_static_files_gives_a_message(site: Site) -> None:
    site.data.mkdir()
    (site.data / "static").write_text("a file")
    done = refused_start(site, "--port", str(site.port))
    assert done.returncode == 1
    assert f"The data folder {site.data} cannot be used: " in done.stderr
    assert "Traceback" not in done.stderr


def test_static_files_are_collected_again_when_one_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = tmp_path / "static" / "sheet.css"
    sheet.parent.mkdir()
    monkeypatch.setattr(start, "get_finders", lambda: [FileSystemFinder()])
    with override_settings(STATICFILES_DIRS=[sheet.parent], STATIC_ROOT=tmp_path / "collected"):
        collected = [(sheet.write_text(text), start._collect_static_files())[1] for text in "aab"]
    assert collected == ["collected", "unchanged", "collected"]


def refused_start(site: Site, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "start", *options],
        env=plain_environment() | {"DATA_DIR": str(site.data)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def plain_environment() -> dict[str, str]:
    """Return the current environment without the variables that the test settings add."""
    tests_own = ("DJANGO_SETTINGS_MODULE", "DATA_DIR", "SECRET_KEY", "TESTING", "DATABASE_URL")
    return {name: value for name, value in os.environ.items() if name not in tests_own}


def require_gone(family: set[tuple[int, str]]) -> None:
    wait_until(lambda: not family & {(pid, born) for pid, (_, born) in _living().items()}, "all to end")


def _living() -> dict[int, tuple[int, str]]:
    """Return the parent and the start time of every process that is not a zombie; see proc_pid_stat(5)."""
    found = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            facts = file.read_text().rpartition(")")[2].split()
            if facts[0] != "Z":
                found[int(file.parent.name)] = (int(facts[1]), facts[19])
    return found


def _descendants(pid: int, living: dict[int, tuple[int, str]]) -> set[tuple[int, str]]:
    found = {(child, born) for child, (parent, born) in living.items() if parent == pid}
    return found.union(*(_descendants(child, living) for child, _ in found))


def wait_until(is_so: Callable[[], object], what: str) -> None:
    last = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < last, f"waited in vain for {what}"
        time.sleep(0.1)


def require_free(port: int) -> None:
    with socket.create_server(("127.0.0.1", port)):
        pass
