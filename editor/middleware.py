"""Middleware for all requests.

It handles request IDs, fast status polls, language, time zone, caching, and sign-in.
"""

import re
import time
import uuid
from collections.abc import Callable
from functools import lru_cache

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.middleware.security import SecurityMiddleware
from django.shortcuts import resolve_url
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.http import urlencode

from editor.actors import LAST_WORKSPACE_COOKIE
from editor.logs import log_context
from editor.models import Edit
from editor.services.core import links, zones
from editor.services.core.access import Actor
from editor.services.core.errors import Forbidden, NotFound
from editor.services.editing.edit_status import EditStatus, status_of

GetResponse = Callable[[HttpRequest], HttpResponseBase]

_STATUS_PREFIX = "/s/"
_STATUS_HEADERS = {
    "Cache-Control": "private, no-cache",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}
_FOR_PROGRAMS = ("/api/", "/healthz", "/readyz", "/metrics")
_WITH_WORDS = ("text/html", "text/plain")
_A_YEAR = 365 * 24 * 3600
# Each pair contains the maximum age of an edit, in seconds, and the interval between two polls, in
# milliseconds.
_INTERVALS = ((2, 100), (5, 300), (40, 1200), (120, 3000))
_MAX_INTERVAL = 10_000


class SignedStatusMiddleware:
    """Middleware that responds to the status polls of a running edit before any slower middleware runs.

    The signature in the URL grants only the right to read the status; the page of the edit checks the user's
    right again. Because this middleware runs before the security middleware, it sets the security headers
    itself and ignores the Host header.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self._security = SecurityMiddleware(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if path.startswith(_STATUS_PREFIX) and request.method in ("GET", "HEAD"):
            response = _status_response(request, path[len(_STATUS_PREFIX) : -1])
            if response is not None:
                return self._security.process_response(request, response)
        return self.get_response(request)


class ServiceErrorMiddleware:
    """Middleware that turns exceptions raised by services into 404 and 403 responses."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """Raise the exception that makes Django show this site's error page."""
        if isinstance(exception, NotFound):
            raise Http404(str(exception)) from exception
        if isinstance(exception, Forbidden):
            raise PermissionDenied(str(exception)) from exception


class RequestIdMiddleware:
    """Middleware that sets X-Request-Id on every response.

    This is the ID that the client sent, if its format is valid, or otherwise a new ID.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request_id = _request_id(request)
        request.request_id = request_id  # type: ignore[attr-defined]
        with log_context(request=request_id):
            response = self.get_response(request)
        response.headers["X-Request-Id"] = request_id
        return response


class LanguageMiddleware:
    """Middleware that chooses the language of pages.

    The account's language takes precedence, followed by the browser's setting and the Accept-Language header.
    API responses are in English. The middleware is installed twice, before and after authentication.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith(_FOR_PROGRAMS) and not request.path_info.startswith("/api/docs"):
            return self.get_response(request)
        user = getattr(request, "user", None)
        language = getattr(user, "language", "") or translation.get_language_from_request(request)
        with translation.override(language):
            response = self.get_response(request)
        if response.headers.get("Content-Type", "").startswith(_WITH_WORDS):
            response.headers.setdefault("Content-Language", language)
            patch_vary_headers(response, ["Accept-Language"])
        return response


class ZoneMiddleware:
    """Middleware that sets the time zone in which times are shown.

    This is the account's time zone, the zone in the browser's cookie, or the site's zone.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith(_FOR_PROGRAMS):
            return self.get_response(request)
        chosen = getattr(request.user, "time_zone", "") or request.COOKIES.get(zones.COOKIE, "")
        with timezone.override(zones.find_zone(chosen) or timezone.get_default_timezone()):
            return self.get_response(request)


class CompressedPagesMiddleware(GZipMiddleware):
    """Middleware that compresses pages, except those whose length could reveal a secret.

    Suppose that someone makes a browser request chosen URLs and sees the length of the responses. If pages
    repeat parts of the URL, this person can guess secrets in them (BREACH). Therefore, only pages that have
    neither form data nor a query string are compressed. In addition, Django masks the CSRF token differently
    in each response, and pads its length.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if is_page and request.method == "GET" and not request.META.get("QUERY_STRING"):
            return super().process_response(request, response)
        return response


