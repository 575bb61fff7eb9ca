"""What the commands stand on: the tables, and finding a person by e-mail address."""

from collections.abc import Callable
from functools import wraps

from django.core.management.base import CommandError
from django.db.utils import OperationalError, ProgrammingError

from editor.models import User


def needs_tables[**P](handle: Callable[P, None]) -> Callable[P, None]:
    """Turns a database without tables into a sentence."""

    @wraps(handle)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            handle(*args, **kwargs)
        except (OperationalError, ProgrammingError) as error:
            if _says_no_table(error):
                raise CommandError(
                    "The database has no tables yet. Run manage.py migrate or start first."
                ) from error
            raise CommandError(f"The database does not answer: {error}".strip()) from error

    return guarded


def find_user(email: str) -> User:
    """The account with this address; CommandError when there is none."""
    user = User.objects.filter(email__iexact=email).select_related("personal_workspace").first()
    if user is None:
        raise CommandError(f"There is no account with the address {email}.")
    return user


def _says_no_table(error: Exception) -> bool:
    words = str(error)
    is_missing = "relation" in words and "does not exist" in words
    return is_missing or "no such table" in words or "unable to open database file" in words
