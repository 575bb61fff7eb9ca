"""Invite people to a team, and print only the link: manage.py invite SLUG --role ROLE [--uses N] [--days
N].
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from editor.management.command_support import find_team, reports_database_errors, site_url
from editor.models import Membership
from editor.services.people import invitations


class Command(BaseCommand):
    help = "Creates an invitation to a team and prints its link. Anyone with the link can join."
    requires_system_checks: tuple[str, ...] = ()  # System checks query the database, which may not exist yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--role", choices=[role.value for role in invitations.ROLES], required=True)
        parser.add_argument(
            "--uses",
            metavar="N",
            type=int,
            default=1,
            help="number of people who can use the link (default: 1)",
        )
        parser.add_argument(
            "--days", metavar="N", type=int, default=7, help="days until the link expires (default: 7)"
        )

    @reports_database_errors
    def handle(self, *, slug: str, role: str, uses: int, days: int, **_: Any) -> None:
        try:
            invitation = invitations.invite(
                None, find_team(slug), role=Membership.Role(role), uses=uses, days=days
            )
        except invitations.InvitationRefused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(invitations.link_of(invitation, site=site_url()))
