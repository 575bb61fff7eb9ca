"""Create a team and print its slug: manage.py create_team NAME --owner EMAIL [--credits N] [--plan pro]."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from editor.forms import clean_line
from editor.management.command_support import find_user, reports_database_errors
from editor.models import Workspace
from editor.services.billing.caps import MAX_CREDITS
from editor.services.people import members


class Command(BaseCommand):
    help = "Creates a team that a person owns, and prints its slug, which is part of its URL."
    requires_system_checks: tuple[str, ...] = ()  # System checks query the database, which may not exist yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--owner", metavar="EMAIL", required=True)
        parser.add_argument(
            "--credits", metavar="N", type=int, default=0, help="credits to start with (default: 0)"
        )
        parser.add_argument("--plan", choices=Workspace.Plan.values, default=Workspace.Plan.FREE.value)

    @reports_database_errors
    def handle(self, *, name: str, owner: str, credits: int, plan: str, **_: Any) -> None:
        shown = clean_line(name)
        if not 0 < len(shown) <= members.MAX_NAME_LENGTH:
            raise CommandError(f"Enter a team name of 1 to {members.MAX_NAME_LENGTH} characters.")
        if not 0 <= credits <= MAX_CREDITS:
            raise CommandError(f"The opening grant must be between 0 and {MAX_CREDITS:,} credits.")
        team = members.create_team(find_user(owner), name=shown, plan=plan, credits=credits, by_command=True)
        self.stdout.write(team.slug)
