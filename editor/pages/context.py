"""The data for the frame of every page.

A value is computed only when a template uses it, so unused values cost no queries.
"""

import re
from functools import cached_property
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext

from editor.actors import LAST_WORKSPACE_COOKIE
from editor.models import User, Workspace
from editor.services.core import disk_space
from editor.services.core.access import (
    Actor,
    Right,
    actor_in,
    last_used_workspace,
    team_with_most_credits,
    workspaces_of,
)
from editor.services.people import members, openings
from editor.services.people.identities import issuer_name

THEMES = ("light", "dark")
_AN_IP = re.compile(r"[\d.]+|.*:.*")


def last_used(request: HttpRequest, user: User) -> Workspace:
    """Return the workspace last used in this browser.

    If there is none, return the workspace in which the user should start.
    """
    return last_used_workspace(user, request.COOKIES.get(LAST_WORKSPACE_COOKIE, ""))


class Page:
    """The context variable `page`: the person, their workspaces, their theme, and settings of the site."""

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
    def review_is_open(self) -> bool:
        """Whether staff may see all photos without giving a reason."""
        return openings.is_open_to_all()

    @property
    def issuer(self) -> str:
        """The name of the OpenID Connect issuer for single sign-on, or "" if there is none."""
        return issuer_name()

    @property
    def notice(self) -> str:
        """A warning for everyone that the disk is full, so no new edits can be made, or "" otherwise."""
        return gettext(disk_space.FULL_MESSAGE) if disk_space.is_low() else ""

    @property
    def passkeys_work(self) -> bool:
        """Whether a browser can use passkeys on this site.

        Passkeys require a host name instead of an IP address. They also require HTTPS unless the host is the
        local machine.
        """
        name = urlsplit(f"//{self._request.get_host()}").hostname or ""
        is_local = name == "localhost" or name.endswith(".localhost")
        return is_local or (self._request.is_secure() and not _AN_IP.fullmatch(name))

    @cached_property
    def initials(self) -> str:
        user = self._user
        return user.initials if user else ""

    @cached_property
    def workspace(self) -> Workspace | None:
        """The workspace that the URL names, directly or through an edit.

        On other pages, this is the workspace that was used last.
        """
        actor: Actor | None = getattr(self._request, "actor", None)
        if actor is not None:
            return actor.workspace
        return last_used(self._request, self._user) if self._user else None

    @cached_property
    def actor(self) -> Actor | None:
        """The user as an actor in the page's workspace."""
        actor: Actor | None = getattr(self._request, "actor", None)
        if actor is None and self._user and self.workspace:
            actor = actor_in(self._user, self.workspace)
        return actor

    @cached_property
    def is_low(self) -> bool:
        """Whether to warn the user that the team's credits are running out.

        Only people who manage the team are warned.
        """
        actor: Actor | None = getattr(self._request, "actor", None)
        return actor is not None and actor.has(Right.SEE_USAGE) and actor.workspace.is_low

    @cached_property
    def team_with_credits(self) -> Workspace | None:
        """A team with enough credits for an edit, if the current workspace is personal.

        Templates suggest this team if the personal workspace has too few credits.
        """
        if self._user is None or self.workspace is None or self.workspace.is_team:
            return None
        team = team_with_most_credits(self._user, Right.EDIT)
        return team if team and team.can_afford_edit else None

    @cached_property
    def workspaces(self) -> list[Workspace]:
        """All workspaces that the person can see, their personal one first."""
        return list(workspaces_of(self._user)) if self._user else []

    @property
    def may_create_teams(self) -> bool:
        return self._user is not None and members.may_create_teams(self._user)

    @cached_property
    def _user(self) -> User | None:
        user = getattr(self._request, "user", None)
        return user if isinstance(user, User) else None


def page(request: HttpRequest) -> dict[str, Page]:
    return {"page": Page(request)}
