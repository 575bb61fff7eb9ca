"""Create an API key for a program, and print only the key.

Usage: manage.py create_api_key EMAIL [--name N] [--team SLUG] [--cap N]
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from editor.management.command_support import find_user, find_workspace, reports_database_errors
from editor.services.billing import caps
from editor.services.core.access import Actor, actor_in, personal_actor
from editor.services.core.errors import Forbidden, NotFound
from editor.services.people import accounts


class Command(BaseCommand):
    help = (
        "Creates an API key that acts for a person in their personal workspace or a team, and prints it once."
    )
    requires_system_checks: tuple[str, ...] = ()  # System checks query the database, which may not exist yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument("--name", metavar="N", default="command line", help="what the key is for")
        parser.add_argument(
            "--team",
            metavar="SLUG",
            default="",
            help="the team in which the key works (default: the personal workspace)",
        )
        parser.add_argument("--cap", metavar="N", type=int, help="the monthly cap of the key in credits")

    @reports_database_errors
    def handle(self, *, email: str, name: str, team: str, cap: int | None, **_: Any) -> None:
        if not 0 < len(name.strip()) <= 100:
            raise CommandError("Enter a name of 1 to 100 characters: --name N.")
        try:
            _row, key = accounts.create_api_key(_actor(email, team), name=name.strip(), cap=cap)
        except (Forbidden, caps.InvalidCap, accounts.TooManyKeys) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(key)


def _actor(email: str, team: str) -> Actor:
    user = find_user(email)
    if not team:
        return personal_actor(user, entry_point="command")
    try:
        return actor_in(user, find_workspace(team), entry_point="command")
    except NotFound as error:
        raise CommandError(
            f"{user} is not a member of {team}. Add them with manage.py add_member."
        ) from error
