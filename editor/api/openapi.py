"""The API's OpenAPI 3.1 description and its human-readable documentation page."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_safe

from editor.api import schemas
from editor.api.account import limits
from editor.api.bodies import FORM_TYPE, JSON_TYPE, MAX_URL_LENGTH
from editor.api.edits import LIST_LENGTH, MAX_LIST_LENGTH
from editor.models import Workspace
from editor.models.engines import default_price
from editor.options import ASPECT_RATIOS, MAX_PHOTOS, OUTPUT_FORMATS
from editor.services.billing.credits import INSUFFICIENT_CREDITS
from editor.services.editing import webhooks
from editor.services.editing.submit import PHOTO_REQUIRED, PROMPT_REQUIRED, TOO_MANY_PHOTOS

VERSION = "1.0"
# Maps each error status to its meaning.
REFUSALS = {
    400: gettext_noop("Something in the request is missing or incorrect. The message explains the problem."),
    401: gettext_noop("The request has no API key, or the key is not valid."),
    402: gettext_noop("The workspace does not have enough available credits."),
    403: gettext_noop(
        "The key's owner can't edit in this workspace, the engine is excluded from it, or the request was "
        "sent without HTTPS."
    ),
    404: gettext_noop("The task or recipe does not exist in the key's workspace."),
    409: gettext_noop(
        "Another request with this Idempotency-Key is still being processed. Try again in a second."
    ),
    413: gettext_noop("The body, or a photo in it, is too large."),
    415: gettext_noop("The content type of the body is not supported here."),
    422: gettext_noop("This Idempotency-Key was already used for a different request."),
    429: gettext_noop("Too many requests. Try again in a minute."),
    500: gettext_noop("Something went wrong on the site. You were not charged."),
    503: gettext_noop("The site is busy. Try again."),
    507: gettext_noop("The site's disk is full. Try again when there is free space."),
}
ALWAYS = (401, 403, 429, 500, 503)
_HEADERS = {
    "X-Request-Id": "The ID of this request in the site's log. If you sent an ID, it is yours.",
    "RateLimit": "How many requests are left in this minute, and how many seconds are left.",
    "RateLimit-Policy": "How many requests are allowed per minute.",
    "Retry-After": "Seconds to wait before the next attempt.",
    "WWW-Authenticate": "How to send the API key.",
    "X-Credits-Charged": "The credits that a finished edit cost, less a refund.",
}
_EVERYWHERE = ("X-Request-Id",)
_WITH_KEY = ("RateLimit", "RateLimit-Policy")
_OF_STATUS = {
    401: ("WWW-Authenticate",),
    409: ("Retry-After",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}


@require_safe
def description(request: HttpRequest) -> JsonResponse:
    response = JsonResponse(document(), json_dumps_params={"indent": 1})
    response.headers["Cache-Control"] = "public, max-age=300"
    return response


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    context = {
        "site": settings.PUBLIC_URL or request.build_absolute_uri("/").rstrip("/"),
        "ratios": ASPECT_RATIOS,
        "formats": OUTPUT_FORMATS,
        "max_photos": MAX_PHOTOS,
        "longest_address": MAX_URL_LENGTH,
        "list_length": LIST_LENGTH,
        "longest_list": MAX_LIST_LENGTH,
        "limits": limits(),
        "price_free": default_price(Workspace.Plan.FREE),
        "price_pro": default_price(Workspace.Plan.PRO),
        "statuses": schemas.STATUS_WORDS,
        "events": webhooks.EVENT_NAMES,
        "webhook_seconds": int(webhooks.CALL_SECONDS),
        "webhook_attempts": webhooks.MAX_ATTEMPTS,
        "refusals": [(status, gettext(meaning)) for status, meaning in REFUSALS.items()],
        "sentences": (PROMPT_REQUIRED, PHOTO_REQUIRED, TOO_MANY_PHOTOS, INSUFFICIENT_CREDITS),
    }
    return render(request, "pages/api/docs.html", context)


def document() -> dict[str, Any]:
    """Return the OpenAPI document, which states the site's current limits."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Darkroom",
            "version": VERSION,
            "description": "Edits photos from a prompt: create a task, then query its status until it ends.",
        },
        "servers": [{"url": settings.PUBLIC_URL or "/"}],
        "security": [{"key": []}],
        "paths": paths(),
        "components": {
            "schemas": schemas.components(),
            "headers": {name: _header(about) for name, about in _HEADERS.items()},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def paths() -> dict[str, Any]:
    """Return all URLs of the API, along with their operations."""
    return {
        reverse("api_generate"): {"post": _generate()},
        reverse("api_status"): {"get": _status()},
        reverse("api_cancel"): {"post": _cancel()},
        reverse("api_edits"): {"get": _edits()},
        reverse("api_account"): {"get": _operation("account", "Get the credits and limits", "Account")},
    }


def _generate() -> dict[str, Any]:
    key = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"}
    header = {
        "name": "Idempotency-Key",
        "in": "header",
        "schema": key,
        "description": "If you send the same request again with the same key, you get the same task.",
    }
    named = {JSON_TYPE: "EditAsJson", FORM_TYPE: "EditAsForm"}
    return _operation(
        "generate", "Create an edit task", "Task", refusals=(400, 402, 404, 409, 413, 415, 422, 507)
    ) | {"parameters": [header], "requestBody": _body(named)}


def _status() -> dict[str, Any]:
    return _operation(
        "status", "Get the status of a task", "State", refusals=(400, 404), headers=("X-Credits-Charged",)
    ) | {"parameters": [_in_query("taskId", schemas.TASK_ID, required=True)]}


def _cancel() -> dict[str, Any]:
    task = {"type": "object", "required": ["taskId"], "properties": {"taskId": schemas.TASK_ID}}
    body = {"required": True, "content": {JSON_TYPE: {"schema": task}}}
    about = {
        "description": "A task that has already ended does not change. The response has its final status."
    }
    operation = _operation("cancel", "Cancel a task", "State", refusals=(400, 404, 413, 415))
    return operation | about | {"requestBody": body}


def _edits() -> dict[str, Any]:
    count = {"type": "integer", "minimum": 1, "maximum": MAX_LIST_LENGTH, "default": LIST_LENGTH}
    parameters = [
        _in_query("cursor", schemas.CURSOR),
        _in_query("limit", count),
        _in_query("q", {"type": "string", "maxLength": 200}),
        _in_query("favorite", {"type": "boolean"}),
        _in_query("since", schemas.DAY),
        _in_query("until", schemas.DAY),
        _in_query("state", {"type": "string", "enum": [*schemas.STATUS_WORDS]}),
    ]
    about = {
        "description": (
            "Lists the workspace's edits, newest first. `nextCursor` leads to the next page of the same "
            "search. `q` finds the beginnings of words in the prompt, `favorite` finds the edits that you "
            "starred, and `since` and `until` are whole days (UTC)."
        )
    }
    operation = _operation("edits", "List edits", "EditList", refusals=(400,))
    return operation | about | {"parameters": parameters}


def _operation(
    name: str, summary: str, data: str, *, refusals: tuple[int, ...] = (), headers: tuple[str, ...] = ()
) -> dict[str, Any]:
    answers = {"200": _success(data, headers)}
    answers |= {str(status): _refusal(status) for status in sorted({*refusals, *ALWAYS})}
    return {"operationId": name, "summary": summary, "responses": answers}


def _success(data: str, headers: tuple[str, ...]) -> dict[str, Any]:
    return {
        "description": "The request succeeded.",
        "headers": _named_headers(*_EVERYWHERE, *_WITH_KEY, *headers),
        "content": {JSON_TYPE: {"schema": schemas.envelope_schema(data)}},
    }


def _refusal(status: int) -> dict[str, Any]:
    return {
        "description": REFUSALS[status],
        "headers": _named_headers(*_EVERYWHERE, *_OF_STATUS.get(status, ())),
        "content": {JSON_TYPE: {"schema": {"$ref": "#/components/schemas/Refusal"}}},
    }


def _named_headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _header(about: str) -> dict[str, Any]:
    return {"description": about, "schema": {"type": "string"}}


def _body(named: dict[str, str]) -> dict[str, Any]:
    content = {
        media_type: {"schema": {"$ref": f"#/components/schemas/{name}"}} for media_type, name in named.items()
    }
    return {"required": True, "content": content}


def _in_query(name: str, schema: dict[str, Any], *, required: bool = False) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": required, "schema": schema}
