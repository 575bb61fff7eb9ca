"""Daily sums: written as edits end, read by time and by name."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from editor.models import DailyUsage, Edit, User, Workspace
from editor.services import invariants, lifecycle
from editor.services.usage import Axis, Sums
from tests import cast, clock
from tests.services.test_caps import keyed, send

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def ended(
    user: User, workspace: Workspace, state: str = "SUCCESS", *, seconds: float = 4, **fields: Any
) -> Edit:
    """An edit that ends through the verb, so many seconds after its submit."""
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
    assert not invariants.broken(with_files=False)


def test_an_edit_that_ends_twice_counts_once(alice: User, team: Workspace) -> None:
    edit = ended(alice, team)
    assert not lifecycle.finish(edit, Edit.State.FAILED)
    assert not lifecycle.cancel(cast.actor_of(alice, team), edit)
    assert DailyUsage.objects.get(axis="person").edits == 1


def test_nothing_at_all_has_no_share_and_no_time() -> None:
    assert (Sums().share, Sums().seconds) == (None, None)


@pytest.mark.parametrize("change", [{"edits": 2}, {"credits": 1}, {"failures": 1}, {"name": "color"}])
@pytest.mark.parametrize("axis", Axis.values)
def test_i14_a_sum_that_the_edits_do_not_say(
    alice: User, team: Workspace, axis: str, change: dict[str, Any]
) -> None:
    edit = ended(alice, team, api_key=keyed(alice, team).key)
    cast.make_edit(alice, workspace=team)
    assert not invariants.broken(with_files=False)
    if axis != Axis.KIND or "name" not in change:  # which kind it was, the plan alone says
        DailyUsage.objects.filter(axis=axis, day=edit.finished or NOON.date()).update(**change)
        assert {sentence[:3] for sentence in invariants.broken(with_files=False)} == {"I14"}


def test_i14_a_sum_that_is_missing(alice: User, team: Workspace, submitted: Callable[..., Edit]) -> None:
    lifecycle.finish(send(cast.actor_of(alice, team)), Edit.State.FAILED)
    DailyUsage.objects.filter(axis="engine").delete()
    assert {sentence[:3] for sentence in invariants.broken(with_files=False)} == {"I14"}
