"""Tests for the signed status URL: who has access, what the response contains, and when polling ends."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client, override_settings
from django.utils import timezone

from editor.engine.language.explain import explain
from editor.models import Edit, Membership, User, Workspace
from editor.sentences import Sentence, to_json_data
from editor.services.core import links
from tests import cast


@pytest.fixture
def edit(alice: User) -> Edit:
    created = timezone.now() - timedelta(hours=1)  # The edit is old enough for a constant polling interval.
    return cast.make_edit(alice, state="RUNNING", progress=40, outputs=2, created=created)


@pytest.fixture
def address(edit: Edit, alice: User) -> str:
    return f"/s/{links.sign_status(edit, alice)}/"


def test_it_shows_the_progress_without_a_web_session(client: Client, address: str) -> None:
    response = client.get(address)
    text = response.content.decode()
    assert response.status_code == 200
    assert '<progress class="meter" id="meter" max="100" value="40"' in text
    assert text.count('class="tile tile--busy"') == 2
    assert f'hx-get="{address}"' in text
    assert 'hx-trigger="every 10000ms, wake"' in text
    assert "sessionid" not in response.cookies
    assert not response.cookies


def test_it_asks_the_database_once(
    client: Client, address: str, django_assert_num_queries: Callable[..., Any]
) -> None:
    with django_assert_num_queries(1):
        client.get(address)


def test_the_status_response_has_its_own_headers(client: Client, address: str) -> None:
    response = client.get(address)
    headers = response.headers
    assert headers["Content-Length"] == str(len(response.content))
    assert headers["Cache-Control"] == "private, no-cache"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Request-Id"]


@pytest.mark.parametrize(
    ("prompt", "progress", "says"),
    [
        ("make the red car blue", 1, "Finding the car."),
        ("blur the background", 1, "Looking at your photo."),
        ("make the red car blue", 0, "Creating 2 results."),
        ("make the red car blue", 5, "Creating 2 results."),
    ],
)
def test_the_status_says_what_the_engine_is_looking_for(
    client: Client, edit: Edit, address: str, prompt: str, progress: int, says: str
) -> None:
    Edit.objects.filter(pk=edit.pk).update(plan=explain(prompt).as_json(), progress=progress)
    text = client.get(address).content.decode()
    assert says in text
    assert "You can leave this page. The edit continues." in text


@override_settings(SECURE_HSTS_SECONDS=86_400)
@pytest.mark.parametrize("is_unchanged", [False, True])
def test_the_status_has_the_same_security_headers_as_a_page(
    client: Client, address: str, is_unchanged: bool
) -> None:
    page = client.get("/accounts/login/", secure=True).headers
    known = {"If-None-Match": client.get(address).headers["ETag"]} if is_unchanged else {}
    poll = client.get(address, headers=known, secure=True)
    guards = ("Strict-Transport-Security", "X-Content-Type-Options", "X-Frame-Options")
    assert poll.status_code == (304 if is_unchanged else 200)
    assert [poll.headers.get(name) for name in guards] == [page[name] for name in guards]
    assert poll.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "frame-ancestors 'none'" in poll.headers["Content-Security-Policy"]


def test_the_status_url_stops_working_when_the_users_account_is_closed(
    client: Client, address: str, alice: User
) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert client.get(address).status_code == 404


def test_it_answers_304_while_nothing_has_changed(client: Client, address: str, edit: Edit) -> None:
    tag = client.get(address).headers["ETag"]
    unchanged = client.get(address, headers={"If-None-Match": tag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    Edit.objects.filter(id=edit.id).update(progress=60, revision=edit.revision + 1)
    changed = client.get(address, headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert b'value="60"' in changed.content


@pytest.mark.parametrize(
    ("seconds", "interval"),
    [(0, 100), (1, 100), (2, 300), (5, 1200), (39, 1200), (60, 3000), (119, 3000), (600, 10_000)],
)
def test_the_polling_interval_increases_over_time(
    client: Client, address: str, edit: Edit, seconds: int, interval: int
) -> None:
    with time_machine.travel(edit.created, tick=False):
        first = client.get(address).headers["ETag"]
    with time_machine.travel(edit.created + timedelta(seconds=seconds), tick=False):
        response = client.get(address)
    assert f"every {interval}ms" in response.content.decode()
    assert (response.headers["ETag"] == first) is (interval == 100)


def test_polling_is_twice_as_frequent_while_results_are_being_stored(
    client: Client, address: str, edit: Edit
) -> None:
    Edit.objects.filter(id=edit.id).update(state="STORING", revision=edit.revision + 1)
    with time_machine.travel(edit.created, tick=False):
        assert b"every 50ms" in client.get(address).content


def test_a_waiting_edit_shows_how_many_edits_are_ahead_of_it(client: Client, alice: User, bob: User) -> None:
    for owner, count in ((alice, 3), (bob, 5)):
        for _ in range(count):
            cast.make_edit(owner, state="QUEUED")
    cast.make_edit(bob, state="RUNNING")
    edit = cast.make_edit(alice, state="QUEUED")
    cast.make_edit(alice, state="QUEUED")
    address = f"/s/{links.sign_status(edit, alice)}/"
    before = client.get(address)
    # Only two of bob's five edits count, because he may run only three edits at a time.
    assert "Waiting to start behind 5 other edits." in before.content.decode()
    Edit.objects.filter(owner=bob).update(state="RUNNING")
    after = client.get(address, headers={"If-None-Match": before.headers["ETag"]})
    assert "Waiting to start behind 3 other edits." in after.content.decode()
    Edit.objects.filter(owner=alice).exclude(id=edit.id).update(state="RUNNING")
    assert "Waiting to start." in client.get(address).content.decode()


@pytest.mark.parametrize(
    ("ratio", "references", "sides"),
    [("", [{"width": 30, "height": 50}], "30 50"), ("16:9", 1, "16 9"), ("", 0, "3 2")],
)
def test_each_result_has_a_placeholder_with_its_future_aspect_ratio(
    client: Client, alice: User, ratio: str, references: Any, sides: str
) -> None:
    edit = cast.make_edit(alice, state="RUNNING", outputs=3, aspect_ratio=ratio, references=references)
    text = client.get(f"/s/{links.sign_status(edit, alice)}/").content.decode()
    assert text.count(f'viewBox="0 0 {sides}"') == 3


@pytest.mark.parametrize("state", ["STORING", "SUCCESS"])
def test_a_notice_that_has_values_is_shown_to_those_who_wait(client: Client, alice: User, state: str) -> None:
    notice = Sentence("I left out “%(quoted)s”.", quoted="add sparkles")
    edit = cast.make_edit(alice, state=state, notices=[to_json_data(notice)])
    response = client.get(f"/s/{links.sign_status(edit, alice)}/")
    assert response.status_code == 200
    assert "I left out “add sparkles”." in response.text


@pytest.mark.parametrize("state", ["SUCCESS", "FAILED", "CANCELLED"])
def test_an_ended_edit_stops_polling_and_loads_its_page_once(client: Client, alice: User, state: str) -> None:
    edit = cast.make_edit(alice, state=state)
    text = client.get(f"/s/{links.sign_status(edit, alice)}/").content.decode()
    assert "every" not in text
    assert "/s/" not in text
    assert text.count("hx-trigger") == 1
    assert f'hx-get="/edits/{edit.id}/" hx-trigger="load"' in text


def test_it_requires_an_intact_signature(client: Client, address: str) -> None:
    assert client.get(address[:-3] + "xx/").status_code == 404
    assert client.get("/s/nothing/").status_code == 404
    assert client.get("/s/").status_code == 404


def test_the_signature_expires_within_two_days(client: Client, address: str) -> None:
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        assert client.get(address).status_code == 404


def test_the_status_url_stops_working_when_the_user_leaves_the_workspace(
    client: Client, alice: User, bob: User, team: Workspace
) -> None:
    edit = cast.make_edit(alice, workspace=team, state="RUNNING")
    of_alice, of_bob = (f"/s/{links.sign_status(edit, user)}/" for user in (alice, bob))
    assert client.get(of_bob).status_code == 200
    Membership.objects.filter(user=bob, workspace=team).delete()
    assert client.get(of_bob).status_code == 404
    assert client.get(of_alice).status_code == 200


def test_it_changes_nothing(client: Client, address: str, edit: Edit) -> None:
    before = Edit.objects.filter(id=edit.id).values().get()
    client.get(address)
    assert client.post(address).status_code in (403, 404)
    assert Edit.objects.filter(id=edit.id).values().get() == before


def test_the_page_of_a_running_edit_contains_the_status_response(
    client: Client, alice: User, client_of: Callable[[User], Client], edit: Edit
) -> None:
    # Stop the clock, so that both responses have the same polling interval.
    with time_machine.travel(edit.created, tick=False):
        page = client_of(alice).get(f"/edits/{edit.id}/")
        polled = client.get(f"/s/{page.context['signed']}/").content.decode()
    assert " ".join(polled.split()) in " ".join(page.content.decode().split())
