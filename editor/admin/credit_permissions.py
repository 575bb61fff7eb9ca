"""The permission to move credits on the admin site, and the recent sign-in that this requires."""

from collections.abc import Callable
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.http import HttpRequest

MOVE_CREDITS = "editor.add_creditentry"


def may_move_credits(request: HttpRequest) -> bool:
    return request.user.has_perm(MOVE_CREDITS)


def with_recent_sign_in(view: Callable[..., Any], request: HttpRequest, *rest: Any, **named: Any) -> Any:
    """Call `view`, but require a recent sign-in for a POST.

    Someone who finds an unattended session must not be able to create credits or grant rights.
    """
    return (reauthentication_required(view) if request.method == "POST" else view)(request, *rest, **named)
