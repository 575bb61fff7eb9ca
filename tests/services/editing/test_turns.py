"""Tests for the order in which wake-ups start waiting edits."""

import uuid
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from editor.models import Batch, Edit, User, Workspace
from editor.services.editing import leases, lifecycle, turns
from tests import cast, clock
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db
ELSEWHERE: dict[str, Any] = {"provider": "photo-editor", "base_url": "https://other.example.org"}


@pytest.fixture(autouse=True)
def _many_places(settings: Any) -> None:
    settings.RUNNING_PER_USER = 10


def queued(user: User, workspace: Workspace | None = None, **fields: Any) -> Edit:
    return cast.make_edit(user, workspace=workspace, state="QUEUED", price=1, references=0, **fields)


def running(user: User, workspace: Workspace | None = None, **fields: Any) -> Edit:
    return cast.make_edit(user, workspace=workspace, state="RUNNING", price=1, references=0, **fields)


def ended(user: User, workspace: Workspace | None = None, *, ago: float, **fields: Any) -> Edit:
    """Create an edit that ended this many seconds ago."""
    at = timezone.now() - timedelta(seconds=ago)
    state = fields.pop("state", "SUCCESS")
    return cast.make_edit(
        user, workspace=workspace, state=state, price=1, references=0, finished=at, **fields
    )


def in_batch(user: User, *, ago: float = 0, **fields: Any) -> Edit:
    place = user.personal_workspace
    batch = Batch.objects.create(workspace=place, owner=user, photos=1, price=1, submit_id=uuid.uuid4())
    created = timezone.now() - timedelta(seconds=ago)
    return queued(user, batch=batch, batch_position=1, created=created, **fields)


def begun_by(edit: Edit) -> uuid.UUID | None:
    """Return the ID of the edit that a worker starts when it receives this edit's wake-up."""
    claimed = leases.claim(edit.id)
    return claimed.id if claimed else None


def test_the_workspace_with_fewer_running_edits_is_first_for_any_wake_up(alice: User, charlie: User) -> None:
    running(alice)
    mine = [queued(alice) for _ in range(6)]
    other = queued(charlie)
    assert begun_by(mine[0]) == other.id


def test_an_edit_that_a_worker_is_just_beginning_counts_as_running(alice: User, charlie: User) -> None:
    mine = [queued(alice) for _ in range(3)]
    assert begun_by(mine[0]) == mine[0].id
    other = queued(charlie)
    assert begun_by(mine[1]) == other.id


def test_with_equally_many_running_edits_the_least_recently_served_is_first(
    alice: User, charlie: User
) -> None:
    ended(alice, ago=5)
    ended(charlie, ago=50, state="FAILED")
    mine, other = queued(alice), queued(charlie)
    assert begun_by(mine) == other.id
    ended(charlie, ago=1, state="CANCELLED")
    assert begun_by(queued(charlie)) == mine.id


def test_within_a_workspace_people_take_turns(alice: User, bob: User, team: Workspace) -> None:
    running(alice, team)
    mine, other = queued(alice, team), queued(bob, team)
    assert begun_by(mine) == other.id


def test_the_least_recently_served_team_member_is_first(alice: User, bob: User, team: Workspace) -> None:
    ended(alice, team, ago=5)
    ended(bob, team, ago=50)
    mine, other = queued(alice, team), queued(bob, team)
    assert begun_by(mine) == other.id


def test_several_workspaces_get_a_person_no_additional_turns(
    alice: User, charlie: User, team: Workspace
) -> None:
    ended(charlie, ago=5)
    running(alice)
    mine, other = queued(alice, team), queued(charlie)
    assert begun_by(mine) == other.id


def test_a_person_who_was_just_served_elsewhere_waits_for_the_next_turn(
    alice: User, charlie: User, team: Workspace
) -> None:
    ended(charlie, ago=50)
    ended(alice, ago=5)
    mine, other = queued(alice, team), queued(charlie)
    assert begun_by(mine) == other.id


def test_a_persons_edits_start_in_the_order_of_their_due_times(alice: User) -> None:
    now = timezone.now()
    later, first = (queued(alice, due=now - timedelta(seconds=ago)) for ago in (1, 9))
    assert [begun_by(later), begun_by(later)] == [first.id, later.id]


