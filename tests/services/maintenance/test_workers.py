"""Tests that a worker counts as alive only while it reports regularly and has not stopped."""

from datetime import timedelta

import pytest

from editor.models import WorkerSign
from editor.models.clock import database_now
from editor.services.maintenance import workers

pytestmark = pytest.mark.django_db


def test_a_worker_counts_as_alive_while_it_sends_heartbeats() -> None:
    workers.record_heartbeats(["one", "two"])
    workers.record_heartbeats(["one", "two"])
    assert workers.count_alive() == 2
    workers.unregister(["two"])
    assert workers.count_alive() == 1
    WorkerSign.objects.update(seen=database_now() - workers.ALIVE_FOR)
    assert workers.count_alive() == 0


def test_a_worker_without_a_heartbeat_for_two_days_is_deleted() -> None:
    WorkerSign.objects.create(name="old", seen=database_now() - timedelta(days=2))
    workers.record_heartbeats(["new"])
    assert list(WorkerSign.objects.values_list("name", flat=True)) == ["new"]
