"""The format of all API responses, including errors that occur before or after the views."""

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]
type Headers = Mapping[str, str]

# The OpenAPI document and the human-readable documentation page, which are sent without the JSON envelope.
_PLAIN = ("/api/openapi.json", "/api/docs", "/api/docs/")
_WRONG_HOST = "This host name is not set up for this site. Add it to ALLOWED_HOSTS."
_INSECURE = (
    "Use the HTTPS URL of this site. If this request contained an API key, revoke the key and create a "
    "new one."
)
# Messages for errors that no API view has reported.
_SENTENCES = {
    400: "This request is not valid. Check it and try again.",
    403: "This is not allowed.",
    404: "There is nothing at this URL. See /api/docs/ for all URLs.",
    413: "The upload is too large. Send fewer or smaller photos.",
    500: "Something went wrong on our side. You were not charged. Try again in a moment.",
    503: "The site is busy. Nothing was lost. Try again in a moment.",
    507: "The disk of this site is full. Try again after an administrator has freed up space.",
}
_OF_THE_BODY = ("Content-Type", "Content-Length", "Location")


class ApiError(Exception):
    """Raised when a request is refused.

    It contains the HTTP status, a message that says what to do, and response headers. `reason` adds details
    if the API specification fixes the message.
    """

    def __init__(
        self, status: int, message: str, headers: Headers | None = None, *, reason: str = ""
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}
        self.reason = reason


class Envelope(JsonResponse):
    """A response in the API's JSON format."""


def success(data: Mapping[str, Any], *, headers: Headers | None = None) -> Envelope:
    return Envelope({"code": 0, "success": True, "data": data}, headers=headers)


def error_response(request: HttpRequest, error: ApiError) -> Envelope:
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
    """Middleware that converts every response under /api/ to the API's JSON format.

    Without this middleware, clients would get HTML pages for unknown URLs, for internal errors, and when the
    site is busy.
    """

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
    """Return a response with the same status, message, and headers, except those that describe the body."""
    status, sentence = response.status_code, ""
    # Refuse this redirect to HTTPS: a client that followed it would send the API key but not the request
    # body.
    if status < 400:
        status, sentence = 403, _INSECURE
    elif status == 400 and _has_wrong_host(request):
        sentence = _WRONG_HOST
    kept = {name: value for name, value in response.items() if name not in _OF_THE_BODY}
    sentence = sentence or _SENTENCES.get(status, response.reason_phrase)
    return error_response(request, ApiError(status, sentence, kept))


def _has_wrong_host(request: HttpRequest) -> bool:
    try:
        request.get_host()
    except DisallowedHost:
        return True
    return False
