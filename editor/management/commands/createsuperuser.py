"""Replace Django's createsuperuser command, which would create a user without a workspace or credits."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Use create_user EMAIL --staff instead."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        raise CommandError(
            "Use manage.py create_user EMAIL --staff instead. It also creates a personal workspace."
        )
