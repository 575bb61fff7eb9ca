"""Tests for searching and filtering the history."""

from collections.abc import Callable
from copy import copy
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models.base import ModelState
from django.utils import timezone

from editor.models import Edit, Favorite, User, Workspace
from editor.models.edits import has_step_of_kind
from editor.models.ids import uuid7
from editor.options import EditKind
from editor.services.billing import usage
from editor.services.editing import engines
from editor.services.library import history
from editor.services.library.history import Search
from tests import cast
from tests.engines import row_of

pytestmark = pytest.mark.django_db
only_on_sqlite = pytest.mark.xfail(
    connection.vendor != "sqlite",
    run=False,
    reason="PostgreSQL chooses an index based on the number of rows.",
)


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


def test_a_star_is_visible_only_to_the_person_who_added_it(
    viewer: User, alice: User, team: Workspace
) -> None:
    edit = cast.make_edit(alice, workspace=team)
    history.toggle_favorite(cast.actor_of(viewer, team), edit)
    seen = {user: vars(history.edits_of(team).with_is_favorite(user.pk).get()) for user in (viewer, alice)}
    assert {user: row["is_favorite"] for user, row in seen.items()} == {viewer: True, alice: False}


def test_the_typical_time_is_the_median_of_recent_successes(alice: User) -> None:
    workspace, engine = alice.personal_workspace, engines.default_engine()
    assert history.typical_seconds(workspace, engine) is None
    now = timezone.now()
    for seconds in (2, 4, 60):
        cast.make_edit(alice, created=now - timedelta(seconds=seconds), finished=now)
    cast.make_edit(alice, state="FAILED", created=now - timedelta(seconds=500))
    assert history.typical_seconds(workspace, engine) == pytest.approx(4)


def test_the_typical_time_is_per_engine_and_falls_back_to_the_whole_site(alice: User, bob: User) -> None:
    now, slow = timezone.now(), row_of("photo-editor", "https://photos.example.org")
    cast.make_edit(alice, created=now - timedelta(seconds=2), finished=now)
    mine = cast.make_edit(alice, created=now - timedelta(seconds=50), finished=now, engine=slow)
    cast.make_edit(bob, created=now - timedelta(seconds=3), finished=now)
    workspace = alice.personal_workspace
    assert history.typical_seconds(workspace, slow) == pytest.approx(50)
    assert history.typical_seconds(workspace, slow, similar_to=mine) == pytest.approx(50)
    assert history.typical_seconds(bob.personal_workspace, slow) == pytest.approx(50)
    assert history.typical_seconds(bob.personal_workspace, engines.default_engine()) == pytest.approx(3)


def test_the_typical_time_is_based_on_similar_edits(alice: User) -> None:
    now = timezone.now()
    for kind, seconds in (("color", 2), ("remove", 30)):
        for _ in range(history.ENOUGH):
            plan = {"steps": [{"kind": kind}]}
            cast.make_edit(alice, created=now - timedelta(seconds=seconds), finished=now, plan=plan)
    for kind, seconds in (("color", 2), ("remove", 30), ("add", 16)):
        edit = cast.make_edit(alice, state="RUNNING", plan={"steps": [{"kind": kind}]})
        seen = history.typical_seconds(edit.workspace, engines.engine_of(edit), similar_to=edit)
        assert seen == pytest.approx(seconds)


DAY = datetime(2026, 3, 5, tzinfo=UTC)
LATE = timedelta(hours=23, minutes=59)


