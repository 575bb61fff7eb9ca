"""Create an account: manage.py create_user EMAIL [--password P] [--plan pro] [--credits N] [--staff]."""

import getpass
import secrets
import sys
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from editor.management.command_support import reports_database_errors
from editor.models import User, Workspace
from editor.services.billing.caps import MAX_CREDITS
from editor.services.people import accounts


class Command(BaseCommand):
    help = "Creates an account with a personal workspace and an opening grant of credits."
    requires_system_checks: tuple[str, ...] = ()  # System checks query the database, which may not exist yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument(
            "--password",
            metavar="P",
            help="the password; without it, the command asks for one or generates one and prints it",
        )
        parser.add_argument("--plan", choices=Workspace.Plan.values, default=Workspace.Plan.FREE.value)
        parser.add_argument(
            "--credits", metavar="N", type=int, help="the opening grant (default: SIGNUP_CREDITS)"
        )
        parser.add_argument(
            "--staff",
            action="store_true",
            help="make the person a superuser, with all rights in the administration",
        )

    @reports_database_errors
    def handle(
        self, *, email: str, password: str | None, plan: str, credits: int | None, staff: bool, **_: Any
    ) -> None:
        _check_email(email)
        if credits is not None and not 0 <= credits <= MAX_CREDITS:
            raise CommandError(f"The opening grant must be between 0 and {MAX_CREDITS:,} credits.")
        made_up = "" if password is not None or sys.stdin.isatty() else secrets.token_urlsafe(12)
        password = password if password is not None else made_up or _ask()
        _check_password(password, email)
        try:
            user = accounts.open_account(
                email=email,
                password=password,
                plan=plan,
                credits=credits,
                is_staff=staff,
                is_superuser=staff,
                by="command",
            )
        except accounts.AccountExists as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Created an account for {user.email}.")
        if made_up:
            self.stdout.write(f"Password: {made_up}")


def _check_email(email: str) -> None:
    try:
        # The field's validators also check the length of the address.
        User._meta.get_field("email").run_validators(email)
    except ValidationError as error:
        raise CommandError(f"{email} is not a valid email address.") from error


def _check_password(password: str, email: str) -> None:
    try:
        validate_password(password, User(email=email))
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from error


def _ask() -> str:
    password = getpass.getpass("Password: ")
    if getpass.getpass("Password (again): ") != password:
        raise CommandError("The passwords do not match. Run the command again.")
    return password
