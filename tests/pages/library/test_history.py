"""Tests for the history page: its content, search, filters, pagination, and number of queries."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from editor.models import Favorite, User, Workspace
from editor.pages.library.history import PER_PAGE
from tests.cast import make_edit, make_grant

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


def many_edits(user: User, count: int) -> None:
    make_grant(user.personal_workspace, 40 * count)
    for number in range(count):
        make_edit(user, prompt=f"edit number {number}")


def test_it_shows_results_newest_first(client_of: SignIn, alice: User) -> None:
    old = make_edit(alice, prompt="an old one")
    new = make_edit(alice, prompt="a new one", outputs=3)
    page = client_of(alice).get("/w/alice/history/").text
    assert page.index("a new one") < page.index("an old one")
    assert f"/media/results/{new.results.all()[0].pk}/360/" in page
    assert f'href="/edits/{old.pk}/"' in page
    assert "3 results" in page
    assert "40 credits" in page


def test_it_shows_the_photo_while_there_is_no_result(client_of: SignIn, alice: User) -> None:
    states = {"QUEUED": "Waiting", "RUNNING": "Running", "FAILED": "Failed", "CANCELLED": "Cancelled"}
    edits = [make_edit(alice, state=state) for state in states]
    page = client_of(alice).get("/w/alice/history/").text
    for edit in edits:
        assert f"/media/references/{edit.references.all()[0].pk}/360/" in page
    for label in states.values():
        assert label in page
    assert page.count("40 held") == 2
    assert page.count("not charged") == 2


def test_the_star_of_each_edit_names_its_prompt(client_of: SignIn, alice: User) -> None:
    for prompt in ("a red car", "a blue car " * 20):
        make_edit(alice, prompt=prompt)
    page = client_of(alice).get("/w/alice/history/").text
    names = [name.strip() for name in re.findall(r'aria-label="(\s*Star [^"]*)"', page)]
    assert names[1] == "Star “a red car”"
    assert names[0].startswith("Star “a blue car a blue car")
    assert len(names[0]) < 100


def test_an_empty_history_shows_a_message_and_a_link(client_of: SignIn, alice: User) -> None:
    page = client_of(alice).get("/w/alice/history/").text
    assert "No edits yet" in page
    assert 'href="/w/alice/"' in page


def test_it_requires_a_sign_in(client: Client) -> None:
    response = client.get("/w/alice/history/")
    assert response.headers["Location"] == "/accounts/login/?next=/w/alice/history/"


def test_nobody_sees_the_edits_of_others(client_of: SignIn, alice: User, charlie: User) -> None:
    make_edit(alice, prompt="only mine")
    assert "only mine" not in client_of(charlie).get("/w/charlie/history/").text


def test_team_edits_are_not_in_the_personal_history(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    make_edit(alice, workspace=team, prompt="for the team")
    assert "for the team" not in client_of(bob).get("/w/bob/history/").text


EVERY = {"dark sky", "a red car", "crop", "vignette"}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=sky", {"dark sky"}),
        ("?q=SKY+dark", {"dark sky"}),
        ("?q=a", {"a red car"}),
        ("?q=nothing+like+it", set()),
        ("?state=failed", {"a red car"}),
        ("?state=finished", {"dark sky"}),
        ("?state=running", {"crop"}),
        ("?state=waiting", {"vignette"}),
        ("?state=cancelled", set()),
        ("?state=nonsense", EVERY),
        ("?kind=color", {"dark sky"}),
        ("?kind=remove&state=failed", {"a red car"}),
        ("?kind=nonsense", EVERY),
        ("?engine=embedded", EVERY),
        ("?engine=another", set()),
        ("?engine=%00", EVERY),
        ("?shape=wide", {"dark sky"}),
        ("?shape=tall", set()),
        ("?shape=round", EVERY),
        ("?favorite=1", {"crop"}),
        ("?favorite=1&state=failed", set()),
        ("?q=%00", EVERY),
        ("?q=%25", set()),
        ("?q=_", set()),
        ("?q=ky", set()),
        ("?since=2020-01-01&until=2999-12-31", EVERY),
        ("?until=2020-01-01", set()),
        ("?since=9999-99-99", EVERY),
        ("?until=9999-12-31", EVERY),
        ("?by=x&favorite=0", EVERY),
        ("?by=-1", EVERY),
        ("?by=" + "9" * 30, EVERY),
        ("?by=999999", set()),
        ("?before=x", EVERY),
        ("?before=%00&after=1", EVERY),
        ("?q=sky&before=" + "9" * 30, {"dark sky"}),
        ("?q=sky&before=1", set()),
    ],
)
def test_it_searches_and_filters(client_of: SignIn, alice: User, query: str, found: set[str]) -> None:
    make_edit(alice, prompt="dark sky", plan={"steps": [{"kind": "color"}]})
    make_edit(alice, prompt="a red car", state="FAILED", plan={"steps": [{"kind": "remove"}]})
    make_edit(alice, prompt="vignette", state="QUEUED")
    Favorite.objects.create(user=alice, edit=make_edit(alice, prompt="crop", state="RUNNING"))
    response = client_of(alice).get(f"/w/alice/history/{query}")
    assert response.status_code == 200
    assert {edit.prompt for edit in response.context["edits"].rows} == found


def test_a_search_without_matches_links_to_all_edits(client_of: SignIn, alice: User) -> None:
    page = client_of(alice).get("/w/alice/history/?q=nothing").text
    assert "Nothing found" in page
    assert "Show all edits" in page


def test_filters_and_pages_keep_the_search(client_of: SignIn, alice: User) -> None:
    many_edits(alice, PER_PAGE + 1)
    page = client_of(alice).get("/w/alice/history/?q=edit+number").text
    assert "?q=edit+number&amp;state=failed" in page
    assert "?q=edit+number&amp;before=" in page


def test_the_history_is_split_into_pages(client_of: SignIn, alice: User) -> None:
    many_edits(alice, PER_PAGE + 1)
    client = client_of(alice)
    first = client.get("/w/alice/history/")
    second = client.get(f"/w/alice/history/?before={first.context['edits'].older}")
    assert len(first.context["edits"].rows) == PER_PAGE
    assert "Older" in first.text
    assert "Newer" not in first.text
    assert len(second.context["edits"].rows) == 1
    assert "Newer" in second.text
    assert "Older" not in second.text


def test_the_number_of_queries_is_constant(client_of: SignIn, alice: User) -> None:
    client, counts = client_of(alice), []
    made = 0
    for wanted in (5, 20, 50):
        many_edits(alice, wanted - made)
        made = wanted
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert len(client.get("/w/alice/history/").context["edits"].rows) == wanted
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts
    assert counts[0] <= 10, counts


def test_html_in_prompts_and_searches_is_escaped(client_of: SignIn, alice: User) -> None:
    make_edit(alice, prompt='"><script>alert(1)</script><img src=x onerror=alert(1)>')
    page = client_of(alice).get("/w/alice/history/?q=%22%3E%3Cscript%3E").text
    assert "<script>alert" not in page
    assert "<img src=x" not in page


def test_the_files_of_a_purged_edit_are_not_requested(client_of: SignIn, alice: User) -> None:
    edit = make_edit(alice)
    type(edit).objects.filter(pk=edit.pk).update(purged=edit.created)
    assert "/media/" not in client_of(alice).get("/w/alice/history/").text


def test_a_team_sees_who_made_what(client_of: SignIn, alice: User, bob: User, team: Workspace) -> None:
    make_edit(alice, workspace=team, prompt="by alice")
    make_edit(bob, workspace=team, prompt="by bob")
    page = client_of(bob).get("/w/studio/history/")
    assert [edit.prompt for edit in page.context["edits"].rows] == ["by bob", "by alice"]
    assert 'title="Alice Ames" aria-hidden="true">AA' in page.text
    mine = client_of(bob).get(f"/w/studio/history/?by={bob.pk}")
    assert [edit.prompt for edit in mine.context["edits"].rows] == ["by bob"]
    assert '<bdi>You</bdi><span class="vh">, remove this filter' in mine.text


def test_the_personal_history_shows_no_owners(client_of: SignIn, alice: User) -> None:
    make_edit(alice)
    page = client_of(alice).get("/w/alice/history/").text
    assert "?by=" not in page
    assert 'class="who"' not in page


def test_edits_of_someone_who_has_left_are_still_theirs(
    client_of: SignIn, alice: User, bob: User, charlie: User, team: Workspace
) -> None:
    make_edit(bob, workspace=team, prompt="by bob")
    team.memberships.filter(user=bob).delete()
    page = client_of(alice).get(f"/w/studio/history/?by={bob.pk}")
    assert [edit.prompt for edit in page.context["edits"].rows] == ["by bob"]
    assert '<bdi>bob@example.org</bdi><span class="vh">, remove' in page.text
    nobody = client_of(alice).get(f"/w/studio/history/?by={charlie.pk}").text
    assert "charlie@" not in nobody, "a stranger's email address is not revealed"


def test_the_star_filter_shows_only_the_users_own_stars(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    Favorite.objects.create(user=bob, edit=make_edit(alice, workspace=team))
    for user, count in ((bob, 1), (alice, 0)):
        page = client_of(user).get("/w/studio/history/?favorite=1")
        assert len(page.context["edits"].rows) == count


def test_an_invalid_date_gets_an_error_message(client_of: SignIn, alice: User) -> None:
    make_edit(alice)
    response = client_of(alice).get("/w/alice/history/?since=yesterday")
    assert "isn't valid" in response.text
    assert "Enter a valid date." in response.text


def test_an_active_filter_is_shown_as_a_link_that_removes_it(client_of: SignIn, alice: User) -> None:
    make_edit(alice, prompt="dark sky")
    page = client_of(alice).get("/w/alice/history/?q=sky&state=finished&since=2020-11-01&before=x").text
    assert '<a class="chip" aria-current="true" href="?q=sky&amp;since=2020-11-01">' in page
    assert '<a class="chip" aria-current="true" href="?q=sky&amp;state=finished">' in page
    assert "Since Nov 1, 2020" in page
    assert '<input type="hidden" name="state" value="finished">' in page


def test_a_search_keeps_the_days_that_are_chosen(client_of: SignIn, alice: User) -> None:
    make_edit(alice)
    client = client_of(alice)
    both = client.get(
        "/w/alice/history/?since=2020-11-01&until=2020-11-30", headers={"Accept-Language": "de"}
    )
    assert fields_of_search(both.text) == {"since": "2020-11-01", "until": "2020-11-30", "q": ""}
    last = client.get("/w/alice/history/?until=2020-11-30&state=failed")
    assert fields_of_search(last.text) == {"until": "2020-11-30", "state": "failed", "q": ""}
    none = client.get("/w/alice/history/?since=yesterday")
    assert fields_of_search(none.text) == {"since": "", "until": "", "q": ""}, (
        "an empty result still lets the user choose other dates"
    )


def fields_of_search(page: str) -> dict[str, str]:
    """Return the fields that the search form would submit, and check that no name occurs twice."""
    form = page.split('id="search"')[1].split("</form>")[0]
    tags = re.findall("<input[^>]*>", form) + re.findall('<input[^>]*form="search"[^>]*>', page)
    given = [(named(tag, "name"), named(tag, "value")) for tag in tags]
    assert len(dict(given)) == len(given), given
    return dict(given)


def named(tag: str, attribute: str) -> str:
    found = re.search(f' {attribute}="([^"]*)"', tag)
    return found[1] if found else ""


def test_edits_are_grouped_by_day(client_of: SignIn, alice: User) -> None:
    edits = [make_edit(alice, prompt=f"number {number}") for number in range(3)]
    yesterday = timezone.now() - timedelta(days=1)
    type(edits[0]).objects.filter(pk=edits[0].pk).update(created=yesterday)
    page = client_of(alice).get("/w/alice/history/")
    assert [(day.title, len(day.edits)) for day in page.context["days"]] == [("Today", 2), ("Yesterday", 1)]


def test_the_tile_of_a_successful_edit_shows_no_state(client_of: SignIn, alice: User) -> None:
    make_edit(alice)
    page = client_of(alice).get("/w/alice/history/").text
    assert "tile__state" not in page


def test_the_search_suggests_recent_prompts_of_the_workspace_without_duplicates(
    client_of: SignIn, alice: User, charlie: User
) -> None:
    for prompt in ("make it warmer", "crop to 1:1", "make it warmer", "x" * 61):
        make_edit(alice, prompt=prompt)
    make_edit(charlie, prompt="somebody else's")
    text = client_of(alice).get("/w/alice/history/").text.split('<datalist id="suggestions">')[1]
    options = re.findall(r'<option value="([^"]*)"', text.split("</datalist>")[0])
    assert options == ["make it warmer", "crop to 1:1"]


def test_small_tiles_are_kept_during_a_search_and_can_be_turned_off(client_of: SignIn, alice: User) -> None:
    make_edit(alice)
    text = client_of(alice).get("/w/alice/history/?density=dense&state=finished").text
    assert "found--dense" in text
    assert '<input type="hidden" name="density" value="dense">' in text
    assert 'href="?state=finished"' in text
    assert "found--dense" not in client_of(alice).get("/w/alice/history/?density=x").text
