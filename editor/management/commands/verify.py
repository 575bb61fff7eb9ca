"""Check all invariants on live data: manage.py verify.

The command lists any violations and then exits with code 1.
"""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from editor.management.command_support import reports_database_errors
from editor.services.maintenance import invariants


class Command(BaseCommand):
    help = "Checks every balance, edit, and file. Lists the problems and exits with code 1 if there are any."
    requires_system_checks: tuple[str, ...] = ()  # System checks query the database, which may not exist yet.

    @reports_database_errors
    def handle(self, **_: Any) -> None:
        sentences = invariants.find_violations()
        if sentences:
            for sentence in sentences:
                self.stdout.write(sentence)
            self.stderr.write(f"{len(sentences)} problems found.")
            sys.exit(1)
        self.stdout.write("All checks passed.")
