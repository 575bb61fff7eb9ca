"""Tests for the daily totals, which are updated when edits end, and are read by period and by name."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from editor.models import DailyUsage, Edit, User, Workspace
from editor.services.billing import usage
from editor.services.billing.usage import Axis, Period, Sums
from editor.services.core.errors import Forbidden
from editor.services.editing import lifecycle
from editor.services.maintenance import invariants
from tests import cast, clock
from tests.services.billing.test_caps import keyed, send

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
NOVEMBER = Period(2026, 11)


def ended(
    user: User, workspace: Workspace, state: str = "SUCCESS", *, seconds: float = 4, **fields: Any
) -> Edit:
    """Create an edit, and let the service function end it this many seconds after its submission."""
    finished = fields.pop("finished", NOON)
    created = finished - timedelta(seconds=seconds)
    edit = cast.make_edit(user, workspace=workspace, state="STORING", created=created, results=1, **fields)
    with clock.at(finished, tick=False):
        assert lifecycle.finish(edit, Edit.State(state))
    return edit


def plan_of(*kinds: str) -> dict[str, Any]:
    return {"steps": [{"kind": kind} for kind in kinds]}


def test_an_edit_that_ends_counts_once_on_each_axis(alice: User, team: Workspace) -> None:
    key = keyed(alice, team).key
    ended(alice, team, plan=plan_of("color", "color"), api_key=key)
    rows = DailyUsage.objects.order_by("axis").values_list("axis", "name", "edits", "successes", "credits")
    assert key is not None
    assert list(rows) == [
        ("engine", "embedded", 1, 1, 40),
        ("key", str(key.pk), 1, 1, 40),
        ("kind", "color", 1, 1, 40),
        ("person", str(alice.pk), 1, 1, 40),
    ]
    assert not invariants.find_violations(with_files=False)


def test_an_edit_that_ends_twice_counts_once(alice: User, team: Workspace) -> None:
    edit = ended(alice, team)
    assert not lifecycle.finish(edit, Edit.State.FAILED)
    assert not lifecycle.cancel(cast.actor_of(alice, team), edit)
    assert DailyUsage.objects.get(axis="person").edits == 1


def test_the_usage_of_a_month_is_totaled_by_day(alice: User, bob: User, team: Workspace) -> None:
    for state in ("SUCCESS", "SUCCESS", "FAILED", "CANCELLED"):
        ended(alice, team, state)
    ended(bob, team, finished=NOON + timedelta(days=1))
    ended(bob, team, finished=NOON + timedelta(days=30))
    ended(alice, alice.personal_workspace)
    times = usage.sums_by_time(cast.actor_of(alice, team), NOVEMBER)
    assert list(times) == [date(2026, 11, 22), date(2026, 11, 23)]
    first = times[date(2026, 11, 22)]
    assert (first.edits, first.successes, first.failures, first.credits) == (4, 2, 1, 80)
    assert first.success_rate == pytest.approx(2 / 3)
    assert not invariants.find_violations(with_files=False)


def test_the_usage_of_a_year_is_totaled_by_month(alice: User, team: Workspace) -> None:
    for month in (1, 1, 12):
        ended(alice, team, finished=datetime(2026, month, 31, 23, 59, tzinfo=UTC))
    ended(alice, team, finished=datetime(2027, 1, 1, tzinfo=UTC))
    times = usage.sums_by_time(cast.actor_of(alice, team), Period(2026))
    assert {first: sums.edits for first, sums in times.items()} == {date(2026, 1, 1): 2, date(2026, 12, 1): 1}


def test_usage_is_totaled_by_member_key_engine_and_kind(alice: User, bob: User, team: Workspace) -> None:
    key = keyed(bob, team).key
    ended(alice, team, plan=plan_of("color"))
    ended(alice, team, plan=plan_of("color", "add"))
    ended(bob, team, "FAILED", api_key=key, provider="photo-editor")
    lists = usage.sums_by_name(cast.actor_of(alice, team), NOVEMBER)
    totals = {
        axis: [(label, sums.edits, sums.credits) for label, sums in lines] for axis, lines in lists.items()
    }
    assert key is not None
    assert totals == {
        Axis.PERSON: [("Alice Ames (alice@example.org)", 2, 80), ("bob@example.org", 1, 0)],
        Axis.KEY: [(f"Script (drk_{key.public_id})", 1, 0)],
        Axis.ENGINE: [("Built-in", 2, 80), ("External site", 1, 0)],
        Axis.KIND: [("Color", 1, 40), ("Multiple", 1, 40), ("Unknown", 1, 0)],
    }


def test_one_slow_edit_hardly_changes_the_typical_time(alice: User, team: Workspace) -> None:
    for seconds in (3, 4, 4, 4, 5, 600):
        ended(alice, team, seconds=seconds)
    ended(alice, team, "FAILED", seconds=3_000)
    (sums,) = usage.sums_by_time(cast.actor_of(alice, team), NOVEMBER).values()
    assert sums.typical_seconds == pytest.approx(9, abs=1)


@pytest.mark.parametrize("seconds", [0, -5])
def test_an_edit_that_took_no_time_counts(alice: User, team: Workspace, seconds: float) -> None:
    ended(alice, team, seconds=seconds)
    (sums,) = usage.sums_by_time(cast.actor_of(alice, team), NOVEMBER).values()
    assert sums.typical_seconds == pytest.approx(0.05, abs=0.001)


def test_empty_totals_have_no_success_rate_and_no_typical_time() -> None:
    assert (Sums().success_rate, Sums().typical_seconds) == (None, None)


def test_a_member_without_permission_cannot_see_the_usage(bob: User, team: Workspace) -> None:
    for ask in (usage.sums_by_time, usage.sums_by_name):
        with pytest.raises(Forbidden):
            ask(cast.actor_of(bob, team), NOVEMBER)


@pytest.mark.parametrize("change", [{"edits": 2}, {"credits": 1}, {"failures": 1}, {"name": "color"}])
@pytest.mark.parametrize("axis", Axis.values)
def test_i14_reports_a_total_that_does_not_match_the_edits(
    alice: User, team: Workspace, axis: str, change: dict[str, Any]
) -> None:
    edit = ended(alice, team, api_key=keyed(alice, team).key)
    cast.make_edit(alice, workspace=team)
    assert not invariants.find_violations(with_files=False)
    # The kind of an edit is stored only in the edit's plan, so a wrong name for a kind cannot be detected.
    if axis != Axis.KIND or "name" not in change:
        DailyUsage.objects.filter(axis=axis, day=edit.finished or NOON.date()).update(**change)
        assert {sentence[:3] for sentence in invariants.find_violations(with_files=False)} == {"I14"}


def test_i14_reports_a_missing_total(alice: User, team: Workspace, submitted: Callable[..., Edit]) -> None:
    lifecycle.finish(send(cast.actor_of(alice, team)), Edit.State.FAILED)
    DailyUsage.objects.filter(axis="engine").delete()
    assert {sentence[:3] for sentence in invariants.find_violations(with_files=False)} == {"I14"}
