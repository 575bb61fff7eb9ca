"""A `manage.py` for tests that kill processes.

Tests write request files to kill or stop processes of the site. A request is a file in DATA_DIR/notes. The
file's name is a crash point, and its content is the number of a signal. The first process that passes the
crash point accepts the request by appending its process ID to the file's name. Then the process sends itself
the signal. On this site, dead processes restart immediately, their work is taken over within seconds, and no
process waits long for a lock.
"""

import os
import sys
from datetime import timedelta
from pathlib import Path

from editor import crash_points
from photoeditor_site.server import supervisor

SWEEP_SECONDS = 1
CLAIM_SECONDS = 3  # lifetime of an idempotency claim, in seconds
LOCKED_SECONDS = 2  # maximum seconds that SQLite waits for a lock


def notes_folder(data_dir: str | Path) -> Path:
    return Path(data_dir) / "notes"


def at_crash_point(name: str) -> None:
    note = notes_folder(os.environ["DATA_DIR"]) / name
    try:
        number = int(note.read_text())
        note.rename(f"{note}.{os.getpid()}")
    except OSError:  # There is no request, or another process has already accepted it.
        return
    os.kill(os.getpid(), number)


def main() -> None:
    """Run a manage.py command with crash points that check for requests, and with short delays.

    The crash points must be replaced before any code that passes them is imported.
    """
    crash_points.crash_point = at_crash_point
    supervisor.MAX_RESTART_DELAY_SECONDS = supervisor.MIN_RESTART_DELAY_SECONDS
    import django
    from django.conf import settings
    from django.core.management import execute_from_command_line

    django.setup()
    from django.db import connection

    from editor.services.editing import idempotency

    if connection.vendor == "sqlite":
        connection.settings_dict["OPTIONS"]["timeout"] = LOCKED_SECONDS
    settings.SWEEP_SECONDS = SWEEP_SECONDS
    idempotency.CLAIM_LIFETIME = timedelta(seconds=CLAIM_SECONDS)
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