@pytest.fixture
def edits(alice: User, bob: User, team: Workspace) -> dict[str, Edit]:
    """Create edits in the team and an edit in bob's personal workspace. Return the team's edits by prompt."""
    cast.make_edit(bob, prompt="a sky elsewhere")
    made = [
        cast.make_edit(alice, workspace=team, prompt="old sky", id=uuid7(DAY - timedelta(seconds=1))),
        cast.make_edit(alice, workspace=team, prompt="sky", id=uuid7(DAY)),
        cast.make_edit(
            bob, workspace=team, prompt="car", state="FAILED", id=uuid7(DAY + timedelta(hours=23))
        ),
        cast.make_edit(bob, workspace=team, prompt="sky of today", state="RUNNING"),
    ]
    Favorite.objects.create(user=bob, edit=made[0])
    return {edit.prompt: edit for edit in made}


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ({}, ["sky of today", "car", "sky", "old sky"]),
        ({"words": "sky"}, ["sky of today", "sky", "old sky"]),
        ({"words": "%"}, []),
        ({"states": ["FAILED", "RUNNING"]}, ["sky of today", "car"]),
        ({"words": "sky", "states": ["SUCCESS"]}, ["sky", "old sky"]),
        ({"since": DAY.date()}, ["sky of today", "car", "sky"]),
        ({"until": DAY.date()}, ["car", "sky", "old sky"]),
        ({"since": DAY.date(), "until": DAY.date(), "words": "sk"}, ["sky"]),
        ({"since": date.min}, ["sky of today", "car", "sky", "old sky"]),
        ({"until": date(1, 1, 1)}, []),
        ({"made_by": 0}, []),
    ],
)
def test_a_search_finds_the_matching_edits_newest_first(
    alice: User, team: Workspace, edits: dict[str, Edit], search: dict[str, Any], found: list[str]
) -> None:
    page = history.page_of(cast.actor_of(alice, team), Search(**search), size=10)
    assert [edit.prompt for edit in page.rows] == found


def test_edits_can_be_searched_by_owner_or_by_star(
    alice: User, bob: User, team: Workspace, edits: dict[str, Edit]
) -> None:
    for search, found in (
        (Search(made_by=alice.pk), ["sky", "old sky"]),
        (Search(starred_by=bob.pk), ["old sky"]),
        (Search(starred_by=alice.pk), []),
        (Search(words="sky", made_by=bob.pk), ["sky of today"]),
    ):
        page = history.page_of(cast.actor_of(alice, team), search, size=10)
        assert [edit.prompt for edit in page.rows] == found


@pytest.mark.parametrize("asked", [{}, {"words": "sky"}])
def test_search_results_can_be_paged_in_both_directions(
    alice: User, team: Workspace, edits: dict[str, Edit], asked: dict[str, Any]
) -> None:
    actor, search = cast.actor_of(alice, team), Search(**asked)
    every = history.page_of(actor, search, size=10).rows
    first = history.page_of(actor, search, size=2)
    second = history.page_of(actor, search, size=2, before=first.older)
    assert first.rows + second.rows == every[:4]
    assert history.page_of(actor, search, size=2, after=second.newer) == first


@pytest.mark.parametrize("words", ["", "sky"])
@pytest.mark.parametrize("count", [2, 12])
def test_a_page_costs_three_queries_whatever_its_length(
    alice: User, django_assert_num_queries: Callable[[int], Any], words: str, count: int
) -> None:
    for _ in range(count):
        cast.make_edit(alice, prompt="sky", price=1)
    actor = cast.actor_of(alice)
    with django_assert_num_queries(3):
        page = history.page_of(actor, Search(words=words), size=20)
    assert len(page.rows) == count


@only_on_sqlite
def test_filtering_by_engine_uses_an_index_of_the_workspaces_edits(alice: User) -> None:
    row_of("photo-editor", "https://photos.example.org")
    assert "workspace_edits_by_engine" in plan_of(Search(engine="photo-editor"), alice.personal_workspace)


@only_on_sqlite
def test_filtering_by_review_state_uses_an_index_of_the_review_states(team: Workspace) -> None:
    assert "edits_by_review_state" in plan_of(Search(review_state="in_review"), team)


def plan_of(search: Search, workspace: Workspace) -> str:
    return search.filter(history.edits_of(workspace), workspace_id=workspace.pk).explain()


@pytest.mark.parametrize("kind", EditKind)
def test_filtering_by_kind_uses_an_index_for_this_kind(alice: User, kind: EditKind) -> None:
    edits = history.edits_of(alice.personal_workspace).filter(has_step_of_kind(kind))
    if connection.vendor == "postgresql":  # PostgreSQL uses this index only if there are enough rows.
        edit = cast.make_edit(alice)
        Edit.objects.bulk_create(copy_of(edit) for _ in range(1000))
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE editor_edit")
    assert f"edits_that_{kind}" in edits.explain()


def copy_of(edit: Edit) -> Edit:
    another = copy(edit)
    another.id, another.submit_id, another._state = uuid7(), uuid7(), ModelState()
    return another


def test_every_kind_of_edit_has_a_label() -> None:
    assert set(usage.KIND_LABELS) == {*EditKind, usage.SEVERAL, usage.UNKNOWN}
