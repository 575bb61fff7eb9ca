"""Authenticate API clients by their keys and limit their request rates.

Browser sessions are ignored.
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, cast

from django.conf import settings
from django.core.exceptions import (
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from editor.actors import with_actor
from editor.api.envelope import ApiError, Envelope, error_response
from editor.services.core import rates
from editor.services.core.access import Actor, Right
from editor.services.core.errors import Forbidden
from editor.services.core.rates import WINDOW_SECONDS, Rate
from editor.services.people.accounts import KeyRefused, authenticate_key

type RateKind = Literal["creates", "reads"]
type ApiView = Callable[[HttpRequest, Actor], Envelope]
type View = Callable[[HttpRequest], HttpResponse]

FAILURES_PER_MINUTE = 30  # maximum number of requests per minute from one network address with invalid keys
NO_KEY = "Send your API key in the header: Authorization: Bearer <API_KEY>."
TOO_LARGE = "The upload is too large. Send fewer or smaller photos."
_TOO_LARGE = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)
_BEARER = re.compile(r"bearer +(\S+) *", re.IGNORECASE)


def api_view(*methods: str, rate_kind: RateKind, right: Right) -> Callable[[ApiView], View]:
    """Return a decorator for an API view.

    The view accepts only these methods and only a valid key whose user has this right in the key's workspace.
    The request counts against the rate limit for `rate_kind`. The exceptions ApiError and Forbidden, and
    oversized request data, are turned into error responses.
    """

    def decorate(view: ApiView) -> View:
        act = with_actor(right, find=_of_key)(view)

        @csrf_exempt
        @wraps(view)
        def called(request: HttpRequest) -> HttpResponse:
            try:
                _require_method(request, methods)
                _require_rate(request, _authenticated(request), rate_kind)
                return cast(Envelope, act(request))
            except ApiError as error:
                return error_response(request, error)
            except Forbidden as error:
                return error_response(request, ApiError(403, str(error)))
            except _TOO_LARGE:
                return error_response(request, ApiError(413, TOO_LARGE))

        return called

    return decorate


def _require_method(request: HttpRequest, methods: tuple[str, ...]) -> None:
    if request.method not in methods:
        allowed = ", ".join(methods)
        raise ApiError(405, f"This URL supports only {allowed}.", {"Allow": allowed})


def _authenticated(request: HttpRequest) -> Actor:
    """Return the actor of the request's API key, and set the request's user.

    The user is needed because uploads are accepted only from a signed-in user.
    """
    try:
        actor = authenticate_key(_key_of(request))
    except KeyRefused as error:
        raise _refused(request, str(error)) from None
    request.user = actor.user
    request.actor = actor  # type: ignore[attr-defined]
    return actor


def _of_key(request: HttpRequest, _: dict[str, Any]) -> Actor:
    return cast(Actor, request.actor)  # type: ignore[attr-defined]


def _key_of(request: HttpRequest) -> str:
    given = request.headers.get("Authorization", "")
    found = _BEARER.fullmatch(given)
    if found is None:
        raise ApiError(401, NO_KEY, {"WWW-Authenticate": 'Bearer realm="Darkroom"'})
    return found[1]


def _refused(request: HttpRequest, sentence: str) -> ApiError:
    """Count an invalid key against its network address, and return the error.

    Valid keys from the same address keep working.
    """
    forwarded = request.headers.get("X-Forwarded-For", "")
    address = rates.client_address(request.META.get("REMOTE_ADDR", ""), forwarded)
    rate = rates.count(f"wrong-key:{address}"[:100], limit=FAILURES_PER_MINUTE)
    if rate.is_over:
        return _too_many("Too many requests with invalid API keys came from your IP address.", rate)
    return ApiError(401, sentence, {"WWW-Authenticate": 'Bearer realm="Darkroom", error="invalid_token"'})


def _require_rate(request: HttpRequest, actor: Actor, kind: RateKind) -> None:
    limits = {"creates": settings.API_CREATES_PER_MINUTE, "reads": settings.API_READS_PER_MINUTE}
    assert actor.key is not None
    rate = rates.count(f"{kind}:drk_{actor.key.public_id}", limit=limits[kind])
    request.rate_headers = _rate_headers(kind, rate)  # type: ignore[attr-defined]
    if rate.is_over:
        raise _too_many(f"This API key can make {rate.limit} such requests a minute.", rate)


def _rate_headers(kind: RateKind, rate: Rate) -> dict[str, str]:
    """Return rate limit headers as in draft-ietf-httpapi-ratelimit-headers.

    They allow `q` requests in `w` seconds, of which `r` remain for `t` seconds.
    """
    return {
        "RateLimit-Policy": f'"{kind}";q={rate.limit};w={WINDOW_SECONDS}',
        "RateLimit": f'"{kind}";r={rate.left};t={rate.seconds}',
    }


def _too_many(sentence: str, rate: Rate) -> ApiError:
    seconds = str(rate.seconds)
    return ApiError(429, f"{sentence} Wait {seconds} seconds.", {"Retry-After": seconds})
