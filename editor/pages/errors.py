"""The error pages.

If a fragment was requested, the response contains only the message, as plain text.
"""

import sys
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import (
    DisallowedHost,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.db import DatabaseError, OperationalError, ProgrammingError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import is_valid_path
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from editor.services.core import disk_space
from editor.services.maintenance import schema
from editor.services.photos.storage import StorageUnavailable

BAD_REQUEST = gettext_noop("We couldn't process this request. Go back, reload the page, and try again.")
WRONG_HOST = gettext_noop("This site isn't set up for this address. Add the address to ALLOWED_HOSTS.")
TOO_LARGE = gettext_noop("Your upload is too large. Send fewer or smaller photos.")
TOO_MANY_FIELDS = gettext_noop(
    "You selected too much at a time. Nothing was changed. Go back and select fewer items."
)
TOO_MANY_FILES = gettext_noop("You sent too many photos at a time. Go back and send at most %(most)s.")
FORBIDDEN = gettext_noop(
    "You don't have permission to do this. Go back, or ask an owner or team admin for access."
)
NOT_FOUND = gettext_noop("This page doesn't exist, or you don't have access to it.")
TOO_MANY = gettext_noop("Too many attempts. Wait a minute, then try again.")
BROKEN = gettext_noop("Something went wrong on our side. You weren't charged. Try again in a moment.")
BUSY = gettext_noop("The site is busy. Nothing was lost. Try again in a moment.")
UPGRADE_IN_PROGRESS = gettext_noop("Darkroom is being updated. Nothing is lost. Try again in a minute.")
FORM_ONLY = gettext_noop("This address only accepts form submissions. Go to the page with the form instead.")
PAGE_EXPIRED = gettext_noop(
    "This page was open for too long. Nothing was lost. Go back, reload the page, and try again."
)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        response = _error_response(request, "400.html", 413, TOO_LARGE, title=_("Too large"))
    elif isinstance(exception, TooManyFilesSent):
        sentence = _(TOO_MANY_FILES) % {"most": settings.DATA_UPLOAD_MAX_NUMBER_FILES}
        response = _error_response(request, "400.html", 413, sentence, title=_("Too much at a time"))
    elif isinstance(exception, TooManyFieldsSent):
        response = _error_response(request, "400.html", 413, TOO_MANY_FIELDS, title=_("Too much at a time"))
    elif isinstance(exception, DisallowedHost):
        response = _error_response(request, "400.html", 400, WRONG_HOST, title=_("Unknown address"))
    else:
        response = _error_response(request, "400.html", 400, BAD_REQUEST, title=_("Bad request"))
    return response


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _error_response(request, "403.html", 403, str(exception) or FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _error_response(request, "404.html", 404, NOT_FOUND)


def too_many_requests(request: HttpRequest) -> HttpResponse:
    response = _error_response(request, "429.html", 429, TOO_MANY)
    response.headers["Retry-After"] = "60"
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle an exception that no view or middleware has caught.

    Django calls this function as `handler500`.
    """
    if disk_space.is_disk_error(sys.exception()):
        response = _broken(request, 507, disk_space.FULL_MESSAGE, title=_("The disk is full"))
    elif _is_upgraded(sys.exception()):
        response = _broken(request, 503, UPGRADE_IN_PROGRESS, title=_("Updating"))
        response.headers["Retry-After"] = "30"
    elif isinstance(sys.exception(), (OperationalError, StorageUnavailable)):
        response = _broken(request, 503, BUSY, title=_("The site is busy"))
        response.headers["Retry-After"] = "2"
    else:
        response = _broken(request, 500, BROKEN, title=_("Something went wrong"))
    return response


class NotAllowedMiddleware:
    """Middleware that turns a 405 response into a page that links to an existing page.

    For example, a person gets a 405 response by opening the URL of a form in the browser.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed):
            page = _error_response(request, "405.html", 405, FORM_ONLY, above=_page_above(request.path))
            response.content, response.headers["Content-Type"] = page.content, page.headers["Content-Type"]
        return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _error_response(request, "403_csrf.html", 403, PAGE_EXPIRED)


def _is_upgraded(error: BaseException | None) -> bool:
    """Check whether a table or column is missing while migrations are pending.

    SQLite has no specific exception for this error, only a message.
    """
    is_lack = isinstance(error, OperationalError) and "no such" in str(error)
    try:
        return (is_lack or isinstance(error, ProgrammingError)) and schema.is_behind()
    except DatabaseError:
        return False


def _broken(request: HttpRequest, status: int, sentence: str, *, title: str) -> HttpResponse:
    """Render without the request, because whatever caused the error may also break the frame of the page."""
    if _is_fragment(request):
        return HttpResponse(_(sentence), status=status, content_type="text/plain; charset=utf-8")
    request_id = getattr(request, "request_id", "")
    context = {
        "title": title,
        "sentence": _(sentence),
        "request_id": request_id,
        **_reload_context(request, status),
    }
    return HttpResponse(render_to_string("500.html", context), status=status)


def _error_response(
    request: HttpRequest, template: str, status: int, sentence: str, **context: str
) -> HttpResponse:
    if _is_fragment(request):
        return HttpResponse(_(sentence), status=status, content_type="text/plain; charset=utf-8")
    context |= _reload_context(request, status)
    return render(request, template, {"sentence": _(sentence), **context}, status=status)


def _reload_context(request: HttpRequest, status: int) -> dict[str, str]:
    """Return the status code and the target of the "Reload" link.

    The target is this URL or, after a form was submitted, the page that contains the form.
    """
    is_form = request.method not in ("GET", "HEAD")
    return {"code": str(status), "again": _referring_page(request) if is_form else request.get_full_path()}


def _referring_page(request: HttpRequest) -> str:
    """Return the referring URL if it belongs to this site, or else "/"."""
    came_from = request.headers.get("Referer", "")
    try:
        is_ours = url_has_allowed_host_and_scheme(came_from, allowed_hosts={request.get_host()})
    except DisallowedHost:
        is_ours = False
    return came_from if is_ours else "/"


def _page_above(path: str) -> str:
    """Return the nearest parent path that exists, which is usually the page that contains the form."""
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        if is_valid_path(path):
            break
    return path


def _is_fragment(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"
