"""What every answer to a program looks like, whatever went right or wrong on the way to it."""

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]
type Headers = Mapping[str, str]

# These two speak for themselves: a description to be fetched as it is, and a page for people.
_PLAIN = ("/api/openapi.json", "/api/docs", "/api/docs/")
_WRONG_HOST = "This address is not one of this site's. Add it to ALLOWED_HOSTS."
_INSECURE = "Use the https address of this site. If this request carried an API key, make a new one."
# For what the site refused before a program's door was reached, or could not answer.
_SENTENCES = {
    400: "This request makes no sense to the site.",
    403: "This is not allowed.",
    404: "There is nothing at this address. /api/docs/ lists all there are.",
    413: "This is more than the site takes at once. Send fewer or smaller photos.",
    500: "Something broke on our side. Nothing was charged for it. Try again in a moment.",
    503: "The site is busy. Try again in a moment: nothing was lost.",
    507: "The disk of this site is full: nothing new can be made until there is room.",
}
_OF_THE_BODY = ("Content-Type", "Content-Length", "Location")


class ApiError(Exception):
    """A request that is refused: the HTTP status, a sentence that says what to do, headers, and where the
    sentence is given by the interface a `reason` that says more."""

    def __init__(
        self, status: int, message: str, headers: Headers | None = None, *, reason: str = ""
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}
        self.reason = reason


class Envelope(JsonResponse):
    """The JSON object around every answer."""


def success(data: Mapping[str, Any], *, headers: Headers | None = None) -> Envelope:
    return Envelope({"code": 0, "success": True, "data": data}, headers=headers)


def refusal(request: HttpRequest, error: ApiError) -> Envelope:
    body = {
        "code": error.status,
        "success": False,
        "message": error.message,
        "data": None,
        "requestId": getattr(request, "request_id", ""),
    }
    if error.reason:
        body["reason"] = error.reason
    return Envelope(body, status=error.status, headers=error.headers)


class EnvelopeMiddleware:
    """Puts whatever leaves the site from under /api/ into the envelope: a page that says that there is no
    such address, that something broke, or that the site is busy, is nothing for a program."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not _is_for_programs(request.path_info):
            return self.get_response(request)
        response = self.get_response(request)
        enveloped = response if isinstance(response, Envelope) else _in_envelope(request, response)
        for name, value in getattr(request, "rate_headers", {}).items():
            enveloped.headers[name] = value
        return enveloped


def _is_for_programs(path: str) -> bool:
    return (path == "/api" or path.startswith("/api/")) and path not in _PLAIN


def _in_envelope(request: HttpRequest, response: HttpResponseBase) -> Envelope:
    """The same status with the sentence for it, and all headers that are not about the body."""
    status, sentence = response.status_code, ""
    if status < 400:  # a redirect to https: a program would follow it with its key, and without its body
        status, sentence = 403, _INSECURE
    elif status == 400 and _has_wrong_host(request):
        sentence = _WRONG_HOST
    kept = {name: value for name, value in response.items() if name not in _OF_THE_BODY}
    sentence = sentence or _SENTENCES.get(status, response.reason_phrase)
    return refusal(request, ApiError(status, sentence, kept))


def _has_wrong_host(request: HttpRequest) -> bool:
    try:
        request.get_host()
    except DisallowedHost:
        return True
    return False
