"""Helpers for commands that report an unusable database and look up people and workspaces by name."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, DataError, IntegrityError, connection

from editor.models import User, Workspace


def reports_database_errors[**P](handle: Callable[P, None]) -> Callable[P, None]:
    """Decorate a command's `handle` method so that it reports database problems.

    The method raises CommandError if the database is unusable or cannot store a text.
    """

    @wraps(handle)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            handle(*args, **kwargs)
        # Do not convert these errors, because invalid data causes them, not the database.
        except (IntegrityError, DataError):
            raise
        except DatabaseError as error:
            raise CommandError(database_error_message(error)) from error
        except UnicodeEncodeError as error:  # The command line contains bytes that are not UTF-8.
            raise CommandError("An argument is not valid UTF-8. Enter it as UTF-8.") from error

    return guarded


def database_error_message(error: DatabaseError) -> str:
    """Return a message that says why the database cannot be used, and what to do."""
    words = str(error).strip()
    file = Path(str(connection.settings_dict["NAME"]))
    if "malformed" in words or "not a database" in words:
        return f"The database {file} is damaged ({words}). Stop the site and restore the last backup."
    if "readonly database" in words or ("unable to open" in words and file.exists()):
        return (
            f"The database {file} cannot be written. Check that the file and its folder are not read-only, "
            "and run this command as the user that runs the site."
        )
    if _says_no_table(words):
        return "The database has no tables yet. Run manage.py migrate or start first."
    return f"The database is not responding: {words}"


def find_workspace(name: str) -> Workspace:
    """Return the workspace with this slug, or the personal workspace of the person with this email address.

    Raises CommandError if no workspace matches.
    """
    if "@" in name:
        return find_user(name).personal_workspace
    workspace = Workspace.objects.filter(slug=name).first()
    if workspace is None:
        raise CommandError(f"There is no workspace with the slug {name}.")
    return workspace


def find_user(email: str) -> User:
    """Return the account with this email address. Raises CommandError if none exists."""
    user = User.objects.with_email(email).select_related("personal_workspace").first()
    if user is None:
        raise CommandError(
            f"There is no account with the email address {email}. Create one with manage.py create_user."
        )
    return user


def find_team(slug: str) -> Workspace:
    """Return the team with this slug. Raises CommandError if none exists or if the team is closed."""
    team = Workspace.objects.filter(slug=slug, personal_user=None, closed=None).first()
    if team is None:
        raise CommandError(
            f"There is no team at /w/{slug}/. Create one with manage.py create_team, which prints its slug."
        )
    return team


def site_url() -> str:
    """Return the base URL for printed links.

    This is PUBLIC_URL or, if that is not set, the address at which `start` listens by default.
    """
    return settings.PUBLIC_URL or "http://127.0.0.1:8000"


def _says_no_table(words: str) -> bool:
    is_missing = "relation" in words and "does not exist" in words
    return is_missing or "no such table" in words or "unable to open database file" in words
