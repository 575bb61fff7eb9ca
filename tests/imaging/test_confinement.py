"""Tests that a hostile child process can't read secrets or the database, open sockets, or run programs."""

import os
import platform
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from editor.imaging import confinement, sandbox
from editor.imaging.confinement import FolderAccess
from editor.imaging.sandbox import Profile, Sandbox, SandboxError
from editor.services.photos import photos
from tests.imaging import jobs

# Even a busy machine does not reach the limits of time, so a job that fails is one that was refused.
TRIAL = Profile("trial", 1024**3, 20, 120, "json", (*sandbox.OUR_PACKAGES, "tests.imaging"))
needs_landlock = pytest.mark.skipif(not confinement._landlock(), reason="This kernel has no Landlock.")
needs_seccomp = pytest.mark.skipif(
    not confinement._has_seccomp() or platform.machine() not in confinement._MACHINES,
    reason="This kernel has no seccomp filters.",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Create a data folder with a photo, a work folder, and files that a child process must not read."""
    for name in ("photos", "work", "models"):
        (tmp_path / name).mkdir()
    for name in ("secret_key", "darkroom.sqlite3", "photos/photo.jpg", "models/some.onnx"):
        (tmp_path / name).write_text(f"this is {name}")
    return tmp_path


@pytest.fixture
def child(folder: Path) -> Iterator[Sandbox]:
    reach = FolderAccess(read=(folder / "photos", folder / "models"), write=(folder / "work",))
    box = Sandbox(TRIAL, lambda: reach)
    yield box
    box.close()


def refused(
    child: Sandbox, job: Callable[..., Any], caplog: pytest.LogCaptureFixture, **arguments: Any
) -> bool:
    """Return whether the job failed with a PermissionError, and check that the child process crashed."""
    caplog.clear()
    with pytest.raises(SandboxError) as raised:
        child.call(job, **arguments)
    assert raised.value.kind == "crashed"
    return "PermissionError" in caplog.text


def test_a_child_can_read_photos_and_write_in_its_work_folder(child: Sandbox, folder: Path) -> None:
    assert child.call(jobs.reads, path=str(folder / "photos/photo.jpg")) == "this is p"
    assert child.call(jobs.reads, path=str(folder / "models/some.onnx")) == "this is m"
    assert child.call(jobs.writes, path=str(folder / "work/result.png")) == "written"
    assert (folder / "work/result.png").read_text() == "mine"


@needs_landlock
@pytest.mark.parametrize(
    "path", ["secret_key", "darkroom.sqlite3", "work/../secret_key", "/etc/passwd", "/proc/self/environ"]
)
def test_a_child_cannot_read_secrets_or_the_database(
    child: Sandbox, folder: Path, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    assert refused(child, jobs.reads, caplog, path=str(folder / path))


@needs_landlock
def test_a_thread_of_a_child_cannot_read_secrets_either(
    child: Sandbox, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert refused(child, jobs.starts_a_thread_that_reads, caplog, path=str(folder / "secret_key"))


@needs_landlock
def test_a_child_cannot_list_the_data_folder(
    child: Sandbox, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert refused(child, jobs.lists, caplog, path=str(folder))


@needs_landlock
def test_a_child_cannot_change_photos_or_create_links(
    child: Sandbox, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert refused(child, jobs.writes, caplog, path=str(folder / "photos/photo.jpg"))
    assert refused(child, jobs.writes, caplog, path=str(folder / "photos/another.jpg"))
    assert refused(child, jobs.links, caplog, path=str(folder / "work/a"), target=str(folder / "secret_key"))
    assert (folder / "photos/photo.jpg").read_text() == "this is photos/photo.jpg"


@needs_landlock
def test_a_child_cannot_read_the_environment_of_its_parent(
    child: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    assert refused(child, jobs.reads, caplog, path=f"/proc/{os.getpid()}/environ")


@needs_seccomp
@pytest.mark.parametrize(
    ("family", "kind"),
    [
        (socket.AF_INET, socket.SOCK_STREAM),
        (socket.AF_INET, socket.SOCK_DGRAM),
        (socket.AF_INET6, socket.SOCK_STREAM),
        (socket.AF_UNIX, socket.SOCK_STREAM),
    ],
)
def test_a_child_cannot_open_a_socket(
    child: Sandbox, caplog: pytest.LogCaptureFixture, family: int, kind: int
) -> None:
    assert refused(child, jobs.opens_socket, caplog, family=int(family), kind=int(kind))


@needs_seccomp
def test_a_child_without_file_confinement_cannot_connect_either(caplog: pytest.LogCaptureFixture) -> None:
    box = Sandbox(TRIAL)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert refused(box, jobs.connects, caplog, address="127.0.0.1", port=listener.getsockname()[1])
    box.close()


@needs_seccomp
def test_a_child_cannot_run_programs_or_inspect_processes(
    child: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    assert refused(child, jobs.runs_a_program, caplog)
    assert refused(child, jobs.looks_into, caplog, pid=os.getpid())


@needs_landlock
def test_a_child_cannot_send_a_signal_to_its_parent(child: Sandbox, caplog: pytest.LogCaptureFixture) -> None:
    if confinement._landlock() < confinement._WITH_SCOPES:
        pytest.skip("This kernel's Landlock does not restrict signals.")
    assert refused(child, jobs.ends, caplog, pid=os.getpid())


@needs_landlock
def test_the_child_processes_of_the_site_cannot_read_secrets(caplog: pytest.LogCaptureFixture) -> None:
    """This child process has the same file access as the ones for uploads, results, and edits."""
    secret = settings.DATA_DIR / "secret_key"
    secret.write_text("secret")
    box = Sandbox(TRIAL, photos.reach)
    assert refused(box, jobs.reads, caplog, path=str(secret))
    assert refused(box, jobs.lists, caplog, path=str(settings.DATA_DIR))
    box.close()
    for pool in (photos.upload_pool, photos.worker_pool):
        assert pool._free.queue[0]._reach is photos.reach


def test_a_recreated_work_folder_can_be_written_to(child: Sandbox, folder: Path) -> None:
    first = child.call(jobs.process)
    (folder / "work").rename(folder / "old")
    (folder / "work").mkdir()
    assert child.call(jobs.writes, path=str(folder / "work/result.png")) == "written"
    assert child.call(jobs.process) != first


def test_a_system_without_landlock_and_seccomp_works_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert confinement.missing_protections() == [] or sys.platform != "linux"
    monkeypatch.setattr(confinement, "_landlock", lambda: 0)
    monkeypatch.setattr(confinement, "_has_seccomp", lambda: False)
    confinement.apply_seccomp()
    confinement.confine(FolderAccess(), packages=())
    assert len(confinement.missing_protections()) == 2
    call_command("check", tags=["security"])
    output = capsys.readouterr()
    assert "can use the network" in output.out + output.err


@needs_landlock
@pytest.mark.parametrize("version", range(1, 8))
def test_confinement_works_with_older_versions_of_landlock(version: int, tmp_path: Path) -> None:
    """The test runs in a separate process, because confinement cannot be undone."""
    if version > confinement._landlock():
        pytest.skip("This test needs a newer kernel.")
    (tmp_path / "secret").write_text("secret")
    script = (
        "from pathlib import Path; from editor.imaging import confinement as c;"
        f"c._landlock = lambda: {version}; c.confine(c.FolderAccess(), packages=());"
        f"open({str(tmp_path / 'secret')!r})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "PermissionError" in done.stderr
