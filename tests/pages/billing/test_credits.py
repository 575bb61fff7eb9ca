"""Tests for the credits page, which shows the balance, the held credits, and the statement."""

import csv
import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from editor.models import CreditRequest, Engine, User, Workspace
from editor.pages.billing.credits import PER_PAGE
from editor.services.billing.credits import correct
from editor.services.people import accounts
from tests.cast import actor_of, assert_ledger_balances, make_edit, make_grant, make_user

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


def test_the_page_shows_the_balance_and_the_held_credits(client_of: SignIn, alice: User) -> None:
    make_edit(alice, state="RUNNING")
    page = client_of(alice).get("/w/alice/credits/").text
    assert "<b>400</b> credits" in page
    assert "(40 held)" in page
    assert "360 credits" in page
    assert "costs nothing" in page


def test_it_shows_the_plan_and_its_price(client_of: SignIn) -> None:
    page = client_of(make_user("pro@example.org", plan="pro")).get("/w/pro/credits/").text
    assert "PRO" in page
    assert "35 credits" in page


def test_the_statement_adds_up(client_of: SignIn, alice: User) -> None:
    workspace = alice.personal_workspace
    make_edit(alice, prompt="darker")
    make_edit(alice, state="FAILED", prompt="this one failed")
    correct(None, workspace, amount=-60, reason="A mistake")
    make_grant(workspace, 100, reason="A gift")
    response = client_of(alice).get("/w/alice/credits/")
    lines = [(entry.balance_change, entry.balance) for entry in response.context["entries"].rows]
    assert lines == [(100, 400), (-60, 300), (-40, 360), (400, 400)]
    assert_ledger_balances(workspace)
    workspace.refresh_from_db()
    assert workspace.balance == lines[0][1]
    assert "+100" in response.text
    assert "&minus;60" in response.text
    assert "&minus;40" in response.text
    assert "this one failed" not in response.text


def test_an_entry_of_an_edit_links_to_the_edit(client_of: SignIn, alice: User) -> None:
    edit = make_edit(alice, prompt="<b>bold</b>")
    page = client_of(alice).get("/w/alice/credits/").text
    assert f'href="/edits/{edit.pk}/"' in page
    assert "<b>bold</b>" not in page


def test_the_statement_does_not_show_entries_of_other_workspaces(
    client_of: SignIn, alice: User, charlie: User, team: Workspace
) -> None:
    make_grant(team, 77, reason="For the team")
    page = client_of(charlie).get("/w/charlie/credits/").text
    assert "For the team" not in page


def test_the_balance_continues_across_the_pages(client_of: SignIn, alice: User) -> None:
    for _ in range(PER_PAGE):
        make_grant(alice.personal_workspace, 1)
    client = client_of(alice)
    first = client.get("/w/alice/credits/")
    second = client.get(f"/w/alice/credits/?before={first.context['entries'].older}")
    assert [entry.balance for entry in first.context["entries"].rows][-1] == 401
    assert [entry.balance for entry in second.context["entries"].rows] == [400]
    assert "Older" in first.text
    assert "Newer" in second.text
    again = client.get(f"/w/alice/credits/?after={second.context['entries'].newer}")
    assert again.context["entries"] == first.context["entries"]


@pytest.mark.parametrize("name", ["before", "after"])
@pytest.mark.parametrize("key", ["9" * 30, "9" * 5000, "0", "-1", "\u0663", "1\n", "\x00", "x", ""])
def test_an_invalid_key_shows_the_newest_entries(client_of: SignIn, alice: User, name: str, key: str) -> None:
    response = client_of(alice).get("/w/alice/credits/", {name: key})
    assert [entry.balance for entry in response.context["entries"].rows] == [400]
    assert "Newer" not in response.text


def test_the_page_before_the_oldest_entry_links_to_the_newest(client_of: SignIn, alice: User) -> None:
    oldest = alice.personal_workspace.credit_entries.get()
    page = client_of(alice).get(f"/w/alice/credits/?before={oldest.pk}").text
    assert "No older entries." in page
    assert "Show the newest" in page


def test_an_empty_statement_shows_a_message(client_of: SignIn) -> None:
    poor = make_user("poor@example.org", credits=0)
    assert "No entries yet." in client_of(poor).get("/w/poor/credits/").text


