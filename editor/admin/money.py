"""Who may move credits in the administration, and how lately they must have signed in for it."""

from collections.abc import Callable
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.http import HttpRequest

MOVE_CREDITS = "editor.add_creditentry"


def may_move_credits(request: HttpRequest) -> bool:
    return request.user.has_perm(MOVE_CREDITS)


def lately_signed_in(view: Callable[..., Any], request: HttpRequest, *rest: Any, **named: Any) -> Any:
    """Shows what `view` shows, and does what it does only after a sign-in of late: whoever finds an open
    session must not make money or give rights with it."""
    return (reauthentication_required(view) if request.method == "POST" else view)(request, *rest, **named)
