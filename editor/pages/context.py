"""What the frame of every page shows. Nothing is asked of the database before a template uses it."""

import re
from functools import cached_property
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

from editor.models import User, Workspace
from editor.services import space
from editor.services.identities import issuer_name

THEMES = ("light", "dark")
_AN_IP = re.compile(r"[\d.]+|.*:.*")


class Page:
    """The person's initials, the purse of their workspace, their theme, and whether sign-up is open."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @cached_property
    def theme(self) -> str:
        chosen = self._request.COOKIES.get("theme", "")
        return chosen if chosen in THEMES else ""

    @property
    def signup_is_open(self) -> bool:
        return settings.SIGNUP_IS_OPEN

    @property
    def issuer(self) -> str:
        """By whom one can sign in beside the password; empty where there is no such sign-in."""
        return issuer_name()

    @property
    def notice(self) -> str:
        """What everybody has to know now: that nothing new can be made, while the disk is full."""
        return space.FULL if space.is_short() else ""

    @property
    def passkeys_work(self) -> bool:
        """Browsers keep passkeys for names alone, and use them over https or on the machine itself."""
        name = urlsplit(f"//{self._request.get_host()}").hostname or ""
        is_local = name == "localhost" or name.endswith(".localhost")
        return is_local or (self._request.is_secure() and not _AN_IP.fullmatch(name))

    @cached_property
    def initials(self) -> str:
        user = self._user
        return user.initials if user else ""

    @cached_property
    def purse(self) -> Workspace | None:
        """The workspace with its `balance`, `held` and `free`."""
        user = self._user
        return user.personal_workspace if user else None

    @cached_property
    def _user(self) -> User | None:
        user = getattr(self._request, "user", None)
        return user if isinstance(user, User) else None


def page(request: HttpRequest) -> dict[str, Page]:
    return {"page": Page(request)}
