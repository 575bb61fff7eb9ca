"""Tests for the usage page, its chart, and its CSV file."""

import csv
import io
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from editor.models import ApiKey, Edit, User, Workspace
from editor.services.core.charts import Bar, draw_chart
from tests import clock
from tests.cast import make_edit

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]
TODAY = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _time_stands_still_today() -> Any:
    with clock.at(TODAY):
        yield


def usage_of(workspace: Workspace, rest: str = "") -> str:
    return f"/w/{workspace.slug}/usage/{rest}"


def ended(user: User, team: Workspace, day: datetime = TODAY, state: str = "SUCCESS", **fields: Any) -> Edit:
    return make_edit(user, workspace=team, state=state, created=day, finished=day, **fields)


def test_the_page_shows_the_usage_of_a_month(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    ended(alice, team)
    ended(bob, team, TODAY.replace(day=3))
    ended(bob, team, TODAY.replace(day=3), state="FAILED")
    ended(bob, team, TODAY.replace(month=10))
    response = client_of(alice).get(usage_of(team))
    assert response.context["total"].edits == "3"
    assert response.context["total"].success_rate == "66.7%"
    assert response.context["total"].credits == "80"
    lines = [(line.label, line.edits, line.credits) for line in response.context["times"]]
    assert lines == [("Nov 22", "1", "40"), ("Nov 3", "2", "40")]
    assert "bob@example.org" in response.text
    assert "Nov" in response.text


def test_the_chart_has_a_bar_for_every_day_and_marks_today(
    client_of: SignIn, alice: User, team: Workspace
) -> None:
    ended(alice, team)
    page = client_of(alice).get(usage_of(team)).text
    assert page.count('class="hit"') == 30
    assert page.count("col--now") == 1
    assert "<title>Nov 22: 40 credits</title>" in page


def test_a_year_has_a_bar_for_every_month(client_of: SignIn, alice: User, team: Workspace) -> None:
    ended(alice, team)
    ended(alice, team, TODAY.replace(month=2))
    page = client_of(alice).get(usage_of(team, "?year=2026"))
    assert page.text.count('class="hit"') == 12
    assert [line.label for line in page.context["times"]] == ["November", "February"]


@pytest.mark.parametrize(
    "query",
    [
        "month=2026-13", "month=2026-00", "month=x", "month=1999-01", "month=2026-1%0A", "month=%D9%A2026-01",
        "month=" + "9" * 5000, "year=0", "year=99999", "year=%00", "year=-1",
    ],
)  # fmt: skip
def test_an_invalid_period_shows_the_current_month(
    client_of: SignIn, alice: User, team: Workspace, query: str
) -> None:
    for rest in (f"?{query}", f"csv/?{query}"):
        response = client_of(alice).get(usage_of(team, rest))
        assert response.status_code == 200
    assert "2026-11" in response.headers["Content-Disposition"]


@pytest.mark.parametrize("query", ["month=2099-12", "month=2000-01", "year=2000", "year=2099"])
def test_a_period_without_edits_says_so(client_of: SignIn, alice: User, team: Workspace, query: str) -> None:
    response = client_of(alice).get(usage_of(team, f"?{query}"))
    assert "No edits ended in" in response.text


def test_the_months_are_linked_up_to_the_current_one(client_of: SignIn, alice: User, team: Workspace) -> None:
    client = client_of(alice)
    now = client.get(usage_of(team)).text
    assert 'href="?month=2026-10"' in now
    assert 'href="?month=2026-12"' not in now
    assert 'href="?year=2026"' in now
    january = client.get(usage_of(team, "?month=2026-01")).text
    assert 'href="?month=2025-12"' in january
    assert 'href="?month=2026-02"' in january


def test_the_csv_contains_every_total_and_no_formulas(
    client_of: SignIn, alice: User, team: Workspace
) -> None:
    key = ApiKey.objects.create(public_id="abcdefgh", digest="x", user=alice, workspace=team, name="=1+1")
    ended(alice, team, api_key=key)
    response = client_of(alice).get(usage_of(team, "csv/"))
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert f"usage-{team.slug}-2026-11.csv" in response.headers["Content-Disposition"]
    header, *rows = csv.reader(io.StringIO(response.text))
    assert header == ["day", "by", "name", "edits", "finished", "failed", "credits", "usual seconds"]
    assert ["2026-11-22", "Person", "Alice Ames (alice@example.org)", "1", "1", "0", "40", "1.00"] in rows
    assert ["2026-11-22", "API key", "'=1+1 (drk_abcdefgh)", "1", "1", "0", "40", "1.00"] in rows
    assert len(rows) == 4


def test_an_editor_cannot_see_the_usage(client_of: SignIn, bob: User, team: Workspace) -> None:
    for rest in ("", "csv/"):
        assert client_of(bob).get(usage_of(team, rest)).status_code == 403


def test_the_number_of_queries_is_constant(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    client, counts = client_of(alice), []
    for day in range(1, 4):
        for user in (alice, bob):
            ended(user, team, TODAY.replace(day=day), provider=f"engine {day}")
        with CaptureQueriesContext(connection) as queries:
            client.get(usage_of(team))
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts
    assert counts[0] <= 9, counts


def test_the_page_contains_no_inline_styles_or_scripts(
    client_of: SignIn, alice: User, team: Workspace
) -> None:
    ended(alice, team)
    assert not re.search(r"<style|\sstyle=|<script(?![^>]*src)", client_of(alice).get(usage_of(team)).text)


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([], ["4", "3", "2", "1", "0"]),
        ([0], ["4", "3", "2", "1", "0"]),
        ([5], ["8", "6", "4", "2", "0"]),
        ([40], ["40", "30", "20", "10", "0"]),
        ([41], ["80", "60", "40", "20", "0"]),
        ([1720, 3], ["2,000", "1,500", "1,000", "500", "0"]),
        ([90], ["100", "75", "50", "25", "0"]),
        ([10**12], ["1,000,000,000,000", "750,000,000,000", "500,000,000,000", "250,000,000,000", "0"]),
    ],
)
def test_a_chart_ends_at_a_round_number(values: list[int], ticks: list[str]) -> None:
    chart = draw_chart([Bar(value, "", "") for value in values])
    assert chart.ticks == ticks
    for column in chart.columns:
        assert 0 <= float(column.y) <= 100
        assert float(column.y) + float(column.height) == pytest.approx(100)
