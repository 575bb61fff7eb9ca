"""Restore a site from a backup: manage.py restore PATH [--replace]."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from editor.management.ground import needs_tables
from editor.services.maintenance import backup


class Command(BaseCommand):
    help = (
        "Brings a stopped or empty site back from a backup, and checks every purse, edit and file. "
        "Restore only backups that you trust as much as the site itself: the digests in a backup detect "
        "damage, not forgery."
    )
    requires_system_checks: tuple[str, ...] = ()  # There may be no database yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="what manage.py backup has written")
        parser.add_argument("--replace", action="store_true", help="put the site that is there aside")

    @needs_tables
    def handle(self, *, path: Path, replace: bool, **_: Any) -> None:
        try:
            restored = backup.restore(path, replace=replace)
        except backup.BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"The site of {restored.made:%Y-%m-%d %H:%M} UTC, with {restored.photos:,} photos.")
        for note in restored.notes:
            self.stdout.write(note)
        if restored.broken:
            self.stdout.write("\n".join(restored.broken))
            self.stderr.write(f"It is back, but {len(restored.broken)} invariants are broken.")
            sys.exit(1)
        self.stdout.write("All invariants hold.")
