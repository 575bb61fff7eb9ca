"""Tests for the search index: which edits a search matches, and that operators in a query have no effect."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from editor.models import Edit, EditWords, User, Workspace
from editor.services.core import search
from editor.services.maintenance import invariants
from tests import cast

pytestmark = pytest.mark.django_db


def found(text: str, workspace: Workspace | None) -> list[str]:
    where = None if workspace is None else workspace.pk
    return [edit.prompt for edit in search.matching(Edit.objects.all(), text, workspace_id=where)]


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("make the sky darker", "sky"),
        ("make the sky darker", "dark sk"),
        ("make the sky darker", "DARKER make"),
        ("Café in the sun", "cafe"),
        ("a cafe in the sun", "CAFÉ"),
        ("Straße bei Nacht", "strasse"),
        ("don't crop it", "don't"),
        ("black-and-white", "black white"),
        ("把天空变暗", "天空"),
        ("сделай небо темнее", "НЕБО"),
        ("ﬁlm grain", "film"),
        ("16:9, 200%", "200"),
        ("the \U0001f600 face", "face \U0001f600"),
        ("x" * 2000, "x" * 200),
        ("snake_case_name", "case"),
    ],
)
def test_a_search_matches_the_beginnings_of_words(alice: User, prompt: str, query: str) -> None:
    cast.make_edit(alice, prompt=prompt)
    assert found(query, alice.personal_workspace) == [prompt]


@pytest.mark.parametrize(
    "query",
    ["ky", "sky car", "", " ", "\x00", "%", "_", "*", '"', "\U0001f600", "'", "skyx", "1", "xsky"],
)
def test_a_search_finds_nothing_by_other_parts_of_words(alice: User, query: str) -> None:
    cast.make_edit(alice, prompt="make the sky darker")
    assert found(query, alice.personal_workspace) == []


@pytest.mark.parametrize(
    "query",
    [
        'sky" OR "car', "sky* OR car", "sky AND NOT make", "NEAR(sky make)", "text:sky", "sky^2", "-sky",
        "(sky", "sky'", "sky':* | 'car", "sky & !make", "sky <-> make", "sky\\", "sky\x00make", "{sky}",
        "sky:*", "sky | car",
        "'; DROP TABLE editor_edit; --",
    ],
)  # fmt: skip
def test_search_operators_have_no_effect(alice: User, query: str) -> None:
    """Search operators of SQLite or PostgreSQL neither broaden a search nor break it."""
    cast.make_edit(alice, prompt="make the sky darker")
    cast.make_edit(alice, prompt="a red car")
    words = set(search.words_in(query))
    expected = ["make the sky darker"] if words <= {"sky", "make"} else []
    assert found(query, alice.personal_workspace) == expected


def test_one_workspace_or_all_workspaces_can_be_searched(alice: User, bob: User, team: Workspace) -> None:
    cast.make_edit(alice, prompt="sky of mine")
    cast.make_edit(bob, workspace=team, prompt="sky of ours")
    assert found("sky", team) == ["sky of ours"]
    assert found("sky", alice.personal_workspace) == ["sky of mine"]
    assert found("sky", None) == ["sky of ours", "sky of mine"]


def test_common_and_rare_words_are_found_everywhere_the_newest_first(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On PostgreSQL, searches for common words use a different query than searches for rare words.

    A sample of the newest edits determines which query is used.
    """
    monkeypatch.setattr(search, "SAMPLE", 3)
    monkeypatch.setattr(search, "COMMON", 2)
    for number, owner in enumerate([alice, bob, alice, bob]):
        cast.make_edit(owner, prompt=f"sky {number}")
    cast.make_edit(alice, prompt="a balloon")
    assert found("sky", None) == ["sky 3", "sky 2", "sky 1", "sky 0"]
    assert found("sky 0", None) == ["sky 0"]
    assert found("balloon", None) == ["a balloon"]


def test_a_very_long_query_finds_its_edit(alice: User) -> None:
    prompt = " ".join(f"word{number:03}" for number in range(100))
    cast.make_edit(alice, prompt=prompt)
    assert found(prompt, alice.personal_workspace) == [prompt]


def test_changed_words_are_found_and_deleted_words_are_not(alice: User) -> None:
    edit = cast.make_edit(alice, prompt="make the sky darker")
    EditWords.objects.update(text=search.text_of("a red car", edit.workspace_id))
    assert found("sky", alice.personal_workspace) == []
    assert found("car", alice.personal_workspace) == [edit.prompt]
    EditWords.objects.all().delete()
    assert found("car", alice.personal_workspace) == []


def test_a_submitted_edit_is_found(alice: User, submitted: Callable[..., Edit]) -> None:
    edit = submitted(alice)
    assert found(edit.prompt, alice.personal_workspace) == [edit.prompt]


def test_an_edit_that_is_missing_from_the_index_is_reported(alice: User) -> None:
    edit = cast.make_edit(alice)
    EditWords.objects.all().delete()
    assert invariants.find_violations(with_files=False) == [
        f"Edit {edit.pk} is missing from the search index."
    ]


def named() -> list[str]:
    return [
        sentence
        for check in (invariants.unindexed_edits, invariants.misindexed_edits)
        for sentence in check()
    ]


def test_an_edit_that_is_indexed_under_wrong_words_is_reported(alice: User) -> None:
    edit = cast.make_edit(alice)
    EditWords.objects.update(text="1xcar")
    assert named() == [f"Edit {edit.pk} has the wrong words in the search index."]


def test_an_index_that_does_not_match_its_rows_is_reported(alice: User) -> None:
    """On PostgreSQL, the index is always correct, because the database generates it from the row's text."""
    edit = cast.make_edit(alice)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DROP TRIGGER edit_words_are_changed")
        cursor.execute("UPDATE editor_editwords SET text = text || ' 1xcar'")
    names = [f"Edit {edit.pk} has the wrong words in the search index."]
    if connection.vendor == "sqlite":
        names.append("The search index does not match its rows.")
    assert named() == names


def test_a_search_is_one_query(alice: User, django_assert_num_queries: Callable[[int], Any]) -> None:
    cast.make_edit(alice)
    with django_assert_num_queries(1):
        found("sky", alice.personal_workspace)
