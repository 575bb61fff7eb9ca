"""The purse of a personal workspace as JSON.

manage.py credits EMAIL [--grant N --reason TEXT [--reference R]]
"""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from editor.management.ground import find_user, needs_tables
from editor.services import credits


class Command(BaseCommand):
    help = 'Prints {"plan", "balance", "held"}; with --grant adds credits first.'
    requires_system_checks: tuple[str, ...] = ()  # they ask a database that may not be there

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument("--grant", metavar="N", type=int, help="credits to add")
        parser.add_argument("--reason", metavar="TEXT", default="", help="why; stands in the statement")
        parser.add_argument(
            "--reference", metavar="R", default="", help="grants once, however often it is sent"
        )

    @needs_tables
    def handle(self, *, email: str, grant: int | None, reason: str, reference: str, **_: Any) -> None:
        workspace = find_user(email).personal_workspace
        if grant is not None:
            _check(grant, reason, reference)
            if not credits.grant(None, workspace, amount=grant, reason=reason, reference=reference):
                self.stderr.write(f"{reference} has moved this purse before: nothing was added.")
        elif reason or reference:
            raise CommandError("A reason and a reference belong to a grant: --grant N.")
        purse = {"plan": workspace.plan, "balance": workspace.balance, "held": workspace.held}
        self.stdout.write(json.dumps(purse))


def _check(amount: int, reason: str, reference: str) -> None:
    if not 1 <= amount <= 1_000_000_000:
        raise CommandError("A grant is between 1 and 1,000,000,000 credits.")
    if not reason or len(reason) > 300:
        raise CommandError("A grant needs a reason of at most 300 characters: --reason TEXT.")
    if len(reference) > 100:
        raise CommandError("A reference has at most 100 characters.")
