"""Tests for lists that are paged by key."""

from collections.abc import Callable
from typing import Any

import pytest

from editor.models import CreditEntry, Edit, User
from editor.services.core.paging import Page, page_by_key
from tests import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def entries(alice: User) -> list[CreditEntry]:
    """Create seven entries and return them, newest first. The opening grant is the oldest."""
    for number in range(6):
        cast.make_grant(alice.personal_workspace, 1, reason=str(number))
    return list(CreditEntry.objects.order_by("-id"))


def page(**keys: str) -> Page[CreditEntry]:
    return page_by_key(CreditEntry.objects.all(), size=3, **keys)


def test_paging_reaches_the_oldest_rows_and_returns(entries: list[CreditEntry]) -> None:
    first = page()
    second = page(before=first.older)
    third = page(before=second.older)
    assert first.rows + second.rows + third.rows == entries
    assert (first.newer, third.older) == ("", "")
    assert page(after=third.newer) == second
    assert page(after=second.newer) == first


def test_new_rows_do_not_shift_the_older_pages(entries: list[CreditEntry], alice: User) -> None:
    first = page()
    cast.make_grant(alice.personal_workspace, 1)
    assert page(before=first.older).rows == entries[3:6]


def test_too_few_newer_rows_for_a_page_show_the_newest_page(entries: list[CreditEntry]) -> None:
    assert page(after=str(entries[1].pk)) == page()


def test_the_page_before_the_oldest_row_is_empty(entries: list[CreditEntry]) -> None:
    assert page(before=str(entries[-1].pk)) == Page([])


@pytest.mark.parametrize(
    "key", ["", "0", "-1", "x", "1 ", "\u0663", "\x00", "9" * 19, "9" * 5000, "1e3", "01", "None"]
)
@pytest.mark.parametrize("way", ["before", "after"])
def test_an_invalid_key_shows_the_newest_rows(entries: list[CreditEntry], way: str, key: str) -> None:
    assert page(**{way: key}).rows == entries[:3]


@pytest.mark.parametrize("key", ["", "1", "x" * 32, "\x00", "0193"])
def test_edits_are_paged_by_uuid_and_an_invalid_one_shows_the_newest(alice: User, key: str) -> None:
    edits = [cast.make_edit(alice) for _ in range(3)][::-1]
    assert page_by_key(Edit.objects.all(), size=2, before=key).rows == edits[:2]
    assert page_by_key(Edit.objects.all(), size=2, before=str(edits[1].pk)).rows == edits[2:]


def test_a_page_is_one_query(
    entries: list[CreditEntry], django_assert_num_queries: Callable[[int], Any]
) -> None:
    with django_assert_num_queries(1):
        page(before=str(entries[2].pk))
