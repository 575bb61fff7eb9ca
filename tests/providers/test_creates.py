"""Tests for every response to a create request.

They check the outcome, and that the request is sent only once.
"""

import pytest

from editor.providers import photo_editor
from editor.providers.contract import ProviderError, Ticket
from tests.hostile_server import HostileServer
from tests.providers.conftest import Requests, Serve
from tests.providers.create_responses import Accepted, AtOnce, Refused, Row, rows
from tests.providers.provider_factory import KEY, Watching, make_provider

ROWS = rows()


def outcome_of(row: Row, server: HostileServer, request_for: Requests) -> Ticket | ProviderError:
    try:
        return make_provider(server.origin, **row.changes).submit(request_for(), Watching())
    except ProviderError as error:
        return error


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_a_create_request_is_sent_once_and_its_response_handled_as_listed(
    serve: Serve, request_for: Requests, monkeypatch: pytest.MonkeyPatch, row: Row
) -> None:
    monkeypatch.setattr(photo_editor, "CREATE_SECONDS", row.seconds)
    server = serve(row.script)
    got = outcome_of(row, server, request_for)
    assert [(request.method, request.path) for request in server.requests] == [
        ("POST", photo_editor.CREATE_PATH)
    ]
    assert server.connections == 1
    match row.outcome:
        case Accepted(task_id):
            assert isinstance(got, Ticket), got
            assert (got.task_id, set(got.details)) == (task_id, {"started"})
        case AtOnce(urls):
            assert isinstance(got, Ticket), got
            assert got.details["images"] == list(urls)
        case Refused() as refused:
            assert isinstance(got, ProviderError), got
            assert (got.code, got.message, got.fault) == (refused.code, refused.message, refused.fault)
            assert_again(got.retry_after, refused.again)
            assert got.detail
            assert KEY not in got.detail + got.message


def assert_again(given: float | None, expected: tuple[float, float] | None) -> None:
    if expected is None:
        assert given is None
    else:
        assert given is not None
        assert expected[0] - 0.01 <= given <= expected[1] + 0.01