def test_a_batch_yields_to_single_edits_of_all_owners(alice: User, charlie: User) -> None:
    running(charlie)
    photo, other, mine = in_batch(alice), queued(charlie), queued(alice)
    assert [begun_by(photo) for _ in range(3)] == [mine.id, other.id, photo.id]


def test_a_batch_that_has_waited_long_takes_turns_with_other_peoples_single_edits(
    alice: User, charlie: User
) -> None:
    running(charlie)
    photo = in_batch(alice, ago=turns.BATCH_YIELD_PERIOD.total_seconds() + 1)
    assert begun_by(queued(charlie)) == photo.id


def test_a_batch_always_yields_to_its_owners_single_edits(alice: User) -> None:
    photo = in_batch(alice, ago=turns.BATCH_YIELD_PERIOD.total_seconds() + 1)
    mine = queued(alice)
    assert [begun_by(photo), begun_by(photo)] == [mine.id, photo.id]


def test_an_edit_whose_worker_died_can_start_again_after_the_lease(alice: User, settings: Any) -> None:
    edit = queued(alice)
    assert begun_by(edit) == edit.id
    assert begun_by(edit) is None
    with clock.later(settings.LEASE_SECONDS + 1):
        assert begun_by(edit) == edit.id


def test_each_wake_up_begins_one_edit_until_all_are_begun(
    alice: User, bob: User, charlie: User, team: Workspace
) -> None:
    edits = [queued(alice), queued(alice), queued(bob, team), queued(charlie), queued(charlie)]
    begun = [begun_by(edit) for edit in edits]
    assert sorted(map(str, begun)) == sorted(str(edit.id) for edit in edits)
    assert [begun_by(edit) for edit in edits] == [None] * 5


def test_an_extra_wake_up_of_a_running_edit_starts_another_edit(alice: User, charlie: User) -> None:
    mine, other = running(alice), queued(charlie)
    assert begun_by(mine) == mine.id
    assert begun_by(mine) == other.id


def test_an_edit_without_a_free_slot_is_skipped_and_checked_again_later(
    alice: User, charlie: User, settings: Any
) -> None:
    settings.RUNNING_PER_USER = 1
    running(alice)
    for _ in range(2):
        ended(charlie, ago=1)
    mine, other = queued(alice), queued(charlie)
    before = timezone.now()
    assert begun_by(mine) == other.id
    mine.refresh_from_db()
    assert mine.due > before


def test_an_engine_without_a_free_slot_is_skipped(alice: User, charlie: User, settings: Any) -> None:
    settings.UPSTREAM_IN_FLIGHT = 1
    running(charlie, **ELSEWHERE)
    running(alice)
    another = ELSEWHERE | {"base_url": "https://another.example.org"}
    full, free = queued(charlie, **ELSEWHERE), queued(alice, **another)
    before = timezone.now()
    assert begun_by(full) == free.id
    full.refresh_from_db()
    assert full.due > before


def test_a_wake_up_starts_only_edits_of_its_own_kind_of_engine(alice: User, charlie: User) -> None:
    away, here = queued(charlie, **ELSEWHERE), queued(alice)
    late = queued(charlie, **ELSEWHERE)
    assert begun_by(here) == here.id
    assert begun_by(here) is None
    assert begun_by(late) == away.id


def test_nobody_waits_forever_while_others_keep_queuing_edits(alice: User, bob: User, charlie: User) -> None:
    """With one worker, every third edit that is started belongs to charlie."""
    served: Counter[int] = Counter()
    for user in (alice, bob, charlie):
        for _ in range(3):
            queued(user)
    now = timezone.now()
    for turn in range(9):
        with clock.at(now + timedelta(seconds=10 + turn), tick=False):
            queued(alice), queued(bob)
            claimed = leases.claim(uuid.uuid4())
            assert claimed is not None
            lifecycle.finish(claimed, Edit.State.FAILED, code="rejected")
            served[claimed.owner_id] += 1
    assert served == {alice.pk: 3, bob.pk: 3, charlie.pk: 3}


