"""Tests that times are shown in the account's time zone.

If the account has no time zone, the browser's or the site's time zone is used.
"""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.core import mail
from django.test import Client

from editor.models import Edit, Membership, User, Workspace
from editor.services.people import invitations
from tests import cast, clock

pytestmark = pytest.mark.django_db
type SignIn = Callable[[User], Client]
LATE = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)  # This is March 2 in Berlin.


@pytest.fixture
def edit(alice: User) -> Edit:
    made = cast.make_edit(alice)
    Edit.objects.filter(pk=made.pk).update(created=LATE)
    return made


def lives_in(user: User, zone: str) -> None:
    User.objects.filter(pk=user.pk).update(time_zone=zone)


@pytest.mark.parametrize(
    ("account", "browser", "shown"),
    [
        ("", "", ">Mar 1, 2026, 23:30 UTC</time>"),
        ("", "Europe/Berlin", ">Mar 2, 2026, 00:30</time>"),
        ("Asia/Kolkata", "Europe/Berlin", ">Mar 2, 2026, 05:00</time>"),
        ("", "../../etc/passwd", ">Mar 1, 2026, 23:30 UTC</time>"),
        ("", "Europe", ">Mar 1, 2026, 23:30 UTC</time>"),
        ("", "x\x00y" * 500, ">Mar 1, 2026, 23:30 UTC</time>"),
    ],
)
def test_times_use_the_time_zone_of_the_account_or_the_browser(
    client_of: SignIn, alice: User, edit: Edit, account: str, browser: str, shown: str
) -> None:
    lives_in(alice, account)
    client = client_of(alice)
    client.cookies["zone"] = browser
    assert shown in client.get(f"/edits/{edit.pk}/").text


def test_the_datetime_attribute_contains_the_utc_offset(client_of: SignIn, alice: User, edit: Edit) -> None:
    lives_in(alice, "Asia/Kolkata")
    page = client_of(alice).get(f"/edits/{edit.pk}/").text
    assert 'datetime="2026-03-02T05:00:00+05:30"' in page


def test_the_days_in_the_history_filter_use_the_users_time_zone(client_of: SignIn, alice: User) -> None:
    with clock.at(LATE):
        edit = cast.make_edit(alice)
    client = client_of(alice)
    client.cookies["zone"] = "Europe/Berlin"
    assert f"edit-{edit.pk}" in client.get("/w/alice/history/?since=2026-03-02&until=2026-03-02").text
    assert f"edit-{edit.pk}" not in client.get("/w/alice/history/?until=2026-03-01").text


def test_a_time_zone_can_be_saved_in_the_account(client_of: SignIn, alice: User) -> None:
    client = client_of(alice)
    client.post("/account/", {"name": "Alice", "time_zone": "America/Argentina/Ushuaia"})
    alice.refresh_from_db()
    assert alice.time_zone == "America/Argentina/Ushuaia"
    assert (
        '<option value="America/Argentina/Ushuaia" selected>Argentina, Ushuaia'
        in client.get("/account/").text
    )
    refused = client.post("/account/", {"name": "Alice", "time_zone": "Moon/Base"})
    assert refused.status_code == 422
    alice.refresh_from_db()
    assert alice.time_zone == "America/Argentina/Ushuaia"


@pytest.mark.parametrize(("zone", "ends"), [("", " UTC:"), ("Asia/Kolkata", ":")])
def test_times_in_emails_use_the_recipients_time_zone(
    team: Workspace, alice: User, zone: str, ends: str
) -> None:
    lives_in(alice, "America/New_York")
    reader = cast.make_user("dana@example.org", time_zone=zone)
    made = invitations.invite(
        cast.actor_of(alice, team), team, role=Membership.Role.EDITOR, email=reader.email
    )
    invitations.send(made, site="https://photos.example.org")
    [line] = [line for line in str(mail.outbox[0].body).splitlines() if "works once" in line]
    assert line.endswith(ends)
    assert ("UTC" in line) == (zone == "")


def test_the_statement_uses_the_sites_months(client_of: SignIn, alice: User) -> None:
    """Credits are counted by the site's months.

    A month begins at the same moment for everyone, regardless of their time zones.
    """
    lives_in(alice, "Pacific/Kiritimati")
    cast.make_grant(alice.personal_workspace, 1234)
    month = datetime.now(UTC)
    assert "+1,234" in client_of(alice).get(f"/w/alice/credits/?month={month:%Y-%m}").text
