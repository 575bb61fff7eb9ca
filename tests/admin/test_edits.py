"""Tests for the admin pages on which staff review edits, and for their permissions."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from editor.admin import edit_page
from editor.engine.language.explain import explain
from editor.models import Edit, User, Workspace
from editor.services.photos import drafts, photos
from editor.services.sharing import comments
from tests import clock
from tests.cast import actor_of, make_edit, make_grant, make_user, photo_file

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]
LIST = "/admin/editor/edit/"


def limited(*codenames: str) -> User:
    user = make_user("limited@example.org", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return user


def kept_edit(owner: User, workspace: Workspace) -> Edit:
    """Create an edit whose photos have stored files."""
    draft = drafts.create_draft(actor_of(owner, workspace), photo_file(), name="a.jpg")
    return make_edit(owner, workspace=workspace, references=[photos.copy_files(draft)])


def test_it_lists_edits_with_before_and_after(
    client_of: SignIn, alice: User, team: Workspace, staff: User
) -> None:
    edit = make_edit(alice, workspace=team, prompt="darker, please")
    page = client_of(staff).get(LIST).text
    assert "darker, please" in page
    assert f"{LIST}photo/references/{edit.references.all()[0].pk}/360/" in page
    assert f"{LIST}photo/results/{edit.results.all()[0].pk}/360/" in page
    assert "alice@example.org" in page
    assert "Studio" in page


@pytest.mark.parametrize("state", ["in_review", "approved", "declined"])
def test_the_status_shows_the_review_once(
    client_of: SignIn, alice: User, team: Workspace, staff: User, state: str
) -> None:
    make_edit(alice, workspace=team, review_state=state)
    rows = client_of(staff).get(LIST).text.partition("<tbody>")[2].partition("</tbody>")[0]
    assert rows.count(str(Edit.ReviewState(state).label)) == 1


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("?q=darker", 1),
        ("?q=alice@example.org", 3),
        ("?q=Alice@Example.Org", 3),
        ("?q=nobody@example.org", 0),
        ("?q=%00", 3),
        ("?q=%25", 0),
        ("?before=nothing", 3),
        ("?q=nothing", 0),
        ("?state=failed", 1),
        ("?state=line", 1),
        ("?state=cancelled", 0),
        ("?state=nonsense", 3),
        ("?workspace={team}", 3),
        ("?workspace=999999999", 0),
        ("?workspace={team}&q=darker", 1),
        ("?workspace=%00", 0),
        ("?engine=embedded", 3),
        ("?engine=photo-editor", 0),
        ("?engine=%00", 0),
        ("?since=today", 3),
        ("?since=nonsense", 3),
        ("?place=hidden", 0),
        ("?place=nonsense", 3),
    ],
)
def test_it_searches_and_filters(
    client_of: SignIn, alice: User, team: Workspace, staff: User, query: str, count: int
) -> None:
    make_edit(alice, workspace=team, prompt="darker")
    make_edit(alice, workspace=team, prompt="other", state="FAILED")
    make_edit(alice, workspace=team, prompt="another", state="QUEUED")
    response = client_of(staff).get(LIST + query.format(team=team.pk))
    assert response.context["cl"].result_count == count


@pytest.mark.parametrize(("since", "count"), [("today", 1), ("week", 2), ("month", 1)])
def test_date_filters_use_the_time_zone_of_the_reader(
    client_of: SignIn, alice: User, staff: User, since: str, count: int
) -> None:
    late = datetime(2026, 2, 28, 23, 30, tzinfo=UTC)  # In Berlin, this time is already in March.
    for moment in (late - timedelta(days=6, hours=12), late - timedelta(hours=12), late):
        with clock.at(moment):
            make_edit(alice)
    with clock.at(late):
        client = client_of(staff)
        client.cookies["zone"] = "Europe/Berlin"
        response = client.get(f"{LIST}?since={since}")
    assert response.context["cl"].result_count == count


def test_the_number_of_queries_is_constant(
    client_of: SignIn, alice: User, team: Workspace, staff: User
) -> None:
    client, counts = client_of(staff), []
    make_grant(team, 5000)
    for _ in range(3):
        for _ in range(5):
            make_edit(alice, workspace=team)
            make_edit(alice, price=1)
        with CaptureQueriesContext(connection) as queries:
            client.get(LIST)
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts


@pytest.mark.parametrize("asked", ["", "q=darker&", "state=finished&"])
def test_pagination_uses_keys_and_no_count_queries(
    client_of: SignIn, alice: User, team: Workspace, staff: User, asked: str
) -> None:
    make_grant(team, 5000)
    edits = [make_edit(alice, workspace=team, prompt="darker") for _ in range(53)][::-1]
    client = client_of(staff)
    with CaptureQueriesContext(connection) as queries:
        first = client.get(f"{LIST}?{asked}").context["cl"]
    assert first.result_list == edits[:50]
    assert not [query for query in queries if "COUNT(" in query["sql"] or "OFFSET" in query["sql"]]
    second = client.get(LIST + first.older)
    assert second.context["cl"].result_list == edits[50:]
    assert 'rel="next"' not in second.text
    assert client.get(LIST + second.context["cl"].newer).context["cl"].result_list == edits[:50]
    assert "before=" not in second.context["cl"].get_query_string({"engine": "embedded"})


def test_html_in_prompts_and_messages_is_escaped(
    client_of: SignIn, alice: User, team: Workspace, staff: User
) -> None:
    hostile = "<script>alert(1)</script>"
    edit = make_edit(alice, workspace=team, prompt=hostile, state="FAILED", failure_message=hostile)
    client = client_of(staff)
    for address in (LIST, f"{LIST}{edit.pk}/change/"):
        page = client.get(address).text
        assert hostile not in page
        assert "&lt;script&gt;" in page


def test_an_edit_is_shown_in_readable_form(
    client_of: SignIn, alice: User, team: Workspace, staff: User
) -> None:
    plan = explain("make the sky darker and add a flobberwick", photos=1).as_json()
    edit = make_edit(alice, workspace=team, references=2, outputs=2, plan=plan, ticket={"task_id": "t-1"})
    comments.add_comment(actor_of(alice, team), edit, text="The sky looks right now.")
    client = client_of(staff)
    page = client.get(f"{LIST}{edit.pk}/change/").text
    for photo in [*edit.references.all(), *edit.results.all()]:
        assert str(photo.pk) in page
    assert "<b>Color</b>" in page
    assert "flobberwick</mark>" in page
    assert "The sky looks right now." in page
    assert "Held for an edit" in page
    for raw in ("{&#x27;", "{&quot;", "sha256", edit.results.all()[0].sha256, 'name="_save"'):
        assert raw not in page
    second = edit.results.all()[1]
    chosen = client.get(f"{LIST}{edit.pk}/change/?result=2").text
    assert f"{LIST}photo/results/{second.pk}/1600/" in chosen


def test_the_steps_of_an_edit_are_in_german(
    client_of: SignIn, alice: User, team: Workspace, staff: User
) -> None:
    plan = explain("make the sky darker").as_json()
    edit = make_edit(alice, workspace=team, plan=plan)
    comments.add_comment(actor_of(alice, team), edit, text="The sky looks right now.")
    staff.set_language("de")
    page = client_of(staff).get(f"{LIST}{edit.pk}/change/").text
    assert '<span lang="de">Himmel abdunkeln</span>' in page


def test_the_timeline_shows_each_stage() -> None:
    start = timezone.now()
    at = [start + timedelta(seconds=seconds) for seconds in (1, 2, 7, 10)]
    edit = Edit(created=start, sent=at[0], started=at[1], arrived=at[2], finished=at[3], state="SUCCESS")
    drawn = [(lane.label, lane.seconds, lane.start, lane.length) for lane in edit_page.timeline(edit, start)]
    assert drawn == [
        ("Queued", "1.0 s", "0.0", "10.0"),
        ("Sent to the engine", "1.0 s", "10.0", "10.0"),
        ("Processing", "5.0 s", "20.0", "50.0"),
        ("Results stored", "3.0 s", "70.0", "30.0"),
    ]


def test_an_edit_without_stages_shows_only_the_total_time() -> None:
    start = timezone.now()
    edit = Edit(created=start, finished=start + timedelta(seconds=90), state="FAILED")
    assert [(lane.label, lane.seconds) for lane in edit_page.timeline(edit, start)] == [("Total", "1.5 min")]


@pytest.mark.parametrize("path", ["add/", "{pk}/delete/"])
def test_an_edit_cannot_be_added_or_deleted_in_the_admin(
    client_of: SignIn, alice: User, staff: User, path: str
) -> None:
    edit = make_edit(alice)
    address = LIST + path.format(pk=edit.pk)
    assert client_of(staff).get(address).status_code == 403
    assert client_of(staff).post(address, {"post": "yes"}).status_code == 403
    assert Edit.objects.filter(pk=edit.pk).exists()


def test_an_edit_cannot_be_changed_in_the_admin(client_of: SignIn, alice: User, staff: User) -> None:
    edit = make_edit(alice)
    response = client_of(staff).post(f"{LIST}{edit.pk}/change/", {"prompt": "other", "price": "1"})
    assert response.status_code == 403
    edit.refresh_from_db()
    assert edit.prompt != "other"


@pytest.mark.parametrize("who", ["alice", "limited"])
def test_others_cannot_open_the_review_pages(
    client_of: SignIn, alice: User, team: Workspace, who: str
) -> None:
    edit = kept_edit(alice, team)
    client = client_of(alice if who == "alice" else limited())
    expected = 302 if who == "alice" else 403
    photo = f"{LIST}photo/references/{edit.references.all()[0].pk}/360/"
    for address in (LIST, f"{LIST}{edit.pk}/change/", photo):
        assert client.get(address).status_code == expected


def test_a_photo_is_sent_with_the_headers_of_media(
    client_of: SignIn, alice: User, team: Workspace, staff: User
) -> None:
    edit = kept_edit(alice, team)
    response: Any = client_of(staff).get(f"{LIST}photo/references/{edit.references.all()[0].pk}/360/")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "image/webp"
    assert b"WEBP" in b"".join(response.streaming_content)[:16]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize("kind", ["references", "results", "drafts", "nonsense"])
def test_an_unknown_photo_is_not_found(client_of: SignIn, staff: User, kind: str) -> None:
    address = f"{LIST}photo/{kind}/00000000-0000-7000-8000-000000000000/360/"
    assert client_of(staff).get(address).status_code == 404


@pytest.mark.parametrize("size", ["800", "nonsense"])
def test_a_photo_with_a_missing_file_is_not_found(
    client_of: SignIn, alice: User, team: Workspace, staff: User, size: str
) -> None:
    edit = make_edit(alice, workspace=team)
    address = f"{LIST}photo/results/{edit.results.all()[0].pk}/{size}/"
    assert client_of(staff).get(address).status_code == 404
