"""Tests that every page formats large numbers with the separators of the user's language."""

import re
import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from editor.models import Edit, User, Workspace
from tests.cast import make_grant, make_staff
from tests.pages.people.test_closing import sure

pytestmark = pytest.mark.django_db
type SignIn = Callable[[User], Client]
MANY, RICH = 1234, 2_345_678
_UNREAD = re.compile(r"<(script|style|code|pre)\b.*?</\1>|<[^>]*>", re.DOTALL)
_PLAIN = re.compile(r"(?<![\d.,:-])\d{4,}(?![\d:-])")
# Numbers that have no separators: years, and side lengths of pictures in pixels.
_NAMES = {str(timezone.now().year + years) for years in (-1, 0, 1)} | {"1024", "1600", "2048"}


@pytest.fixture
def busy(alice: User, bob: User, team: Workspace) -> Workspace:
    """Create a team that has a large balance and many edits by bob, some of which are in the trash."""
    make_grant(team, RICH)
    now = timezone.now() - timedelta(days=40)
    shared = {"workspace": team, "owner": bob, "state": "CANCELLED", "prompt": "darker", "price": 40}
    times = {"created": now, "due": now, "deadline": now, "finished": now}
    Edit.objects.bulk_create(
        Edit(**shared, **times, submit_id=uuid.uuid4(), trashed=trashed, purge_due=trashed)
        for trashed in (None, timezone.now())
        for _ in range(MANY)
    )
    return team


def plain_numbers(page: str) -> set[str]:
    return set(_PLAIN.findall(_UNREAD.sub(" ", page))) - _NAMES


def test_it_finds_a_number_without_separators() -> None:
    assert plain_numbers("<p>1234 edits, 1,234 edits, 12:30, 2048 px, 40 credits</p>") == {"1234"}


PATHS = ["", "history/", "credits/", "usage/", "batches/new/", "trash/", "settings/"]
COUNTING = ["trash/empty/", "settings/close/", "settings/retention/?days=10", "members/{bob}/remove/"]


@pytest.mark.parametrize(("language", "many"), [("en", "1,234"), ("de", "1.234")])
def test_the_pages_of_a_busy_team_format_large_numbers(
    client_of: SignIn, alice: User, bob: User, busy: Workspace, language: str, many: str
) -> None:
    client = sure(client_of(alice))
    for path in (*PATHS, *COUNTING):
        address = f"/w/{busy.slug}/{path.format(bob=bob.pk)}"
        page = client.get(address, headers={"Accept-Language": language}).text
        assert plain_numbers(page) == set(), path
        assert (many in page) is (path in COUNTING), path


def test_the_confirmation_of_a_bulk_action_formats_large_numbers(
    client_of: SignIn, alice: User, busy: Workspace
) -> None:
    client = client_of(alice)
    text = client.post(f"/w/{busy.slug}/trash/empty/", follow=True).text
    assert "1,234 edits permanently deleted." in text


def test_the_admin_start_page_formats_large_numbers(client_of: SignIn, alice: User, busy: Workspace) -> None:
    desk = client_of(make_staff()).get("/admin/").text
    assert plain_numbers(desk) == set()
