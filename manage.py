#!/usr/bin/env python
"""Darkroom's commands: `manage.py start` runs the portal, `manage.py help` lists the rest."""

import importlib
import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "photoeditor_site.settings")
    try:
        if sys.argv[1:2] == ["edit"]:
            edit()
        else:
            run_command()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has what it wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def run_command() -> None:
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db.utils import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except OperationalError as error:
        sys.exit(
            f"The database cannot be used: {error}\nIf it is not there yet: manage.py start prepares it."
        )


def edit() -> None:
    """Half of a short edit is imports: its child reads OpenCV while this process reads the language, and
    Django, of which an edit needs nothing but a setting, not at all."""
    from editor.imaging.sandbox import EDIT, Sandbox

    sandbox = Sandbox(EDIT)
    sandbox.warm()

    from django.core.exceptions import ImproperlyConfigured

    from editor.management import editing

    asked = editing.parse_arguments(sys.argv[2:])
    if asked is None:  # there are options of Django's, such as --settings: its own command takes them all
        sandbox.close()
        run_command()
        return
    try:
        settings = importlib.import_module(os.environ["DJANGO_SETTINGS_MODULE"])
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    editing.run(asked, sandbox=sandbox, data_dir=settings.DATA_DIR)


if __name__ == "__main__":
    main()
