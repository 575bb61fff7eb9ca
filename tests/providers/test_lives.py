"""Tests for the effects of a response to a create request.

They check the effects on the edit, on its credits and rows, and on the engine's health.
"""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from editor.models import CreditEntry, Edit, ProviderHealth, User, Workspace
from editor.providers import photo_editor
from editor.providers.contract import Fault
from tests import cast
from tests.providers.conftest import Advance, PointAt, Queue, Serve
from tests.providers.create_responses import Accepted, AtOnce, Refused, Row, rows
from tests.providers.provider_factory import KEY

pytestmark = pytest.mark.django_db
# Responses that differ only in texts or identifiers have the same effect, so only one of their rows is used.
ONLY_READ = ("a reason with", "a reason in", "as taskId", "with html", "with nothing", "as result", "JSON ")
ROWS = [row for row in rows() if not any(words in row.name for words in ONLY_READ)]
SETTINGS = {
    "retries_busy": "retry_busy",
    "loose_success": "loose_success",
    "extensions": "is_darkroom",
}


def balance_and_held(edit: Edit) -> tuple[int, int]:
    workspace = Workspace.objects.get(id=edit.workspace_id)
    cast.assert_ledger_balances(workspace)
    return workspace.balance, workspace.held


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_the_response_to_a_create_request_determines_the_state_of_the_edit(
    alice: User,
    serve: Serve,
    point_at: PointAt,
    queued: Queue,
    advance: Advance,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    row: Row,
) -> None:
    monkeypatch.setattr(photo_editor, "CREATE_SECONDS", row.seconds)
    server = serve(row.script)
    point_at(server, **{SETTINGS[name]: value for name, value in row.changes.items()})
    edit, began = queued(alice), timezone.now()
    edit = advance(edit)
    match row.outcome:
        case Accepted(task_id):
            assert_goes_on(edit)
            assert edit.ticket is not None
            assert edit.ticket["task_id"] == task_id
        case AtOnce(urls):
            assert_goes_on(edit)
            edit = advance(edit)
            assert (edit.state, [arrival["url"] for arrival in edit.arrivals]) == ("STORING", list(urls))
        case Refused(again=None) as refused:
            assert_ended(edit, refused)
            edit = advance(edit)
        case Refused() as refused:
            assert_waits(edit, refused, began)
    assert [request.method for request in server.requests] == ["POST"]
    assert_health(row.outcome)
    assert KEY not in caplog.text + everything_about(edit)


def assert_goes_on(edit: Edit) -> None:
    assert (edit.state, balance_and_held(edit)) == ("RUNNING", (400, 40))
    assert edit.deadline > timezone.now()


def assert_ended(edit: Edit, refused: Refused) -> None:
    assert (edit.state, edit.failure_code, edit.failure_message) == ("FAILED", refused.code, refused.message)
    assert "ou were not charged" in edit.failure_message
    assert balance_and_held(edit) == (400, 0)
    kinds = sorted(CreditEntry.objects.filter(edit=edit).values_list("kind", flat=True))
    assert (kinds, edit.results.count()) == (["hold", "release"], 0)


def assert_waits(edit: Edit, refused: Refused, began: datetime) -> None:
    assert (edit.state, edit.put_offs, balance_and_held(edit)) == ("QUEUED", 1, (400, 40))
    assert edit.lease_until is None
    assert refused.again is not None
    least, most = refused.again
    tolerance = timedelta(seconds=0.01)
    assert began + timedelta(seconds=least) - tolerance <= edit.due
    assert edit.due <= timezone.now() + timedelta(seconds=most) + tolerance


def assert_health(outcome: Any) -> None:
    health = ProviderHealth.objects.first()
    fault = outcome.fault if isinstance(outcome, Refused) else Fault.REQUEST
    failures, opened = (health.failures, health.times_opened) if health else (0, 0)
    assert (failures, opened) == {Fault.REQUEST: (0, 0), Fault.ENGINE: (1, 0), Fault.OPERATOR: (1, 1)}[fault]


def everything_about(edit: Edit) -> str:
    rows = [Edit.objects.filter(id=edit.id).values(), ProviderHealth.objects.values()]
    return " ".join(str(list(row)) for row in rows)
