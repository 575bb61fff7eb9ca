"""Start real Darkroom processes that use the database and the data folder of the running test."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from django.conf import settings
from django.db import connection, connections

ROOT = Path(__file__).resolve().parents[1]


def environment(**extra: str) -> dict[str, str]:
    """Return environment variables that make a child process use this test's rows and files."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "photoeditor_site.settings",
        "DATABASE_URL": database_url(),
        "DATA_DIR": str(settings.DATA_DIR),
        "SECRET_KEY": str(settings.SECRET_KEY),
        "TESTING": "1",
        **extra,
    }


def database_url(alias: str = "default") -> str:
    values = connections[alias].settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{values['NAME']}"
    return f"postgres://{values['USER']}@{values['HOST']}:{values['PORT']}/{values['NAME']}"


def extra_database_name(name: str) -> str:
    """Return a name for an additional database that no other process of this test run uses."""
    return name + os.environ.get("PYTEST_XDIST_WORKER", "")


def start(*command: str, **extra: str) -> subprocess.Popen[str]:
    """Start `python COMMAND...` alongside this test. The test can read the command's output."""
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment(**extra),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def site_processes(data_dir: Path) -> dict[int, str]:
    """Return the process IDs and names of the running processes of the site that uses this data folder.

    Child processes that decode photos are not included, because their environments are empty.
    """
    ours, found = f"DATA_DIR={data_dir}\0".encode(), {}
    for process in Path("/proc").glob("[0-9]*"):
        # The process has ended in the meantime or belongs to another user.
        with contextlib.suppress(OSError):
            if ours in (process / "environ").read_bytes():
                found[int(process.name)] = (process / "comm").read_text().strip()
    return found


def memory_of(pid: int, name: str) -> float:
    """Return the value of a line in /proc/PID/status, in megabytes.

    "VmRSS" is the resident memory, and "VmHWM" is its peak.
    """
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / 1024


def start_worker(*arguments: str, **extra: str) -> subprocess.Popen[str]:
    return start("manage.py", "worker", *arguments, **extra)


def restore_hangup_handler() -> None:
    """Restore the default action of SIGHUP in a child process, because the tests may run under nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
