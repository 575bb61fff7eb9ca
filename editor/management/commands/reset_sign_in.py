"""Let a locked-out person sign in again: manage.py reset_sign_in EMAIL.

Only the link is printed to standard output.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from editor.management.command_support import find_user, reports_database_errors, site_url
from editor.services.people import accounts


class Command(BaseCommand):
    help = (
        "Removes a person's password and second factors, ends their sessions, revokes their API keys, and "
        "prints a one-time link to set a new password."
    )
    requires_system_checks: tuple[str, ...] = ()  # System checks query the database, which may not exist yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")

    @reports_database_errors
    def handle(self, *, email: str, **_: Any) -> None:
        user = find_user(email)
        if not user.is_active:
            raise CommandError(f"The account {email} is {'blocked' if user.blocked else 'closed'}.")
        reset = accounts.reset_sign_in("command", user)
        keys = "API key was" if reset.revoked_keys == 1 else "API keys were"
        self.stderr.write(f"{reset.revoked_keys} {keys} revoked.")
        self.stdout.write(site_url() + reset.path)