class PrivateByDefaultMiddleware:
    """Middleware that forbids caches to store responses, including early errors and redirects.

    Responses that are marked as public, such as static files, are exempt.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        if "public" not in response.headers["Cache-Control"]:
            patch_vary_headers(response, ["HX-Request", "Cookie"])
        return response


class PlainSessionMiddleware(SessionMiddleware):
    """Session middleware that ignores malformed session keys.

    A NUL character in a session key would cause an error in PostgreSQL.
    """

    def process_request(self, request: HttpRequest) -> None:
        name = settings.SESSION_COOKIE_NAME
        if not _SESSION_KEY.fullmatch(request.COOKIES.get(name, "")):
            request.COOKIES.pop(name, None)
        super().process_request(request)


class LastWorkspaceMiddleware:
    """Middleware that stores the workspace of the last page in a cookie.

    This way, "/" leads to that workspace.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        actor: Actor | None = getattr(request, "actor", None)
        if (
            actor is not None
            and actor.entry_point == "page"
            and actor.workspace.slug != request.COOKIES.get(LAST_WORKSPACE_COOKIE)
        ):
            response.set_cookie(
                LAST_WORKSPACE_COOKIE,
                actor.workspace.slug,
                max_age=_A_YEAR,
                samesite="Lax",
                httponly=True,
                secure=request.is_secure(),
            )
        return response


class SignInFirstMiddleware:
    """Middleware that makes htmx load the sign-in page instead of inserting the page as a fragment."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        return _sign_in_first(request) if _is_sign_in_for_htmx(request, response) else response


def _interval(status: EditStatus) -> int:
    """Return the number of milliseconds until the next poll.

    This interval grows with the age of the edit, and it is halved while the results are being stored.
    """
    age = time.time() - status.created.timestamp()
    interval = next((interval for limit, interval in _INTERVALS if age < limit), _MAX_INTERVAL)
    return interval // 2 if status.state == Edit.State.STORING else interval


def _status_response(request: HttpRequest, signed: str) -> HttpResponse | None:
    known = links.unsign_status(signed)
    status = status_of(uuid.UUID(known.edit_id), user_id=known.user_id) if known else None
    if known is None or status is None:
        return None
    interval = _interval(status)
    tag = f'"{status.revision}.{interval}.{status.edits_ahead}.{known.language}"'
    own = {"ETag": tag, "X-Request-Id": _request_id(request), "Content-Language": known.language}
    if request.META.get("HTTP_IF_NONE_MATCH") == tag:
        return HttpResponseNotModified(headers=_STATUS_HEADERS | own)
    fragment = _fragment(signed, known, status, interval)
    # Without a length, the response would be sent in chunks, which takes longer.
    length = {"Content-Length": len(fragment)}
    return HttpResponse(fragment, headers=_STATUS_HEADERS | own | length)


@lru_cache(maxsize=512)
def _fragment(signed: str, known: links.SignedStatus, status: EditStatus, interval: int) -> bytes:
    """Render the status.

    The arguments are also the cache key. They contain all the values that the fragment shows, along with the
    edit's revision, which increases with every visible change.
    """
    context = {"signed": signed, "edit_id": known.edit_id, "status": status, "interval": interval}
    with translation.override(known.language):
        return render_to_string("pages/edits/running.html#status", context).encode()


_PLAIN_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
_SESSION_KEY = re.compile(r"[a-z0-9]{1,40}")


def _request_id(request: HttpRequest) -> str:
    given = request.META.get("HTTP_X_REQUEST_ID", "")
    return given if _PLAIN_ID.fullmatch(given) else uuid.uuid4().hex


def _is_sign_in_for_htmx(request: HttpRequest, response: HttpResponseBase) -> bool:
    return (
        response.status_code == 302
        and bool(getattr(request, "htmx", False))
        and response.headers["Location"].startswith(resolve_url(settings.LOGIN_URL) + "?")
    )


def _sign_in_first(request: HttpRequest) -> HttpResponse:
    """Return a response that makes htmx load the sign-in page. fetch() would follow a redirect, and htmx
    would insert the sign-in page into the current one."""
    address = resolve_url(settings.LOGIN_URL) + "?" + urlencode({"next": _current_address(request)})
    return HttpResponse(status=401, headers={"HX-Redirect": address})


def _current_address(request: HttpRequest) -> str:
    """Return the path of the page that contains the fragment, or "/" if the Referer is not on this site."""
    try:
        return request.htmx.current_url_abs_path or "/"  # type: ignore[attr-defined]
    except ValueError:
        return "/"
