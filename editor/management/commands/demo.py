"""Create a team with sample data: manage.py demo [--edits N]."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from editor.management import demo
from editor.management.command_support import reports_database_errors

MAX_EDITS = 10_000_000


class Command(BaseCommand):
    help = "Creates a team with people, edits, and a history, to try out or measure the site."
    requires_system_checks: tuple[str, ...] = ()  # System checks query the database, which may not exist yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--edits", metavar="N", type=int, default=300, help="number of edits (default: 300)"
        )

    @reports_database_errors
    def handle(self, *, edits: int, **_: Any) -> None:
        if not 0 <= edits <= MAX_EDITS:
            raise CommandError(f"--edits must be between 0 and {MAX_EDITS:,}.")
        try:
            made = demo.make_demo(edits=edits, on_progress=self._progress)
        except demo.DemoExists as error:
            raise CommandError(str(error)) from error
        people = ", ".join(user.email for user in made.people)
        self.stdout.write(
            f"The team {made.teams[0].name} is at /w/{made.teams[0].slug}/ with {edits:,} edits."
        )
        self.stdout.write(f"Sign in as {people}.")
        self.stdout.write(f"Their password: {made.password}")

    def _progress(self, done: int) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r{done:,} edits", ending="")
