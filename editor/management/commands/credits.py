"""Print a workspace's credits as JSON, or grant credits.

Usage: manage.py credits SLUG|EMAIL [--grant N --reason TEXT [--reference R]] [--allowance N]
"""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from editor.management.command_support import find_workspace, reports_database_errors
from editor.models import Workspace
from editor.services.billing import credits
from editor.services.billing.caps import MAX_CREDITS


class Command(BaseCommand):
    help = (
        "Prints the plan, balance, and held credits of a workspace as JSON. With --grant, adds credits first."
    )
    requires_system_checks: tuple[str, ...] = ()  # System checks query the database, which may not exist yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "workspace",
            metavar="SLUG|EMAIL",
            help="the slug of a workspace, or the email address of a person for their personal workspace",
        )
        parser.add_argument("--grant", metavar="N", type=int, help="number of credits to add")
        parser.add_argument(
            "--reason", metavar="TEXT", default="", help="the reason, which appears in the statement"
        )
        parser.add_argument(
            "--reference",
            metavar="R",
            default="",
            help="a reference that is unique to this grant; repeating the command adds nothing",
        )
        parser.add_argument(
            "--allowance", metavar="N", type=int, help="the balance to which a team is topped up each month"
        )

    @reports_database_errors
    def handle(self, *, workspace: str, grant: int | None, allowance: int | None, **given: Any) -> None:
        found = find_workspace(workspace)
        reason, reference = given["reason"], given["reference"]
        if allowance is not None:
            _check_allowance(found, allowance)
        if grant is not None:
            _check_grant(found, grant, reason, reference)
        elif reason or reference:
            raise CommandError("Use --reason and --reference only with --grant N.")
        if allowance is not None:
            credits.set_allowance("command", found, amount=allowance)
        if grant is not None and not credits.grant(
            "command", found, amount=grant, reason=reason, reference=reference
        ):
            self.stderr.write(
                f"The reference {reference} was already used for this workspace. No credits were added."
            )
        state = {"plan": found.plan, "balance": found.balance, "held": found.held}
        self.stdout.write(json.dumps(state))


def _check_grant(workspace: Workspace, amount: int, reason: str, reference: str) -> None:
    _check_open(workspace)
    if not 1 <= amount <= MAX_CREDITS:
        raise CommandError(f"--grant must be between 1 and {MAX_CREDITS:,} credits.")
    if not reason or len(reason) > 300:
        raise CommandError("Add a reason of at most 300 characters: --reason TEXT.")
    if len(reference) > 100:
        raise CommandError("Use a reference of at most 100 characters.")


def _check_allowance(workspace: Workspace, amount: int) -> None:
    _check_open(workspace)
    if not workspace.is_team:
        raise CommandError("Only teams have an allowance. For personal workspaces, set MONTHLY_CREDITS.")
    if not 0 <= amount <= MAX_CREDITS:
        raise CommandError(f"--allowance must be between 0 and {MAX_CREDITS:,} credits.")


def _check_open(workspace: Workspace) -> None:
    if workspace.closed is not None:
        raise CommandError(f"The workspace {workspace.slug} is closed. Its credits cannot be changed.")
