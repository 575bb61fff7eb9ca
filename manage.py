#!/usr/bin/env python
"""Darkroom's commands: `manage.py start` runs the site, and `manage.py help` lists all commands."""

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
    except BrokenPipeError:  # The reader of the output, such as `head`, has closed the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except PermissionError as error:
        if not error.filename:
            raise
        sys.exit(f"{error.filename}: permission denied. Run this command as the user that runs the site.")


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
    """Run `manage.py edit` without importing Django.

    Importing Django would take up half the time of a short edit. The child process imports OpenCV while this
    process loads the prompt parser, which is faster.
    """
    from editor.imaging.sandbox import EDIT, Sandbox

    sandbox = Sandbox(EDIT)
    sandbox.warm()

    from django.core.exceptions import ImproperlyConfigured

    from editor.management import editing

    asked = editing.parse_arguments(sys.argv[2:])
    # Some arguments, such as --settings, are Django's own options. Django's command handles all of them, and
    # it uses the site's other engines.
    if asked is None or asked.engine:
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
