"""For whoever watches the site: does the process answer, and can it do its work?"""

import tempfile
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from editor.services import space


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """The process answers; nothing else is asked."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Whether a request that arrives now can be served: 503 when one check is not "ok"."""
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


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "no answer"
    return "ok"


def _migrations() -> str:
    try:
        applied = MigrationRecorder(connection).applied_migrations()
    except DatabaseError:
        return "unknown"
    return "ok" if _newest_migrations() <= set(applied) else "missing"


@cache
def _newest_migrations() -> frozenset[tuple[str, str]]:
    """The last migration of each app, as the code has them: they change only with the process."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).graph.leaf_nodes())


def _data_folder() -> str:
    try:
        with tempfile.TemporaryFile(dir=settings.DATA_DIR) as file:
            file.write(b"ok")
    except OSError:
        return "not writable"
    return "full" if space.is_short() else "ok"
