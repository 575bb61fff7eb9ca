"""Restore a site from a backup: manage.py restore PATH [--replace]."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from editor.management.command_support import reports_database_errors
from editor.services.maintenance import backup


class Command(BaseCommand):
    help = (
        "Restores a stopped or empty site from a backup, and checks every balance, edit, and file. "
        "Restore only backups that you trust as much as the site itself: the digests in a backup detect "
        "damage, not forgery."
    )
    requires_system_checks: tuple[str, ...] = ()  # The database may not exist yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="a file that manage.py backup has written")
        parser.add_argument("--replace", action="store_true", help="move the existing site aside first")

    @reports_database_errors
    def handle(self, *, path: Path, replace: bool, **_: Any) -> None:
        try:
            restored = backup.restore(path, replace=replace)
        except backup.BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Restored the site of {restored.created:%Y-%m-%d %H:%M} UTC with {restored.photos:,} photos."
        )
        for note in restored.notes:
            self.stdout.write(note)
        if restored.violations:
            self.stdout.write("\n".join(restored.violations))
            self.stderr.write(f"The site is restored, but {len(restored.violations)} problems were found.")
            sys.exit(1)
        self.stdout.write("All checks passed.")
