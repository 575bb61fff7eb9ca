"""Tests for the endpoints that monitoring uses."""

from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from editor.services.maintenance import schema


def test_the_health_check_makes_no_query(client: Client) -> None:
    # These tests have no access to the database, so they fail if the endpoint makes a query.
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_a_site_that_can_work_is_ready(client: Client) -> None:
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == {"status": "ok", "database": "ok", "migrations": "ok", "data_folder": "ok"}
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.django_db
def test_the_readiness_check_needs_at_most_three_queries(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    client.get("/readyz")
    with django_assert_max_num_queries(3):
        client.get("/readyz")


@pytest.mark.django_db
def test_a_site_with_a_missing_migration_is_not_ready(client: Client) -> None:
    MigrationRecorder(connection).record_unapplied("editor", "0001_initial")
    newest = max(name for app, name in schema.newest_migrations() if app == "editor")
    MigrationRecorder(connection).record_unapplied("editor", newest)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["migrations"]) == (503, "missing")


def test_a_site_without_a_database_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise DatabaseError("password=secret host=db")

    monkeypatch.setattr(type(connection._connections["default"]), "cursor", fails)  # type: ignore[attr-defined]
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["database"] == "no answer"
    assert "secret" not in response.text


@pytest.mark.django_db
def test_a_site_with_an_unwritable_data_folder_is_not_ready(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path / "gone"
    response = client.get("/readyz")
    assert (response.status_code, response.json()["data_folder"]) == (503, "not writable")
