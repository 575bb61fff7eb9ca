"""Add a person to a team, or change a member's role: manage.py add_member SLUG EMAIL --role ROLE."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from editor.management.command_support import find_team, find_user, reports_database_errors
from editor.models import Membership
from editor.services.people import members


class Command(BaseCommand):
    help = "Adds a person with an account to a team, or changes a member's role."
    requires_system_checks: tuple[str, ...] = ()  # System checks query the database, which may not exist yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument("--role", choices=Membership.Role.values, required=True)

    @reports_database_errors
    def handle(self, *, slug: str, email: str, role: str, **_: Any) -> None:
        try:
            members.set_role(find_team(slug), find_user(email), Membership.Role(role))
        except members.LastOwner as error:
            raise CommandError(str(error)) from error
