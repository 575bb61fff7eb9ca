"""Measure the CPU time of polling a running edit, compared with a conventional view of the same fragment.

The benchmark uses SQLite, or PostgreSQL if it is run as `python -m tests.postgres -- python -m
tests.benchmarks status_poll`.
"""

import statistics
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tests.benchmarks import Row
from tests.benchmarks.startup import cpu

ROUNDS = 15
POLLS = 200
LIMIT_MICROSECONDS = {"sqlite": 250, "postgresql": 350}
LIMIT_SHARE = 0.2


def run() -> list[Row]:
    """Measure the handler's CPU time with a persistent connection, and return the medians of 15 rounds."""
    from django.db import connection

    poll, unchanged, plain = _requests()
    fast, calm, slow = _cost(poll, 200), _cost(unchanged, 304), _cost(plain, 200)
    limit, share = LIMIT_MICROSECONDS[connection.vendor], fast / slow
    return [
        Row("status poll", fast, limit, "us", fast <= limit),
        Row("status poll, nothing changed", calm, limit, "us", calm <= limit),
        Row("the same by login, ORM and template", slow, None, "us", True),
        Row("share of the plain way", share, LIMIT_SHARE, "", share <= LIMIT_SHARE),
        *([_of_the_server(poll)] if connection.vendor == "postgresql" else []),
    ]


def _of_the_server(poll: Callable[[], int]) -> Row:
    """Return the CPU time of the PostgreSQL process that serves this connection."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        server = cursor.fetchone()[0]
    before = cpu(server)
    for _ in range(ROUNDS * POLLS):
        poll()
    return Row(
        "PostgreSQL's part of a poll", (cpu(server) - before) / (ROUNDS * POLLS) * 1e6, None, "us", True
    )


def plain_status(request: Any, edit_id: Any) -> Any:
    """Render the same fragment conventionally, with the web session, ORM queries, and a template."""
    from django.shortcuts import render

    from editor.models import Edit
    from editor.services.core import links
    from editor.services.editing.edit_status import EditStatus

    edit = Edit.objects.get(id=edit_id, workspace__memberships__user=request.user)
    first = edit.references.first()
    context = {
        "signed": links.sign_status(edit, request.user),
        "edit_id": str(edit.id),
        "status": EditStatus(
            revision=edit.revision,
            state=edit.state,
            progress=edit.progress,
            outputs=edit.outputs,
            created=edit.created,
            placeholder=first.placeholder if first else "",
            sides=(first.width, first.height) if first else (3, 2),
            edits_ahead=0,
        ),
        "interval": 300,
    }
    return render(request, "pages/edits/running.html#status", context)


def _urlpatterns() -> list[Any]:
    from django.contrib.auth.decorators import login_required
    from django.urls import include, path

    here = path("plain/<uuid:edit_id>/", login_required(plain_status))
    return [here, path("", include("photoeditor_site.urls"))]


def _requests() -> tuple[Callable[[], int], ...]:
    """Return three requests.

    They are a poll after a change, a poll without a change, and a request to the conventional view.
    """
    from django.core.handlers.wsgi import WSGIHandler
    from django.core.management import call_command
    from django.test import Client, RequestFactory

    from editor.models import Edit
    from editor.services.core import links
    from tests import cast

    call_command("migrate", verbosity=0)
    user = cast.make_user("poll@example.org")
    edit = cast.make_edit(user, state="RUNNING", progress=40, references=[{"placeholder": _PLACEHOLDER}])
    # Make the edit old enough for its polling interval to be at its maximum.
    Edit.objects.update(created=edit.created - timedelta(hours=2))
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    address = f"/s/{links.sign_status(edit, user)}/"
    tag = client.get(address).headers["ETag"]
    make = RequestFactory(
        SERVER_NAME="localhost",
        HTTP_HX_REQUEST="true",
        HTTP_COOKIE=f"darkroom_session={client.cookies['darkroom_session'].value}",
    )
    handler = WSGIHandler()
    polled = make.get(address).environ
    return (
        _caller(handler, polled),
        _caller(handler, polled | {"HTTP_IF_NONE_MATCH": tag}),
        _caller(handler, make.get(f"/plain/{edit.id}/").environ, urlconf=tuple(_urlpatterns())),
    )


_PLACEHOLDER = "data:image/webp;base64," + "UklGRlAAAABXRUJQVlA4IEQAAADwAQCdASoQAAsAAgA0JZwA" * 3


def _caller(handler: Any, environ: dict[str, Any], urlconf: Any = None) -> Callable[[], int]:
    """Return a function that calls the handler as a server would, on a persistent connection."""
    from django.core.handlers.wsgi import WSGIRequest

    def call() -> int:
        request = WSGIRequest(dict(environ))
        if urlconf:
            request.urlconf = urlconf
        return int(handler.get_response(request).status_code)

    return call


def _cost(call: Callable[[], int], status: int) -> float:
    """Return the CPU time of one call, in microseconds."""
    assert call() == status
    rounds = []
    for _ in range(ROUNDS):
        started = time.process_time()
        for _ in range(POLLS):
            call()
        rounds.append((time.process_time() - started) / POLLS * 1e6)
    return statistics.median(rounds)
