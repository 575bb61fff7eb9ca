"""Tests that leases and deadlines follow the database's clock even when the machine's clock is changed."""

import time
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from editor.models import Edit, User, clock
from editor.models.clock import database_now
from editor.providers.contract import Update
from editor.services.editing import lifecycle
from tests import cast
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _another_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the database's clock steady.

    On SQLite, the database would otherwise use the machine's clock.
    """
    then, begun = timezone.now(), time.monotonic()
    steady = SimpleNamespace(now=lambda: then + timedelta(seconds=time.monotonic() - begun))
    monkeypatch.setattr(clock, "timezone", steady)


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_change_of_an_hour_does_not_end_an_edit(
    alice: User,
    engine: ScriptedEngine,
    submitted: Callable[..., Edit],
    client_of: Callable[[User], Client],
    hours: int,
) -> None:
    def advanced() -> Edit:
        Edit.objects.filter(pk=edit.pk).update(due=database_now())
        lifecycle.advance.call(str(edit.pk))
        return Edit.objects.get(pk=edit.pk)

    edit = submitted(alice)
    engine.on_poll = lambda request: Update(state="running", poll_after=2)
    with time_machine.travel(timezone.now() + timedelta(hours=hours)):
        lifecycle.sweep()
        assert advanced().state == "RUNNING"
        page = client_of(alice).get(f"/edits/{edit.pk}/")
        assert (page.status_code, page.context["elapsed"] >= 0) == (200, True)
        assert advanced().state == "RUNNING"
    engine.on_poll = ScriptedEngine().on_poll
    advanced()
    assert advanced().state == "SUCCESS"
    cast.assert_ledger_balances(edit.workspace)
