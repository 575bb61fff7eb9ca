"""Makes a key for a program: manage.py create_api_key EMAIL [--name N]. The key alone on standard output."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from editor.management.ground import find_user, needs_tables
from editor.services import accounts
from editor.services.access import personal_actor


class Command(BaseCommand):
    help = "Makes an API key that acts for this person in their own workspace, and prints it once."
    requires_system_checks: tuple[str, ...] = ()  # they ask a database that may not be there

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument("--name", metavar="N", default="command line", help="what the key is for")

    @needs_tables
    def handle(self, *, email: str, name: str, **_: Any) -> None:
        if not 0 < len(name.strip()) <= 100:
            raise CommandError("A key's name has 1 to 100 characters.")
        _row, key = accounts.create_api_key(
            personal_actor(find_user(email), door="command"), name=name.strip()
        )
        self.stdout.write(key)
