"""The second factor that staff must present before they enter the admin site, and recent sign-ins.

A second factor has been presented in a session if the user signed in with a passkey or a code, or set up the
second factor in this session. This is also the case if the OpenID Connect issuer reports a second factor for
the sign-in (`amr`, RFC 8176).
"""

import time
from collections.abc import Callable, Iterable
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from editor.models import User

MFA_METHOD = "mfa"  # The key under which allauth records how a session was authenticated.
REQUESTED_PAGE_KEY = "administration_wanted"  # The session key that stores the page that staff requested.
OPEN_TO_ALL = ("login", "logout", "jsi18n")
KNOWLEDGE_METHODS = {"pwd", "pin", "kba"}
POSSESSION_OR_INHERENCE_METHODS = {
    "otp",
    "hwk",
    "swk",
    "sc",
    "sms",
    "tel",
    "fpt",
    "face",
    "iris",
    "retina",
    "vbm",
}


def has_verified_second_factor(request: HttpRequest) -> bool:
    """Check whether the user has presented a second factor in this session."""
    return any(record["method"] == MFA_METHOD for record in _records(request))


def has_recent_sign_in(request: HttpRequest) -> bool:
    """Check whether the user has signed in or reauthenticated recently."""
    latest = max((record["at"] for record in _records(request)), default=0.0)
    return time.time() - latest < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT


def reports_two_factors(amr: Iterable[str]) -> bool:
    """Check whether an issuer's `amr` claim reports two factors.

    This means that it contains the value "mfa" or methods of two different kinds.
    """
    methods = set(amr)
    return "mfa" in methods or bool(methods & KNOWLEDGE_METHODS and methods & POSSESSION_OR_INHERENCE_METHODS)


def record_second_factor(request: HttpRequest, user: User, kind: str) -> None:
    """Record that the user has just presented a second factor in this session."""
    record_authentication(request, user, MFA_METHOD, type=kind, reauthenticated=True)


class AdministrationMiddleware:
    """Middleware that requires a second factor before staff enter the admin site.

    Staff must present or set up a second factor, and are then sent back to the page that they requested.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        if not (settings.STAFF_TWO_FACTOR and _is_admin_page(request)):
            return None
        user = request.user
        if not isinstance(user, User) or not user.is_staff:
            return None  # The admin site itself refuses people who are not staff.
        if has_verified_second_factor(request):
            request.session.pop(REQUESTED_PAGE_KEY, None)
            return None
        return _redirect_to_second_factor(request, user)


def _records(request: HttpRequest) -> list[dict[str, Any]]:
    user = request.user
    records: list[dict[str, Any]] = get_authentication_records(request, user) if user.is_authenticated else []
    return records


def _is_admin_page(request: HttpRequest) -> bool:
    place = request.resolver_match
    return place is not None and "admin" in place.app_names and place.url_name not in OPEN_TO_ALL


def _redirect_to_second_factor(request: HttpRequest, user: User) -> HttpResponse:
    wanted = request.get_full_path() if request.method == "GET" else reverse("admin:index")
    for method in get_adapter().get_reauthentication_methods(user):
        if method["id"].startswith("mfa_"):
            return HttpResponseRedirect(f"{method['url']}?{urlencode({REDIRECT_FIELD_NAME: wanted})}")
    request.session[REQUESTED_PAGE_KEY] = wanted
    return redirect("mfa_index")
