"""How often another site is asked about the edits that it has."""

from collections.abc import Callable
from functools import partial

import pytest
from django.utils import timezone

from editor.models import Edit, User
from editor.providers.contract import EditRequest, Update
from editor.services import pace
from tests import cast
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _slow_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "QUESTIONS_A_SECOND", 0.5)


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


def test_the_more_edits_are_in_flight_at_an_address_the_seldomer_each_is_asked_about(alice: User) -> None:
    assert pace.least_pause(running(alice, "https://two.test", 2)) == 4
    assert pace.least_pause(running(alice, "https://three.test", 3)) == 6


def test_no_edit_waits_longer_than_the_longest_pause(alice: User) -> None:
    assert pace.least_pause(running(alice, "https://many.test", 5)) == pace.LONGEST


def test_our_own_engine_is_not_waited_for(alice: User) -> None:
    assert pace.least_pause(running(alice, "", 3)) == 0


def test_an_edit_is_due_after_the_longer_of_both_pauses(
    alice: User, engine: ScriptedEngine, advance: Callable[..., Edit]
) -> None:
    edit = running(alice, "https://crowded.test", 3)
    for asked, wanted in ((2, 6), (7, 7)):
        still = Update("running", poll_after=asked)
        engine.on_poll = partial(_say, still)
        due = advance(edit).due - timezone.now()
        assert wanted - 1 < due.total_seconds() <= wanted
