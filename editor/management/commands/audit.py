"""Print the audit log as JSON Lines or CSV: manage.py audit [--csv] [--first DAY] [--last DAY]."""

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand

from editor.management.command_support import reports_database_errors
from editor.services.core import audit


class Command(BaseCommand):
    help = (
        "Prints the audit log, oldest entry first. Keep a copy elsewhere, so that you can compare the log "
        "with it later."
    )
    requires_system_checks: tuple[str, ...] = ()  # System checks query the database, which may not exist yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--csv", action="store_true", help="print CSV instead of JSON Lines")
        parser.add_argument(
            "--first",
            metavar="DAY",
            type=date.fromisoformat,
            help="the first day to print, such as 2026-12-01 (UTC)",
        )
        parser.add_argument(
            "--last", metavar="DAY", type=date.fromisoformat, help="the last day to print (UTC)"
        )

    @reports_database_errors
    def handle(self, *, csv: bool, first: date | None, last: date | None, **_: Any) -> None:
        for text in audit.export(audit.Search(first=first, last=last), "csv" if csv else "jsonl"):
            self.stdout.write(text, ending="")