def test_the_number_of_queries_is_constant(client_of: SignIn, alice: User) -> None:
    client, counts = client_of(alice), []
    for _ in range(3):
        make_edit(alice)
        make_edit(alice)
        with CaptureQueriesContext(connection) as queries:
            client.get("/w/alice/credits/")
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts
    assert counts[0] <= 9, counts


@pytest.fixture
def empty(team: Workspace) -> Workspace:
    """Return alice's team, which has no credits."""
    correct(None, team, amount=-400, reason="Spent")
    return team


def credits_of(workspace: Workspace, rest: str = "") -> str:
    return f"/w/{workspace.slug}/credits/{rest}"


def test_a_member_can_request_credits_and_the_owner_sees_the_request(
    client_of: SignIn, alice: User, bob: User, empty: Workspace
) -> None:
    bobs = client_of(bob)
    assert "Request credits" in bobs.get(credits_of(empty)).text
    answer = bobs.post(credits_of(empty, "ask/"), {"note": "For <the> catalog"}, follow=True)
    assert "Your request was sent" in answer.text
    page = client_of(alice).get(credits_of(empty)).text
    assert "Credit requests" in page
    assert "For &lt;the&gt; catalog" in page
    page = bobs.get(credits_of(empty)).text
    assert "Credit requests" not in page
    assert "For &lt;the&gt; catalog" in page, "bob sees what he requested, in place of the form"
    assert 'name="note"' not in page
    again = bobs.post(credits_of(empty, "ask/"), {"note": "Again"}, follow=True)
    assert "already requested credits today" in again.text
    assert CreditRequest.objects.count() == 1


def test_an_administrator_of_the_site_is_told_how_to_add_credits(
    client_of: SignIn, alice: User, empty: Workspace
) -> None:
    address = f"/admin/editor/workspace/{empty.pk}/credits/"
    assert address not in client_of(alice).get(credits_of(empty)).text
    alice.is_staff = alice.is_superuser = True
    alice.save()
    page = client_of(alice).get(credits_of(empty)).text
    assert f'<a href="{address}">' in page
    assert f"manage.py credits {empty.slug} --grant" in page


def test_a_member_of_a_team_with_enough_credits_cannot_request_any(
    client_of: SignIn, bob: User, team: Workspace
) -> None:
    client = client_of(bob)
    assert "Request credits" not in client.get(credits_of(team)).text
    answer = client.post(credits_of(team, "ask/"), {"note": "More edits"}, follow=True)
    assert "This workspace has enough credits for an edit." in answer.text
    assert not CreditRequest.objects.exists()


def test_an_invalid_note_gets_an_error_message_and_stays_in_the_form(
    client_of: SignIn, bob: User, empty: Workspace
) -> None:
    response = client_of(bob).post(credits_of(empty, "ask/"), {"note": "x" * 301})
    assert response.status_code == 422
    assert "at most 300" in response.text
    assert "x" * 301 in response.text
    for note in ("a\x00b", " "):
        response = client_of(bob).post(credits_of(empty, "ask/"), {"note": note})
        assert response.status_code == 422
    assert "Enter what you need the credits for." in response.text
    assert not CreditRequest.objects.exists()


def test_a_member_near_their_cap_sees_it_and_can_request_credits(
    client_of: SignIn, bob: User, team: Workspace
) -> None:
    team.memberships.filter(user=bob).update(cap=60)
    make_edit(bob, workspace=team, state="RUNNING")
    page = client_of(bob).get(credits_of(team)).text
    assert "60 credits a month, 20 left" in page
    assert "Request credits" in page


def test_only_the_owner_sees_on_the_teams_pages_that_credits_are_low(
    client_of: SignIn, alice: User, bob: User, empty: Workspace
) -> None:
    words = "is low on credits: 0 left"
    for name in ("", "history/", "credits/", "usage/"):
        assert words in client_of(alice).get(f"/w/{empty.slug}/{name}").text
    assert words not in client_of(bob).get(f"/w/{empty.slug}/").text
    assert words not in client_of(alice).get(f"/w/{alice.personal_workspace.slug}/").text
    make_grant(empty, 400)
    assert words not in client_of(alice).get(f"/w/{empty.slug}/").text


def test_the_page_shows_the_allowance(client_of: SignIn, alice: User, team: Workspace) -> None:
    Workspace.objects.filter(pk=team.pk).update(allowance=5_000)
    assert "to 5,000 credits" in client_of(alice).get(credits_of(team)).text


