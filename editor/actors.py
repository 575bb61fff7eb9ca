"""Determine the actor of a request: the user, the workspace, and the right that the view requires."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from editor.models import User
from editor.services.core.access import Actor, Right, actor_at, find_edit

# The cookie that stores the slug of the workspace last used in this browser.
LAST_WORKSPACE_COOKIE = "workspace"

type FindActor = Callable[[HttpRequest, dict[str, Any]], Actor]
type View = Callable[..., HttpResponseBase]


def actor_by_url(request: HttpRequest, arguments: dict[str, Any]) -> Actor:
    """Return the signed-in user as an actor in the workspace that `slug` or `edit_id` in the URL identifies.

    If the URL contains `edit_id`, the view receives the edit in place of the ID. Raises NotFound if the user
    is not a member of the workspace.
    """
    user = cast(User, request.user)
    if "slug" in arguments:
        return actor_at(user, arguments.pop("slug"))
    actor, arguments["edit"] = find_edit(user, arguments.pop("edit_id"))
    return actor


def actor_by_trashed_edit(request: HttpRequest, arguments: dict[str, Any]) -> Actor:
    """Return the signed-in user as an actor in the workspace of an edit that is in the trash.

    The URL contains `edit_id`, and the view receives the edit in place of the ID. Raises NotFound if the user
    is not a member of the workspace.
    """
    edit_id = arguments.pop("edit_id")
    actor, arguments["edit"] = find_edit(cast(User, request.user), edit_id, is_in_trash=True)
    return actor


def with_actor(right: Right, *, find: FindActor = actor_by_url) -> Callable[[View], View]:
    """Return a decorator that calls `view(request, actor, ...)` with an actor who has this right.

    `find` determines the actor from the request; by default, it uses the workspace in the URL. Visitors who
    are not signed in are redirected to the sign-in page. The actor is also stored as `request.actor`, for
    templates and middleware, also those of the page that refuses. Raises Forbidden if the actor lacks the
    right.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        @login_required
        def wrapper(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
            actor = find(request, arguments)
            request.actor = actor  # type: ignore[attr-defined]
            actor.require(right)
            return view(request, actor, **arguments)

        return cast(View, wrapper)

    return decorate
