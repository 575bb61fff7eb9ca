"""What the frame of every page shows. Nothing is asked of the database before a template uses it."""

import re
from functools import cached_property
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext

from editor.actors import LAST_USED
from editor.models import User, Workspace
from editor.services.core import disk_space
from editor.services.core.access import (
    Actor,
    Right,
    actor_in,
    last_used_workspace,
    richest_team,
    workspaces_of,
)
from editor.services.people import members, openings
from editor.services.people.identities import issuer_name

THEMES = ("light", "dark")
_AN_IP = re.compile(r"[\d.]+|.*:.*")


def last_used(request: HttpRequest, user: User) -> Workspace:
    """Return the workspace that this browser used last, or where the person can begin."""
    return last_used_workspace(user, request.COOKIES.get(LAST_USED, ""))


class Page:
    """The person's initials, the workspace they are in with its purse, the others they could be in, their
    theme, and whether sign-up is open."""

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
        """Whether the site's staff may look at everybody's photos without a reason."""
        return openings.is_open_to_all()

    @property
    def issuer(self) -> str:
        """By whom one can sign in beside the password; empty where there is no such sign-in."""
        return issuer_name()

    @property
    def notice(self) -> str:
        """What everybody has to know now: that nothing new can be made, while the disk is full."""
        return gettext(disk_space.FULL) if disk_space.is_short() else ""

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
    def workspace(self) -> Workspace | None:
        """That of the address, or of its edit; on a page of neither the one that was used last."""
        actor: Actor | None = getattr(self._request, "actor", None)
        if actor is not None:
            return actor.workspace
        return last_used(self._request, self._user) if self._user else None

    @cached_property
    def actor(self) -> Actor | None:
        """The person in that workspace, with `may`."""
        actor: Actor | None = getattr(self._request, "actor", None)
        if actor is None and self._user and self.workspace:
            actor = actor_in(self._user, self.workspace)
        return actor

    @cached_property
    def is_low(self) -> bool:
        """Whether this page should tell who runs its team that credits run out."""
        actor: Actor | None = getattr(self._request, "actor", None)
        return actor is not None and actor.has(Right.SEE_USAGE) and actor.workspace.is_low

    @cached_property
    def team_with_credits(self) -> Workspace | None:
        """The team in which a person can edit whose own workspace has too few credits."""
        if self._user is None or self.workspace is None or self.workspace.is_team:
            return None
        team = richest_team(self._user, Right.EDIT)
        return team if team and team.affords_edit else None

    @cached_property
    def workspaces(self) -> list[Workspace]:
        """All that the person may look into, their own first."""
        return list(workspaces_of(self._user)) if self._user else []

    @property
    def may_make_teams(self) -> bool:
        return self._user is not None and members.may_make_teams(self._user)

    @cached_property
    def _user(self) -> User | None:
        user = getattr(self._request, "user", None)
        return user if isinstance(user, User) else None


def page(request: HttpRequest) -> dict[str, Page]:
    return {"page": Page(request)}
