"""`manage.py` for the kills: a site whose processes die, or stand still, where a note asks for it.

A note is a file in DATA_DIR/notes: its name is a crash point, its text the number of a signal. Of the
processes that pass the point one takes the note, by adding its own number to the name, and gets the signal.
Here the dead start at once, what they left is taken up within seconds, and nobody waits long for a lock.
"""

import os
import sys
from datetime import timedelta
from pathlib import Path

from editor import crash_points
from photoeditor_site.server import supervisor

SWEEP_SECONDS = 1
CLAIM_SECONDS = 3  # of an idempotency key
LOCKED_SECONDS = 2  # that SQLite waits for a lock


def notes_of(data_dir: str | Path) -> Path:
    return Path(data_dir) / "notes"


def passing(name: str) -> None:
    note = notes_of(os.environ["DATA_DIR"]) / name
    try:
        number = int(note.read_text())
        note.rename(f"{note}.{os.getpid()}")
    except OSError:  # there is none, or another has taken it
        return
    os.kill(os.getpid(), number)


def main() -> None:
    """Before anything imports what passes the points."""
    crash_points.crash_point = passing
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
    idempotency.CLAIM = timedelta(seconds=CLAIM_SECONDS)
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