def test_the_cap_of_a_member_or_key_has_a_label_and_says_how_to_remove_it(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    accounts.create_api_key(actor_of(bob, team), name="Script")
    for path, name in (("credits", "bob@example.org"), ("keys", "Script")):
        page = client_of(alice).get(f"/w/studio/{path}/").text
        field = re.search(rf'<input [^>]*name="cap" id="(cap-[\w-]+)"[^>]*aria-label="[^"]*: {name}"', page)
        assert field
        assert f'<label for="{field[1]}">Monthly cap in credits</label>' in page
        assert f'id="{field[1]}-hint">Leave empty for no cap.</p>' in page


def test_an_owner_can_set_the_caps_of_members(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    make_edit(bob, workspace=team, state="RUNNING")
    client, address = client_of(alice), credits_of(team, f"caps/{bob.pk}/")
    for given, cap in (("500", 500), ("0", 0), ("", None)):
        assert client.post(address, {"cap": given}).status_code == 302
        assert team.memberships.get(user=bob).cap == cap
    client.post(address, {"cap": "500"})
    assert "40 of 500 credits this month" in client.get(credits_of(team)).text
    assert "Member caps" not in client_of(bob).get(credits_of(team)).text


@pytest.mark.parametrize("cap", ["-1", "x", "9" * 30, "\x00"])
def test_an_invalid_cap_gets_an_error_message(
    client_of: SignIn, alice: User, bob: User, team: Workspace, cap: str
) -> None:
    page = client_of(alice).post(credits_of(team, f"caps/{bob.pk}/"), {"cap": cap}, follow=True).text
    assert "Enter a cap from 0 to 2,000,000,000" in page
    assert team.memberships.get(user=bob).cap is None


@pytest.mark.parametrize("user_id", ["0", "9" * 30])
def test_a_cap_can_be_set_only_for_members_of_the_team(
    client_of: SignIn, alice: User, charlie: User, team: Workspace, user_id: str
) -> None:
    for one in (user_id, charlie.pk):
        assert client_of(alice).post(credits_of(team, f"caps/{one}/"), {"cap": "5"}).status_code == 404


def test_the_statement_shows_one_month(client_of: SignIn, alice: User) -> None:
    make_grant(alice.personal_workspace, 1234)
    client, month = client_of(alice), f"{timezone.now():%Y-%m}"
    assert "+1,234" in client.get(f"/w/alice/credits/?month={month}").text
    past = client.get("/w/alice/credits/?month=2020-01").text
    assert "No entries in January 2020." in past
    for nonsense in ("x", "2026-13", "%00", "0000-00", "9999-12"):
        assert client.get(f"/w/alice/credits/?month={nonsense}").status_code == 200


def test_the_statement_can_be_downloaded_as_csv(client_of: SignIn, alice: User) -> None:
    make_grant(alice.personal_workspace, 1234)
    response = client_of(alice).get("/w/alice/credits/csv/")
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    lines = response.text.splitlines()
    assert lines[0] == "time,kind,credits,balance,edit,reason,by,engine,model"
    assert any(",1234," in line for line in lines[1:])


def test_the_csv_names_the_engine_and_the_model_of_each_edit(client_of: SignIn, alice: User) -> None:
    edit = make_edit(alice)
    Engine.objects.filter(edits=edit).update(model="darkroom-engine-1")
    header, *lines = csv.DictReader(client_of(alice).get("/w/alice/credits/csv/").text.splitlines())
    engines = {(line["kind"], line["engine"], line["model"]) for line in (header, *lines)}
    assert engines == {("Edit", "embedded", "darkroom-engine-1"), ("Grant", "", "")}


def test_the_csv_is_in_the_users_language(client_of: SignIn, alice: User) -> None:
    alice.set_language("de")
    lines = client_of(alice).get("/w/alice/credits/csv/").text.splitlines()
    assert lines[0] == "Zeit,Art,Credits,Guthaben,Bearbeitung,Grund,von,Engine,Modell"
    assert "Gutschrift" in lines[1]


def test_the_held_credits_are_listed_by_edit(client_of: SignIn, alice: User) -> None:
    make_edit(alice, state="QUEUED", prompt="a waiting one")
    page = client_of(alice).get("/w/alice/credits/").text
    assert "by 1 edit" in page
    assert "a waiting one" in page
