"""Back up the whole site while it is running: manage.py backup PATH."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from editor.management.command_support import reports_database_errors
from editor.services.maintenance import backup


class Command(BaseCommand):
    help = "Writes the database, photos, and secrets to one file while the site runs. Keep the file private."
    requires_system_checks: tuple[str, ...] = ()  # System checks query the database, which may not exist yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="a new file, or a folder in which to create one")

    @reports_database_errors
    def handle(self, *, path: Path, **_: Any) -> None:
        try:
            made = backup.create_backup(path)
        except backup.BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Wrote {made.path} with the database and {made.photos:,} photos ({made.size:,} bytes)."
        )
        if made.unreadable:
            self.stderr.write(
                f"{len(made.unreadable)} photos could not be read. Run manage.py verify to list them."
            )
            sys.exit(1)
