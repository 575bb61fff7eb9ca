"""Health checks and metrics for monitoring."""

import tempfile
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from editor.services.core import disk_space
from editor.services.maintenance import schema


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Report that the process responds, without checking anything else."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Report whether the site can serve requests.

    The status is 200 if every check returns "ok", and 503 otherwise.
    """
    checks: dict[str, Callable[[], str]] = {
        "database": _database,
        "migrations": _migrations,
        "data_folder": _data_folder,
    }
    words = {name: check() for name, check in checks.items()}
    is_ready = set(words.values()) == {"ok"}
    return JsonResponse(
        {"status": "ok" if is_ready else "not ready", **words}, status=200 if is_ready else 503
    )


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return metrics for Prometheus.

    Access requires METRICS_TOKEN as a bearer token. If that setting is empty, the request must come from this
    machine.
    """
    refused = _refusal(request)
    if refused is not None:
        return refused
    from prometheus_client import CONTENT_TYPE_LATEST

    from editor.services.maintenance.metrics import exposition

    try:
        return HttpResponse(exposition(), content_type=CONTENT_TYPE_LATEST)
    except DatabaseError:
        return HttpResponse("The database is not responding.\n", status=503, content_type="text/plain")


def _refusal(request: HttpRequest) -> HttpResponse | None:
    token = settings.METRICS_TOKEN
    if token:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if constant_time_compare(given, token):
            return None
        words, status = "Send METRICS_TOKEN in the header: Authorization: Bearer <token>.\n", 401
    elif _is_from_here(request):
        return None
    else:
        words, status = "Set METRICS_TOKEN to read the metrics from another machine.\n", 403
    return HttpResponse(words, status=status, content_type="text/plain")


def _is_from_here(request: HttpRequest) -> bool:
    """Check whether a program on this machine sent the request.

    A forwarded request does not count, because a proxy on this machine sends it for someone else.
    """
    is_forwarded = any(name in request.headers for name in ("X-Forwarded-For", "Forwarded", "Via"))
    return request.META.get("REMOTE_ADDR") in ("127.0.0.1", "::1") and not is_forwarded


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "no answer"
    return "ok"


def _migrations() -> str:
    try:
        return "missing" if schema.is_behind() else "ok"
    except DatabaseError:
        return "unknown"


def _data_folder() -> str:
    try:
        with tempfile.TemporaryFile(dir=settings.DATA_DIR) as file:
            file.write(b"ok")
    except OSError:
        return "not writable"
    return "full" if disk_space.is_low() else "ok"
