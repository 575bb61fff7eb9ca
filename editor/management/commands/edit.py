"""Provide `manage.py edit` as a Django command.

If possible, manage.py runs the command itself, without loading Django.
"""

import argparse
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from editor.imaging.sandbox import EDIT, Sandbox
from editor.management import editing, other_engines


class Command(BaseCommand):
    help = editing.HELP
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        editing.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        arguments = argparse.Namespace(**options)
        try:
            engine = other_engines.engine_named(arguments.engine) if arguments.engine else None
            if engine is None:
                notices = editing.edit(arguments, sandbox=Sandbox(EDIT), data_dir=settings.DATA_DIR)
            else:
                notices = other_engines.edit(arguments, engine)
        except editing.NotEdited as error:
            raise CommandError(str(error)) from None
        for notice in notices:
            self.stderr.write(notice, self.style.NOTICE)
