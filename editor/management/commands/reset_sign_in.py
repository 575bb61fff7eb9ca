"""For who has lost phone, codes or password: manage.py reset_sign_in EMAIL. Prints the link alone."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from editor.management.ground import find_user, needs_tables, site_address
from editor.services import accounts


class Command(BaseCommand):
    help = (
        "Takes second factors and the password away, ends sessions, prints a one-time link to a new password."
    )
    requires_system_checks: tuple[str, ...] = ()  # they ask a database that may not be there

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")

    @needs_tables
    def handle(self, *, email: str, **_: Any) -> None:
        user = find_user(email)
        if not user.is_active:
            raise CommandError(f"The account {email} is {'blocked' if user.blocked else 'closed'}.")
        self.stdout.write(site_address() + accounts.reset_sign_in("command", user))
