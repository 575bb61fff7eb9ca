"""Looking back."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from editor.models import User, Workspace
from editor.services import history
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("count", [2, 12])
def test_a_workspaces_edits_cost_three_queries_whatever_their_number(
    alice: User, charlie: User, django_assert_num_queries: Callable[[int], Any], count: int
) -> None:
    made = [cast.make_edit(alice, price=10) for _ in range(count)]
    cast.make_edit(charlie)
    with django_assert_num_queries(3):
        edits = list(history.edits_of(alice.personal_workspace))
        assert [(edit.owner.email, len(edit.results.all())) for edit in edits] == [(alice.email, 1)] * count
    assert edits == made[::-1]


def test_a_star_is_given_and_taken_away(alice: User) -> None:
    edit, actor = cast.make_edit(alice), cast.actor_of(alice)
    assert history.toggle_favorite(actor, edit) is True
    assert history.is_favorite(actor, edit)
    assert history.toggle_favorite(actor, edit) is False
    assert not history.is_favorite(actor, edit)


def test_a_star_is_a_persons_own(viewer: User, alice: User, team: Workspace) -> None:
    edit = cast.make_edit(alice, workspace=team)
    history.toggle_favorite(cast.actor_of(viewer, team), edit)
    seen = {user: vars(history.edits_of(team).starred_for(user.pk).get()) for user in (viewer, alice)}
    assert {user: row["is_favorite"] for user, row in seen.items()} == {viewer: True, alice: False}


def test_the_typical_time_is_the_median_of_recent_successes(alice: User) -> None:
    workspace = alice.personal_workspace
    assert history.typical_seconds(workspace) is None
    now = timezone.now()
    for seconds in (2, 4, 60):
        cast.make_edit(alice, created=now - timedelta(seconds=seconds), finished=now)
    cast.make_edit(alice, state="FAILED", created=now - timedelta(seconds=500))
    assert history.typical_seconds(workspace) == pytest.approx(4)
