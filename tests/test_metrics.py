"""Tests that /metrics shows the correct figures to permitted clients, at low cost.

The figures include all metrics on which the alerts depend.
"""

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import yaml
from django.conf import settings as site
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from editor.models import Checkup, Edit, ProviderHealth, User
from editor.services.maintenance import metrics
from tests import cast

ALERTS = site.BASE_DIR / "photoeditor_site" / "deploy" / "alerts.yml"


def figures(client: Client) -> dict[tuple[str, ...], float]:
    """Return the samples by name and label values."""
    response = client.get("/metrics")
    assert response.status_code == 200, response.text
    families = text_string_to_metric_families(response.text)
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


@pytest.mark.django_db
def test_it_counts_waiting_running_and_ended_edits(alice: User, client: Client) -> None:
    for state in ("QUEUED", "QUEUED", "RUNNING", "SUCCESS", "FAILED", "CANCELLED"):
        cast.make_edit(alice, state=state)
    long_ago = timezone.now() - timedelta(hours=1)
    cast.make_edit(alice, state="FAILED", created=long_ago, finished=long_ago)
    Edit.objects.filter(state="QUEUED").update(created=timezone.now() - timedelta(seconds=90))
    values = figures(client)
    assert values["darkroom_open_edits", "embedded", "QUEUED"] == 2
    assert values["darkroom_open_edits", "embedded", "RUNNING"] == 1
    assert 90 <= values["darkroom_oldest_open_edit_seconds", "QUEUED"] < 120
    assert values["darkroom_oldest_open_edit_seconds", "STORING"] == 0
    assert values["darkroom_recently_ended_edits", "FAILED", "engine_failed"] == 1
    assert values["darkroom_recently_ended_edits", "SUCCESS", ""] == 1
    assert abs(values["darkroom_recent_edit_seconds", "SUCCESS", "0.95"]) < 60
    workspace = alice.personal_workspace
    workspace.refresh_from_db()
    assert values["darkroom_credits_balance",] == workspace.balance == 360
    assert values["darkroom_credits_held",] == workspace.held == 120
    assert values["darkroom_disk_free_bytes",] > 0


@pytest.mark.django_db
def test_an_edit_that_no_worker_takes_is_overdue(alice: User, client: Client) -> None:
    cast.make_edit(alice, state="QUEUED", due=timezone.now() - timedelta(seconds=61))
    cast.make_edit(alice, state="QUEUED", due=timezone.now() - timedelta(seconds=30))
    assert figures(client)["darkroom_overdue_edits",] == 1


@pytest.mark.django_db
def test_a_paused_engine_is_shown(client: Client) -> None:
    soon = timezone.now() + timedelta(minutes=1)
    for address, until in (("http://a.test", soon), ("http://b.test", None)):
        ProviderHealth.objects.create(provider="photo-editor", base_url=address, open_until=until)
    values = figures(client)
    assert values["darkroom_engine_left_alone", "http://a.test", "photo-editor"] == 1
    assert values["darkroom_engine_left_alone", "http://b.test", "photo-editor"] == 0


@pytest.mark.django_db
def test_the_last_checkup_is_shown(client: Client) -> None:
    assert ("darkroom_broken_invariants",) not in figures(client)
    Checkup.objects.create(pk=1, checked=timezone.now() - timedelta(seconds=50), broken=3)
    values = figures(client)
    assert values["darkroom_broken_invariants",] == 3
    assert 50 <= values["darkroom_checkup_age_seconds",] < 80


@pytest.mark.django_db
def test_it_needs_few_queries(
    alice: User, client: Client, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    cast.make_edit(alice)
    with django_assert_max_num_queries(12):  # PostgreSQL needs one more query, to get the time.
        figures(client)


@pytest.mark.django_db
def test_no_query_scans_all_edits_or_entries(alice: User, client: Client) -> None:
    cast.make_edit(alice)
    with CaptureQueriesContext(connection) as captured:
        figures(client)
    steps = [step for query in captured.captured_queries for step in plan_of(query["sql"])]
    scan = r"\b(SCAN|Seq Scan on) editor_(edit|creditentry)\b"
    assert any("editor_edit" in step for step in steps)
    assert [step for step in steps if re.search(scan, step)] == []


def plan_of(sql: str) -> list[str]:
    """Return the steps of the query plan. It does not depend on the number of rows."""
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        if not is_sqlite:
            cursor.execute("SET LOCAL enable_seqscan = off")  # PostgreSQL prefers to scan small tables.
        cursor.execute(f"EXPLAIN {'QUERY PLAN' if is_sqlite else ''} {sql}")
        return [row[-1] for row in cursor.fetchall()]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("token", "headers", "address", "status"),
    [
        ("", {}, "127.0.0.1", 200),
        ("", {}, "::1", 200),
        ("", {}, "192.0.2.7", 403),
        ("", {"X-Forwarded-For": "192.0.2.7"}, "127.0.0.1", 403),
        ("", {"X-Forwarded-For": "127.0.0.1"}, "127.0.0.1", 403),
        ("t0ken", {}, "127.0.0.1", 401),
        ("t0ken", {"Authorization": "Bearer other"}, "127.0.0.1", 401),
        ("t0ken", {"Authorization": "Bearer t\u00f6ken"}, "127.0.0.1", 401),
        ("t0ken", {"Authorization": "Bearer t0ken"}, "192.0.2.7", 200),
    ],
)
def test_only_permitted_clients_can_read_the_metrics(
    client: Client, settings: Any, token: str, headers: dict[str, str], address: str, status: int
) -> None:
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", headers=headers, REMOTE_ADDR=address).status_code == status


def test_a_database_failure_returns_503(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> bytes:
        raise DatabaseError("password=secret host=db")

    monkeypatch.setattr("editor.services.maintenance.metrics.exposition", fails)
    response = client.get("/metrics")
    assert (response.status_code, response.text) == (503, "The database is not responding.\n")


@pytest.mark.django_db
def test_every_alert_uses_existing_metrics(alice: User, client: Client) -> None:
    cast.make_edit(alice)
    cast.make_edit(alice, state="QUEUED", submit_id=uuid.uuid4())
    ProviderHealth.objects.create(provider="photo-editor", base_url="http://a.test")
    Checkup.objects.create(pk=1, checked=timezone.now())
    there = {name for name, *_ in figures(client)}
    (group,) = yaml.safe_load(ALERTS.read_text())["groups"]
    matches = {name for rule in group["rules"] for name in re.findall(r"darkroom_\w+", rule["expr"])}
    assert matches <= there
    assert there - matches <= {"darkroom_open_edits", "darkroom_credits_balance", "darkroom_credits_held"}
    for rule in group["rules"]:
        assert rule["alert"].startswith("Darkroom")
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["annotations"]["action"].endswith(".")
        assert rule["labels"]["severity"] in ("warning", "critical")


def test_there_are_no_quantiles_without_edits(db: None) -> None:
    outcomes, seconds = metrics.ended_edits()
    assert (outcomes.samples, seconds.samples) == ([], [])
