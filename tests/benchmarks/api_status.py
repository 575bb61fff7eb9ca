"""Measure the CPU time of an API status request, including the key check and the rate count."""

from typing import Any

from tests.benchmarks import Row
from tests.benchmarks.status_poll import _caller, _cost

LIMIT_MICROSECONDS = 2_000


def run() -> list[Row]:
    """Measure on SQLite with a persistent connection, and return the medians of 15 rounds."""
    rows = []
    for name, environ in _requests().items():
        cost = _cost(_caller(_handler(), environ), 200)
        rows.append(Row(f"API status, {name}", cost, LIMIT_MICROSECONDS, "us", cost <= LIMIT_MICROSECONDS))
    return rows


def _handler() -> Any:
    from django.core.handlers.wsgi import WSGIHandler

    return WSGIHandler()


def _requests() -> dict[str, dict[str, Any]]:
    from django.conf import settings
    from django.core.management import call_command
    from django.test import RequestFactory

    from editor.services.people import accounts
    from tests import cast

    call_command("migrate", verbosity=0)
    settings.API_READS_PER_MINUTE = 10**6
    user = cast.make_user("program@example.org")
    _, secret = accounts.create_api_key(cast.actor_of(user), name="benchmark")
    make = RequestFactory(SERVER_NAME="localhost", HTTP_AUTHORIZATION=f"Bearer {secret}")
    edits = {"running": cast.make_edit(user, state="RUNNING"), "two results": cast.make_edit(user, outputs=2)}
    address = "/api/photo-editor/status?taskId={}"
    return {name: make.get(address.format(edit.id)).environ for name, edit in edits.items()}