def test_the_sweep_does_not_start_waiting_edits(
    alice: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The waiting edit does not start even if another worker claims the late edit.

    The claim happens just before the sweep would end the late edit.
    """
    now = timezone.now()
    late, waiting = running(alice, deadline=now - timedelta(seconds=1)), queued(charlie)
    lease = {"lease_until": now + timedelta(minutes=1)}
    monkeypatch.setattr(lifecycle, "crash_point", lambda _: Edit.objects.filter(id=late.id).update(**lease))
    lifecycle.sweep()
    waiting.refresh_from_db()
    assert (waiting.state, waiting.attempts, waiting.lease_until) == ("QUEUED", 0, None)


def test_the_sweep_wakes_started_edits_with_priority_over_waiting_ones(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: dict[uuid.UUID, int] = {}
    monkeypatch.setattr(lifecycle, "wake", lambda edit, *, at, priority: woken.update({edit.id: priority}))
    mine, away, waiting = running(alice), running(alice, **ELSEWHERE), queued(alice)
    lifecycle.sweep()
    assert woken == {
        mine.id: lifecycle.CONTINUE_PRIORITY,
        away.id: lifecycle.POLL_PRIORITY,
        waiting.id: lifecycle.POLL_PRIORITY,
    }


def test_a_clean_end_of_a_stage_leaves_no_trace_of_its_claim(
    alice: User, engine: ScriptedEngine, submitted: Callable[..., Edit], advance: Callable[..., Edit]
) -> None:
    edit = submitted(alice)
    for state in ("RUNNING", "STORING", "SUCCESS"):
        edit = advance(edit)
        assert (edit.state, edit.claimed) == (state, None)


HEAVY = timedelta(seconds=turns.HEAVY_SECONDS + 1)


def failed(user: User, *, ago: float, work: timedelta = HEAVY, **fields: Any) -> Edit:
    at = timezone.now() - timedelta(seconds=ago)
    fields = {"failure_code": "timeout", "deadline": at + timedelta(minutes=5), **fields}
    return ended(user, ago=ago, **{"state": "FAILED", "started": at - work, **fields})


def places(user: User) -> int:
    """Return the number of edits that this user may run at the same time.

    The function measures this number by queuing four more edits.
    """
    edits = [queued(user) for _ in range(4)]
    return len([edit for edit in edits if begun_by(edit)])


def test_three_heavy_failures_within_ten_minutes_halve_a_persons_running_limit(
    alice: User, charlie: User, settings: Any
) -> None:
    settings.RUNNING_PER_USER = 4
    for ago in (550, 60, 1):
        failed(alice, ago=ago)
    assert (places(alice), places(charlie)) == (2, 4)


def test_the_halved_limit_is_at_least_one_edit(alice: User, settings: Any) -> None:
    settings.RUNNING_PER_USER = 1
    for ago in (3, 2, 1):
        failed(alice, ago=ago)
    assert places(alice) == 1


@pytest.mark.parametrize(
    ("ages", "are_halved"),
    [
        ((2, 1), False),
        ((1190, 900, 595), True),  # The period begins at the last failure, not at the first one.
        ((1190, 900, 601), False),
        ((601 + 5, 300, 1), False),
        ((900, 601, 300, 2), True),
    ],
)
def test_the_limit_is_halved_for_ten_minutes_from_the_third_failure_on(
    alice: User, ages: tuple[float, ...], are_halved: bool
) -> None:
    with clock.at(timezone.now(), tick=False):
        for ago in ages:
            failed(alice, ago=ago)
        assert (alice.pk in turns.owners_of_heavy_failures(timezone.now())) is are_halved


@pytest.mark.parametrize(
    "failure",
    [
        {"work": timedelta(seconds=turns.HEAVY_SECONDS - 1)},
        {"state": "CANCELLED", "failure_code": "cancelled"},
        {"state": "SUCCESS", "failure_code": ""},
        {"failure_code": "storage"},
        {"failure_code": "not_fetched", "started": None},
        {"deadline": timezone.now() - timedelta(hours=1)},  # No worker was free before the deadline.
        ELSEWHERE,
    ],
    ids=["light", "cancelled", "success", "disk", "not fetched", "late", "another site"],
)
def test_only_heavy_failures_in_the_built_in_engine_count(alice: User, failure: dict[str, Any]) -> None:
    for ago in (3, 2, 1):
        failed(alice, ago=ago, **failure)
    assert turns.owners_of_heavy_failures(timezone.now()) == set()


def test_edits_on_another_site_keep_the_full_limit(alice: User, settings: Any) -> None:
    settings.RUNNING_PER_USER = 2
    for ago in (3, 2, 1):
        failed(alice, ago=ago)
    edits = [queued(alice, **ELSEWHERE) for _ in range(3)]
    assert [begun_by(edit) is not None for edit in edits] == [True, True, False]
