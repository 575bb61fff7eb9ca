"""Tests for the rate at which an upstream site receives status requests."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from editor.models import Edit, User
from editor.providers.contract import EditRequest, Update
from editor.services.editing import leases, pacing
from tests import cast, clock
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _slow_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacing, "POLLS_PER_SECOND", 0.5)
    # Engine IDs repeat from test to test, so clear the cached numbers.
    pacing._in_flight.cache_clear()


def running(user: User, base_url: str, count: int = 1) -> Edit:
    edits = [
        cast.make_edit(
            user,
            state="RUNNING",
            provider="photo-editor",
            base_url=base_url,
            price=1,
            ticket={"task_id": "task-1", "details": {}},
        )
        for _ in range(count)
    ]
    return edits[0]


def _say(update: Update, request: EditRequest) -> Update:
    return update


def test_the_more_edits_are_in_flight_at_a_url_the_less_often_each_is_polled(alice: User) -> None:
    assert pacing.min_poll_delay(running(alice, "https://two.test", 2)) == 4
    assert pacing.min_poll_delay(running(alice, "https://three.test", 3)) == 6


def overdue(user: User, base_url: str, *, late: int, of: int) -> Edit:
    """Create `of` edits in flight, `late` of which are overdue. Return another edit that is in the queue."""
    running(user, base_url, of)
    then = timezone.now() - pacing.LATE_AFTER - timedelta(seconds=1)
    in_flight = Edit.objects.filter(base_url=base_url)
    in_flight.update(due=timezone.now() + timedelta(minutes=1))
    Edit.objects.filter(id__in=list(in_flight.values_list("id", flat=True)[:late])).update(due=then)
    return cast.make_edit(user, state="QUEUED", provider="photo-editor", base_url=base_url, price=1)


@pytest.mark.parametrize(
    ("late", "of", "is_begun"),
    [(0, 3, True), (1, 3, True), (2, 3, False), (3, 99, False), (2, 99, True), (3, 100, True)],
)
def test_an_edit_stays_queued_while_too_many_edits_in_flight_are_overdue(
    alice: User, settings: Any, late: int, of: int, is_begun: bool
) -> None:
    settings.UPSTREAM_IN_FLIGHT = settings.RUNNING_PER_USER = 1000
    edit = overdue(alice, "https://late.test", late=late, of=of)
    before = timezone.now()
    assert (leases.claim(edit.id) is not None) is is_begun
    edit.refresh_from_db()
    assert edit.state == "QUEUED"
    assert (edit.due > before) is not is_begun
    Edit.objects.filter(state="RUNNING").update(lease_until=timezone.now() + timedelta(minutes=1))
    Edit.objects.filter(id=edit.id).update(due=timezone.now(), lease_until=None, claimed=None)
    assert leases.claim(edit.id) is not None, "an edit whose status is being requested is no longer late"


def test_overdue_edits_at_one_url_do_not_delay_edits_at_other_engines(alice: User, settings: Any) -> None:
    settings.UPSTREAM_IN_FLIGHT = settings.RUNNING_PER_USER = 1000
    overdue(alice, "https://late.test", late=9, of=9)
    for base_url in ("https://well.test", ""):
        edit = cast.make_edit(alice, state="QUEUED", provider="photo-editor", base_url=base_url, price=1)
        assert leases.claim(edit.id) is not None


def test_no_edit_waits_longer_than_the_longest_pause(alice: User) -> None:
    assert pacing.min_poll_delay(running(alice, "https://many.test", 5)) == pacing.MAX_POLL_SECONDS


def test_polls_of_the_built_in_engine_are_not_delayed(alice: User) -> None:
    assert pacing.min_poll_delay(running(alice, "", 3)) == 0


def test_an_edit_is_due_after_the_longer_of_both_pauses(
    alice: User, engine: ScriptedEngine, advance: Callable[..., Edit]
) -> None:
    edit = running(alice, "https://crowded.test", 3)
    for pause, wanted in ((2, 6), (7, 7)):
        still = Update("running", poll_after=pause)
        engine.on_poll = partial(_say, still)
        with clock.at(timezone.now(), tick=False):
            due = advance(edit).due - timezone.now()
        assert wanted - 1 < due.total_seconds() <= wanted
